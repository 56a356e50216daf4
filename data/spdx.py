#!/usr/bin/env python3
"""Writes data/spdx.txt, the licences and exceptions of SPDX, from the package packaging.

    pip install packaging && python3 data/spdx.py

PyPI and pip compare License-Expression with the same list. Identifiers are in lower case; "with " precedes exceptions.
"""

import pathlib

from packaging.licenses import _spdx

OUT = pathlib.Path(__file__).with_name("spdx.txt")


def main() -> None:
    lines = sorted([*_spdx.LICENSES, *(f"with {name}" for name in _spdx.EXCEPTIONS)])
    OUT.write_text(f"SPDX licence list {_spdx.VERSION}\n" + "".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
