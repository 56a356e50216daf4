"""corpus: validates the SARIF log and the SBOM of every real wheel with the schemas, reads SARIF with a third-party
library, compares the fingerprints of two releases of a project, and checks the libraries in the SBOMs."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from sarif import loader
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from sarif_test import Sarif, log_of, prints
from support import PROGRAM
from wheels import ROOT, run

sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import corpus  # noqa: E402

FETCHED = corpus.fetched()
# Additional wheels, downloaded when this test runs: later releases, and a wheel with many bundled libraries.
LATER = ["llvmlite-0.50.0", "opencv_python_headless"]
LARGE = {}


def setUpModule():
    done = subprocess.run([sys.executable, ROOT / "tests/corpus/fetch.py", "--large", *LATER], check=False,
                          env=dict(os.environ), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    for recipe in corpus.recipes(LATER, corpus.LARGE):
        LARGE[recipe.file.split("-")[0]] = recipe.path


def wheel(name):
    (found,) = [recipe.path for recipe in FETCHED if recipe.file.startswith(name)]
    return found


def libraries(path):
    bom = json.loads(run(PROGRAM, "--format", "cyclonedx", path))
    return {(one["name"], one.get("version")) for one in bom["components"] if one["type"] == "library"}


class Corpus(Sarif):
    def test_schema_and_github(self):
        for recipe in FETCHED:
            with self.subTest(recipe.file):
                log = log_of(recipe.path)
                self.assert_fits_schema(log)
                self.assert_github_takes(log)

    def test_one_log_of_all_is_what_others_read(self):
        log = log_of(*(recipe.path for recipe in FETCHED))
        self.assert_fits_schema(log)
        self.assert_github_takes(log)
        results = log["runs"][0]["results"]
        with tempfile.NamedTemporaryFile("w", suffix=".sarif") as file:
            json.dump(log, file)
            file.flush()
            records = loader.load_sarif_file(file.name).get_records()
        self.assertEqual([(one["Code"], one["Severity"]) for one in records],
                         [(one["ruleId"], one["level"]) for one in results])
        self.assertGreater(len(records), 50)
        self.assertEqual({one["Location"] for one in records}, {"pyproject.toml"})

    def test_fingerprints_outlive_a_release(self):
        for old, new in ((wheel("llvmlite-0.43.0"), LARGE["llvmlite"]),):
            before, after = log_of(old), log_of(new)
            rules = set(prints(before).values()) & set(prints(after).values())
            both = prints(before).items() & prints(after).items()
            self.assertTrue(rules)
            # If a rule has one result in each release, it must be the same result.
            for rule in rules:
                if [*prints(before).values()].count(rule) == [*prints(after).values()].count(rule) == 1:
                    self.assertIn(rule, {of for _, of in both})
            self.assertTrue(both)

    def test_boms_fit_the_schema(self):
        validator = JsonStrictValidator(SchemaVersion.V1_6)
        for recipe in FETCHED:
            with self.subTest(recipe.file):
                self.assertIsNone(validator.validate_str(run(PROGRAM, "--format", "cyclonedx", recipe.path)))

    def test_boms_name_what_is_bundled(self):
        self.assertLessEqual({("OpenSSL", "3.5.8"), ("MIT Kerberos", "1.15.1"), ("libpq (PostgreSQL)", None),
                              ("OpenLDAP", None), ("Cyrus SASL", None), ("PCRE", None)},
                             libraries(wheel("psycopg2_binary")))
        self.assertLessEqual({("OpenCV", "5.0.0"), ("FFmpeg", "8.1.1"), ("libaom", None), ("libpng", "1.6.58"),
                              ("OpenBLAS", "0.3.15"), ("OpenSSL", "1.1.1k"), ("libvpx", None), ("libavif", None)},
                             libraries(LARGE["opencv_python_headless"]))


del Sarif

if __name__ == "__main__":
    unittest.main()
