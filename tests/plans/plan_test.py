#!/usr/bin/env python3
"""plan_test.py PROGRAM: plan files for `wheelcheck conflicts`, each also played by CPython under LD_DEBUG."""

import json
import pathlib
import sys
import tempfile
import unittest

import cases
import random_cases
import seen as process
import site_of

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
REPLAY = pathlib.Path(__file__).resolve().parent / "replay.py"
ORIGIN = ("from", "to")


def opens_of(step):
    for words in step.split(";"):
        op, path, *flags = words.split()
        yield {"op": op, "path": "" if path == "-" else path, "flags": flags or ["NOW"]}


class Plans(unittest.TestCase):
    maxDiff = None

    def check(self, case):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            site = folder / "site"
            site.mkdir()
            site_of.make(case.files, site, folder)
            environment = {key: value.format(site=site) for key, value in case.environment.items()}
            if not case.lazy:
                environment["LD_BIND_NOW"] = "1"
            plan = {"main": process.PYTHON, "env": environment,
                    "steps": [{"opens": list(opens_of(step))} for step in case.steps]}
            predicted = process.predict(PROGRAM, site, folder, plan, "--sysroot", "/")
            words = [process.PYTHON, "-I", "-S", "-B", REPLAY, site, folder / "plan.json"]
            seen = process.run(words, site, environment, folder / "log")
            self.assertEqual(process.unlike(seen.bindings, predicted, site, case.lazy), [])
            self.assertEqual([json.loads(line) for line in seen.says.splitlines()],
                             [{"step": each["step"], "error": each["error"]} for each in predicted["failed_steps"]])
            self.assertEqual(seen.published, predicted["global_scope_added"])
            ended = [each["error"] for each in predicted["failed_steps"] if each.get("fatal")]
            if predicted["refused"]:
                self.assertEqual(seen.last_complaint, predicted["refused"])
            elif not case.lazy:  # a late call may end it too
                self.assertEqual(seen.status != 0, bool(ended), seen.complains)
            assumed = process.predict(PROGRAM, site, folder, {**plan, "main": "default"})
            self.assertEqual(self.inside(assumed, site), self.inside(predicted, site))

    @staticmethod
    def inside(predicted, site):
        return [binding for binding in predicted["bindings"]
                if binding["to"] and all((site / binding[end]).is_file() for end in ORIGIN)]


def add(name, case):
    setattr(Plans, f"test_{name}", lambda self: self.check(case))


for case_name, made in [*cases.CASES.items(), *random_cases.all_of_them()]:
    add(case_name, made)

if __name__ == "__main__":
    unittest.main()
