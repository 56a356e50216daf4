#!/usr/bin/env python3
"""policy_derive_test.py PROGRAM: `wheelcheck policy derive`, `validate --root` and `explain` from the view of an
author."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


def run(*words, cwd=None):
    return subprocess.run([PROGRAM, "policy", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, timeout=120, cwd=cwd, env={**os.environ, "NO_COLOR": "1"})


def library(path, soname, nodes=(), symbols=()):
    """Links a library with a symbol for each node, and `symbols` without a node."""
    path.parent.mkdir(parents=True, exist_ok=True)
    script = path.with_suffix(".map")
    names = [f"of_{node.replace('.', '_')}" for node in nodes]
    script.write_text("\n".join(f"{node} {{ global: {name}; }};" for node, name in zip(nodes, names)))
    source = "".join(f"int {name}(void) {{ return 0; }}\n" for name in [*names, *symbols])
    words = [f"-Wl,--version-script,{script}"] if nodes else []
    # Symbols that a version script does not name have no node.
    subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", "-x", "c", "-", f"-Wl,-soname,{soname}", *words, "-o", path],
                   input=source, text=True, check=True, timeout=60)
    script.unlink()


def system(root, glibc, zlib, zsymbols):
    library(root / "usr/lib64/libc.so.6", "libc.so.6", [f"GLIBC_{one}" for one in glibc])
    library(root / "usr/lib64/libz.so.1.3", "libz.so.1", [f"ZLIB_{one}" for one in zlib], zsymbols)
    return root


class Derive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        here = cls.here = pathlib.Path(cls.temporary.name)
        cls.old = system(here / "old", ["2.2.5", "2.17", "2.36"], ["1.2.0"], ["inflate", "inflate_fast"])
        cls.new = system(here / "new", ["2.2.5", "2.17", "2.36", "2.41"], ["1.2.0", "1.2.12"], ["inflate"])

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def derived(self, *words):
        done = run("derive", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_the_level_holds_what_both_systems_have(self):
        level = self.derived("manylinux_2_36", "--root", f"old={self.old}", "--root", f"new={self.new}")
        self.assertEqual(level["basis"], "Derived from old, new")
        (arch,) = level["architectures"]
        one = level["architectures"][arch]
        self.assertEqual(one["versions"]["GLIBC"], ["2.2.5", "2.17", "2.36"])
        self.assertEqual(one["versions"]["ZLIB"], ["1.2.0"])
        self.assertEqual(level["libraries"], ["libc.so.6", "libz.so.1"])
        self.assertIn("inflate_fast", level["denied_symbols"]["libz.so.1"])
        self.assertNotIn("inflate", level["denied_symbols"]["libz.so.1"])

    def test_the_evidence_says_who_lacks_what(self):
        words = ["derive", "manylinux_2_36", "--root", f"old={self.old}", "--root", f"new={self.new}", "--output",
                 self.here / "level.json", "--evidence"]
        text = run(*words, "-").stdout
        self.assertIn("libz.so.1: 1 node left out, not in old: ZLIB_1.2.12", text)
        self.assertIn("libc.so.6: 1 node left out, not in old: GLIBC_2.41", text)
        self.assertIn("not in new: inflate_fast", text)
        self.assertEqual(run(*words, self.here / "evidence.json").returncode, 0)
        lacks = json.loads((self.here / "evidence.json").read_text())["lacks"]
        self.assertIn({"kind": "version", "library": "libz.so.1", "names": ["ZLIB_1.2.12"], "has_it": ["new"],
                       "lacks": ["old"]}, [{key: one[key] for key in one if key != "arch"} for one in lacks])

    def test_the_same_roots_give_the_same_bytes(self):
        words = ["derive", "manylinux_2_36", "--root", f"old={self.old}", "--root", f"new={self.new}", "--evidence", "-"]
        self.assertEqual(run(*words).stdout, run(*words, cwd=self.here).stdout)

    def test_a_label_that_is_said_again_adds_to_its_root(self):
        extra = self.here / "extra"
        library(extra / "usr/lib64/libfoo.so.1", "libfoo.so.1")
        level = self.derived("mylinux_1", "--root", f"one={self.old}", "--root", f"one={extra}", "--library",
                             "libfoo.so.1", "--libc", "2.36")
        self.assertIn("libfoo.so.1", level["libraries"])
        self.assertEqual(level["basis"], "Derived from one")

    def test_a_level_is_held_against_a_system(self):
        level = self.here / "held.json"
        run("derive", "mylinux_2", "--root", f"new={self.new}", "--libc", "2.41", "--output", level)
        told = json.loads(run("validate", level, "--root", f"new={self.new}", "--format", "json").stdout)["problems"]
        self.assertEqual([one for one in told if "of new" in one["message"] or "which new" in one["message"]], [])
        told = json.loads(run("validate", level, "--root", f"old={self.old}", "--format", "json").stdout)["problems"]
        self.assertTrue(any(one["code"] == "WC905" and "GLIBC_2.41" in one["message"] and "old" in one["message"]
                            for one in told), told)
        (self.old / "usr/lib64/libz.so.1.3").rename(self.here / "aside")
        try:
            told = json.loads(run("validate", level, "--root", f"old={self.old}", "--format", "json").stdout)["problems"]
        finally:
            (self.here / "aside").rename(self.old / "usr/lib64/libz.so.1.3")
        (absent,) = [one for one in told if one["code"] == "WC906"]
        self.assertIn("libz.so.1", absent["message"])

    def test_what_cannot_be_done_is_said(self):
        for words, said in ((["manylinux_2_36", "--root", "here"], "LABEL=PATH"),
                            (["manylinux_2_36", "--root", f"a={self.here}/none"], "none"),
                            (["manylinux_2_36", "--libc", "2.35", "--root", f"a={self.old}"], "2.36"),
                            (["manylinux_2_36", "--libc", "two", "--root", f"a={self.old}"], "two"),
                            (["manylinux_2_36", "--arch", "vax", "--root", f"a={self.old}"], "vax"),
                            (["manylinux_2_36", "--base", "manylinux_3", "--root", f"a={self.old}"], "manylinux_3")):
            done = run("derive", *words)
            self.assertIn(done.returncode, (2, 3), words)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(run("derive", "manylinux_2_36").returncode, 2)


class Explain(unittest.TestCase):
    def test_a_node_is_promised_since_a_level(self):
        done = run("explain", "GLIBC_2.34")
        self.assertEqual(done.returncode, 0)
        self.assertIn("since manylinux_2_34", done.stdout)
        told = json.loads(run("explain", "GLIBC_2.34", "--format", "json").stdout)["meanings"]
        since = {arch: one["level"] for meaning in told for one in meaning["since"] for arch in one["architectures"]}
        self.assertEqual(since["x86_64"], "manylinux_2_34")

    def test_a_symbol_is_denied_and_a_library_promised(self):
        self.assertIn("denied of libz.so.1", run("explain", "uncompress2").stdout)
        self.assertIn("library of manylinux", run("explain", "libz.so.1").stdout)

    def test_every_code_has_its_text(self):
        for number in range(901, 907):
            self.assertTrue(run("explain", f"WC{number}").stdout.startswith(f"WC{number} "))
            self.assertEqual(json.loads(run("explain", f"WC{number}", "--format", "json").stdout)["code"], f"WC{number}")
        self.assertEqual(run("explain", "GLIBC_9.9").returncode, 2)


class Diff(unittest.TestCase):
    def test_a_file_alone_stands_beside_the_levels_of_its_names(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "level.json"
            level = json.loads(run("show", "manylinux_2_17", "--format", "json").stdout)
            file.write_text(json.dumps(level))
            self.assertEqual(run("diff", file).stdout, "manylinux_2_17 and manylinux_2_17 allow the same\n")
            level["architectures"]["x86_64"]["versions"]["GLIBC"].append("2.99")
            file.write_text(json.dumps(level))
            self.assertIn("+2.99", run("diff", file).stdout)
            changes = json.loads(run("diff", file, "--format", "json").stdout)["changes"]
            self.assertEqual(changes[0]["architectures"]["x86_64"]["versions"]["GLIBC"]["added"], ["2.99"])


if __name__ == "__main__":
    unittest.main()
