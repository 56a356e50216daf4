#!/usr/bin/env python3
"""auditwheel_test.py PROGRAM: the integration tests of `auditwheel repair`, transcribed.

From github.com/pypa/auditwheel, tests/integration/test_manylinux.py (class Anylinux), test_bundled_wheels.py and
test_nonplatform_wheel.py; each test has the name that it has there. gcc alone builds the sample packages. Instead of
a container, a Python without the libraries loads the result. docs/agreement.md lists the differences.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

from wheels import SUFFIX, compile_library, dynamic, names, run, wheel

A, B = "int fb(void); int fa(void) { return 1 + fb(); }", "int fb(void) { return 10; }"
CALLS = (
    '#include <stdio.h>\nint {0}(void); int {1}(void) {{ return {0}(){2}; }} int uses_libc(void) {{ return puts(""); }}'
)
OLDEST = "manylinux1_x86_64.manylinux_2_5_x86_64"


class Repair(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.build, self.out = self.folder / "build", self.folder / "out"

    def library(self, path, code, *words):
        return compile_library(self.build / path, code, *words)

    def calls(self, path, function, name, *words, more=""):
        """An extension module with a function `name` that calls `function`."""
        return self.library(path, CALLS.format(function, name, more), *words)

    def repair(self, path, *words, library_paths=(), code=0):
        env = {"LD_LIBRARY_PATH": ":".join(map(str, library_paths))} if library_paths else {}
        done = run("repair", "-w", self.out, *words, path, env=env)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def check(self, name):
        [new] = self.out.glob(f"{name}-*.whl")
        self.assertTrue(new.name.endswith("-manylinux1_x86_64.manylinux_2_5_x86_64.whl"), new.name)
        done = run("check", new)
        self.assertEqual(done.returncode, 0, done.stdout)
        with zipfile.ZipFile(new) as archive:
            archive.extractall(self.folder / "site")
        return new

    def call(self, member, function):
        """The result of a function of the installed module, after the build directory was removed."""
        code = f"import ctypes; print(ctypes.CDLL({str(self.folder / 'site' / member)!r}).{function}())"
        if self.build.exists():
            self.build.rename(self.folder / "built")
        env = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(done.stdout)

    def made_testrpath(self, dtag="none"):
        kind = {"runpath": "--enable-new-dtags", "rpath": "--disable-new-dtags"}.get(dtag)
        flags = [f"-Wl,{kind}", "-Wl,-rpath,$ORIGIN/../b"] if kind else []
        b = self.library("b/libb.so", B, *flags)
        a = self.library("a/liba.so", A, *flags, f"-L{b.parent}", "-lb")
        member = f"testrpath/testrpath{SUFFIX}"
        core = self.calls("core.so", "fa", "func", f"-L{a.parent}", "-la", f"-Wl,-rpath-link,{b.parent}")
        return a, b, member, wheel(self.folder, {member: core}, name="testrpath")

    def test_exclude(self):
        a, b, _, path = self.made_testrpath("rpath")
        output = self.repair(path, "--exclude", "liba.so", library_paths=[a.parent])
        self.assertIn("not bundled because of --exclude: liba.so", output)
        [new] = self.out.iterdir()
        self.assertFalse([x for x in names(new) if "/liba" in x or "/libb" in x])

    def test_rpath(self):
        for dtag in ("none", "rpath", "runpath"):
            with self.subTest(dtag):
                a, b, member, path = self.made_testrpath(dtag)
                self.repair(path, library_paths=[a.parent] + ([b.parent] if dtag == "none" else []))
                new = self.check("testrpath")
                self.assertEqual(self.call(member, "func"), 11)
                libraries = [name for name in names(new) if "testrpath.libs/lib" in name]
                self.assertEqual(len(libraries), 2)
                for name in libraries:
                    tags = dynamic(new, name)
                    self.assertNotIn("RUNPATH", tags)
                    self.assertEqual(tags.get("RPATH"), "$ORIGIN" if "liba" in name else None)
                new.unlink()
                (self.folder / "built").rename(self.build)

    def test_partialresolution(self):
        b = self.library("p/libb.so", B)
        a = self.library("p/liba.so", A, f"-L{b.parent}", "-lb")
        core = self.calls(
            "core.so",
            "fa",
            "func",
            f"-L{a.parent}",
            "-la",
            "-Wl,--disable-new-dtags",
            "-Wl,-rpath,$ORIGIN",
            f"-Wl,-rpath-link,{b.parent}",
        )
        package = "testpartialresolution"
        member = f"{package}/{package}{SUFFIX}"
        self.repair(wheel(self.folder, {member: core, f"{package}/liba.so": a, f"{package}/libb.so": b}, name=package))
        new = self.check(package)
        self.assertEqual(self.call(member, "func"), 11)
        libraries = [name for name in names(new) if f"{package}/lib" in name]
        self.assertEqual(len(libraries), 2)
        for name in libraries:
            self.assertFalse({"RPATH", "RUNPATH"} & set(dynamic(new, name)))

    def test_multiple_top_level(self):
        b = self.library("lib-src/b/libb.so", B)
        a = self.library("lib-src/a/liba.so", A, f"-L{b.parent}", "-lb")
        words = [f"-L{a.parent}", "-la", f"-Wl,-rpath-link,{b.parent}"]
        members = {
            f"example_a{SUFFIX}": self.calls("a.so", "fa", "example_a", *words),
            f"example_b{SUFFIX}": self.calls("b.so", "fa", "example_b", *words, more=" * 10"),
        }
        self.repair(wheel(self.folder, members, name="multiple_top_level"), library_paths=[a.parent, b.parent])
        new = self.check("multiple_top_level")
        self.assertEqual(dynamic(new, f"example_a{SUFFIX}")["RPATH"], "$ORIGIN/multiple_top_level.libs")
        self.assertEqual([self.call(f"example_{x}{SUFFIX}", f"example_{x}") for x in "ab"], [11, 110])
        for library in ("liba", "libb"):
            self.assertTrue([n for n in names(new) if re.match(rf"multiple_top_level.libs/{library}.*\.so", n)])

    def test_internal_rpath(self):
        a = self.library("internal_rpath/liba.so", "int fa(void) { return 11; }")
        b = self.library("lib-src/b/libb.so", B)
        members = {
            f"internal_rpath/example_a{SUFFIX}": self.calls(
                "a.so", "fa", "example_a", f"-L{a.parent}", "-la", "-Wl,-rpath,$ORIGIN"
            ),
            f"internal_rpath/example_b{SUFFIX}": self.calls("b.so", "fb", "example_b", f"-L{b.parent}", "-lb"),
            "internal_rpath/liba.so": a,
        }
        self.repair(wheel(self.folder, members, name="internal_rpath"), library_paths=[b.parent])
        new = self.check("internal_rpath")
        self.assertEqual([self.call(f"internal_rpath/example_{x}{SUFFIX}", f"example_{x}") for x in "ab"], [11, 10])
        self.assertTrue([n for n in names(new) if re.match(r"internal_rpath.libs/libb.*\.so", n)])

    def test_nonpy_rpath(self):
        """A library of the package, not the extension module, needs the external library (auditwheel issue 136)."""
        external = self.library("system/libcryptic.so.1", B, "-Wl,-soname,libcryptic.so.1")
        crypt = self.library(
            "p/lib_cryptexample.so",
            "int fb(void); int fa(void) { return fb() + 1; }",
            external,
            "-Wl,-soname,lib_cryptexample.so",
            "-Wl,-rpath,$ORIGIN",
        )
        core = self.calls(
            "core.so", "fa", "crypt_something", crypt, "-Wl,-rpath,$ORIGIN", f"-Wl,-rpath-link,{external.parent}"
        )
        member = f"nonpy_rpath/_nonpy_rpath{SUFFIX}"
        self.repair(
            wheel(self.folder, {member: core, "nonpy_rpath/lib_cryptexample.so": crypt}, name="nonpy_rpath"),
            library_paths=[external.parent],
        )
        new = self.check("nonpy_rpath")
        self.assertEqual(
            dynamic(new, "nonpy_rpath/lib_cryptexample.so")["RPATH"], "$ORIGIN:$ORIGIN/../nonpy_rpath.libs"
        )
        self.assertEqual(self.call(member, "crypt_something"), 11)

    def test_with_binary_executable(self):
        gsl = self.library(
            "system/libgsl.so.27", "double square(double x) { return x * x; }", "-Wl,-soname,libgsl.so.27"
        )
        programs = {}
        for name, words in (("testprogram", [gsl]), ("testprogram_nodeps", ["-DNODEPS"])):
            source = self.build / f"{name}.c"
            source.write_text(
                "#include <stdio.h>\n#include <stdlib.h>\n#ifdef NODEPS\n"
                "static double square(double x) { return x * x; }\n#else\ndouble square(double);\n#endif\n"
                'int main(int n, char **a) { return n < 2 || printf("%g\\n", square(atof(a[1]))) < 0; }\n'
            )
            programs[name] = self.build / name
            subprocess.run(["gcc", "-o", programs[name], source, *words], check=True)
        members = {}
        for name, program in programs.items():
            members |= {f"testpackage/{name}": program, f"testpackage-1.0.data/scripts/{name}": program}
        path = wheel(
            self.folder, members, name="testpackage", tag="py3-none-any", modes=dict.fromkeys(members, 0o100755)
        )
        self.repair(path, "--strip", library_paths=[gsl.parent])
        [new] = self.out.iterdir()
        self.assertRegex(new.name, r"^testpackage-1\.0-py3-none-manylinux\S+_x86_64\.whl$")
        with zipfile.ZipFile(new) as archive:
            archive.extractall(self.folder / "site")
            shim = archive.read("testpackage-1.0.data/scripts/testprogram")
            nodeps = archive.read("testpackage-1.0.data/scripts/testprogram_nodeps")
            self.assertIn(b"Root-Is-Purelib: false", archive.read("testpackage-1.0.dist-info/WHEEL"))
        self.assertTrue(shim.startswith(b"#!python\n"))
        self.assertNotIn(b".symtab", nodeps)
        self.build.rename(self.folder / "built")
        for place in ("testpackage/testprogram", "testpackage.scripts/testprogram", "testpackage/testprogram_nodeps"):
            program = self.folder / "site" / place
            program.chmod(0o755)
            done = subprocess.run([program, "4"], capture_output=True, text=True, check=False)
            self.assertEqual((done.stdout, done.stderr), ("16\n", ""))
        script = self.folder / "shim.py"
        script.write_bytes(shim)
        code = (
            f"import sysconfig, runpy, sys; sysconfig.get_path = lambda *a: {str(self.folder / 'site')!r}; "
            f"sys.argv = ['x', '4']; runpy.run_path({str(script)!r}, run_name='__main__')"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "16\n", done.stderr)

    def test_isa_variants(self):
        for level, bits in (("2", "x86-64-v2"), ("3", "x86-64-v3")):
            dependency = self.library(
                "system/libdep.so", B, f"-march={bits}", f"-Wl,-z,{bits}", "-Wl,-soname,libdep.so"
            )
            member = f"testdependencies{SUFFIX}"
            path = wheel(self.folder, {member: self.calls("core.so", "fb", "run", dependency)}, name="testdependencies")
            message = self.repair(path, library_paths=[dependency.parent], code=2)
            self.assertIn(f"x86-64-v{level}", message)
            self.assertFalse(self.out.exists() and list(self.out.iterdir()))

    def test_wheel_source_date_epoch(self):
        member = f"testsimple{SUFFIX}"
        path = wheel(
            self.folder, {member: self.library("core.so", CALLS.format("uses_libc", "f", ""))}, name="testsimple"
        )
        for seconds, stored in (
            (0, 315532800),
            (315532799, 315532800),
            (315532801, 315532800),
            (315532802, 315532802),
            (650203201, 650203200),
        ):
            done = run("repair", "-w", self.out, path, env={"SOURCE_DATE_EPOCH": str(seconds)})
            self.assertEqual(done.returncode, 0, done.stderr)
            with zipfile.ZipFile(next(self.out.iterdir())) as archive:
                for entry in archive.infolist():
                    time = datetime.datetime(*entry.date_time, tzinfo=datetime.timezone.utc)
                    self.assertEqual(time.timestamp(), stored)
        done = run("repair", "-w", self.out, path, env={"SOURCE_DATE_EPOCH": "yesterday"})
        self.assertEqual(done.returncode, 2)

    def test_non_platform_wheel_pure_allow(self):
        path = wheel(self.folder, {"plumbum/x.py": "x = 1\n"}, name="plumbum", tag="py2.py3-none-any")
        self.assertIn("has no machine code", self.repair(path, code=2))
        before = path.read_bytes()
        for directory in (self.out, path.parent):  # the second: onto itself
            done = run("repair", "--allow-pure-python-wheel", "-w", directory, path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((directory / path.name).read_bytes(), before)

    def test_non_platform_wheel_pure_allow_multiple(self):
        paths = [
            wheel(self.folder, {"plumbum/x.py": "x = 1\n"}, name="plumbum", tag=f"{tag}-none-any")
            for tag in ("py2", "py3")
        ]
        done = run("repair", "-w", self.out, "--allow-pure-python-wheel", *paths)
        self.assertEqual(done.returncode, 0, done.stderr)
        for path in paths:
            self.assertEqual((self.out / path.name).read_bytes(), path.read_bytes())

    def test_libpython(self):
        python = self.library("libpython3.13.so.1.0", B, "-Wl,-soname,libpython3.13.so.1.0")
        path = wheel(
            self.folder, {"python_mscl/_mscl.so": self.calls("core.so", "fb", "f", python)}, name="python_mscl"
        )
        self.assertIn("libpython3.13.so.1.0", self.repair(path))
        self.assertNotIn("libpython3.13.so.1.0", dynamic(next(self.out.iterdir()), "python_mscl/_mscl.so")["NEEDED"])


if __name__ == "__main__":
    unittest.main()
