#!/usr/bin/env python3
"""opinion_test.py: scripts/second_opinion accepts only a wheel that is compatible with its tag."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import corpus
import peer

MARKUPSAFE = "markupsafe-3.0.3-cp313-cp313t-manylinux2014_x86_64.manylinux_2_17_x86_64.manylinux_2_28_x86_64.whl"


def ask(*wheels):
    command = [peer.peer_python(), "-B", ROOT / "scripts" / "second_opinion", *wheels]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


class Opinion(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.kept = corpus.fetched_to(corpus.RECIPES) / MARKUPSAFE

    def test_a_claim_that_is_kept(self):
        done = ask(self.kept)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(": compatible\n", done.stdout)

    def test_one_claim_that_is_not_kept_is_enough(self):
        older = self.folder / MARKUPSAFE.replace("manylinux_2_17", "manylinux_2_12")
        other = self.folder / MARKUPSAFE.replace("x86_64", "aarch64")
        none = self.folder / "markupsafe-3.0.3-cp313-cp313t-linux_x86_64.whl"
        for wheel in (older, other, none):
            with self.subTest(wheel=wheel.name):
                shutil.copy(self.kept, wheel)
                done = ask(self.kept, wheel)
                self.assertEqual(done.returncode, 1, done)
                self.assertIn(f"{wheel.name}: auditwheel says ", done.stdout)

    def test_no_wheel_is_no_opinion(self):
        self.assertEqual(ask().returncode, 1)


if __name__ == "__main__":
    unittest.main()
