#!/usr/bin/env python3
"""fields_test.py PROGRAM [--step N]: changes one field of the ELF header, of a program header or of the dynamic section
of a library that gcc makes, to each of about fifteen values. ld.so opens each file in a child process; where it refuses
the file or crashes, the program must have an error. Every Nth change is tried.
"""

import argparse
import collections
import json
import pathlib
import platform
import shutil
import struct
import subprocess
import sys
import tempfile

import asking
import zip_maker
from hostile import ELF_TAG

SOURCE = """
#include <stdlib.h>
static __thread int local = 3;
int data = 5, *pointer = &data;
const char *const names[] = {"a", "b"};
__attribute__((constructor)) static void enter(void) { local++; }
__attribute__((destructor)) static void leave(void) { local--; }
__attribute__((weak)) int maybe(void);
int function(int a) { free(malloc(a)); return local + (maybe ? maybe() : 0) + *names[a & 1]; }
void *PyInit_core(void) { return pointer; }
"""
MEMBER = "hostile/core.cpython-311-x86_64-linux-gnu.so"
OPEN = """
import ctypes, os, resource, signal, sys
for path in open(sys.argv[1]).read().split():
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(5)
        os.closerange(1, 3)  # code that a change runs may write what this process has not written yet
        try: ctypes.CDLL(path, mode=os.RTLD_NOW)
        except OSError: os._exit(9)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
# No table says which slots the code of a library calls, or which bytes are code. Such a file runs other code or none.
# Objects and core files (e_type) are listed, not judged.
CODE_ONLY = ("JMPREL", "PLTRELSZ", "SYMTAB", "LOAD.offset", "TLS.vaddr", "header at 16 ")
TAGS = (0, 1, 2, 4, 5, 7, 8, 9, 10, 17, 18, 20, 21, 22, 23, 24, 25, 27, 29, 30, 32, 33, 34, 35, 36, 37, 0x6FFFFEF5,
        0x6FFFFFF0, 0x6FFFFFF9, 0x6FFFFFFB, 0x6FFFFFFC, 0x6FFFFFFE, 0x7FFFFFFD, 0x7FFFFFFF, 0x6FFFFDF8, 0x70000001)
NAMES = {2: "PLTRELSZ", 6: "SYMTAB", 23: "JMPREL"}
SEGMENTS = {1: "LOAD", 7: "TLS"}
FIELDS = (("type", "I", 0), ("flags", "I", 4), ("offset", "Q", 8), ("vaddr", "Q", 16), ("paddr", "Q", 24),
          ("filesz", "Q", 32), ("memsz", "Q", 40), ("align", "Q", 48))
HEADER = ((4, "B"), (5, "B"), (6, "B"), (7, "B"), (8, "B"), (16, "H"), (18, "H"), (20, "I"), (32, "Q"), (40, "Q"),
          (48, "I"), (52, "H"), (54, "H"), (56, "H"), (58, "H"), (60, "H"), (62, "H"))


def values_near(value: int) -> set[int]:
    return {0, 1, 3, 8, value + 1, value - 1, value + 4, value + 8, value - 8, value + 0x1000, value * 2, value // 2,
            0xFFFFFFFF, 1 << 63, (1 << 64) - 1, 0x400000}


def put(data: bytes, offset: int, kind: str, value: int) -> bytes:
    size = struct.calcsize(kind)
    return data[:offset] + (value % (1 << 8 * size)).to_bytes(size, "little") + data[offset + size :]


def changes(data: bytes):
    (table,) = struct.unpack_from("<Q", data, 32)
    (count,) = struct.unpack_from("<H", data, 56)
    headers = [struct.unpack_from("<IIQQQQQQ", data, table + 56 * i) for i in range(count)]
    dynamic = next(header for header in headers if header[0] == 2)
    for at in range(dynamic[2], dynamic[2] + dynamic[5], 16):
        tag, value = struct.unpack_from("<QQ", data, at)
        name = NAMES.get(tag, f"{tag:#x}")
        for other in sorted(values_near(value)):
            yield f"{name} = {other:#x}", put(data, at + 8, "Q", other)
        for other in TAGS:
            yield f"{name} is tag {other:#x}", put(data, at, "Q", other)
        if tag == 0:
            break
    for number, header in enumerate(headers):
        for index, (name, kind, offset) in enumerate(FIELDS):
            special = range(8) if name in ("type", "flags") else (0x200000, 0x7FFFFFFFFFFFF000)
            for other in sorted(values_near(header[index]) | set(special)):
                where = f"{SEGMENTS.get(header[0], hex(header[0]))}.{name} of {number}"
                yield f"{where} = {other:#x}", put(data, table + 56 * number + offset, kind, other)
    for offset, kind in HEADER:
        (value,) = struct.unpack_from("<" + kind, data, offset)
        for other in sorted({0, 1, 2, 3, value + 1, value - 1, value + 8, value * 2, 56, 64, 4096}):
            yield f"header at {offset} = {other:#x}", put(data, offset, kind, other)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--step", type=int, default=5)
    options = parser.parse_args()
    if platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc" or not shutil.which("gcc"):
        print("no glibc on x86-64 or no gcc here")
        return 77
    counts: collections.Counter = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="wheelcheck-fields-") as temporary:
        folder = pathlib.Path(temporary)
        (folder / "x.c").write_text(SOURCE)
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-nostartfiles", "-Wl,-z,noexecstack", "-o", folder / "x.so",
                        folder / "x.c"], check=True)
        base = (folder / "x.so").read_bytes()
        tried = [change for change in changes(base) if change[1] != base][:: options.step]
        wheels = []
        for number, (_, data) in enumerate(tried):
            place = folder / str(number)
            place.mkdir()
            (place / "core.so").write_bytes(data)
            wheels.append(place / zip_maker.wheel_name(ELF_TAG))
            members = zip_maker.wheel_members({MEMBER: data}, tag=ELF_TAG)
            wheels[-1].write_bytes(zip_maker.Archive(members).build())
        (folder / "list").write_text("\n".join(str(folder / str(i) / "core.so") for i in range(len(tried))))
        opened = subprocess.run([sys.executable, "-I", "-S", "-c", OPEN, folder / "list"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout.split()
        checked = subprocess.run([options.program.resolve(), "check", "--no-config", "--format", "json", *wheels],
                                 check=False, stdout=subprocess.PIPE, env=asking.plain_environment(folder))
        wrong = 0
        for (name, _), code, wheel in zip(tried, opened, json.loads(checked.stdout)["wheels"], strict=True):
            error = any(finding["severity"] == "error" for finding in wheel.get("findings", []))
            counts["takes" if code == "0" else "refuses", "error" if error else "nothing"] += 1
            if code != "0" and not error and not name.startswith(CODE_ONLY):
                print(f"{name}: ld.so ends with {code}, and there is no error")
                wrong += 1
    print("| ld.so | the program | files |\n|---|---|---|")
    for (does, says), count in sorted(counts.items()):
        print(f"| {does} | {says} | {count} |")
    print(f"hostile: {wrong} of {len(tried)} changed fields are missed")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
