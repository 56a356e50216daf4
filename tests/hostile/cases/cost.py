"""Small wheels that took minutes, gigabytes or many megabytes for a kilobyte. cost.py found most of them."""

import dataclasses
import itertools
import random
import struct

import zip_maker
from elf_maker import PT_LOAD, Import, Library, R, Segment, sysv_hash
from hostile import CORE, ELF_TAG, PURE_TAG, Case, elf_case, elf_wheel, pure

ROW = "tables and texts that cost more than their size"
FILES = {"hostile/__init__.py": b"value = 1\n"}


def with_zeros(lib, segments):
    """A terabyte of zeros behind the last PT_LOAD."""
    last = max(i for i, s in enumerate(segments) if s.type == PT_LOAD)
    segments[last] = dataclasses.replace(segments[last], memory_size=1 << 40)
    return segments


def buckets_in_zeros() -> Library:
    """A DT_HASH of 2^32 - 1 buckets, which are in memory that is zero and not in the file."""

    return Library(
        imports=[],
        relocations=False,
        hash="sysv",
        edit_segments=with_zeros,
        edit_dynamic=lambda lib, out: [(t, lib.at("words") if t == 4 else v) for t, v in out],
        edit=lambda lib: lib.put("words", "II", 0xFFFFFFFF, 4),
    )


