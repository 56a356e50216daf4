#!/usr/bin/env python3
"""bench_test.py PROGRAM [FLOOR]: tests what the scripts of bench/ generate and calculate. No test measures time."""

import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
import zlib
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import costs  # noqa: E402
import elf_strings  # noqa: E402
import growth  # noqa: E402
import made  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402
import plot  # noqa: E402
import run  # noqa: E402
import tables  # noqa: E402

PROGRAM, *FLOOR = sys.argv[1:]


def sample(cpu, rss=10_000_000, code=0):
    return measure.Sample(cpu, cpu * 2, rss, code)


class Reckoning(unittest.TestCase):
    def test_a_ratio_is_the_median_of_runs_side_by_side(self):
        # One of the three rounds was disturbed, for both programs equally.
        found = measure.ratio([sample(2), sample(40), sample(2.2)], [sample(1), sample(20), sample(1)])
        self.assertEqual((found.median, found.least), (2, 2))

    def test_runs_of_another_day_do_not_pair_up(self):
        found = measure.ratio([sample(8)], [sample(1), sample(2), sample(4)], paired=False)
        self.assertEqual((found.median, found.least, found.paired), (4, 8, False))

    def test_the_exponent_is_that_of_the_last_points(self):
        points = [(2**i, max(100, 3 * (2**i) ** 1.5)) for i in range(12)]
        self.assertAlmostEqual(growth.exponent(points), 1.5)

    def test_a_sample_belongs_to_the_innermost_function_that_has_a_group(self):
        lines = ["\t 1f memmove (/lib/libc.so.6)", "\t 2f wheelcheck::StringPool::add(std::string) (/bin/wheelcheck)",
                 "\t 3f wheelcheck::wheel::read_source(int) (/bin/wheelcheck)", "",
                 "\t 4f [unknown] (/lib/libcrypto.so.3)"]
        total, groups = costs.count(lines)
        self.assertEqual(total, 2)
        self.assertEqual({name: dict(functions) for name, (_, functions) in groups.items()},
                         {"symbols": {"memmove": 1}, "SHA-256": {"libcrypto.so.3": 1}})


class Page(unittest.TestCase):
    RESULTS = {"machine": "none", "wheels": {
        "a-1.0-cp311-cp311-manylinux_2_17_x86_64.whl": {
            "large": True, "strings": 1_000_000,
            "floor": {"samples": {name: [sample(cpu)] for name, cpu in (
                ("floor", 1), ("checked", 1.3), ("two", 0.7))}},
            "auditwheel": {"paired": True, "samples": {"auditwheel": [sample(60)], "checked": [sample(1)]}}},
        "b-1.0-py3-none-any.whl": {
            "large": False, "strings": None,
            "auditwheel": {"paired": True, "samples": {"auditwheel": [sample(1, code=1)], "checked": [sample(1)]}}}}}

    def goals(self):
        return {row.split(" | ")[0][2:]: row.split(" | ")[1:] for row in tables.goal_table(self.RESULTS, {})[2:]}

    def test_says_which_goals_are_met(self):
        goals = self.goals()
        self.assertEqual(goals["CPU over the floor: geometric mean at most 1.25"], ["1.30", "1", "**no** |"])
        self.assertEqual(goals["the same, worst at most 1.45"], ["1.30", "1", "yes |"])
        self.assertEqual(goals["CPU of markupsafe at most 4 ms"], ["not measured", "", " |"])

    def test_does_not_count_a_wheel_for_which_auditwheel_has_no_answer(self):
        rows = [row for row in tables.auditwheel_table(self.RESULTS) if row.startswith("| b 1.0 ")]
        self.assertIn("no answer", rows[0])

    def test_every_block_has_one_place(self):
        text = page.PAGE.read_text(encoding="utf-8")
        for name in [*tables.blocks(self.RESULTS, {}), "start", "growth", "costs"]:
            self.assertEqual((text.count(f"<!-- bench {name} -->"), text.count(f"<!-- end {name} -->")), (1, 1), name)

    def test_only_what_stands_between_the_marks_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text("before\n<!-- bench x -->\nold\n<!-- end x -->\nafter\n")
            page.put({"x": [r"new \1"]}, path)
            self.assertEqual(path.read_text(), "before\n<!-- bench x -->\nnew \\1\n<!-- end x -->\nafter\n")
            with self.assertRaises(SystemExit):
                page.put({"y": []}, path)

    def test_a_plot_is_well_formed(self):
        points = [[10, 0.1, 1e6, 1e6], [20, 0.2, 1e6, 1e6], [40, 0.4, 2e6, 2e6]]
        drawn = plot.draw([("members of a wheel", points)], growth.exponent)
        self.assertIn("exponent 1.00", drawn)
        self.assertEqual(len(ElementTree.fromstring(drawn).findall(".//{*}circle")), 6)


