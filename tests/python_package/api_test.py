#!/usr/bin/env python3
"""api_test.py PROGRAM: tests the Python API with the built program."""

import concurrent.futures
import contextlib
import copy
import dataclasses
import doctest
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Any, get_type_hints
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "hostile"), str(ROOT / "tests" / "python_package")]
import hostile  # noqa: E402
import schema  # noqa: E402
import wheelcheck  # noqa: E402
from wheelcheck import _ask, _check  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
OF_THE_TERMINAL = {
    *("--help", "--format", "--output-file", "--color", "--no-progress", "--verbose", "--quiet", "--statistics"),
}


def check(*wheels: Any, **options: Any) -> wheelcheck.Report:
    return wheelcheck.check(*wheels, program=PROGRAM, **options)


def demo_wheel(folder: pathlib.Path) -> pathlib.Path:
    made = subprocess.run(
        [sys.executable, ROOT / "scripts/demo_wheel.py", folder], check=True, capture_output=True, text=True
    )
    return pathlib.Path(made.stdout.strip())


class WithDemo(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.demo = demo_wheel(cls.folder / "demo")
        cls.document = json.loads(
            subprocess.run([PROGRAM, "--format=json", str(cls.demo)], check=False, capture_output=True).stdout
        )


class Schema(unittest.TestCase):
    def differences(self, document: dict[str, Any]) -> list[str]:
        return list(schema.Comparison(document).differences(wheelcheck.Report, document, "report"))

    def test_the_dataclasses_say_what_the_schema_says(self) -> None:
        self.assertEqual(self.differences(schema.load()), [])

    def test_a_difference_anywhere_is_seen(self) -> None:
        changes = {
            "wheel": ("properties", "failed"),
            "finding": ("properties", "severity", "enum"),
            "elf_flaw": ("properties", "reason"),
            "gpu_reference": ("properties", "line"),
        }
        for definition, path in changes.items():
            document = schema.load()
            at = document["definitions"][definition]
            for name in path[:-1]:
                at = at[name]
            if isinstance(at[path[-1]], list):
                at[path[-1]].append("fatal")
            else:
                at[path[-1] + "_too"] = at.pop(path[-1])
            self.assertTrue(self.differences(document), definition)

    def test_every_class_is_public_and_frozen(self) -> None:
        seen: set[Any] = set()

        def walk(hint: Any) -> None:
            for part in getattr(hint, "__args__", ()):
                walk(part)
            if dataclasses.is_dataclass(hint) and hint not in seen:
                seen.add(hint)
                for inner in get_type_hints(hint).values():
                    walk(inner)

        walk(wheelcheck.Report)
        self.assertGreater(len(seen), 40)
        for kind in seen:
            self.assertIs(getattr(wheelcheck, kind.__name__), kind)
            self.assertTrue(kind.__dataclass_params__.frozen, kind)


class OtherQuestions(WithDemo):
    """Each result is read into classes that have every field of the JSON."""

    def test_every_command_has_a_typed_answer(self) -> None:
        answers = {
            "why": wheelcheck.why(self.demo, program=PROGRAM),
            "why --cheapest": wheelcheck.why(self.demo, "manylinux_2_17", cheapest=True, program=PROGRAM),
            "diff": wheelcheck.diff(self.demo, self.demo, program=PROGRAM),
            "conflicts": wheelcheck.conflicts([self.demo], program=PROGRAM),
            "runs-on": wheelcheck.runs_on(self.demo, on="debian-12", cpu="core2duo", program=PROGRAM),
            "tree": wheelcheck.tree([self.demo], program=PROGRAM),
            "symbols": wheelcheck.symbols(self.demo, program=PROGRAM),
            "symbols --by file": wheelcheck.symbols(self.demo, by="file", program=PROGRAM),
            "symbols --by library": wheelcheck.symbols(self.demo, by="library", imports=True, program=PROGRAM),
            "symbols --match .": wheelcheck.symbols(self.demo, match=".", demangle=True, program=PROGRAM),
        }
        more = {"why --cheapest": ["manylinux_2_17"], "diff": [str(self.demo)]}
        options = {
            "symbols --by library": ["--imports"],
            "symbols --match .": ["--demangle"],
            "runs-on": ["--on=debian-12", "--cpu=core2duo"],
        }
        for words, answer in answers.items():
            with self.subTest(words):
                line = [
                    PROGRAM,
                    *words.split(),
                    *options.get(words, []),
                    "--format=json",
                    str(self.demo),
                    *more.get(words, []),
                ]
                said = json.loads(subprocess.run(line, check=False, capture_output=True).stdout)
                self.assertEqual(self.plain(answer, said), said)
                self.assertLess(len(repr(answer)), 300)

    def plain(self, value: Any, said: Any) -> Any:
        """Converts a value back to JSON, without the fields that `said` does not have."""
        if dataclasses.is_dataclass(value):
            names = {field.name.rstrip("_"): getattr(value, field.name) for field in dataclasses.fields(value)}
            return {
                name: self.plain(one, said.get(name)) for name, one in names.items() if name in said or one is not None
            }
        if isinstance(value, tuple):
            return [self.plain(one, other) for one, other in zip(value, said)]
        return dict(value) if hasattr(value, "items") else value

    def test_a_mistake_is_an_error(self) -> None:
        with self.assertRaises(wheelcheck.WheelcheckError) as caught:
            wheelcheck.why(self.demo, "manylinux217", program=PROGRAM)
        self.assertEqual(caught.exception.exit_code, 2)
        with self.assertRaises(wheelcheck.WheelcheckError) as caught:
            wheelcheck.tree("absent.whl", program=PROGRAM)
        self.assertEqual(caught.exception.exit_code, 3)

    def test_lists_and_short_reprs(self) -> None:
        report = check([self.demo, self.demo])
        self.assertEqual(report.summary.wheels, 2)
        self.assertRegex(repr(report), r"^<Report FAILED: 2 wheels, \d+ errors, \d+ warnings>$")
        self.assertRegex(wheelcheck.__version__, r"^\d")
        self.assertRegex(
            repr(wheelcheck.why(self.demo, program=PROGRAM)),
            r"^<Why gridfit-\S+: not compatible with manylinux_2_17_\w+, \d+ of \d+ met>$",
        )
        self.assertEqual(
            repr(wheelcheck.diff(self.demo, self.demo, program=PROGRAM)),
            "<Diff gridfit 1.4.0 -> 1.4.0: 0 new and 0 fixed findings>",
        )
        self.assertRegex(
            repr(wheelcheck.conflicts(self.demo, program=PROGRAM)),
            r"^<Conflicts gridfit: [a-z ]+, \d+ errors, \d+ warnings>$",
        )

    def test_several_wheels_are_one_list_or_several_arguments(self) -> None:
        for run in (wheelcheck.tree, wheelcheck.runs_on):
            self.assertEqual(run(self.demo, self.demo, program=PROGRAM), run([self.demo, self.demo], program=PROGRAM))


class Reading(WithDemo):
    def read(self, document: Any) -> wheelcheck.Report:
        return wheelcheck.Report.from_json(json.dumps(document))

    def refuse(self, document: Any) -> str:
        with self.assertRaises(wheelcheck.WheelcheckError) as caught:
            self.read(document)
        self.assertEqual(caught.exception.exit_code, 4)
        return caught.exception.message

    def changed(self) -> Any:
        return copy.deepcopy(self.document)

    def test_fields_of_a_newer_program_are_passed_over(self) -> None:
        document = self.changed()
        document["mood"] = document["wheels"][0]["findings"][0]["colour"] = document["wheels"][0]["moon"] = "blue"
        self.assertEqual(self.read(document), self.read(self.document))

    def test_what_is_missing_is_named(self) -> None:
        document = self.changed()
        del document["wheels"][0]["findings"][2]["severity"]
        self.assertEqual(self.refuse(document), "not a report of wheelcheck: wheels[0].findings[2].severity is missing")

    def test_what_has_another_type_or_word_is_named(self) -> None:
        for value, says in (("fatal", "is 'fatal', not 'error' or"), (None, "is None"), (True, "is True")):
            document = self.changed()
            document["wheels"][0]["findings"][0]["severity"] = value
            self.assertIn(f"wheels[0].findings[0].severity {says}", self.refuse(document))
        document = self.changed()
        document["summary"]["errors"] = True  # not an int, although bool is a subclass of int in Python
        self.assertIn("summary.errors is bool, not int", self.refuse(document))
        document = self.changed()
        document["wheels"][0]["type"] = "sdist"
        self.assertIn("wheels[0].type is 'sdist'", self.refuse(document))
        document = self.changed()
        document["version"] = 2
        self.assertIn("version is 2, not 1", self.refuse(document))

    def test_what_is_no_report_is_an_error(self) -> None:
        for text in ("", "{", "[]", "null", "3", '"wheels"', '{"schema": "wheelcheck-why"}', b"\xff"):
            with self.assertRaises(wheelcheck.WheelcheckError):
                wheelcheck.Report.from_json(text)


class Check(WithDemo):
    def test_the_demo_wheel_fails_as_on_the_command_line(self) -> None:
        report = check(self.demo)
        wheel = self.document["wheels"][0]
        self.assertTrue(report.failed)
        self.assertEqual(report.exit_code, 1)
        self.assertEqual([finding.message for finding in report], [f["message"] for f in wheel["findings"]])
        self.assertEqual(report.findings, report.checked[0].findings)
        self.assertEqual(report.unreadable, ())
        claim = report.checked[0].claims[0]
        unmet = report.checked[0].unmet_requirements(claim)
        self.assertEqual(len(unmet), len(wheel["claims"][0]["unmet_requirements"]))
        self.assertIsInstance(unmet[0], wheelcheck.VersionRequirement)

    def test_a_report_is_a_value(self) -> None:
        first, second = check(self.demo), check(str(self.demo), jobs=1)
        self.assertEqual(first, second)
        with self.assertRaises(dataclasses.FrozenInstanceError):
            first.findings[0].severity = "note"  # type: ignore[misc]

    def test_options_reach_the_program(self) -> None:
        self.assertFalse(check(self.demo, fail_on="never").failed)
        self.assertEqual({finding.code for finding in check(self.demo, select="WC102")}, {"WC102"})
        self.assertEqual({finding.code for finding in check(self.demo, select=["WC102", "WC601"])}, {"WC102", "WC601"})
        self.assertNotIn("WC102", {finding.code for finding in check(self.demo, ignore=("WC102",))})
        self.assertNotIn("WC103", {finding.code for finding in check(self.demo, external="libtiff.so.*")})
        self.assertEqual(check(self.demo, providers={"tiff": self.demo}).providers, (self.demo.name,))
        self.assertFalse(check(self.demo, record_hashes=False).checked[0].members.hashed)
        self.assertTrue(check(self.demo, record_hashes=True).checked[0].members.hashed)

    def test_every_option_of_the_program_has_its_keyword(self) -> None:
        help_text = subprocess.run([PROGRAM, "check", "--help"], check=True, capture_output=True, text=True).stdout
        offered = set(re.findall(r"^  (?:-\w, |    )(--[a-z0-9-]+)", help_text, re.MULTILINE)) - OF_THE_TERMINAL
        limits = dict.fromkeys(get_type_hints(wheelcheck.Limits), 7)
        keywords: dict[str, Any] = {
            name: {
                "fail_on": "note",
                "providers": {"a": "b"},
                "record_hashes": False,
                "limits": limits,
                "sandbox": "off",
            }.get(name, "1")
            for name in _check.check.__kwdefaults__
            if name != "program"
        }
        with mock.patch.object(_check, "_run") as run:
            wheelcheck.check("x.whl", program="p", **keywords)
        command = run.call_args[0][0]
        given = {word.partition("=")[0] for word in command if word.startswith("--")} - OF_THE_TERMINAL - {"--"}
        self.assertEqual(given, offered)

    def test_names_that_look_like_options_are_wheels(self) -> None:
        for name in ("--help", "-x.whl", "--select=WC1"):
            path = self.folder / name
            path.write_bytes(self.demo.read_bytes())
            with contextlib.chdir(self.folder):
                if name.endswith(".whl"):  # opened, but its name is not a wheel's name
                    report = check(name)
                    self.assertEqual((report.exit_code, report.unreadable[0].rule), (1, "WC703"), name)
                    self.assertTrue(report.unreadable[0].message.startswith(f"{name}: "), report.unreadable)
                    continue
                with self.assertRaises(wheelcheck.WheelcheckError) as caught:
                    check(name)
            self.assertEqual(caught.exception.exit_code, 3, name)
            self.assertTrue(caught.exception.message.startswith(f"{name}: "), caught.exception.message)

    def test_an_unreadable_input_leaves_the_report_of_the_others(self) -> None:
        with self.assertRaises(wheelcheck.WheelcheckError) as caught:
            check(self.demo, self.folder / "absent.whl", "/dev/null")
        error = caught.exception
        self.assertEqual(error.exit_code, 3)
        self.assertEqual(str(error), "absent.whl: cannot be opened: no such file (and 1 more)")
        assert error.report is not None
        self.assertTrue(error.report.failed)
        self.assertEqual(error.report.exit_code, 3)
        self.assertEqual([entry.type for entry in error.report.wheels], ["wheel", "unreadable", "unreadable"])

    def test_a_mistake_in_the_question_is_an_error(self) -> None:
        for options, says in (
            ({"select": "WC999"}, "no rule is named WC999; `wheelcheck rules` lists them"),
            ({"jobs": 0}, "--jobs: Value 0 not in range 1 to 1024"),
            ({"policies": "absent.json"}, "absent.json"),
        ):
            with self.assertRaises(wheelcheck.WheelcheckError) as caught:
                check(self.demo, **options)
            self.assertEqual(caught.exception.exit_code, 2)
            self.assertIn(says, str(caught.exception))
            self.assertIsNone(caught.exception.report)

    def test_nothing_to_check_is_an_error(self) -> None:
        with self.assertRaisesRegex(wheelcheck.WheelcheckError, "^nothing to check") as caught:
            check()
        self.assertEqual(caught.exception.exit_code, 3)

    def test_a_program_that_fails_is_an_error(self) -> None:
        for program, says in (
            ("/absent/wheelcheck", "cannot run /absent/wheelcheck: No such file or directory"),
            (self.script("kill -SEGV $$"), "was ended by signal 11"),
            (self.script("echo 'wheelcheck: internal error: of a test' >&2; exit 4"), "internal error: of a test"),
            (self.script("exit 0"), "said nothing"),
            (self.script("echo no JSON"), "not a report of wheelcheck"),
        ):
            with self.assertRaises(wheelcheck.WheelcheckError) as caught:
                wheelcheck.check(self.demo, program=program)
            self.assertEqual(caught.exception.exit_code, 4, says)
            self.assertIn(says, str(caught.exception))

    def script(self, text: str) -> pathlib.Path:
        path = self.folder / f"program{len(list(self.folder.iterdir()))}"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path


class Hostile(unittest.TestCase):
    def test_hostile_wheels_give_a_report_or_an_error(self) -> None:
        """The dataclasses accept every report that the program writes for these wheels."""
        with tempfile.TemporaryDirectory() as folder:
            cases = hostile.make_corpus(pathlib.Path(folder) / "corpus")
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                answers = list(pool.map(self.ask, [path for _, path in cases[::3]]))
        self.assertGreater(len(answers), 400)
        self.assertGreater(answers.count("report"), 200)
        self.assertGreater(answers.count("rejected"), 50)

    def ask(self, path: pathlib.Path) -> str:
        try:
            report = check(path, jobs=1)
        except wheelcheck.WheelcheckError as error:
            assert error.exit_code == 3 and error.report is not None, f"{path}: {error}"
            return "rejected"
        assert report.exit_code in (0, 1)
        return "rejected" if report.unreadable else "report"


class Page(WithDemo):
    def test_what_the_page_shows_is_so(self) -> None:
        page = ROOT / "docs" / "python.md"
        options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        with (
            contextlib.chdir(self.demo.parent),
            mock.patch.object(_check, "find_program", lambda: PROGRAM),
            mock.patch.object(_ask, "find_program", lambda: PROGRAM),
        ):
            failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=options, encoding="utf-8")
        self.assertGreater(tried, 3)
        self.assertEqual(failed, 0)


if __name__ == "__main__":
    unittest.main()
