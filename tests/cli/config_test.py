#!/usr/bin/env python3
"""config_test.py PROGRAM: configuration files, ignores, required tags and baselines in the built program."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]

STACK = '[[ignore-rule]]\nrule = "executable-stack"\npath = "gridfit/*.so"\nreason = "asm, tracked"\n'


def run(*words, cwd=None):
    return subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=120, cwd=cwd, env={**os.environ, "NO_COLOR": "1"})


class Configuration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", pathlib.Path(cls.temporary.name) / "demo"],
                              check=True, capture_output=True, text=True)
        cls.wheel = pathlib.Path(demo.stdout.strip())

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.temporary.name))

    def write(self, text, name="wheelcheck.toml"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def check(self, *words, text=None, wheels=None):
        """The JSON report of a run with a configuration, and the exit code."""
        if text is not None:
            self.write(text)
        done = run("check", *(wheels or [self.wheel]), "--format", "json", *words, cwd=self.folder)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout), done.returncode

    def codes(self, report, wheel=0):
        return [finding["code"] for finding in report["wheels"][wheel]["findings"]]

    # --- choice of the file ---------------------------------------------------------------------------------------
    def test_the_nearest_file_upward_is_taken(self):
        self.write('[tool.wheelcheck]\nselect = ["WC601"]\n', "pyproject.toml")
        below = self.folder / "a/b"
        below.mkdir(parents=True)
        (below / "pyproject.toml").write_text("[project]\nname = 'other'\n")
        report = json.loads(run(self.wheel, "--format", "json", cwd=below).stdout)
        self.assertEqual(self.codes(report), ["WC601"])
        (self.folder / "a/wheelcheck.toml").write_text('select = ["WC103"]\n')
        report = json.loads(run(self.wheel, "--format", "json", cwd=below).stdout)
        self.assertEqual(self.codes(report), ["WC103"])
        self.assertEqual(report["configuration"]["file"], "wheelcheck.toml")

    def test_wheelcheck_toml_stands_before_pyproject_toml(self):
        self.write('[tool.wheelcheck]\nselect = ["WC601"]\n', "pyproject.toml")
        self.assertEqual(self.codes(self.check(text='select = ["WC103"]\n')[0]), ["WC103"])

    def test_the_report_names_the_file_and_its_bytes_only_where_one_was_used(self):
        text = "fail-on = 'never'\n"
        report, code = self.check(text=text)
        self.assertEqual(code, 0)
        self.assertEqual(report["configuration"], {"file": "wheelcheck.toml",
                                                   "sha256": hashlib.sha256(text.encode()).hexdigest()})
        report, code = self.check("--no-config")
        self.assertEqual(code, 1)
        self.assertNotIn("configuration", report)
        elsewhere = self.write(text, "sub/mine.toml")
        self.assertEqual(self.check("--config", elsewhere)[0]["configuration"]["file"], "mine.toml")

    def test_the_same_file_elsewhere_gives_the_same_report(self):
        first = run(self.wheel, "--config", self.write(STACK, "one/w.toml"), "--format", "json").stdout
        second = run(self.wheel, "--config", self.write(STACK, "two/w.toml"), "--format", "json", cwd="/").stdout
        self.assertEqual(first, second)
        self.assertNotIn(str(self.folder), first)

    def test_paths_in_the_file_are_relative_to_it(self):
        shutil.copy(ROOT / "policies/manylinux_2_17.json", self.folder / "policy.json")
        config = self.write("policies = ['policy.json']\n", "w.toml")
        self.assertEqual(run(self.wheel, "--config", config, cwd="/").returncode, 1)
        (self.folder / "policy.json").unlink()
        done = run(self.wheel, "--config", config, cwd="/")
        self.assertEqual(done.returncode, 2)
        self.assertIn("policy.json: no such file", done.stderr)
        self.assertEqual(run("check-config", config).returncode, 2)

    # --- errors ---------------------------------------------------------------------------------------------------
    def test_all_mistakes_are_told_at_once(self):
        self.write("selct = []\nfail-on = 'eror'\n[[ignore-rule]]\nrule = 'executable-stak'\nuntil = 'soon'\n")
        for words in ((self.wheel,), ("check-config",)):
            done = run(*words, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr.splitlines(), [
                "wheelcheck: wheelcheck.toml:1:1: unknown key `selct`; did you mean `select`?",
                "wheelcheck.toml:2:11: must be error, warning, note or never, not `eror`",
                "wheelcheck.toml:4:8: no rule is named `executable-stak`; did you mean `executable-stack`?",
                "wheelcheck.toml:5:9: must be a date without quotes, as 2027-01-31, not a text"])

    def test_check_config(self):
        nothing = run("check-config", cwd="/")
        self.assertEqual(nothing.returncode, 0)
        self.assertIn("the defaults apply", nothing.stdout)
        good = self.write(STACK)
        done = run("check-config", good)
        self.assertEqual((done.returncode, done.stdout), (0, "wheelcheck.toml: nothing is wrong\n"))
        self.assertEqual(run("check-config", cwd=self.folder).returncode, 0)
        self.assertEqual(run("check-config", self.folder / "none.toml").returncode, 2)
        self.assertEqual(run("check-config", self.folder).returncode, 2)
        self.assertEqual(run("check-config", self.write("[tool.x]\n", "pyproject.toml")).returncode, 2)
        self.assertEqual(run("check-config", self.write("x" * (1 << 20) + "x", "long.toml")).returncode, 2)

    def test_words_that_make_no_sense(self):
        for words in (("--config", "none.toml"), ("--config", "x", "--no-config"), ("--today", "tomorrow"),
                      ("--require-tag", "manylinux_2"), ("--baseline", "none.json")):
            done = run(self.wheel, *words, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done)
            self.assertNotEqual(done.stderr, "")

    def test_the_schema_is_printed(self):
        schema = json.loads(run("schema", "config").stdout)
        self.assertIn("ignore-rule", schema["properties"])

    # --- effects --------------------------------------------------------------------------------------------------
    def test_words_win_over_the_file(self):
        text = 'select = ["WC601"]\nfail-on = "never"\n'
        self.assertEqual(self.check(text=text)[1], 0)
        self.assertEqual(self.check("--fail-on", "error")[1], 1)
        self.assertEqual(self.codes(self.check("--select", "WC103")[0]), ["WC103"])
        self.assertEqual(self.check("--select", "WC103")[1], 0)

    def test_ignored_findings_do_not_count_and_are_told(self):
        report, code = self.check(text='select = ["WC601"]\n' + STACK)
        self.assertEqual((code, self.codes(report)), (0, []))
        (ignored,) = report["wheels"][0]["ignored"]
        self.assertEqual((ignored["finding"]["code"], ignored["ignored_by"], ignored["reason"]),
                         ("WC601", "wheelcheck.toml:2", "asm, tracked"))
        self.assertEqual(report["summary"]["errors"], 0)
        self.assertIn("1 ignored by wheelcheck.toml", run(self.wheel, cwd=self.folder).stdout)

    def test_an_ignore_that_ignores_nothing_is_told_once(self):
        other = self.folder / self.wheel.name.replace("cp311-cp311", "cp312-cp312")
        shutil.copy(self.wheel, other)
        text = STACK.replace("gridfit/*.so", "elsewhere/*")
        report, _ = self.check(text=text, wheels=[self.wheel, other])
        self.assertEqual([self.codes(report, i).count("WC001") for i in (0, 1)], [1, 0])
        report, _ = self.check("--select", "WC1,WC0")
        self.assertNotIn("WC001", self.codes(report))
        override = f'[[overrides]]\nwheel = "*-cp312-*"\n{text.replace("[[", "[[overrides.")}'
        report, _ = self.check(text=override, wheels=[self.wheel, other])
        self.assertEqual([self.codes(report, i).count("WC001") for i in (0, 1)], [0, 1])

    def test_an_ignore_ends_with_its_last_day(self):
        text = 'select = ["WC601", "WC0"]\n' + STACK + "until = 2027-01-31\n"
        for words, codes in (((), []), (("--today", "2027-01-31"), []), (("--today", "2027-02-01"), ["WC601", "WC004"])):
            report, _ = self.check(*words, text=text)
            self.assertEqual(self.codes(report), codes)

    def test_severities_are_set(self):
        report, code = self.check(text='select = ["WC601"]\nseverity = { executable-stack = "note" }\n')
        self.assertEqual((code, report["wheels"][0]["findings"][0]["severity"]), (0, "note"))
        self.assertEqual(report["summary"]["notes"], 1)

    def test_overrides_are_for_the_wheels_that_they_name(self):
        text = 'select = ["WC601"]\n[[overrides]]\nwheel = "other-*"\nfail-on = "never"\n'
        self.assertEqual(self.check(text=text)[1], 1)
        self.assertEqual(self.check(text=text.replace("other-*", "gridfit-*"))[1], 0)

    def test_a_tag_is_required_of_the_content(self):
        for tag, codes in (("manylinux_2_35", ["WC115"]), ("manylinux_2_35_x86_64", ["WC115"]),
                           ("manylinux_2_17,musllinux_1_2", ["WC115"])):
            report, code = self.check("--select", "WC115", "--require-tag", tag)
            self.assertEqual((code, self.codes(report)), (1, codes), tag)
        report, _ = self.check("--select", "WC115", text='require-tag = "manylinux_2_35"\n')
        (finding,) = report["wheels"][0]["findings"]
        self.assertEqual(finding["message"], "the content is not compatible with the required manylinux_2_35_x86_64")

    # --- baseline -----------------------------------------------------------------------------------------------
    def test_a_baseline_takes_out_what_is_known(self):
        known = self.folder / "known.json"
        done = run(self.wheel, "--write-baseline", known, "--format", "json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        count = len(json.loads(done.stdout)["wheels"][0]["findings"])
        self.assertGreater(count, 3)
        report, code = self.check("--baseline", known)
        self.assertEqual((code, self.codes(report), report["baseline"]), (0, [], "known.json"))
        self.assertEqual(len(report["wheels"][0]["known"]), count)
        self.assertIn(f"{count} known from known.json",
                      run(self.wheel, "--baseline", known, cwd=self.folder).stdout)

    def test_new_findings_fail_and_mended_ones_are_counted(self):
        known = self.folder / "known.json"
        run(self.wheel, "--write-baseline", known, "--select", "WC601,WC103", cwd=self.folder)
        report, code = self.check("--baseline", known)
        self.assertEqual(code, 1)
        self.assertNotIn("WC601", self.codes(report))
        self.assertIn("WC102", self.codes(report))
        document = json.loads(known.read_text())
        gone = dict(document["findings"][0], fingerprint="0" * 32, member="gone.so")
        document["findings"].append(gone)
        known.write_text(json.dumps(document))
        report, _ = self.check("--baseline", known)
        self.assertEqual([one["member"] for one in report["wheels"][0]["resolved"]], ["gone.so"])
        self.assertIn("1 of known.json no longer found", run(self.wheel, "--baseline", known, cwd=self.folder).stdout)

    def test_a_baseline_is_the_same_bytes_and_survives_a_release(self):
        first, second = self.folder / "1.json", self.folder / "2.json"
        for path, jobs in ((first, 1), (second, 4)):
            run(self.wheel, "--write-baseline", path, "--jobs", jobs, cwd=self.folder)
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.assertNotIn(str(self.folder), first.read_text())

    def test_a_broken_baseline_is_refused(self):
        for text in ("", "{}", '{"schema": "wheelcheck-baseline", "version": 2, "findings": []}'):
            path = self.write(text, "b.json")
            done = run(self.wheel, "--baseline", path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("baseline b.json: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
