"""The tables of a generated library: strings, symbols, versions and hash tables, as a real linker would write them."""

from __future__ import annotations

from elf_format import gnu_hash, raw, sysv_hash


class Tables:
    """Converts the description of a Library (elf_maker.py) to bytes."""

    def text_table(self) -> bytes:
        texts: list[str | bytes | None] = [self.soname, *self.needed, *self.strings, *self.exports, *self.defines]
        texts += [value for _, value in self.dynamic if isinstance(value, (str, bytes))]
        for each in self.all_imports:
            texts += [each.name, each.library, each.version]
        out = bytearray(b"\0")
        for text in texts:
            if text is not None and raw(text) not in self.string_at:
                self.string_at[raw(text)] = len(out)
                out += raw(text) + b"\0"
        self.string_at[b""] = 0
        if self.last_string is not None:
            self.string_at[self.last_string] = len(out)
            out += self.last_string
        return bytes(out)

    def symbol(self, name: int, value: int, index: int, kind: int = 0x12) -> bytes:
        if self.wide:
            return self.pack("IBBHQQ", name, kind, 0, index, value, 1 if value else 0)
        return self.pack("IIIBBH", name, value, 1 if value else 0, kind, 0, index)

    def symbol_table(self) -> bytes:
        out = bytearray(self.symbol(0, 0, 0, 0))
        for each in self.all_imports:
            out += self.symbol(self.string(each.name), 0, 0, 0x22 if each.weak_symbol else 0x12)
        for each in self.exports:
            out += self.symbol(self.string(each), self.code_address, 6)
        return bytes(out)

    def version_indices(self) -> dict[tuple[bytes, bytes], int]:
        indices: dict[tuple[bytes, bytes], int] = {}
        first = 2 + len(self.defines)
        for each in self.all_imports:
            if each.version is not None:
                indices.setdefault((raw(each.library), raw(each.version)), first + len(indices))
        return indices

    def versym(self) -> bytes:
        indices = self.version_indices()
        words = [0]
        words += [1 if i.version is None else indices[raw(i.library), raw(i.version)] for i in self.all_imports]
        words += [2 if self.defines else 1 for _ in self.exports]
        return self.pack(f"{len(words)}H", *words)

    def verneed(self) -> bytes:
        libraries: dict[bytes, list[tuple[bytes, int, int]]] = {}
        strong = {raw(i.version) for i in self.all_imports if i.version is not None and not i.weak}
        for (library, version), index in self.version_indices().items():
            libraries.setdefault(library, []).append((version, index, 0 if version in strong else 2))
        out = bytearray()
        for number, (library, versions) in enumerate(libraries.items()):
            last = number == len(libraries) - 1
            out += self.pack(
                "HHIII", 1, len(versions), self.string(library), 16, 0 if last else 16 + 16 * len(versions)
            )
            for place, (version, index, flags) in enumerate(versions):
                more = 0 if place == len(versions) - 1 else 16
                out += self.pack("IHHII", sysv_hash(version), flags, index, self.string(version), more)
        self.verneed_count = len(libraries)
        return bytes(out)

    def verdef(self) -> bytes:
        if not self.defines:
            return b""
        base = raw(self.soname if self.soname is not None else self.defines[0])
        names = [base, *map(raw, self.defines)]
        out = bytearray()
        for number, name in enumerate(names):
            more = 0 if number == len(names) - 1 else 28
            out += self.pack("HHHHIII", 1, 1 if number == 0 else 0, number + 1, 1, sysv_hash(name), 20, more)
            out += self.pack("II", self.string(name), 0)
        return bytes(out)

    def gnu_hash_table(self) -> bytes:
        first = 1 + len(self.all_imports)
        hashes = [gnu_hash(raw(name)) for name in self.exports]
        chain = [value & ~1 for value in hashes]
        if chain:
            chain[-1] |= 1
        # One bucket, and a filter that accepts every symbol.
        mask = (1 << self.kind.bits) - 1
        return self.pack("IIIIA", 1, first, 1, 6, mask) + self.pack(f"I{len(chain)}I", first if chain else 0, *chain)

    def sysv_hash_table(self) -> bytes:
        count = 1 + len(self.all_imports) + len(self.exports)
        chain = [0, *[i + 1 for i in range(1, count - 1)], 0][:count]
        words = [1, count, 1 if count > 1 else 0, *chain]
        return self.pack(f"{len(words)}{'Q' if self.machine == 's390x' else 'I'}", *words)
