#!/usr/bin/env python3
"""diff_test.py PROGRAM: the arguments, exit codes and kinds of input of `wheelcheck diff`."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

from cli_test import ROOT, pure_wheel, run


class Diff(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", cls.folder / "demo"], check=True,
                              capture_output=True, text=True)
        cls.broken = pathlib.Path(demo.stdout.strip())
        cls.pure = pure_wheel(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def code(self, *words):
        return run("diff", *words).returncode

    def document(self, old, new, *words):
        return json.loads(run("diff", old, new, "--format", "json", *words).stdout)

    def test_exit_codes(self):
        self.assertEqual(self.code(self.pure, self.pure), 0)
        self.assertEqual(self.code(self.pure), 2)
        self.assertEqual(self.code(self.pure, self.folder / "missing.whl"), 3)
        self.assertEqual(self.code(self.pure, self.broken), 0)
        # The old wheel has no minimum system; the new one has.
        self.assertEqual(self.code(self.pure, self.broken, "--fail-on-raised-floor"), 1)
        self.assertEqual(self.code(self.broken, self.broken, "--fail-on-raised-floor"), 0)
        # From no finding to errors.
        self.assertEqual(self.code(self.pure, self.broken, "--fail-on-new"), 1)
        self.assertEqual(self.code(self.pure, self.broken, "--fail-on-new", "--fail-on", "never"), 0)
        self.assertEqual(self.code(self.pure, self.broken, "--fail-on-new", "--select", "WC604"), 0)
        self.assertEqual(self.code(self.broken, self.broken, "--fail-on-new", "--fail-on", "note"), 0)

    def test_the_same_wheel_twice(self):
        done = run("diff", self.broken, self.broken, "--fail-on-new", "--fail-on", "note", "--fail-on-raised-floor")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^gridfit (\S+) -> \1\n\nPASSED: nothing changed; \d+ findings as before\n$")

    def test_the_last_line_agrees_with_the_exit_code(self):
        done = run("diff", self.pure, self.broken)
        self.assertRegex(done.stdout.splitlines()[-1],
                         r"^CHANGED: floor raised; .* \(exit 1 with --fail-on-raised-floor or --fail-on-new\)$")
        done = run("diff", self.pure, self.broken, "--fail-on-new")
        self.assertRegex(done.stdout.splitlines()[-1], r"^FAILED: .* \(--fail-on-new fails\)$")
        done = run("diff", self.broken, self.pure, "--fail-on-new")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout.splitlines()[-1], r"^PASSED: .*fixed")

    def test_other_projects_are_named(self):
        self.assertTrue(run("diff", self.pure, self.broken).stdout.startswith("pure 1.0 -> gridfit "))

    def test_what_is_no_wheel(self):
        garbage = self.folder / "garbage-1.0-py3-none-any.whl"
        garbage.write_bytes(b"no archive" * 100)
        for words in ((self.pure, garbage), (garbage, self.pure)):
            done = run("diff", *words)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            (line,) = done.stderr.splitlines()
            self.assertIn(garbage.name, line)

    def test_the_configuration_counts(self):
        config = self.folder / "wheelcheck.toml"
        config.write_text('schema-version = 1\nfail-on = "never"\n')
        self.assertEqual(self.code(self.pure, self.broken, "--fail-on-new", "--config", config), 0)
        self.assertEqual(self.code(self.pure, self.broken, "--fail-on-new", "--fail-on", "error", "--config", config), 1)
        # Messages about the configuration file belong to neither release.
        config.write_text('schema-version = 1\n[[ignore-rule]]\nrule = "WC604"\npath = "nowhere"\n')
        told = [self.document(self.pure, self.broken, "--config", config), self.document(self.pure, self.broken)]
        self.assertEqual(told[0]["findings"], told[1]["findings"])

    def test_formats(self):
        self.assertIn("new error", run("diff", self.pure, self.broken).stdout)
        self.assertIn("- **new error**", run("diff", self.pure, self.broken, "--format", "markdown").stdout)
        document = self.document(self.pure, self.broken)
        self.assertEqual((document["schema"], document["platform"]["raised"]), ("wheelcheck-diff", True))

    def test_unpacked_wheels(self):
        unpacked = self.folder / "unpacked"
        with zipfile.ZipFile(self.broken) as archive:
            archive.extractall(unpacked)
        document = self.document(self.broken, unpacked)
        for part in ("exports", "imports"):
            self.assertEqual(document[part]["gained"] + document[part]["lost"], 0)
        self.assertEqual(document["contents"]["elf_files"] + document["contents"]["needed"], [])

    def test_kept_facts(self):
        cache = self.folder / "cache"
        self.assertEqual(run("check", self.broken, "--cache", cache).returncode, 1)
        (kept,) = cache.rglob("*.jsonl.gz")
        self.assertEqual(self.document(self.pure, kept), self.document(self.pure, self.broken))


if __name__ == "__main__":
    unittest.main()
