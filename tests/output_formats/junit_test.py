"""junit: Jenkins' schema, and correct counts."""

import unittest

import lxml.etree

import peer
from support import PROGRAM, WHEELS
from wheels import HOSTILE_FILE, run

SCHEMA = lxml.etree.XMLSchema(lxml.etree.parse(str(peer.schema("junit-10.xsd"))))


def suites_of(*words):
    text = run(PROGRAM, "--format", "junit", *words)
    root = lxml.etree.fromstring(text.encode())
    SCHEMA.assertValid(root)
    return root


class JUnit(unittest.TestCase):
    def assert_counts_are_true(self, suites):
        for suite in [suites, *suites]:
            self.assertEqual(int(suite.get("tests")), len(suite.findall(".//testcase")))
            self.assertEqual(int(suite.get("failures")), len(suite.findall(".//failure")))
            self.assertEqual(int(suite.get("errors")), len(suite.findall(".//error")))

    def test_a_suite_a_wheel(self):
        suites = suites_of(*WHEELS.all)
        self.assert_counts_are_true(suites)
        self.assertEqual([suite.get("name") for suite in suites], [wheel.name for wheel in WHEELS.all])
        clean, failing, unreadable = suites
        self.assertEqual((clean.get("failures"), clean.get("errors")), ("0", "0"))
        self.assertNotEqual(failing.get("failures"), "0")
        self.assertEqual((unreadable.get("tests"), unreadable.get("failures")), ("1", "1"))

    def test_fails_where_the_exit_code_does(self):
        def failed(*words):
            return {case.getparent().get("name") for case in suites_of(WHEELS.failing, *words).iter("failure")}

        self.assertEqual(failed("--fail-on", "never"), set())
        errors, warnings, notes = (failed("--fail-on", level) for level in ("error", "warning", "note"))
        self.assertTrue(errors < warnings <= notes)
        show = lxml.etree.fromstring(run(PROGRAM, "show", "--format", "junit", WHEELS.failing).encode())
        self.assertEqual(show.get("failures"), "0")

    def test_hostile_names_stay_text(self):
        suites = suites_of(*WHEELS.hostile())
        self.assert_counts_are_true(suites)
        text = "".join(suites.itertext())
        for name in (HOSTILE_FILE.replace("\u202e", "\\u{202e}"), "</script>|`@", "]]>::error::"):
            self.assertIn(name, text)
        self.assertEqual({node.tag for node in suites.iter()},
                         {"testsuites", "testsuite", "testcase", "failure", "system-out"})


if __name__ == "__main__":
    unittest.main()
