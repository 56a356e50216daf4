#!/usr/bin/env python3
"""Creates the virtual environment with auditwheel, abi3audit and a JSON Schema validator, and prints its interpreter.

scripts/test creates the same environment and sets WHEELCHECK_PYTHON to its interpreter, which is then used as it is.
"""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import venv

import corpus

AUDITWHEEL = "6.8.2"  # the version of the verdicts in wheels/real
ABI3AUDIT = "0.0.26"  # the version of docs/abi3.md; data/stable_abi.json is generated from its abi3info
PACKAGES = [f"auditwheel=={AUDITWHEEL}", "jsonschema==4.26.0", f"abi3audit=={ABI3AUDIT}", "abi3info==2026.9.25"]


def has_peer(python: pathlib.Path) -> bool:
    probe = [python, "-c", "import auditwheel, jsonschema, abi3audit"]
    return python.is_file() and subprocess.run(probe, capture_output=True, check=False).returncode == 0


def make(directory: pathlib.Path, packages: list[str]) -> None:
    print(f"corpus: installing {' '.join(packages)} into {directory}", file=sys.stderr)
    shutil.rmtree(directory, ignore_errors=True)
    try:
        venv.create(directory, with_pip=True)
        pip = [directory / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
        subprocess.run(pip, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(directory, ignore_errors=True)
        sys.exit(f"corpus: cannot make {directory}: {error}; on Debian it needs python3-venv")


def environment(name: str, packages: list[str], is_whole) -> pathlib.Path:
    """The interpreter of a virtual environment in the cache, which is created unless is_whole(interpreter)."""
    directory = corpus.cache() / name
    directory.parent.mkdir(parents=True, exist_ok=True)
    with (directory.parent / "venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_whole(directory / "bin" / "python"):
            make(directory, packages)
    return directory / "bin" / "python"


def peer_python() -> pathlib.Path:
    """An interpreter that can import auditwheel, jsonschema and abi3audit. Ends the program if it cannot be created."""
    given = os.environ.get("WHEELCHECK_PYTHON")
    if given and has_peer(pathlib.Path(given)):
        return pathlib.Path(given)
    return environment(f"auditwheel-{AUDITWHEEL}", PACKAGES, has_peer)


if __name__ == "__main__":
    print(peer_python())
