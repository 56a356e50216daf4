#!/usr/bin/env python3
"""Downloads the real wheels of wheels/real with pip, two at a time, and checks the SHA-256 of each.

fetch.py [--large] [PREFIX...]: only wheels whose file name has this prefix; --large: those of wheels/large, 2.2 GB.
Existing files are kept. If a wheel cannot be downloaded, the script prints a line for it and ends with 1.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import corpus
import peer

AT_ONCE = 2
PATIENCE = 1800  # seconds for one wheel


def pip_python() -> str:
    """An interpreter whose pip can download: that of WHEELCHECK_PYTHON, this one, or the one of peer.py. Debian's own
    has no pip."""
    for python in filter(None, [os.environ.get("WHEELCHECK_PYTHON"), sys.executable]):
        probe = [python, "-m", "pip", "--version"]
        if pathlib.Path(python).is_file() and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            return python
    return str(peer.peer_python())


def command(recipe: corpus.Recipe, python: str, directory: str) -> list[str]:
    words = [python, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-input", "--no-deps"]
    words += ["--only-binary=:all:", "-d", directory]
    for platform in recipe.pip["platforms"]:
        words += ["--platform", platform]
    for option in ("python_version", "implementation", "abi"):
        words += [f"--{option.replace('_', '-')}", recipe.pip[option]]
    return [*words, recipe.requirement]


def fetch(recipe: corpus.Recipe, python: str) -> str:
    """The reason why the wheel could not be downloaded; empty if it exists now. It gets its name only after the
    check."""
    recipe.path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=recipe.path.parent) as directory:
        try:
            done = subprocess.run(
                command(recipe, python, directory),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"pip did not end within {PATIENCE} seconds"
        got = pathlib.Path(directory) / recipe.file
        if done.returncode != 0 or not got.is_file():
            others = ", ".join(sorted(path.name for path in pathlib.Path(directory).iterdir()))
            last = (done.stdout.strip().splitlines() or ["nothing was said"])[-1]
            return f"pip brought {others}" if others else f"pip ended with {done.returncode}: {last}"
        if (digest := corpus.sha256(got)) != recipe.sha256:
            return f"what pip brought has SHA-256 {digest}, not {recipe.sha256}"
        got.replace(recipe.path)
    return ""


def main(words: list[str]) -> int:
    folder = corpus.LARGE if "--large" in words else corpus.RECIPES
    wanted = corpus.recipes([word for word in words if word != "--large"], folder)
    absent = [recipe for recipe in wanted if recipe.fault()]
    if not absent:
        print(f"corpus: all {len(wanted)} wheels are in {corpus.fetched_to(folder)}")
        return 0
    python = pip_python()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = {pool.submit(fetch, recipe, python): recipe for recipe in absent}
        for number, job in enumerate(concurrent.futures.as_completed(jobs), start=1):
            problem = job.result()
            failed += bool(problem)
            line = f"cannot fetch {jobs[job].file}: {problem}" if problem else f"fetched {jobs[job].file}"
            print(f"corpus: {number}/{len(absent)} {line}", file=sys.stderr if problem else sys.stdout, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
