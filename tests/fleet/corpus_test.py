"""corpus: the real wheels of wheels/real while a worker and the driver are killed. Each row must match the output of
`check`."""

import json
import unittest

from resume import Resume
from support import audit, check, manifest, rows

import corpus


class OfTheCorpus(Resume):
    def setUp(self):
        super().setUp()
        self.recipes = corpus.recipes()
        absent = [recipe.file for recipe in self.recipes if not recipe.path.is_file()]
        self.assertEqual(absent, [], "tests/corpus/fetch.py brings them")
        entries = [{"wheel": str(recipe.path), "sha256": recipe.sha256} for recipe in self.recipes]
        self.manifest = manifest(self.folder / "manifest.jsonl", entries)

    def test_a_worker_and_the_driver_are_killed(self):
        self.disturb_and_compare(self.manifest, len(self.recipes))

    def test_the_rows_are_what_the_program_says(self):
        out = self.folder / "out"
        audit(self.manifest, out)
        lines = check("check", "--no-config", "--format=json-lines", *(recipe.path for recipe in self.recipes))
        said = {one["file"]: one for one in map(json.loads, lines.splitlines()) if one["type"] == "wheel"}
        found = rows(out)
        self.assertEqual({row["file"] for row in found}, set(said))
        for row in found:
            one = said[row["file"]]
            self.assertEqual((row["status"], row["best_tag"], row["failed"]),
                             (one["status"], one["best_tag"], one["failed"]))
        wanted = sorted((file, one["code"], one["message"]) for file in said for one in said[file]["findings"])
        self.assertEqual(sorted((row["file"], row["code"], row["message"]) for row in rows(out, "findings")), wanted)


if __name__ == "__main__":
    unittest.main()
