#!/usr/bin/env python3
"""tables_test.py PROGRAM [--count N] [--seed S] [--keep DIR]: changes symbols, names, versions, hash tables,
relocations, program headers or the dynamic section of one of two libraries that gcc makes, at random, and lets ld.so
bind them in a child process. Where it refuses the files, crashes, or takes a symbol from another file than before, the
program must have an error. The changes depend on the seed alone.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import platform
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import asking
import zip_maker
from hostile import ELF_TAG

PART = """
#include <stdlib.h>
__thread int local = 3;
int data = 5, *pointer = &data;
int part(int a) { free(malloc(a)); return a + local + *pointer; }
int other(int a) { return part(a) + 1; }
int third(int a) { return other(a) + data; }
"""
CORE = """
#include <string.h>
extern __thread int local;
extern int data, part(int), other(int), third(int), plain(int);
__attribute__((weak)) int maybe(void);
int (*const functions[])(int) = {part, other, third};
int plain(int a) { return local + data + (maybe ? maybe() : 0); }
void *PyInit_core(void) { return strdup("x") + part(1) + other(2) + third(3) + plain(4) + functions[0](5); }
"""
VERSIONS = "V1 { global: part; data; local; pointer; local: *; }; V2 { global: other; third; } V1;"
MODULE, LIBRARY = "hostile/core.cpython-311-x86_64-linux-gnu.so", "hostile.libs/libpart.so.1"
OPEN = """
import ctypes, os, resource, signal, sys
for number in range(int(sys.argv[2])):
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(5)
        try: ctypes.CDLL(f"{sys.argv[1]}/{number}/{sys.argv[3]}", mode=os.RTLD_NOW)
        except OSError: os._exit(9)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
BOUND = re.compile(rb"binding file (\S+) \[0\] to (\S+) \[0\]: \w+ symbol `([^']*)'")
# Sections with the size of their records, and the fields in these.
TABLES = {
    ".dynsym": (24, ((0, 4), (4, 1), (5, 1), (6, 2), (8, 8), (16, 8))),
    ".dynstr": (1, ((0, 1),)),
    ".gnu.version": (2, ((0, 2),)),
    ".gnu.version_r": (16, ((0, 2), (2, 2), (0, 4), (4, 4), (6, 2), (8, 4), (12, 4))),
    ".gnu.version_d": (4, ((0, 2), (2, 2), (0, 4))),
    ".gnu.hash": (4, ((0, 4),)),
    ".hash": (4, ((0, 4),)),
    ".rela.dyn": (24, ((0, 8), (8, 4), (12, 4), (16, 8))),
    ".rela.plt": (24, ((0, 8), (8, 4), (12, 4), (16, 8))),
    ".dynamic": (16, ((0, 8), (8, 8))),
    "program headers": (56, ((0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 8), (48, 8))),
}
# The type of a symbol that makes a function the resolver of another one: ld.so runs its code, which no table describes.
CODE_ONLY = re.compile(r"\.dynsym\[\d+\] \+ 4 = 0x[0-9a-f]?a\b")
EDGES = (0, 1, 2, 3, 8, 16, 0x7FFF, 0x8000, 0x8001, 0xFFF1, 0xFFFF, 0x10000, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 63)


def tables_of(data: bytes) -> dict[str, tuple[int, int]]:
    """The offset and the size of each table in the file."""
    (headers, sections) = struct.unpack_from("<QQ", data, 32)
    (count, entry, number, names) = struct.unpack_from("<HHHH", data, 56)
    rows = [struct.unpack_from("<IIQQQQ", data, sections + entry * i) for i in range(number)]
    start = rows[names][4]
    found = {"program headers": (headers, 56 * count)}
    for name, _, _, _, offset, size in rows:
        text = data[start + name : data.index(b"\0", start + name)].decode()
        if text in TABLES and size:
            found[text] = (offset, size)
    return found


