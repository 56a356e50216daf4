#!/usr/bin/env python3
"""commands_test.py PROGRAM [--only PATTERN] [--table]: what each command costs for inputs that once cost it gigabytes.

A run may need 256 MB for each MB of input, and write 32 MB; an input of less counts as one MB. Both are the same on
every machine. CPU time is printed with --table; what takes two minutes of it is stopped.
"""

import argparse
import gzip
import io
import json
import pathlib
import random
import re
import shutil
import sys
import tarfile
import tempfile

import asking
import hostile
import zip_maker
from cases.cost import versions_needed
from elf_maker import Import, Library

MEBI = 1 << 20
LOADS = 'import ctypes\nctypes.CDLL("libc.so.6")\n'
NOISE = random.Random(1).randbytes(300_000)  # packed bytes, which raise the limits of a wheel


def elf_wheel(files: dict[str, bytes]) -> bytes:
    return hostile.elf_wheel({hostile.CORE: Library(imports=[Import("free")]).build(), "hostile/noise": NOISE, **files})


def tree(modules: int, libraries: int) -> bytes:
    """Each module needs each library."""
    names = [f"libx{i}.so.1" for i in range(libraries)]
    own = {"sections": False, "relocations": False, "imports": []}
    files = {f"hostile.libs/{n}": Library(soname=n, needed=[], exports=["f"], **own).build() for n in names}
    module = Library(needed=names, dynamic=[("RUNPATH", "$ORIGIN/../hostile.libs")], **own).build()
    return elf_wheel({**files, **{f"hostile/m{i}.abi3.so": module for i in range(modules)}})


def calls(count: int, text) -> bytes:
    """So many modules that are imported, and what they call."""
    modules = {f"hostile/s{i}.py": (LOADS + text(i)).encode() for i in range(count)}
    init = "".join(f"from . import s{i}\n" for i in range(count)).encode()
    many = LOADS + "".join(f"def f{i}(): g()\n" for i in range(3000))
    many += "".join(f"from .c{i} import a{i}\n" for i in range(3000))
    return elf_wheel({"hostile/__init__.py": init, **modules, "hostile/b.py": many.encode() + b"from .d import zz\n"})


def level(number: int) -> dict:
    return {"name": f"mylinux_{number}", "priority": 1, "symbol_versions": {"x86_64": {"GLIBC": ["2.5"]}},
            "lib_whitelist": ["libc.so.6"]}  # fmt: skip


def own_level(**more) -> bytes:
    libc = {"family": "glibc", "version": "2.17"}
    return json.dumps({"name": "mylinux_1", "libc": libc, "architectures": {"x86_64": {}}, **more}).encode()


