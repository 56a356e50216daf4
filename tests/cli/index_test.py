#!/usr/bin/env python3
"""index_test.py PROGRAM: every command in README and docs that needs a package index runs against a local one.

The index is a directory of small wheels, one for each requirement that the pages name, served by http.server, whose
listings are the simple index of PEP 503. What is installed must be what the page says.
"""

import functools
import http.server
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests/corpus")]
import documents_test  # noqa: E402, which takes the program from the words
import fetch  # noqa: E402

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
COMMAND = re.compile(r"(?:^\s*(?:- )?|`)((?:python -m )?pip (?:install|download) [^`#\n]*?)(?:`|\s+#.*|\s*$)",
                     re.MULTILINE)
REQUIREMENT = re.compile(r"^([A-Za-z][\w.-]*?)(?:\[([\w,]+)\])?(?:==([\w.]+))?$")
VALUED = {"--target", "-d", "--platform", "--python-version"}  # options whose value is the next word


def commands():
    """Page, command and its requirements: (name, extra, version), each but the name possibly None."""
    found = {}
    for page in PAGES:
        for line in COMMAND.findall(page.read_text(encoding="utf-8")):
            words = shlex.split(line)
            words = words[words.index("pip") + 2:]
            needs = [REQUIREMENT.match(word) for before, word in zip(["", *words], words) if before not in VALUED]
            found.setdefault(line, (page, [need.groups() for need in needs if need]))
    return [(page, line, needs) for line, (page, needs) in found.items() if needs]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Index(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(
            Quiet, directory=str(self.folder / "index")))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        python = fetch.pip_python()
        (self.folder / "bin").mkdir()
        for name, rest in (("python", ""), ("pip", " -m pip")):
            script = self.folder / "bin" / name
            script.write_text(f'#!/bin/sh\nexec {shlex.quote(python)}{rest} "$@"\n')
            script.chmod(0o755)
        self.env = {**{name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))},
                    "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(self.folder),
                    "PIP_INDEX_URL": f"http://127.0.0.1:{server.server_port}/simple", "PIP_CONFIG_FILE": os.devnull,
                    "PIP_NO_CACHE_DIR": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore",
                    "NO_PROXY": "127.0.0.1"}

    def offer(self, name, extra, version):
        """A pure wheel of that name; the extra requires another package of the index."""
        folder = self.folder / "index/simple" / name.lower().replace("_", "-")
        requires = f"Provides-Extra: {extra}\nRequires-Dist: {extra}-part; extra == \"{extra}\"\n" if extra else ""
        version = version or "1.0"
        info = f"{name}-{version}.dist-info"
        documents_test.write_wheel(folder / f"{name}-{version}-py3-none-any.whl", info, {
            f"{name}/__init__.py": b"", f"{info}/METADATA": documents_test.metadata(name, version) + requires.encode(),
            f"{info}/WHEEL": documents_test.wheel_file("true", "py3-none-any")})
        if extra:
            self.offer(f"{extra}_part", None, None)

    def test_commands(self):
        all_commands = commands()
        self.assertGreaterEqual(len(all_commands), 4)
        for number, (page, line, needs) in enumerate(all_commands):
            with self.subTest(page=page.name, command=line):
                target = self.folder / f"installed {number}"
                for need in needs:
                    self.offer(*need)
                words = shlex.split(line)
                env = self.env
                if "--target" in words:
                    target = self.folder / words[words.index("--target") + 1]
                else:
                    env = {**env, "PIP_TARGET": str(target)}
                done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, check=False, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                installed = {path.name for path in target.iterdir()}
                for name, extra, version in needs:
                    self.assertIn(f"{name}-{version or '1.0'}.dist-info", installed)
                    if extra:
                        self.assertIn(f"{extra}_part-1.0.dist-info", installed)


if __name__ == "__main__":
    unittest.main()
