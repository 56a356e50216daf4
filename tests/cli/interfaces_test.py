#!/usr/bin/env python3
"""interfaces_test.py PROGRAM: the arguments, exit codes and inputs of `wheelcheck interfaces`."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from cli_test import ROOT, pure_wheel, run


class Interfaces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", cls.folder / "demo"], check=True,
                              capture_output=True, text=True)
        cls.demo = pathlib.Path(demo.stdout.strip())
        cls.pure = pure_wheel(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_entries_of_each_wheel_in_order(self):
        done = run("interfaces", "--format", "json", self.demo, self.pure)
        self.assertEqual((done.returncode, done.stderr), (1, ""))  # check fails it for its stack
        demo, pure = json.loads(done.stdout)["wheels"]
        self.assertEqual((demo["file"], pure["file"]), (self.demo.name, self.pure.name))
        self.assertIn("glibc", {entry["name"] for entry in demo["entries"]})
        self.assertEqual(pure["entries"], [])

    def test_text_names_the_file_that_proves_it(self):
        done = run("interfaces", self.demo)
        self.assertEqual(done.returncode, 1)
        self.assertIn("check reports 1 error: WC601 executable-stack", done.stdout)
        self.assertRegex(done.stdout, r"system +glibc +>= 2\.\d+\s")

    def test_a_wheel_without_requirements_has_no_variant_properties(self):
        done = run("interfaces", "--format", "variants", self.pure)
        self.assertEqual(json.loads(done.stdout), {self.pure.name: None})

    def test_versions_of_one_provider_stand_beside_each_other(self):
        done = run("interfaces", "--format", "json", self.pure, "--provider", f"a={self.demo}", "--provider",
                   f"a={self.demo}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([one["sufficient"] for one in json.loads(done.stdout)["wheels"][0]["providers"]], [True, True])

    def test_what_is_installed_is_compared(self):
        site = self.folder / "venv/lib/python3.11/site-packages"
        site.mkdir(parents=True)
        (self.folder / "venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
        for name, version in (("numpy", "1.26.4"), ("six", "1.17.0")):
            (site / f"{name}-{version}.dist-info").mkdir()
            (site / f"{name}-{version}.dist-info/METADATA").write_text(
                f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            (site / f"{name}-{version}.dist-info/RECORD").write_text(f"{name}-{version}.dist-info/METADATA,,\n")
        done = run("interfaces", "--format", "json", "--environment", self.folder / "venv", self.demo)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        providers = json.loads(done.stdout)["wheels"][0]["providers"]
        self.assertLessEqual({one["distribution"] for one in providers}, {"numpy"})
        done = run("interfaces", "--environment", self.folder / "none", self.demo)
        self.assertEqual(done.returncode, 3)
        self.assertIn("none", done.stderr)

    def test_a_file_that_is_no_wheel(self):
        bad = self.folder / "bad-1-py3-none-any.whl"
        bad.write_bytes(b"no archive")
        done = run("interfaces", bad)
        self.assertEqual(done.returncode, 1)
        self.assertIn("bad-1-py3-none-any.whl", done.stderr)


if __name__ == "__main__":
    unittest.main()
