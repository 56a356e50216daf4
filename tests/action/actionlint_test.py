#!/usr/bin/env python3
"""actionlint_test.py: actionlint reports nothing for the workflows, and reports an error that is added to them.

actionlint is neither on PyPI nor in Debian. Go builds it from the module proxy, so this test has the label `network`.
Run it with `ctest --test-dir build/release -L network`.
"""

import unittest

import peers

peers.run_in_tools()
import lint_test
import runner


def actionlint(*files):
    return lint_test.said_by(peers.actionlint(), "-no-color", "-shellcheck=", "-pyflakes=", *files)


class Actionlint(lint_test.WithBad):
    def test_actionlint(self):
        self.assertEqual(len(lint_test.WORKFLOWS), 3)
        self.assertEqual(actionlint(*lint_test.WORKFLOWS), (0, ""))
        code, said = actionlint(self.bad())
        self.assertEqual(code, 1)
        self.assertIn("nonsense", said)


if __name__ == "__main__":
    unittest.main()
