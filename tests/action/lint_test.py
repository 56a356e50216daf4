#!/usr/bin/env python3
"""lint_test.py: zizmor reports nothing for the workflows and action.yml, and reports errors that are added; every
action is pinned to a commit; pre-commit accepts the hooks."""

import pathlib
import re
import subprocess
import tempfile
import unittest

import peers

peers.run_in_tools()
import runner
import yaml

WORKFLOWS = sorted((runner.ROOT / ".github" / "workflows").glob("*.yml"))
BAD = """on: [push]
jobs:
  bad:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v1
      - run: echo ${{ github.event.issue.title }} ${{ github.nonsense }}
"""


def said_by(*words, cwd=runner.ROOT):
    done = subprocess.run(list(map(str, words)), cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def zizmor(*inputs):
    config = runner.ROOT / ".github" / "zizmor.yml"
    return said_by(peers.tools() / "zizmor", "--offline", "--pedantic", "--strict-collection", "--no-progress", "--quiet",
                   "--config", config, *inputs)


def pre_commit(*words):
    return said_by(peers.tools() / "pre-commit", *words)


class WithBad(unittest.TestCase):
    def bad(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / ".github" / "workflows" / "bad.yml"
        file.parent.mkdir(parents=True)
        file.write_text(BAD)
        return file


class Lint(WithBad):
    def test_zizmor(self):
        code, said = zizmor(*WORKFLOWS, runner.ROOT / "action.yml")
        self.assertEqual(code, 0, said)
        code, said = zizmor(self.bad())
        self.assertGreaterEqual(code, 11)
        for audit in ("template-injection", "unpinned-uses", "artipacked"):
            self.assertIn(audit, said)

    def test_every_action_is_named_by_its_commit(self):
        uses = [line.strip().removeprefix("- ") for file in (*WORKFLOWS, runner.ROOT / "action.yml")
                for line in file.read_text().splitlines() if re.match(r"\s*(- )?uses:", line)]
        self.assertGreater(len(uses), 8)
        for line in uses:
            self.assertRegex(line, r"^uses: (\./|[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$")

    def test_one_action_one_commit(self):
        pages = (*WORKFLOWS, runner.ROOT / "action.yml", runner.ROOT / "docs/ci.md")
        texts = "".join(file.read_text() for file in pages)
        commits = {}
        for action, commit in re.findall(r"uses: ([\w/-]+)@([0-9a-f]{40} # \S+)", texts):
            commits.setdefault(action, set()).add(commit)
        self.assertEqual({action: more for action, more in commits.items() if len(more) > 1}, {})

    def test_no_script_holds_an_expression(self):
        documents = [yaml.safe_load(file.read_text()) for file in (*WORKFLOWS, runner.ROOT / "action.yml")]
        jobs = [job for document in documents for job in document.get("jobs", {"": document.get("runs")}).values()]
        scripts = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
        self.assertGreater(len(scripts), 5)
        self.assertEqual([script for script in scripts if "${{" in script], [])

    def test_rights_are_given_job_by_job(self):
        for file in WORKFLOWS:
            document = yaml.safe_load(file.read_text())
            self.assertEqual(document["permissions"], {}, file)
            for name, job in document["jobs"].items():
                self.assertIn("permissions", job, f"{file}: {name}")
                self.assertIn("timeout-minutes", job, f"{file}: {name}")

    def test_pre_commit_takes_the_hooks(self):
        code, said = pre_commit("validate-manifest", runner.ROOT / ".pre-commit-hooks.yaml")
        self.assertEqual(code, 0, said)
        code, said = pre_commit("validate-manifest", self.bad())
        self.assertNotEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main()
