#!/usr/bin/env python3
"""tables_test.py PROGRAM [--count N] [--seed S] [--keep DIR]: changes symbols, names, versions, hash tables, relocations,
program headers or the dynamic section of one of two libraries that gcc makes, at random, and lets ld.so bind them in a
child process. Where it refuses the files, crashes, or takes a symbol from another file than before, the program must have
an error. The changes depend on the seed alone.
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
for folder in open(sys.argv[1]).read().split():
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(5)
        os.dup2(os.open(folder + "/bindings", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        try: ctypes.CDLL(folder + "/" + sys.argv[2], mode=os.RTLD_NOW)
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


def bound(folder: pathlib.Path) -> dict[tuple[bytes, bytes], bytes]:
    """The file that each symbol of the two files comes from. Names are those below the folder, or of the system."""
    start = os.fsencode(folder) + b"/"
    found = {}
    for user, provider, symbol in BOUND.findall((folder / "bindings").read_bytes()):
        if user.startswith(start):
            provider = provider.removeprefix(start)
            found[user.removeprefix(start), symbol] = provider if not provider.startswith(b"/") else b"the system"
    return found


def open_all(folders: list[pathlib.Path], place: pathlib.Path, jobs: int) -> list[int]:
    def run(number: int) -> list[int]:
        (place / f"list{number}").write_text("\n".join(map(str, folders[number::jobs])))
        words = [sys.executable, "-I", "-S", "-c", OPEN, place / f"list{number}", MODULE]
        environment = {**asking.plain_environment(place), "LD_DEBUG": "bindings"}
        done = subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        return [int(line) for line in done.stdout.split()]

    codes = [0] * len(folders)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, some in enumerate(pool.map(run, range(jobs))):
            codes[number::jobs] = some
    return codes


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
    dice, counts, wrong = random.Random(options.seed), collections.Counter(), 0
    jobs = os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="wheelcheck-tables-") as temporary:
        top = pathlib.Path(temporary)
        bases = [made(top, style) for style in ("gnu", "sysv", "both")]
        tables = [{member: tables_of(data) for member, data in base.items()} for base in bases]
        per_batch = 500
        for first in range(0, options.count, per_batch):
            place = top / "batch"
            place.mkdir()
            tried, wheels, folders = [("nothing", bases[0], "")], [], []
            for _ in range(min(per_batch, options.count - first)):
                which = dice.randrange(len(bases))
                member = dice.choice((MODULE, LIBRARY))
                what, data = changed(dice, bases[which][member], tables[which][member])
                if data != bases[which][member]:
                    tried.append((f"{member}: {what}", {**bases[which], member: data}, member))
            for number, (_, files, _) in enumerate(tried):
                folders.append(place / str(number))
                for member, data in files.items():
                    (folders[-1] / member).parent.mkdir(parents=True)
                    (folders[-1] / member).write_bytes(data)
                wheels.append(folders[-1] / zip_maker.wheel_name(ELF_TAG))
                stored = [zip_maker.Member(n, d, method=0) for n, d in files.items()]
                wheels[-1].write_bytes(zip_maker.Archive(zip_maker.wheel_members(stored, tag=ELF_TAG)).build())
            codes = open_all(folders, place, jobs)
            words = [options.program.resolve(), "check", "--no-config", "--format", "json", "--sandbox", "off", *wheels]
            checked = subprocess.run(words, check=False, stdout=subprocess.PIPE, env=asking.plain_environment(place))
            usual = bound(folders[0])
            assert codes[0] == 0 and usual, "ld.so does not load the unchanged files"
            for (name, _, _), code, folder, file, wheel in zip(
                tried, codes, folders, wheels, json.loads(checked.stdout)["wheels"], strict=True
            ):
                error = any(finding["severity"] == "error" for finding in wheel.get("findings", []))
                error = error or wheel["type"] == "unreadable"
                moved = {
                    symbol.decode(errors="replace")
                    for (user, symbol), provider in bound(folder).items()
                    if usual.get((user, symbol), provider) != provider
                }
                does = "refuses" if code == 9 else "crashes" if code else "binds elsewhere" if moved else "takes"
                counts[does, "error" if error else "nothing"] += 1
                if does != "takes" and not error and not (does == "crashes" and CODE_ONLY.search(name)):
                    wrong += 1
                    print(f"{name}: ld.so {does} ({code}) {' '.join(sorted(moved))}, and there is no error", flush=True)
                    if options.keep:
                        to = options.keep / f"{options.seed}-{first}-{folder.name}"
                        to.mkdir(parents=True, exist_ok=True)
                        shutil.copy(file, to)
            shutil.rmtree(place)
    print("| ld.so | the program | files |\n|---|---|---|")
    for (does, says), count in sorted(counts.items()):
        print(f"| {does} | {says} | {count} |")
    print(f"hostile: {wrong} of {counts.total()} changed tables are missed")
    return 1 if wrong or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
