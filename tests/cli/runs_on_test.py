#!/usr/bin/env python3
"""runs_on_test.py PROGRAM: the arguments, exit codes and inputs of `wheelcheck runs-on`."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from cli_test import ROOT, pure_wheel, run

SYSTEMS = json.loads((ROOT / "data/systems.json").read_text())["systems"]


class RunsOn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", cls.folder / "demo"], check=True,
                              capture_output=True, text=True)
        cls.broken = pathlib.Path(demo.stdout.strip())
        cls.pure = pure_wheel(cls.folder)
        # The executable stack of the demo wheel (WC601) fails it on every system.
        cls.calm = cls.folder / "calm.toml"
        cls.calm.write_text('ignore = ["WC601"]\n')

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def document(self, *words):
        done = run("runs-on", "--format", "json", "--config", self.calm, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def systems(self, *words):
        (wheel,) = self.document(*words)["wheels"]
        (machine,) = wheel["machines"]
        return machine, {one["id"]: one for one in machine["systems"]}

    def names(self, machine, system, key="lacks"):
        return [machine["requirements"][i]["name"] for i in system[key]]

    def test_where_pip_installs_what_breaks(self):
        machine, systems = self.systems(self.broken)
        old = systems["debian-11"]
        self.assertEqual((old["runs"], old["pip"], old["libc"]), ("no", True, "glibc 2.31"))
        self.assertEqual(old["tags"], ["manylinux_2_17_" + machine["architecture"],
                                       "manylinux2014_" + machine["architecture"]])
        # The demo wheel requires arc4random and, with GCC 12 or newer, condition_variable::wait.
        self.assertEqual(self.names(machine, old)[0], "GLIBC_2.36")
        self.assertIn("GLIBCXX_3.4.30", self.names(machine, old))
        # No level allows libtiff, so a system with all nodes may have it or not.
        new = systems["debian-12"]
        self.assertEqual((new["runs"], new["pip"], new["lacks"]), ("depends", True, []))
        self.assertEqual(self.names(machine, new, "open"), ["libtiff.so.6"])
        self.assertEqual(self.names(machine, systems["alpine-3.20"]), ["glibc"])
        self.assertFalse(systems["alpine-3.20"]["pip"])
        if machine["architecture"] == "x86_64":
            self.assertFalse(systems["centos-6"]["pip"])

    def test_text(self):
        done = run("runs-on", "--on", "debian,alpine-3.20", self.broken)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("check reports 1 error: WC601 executable-stack", done.stdout)
        self.assertRegex(done.stdout, r"\nFAILED: breaks on .*; check fails it\n$")
        self.assertIn("pip installs it, and it breaks\n  Debian ", done.stdout)
        self.assertRegex(done.stdout, r"\n  Debian [\d, to]* 11 +GLIBC_2\.36, GLIBCXX_3\.4\.30\n")
        self.assertRegex(done.stdout, r"\n  Alpine Linux 3\.20 +linked for glibc\n")
        self.assertRegex(done.stdout, r"\nrequired by\n(.*\n)*  GLIBC_2\.36 +gridfit/_solver\S+\s+\(arc4random\)\n")
        # glibc 2.41 is the first that refuses the executable stack
        self.assertRegex(done.stdout, r"\n  Debian 13 +WC601 executable-stack\n")
        self.assertNotIn("Ubuntu", done.stdout)

    def test_every_system_is_listed_once(self):
        machine, systems = self.systems(self.broken)
        arch = machine["architecture"]
        self.assertEqual(set(systems), {row["id"] for row in SYSTEMS if arch in row["architectures"]})
        self.assertEqual(len(systems), len(machine["systems"]))

    def test_a_wheel_without_code(self):
        machine, systems = self.systems(self.pure)
        self.assertEqual(machine["architecture"], "any")
        self.assertEqual({(one["runs"], one["pip"]) for one in systems.values()}, {("yes", True)})
        self.assertEqual(len(systems), len(SYSTEMS))

    def test_on(self):
        for words, ids in ((["--on", "debian-12"], ["debian-12"]), (["--on", "bookworm"], ["debian-12"]),
                           (["--on", "rhel-8,rocky-8"], ["rhel-8", "rocky-8"]),
                           (["--on", "alpine-3.2[01]"], ["alpine-3.20", "alpine-3.21"])):
            self.assertEqual(sorted(self.systems(self.pure, *words)[1]), ids)
        done = run("runs-on", self.pure, "--on", "gentoo")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no system is named gentoo; known are almalinux, alpine, ", done.stderr)

    def test_today_leaves_out_what_had_ended(self):
        document = self.document(self.pure, "--today", "2026-11-22")
        ended = {row["id"] for row in SYSTEMS if row["support_ends"] < "2026-11-22"}
        self.assertEqual((document["today"], document["left_out"]), ("2026-11-22", len(ended)))
        self.assertEqual({one["id"] for one in document["wheels"][0]["machines"][0]["systems"]},
                         {row["id"] for row in SYSTEMS} - ended)
        self.assertIn("debian-10", ended)
        # A system is still supported on its last day.
        last = next(row for row in SYSTEMS if row["id"] == "debian-13")["support_ends"]
        self.assertIn("debian-13", self.systems(self.pure, "--today", last)[1])
        self.assertIn("left out: ", run("runs-on", self.pure, "--today", "2026-11-22").stdout)
        self.assertEqual(run("runs-on", self.pure, "--today", "tomorrow").returncode, 2)

    def test_a_processor(self):
        wheel = self.folder / "fast-1.0-cp311-cp311-linux_x86_64.whl"
        (self.folder / "fast.c").write_text('void* PyInit_fast(void) { __asm__ volatile("vpaddd %ymm0, %ymm1, %ymm2"); '
                                            "return 0; }")
        made = subprocess.run(["gcc", "-shared", "-fPIC", "-o", self.folder / "fast.so", self.folder / "fast.c"],
                              capture_output=True)
        if made.returncode != 0:
            self.skipTest("needs gcc for x86-64")
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.write(self.folder / "fast.so", "fast.cpython-311-x86_64-linux-gnu.so")
            archive.writestr("fast-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: fast\nVersion: 1.0\n")
            archive.writestr("fast-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\n"
                             "Root-Is-Purelib: false\nTag: cp311-cp311-linux_x86_64\n")
            archive.writestr("fast-1.0.dist-info/RECORD", "")
        ask = lambda *words: run("runs-on", *words)
        done = ask("--cpu", "nehalem", wheel)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("  nehalem: the import fails\n    executes vpaddd (AVX2) at 0x", done.stdout)
        self.assertTrue(done.stdout.endswith("FAILED: the import fails on nehalem\n"), done.stdout)
        self.assertNotIn("Debian", done.stdout)
        self.assertIn("Debian", ask("--cpu", "nehalem", "--on", "debian", wheel).stdout)
        self.assertEqual(ask("--cpu", "haswell", wheel).returncode, 0)
        self.assertEqual(ask("--cpu", "nehalem", "--allow-incomplete", wheel).returncode, 1)
        done = ask("--cpu", "haswell,cortex-a72", wheel)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual(ask("--cpu", "haswell,cortex-a72", "--allow-incomplete", wheel).returncode, 0)
        self.assertIn("NOT KNOWN: the import fails in 0 of 2 cases, and may fail in 1", done.stdout)
        self.assertIn("cortex-a72: not known: no code for aarch64, but for x86_64", done.stdout)
        quiet = self.folder / "quiet.toml"
        quiet.write_text('ignore = ["WC120", "WC702"]\n')
        done = ask("--cpu", "cortex-a72", "--on", "debian-12", "--config", quiet, wheel)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"NOT KNOWN: .*; the import may fail on a processor\n\Z")
        done = ask("--cpu", "nehalem", "--on", "debian-12", wheel)
        self.assertRegex(done.stdout, r"FAILED: .*; the import fails on a processor")
        done = ask("--cpu", "haswel", wheel)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("a similar one is haswell", done.stderr)
        self.assertIn("works: the wheel has no machine code", ask("--cpu", "phenom", self.pure).stdout)

    def test_the_features_of_processors_are_those_that_are_read(self):
        known = (ROOT / "src/code/feature.cpp").read_text()
        for line in (ROOT / "data/processors.txt").read_text().splitlines():
            if not line.startswith("#"):
                for feature in line.split("\t")[2:]:
                    self.assertIn(f'"{feature.rstrip("?")}"', known)

    def test_fail_on_broken(self):
        code = lambda *words: run("runs-on", "--fail-on-broken", "--config", self.calm, *words).returncode
        self.assertEqual(code(self.broken), 1)
        self.assertEqual(code(self.broken, "--on", "debian-13"), 0)
        self.assertEqual(code(self.broken, "--on", "alpine"), 0)  # it would fail there, but pip does not install it
        self.assertEqual(code(self.pure), 0)

    def test_a_system_of_the_user(self):
        row = dict(next(row for row in SYSTEMS if row["id"] == "debian-11"), id="ours-1", distribution="Ours",
                   version="1")
        file = self.folder / "ours.json"
        file.write_text(json.dumps({"systems": [row]}))
        _, systems = self.systems(self.broken, "--knowledge", file, "--on", "ours")
        self.assertEqual([one["runs"] for one in systems.values()], ["no"])
        file.write_text(json.dumps({"systems": [dict(row, version=1)]}))
        done = run("runs-on", self.pure, "--knowledge", file)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("/systems/0/version: is a number", done.stderr)
        # The other commands read such a file too.
        self.assertIn("/systems/0/version: is a number", run("check", self.pure, "--knowledge", file).stderr)

    def test_kinds_of_input(self):
        unpacked = self.folder / "unpacked" / self.broken.stem
        with zipfile.ZipFile(self.broken) as archive:
            archive.extractall(unpacked)
        cache = self.folder / "cache"
        self.assertEqual(run("show", self.broken, "--cache", cache).returncode, 0)
        (kept,) = cache.rglob("*.jsonl.gz")
        copy = self.folder / (self.broken.name.removesuffix(".whl") + ".jsonl.gz")
        shutil.copy(kept, copy)
        want = self.document(self.broken)["wheels"]
        for path in (copy, unpacked):
            got = self.document(path)["wheels"]
            self.assertEqual([machine["systems"] for machine in got[0]["machines"]],
                             [machine["systems"] for machine in want[0]["machines"]], path)

    def test_exit_codes(self):
        garbage = self.folder / "garbage-1.0-py3-none-any.whl"
        garbage.write_bytes(b"no archive" * 100)
        done = run("runs-on", garbage, self.pure, "--format", "json")
        self.assertEqual(done.returncode, 1)
        self.assertIn(garbage.name, done.stderr)
        self.assertEqual([wheel["file"] for wheel in json.loads(done.stdout)["wheels"]], [self.pure.name])
        self.assertEqual(run("runs-on", self.folder / "missing.whl").returncode, 3)
        self.assertEqual(run("runs-on").returncode, 2)


if __name__ == "__main__":
    unittest.main()
