#!/usr/bin/env python3
"""fix_findings_test.py PROGRAM: `wheelcheck fix` on needed libraries, loaders, WHEEL, signatures and archives."""

import io
import json
import subprocess
import unittest
import zipfile

from case import CORE, RepairCase
from wheels import compile_library, dynamic, extension, names, run, wheel

LOADER = "/lib64/ld-linux-x86-64.so.2"


class FixFindings(RepairCase):
    def findings(self, path, *words):
        document = json.loads(run("check", path, "--format=json", *words).stdout)
        return {one["code"]: one for one in document["wheels"][0]["findings"]}

    def fixed(self, path, *words, code=0):
        done = run("fix", path, "-o", self.out, *words)
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        return self.out / path.name, done.stdout

    def not_fixable(self, path, code, *words):
        self.assertFalse(self.findings(path, *words)[code]["fixable"])

    def rewritten(self, path, change):
        """The wheel with members changed, its RECORD aside."""
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in contents.items():
                archive.writestr(zipfile.ZipInfo(name, (2024, 5, 6, 7, 8, 10)), change(name, data))
        return path

    def test_libraries_of_the_wheel_that_no_path_reaches(self):
        path = wheel(
            self.folder,
            {
                CORE: self.core("-Wl,-rpath,/home/builder/lib"),
                "demo/lib/libfoo.so.1": self.foo,
                "demo/other/libbar.so.2": self.bar,
            },
        )
        self.assertTrue(self.findings(path)["WC506"]["fixable"])
        new, text = self.fixed(path)
        self.assertIn(f"{CORE}: RUNPATH: /home/builder/lib -> $ORIGIN/lib (WC503, WC506)", text)
        self.assertEqual(dynamic(new, CORE)["RUNPATH"], "$ORIGIN/lib")
        self.assertEqual(dynamic(new, "demo/lib/libfoo.so.1")["RUNPATH"], "$ORIGIN/../other")
        self.assertFalse({"WC506", "WC503"} & self.findings(new).keys())
        self.assertEqual(self.loaded(new), "42")

    def test_a_library_with_another_file_name(self):
        path = wheel(
            self.folder, {CORE: self.core(), "demo/libfoo-1.so": self.foo, "demo/libbar.so.2": self.bar}
        )
        if "WC506" in self.findings(path):
            new, _ = self.fixed(path)
            self.assertEqual(dynamic(new, CORE)["NEEDED"][0], "libfoo-1.so")
            self.assertEqual(self.loaded(new), "42")

    def test_a_library_outside_of_site_packages_is_left(self):
        path = wheel(
            self.folder, {CORE: self.core(), "demo-1.0.data/data/lib/libfoo.so.1": self.foo, "demo/libbar.so.2": self.bar}
        )
        for one in json.loads(run("check", path, "--format=json").stdout)["wheels"][0]["findings"]:
            if one["code"] == "WC506" and CORE in one["place"]:
                self.assertFalse(one["fixable"])

    def test_libpython(self):
        python = compile_library(self.libs / "libpython3.11.so.1.0", "int Py_X;", "-Wl,-soname,libpython3.11.so.1.0")
        core = extension(self.folder / "build/core.so", "-Wl,--no-as-needed", python)
        path = wheel(self.folder, {CORE: core})
        self.assertTrue(self.findings(path)["WC510"]["fixable"])
        new, text = self.fixed(path)
        self.assertIn("requires libpython3.11.so.1.0: yes -> no (WC510)", text)
        self.assertNotIn("libpython3.11.so.1.0", dynamic(new, CORE)["NEEDED"])
        self.assertEqual(self.loaded(new), "0")
        # A program needs the library.
        main = self.folder / "main.c"
        main.write_text("int main(void) { return 0; }\n")
        subprocess.run(["gcc", "-o", self.folder / "tool", main, "-Wl,--no-as-needed", python], check=True)
        path = wheel(self.folder / "tool-dist", {"demo/tool": self.folder / "tool"}, modes={"demo/tool": 0o100755})
        self.not_fixable(path, "WC510")

    def test_the_loader_of_a_program(self):
        main = self.folder / "main.c"
        main.write_text("int main(void) { return 7; }\n")
        program = self.folder / "tool"
        subprocess.run(["gcc", "-o", program, main, "-Wl,--dynamic-linker=/nix/store/x/ld.so"], check=True)
        path = wheel(self.folder, {"demo/tool": program}, modes={"demo/tool": 0o100755})
        self.assertTrue(self.findings(path)["WC514"]["fixable"])
        new, text = self.fixed(path)
        self.assertIn(f"demo/tool: loader: /nix/store/x/ld.so -> {LOADER} (WC514)", text)
        with zipfile.ZipFile(new) as archive:
            archive.extract("demo/tool", self.folder)
        (self.folder / "demo/tool").chmod(0o755)
        self.assertEqual(subprocess.run([self.folder / "demo/tool"], check=False).returncode, 7)

    def test_root_is_purelib(self):
        def pure(name, data):
            return data.replace(b"Purelib: false", b"Purelib: true") if name.endswith("/WHEEL") else data

        core = extension(self.folder / "build/core.so")
        path = self.rewritten(wheel(self.folder, {CORE: core}), pure)
        self.assertTrue(self.findings(path)["WC705"]["fixable"])
        new, text = self.fixed(path)
        self.assertIn("demo-1.0.dist-info/WHEEL: Root-Is-Purelib: true -> false (WC705)", text)
        self.assertEqual(self.findings(new).keys() & {"WC705", "WC701", "WC702"}, set())
        path = self.rewritten(wheel(self.folder / "any", {CORE: core}, tag="cp311-cp311-any"), pure)
        self.not_fixable(path, "WC705")

    def test_signatures(self):
        core = extension(self.folder / "build/core.so")
        path = wheel(self.folder, {CORE: core, "demo-1.0.dist-info/RECORD.jws": "{}"})
        self.assertTrue(self.findings(path)["WC713"]["fixable"])
        new, text = self.fixed(path)
        self.assertIn("RECORD.jws: signature: of the old RECORD -> removed (WC713)", text)
        self.assertNotIn("demo-1.0.dist-info/RECORD.jws", names(new))
        self.assertNotIn("WC713", self.findings(new))

    def test_an_archive_that_an_index_refuses(self):
        class Pipe(io.RawIOBase):  # cannot seek, so that zipfile writes the sizes behind the data
            def __init__(self):
                self.data = bytearray()

            def writable(self):
                return True

            def write(self, data):
                self.data += data
                return len(data)

        path = wheel(self.folder, {CORE: extension(self.folder / "build/core.so")})
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        pipe = Pipe()
        with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in contents.items():
                archive.writestr(name, data)
        path.write_bytes(pipe.data)
        self.assertTrue(self.findings(path, "--index=pypi")["WC852"]["fixable"])
        done = run("fix", path, "-o", self.out, "--index=pypi")
        self.assertIn("archive: written anew (WC852)", done.stdout)
        self.assertNotIn("WC852", self.findings(self.out / path.name, "--index=pypi"))

    def test_exit_codes_and_last_lines(self):
        good = wheel(self.folder, {CORE: extension(self.folder / "build/core.so")})
        stack = wheel(self.folder / "stack", {CORE: extension(self.folder / "build/core.so", "-Wl,-z,execstack")})
        old = wheel(self.folder / "old", {CORE: self.core("-Wl,-z,execstack")}, tag="cp311-cp311-manylinux2014_x86_64")
        for path, code, last in (
            (good, 0, "nothing to fix; PASSED"),
            (stack, 0, "PASSED"),
            (old, 1, r"FAILED, \d findings are left that no safe change fixes, see `wheelcheck check`$"),
        ):
            done = run("fix", path, "-o", self.out)
            self.assertEqual(done.returncode, code, done.stdout)
            self.assertRegex(done.stdout.splitlines()[-1], last)
            self.assertEqual(run("fix", "--diff", path).returncode, code)
        self.assertTrue((self.out / old.name).exists())  # written with what could be fixed
        self.assertEqual(run("fix", old, "-o", self.out, "--fail-on=never").returncode, 0)


if __name__ == "__main__":
    unittest.main()
