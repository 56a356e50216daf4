"""sarif: the official schema, GitHub's additional requirements, and fingerprints that stay the same in the next
release."""

import json
import re
import unittest
import urllib.parse

import jsonschema

import peer
from support import PROGRAM, WHEELS
from wheels import run

SCHEMA = json.loads(peer.schema("sarif-2.1.0-rtm.4.json").read_text(encoding="utf-8"))


def log_of(*words, code=None):
    return json.loads(run(PROGRAM, "--format", "sarif", *words, code=code))


def prints(log):
    """fingerprint -> rule"""
    return {one["partialFingerprints"]["primaryLocationLineHash"]: one["ruleId"] for one in log["runs"][0]["results"]}


class Sarif(unittest.TestCase):
    def assert_fits_schema(self, log):
        validator = jsonschema.validators.validator_for(SCHEMA)(SCHEMA, format_checker=jsonschema.FormatChecker())
        self.assertEqual([f"{list(e.path)}: {e.message}" for e in validator.iter_errors(log)], [])

    # https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support
    def assert_github_takes(self, log):
        (one,) = log["runs"]
        rules = one["tool"]["driver"]["rules"]
        self.assertLessEqual(len(one["results"]), 5000)
        self.assertEqual([rule["id"] for rule in rules], sorted({rule["id"] for rule in rules}))
        for rule in rules:
            for key in ("shortDescription", "fullDescription"):
                self.assertTrue(0 < len(rule[key]["text"]) <= 1024, rule["id"])
            self.assertTrue(rule["help"]["text"] and rule["help"]["markdown"])
            self.assertLessEqual(len(rule["properties"]["tags"]), 10)
            self.assertIn(rule["properties"]["precision"], ("very-high", "high", "medium", "low"))
            self.assertIn(rule["properties"]["problem.severity"], ("error", "warning", "recommendation"))
            severity = rule["properties"].get("security-severity")
            if severity is not None:
                self.assertTrue(0 < float(severity) <= 10)
                self.assertIn("security", rule["properties"]["tags"])
        for result in one["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertTrue(result["message"]["text"])
            self.assertTrue(result["partialFingerprints"]["primaryLocationLineHash"])
            (location,) = result["locations"]
            # If the location changed, GitHub would open a new alert for the same result.
            self.assertEqual(location["physicalLocation"]["artifactLocation"]["uri"], "pyproject.toml")
            uri = result["analysisTarget"]["uri"]
            self.assertEqual(urllib.parse.urlsplit(uri)[:2], ("", ""))
            self.assertNotIn("/", uri)
            self.assertRegex(uri, r"^([A-Za-z0-9._~-]|%[0-9A-F]{2})+$")
            self.assertEqual(set(location["physicalLocation"]["region"]),
                             {"startLine", "startColumn", "endLine", "endColumn"})

    def test_schema_and_github(self):
        for words in (WHEELS.all, [WHEELS.clean], [WHEELS.failing], [WHEELS.unreadable], WHEELS.hostile()):
            log = log_of(*words)
            self.assert_fits_schema(log)
            self.assert_github_takes(log)

    def test_of_a_release(self):
        names = WHEELS.folder / "names.txt"
        names.write_text("\n".join(f"app-1.1-{tag}-{tag}-manylinux_2_17_x86_64.whl" for tag in ("cp310", "cp312"))
                         + "\napp-1.1-cp311-cp311t-manylinux_2_17_x86_64.whl\napp-1.0-py3-none-any.whl\n")
        for words in ([names], [WHEELS.failing.parent]):
            log = json.loads(run(PROGRAM, "release", "--format", "sarif", *words))
            self.assertTrue(log["runs"][0]["results"])
            self.assert_fits_schema(log)
            for one in log["runs"][0]["tool"]["driver"]["rules"]:
                self.assertTrue(one["shortDescription"]["text"] and one["help"]["markdown"])

    def test_a_broken_schema_would_be_seen(self):
        log = log_of(WHEELS.failing)
        log["runs"][0]["results"][0]["level"] = "fatal"
        with self.assertRaises(AssertionError):
            self.assert_fits_schema(log)

    def test_says_how_the_run_ended(self):
        for words, code, good in (([WHEELS.clean], 0, True), ([WHEELS.failing], 1, True), (WHEELS.all, 1, True),
                                  ([WHEELS.folder / "missing.whl"], 3, False),
                                  ([WHEELS.failing, "--fail-on", "never"], 0, True)):
            (invocation,) = log_of(*words, code=code)["runs"][0]["invocations"]
            self.assertEqual((invocation["exitCode"], invocation["executionSuccessful"]), (code, good))
        (note,) = invocation_notes(log_of(WHEELS.folder / "missing.whl"))
        self.assertEqual((note["level"], note["descriptor"]["id"]), ("error", "not-found"))
        self.assertIn("missing.whl", note["message"]["text"])

    def test_a_refused_wheel_is_a_result(self):
        run_of = log_of(*WHEELS.all)["runs"][0]
        self.assertNotIn("toolExecutionNotifications", run_of["invocations"][0])
        (result,) = (one for one in run_of["results"] if one["ruleId"] == "WC703")
        self.assertEqual(run_of["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], "WC703")
        self.assertEqual(result["level"], "error")
        self.assertIn(WHEELS.unreadable.name, result["message"]["text"])

    def test_the_member_stands_in_the_message_and_beside_it(self):
        results = log_of(WHEELS.failing)["runs"][0]["results"]
        placed = [one for one in results if "logicalLocations" in one["locations"][0]]
        self.assertTrue(placed)
        for one in placed:
            (logical,) = one["locations"][0]["logicalLocations"]
            path = logical["fullyQualifiedName"].removeprefix(WHEELS.failing.name + "::")
            self.assertIn(path, one["message"]["text"].split("\n")[0])

    def test_no_name_is_a_link_or_a_placeholder(self):
        for one in log_of(*WHEELS.hostile())["runs"][0]["results"]:
            text = one["message"]["text"]
            self.assertIsNone(re.search(r"(?<!\\)\]\(", text), text)
            self.assertIsNone(re.search(r"[{}]", text.replace("{{", "").replace("}}", "")), text)
            self.assertIsNone(re.search("[\u202a-\u202e\x00-\x09\x0b-\x1f]", text), text)

    def test_fingerprints_outlive_a_release(self):
        old, new = prints(log_of(WHEELS.failing)), prints(log_of(WHEELS.next_release()))
        self.assertGreater(len(old), 5)
        self.assertEqual(old, new)

    def test_fingerprints_tell_findings_and_projects_apart(self):
        log = log_of(WHEELS.failing)
        self.assertEqual(len(prints(log)), len(log["runs"][0]["results"]))
        others = log_of(WHEELS.many(1))
        self.assertEqual(set(prints(log)) & set(prints(others)), set())

    def test_no_more_results_than_are_kept(self):
        folder = WHEELS.many(700)
        log = log_of(folder)
        self.assert_github_takes(log)
        self.assertEqual(len(log["runs"][0]["results"]), 5000)
        levels = [one["level"] for one in log["runs"][0]["results"]]
        self.assertEqual(levels, sorted(levels, key=["error", "warning", "note"].index))
        (note,) = invocation_notes(log)
        self.assertRegex(note["message"]["text"], r"^\d+ more findings are not in this log$")


def invocation_notes(log):
    return log["runs"][0]["invocations"][0]["toolExecutionNotifications"]


if __name__ == "__main__":
    unittest.main()
