#!/usr/bin/env python3
"""Creates the virtual environment with the tools for Python packages, and prints its interpreter."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import peer  # noqa: E402

PACKAGES = ["mypy==2.4.1", "ruff==0.17.6", "scikit-build-core==1.1.2", "wheel==0.48.0"]
PROBE = "import mypy, ruff, scikit_build_core, wheel"


def has_tools(python: pathlib.Path) -> bool:
    return python.is_file() and subprocess.run([python, "-c", PROBE], capture_output=True, check=False).returncode == 0


def tools_python() -> pathlib.Path:
    versions = "-".join(package.partition("==")[2] for package in PACKAGES)
    return peer.environment(f"package-tools-{versions}", PACKAGES, has_tools)


if __name__ == "__main__":
    print(tools_python())
