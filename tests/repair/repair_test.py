#!/usr/bin/env python3
"""repair_test.py PROGRAM: `wheelcheck repair` on small wheels with libraries that gcc builds."""

import csv
import hashlib
import io
import json
import os
import resource
import signal
import subprocess
import time
import unittest
import zipfile

from case import BAR, CORE, RepairCase
from wheels import PROGRAM, compile_library, dynamic, extension, names, run, wheel


class Repair(RepairCase):
    def test_libraries_are_bundled_and_found(self):
        path = wheel(self.folder, {CORE: self.core()})
        before = path.read_bytes()
        new, text = self.repaired(path)
        foo, bar = (hashlib.sha256(file.read_bytes()).hexdigest()[:8] for file in (self.foo, self.bar))
        foo_name, bar_name = f"libfoo-{foo}.so.1", f"libbar-{bar}.so.2.1"
        self.assertIn(f"demo.libs/{foo_name}", text)
        self.assertEqual(dynamic(new, CORE)["NEEDED"][0], foo_name)
        self.assertEqual(dynamic(new, CORE)["RPATH"], "$ORIGIN/../demo.libs")
        self.assertEqual(
            dynamic(new, f"demo.libs/{foo_name}"), {"NEEDED": [bar_name], "SONAME": foo_name, "RPATH": "$ORIGIN"}
        )
        self.assertEqual(dynamic(new, f"demo.libs/{bar_name}")["SONAME"], bar_name)
        self.assertRegex(new.name, r"^demo-1\.0-cp311-cp311-manylinux\S+_x86_64\.whl$")
        self.assertEqual(run("check", new).returncode, 0, run("check", new).stdout)
        self.assertEqual(self.loaded(new), "42")
        self.assertEqual(path.read_bytes(), before)

    def test_record_tags_and_sbom(self):
        new, _ = self.repaired(wheel(self.folder, {CORE: self.core()}))
        with zipfile.ZipFile(new) as archive:
            rows = {row[0]: row for row in csv.reader(io.StringIO(archive.read("demo-1.0.dist-info/RECORD").decode()))}
            self.assertEqual(sorted(rows), sorted(archive.namelist()))
            self.assertEqual(archive.namelist()[-1], "demo-1.0.dist-info/RECORD")
            tags = [line for line in archive.read("demo-1.0.dist-info/WHEEL").decode().split("\n") if "Tag:" in line]
            self.assertEqual(sorted(f"Tag: cp311-cp311-{tag}" for tag in new.stem.split("-")[-1].split(".")), tags)
            sbom = json.loads(archive.read("demo-1.0.dist-info/sboms/wheelcheck.cdx.json"))
            self.assertEqual(sbom["components"][0]["name"], "demo")
            for component in sbom["components"][1:]:
                member = component["properties"][0]["value"]
                self.assertEqual(
                    component["hashes"],
                    [{"alg": "SHA-256", "content": hashlib.sha256(archive.read(member)).hexdigest()}],
                )

    def test_the_named_platform(self):
        path = wheel(self.folder, {CORE: self.core()})
        for words in (("--plat", "manylinux_2_28_x86_64", "--only-plat"), ("--only-plat",)):
            new, _ = self.repaired(path, *words, env={"AUDITWHEEL_PLAT": "manylinux_2_28_x86_64"})
            self.assertEqual(new.name, "demo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
            new.unlink()
        new, _ = self.repaired(path, "--plat", "manylinux_2_28")
        self.assertRegex(new.name, r"-manylinux1_x86_64\.manylinux_2_28_x86_64\.manylinux_2_5_x86_64\.whl$")
        new.unlink()
        self.refused(path, "--plat", "manylinux_9_9", says="is not a manylinux platform of x86_64")

    def test_a_wheel_that_needs_nothing_gets_its_tags(self):
        path = wheel(self.folder, {CORE: extension(self.folder / "build/core.so")})
        new, text = self.repaired(path, env={"PATH": "/nowhere"})
        self.assertIn("0 libraries bundled", text)
        self.assertRegex(new.name, "manylinux")
        self.assertNotIn("demo-1.0.dist-info/sboms/wheelcheck.cdx.json", names(new))

    def test_the_same_bytes_whatever_the_machine_does(self):
        path = wheel(self.folder, {CORE: self.core()})
        results = set()
        for jobs in ("1", "4"):
            out = self.folder / f"out{jobs}"
            done = run(
                "repair", "-w", out, "--lib-path", self.libs, "-j", jobs, path, env={"SOURCE_DATE_EPOCH": "1700000000"}
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            results |= {one.read_bytes() for one in out.iterdir()}
            (self.libs / "libbar.so.2.1").chmod(0o555)
        self.assertEqual(len(results), 1)

    def test_a_library_of_a_requirement_is_not_bundled(self):
        path = wheel(self.folder, {CORE: self.core(), "demo/__init__.py": "import foo\n"}, requires=("foo",))
        bundled = lambda new: [name for name in names(new) if ".libs/" in name]
        new, _ = self.repaired(path)
        self.assertEqual(bundled(new), [])
        new.unlink()
        new, text = self.repaired(path, "--exclude", "libfoo.so.*")
        self.assertIn("not bundled because of --exclude: libfoo.so.1", text)
        new.unlink()
        new, _ = self.repaired(path, "--self-contained")
        self.assertEqual(len(bundled(new)), 2)

    def test_exclude(self):
        path = wheel(self.folder, {CORE: self.core()})
        new, text = self.repaired(path, "--exclude", "libfoo.so.*")
        self.assertIn("not bundled because of --exclude: libfoo.so.1", text)
        self.assertEqual([name for name in names(new) if ".libs/" in name], [])
        self.assertIn("libfoo.so.1", dynamic(new, CORE)["NEEDED"])
        new.unlink()
        new, text = self.repaired(path, "--exclude", f"{self.folder}/system/libbar*")
        self.assertEqual(len([name for name in names(new) if ".libs/" in name]), 1)
        new.unlink()
        self.refused(path, "--exclude", "libfo.so*", says="--exclude libfo.so* matches no library that the wheel requires")

    def test_what_is_refused(self):
        path = wheel(self.folder, {CORE: self.core()})
        done = run("repair", "-w", self.out, path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("requires libfoo.so.1, which was not found in", done.stderr)
        self.refused(path, "--patchelf", "/nowhere/patchelf", says="cannot find /nowhere/patchelf")
        # A loop of symbolic links instead of a library.
        (self.libs / "libbar.so.2").unlink()
        (self.libs / "libbar.so.2").symlink_to("loop")
        (self.libs / "loop").symlink_to("libbar.so.2")
        self.refused(path, says="is a loop of symbolic links")
        (self.libs / "libbar.so.2").unlink()
        # An executable stack.
        compile_library(self.libs / "libbar.so.2", BAR, "-Wl,-z,execstack")
        self.refused(path, says="requires an executable stack")
        # A library of another machine is skipped, as the loader does.
        data = bytearray(self.bar.read_bytes())
        data[18] = 183
        (self.libs / "libbar.so.2").write_bytes(data)
        self.refused(path, says="requires libbar.so.2, which was not found")
        (self.libs / "libbar.so.2").write_bytes(self.bar.read_bytes())
        self.repaired(path)

    def test_a_driver_is_never_bundled(self):
        cuda = compile_library(self.libs / "libcuda.so.1", "int cuInit(void) { return 0; }", "-Wl,-soname,libcuda.so.1")
        core = extension(
            self.folder / "build/core.so", cuda, "-include", self.header("int cuInit(void);"), needs="cuInit()"
        )
        path = wheel(self.folder, {CORE: core})
        self.refused(path, says="libcuda.so.1 must not be bundled: it belongs to the driver of the machine")
        self.repaired(path, "--exclude", "libcuda.so.*")

    def test_strip_of_what_was_bundled(self):
        """strip moves data that old versions of patchelf append (auditwheel issue 716)."""
        new, _ = self.repaired(wheel(self.folder, {CORE: self.core()}))
        self.assertEqual(self.loaded(new), "42")
        for library in (self.folder / "site/demo.libs").iterdir():
            subprocess.run(["strip", "-s", library], check=True)
        self.assertEqual(self.loaded(None), "42")

    def test_programs(self):
        main = self.folder / "main.c"
        main.write_text("int foo(void); int main(void) { return foo() == 42 ? 0 : 1; }\n")
        program = self.folder / "tool"
        subprocess.run(["gcc", "-o", program, main, self.foo, f"-Wl,-rpath-link,{self.libs}"], check=True)
        path = wheel(
            self.folder,
            {CORE: self.core(), "demo-1.0.data/scripts/tool": program, "demo/bin/tool": program},
            modes={"demo-1.0.data/scripts/tool": 0o100755, "demo/bin/tool": 0o100755},
        )
        new, _ = self.repaired(path)
        with zipfile.ZipFile(new) as archive:
            self.assertTrue(archive.read("demo-1.0.data/scripts/tool").startswith(b"#!python\n"))
            self.assertEqual(archive.getinfo("demo.scripts/tool").external_attr >> 16, 0o100755)
            archive.extractall(self.folder / "site")
        self.assertEqual(dynamic(new, "demo/bin/tool")["RPATH"], "$ORIGIN/../../demo.libs")
        for place in ("demo.scripts/tool", "demo/bin/tool"):
            (self.folder / "site" / place).chmod(0o755)
            self.assertEqual(subprocess.run([self.folder / "site" / place], check=False).returncode, 0)

    def test_libpython_is_dropped(self):
        python = compile_library(self.libs / "libpython3.11.so.1.0", "int Py_X;", "-Wl,-soname,libpython3.11.so.1.0")
        path = wheel(self.folder, {CORE: self.core("-Wl,--no-as-needed", python)})
        new, text = self.repaired(path)
        self.assertIn("dependency removed: libpython3.11.so.1.0", text)
        self.assertNotIn("libpython3.11.so.1.0", dynamic(new, CORE)["NEEDED"])

    def test_a_library_of_the_wheel_that_no_path_reaches(self):
        path = wheel(
            self.folder, {CORE: self.core(), "demo/lib/libfoo.so.1": self.foo, "demo/lib/libbar.so.2": self.bar}
        )
        new, text = self.repaired(path)
        self.assertIn("0 libraries bundled", text)
        self.assertEqual(dynamic(new, CORE)["RPATH"], "$ORIGIN/lib")
        self.assertEqual(self.loaded(new), "42")

    def test_pure_wheels(self):
        path = wheel(self.folder, {"demo/x.py": "x = 1\n"}, tag="py3-none-any")
        self.refused(path, says="has no machine code")
        new, _ = self.repaired(path, "--allow-pure-python-wheel")
        self.assertEqual(new.read_bytes(), path.read_bytes())

    def test_a_repaired_wheel_stays_as_it_is(self):
        new, _ = self.repaired(wheel(self.folder, {CORE: self.core()}))
        again = run("repair", "-w", self.folder / "again", new)
        self.assertEqual(again.returncode, 0, again.stderr)
        [second] = (self.folder / "again").iterdir()
        self.assertEqual((second.name, second.read_bytes()), (new.name, new.read_bytes()))

    def test_a_killed_process_leaves_nothing(self):
        path = wheel(self.folder, {CORE: self.core()})
        before = path.read_bytes()
        fake, started = self.folder / "patchelf", self.folder / "started"
        fake.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exec echo patchelf 0.18.0\n: >{started}\nexec sleep 5\n')
        fake.chmod(0o755)
        self.out.mkdir()
        words = [PROGRAM, "repair", "-w", self.out, "--lib-path", self.libs, "--patchelf", fake, path]
        with subprocess.Popen(list(map(str, words)), start_new_session=True, stdin=subprocess.DEVNULL) as process:
            while not started.exists() and process.poll() is None:
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGKILL)
        self.assertEqual(list(self.out.iterdir()), [])
        self.assertEqual(path.read_bytes(), before)

    def test_a_library_that_is_needed_by_its_path(self):
        foo = compile_library(self.folder / "elsewhere/libfoo.so", "int foo(void) { return 42; }")  # has no soname
        path = wheel(self.folder, {CORE: extension(self.folder / "build/core.so", foo, needs="foo()")})
        self.assertIn(str(foo), dynamic(path, CORE)["NEEDED"])
        new, _ = self.repaired(path)
        self.assertRegex(dynamic(new, CORE)["NEEDED"][0], r"^libfoo-\w{8}\.so$")
        foo.unlink()
        self.assertEqual(self.loaded(new), "42")

    def test_files_of_the_wheel_are_checked_first(self):
        path = wheel(self.folder, {CORE: self.core("-Wl,-z,execstack")})
        self.refused(path, says="requires an executable stack, which new systems refuse; `wheelcheck fix`")
        data = bytearray(self.core().read_bytes())
        data[32:40] = (1 << 40).to_bytes(8, "little")  # e_phoff leads out of the file
        self.assertNotEqual(self.repair(wheel(self.folder, {CORE: data}), code=2).stderr, "")

    def test_a_full_disk(self):
        path = wheel(self.folder, {CORE: self.core(), "demo/big": os.urandom(300_000)})
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))  # noqa: E731
        done = run("repair", "-w", self.out, "--lib-path", self.libs, path, preexec_fn=limit)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the wheel cannot be written: File too large", done.stderr)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_failures_leave_nothing(self):
        path = wheel(self.folder, {CORE: self.core()})
        fake = self.folder / "patchelf"
        for body, says in (
            ("exit 0", "the loader would not find lib"),
            ("exit 3", "failed with 3"),
            ('for f; do :; done; cp /dev/null "$f"', "patchelf damaged demo/"),
        ):
            fake.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exec echo patchelf 0.18.0\n{body}\n')
            fake.chmod(0o755)
            done = run("repair", "-w", self.out, "--lib-path", self.libs, "--patchelf", fake, path)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(says, done.stderr)
            self.assertEqual(list(self.out.iterdir()) if self.out.exists() else [], [])
        self.repair(path, "--dry-run")
        self.assertEqual(list(self.out.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
