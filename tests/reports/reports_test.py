#!/usr/bin/env python3
"""reports_test.py PROGRAM: each published failure gets the finding that explains it."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import published
from binaries import all_binaries
from installers import all_installers
from published import Report


def all_reports() -> list[Report]:
    return [*published.all_reports(), *all_binaries(), *all_installers()]


PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


class Published(unittest.TestCase):
    def findings(self, report: Report) -> list[dict]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / report.file
            path.write_bytes(report.data)
            command = [PROGRAM, "check", "--no-config", "--format", "json", *report.options, "--", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        [one] = json.loads(done.stdout)["wheels"]
        if "rule" in one:  # a refused archive
            return [{"code": one["rule"], "severity": "error", "message": one["message"]}]
        return one["findings"]

    def test_each_is_answered(self) -> None:
        for report in all_reports():
            with self.subTest(source=report.source, file=report.file):
                found = self.findings(report)
                if report.code:
                    answers = [one for one in found if one["code"] == report.code]
                    self.assertTrue(answers, [(one["code"], one["message"]) for one in found])
                    self.assertIn(report.severity, [one["severity"] for one in answers])
                    self.assertIn(report.says, json.dumps(answers))
                self.assertFalse({one["code"] for one in found} & set(report.silent))

    def test_there_are_many(self) -> None:
        self.assertGreaterEqual(len({report.source for report in all_reports()}), 125)


if __name__ == "__main__":
    unittest.main()
