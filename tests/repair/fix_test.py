#!/usr/bin/env python3
"""fix_test.py PROGRAM: `wheelcheck fix` on small wheels, one change at a time."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest
import zipfile

from wheels import PROGRAM, SUFFIX, TOOLS, compile_library, dynamic, extension, names, run, wheel

CORE = f"demo/_core{SUFFIX}"


class Fix(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def core(self, *words):
        return extension(self.folder / "build" / "core.so", *words)

    def findings(self, path):
        document = json.loads(run("check", path, "--format=json").stdout)
        return {one["code"]: one for one in document["wheels"][0]["findings"]}

    def fixed(self, path, *words, code=0):
        done = run("fix", path, "-o", self.folder / "out", *words)
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        return self.folder / "out" / path.name, done.stdout

    def test_an_executable_stack(self):
        path = wheel(self.folder, {CORE: self.core("-Wl,-z,execstack")})
        self.assertTrue(self.findings(path)["WC601"]["fixable"])
        self.assertIn("1 fixable with `wheelcheck fix`", run("check", path).stdout)
        before = path.read_bytes()
        new, text = self.fixed(path)
        self.assertIn(f"{CORE}: stack: executable -> not executable (WC601)", text)
        self.assertNotIn("WC601", self.findings(new))
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(run("check", new).returncode, 0)

    def test_a_stack_that_code_runs_on(self):
        """The module calls a nested function of GNU C by its address, for which gcc writes code to the stack."""
        code = (
            "__attribute__((noipa)) static int call(int (*f)(int)) { return f(1); }\n"
            "int nested(int a) { int inner(int b) { return a + b; } return call(inner); }\n"
            "void *PyInit__core(void) { return 0; }\n"
        )
        for level in ("-O0", "-O2"):
            core = compile_library(self.folder / "build" / "core.so", code, level, "-Wl,--no-warn-execstack")
            path = wheel(self.folder, {CORE: core})
            found = self.findings(path)["WC601"]
            self.assertFalse(found["fixable"])
            self.assertIn("-ftrampoline-impl=heap", found["fix"])
            self.assertIn("nothing to fix", run("fix", path, "-o", self.folder / "out").stdout)

    def test_an_executable_stack_by_default(self):
        """Without PT_GNU_STACK the stack is executable on x86-64; patchelf adds the header."""
        core = self.core()
        data = bytearray(core.read_bytes())
        headers, count = int.from_bytes(data[32:40], "little"), int.from_bytes(data[56:58], "little")
        for at in range(headers, headers + 56 * count, 56):
            if data[at : at + 4] == (0x6474E551).to_bytes(4, "little"):  # PT_GNU_STACK
                data[at : at + 4] = bytes(4)  # PT_NULL
        core.write_bytes(data)
        path = wheel(self.folder, {CORE: core})
        self.assertTrue(self.findings(path)["WC601"]["fixable"])
        new, _ = self.fixed(path)
        self.assertNotIn("WC601", self.findings(new))

    def test_search_paths(self):
        for path, kept in (
            ("/opt/lib:$ORIGIN/../demo.libs", "$ORIGIN/../demo.libs"),
            ("$ORIGIN::$ORIGIN", "$ORIGIN"),
            ("lib:$ORIGIN/../../../../../../lib", None),
            ("/home/me/lib", None),
        ):
            for kind in ("RUNPATH", "RPATH"):
                flag = "-Wl,--enable-new-dtags" if kind == "RUNPATH" else "-Wl,--disable-new-dtags"
                old = wheel(self.folder, {CORE: self.core(f"-Wl,-rpath,{path}", flag)})
                new, _ = self.fixed(old)
                self.assertEqual(dynamic(new, CORE).get(kind), kept, path)

    def test_a_directory_of_the_system_stays_where_a_library_may_be_in_it(self):
        foo = compile_library(
            self.folder / "lib" / "libfoo.so.7", "int foo(void) { return 1; }", "-Wl,-soname,libfoo.so.7"
        )
        path = "/opt/foo/lib:/home/me/lib::$ORIGIN"
        core = extension(self.folder / "build" / "core.so", foo, f"-Wl,-rpath,{path}", needs="foo()")
        old = wheel(self.folder, {CORE: core}, tag="cp311-cp311-manylinux_2_34_x86_64")
        self.assertIn("WC103", self.findings(old))
        self.assertFalse(self.findings(old)["WC503"]["fixable"])
        new, _ = self.fixed(old, code=1)
        self.assertEqual(dynamic(new, CORE).get("RUNPATH"), "/opt/foo/lib:$ORIGIN")

    def test_a_finding_that_rises_does_not_stop_it(self):
        """The copy of libstdc++ is a warning (WC304) while no search path leads to it, then an error."""
        name = "libstdc++-0123abcd.so.6.0.30"
        copy = compile_library(self.folder / "lib" / name, "int foo(void) { return 1; }", f"-Wl,-soname,{name}")
        core = extension(self.folder / "build" / "core.so", copy, needs="foo()")
        path = wheel(self.folder, {CORE: core, f"demo.libs/{name}": copy}, tag="cp311-cp311-manylinux_2_34_x86_64")
        before = self.findings(path)
        self.assertEqual((before["WC304"]["severity"], before["WC506"]["fixable"]), ("warning", True))
        new, _ = self.fixed(path, code=1)
        after = self.findings(new)
        self.assertEqual(after["WC304"]["severity"], "error")
        self.assertNotIn("WC506", after)

    def test_a_good_search_path_stays(self):
        old = wheel(self.folder, {CORE: self.core("-Wl,-rpath,$ORIGIN/../demo.libs")})
        done = run("fix", old, "-o", self.folder / "out")
        self.assertIn("nothing to fix", done.stdout)
        self.assertFalse((self.folder / "out").exists())
        self.assertFalse(any(one["fixable"] for one in self.findings(old).values()))

    def test_record_and_tags(self):
        path = wheel(
            self.folder,
            {CORE: self.core(), "demo/a,b.py": "", "demo/ü.py": "x = 1\n"},
            record="demo/gone.py,,\n",
            wheel_tag="linux_aarch64",
        )
        new, text = self.fixed(path)
        self.assertIn("RECORD: rows: as the archive is (WC702)", text)
        self.assertIn("WHEEL: tags: those of the file name (WC701)", text)
        self.assertEqual({"WC701", "WC702"} & set(self.findings(new)), set())
        with zipfile.ZipFile(new) as archive:
            self.assertIn("\nTag: cp311-cp311-linux_x86_64\n", archive.read("demo-1.0.dist-info/WHEEL").decode())
            self.assertEqual(archive.namelist()[-1], "demo-1.0.dist-info/RECORD")

    def test_the_mode_of_a_program(self):
        source = self.folder / "main.c"
        source.write_text("int main(void) { return 0; }\n")
        subprocess.run(["gcc", "-o", self.folder / "main", source], check=True)
        path = wheel(self.folder, {CORE: self.core(), "demo/tool": self.folder / "main"})
        self.assertTrue(self.findings(path)["WC715"]["fixable"])
        new, _ = self.fixed(path)
        with zipfile.ZipFile(new) as archive:
            self.assertEqual(archive.getinfo("demo/tool").external_attr >> 16, 0o100755)

    def test_retag(self):
        path = wheel(self.folder, {CORE: self.core()}, tag="cp311-cp311-linux_x86_64")
        done = run("fix", path, "--retag", "-o", self.folder / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        [new] = (self.folder / "out").iterdir()
        self.assertRegex(new.name, r"^demo-1\.0-cp311-cp311-manylinux\S+_x86_64\.manylinux\S+_x86_64\.whl$")
        self.assertEqual(run("check", new).returncode, 0)

    def test_members_that_stay_are_the_same_bytes(self):
        path = wheel(self.folder, {CORE: self.core("-Wl,-z,execstack"), "demo/data.txt": "text " * 1000})
        new, _ = self.fixed(path)
        with zipfile.ZipFile(path) as a, zipfile.ZipFile(new) as b:
            old, now = a.getinfo("demo/data.txt"), b.getinfo("demo/data.txt")
            self.assertEqual(
                (old.compress_size, old.date_time, old.external_attr),
                (now.compress_size, now.date_time, now.external_attr),
            )
            for one in b.infolist():
                self.assertEqual(one.date_time, (2024, 5, 6, 7, 8, 10))
        self.assertEqual(sorted(names(path)), sorted(names(new)))

    def test_the_same_bytes_whatever_the_machine_does(self):
        path = wheel(self.folder, {CORE: self.core("-Wl,-z,execstack"), "demo/x.py": "x = 1\n" * 99})
        results = set()
        for jobs, epoch in (("1", "1700000000"), ("4", "1700000000")):
            done = run("fix", path, "-o", self.folder / f"out{jobs}", "-j", jobs, env={"SOURCE_DATE_EPOCH": epoch})
            self.assertEqual(done.returncode, 0, done.stderr)
            new = self.folder / f"out{jobs}" / path.name
            results.add(new.read_bytes())
            with zipfile.ZipFile(new) as archive:
                self.assertEqual({one.date_time for one in archive.infolist()}, {(2023, 11, 14, 22, 13, 20)})
        self.assertEqual(len(results), 1)

    def test_in_place_and_diff(self):
        path = wheel(self.folder, {CORE: self.core("-Wl,-z,execstack")})
        before = path.read_bytes()
        done = run("fix", path, "--diff")
        self.assertIn("-stack: executable\n+stack: not executable\n", done.stdout)
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(run("fix", path).returncode, 0)
        self.assertNotIn("WC601", self.findings(path))
        self.assertEqual(sorted(one.name for one in self.folder.iterdir() if one.is_file()), [path.name])

    def test_several_wheels(self):
        one, two = (
            wheel(self.folder / "dist", {CORE: self.core("-Wl,-z,execstack")}, name=name) for name in ("one", "two")
        )
        one.chmod(0o444)
        same = wheel(self.folder / "same", {CORE: self.core("-Wl,-z,execstack")}, name="one")
        done = run("fix", "-o", self.folder / "out", one, two)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()), [one.name, two.name])
        done = run("fix", "-o", self.folder / "out2", one, same)
        self.assertEqual(done.returncode, 2)
        self.assertIn("which is an input or another result", done.stderr)
        self.assertEqual(run("fix", one, two).returncode, 0)
        self.assertEqual(one.stat().st_mode & 0o777, 0o444)
        self.assertFalse({"WC601"} & {*self.findings(one), *self.findings(two)})

    def test_failures_leave_nothing(self):
        path = wheel(self.folder, {CORE: self.core("-Wl,-z,execstack"), "demo/big": os.urandom(300_000)})
        before = path.read_bytes()
        out = self.folder / "out"
        out.mkdir()
        done = run("fix", path, "-o", out, env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot find patchelf", done.stderr)
        # Debian 12 has 0.14.3.
        old = self.folder / "patchelf"
        old.write_text("#!/bin/sh\necho patchelf 0.14.3\n")
        old.chmod(0o755)
        done = run("fix", path, "-o", out, "--patchelf", old)
        self.assertIn("is version 0.14.3, but patchelf 0.18 or newer is needed", done.stderr)
        # A directory of PATH with an old one, as in the images of manylinux: the next one is used, and both are named.
        done = run("fix", "--diff", path, env={"PATH": f"{self.folder}:{TOOLS}"})
        self.assertIn(f"note: {old} is version 0.14.3; {TOOLS}/patchelf is used\n", done.stdout)
        # The one beside the program comes before PATH.
        beside = self.folder / "bin"
        beside.mkdir()
        for program in (PROGRAM, f"{TOOLS}/patchelf"):
            shutil.copy(program, beside)
        done = subprocess.run([beside / pathlib.Path(PROGRAM).name, "fix", path, "-o", beside], check=False,
                              env={"PATH": str(self.folder)}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr, "note:" in done.stdout), (0, "", False), done)
        # Without any, the changes are shown and not judged.
        done = run("fix", "--diff", path, env={"PATH": "/nowhere"})
        self.assertIn("+stack: not executable\nnote: the result was not made and judged: cannot find patchelf", done.stdout)
        self.assertTrue(done.stdout.endswith("\nnothing was written\n"))
        # A patchelf that changes nothing, and one that breaks the file.
        for body, says in (
            ("exit 0", "WC601 would still be found"),
            ("exit 3", "failed with 3"),
            ('cp /dev/null "$2"', "the result has different machine code"),
        ):
            old.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exec echo patchelf 0.18.0\n{body}\n')
            done = run("fix", path, "-o", out, "--patchelf", old)
            self.assertIn(says, done.stderr)
        # A full disk, simulated by a limit on the size of files.
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))  # noqa: E731
        done = run("fix", path, "-o", out, preexec_fn=limit)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the wheel cannot be written: File too large", done.stderr)
        self.assertEqual(list(out.iterdir()), [])
        self.assertEqual(path.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
