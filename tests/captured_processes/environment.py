"""Creates virtual environments with pip and the versions in pins.txt, and stub libraries for those of CUDA."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import stubs

HERE = Path(__file__).resolve().parent


def pins() -> dict[str, str]:
    lines = (HERE / "pins.txt").read_text().split()
    return {line.split("==")[0].lower().replace("_", "-"): line for line in lines}


def make(cache: Path, name: str, wanted: dict) -> Path:
    """The interpreter of the environment, which is created if necessary."""
    top = cache / name
    python = top / "bin" / "python"
    if (top / "complete").exists():
        return python
    shutil.rmtree(top, ignore_errors=True)
    subprocess.run([os.path.realpath(sys.executable), "-m", "venv", top], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "-c", HERE / "pins.txt"]
    subprocess.run([*pip, *wanted["packages"]], check=True)
    if wanted.get("alone"):
        subprocess.run([*pip, "--no-deps", *wanted["alone"]], check=True)
    for directory in wanted.get("stubs", []):
        stubs.make(next(top.glob("lib/python*/site-packages")) / directory)
    (top / "complete").touch()
    return python


def wheels(cache: Path, names: list[str]) -> list[Path]:
    """The wheels of these distributions, in this order."""
    found = []
    for name in names:
        directory = cache / "wheels" / name
        if not list(directory.glob("*.whl")):
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
            subprocess.run([*pip, "-d", directory, pins()[name]], check=True)
        found += list(directory.glob("*.whl"))
    return found
