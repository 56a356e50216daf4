"""The shared parts of all tests: the program, a folder, and wheelcheck-fleet as users run it."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import distributed
import pyarrow.dataset

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / part) for part in ("corpus", "output_formats")]
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTHONDONTWRITEBYTECODE": "1"}


def fleet(*words, code=0, **options):
    """Runs wheelcheck-fleet once and returns its stdout and stderr."""
    done = subprocess.run(command(*words), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=600, **{"env": ENVIRONMENT, **options})
    if done.returncode != code:
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def command(*words):
    return [sys.executable, "-m", "wheelcheck.fleet", *map(str, words)]


def audit(manifest, out, *words, program=PROGRAM, check=(), code=0, local=2):
    return fleet("audit", manifest, "--out", out, "--local", local, "--dashboard", "127.0.0.1:0", "--program", program,
                 *words, "--", *check, code=code)


@contextlib.contextmanager
def cluster():
    """A client of a cluster of two workers that wheelcheck-fleet did not start."""
    words = [sys.executable, pathlib.Path(__file__).with_name("cluster.py")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env=ENVIRONMENT) as process:
        address = process.stdout.readline().strip()
        with distributed.Client(address) as client:
            yield client
        process.stdin.close()


def check(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=300)
    if done.returncode not in (0, 1, 3):
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def manifest(path, rows):
    path.write_text("".join(json.dumps(row if isinstance(row, dict) else {"wheel": str(row)}) + "\n" for row in rows))
    return path


def stand_in(path, script):
    """A program that runs `script` before the real program."""
    path.write_text(f"#!/bin/sh\n{script}\nexec '{PROGRAM}' \"$@\"\n")
    path.chmod(0o755)
    return path


def rows(out, table="wheels"):
    partitions = pyarrow.dataset.partitioning(pyarrow.schema([("project", pyarrow.string())]), flavor="hive")
    return pyarrow.dataset.dataset(out / table, partitioning=partitions).to_table().to_pylist()


def tables(out):
    """Every file of both tables, as bytes."""
    return {str(path.relative_to(out)): path.read_bytes()
            for table in ("wheels", "findings") for path in sorted((out / table).rglob("*.parquet"))}


class Fleet(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
