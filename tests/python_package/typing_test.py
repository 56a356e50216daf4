#!/usr/bin/env python3
"""Checks the Python code of the package and of the tests: its types, its format, and that users see the types."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "python_package"), str(ROOT / "python")]
import facts_types  # noqa: E402
import tools  # noqa: E402

USER = """
import wheelcheck

report = wheelcheck.check("a.whl", select=["WC102"], limits={"members": 7})
reveal_type([finding.severity for finding in report])
reveal_type(report.wheels[0])
reveal_type(report.checked[0].elf_files[0].dynamic)
"""
MISTAKES = """
import wheelcheck

wheelcheck.check("a.whl", fail_on="fatal")
wheelcheck.check("a.whl", limits={"max_mebers": 7})
wheelcheck.check(3)
wheelcheck.check("a.whl").findings[0].severty
wheelcheck.check("a.whl").findings[0].code = "WC102"
"""


def run_tool(*words: str | pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(tools.tools_python()), "-m", *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False
    )


class Typing(unittest.TestCase):
    def test_the_types_of_facts_are_those_of_the_schema(self) -> None:
        text = facts_types.Writer().text()
        if os.environ.get("WHEELCHECK_UPDATE"):
            facts_types.FILE.write_text(text, "utf-8")
        self.assertEqual(facts_types.FILE.read_text("utf-8"), text, "WHEELCHECK_UPDATE=1 writes the types")

    def mypy(self, text: str) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "user.py").write_text(text)
            return run_tool("mypy", "--strict", f"--cache-dir={folder}/cache", f"{folder}/user.py")

    def test_the_package_is_typed(self) -> None:
        with tempfile.TemporaryDirectory() as cache:
            checked = run_tool("mypy", f"--cache-dir={cache}", "python/wheelcheck")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_form(self) -> None:
        for words in (["check"], ["format", "--check"]):
            done = run_tool("ruff", *words, "--no-cache", ".")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_user_sees_the_types(self) -> None:
        shown = self.mypy(USER).stdout
        for word in ("Literal['warning']", "Wheel | ", "Unreadable", "Dynamic | None"):
            self.assertIn(word, shown)

    def test_a_users_mistakes_are_seen(self) -> None:
        shown = self.mypy(MISTAKES).stdout
        for line in range(4, 9):
            self.assertIn(f"user.py:{line}: error", shown)


if __name__ == "__main__":
    unittest.main()
