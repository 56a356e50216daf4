"""Random mutations of wheels: of bytes, of fields of the archive, and of the ELF files and texts inside."""

from __future__ import annotations

import pathlib
import random
import struct
import zipfile

import elf_maker
import hostile
import zip_maker

EDGES = (
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFF0,
    0xFFFFFFFF,
    0x100000000,
    1 << 47,
    1 << 60,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 16,
    (1 << 64) - 1,
)
WORDS = (
    b"PK\1\2",
    b"PK\3\4",
    b"PK\5\6",
    b"PK\6\6",
    b"PK\6\7",
    b"PK\7\x08",
    b"\1\0",
    b"up",
    b"\x7fELF",
    b"GLIBC_",
    b"../",
    b"\0",
    b"\xff\xff\xff\xff",
    b"\n",
    b",",
    b'"',
    b"sha256=",
    b"$ORIGIN",
    b"\x1b[",
    b"Tag: ",
)


class Wheel:
    """An intact wheel: its bytes, and its members for mutations that pack it again."""

    def __init__(self, name: str, data: bytes, path: pathlib.Path):
        self.name, self.data = name, data
        with zipfile.ZipFile(path) as archive:
            self.files = {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
        self.elf = [n for n, d in self.files.items() if d.startswith(b"\x7fELF")]
        self.texts = [
            n for n in self.files if n.endswith((".dist-info/RECORD", ".dist-info/METADATA", ".dist-info/WHEEL"))
        ]
        # Members that do not change are compressed and hashed once.
        self.rows = {n: zip_maker.row(n, d) for n, d in self.files.items()}
        self.members = {n: zip_maker.Member(n, d, packed=zip_maker.deflate(d, 6)) for n, d in self.files.items()}

    def zipped(self, files: dict[str, bytes], rewrite_record: bool = True) -> bytes:
        record = next((n for n in files if n.endswith(".dist-info/RECORD")), None)
        if record and rewrite_record:
            rows = [
                self.rows[n] if d is self.files[n] else zip_maker.row(n, d) for n, d in files.items() if n != record
            ]
            files = {**files, record: ("".join(rows) + f"{record},,\n").encode()}
        members = [
            self.members[n] if d is self.files[n] else zip_maker.Member(n, d, method=0 if len(d) > 1 << 20 else 8)
            for n, d in files.items()
        ]
        archive = zip_maker.Archive(members)
        if len(members) >= 0xFFFF:
            archive.end64 = {}
        return archive.build()


def made_wheels(folder: pathlib.Path) -> list[Wheel]:
    def elf(**how):
        library = elf_maker.Library(**how)
        machine = library.machine
        level = {"riscv64": "2_31", "loongarch64": "2_36"}.get(machine, "2_17")
        tag = f"cp311-cp311-manylinux_{level}_{machine}"
        return zip_maker.wheel_name(tag), hostile.elf_wheel(
            {hostile.CORE: library.build(), "hostile/__init__.py": b"from . import core\n"}, tag
        )

    wide = hostile.pure()
    wide.end64 = {}
    described = hostile.pure()
    for member in described.members:
        zip_maker.described(member)
    pure = zip_maker.wheel_name(hostile.PURE_TAG)
    wheels = [
        (pure, hostile.pure().build()),
        (pure, wide.build()),
        (pure, described.build()),
        elf(),
        elf(sections=False, hash="sysv"),
        elf(soname="libcore.so.1", defines=["CORE_1", "CORE_2"], notes=elf_maker.BUILD_ID, hash="both"),
        elf(machine="i686", hash="both"),
        elf(machine="s390x", hash="both"),
        elf(machine="ppc64", sections=False),
        elf(
            imports=[elf_maker.Import("free"), elf_maker.Import("sin", "libm.so.6")],
            needed=["libc.so.6", "libm.so.6"],
            dynamic=[("RUNPATH", "$ORIGIN/../hostile.libs")],
            interpreter="/lib64/ld-linux-x86-64.so.2",
        ),
    ]
    out = []
    for number, (name, data) in enumerate(wheels):
        path = folder / f"{number}-{name}"
        path.write_bytes(data)
        out.append(Wheel(name, data, path))
    return out


# Mutations of bytes.


def edge(dice: random.Random, size: int) -> bytes:
    value = dice.choice(EDGES) if dice.random() < 0.7 else dice.getrandbits(64)
    return (value & ((1 << 8 * size) - 1)).to_bytes(size, dice.choice(("little", "little", "little", "big")))


def flip(dice: random.Random, data: bytearray, low: int = 0, high: int | None = None) -> None:
    high = len(data) if high is None else high
    for _ in range(dice.choice((1, 1, 1, 2, 4, 16))):
        if high > low:
            at = dice.randrange(low, high)
            data[at] = dice.choice((data[at] ^ (1 << dice.randrange(8)), dice.randrange(256), 0, 0xFF))


def overwrite(dice: random.Random, data: bytearray, at: int, size: int) -> None:
    data[at : at + size] = edge(dice, size)[: max(0, len(data) - at)]


def cut(dice: random.Random, data: bytearray) -> None:
    if data:
        del data[dice.randrange(len(data)) :]


def splice(dice: random.Random, data: bytearray, other: bytes) -> None:
    if not data or not other:
        return
    at, start = dice.randrange(len(data)), dice.randrange(len(other))
    piece = other[start : start + dice.choice((1, 4, 30, 46, 200, 4096))]
    how = dice.randrange(4)
    if how == 0:
        data[at:at] = piece
    elif how == 1:
        data[at : at + len(piece)] = piece
    elif how == 2:
        del data[at : at + len(piece)]
    else:
        data[at:at] = dice.choice(WORDS)


# Mutations of structures.


def structures(data: bytes) -> list[tuple[int, list[int]]]:
    """The position of each header of the archive, and the sizes of its fields."""
    formats = {
        b"PK\3\4": zip_maker.LOCAL_FIELDS,
        b"PK\1\2": zip_maker.CENTRAL_FIELDS,
        b"PK\5\6": zip_maker.END_FIELDS,
        b"PK\6\6": zip_maker.END64_FIELDS,
        b"PK\6\7": zip_maker.LOCATOR_FIELDS,
        b"PK\7\x08": {"s": "I", "c": "I", "p": "I", "u": "I"},
    }
    found = []
    for signature, fields in formats.items():
        at = data.find(signature)
        while at >= 0 and len(found) < 4000:
            found.append((at, [struct.calcsize("<" + kind) for kind in fields.values()]))
            at = data.find(signature, at + 1)
    return sorted(found)


def zip_fields(dice: random.Random, data: bytearray) -> None:
    found = structures(bytes(data))
    for _ in range(dice.choice((1, 1, 2, 3))):
        if not found:
            return
        at, sizes = dice.choice(found)
        number = dice.randrange(len(sizes))
        place = at + sum(sizes[:number])
        if dice.random() < 0.4 and place + sizes[number] <= len(data):  # changed by a small amount
            value = int.from_bytes(data[place : place + sizes[number]], "little") + dice.choice((-1, 1, -4, 4, -30, 46))
            data[place : place + sizes[number]] = (value & ((1 << 8 * sizes[number]) - 1)).to_bytes(
                sizes[number], "little"
            )
        else:
            overwrite(dice, data, place, sizes[number])


def interesting_ranges(elf: bytes) -> list[tuple[int, int, int]]:
    """(begin, end, record) of the header, the program headers, the dynamic section and the tables that it names."""
    wide, order = elf[4:5] == b"\2", ">" if elf[5:6] == b"\2" else "<"
    ranges = [(0, min(64, len(elf)), 2)]
    try:
        word = "Q" if wide else "I"
        (start,) = struct.unpack_from(order + word, elf, 32 if wide else 28)
        size, count = struct.unpack_from(order + "HH", elf, 54 if wide else 42)
        ranges.append((start, start + size * min(count, 64), 4))
        for number in range(min(count, 64)):
            at = start + size * number
            (kind,) = struct.unpack_from(order + "I", elf, at)
            (offset,) = struct.unpack_from(order + word, elf, at + (8 if wide else 4))
            (length,) = struct.unpack_from(order + word, elf, at + (32 if wide else 16))
            if kind in (elf_maker.PT_DYNAMIC, elf_maker.PT_NOTE):
                ranges.append((offset, offset + length, 8 if wide else 4))
            if kind == elf_maker.PT_DYNAMIC:
                step = 16 if wide else 8
                for entry in range(offset, min(offset + length, len(elf) - step), step):
                    tag, value = struct.unpack_from(order + word * 2, elf, entry)
                    if tag in (4, 5, 6, 7, 0x6FFFFEF5, 0x6FFFFFF0, 0x6FFFFFFC, 0x6FFFFFFE):
                        ranges.append((value, value + 256, 4))
    except struct.error:
        pass
    return [(b, min(e, len(elf)), r) for b, e, r in ranges if b < min(e, len(elf))]


def mutated_elf(dice: random.Random, elf: bytes, others: list[bytes]) -> bytes:
    data = bytearray(elf)
    ranges = interesting_ranges(elf)
    for _ in range(dice.choice((1, 1, 2, 4, 8))):
        how = dice.random()
        if how < 0.6 and ranges:
            begin, end, record = dice.choice(ranges)
            overwrite(
                dice,
                data,
                begin + dice.randrange(max(1, (end - begin) // record)) * record,
                dice.choice((record, record, 2, 8)),
            )
        elif how < 0.85:
            flip(dice, data, 0, min(len(data), 16384) if dice.random() < 0.7 else None)
        elif how < 0.93:
            cut(dice, data)
        else:
            splice(dice, data, dice.choice(others))
    return bytes(data)


def mutant(dice: random.Random, wheels: list[Wheel]) -> tuple[str, str, bytes]:
    """The kind of mutation, the file name, and the bytes."""
    wheel = dice.choice(wheels)
    how = dice.random()
    if how < 0.45 and wheel.elf:
        name = dice.choice(wheel.elf)
        other = [w.files[n] for w in wheels for n in w.elf]
        return (
            "elf",
            wheel.name,
            wheel.zipped({**wheel.files, name: mutated_elf(dice, wheel.files[name], other)}, dice.random() < 0.9),
        )
    if how < 0.6 and wheel.texts:
        name = dice.choice(wheel.texts)
        text = bytearray(wheel.files[name])
        for _ in range(dice.choice((1, 2, 5))):
            flip(dice, text) if dice.random() < 0.5 else splice(dice, text, dice.choice((bytes(text), b"".join(WORDS))))
        return "text", wheel.name, wheel.zipped({**wheel.files, name: bytes(text)}, not name.endswith("RECORD"))
    data = bytearray(wheel.data)
    if how < 0.8:
        zip_fields(dice, data)
        return "fields", wheel.name, bytes(data)
    if how < 0.88:
        flip(dice, data)
        return "bytes", wheel.name, bytes(data)
    if how < 0.94:
        cut(dice, data)
        return "cut", wheel.name, bytes(data)
    splice(dice, data, dice.choice(wheels).data)
    return "splice", wheel.name, bytes(data)
