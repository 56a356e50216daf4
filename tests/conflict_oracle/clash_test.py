#!/usr/bin/env python3
"""clash_test.py PROGRAM STORY: builds the story's wheels, installs them in one site-packages and runs them.

The test first checks the result of the real process, so that each story is proved. It then checks that the program
reports the same from the files alone.
"""

import pathlib
import sys
import tempfile
import unittest
import zipfile

import clash
import seen as process

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
NAME = sys.argv.pop(1)
STORY = clash.story(NAME)
SITE = "/venv/lib/python3/site-packages"  # the directory in which `conflicts` assumes the wheels to be installed


class Clashes(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name).resolve()
        cls.site = cls.folder / "site"
        paths = clash.build_all(NAME, cls.folder)
        cls.wheels = {wheel.name: path for wheel, path in zip(STORY.wheels, paths, strict=True)}
        for wheel in paths:
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
        # The bindings between files of the wheels are the same with an assumed interpreter and platform.
        if not run.main:
            assumed = self.predict(run, "default")
            self.assertEqual(self.inside(assumed), self.inside(predicted))

    def conflicts(self, order, options):
        wheels = [self.wheels[name] for name in order.split()]
        return process.conflicts(PROGRAM, [*wheels, "--order=given", *options])

    def test_clash_is_told(self):
        for expected in STORY.clashes:
            with self.subTest(expected=expected):
                code, told = self.conflicts(expected.order, expected.options)
                self.assertIn(self.fields_of(expected), list(self.relations(expected, told)))
                self.assertEqual(code, 1 if expected.severity == "error" else 0)

    @staticmethod
    def fields_of(expected):
        return (expected.relation, expected.severity, expected.consumer, expected.provider, expected.symbol)

    @staticmethod
    def relations(expected, told):
        """The reported relations in the form of an expectation. Of the example symbols only the expected one is
        kept."""
        for each in told["relations"]:
            symbols = [example["symbol"] for example in each["examples"]]
            symbol = expected.symbol if expected.symbol in symbols else symbols
            yield each["kind"], each["severity"], each["consumer_file"], each["provider_file"], symbol
        for each in told["failed_imports"]:
            file = each["module"].replace(".", "/") + ".abi3.so"
            yield "import-fails", "error", file, "", each["error"].replace(SITE, "{site}")
        for each in told["findings"]:
            yield each["name"], each["severity"], each["place"], "", ""
        for each in told["runtimes"]:
            first, second = [copy["file"] for copy in each["copies"]]
            yield "two-runtimes", each["severity"], second, first, each["family"]

    def test_nothing_is_told_of_what_is_harmless(self):
        for order in STORY.harmless:
            with self.subTest(order=order):
                code, told = self.conflicts(order, [])
                self.assertEqual([finding for finding in told["findings"] if finding["severity"] != "note"], [])
                self.assertEqual((code, told["failed_imports"]), (0, []))

    def inside(self, predicted):
        return [
            binding
            for binding in predicted["bindings"]
            if binding["to"] not in (None, binding["from"])
            and all((self.site / binding[end]).is_file() for end in ("from", "to"))
        ]


if __name__ == "__main__":
    unittest.main()
