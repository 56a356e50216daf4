"""The wheels of the format tests: a clean one, a failing one, a file that is not a wheel, and malicious ones."""

import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Twelve bytes each: they replace libtiff.so.6 in an ELF file's string table.
HOSTILE_NEEDS = [b"</script>|`@", b"]]>::error::", b"[a](//b)<i>{", b"\"><b>&lt;%0A", b"\x1b[2J\r\n\xff<!-->",
                 b"\xe2\x80\xaeos.</td>x"]
HOSTILE_FILE = "gridfit/a`|<b onclick=x>]]>&#x27;::error::%0A{0}[x](y)@user\u202egpj.so"


def write(path, members):
    """Writes a wheel with these members and the matching RECORD."""
    record = next(name for name in members if name.endswith(".dist-info/RECORD"))
    rows = []
    for name, data in members.items():
        if name == record:
            continue
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        quoted = '"' + name.replace('"', '""') + '"' if set(name) & set(',"') else name
        rows.append(f"{quoted},sha256={digest},{len(data)}")
    members = {**members, record: "\n".join([*rows, f"{record},,", ""]).encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return path


def read(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def changed(members, pairs):
    """Replaces each (old, new) in every name and file. Both have the same length, so that ELF files stay valid."""
    out = {}
    for name, data in members.items():
        for old, new in pairs:
            if name.endswith((".so", ".so.1")) and len(old) != len(new):
                raise ValueError(f"{old!r} is not as long as {new!r}")
            data = data.replace(old, new)
            name = name.replace(old.decode("latin-1"), new.decode("latin-1"))
        out[name] = data
    return out


class Wheels:
    """The wheels of one test run. They are deleted together with `folder`."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        done = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", self.folder / "demo"], check=True,
                              capture_output=True, text=True)
        self.failing = pathlib.Path(done.stdout.strip())
        self.clean = self._clean()
        self.unreadable = self.folder / "no-1.0-py3-none-any.whl"
        self.unreadable.write_text("no archive\n")
        self.all = [self.clean, self.failing, self.unreadable]

    def _clean(self):
        info = "pure-1.0.dist-info"
        return write(self.folder / "pure-1.0-py3-none-any.whl", {
            "pure/__init__.py": b"",
            f"{info}/METADATA": b"Metadata-Version: 2.1\nName: pure\nVersion: 1.0\nLicense: MIT\n",
            f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/RECORD": b""})

    def hostile(self):
        """Wheels whose names try to end a line, a tag, a table, a script."""
        folder = self.folder / "hostile"
        folder.mkdir(exist_ok=True)
        out = []
        for number, need in enumerate(HOSTILE_NEEDS):
            members = changed(read(self.failing), [(b"libtiff.so.6", need)])
            solver = next(name for name in members if "_solver" in name)
            members[HOSTILE_FILE] = members[solver]
            out.append(write(folder / self.failing.name.replace("gridfit-1.4.0", f"gridfit-1.4.{number}"), members))
        return out

    def next_release(self):
        """The failing wheel as the next release of its project: another version, and another hash in the name of a
        bundled library."""
        members = changed(read(self.failing), [(b"5d1c8e02", b"99aabb77")])
        members = {name.replace("gridfit-1.4.0", "gridfit-1.5.0"):
                   data.replace(b"Version: 1.4.0", b"Version: 1.5.0") if name.endswith("METADATA") else data
                   for name, data in members.items()}
        return write(self.folder / self.failing.name.replace("gridfit-1.4.0", "gridfit-1.5.0"), members)

    def many(self, count):
        """The failing wheel under many names."""
        folder = self.folder / f"many{count}"
        folder.mkdir(exist_ok=True)
        for number in range(count):
            target = folder / self.failing.name.replace("gridfit-1.4.0", f"gridfit{number}-1.4.0")
            if not target.exists():
                os.link(self.failing, target)
        return folder


def run(program, *words, code=None):
    """The output of the program, after a check of its exit code: `code`, or one that comes with a report."""
    done = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          encoding="utf-8", check=False, timeout=300)
    if done.returncode not in ((0, 1, 3) if code is None else (code,)):
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stderr}")
    return done.stdout
