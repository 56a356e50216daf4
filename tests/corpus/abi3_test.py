#!/usr/bin/env python3
"""abi3_test.py PROGRAM [WHEEL...]: compares WC801 with abi3audit on the abi3 wheels of the corpus or on the given
wheels, and on copies of one of them with another tag or another import. docs/abi3.md describes the differences."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import corpus
import peer

# Names of the same length, so that one can replace another in the file: a private one, one of Python 3.11, and one of
# all versions.
MADE = [
    ("private", b"PyErr_Print\0", b"_PyErr_Prin\0", "cp37"),
    ("private", b"PyList_New\0", b"_PyList_Ne\0", "cp37"),
    ("unchanged", b"", b"", "cp37"),
    ("older tag", b"", b"", "cp32"),
    ("newer tag", b"", b"", "cp315"),
]

MOST_BYTES = 6 << 20  # limit for the wheel that is copied, because abi3audit is slow


def said_by_program(program: str, wheel: pathlib.Path) -> dict[str, tuple[int, set[str]]]:
    """For each file the number of names that it must not use, and the names that are shown."""
    done = subprocess.run([program, "--select", "WC801", "--format", "json", wheel], capture_output=True, check=False)
    (report,) = json.loads(done.stdout)["wheels"]
    said: dict[str, tuple[int, set[str]]] = {}
    for finding in report["findings"]:
        file = pathlib.PurePath(finding["member"]).name
        count, shown = said.get(file, (0, set()))
        (text,) = [evidence["value"] for evidence in finding["evidence"] if evidence["label"] == "symbols"]
        shown = shown | set(re.findall(r"\b_?Py\w+", text))
        said[file] = (count + int(re.search(r"uses (\d+) name", finding["message"])[1]), shown)
    return said


def said_by_peer(python: pathlib.Path, wheel: pathlib.Path) -> dict[str, set[str]]:
    done = subprocess.run([python, "-m", "abi3audit", "--report", "--summary", wheel], capture_output=True, check=False)
    if not done.stdout.strip():
        sys.exit(f"abi3audit says nothing of {wheel}: {done.stderr.decode(errors='replace')[-300:]}")
    (spec,) = json.loads(done.stdout)["specs"].values()
    said: dict[str, set[str]] = {}
    for shared in spec["wheel"]:
        audit = shared["result"]
        if names := {*audit["non_abi3_symbols"], *audit["future_abi3_objects"]}:
            said.setdefault(shared["name"], set()).update(names)
    return said


def retagged(source: pathlib.Path, tag: str, old: bytes, new: bytes, directory: pathlib.Path) -> pathlib.Path:
    """A copy with another Python tag and with a name changed in every file."""
    parts = source.name.split("-")
    target = directory / "-".join([*parts[:-3], tag, *parts[-2:]])
    with zipfile.ZipFile(source) as old_wheel, zipfile.ZipFile(target, "w") as new_wheel:
        for member in old_wheel.infolist():
            data = old_wheel.read(member)
            new_wheel.writestr(member.filename, data.replace(old, new) if old else data)
    return target


def compare(program: str, python: pathlib.Path, wheel: pathlib.Path, what: str) -> tuple[list[str], int]:
    ours, theirs = said_by_program(program, wheel), said_by_peer(python, wheel)
    count = sum(number for number, _ in ours.values())
    print(f"{wheel.name} ({what}): {count} names here, {sum(map(len, theirs.values()))} there", flush=True)
    faults = []
    for file in sorted(ours.keys() | theirs.keys()):
        number, shown = ours.get(file, (0, set()))
        names = theirs.get(file, set())
        if number != len(names) or not shown <= names:
            faults.append(f"{wheel.name} ({what}): {file}: {number} here, {sorted(shown)}; there {sorted(names)}")
    return faults, count


def main() -> None:
    program, *given = sys.argv[1:]
    python = peer.peer_python()
    wheels = [pathlib.Path(name) for name in given] or [r.path for r in corpus.fetched() if "-abi3-" in r.file]
    faults, violations = [], 0
    for wheel in wheels:
        faults += compare(program, python, wheel, "as it is")[0]
        small = wheel.stat().st_size < MOST_BYTES
        for what, old, new, tag in MADE if small and not given else []:
            with tempfile.TemporaryDirectory() as directory:
                made = retagged(wheel, tag, old, new, pathlib.Path(directory))
                found, count = compare(program, python, made, f"{what}, {tag}")
                faults += found
                violations += count
    if not given and violations == 0:
        faults.append("no made wheel breaks the stable ABI, so nothing was compared")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
