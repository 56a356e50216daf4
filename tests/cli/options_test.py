#!/usr/bin/env python3
"""options_test.py PROGRAM: every option is recognised by its command. A run registers only the options that its
arguments may name; the help lists all."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


class Options(unittest.TestCase):
    def test_every_option_of_the_help_is_known(self):
        def run(*words):
            return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                                  timeout=120, cwd=folder, env={**os.environ, "NO_COLOR": "1"})

        tried = 0
        with tempfile.TemporaryDirectory() as folder:
            for command in ("check", "judge", "show", "why", "symbols", "tree", "runs-on", "interfaces", "conflicts",
                            "diff", "release", "sbom"):
                options = re.findall(r"^  (?:-\w, |    )(--[\w-]+)", run(command, "--help").stdout, re.MULTILINE)
                for option in set(options) - {"--help"}:
                    for word in (option, f"{option}=x"):
                        tried += 1
                        told = run(command, "none.whl", "none.whl", word).stderr
                        self.assertNotRegex(told, f"(not expected:|unexpected argument).*{option}", (command, word))
            self.assertRegex(run("check", "none.whl", "--no-such=x").stderr, "unexpected argument.*--no-such")
        self.assertGreater(tried, 400)


if __name__ == "__main__":
    unittest.main(verbosity=2)
