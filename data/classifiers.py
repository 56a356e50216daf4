#!/usr/bin/env python3
"""Writes data/classifiers.txt, the classifiers that PyPI accepts, from the package trove-classifiers.

    pip install trove-classifiers && python3 data/classifiers.py

Warehouse compares METADATA with the same package. The first line names its version. Each other line is a classifier.
A deprecated one is followed by a tab and its replacement, which may be empty.
"""

import importlib.metadata
import pathlib

import trove_classifiers

OUT = pathlib.Path(__file__).with_name("classifiers.txt")


def main() -> None:
    lines = dict.fromkeys(trove_classifiers.classifiers, "")
    for name, replacements in trove_classifiers.deprecated_classifiers.items():
        lines[name] = "\t" + " or ".join(replacements)
    head = f"trove-classifiers {importlib.metadata.version('trove-classifiers')}\n"
    OUT.write_text(head + "".join(f"{name}{lines[name]}\n" for name in sorted(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
