"""Machine code that would take long to follow: chains of jumps, functions that lie over each other, functions of
hundreds of megabytes. The work is bounded (elf/startup_code.cpp, elf/vector_code.cpp, elf/code_scan.cpp)."""

import dataclasses
import pathlib
import random
import struct

import zip_maker
from elf_maker import Import, Library, Section
from hostile import CORE, ELF_TAG, Case, elf_case, elf_wheel

ROW = "machine code that takes long to follow"
BLOCK = 128 * 1024  # what the walk over code inflates at once
AVX = b"\xc5\xfc\x58\xc2"  # vaddps ymm0, ymm0, ymm2


def executable(lib, sections: list[Section]) -> list[Section]:
    return [dataclasses.replace(one, flags=6) if one.name == ".text" else one for one in sections]


def library(**parts) -> Library:
    return Library(edit_sections=executable, **parts)


def jump(at: int, to: int) -> bytes:
    return b"\xe9" + struct.pack("<i", to - at - 5)


def far_jumps(blocks: int, count: int) -> bytes:
    """Each jump leads to another block, which is no longer in memory when the next jump comes back to it."""
    code = bytearray(blocks * BLOCK)
    places = [(i * 89 % blocks) * BLOCK + i // blocks * 8 for i in range(count)]
    places[0] = 0
    for at, to in zip(places, places[1:]):
        code[at : at + 5] = jump(at, to)
    code[places[-1]] = 0xC3
    return bytes(code)


def near_jumps(count: int) -> bytes:
    """Jumps and branches forth and back: every second leads to the next but one, then to the one before."""
    out = bytearray()
    for i in range(count):
        out += b"\x0f\x84" + struct.pack("<i", 6 if i % 2 else -12 if i else 0)
    return bytes(out) + b"\xc3"


def flags(count: int) -> Library:
    """Branches on a number in memory, behind each of which only what both sides reach is followed."""
    step = b"\x83\x3d" + bytes(4) + b"\x01" + b"\x74\x00"  # cmp dword [rip + x], 1; je
    start = b"\x31\xc0\xc3\x0f\xa2"  # no import executes this cpuid

    def point(lib) -> None:
        for i in range(count):
            at = lib.offset("code") + len(start) + i * len(step)
            struct.pack_into("<i", lib.image, at + 2, lib.at("words") - lib.at("code") - (len(start) + i * len(step) + 7))
        table = lib.offset("symtab")
        struct.pack_into("<Q", lib.image, table + 24 + 8, lib.at("code") + len(start))

    return library(imports=[], code=start + step * count + AVX + b"\xc3", edit=point)


def calls(count: int) -> bytes:
    """Function i calls i + 1 twice, with an instruction of another level between."""
    out = bytearray()
    for _ in range(count):
        out += b"\xe8" + struct.pack("<i", 14) + b"\x66\x0f\x38\x00\xc1" + b"\xe8" + struct.pack("<i", 4) + AVX
    return bytes(out) + b"\xc3"


def overlapping(count: int) -> Library:
    """Module functions at every byte of the same code."""
    names = [f"PyInit_f{i}" for i in range(count)]

    def shift(lib) -> None:
        table = lib.offset("symtab")
        for i in range(count):
            struct.pack_into("<Q", lib.image, table + 24 * (i + 1) + 8, lib.at("code") + i)

    code = (b"\x48\xb8" + AVX * 2 + b"\x66\x0f\x38\x00\xc1") * (count // 15 + 2)
    return library(exports=names, imports=[], relocations=False, code=code + b"\xc3", edit=shift)


def into_instructions(count: int) -> Library:
    """Short branches, in a module whose calls are read: where each leads to, no other comes."""
    return library(imports=[Import("PyCapsule_New", None, None)], code=b"\x75\x03" * count + b"\xc3")


def case(name: str, code: bytes | Library) -> Case:
    return elf_case(name, "remarked", ROW, code if isinstance(code, Library) else library(code=code))


def large(name: str, part: bytes, times: int, start: bytes = b"", **more: bytes) -> Case:
    """A function of many megabytes, which is made when it is written."""

    def write(folder: pathlib.Path) -> pathlib.Path:
        path = folder / zip_maker.wheel_name(ELF_TAG)
        path.write_bytes(elf_wheel({CORE: library(code=start + part * times + AVX + b"\xc3").build(), **more}))
        return path

    return Case(name, "remarked", ROW, setup=write)


def cases() -> list[Case]:
    places = b"\x48\xb8" + b"\x0f\xa2" * 4  # mov rax, imm64: the bytes of CPUID, but no instruction
    return [
        case("code-far-jumps", far_jumps(400, 60_000)),
        case("code-near-jumps", near_jumps(400_000)),
        case("code-jumps-to-themselves", b"\xeb\xfe" * 1_000_000),
        case("code-branches-into-instructions", into_instructions(900_000)),
        case("code-flags", flags(200_000)),
        case("code-calls", calls(200_000)),
        case("code-functions-over-each-other", overlapping(40_000)),
        large("code-one-large-function", b"\x90", 60 << 20),
        large("code-large-function-of-avx", AVX, 15 << 20),
        large("code-avx-that-no-import-reaches", AVX, 15 << 20, b"\xc3"),
        large("code-large-function-without-test", places, 6 << 20),
        large("code-large-random-function", random.Random(1).randbytes(20_000), 3000),
        # 300 MB, which is as much as a wheel of 7 MB may contain.
        large(
            "code-function-of-300-mb",
            b"\x0f\x1f\x40\x00",
            75 << 20,
            **{"hostile/noise.bin": random.Random(2).randbytes(7 << 20)},
        ),
    ]
