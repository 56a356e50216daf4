"""Generates wheels of any size in seconds, with the members, symbols and bytes that bench/growth.py needs.

A member of gigabytes consists of one repeated piece of text. The piece is compressed once, up to a full flush, which
resets the compressor, so its compressed bytes can be repeated to form one deflate stream.
"""

import base64
import hashlib
import itertools
import random
import struct
import zlib

TAG = "cp311-cp311-manylinux_2_17_x86_64"
PIECE = 1 << 20  # bytes of text that are repeated
PAGE, SEGMENTS = 4096, 5
EM_X86_64, ET_DYN = 62, 3
PT_LOAD, PT_DYNAMIC, PT_GNU_STACK = 1, 2, 0x6474E551
DT_NEEDED, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_SONAME = 1, 4, 5, 6, 10, 11, 14
EHDR, PHDR, SHDR = struct.Struct("<16sHHIQQQIHHHHHH"), struct.Struct("<IIQQQQQQ"), struct.Struct("<IIQQQQIIQQ")
NO_32, DATE, UNIX = 0xFFFFFFFF, 0x5821, 3 << 8  # ZIP: "see the ZIP64 field", 2024-01-01, the system that wrote the mode
SYM, DYN = struct.Struct("<IBBHQQ"), struct.Struct("<qQ")