def symbols_mapped_often(count: int) -> Library:
    """A page of undefined symbols that many PT_LOAD map behind each other, and no hash table that counts them."""
    page = 0x3000

    def symbols(lib) -> bytes:
        lib.image += b"\0" * (-len(lib.image) % 0x1000)
        return struct.pack("<IBBHQQ", 1, 0x12, 0, 0, 0, 0) * (page // 24)

    def repeat(lib, segments):
        first = max(i for i, s in enumerate(segments) if s.type == PT_LOAD) + 1
        more = [
            Segment(PT_LOAD, R, lib.offset("page"), 0x100000000 + i * page, page, page, 0x1000) for i in range(count)
        ]
        return segments[:first] + more + segments[first:]

    return Library(
        exports=[],
        imports=[Import("free")],
        relocations=False,
        hash="none",
        sections=False,
        room=count + 10,
        extras=[("page", symbols)],
        edit_segments=repeat,
        edit_dynamic=lambda lib, out: [(t, 0x100000000 if t == 6 else v) for t, v in out],
    )


def names_in_one_text(count: int) -> Library:
    """Each name is the rest of one long text from another place on."""
    text = b"_ZN4llvm1aE_12345678" * (2 * count)

    def shift(lib) -> None:
        start, table = lib.string_at[text], lib.offset("symtab")
        for i in range(count):
            struct.pack_into("<I", lib.image, table + 24 * (i + 1), start + 20 * i)

    exports = [f"f{i}" for i in range(count)]
    return Library(exports=exports, imports=[], relocations=False, strings=[text], edit=shift)


def colliding_names(bits: int) -> list[bytes]:
    """2^bits names with the same std::hash of libstdc++, whatever its seed: MurmurHash64A multiplies what it mixes of 8
    bytes by an odd number, so that a difference of the highest bit stays one until the next 8 bytes take it back."""
    mask, factor = (1 << 64) - 1, 0xC6A4A7935BD1E995
    inverse, random_bytes = pow(factor, -1, 1 << 64), random.Random(1).randbytes

    def twin(block: bytes) -> bytes:
        mixed = int.from_bytes(block, "little") * factor & mask
        mixed = (mixed ^ mixed >> 47) * factor & mask
        back = (mixed ^ 1 << 63) * inverse & mask
        return ((back ^ back >> 47) * inverse & mask).to_bytes(8, "little")

    pairs: list[tuple[bytes, bytes]] = []
    while len(pairs) < bits:
        block = random_bytes(8)
        if 0 not in block + twin(block):
            pairs.append((2 * block, 2 * twin(block)))
    return [b"".join(choice) for choice in itertools.product(*pairs)]


def symbols_in_zeros() -> Library:
    """DT_HASH counts four million symbols, all of them in memory that is zero."""

    return Library(
        imports=[],
        relocations=False,
        hash="sysv",
        edit_segments=with_zeros,
        edit_dynamic=lambda lib, out: [(t, lib.at("words") + (1 << 28) if t == 6 else v) for t, v in out],
        edit=lambda lib: lib.put("hash", "II", 1, 3_900_000),
    )


def versions_needed(count: int) -> Library:
    names = [b"GLIBC_2.%d" % i for i in range(count)]

    def needs(lib) -> bytes:
        out = lib.pack("HHIII", 1, count, lib.string("libc.so.6"), 16, 0)
        for i, name in enumerate(names):
            more = 16 if i + 1 < count else 0
            out += lib.pack("IHHII", sysv_hash(name), 0, i + 2, lib.string(name), more)
        return out

    found = {0x6FFFFFFE: lambda lib: lib.at("needs"), 0x6FFFFFFF: lambda lib: 1}
    return Library(
        strings=names,
        extras=[("needs", needs)],
        edit_dynamic=lambda lib, out: [(t, found[t](lib) if t in found else v) for t, v in out],
    )


def versions_defined_again(count: int) -> Library:
    """One version, defined many times."""

    def again(lib) -> None:
        for i in range(1, count):
            lib.put("verdef", "I", sysv_hash(b"V0"), by=28 * (i + 1) + 8)
            lib.put("verdef", "I", lib.string("V0"), by=28 * (i + 1) + 20)

    return Library(defines=[f"V{i}" for i in range(count)], edit=again)


def often(name: str, count: int, library: Library, says: str = "times more libraries", **told) -> list[Case]:
    """One file, with copies of it. A limit of each file is not enough: a copy is packed to some hundred bytes."""
    data = library.build()
    copies = {f"hostile/other{i}.so": data for i in range(count)}
    if told:
        return [elf_case(name, "finding", ROW, data, more=copies, says=says, fails=True, **told)]
    return [Case(name, "reject", ROW, elf_wheel({CORE: data, **copies}), zip_maker.wheel_name(ELF_TAG), says=says)]


def text_case(name: str, code: str, says: str, **files: bytes) -> Case:
    members = zip_maker.wheel_members(FILES, tag=PURE_TAG, **files)
    return Case(f"cost-{name}", "finding", ROW, zip_maker.Archive(members).build(), code=code, says=says, fails=True)


def cases() -> list[Case]:
    wheel, metadata = zip_maker.wheel_file(PURE_TAG, pure=True), zip_maker.METADATA.rstrip() + b"\n"
    tags = b"".join(b"Tag: py3-none-p%d\n" % i for i in range(50_000))
    needed = Library(needed=["libc.so.6", *(f"libx{i}.so" for i in range(15_000))])
    exports = ["PyInit_core", *(f"PyInit_a{i}" for i in range(63))]
    slots = Library(code=b"\xc7\x05" * 2500 + b"\xc3", exports=exports).build()  # each function writes constants
    fewer = Library(needed=needed.needed[:7000])
    points = {"hostile-1.0.dist-info/entry_points.txt": b"[console_scripts]\n" + b"if 1:\n" * 200_000}
    long = {"hostile-1.0.dist-info/entry_points.txt": b"# nothing\n" * 300_000}
    sbom = {"hostile-1.0.dist-info/sboms/all.json": b'{"bomFormat": "CycloneDX"}' + b" " * (1 << 21)}
    objects = b'{"bomFormat": "CycloneDX", "others": [' + b"{}," * 300_000 + b"{}]}"
    objects = {"hostile-1.0.dist-info/sboms/all.json": objects}
    return [
        elf_case("cost-buckets-in-zeros", "finding", ROW, buckets_in_zeros(), code="WC708", says="buckets", fails=True),
        elf_case(
            "cost-symbols-mapped-often",
            "finding",
            ROW,
            symbols_mapped_often(60_000),
            code="WC708",
            fails=True,
            says="symbols, more than",
        ),
        elf_case(
            "cost-scopes-that-collide",
            "finding",
            ROW,
            Library(exports=[b"_ZN%d%b1fE" % (len(name), name) for name in colliding_names(15)]),
            code="WC708",
            says="odd strings",
            fails=True,
        ),
        elf_case("cost-names-in-one-text", "finding", ROW, names_in_one_text(100_000), code="WC708", fails=True),
        elf_case("cost-libraries-needed", "finding", ROW, fewer, code="WC103", fails=True, loads=False),
        *often("cost-libraries-needed-often", 30, needed),
        *often("cost-libraries-needed-thrice", 2, needed, code="WC708", says="names more libraries"),
        *often("cost-versions-needed-often", 30, versions_needed(30_000)),
        elf_case("cost-versions-needed", "finding", ROW, versions_needed(30_000), code="WC708", fails=True),
        *often("cost-versions-defined-often", 3, versions_defined_again(60_000), code="WC708", says="given out twice"),
        *often("cost-libraries-long-often", 800, Library(needed=["libc.so.6", b"lib" + b"\x1b" * 24_000 + b".so"])),
        Case(
            "cost-slots-often",
            "finding",
            ROW,
            elf_wheel({CORE: slots, **{f"hostile/other{i}.so": slots for i in range(1000)}}),
            zip_maker.wheel_name(ELF_TAG),
            code="WC513",
            says="duplicate",
        ),
        *often("cost-buckets-in-zeros-often", 600, buckets_in_zeros(), code="WC708", says="buckets"),
        *often("cost-symbols-in-zeros-often", 600, symbols_in_zeros(), code="WC708", says="symbols, more than"),
        elf_case(
            "cost-directories",
            "finding",
            ROW,
            Library(dynamic=[("RUNPATH", b"/a:" * 400_000)]),
            code="WC708",
            says="more than the 4096 directories",
            fails=True,
        ),
        text_case("tags", "WC706", "more than 4096 tags", wheel=wheel + tags),
        text_case("licence-brackets", "WC706", "SPDX", metadata=metadata + b"License-Expression: " + b"(" * 4_000_000),
        text_case("requirements", "WC706", "does not start", metadata=metadata + b"Requires-Dist: !\n" * 400_000),
        *(
            text_case(f"metadata-{name}", "WC706", "more names, versions and requirements", metadata=metadata + line)
            for name, line in {
                "extras": b"Requires-Dist: foo[" + b"a," * 3_900_000 + b"a]\n",
                "local": b"Requires-Python: ==1+a" + b".a" * 3_900_000 + b"\n",
                "commas": b"Requires-Python: " + b"," * 7_800_000 + b"\n",
                "release": b"Requires-Dist: foo~=1" + b".0" * 3_900_000 + b"\n",
            }.items()
        ),
        Case(
            "cost-scripts", "finding", ROW, pure({**FILES, **points}).build(), code="WC706", says="so many", fails=True
        ),
        Case(
            "cost-scripts-not-read",
            "finding",
            ROW,
            pure({**FILES, **long}).build(),
            code="WC706",
            says="is not read",
            fails=True,
        ),
        Case("cost-sbom-objects", "finding", ROW, pure({**FILES, **objects}).build(), code="WC716", says="no components"),
        Case("cost-sbom-not-read", "finding", ROW, pure({**FILES, **sbom}).build(), code="WC716", says="is not read"),
    ]
