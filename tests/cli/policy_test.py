#!/usr/bin/env python3
"""policy_test.py PROGRAM: `wheelcheck policy` from the view of an author of policies."""

import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "policies").glob("*.json"))

# A correct level between 2.17 and 2.24: everything of the lower one, and GLIBC_2.18.
MIDDLE = json.loads((ROOT / "policies/manylinux_2_17.json").read_text())
MIDDLE |= {"name": "manylinux_2_18", "aliases": [], "libc": {"family": "glibc", "version": "2.18"}}
MIDDLE["architectures"]["x86_64"]["versions"]["GLIBC"].append("2.18")


def run(*words):
    return subprocess.run([PROGRAM, "policy", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, timeout=120, env={**os.environ, "NO_COLOR": "1"})


def changed(*steps, document=MIDDLE):
    """A copy in which each (path, value) is set. A value of None removes the key."""
    out = copy.deepcopy(document)
    for path, value in steps:
        place = out
        for key in path[:-1]:
            place = place[key]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value
    return out


def less(path, *words):
    place = MIDDLE
    for key in path:
        place = place[key]
    return path, [word for word in place if word not in words]


X86 = ("architectures", "x86_64")
GLIBC = (*X86, "versions", "GLIBC")
# Errors and their expected report: code, severity, pointer, a word of the message.
MISTAKES = {
    "no-name": (changed((("name",), None)), "WC901", "error", "", "name"),
    "name-with-blank": (changed((("name",), "my linux")), "WC901", "error", "/name", "letters"),
    "called-linux": (changed((("name",), "linux")), "WC901", "error", "/name", "linux"),
    "unknown-key": (changed((("libs",), [])), "WC901", "error", "/libs", "known"),
    "no-libc": (changed((("libc",), None)), "WC901", "error", "", "libc"),
    "unknown-libc": (changed((("libc", "family"), "dietlibc")), "WC901", "error", "/libc/family", "musl"),
    "libc-no-number": (changed((("libc", "version"), "two")), "WC901", "error", "/libc/version", "numbers"),
    "libc-not-of-name": (changed((("libc", "version"), "2.19")), "WC901", "error", "/libc", "agree"),
    "library-with-path": (changed((("libraries", ), ["/lib/libc.so.6"])), "WC901", "error", "/libraries/0", "soname"),
    "library-twice": (changed((("libraries",), [*MIDDLE["libraries"], "libc.so.6"])), "WC901", "error",
                      f"/libraries/{len(MIDDLE['libraries'])}", "repeats"),
    "libraries-an-object": (changed((("libraries",), {})), "WC901", "error", "/libraries", "array"),
    "unknown-architecture": (changed((("architectures", "vax"), {})), "WC901", "error", "/architectures/vax", "known"),
    "no-architecture": (changed((("architectures",), {})), "WC901", "error", "/architectures", "names no"),
    "node-with-family": (changed((GLIBC, ["GLIBC 2.5"])), "WC901", "error", "/architectures/x86_64/versions/GLIBC/0",
                         "blanks"),
    "family-with-number": (changed(((*X86, "versions", "GLIBC_2"), [])), "WC901", "error",
                           "/architectures/x86_64/versions/GLIBC_2", "before the first"),
    "denies-of-no-library": (changed((("denied_symbols", "libq.so.1"), ["q"])), "WC901", "error",
                             "/architectures/x86_64", "libq.so.1"),
    "libpython-a-word": (changed((("allows_libpython",), "yes")), "WC901", "error", "/allows_libpython", "true"),
    "node-lost": (changed(less(GLIBC, "2.10")), "WC902", "error", "/architectures/x86_64/versions/GLIBC",
                  "GLIBC_2.10"),
    "library-lost": (changed(less(("libraries",), "libz.so.1"), (("denied_symbols", "libz.so.1"), None)), "WC902",
                     "error", "/architectures/x86_64", "libz.so.1"),
    "library-of-no-newer": (changed((("libraries",), [*MIDDLE["libraries"], "libfoo.so.1"])), "WC902", "error",
                            "/architectures/x86_64", "libfoo.so.1"),
    "denied-anew": (changed((("denied_symbols", "libc.so.6"), [*MIDDLE["denied_symbols"]["libc.so.6"], "memcpy"])),
                    "WC902", "error", "/architectures/x86_64", "memcpy"),
    "architecture-lost": (changed((("architectures", "aarch64"), None)), "WC903", "warning", "/architectures",
                          "aarch64"),
    "alias-of-another": (changed((("aliases",), ["manylinux2014"])), "WC904", "error", "/aliases", "manylinux_2_17"),
    "node-of-the-future": (changed((GLIBC, [*MIDDLE["architectures"]["x86_64"]["versions"]["GLIBC"], "2.19"])),
                           "WC905", "warning", "/architectures/x86_64/versions/GLIBC", "GLIBC_2.19"),
    "node-of-nowhere": (changed(((*X86, "versions", "CXXABI"),
                                 [*MIDDLE["architectures"]["x86_64"]["versions"]["CXXABI"], "1.3.77"])),
                        "WC905", "warning", "/architectures/x86_64/versions/CXXABI", "CXXABI_1.3.77"),
}


class Policy(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, document, name="policy.json"):
        path = self.folder / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def problems(self, *paths):
        done = run("validate", *paths, "--format", "json")
        self.assertEqual(done.stderr, "")
        told = json.loads(done.stdout)
        errors = any(one["severity"] == "error" for one in told["problems"])
        self.assertEqual(done.returncode, 1 if errors else 0)
        return told["problems"]

    def test_the_levels_are_those_of_the_files(self):
        listed = json.loads(run("list", "--format", "json").stdout)["levels"]
        self.assertEqual({one["name"] for one in listed}, {path.stem for path in FILES})
        self.assertEqual(len(re.findall(r"^\w", run("list").stdout, re.MULTILINE)), len(FILES))
        glibc = [one["libc"] for one in listed if one["name"].startswith("manylinux")]
        self.assertEqual(glibc, sorted(glibc, key=lambda libc: [int(part) for part in libc.split(".")]))

    def test_what_is_shown_is_a_policy_file_of_the_level(self):
        for path in FILES:
            shown = self.write(run("show", path.stem, "--format", "json").stdout, path.name)
            self.assertEqual(run("diff", path.stem, shown).stdout, f"{path.stem} and {path.stem} allow the same\n")
            self.assertEqual(self.problems(shown), [])

    def test_a_level_goes_by_each_of_its_names(self):
        shown = run("show", "manylinux2014_x86_64")
        self.assertEqual(shown.stdout, run("show", "manylinux_2_17", "--arch", "x86_64").stdout)
        self.assertIn("GLIBC", shown.stdout)
        self.assertNotIn("aarch64", shown.stdout)
        for words in (["show", "manylinux_3"], ["show", "manylinux_2_17", "--arch", "vax"],
                      ["show", "manylinux_2_5", "--arch", "riscv64"], ["diff", "manylinux_2_5"], []):
            self.assertEqual(run(*words).returncode, 2, words)

    def test_a_difference_in_every_form(self):
        change = json.loads(run("diff", "manylinux_2_17", "manylinux_2_24", "--format", "json").stdout)
        self.assertEqual((change["from"], change["to"]), ("manylinux_2_17", "manylinux_2_24"))
        added = change["architectures"]["x86_64"]["versions"]["GLIBC"]
        self.assertEqual(added, {"added": ["2.18", "2.22", "2.23", "2.24"], "removed": []})
        back = json.loads(run("diff", "manylinux_2_24", "manylinux_2_17", "--format", "json").stdout)
        self.assertEqual(back["architectures"]["x86_64"]["versions"]["GLIBC"]["removed"], added["added"])
        self.assertIn("+2.18 +2.22 +2.23 +2.24", run("diff", "manylinux_2_17", "manylinux_2_24").stdout)
        table = run("diff", "manylinux_2_17", "manylinux_2_24", "--format", "markdown").stdout
        self.assertIn("| GLIBC | <code>2.18</code> <code>2.22</code>", table)
        self.assertIn('"added"', run("diff", "manylinux_2_5", "manylinux_2_17", "--format", "json").stdout)

    def test_what_is_right_is_right(self):
        self.assertEqual(self.problems(ROOT / "policies"), [])
        self.assertEqual(self.problems(self.write(MIDDLE)), [])
        self.assertEqual(run("validate", self.write(MIDDLE)).stdout, "1 file, 1 level: 0 errors, 0 warnings\n")

    def test_a_private_level_is_not_ordered_with_those_of_the_peps(self):
        libraries = [name for name in MIDDLE["libraries"] if name != "libGL.so.1"]
        own = changed((("name",), "mylinux_1"), (("libraries",), [*libraries, "libfoo.so.1"]))
        self.assertEqual(run("validate", self.write(own)).stdout, "1 file, 1 level: 0 errors, 0 warnings\n")

    def test_each_mistake_has_its_message_and_its_place(self):
        for name, (document, code, severity, pointer, word) in MISTAKES.items():
            with self.subTest(name):
                path = self.write(document, f"{name}.json")
                told = [one for one in self.problems(path) if one["pointer"] == pointer and one["code"] == code]
                self.assertTrue(told, self.problems(path))
                self.assertEqual({one["severity"] for one in told}, {severity})
                self.assertTrue(any(word in one["message"] for one in told), told)
                self.assertEqual({one["file"] for one in told}, {str(path)})
                self.assertIn(f"{path}:{pointer or '/'}: {severity} {code}: ", run("validate", path).stdout)

    def test_all_are_told_at_once(self):
        wrong = changed((("name",), "my linux"), (("libc", "family"), "dietlibc"), (("libs",), []),
                        (("allows_libpython",), 1), (("architectures", "vax"), {}))
        self.assertEqual(len(self.problems(self.write(wrong))), 5)
        one = self.write(MISTAKES["node-lost"][0], "a.json")
        other = self.write(MISTAKES["unknown-key"][0], "b.json")
        codes = [(problem["file"], problem["code"]) for problem in self.problems(one, other)]
        self.assertIn((str(one), "WC902"), codes)
        self.assertIn((str(other), "WC901"), codes)
        self.assertEqual(codes, sorted(codes))

    def test_two_files_may_not_share_a_name(self):
        first, second = self.write(MIDDLE, "a.json"), self.write(MIDDLE, "b.json")
        (told,) = [one for one in self.problems(first, second) if one["code"] == "WC904"]
        self.assertEqual((told["file"], told["pointer"]), (str(second), "/name"))
        self.assertIn(str(first), told["message"])

    def test_auditwheels_format_has_its_own_places(self):
        versions = {arch: one["versions"] for arch, one in MIDDLE["architectures"].items()}
        versions["x86_64"] = {**versions["x86_64"], "GLIBC": ["2.2.5", "2.18"]}
        entry = {"name": "manylinux_2_18", "aliases": [], "priority": 90, "symbol_versions": versions,
                 "lib_whitelist": MIDDLE["libraries"], "blacklist": MIDDLE["denied_symbols"]}
        linux = {"name": "linux", "aliases": [], "priority": 0, "symbol_versions": {}, "lib_whitelist": []}
        told = self.problems(self.write([linux, entry]))
        self.assertIn(("WC902", "/1/symbol_versions/x86_64/GLIBC"), {(one["code"], one["pointer"]) for one in told})

    def test_what_cannot_be_read_is_no_finding(self):
        self.assertEqual(run("validate", self.folder / "none.json").returncode, 2)
        self.assertEqual(run("validate", self.folder).returncode, 2)
        (told,) = self.problems(self.write("{"))
        self.assertIn("is not valid JSON at", told["message"])


if __name__ == "__main__":
    unittest.main()
