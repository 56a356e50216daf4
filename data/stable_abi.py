#!/usr/bin/env python3
"""Writes data/stable_abi.json from the package abi3info, which is made from CPython's Misc/stable_abi.toml.

    pip install abi3info==2026.9.25 && python3 data/stable_abi.py
"""

import importlib.metadata
import json
import pathlib

import abi3info

OUT = pathlib.Path(__file__).with_name("stable_abi.json")


def main() -> None:
    """Writes one line for each name: the version that added it, and `abi_only` if new code cannot use it."""
    names = {}
    for kind in (abi3info.FUNCTIONS, abi3info.DATAS):
        for symbol, entry in kind.items():
            if entry.added.major != 3:
                raise SystemExit(f"{symbol.name} was added in {entry.added}")
            names[symbol.name] = f"3.{entry.added.minor}" + (" abi_only" if entry.abi_only else "")
    document = {
        "$schema": "schema/stable_abi.schema.json",
        "$comment": f"abi3info {importlib.metadata.version('abi3info')}; data/stable_abi.py writes this file",
        "stable_abi": dict(sorted(names.items())),
    }
    OUT.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
