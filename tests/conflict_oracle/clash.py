#!/usr/bin/env python3
"""clash.py STORY DIRECTORY: builds a story's wheels into DIRECTORY and prints their paths.

A story is a test case with wheels that conflict with each other in one process. Each story has a directory here with
its sources and story.py, which defines the contents of the wheels, what happens when they are imported, and what
`wheelcheck conflicts` must report.
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
    """A library or extension module, or a program if `link` makes it one."""

    path: str  # in the wheel
    sources: list  # in the story's directory, C or C++
    options: list = field(default_factory=list)
    needed: list = field(default_factory=list)  # paths of binaries of the same wheel
    soname: str = ""
    runpath: str = ""
    compiler: str = ""  # if empty, chosen by the suffix of the first source
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
    """A process: what it runs, and what must be observed."""

    code: str
    opens: list  # the opened files, for a plan: "import PATH GLOBAL", "ctypes PATH", "dlopen PATH LAZY"
    says: str = ""  # all of its stdout
    fails: str = ""  # the last line of its stderr; {site} is the installation directory
    signal: str = ""  # the signal that ends it
    environment: dict = field(default_factory=dict)
    main: str = ""  # a program of a wheel that runs instead of Python; `code` is its arguments
    errors: list = field(default_factory=list)  # of dlopen; {site} as above
    lazy: bool = False  # the test is about lazy binding, so LD_BIND_NOW is not set


@dataclass
class Clash:
    """The expected report for the wheels `order`, given in this order."""

    order: str
    relation: str  # capture, borrow, displaced, shared-unique, import-fails, two-runtimes; or the name of a rule
    severity: str
    consumer: str
    provider: str
    symbol: str  # import-fails: the whole error, {site} as above; two-runtimes: the family; a rule: ""
    options: list = field(default_factory=list)  # options of the command


@dataclass
class Story:
    wheels: list
    runs: list
    clashes: list
    harmless: list = field(default_factory=list)  # orders without a finding above info


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
    """Compiles below folder/build, packs the wheel and returns its path."""
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
