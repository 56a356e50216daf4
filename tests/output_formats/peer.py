#!/usr/bin/env python3
"""Creates the virtual environment with the packages that the tests of the formats use, and prints its interpreter.

Two of the schemas are only in source archives, which pip downloads too: that of SARIF in sarif-om's, that of JUnit in
pytest's.
"""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv

PACKAGES = ["cyclonedx-python-lib[json-validation]==11.12.0", "jsonschema==4.26.0", "lxml==6.1.3",
            "markdown-it-py==4.3.0", "sarif-tools==3.0.5"]
SCHEMAS = {"sarif_om==1.0.4": "sarif-2.1.0-rtm.4.json", "pytest==9.2.0": "junit-10.xsd"}
MODULES = "cyclonedx.validation.json, jsonschema, lxml, markdown_it, sarif"


def cache() -> pathlib.Path:
    """WHEELCHECK_CACHE, or else wheelcheck in the user's cache directory."""
    if own := os.environ.get("WHEELCHECK_CACHE"):
        return pathlib.Path(own).expanduser().absolute()
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser().absolute() / "wheelcheck"


def schema(name: str) -> pathlib.Path:
    return cache() / "formats-2" / "schemas" / name


def is_whole(directory: pathlib.Path) -> bool:
    python = directory / "bin" / "python"
    if not python.is_file() or not all((directory / "schemas" / name).is_file() for name in SCHEMAS.values()):
        return False
    return subprocess.run([python, "-c", f"import {MODULES}"], capture_output=True, check=False).returncode == 0


def pip(directory: pathlib.Path, *words: str) -> None:
    command = [directory / "bin" / "python", "-m", "pip", "-q", "--disable-pip-version-check", *words]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def take_schema(directory: pathlib.Path, package: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pip(directory, "download", "--no-deps", "--no-binary", ":all:", "-d", folder, package)
        (archive,) = pathlib.Path(folder).iterdir()
        with tarfile.open(archive) as members:
            (member,) = [one for one in members.getmembers() if pathlib.PurePosixPath(one.name).name == name]
            (directory / "schemas").mkdir(exist_ok=True)
            (directory / "schemas" / name).write_bytes(members.extractfile(member).read())


def make(directory: pathlib.Path) -> None:
    print(f"formats: installing {' '.join(PACKAGES)} into {directory}", file=sys.stderr)
    shutil.rmtree(directory, ignore_errors=True)
    try:
        venv.create(directory, with_pip=True)
        pip(directory, "install", *PACKAGES)
        for package, name in SCHEMAS.items():
            take_schema(directory, package, name)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        shutil.rmtree(directory, ignore_errors=True)
        sys.exit(f"formats: cannot make {directory}: {error}; on Debian it needs python3-venv")


def peer_python() -> pathlib.Path:
    """An interpreter that can import all of PACKAGES. Ends the program if it cannot be created."""
    directory = cache() / "formats-2"
    directory.parent.mkdir(parents=True, exist_ok=True)
    with (directory.parent / "formats.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_whole(directory):
            make(directory)
    return directory / "bin" / "python"


if __name__ == "__main__":
    print(peer_python())
