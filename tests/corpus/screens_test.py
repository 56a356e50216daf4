#!/usr/bin/env python3
"""screens_test.py PROGRAM [--update] [PREFIX...]: the default report of the wheels of wheels/screens, whole. A screen
has at most 25 lines, and begins with what nobody provides. Missing wheels are downloaded."""

import difflib
import pathlib
import subprocess
import sys

import corpus
import fetch

MAX_LINES = 25


def screens(names: list[str]) -> list[tuple[pathlib.Path, corpus.Recipe]]:
    """The files of the screens, each with its wheel, which may be one of another list."""
    every = {recipe.file: recipe for recipe in corpus.recipes() + corpus.recipes(None, corpus.SCREENS)}
    found = [(path, every[f"{path.stem}.whl"]) for path in sorted(corpus.SCREENS.glob("*.txt"))]
    chosen = [one for one in found if not names or any(one[0].name.startswith(name) for name in names)]
    if not chosen:
        sys.exit(f"screens: no screen in {corpus.SCREENS} begins with {' '.join(names)}")
    return chosen


def faults_of(program: str, path: pathlib.Path, recipe: corpus.Recipe, update: bool) -> list[str]:
    if recipe.fault() and (problem := fetch.fetch(recipe, fetch.pip_python())):
        return [f"{recipe.file} cannot be fetched: {problem}"]
    done = subprocess.run([program, "--no-config", recipe.path], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    faults = [f"{path.name}: {len(lines)} lines"] if len(lines) > MAX_LINES else []
    if update:
        path.write_text(done.stdout, encoding="utf-8")
    golden = path.read_text(encoding="utf-8").splitlines()
    return faults + list(difflib.unified_diff(golden, lines, path.name, "now", lineterm=""))


def main(words: list[str]) -> int:
    program, *names = (word for word in words if word != "--update")
    faults = []
    for path, recipe in screens(names):
        faults += faults_of(program, path, recipe, "--update" in words)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
