"""judge: stored facts under a changed policy give the same result as reading the wheels again, with Dask and with the
program."""

import json
import shutil
import unittest

import made
from support import ROOT, Fleet, audit, check, fleet, rows, tables


class Judge(Fleet):
    def setUp(self):
        super().setUp()
        made.variants(self.folder / "made", 12)
        self.wheels = self.folder / "made/wheels"
        self.manifest = self.folder / "manifest.jsonl"
        fleet("manifest", self.wheels, "-o", self.manifest)
        self.policy = self.folder / "draft.json"
        changed = json.loads((ROOT / "policies/manylinux_2_17.json").read_text())
        changed["libraries"].append("libtiff.so.6")
        self.policy.write_text(json.dumps(changed))

    def test_an_audit_of_facts(self):
        old, fresh, again = (self.folder / name for name in ("old", "fresh", "again"))
        audit(self.manifest, old)
        audit(self.manifest, fresh, check=("--policy", self.policy))
        shutil.rmtree(self.wheels)
        audit(self.manifest, again, "--facts", old / "facts", check=(f"--policy={self.policy}",))
        self.assertEqual(tables(again), tables(fresh))
        self.assertNotEqual(tables(fresh), tables(old))
        self.assertEqual({row["status"] for row in rows(again)} & {"failed", "rejected"}, set())
        libraries = [[item["value"] for row in rows(out, "findings") for item in row["evidence"]]
                     for out in (old, fresh)]
        self.assertIn("libtiff.so.6", libraries[0])
        self.assertNotIn("libtiff.so.6", libraries[1])

    def test_the_program_judges_facts(self):
        out = self.folder / "out"
        audit(self.manifest, out)
        words = ("--no-config", "--format=json-lines", "--policy", self.policy)
        fresh = check("check", *words, self.wheels).splitlines()
        judged = check("judge", *words, "--facts", out / "facts").splitlines()
        self.assertEqual(len(fresh), 13)
        self.assertEqual(sorted(judged), sorted(fresh))
        self.assertEqual(judged, check("judge", *words, "--facts", out / "facts", "--jobs=1").splitlines())


if __name__ == "__main__":
    unittest.main()
