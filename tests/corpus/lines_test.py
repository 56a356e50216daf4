#!/usr/bin/env python3
"""lines_test.py PROGRAM: the default report of the real wheels is short."""

import concurrent.futures
import functools
import os
import pathlib
import statistics
import subprocess
import sys

import corpus
import fetch

MEDIAN, NINTH_DECILE, MOST = 20, 40, 100  # lines
WIDTH = 80  # columns, unless a path or word is wider


OTHERS = corpus.WHEELS / "others.txt"


def other_wheels() -> list[pathlib.Path]:
    directory = corpus.cache().with_name(f"{corpus.cache().name}-others")
    return [directory / name for name in OTHERS.read_text(encoding="utf-8").split()]


def fetch_others() -> int:
    """Downloads the files that are named, each by its own tags."""
    failed = 0
    for path in other_wheels():
        if path.is_file():
            continue
        name, version, python, abi, platforms = path.stem.split("-")
        words = [fetch.pip_python(), "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
        words += ["-d", str(path.parent), "--python-version", "3.11", "--implementation", python[:2], "--abi", abi]
        words.append(f"{name}=={version}")
        for platform in platforms.split("."):
            words += ["--platform", platform]
        failed += subprocess.run(words, check=False).returncode != 0
    return 1 if failed else 0


def lines_of(program: str, path: pathlib.Path) -> list[str]:
    done = subprocess.run([program, "--no-config", "--jobs", "1", path], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def faults_of(reports: dict[str, list[str]]) -> list[str]:
    counts = sorted(len(lines) for lines in reports.values())
    faults = []
    if statistics.median(counts) > MEDIAN:
        faults.append(f"{statistics.median(counts)} lines in the median, more than {MEDIAN}")
    if counts[len(counts) * 9 // 10] > NINTH_DECILE:
        faults.append(f"{counts[len(counts) * 9 // 10]} lines at the ninth decile, more than {NINTH_DECILE}")
    for file, lines in reports.items():
        if len(lines) > MOST:
            faults.append(f"{file}: {len(lines)} lines, more than {MOST}")
        # The first line is the wheel's name, and the last one is never wrapped.
        wide = [line for line in lines[1:-1] if len(line) > WIDTH and " " in line.strip()[:WIDTH - 10]]
        faults += [f"{file}: wider than {WIDTH} columns: {line}" for line in wide]
        if not lines or not lines[-1].startswith(("PASSED: ", "FAILED: ")):
            faults.append(f"{file}: the last line does not say whether it passed")
    return faults


def main() -> int:
    if sys.argv[1:] == ["--fetch"]:
        return fetch_others()
    paths = [recipe.path for recipe in corpus.fetched()]
    further = [recipe.path for recipe in corpus.recipes(folder=corpus.LARGE)] + other_wheels()
    paths += [path for path in further if path.is_file()]
    print(f"{len(paths)} wheels")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(functools.partial(lines_of, sys.argv[1]), paths))
    faults = faults_of({path.name: lines for path, lines in zip(paths, reports)})
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
