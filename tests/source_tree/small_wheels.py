#!/usr/bin/env python3
"""small_wheels.py PROGRAM: runs the sanitized program on the small real wheels. Ends with 77 if none is downloaded.

The whole corpus takes too long with a sanitizer, but its small wheels still come from fifteen tool chains.
"""

import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))
import corpus  # noqa: E402

LARGEST = 1_000_000  # bytes


def main():
    wheels = [recipe.path for recipe in corpus.recipes() if recipe.bytes <= LARGEST and not recipe.fault()]
    if not wheels:
        print("no real wheels were fetched")
        return 77
    run = subprocess.run([sys.argv[1], "check", "--fail-on", "never", "--format", "json", *map(str, wheels)],
                         capture_output=True, check=False)
    sys.stderr.buffer.write(run.stderr)
    json.loads(run.stdout)
    print(f"{len(wheels)} wheels, exit {run.returncode}")
    return 1 if run.returncode or run.stderr else 0


if __name__ == "__main__":
    sys.exit(main())