def root_with(size: int) -> bytes:
    """A system with a C library of so many bytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        info = tarfile.TarInfo("lib/x86_64-linux-gnu/libc.so.6")
        info.size = size
        tar.addfile(info, io.BytesIO(Library(soname="libc.so.6").build().ljust(size, b"\0")))
    return gzip.compress(out.getvalue(), 6, mtime=0)


def packages(root: pathlib.Path) -> None:
    """A system with a package for each of many libraries."""
    status, library = "", Library(soname="libx.so.1", relocations=False, imports=[], code=NOISE[:6000]).build()
    for place in ("var/lib/dpkg/info", "usr/lib/x86_64-linux-gnu"):
        (root / place).mkdir(parents=True)
    for i in range(4000):
        status += f"Package: p{i}\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.{i}\n\n"
        file = f"usr/lib/x86_64-linux-gnu/libx{i}.so.1"
        (root / file).write_bytes(library)
        (root / f"var/lib/dpkg/info/p{i}:amd64.list").write_text(f"/{file}\n")
    (root / "var/lib/dpkg/status").write_text(status)


def libraries(root: pathlib.Path) -> None:
    """A directory of libraries that each require most of the others."""
    root.mkdir()
    names = [f"libx{i}.so.1" for i in range(200)]
    for name in names:
        library = Library(soname=name, needed=names, relocations=False, imports=[])
        (root / name).write_bytes(library.build())


def cases():
    """Name, command, the input's file name and bytes; the input is the word {}, its directory the word {/}. The last
    element, if there is one, are the words of a command that runs before, or makes what the command reads."""
    wheel = zip_maker.wheel_name(hostile.ELF_TAG)
    self_call = calls(20, lambda i: "def f():\n" + "    f()\n" * 3000 + "f()\n")
    through = calls(20, lambda i: "import hostile.b as b\n" + "b.zz()\n" * 3000)
    units = calls(20, lambda i: "import hostile.b as b\n" + "b.f2999()\n" * 3000)
    yield "tree loads as text", ["tree", "{}"], wheel, tree(300, 200)
    for name, data in {"through": through, "units": units}.items():
        yield f"conflicts {name}", ["conflicts", "{}"], wheel, data
    kinds = {
        "needs": elf_wheel({"hostile/needs.so": versions_needed(60_000).build()}),
        "loads": tree(300, 200),
        "calls": self_call,
        "symbols": elf_wheel({"hostile/many.so": Library(exports=[f"symbol{i}" for i in range(60_000)]).build()}),
        "members": elf_wheel({f"hostile/d{i}/f.py": b"" for i in range(4000)}),
    }
    for kind, data in kinds.items():
        for command in ("check", "show", "why", "tree", "symbols", "runs-on", "interfaces", "conflicts"):
            yield f"{command} {kind}", [command, "--format", "json", "{}"], wheel, data
        yield f"diff {kind}", ["diff", "--format", "json", "{}", "{}"], wheel, data
        yield f"fix {kind}", ["fix", "--diff", "{}"], wheel, data
        yield f"sbom {kind}", ["sbom", "{}"], wheel, data
        yield f"release {kind}", ["release", "--format", "json", "{/}"], wheel, data
        yield f"runs-on --cpu {kind}", ["runs-on", "--format", "json", "--cpu", "haswell", "{}"], wheel, data
        yield f"repair --dry-run {kind}", ["repair", "--dry-run", "{}"], wheel, data
        yield f"judge {kind}", ["judge", "--format", "json", "--facts", "{/}/facts"], wheel, data, \
            ["check", "--cache", "{/}/facts", "--output-file", "{/}/report", "{}"]  # fmt: skip
    entries = "".join(f'[[tool.wheelcheck.ignore-rule]]\nrule = "WC{i % 1000}"\n' for i in range(19_000))
    yield "check-config entries", ["check-config", "{}"], "pyproject.toml", entries.encode()
    policies = {
        "braces": b"[" + b"{}," * 300_000 + b"{}]",
        "levels": json.dumps([level(i) for i in range(8000)]).encode(),
        "words": own_level(libraries=["a b"] * 150_000),
        "keys": own_level(denied_symbols={"k" * 500_000: ["a b"] * 100_000}),
    }
    for name, data in policies.items():
        yield f"policy validate {name}", ["policy", "validate", "{}"], "level.json", data
    yield "policy derive large", ["policy", "derive", "mylinux_1", "--libc", "2.17", "--root", "x={}"], \
        "root.tar.gz", root_with(600 << 20)  # fmt: skip
    yield "policy derive below the limit", ["policy", "derive", "mylinux_1", "--libc", "2.17", "--root", "x={}"], \
        "root.tar.gz", root_with(100 << 20)  # fmt: skip
    yield "repair --platform-matrix libraries", ["repair", "--platform-matrix", "--lib-path", "{/}/root", "{}"], wheel, \
        elf_wheel({"hostile/m.abi3.so": Library(needed=["libx0.so.1"], sections=False).build()}), libraries  # fmt: skip
    yield "library-index packages", ["library-index", "{/}/root"], "empty", b"", packages


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    program, wrong, count = str(options.program.resolve()), 0, 0
    if options.table:
        columns = ("command and input", "input", "CPU", "memory", "bytes of output", "exit code")
        print(f"| {' | '.join(columns)} |\n|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="wheelcheck-commands-") as temporary:
        for name, words, file, data, *before in cases():
            if not re.search(options.only, name):
                continue
            count += 1
            place = pathlib.Path(temporary) / str(count)
            place.mkdir()
            path = place / file
            path.write_bytes(data)

            def run(words: list[str], path=path):
                told = [word.replace("{}", str(path)).replace("{/}", str(path.parent)) for word in words]
                return asking.ask([program, *told], path.parent, asking.plain_environment(path.parent), seconds=120)

            for first in before:
                first(place / "root") if callable(first) else run(first)
            answer = run(words)
            shutil.rmtree(place)
            size = max(1.0, len(data) / MEBI)
            allowed, most_output = 256 * size * MEBI, 32 * size * MEBI
            faults = []
            if answer.timed_out or answer.code not in (0, 1, 2, 3):
                faults.append(f"ends with {answer.code}")
            if answer.peak > allowed:
                faults.append(f"{answer.peak / MEBI:.0f} MB, and {allowed / MEBI:.0f} are allowed")
            if len(answer.out) > most_output:
                faults.append(f"{len(answer.out) / MEBI:.0f} MB of output")
            if options.table or faults:
                print(f"| {name} | {len(data) / MEBI:.2f} MB | {answer.cpu:.2f} s | {answer.peak / MEBI:.0f} MB | "
                      f"{len(answer.out):,} | {answer.code} |", flush=True)  # fmt: skip
            for fault in faults:
                print(f"    {fault}", flush=True)
            wrong += bool(faults)
    print(f"hostile: {count - wrong} of {count} commands are within their limits")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
