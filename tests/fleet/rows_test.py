"""rows: a wheel without a verdict has a row with the reason, and the other wheels have their rows."""

import functools
import hashlib
import http.server
import json
import pathlib
import shutil
import threading
import unittest
from unittest import mock

import made
from support import ENVIRONMENT, Fleet, audit, fleet, manifest, rows, stand_in, tables


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Rows(Fleet):
    def setUp(self):
        super().setUp()
        self.good, self.other, self.third = made.variants(self.folder / "made", 3)
        self.out = self.folder / "out"

    def copy(self, name):
        """The good wheel as another project."""
        return pathlib.Path(shutil.copy(self.good, self.good.with_name(self.good.name.replace("gridfit", name))))

    def reasons(self):
        return {row["file"]: (row["status"], row["error"], row["reason"]) for row in rows(self.out)}

    def serve(self, folder):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def test_each_reason_is_a_row(self):
        corrupt, large, many, changed = map(self.copy, ("corrupt", "large", "many", "changed"))
        corrupt.write_bytes(corrupt.read_bytes()[:-40])
        large.write_bytes(large.read_bytes() + bytes(100_000))
        limit = large.stat().st_size - 1
        missing = self.good.with_name(self.good.name.replace("gridfit", "missing"))
        (self.folder / self.good.name.replace("gridfit", "folder")).mkdir()
        address = self.serve(self.good.parent)
        listed = manifest(self.folder / "manifest.jsonl", [
            self.good, corrupt, large, missing, {"wheel": str(changed), "sha256": "0" * 64},
            {"wheel": f"{address}/{self.other.name}"}, {"wheel": f"{address}/absent-1.0-py3-none-any.whl"},
            {"wheel": self.good.name.replace("gridfit", "folder")}, {"wheel": f"{address}/"}])
        audit(listed, self.out, "--limit-bytes", limit)
        found = self.reasons()
        self.assertEqual(found.pop(corrupt.name)[:2], ("rejected", "not-a-wheel"))
        self.assertEqual(found.pop(large.name), ("failed", "over-limit",
                                                 f"has {limit + 1} bytes, more than --limit-bytes {limit}"))
        self.assertEqual(found.pop(missing.name), ("failed", "not-found", "no such file"))
        digest = hashlib.sha256(changed.read_bytes()).hexdigest()
        self.assertEqual(found.pop(changed.name), ("failed", "checksum", f"has SHA-256 {digest}, not {'0' * 64}"))
        self.assertEqual(found.pop("absent-1.0-py3-none-any.whl"),
                         ("failed", "not-found", "the server answers 404 File not found"))
        self.assertEqual(found.pop(self.good.name.replace("gridfit", "folder")), ("failed", "not-found", "is no file"))
        self.assertEqual(found.pop(""), ("failed", "not-found", "has no file name"))
        self.assertEqual(found, {path.name: ("incompatible", None, None) for path in (self.good, self.other)})
        # A missing wheel is searched again; a file that is not a wheel is not read again.
        shutil.copy(self.good, missing)
        self.assertIn("3 judged before", audit(listed, self.out, "--limit-bytes", limit))
        self.assertEqual(self.reasons()[missing.name], ("incompatible", None, None))
        self.assertEqual(list((self.out / "facts").glob("changed/*")), [])

    def test_limits_of_the_program(self):
        listed = manifest(self.folder / "manifest.jsonl", [self.good])
        audit(listed, self.out, check=("--limit=members=2",))
        (found,) = rows(self.out)
        self.assertEqual((found["status"], found["error"]), ("rejected", "over-limit"))
        self.assertIn("2", found["reason"])
        self.assertEqual(found["sha256"], hashlib.sha256(self.good.read_bytes()).hexdigest())

    def test_wheels_that_end_the_program_or_the_worker(self):
        """One batch contains such wheels and others: with more than 64 wheels each batch has more than one.

        Dask would give up each worker that has not come back 10 ms after it ended, and the audit would wait for ever.
        """
        crash, slow, deadly = map(self.copy, ("crash", "slow", "deadly"))
        paths = [self.good, self.other, crash, slow, deadly]
        for number in range(130 - len(paths)):
            paths.append(self.good.with_name(self.good.name.replace("gridfit", f"copy{number}")))
            paths[-1].hardlink_to(self.good)
        program = stand_in(self.folder / "program", """case "$*" in
            *deadly*) kill -KILL $PPID; exit;;
            *crash*) kill -SEGV $$;;
            *slow*) exec sleep 100;;
            esac""")
        with mock.patch.dict(ENVIRONMENT, {"DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "10 ms"}):
            audit(manifest(self.folder / "manifest.jsonl", paths), self.out, "--limit-seconds", 6, program=program)
        found = self.reasons()
        self.assertEqual(len(found), 130)
        self.assertEqual(found.pop(crash.name), ("failed", "crash", "the program was ended by signal 11"))
        self.assertEqual(found.pop(slow.name), ("failed", "over-limit", "took more than --limit-seconds 6"))
        self.assertEqual(found.pop(deadly.name), ("failed", "lost", "every worker that tried it ended"))
        self.assertEqual(set(found.values()), {("incompatible", None, None)})
        retries = [json.loads(line) for line in (self.out / "retries.jsonl").read_text().splitlines()]
        self.assertTrue({crash.name, slow.name, deadly.name} < {retry["file"] for retry in retries})
        self.assertEqual([retry["reason"] for retry in retries if retry["file"] == deadly.name],
                         ["its batch: every worker that tried it ended; tried alone",
                          "every worker that tried it ended; tried without other tasks"])

    def test_who_shares_a_worker_with_a_deadly_wheel(self):
        """Dask blames every task of the worker. Here it does so at the first end of a worker, so that a retry does not
        hide it."""
        deadly = [self.copy(f"deadly{number}") for number in range(3)]
        others = [self.copy(f"other{number}") for number in range(3)]
        program = stand_in(self.folder / "program", 'case "$*" in *deadly*) kill -KILL $PPID; exit;; esac')
        with mock.patch.dict(ENVIRONMENT, {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}):
            audit(manifest(self.folder / "manifest.jsonl", deadly + others), self.out, program=program, local=1)
        lost = ("failed", "lost", "every worker that tried it ended")
        self.assertEqual(self.reasons(), {**{path.name: lost for path in deadly},
                                          **{path.name: ("incompatible", None, None) for path in others}})

    def test_without_facts_the_rows_are_the_same(self):
        listed = manifest(self.folder / "manifest.jsonl", [self.good, self.other, self.good.with_name("absent.whl")])
        audit(listed, self.out)
        audit(listed, self.folder / "bare", "--no-facts")
        self.assertEqual(tables(self.folder / "bare"), tables(self.out))
        kept = [[path for path in (out / "facts").rglob("*") if path.is_file()]
                for out in (self.out, self.folder / "bare")]
        self.assertEqual(list(map(len, kept)), [2, 0])

    def test_one_wheel_of_two_places_is_one_row(self):
        again = self.folder / self.good.name
        shutil.copy(self.good, again)
        audit(manifest(self.folder / "manifest.jsonl", [self.good, again, self.other, self.other]), self.out)
        self.assertEqual(sorted(row["file"] for row in rows(self.out)), sorted([self.good.name, self.other.name]))

    def test_an_index_brings_wheels(self):
        index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.good.parent), "PIP_CONFIG_FILE": "/dev/null"}
        with mock.patch.dict(ENVIRONMENT, index):
            absent = "absent-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
            names = [f"index:{self.good.name}", f"index:{absent}", "index:odd"]
            audit(manifest(self.folder / "manifest.jsonl", [{"wheel": name} for name in names]), self.out)
            listed = fleet("manifest", "--pip=--platform=manylinux_2_17_x86_64", "--pip=--python-version=311",
                           "gridfit==0.0")
        found = self.reasons()
        self.assertEqual(found.pop(self.good.name), ("incompatible", None, None))
        self.assertEqual(found.pop("odd"), ("failed", "not-found", "is not the file name of a wheel"))
        self.assertRegex(found.pop(absent)[2], "^pip says: .*absent==1.0")
        digest = hashlib.sha256(self.good.read_bytes()).hexdigest()
        self.assertEqual(json.loads(listed), {"wheel": self.good.as_uri(), "sha256": digest})


if __name__ == "__main__":
    unittest.main()
