#!/usr/bin/env python3
"""script_test.py: runs action.yml and scripts/action with a stub instead of wheelcheck, whose results each test
sets."""

import json
import pathlib
import unittest
import zipfile

import peers

peers.run_in_tools()
import case

# The stub reads its results from STAND_IN: {"code", "out", "files": {format: text}}. It writes its arguments to
# words.json in HOME.
STAND_IN = """#!/usr/bin/env python3
import json, os, pathlib, sys
part = json.loads(os.environ["STAND_IN"])
pathlib.Path(os.environ["HOME"], sys.argv[1] + ".json").write_text(json.dumps(sys.argv[1:]))
if sys.argv[1] == "repair":
    sys.exit(part.get("repair", 0))
for word in sys.argv[1:]:
    name, _, file = word.removeprefix("--format=").partition("=")
    if word.startswith("--format=") and name in part["files"]:
        pathlib.Path(file).write_text(part["files"][name])
sys.stdout.write(part["out"])
sys.stderr.write(part.get("error", ""))
sys.stdout.flush()
if part["code"] < 0:
    os.kill(os.getpid(), -part["code"])
sys.exit(part["code"])
"""
REPORT = {"wheels": [{"type": "wheel", "file": "a.whl", "best_tag": "manylinux_2_28_x86_64"}, {"type": "unreadable"}],
          "summary": {"errors": 1, "warnings": 2, "notes": 3}}


def part(code=0, error="", report=REPORT, **files):
    files = {"full": "the report\n", "json": json.dumps(report), "sarif": "{}", "markdown": "# summary\n", "github": "",
             **files}
    return {"STAND_IN": json.dumps({"code": code, "out": "last line\n", "error": error, "files": files})}


