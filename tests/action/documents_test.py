#!/usr/bin/env python3
"""documents_test.py PROGRAM: the examples in docs/ci.md and .pre-commit-hooks.yaml work, and the tables of docs/ci.md
match action.yml."""

import dataclasses
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tomllib
import unittest

import peers

peers.run_in_tools()
import case
import cibuildwheel
from cibuildwheel.options import CommandLineArguments, Options
import jsonschema
import lint_test
import runner
import yaml

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = (runner.ROOT / "docs" / "ci.md").read_text()
# The examples by the name in their first line.
SNIPPETS = {found[2]: found[1] for found in re.finditer(r"```\w+\n(# (\S+)\n.*?)```\n", PAGE, re.DOTALL)}


def rows(title):
    """The cells of the table whose first column is `title`."""
    table = PAGE.split(f"\n| {title} |")[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


class Documents(case.Case):
    def wheelcheck(self, command):
        """Runs `wheelcheck ...` in the workspace, as a CI shell would."""
        self.assertTrue(command.startswith("wheelcheck "), command)
        environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
        return subprocess.run(["bash", "-c", command], cwd=self.workspace, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def passes_and_fails(self, command):
        """The exit code is 0 for a clean wheel, and 1 for a wheel that is not compatible with its tag."""
        clean = case.write_wheel(self.dist)
        done = self.wheelcheck(command.replace("{wheel}", shlex.quote(str(clean))))
        self.assertEqual(done.returncode, 0, done)
        broken = case.write_demo(self.dist)
        done = self.wheelcheck(command.replace("{wheel}", shlex.quote(str(broken))))
        self.assertEqual(done.returncode, 1, done)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_every_snippet_is_known(self):
        self.assertEqual(list(SNIPPETS), [".github/workflows/release.yml", "pyproject.toml", ".gitlab-ci.yml",
                                          ".pre-commit-config.yaml", "check.sh"])
        self.assertEqual(PAGE.count("```"), 2 * len(SNIPPETS))

    def test_placeholders_stand_in_one_file(self):
        project = json.loads((runner.ROOT / "packaging/project.json").read_text())
        self.assertIn(f"uses: {project['owner']}/wheelcheck@{project['commit']} #", PAGE)
        self.assertEqual(project["homepage"], f"https://github.com/{project['owner']}/wheelcheck")
        urls = tomllib.loads((runner.ROOT / "pyproject.toml").read_text())["project"]["urls"].values()
        self.assertTrue(all(url.startswith(project["homepage"]) for url in urls), urls)

    def test_the_versions_are_ours(self):
        own = (runner.ROOT / "CMakeLists.txt").read_text().split("project(wheelcheck VERSION ")[1].split()[0]
        self.assertEqual(set(re.findall(r"wheelcheck(?:==|@COMMIT # v)([\w.]+)", PAGE)), {own})

    def test_the_inputs_are_those_of_the_action(self):
        inputs = runner.Runner(self.workspace, self.folder).document["inputs"]
        shown = {name.strip("`"): default.strip("`") for name, default, _ in rows("input")}
        self.assertEqual(shown.pop("version"), "of the Action")
        self.assertEqual(inputs.pop("version")["default"], "")
        self.assertEqual(shown, {name: one["default"] for name, one in inputs.items()})

    def test_the_outputs_are_those_of_the_action(self):
        outputs = runner.Runner(self.workspace, self.folder).document["outputs"]
        self.assertEqual([name.strip("`") for name, _ in rows("output")], list(outputs))
        self.assertEqual(set(outputs), case.OUTPUTS)

    def test_github(self):
        text = SNIPPETS[".github/workflows/release.yml"].replace("OWNER", "owner").replace("COMMIT", "0123456789" * 4)
        file = self.write(".github/workflows/release.yml", text)
        code, said = lint_test.zizmor(file)
        self.assertEqual(code, 0, said)
        steps = yaml.safe_load(text)["jobs"]["check-wheels"]["steps"]
        (step,) = [step for step in steps if step["uses"].startswith("owner/wheelcheck@")]
        inputs = {name.replace("-", "_"): value for name, value in step["with"].items()}
        outcome = self.runner.run(program=str(PROGRAM), **inputs)
        self.assertEqual(outcome.exit_code, "3", outcome.log)  # there is no wheel yet

    def test_cibuildwheel(self):
        tool = tomllib.loads(SNIPPETS["pyproject.toml"])["tool"]["cibuildwheel"]
        self.assertEqual(list(tool), ["linux"])
        schema = pathlib.Path(cibuildwheel.__file__).parent / "resources" / "cibuildwheel.schema.json"
        jsonschema.Draft7Validator(json.loads(schema.read_text())).validate(tool)
        project = self.write("pyproject.toml", SNIPPETS["pyproject.toml"]).parent
        arguments = dataclasses.replace(CommandLineArguments.defaults(), package_dir=project)
        for platform, own in (("linux", True), ("macos", False)):
            options = Options(platform=platform, command_line_arguments=arguments, env={}).build_options(None)
            self.assertEqual(any(word.startswith("wheelcheck==") for word in options.audit_requires), own)
            self.assertEqual(options.audit_command[0] == "wheelcheck {wheel}", own)
        command, other = Options(platform="linux", command_line_arguments=arguments,
                                 env={}).build_options(None).audit_command
        self.assertTrue(other.startswith("abi3audit "))
        self.passes_and_fails(command)

    def test_gitlab(self):
        job = yaml.safe_load(SNIPPETS[".gitlab-ci.yml"])["check-wheels"]
        self.passes_and_fails(job["script"][-1])
        self.assertIn("<testsuite", (self.workspace / job["artifacts"]["reports"]["junit"]).read_text())

    def test_shell(self):
        command = SNIPPETS["check.sh"].splitlines()[-1]
        self.passes_and_fails(command)
        self.assertEqual(len(json.loads((self.workspace / "report.json").read_bytes())["wheels"]), 2)

    def test_pre_commit(self):
        file = self.write(".pre-commit-config.yaml", SNIPPETS[".pre-commit-config.yaml"])
        code, said = lint_test.pre_commit("validate-config", file)
        self.assertEqual(code, 0, said)
        (shown,) = yaml.safe_load(file.read_text())["repos"][0]["hooks"]
        (own,) = [hook for hook in self.hooks() if hook["id"] == shown["id"]]
        for key in ("name", "entry", "pass_filenames", "files"):
            self.assertEqual(shown[key], own[key])

    def hooks(self):
        return yaml.safe_load((runner.ROOT / ".pre-commit-hooks.yaml").read_text())

    def test_the_hook_of_wheels(self):
        (hook,) = [hook for hook in self.hooks() if hook["id"] == "wheelcheck"]
        self.passes_and_fails(hook["entry"])

    def test_the_hook_of_the_configuration(self):
        (hook,) = [hook for hook in self.hooks() if hook["id"] == "wheelcheck-config"]
        for name, text, good in (("wheelcheck.toml", 'fail-on = "warning"\n', True),
                                 ("wheelcheck.toml", 'fail-of = "warning"\n', False),
                                 ("pyproject.toml", '[tool.wheelcheck]\nfail-on = "warning"\n', True),
                                 ("pyproject.toml", '[tool.wheelcheck]\nfail-of = "warning"\n', False)):
            with self.subTest(text=text):
                self.assertRegex(name, hook["files"])
                self.assertIs(hook["pass_filenames"], False)
                (self.workspace / name).write_text(text)
                done = self.wheelcheck(hook["entry"])
                self.assertEqual(done.returncode == 0, good, done)
                (self.workspace / name).unlink()



if __name__ == "__main__":
    unittest.main()
