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
from binaries import CP311, GNU, Library, all_binaries
from installers import all_installers
from published import Report, module, name_only, wheel


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


class Siblings(unittest.TestCase):
    """A required distribution that is among the wheels of the run has the libraries that are in it, and no others."""

    def codes(self, *files: tuple[str, bytes]) -> set[str]:
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, data in files:
                paths.append(pathlib.Path(folder) / name)
                paths[-1].write_bytes(data)
            command = [PROGRAM, "check", "--no-config", "--format", "json", *map(str, paths)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = json.loads(done.stdout)["wheels"]
        [user] = [wheel for wheel in wheels if wheel["file"].startswith("foo-")]
        return {one["code"] for one in user["findings"]}

    def test_a_sibling_provides_what_it_contains(self) -> None:
        elf = module(name_only("PyModule_Create2"), needed=["libdeep.so.9", "libc.so.6"])
        foo = (CP311, wheel(CP311, "Requires-Dist: base-of-foo", files={f"foo/core.{GNU}": elf}))
        other = (CP311, wheel(CP311, "Requires-Dist: another", files={f"foo/core.{GNU}": elf}))
        name = "base_of_foo-1.0-py3-none-manylinux_2_17_x86_64.whl"
        inside = Library(soname="libdeep.so.9", exports=["f"]).build()
        base = (name, wheel(name, files={"base_of_foo/lib/libdeep.so.9": inside}))
        without = (name, wheel(name, files={"base_of_foo/lib/libdeep.so.8": inside.replace(b"so.9", b"so.8")}))
        for pair, missing in (((foo, base), False), ((base, foo), False), ((foo, without), True), ((other, base), True)):
            self.assertEqual("WC103" in self.codes(*pair), missing)
        self.assertIn("WC103", self.codes(foo))


if __name__ == "__main__":
    unittest.main()
