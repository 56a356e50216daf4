"""A repeated --format writes several reports in one run."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import PROGRAM, WHEELS

FORMATS = ["auditwheel-json", "concise", "cyclonedx", "full", "github", "html", "json", "json-lines", "junit",
           "markdown", "rows", "sarif"]


def ended(*words):
    return subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          timeout=120)


class Options(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_every_format_in_one_run_is_what_it_is_alone(self):
        words = [word for name in FORMATS for word in ("--format", f"{name}={self.folder / name}")]
        done = ended(*WHEELS.all, *words)
        # The last line, where no report goes to stdout.
        self.assertEqual((done.returncode, done.stdout), (1, ended(*WHEELS.all, "--quiet").stdout))
        self.assertEqual(re.findall(rb"^wrote .*/(.*) \((\d+) findings\)$", done.stderr, re.MULTILINE)[0][0],
                         FORMATS[0].encode())
        for name in FORMATS:
            self.assertEqual((self.folder / name).read_bytes(), ended(*WHEELS.all, "--format", name).stdout, name)

    def test_one_beside_them_goes_to_stdout(self):
        done = ended(WHEELS.failing, "--format", f"sarif={self.folder / 'a'}", "--format", "github")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.startswith(b"::error "))
        self.assertEqual(json.loads((self.folder / "a").read_bytes())["version"], "2.1.0")
        done = ended(WHEELS.failing, "--format", f"json={self.folder / 'b'}", "--format=junit", "-o", self.folder / "c")
        self.assertEqual(done.stdout, ended(WHEELS.failing, "--quiet").stdout)
        self.assertTrue((self.folder / "c").read_bytes().startswith(b"<?xml "))

    def test_what_cannot_be_meant(self):
        for words in (["--format", "sarif", "--format", "json"], ["--format", "none"], ["--format", "sarif="],
                      ["--format", "none=x"], ["--format", f"sarif={self.folder / 'a'}", "-o", self.folder / "b"]):
            done = ended(WHEELS.failing, *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertTrue(done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [], words)

    def test_a_place_that_cannot_be_written(self):
        done = ended(WHEELS.clean, "--format", f"sarif={self.folder / 'none' / 'x'}")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cannot write", done.stderr)

    def test_the_same_bytes_whatever_the_threads(self):
        for name in FORMATS:
            texts = {ended(*WHEELS.all, *WHEELS.hostile(), "--format", name, "-j", jobs).stdout for jobs in (1, 7)}
            self.assertEqual(len(texts), 1, name)


if __name__ == "__main__":
    unittest.main()