class Script(case.Case):
    def setUp(self):
        super().setUp()
        self.program = self.folder / "wheelcheck"
        self.program.write_text(STAND_IN)
        self.program.chmod(0o755)

    def play(self, env=None, **inputs):
        return self.runner.run(env or part(), program=str(self.program), **inputs)

    def words(self):
        return json.loads((self.folder / "temp" / "check.json").read_text())

    def formats(self):
        return [word.split("=")[1] for word in self.words() if word.startswith("--format=")]

    def options(self):
        words = self.words()[1:self.words().index("--")]
        (today,) = [word for word in words if word.startswith("--today=")]
        self.assertRegex(today, r"^--today=\d{4}-\d\d-\d\d$")
        self.assertEqual(words[0], "--quiet")
        return [word for word in words[1:] if word != today and not word.startswith("--format=")]

    def test_without_inputs_no_option_is_given(self):
        self.play()
        self.assertEqual(self.words()[0], "check")
        self.assertEqual(self.options(), [])
        self.assertEqual(self.formats(), ["full", "json", "github", "markdown"])
        self.assertEqual(self.words()[-2:], ["--", "dist"])

    def test_repaired_wheels_are_checked(self):
        for name in ("b.whl", "a.whl", "notes.txt"):
            (self.dist / name).write_text("")
        self.play(repair="true")
        words = json.loads((self.folder / "temp" / "repair.json").read_text())
        files = [str((self.dist / name).resolve()) for name in ("a.whl", "b.whl")]
        self.assertEqual(words, ["repair", "--wheel-dir=wheelhouse", "--allow-pure-python-wheel", "--", *files])
        self.assertEqual(self.words()[-2:], ["--", "wheelhouse"])

    def test_a_wheel_that_cannot_be_repaired_fails(self):
        (self.dist / "a.whl").write_text("")
        (self.folder / "temp" / "check.json").unlink(missing_ok=True)
        self.play(env={"STAND_IN": json.dumps({"code": 0, "out": "", "files": {}, "repair": 2})}, repair="true")
        self.assertFalse((self.folder / "temp" / "check.json").exists())

    def test_an_input_is_one_word_whatever_it_holds(self):
        value = "$(touch owned) `touch owned`; touch owned & '\" --select=WC1 ${{ inputs.wheels }} \\ * é"
        self.play(config=value, require_tag="-x", baseline="a\nb", fail_on="warning", select="WC1, WC2\nWC3", ignore="-y")
        self.assertEqual(self.options(), [f"--config={value}", "--require-tag=-x", "--baseline=a\nb", "--fail-on=warning",
                                          "--select=WC1,WC2,WC3", "--ignore=-y"])
        self.assertFalse((self.workspace / "owned").exists())

    def test_wheels_are_split_as_a_shell_does_and_not_expanded(self):
        self.play(wheels="'my dist/*.whl' b\\ c.whl --help $HOME $(touch owned)\n-")
        words = self.words()
        self.assertEqual(words[words.index("--") + 1:],
                         ["my dist/*.whl", "b c.whl", "--help", "$HOME", "$(touch", "owned)", "-"])
        self.assertFalse((self.workspace / "owned").exists())

    def test_of_the_usual_places_one_is_enough(self):
        self.dist.rename(self.workspace / "wheelhouse")
        self.play()
        self.assertEqual(self.words()[-2:], ["--", "wheelhouse"])
        (self.workspace / "wheelhouse").rmdir()
        self.play()
        self.assertEqual(self.words()[-3:], ["--", "dist", "wheelhouse"])

    def test_the_exit_code_is_the_last_steps_and_uploads_come_before(self):
        for code, wanted in ((0, "0"), (1, "1"), (2, "2"), (3, "3"), (4, "4"), (-9, "4"), (99, "4")):
            with self.subTest(code=code):
                outcome = self.play(part(code), sarif="true")
                self.assertEqual(outcome.exit_code, wanted)
                self.assertEqual(outcome.failed, code != 0)
                self.assertEqual(outcome.outputs["verdict"], "fail" if code else "pass")
                ((action, words),) = outcome.uses
                self.assertRegex(action, "^github/codeql-action/upload-sarif@")
                self.assertEqual(words["sarif_file"], outcome.outputs["sarif-file"])
                self.assertEqual(pathlib.Path(words["sarif_file"]).read_text(), "{}")

    def test_what_was_not_asked_for_is_not_made(self):
        outcome = self.play(part(github="::error::no\n"), annotations="false", summary="false")
        self.assertEqual(self.formats(), ["full", "json"])
        self.assertEqual((outcome.commands, outcome.summary, outcome.uses), ([], "", []))
        self.assertEqual(outcome.outputs["sarif-file"], "")

    def test_notes_are_annotations_on_request(self):
        self.play(annotations="all")
        self.assertEqual(self.options(), ["--verbose"])
        self.assertIn("github", self.formats())

    def test_without_a_report_the_first_line_of_stderr_is_the_annotation(self):
        error = "wheelcheck: --require-tag manylinux2_28: a similar tag exists: manylinux_2_28\nmore\n"
        outcome = self.play({"STAND_IN": json.dumps({"code": 2, "out": "", "error": error, "files": {}})})
        (command,) = outcome.commands
        self.assertEqual((command.name, command.data), ("error", error.partition("\n")[0]))
        self.assertEqual((outcome.exit_code, outcome.outputs["json-file"]), ("2", ""))

    def test_outputs(self):
        outcome = self.play(part(1))
        self.assertEqual(outcome.outputs.keys(), case.OUTPUTS)
        self.assertEqual(json.loads(outcome.outputs["tags"]), {"a.whl": "manylinux_2_28_x86_64"})
        self.assertEqual(outcome.outputs["findings"], "6")
        self.assertEqual(json.loads(pathlib.Path(outcome.outputs["json-file"]).read_text()), REPORT)
        self.assertEqual(outcome.summary, "# summary\n")
        self.assertIn("the report\n", outcome.log)

    def test_two_uses_in_one_job_keep_their_reports_apart(self):
        self.assertNotEqual(self.play().outputs["json-file"], self.play().outputs["json-file"])

    def test_no_file_name_ends_an_output(self):
        name = "a\nverdict=pass\nexit-code<<x\n0\nx\r\n\u2028\N{SNOWMAN}.whl"
        report = {"wheels": [{"type": "wheel", "file": name, "best_tag": "any"}], "summary": {"errors": 1}}
        outcome = self.play(part(1, report=report))
        self.assertEqual(json.loads(outcome.outputs["tags"]), {name: "any"})
        self.assertEqual((outcome.outputs["verdict"], outcome.exit_code, outcome.failed), ("fail", "1", True))

    def test_nothing_of_the_report_is_a_command(self):
        evil = ("::error::no\n  ::set-output name=verdict::pass\nx ##[add-path]/owned\n"
                "::stop-commands::x\n::x::\r::warning::no")
        outcome = self.play(part(1, error=evil, full=evil, github="::error title=WC1 one::yes%0Atwo\n"))
        (command,) = outcome.commands
        self.assertEqual((command.name, command.properties, command.data), ("error", {"title": "WC1 one"}, "yes\ntwo"))
        self.assertEqual(outcome.log.count("##[add-path]"), 2)

    def refused(self, code, said, env=None, **inputs):
        outcome = self.runner.run(env or part(), **inputs)
        self.assertTrue(outcome.failed)
        (command,) = outcome.commands
        self.assertEqual(command.name, "error")
        self.assertIn(said, command.data)
        self.assertEqual({**outcome.outputs, "code": outcome.exit_code},
                         {"verdict": "fail", "tags": "{}", "findings": "0", "json-file": "", "sarif-file": "",
                          "code": code})
        self.assertEqual((outcome.uses, outcome.summary), ([], ""))

    def test_a_wrong_input_is_refused(self):
        program = str(self.program)
        self.refused("2", "must be true or false", program=program, sarif="yes")
        self.refused("2", "must be true or false", program=program, summary="True")
        self.refused("2", "No closing quotation", program=program, wheels="dist 'a")
        self.refused("2", "does not exist", program="no-such-program")
        self.refused("2", "must be latest or a version", version="1.0 --index-url=x")
        self.refused("2", "must be latest or a version", version="1.0\n::error::no")

    def test_a_run_without_a_report_says_so(self):
        silent = {"STAND_IN": json.dumps({"code": 2, "out": "wheelcheck: what?\n", "files": {}})}
        self.refused("2", "usage or configuration", env=silent, program=str(self.program), sarif="true")

    def package(self, version, suffix="py3-none-any.whl"):
        """The stub as a wheel, with the program where the real wheel has it."""
        (self.folder / "index").mkdir(exist_ok=True)
        info = f"wheelcheck-{version}.dist-info"
        files = {f"wheelcheck-{version}.data/scripts/wheelcheck": STAND_IN.replace("the report", version),
                 f"{info}/METADATA": f"Metadata-Version: 2.1\nName: wheelcheck\nVersion: {version}\n",
                 f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
        with zipfile.ZipFile(self.folder / "index" / f"wheelcheck-{version}-{suffix}", "w") as archive:
            for name, text in {**files, f"{info}/RECORD": f"{info}/RECORD,,\n"}.items():
                entry = zipfile.ZipInfo(name)
                entry.external_attr = 0o100755 << 16
                archive.writestr(entry, text)
        return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.folder / "index"), **part()}

    def installed(self):
        packages = (self.folder / "temp").glob("*/environment/lib/*/site-packages")
        return [path.name for folder in packages for path in folder.glob("wheelcheck-*.dist-info")]

    def test_the_version_of_the_action_is_installed(self):
        own = (case.runner.ROOT / "CMakeLists.txt").read_text().split("project(wheelcheck VERSION ")[1].split()[0]
        self.package("99.0")
        outcome = self.runner.run(self.package(own))
        self.assertEqual((outcome.failed, self.installed()), (False, [f"wheelcheck-{own}.dist-info"]), outcome.log)

    def test_latest_is_the_newest(self):
        self.package("98.1")
        self.assertFalse(self.runner.run(self.package("99.0"), version="latest").failed)
        self.assertEqual(self.installed(), ["wheelcheck-99.0.dist-info"])

    def test_nothing_is_built_from_source(self):
        env = self.package("1.0", "py3-none-win32.whl")
        (self.folder / "index" / "wheelcheck-1.0.tar.gz").write_bytes(b"")
        self.refused("2", "the package index has no wheelcheck==1.0; set version", env=env, version="1.0")

    def test_before_anything_is_published(self):
        env = self.package("99.0")
        for file in (self.folder / "index").iterdir():
            file.unlink()
        own = (case.runner.ROOT / "CMakeLists.txt").read_text().split("project(wheelcheck VERSION ")[1].split()[0]
        self.refused("2", f"the package index has no wheelcheck=={own}; set version", env=env)


if __name__ == "__main__":
    unittest.main()
