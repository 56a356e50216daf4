#!/usr/bin/env python3
"""upload_test.py PROGRAM: --index pypi refuses the wheels of Warehouse's tests that Warehouse refuses."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from upload_cases import Case, all_cases, wheel

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


def run(path: pathlib.Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [PROGRAM, "check", "--no-config", "--format", "json", *options, "--", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def codes(answer: subprocess.CompletedProcess[str]) -> set[str]:
    report = json.loads(answer.stdout)
    [one] = report["wheels"]
    if "rule" in one:  # a refused archive
        return {one["rule"]}
    return {f["code"] for f in one.get("findings", []) if f["severity"] == "error"}


class Uploads(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def ask(self, case: Case, *options: str) -> subprocess.CompletedProcess[str]:
        path = self.folder / case.file
        path.write_bytes(case.data)
        return run(path, *options)

    def test_answers_are_those_of_warehouse(self) -> None:
        for case in all_cases():
            with self.subTest(source=case.source, name=case.name):
                answer = self.ask(case, "--index", "pypi")
                if case.code == "not a wheel":
                    self.assertIn(answer.returncode, (1, 3), answer.stderr)
                    continue
                found = codes(answer)
                if case.code:
                    self.assertIn(case.code, found)
                    self.assertEqual(answer.returncode, 1)
                else:
                    self.assertEqual({code for code in found if code in ("WC703", "WC706") or code[:4] == "WC85"}, set())

    def test_rules_are_silent_without_the_option(self) -> None:
        for case in all_cases():
            if not case.code.startswith("WC85"):
                continue
            with self.subTest(source=case.source, name=case.name):
                self.assertEqual({code for code in codes(self.ask(case)) if code.startswith("WC85")}, set())

    def test_size_and_ratio(self) -> None:
        path = self.folder / "foo-1.0-py3-none-any.whl"
        path.write_bytes(wheel())
        self.assertIn("WC853", codes(run(path, "--index", "pypi", "--max-wheel-bytes", "100")))
        [ratio] = [case for case in all_cases() if case.name == "compression ratio"]
        self.assertIn("WC853", codes(self.ask(ratio, "--index", "pypi", "--limit", "ratio=5000")))

    def test_only_pypi_is_known(self) -> None:
        path = self.folder / "foo-1.0-py3-none-any.whl"
        path.write_bytes(wheel())
        self.assertEqual(run(path, "--index", "nowhere").returncode, 2)

    def test_the_configuration_may_say_it(self) -> None:
        [case] = [case for case in all_cases() if case.name == "Download-URL: https://example.com:99999/"]
        (self.folder / "wheelcheck.toml").write_text('index = "pypi"\n')
        path = self.folder / case.file
        path.write_bytes(case.data)
        command = [PROGRAM, "check", "--format", "json", "--config", str(self.folder / "wheelcheck.toml"), str(path)]
        self.assertIn("WC854", codes(subprocess.run(command, capture_output=True, text=True, check=False)))


if __name__ == "__main__":
    unittest.main()
