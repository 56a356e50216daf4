#!/usr/bin/env python3
"""clash_test.py PROGRAM STORY: the story's wheels are built, installed side by side and run.

What is seen is asserted first, so that each story is proved; then the program has to know it from the files alone.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import clash
import seen as process

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
NAME = sys.argv.pop(1)
STORY = clash.story(NAME)


def told(said):
    """(relation, severity, files of the consumer, file of the provider, symbols) of all that was said."""
    for one in said["relations"]:
        symbols = [example["symbol"] for example in one["examples"]]
        users = [one["consumer_file"], *one["asked_by"]]
        more = one["symbols"] > len(symbols)
        yield one["kind"], one["severity"], users, [one["provider_file"]], None if more else symbols
    for one in said["findings"]:
        if one["code"] == "WC210":
            errors = [item["value"] for item in one["evidence"]]
            yield "import-fails", one["severity"], [one["member"]], None, errors
    for one in said["runtimes"]:
        files = [copy["file"] for copy in one["copies"]]
        yield "two-runtimes", one["severity"], files, files, None


def fits(clash_told, one):
    relation, severity, users, providers, symbols = one
    return (
        relation == clash_told.relation
        and severity == clash_told.severity
        and any(clash_told.consumer in user for user in users)
        and (providers is None or clash_told.provider in providers)
        and (symbols is None or any(clash_told.symbol in symbol for symbol in symbols))
    )


class Clashes(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name).resolve()
        cls.site = cls.folder / "site"
        for wheel in clash.build_all(NAME, cls.folder):
            with zipfile.ZipFile(wheel) as archive:
                for entry in archive.infolist():
                    pathlib.Path(archive.extract(entry, cls.site)).chmod(entry.external_attr >> 16)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def words(self, run):
        if run.main:
            return [self.site / run.main, *run.code.format(site=self.site).split()]
        return process.python(run.code.format(site=self.site), self.site)

    def each_run(self, check):
        for run in STORY.runs:
            with self.subTest(run=run.code, environment=run.environment):
                check(run)

    def test_what_is_told_happens(self):
        self.each_run(self.check_told)

    def check_told(self, run):
        seen = process.run(self.words(run), self.site, run.environment)
        self.assertEqual(seen.says, run.says, seen.complains)
        self.assertEqual(seen.signal, run.signal, seen.complains)
        self.assertEqual(seen.status != 0, bool(run.fails or run.signal), seen.complains)
        if run.fails:
            self.assertEqual(seen.last_complaint, run.fails.format(site=self.site))

    def test_prediction_is_what_the_loader_does(self):
        self.each_run(self.check_predicted)

    def environment(self, run):
        return run.environment if run.lazy else {**run.environment, "LD_BIND_NOW": "1"}

    def predict(self, run, main, *options):
        plan = process.plan(run.opens, main, self.environment(run))
        return process.predict(PROGRAM, self.site, self.folder, plan, *options)

    def check_predicted(self, run):
        words = self.words(run)
        seen = process.run(words, self.site, self.environment(run), self.folder / "log")
        predicted = self.predict(run, run.main or words[0], "--sysroot", "/")
        self.assertIsNone(predicted["refused"])
        self.assertEqual(process.unlike(seen.bindings, predicted, self.site, run.lazy), [])
        self.assertEqual(seen.published, predicted["global_scope_added"])
        errors = [failure["error"] for failure in predicted["failed_steps"]]
        self.assertEqual(errors, [error.format(site=self.site) for error in run.errors])
        # What files of the wheels get of others is the same where the interpreter and the platform are assumed.
        if not run.main:
            assumed = self.predict(run, "default")
            self.assertEqual(self.inside(assumed), self.inside(predicted))

    def conflicts(self, order, *options):
        wheels = [next(self.folder.glob(f"{name}-*.whl")) for name in order.split()]
        words = [PROGRAM, "conflicts", *wheels, "--order", "given", "--format", "json", *options]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1 if said["summary"]["errors"] else 0)
        return said

    def test_the_program_says_so(self):
        for clash_told in STORY.clashes:
            with self.subTest(clash=clash_told):
                said = self.conflicts(clash_told.order, *clash_told.options)
                self.assertTrue(any(fits(clash_told, one) for one in told(said)), json.dumps(list(told(said)), indent=1))

    def test_harmless_orders_are_silent(self):
        for order in STORY.harmless:
            with self.subTest(order=order):
                said = self.conflicts(order)
                loud = [finding for finding in said["findings"] if finding["severity"] != "info"]
                self.assertEqual(loud, [])

    def inside(self, predicted):
        return [
            binding
            for binding in predicted["bindings"]
            if binding["to"] not in (None, binding["from"])
            and all((self.site / binding[end]).is_file() for end in ("from", "to"))
        ]


if __name__ == "__main__":
    unittest.main()
