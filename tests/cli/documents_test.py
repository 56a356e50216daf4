#!/usr/bin/env python3
"""documents_test.py PROGRAM: every command line with wheelcheck in README.md and docs runs.

Fenced blocks (except ```console, whose output test_meta compares) run line by line in a folder that has what the pages
name: `dist`, `wheels`, drafts of policies, an environment. A wheel that is named and absent is replaced by a small pure
wheel of that name. Commands in running text run if all their words are known placeholders. A command must be accepted:
exit code 0 or 1, never 2 (usage), 3 (cannot be opened) or 4.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
# A prefix before the command: a list item, the key of a hook, or the start of a string in TOML.
COMMAND = re.compile(r"^(?:- |entry: |[\w-]+ = \[?\")?(wheelcheck(?: .*)?)$")
WHEEL = re.compile(r"[\w./+-]*[\w.*+-]+\.whl\b")
WORDS = {"WHEEL": "dist/app-1.0-cp311-cp311-linux_x86_64.whl", "A.whl": "dist/*.whl",
         "B.whl": "other-1.0-py3-none-any.whl", "OLD.whl": "dist/*.whl",
         "NEW.whl": "dist/*.whl", "OLD": "dist/*.whl", "NEW": "dist/*.whl", "OTHER.whl": "other-1.0-py3-none-any.whl",
         "WHEELS": "dist/*.whl", "POLICY": "draft.json", "FILE": "draft.json", "TAG": "manylinux_2_17", "CODE": "WC102",
         "WORD": "GLIBC_2.34", "DIR": "facts", "DIRECTORY": "facts", "A": "manylinux_2_17", "B": "manylinux_2_28",
         "{wheel}": "dist/*.whl", "{dest_dir}": "out"}
OPTION = r"(?<![\w-])--[a-z][a-z-]+"
# Text that is output, or that stands for a configuration file in a block of another kind.
OUTPUT = {"wheelcheck configuration", "wheelcheck 0.1.0"}


def write_wheel(path, info, members):
    """A wheel of these members and the RECORD of them."""
    rows = []
    for name, data in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr(f"{info}/RECORD", "".join(rows) + f"{info}/RECORD,,\n")


def metadata(name, version):
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()


def wheel_file(pure, tag):
    return f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode()


def pure_wheel(path):
    """A pure wheel with the name and version of the file name."""
    name, version = path.name.split("-")[:2]
    info = f"{name}-{version}.dist-info"
    write_wheel(path, info, {f"{name}/__init__.py": b"", f"{info}/METADATA": metadata(name, version),
                             f"{info}/WHEEL": wheel_file("true", "py3-none-any")})


def elf_wheel(folder):
    """A wheel with an extension module that needs no library, so that repair has nothing to bundle."""
    source, library, info = folder / "app.c", folder / "app.so", "app-1.0.dist-info"
    source.write_text("void *PyInit_app(void) { return 0; }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "-o", library, source], check=True)
    write_wheel(folder / WORDS["WHEEL"], info,
                {"app.cpython-311-x86_64-linux-gnu.so": library.read_bytes(),
                 f"{info}/METADATA": metadata("app", "1.0"),
                 f"{info}/WHEEL": wheel_file("false", "cp311-cp311-linux_x86_64")})


def scene(folder):
    """What the pages name."""
    elf_wheel(folder)
    shutil.copytree(folder / "dist", folder / "wheels")
    shutil.copy(ROOT / "policies/manylinux_2_28.json", folder / "draft.json")
    shutil.copy(ROOT / "policies/manylinux_2_41.json", folder / "manylinux_2_41.json")
    (folder / "drafts").mkdir()
    shutil.copy(folder / "draft.json", folder / "drafts")
    (folder / "rootfs").mkdir()
    (folder / "app.json").write_text('{"files": [{"filename": "app-0.9-py3-none-any.whl"}, '
                                     '{"filename": "app-1.0-py3-none-any.whl"}]}')
    (folder / "libraries.json").write_text('{"library_index": 1, "libraries": []}')
    (folder / "plan.json").write_text('{"steps": []}')
    site = folder / ".venv/lib/python3.11/site-packages"
    for name in ("torch", "numpy"):
        pure_wheel(folder / f"{name}-1.0-py3-none-any.whl")
        zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl").extractall(site)
    pure_wheel(folder / WORDS["OTHER.whl"])
    subprocess.run([PROGRAM, "check", "-q", "dist", "--cache", "facts"], cwd=folder, check=False,
                   stdout=subprocess.DEVNULL)
    for name in ("many", "audit/facts"):
        shutil.copytree(folder / "facts", folder / name)


def fenced(text):
    """The command lines of fenced blocks, with the lines that continue them."""
    out, fence, console = [], None, False
    lines = iter(text.split("\n"))
    for line in lines:
        mark = re.match(r"\s*(`{3,})(\w*)", line)
        if mark:
            opens = fence is None
            console = opens and mark[2] in ("console", "text")
            fence = mark[1] if opens else None if line.strip() == fence else fence
            continue
        if fence is None or console:
            continue
        while line.endswith("\\"):
            line = line[:-1] + next(lines).strip()
        command = COMMAND.match(line.strip())
        if command and command[1] not in OUTPUT:
            # The rest of a TOML array; what is optional; a comment.
            word = re.sub(r'".*', "", command[1]) if line.strip()[0] not in "w-e" or " = " in line else command[1]
            out.append(re.sub(r" \[--[^]]*\]|\s+#.*", "", word))
    return out


def inline(text):
    """The commands of running text."""
    text = re.sub(r"^\s*(`{3,}).*?^\s*\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [re.sub(r"\s+", " ", one) for one in re.findall(r"`(wheelcheck [^`]*)`", text)]


def filled(command):
    """The command with its placeholders replaced, or None where it is only the name of a command or a sketch."""
    out = []
    for word in re.sub(r" \[[^]]*\]", "", command).split(" "):
        bare = word.removesuffix("...")
        if "LABEL=" in word or bare in ("", "NAME") or word == "...":
            return None
        name, sign, _ = bare.partition("::")
        out.append(WORDS.get(name, bare) + (f"{sign}*" if sign else "") if name in WORDS else bare)
    return " ".join(out)


class Documents(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)
        scene(self.folder)

    def run_line(self, line):
        for pattern in WHEEL.findall(line):
            pattern = pattern.partition("=")[2] or pattern
            if not list(self.folder.glob(pattern.removeprefix("./"))):
                name = pattern.removesuffix(".whl").replace("....", "-").replace("*", "")
                version = "" if re.search(r"-\d", name) else "1.0-"
                pure_wheel(self.folder / f"{name.rstrip('-')}-{version}py3-none-any.whl")
        env = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "NO_COLOR": "1",
               "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        return subprocess.run(["bash", "-c", line], cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=120)

    def accepted(self, page, line):
        with self.subTest(page=page.name, command=line):
            done = self.run_line(line)
            self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_fenced(self):
        count = 0
        for page in PAGES:
            for line in fenced(page.read_text(encoding="utf-8")):
                for word, value in (("{wheel}", WORDS["WHEEL"]), ("{dest_dir}", "out"), ("/tmp/", "tmp/"),
                                    ("--environment DIR", "--environment .venv"), ("FILE|NAME", "shared")):
                    line = line.replace(word, value)
                if skipped(line):
                    continue
                self.accepted(page, line)
                count += 1
        self.assertGreater(count, 35)

    def test_inline(self):
        seen = set()
        for page in PAGES:
            for command in inline(page.read_text(encoding="utf-8")):
                line = filled(command)
                if line in seen:
                    continue
                seen.add(line)
                if line is None or skipped(line):
                    continue
                # The name of a command, as in "`wheelcheck tree` shows", or options without a wheel.
                if self.run_line(line).returncode == 2:
                    line += " dist" if re.search(r" --?\w", line) else " --help"
                self.accepted(page, line)
        self.assertGreater(len(seen), 40)


class Pages(unittest.TestCase):
    """The pages that compare options, against --help; and the way to every page."""

    def options(self, *commands):
        texts = [subprocess.run([PROGRAM, command, "--help"], check=True, capture_output=True, text=True).stdout
                 for command in commands]
        return set(re.findall(OPTION, "".join(texts)))

    def test_options_that_tables_give_exist(self):
        """In a row | auditwheel | wheelcheck | ...: "the same" stands for the options of the first cell."""
        commands = {"`auditwheel show`": ("check", "show", "why"), "`auditwheel lddtree`": ("tree",),
                    "`repair`": ("repair",)}
        count = 0
        for name in ("migrating-from-auditwheel.md", "repair.md"):
            sections = re.split(r"^## ", (ROOT / "docs" / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
            for section in sections:
                heading = section.partition("\n")[0]
                if heading not in commands:
                    continue
                known = self.options(*commands[heading])
                for theirs, ours in re.findall(r"^\| ([^|]*) \| ([^|]*) \|", section, re.MULTILINE):
                    named = re.findall(OPTION, theirs) if ours.startswith("the same") else []
                    named += re.findall(OPTION, ours)
                    with self.subTest(page=name, row=theirs):
                        self.assertEqual(set(named) - known, set())
                    count += len(named)
        self.assertGreater(count, 20)

    def test_every_option_of_repair_is_on_its_page(self):
        text = subprocess.run([PROGRAM, "repair", "--help"], check=True, capture_output=True, text=True).stdout
        own = text.partition("\nOptions:\n")[2].partition("\n\n")[0]
        own = set(re.findall(rf"^ +(?:-\w, )?({OPTION})", own, re.MULTILINE)) - {"--color", "--no-progress", "--help"}
        self.assertGreater(len(own), 15)
        page = (ROOT / "docs/repair.md").read_text(encoding="utf-8")
        self.assertEqual({option for option in own if option not in page}, set())

    def test_every_page_is_reached_from_readme(self):
        reached, todo = set(), [ROOT / "README.md"]
        while todo:
            page = todo.pop()
            if page in reached:
                continue
            reached.add(page)
            # From README in one step, or by the lists of rules and of policies.
            if page == ROOT / "README.md" or page.name == "README.md":
                links = re.findall(r"\]\(([^)#]+\.md)", page.read_text(encoding="utf-8"))
                todo += [(page.parent / link).resolve() for link in links if "://" not in link]
        pages = {page.resolve() for page in ROOT.glob("docs/**/*.md")}
        self.assertEqual(sorted(str(page.relative_to(ROOT)) for page in pages - reached), [])


def skipped(line):
    """Commands whose input no test can have: packages of other systems, files of auditwheel, sketches."""
    return "--root " in line or "DIR/" in line or " library-index " in line


if __name__ == "__main__":
    unittest.main()