def changed(dice: random.Random, data: bytes, tables: dict[str, tuple[int, int]]) -> tuple[str, bytes]:
    out, words = bytearray(data), []
    for _ in range(dice.choice((1, 1, 1, 2))):
        name = dice.choice(sorted(tables))
        (begin, size), (record, fields) = tables[name], TABLES[name]
        offset, width = dice.choice(fields)
        number = dice.randrange(max(1, size // record))
        at = begin + number * record + offset
        if at + width > begin + size:
            continue
        value = int.from_bytes(out[at : at + width], "little")
        same = begin + dice.randrange(max(1, size // record)) * record + offset  # the field of another record
        other = dice.choice((
            value ^ 1 << dice.randrange(8 * width), value + dice.choice((-1, 1, 2, 8, 24)), dice.choice(EDGES),
            int.from_bytes(out[same : same + width], "little"), dice.getrandbits(8 * width), dice.randrange(len(data)),
        ))  # fmt: skip
        out[at : at + width] = (other % (1 << 8 * width)).to_bytes(width, "little")
        words.append(f"{name}[{number}] + {offset} = {other % (1 << 8 * width):#x}")
    return "; ".join(words), bytes(out)


def made(folder: pathlib.Path, style: str) -> dict[str, bytes]:
    (folder / "part.c").write_text(PART)
    (folder / "core.c").write_text(CORE)
    (folder / "part.map").write_text(VERSIONS)
    plain = ["gcc", "-shared", "-fPIC", "-O1", "-nostartfiles", "-Wl,-z,noexecstack", f"-Wl,--hash-style={style}"]
    part, core = folder / "libpart.so.1", folder / "core.so"
    script = ["-Wl,-soname,libpart.so.1", f"-Wl,--version-script={folder / 'part.map'}"]
    subprocess.run([*plain, *script, "-o", part, folder / "part.c"], check=True)
    path = "-Wl,--enable-new-dtags,-rpath,$ORIGIN/../hostile.libs"
    subprocess.run([*plain, path, "-o", core, folder / "core.c", part], check=True)
    return {MODULE: core.read_bytes(), LIBRARY: part.read_bytes()}


def bound(text: bytes, place: pathlib.Path) -> dict[int, dict[tuple[bytes, bytes], bytes]]:
    """By number of the change, the file that each symbol of the two files comes from: one of them, or of the system."""
    start = os.fsencode(place) + b"/"
    found: dict[int, dict[tuple[bytes, bytes], bytes]] = collections.defaultdict(dict)
    for user, provider, symbol in BOUND.findall(text):
        number, slash, member = user.removeprefix(start).partition(b"/")
        if user.startswith(start) and slash:
            own = provider.removeprefix(start + number + slash)
            found[int(number)][member, symbol] = own if own != provider else b"the system"
    return found


class Batch:
    """Changes that one process of ld.so's and one of the program's look at."""

    def __init__(self, program: str, dice: random.Random, count: int, bases: list[dict[str, bytes]]):
        self.program = program
        tables = [{member: tables_of(data) for member, data in base.items()} for base in bases]
        self.tried = [("nothing", bases[0])]
        for _ in range(count):
            which, member = dice.randrange(len(bases)), dice.choice((MODULE, LIBRARY))
            what, data = changed(dice, bases[which][member], tables[which][member])
            if data != bases[which][member]:
                self.tried.append((f"{member}: {what}", {**bases[which], member: data}))

    def run(self, place: pathlib.Path, keep: pathlib.Path | None) -> tuple[collections.Counter, list[str]]:
        """The number of changes for what ld.so does and the program says, and those that are missed."""
        wheels = [self.write(place / str(number), files) for number, (_, files) in enumerate(self.tried)]
        environment = asking.plain_environment(place)
        words = [sys.executable, "-I", "-S", "-c", OPEN, str(place), str(len(wheels)), MODULE]
        opened = subprocess.run(words, check=True, capture_output=True, env={**environment, "LD_DEBUG": "bindings"})
        codes, bindings = [int(line) for line in opened.stdout.split()], bound(opened.stderr, place)
        words = [self.program, "check", "--no-config", "--jobs", "1", "--format", "json", "--sandbox", "off"]
        checked = subprocess.run([*words, *wheels], check=False, capture_output=True, env=environment)
        usual = bindings[0]
        assert codes[0] == 0 and usual, "ld.so does not load the unchanged files"
        counts, missed = collections.Counter(), []
        reports = json.loads(checked.stdout)["wheels"]
        for number, ((name, _), code, wheel) in enumerate(zip(self.tried, codes, reports, strict=True)):
            found = bindings.get(number, {})
            moved = {symbol.decode(errors="replace") for (user, symbol), provider in found.items()
                     if usual.get((user, symbol), provider) != provider}  # fmt: skip
            does = "refuses" if code == 9 else "crashes" if code else "binds elsewhere" if moved else "takes"
            error = wheel["type"] == "unreadable" or any(f["severity"] == "error" for f in wheel["findings"])
            counts[does, "error" if error else "nothing"] += 1
            if does != "takes" and not error and not (does == "crashes" and CODE_ONLY.search(name)):
                missed.append(f"{name}: ld.so {does} ({code}) {' '.join(sorted(moved))}, and there is no error")
                if keep:
                    to = keep / re.sub(r"\W+", "-", name)
                    to.mkdir(parents=True, exist_ok=True)
                    shutil.copy(wheels[number], to)
        shutil.rmtree(place)
        return counts, missed

    def write(self, folder: pathlib.Path, files: dict[str, bytes]) -> pathlib.Path:
        for member, data in files.items():
            (folder / member).parent.mkdir(parents=True)
            (folder / member).write_bytes(data)
        stored = [zip_maker.Member(name, data, method=0) for name, data in files.items()]
        wheel = folder / zip_maker.wheel_name(ELF_TAG)
        wheel.write_bytes(zip_maker.Archive(zip_maker.wheel_members(stored, tag=ELF_TAG)).build())
        return wheel


def run(number: int, count: int, options: argparse.Namespace, bases: list[dict[str, bytes]], top: pathlib.Path):
    batch = Batch(str(options.program.resolve()), random.Random(f"{options.seed} {number}"), count, bases)
    return batch.run(top / f"batch{number}", options.keep)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="copy the wheels that are missed")
    options = parser.parse_args()
    if platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc" or not shutil.which("gcc"):
        print("no glibc on x86-64 or no gcc here")
        return 77
    counts: collections.Counter = collections.Counter()
    wrong, per_batch = 0, 250
    with tempfile.TemporaryDirectory(prefix="wheelcheck-tables-") as temporary:
        top = pathlib.Path(temporary)
        bases = [made(top, style) for style in ("gnu", "sysv", "both")]
        sizes = [min(per_batch, options.count - first) for first in range(0, options.count, per_batch)]
        with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
            batches = [pool.submit(run, number, size, options, bases, top) for number, size in enumerate(sizes)]
            for batch in batches:
                some, missed = batch.result()
                counts += some
                wrong += len(missed)
                for line in missed:
                    print(line, flush=True)
    print("| ld.so | the program | files |\n|---|---|---|")
    for (does, says), count in sorted(counts.items()):
        print(f"| {does} | {says} | {count} |")
    print(f"hostile: {wrong} of {counts.total()} changed tables are missed")
    return 1 if wrong or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
