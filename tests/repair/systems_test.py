#!/usr/bin/env python3
"""systems_test.py PROGRAM: `wheelcheck repair` for other systems, machines and platforms, and by the real loader."""

import json
import os
import platform
import shutil
import subprocess
import unittest
import zipfile

from case import BAR, CORE, FOO, RepairCase
from wheels import TOOLS, compile_library, dynamic, extension, run, wheel


class Systems(RepairCase):
    def test_a_platform_that_is_too_old(self):
        # A stub with the name of the C library, for versions that this system does not have.
        versions = self.folder / "versions"
        versions.write_text("GLIBC_2.34 { new; };")
        stand_in = compile_library(
            self.folder / "stand-in/libc.so.6",
            "int new(void) { return 1; }",
            "-nostdlib",
            f"-Wl,--version-script={versions}",
            "-Wl,-soname,libc.so.6",
        )
        for place in ("wheel", "library"):
            header = self.header("int new(void);")
            if place == "wheel":
                core = extension(
                    self.folder / "build/core.so", "-nostdlib", stand_in, "-include", header, needs="new()"
                )
            else:
                compile_library(
                    self.libs / "libfoo.so.1",
                    "int foo(void) { int new(void); return new(); }",
                    "-nostdlib",
                    "-Wl,-soname,libfoo.so.1",
                    stand_in,
                )
                core = self.core("-Wl,--allow-shlib-undefined")
            path = wheel(self.folder / place, {CORE: core})
            self.refused(path, "--plat", "manylinux_2_17", says="requires GLIBC_2.34 of libc.so.6")
            self.repaired(path)
            self.assertRegex(next(self.out.iterdir()).name, "-manylinux_2_34_x86_64.whl")
            next(self.out.iterdir()).unlink()

    def test_verify_run(self):
        """The real loader agrees. If namespaces are not allowed, this is an error and nothing is written."""
        path = wheel(self.folder, {CORE: self.core()})
        done = run("repair", "-w", self.out, "--lib-path", self.libs, "--verify=run", path)
        if "cannot be run here" in done.stderr:
            self.assertEqual((done.returncode, list(self.out.iterdir())), (2, []))
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        [new] = self.out.iterdir()
        self.assertEqual(self.loaded(new), "42")
        new.unlink()
        # An excluded library is provided by another wheel.
        self.repaired(path, "--verify=run", "--exclude=libfoo.so.1")[0].unlink()
        # A platform newer than this system: the model accepts the wheel, the loader of this system does not.
        versions = self.folder / "versions"
        versions.write_text("GLIBC_2.41 { new; };")
        stand_in = compile_library(
            self.folder / "stand-in/libc.so.6",
            "int new(void) { return 1; }",
            "-nostdlib",
            f"-Wl,--version-script={versions}",
            "-Wl,-soname,libc.so.6",
        )
        core = extension(
            self.folder / "build/core.so",
            "-nostdlib",
            stand_in,
            "-include",
            self.header("int new(void);"),
            needs="new()",
        )
        path = wheel(self.folder / "new", {CORE: core})
        self.repaired(path)[0].unlink()
        if tuple(map(int, platform.libc_ver()[1].split("."))) < (2, 41):
            self.refused(path, "--verify=run", says="the loader reports: ")

    def test_the_platform_matrix(self):
        path = wheel(self.folder, {CORE: self.core()})
        text = self.repair(path, "--platform-matrix").stdout
        self.assertRegex(text, r"\n  manylinux_2_17_x86_64 +libbar\.so\.2, libfoo\.so\.1\n")
        self.assertFalse(self.out.exists())
        text = run("repair", "--platform-matrix", path).stdout  # nothing is found
        self.assertRegex(
            text, r"\n  manylinux_2_17_x86_64 +not possible: demo/_core\S+ requires libfoo\.so\.1, which was not"
        )

    def test_other_machines(self):
        """aarch64 and ppc64le wheels are repaired on x86-64."""
        for machine, tag, page in (("aarch64", "aarch64", 65536), ("powerpc64le", "ppc64le", 65536)):
            flags = [f"--target={machine}-linux-gnu", "-nostdlib", "-fuse-ld=lld", f"-Wl,-z,max-page-size={page}"]
            compiler = "clang-19"
            libs = self.folder / machine
            foo = compile_library(
                libs / "libfoo.so.1",
                "int foo(void) { return 1; }",
                *flags,
                "-Wl,-soname,libfoo.so.1",
                compiler=compiler,
            )
            core = compile_library(
                self.folder / "core.so",
                "int foo(void); int PyInit__core(void) { return foo(); }",
                *flags,
                foo,
                compiler=compiler,
            )
            member = f"demo/_core.cpython-311-{machine}-linux-gnu.so"
            path = wheel(self.folder, {member: core}, tag=f"cp311-cp311-linux_{tag}")
            done = run("repair", "-w", self.out / machine, "--lib-path", libs, path)
            self.assertEqual(done.returncode, 0, done.stderr)
            [new] = (self.out / machine).iterdir()
            self.assertRegex(dynamic(new, member)["NEEDED"][0], r"^libfoo-\w{8}\.so\.1$")
            self.assertEqual(run("check", new).returncode, 0, run("check", new).stdout)

    def test_a_sysroot_with_packages(self):
        root = self.folder / "root"
        (root / "usr/lib/x86_64-linux-gnu").mkdir(parents=True)
        (root / "lib").symlink_to("usr/lib")
        (root / "opt/extra").mkdir(parents=True)
        (root / "usr/lib/x86_64-linux-gnu/libfoo.so.1").write_bytes(self.foo.read_bytes())
        (root / "opt/extra/libbar.so.2.1").write_bytes(self.bar.read_bytes())
        (root / "opt/extra/libbar.so.2").symlink_to("/opt/extra/libbar.so.2.1")  # absolute below the sysroot
        (root / "etc/ld.so.conf.d").mkdir(parents=True)
        (root / "etc/ld.so.conf").write_text("# comment\ninclude /etc/ld.so.conf.d/*.conf\n")
        (root / "etc/ld.so.conf.d/extra.conf").write_text("/opt/extra\n")
        (root / "etc/os-release").write_text('NAME="Debian"\nID=debian\nVERSION_ID="12"\n')
        (root / "var/lib/dpkg/info").mkdir(parents=True)
        (root / "var/lib/dpkg/status").write_text("Package: libfoo1\nArchitecture: amd64\nVersion: 1:1.2-3+b1\n\n")
        (root / "var/lib/dpkg/info/libfoo1:amd64.list").write_text("/.\n/lib/x86_64-linux-gnu/libfoo.so.1\n")
        (root / "usr/share/doc/libfoo1").mkdir(parents=True)
        (root / "usr/share/doc/libfoo1/copyright").write_text("Licence of foo\n")
        path = wheel(self.folder, {CORE: self.core()})
        done = run("repair", "-w", self.out, "--sysroot", root, path, env={"LD_LIBRARY_PATH": "/nowhere"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("(debian libfoo1 1:1.2-3+b1)", done.stdout)
        [new] = self.out.iterdir()
        with zipfile.ZipFile(new) as archive:
            sbom = json.loads(archive.read("demo-1.0.dist-info/sboms/wheelcheck.cdx.json"))
            self.assertIn("pkg:deb/debian/libfoo1@1:1.2-3%2Bb1?arch=amd64&distro=debian-12", [one.get("purl") for one in sbom["components"]])
            self.assertEqual(
                archive.read("demo-1.0.dist-info/licenses/demo.libs/libfoo1/copyright"), b"Licence of foo\n"
            )
        self.assertEqual(self.loaded(new), "42")

    def test_a_sysroot_with_musl(self):
        root = self.folder / "alpine"
        libc = compile_library(
            self.folder / "libc.so",
            "int puts(const char *s) { return !s; }",
            "-nostdlib",
            "-Wl,-soname,libc.musl-x86_64.so.1",
        )
        for place in ("opt/lib", "etc", "lib/apk/db"):
            (root / place).mkdir(parents=True)
        foo = compile_library(
            root / "opt/lib/libfoo.so.1",
            'int puts(const char *); int foo(void) { return puts(""); }',
            "-nostdlib",
            "-Wl,-soname,libfoo.so.1",
            libc,
        )
        (root / "etc/ld-musl-x86_64.path").write_text("/lib\n/opt/lib\n")
        (root / "etc/os-release").write_text("ID=alpine\nVERSION_ID=3.20.1\n")
        (root / "lib/apk/db/installed").write_text(
            "C:Q1x\nP:foo-libs\nV:1.4-r2\nA:x86_64\nF:opt/lib\nR:libfoo.so.1\n\n"
        )
        core = extension(self.folder / "build/core.so", "-nostdlib", foo, libc, needs="foo()")
        member = "demo/_core.cpython-311-x86_64-linux-musl.so"
        done = run("repair", "-w", self.out, "--sysroot", root, wheel(self.folder, {member: core}))
        self.assertEqual(done.returncode, 0, done.stderr)
        [new] = self.out.iterdir()
        self.assertEqual(new.name, "demo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl")
        self.assertIn("(alpine foo-libs 1.4-r2)", done.stdout)
        self.assertRegex(dynamic(new, member)["NEEDED"][0], r"^libfoo-\w{8}\.so\.1$")
        with zipfile.ZipFile(new) as archive:
            self.assertIn(
                b"pkg:apk/alpine/foo-libs@1.4-r2?arch=x86_64&distro=alpine-3.20.1", archive.read("demo-1.0.dist-info/sboms/wheelcheck.cdx.json")
            )

    @unittest.skipUnless(shutil.which("musl-gcc"), "musl-tools is not installed")
    def test_the_loader_of_musl(self):
        """The result, as the real loader of musl sees it."""
        root = self.folder / "root"
        flags = {"compiler": "musl-gcc"}
        bar = compile_library(root / "usr/lib/libbar.so.2", BAR, "-Wl,-soname,libbar.so.2", **flags)
        foo = compile_library(root / "usr/lib/libfoo.so.1", FOO, "-Wl,-soname,libfoo.so.1", bar, **flags)
        core = compile_library(
            self.folder / "core.so",
            "#include <stdio.h>\nint foo(void); int PyInit__core(void) { return puts(\"\") + foo(); }",
            foo,
            f"-Wl,-rpath-link,{bar.parent}",
            **flags,
        )
        member = "demo/_core.cpython-311-x86_64-linux-musl.so"
        path = wheel(self.folder, {member: core}, tag="cp311-cp311-linux_x86_64")
        done = run("repair", "-w", self.out, "--sysroot", root, path)
        self.assertEqual(done.returncode, 0, done.stderr)
        [new] = self.out.iterdir()
        self.assertEqual(new.name, "demo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl")
        self.assertEqual(run("check", new).returncode, 0, run("check", new).stdout)
        with zipfile.ZipFile(new) as archive:
            archive.extractall(self.folder / "site")
        shutil.rmtree(root)
        words = ["/lib/ld-musl-x86_64.so.1", "--list", self.folder / "site" / member]
        done = subprocess.run(words, capture_output=True, text=True, check=False, env={})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        for library in ("libfoo", "libbar"):
            self.assertRegex(done.stdout, rf"{library}-\w{{8}}\.so\.\d => {self.folder}/site/\S+/demo\.libs/{library}-")

    def test_a_module_that_names_no_c_library(self):
        """Before CPython 3.11 the names of modules were the same for glibc and musl."""
        core = extension(self.folder / "build/core.so", "-nostdlib")
        member = "demo/_core.cpython-310-x86_64-linux-gnu.so"
        path = wheel(self.folder, {member: core}, tag="cp310-cp310-linux_x86_64")
        self.refused(path, says="no file says whether it is for glibc or musl")
        for platform_name in ("musllinux_1_2", "manylinux_2_17"):
            new, _ = self.repaired(path, "--only-plat", "--plat", platform_name)
            self.assertIn(f"{platform_name}_x86_64", new.name)
            new.unlink()
        path = wheel(self.folder, {member: core}, tag="cp310-cp310-musllinux_1_1_x86_64")
        self.assertIn("-musllinux_1_1_x86_64", self.repaired(path)[0].name)

    def test_packages_of_rpm(self):
        """The program rpm is called; a stub replaces it."""
        root = self.folder / "root"
        for place in ("usr/lib64", "etc", "usr/share/licenses/foo"):
            (root / place).mkdir(parents=True)
        for library in (self.foo, self.bar):
            (root / "usr/lib64" / library.name).write_bytes(library.read_bytes())
        (root / "usr/lib64/libbar.so.2").symlink_to(self.bar.name)
        (root / "etc/os-release").write_text('ID="almalinux"\nVERSION_ID="9.4"\n')
        (root / "usr/share/licenses/foo/COPYING").write_text("Licence of foo\n")
        fake = self.folder / "bin/rpm"
        fake.parent.mkdir()
        fake.write_text(
            '#!/bin/sh\n[ "$1 $2" = "--root %s" ] || exit 9\ncase "$*" in *libfoo*)\n'
            "printf 'foo\\n1.2-3.el9\\nx86_64\\n2\\n/usr/lib64/libfoo.so.1 \\n"
            "/usr/share/licenses/foo/COPYING l\\n';;\n*) exit 1;; esac\n" % root
        )
        fake.chmod(0o755)
        done = run(
            "repair",
            "-w",
            self.out,
            "--sysroot",
            root,
            wheel(self.folder, {CORE: self.core()}),
            env={"PATH": f"{fake.parent}:{TOOLS}:{os.environ['PATH']}"},
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("(almalinux foo 1.2-3.el9)", done.stdout)
        [new] = self.out.iterdir()
        with zipfile.ZipFile(new) as archive:
            self.assertIn(
                b"pkg:rpm/almalinux/foo@1.2-3.el9?arch=x86_64&distro=almalinux-9.4&epoch=2", archive.read("demo-1.0.dist-info/sboms/wheelcheck.cdx.json")
            )
            self.assertEqual(archive.read("demo-1.0.dist-info/licenses/demo.libs/foo/COPYING"), b"Licence of foo\n")


if __name__ == "__main__":
    unittest.main()
