#!/usr/bin/env python3
"""help_test.py PROGRAM: the help of every command. It has 80 columns, lists frequent options first and limits last, and
contains two examples that run and every option that a message in the sources mentions."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*words, cwd=None, env=None):
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=120, cwd=cwd, env=env)


def commands_in(text):
    return re.findall(r"^  ([\w-]+)", text.partition("\nCommands:\n")[2].partition("\n\n")[0], re.MULTILINE)


def all_helps():
    """{command: help}, with "" for the program and "policy list" for a nested command."""
    helps = {"": run("--help").stdout}
    for command in commands_in(helps[""]):
        helps[command] = run(command, "--help").stdout
        for below in commands_in(helps[command]):
            helps[f"{command} {below}"] = run(command, below, "--help").stdout
    return helps


class Help(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.helps = all_helps()

    def test_it_fits_80_columns_without_artefacts(self):
        self.assertGreater(len(self.helps), 20)
        for command, text in self.helps.items():
            with self.subTest(command):
                self.assertLessEqual(max(map(len, text.split("\n"))), 80)
                self.assertNotRegex(text, r"\{|UINT| in \[|TEXT:|Excludes:|\n\n\n")
                groups = re.findall(r"^([A-Z][\w ]+):$", text, re.MULTILINE)
                self.assertEqual(groups[-1], "Examples")
                if "Limits" in groups:
                    self.assertEqual(groups[-2], "Limits")

    def test_frequent_options_come_first(self):
        names = re.findall(r"(--[\w-]+)", self.helps["check"].partition("\nOptions:\n")[2])
        self.assertLess(max(map(names.index, ("--fail-on", "--select", "--ignore", "--format", "--quiet"))),
                        min(map(names.index, ("--cache", "--sandbox", "--provider", "--pedantic", "--limit"))))

    def test_every_format_has_its_row_in_the_document(self):
        rows = re.findall(r"^\| (`.*?) \|(.*)", (ROOT / "docs/formats.md").read_text(encoding="utf-8"), re.MULTILINE)
        written = {name: rest for cell, rest in rows for name in re.findall(r"`([^`]+)`", cell)}
        text = re.search(r"--format NAME.*?=FILE:\s+(.*?)\s+\[default", self.helps["check"], re.DOTALL)
        for name in re.split(r",\s+", text[1]):
            self.assertIn(name, written)
        for command, text in self.helps.items():
            choices = re.search(r"--format ([a-z]+(?:\|[a-z]+)+)", text)
            if choices:
                self.assertEqual(re.findall(r"`([^`]+)`", written[command]), choices[1].split("|"), command)

    def test_two_examples_run(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            script = ROOT / "scripts/demo_wheel.py"
            demo = subprocess.run([sys.executable, script, folder / "demo"], check=True, capture_output=True, text=True)
            for name in ("dist/app-1.0-py3-none-any.whl", "dist/other-2.0-py3-none-any.whl",
                         "old/app-1.0-py3-none-any.whl", "old/other-1.0-py3-none-any.whl"):
                (folder / name).parent.mkdir(exist_ok=True)
                shutil.copy(demo.stdout.strip(), folder / name)
            (folder / "policies").mkdir()
            (folder / "policies/own.json").write_text(run("policy", "show", "manylinux_2_28", "--format", "json").stdout)
            (folder / "pyproject.toml").write_text("[tool.wheelcheck]\n")
            (folder / ".venv/lib/python3.11/site-packages").mkdir(parents=True)
            (folder / ".venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
            installed = folder / ".venv/lib/python3.11/site-packages/pure-1.0.dist-info"
            installed.mkdir()
            (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: pure\nVersion: 1.0\n")
            facts = folder / ".cache/wheelcheck/facts"
            run("check", "--cache", str(facts), "dist", cwd=folder)
            environment = {**os.environ, "HOME": str(folder), "PATH": f"{folder}/bin:{os.environ['PATH']}"}
            (folder / "bin").mkdir()
            (folder / "bin/wheelcheck").symlink_to(PROGRAM)
            for command, text in self.helps.items():
                examples = text.partition("\nExamples:\n")[2].strip().split("\n")
                self.assertEqual(len(examples), 2, command)
                for example in examples:
                    with self.subTest(example):
                        words = shlex.split(example)
                        self.assertEqual(words[: 1 + len(command.split())], ["wheelcheck", *command.split()])
                        # They need the files of a system; policy_derive_test.py and tests/repair have some.
                        if "--root" in words or command == "library-index":
                            continue
                        if words[1:2] in (["fix"], ["repair"]):  # need patchelf; tests/repair has it
                            continue
                        done = subprocess.run(["bash", "-c", example], stdin=subprocess.DEVNULL, capture_output=True,
                                              text=True, check=False, timeout=120, cwd=folder, env=environment)
                        self.assertIn(done.returncode, (0, 1), done)
                        self.assertTrue(done.stdout or (folder / words[-1]).exists(), done)

    def test_options_that_messages_name_are_listed(self):
        listed = set(re.findall(r"--[a-z][a-z0-9-]+", "".join(self.helps.values())))
        named = set()
        for source in (ROOT / "src/cli").glob("*.cpp"):
            for text in re.findall(r'(?:"wheelcheck: |ErrorCode::Usage,|fmt::format\()[^\n]*', source.read_text()):
                named |= set(re.findall(r"(?<!pip download )--(?!no-deps|only-binary)[a-z][a-z0-9-]+", text))
        self.assertGreater(len(named), 4)
        self.assertEqual(named - listed, set())


if __name__ == "__main__":
    unittest.main()
