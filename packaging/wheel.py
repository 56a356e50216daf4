#!/usr/bin/env python3
"""wheel.py DIRECTORY [--built PROGRAM]: the wheel of wheelcheck, built by pinned tools; prints its path.

Run by the interpreter of tests/python_package/tools.py; scripts/wheel does so. --built packs a program that is there already.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--built", type=pathlib.Path)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = []
        if words.built:
            # Nothing is compiled, so nothing is left for the next time.
            settings = [f"cmake.define.WHEELCHECK_BUILT={words.built.resolve()}", f"build-dir={folder}/build"]
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
                   "--no-build-isolation", f"--wheel-dir={folder}/wheels",
                   *(f"--config-settings={setting}" for setting in settings), ROOT]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        (built,) = pathlib.Path(folder, "wheels").glob("*.whl")
        words.directory.mkdir(parents=True, exist_ok=True)
        wheel = words.directory / built.name
        wheel.write_bytes(built.read_bytes())
    print(wheel)


if __name__ == "__main__":
    main()
