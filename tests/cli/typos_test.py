#!/usr/bin/env python3
"""typos_test.py PROGRAM: the message and exit code for misspelt arguments and for inputs that are not wheels."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]

# arguments, exit code, part of the message; {wheel} is a wheel that fails
TABLE = [
    ("chek {wheel}", 2, "a similar command exists: check"),
    ("conflict {wheel} {wheel}", 2, "a similar command exists: conflicts"),
    ("runs_on {wheel}", 2, "a similar command exists: runs-on"),
    ("runson {wheel}", 2, "a similar command exists: runs-on"),
    ("symbol {wheel}", 2, "a similar command exists: symbols"),
    ("polcy list", 2, "a similar command exists: policy"),
    ("explian WC102", 2, "a similar command exists: explain"),
    ("diif {wheel} {wheel}", 2, "a similar command exists: diff"),
    ("help", 0, "Commands:"),
    ("version", 0, "wheelcheck "),
    ("--help", 0, "Commands:"),
    ("--version", 0, "wheelcheck "),
    ("--versoin", 2, "a similar option exists: --version"),
    ("--hlep", 2, "a similar option exists: --help"),
    ("check --selct WC102 {wheel}", 2, "a similar option exists: --select"),
    ("check --fail-in error {wheel}", 2, "a similar option exists: --fail-on"),
    ("{wheel} --formt json", 2, "a similar option exists: --format"),
    ("{wheel} --no-configuration", 2, "unexpected argument --no-configuration"),
    ("symbols --mach x {wheel}", 2, "a similar option exists: --match"),
    ("check --require-tags manylinux_2_28 {wheel}", 2, "a similar option exists: --require-tag"),
    ("check --fail-on erorr {wheel}", 2, "error,warning,note,never"),
    ("check --format jsn {wheel}", 2, "json"),
    ("check --limit symbol=5 {wheel}", 2, "no limit is named symbol; a similar one exists: symbols"),
    ("check --limit nonsense=5 {wheel}", 2, "`wheelcheck check --help` lists them"),
    ("check --limit symbols {wheel}", 2, "expected symbols=NUMBER"),
    ("check --limit symbols=-1 {wheel}", 2, "expected symbols=NUMBER"),
    ("check --limit symbols=4294967296 {wheel}", 2, "expected symbols=NUMBER"),
    ("tree --limit members=1 --limit members=2000 {wheel}", 1, "FOUND"),
    ("check --select WC10x {wheel}", 2, "no rule is named WC10x"),
    ("check --require-tag manylinux {wheel}", 2, "expected a tag"),
    ("check --policy absent.json {wheel}", 2, "absent.json"),
    ("check --config absent.toml {wheel}", 2, "no such file"),
    ("check --baseline absent.json {wheel}", 2, "no such file"),
    ("check --provider torch {wheel}", 2, "expected DISTRIBUTION=WHEEL"),
    ("why {wheel} manylinux217", 2, "a similar tag exists: manylinux_2_17"),
    ("why {wheel} manylinux-2-28", 2, "a similar tag exists: manylinux_2_28"),
    ("explain executable-stak", 2, "a similar one exists: executable-stack"),
    ("explain nonsense", 2, "no rule is named nonsense"),
    ("", 2, "nothing to check"),
    ("check", 2, "nothing to check"),
    ("diff {wheel}", 2, "wheelcheck diff --help"),
    ("https://example.org/foo-1.0-py3-none-any.whl", 3, "pip download --no-deps URL"),
    ("numpy", 3, "pip download --no-deps --only-binary :all: numpy"),
    ("{folder}/foo-1.0.conda", 3, "a conda package"),
    ("{folder}/foo-1.0.tar.gz", 3, "a source distribution"),
    ("{folder}/libfoo.so.1", 3, "a shared library"),
    ("{folder}/venv", 3, "conflicts --environment"),
    ("{folder}/absent.whl", 3, "no such file"),
    ("-o {folder}/absent/report {wheel}", 2, "cannot write"),
]


class Typos(unittest.TestCase):
    def test_the_table(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", folder / "demo"], check=True,
                                  capture_output=True, text=True)
            for name in ("foo-1.0.conda", "foo-1.0.tar.gz", "libfoo.so.1"):
                (folder / name).write_bytes(b"x")
            (folder / "venv").mkdir()
            (folder / "venv/pyvenv.cfg").touch()
            environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
            for words, code, answer in TABLE:
                with self.subTest(words):
                    arguments = [word.format(wheel=demo.stdout.strip(), folder=folder) for word in words.split()]
                    done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                          check=False, cwd=folder, env=environment, timeout=60)
                    self.assertEqual(done.returncode, code, done)
                    self.assertIn(answer, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
