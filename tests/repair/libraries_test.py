#!/usr/bin/env python3
"""libraries_test.py PROGRAM: `wheelcheck repair` with unusual libraries, and with unusual wheels."""

import base64
import hashlib
import re
import subprocess
import tempfile
import unittest
import zipfile

from case import BAR, CORE, FOO, RepairCase
from wheels import compile_library, dynamic, extension, names, run, wheel


def version_needs(wheel_path, member):
    """The files of DT_VERNEED."""
    with zipfile.ZipFile(wheel_path) as archive, tempfile.NamedTemporaryFile() as file:
        file.write(archive.read(member))
        file.flush()
        text = subprocess.run(["readelf", "-VW", file.name], capture_output=True, check=True, text=True).stdout
    return set(re.findall(r"File: (\S+)", text))


class Libraries(RepairCase):
    def bar_module(self):
        return extension(
            self.folder / "build/bar.so", self.bar, "-include", self.header("int bar(void);"), needs="bar()"
        )

    def bundled(self, new, stem):
        return sorted(name for name in names(new) if name.startswith(f"demo.libs/{stem}"))

    def test_libraries_that_need_each_other(self):
        stub = compile_library(self.folder / "stub/libfoo.so.1", FOO, "-Wl,-soname,libfoo.so.1", self.bar)
        compile_library(
            self.libs / "libbar.so.2.1",
            BAR + " int foo(void); int back(void) { return foo(); }",
            "-Wl,-soname,libbar.so.2",
            "-Wl,--no-as-needed",
            stub,
        )
        new, _ = self.repaired(wheel(self.folder, {CORE: self.core()}), "--verify=run")
        [foo], [bar] = self.bundled(new, "libfoo"), self.bundled(new, "libbar")
        self.assertIn(foo.rpartition("/")[2], dynamic(new, bar)["NEEDED"])
        self.assertIn(bar.rpartition("/")[2], dynamic(new, foo)["NEEDED"])
        self.assertEqual(self.loaded(new), "42")

    def test_two_libraries_of_one_name(self):
        """Each module gets the library that its own search path leads to."""
        members, answers = {}, {"one": 1, "two": 2}
        for name, answer in answers.items():
            library = compile_library(
                self.folder / name / "libtwin.so.1",
                f"int foo(void) {{ return {answer}; }}",
                "-Wl,-soname,libtwin.so.1",
            )
            members[CORE.replace("demo/", f"demo/{name}/")] = extension(
                self.folder / f"build/{name}.so", library, f"-Wl,-rpath,{library.parent}", needs="foo()"
            )
        new, _ = self.repaired(wheel(self.folder, members))
        self.assertEqual(len(self.bundled(new, "libtwin-")), 2)
        with zipfile.ZipFile(new) as archive:
            archive.extractall(self.folder / "site")
        for name in answers:
            (self.folder / name / "libtwin.so.1").unlink()
        for member in members:
            place = self.folder / "site" / CORE
            place.unlink(missing_ok=True)
            (self.folder / "site" / member).rename(place)
            (place.parent.parent / "x").mkdir(exist_ok=True)
            depth = member.count("/") - CORE.count("/")
            self.assertEqual(dynamic(new, member)["RPATH"], "$ORIGIN/" + "../" * (depth + 1) + "demo.libs")

    def test_runpath_is_not_inherited(self):
        """DT_RUNPATH of the module does not apply to the needs of its libraries, DT_RPATH does."""
        for kind, answer in (("--enable-new-dtags", "43"), ("--disable-new-dtags", "1")):
            other = compile_library(
                self.folder / "other/libbar.so.2", "int bar(void) { return 0; }", "-Wl,-soname,libbar.so.2"
            )
            compile_library(self.libs / "libbar.so.2.1", "int bar(void) { return 42; }", "-Wl,-soname,libbar.so.2")
            foo = compile_library(
                self.folder / "foo/libfoo.so.1", FOO, "-Wl,-soname,libfoo.so.1", self.bar, f"-Wl,{kind}"
            )
            core = extension(
                self.folder / "build/core.so",
                foo,
                f"-Wl,{kind}",
                f"-Wl,-rpath,{foo.parent}:{other.parent}",
                f"-Wl,-rpath-link,{self.libs}",
                needs="foo()",
            )
            path = wheel(self.folder, {CORE: core})
            done = run("repair", "-w", self.out, "--ldpaths", self.libs, path)
            self.assertEqual(done.returncode, 0, done.stderr)
            [new] = self.out.iterdir()
            self.assertEqual(self.loaded(new), answer)
            self.assertNotIn("RUNPATH", dynamic(new, CORE))
            new.unlink()
            # What is nowhere else is taken from there.
            (self.folder / "none").mkdir(exist_ok=True)
            done = run("repair", "-w", self.out, "--ldpaths", self.folder / "none", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            [new] = self.out.iterdir()
            self.assertEqual(self.loaded(new), "1")
            new.unlink()

    def test_version_needs_get_the_new_name(self):
        versions = self.folder / "versions"
        versions.write_text("BAR_1 { bar; };")
        compile_library(
            self.libs / "libbar.so.2.1", BAR, "-Wl,-soname,libbar.so.2", f"-Wl,--version-script={versions}"
        )
        compile_library(self.libs / "libfoo.so.1", FOO, "-Wl,-soname,libfoo.so.1", self.bar)
        new, _ = self.repaired(wheel(self.folder, {CORE: self.core()}), "--verify=run")
        [foo], [bar] = self.bundled(new, "libfoo"), self.bundled(new, "libbar")
        self.assertIn(bar.rpartition("/")[2], version_needs(new, foo))
        self.assertNotIn("libbar.so.2", version_needs(new, foo))
        self.assertEqual(self.loaded(new), "42")

    def test_a_library_without_a_soname(self):
        compile_library(self.libs / "libnone.so", "int foo(void) { return 42; }")
        core = extension(self.folder / "build/core.so", f"-L{self.libs}", "-lnone", needs="foo()")
        new, _ = self.repaired(wheel(self.folder, {CORE: core}))
        [library] = self.bundled(new, "libnone")
        self.assertEqual(dynamic(new, library)["SONAME"], library.rpartition("/")[2])
        self.assertEqual(self.loaded(new), "42")

    def test_a_library_of_the_wheel_comes_first(self):
        core = self.core("-Wl,-rpath,$ORIGIN")
        new, text = self.repaired(wheel(self.folder, {CORE: core, "demo/libfoo.so.1": self.foo}))
        self.assertEqual(self.bundled(new, "libfoo"), [])
        self.assertEqual(len(self.bundled(new, "libbar")), 1)
        self.assertIn("1 library bundled", text)
        self.assertEqual(self.loaded(new), "42")

    def test_a_second_repair_bundles_what_the_first_excluded(self):
        members = {CORE: self.core(), "demo/_bar.so": self.bar_module()}
        first, _ = self.repaired(wheel(self.folder, members), "--exclude", "libfoo.so.1")
        self.assertEqual(len(self.bundled(first, "libbar")), 1)
        done = run("repair", "-w", self.folder / "second", "--lib-path", self.libs, first)
        self.assertEqual(done.returncode, 0, done.stderr)
        [new] = (self.folder / "second").iterdir()
        self.assertEqual((len(self.bundled(new, "libfoo")), len(self.bundled(new, "libbar"))), (1, 1))
        sboms = [name for name in names(new) if "/sboms/" in name]
        self.assertEqual([one.rpartition("/")[2] for one in sboms], ["wheelcheck.cdx.json", "wheelcheck-2.cdx.json"])
        self.assertEqual(self.loaded(new), "42")

    def test_plugins_are_named(self):
        """Directories with libraries and names of libraries in the strings of a bundled library."""
        plugins = self.libs / "lib/plugins"
        compile_library(plugins / "codecs/one.so", "int one;")
        compile_library(self.libs / "libextra.so.3", "int extra;", "-Wl,-soname,libextra.so.3")
        (self.libs / "lib/empty").mkdir()
        compile_library(
            self.libs / "libbar.so.2.1",
            BAR
            + f'const char *a = "{plugins}/:{self.libs}/lib/empty", *b = "libextra.so.3", *c = "libnone.so.9",'
            + ' *d = "libextra.so.3 is missing", *e = "/usr/lib/../lib", *f = "lib%s.so";',
            "-Wl,-soname,libbar.so.2",
        )
        _, text = self.repaired(wheel(self.folder, {CORE: self.core()}))
        [note] = re.findall("  note: (.*)", text)
        self.assertIn(f"libbar.so.2 can load libextra.so.3 and plugins of {plugins} when it runs", note)

    def test_no_notes_about_plain_libraries(self):
        _, text = self.repaired(wheel(self.folder, {CORE: self.core()}))
        self.assertNotIn("note:", text)

    def test_chains_of_symbolic_links(self):
        """The name of the copy is that of the file, as auditwheel names it."""
        real = self.libs / "real/libfoo.so.1.2.3"
        real.parent.mkdir()
        self.foo.rename(real)
        (self.libs / "libfoo.so.1.2").symlink_to("real/../real/libfoo.so.1.2.3")
        (self.libs / "libfoo.so.1").symlink_to(self.libs / "libfoo.so.1.2")
        self.foo = real
        new, text = self.repaired(wheel(self.folder, {CORE: self.core()}))
        self.assertRegex(self.bundled(new, "libfoo")[0], r"/libfoo-\w{8}\.so\.1\.2\.3$")
        self.assertIn(f"{real} -> ", text)
        self.assertEqual(self.loaded(new), "42")

    def test_libraries_for_other_processors_are_not_taken(self):
        """glibc-hwcaps has variants of a library; the plain one runs everywhere (elf/dl-hwcaps.c)."""
        root = self.folder / "root"
        plain = root / "usr/lib/x86_64-linux-gnu"
        fast = compile_library(
            plain / "glibc-hwcaps/x86-64-v3/libfoo.so.1", FOO + " int fast;", "-Wl,-soname,libfoo.so.1", self.bar
        )
        for library in (self.foo, self.bar):
            (plain / library.name).write_bytes(library.read_bytes())
        (plain / "libbar.so.2").symlink_to(self.bar.name)
        path = wheel(self.folder, {CORE: self.core()})
        done = run("repair", "-w", self.out, "--sysroot", root, path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(hashlib.sha256(self.foo.read_bytes()).hexdigest()[:8], done.stdout)
        self.assertNotIn(hashlib.sha256(fast.read_bytes()).hexdigest()[:8], done.stdout)

    def test_the_mode_of_a_library_does_not_matter(self):
        self.foo.chmod(0o444)
        new, _ = self.repaired(wheel(self.folder, {CORE: self.core()}, modes={CORE: 0o100755}))
        with zipfile.ZipFile(new) as archive:
            modes = {one.filename: one.external_attr >> 16 for one in archive.infolist()}
        self.assertEqual(modes[self.bundled(new, "libfoo")[0]], 0o100644)
        self.assertEqual(modes[self.bundled(new, "libbar")[0]], 0o100755)
        self.assertEqual(modes[CORE], 0o100755)

    def test_the_environment_of_a_sysroot_is_not_used(self):
        path = wheel(self.folder, {CORE: self.core()})
        (self.folder / "empty").mkdir()
        for name in ("LD_LIBRARY_PATH", "AUDITWHEEL_LD_LIBRARY_PATH"):
            env = {name: str(self.libs)}
            self.assertEqual(run("repair", "--dry-run", path, env=env).returncode, 0)
            self.assertEqual(run("repair", "--dry-run", "--sysroot", self.folder / "empty", path, env=env).returncode, 2)


class Wheels(RepairCase):
    def test_abi3_and_several_tags(self):
        member = "demo/_core.abi3.so"
        for tag, kept in (
            ("cp38-abi3-linux_x86_64", []),
            ("cp38.cp39-abi3-linux_x86_64", []),
            ("cp38-abi3-macosx_11_0_arm64.linux_x86_64", ["macosx_11_0_arm64"]),
        ):
            core = self.core("-Wl,--no-as-needed", "-lc")
            new, _ = self.repaired(wheel(self.folder, {member: core}, tag=tag))
            python, abi, platforms = new.stem.split("-")[2:]
            self.assertEqual(f"{python}-{abi}", tag.rpartition("-")[0])
            self.assertNotIn("linux_x86_64", platforms.split("."))
            self.assertIn("manylinux1_x86_64", platforms.split("."))
            self.assertEqual([one for one in platforms.split(".") if "linux" not in one], kept)
            with zipfile.ZipFile(new) as archive:
                tags = re.findall("Tag: (.*)", archive.read("demo-1.0.dist-info/WHEEL").decode())
            self.assertEqual(len(tags), len(python.split(".")) * len(platforms.split(".")))
            new.unlink()

    def test_modules_of_platlib_and_purelib(self):
        for scheme in ("platlib", "purelib"):
            member = f"demo-1.0.data/{scheme}/{CORE}"
            new, _ = self.repaired(wheel(self.folder, {member: self.core()}))
            self.assertEqual(dynamic(new, member)["RPATH"], "$ORIGIN/../demo.libs")
            new.unlink()

    def test_root_is_purelib(self):
        path = wheel(self.folder, {CORE: self.core()}, tag="py3-none-any")
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        info = "demo-1.0.dist-info/WHEEL"
        contents[info] = contents[info].replace(b"Purelib: false", b"Purelib: true")
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in contents.items():
                archive.writestr(name, data)
        new, _ = self.repaired(path)
        with zipfile.ZipFile(new) as archive:
            self.assertIn(b"Root-Is-Purelib: false\n", archive.read(info))
        self.assertRegex(new.name, "^demo-1.0-py3-none-manylinux")

    def test_signatures_are_left_out(self):
        info = "demo-1.0.dist-info"
        path = wheel(self.folder, {CORE: self.core(), f"{info}/RECORD.jws": "{}", f"{info}/RECORD.p7s": "x"})
        new, text = self.repaired(path)
        self.assertIn("note: RECORD.jws is not copied, because it signs the old RECORD", text)
        self.assertEqual([name for name in names(new) if "RECORD" in name], [f"{info}/RECORD"])
        with zipfile.ZipFile(new) as archive:
            self.assertNotIn(b"RECORD.", archive.read(f"{info}/RECORD"))

    def test_files_of_dist_info_are_kept(self):
        """A file whose name begins with RECORD has a hash like any other; direct_url.json is copied."""
        info = "demo-1.0.dist-info"
        path = wheel(
            self.folder, {CORE: self.core(), f"{info}/RECORD.txt": "x", f"{info}/direct_url.json": '{"url": "x"}'}
        )
        new, _ = self.repaired(path)
        with zipfile.ZipFile(new) as archive:
            record = archive.read(f"{info}/RECORD").decode()
            digest = base64.urlsafe_b64encode(hashlib.sha256(b"x").digest()).rstrip(b"=").decode()
            self.assertIn(f"{info}/RECORD.txt,sha256={digest},1\n", record)
            self.assertIn(f"{info}/direct_url.json,sha256=", record)

    def test_zip64(self):
        path = wheel(self.folder, {CORE: self.core()})
        with zipfile.ZipFile(path) as archive:
            contents = {one: archive.read(one) for one in archive.infolist()}
        with zipfile.ZipFile(path, "w") as archive:
            for entry, data in contents.items():
                with archive.open(zipfile.ZipInfo(entry.filename, entry.date_time), "w", force_zip64=True) as file:
                    file.write(data)
        new, _ = self.repaired(path)
        with zipfile.ZipFile(new) as archive:
            self.assertIsNone(archive.testzip())
        self.assertEqual(self.loaded(new), "42")

    def test_a_module_outside_of_site_packages(self):
        """The scheme `data` has no path to site-packages that every system has."""
        member = "demo-1.0.data/data/lib/demo/plugin.so"
        core = self.core("-Wl,--no-as-needed", "-lc")
        for more in ({}, {CORE: extension(self.folder / "build/plain.so")}):
            path = wheel(self.folder, {member: core, **more})
            self.refused(path, says=f"{member} is not installed below site-packages, so no search path leads")
        path = wheel(self.folder, {member: extension(self.folder / "build/plain.so"), CORE: self.core()})
        self.repaired(path)

    def test_a_sysroot_of_another_machine(self):
        flags = ["--target=aarch64-linux-gnu", "-nostdlib", "-fuse-ld=lld", "-Wl,-z,max-page-size=65536"]
        root = self.folder / "root"
        foo = compile_library(
            root / "usr/lib/aarch64-linux-gnu/libfoo.so.1",
            "int foo(void) { return 1; }",
            *flags,
            "-Wl,-soname,libfoo.so.1",
            compiler="clang-19",
        )
        # The same name for this machine, where ld.so.conf leads first.
        (root / "opt").mkdir()
        (root / "opt/libfoo.so.1").write_bytes(self.foo.read_bytes())
        (root / "etc").mkdir()
        (root / "etc/ld.so.conf").write_text("/opt\n")
        core = compile_library(
            self.folder / "core.so",
            "int foo(void); int PyInit__core(void) { return foo(); }",
            *flags,
            foo,
            compiler="clang-19",
        )
        member = "demo/_core.cpython-311-aarch64-linux-gnu.so"
        path = wheel(self.folder, {member: core}, tag="cp311-cp311-linux_aarch64")
        done = run("repair", "-w", self.out, "--sysroot", root, path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("/usr/lib/aarch64-linux-gnu/libfoo.so.1 -> demo.libs/libfoo-", done.stdout)


    def opener(self):
        """A module that opens libfoo.so.1 with dlopen and does not name it in DT_NEEDED."""
        return compile_library(
            self.folder / "build/opener.so",
            "#include <dlfcn.h>\n#include <stddef.h>\n"
            "long PyInit__core(void) { void *l = dlopen(\"libfoo.so.1\", RTLD_NOW);\n"
            "return l ? ((int (*)(void))dlsym(l, \"foo\"))() : -1; }",
        )

    def test_a_library_that_machine_code_opens(self):
        """pypa/auditwheel issues 365 and 594."""
        path = wheel(self.folder, {CORE: self.opener()})
        new, text = self.repaired(path)
        self.assertIn("0 libraries bundled", text)
        self.assertEqual(self.loaded(new), "-1")
        new.unlink()
        new, text = self.repaired(path, "--bundle", "libfoo.so.1")
        self.assertIn(f"{self.libs}/libfoo.so.1 -> demo.libs/libfoo.so.1\n", text)
        self.assertEqual(dynamic(new, CORE)["RPATH"], "$ORIGIN/../demo.libs")
        self.assertEqual(dynamic(new, "demo.libs/libfoo.so.1")["SONAME"], "libfoo.so.1")
        self.assertRegex(dynamic(new, "demo.libs/libfoo.so.1")["NEEDED"][0], r"^libbar-\w{8}\.so\.2\.1$")
        self.assertEqual(self.loaded(new), "42")
        new.unlink()
        new, text = self.repaired(path, "--bundle", self.libs / "libfoo.so.1")
        self.assertEqual(self.loaded(new), "42")

    def test_a_library_that_is_needed_and_opened(self):
        """It is bundled once, under the name by which it is opened."""
        source = "void *dlopen(const char *, int); void *opens(void); void *opens(void)"
        core = self.core("-include", self.header(source + ' { return dlopen("libfoo.so.1", 2); }'))
        new, _ = self.repaired(wheel(self.folder, {CORE: core}), "--bundle", "libfoo.so.1")
        self.assertIn("libfoo.so.1", dynamic(new, CORE)["NEEDED"])
        self.assertEqual(len([name for name in names(new) if "libfoo" in name]), 1)
        self.assertEqual(self.loaded(new), "42")

    def test_a_bundled_library_that_opens_another(self):
        middle = compile_library(
            self.libs / "libmiddle.so.1",
            "#include <dlfcn.h>\nint foo(void) { void *l = dlopen(\"libbar.so.2\", RTLD_NOW);\n"
            "return l ? ((int (*)(void))dlsym(l, \"bar\"))() : -1; }",
            "-Wl,-soname,libmiddle.so.1",
        )
        core = extension(self.folder / "build/core.so", middle, needs="foo()")
        new, _ = self.repaired(wheel(self.folder, {CORE: core}), "--bundle", "libbar.so.2")
        self.assertEqual(self.loaded(new), "41")

    def test_what_python_code_opens(self):
        """pypa/auditwheel issue 197: no search path of a file applies to ctypes."""
        code = 'import ctypes\nfoo = ctypes.CDLL("libfoo.so.1")\n'
        path = wheel(self.folder, {CORE: extension(self.folder / "build/core.so"), "demo/__init__.py": code})
        new, text = self.repaired(path)
        self.assertIn("the import opens libfoo.so.1 by name", text)
        self.assertIn("--bundle libfoo.so.1 would copy it", text)
        new.unlink()
        new, text = self.repaired(path, "--bundle", "libfoo.so.1")
        self.assertIn(
            "note: demo/__init__.py names libfoo.so.1: Python code finds it by its path only, "
            "demo.libs/libfoo.so.1 in site-packages\n",
            text,
        )
        self.assertNotIn("would copy it", text)

    def test_a_library_to_bundle_is_not_there(self):
        path = wheel(self.folder, {CORE: self.core()})
        self.refused(path, "--bundle", "libnone.so", says="--bundle requires libnone.so, which was not found")


if __name__ == "__main__":
    unittest.main()
