#!/usr/bin/env python3
"""runtime_test.py PROGRAM [NUMBER...]: published run-time failures are predicted, and their fixed versions are silent.

Each case is built and imported by this Python first, so that the expected answer is what really happens.
"""

import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

for folder in ("", "../conflict_oracle"):
    sys.path.insert(0, str((pathlib.Path(__file__).parent / folder).resolve()))

import clash
import runtime_captures
import runtime_cases
import runtime_more
import runtime_names
import runtime_protobuf
import runtime_sizes
import runtime_types
import seen as process

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
CHOSEN = [sys.argv.pop(1) for _ in sys.argv[1:] if not sys.argv[1].startswith("-")]


def all_cases() -> list[runtime_cases.Case]:
    return [
        *runtime_cases.not_loaded_first(),
        *runtime_cases.registries(),
        *runtime_more.all_cases(),
        *runtime_captures.all_cases(),
        *runtime_names.all_cases(),
        *runtime_sizes.all_cases(),
        *runtime_types.all_cases(),
        *runtime_protobuf.all_cases(),
    ]


def chosen() -> list[runtime_cases.Case]:
    return [each for each in all_cases() if not CHOSEN or any(text in " ".join(each.source) for text in CHOSEN)]


def build(wheel: clash.Wheel, folder: pathlib.Path) -> pathlib.Path:
    """Writes the sources and builds the wheel."""
    sources = folder / "sources" / wheel.name
    sources.mkdir(parents=True)
    for name, text in runtime_more.MAPS.items():
        (sources / name).write_text(text)
    binaries = []
    for index, binary in enumerate(wheel.binaries):
        paths = []
        for part, source in enumerate(binary.sources):
            paths.append(str(sources / f"{index}_{part}{source.suffix}"))
            pathlib.Path(paths[-1]).write_text(source)
        options = [option.replace("{maps}", str(sources)) for option in binary.options]
        binaries.append(dataclasses.replace(binary, sources=paths, options=options))
    return clash.build("", dataclasses.replace(wheel, binaries=binaries), folder)


class Installed:
    """Built wheels of a case in a directory that Python imports from."""

    def __init__(self, wheels: list[clash.Wheel], folder: pathlib.Path, linked: list[clash.Wheel] = ()) -> None:
        self.site = folder / "site"
        for wheel in linked:
            build(wheel, folder)
        self.paths = [build(wheel, folder) for wheel in wheels]
        for path in self.paths:
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    pathlib.Path(archive.extract(entry, self.site)).chmod(entry.external_attr >> 16)

    def run(self, code: str) -> process.Seen:
        return process.run(process.python(code, self.site), self.site, {})

    def answer(self, case: runtime_cases.Case) -> tuple[int, dict]:
        words = [PROGRAM, case.command, "--format=json", *case.options, *self.paths]
        done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)
        answer = json.loads(done.stdout)
        if case.command == "check":
            answer["findings"] = [each for wheel in answer["wheels"] for each in wheel["findings"]]
        return done.returncode, answer


def told(answer: dict) -> list[tuple[str, str, str]]:
    return [(each["code"], each["severity"], each["message"]) for each in answer["findings"]]


class RunTime(unittest.TestCase):
    maxDiff = None

    def installed(self, case: runtime_cases.Case, wheels: list[clash.Wheel], check) -> None:
        with tempfile.TemporaryDirectory() as folder:
            check(case, Installed(wheels, pathlib.Path(folder).resolve(), case.linked))

    def check_runs(self, installed: Installed, runs: list[runtime_cases.Run]) -> None:
        for run in runs:
            seen = installed.run(run.code)
            self.assertEqual((seen.says, seen.signal), (run.says, run.signal), (run.code, seen.complains))
            self.assertIn(run.fails, seen.last_complaint, run.code)
            self.assertEqual(seen.status != 0, bool(run.fails or run.signal), (run.code, seen.complains))

    def check_bad(self, case: runtime_cases.Case, installed: Installed) -> None:
        self.check_runs(installed, case.runs)
        code, answer = installed.answer(case)
        found = [each for each in answer["findings"] if (each["code"], each["severity"]) == (case.code, case.severity)]
        self.assertTrue(found, told(answer))
        self.assertIn(case.says, json.dumps(found))
        self.assertEqual(code, 1 if case.severity == "error" else 0)

    def check_fixed(self, case: runtime_cases.Case, installed: Installed) -> None:
        self.check_runs(installed, case.fixed_runs)
        code, answer = installed.answer(case)
        self.assertEqual([each for each in told(answer) if each[1] != "note"], [])
        self.assertEqual(code, 0, answer.get("not_known"))

    def test_each_is_predicted_and_the_fixed_version_is_silent(self) -> None:
        for case in chosen():
            with self.subTest(source=case.source):
                self.installed(case, case.wheels, self.check_bad)
            with self.subTest(fixed=case.source):
                names = {wheel.name: wheel for wheel in case.fixed}
                wheels = [names.pop(wheel.name, wheel) for wheel in case.wheels] + list(names.values())
                self.installed(case, wheels, self.check_fixed)


