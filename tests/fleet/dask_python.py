#!/usr/bin/env python3
"""Creates a virtual environment with the packages of `pip install wheelcheck[fleet]` and prints its interpreter."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import peer  # noqa: E402

PACKAGES = ["bokeh==3.9.2", "distributed==2026.8.0", "duckdb==2.0.0", "pyarrow==26.0.1", "tqdm==4.67.1"]
PROBE = "import bokeh, distributed, duckdb, pyarrow.parquet, tqdm"


def has_packages(python: pathlib.Path) -> bool:
    return python.is_file() and subprocess.run([python, "-c", PROBE], capture_output=True, check=False).returncode == 0


def dask_python() -> pathlib.Path:
    versions = "-".join(package.partition("==")[2] for package in PACKAGES)
    return peer.environment(f"fleet-{versions}", PACKAGES, has_packages)


if __name__ == "__main__":
    print(dask_python())
