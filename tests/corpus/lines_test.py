#!/usr/bin/env python3
"""lines_test.py PROGRAM: the default report of the real wheels is short."""

import concurrent.futures
import functools
import os
import statistics
import subprocess
import sys

import corpus

MEDIAN, NINTH_DECILE, MOST = 20, 40, 100  # lines
WIDTH = 80  # columns, unless a path or word is wider


def lines_of(program: str, recipe: corpus.Recipe) -> list[str]:
    done = subprocess.run([program, "--jobs", "1", recipe.path], capture_output=True, text=True, check=False)
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
    recipes = corpus.fetched()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(functools.partial(lines_of, sys.argv[1]), recipes))
    faults = faults_of({recipe.file: lines for recipe, lines in zip(recipes, reports)})
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
