#!/usr/bin/env python3
"""stand_in_test.py: the wheel for machines without a program refuses Linux wheels, which it cannot read, and accepts
wheels for other systems."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINUX = (
    "a-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    "a-1.0-cp311-cp311-musllinux_1_2_aarch64.whl",
    "a-1.0-cp311-cp311-linux_x86_64.whl",
    "a-1.0-py3-none-any.whl",
    "a-1.0-py3-none-macosx_11_0_arm64.linux_x86_64.whl",
    "nonsense.whl",
)
OTHERS = ("a-1.0-cp311-cp311-macosx_11_0_arm64.whl", "a-1.0-1-cp311-cp311-win_amd64.whl")


class StandIn(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        made = [sys.executable, ROOT / "packaging/stand_in.py", cls.folder / "dist"]
        wheel = subprocess.run(made, check=True, capture_output=True, text=True).stdout.strip()
        environment = cls.folder / "environment"
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        pip = [environment / "bin/python", "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check"]
        subprocess.run([*pip, wheel], check=True)
        cls.python, cls.program = environment / "bin/python", environment / "bin/wheelcheck"
        for name in (*LINUX, *OTHERS):
            (cls.folder / name).touch()

    def run_with(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [self.program, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder)

    def test_wheels_for_linux_are_refused(self) -> None:
        for name in LINUX:
            for words in ((name,), ("check", "--fail-on", "never", name), (OTHERS[0], name)):
                done = self.run_with(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done)
                self.assertIn("no wheelcheck program for this machine", done.stderr)

    def test_wheels_for_other_systems_need_no_check(self) -> None:
        for name in OTHERS:
            done = self.run_with(name)
            answer = f"{name}: not a Linux wheel, nothing to check\n"
            self.assertEqual((done.returncode, done.stdout), (0, answer), done)

    def test_other_words(self) -> None:
        self.assertEqual(self.run_with("absent-1.0-cp311-cp311-win_amd64.whl").returncode, 3)
        self.assertEqual(self.run_with().returncode, 2)
        self.assertEqual(self.run_with("rules").returncode, 2)
        self.assertEqual(self.run_with(".").returncode, 2)
        self.assertRegex(self.run_with("--version").stdout, r"^wheelcheck [0-9.]+ \(no program for this machine\)\n$")
        text = f"import wheelcheck; wheelcheck.check({LINUX[0]!r})"
        done = subprocess.run([self.python, "-c", text], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertIn("no wheelcheck program for this machine", done.stderr, done)


if __name__ == "__main__":
    unittest.main()
