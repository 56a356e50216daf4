"""resume: nothing that was finished is lost or done twice, whichever process ends; with generated wheels."""

import fcntl
import unittest

import made
from resume import Resume
from support import audit, fleet, rows, tables

WHEELS = 48


class OfMadeWheels(Resume):
    def test_a_worker_and_the_driver_are_killed(self):
        made.variants(self.folder / "made", WHEELS)
        manifest = self.folder / "manifest.jsonl"
        fleet("manifest", self.folder / "made/wheels", "-o", manifest)
        self.disturb_and_compare(manifest, WHEELS)

    def test_a_grown_manifest_judges_what_is_new(self):
        paths = made.variants(self.folder / "made", 6)
        manifest, out = self.folder / "manifest.tsv", self.folder / "out"
        manifest.write_text("wheel\tdate\n" + "".join(f"{path}\t2026-01-31\n" for path in paths[:4]))
        audit(manifest, out)
        self.assertEqual(len(rows(out)), 4)
        manifest.write_text("wheel\tdate\n" + "".join(f"{path}\t2026-01-31\n" for path in [*paths, paths[0]]))
        said = audit(manifest, out)
        self.assertIn("2 of 2 wheels", said)
        self.assertIn("4 judged before", said)
        self.assertEqual(sorted(row["file"] for row in rows(out)), sorted(path.name for path in paths))
        audit(manifest, self.folder / "fresh", local=1)
        self.assertEqual(tables(out), tables(self.folder / "fresh"))

    def test_a_shard_that_was_cut_is_judged_again(self):
        paths = made.variants(self.folder / "made", 3)
        manifest, out = self.folder / "manifest.tsv", self.folder / "out"
        manifest.write_text("wheel\n" + "".join(f"{path}\n" for path in paths))
        audit(manifest, out)
        first = tables(out)
        flipped = [lambda content, at=at: content[: -at] + bytes([content[-at] ^ 1]) + content[len(content) - at + 1 :]
                   for at in (20, 300, 1000)]
        for damage in (lambda content: content[:-40], *flipped):
            shard = min(out.glob("shards/*/*.arrow"))
            shard.write_bytes(damage(shard.read_bytes()))
            said = audit(manifest, out)
            self.assertIn("1 of 1 wheels", said)
            self.assertEqual(tables(out), first)

    def test_a_second_audit_of_the_same_directory_is_refused(self):
        paths = made.variants(self.folder / "made", 1)
        manifest, out = self.folder / "manifest.tsv", self.folder / "out"
        manifest.write_text(f"wheel\n{paths[0]}\n")
        out.mkdir()
        with (out / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("another audit writes there", audit(manifest, out, code=2))
        audit(manifest, out)


if __name__ == "__main__":
    unittest.main()
