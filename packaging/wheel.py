#!/usr/bin/env python3
"""wheel.py DIRECTORY [--built PROGRAM]: builds the wheel of wheelcheck with pinned tools and prints its path.

scripts/wheel runs it with the interpreter of tests/python_package/tools.py. --built packs an existing program.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def run_alone(wheel):
    """Runs the program in an otherwise empty root directory: with a musllinux tag it must not require glibc."""
    if "musllinux" not in wheel.name:
        return
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        root = pathlib.Path(folder)
        (name,) = [name for name in archive.namelist() if name.endswith(".data/scripts/wheelcheck")]
        (root / "wheelcheck").write_bytes(archive.read(name))
        (root / "wheelcheck").chmod(0o755)
        (root / wheel.name).write_bytes(wheel.read_bytes())
        enter = ["chroot", root] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot", root]
        done = subprocess.run([*enter, "/wheelcheck", "check", "--no-config", f"/{wheel.name}"], env={"PATH": "/usr/sbin:/usr/bin"}, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"wheel.py: the program does not run in an empty root directory: {done.returncode}\n{done.stdout}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--built", type=pathlib.Path)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = []
        if words.built:
            # Nothing is compiled, so the build directory is temporary.
            settings = [f"cmake.define.WHEELCHECK_BUILT={words.built.resolve()}", f"build-dir={folder}/build"]
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
                   "--no-build-isolation", f"--wheel-dir={folder}/wheels",
                   *(f"--config-settings={setting}" for setting in settings), ROOT]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        (built,) = pathlib.Path(folder, "wheels").glob("*.whl")
        words.directory.mkdir(parents=True, exist_ok=True)
        run_alone(built)
        wheel = words.directory / built.name
        wheel.write_bytes(built.read_bytes())
    print(wheel)


if __name__ == "__main__":
    main()
