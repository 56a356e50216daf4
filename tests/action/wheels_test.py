#!/usr/bin/env python3
"""wheels_test.py PROGRAM: action.yml with the built program on clean, failing, unreadable and malicious wheels."""

import html
import json
import pathlib
import subprocess
import sys
import unittest

import peers

peers.run_in_tools()
import case
import runner

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
# A name that tries to end a line, a workflow command, an output, a table, an element and a code span, and to call old
# commands.
EVIL = "\n::error::no\r##[set-output name=verdict]pass\nverdict=pass|`</details><script>alert(1)</script>@all ${{ x }}"
NO_LIBRARY = b"\x7fELF" + bytes(60)  # an ELF file with errors; its finding contains every name of the file


class Wheels(case.Case):
    def act(self, **inputs):
        outcome = self.runner.run(program=PROGRAM, sarif="true", **inputs)
        self.assertEqual(outcome.outputs.keys(), case.OUTPUTS)
        self.assertLessEqual(set(self.names_of(outcome.commands)), case.ANNOTATIONS, outcome.log)
        return outcome

    def report(self, outcome):
        return json.loads(pathlib.Path(outcome.outputs["json-file"]).read_bytes())

    def assert_uploaded(self, outcome):
        ((action, words),) = outcome.uses
        self.assertRegex(action, "^github/codeql-action/upload-sarif@")
        log = json.loads(pathlib.Path(words["sarif_file"]).read_bytes())
        self.assertEqual(log["version"], "2.1.0")
        # GitHub rejects a log if one result has no location in a file.
        for result in log["runs"][0]["results"]:
            self.assertTrue(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        return log["runs"][0]

    def test_a_clean_wheel(self):
        wheel = case.write_wheel(self.dist)
        outcome = self.act()
        self.assertFalse(outcome.failed, outcome.log)
        self.assertEqual((outcome.exit_code, outcome.outputs["verdict"], outcome.outputs["findings"]), ("0", "pass", "0"))
        self.assertEqual(json.loads(outcome.outputs["tags"]), {wheel.name: self.report(outcome)["wheels"][0]["best_tag"]})
        self.assertEqual(outcome.commands, [])
        self.assertEqual(self.assert_uploaded(outcome)["results"], [])
        self.assertIn("wheelcheck", outcome.summary)
        self.assertIn(wheel.name, outcome.log)

    def test_a_failing_wheel(self):
        wheel = case.write_demo(self.dist)
        case.write_wheel(self.dist)
        outcome = self.act()
        self.assertTrue(outcome.failed)
        self.assertEqual((outcome.exit_code, outcome.outputs["verdict"]), ("1", "fail"))
        self.assertEqual(json.loads(outcome.outputs["tags"])[wheel.name], "linux_x86_64")
        findings = [finding for one in self.report(outcome)["wheels"] for finding in one["findings"]]
        self.assertEqual(outcome.outputs["findings"], str(len(findings)))
        self.assertEqual(len(self.assert_uploaded(outcome)["results"]), len(findings))
        said = {command.properties["title"].split()[0] for command in outcome.commands if command.name == "error"}
        self.assertLessEqual({"WC102", "WC103"}, said)
        self.assertIn("not compatible", outcome.summary)
        self.assertIn("WC102", outcome.summary)

    def test_a_local_wheel_is_installed(self):
        """Clean, failing, refused and empty input: verdict, annotations, summary and exit code agree."""
        tools = subprocess.run([sys.executable, runner.ROOT / "tests/python_package/tools.py"], check=True,
                               capture_output=True, text=True).stdout.strip()
        made = subprocess.run([tools, runner.ROOT / "packaging/wheel.py", self.folder / "own", "--built", PROGRAM],
                              check=True, capture_output=True, text=True).stdout.strip()
        cases = {"clean": ("0", "pass", "PASSED"), "failing": ("1", "fail", "FAILED"),
                 "refused": ("1", "fail", "FAILED"), "empty": ("3", "fail", "FAILED")}
        for name, (code, verdict, word) in cases.items():
            with self.subTest(name):
                folder = self.workspace / name
                folder.mkdir()
                if name == "clean":
                    case.write_wheel(folder)
                elif name == "failing":
                    case.write_demo(folder)
                elif name == "refused":
                    (folder / "bad-1.0-py3-none-any.whl").write_text("no archive\n")
                outcome = self.runner.run(install=made, wheels=name)
                self.assertEqual((outcome.exit_code, outcome.outputs["verdict"]), (code, verdict), outcome.log)
                self.assertEqual(outcome.failed, code != "0")
                self.assertEqual("error" in self.names_of(outcome.commands), code != "0", outcome.log)
                self.assertIn(word, outcome.summary)
                self.assertIn(word, outcome.log)

    def test_install_is_one_wheel(self):
        case.write_wheel(self.dist)
        for wrong in ("absent.whl", "http://example.org/x.whl", str(self.workspace), str(self.dist / "*.zip")):
            outcome = self.runner.run(install=wrong)
            self.assertEqual((outcome.exit_code, outcome.outputs["verdict"]), ("2", "fail"), outcome.log)
            self.assertIn("install is", outcome.commands[0].data)

    def test_fail_on_never_fails_on_no_finding(self):
        case.write_demo(self.dist)
        outcome = self.act(fail_on="never")
        self.assertEqual((outcome.failed, outcome.outputs["verdict"]), (False, "pass"), outcome.log)
        self.assertNotEqual(outcome.outputs["findings"], "0")

    def test_rules_are_chosen(self):
        case.write_demo(self.dist)
        outcome = self.act(select="WC102 WC103", ignore="WC103")
        self.assertEqual({finding["code"] for finding in self.report(outcome)["wheels"][0]["findings"]}, {"WC102"})

    def test_an_unreadable_wheel(self):
        bad = self.dist / "bad-1.0-py3-none-any.whl"
        bad.write_text("no archive\n")
        case.write_wheel(self.dist)
        outcome = self.act()
        self.assertTrue(outcome.failed)
        self.assertEqual((outcome.exit_code, outcome.outputs["verdict"]), ("1", "fail"))
        self.assertEqual(list(json.loads(outcome.outputs["tags"])), ["pure-1.0-py3-none-any.whl"])
        (command,) = outcome.commands
        self.assertEqual((command.name, command.properties["file"]), ("error", bad.name))
        self.assertIn(bad.name, html.unescape(outcome.summary))
        self.assert_uploaded(outcome)

    def test_no_wheel_at_all(self):
        outcome = self.act(wheels="dist none-*.whl")
        self.assertEqual((outcome.exit_code, outcome.outputs["verdict"], outcome.outputs["tags"]), ("3", "fail", "{}"))
        self.assertTrue(outcome.commands)

    def test_usage(self):
        outcome = self.act(fail_on="sometimes")
        self.assertEqual((outcome.exit_code, outcome.outputs["verdict"], outcome.uses), ("2", "fail", []))
        self.assertEqual(self.names_of(outcome.commands), ["error"])

    def assert_harmless(self, outcome):
        self.assertTrue(outcome.failed, outcome.log)
        self.assertNotEqual(outcome.exit_code, "2", outcome.log)
        self.assertEqual(outcome.outputs["verdict"], "fail")
        self.assertEqual([command for command in outcome.commands if command.data.strip() == "no"], [])
        lowered = outcome.summary.lower()
        self.assertNotIn("<script", lowered)
        self.assertEqual(lowered.count("<details"), lowered.count("</details>"))
        self.assertNotIn("@all", lowered)
        self.assertNotIn("\r", outcome.summary)
        for line in outcome.summary.splitlines():
            self.assertFalse(line.startswith(("::", "##[", "verdict=")), line)
        self.assert_uploaded(outcome)

    def test_the_name_of_a_wheel_stays_a_name(self):
        evil = EVIL.replace("/", "\N{DIVISION SLASH}")
        for file in (f"pure{evil}-1.0-py3-none-any.whl", f"pure-1.0-py3-none-{evil}.whl",
                     "::error::no -1.0-py3-none-any.whl"):
            with self.subTest(file=file):
                path = case.write_wheel(self.dist, file=file)
                outcome = self.act()
                self.assert_harmless(outcome)
                self.assertLessEqual(len(json.loads(outcome.outputs["tags"])), 1)
                path.unlink()

    def test_the_name_of_a_member_stays_a_name(self):
        printable = EVIL.replace("\n", "").replace("\r", "")  # with line breaks in the name the wheel is rejected
        for name in (f"pure/{EVIL}.so", f"pure/{printable}.so", f"{printable}/x.so", "::error::no.so",
                     "##[add-path]x.so"):
            with self.subTest(name=name):
                path = case.write_wheel(self.dist, more={name: NO_LIBRARY})
                outcome = self.act(fail_on="note")
                self.assert_harmless(outcome)
                self.assertTrue(outcome.commands)
                path.unlink()


if __name__ == "__main__":
    unittest.main()
