#!/usr/bin/env python3
"""options_test.py PROGRAM: the command lines of `auditwheel repair`, given to `wheelcheck repair`.

The options are read from auditwheel's own parser, so that a new one is missed here and in the table of docs/repair.md.
"""

import re
import subprocess
import unittest
import zipfile

from case import BAR, CORE, FOO, RepairCase
from wheels import ROOT, TOOLS, compile_library, dynamic, extension, names, run, wheel

PARSER = """
import argparse
from auditwheel import main_repair
parser = argparse.ArgumentParser()
main_repair.configure_parser(parser.add_subparsers())
[commands] = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
for action in commands.choices["repair"]._actions:
    print(*action.option_strings, getattr(action, "env_var", None) or getattr(action, "env", ""))
"""


class Options(RepairCase):
    def members(self, path):
        with zipfile.ZipFile(path) as archive:
            return {entry.filename: entry for entry in archive.infolist()}

    def test_every_option_of_auditwheel_is_in_the_table(self):
        done = subprocess.run([TOOLS / "python", "-c", PARSER], check=True, capture_output=True, text=True)
        theirs = {word for word in done.stdout.split() if re.match("-|AUDITWHEEL_", word)} - {"-h", "--help"}
        self.assertLessEqual({"--plat", "-w", "--exclude", "-z"}, theirs)
        table = [line.split("|")[1] for line in (ROOT / "docs/repair.md").read_text().split("\n") if line[:3] == "| `"]
        listed = {word for cell in table for word in re.findall(r"(?<![\w-])(-{1,2}[A-Za-z][a-z-]*|AUDITWHEEL_\w+)", cell)}
        self.assertEqual(theirs - listed, set())
        known = run("repair", "--help").stdout
        for option in theirs:
            if option.startswith("-"):
                self.assertRegex(known, rf"(?<![\w-]){option}\b")

    def test_tags_that_the_result_is_compatible_with_stay(self):
        """As auditwheel leaves them: shapely 2.2.0 claims manylinux_2_24 and manylinux_2_28."""
        path = wheel(self.folder, {CORE: self.core()},
                     tag="cp311-cp311-manylinux1_x86_64.manylinux_2_24_x86_64.manylinux_2_28_x86_64")
        new, _ = self.repaired(path, "--plat", "manylinux_2_24", "--only-plat")
        self.assertEqual(new.name, "demo-1.0-cp311-cp311-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl")
        written = self.members(new)["demo-1.0.dist-info/WHEEL"]
        with zipfile.ZipFile(new) as archive:
            self.assertIn(b"Tag: cp311-cp311-manylinux_2_28_x86_64\n", archive.read(written))

    def test_the_usual_command_lines(self):
        path = wheel(self.folder / "dist", {CORE: self.core()})
        env = {"LD_LIBRARY_PATH": str(self.libs)}
        for words, result in (
            (["--plat", "manylinux_2_36_x86_64", "-w", "out", "dist/" + path.name], "out"),
            (["dist/" + path.name], "wheelhouse"),
            (["dist/" + path.name, "--plat", "manylinux2014_x86_64"], "wheelhouse"),
            (["-w", "out2", "--exclude", "libbar.so*", "dist/" + path.name], "out2"),
            (["--exclude", "libbar.so*", "--exclude", "libno?*", "--wheel-dir=out3", "dist/" + path.name], None),
        ):
            done = run("repair", *words, env=env, cwd=self.folder)
            self.assertEqual(done.returncode, 0 if result else 2, done.stderr)
            if result:
                self.assertTrue(list((self.folder / result).iterdir()))
        [new] = (self.folder / "out").iterdir()
        self.assertIn("manylinux_2_36_x86_64", new.name)

    def test_several_wheels_after_an_option_with_a_value(self):
        paths = [wheel(self.folder / "dist", {CORE: self.core()}, name=name) for name in ("one", "two")]
        for option, value in (("--exclude", "libbar.so*"), ("--lib-path", self.libs), ("--plat", "auto")):
            out = self.folder / option
            env = {"LD_LIBRARY_PATH": str(self.libs)}
            done = run("repair", "-w", out, option, value, *paths, env=env)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(list(out.iterdir())), 2)

    def test_lib_path_may_be_relative(self):
        path = wheel(self.folder / "dist", {CORE: self.core()})
        done = run("repair", "-w", self.out, "--lib-path", "build/../system", path, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_several_wheels_are_written_together_or_not_at_all(self):
        good = wheel(self.folder / "dist", {CORE: self.core()})
        plain = wheel(self.folder / "dist", {CORE: extension(self.folder / "build/plain.so")}, name="plain")
        again = wheel(self.folder / "other", {CORE: self.core(), "demo/text": "x"})
        stack = wheel(self.folder / "dist", {CORE: self.core("-Wl,-z,execstack")}, name="stack")
        for words, says in (
            ((good, stack, plain), "stack-1.0-cp311-cp311-linux_x86_64.whl: demo/_core"),
            ((good, plain, again), "another wheel of this call has the result demo-1.0-"),
            (("--exclude", "libba.so*", good, plain), "--exclude libba.so* matches no library that one of the wheels"),
        ):
            done = run("repair", "-w", self.out, "--lib-path", self.libs, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(says, done.stderr)
            self.assertEqual(list(self.out.iterdir()), [])
        done = run("repair", "-w", self.out, "--lib-path", self.libs, "--exclude", "libbar.so*", good, plain)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list(self.out.iterdir())), 2)

    def test_zip_compression_level(self):
        path = wheel(self.folder, {CORE: self.core(), "demo/data": b"abc" * 100_000 + bytes(range(256)) * 100})
        sizes = {}
        for level in (None, "0", "1", "9"):
            for words, env in (
                (["-z", level] if level else [], {}),
                ([], {"AUDITWHEEL_ZIP_COMPRESSION_LEVEL": level} if level else {}),
                ([f"--zip-compression-level={level}"] if level else [], {"AUDITWHEEL_ZIP_COMPRESSION_LEVEL": "3"}),
            ):
                if level is None and env:
                    continue
                new, _ = self.repaired(path, *words, env=env)
                sizes.setdefault(level, set()).add(self.members(new)["demo/data"].compress_size)
                with zipfile.ZipFile(new) as archive:
                    self.assertIsNone(archive.testzip())
                self.assertEqual(run("check", new).returncode, 0)
                new.unlink()
        self.assertTrue(all(len(one) == 1 for one in sizes.values()), sizes)
        self.assertEqual(sizes["0"], {325_600})
        self.assertEqual(sizes[None], {self.members(path)["demo/data"].compress_size})  # copied
        self.assertLess(max(sizes["9"]), max(sizes["0"]))
        self.refused(path, "-z", "10", says="--zip-compression-level")
        self.refused(path, env={"AUDITWHEEL_ZIP_COMPRESSION_LEVEL": "best"}, says="must be 0 to 9")

    def test_ldpaths_replace_the_default_directories(self):
        path = wheel(self.folder, {CORE: self.core()})
        done = run("repair", "-w", self.out, "--ldpaths", f"/nowhere:{self.libs}", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        [new] = self.out.iterdir()
        self.assertEqual(self.loaded(new), "42")
        new.unlink()
        # Nothing else is searched: zlib of this system is not found.
        png = extension(self.folder / "build/z.so", "-Wl,--no-as-needed", "-l:libcrypto.so.3")
        path = wheel(self.folder / "crypto", {CORE: png})
        done = run("repair", "-w", self.folder / "no", "--ldpaths", str(self.libs), path)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"libcrypto.so.3, which was not found in {self.libs}", done.stderr)
        self.refused(path, "--ldpaths", "lib", says="--ldpaths: lib is not an absolute path")

    def test_ld_library_path_of_auditwheel(self):
        path = wheel(self.folder, {CORE: self.core()})
        done = run("repair", "-w", self.out, path, env={"AUDITWHEEL_LD_LIBRARY_PATH": str(self.libs)})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_disable_isa_ext_check(self):
        foo = compile_library(
            self.libs / "libfoo.so.1",
            "int foo(void) { return 42; }",
            "-Wl,-z,x86-64-v3",
            "-march=x86-64-v3",
            "-Wl,-soname,libfoo.so.1",
        )
        core = extension(self.folder / "build/core.so", foo, "-Wl,-z,x86-64-v2", needs="foo()")
        path = wheel(self.folder, {CORE: core})
        self.refused(path, says="x86-64-v")
        new, text = self.repaired(path, "--disable-isa-ext-check")
        self.assertRegex(new.name, "manylinux")
        self.assertIn("note: the result requires the instruction set x86-64-v3", text)
        new.unlink()
        plain = wheel(self.folder / "plain", {CORE: extension(self.folder / "build/plain.so")})
        self.assertNotIn("instruction set", self.repaired(plain, "--disable-isa-ext-check")[1])

    def test_patcher(self):
        path = wheel(self.folder, {CORE: self.core()})
        self.repaired(path, "--patcher", "patchelf")[0].unlink()
        for name in ("lief-patchelf", "none"):
            self.refused(path, f"--patcher={name}", says=f"--patcher {name}: files are edited by patchelf only; leave")

    def test_no_update_tags(self):
        path = wheel(self.folder, {CORE: self.core()})
        new, _ = self.repaired(path, "--no-update-tags")
        self.assertEqual(new.name, path.name)
        with zipfile.ZipFile(new) as archive:
            self.assertIn(b"Tag: cp311-cp311-linux_x86_64\n", archive.read("demo-1.0.dist-info/WHEEL"))
        self.assertEqual(self.loaded(new), "42")

    def test_lib_sdir(self):
        path = wheel(self.folder, {CORE: self.core()})
        for words, folder in ((["-L", ".dylibs"], "demo.dylibs"), (["--lib-sdir", "/_libs/deep"], "demo/_libs/deep")):
            new, _ = self.repaired(path, *words)
            self.assertEqual(len([name for name in names(new) if name.startswith(f"{folder}/lib")]), 2)
            self.assertEqual(dynamic(new, CORE)["RPATH"], f"$ORIGIN/../{folder}" if "." in folder else "$ORIGIN/_libs/deep")
            self.assertEqual(run("check", new).returncode, 0)
            self.assertEqual(self.loaded(new), "42")
            new.unlink()
        for suffix in ("/../../x", "/./x"):
            self.refused(path, "-L", suffix, says="--lib-sdir")

    def test_platforms_that_do_not_fit(self):
        path = wheel(self.folder, {CORE: self.core()})
        for tag in ("linux_x86_64", "manylinux_2_28_aarch64", "musllinux_1_2", "manylinux_2_28_x86_64 "):
            self.refused(path, "--plat", tag, says="see `wheelcheck policy list`")

    def test_a_file_that_is_missing(self):
        done = run("repair", "-w", self.out, self.folder / "none-1.0-py3-none-any.whl")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("none-1.0-py3-none-any.whl", done.stderr)

    def test_exclude_of_a_library_with_needs_of_its_own(self):
        """What only an excluded library needs is not bundled; what another needs too is."""
        both = compile_library(self.libs / "libboth.so", FOO.replace("foo", "both"), "-Wl,-soname,libboth.so", self.bar)
        core = self.core("-Wl,--no-as-needed", both)
        new, _ = self.repaired(wheel(self.folder, {CORE: core}), "--exclude", "libfoo.so.1")
        self.assertEqual(len([name for name in names(new) if "demo.libs/libbar" in name]), 1)
        self.assertEqual([name for name in names(new) if "demo.libs/libfoo" in name], [])
        self.assertTrue(BAR)


if __name__ == "__main__":
    unittest.main()
