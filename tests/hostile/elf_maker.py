"""Generates small shared libraries byte by byte: complete ones, which ld.so loads, and ones with any field changed.

There are three PT_LOAD: read-only (headers, tables), code, and writable (the relocated words, then the dynamic section,
which is last so that it may have any length). Every table has a name: at(name) is its address, offset(name) its file
offset, put() overwrites part of it.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import struct

from elf_format import (  # noqa: F401  cases take them from here
    BUILD_ID,
    FIRST_GLIBC,
    HEADER_FIELDS,
    MACHINES,
    PT_DYNAMIC,
    PT_GNU_PROPERTY,
    PT_GNU_RELRO,
    PT_GNU_STACK,
    PT_INTERP,
    PT_LOAD,
    PT_NOTE,
    PT_PHDR,
    PT_TLS,
    TAGS,
    Import,
    Machine,
    R,
    Section,
    Segment,
    W,
    X,
    gnu_hash,
    note,
    raw,
    sysv_hash,
)
from elf_tables import Tables

Edit = collections.abc.Callable


@dataclasses.dataclass
class Library(Tables):
    machine: str = "x86_64"
    number: int | None = None  # e_machine, if it differs from that of the machine
    soname: str | bytes | None = None
    needed: list[str | bytes] = dataclasses.field(default_factory=lambda: ["libc.so.6"])
    imports: list[Import] | None = None  # None: `free` of the C library
    exports: list[str | bytes] = dataclasses.field(default_factory=lambda: ["PyInit_core"])
    defines: list[str] = dataclasses.field(default_factory=list)  # versions; the exports have the first one
    hash: str = "gnu"  # gnu, sysv, both, none
    relocations: bool = True
    interpreter: str | bytes | None = None
    notes: bytes = b""
    stack: int | None = R | W  # flags of PT_GNU_STACK
    sections: bool = True
    code: bytes | None = None  # of the functions; None: that of the machine
    strings: list[str | bytes] = dataclasses.field(default_factory=list)  # additional entries of the string table
    last_string: bytes | None = None  # the last entry of the string table, without a NUL
    dynamic: list[tuple[str | int, int | str | bytes]] = dataclasses.field(
        default_factory=list
    )  # additional entries; a string is replaced by its offset
    values: dict[str, int] = dataclasses.field(default_factory=dict)  # changed values of entries, by tag
    drop: tuple[str, ...] = ()  # tags of entries that are left out
    end_dynamic: bool = True
    ident: dict[int, int] = dataclasses.field(default_factory=dict)
    header: dict[str, int] = dataclasses.field(default_factory=dict)
    # Named bytes after the tables, or a function that computes them from the library as laid out so far.
    extras: list[tuple[str, bytes | Edit]] = dataclasses.field(default_factory=list)
    edit_segments: Edit | None = None  # (library, list[Segment]) -> list[Segment]
    edit_dynamic: Edit | None = None  # (library, list[(tag, value)]) -> the same type
    edit_sections: Edit | None = None
    edit: Edit | None = None  # called last with the library; put() and image are available
    room: int = 24  # number of program headers that fit

    def __post_init__(self) -> None:
        self.kind = MACHINES[self.machine]
        self.order = ">" if self.kind.big else "<"
        self.wide = self.kind.bits == 64
        self.word = "Q" if self.wide else "I"
        self.image = bytearray()
        self.table: dict[str, tuple[int, int, int]] = {}  # offset, address, size
        self.string_at: dict[bytes, int] = {}

    # The locations of the tables.
    def at(self, name: str) -> int:
        return self.table[name][1]

    def offset(self, name: str) -> int:
        return self.table[name][0]

    def size(self, name: str) -> int:
        return self.table[name][2]

    def string(self, text: str | bytes) -> int:
        return self.string_at[raw(text)]

    def pack(self, kinds: str, *values: int) -> bytes:
        return struct.pack(self.order + kinds.replace("A", self.word), *values)

    def put(self, where: str | int, kinds: str, *values: int, by: int = 0) -> None:
        at = (self.offset(where) if isinstance(where, str) else where) + by
        data = self.pack(kinds, *values)
        self.image[at : at + len(data)] = data

    # The layout.
    def add(self, name: str, data: bytes, align: int = 8) -> None:
        self.image += b"\0" * (-len(self.image) % align)
        self.table[name] = (len(self.image), len(self.image) + self.delta, len(data))
        self.image += data

    def next_page(self) -> None:
        self.image += b"\0" * (-len(self.image) % 0x1000)
        if self.kind.align > 0x1000:
            self.delta += self.kind.align

    def dynamic_entries(self) -> list[tuple[int, int]]:
        entries: list[tuple[str | int, int]] = [("NEEDED", self.string(name)) for name in self.needed]
        if self.soname is not None:
            entries.append(("SONAME", self.string(self.soname)))
        if self.hash in ("gnu", "both"):
            entries.append(("GNU_HASH", self.at("gnu_hash")))
        if self.hash in ("sysv", "both"):
            entries.append(("HASH", self.at("hash")))
        entries += [
            ("STRTAB", self.at("strtab")),
            ("SYMTAB", self.at("symtab")),
            ("STRSZ", self.size("strtab")),
            ("SYMENT", 24 if self.wide else 16),
        ]
        if self.relocated:
            entries += [("RELA", self.at("rela")), ("RELASZ", self.size("rela")), ("RELAENT", 24)]
        if self.size("versym"):
            entries.append(("VERSYM", self.at("versym")))
        if self.size("verneed"):
            entries += [("VERNEED", self.at("verneed")), ("VERNEEDNUM", self.verneed_count)]
        if self.defines:
            entries += [("VERDEF", self.at("verdef")), ("VERDEFNUM", len(self.defines) + 1)]
        entries = [(tag, self.values.get(tag, value)) for tag, value in entries if tag not in self.drop]
        entries += [(t, self.string(v) if isinstance(v, (str, bytes)) else v) for t, v in self.dynamic]
        out = [(TAGS[tag] if isinstance(tag, str) else tag, value) for tag, value in entries]
        if self.edit_dynamic:
            out = self.edit_dynamic(self, out)
        return out + ([(0, 0)] if self.end_dynamic else [])

    def build(self) -> bytes:
        self.__post_init__()
        first = FIRST_GLIBC[self.machine]
        self.all_imports = [Import("free", version=first)] if self.imports is None else self.imports
        self.relocated = self.relocations and self.machine == "x86_64" and bool(self.all_imports)
        self.delta = 0
        header_size, entry = (64, 56) if self.wide else (52, 32)
        self.image = bytearray(header_size)
        self.add("segments", bytes(entry * self.room))
        self.add("strtab", self.text_table())
        # The code is at the start of the second mapped page. The symbols need its address.
        sizes = 24 if self.wide else 16
        self.table["symtab"] = (0, 0, sizes * (1 + len(self.all_imports) + len(self.exports)))
        self.add("interp", (raw(self.interpreter) + b"\0") if self.interpreter is not None else b"")
        self.add("notes", self.notes)
        self.add("gnu_hash", self.gnu_hash_table())
        self.add("hash", self.sysv_hash_table())
        versioned = bool(self.defines) or any(i.version is not None for i in self.all_imports)
        self.add("versym", self.versym() if versioned else b"")
        self.add("verneed", self.verneed())
        self.add("verdef", self.verdef())
        self.add("rela", bytes(24 * len(self.all_imports)) if self.relocated else b"")
        self.add("symtab", bytes(self.table["symtab"][2]))
        for name, data in self.extras:
            self.add(name, data if isinstance(data, bytes) else data(self))
        read_end = len(self.image)
        self.next_page()
        self.add("code", self.kind.code if self.code is None else self.code)
        self.code_address = self.at("code")
        symbols = self.symbol_table()
        self.image[self.offset("symtab") : self.offset("symtab") + len(symbols)] = symbols
        code_end = len(self.image)
        self.next_page()
        data_start = len(self.image)
        self.add("words", bytes(8 * max(1, len(self.all_imports))))
        if self.relocated:
            for number in range(len(self.all_imports)):
                self.put("rela", "QQQ", self.at("words") + 8 * number, (number + 1) << 32 | 6, 0, by=24 * number)
        self.add(
            "dynamic",
            b"".join(
                self.pack("AA", tag & (2**self.kind.bits - 1), value & (2**self.kind.bits - 1))
                for tag, value in self.dynamic_entries()
            ),
        )
        data_end = len(self.image)
        # One more page of memory, so that reading whole pages does not reach beyond the file.
        align, code, words = self.kind.align, self.table["code"], self.table["words"]
        segments = [
            Segment(PT_LOAD, R, 0, 0, read_end, read_end, align),
            Segment(PT_LOAD, R | X, code[0], code[1], code_end - code[0], code_end - code[0], align),
            Segment(PT_LOAD, R | W, data_start, words[1], data_end - data_start, data_end - data_start, align),
            Segment(
                PT_DYNAMIC,
                R | W,
                self.offset("dynamic"),
                self.at("dynamic"),
                self.size("dynamic"),
                self.size("dynamic"),
                8,
            ),
        ]
        if self.interpreter is not None:
            segments.insert(0, self.segment_of(PT_INTERP, "interp", 1))
        if self.notes:
            segments.append(self.segment_of(PT_NOTE, "notes", 4))
        if self.stack is not None:
            segments.append(Segment(PT_GNU_STACK, self.stack, 0, 0, 0, 0, 16))
        if self.edit_segments:
            segments = self.edit_segments(self, segments)
        for number, each in enumerate(segments[: self.room]):
            self.put("segments", *self.segment_record(each), by=entry * number)
        self.write_sections()
        self.write_header(len(segments))
        if self.edit:
            self.edit(self)
        return bytes(self.image)

    def segment_of(self, kind: int, name: str, align: int) -> Segment:
        return Segment(kind, R, self.offset(name), self.at(name), self.size(name), self.size(name), align)

    def segment_record(self, s: Segment) -> tuple:
        if self.wide:
            return ("IIQQQQQQ", s.type, s.flags, s.offset, s.address, s.address, s.file_size, s.memory_size, s.align)
        return ("IIIIIIII", s.type, s.offset, s.address, s.address, s.file_size, s.memory_size, s.flags, s.align)

    def write_sections(self) -> None:
        self.section_list: list[Section] = []
        self.section_offset = 0
        if not self.sections:
            return
        kinds = [
            ("symtab", ".dynsym", 11, 2, 1, 24 if self.wide else 16),
            ("strtab", ".dynstr", 3, 0, 0, 0),
            ("gnu_hash", ".gnu.hash", 0x6FFFFFF6, 1, 0, 0),
            ("versym", ".gnu.version", 0x6FFFFFFF, 1, 0, 2),
            ("verneed", ".gnu.version_r", 0x6FFFFFFE, 2, self.verneed_count, 0),
            ("code", ".text", 1, 0, 0, 0),
            ("dynamic", ".dynamic", 6, 2, 0, 16 if self.wide else 8),
        ]
        out = [Section("", 0, flags=0)]
        for table, name, kind, link, info, entry in kinds:
            offset, address, size = self.table[table]
            out.append(Section(name, kind, address, offset, size, link, info, entry))
        out.append(Section(".shstrtab", 3, flags=0))
        if self.edit_sections:
            out = self.edit_sections(self, out)
        names, places = bytearray(b"\0"), {"": 0}
        for each in out:
            if each.name not in places:
                places[each.name] = len(names)
                names += raw(each.name) + b"\0"
        if self.delta:
            self.delta = 0
        self.add("shstrtab", bytes(names), 1)
        for each in out:
            if each.name == ".shstrtab" and not each.offset:
                each.offset, each.size = self.offset("shstrtab"), len(names)
        index = next((i for i, s in enumerate(out) if s.name == ".shstrtab"), 0)
        if index >= 0xFF00:
            out[0].link = index
        body = bytearray()
        for each in out:
            name = places[each.name] if each.name_offset is None else each.name_offset
            body += self.pack(
                "IIAAAAIIAA",
                name,
                each.type,
                each.flags,
                each.address,
                each.offset,
                each.size,
                each.link,
                each.info,
                1,
                each.entry,
            )
        self.add("sections", bytes(body))
        self.section_list = out
        self.section_offset = self.offset("sections")

    def write_header(self, segments: int) -> None:
        kind = self.kind
        ident = bytearray(b"\x7fELF" + bytes([2 if self.wide else 1, 2 if kind.big else 1, 1]) + bytes(9))
        for index, value in self.ident.items():
            ident[index] = value
        names = next((i for i, s in enumerate(self.section_list) if s.name == ".shstrtab"), 0)
        count = len(self.section_list)
        values = {
            "type": 3,
            "machine": kind.number if self.number is None else self.number,
            "version": 1,
            "entry": 0,
            "phoff": self.offset("segments"),
            "shoff": self.section_offset,
            "flags": kind.flags,
            "ehsize": 64 if self.wide else 52,
            "phentsize": 56 if self.wide else 32,
            "phnum": segments,
            "shentsize": (64 if self.wide else 40),
            "shnum": count if count < 0xFF00 else 0,
            "shstrndx": names if names < 0xFF00 else 0xFFFF,
        }
        assert self.header.keys() <= values.keys(), self.header
        values |= self.header
        self.image[0:16] = ident
        self.put(16, "HHIAAAIHHHHHH", *(values[name] for name in HEADER_FIELDS))
