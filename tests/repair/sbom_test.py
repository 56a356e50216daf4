#!/usr/bin/env python3
"""sbom_test.py PROGRAM: the bill of materials of a wheel, alone and embedded; the official schema, pip and uv."""

import base64
import csv
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

from wheels import ROOT, SUFFIX, compile_library, extension, run, wheel

sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import peer  # noqa: E402

CYCLONEDX, UV = "11.12.0", "0.13.9"
CORE, LIBRARY, INFO = f"demo/_core{SUFFIX}", "demo.libs/libfoo-12345678.so.1", "demo-1.0.dist-info"
BILL = f"{INFO}/sboms/wheelcheck-interfaces.cdx.json"
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read())
sys.exit(None if error is None else str(error))
"""


def has_tools(python: pathlib.Path) -> bool:
    probe = [python, "-c", "import cyclonedx.validation.json, jsonschema, uv"]
    return python.is_file() and subprocess.run(probe, capture_output=True, check=False).returncode == 0


PYTHON = peer.environment(f"sbom-{CYCLONEDX}-{UV}",
                          [f"cyclonedx-python-lib[json-validation]=={CYCLONEDX}", f"uv=={UV}"], has_tools)


def packed(path):
    """By member: its packed bytes, and what the local header says of them."""
    data, out = path.read_bytes(), {}
    with zipfile.ZipFile(path) as archive:
        for one in archive.infolist():
            start = one.header_offset + 30 + sum(data[one.header_offset + at] + 256 * data[one.header_offset + at + 1]
                                                 for at in (26, 28))
            out[one.filename] = (data[start : start + one.compress_size], one.compress_type, one.date_time,
                                 one.external_attr >> 16, one.CRC)
    return out


class Sbom(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        foo = compile_library(self.folder / "build/libfoo.so.1", 'const char* foo_z(void) '
                              '{ return " deflate 1.2.13 Copyright 1995-2022 Jean-loup Gailly and Mark Adler "; }'
                              "int foo(void) { return 1; }", "-Wl,-soname,libfoo-12345678.so.1")
        core = extension(self.folder / "build/core.so", foo, "-Wl,-rpath,$ORIGIN/../demo.libs", needs="foo()")
        self.wheel = wheel(self.folder, {CORE: core, LIBRARY: foo, "demo/__init__.py": "x = 1\n" * 99})

    def embedded(self, source=None, to="out"):
        source = source or self.wheel
        done = run("sbom", source, "--embed", self.folder / to)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"with {BILL}", done.stdout)
        return self.folder / to / source.name if not to.endswith(".whl") else self.folder / to

    def validate(self, text):
        done = subprocess.run([PYTHON, "-c", VALIDATE], input=text, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def findings(self, path):
        [one] = json.loads(run("check", path, "--format=json").stdout)["wheels"]
        return one["claims"], one["failed"], [each for each in one["findings"] if each["code"] != "WC711"]

    def test_the_bill_lists_libraries_and_floors(self):
        text = run("sbom", self.wheel).stdout
        self.validate(text)
        bill = json.loads(text)
        self.assertEqual(bill["specVersion"], "1.6")
        named = {one["name"]: one for one in bill["components"]}
        self.assertEqual(named["zlib"]["version"], "1.2.13")
        self.assertEqual(named["zlib"]["evidence"]["occurrences"][0]["location"], LIBRARY)
        with zipfile.ZipFile(self.wheel) as archive:
            digest = hashlib.sha256(archive.read(LIBRARY)).hexdigest()
        self.assertEqual(named[LIBRARY]["hashes"], [{"alg": "SHA-256", "content": digest}])
        properties = {one["name"]: one["value"] for one in bill["metadata"]["component"]["properties"]}
        self.assertEqual(properties["wheelcheck:requires:python:CPython"], ">=3.11,<3.12")
        self.assertEqual(properties["wheelcheck:requires:python:CPython:evidence"], f"{CORE}: {SUFFIX}")

    def test_only_the_bill_and_record_change(self):
        new = self.embedded()
        before, after = packed(self.wheel), packed(new)
        self.assertEqual(set(after) - set(before), {BILL})
        changed = {name for name in before if before[name] != after[name]}
        self.assertEqual(changed, {f"{INFO}/RECORD"})
        with zipfile.ZipFile(new) as archive:
            self.assertEqual(archive.namelist()[-1], f"{INFO}/RECORD")
            rows = {row[0]: row[1:] for row in csv.reader(archive.read(f"{INFO}/RECORD").decode().splitlines())}
            bill = archive.read(BILL)
        digest = base64.urlsafe_b64encode(hashlib.sha256(bill).digest()).rstrip(b"=").decode()
        self.assertEqual(rows[BILL], [f"sha256={digest}", str(len(bill))])
        self.assertEqual(set(rows), set(after))
        self.assertEqual(bill.decode(), run("sbom", self.wheel).stdout)
        self.validate(bill.decode())

    def test_equal_bytes_whatever_the_name(self):
        new = self.embedded().read_bytes()
        self.assertEqual(self.embedded(to="again").read_bytes(), new)
        self.assertEqual(self.embedded(to="other.whl").read_bytes(), new)
        self.assertEqual(self.embedded(self.folder / "out" / self.wheel.name, "twice").read_bytes(), new)

    def test_check_answers_as_before(self):
        self.assertIn("WC711", run("check", "-v", self.wheel).stdout)
        new = self.embedded()
        self.assertEqual(self.findings(new), self.findings(self.wheel))
        self.assertNotIn("WC711", run("check", "-v", new).stdout)

    def test_pip_and_uv_install_it(self):
        new = self.embedded()
        for number, command in enumerate((["pip", "install", "--no-index"], ["uv", "pip", "install", "--no-index"])):
            site = self.folder / f"site{number}"
            done = subprocess.run([PYTHON, "-m", *command, "--no-deps", "--target", site, new], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((site / BILL).is_file())

    def test_a_wheel_without_libraries(self):
        pure = wheel(self.folder, {"demo/__init__.py": ""}, tag="py3-none-any")
        new = self.embedded(pure)
        with zipfile.ZipFile(new) as archive:
            self.validate(archive.read(BILL).decode())
        self.assertNotIn("WC716", run("check", "-v", new).stdout)

    def test_a_record_that_is_wrong_is_not_written_anew(self):
        wrong = wheel(self.folder, {"demo/__init__.py": ""}, tag="py3-none-any", record="demo/gone.py,,\n")
        done = run("sbom", wrong, "--embed", self.folder / "out")
        self.assertEqual(done.returncode, 2)
        self.assertIn("RECORD does not describe the wheel", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_signed_record_stays(self):
        signed = wheel(self.folder, {"demo/__init__.py": "", f"{INFO}/RECORD.jws": "{}"}, tag="py3-none-any")
        done = run("sbom", signed, "--embed", self.folder / "out")
        self.assertEqual(done.returncode, 2)
        self.assertIn("RECORD", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
