#!/usr/bin/env python3
"""Compares what CPython opens when it imports generated packages with the plan of src/import_plan for their files.

story_oracle_test.py PRINT_LOAD_PLAN

Every .so of a package is an empty stub (record.py). The files that the plan opens for certain must be the opened files,
in the same order and with the same flags.
"""

import pathlib
import subprocess
import sys
import tempfile
import textwrap

from cases import CASES

RECORD = pathlib.Path(__file__).with_name("record.py")


def opened(words: list[str]) -> list[str]:
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    if done.stderr:
        print(done.stderr, file=sys.stderr)
    return done.stdout.splitlines()


def compare(program: str, files: dict[str, str | None]) -> list[str]:
    """The differences, one per line."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files.items():
            path = pathlib.Path(directory, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text or ""))
        real = opened([sys.executable, str(RECORD), "--stand-ins", directory, "pkg"])
        rows = [row.split("\t") for row in opened([program, "--tree", directory])]
    told = ["\t".join(row[:2]) for row in rows if row[2] == "certain"]
    real = [row for row in real if row]
    return [] if real == told else [f"  opened {real}", f"  told   {told}"]


def main() -> None:
    program = sys.argv[1]
    faults = 0
    for name, files in CASES.items():
        if difference := compare(program, files):
            print("\n".join([name, *difference]))
            faults += 1
    print(f"{len(CASES)} packages, {faults} differ")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
