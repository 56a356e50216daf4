#!/usr/bin/env python3
"""release_test.py PROGRAM: holes in lists of file names, and differences between small wheels of one release."""

import io
import json
import pathlib
import subprocess
import tarfile
import tempfile
import unittest

from documents_test import PROGRAM, metadata, wheel_file, write_wheel

LINUX = ("manylinux_2_17_x86_64", "manylinux_2_17_aarch64", "musllinux_1_2_x86_64")
ALL = (*LINUX, "macosx_10_13_x86_64", "macosx_11_0_arm64", "win_amd64")
PYTHONS = ("cp310-cp310", "cp311-cp311", "cp312-cp312", "cp313-cp313")


def names(version, pythons=PYTHONS, platforms=ALL, project="app"):
    return [f"{project}-{version}-{python}-{platform}.whl" for python in pythons for platform in platforms]


class Release(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_release(self, *words):
        return subprocess.run([PROGRAM, "release", "--no-config", *map(str, words)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=120, cwd=self.folder)

    def document(self, *words):
        done = self.run_release("--format", "json", *words)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["failed"], done.returncode == 1)
        return document

    def said(self, *words):
        return [(one["severity"], one["message"]) for one in self.document(*words)["findings"]]

    def list_file(self, name, files):
        (self.folder / name).write_text("\n".join(files) + "\n")
        return name

    def index(self, name, files, **more):
        (self.folder / name).write_text(json.dumps({"files": [{"filename": file, **more} for file in files]}))
        return name

    def holes(self, now, old=()):
        words = [self.list_file("now.txt", now)]
        if old:
            words += ["--previous", self.list_file("old.txt", old)]
        return self.said(*words)

    # --- holes ----------------------------------------------------------------------------------------------------

    def test_the_same_wheels_and_new_pythons_are_no_holes(self):
        self.assertEqual(self.holes(names("1.1"), names("1.0")), [])
        self.assertEqual(self.holes(names("1.1", (*PYTHONS, "cp314-cp314", "cp314-cp314t")), names("1.0")), [])
        self.assertEqual(self.holes(names("1.0")), [])

    def test_one_wheel_is_missing(self):
        now = names("1.1")
        now.remove("app-1.1-cp312-cp312-musllinux_1_2_x86_64.whl")
        [found] = self.document(self.list_file("now.txt", now), "--previous",
                                self.list_file("old.txt", names("1.0")))["findings"]
        self.assertEqual((found["severity"], found["message"]),
                         ("error", "no wheel for CPython 3.12 on musllinux x86_64; 1.0 has one"))
        self.assertEqual(found["fix"], "build and upload it: `cibuildwheel --only cp312-musllinux_x86_64`")
        self.assertEqual(found["wheels"], ["app-1.0-cp312-cp312-musllinux_1_2_x86_64.whl"])
        # Without the release before: the only gap between the oldest and the newest Python.
        self.assertEqual(self.holes(now),
                         [("error", "no wheel for CPython 3.12 on musllinux x86_64; older and newer Pythons have one")])

    def test_gaps_at_the_ends_or_several_gaps_are_no_holes_without_a_release_before(self):
        some = names("1.0", platforms=LINUX[:2])
        self.assertEqual(self.holes(some + names("1.0", PYTHONS[:2], ("musllinux_1_2_x86_64",))), [])
        self.assertEqual(self.holes(some + names("1.0", PYTHONS[2:], ("win_arm64",))), [])
        five = (*PYTHONS, "cp314-cp314")
        self.assertEqual(self.holes(names("1.0", five, LINUX[:2]) + names("1.0", five[::4], ("win32",))), [])

    def test_a_platform_is_gone(self):
        [(severity, text)] = self.holes(names("1.1", platforms=ALL[:2] + ALL[3:]), names("1.0"))
        self.assertEqual((severity, text), ("error", "no wheel for musllinux x86_64; 1.0 has 4 wheels"))
        # pip takes the other wheel instead.
        pure = ["app-1.1-py3-none-any.whl"]
        [(severity, _)] = self.holes(names("1.1", platforms=ALL[:2] + ALL[3:]) + pure, names("1.0") + pure)
        self.assertEqual(severity, "warning")

    def test_a_python_is_gone(self):
        now, old = names("1.1", PYTHONS[1:]), names("1.0")
        old = ["--previous", self.list_file("old.txt", old)]
        self.assertEqual(self.said(self.index("now.json", now, **{"requires-python": ">=3.11"}), *old), [])
        self.assertEqual(self.said(self.index("now.json", now, requires_python=">=3.10,<4"), *old),
                         [("error", "no wheel for CPython 3.10; 1.0 has 6 wheels, and Requires-Python admits it")])
        self.assertEqual(self.said(self.list_file("now.txt", now), *old),
                         [("warning", "no wheel for CPython 3.10; 1.0 has 6 wheels, and Requires-Python is not known")])

    def test_a_free_threaded_wheel_in_place_of_the_ordinary_one(self):
        now = names("1.1", PYTHONS[:3]) + names("1.1", ("cp313-cp313t",))
        [(severity, text)] = self.holes(now, names("1.0", PYTHONS[:3]))
        self.assertEqual(severity, "error")
        self.assertRegex(text, "^no wheel for CPython 3.13 on .*, only for CPython 3.13t$")
        # It is there in another form.
        self.assertEqual(self.holes(names("1.0", ("cp310-abi3", "cp313-cp313t", "cp314-cp314t"))), [])
        # The later build takes the place of the earlier one.
        [(severity, text)] = self.holes(names("1.1", (*PYTHONS, "cp314-cp314", "cp314-cp314t")),
                                        names("1.0", (*PYTHONS, "cp313-cp313t")))
        self.assertEqual((severity, text), ("note", "no wheel for CPython 3.13t; 1.0 has 6 wheels"))

    def test_wheels_for_several_pythons_cover_the_later_ones(self):
        self.assertEqual(self.holes(names("1.1", ("cp310-abi3",)), names("1.0")), [])
        self.assertEqual(self.holes(names("1.1", ("py3-none",)), names("1.0", ("cp310-abi3",))), [])
        self.assertIn(("warning", "no wheel for all later Pythons; 1.0 has 6 wheels, and Requires-Python is not known"),
                      self.holes(names("1.1"), names("1.0", ("cp310-abi3",))))

    def test_a_floor_rises(self):
        new = ("manylinux_2_28_x86_64", *ALL[1:])
        self.assertEqual(self.holes(names("1.1", platforms=new), names("1.0")),
                         [("warning", "manylinux x86_64 of CPython 3.10, 3.11, 3.12, 3.13: glibc 2.28, in 1.0 2.17")])
        # A second wheel for the older level is there.
        self.assertEqual(self.holes(names("1.1", platforms=new) + names("1.1", platforms=ALL[:1]), names("1.0")), [])
        # One wheel alone: scipy/scipy#21424
        mixed = names("1.1")
        mixed[mixed.index("app-1.1-cp312-cp312-macosx_10_13_x86_64.whl")] = "app-1.1-cp312-cp312-macosx_14_0_x86_64.whl"
        self.assertEqual(self.holes(mixed, names("1.0")),
                         [("error", "macosx x86_64 of CPython 3.12: 14.0, in 1.0 10.13; the wheels of older and newer "
                                    "Pythons require less")])

    def test_reports(self):
        # serapeum-org/pyramids#453
        linux, mac = ("manylinux_2_39_x86_64", "manylinux_2_39_aarch64"), ("macosx_11_0_arm64", "macosx_11_0_x86_64")
        three = names("0.27.0", PYTHONS[1:], (*linux, *mac, "win_amd64"), "pyramids_gis")
        self.assertEqual(self.holes(three + names("0.27.0", ("cp314-cp314",), mac, "pyramids_gis")),
                         [("warning", "no wheel for CPython 3.14 on manylinux x86_64, manylinux aarch64, win_amd64; "
                                      "all other Pythons of this release have one")])
        # apache/fory#2527: 10 of 30 wheels; those of two Pythons
        platforms = ("macosx_10_13_x86_64", "macosx_14_0_arm64", *LINUX[:2], "win_amd64")
        six = ("cp38-cp38", "cp39-cp39", *PYTHONS)
        found = self.holes(names("0.12.1a3", six[4:], platforms), names("0.12.0a2", six, platforms))
        self.assertEqual([text.partition(";")[0] for _, text in found],
                         [f"no wheel for CPython 3.{minor}" for minor in (8, 9, 10, 11)])

    def test_lists(self):
        page = names("0.9", PYTHONS[:1]) + names("1.0") + names("1.1", PYTHONS[1:]) + names("2.0a1", PYTHONS[:1])
        index = self.index("page.json", [*page, "app-1.1.tar.gz"], size=5)
        document = self.document(index, "--previous", index)
        self.assertEqual((document["release"], document["previous"]), ("1.1", "1.0"))
        self.assertEqual(document["sizes"][0]["new"], 5)
        old = {"releases": {"1.0": [{"filename": name} for name in names("1.0")]}, "urls": []}
        (self.folder / "old.json").write_text(json.dumps(old))
        self.assertEqual(self.document(index, "--previous", "old.json")["previous"], "1.0")
        for text in ("{", "[]", '{"files": 1}', '{"files": [{"filename": 1}, 2]}', "\n", "app-1.0.tar.gz\n"):
            (self.folder / "bad.json").write_text(text)
            self.assertIn(self.run_release("bad.json").returncode, (2, 3), text)
        self.assertEqual(self.run_release(index, "--previous", self.list_file("new.txt", names("1.1"))).returncode, 2)
        self.assertEqual(self.run_release("missing").returncode, 3)
        self.assertEqual(self.run_release(index, "--sdist", "missing.tar.gz").returncode, 3)

    def test_mixed_versions(self):
        found = self.holes(names("1.1") + names("1.0", PYTHONS[:1], LINUX[:1]) + ["app-1.1.whl"])
        self.assertEqual([severity for severity, _ in found], ["error", "error"])
        self.assertIn("1 wheel of app-1.0 beside app-1.1: app-1.0-cp310-cp310-manylinux_2_17_x86_64.whl",
                      [text for _, text in found])

    # --- contents -------------------------------------------------------------------------------------------------

    def wheel(self, where, platform, python="cp311-cp311", version="1.0", requires="", **files):
        """A wheel with the package app; names of files have __ in place of the dot."""
        info = f"app-{version}.dist-info"
        members = {"app/__init__.py": b"", f"{info}/METADATA": metadata("app", version) + requires.encode(),
                   f"{info}/WHEEL": wheel_file("true", f"{python}-{platform}")}
        members |= {f"app/{name.replace('__', '.')}": data for name, data in files.items()}
        write_wheel(self.folder / where / f"app-{version}-{python}-{platform}.whl", info, members)

    def three(self, odd, **usual):
        for platform in LINUX[:2]:
            self.wheel("dist", platform, **usual)
        self.wheel("dist", LINUX[2], **{**usual, **odd})
        return [(one["severity"], one["topic"], one["message"].partition(":")[0], one["wheels"])
                for one in self.document("dist")["findings"]]

    def test_equal_wheels(self):
        self.assertEqual(self.three({}, core__py=b"x = 1\n"), [])

    def test_other_content(self):
        usual, odd = (f"app-1.0-cp311-cp311-{platform}.whl" for platform in LINUX[1:])
        for difference, expected in (
                ({"core__py": b"x = 2\n"}, ("warning", "content", "1 Python file")),
                ({"more__py": b"x = 2\n"}, ("warning", "content", "1 Python file")),
                ({"requires": "Requires-Dist: numpy>=2\n"},
                 ("error", "metadata", "Requires-Dist differs (numpy>=1 / numpy>=2)")),
                ({"requires": "Requires-Dist: numpy>=1\nRequires-Python: >=3.9\n"},
                 ("error", "metadata", "Requires-Python differs")),
                ({"requires": "Requires-Dist: numpy>=1\nLicense: MIT\n"},
                 ("warning", "metadata", "the licence differs")),
                ({"requires": "Requires-Dist: numpy>=1\nSummary: x\n"}, ("warning", "metadata", "METADATA differs"))):
            with self.subTest(difference):
                found = self.three(difference, core__py=b"x = 1\n", requires="Requires-Dist: numpy>=1\n")
                self.assertEqual(found, [(*expected, [usual, odd])])

    def test_what_a_build_writes_or_chooses_is_a_note(self):
        for number, platform in enumerate(LINUX):
            self.wheel("dist", platform, config__py=b"x = %d\n" % number, __config____py=b"y = %d\n" % number)
        self.assertEqual([severity for severity, _ in self.said("dist")], ["note"])
        for python in ("cp311-cp311", "cp312-cp312"):
            for platform in LINUX[:2]:
                self.wheel("chosen", platform, python, compat__py=python.encode())
        self.assertEqual([severity for severity, _ in self.said("chosen")], ["note"])

    def test_growth(self):
        self.wheel("dist", LINUX[0], version="1.1", data__bin=bytes(3_000_000))
        self.wheel("old", LINUX[0], data__bin=bytes(1_500_000))
        [found] = self.document("dist", "--previous", "old")["findings"]
        self.assertEqual((found["severity"], found["topic"], found["members"]), ("warning", "growth", ["app/data.bin"]))
        self.wheel("dist", LINUX[0], version="1.1", data__bin=bytes(1_600_000))
        self.assertEqual(self.said("dist", "--previous", "old"), [])

    def test_sdist(self):
        self.wheel("dist", LINUX[0], there__json=b"{}")
        with tarfile.open(self.folder / "app-1.0.tar.gz", "w:gz") as sdist:
            for name in ("setup.py", "src/app/__init__.py", "src/app/there.json", "src/app/table.json",
                         "src/app/py.typed", "src/app/_speed.c", "tests/data.json", "src/app/tests/data.json"):
                sdist.addfile(tarfile.TarInfo("app-1.0/" + name), io.BytesIO())
        self.assertEqual(self.said("dist", "--sdist", "app-1.0.tar.gz"),
                         [("warning", "no wheel contains app/py.typed, which the sdist has"),
                          ("note", "no wheel contains app/table.json, which the sdist has")])
        (self.folder / "broken.tar.gz").write_bytes(b"x" * 2000)
        self.assertEqual(self.run_release("dist", "--sdist", "broken.tar.gz").returncode, 2)

    def test_errors_of_check_fail_the_release(self):
        self.wheel("dist", LINUX[0])
        (self.folder / "dist/app-1.0-cp312-cp312-win_amd64.whl").write_bytes(b"")  # is not opened
        self.assertEqual(self.run_release("dist").returncode, 0)
        (self.folder / "dist/app-1.0-cp312-cp312-musllinux_1_2_x86_64.whl").write_bytes(b"")
        self.assertNotEqual(self.run_release("dist").returncode, 0)

    def test_a_wheel_of_the_release_before_that_cannot_be_read(self):
        for platform in LINUX[:2]:
            self.wheel("dist", platform, version="1.1")
            self.wheel("old", platform)
        self.assertEqual(self.run_release("dist", "--previous", "old").returncode, 0)
        broken = f"app-1.0-cp311-cp311-{LINUX[1]}.whl"
        (self.folder / "old" / broken).write_bytes(b"PK")
        done = self.run_release("dist", "--previous", "old")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"old/{broken}", done.stderr)
        self.assertIn("FAILED: 0 errors, 0 warnings, 0 notes; 1 wheel could not be read", done.stdout)

    def test_growth_by_section(self):
        for version, size in (("1.0", 1_500_000), ("1.1", 4_000_000)):
            source = self.folder / "large.c"
            source.write_text(f"const char table[{size}] = {{1}};\n")
            subprocess.run(["gcc", "-shared", "-nostdlib", "-o", self.folder / "large.so", source], check=True)
            self.wheel("dist" if version == "1.1" else "old", LINUX[0], version=version,
                       large__so=(self.folder / "large.so").read_bytes())
        document = self.document("dist", "--previous", "old")
        [found] = [one for one in document["findings"] if one["topic"] == "growth"]
        self.assertIn("; sections: .rodata (+2.5 MB)", found["message"])
        [size] = document["sizes"]
        self.assertEqual({"name": ".rodata", "old": 1_500_000, "new": 4_000_000}, size["grown_sections"][0])
        self.assertEqual(size["grown_gpu_code"], [])
        diff = self.folder / "diff.json"
        subprocess.run([PROGRAM, "diff", "--no-config", "--format", "json", "-o", diff, *self.folder.glob("old/*"),
                        *self.folder.glob("dist/*")], check=True)
        sizes = json.loads(diff.read_text())["sizes"]
        library = next(one["bytes"] for one in sizes["members"] if one["path"]["new"] == "app/large.so")
        for side in ("old", "new"):
            self.assertEqual(sum(one["bytes"][side] for one in sizes["sections"]), library[side])

    def test_sarif(self):
        def log(version, before):
            now = names(version)[:-1]
            done = self.run_release("--format", "sarif", self.list_file("now.txt", now), "--previous",
                                    self.list_file("old.txt", names(before)))
            self.assertEqual(done.returncode, 1)
            return json.loads(done.stdout)["runs"][0]

        [result] = log("1.1", "1.0")["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("release-hole", "error"))
        self.assertRegex(result["message"]["text"], "^no wheel for CPython 3.13 on win_amd64; 1.0 has one\nfix: build")
        self.assertEqual(result["properties"]["wheels"], ["app-1.0-cp313-cp313-win_amd64.whl"])
        [later] = log("2.1", "2.0")["results"]
        self.assertEqual(result["partialFingerprints"], later["partialFingerprints"])
        [rule] = log("1.1", "1.0")["tool"]["driver"]["rules"]
        self.assertEqual((rule["id"], rule["name"]), ("release-hole", "ReleaseHole"))
        # Wheels that check fails or that cannot be read.
        self.wheel("dist", LINUX[0], there__so=b"\x7fELF")
        (self.folder / "dist/app-1.0-cp312-cp312-musllinux_1_2_x86_64.whl").write_bytes(b"")
        done = self.run_release("--format", "sarif", "dist")
        run = json.loads(done.stdout)["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for one in run["results"]:
            self.assertEqual(rules[one["ruleIndex"]], one["ruleId"])
        self.assertIn("WC703", rules)
        self.assertEqual(run["invocations"][0]["exitCode"], done.returncode)
        self.assertRegex(self.run_release("dist").stdout, "\nFAILED: .*; 1 wheel could not be read\n$")

    def test_text_and_markdown(self):
        now = names("1.1")[:-1]
        words = [self.list_file("now.txt", now), "--previous", self.list_file("old.txt", names("1.0"))]
        text = self.run_release(*words).stdout
        self.assertRegex(text, r"^app 1.1: 23 wheels; 1.0 has 24\n\nerror     no wheel for CPython 3.13 on win_amd64")
        self.assertRegex(text, r"\n  manylinux x86_64 +2.17 +2.17 +2.17 +2.17\n")
        self.assertRegex(text, r"\nFAILED: 1 error, 0 warnings, 0 notes\n$")
        self.assertIn("| win_amd64 | yes | yes | yes | - |", self.run_release("--format", "markdown", *words).stdout)


if __name__ == "__main__":
    unittest.main()
