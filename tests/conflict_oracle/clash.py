#!/usr/bin/env python3
"""clash.py STORY DIRECTORY: builds a story's wheels into DIRECTORY and prints their paths.

A story is two or more wheels that spoil each other in one process. Each has a directory here: its sources, and story.py
with what the wheels hold, what is seen when they are imported, and what `wheelcheck conflicts` has to say of them.
"""

import base64
import csv
import hashlib
import importlib.util
import io
import os
import pathlib
import platform
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
MACHINE = platform.machine()


@dataclass
class Binary:
    """A library or extension module; a program if `link` says so."""

    path: str  # in the wheel
    sources: list  # in the story's directory, C or C++
    options: list = field(default_factory=list)
    needed: list = field(default_factory=list)  # paths of binaries of the same wheel
    soname: str = ""
    runpath: str = ""
    compiler: str = ""  # by the first source's suffix if empty
    link: str = "-shared"


@dataclass
class Wheel:
    name: str
    binaries: list
    python: dict = field(default_factory=dict)  # text by path
    version: str = "1.0"
    requires: list = field(default_factory=list)  # lines of Requires-Dist


@dataclass
class Run:
    """A process: what it does, and what is seen of it."""

    code: str
    opens: list  # what it opens, for a plan: "import PATH GLOBAL", "ctypes PATH", "dlopen PATH LAZY"
    says: str = ""  # all of its standard output
    fails: str = ""  # the last line of its standard error, {site} for the directory of installation
    signal: str = ""  # what ends it
    environment: dict = field(default_factory=dict)
    main: str = ""  # a program of a wheel instead of Python; `code` is its arguments
    errors: list = field(default_factory=list)  # of dlopen, {site} as above
    lazy: bool = False  # late calls matter: LD_BIND_NOW stays unset


@dataclass
class Clash:
    """What is to be said of the wheels `order`, given in that order."""

    order: str
    relation: str  # capture, borrow, displaced, shared-unique, import-fails, two-runtimes; or the name of a rule
    severity: str
    consumer: str
    provider: str
    symbol: str  # of import-fails the whole error, {site} as above; of two-runtimes their family; of a rule nothing
    options: list = field(default_factory=list)  # of the command line


@dataclass
class Story:
    wheels: list
    runs: list
    clashes: list
    harmless: list = field(default_factory=list)  # orders of which nothing above info is to be said


def story(name):
    spec = importlib.util.spec_from_file_location(f"story_{name}", HERE / name / "story.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.STORY


def compiler_of(binary):
    if binary.compiler:
        return binary.compiler
    return os.environ.get("CC", "gcc") if binary.sources[0].endswith(".c") else os.environ.get("CXX", "g++")


def compile_binary(name, binary, top):
    out = top / binary.path
    out.parent.mkdir(parents=True, exist_ok=True)
    words = [compiler_of(binary), binary.link, "-O1", "-Wall", "-Wl,--no-as-needed", "-I", HERE, "-o", out]
    words += ["-fPIC"] if binary.link == "-shared" else []
    words += binary.options + [HERE / name / source for source in binary.sources]
    words += [f"-Wl,-soname={binary.soname}"] if binary.soname else []
    words += [f"-Wl,--enable-new-dtags,-rpath={binary.runpath}"] if binary.runpath else []
    for needed in binary.needed:
        words += [f"-L{(top / needed).parent}", f"-l:{pathlib.PurePath(needed).name}"]
    subprocess.run([str(word) for word in words], check=True, stdin=subprocess.DEVNULL)


def digest_of(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build(name, wheel, folder):
    """Compiles below folder/build and zips; gives the wheel's path."""
    top = folder / "build" / wheel.name
    for binary in wheel.binaries:
        compile_binary(name, binary, top)
    tag = f"cp38-abi3-linux_{MACHINE}"
    info = f"{wheel.name}-{wheel.version}.dist-info"
    files = {path: text.encode() for path, text in wheel.python.items()}
    files |= {binary.path: (top / binary.path).read_bytes() for binary in wheel.binaries}
    metadata = f"Metadata-Version: 2.1\nName: {wheel.name}\nVersion: {wheel.version}\n"
    metadata += "".join(f"Requires-Dist: {line}\n" for line in wheel.requires)
    files[f"{info}/METADATA"] = metadata.encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: clash.py\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    rows.writerows([path, digest_of(content), len(content)] for path, content in files.items())
    rows.writerow([f"{info}/RECORD", "", ""])
    files[f"{info}/RECORD"] = record.getvalue().encode()
    path = folder / f"{wheel.name}-{wheel.version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in files.items():
            entry = zipfile.ZipInfo(member)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if member in [binary.path for binary in wheel.binaries] else 0o644) << 16
            archive.writestr(entry, content)
    return path


def build_all(name, folder):
    return [build(name, wheel, folder) for wheel in story(name).wheels]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    print(*build_all(sys.argv[1], folder), sep="\n")


if __name__ == "__main__":
    main()
