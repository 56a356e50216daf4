"""Shared parts of the tests of `repair`: libfoo, which requires libbar, and a module that requires libfoo."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from wheels import SUFFIX, compile_library, extension, run

CORE = f"demo/_core{SUFFIX}"
FOO, BAR = "int foo(void) { extern int bar(void); return bar() + 1; }", "int bar(void) { return 41; }"


class RepairCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.libs = self.folder / "system"
        self.bar = compile_library(self.libs / "libbar.so.2.1", BAR, "-Wl,-soname,libbar.so.2")
        (self.libs / "libbar.so.2").symlink_to("libbar.so.2.1")
        self.foo = compile_library(self.libs / "libfoo.so.1", FOO, "-Wl,-soname,libfoo.so.1", self.bar)
        self.out = self.folder / "out"

    def core(self, *words):
        return extension(self.folder / "build/core.so", self.foo, f"-Wl,-rpath-link,{self.libs}", *words, needs="foo()")

    def repair(self, path, *words, code=0, **options):
        done = run("repair", "-w", self.out, "--lib-path", self.libs, *words, path, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def repaired(self, path, *words, **options):
        done = self.repair(path, *words, **options)
        [new] = self.out.iterdir()
        return new, done.stdout

    def refused(self, path, *words, says, **options):
        done = self.repair(path, *words, code=2, **options)
        self.assertIn(says, done.stderr)
        self.assertEqual(list(self.out.iterdir()) if self.out.exists() else [], [])

    def loaded(self, new):
        """The result of the module in a Python that has only the files of the wheel."""
        site = self.folder / "site"
        if new:
            subprocess.run(
                [
                    sys.executable,
                    "-c",
                    "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])",
                    new,
                    site,
                ],
                check=True,
            )
        code = "import ctypes, sys; f = ctypes.CDLL(sys.argv[1]).PyInit__core; f.restype = ctypes.c_long; print(f())"
        done = subprocess.run(
            [sys.executable, "-c", code, site / CORE],
            capture_output=True,
            text=True,
            check=False,
            env={k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"},
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def header(self, text):
        path = self.folder / "extra.h"
        path.write_text(text)
        return path
