"""words: the command line and the manifest, as far as no cluster is needed."""

import json
import pathlib
import subprocess
import sys
import unittest

import made
from support import ENVIRONMENT, PROGRAM, ROOT, Fleet, fleet, manifest

sys.path.append(str(ROOT / "python"))
from wheelcheck.fleet import _batch, _fetch, _manifest, _settings  # noqa: E402


class Words(Fleet):
    def refused(self, *words, code=2):
        return fleet(*words, code=code).splitlines()[-1].removeprefix("wheelcheck-fleet: ")

    def audit(self, text, *words):
        path = self.folder / "manifest"
        path.write_text(text)
        return self.refused("audit", path, "--local", "1", "--out", self.folder / "out", "--program", PROGRAM, *words)

    def test_a_manifest_that_is_none(self):
        for text, problem in (("", "names no wheel"), ("wheel\tsha256\na.whl\tabc\n", "abc is not a SHA-256"),
                              ('{"wheel": "a.whl"}\n{"wheel": 7}\n', "names no wheel"),
                              ('{"wheel": "a.whl", "size": 7}\n', "has size; a manifest has wheel, sha256, bytes"),
                              ("wheel\tdate\na.whl\tMay\n", "May is not a date like 2026-01-31"),
                              ('{"wheel": "a\\nb.whl"}\n', "has a control character in its name"),
                              ('{"wheel"\n', "Expecting")):
            with self.subTest(text=text):
                self.assertIn(problem, self.audit(text))

    def test_words_of_the_program_are_checked_first(self):
        self.assertIn("--polish", self.audit("wheel\na.whl\n", "--", "--polish"))
        self.assertEqual(self.audit("wheel\na.whl\n", "--", "--jobs=3"), "--jobs is set by wheelcheck-fleet")
        self.assertEqual(self.audit("wheel\na.whl\n", "--", "--policy", "/absent"),
                         "/absent: cannot be read: No such file or directory")
        self.assertEqual(self.refused("report", self.folder, code=3),
                         f"{self.folder}: contains no complete audit")

    def test_without_its_packages_it_says_what_it_needs(self):
        words = [sys.executable, "-S", "-m", "wheelcheck.fleet", "report", str(self.folder)]
        done = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("needs the packages of `pip install wheelcheck[fleet]`", done.stderr)

    def test_the_manifest_of_a_directory(self):
        (path,) = made.variants(self.folder / "made", 1)
        (row,) = map(json.loads, fleet("manifest", self.folder / "made/wheels").splitlines())
        self.assertEqual((row["wheel"], row["bytes"]), (str(path), path.stat().st_size))
        self.assertNotIn("date", row)  # the wheel has the date 1980
        self.assertIn("no such file", self.refused("manifest", self.folder / "absent.whl", code=3))

    def test_the_order_of_lines_does_not_matter(self):
        rows = [{"wheel": "b/x-1-py3-none-any.whl", "sha256": "1" * 64}, {"wheel": "http://a/x-1-py3-none-any.whl"},
                {"wheel": "a/x-1-py3-none-any.whl", "sha256": "1" * 64}, {"wheel": "A_b.C-1-py3-none-any.whl"}]
        one = _manifest.read_manifest(manifest(self.folder / "one", rows))
        other = _manifest.read_manifest(manifest(self.folder / "other", rows[::-1]))
        self.assertEqual(one, other)
        self.assertEqual([item.project for item in one], ["a-b-c", "x", "x"])
        self.assertEqual(one[2].wheel, str(self.folder / "a/x-1-py3-none-any.whl"))

    def test_projects_are_names_of_directories(self):
        for file, project in (("../..-1.whl", "unnamed"), ("Foo__Bar-1.whl", "foo-bar"), ("\u00e4-1.whl", "unnamed")):
            self.assertEqual(_manifest.Item(f"/d/{file}").project, project)

    def test_batches_do_not_depend_on_what_is_done(self):
        items = [_manifest.Item(f"/d/p{number:05}-1.whl", bytes=1 + number * 1000) for number in range(3000)]
        batches = _batch.cut(items)
        self.assertEqual([item for batch in batches for item in batch.items], items)
        self.assertLessEqual(max(len(batch.items) for batch in batches), _batch.MOST_WHEELS)
        self.assertEqual(batches, _batch.cut(items))
        alone = _batch.cut([_manifest.Item("/d/a-1.whl", bytes=1 << 40), *items[:3]])
        self.assertEqual(len(alone[0].items), 1)

    def test_pip_is_asked_for_one_wheel(self):
        self.assertEqual(
            _fetch.pip_words("a-1.0_cpu-7-cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"),
            ["--platform=manylinux_2_17_x86_64", "--platform=manylinux2014_x86_64", "--abi=abi3",
             "--implementation=cp", "--python-version=39", "a==1.0+cpu"])
        for name in ("a.whl", "a-1-py3-none.whl", "a-1-;rm-py3-none-any.whl", "--index-url=x-1-cp3-none-any.whl"):
            self.assertIsNone(_fetch.pip_words(name), name)

    def test_settings_know_files_by_what_they_say(self):
        policies = ROOT / "policies"
        first = _settings.make_settings(["--policy", str(policies / "manylinux_2_17.json")], str(PROGRAM), self.folder)
        copy = pathlib.Path(self.folder, "manylinux_2_17.json")
        copy.write_bytes((policies / "manylinux_2_17.json").read_bytes())
        self.assertEqual(_settings.make_settings([f"--policy={copy}"], str(PROGRAM), self.folder), first)
        copy.write_text(copy.read_text().replace("CentOS 7", "CentOS 7 "))
        changed = _settings.make_settings([f"--policy={copy}"], str(PROGRAM), self.folder)
        self.assertNotEqual(changed.fingerprint, first.fingerprint)


if __name__ == "__main__":
    unittest.main()
