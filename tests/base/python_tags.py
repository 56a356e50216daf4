#!/usr/bin/env python3
"""Writes python_tags.txt: which interpreters install a wheel of some tags, by packaging.tags (of auditwheel's environment).

usage: python_tags.py [--check]   (a Python with `packaging` 26.1 or newer, which has abi3t)

A line is the tags of a wheel, and the interpreters that take it: cp313t is CPython 3.13 without the GIL.
"""
import pathlib
import sys

from packaging.tags import compatible_tags, cpython_tags, generic_tags, parse_tag

PYTHON = ["cp2", "cp27", "cp3", "cp32", "cp37", "cp310", "cp313", "cp314", "cp315", "cp310.cp312", "cp27.cp311", "pp3",
          "pp27", "pp310", "pp39.pp310", "py2", "py26", "py3", "py30", "py38", "py310", "py2.py3", "py27.py311", "cp39.pp39",
          "graalpy311", "cp313t"]
ABI = ["none", "abi3", "abi3t", "abi3.abi3t", "cp27m", "cp27mu", "cp37m", "cp310", "cp310d", "cp313", "cp313t", "cp314t",
       "cp315", "cp310.cp312", "pypy310_pp73", "pypy39_pp73.pypy310_pp73", "none.abi3", "cp310.abi3", "cp313.cp313t"]


def abis(major, minor, free_threaded):
    """Of every build of a release."""
    tag = f"cp{major}{minor}" + ("t" if free_threaded else "")
    flags = ["", "d"] if (major, minor) >= (3, 8) else ["", "m", "d", "dm"]
    return [tag + flag + wide for flag in flags for wide in (["", "u"] if (major, minor) < (3, 3) else [""])]


def tags_of(name, major, minor, free_threaded):
    if name == "cp":
        yield from cpython_tags((major, minor), abis(major, minor, free_threaded), ["any"])
        yield from compatible_tags((major, minor), f"cp{major}{minor}", ["any"])
    else:
        yield from generic_tags(f"pp{major}{minor}", [f"pypy{major}{minor}_pp73"], ["any"])
        yield from compatible_tags((major, minor), f"pp{major}", ["any"])


def main():
    versions = [("cp", 2, 7, False), *(("cp", 3, minor, False) for minor in range(2, 18)),
                *(("cp", 3, minor, True) for minor in range(13, 18)), ("pp", 2, 7, False),
                *(("pp", 3, minor, False) for minor in range(8, 12))]
    interpreters = {f"{v[0]}{v[1]}{v[2]}{'t' if v[3] else ''}": {(t.interpreter, t.abi) for t in tags_of(*v)} for v in versions}
    lines = []
    for python in PYTHON:
        for abi in ABI:
            wheel = {(t.interpreter, t.abi) for t in parse_tag(f"{python}-{abi}-any")}
            taken = [name for name, tags in interpreters.items() if wheel & tags]
            lines.append(" ".join([f"{python}-{abi}", *taken]))
    text = "\n".join(lines) + "\n"
    table = pathlib.Path(__file__).with_name("python_tags.txt")
    if "--check" not in sys.argv:
        table.write_text(text)
    elif table.read_text() != text:
        sys.exit(f"{table} is not what packaging.tags says: run {sys.argv[0]}")


main()