def text_piece():
    """Data that compresses about as well as machine code: pieces of 16 bytes, of which there are a few hundred."""
    dice = random.Random(6)
    pieces = [dice.randbytes(16) for _ in range(300)]
    return b"".join(dice.choices(pieces, k=PIECE // 16))


def names(count):
    """Mangled function names as long as those of a large C++ library."""
    for number in range(count):
        scope, kind = f"part{number % 37:02d}", f"Kind{number // 100:06d}"
        yield f"_ZN4grid{len(scope)}{scope}{len(kind)}{kind}10method{number % 100:04d}ERKNS_6VectorIdEEi".encode()


def aligned(at, to):
    return -(-at // to) * to


class Tables:
    """The dynamic tables of a library that defines `symbols` functions and imports a tenth as many."""

    def __init__(self, symbols, text):
        wanted = (b"_ZN6wanted" + name[3:] for name in names(symbols // 10))
        known = [b"libmade.so", b"libc.so.6", *names(symbols), *wanted]
        offsets = [1, *(at + 1 for at in itertools.accumulate(len(name) + 1 for name in known))]
        self.soname, self.needed, *of_symbols = offsets[:-1]
        self.strings = b"\0" + b"\0".join(known) + b"\0"
        count = len(of_symbols) + 1
        # One bucket contains all symbols: a valid table for which no name must be hashed.
        self.hash = struct.pack(f"<{count + 3}I", 1, count, 1, 0, *range(2, count), 0)
        self.at_hash = aligned(EHDR.size + SEGMENTS * PHDR.size, 8)
        self.at_symbols = aligned(self.at_hash + len(self.hash), 8)
        self.at_strings = self.at_symbols + count * SYM.size
        self.end = self.at_strings + len(self.strings)
        self.code = aligned(self.end, PAGE)
        entries = [bytes(SYM.size)]
        entries += (SYM.pack(name, 0x12, 0, 1, self.code + number * 16 % text, 16)
                    for number, name in enumerate(of_symbols[:symbols]))
        entries += (SYM.pack(name, 0x12, 0, 0, 0, 0) for name in of_symbols[symbols:])
        self.symbols = b"".join(entries)

    def dynamic(self):
        entries = {DT_SONAME: self.soname, DT_NEEDED: self.needed, DT_HASH: self.at_hash, DT_STRTAB: self.at_strings,
                   DT_SYMTAB: self.at_symbols, DT_STRSZ: len(self.strings), DT_SYMENT: SYM.size, 0: 0}
        return b"".join(DYN.pack(tag, value) for tag, value in entries.items())

    def put(self, image):
        for at, data in ((self.at_hash, self.hash), (self.at_symbols, self.symbols), (self.at_strings, self.strings)):
            image[at:at + len(data)] = data


def library(symbols, text):
    """(head, tail) of a shared library with `text` bytes of code between them, in the layout of a linker."""
    tables = Tables(symbols, text)
    dynamic, names_of_sections = tables.dynamic(), b"\0.shstrtab\0.text\0"
    end = tables.code + text
    tail = dynamic + names_of_sections
    tail += bytes(-len(tail) % 8)
    sections = end + len(tail)
    tail += bytes(SHDR.size)
    tail += SHDR.pack(11, 1, 6, tables.code, tables.code, text, 0, 0, 16, 0)
    tail += SHDR.pack(1, 3, 0, 0, end + len(dynamic), len(names_of_sections), 0, 0, 1, 0)
    head = bytearray(tables.code)
    EHDR.pack_into(head, 0, b"\x7fELF\x02\x01\x01" + bytes(9), ET_DYN, EM_X86_64, 1, 0, EHDR.size, sections, 0,
                   EHDR.size, PHDR.size, SEGMENTS, SHDR.size, 3, 2)
    segments = [(PT_LOAD, 4, 0, tables.end, PAGE), (PT_LOAD, 5, tables.code, text, PAGE),
                (PT_LOAD, 6, end, len(dynamic), PAGE), (PT_DYNAMIC, 6, end, len(dynamic), 8),
                (PT_GNU_STACK, 6, 0, 0, 16)]
    for number, (kind, flags, at, size, align) in enumerate(segments):
        PHDR.pack_into(head, EHDR.size + number * PHDR.size, kind, flags, at, at, at, size, size, align)
    tables.put(head)
    return bytes(head), tail


class Wheel:
    """Writes a wheel member by member; RECORD is written at the end of the `with` block."""

    def __init__(self, directory, project="made"):
        self.info = f"{project}-1.0.dist-info"
        self.path = directory / f"{project}-1.0-{TAG}.whl"
        self.project, self.directory, self.record = project, [], []
        self.file, self.at = None, 0

    def __enter__(self):
        self.file = self.path.open("wb")
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode())
            self.add(f"{self.info}/METADATA", f"Metadata-Version: 2.1\nName: {self.project}\nVersion: 1.0\n".encode())
            self.add(f"{self.info}/RECORD", "".join([*self.record, f"{self.info}/RECORD,,\n"]).encode())
            self.finish()
        self.file.close()

    def add(self, name, data, level=1):
        self.add_repeated(name, data, b"", 0, b"", level)

    def add_library(self, name, symbols, text):
        """text: bytes of code, in whole PIECEs."""
        head, tail = library(symbols, text)
        self.add_repeated(name, head, text_piece(), text // PIECE, tail)

    def add_repeated(self, name, head, piece, times, tail, level=1):
        """Writes one member: head, `times` times piece, tail."""
        crc, digest = zlib.crc32(head), hashlib.sha256(head)
        for _ in range(times):
            crc = zlib.crc32(piece, crc)
            digest.update(piece)
        crc = zlib.crc32(tail, crc)
        digest.update(tail)
        packer = zlib.compressobj(level, zlib.DEFLATED, -15)
        packed = [packer.compress(head), b"", b""]
        if times:
            packed[0] += packer.flush(zlib.Z_FULL_FLUSH)
            packed[1] = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
        packed[2] = packer.compress(tail) + packer.flush()
        size = len(head) + len(piece) * times + len(tail)
        packed_size = len(packed[0]) + len(packed[1]) * times + len(packed[2])
        self.header(name.encode(), size, packed_size, crc)
        for part in itertools.chain([packed[0]], itertools.repeat(packed[1], times), [packed[2]]):
            self.file.write(part)
        self.at += packed_size
        encoded = base64.urlsafe_b64encode(digest.digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={encoded},{size}\n")

    def header(self, name, size, packed, crc):
        if self.at >= NO_32 or packed >= NO_32:
            raise ValueError(f"{name.decode()} leaves the first 4 GB of the archive")
        wide = size >= NO_32  # both sizes are in the ZIP64 field (APPNOTE 4.5.3)
        extra = struct.pack("<HHQQ", 1, 16, size, packed) if wide else b""
        sizes = (NO_32, NO_32) if wide else (packed, size)
        common = struct.pack("<HHHHHIIIHH", 45 if wide else 20, 0, 8, 0, DATE, crc, *sizes, len(name), len(extra))
        self.directory.append(b"PK\1\2" + struct.pack("<H", UNIX | 45) + common +
                              struct.pack("<HHHII", 0, 0, 0, 0o100644 << 16, self.at) + name + extra)
        local = b"PK\3\4" + common + name + extra
        self.file.write(local)
        self.at += len(local)

    def finish(self):
        directory = b"".join(self.directory)
        self.file.write(directory)
        count = len(self.directory)
        self.file.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), self.at, 0))
