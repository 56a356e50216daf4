#!/usr/bin/env python3
"""elf_strings.py WHEEL...: ELF files of a wheel: their number, bytes, and bytes of dynamic string tables.

The last is the minimum memory of a reader that keeps all symbol names; wheels/large contains these numbers.
"""

import json
import struct
import sys
import zipfile

MAGIC = b"\x7fELF"
PT_DYNAMIC, DT_STRSZ = 2, 10


def string_table_size(image):
    """DT_STRSZ of a file, found by its program headers; 0 for a file without a dynamic segment."""
    order = "<" if image[5] == 1 else ">"
    wide = image[4] == 2
    phoff, = struct.unpack_from(order + ("Q" if wide else "I"), image, 32 if wide else 28)
    phentsize, phnum = struct.unpack_from(order + "HH", image, 54 if wide else 42)
    for at in (phoff + number * phentsize for number in range(phnum)):
        kind, = struct.unpack_from(order + "I", image, at)
        if kind != PT_DYNAMIC:
            continue
        offset, = struct.unpack_from(order + ("Q" if wide else "I"), image, at + (8 if wide else 4))
        size, = struct.unpack_from(order + ("Q" if wide else "I"), image, at + (32 if wide else 16))
        entry = struct.Struct(order + ("qQ" if wide else "iI"))
        for tag, value in entry.iter_unpack(image[offset:offset + size // entry.size * entry.size]):
            if tag == DT_STRSZ:
                return value
    return 0


def describe(path):
    facts = {"files": 0, "bytes": 0, "strings": 0}
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            with archive.open(member) as file:
                if file.read(4) != MAGIC:
                    continue
            image = archive.read(member)
            facts["files"] += 1
            facts["bytes"] += len(image)
            facts["strings"] += string_table_size(image)
    return facts


if __name__ == "__main__":
    for wheel in sys.argv[1:]:
        print(wheel.rsplit("/", 1)[-1], json.dumps(describe(wheel)), flush=True)
