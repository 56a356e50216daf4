"""github: the output is parsed as the runner does (actions/runner, ActionCommand.cs) and stays within the limits of a
step."""

import re
import unittest

from support import PROGRAM, WHEELS
from wheels import run

COMMAND = re.compile(r"^::(error|warning|notice) ([^:]*)::(.*)$")


def decoded(text, also=()):
    for code, char in (("%0D", "\r"), ("%0A", "\n"), *also, ("%25", "%")):
        text = text.replace(code, char)
    return text


def annotations(text):
    """The annotations, and the other lines."""
    found, others = [], []
    for line in text.splitlines():
        match = COMMAND.match(line)
        if not match:
            others.append(line)
            continue
        pairs = dict(pair.split("=", 1) for pair in match[2].split(","))
        found.append((match[1], {key: decoded(value, (("%3A", ":"), ("%2C", ","))) for key, value in pairs.items()},
                      decoded(match[3])))
    return found, others


class GitHub(unittest.TestCase):
    def test_one_annotation_a_rule_the_worst_first(self):
        found, others = annotations(run(PROGRAM, "--format", "github", WHEELS.failing))
        self.assertEqual(others, [])
        kinds = [kind for kind, _, _ in found]
        self.assertEqual(kinds, sorted(kinds, key=["error", "warning", "notice"].index))
        self.assertEqual(len({(kind, values["title"]) for kind, values, _ in found}), len(found))
        for _, values, message in found:
            self.assertEqual(set(values), {"file", "title"})
            self.assertEqual(values["file"], WHEELS.failing.name)
            self.assertRegex(values["title"], r"^WC\d{3} [a-z0-9-]+$")
            self.assertTrue(message)

    def test_notes_are_annotations_on_request(self):
        for words, notes in (((), False), (("-v",), True)):
            found, _ = annotations(run(PROGRAM, *words, "--format", "github", WHEELS.failing))
            self.assertEqual("notice" in {kind for kind, _, _ in found}, notes)

    def test_nothing_is_said_of_a_clean_wheel(self):
        self.assertEqual(run(PROGRAM, "--format", "github", WHEELS.clean, code=0), "")

    def test_what_cannot_be_read_is_an_error(self):
        ((kind, values, message),), _ = annotations(run(PROGRAM, "--format", "github", WHEELS.unreadable, code=1))
        self.assertEqual((kind, values["file"], values["title"]), ("error", WHEELS.unreadable.name, "WC703 archive-refused"))
        self.assertIn("not a ZIP archive", message)

    def test_no_name_makes_a_command(self):
        found, others = annotations(run(PROGRAM, "--format", "github", *WHEELS.hostile()))
        self.assertTrue(all(line.startswith("wheelcheck: ") for line in others), others)
        for _, values, message in found:
            self.assertEqual(set(values), {"file", "title"})
            self.assertNotRegex(message, "[\u202a-\u202e\x00-\x09\x0b-\x1f]")
        self.assertTrue(any("%0A" in message and "::error::" in message for _, _, message in found))

    def test_no_more_than_a_step_may_have(self):
        found, others = annotations(run(PROGRAM, "--format", "github", WHEELS.many(40)))
        kinds = [kind for kind, _, _ in found]
        for kind in ("error", "warning", "notice"):
            self.assertLessEqual(kinds.count(kind), 10)
        self.assertEqual(kinds.count("error"), 10)
        (line,) = others
        self.assertRegex(line, r"^wheelcheck: \d+ more annotations, which a step cannot show; ")


if __name__ == "__main__":
    unittest.main()
