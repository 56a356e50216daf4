#!/usr/bin/env python3
"""Tests the lists of wheels/reviewed: what docs/rules-on-real-wheels.md says about them follows from them."""

import re
import unittest

import corpus
import reviewed

ROOT = corpus.WHEELS.parent
PAGE = ROOT / "docs/rules-on-real-wheels.md"


def project(file: str) -> str:
    return re.sub(r"[-_.]+", "-", file.split("-")[0]).lower()


def other_projects() -> set[str]:
    files = [path.name for folder in (corpus.RECIPES, corpus.LARGE) for path in folder.glob("*.json")]
    files += (corpus.WHEELS / "others.txt").read_text(encoding="utf-8").split()
    lines = (ROOT / "tests/musl_oracle/wheels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {project(file) for file in [*files, *lines]}


class Lists(unittest.TestCase):
    def test_wheels_of_no_other_list(self) -> None:
        wheels = reviewed.wheels()
        self.assertEqual(len({project(wheel["file"]) for wheel in wheels}), 2331)
        self.assertEqual(len(wheels), 2331)
        self.assertFalse({project(wheel["file"]) for wheel in wheels} & other_projects())
        for wheel in wheels:
            self.assertRegex(wheel["sha256"], "^[0-9a-f]{64}$")

    def test_findings_are_of_these_wheels_and_each_has_its_evidence(self) -> None:
        files = {wheel["file"] for wheel in reviewed.wheels()}
        for row in reviewed.judged():
            with self.subTest(row=row):
                self.assertEqual(row.file == reviewed.NO_NAME, row.code in reviewed.UNNAMED)
                self.assertIn(row.file, files | {reviewed.NO_NAME})
                self.assertIn(row.severity, reviewed.SEVERITIES)
                self.assertTrue(0 <= row.useful <= row.true <= row.findings and row.findings > 0)
                self.assertTrue(row.check)

    def test_errors_are_true_and_warnings_are_useful(self) -> None:
        """By groups: one fact in many files of a wheel is one decision."""
        for severity, least_true, least_useful in (("error", 0.98, 0.91), ("warning", 0.95, 0.85)):
            rows = [row for row in reviewed.judged() if row.severity == severity]
            self.assertGreaterEqual(sum(row.true == row.findings for row in rows), least_true * len(rows))
            self.assertGreaterEqual(sum(row.useful == row.findings for row in rows), least_useful * len(rows))

    def test_the_page_has_their_table(self) -> None:
        table = "\n".join(reviewed.table(reviewed.judged(), reviewed.rule_names()))
        self.assertIn(f"\n{table}\n", PAGE.read_text(encoding="utf-8"))

    def test_pip_selects_a_file_by_its_tags(self) -> None:
        words = reviewed.pip_words("x_y-1.0-0-cp313-cp313t-manylinux_2_17_x86_64.manylinux2014_x86_64.whl")
        self.assertEqual(words, ["--implementation", "cp", "--abi", "cp313t", "--python-version", "3.13", "--platform",
                                 "manylinux_2_17_x86_64", "--platform", "manylinux2014_x86_64", "x_y==1.0"])  # fmt: skip
        self.assertIn("none", reviewed.pip_words("z-2-py2.py3-none-manylinux1_x86_64.whl"))


if __name__ == "__main__":
    unittest.main()