class Made(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        self.addCleanup(self.place.cleanup)

    def checked(self):
        done = subprocess.run([PROGRAM, "check", "--fail-on", "never", "--format", "json", *self.folder.glob("*.whl")],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["wheels"]

    def test_a_wheel_is_what_it_was_asked_to_be(self):
        for axis in growth.AXES:
            with self.subTest(axis.name):
                for old in self.folder.iterdir():
                    old.unlink()
                axis.make(self.folder, 40 if axis.name != "bytes" else 3 * made.PIECE)
                wheels = self.checked()
                self.assertEqual(len(wheels), 40 if axis.name == "wheels" else 1)
                for wheel, path in zip(wheels, sorted(self.folder.iterdir()), strict=True):
                    codes = {finding["code"] for finding in wheel["findings"]}
                    self.assertEqual(codes & {"WC702", "WC708"}, set(), "RECORD or an ELF file is wrong")
                    with zipfile.ZipFile(path) as archive:
                        self.assertIsNone(archive.testzip())
                        if axis.name == "members":
                            self.assertEqual(len(archive.namelist()), 40)

    def test_a_library_has_its_symbols_and_its_text(self):
        growth.with_symbols(self.folder, 500)
        path, = self.folder.iterdir()
        listed = subprocess.run([PROGRAM, "symbols", path, "--match", "method"], capture_output=True, text=True,
                                check=True).stdout
        lines = [line for line in listed.splitlines() if ": export " in line]
        self.assertEqual(len(lines), 500)
        strings = made.Tables(500, made.PIECE).strings
        head, tail = made.library(500, made.PIECE)
        self.assertEqual(elf_strings.describe(path), {
            "files": 1, "bytes": len(head) + made.PIECE + len(tail), "strings": len(strings)})


@unittest.skipUnless(FLOOR, "built with WHEELCHECK_BENCH only")
class Run(unittest.TestCase):
    """run.py on a generated wheel, with the floor program and without auditwheel."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        growth.with_bytes(self.folder, made.PIECE)
        path, = self.folder.iterdir()
        self.recipe = run.corpus.Recipe(path.name, "made==1.0", run.corpus.sha256(path), path.stat().st_size, {},
                                        self.folder, elf=elf_strings.describe(path))
        self.options = argparse.Namespace(program=pathlib.Path(PROGRAM), tools=pathlib.Path(FLOOR[0]).parent, runs=2,
                                          compare=["floor"], budget=60, kept=False,
                                          results=self.folder / "results" / "results.json")

    def test_makes_the_tables_of_what_it_compares(self):
        bench = run.Bench(self.options)
        bench.wheel(self.recipe, large=True)
        blocks = tables.blocks(run.samples_of(bench.results), {})
        self.assertEqual(set(blocks), {"floor", "memory", "machine", "goals"})
        self.assertTrue(blocks["floor"][2].startswith("| made 1.0 | "), blocks["floor"])
        self.assertIn("; 2 to 2 rounds.", blocks["machine"][0])

    def test_keeps_results_of_the_same_program_only(self):
        run.Bench(self.options).wheel(self.recipe, large=True)
        self.assertIn(self.recipe.file, run.Bench(self.options).results["wheels"])
        self.assertEqual(run.Bench.load(self.options.results, {"program": "another"})["wheels"], {})

    def test_a_program_that_fails_ends_it(self):
        launcher = measure.Launcher(self.options.tools / "launch")
        with self.assertRaisesRegex(SystemExit, "ended with 1"):
            launcher.run(["/bin/sh", "-c", "exit 1"])
        self.assertEqual(launcher.run(["/bin/sh", "-c", "exit 1"], expected=None).exit, 1)


def stored_block(data):
    return struct.pack("<BHH", 0, len(data), len(data) ^ 0xFFFF) + data


def deflated(data, strategy=zlib.Z_DEFAULT_STRATEGY, before=b""):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, 8, strategy)
    return before + packer.compress(data) + packer.flush()


@unittest.skipUnless(FLOOR, "built with WHEELCHECK_BENCH only")
class Floor(unittest.TestCase):
    """Which members the floor program recognises as ELF files, for every encoding of their first block."""

    def run_floor(self, *words):
        done = subprocess.run([*FLOOR, *words, self.path], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.strip()

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.path = pathlib.Path(place.name) / "odd.whl"
        self.streams, self.wanted = [], 0
        text = bytes(range(256)) * 40
        for data in (b"\x7fELF" + text, b"\x7fELG" + text, b"\x7fEL", b"", text):
            told = [deflated(data, how) for how in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY)]
            told.append(deflated(data[5000:], before=stored_block(data[:5000])))
            untold = [stored_block(data[:1]) + deflated(data[1:]), deflated(data, before=stored_block(b""))]
            self.streams += [(data, stream) for stream in told + untold]
            self.wanted += len(told) * data.startswith(b"\x7fELF") + len(untold) * (len(data) >= 4)

    def write(self, spoil=None):
        with made.Wheel(self.path.parent, "odd") as wheel:
            for number, (data, stream) in enumerate(self.streams):
                wheel.header(str(number).encode(), len(data), len(stream), zlib.crc32(data) ^ (number == spoil))
                wheel.file.write(stream)
                wheel.at += len(stream)
        wheel.path.rename(self.path)

    def test_every_elf_file_is_read_and_no_other_that_its_first_block_tells(self):
        self.write()
        with zipfile.ZipFile(self.path) as archive:
            members = archive.infolist()
        said = f"{len(members)} members, {sum(member.file_size for member in members)} bytes, 0 damaged"
        for words in ([], ["-j", "3"], ["--whole-below", "0"]):
            self.assertEqual(self.run_floor(*words), (0, said))
        code, said = self.run_floor("--elf-only")
        self.assertEqual((code, int(said.split()[0])), (0, self.wanted))

    def test_python_sources_are_read_where_they_are_asked_for(self):
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("a.py", "b/c.py", "d.pyi", "e.txt"):
                archive.writestr(name, "import os\n" * 200)
        self.assertEqual(self.run_floor("--elf-only")[1].split()[0], "0")
        self.assertEqual(self.run_floor("--elf-only", "--python-too")[1].split()[0], "2")

    def test_a_wrong_checksum_is_seen(self):
        self.write(spoil=0)
        self.assertEqual(self.run_floor()[0], 1)
        self.assertEqual(self.run_floor("--elf-only")[0], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
