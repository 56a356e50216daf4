#!/usr/bin/env python3
"""Tests rules_on_wheels.py with generated reports."""

import unittest

import rules_on_wheels as script


def rule(code, name, level="error", enabled=True):
    return {"id": code, "properties": {"rule": name, "precision": "high"},
            "defaultConfiguration": {"level": level, "enabled": enabled}}


RULES = [rule("WC113", "could-be-more-compatible", "note"), rule("WC501", "runpath-empty-element"),
         rule("WC512", "needed-unused", "warning", enabled=False)]
WHEELS = [{"file": "left-1.0-py3-none-manylinux_2_17_x86_64.whl",
           "findings": [("WC113", "note"), ("WC512", "warning"), ("WC512", "note")]},
          {"file": "right-2.0-py3-none-manylinux_2_17_x86_64.whl", "findings": [("WC501", "error"), ("WC501", "error")]},
          {"file": "left-1.0-py3-none-manylinux_2_17_aarch64.whl", "findings": []}]


class Page(unittest.TestCase):
    def rows(self):
        text, _ = script.page(RULES, WHEELS, ["broken.whl"])
        return {line.split(" | ")[0][2:]: line for line in text.splitlines() if line.startswith("| WC")}

    def test_counts_wheels_and_names_them(self):
        rows = self.rows()
        self.assertTrue(rows["WC113"].endswith("| note | high | 1 | 1 note | left 1.0 (manylinux_2_17_x86_64) (1) |"))
        self.assertIn("| warning, pedantic | high | 1 | 1 warning | left 1.0 (manylinux_2_17_x86_64) (2) |",
                      rows["WC512"])

    def test_names_nobody_whose_libraries_can_be_planted(self):
        row = self.rows()["WC501"]
        self.assertTrue(row.endswith("| 1 | 1 error | not named |"), row)
        self.assertNotIn("right", row)

    def test_lists_what_could_not_be_read(self):
        self.assertIn("Not readable as wheels: broken.whl.", script.page(RULES, WHEELS, ["broken.whl"])[0])

    def test_refuses_a_note_that_tells_a_name(self):
        _, unnamed = script.page(RULES, WHEELS, [])
        self.assertEqual(unnamed, {"right"})
        script.check_kept("WC512: left is right about it\nWC501: both were looked at", unnamed)
        with self.assertRaises(SystemExit):
            script.check_kept("WC501: Right, in two files", unnamed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
