#!/usr/bin/env python3
"""plan_test.py PROGRAM TOPIC: runs plan files with `wheelcheck conflicts` and with CPython under LD_DEBUG, and compares
them."""

import importlib
import json
import pathlib
import sys
import tempfile
import unittest

import seen as process
import site_of

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
TOPIC = sys.argv.pop(1)
REPLAY = pathlib.Path(__file__).resolve().parent / "replay.py"
ORIGIN = ("from", "to")


def opens_of(step):
    for words in step.split(";"):
        op, path, *flags = words.split()
        if op != "ctypes" and "LAZY" not in flags and "NOW" not in flags:
            flags.append("NOW")  # dlopen requires NOW or LAZY; ctypes adds NOW
        yield {"op": op, "path": "" if path == "-" else path, "flags": flags}


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
            plan = {
                "main": process.PYTHON,
                "env": environment,
                "steps": [{"opens": list(opens_of(step))} for step in case.steps],
            }
            predicted = process.predict(PROGRAM, site, folder, plan, "--sysroot", "/")
            words = [process.PYTHON, "-I", "-S", "-B", REPLAY, site, folder / "plan.json"]
            # Relative names in files refer to the working directory; in a plan they refer to the directory of the
            # environment.
            seen = process.run(words, site, environment, folder / "log", directory=site)
            self.assertEqual(process.unlike(seen.bindings, predicted, site, case.lazy), [])
            self.assertEqual(seen.published, predicted["global_scope_added"])
            self.compare_failures(case, seen, predicted)
            if not case.platform:
                assumed = process.predict(PROGRAM, site, folder, {**plan, "main": "default"})
                self.assertEqual(self.inside(assumed, site), self.inside(predicted, site))

    def compare_failures(self, case, seen, predicted):
        failures = predicted["failed_steps"]
        self.assertEqual(
            [json.loads(line) for line in seen.says.splitlines()],
            [{"step": each["step"], "error": each["error"]} for each in failures if not each.get("fatal")],
        )
        if predicted["refused"]:
            self.assertEqual(seen.last_complaint, predicted["refused"])
        elif failures and failures[-1].get("fatal"):
            self.assertIn("Inconsistency detected by ld.so", seen.last_complaint)
            self.assertIn("Inconsistency detected by ld.so", failures[-1]["error"])
        elif not case.lazy:  # a lazily bound call may end it too
            self.assertEqual(seen.status, 0, seen.complains)

    @staticmethod
    def inside(predicted, site):
        return [
            binding
            for binding in predicted["bindings"]
            if binding["to"] and all((site / binding[end]).is_file() for end in ORIGIN)
        ]


def check_of(case):
    return lambda self: self.check(case)


for case_name, made in importlib.import_module(f"topics.{TOPIC}").CASES.items():
    setattr(Plans, f"test_{case_name}", check_of(made))

if __name__ == "__main__":
    unittest.main()
