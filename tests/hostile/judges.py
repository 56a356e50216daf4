#!/usr/bin/env python3
"""judges.py PROGRAM --uv UV [--only PATTERN] [--jobs N]: archives of the hostile corpus that pass, and what others see.

Every case without ELF topics for which the program ends with 0 is unpacked by zipfile and bsdtar, and installed by pip
and uv. Nobody may refuse it, and all must see the same files with the same bytes.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import hostile

# Written by the installers, not by the wheel.
WRITTEN = re.compile(r"\.dist-info/(RECORD|INSTALLER|REQUESTED|direct_url\.json|uv_cache\.json)$|^\.lock$")
# pip and uv give --target another layout for scripts, headers and data; modules are in the same places.
ELSEWHERE = re.compile(r"^(bin|include|lib)/")
Files = dict[str, str]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def files_below(folder: pathlib.Path) -> Files:
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"a link to {os.readlink(path)}"
        elif path.is_file():
            found[name] = digest(path.read_bytes())
    return found


def by_zipfile(wheel: pathlib.Path, _: pathlib.Path) -> Files:
    with zipfile.ZipFile(wheel) as archive:
        return {info.filename: digest(archive.read(info)) for info in archive.infolist() if not info.is_dir()}


def by_command(words: list[str], folder: pathlib.Path) -> Files:
    folder.mkdir()
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip().splitlines()[-1][:200] if done.stderr.strip() else "refuses")
    return files_below(folder)


def by_bsdtar(wheel: pathlib.Path, folder: pathlib.Path) -> Files:
    return by_command(["bsdtar", "-xf", str(wheel), "-C", str(folder)], folder)


def installed(files: Files) -> Files:
    return {name: what for name, what in files.items() if not WRITTEN.search(name) and not ELSEWHERE.match(name)}


def faults_of(wheel: pathlib.Path, folder: pathlib.Path, uv: str) -> list[str]:
    options = ["-q", "--no-deps", "--no-index", "--target"]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-compile"]
    judges = {
        "zipfile": by_zipfile,
        "bsdtar": by_bsdtar,
        "pip": lambda wheel, to: installed(by_command([*pip, *options, str(to), str(wheel)], to)),
        "uv": lambda wheel, to: installed(
            by_command([uv, "pip", "install", "--python", sys.executable, *options, str(to), str(wheel)], to)
        ),
    }
    faults, seen = [], {}
    for name, judge in judges.items():
        try:
            seen[name] = judge(wheel, folder / name)
        except Exception as error:  # noqa: BLE001  whatever it is, the judge refuses
            faults.append(f"{name} refuses it: {error}")
    for one, other in (("zipfile", "bsdtar"), ("pip", "uv")):
        if one in seen and other in seen and seen[one] != seen[other]:
            names = sorted({name for name, _ in seen[one].items() ^ seen[other].items()})
            faults.append(f"{one} and {other} see different files: {', '.join(names)[:200]}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--uv", default="uv")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    told = parser.parse_args()
    program = str(told.program.resolve())
    results: collections.Counter = collections.Counter()
    topics = [file.stem for file in (hostile.HERE / "cases").glob("*.py")]
    # Files for other machines cannot be installed here; those that cost much cost the judges more.
    archives = [t for t in topics if not t.startswith("elf_") and t not in ("machines", "cost", "python_cost")]
    with tempfile.TemporaryDirectory(prefix="wheelcheck-judges-") as temporary:
        folder = pathlib.Path(temporary)
        made = [(c, p) for c, p in hostile.make_corpus(folder / "corpus", told.only, archives) if p.suffix == ".whl"]

        def judge(number: int) -> tuple[str, list[str]]:
            case, wheel = made[number]
            words = [program, "check", "--no-config", "--format", "concise", "--jobs", "1", str(wheel)]
            if not wheel.is_file() or subprocess.run(words, capture_output=True, timeout=300, check=False).returncode:
                return f"{case.topic}/{case.name}", ["reported"]
            place = folder / str(number)
            place.mkdir()
            return f"{case.topic}/{case.name}", faults_of(wheel, place, told.uv)

        with concurrent.futures.ThreadPoolExecutor(told.jobs) as pool:
            for name, faults in pool.map(judge, range(len(made))):
                results["reported" if faults == ["reported"] else "faults" if faults else "agreed"] += 1
                for fault in faults if faults != ["reported"] else []:
                    print(f"{name}: {fault}", flush=True)
    print(f"judges: {results['reported']} reported, {results['agreed']} passed, {results['faults']} seen otherwise")
    return 1 if results["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
