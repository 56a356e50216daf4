#!/usr/bin/env python3
"""library_index_test.py PROGRAM: libraries of root file systems, found again in wheels after strip and patchelf."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from wheels import SUFFIX, TOOLS, compile_library, extension, run, wheel

CODE = """
static const char text_%(n)s[] = "library %(n)s";
const char *name_%(n)s(void) { return text_%(n)s; }
static int helper(int x) { return x * %(n)s + 1; }
int number_%(n)s(int x) { return helper(x) + helper(x + %(n)s); }
"""
LIBRARIES = pathlib.Path("usr/lib/x86_64-linux-gnu")


class LibraryIndex(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def root(self, name, version, packages, os_release='ID=debian\nVERSION_ID="12"\n'):
        """A system of Debian: {package: {library: words for gcc}}."""
        root = self.folder / name
        (root / LIBRARIES).mkdir(parents=True)
        (root / "etc").mkdir()
        (root / "lib").symlink_to("usr/lib")
        (root / "etc/os-release").write_text(os_release)
        info = root / "var/lib/dpkg/info"
        info.mkdir(parents=True)
        status = ""
        for package, libraries in packages.items():
            status += f"Package: {package}\nStatus: install ok installed\nArchitecture: amd64\nVersion: {version}\n\n"
            for library, words in libraries.items():
                number = "".join(c for c in library if c.isdigit())
                compile_library(
                    root / LIBRARIES / f"{library}.1", CODE % {"n": number}, f"-Wl,-soname,{library}", *words
                )
                (root / LIBRARIES / library).symlink_to(f"{library}.1")
            lines = "".join(f"/lib/x86_64-linux-gnu/{library}.1\n" for library in libraries)
            (info / f"{package}:amd64.list").write_text(f"/.\n{lines}")
        (root / "var/lib/dpkg/status").write_text(status)
        return root

    def index(self, *roots, says=""):
        path = self.folder / "libraries.json"
        path.unlink(missing_ok=True)
        done = run("library-index", *roots, "-o", path)
        self.assertEqual((done.returncode, done.stderr), (0, says))
        return path

    def changed(self, library, strip=True, patch=True):
        """As a repair tool leaves it."""
        copy = self.folder / "copy" / library.name
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(library, copy)
        if strip:
            subprocess.run(["strip", "-s", copy], check=True)
        if patch:
            words = ["--set-soname", f"{'long' * 99}.so", "--set-rpath", "$ORIGIN/" + "x" * 5000]
            subprocess.run([TOOLS / "patchelf", *words, copy], check=True)
        return copy

    def packages(self, index, members):
        core = extension(self.folder / "build/core.so")
        path = wheel(self.folder, {f"demo/_core{SUFFIX}": core, **members})
        done = run("sbom", "--library-index", index, path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        bill = json.loads(done.stdout)
        found = {}
        for one in bill["components"]:
            if one.get("purl", "").startswith(("pkg:deb", "pkg:rpm", "pkg:apk")):
                for place in one["evidence"]["occurrences"]:
                    found[place["location"]] = one["purl"]
        refs = {one["bom-ref"] for one in bill["components"]}
        for one in bill["dependencies"]:
            self.assertLessEqual(set(one["dependsOn"]), refs)
        return found

    def test_strip_and_patchelf_change_no_answer(self):
        packages = {"libone1": {"libt1.so": []}, "libtwo": {"libt2.so": ["-Wl,--build-id=none"]}}
        root = self.root("a", "1:2.4-1+b2", packages)
        index = self.index(root)
        for strip, patch in ((False, False), (True, False), (False, True), (True, True)):
            members = {
                f"demo.libs/x{n}.so": self.changed(root / LIBRARIES / f"libt{n}.so.1", strip, patch) for n in (1, 2)
            }
            self.assertEqual(
                self.packages(index, members),
                {
                    "demo.libs/x1.so": "pkg:deb/debian/libone1@1:2.4-1%2Bb2?arch=amd64&distro=debian-12",
                    "demo.libs/x2.so": "pkg:deb/debian/libtwo@1:2.4-1%2Bb2?arch=amd64&distro=debian-12",
                },
            )

    def test_what_is_not_certain_has_no_package(self):
        """Another build, a library that two packages have, and one that no package owns."""
        root = self.root("a", "1", {"one": {"libt1.so": [], "libt3.so": []}, "two": {"libt2.so": []}})
        other = self.root("b", "2", {"one": {"libt1.so": ["-Os", "-fno-inline"], "libt3.so": []}})
        compile_library(root / LIBRARIES / "libt9.so", CODE % {"n": 9})
        index = self.index(root, other, says="wheelcheck: 1 library belongs to no package and is not listed\n")
        build = self.folder / "build"
        members = {
            "a.so": root / LIBRARIES / "libt1.so",
            "b.so": other / LIBRARIES / "libt1.so",
            "c.so": root / LIBRARIES / "libt3.so",  # the same code and build ID in both
            "d.so": compile_library(build / "d.so", CODE % {"n": 2}, "-O2"),
            "e.so": root / LIBRARIES / "libt9.so",
            "f.so": compile_library(build / "f.so", CODE % {"n": 1}, "-Wl,--build-id=0x1234"),  # another build ID
        }
        found = self.packages(index, {f"demo.libs/{name}": path.resolve() for name, path in members.items()})
        self.assertEqual(
            found,
            {
                "demo.libs/a.so": "pkg:deb/debian/one@1?arch=amd64&distro=debian-12",
                "demo.libs/b.so": "pkg:deb/debian/one@2?arch=amd64&distro=debian-12",
            },
        )

    def test_check_and_diff(self):
        """WC608 judges the version of the package, which the soname alone does not tell; diff names both packages."""
        library = "libssl.so.3"
        roots = [
            self.root("a", "3.0.19-1", {"libssl3": {library: []}}),
            self.root("b", "3.5.4-1", {"libssl3t64": {library: ["-Os", "-fno-inline"]}}),
        ]
        index = self.index(*roots)
        core = extension(self.folder / "build/core.so")
        old, new = (
            wheel(root, {f"demo/_core{SUFFIX}": core, "demo.libs/libssl-0a1b2c3d.so.3": root / LIBRARIES / library})
            for root in roots
        )
        urls = [f"pkg:deb/debian/{name}?arch=amd64&distro=debian-12" for name in ("libssl3@3.0.19-1", "libssl3t64@3.5.4-1")]

        def ends(path, *words):
            report = json.loads(run("check", "--no-config", "--select", "WC608", "--format", "json", *words, path).stdout)
            return [one["evidence"][0]["value"] for one in report["wheels"][0]["findings"]], [
                one["package"]["purl"] for one in report["wheels"][0]["elf_files"] if one["package"]
            ]

        self.assertEqual(ends(old), ([], []))
        self.assertEqual(ends(old, "--library-index", index), ([urls[0]], [urls[0]]))
        self.assertEqual(ends(new, "--library-index", index), ([], [urls[1]]))
        done = run("check", "--no-config", "--format", "cyclonedx", "--library-index", index, old)
        self.assertIn(urls[0], done.stdout)
        words = ["diff", "--no-config", "--library-index", index, old, new]
        self.assertEqual(
            json.loads(run(*words, "--format", "json").stdout)["contents"]["packages"],
            [{"file": "demo.libs/libssl-0a1b2c3d.so.3", "package": {"old": urls[0], "new": urls[1]}}],
        )
        self.assertIn(f"-> {urls[1]}", " ".join(run(*words).stdout.split()))
        # Stored facts do not contain the code.
        run("check", "--no-config", "--cache", self.folder / "cache", old)
        [facts] = (self.folder / "cache").rglob("*.jsonl.gz")
        done = run("diff", "--no-config", "--library-index", index, facts, new)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not a wheel file", done.stderr)
        self.assertEqual(run("check", "--library-index", self.folder / "none", old).returncode, 2)

    def test_equal_roots_give_equal_bytes(self):
        root = self.root("a", "1", {"one": {"libt1.so": [], "libt3.so": []}})
        first = self.index(root).read_bytes()
        self.assertEqual(self.index(root, root).read_bytes(), first)
        self.assertNotIn(str(self.folder).encode(), first)

    def test_the_form_of_package_urls(self):
        """After the examples of the types deb, rpm and apk in the package-url specification."""
        for number, (system, version, purl) in enumerate(
            (
                ("ID=debian", "1:2.4.47-2+b1", "pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64&distro=debian"),
                (
                    "ID=ubuntu\nVERSION_ID=24.04",
                    "1.19~rc1",
                    "pkg:deb/ubuntu/attr@1.19~rc1?arch=amd64&distro=ubuntu-24.04",
                ),
            )
        ):
            root = self.root(f"r{number}", version, {"attr": {"libt1.so": []}}, system + "\n")
            lines = json.loads(self.index(root).read_text())["libraries"]
            self.assertEqual([one["purl"] for one in lines], [purl])

    def test_what_is_no_index(self):
        index = self.folder / "index.json"
        core = extension(self.folder / "build/core.so")
        path = wheel(self.folder, {f"demo/_core{SUFFIX}": core})
        line = '{"code":"a","build_id":"","purl":"pkg:deb/a@1","name":"a","version":"1","path":"/a"}'
        for text in ("", "[]", '{"library_index": 2, "libraries": []}', '{"library_index": 1}', "{",
                     '{"library_index": 1, "libraries": [3]}',
                     '{"library_index": 1, "libraries": [%s]}' % line.replace("pkg:", ""),
                     '{"library_index": 1, "libraries": [%s]}' % line.replace('"1"', "1")):
            index.write_text(text)
            done = run("sbom", "--library-index", index, path)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn("index.json: ", done.stderr)
        index.write_text('{"library_index": 1, "libraries": [%s]}' % line)
        self.assertEqual(run("sbom", "--library-index", index, path).returncode, 0)

    def test_what_is_no_root(self):
        done = run("library-index", self.folder / "none")
        self.assertEqual(done.returncode, 2)
        self.assertIn("none is not a directory", done.stderr)
        (self.folder / "empty").mkdir()
        done = run("library-index", self.folder / "empty")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no library belongs to a package of dpkg, rpm or apk", done.stderr)


if __name__ == "__main__":
    unittest.main()