@unittest.skipIf(CHOSEN, "one case")
class Options(unittest.TestCase):
    """Options of `conflicts` on the wheels of the cases."""

    def setUp(self) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name).resolve()

    def tearDown(self) -> None:
        self.temporary.cleanup()

    def case(self, source: str) -> runtime_cases.Case:
        [found] = [each for each in all_cases() if source in each.source]
        return found

    def run_program(self, *words: str | pathlib.Path) -> tuple[int, str]:
        words = [PROGRAM, "conflicts", *words]
        done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout + done.stderr

    def test_other_dlopen_flags_are_played(self) -> None:
        installed = Installed(self.case("psycopg/psycopg#1097").wheels, self.folder)
        self.assertEqual(self.run_program(*installed.paths)[0], 1)
        code, text = self.run_program("--what-if", "dlopen-flags tensorflow LOCAL", *installed.paths)
        self.assertEqual(code, 0, text)
        self.assertIn("what if: dlopen-flags tensorflow LOCAL", text)

    def test_another_version_is_played(self) -> None:
        case = self.case("pytorch/pytorch#123097")
        installed = Installed(case.wheels, self.folder / "bad")
        [other] = [build(wheel, self.folder / "other") for wheel in case.fixed]
        self.assertEqual(self.run_program(*installed.paths)[0], 1)
        code, text = self.run_program("--what-if", f"replace {other}", *installed.paths)
        self.assertEqual(code, 0, text)

    def test_a_symbol_is_named_as_its_author_wrote_it(self) -> None:
        installed = Installed(self.case("NVIDIA/nv-wavenet#92").wheels, self.folder)
        _, text = self.run_program("--symbol", "at::UndefinedTensorImpl::_singleton", *installed.paths)
        self.assertIn("_ZN2at19UndefinedTensorImpl10_singletonE", text)
        self.assertIn("torch/_C.abi3.so", text)

    def test_findings_of_other_imports_are_left_out(self) -> None:
        others = Installed(self.case("NickHugi/PyKotor#3").wheels, self.folder / "one").paths  # WC542
        case = self.case("pytorch/pytorch#8036")
        [torch] = [build(wheel, self.folder / "two") for wheel in case.wheels if wheel.name == "torch"]
        code, text = self.run_program("--import", "torch", *others, torch)
        self.assertEqual((code, "WC542" in text), (0, False), text)
        code, text = self.run_program("--import", "pykotor", *others, torch)
        self.assertEqual((code, "WC542" in text), (1, True), text)

    def environment(self) -> pathlib.Path:
        """A virtual environment with a package of Python code alone, which imports a module that fails."""
        installed = Installed(self.case("pytorch/pytorch#8036").wheels, self.folder)
        venv = self.folder / "venv"
        site = venv / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
        site.parent.mkdir(parents=True)
        installed.site.rename(site)
        (venv / "pyvenv.cfg").write_text("home = /usr/bin\n")
        (venv / "bin").mkdir()
        (venv / "bin" / "python3").symlink_to(process.PYTHON)
        (site / "pure").mkdir()
        (site / "pure" / "__init__.py").write_text("import lltm\n")
        info = site / "pure-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pure\nVersion: 1.0\nRequires-Dist: lltm\n")
        (info / "RECORD").write_text("pure/__init__.py,,\npure-1.0.dist-info/METADATA,,\npure-1.0.dist-info/RECORD,,\n")
        return venv

    def test_an_environment_has_its_own_interpreter(self) -> None:
        venv = self.environment()
        self.assertIn(process.PYTHON, self.run_program("--environment", venv)[1])
        self.assertNotIn(process.PYTHON, self.run_program("--environment", venv, "--python", "shared")[1])

    def test_imports_of_python_code_alone_are_followed(self) -> None:
        code, text = self.run_program("--environment", self.environment(), "--import", "pure")
        self.assertIn("lltm._ext", text)
        self.assertEqual(code, 1, text)


if __name__ == "__main__":
    unittest.main()
