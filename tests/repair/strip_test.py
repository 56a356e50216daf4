#!/usr/bin/env python3
"""`repair --strip-level` and `--debug-dir`, after pypa/auditwheel issue 491 and the test plans of its pull requests 620
and 682: each level removes what `strip` removes, from bundled libraries and from files that nothing else changes; gdb
finds the split debug information."""

import base64
import csv
import hashlib
import io
import re
import subprocess
import unittest
import zipfile

from case import BAR, CORE, RepairCase
from wheels import compile_library, run, wheel

HIDDEN = "\nstatic __attribute__((noinline)) int hidden(int x) { __asm__(\"\"); return x * 3; }\n"
OTHER = HIDDEN + "int other(int x) { return hidden(x) + hidden(x + 1); }"
OTHER_PATH = "demo/libother.so"


class Strip(RepairCase):
    def setUp(self):
        super().setUp()
        # The linker names no build ID by default where it is configured so.
        self.bar = compile_library(
            self.libs / "libbar.so.2.1", BAR, "-g", "-Wl,-soname,libbar.so.2", "-Wl,--build-id=sha1"
        )

    def wheel(self, *words):
        """Its module requires libfoo, and nothing but stripping changes its library."""
        other = compile_library(self.folder / "other.so", OTHER, *(words or ("-g", "-Wl,--build-id=sha1")))
        return wheel(self.folder, {CORE: self.core("-g", "-Wl,--build-id=sha1"), OTHER_PATH: other})

    def files(self, new):
        with zipfile.ZipFile(new) as archive:
            return {name: archive.read(name) for name in archive.namelist() if ".so" in name}

    def sections(self, data):
        path = self.folder / "one.so"
        path.write_bytes(data)
        return subprocess.run(["readelf", "-SW", path], capture_output=True, check=True, text=True).stdout

    def symbols(self, data):
        path = self.folder / "one.so"
        path.write_bytes(data)
        return subprocess.run(["readelf", "-sW", path], capture_output=True, check=True, text=True).stdout

    def check_record(self, new):
        with zipfile.ZipFile(new) as archive:
            for path, digest, size in csv.reader(io.StringIO(archive.read("demo-1.0.dist-info/RECORD").decode())):
                if path.endswith("/RECORD"):
                    continue
                data = archive.read(path)
                found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, size), (f"sha256={found}", str(len(data))), path)

    def test_levels(self):
        path = self.wheel()
        sizes = []
        for level, debug, table, hidden in (
            ("none", True, True, True),
            ("debug", False, True, True),
            ("unneeded", False, False, False),
            ("all", False, False, False),
        ):
            with self.subTest(level):
                new, _ = self.repaired(path, "--strip-level", level)
                self.assertEqual(self.loaded(new), "42")
                self.check_record(new)
                files = self.files(new)
                self.assertEqual(len(files), 4)
                for name in (CORE, OTHER_PATH, next(name for name in files if "libbar" in name)):
                    sections = self.sections(files[name])
                    self.assertEqual(".debug_info" in sections, debug, name)
                    self.assertEqual(".symtab" in sections, table, name)
                self.assertEqual(" hidden" in self.symbols(files[OTHER_PATH]), hidden)
                sizes.append(new.stat().st_size)
                new.unlink()
        self.assertEqual(sorted(sizes, reverse=True), sizes)

    def test_strip_is_level_all(self):
        path = self.wheel()
        results = []
        for words in (["--strip"], ["--strip-level", "all"]):
            new, _ = self.repaired(path, *words)
            results.append(new.read_bytes())
            new.unlink()
        self.assertEqual(*results)

    def test_wrong_questions(self):
        """They are refused before the wheel is opened."""
        for words, says in (
            (["--strip", "--strip-level", "debug"], "--strip"),
            (["--strip-level", "some"], "some"),
            (["--debug-dir", "x"], "--debug-dir needs --strip-level"),
            (["--debug-dir", "x", "--strip-level", "none"], "--debug-dir needs --strip-level"),
        ):
            done = run("repair", *words, "no-such-file.whl")
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stderr)
            self.assertNotIn("no-such-file", done.stderr)

    def test_a_wheel_that_requires_nothing(self):
        """Without a change of the dynamic section, patchelf is not needed."""
        other = compile_library(self.folder / "other.so", OTHER, "-g")
        path = wheel(self.folder, {OTHER_PATH: other})
        words = ["--patchelf", "/no/such/patchelf", "--plat", "manylinux_2_17"]
        new, _ = self.repaired(path, "--strip-level", "debug", *words)
        self.assertNotIn(".debug_info", self.sections(self.files(new)[OTHER_PATH]))

    def test_what_is_stripped_already_stays(self):
        path = self.wheel("-Wl,-s")
        before = self.files(path)[OTHER_PATH]
        new, _ = self.repaired(path, "--strip-level", "all", "--debug-dir", self.folder / "debug")
        self.assertEqual(self.files(new)[OTHER_PATH], before)

    def test_no_objcopy(self):
        for body, says in (("exit 3", "objcopy failed with 3"), ("kill -9 $$", "objcopy failed with 137")):
            fake = self.folder / "bin/objcopy"
            fake.parent.mkdir(exist_ok=True)
            fake.write_text(f"#!/bin/sh\n{body}\n")
            fake.chmod(0o755)
            done = self.with_path(fake.parent, "--strip-level", "debug")
            self.assertIn(says, done.stderr)
        fake.unlink()
        done = self.with_path(fake.parent, "--strip-level", "debug", alone=True)
        self.assertIn("cannot find objcopy, which --strip-level needs", done.stderr)

    def with_path(self, directory, *words, alone=False):
        import wheels

        path = str(directory) if alone else f"{directory}:{wheels.TOOLS}:/usr/bin:/bin"
        patchelf = ["--patchelf", wheels.TOOLS / "patchelf"]
        out = self.folder / "failed"
        done = subprocess.run(
            [wheels.PROGRAM, "repair", "-w", out, "--lib-path", self.libs, *patchelf, *words, self.wheel()],
            capture_output=True, text=True, check=False, env={"PATH": path, "HOME": str(self.folder)},
        )
        self.assertEqual(done.returncode, 2)
        self.assertEqual(list(out.iterdir()) if out.exists() else [], [])
        return done

    def test_debug_information(self):
        debug = self.folder / "debug"
        new, text = self.repaired(self.wheel(), "--strip-level", "all", "--debug-dir", debug)
        self.assertEqual(self.loaded(new), "42")
        self.check_record(new)
        files = [path for path in debug.rglob("*") if path.is_file()]
        self.assertIn(f"note: the debug information is in {debug} (4 files)\n", text)
        self.assertEqual(len(files), 4)
        site = self.folder / "site"
        self.assertFalse([name for name in self.files(new) if name.endswith(".debug")])
        for file in files:
            self.assertRegex(str(file.relative_to(debug)), r"^\.build-id/[0-9a-f]{2}/[0-9a-f]{38}\.debug$")
        bar = next(site.glob("demo.libs/libbar*"))
        for library, function, source in ((site / OTHER_PATH, "hidden", "other.so.c"), (bar, "bar", "libbar.so.2.1.c")):
            told = self.gdb(library, function, f"set debug-file-directory {debug}")
            self.assertRegex(told, rf'Line \d+ of "\S*{re.escape(source)}"')
            self.assertNotIn(source, self.gdb(library, function, "set debug-file-directory /nowhere"))
        # .gnu_debuglink names the file, and its checksum is the one that gdb computes.
        beside = site / "demo" / self.debug_link(site / OTHER_PATH)
        [of_other] = [path for path in files if path.name == beside.name]
        beside.write_bytes(of_other.read_bytes())
        told = self.gdb(site / OTHER_PATH, "hidden", "set debug-file-directory /nowhere")
        self.assertIn("other.so.c", told)
        self.assertNotIn("CRC mismatch", told)

    def test_files_without_a_build_id(self):
        debug = self.folder / "debug"
        new, _ = self.repaired(self.wheel("-g", "-Wl,--build-id=none"), "--strip-level", "debug", "--debug-dir", debug)
        self.loaded(new)
        library = self.folder / "site" / OTHER_PATH
        self.assertEqual(self.debug_link(library), "libother.so.debug")
        library.with_name("libother.so.debug").write_bytes((debug / f"{OTHER_PATH}.debug").read_bytes())
        self.assertIn("other.so.c", self.gdb(library, "hidden", "set debug-file-directory /nowhere"))

    def test_nothing_is_written_after_an_error(self):
        debug = self.folder / "debug"
        words = ["--strip-level", "all", "--debug-dir", debug]
        self.refused(self.wheel(), *words, "--exclude", "libnone.so", says="matches no library")
        self.repair(self.wheel(), "--dry-run", *words)
        self.assertFalse(debug.exists() and [path for path in debug.rglob("*") if path.is_file()])

    def gdb(self, library, function, command):
        done = subprocess.run(
            ["gdb", "-nx", "-batch", "-ex", command, "-ex", f"file {library}", "-ex", f"info line {function}"],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )
        return done.stdout + done.stderr

    def debug_link(self, library):
        done = subprocess.run(
            ["readelf", "--string-dump=.gnu_debuglink", library], capture_output=True, check=True, text=True, errors="replace"
        )
        return re.search(r"\]\s+(\S+\.debug)", done.stdout)[1]


if __name__ == "__main__":
    unittest.main()
