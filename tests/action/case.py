"""The shared parts of the tests of the Action: a workspace, a runner, and the wheels that are checked."""

import base64
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import runner

ANNOTATIONS = {"error", "warning", "notice"}
OUTPUTS = {"verdict", "tags", "findings", "json-file", "sarif-file"}


def write_wheel(folder, name="pure", file=None, more=None):
    """A wheel without machine code. It has no findings unless `more` adds members."""
    info = f"{name}-1.0.dist-info"
    metadata = f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\nLicense-Expression: MIT\n"
    members = {f"{name}/__init__.py": b"", f"{info}/METADATA": metadata.encode(),
               f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
               **(more or {})}
    rows = ""
    for path, data in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        quoted = '"' + path.replace('"', '""') + '"'
        rows += f"{quoted},sha256={digest},{len(data)}\n"
    path = pathlib.Path(folder) / (file or f"{name}-1.0-py3-none-any.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in {**members, f"{info}/RECORD": f"{rows}{info}/RECORD,,\n".encode()}.items():
            archive.writestr(member, data)
    return path


def write_demo(folder):
    """A wheel that is not compatible with its tag."""
    command = [sys.executable, runner.ROOT / "scripts/demo_wheel.py", folder]
    made = subprocess.run(command, check=True, capture_output=True, text=True)
    return pathlib.Path(made.stdout.strip())


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.workspace = self.folder / "a workspace"
        self.dist = self.workspace / "dist"
        self.dist.mkdir(parents=True)
        (self.folder / "temp").mkdir()
        self.runner = runner.Runner(self.workspace, self.folder / "temp")

    def names_of(self, commands):
        return [command.name for command in commands]
