"""A small ELF reader for x86-64 with only what these scripts need. It is independent of wheelcheck's reader."""

import mmap
import struct
from typing import NamedTuple


class Symbol(NamedTuple):
    name: str
    version: str  # "" if it has none
    library: str  # the library that must provide the version; "" if the file defines it
    defined: bool
    weak: bool


class Elf:
    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: no little-endian 64-bit ELF file")
        offset, size, count = (*struct.unpack_from("<Q", self.data, 32), *struct.unpack_from("<HH", self.data, 54))
        self.loads, self.dynamic = [], {}
        dynamic = None
        for i in range(count):
            kind, _, at, address, _, length = struct.unpack_from("<IIQQQQ", self.data, offset + i * size)
            if kind == 1:
                self.loads.append((address, length, at))
            if kind == 2:
                dynamic = (at, length)
        if dynamic:
            for at in range(dynamic[0], dynamic[0] + dynamic[1], 16):
                tag, value = struct.unpack_from("<QQ", self.data, at)
                if tag == 0:
                    break
                self.dynamic.setdefault(tag, []).append(value)

    def offset(self, address: int) -> int:
        for start, length, at in self.loads:
            if start <= address < start + length:
                return address - start + at
        raise ValueError(f"address {address:#x} is not in the file")

    def table(self, tag: int) -> int:
        return self.offset(self.dynamic[tag][0])

    def text(self, place: int) -> str:
        start = self.table(5) + place
        return self.data[start : self.data.find(b"\0", start)].decode("latin-1")

    @property
    def needed(self) -> list[str]:
        return [self.text(place) for place in self.dynamic.get(1, [])]

    @property
    def soname(self) -> str:
        return self.text(self.dynamic[14][0]) if 14 in self.dynamic else ""

    def needed_versions(self) -> dict[int, tuple[str, str]]:
        """Library and version by version index."""
        found: dict[int, tuple[str, str]] = {}
        if 0x6FFFFFFE not in self.dynamic:
            return found
        at = self.table(0x6FFFFFFE)
        for _ in range(self.dynamic[0x6FFFFFFF][0]):
            _, count, file, first, following = struct.unpack_from("<HHIII", self.data, at)
            entry = at + first
            for _ in range(count):
                _, _, index, name, step = struct.unpack_from("<IHHII", self.data, entry)
                found[index & 0x7FFF] = (self.text(file), self.text(name))
                entry += step
            at += following
        return found

    def relocated(self) -> set[int]:
        """The indices of the symbols in relocations."""
        found = set()
        for start, size in ((7, 8), (23, 2)):
            if start not in self.dynamic:
                continue
            at = self.table(start)
            for _, info, _ in struct.iter_unpack("<QQq", self.data[at : at + self.dynamic[size][0]]):
                if info >> 32:
                    found.add(info >> 32)
        return found

    def symbol(self, number: int, versions: dict[int, tuple[str, str]]) -> Symbol:
        name, info, _, section = struct.unpack_from("<IBBH", self.data, self.table(6) + number * 24)
        index = 0
        if 0x6FFFFFF0 in self.dynamic:
            (index,) = struct.unpack_from("<H", self.data, self.table(0x6FFFFFF0) + number * 2)
        library, version = versions.get(index & 0x7FFF, ("", ""))
        return Symbol(self.text(name), version, library, section != 0, info >> 4 == 2)

    def relocated_symbols(self) -> list[Symbol]:
        versions = self.needed_versions()
        return [self.symbol(number, versions) for number in sorted(self.relocated())]

    def symbol_count(self) -> int:
        """DT_HASH contains the number. In DT_GNU_HASH the last chain ends with an odd word."""
        if 4 in self.dynamic:
            return struct.unpack_from("<II", self.data, self.table(4))[1]
        if 0x6FFFFEF5 not in self.dynamic:
            return 0
        at = self.table(0x6FFFFEF5)
        buckets, first, words = struct.unpack_from("<III", self.data, at)
        chains = at + 16 + words * 8 + buckets * 4
        last = max(struct.unpack_from(f"<{buckets}I", self.data, at + 16 + words * 8), default=0)
        if last < first:
            return first
        while not struct.unpack_from("<I", self.data, chains + (last - first) * 4)[0] & 1:
            last += 1
        return last + 1

    def defined_names(self) -> set[str]:
        symbols = (self.symbol(number, {}) for number in range(1, self.symbol_count()))
        return {symbol.name for symbol in symbols if symbol.defined}
