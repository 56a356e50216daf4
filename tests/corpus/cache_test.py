#!/usr/bin/env python3
"""cache_test.py PROGRAM: the reports on each real wheel are the same with cached facts."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import corpus

SHOW = ("show", "--format", "json")
QUESTIONS = (SHOW, ("symbols", "--match", ".", "--format", "json"),
             ("conflicts", "--format", "json"))


def answer(program: str, words: tuple, path: pathlib.Path, *more) -> tuple[int, bytes, bytes]:
    done = subprocess.run([program, *words, path, "--jobs", "1", *more], capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def without_python(said: tuple[int, bytes, bytes]) -> tuple[int, dict, bytes]:
    """The report without its list of Python files."""
    document = json.loads(said[1])
    for wheel in document["wheels"]:
        for key in ("python", "more_python"):
            wheel.get("analysis", wheel).pop(key, None)
    return said[0], document, said[2]


def faults_of(program: str, recipe: corpus.Recipe) -> list[str]:
    faults = []
    with tempfile.TemporaryDirectory(prefix="wheelcheck-cache-") as folder:
        for words in QUESTIONS:
            plain = answer(program, words, recipe.path)
            for run in ("first", "second"):
                if answer(program, words, recipe.path, "--cache", folder) != plain:
                    faults.append(f"{recipe.file}: {words[0]} says something else in the {run} run with a cache")
        entries = sorted(pathlib.Path(folder).iterdir(), key=lambda entry: entry.stat().st_mtime_ns)
        # `show` and `symbols` use the same facts. `conflicts`, the last command, needs facts of more Python files.
        if len(entries) != 2:
            return [*faults, f"{recipe.file}: {len(entries)} entries"]
        faults += (f"{recipe.file}: {words[0]} says something else of the facts alone"
                   for words, entry in zip(QUESTIONS, (entries[0], entries[0], entries[1]))
                   if answer(program, words, entry) != answer(program, words, recipe.path))
        if without_python(answer(program, SHOW, entries[1])) != without_python(answer(program, SHOW, recipe.path)):
            faults.append(f"{recipe.file}: show says something else of the facts that conflicts kept")
    return faults


def main() -> int:
    recipes = corpus.fetched()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for part in pool.map(lambda each: faults_of(sys.argv[1], each), recipes) for fault in part]
    print("\n".join(faults) if faults else f"corpus: {len(recipes)} wheels say the same of what was kept")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
