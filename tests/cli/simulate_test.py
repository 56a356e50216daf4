#!/usr/bin/env python3
"""simulate_test.py PROGRAM: `wheelcheck policy simulate` and `why --cheapest` from the view of an author of
policies."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from cli_test import ROOT, pure_wheel, run

POLICY = ROOT / "policies/manylinux_2_41.json"


class Demo(unittest.TestCase):
    """The demo wheel needs libtiff.so.6, which no level allows. The draft level allows it."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", cls.folder / "demo"], check=True,
                              capture_output=True, text=True)
        cls.demo = pathlib.Path(demo.stdout.strip())
        cls.claims = shutil.copy(cls.demo, cls.folder / "gridfit-1.4.0-cp311-cp311-manylinux_2_41_x86_64.whl")
        cls.pure = pure_wheel(cls.folder)
        draft = json.loads(POLICY.read_text())
        draft["libraries"].append("libtiff.so.6")
        cls.draft = cls.folder / "draft.json"
        cls.draft.write_text(json.dumps(draft))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()


class Simulate(Demo):
    def simulate(self, *words):
        return run("policy", "simulate", *words)

    def document(self, *words, code=0):
        done = self.simulate(*words, "--format", "json")
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return json.loads(done.stdout)

    def test_a_library_more_is_a_gain(self):
        told = self.document(self.draft, "--on", self.demo, self.pure)
        self.assertEqual(told["levels_changed"], ["manylinux_2_41"])
        self.assertEqual((told["counts"]["gains"], told["counts"]["same"]), (1, 1))
        (cause,) = told["gains"]
        self.assertEqual((cause["library"], cause["wheels"], cause["explained"]), ("libtiff.so.6", 1, 1))
        wheel = told["wheels"][0]
        self.assertEqual((wheel["ladders"][0]["before"], wheel["ladders"][0]["after"]),
                         ("linux_x86_64", "manylinux_2_41_x86_64"))
        self.assertEqual(wheel["claims"][0]["after"], "incompatible")
        self.assertEqual(told["wheels"][1]["shift"], "same")

    def test_a_claim_that_is_lost_may_fail(self):
        words = (POLICY, "--against", self.draft, "--on", self.claims)
        told = self.document(*words)
        self.assertEqual((told["counts"]["loses"], told["counts"]["lose_claim"]), (1, 1))
        self.assertEqual(told["losses"][0]["library"], "libtiff.so.6")
        self.assertEqual(self.simulate(*words, "--fail-on-loss").returncode, 1)
        # The same content under tags with which it was not compatible before either.
        self.assertEqual(self.simulate(POLICY, "--against", self.draft, "--on", self.demo, "--fail-on-loss").returncode,
                         0)
        self.assertEqual(self.simulate(self.draft, "--on", self.claims, "--fail-on-loss").returncode, 0)

    def test_levels_that_say_the_same_shift_nothing(self):
        told = self.simulate(POLICY, "--on", self.demo).stdout
        self.assertTrue(told.startswith("1 wheel: 0 gain, 0 lose, 1 as before\nno level differs\n"), told)
        self.assertNotIn("refused", told)

    def test_kept_facts_say_what_the_wheels_say(self):
        kept = self.folder / "kept"
        run("check", self.demo, self.pure, "--cache", kept / "below")
        entries = sorted((kept / "below").glob("*.jsonl.gz"))
        self.assertEqual(len(entries), 2)
        shutil.copy(entries[0], kept / re.sub(r"-\w+\.jsonl", "-0123.jsonl", entries[0].name))
        from_facts = self.document(self.draft, "--facts", kept)
        from_wheels = self.document(self.draft, "--on", self.demo, self.pure)
        for told in (from_facts, from_wheels):
            told["wheels"].sort(key=lambda wheel: wheel["file"])
        self.assertEqual(from_facts, from_wheels)

    def test_no_answer_depends_on_the_threads(self):
        inputs = [self.demo, self.claims, self.pure, self.demo, self.claims]
        for form in ("text", "json"):
            told = {self.simulate(self.draft, "--on", *inputs, "--format", form, "--jobs", jobs).stdout
                    for jobs in (1, 2, 8)}
            self.assertEqual(len(told), 1, form)

    def test_what_cannot_be_read_is_a_row(self):
        garbage = self.folder / "garbage-1.0-py3-none-any.whl"
        garbage.write_bytes(b"no archive" * 100)
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        told = self.document(self.draft, "--on", garbage, self.demo, self.folder / "none.whl", empty, "--facts", empty,
                             "--fail-on-loss", code=3)
        self.assertEqual(told["counts"]["unreadable"], 4)
        self.assertEqual([wheel["file"] for wheel in told["wheels"] if "error" not in wheel], [self.demo.name])
        self.assertEqual(told["wheels"][0]["error"]["code"], "not-a-wheel")
        # A refused archive fails the run, as it does for check.
        done = self.simulate(self.draft, "--on", garbage, self.demo)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout.splitlines()[-1], r"^FAILED: 1 input not read; every wheel stays compatible")
        self.assertIn("garbage-1.0", self.simulate(self.draft, "--on", garbage).stdout)

    def test_words_that_do_not_fit(self):
        for words in ((), (self.draft,), ("--on", self.demo), (self.folder / "none.json", "--on", self.demo),
                      (self.demo, "--on", self.demo), (self.draft, "--on", self.demo, "--format", "full"),
                      (self.draft, "--against", self.folder / "none.json", "--on", self.demo)):
            done = self.simulate(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertNotEqual(done.stderr, "")

    def test_goes_to_a_file(self):
        report = self.folder / "report.txt"
        done = self.simulate(self.draft, "--on", self.demo, "-o", report)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(report.read_text(), self.simulate(self.draft, "--on", self.demo).stdout)


class Cheapest(Demo):
    """The unmet requirements of the demo wheel for a level, with the library bundled and not bundled."""

    def test_a_library_is_no_matter_of_symbols(self):
        done = run("why", self.demo, "manylinux_2_34", "--cheapest")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("removing symbols is not sufficient for manylinux_2_34_x86_64", done.stdout)
        self.assertIn("libtiff.so.6", done.stdout)
        self.assertIn("arc4random", done.stdout)

    def test_symbols_are(self):
        words = ("why", self.demo, "--cheapest", "--policy", self.draft)
        levels = json.loads((ROOT / "policies/manylinux_2_35.json").read_text())
        levels["libraries"].append("libtiff.so.6")
        (self.folder / "older.json").write_text(json.dumps(levels))
        done = run(*words, "--policy", self.folder / "older.json", "--format", "json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        step = next(one for one in json.loads(done.stdout)["answers"][0]["steps"] if one["enough"])
        self.assertEqual(step["tags"], ["manylinux_2_35_x86_64"])
        (removal,) = step["removals"]
        self.assertEqual([one["name"] for one in removal["symbols"]], ["arc4random"])
        self.assertIn("getrandom", removal["advice"])

    def test_a_table_of_ones_own(self):
        own = self.folder / "own.json"
        own.write_text(json.dumps({"remedies": [{"name": "arc4random", "symbols": ["arc4random"], "advice": "ask {base}",
                                                 "source": "us"}]}))
        told = run("why", self.demo, "manylinux_2_17", "--cheapest", "--knowledge", own).stdout
        self.assertIn("how ask GLIBC_2.2.5\n", told)
        self.assertEqual(run("why", self.demo, "manylinux_2_17", "--cheapest", "--knowledge", self.draft).returncode, 2)

    def test_without_a_tag_it_answers_for_the_claimed_one(self):
        done = run("why", self.demo)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("\nNOT COMPATIBLE with manylinux_2_17_x86_64: ", done.stdout)
        self.assertEqual(done.stdout, run("why", self.demo, "manylinux_2_17").stdout)
        self.assertEqual(run("why", self.pure).returncode, 2)
        self.assertEqual(run("why", self.pure, "--cheapest").returncode, 2)


if __name__ == "__main__":
    unittest.main()
