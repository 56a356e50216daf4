#!/usr/bin/env python3
"""cache_test.py PROGRAM: the program with --cache: where it stores facts, and that the cache does not change a
result."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/reports"), str(ROOT / "tests/hostile")]

import published
from elf_maker import Library

FORMATS = ("full", "concise", "json", "json-lines", "auditwheel-json")


def run(*words, **options):
    return subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          timeout=120, **options)


def said(*words, **options):
    done = run(*words, **options)
    return done.returncode, done.stdout, done.stderr


class Cache(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", self.folder / "demo"], check=True,
                              capture_output=True, text=True)
        self.wheel = pathlib.Path(demo.stdout.strip())
        self.kept = self.folder / "kept"

    def entries(self, folder=None):
        return sorted((folder or self.kept).glob("*"))

    def installed(self):
        return [entry for entry in self.entries() if entry.name.endswith(".installed.gz")]

    def questions(self):
        yield from (["check", self.wheel, "--format", form] for form in FORMATS)
        yield ["show", self.wheel, "--jobs", "3"]
        yield ["why", self.wheel, "manylinux_2_17"]
        yield ["symbols", self.wheel, "--match", ".", "--demangle"]
        yield ["tree", self.wheel, "--format", "json"]
        yield ["conflicts", self.wheel]
        yield ["conflicts", self.wheel, "--format", "json"]
        yield ["check", self.wheel, "--provider", f"gridfit={self.wheel}"]
        yield ["check", self.wheel, "--verify-with-libarchive"]
        yield ["check", self.wheel, "--limit", "members=1"]
        yield ["check", self.wheel, "--limit", "symbols=1"]

    def test_every_answer_is_the_same(self):
        for words in self.questions():
            with self.subTest(words=words):
                plain = said(*words)
                self.assertEqual(said(*words, "--cache", self.kept), plain)
                self.assertEqual(said(*words, "--cache", self.kept), plain)

    def test_an_environment_is_not_read_again(self):
        site = self.folder / "site"
        with zipfile.ZipFile(self.wheel) as wheel:
            wheel.extractall(site)
        module = next(site.rglob("*.so*"))
        words = ["conflicts", "--environment", site, "--format", "json", "--allow-incomplete"]
        for change in (None, lambda: (site / "late.py").write_text("import ctypes\nctypes.CDLL('libm.so.6')\n"),
                       lambda: self.write_in_place(module, b"\x7fELE" + module.read_bytes()[4:])):
            if change:
                change()
            plain = said(*words)
            before = self.installed()
            self.assertEqual(said(*words, "--cache", self.kept), plain)
            written = self.installed()
            self.assertGreater(len(written), len(before), "the change was seen")
            self.assertEqual(said(*words, "--cache", self.kept), plain)
            self.assertEqual(self.installed(), written)
        entry = self.folder / "renamed.jsonl.gz"
        entry.write_bytes(written[0].read_bytes())
        code, _, error = said("check", entry)
        self.assertEqual(code, 3)
        self.assertIn(b"contains the facts of an installed distribution", error)

    def test_files_that_did_not_change_are_not_hashed_again(self):
        site = self.folder / "site"
        with zipfile.ZipFile(self.wheel) as wheel:
            wheel.extractall(site)
        time.sleep(3)  # files that changed just now are hashed by the next run, too
        words = ["conflicts", "--environment", site, "--format", "json", "--allow-incomplete"]
        plain = said(*words)
        self.assertEqual(said(*words, "--cache", self.kept), plain)
        digests = [entry for entry in self.entries() if entry.name.endswith(".digest.gz")]
        self.assertTrue(digests)
        self.assertEqual(said(*words, "--cache", self.kept), plain)
        for entry in digests:  # a damaged one
            entry.write_bytes(entry.read_bytes()[:-1])
        self.assertEqual(said(*words, "--cache", self.kept), plain)
        module = next(site.rglob("*.so*"))
        self.write_in_place(module, b"\x7fELE" + module.read_bytes()[4:])
        self.assertEqual(said(*words, "--cache", self.kept), said(*words))

    @staticmethod
    def write_in_place(path, data):
        """Changes the bytes of a file, and neither its size nor its date."""
        before = path.stat()
        path.write_bytes(data)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def test_facts_below_a_directory_are_judged(self):
        fresh = said("check", self.wheel, "--format", "json-lines", "--select", "WC1", "--cache", self.kept)
        (entry,) = self.entries()
        for name in ("b/x/second", "a/first"):
            place = self.folder / "facts" / f"{name}.jsonl.gz"
            place.parent.mkdir(parents=True)
            place.write_bytes(entry.read_bytes())
        (self.folder / "facts/a/first.jsonl.gz.Ab3dEf").write_bytes(b"half")  # a file that is still being written
        judge = ("judge", "--format", "json-lines", "--select", "WC1", "--facts")
        code, out, _ = said(*judge, self.folder / "facts")
        wheel = fresh[1].splitlines()[0]
        self.assertEqual((code, out.splitlines()[:-1]), (1, [wheel, wheel]))
        self.assertEqual(said(*judge, self.kept)[:2], fresh[:2])
        self.assertEqual(said(*judge, self.kept, "--facts", self.folder / "facts")[1].splitlines()[:-1], [wheel] * 3)

    def test_a_directory_without_facts_is_an_unreadable_input(self):
        for name, problem in (("absent", "the directory cannot be read: No such file or directory"),
                              ("demo", "the directory contains no *.jsonl.gz file")):
            code, out, err = said("judge", "--facts", self.folder / name)
            self.assertEqual((code, out), (3, b""))
            self.assertEqual(err.decode(), f"wheelcheck: {self.folder / name}: {problem}\n")
        self.assertEqual(said("judge")[0], 2)

    def test_off_is_the_default(self):
        home = self.folder / "home"
        home.mkdir()
        environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "xdg")}
        run(self.wheel, env=environment)
        run(self.wheel, "--cache", "off", env=environment)
        self.assertEqual(list(home.rglob("*")), [])

    def test_auto_is_where_the_user_keeps_caches(self):
        xdg, home = self.folder / "xdg", self.folder / "home"
        for environment, place in (
            ({"XDG_CACHE_HOME": xdg, "HOME": home}, xdg / "wheelcheck" / "facts"),
            ({"XDG_CACHE_HOME": "relative", "HOME": home}, home / ".cache" / "wheelcheck" / "facts"),
        ):
            done = run(self.wheel, "--cache", "auto", env={key: str(value) for key, value in environment.items()},
                       cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (1, b""))
            self.assertEqual(len(self.entries(place)), 1)
        done = run(self.wheel, "--cache", "auto", env={}, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"demo", "xdg", "home"})

    def test_the_entry_is_taken(self):
        """Reading an entry updates its time of last use and does not write it again."""
        run(self.wheel, "--cache", self.kept)
        (entry,) = self.entries()
        before = entry.stat()
        os.utime(entry, (0, 0))
        run(self.wheel, "--cache", self.kept)
        self.assertGreaterEqual(entry.stat().st_mtime, before.st_mtime)
        self.assertEqual(entry.stat().st_ino, before.st_ino, "it was used, not written again")

    def test_broken_and_foreign_entries_change_nothing(self):
        plain = said(self.wheel, "--format", "json")
        run(self.wheel, "--cache", self.kept)
        (entry,) = self.entries()
        good = entry.read_bytes()
        other = self.wheel.with_name(self.wheel.name.replace("-1.4.0-", "-1.4.1-"))
        other.write_bytes(self.wheel.read_bytes())
        run(other, "--cache", self.kept)
        (foreign,) = (path.read_bytes() for path in self.entries() if path != entry)
        middle = len(good) // 2
        changed = good[:middle] + bytes([good[middle] ^ 4]) + good[middle + 1:]
        for bad in (b"", b"\x1f\x8b", good[:-1], good[:middle], changed, foreign, good + good, os.urandom(999)):
            entry.write_bytes(bad)
            self.assertEqual(said(self.wheel, "--format", "json", "--cache", self.kept), plain)
            self.assertEqual(entry.read_bytes(), good)

    def test_what_others_may_have_written_is_not_used(self):
        run(self.wheel, "--cache", self.kept)
        plain = said(self.wheel)
        (entry,) = self.entries()
        for mode in (0o777, 0o775, 0o702):
            self.kept.chmod(mode)
            code, out, error = said(self.wheel, "--cache", self.kept)
            self.assertEqual((code, out), plain[:2])
            self.assertIn(b"is not used: others than its owner may write to it", error)
        self.kept.chmod(0o700)
        self.assertEqual(said(self.wheel, "--cache", self.kept), plain)
        # An entry is taken if its modification time changes when it is used.
        for mode, taken in ((0o666, False), (0o620, False), (0o644, True)):
            entry.chmod(mode)
            os.utime(entry, (1, 1))
            self.assertEqual(said(self.wheel, "--cache", self.kept), plain)
            (entry,) = self.entries()
            self.assertEqual((entry.stat().st_mode & 0o777 == mode, entry.stat().st_mtime > 1), (taken, True))

    @unittest.skipIf(os.geteuid() != 0, "only root can give a directory away")
    def test_the_directory_of_another_user_is_not_used(self):
        self.kept.mkdir()
        os.chown(self.kept, 12345, 12345)
        self.assertIn(b"is not used: it belongs to another user", said(self.wheel, "--cache", self.kept)[2])
        self.assertEqual(self.entries(), [])

    def test_many_at_once(self):
        plain = said(self.wheel, "--format", "json")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: said(self.wheel, "--format", "json", "--cache", self.kept), range(24)))
        self.assertEqual(answers, [plain] * 24)
        self.assertEqual(len(self.entries()), 1)

    def test_a_place_that_takes_nothing_is_no_error(self):
        plain = said(self.wheel)
        for place in ("/dev/null/below", "/proc/nothing", self.wheel, ""):
            self.assertEqual(said(self.wheel, "--cache", place), plain)

    def test_kept_facts_stand_for_the_wheel(self):
        facts, imports = self.folder / "facts.jsonl.gz", self.folder / "imports.jsonl.gz"
        for words, place in ((["check"], facts), (["conflicts"], imports)):
            run(*words, self.wheel, "--cache", self.kept)
            (entry,) = self.entries()
            entry.rename(place)
        for words in self.questions():
            if any(word in words for word in ("--provider", "--limit")):
                continue
            of_facts = [words[0], imports if words[0] == "conflicts" else facts, *words[2:]]
            with self.subTest(words=words):
                self.assertEqual(said(*of_facts), said(*words))
        self.assertEqual(said(self.wheel, "--provider", f"gridfit={facts}"),
                         said(self.wheel, "--provider", f"gridfit={self.wheel}"))

    def test_facts_that_are_none_are_said(self):
        run(self.wheel, "--cache", self.kept)
        (entry,) = self.entries()
        cut = self.folder / "cut.jsonl.gz"
        cut.write_bytes(entry.read_bytes()[:-1])
        for path, what in ((cut, "is incomplete"), (self.folder / "missing.jsonl.gz", "no such file")):
            done = run(path)
            self.assertEqual(done.returncode, 3)
            self.assertIn(what, done.stdout.decode() + done.stderr.decode())
        done = run("conflicts", entry)
        self.assertEqual((done.returncode, done.stdout), (3, b""))
        self.assertIn(b"lacks the imports", done.stderr)

    def test_its_size_is_bounded(self):
        run(self.wheel, "--cache", self.kept, "--limit", "cache-bytes=10")
        self.assertEqual(self.entries(), [])
        run(self.wheel, "--cache", self.kept)
        (entry,) = self.entries()
        run("conflicts", self.wheel, "--cache", self.kept, "--limit", f"cache-bytes={entry.stat().st_size * 3 // 2}")
        (left,) = self.entries()
        self.assertNotEqual(left, entry)


class MissingModule(unittest.TestCase):
    """A wheel that lacks a module fails, whatever else it contains, and so do its facts."""

    GNU = "cpython-311-s390x-linux-gnu.so"

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.kept = self.folder / "kept"

    def wheel(self, code, *, module="other", kib=0, init=b"from ._core import x\n"):
        elf = Library(machine="s390x", exports=[f"PyInit_{module}"]).build()
        files = {"foo/__init__.py": init, f"foo/{module}.{self.GNU}": elf, **code}
        for number in range(kib):
            functions = (f"def f{i}(x):\n    return x + {i * number}\n" for i in range(28))
            files[f"foo/more{number}.py"] = "".join(functions).ljust(1024, "#").encode()
        path = self.folder / "foo-1.0-cp311-cp311-manylinux_2_17_s390x.whl"
        path.write_bytes(published.wheel(path.name, files=files))
        return path

    def errors(self, *words):
        code, out, err = said(*words, "--format", "json")
        [wheel] = json.loads(out)["wheels"]
        found = [one for one in wheel["findings"] if one["code"] == "WC720"]
        self.assertEqual(code == 1, bool(found) or any(one["severity"] == "error" for one in wheel["findings"]), err)
        return [(one["severity"], one["message"]) for one in found]

    def test_with_any_amount_of_other_code(self):
        for kib in (0, 26, 300):
            with self.subTest(kib=kib):
                [(severity, message)] = self.errors("check", self.wheel({}, kib=kib), "--cache", self.kept)
                self.assertEqual(severity, "error")
                self.assertIn("line 1 imports ._core, which the wheel does not contain: `import foo` raises", message)
                [entry] = self.kept.glob("*.jsonl.gz")
                self.assertEqual(self.errors("judge", "--facts", entry.parent), [(severity, message)])
                entry.unlink()

    def test_not_where_it_is_there_or_handled(self):
        tried = b"try:\n    from ._core import x\nexcept ImportError:\n    x = None\n"
        self.assertEqual(self.errors("check", self.wheel({}, module="_core")), [])
        self.assertEqual(self.errors("check", self.wheel({}, init=tried)), [])

    def test_generated_code_that_the_import_may_run(self):
        """`check` reads the imports again; the facts do not have them, so `judge` takes the code for one that runs."""
        old = (b"# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n"
               b"from google.protobuf import descriptor as _descriptor\n"
               b"_CODE = _descriptor.EnumDescriptor(name='Code')\n"
               b"DESCRIPTOR = _descriptor.FileDescriptor(serialized_pb=b'\\n\\x07x.proto')\n")
        path = self.folder / "foo-1.0-py3-none-any.whl"
        for init, code, severity in ((b"from . import x_pb2\n", 1, "error"), (b"import os\n", 0, "warning")):
            with self.subTest(init=init):
                files = {"foo/__init__.py": init, "foo/x_pb2.py": old}
                path.write_bytes(published.wheel(path.name, "Requires-Dist: protobuf", files=files))
                words = ("--select", "WC823", "--format", "json")
                done = said("check", path, "--cache", self.kept, *words)
                [finding] = json.loads(done[1])["wheels"][0]["findings"]
                self.assertEqual((done[0], finding["severity"]), (code, severity))
                self.assertEqual(said("judge", "--facts", self.kept, *words)[0], 1)
                for entry in self.kept.iterdir():
                    entry.unlink()


if __name__ == "__main__":
    unittest.main(verbosity=2)
