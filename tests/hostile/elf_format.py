"""The constants and records of ELF from which the libraries are generated."""

from __future__ import annotations

import dataclasses
import struct

PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_NOTE, PT_PHDR, PT_TLS = 1, 2, 3, 4, 6, 7
PT_GNU_STACK, PT_GNU_RELRO, PT_GNU_PROPERTY = 0x6474E551, 0x6474E552, 0x6474E553
R, W, X = 4, 2, 1

TAGS = {
    "NULL": 0,
    "NEEDED": 1,
    "PLTRELSZ": 2,
    "PLTGOT": 3,
    "HASH": 4,
    "STRTAB": 5,
    "SYMTAB": 6,
    "RELA": 7,
    "RELASZ": 8,
    "RELAENT": 9,
    "STRSZ": 10,
    "SYMENT": 11,
    "INIT": 12,
    "FINI": 13,
    "SONAME": 14,
    "RPATH": 15,
    "SYMBOLIC": 16,
    "REL": 17,
    "RELSZ": 18,
    "RELENT": 19,
    "PLTREL": 20,
    "DEBUG": 21,
    "TEXTREL": 22,
    "JMPREL": 23,
    "BIND_NOW": 24,
    "INIT_ARRAY": 25,
    "INIT_ARRAYSZ": 27,
    "RUNPATH": 29,
    "FLAGS": 30,
    "GNU_HASH": 0x6FFFFEF5,
    "VERSYM": 0x6FFFFFF0,
    "FLAGS_1": 0x6FFFFFFB,
    "VERDEF": 0x6FFFFFFC,
    "VERDEFNUM": 0x6FFFFFFD,
    "VERNEED": 0x6FFFFFFE,
    "VERNEEDNUM": 0x6FFFFFFF,
    "AUXILIARY": 0x7FFFFFFD,
    "FILTER": 0x7FFFFFFF,
}


@dataclasses.dataclass(frozen=True)
class Machine:
    number: int
    bits: int = 64
    big: bool = False
    flags: int = 0
    align: int = 0x1000
    code: bytes = b"\xc3"  # a function that returns


MACHINES = {
    "x86_64": Machine(62),
    "i686": Machine(3, bits=32),
    "x32": Machine(62, bits=32),
    "aarch64": Machine(183, align=0x10000, code=b"\xc0\x03\x5f\xd6"),
    "armv7l": Machine(40, bits=32, flags=0x05000400, align=0x10000, code=b"\x1e\xff\x2f\xe1"),
    "ppc64le": Machine(21, flags=2, align=0x10000, code=b"\x20\x00\x80\x4e"),
    "ppc64": Machine(21, big=True, flags=1, align=0x10000, code=b"\x4e\x80\x00\x20"),
    "s390x": Machine(22, big=True, code=b"\x07\xfe"),
    "s390": Machine(22, bits=32, big=True, code=b"\x07\xfe"),
    "riscv64": Machine(243, flags=5, code=b"\x82\x80"),
    "loongarch64": Machine(258, flags=0x43, align=0x10000, code=b"\x20\x00\x00\x4c"),
}

HEADER_FIELDS = (
    "type",
    "machine",
    "version",
    "entry",
    "phoff",
    "shoff",
    "flags",
    "ehsize",
    "phentsize",
    "phnum",
    "shentsize",
    "shnum",
    "shstrndx",
)


def sysv_hash(name: bytes) -> int:
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value


def gnu_hash(name: bytes) -> int:
    value = 5381
    for byte in name:
        value = (value * 33 + byte) & 0xFFFFFFFF
    return value


def raw(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


@dataclasses.dataclass
class Segment:
    type: int
    flags: int
    offset: int
    address: int
    file_size: int
    memory_size: int
    align: int = 0x1000


@dataclasses.dataclass
class Section:
    name: str
    type: int
    address: int = 0
    offset: int = 0
    size: int = 0
    link: int = 0
    info: int = 0
    entry: int = 0
    flags: int = 2
    name_offset: int | None = None


@dataclasses.dataclass
class Import:
    name: str | bytes
    library: str | bytes | None = "libc.so.6"
    version: str | bytes | None = "GLIBC_2.2.5"
    weak: bool = False  # flag of the version
    weak_symbol: bool = False


# The first version of the C library on each machine.
FIRST_GLIBC = {
    "x86_64": "GLIBC_2.2.5",
    "i686": "GLIBC_2.0",
    "x32": "GLIBC_2.16",
    "aarch64": "GLIBC_2.17",
    "armv7l": "GLIBC_2.4",
    "ppc64le": "GLIBC_2.17",
    "ppc64": "GLIBC_2.3",
    "s390x": "GLIBC_2.2",
    "s390": "GLIBC_2.0",
    "riscv64": "GLIBC_2.27",
    "loongarch64": "GLIBC_2.36",
}


def note(name: bytes, kind: int, content: bytes, order: str = "<", align: int = 4) -> bytes:
    def padded(data: bytes) -> bytes:
        return data + b"\0" * (-len(data) % align)

    head = struct.pack(order + "III", len(name), len(content), kind)
    return padded(head + name) + padded(content)


BUILD_ID = note(b"GNU\0", 3, bytes(range(20)))
