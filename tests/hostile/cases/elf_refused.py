"""Files that ld.so refuses or crashes on, check by check, and files that it maps in another way than the program
headers suggest. Each refusal has the place in glibc that refuses, and the first version that does."""

import dataclasses
import struct

from elf_maker import PT_DYNAMIC, PT_LOAD, PT_NOTE, Import, Library, R, Segment, W, X, note
from hostile import CORE, ELF_TAG, Case, elf_case

ROW = "files that are whole, but that the loader refuses: DF_1_NOOPEN, DT_RELR without its version, wrong counts"
HIDDEN_ROW = "DT_STRSZ, DT_VERNEEDNUM, vn_cnt, p_offset, decoys, doubled tags, overlapping PT_LOAD, DT_FILTER"
HIDDEN = "libhidden.so.9"
MODULE = "hostile/core.cpython-311-x86_64-linux-gnu.so"
RELR, RELRSZ, RELRENT, RELACOUNT = 36, 35, 37, 0x6FFFFFF9
FREE = Import("free", version="GLIBC_2.2.5")


def flags_1(value: int) -> Library:
    return Library(dynamic=[("FLAGS_1", value)])


def flags_of(kind: int, number: int, flags: int):
    def edit(lib, segments):
        at = [i for i, s in enumerate(segments) if s.type == kind][number]
        return [dataclasses.replace(s, flags=flags) if i == at else s for i, s in enumerate(segments)]

    return edit


def relr(**how) -> Library:
    # One entry of DT_RELR: the word after the relocated ones, which are at the start of the writable segment.
    return Library(
        imports=[FREE, Import("malloc", version="GLIBC_2.2.5")],
        extras=[("relr", struct.pack("<Q", 0x10))],
        edit_dynamic=lambda lib, out: [
            (t, v) for t, v in out if t not in (7, 8, 9)
        ] + [(RELR, lib.at("relr")), (RELRSZ, how.get("size", 8)), (RELRENT, how.get("entry", 8))],
        edit=lambda lib: lib.put("relr", "Q", lib.at("words")),
    )


# name, library, rule, where glibc refuses it, since which version
REFUSALS = [
    ("noopen", flags_1(0x40), "WC516", "dl-load.c, _dl_map_object_from_fd", "all"),
    ("noopen-and-now", flags_1(0x41), "WC516", "dl-load.c, _dl_map_object_from_fd", "all"),
    ("pie", flags_1(0x08000000), "WC516", "dl-load.c, _dl_map_object_from_fd", "2.30"),
    ("relr-without-version", relr(), "WC516", "dl-version.c, _dl_check_map_versions", "2.36"),
    ("relr-entry-of-4", relr(entry=4), "WC708", "get-dynamic-info.h", "2.36"),
    (
        "version-of-a-library-not-needed",
        Library(imports=[FREE, Import("inflate", library="libnotthere.so.1", version="NOT_1")]),
        "WC516",
        "dl-version.c, find_needed",
        "all",
    ),
    (
        "relacount-too-large",
        Library(dynamic=[(RELACOUNT, 1)]),
        "WC708",
        "dl-machine.h, elf_machine_rela_relative",
        "all",
    ),
    ("init-array-without-size", Library(dynamic=[("INIT_ARRAY", 0x2000)]), "WC708", "dl-init.c, call_init", "all"),
    ("abi-version-of-linux", Library(ident={7: 3, 8: 9}), "WC708", "dl-load.c, open_verify", "all"),
    ("unreadable-tables", Library(edit_segments=flags_of(PT_LOAD, 0, 0)), "WC708", "dl-load.c: mapped PROT_NONE", "all"),
    ("pltrel-unknown", Library(dynamic=[("PLTREL", 99)]), "WC708", "get-dynamic-info.h", "all"),
    ("relaent", Library(values={"RELAENT": 23}), "WC708", "get-dynamic-info.h", "all"),
]


def page_over_the_dynamic_section(lib, segments):
    """A PT_LOAD with no file bytes in the middle of the page. The loader maps the whole page."""
    other = lib.offset("other") & ~0xFFF
    page = lib.at("dynamic") & ~0xFFF
    return [*segments, Segment(PT_LOAD, R | W, other + 0xFE0, page + 0xFE0, 0, 0x10)]


def mapped_over() -> Library:
    def other(lib) -> bytes:
        # A page of the file with the same tables, but with one more DT_NEEDED.
        lib.image += b"\0" * (-len(lib.image) % 0x1000)
        return bytes(0x1000)

    def fill(lib) -> None:
        page = lib.offset("dynamic") & ~0xFFF
        copy = bytearray(lib.image[page : page + 0x1000].ljust(0x1000, b"\0"))
        at = lib.offset("dynamic") - page
        entry = struct.pack("<QQ", 1, lib.string(HIDDEN))
        old = bytes(copy[at:])
        copy[at:] = (entry + old)[: len(old)]
        start = lib.offset("other")
        lib.image[start : start + 0x1000] = copy

    return Library(strings=[HIDDEN], extras=[("other", other)], edit=fill, edit_segments=page_over_the_dynamic_section)


def strings_before_the_file() -> Library:
    """DT_STRTAB is -0x1000, and each offset into it is larger by the address of the table plus 0x1000."""

    def edit(lib, out):
        base = (-0x1000) % (1 << 64)
        shift = lib.at("strtab") + 0x1000
        return [
            (t, base if t == 5 else 0x100000 if t == 10 else v + shift if t in (1, 14) else v) for t, v in out
        ]

    return Library(
        needed=[HIDDEN], imports=[], exports=[], edit_dynamic=edit, edit_sections=None, relocations=False
    )


ISA_ROW = "x86 instruction levels in several notes"
PROPERTY = 0x6474E553  # PT_GNU_PROPERTY


def isa(level: int) -> bytes:
    return note(b"GNU\0", 5, struct.pack("<IIII", 0xC0008002, 4, level, 0))


BASELINE, TOO_NEW = isa(1), isa(0x18)  # x86-64-v4, and a level that no CPU has


def with_notes(*places: tuple[int, bytes, int]) -> Library:
    """Adds program headers of these types, in this order, each with these notes and this alignment."""
    extras = [(f"note{number}", data) for number, (_, data, _) in enumerate(places)]

    def edit(lib, segments):
        more = [lib.segment_of(kind, f"note{number}", align) for number, (kind, _, align) in enumerate(places)]
        return [*segments, *more]

    return Library(extras=extras, edit_segments=edit)


def isa_cases() -> list[Case]:
    refused = {
        "two-notes": [(PT_NOTE, BASELINE, 8), (PT_NOTE, TOO_NEW, 8)],
        "property-before-a-note": [(PROPERTY, TOO_NEW, 8), (PT_NOTE, BASELINE, 8)],
        "note-behind-a-small-alignment": [(PT_NOTE, TOO_NEW, 8), (PT_NOTE, BASELINE, 4)],
    }
    taken = {
        "last-note-counts": [(PT_NOTE, TOO_NEW, 8), (PT_NOTE, BASELINE, 8)],
        "alignment-of-4": [(PT_NOTE, TOO_NEW, 4)],
        "two-notes-in-one": [(PT_NOTE, TOO_NEW + BASELINE, 8)],
    }
    return [
        elf_case(f"isa-{name}", "finding", ISA_ROW, with_notes(*notes), code="WC111", fails=True,
            loads=None if name.startswith("property") else False)  # glibc 2.39 and newer
        for name, notes in refused.items()
    ] + [elf_case(f"isa-{name}", "ok", ISA_ROW, with_notes(*notes), loads=True) for name, notes in taken.items()]


EXPORTS_ROW = "symbols that a look-up finds although the tables do not count them"


def hashed_import(name: str) -> Library:
    """An undefined symbol with a value, in the hash table: dlsym finds it."""
    lib = Library(imports=[FREE], exports=["PyInit_core", name], relocations=False)
    return dataclasses.replace(lib, edit=lambda lib: lib.put("symtab", "H", 0, by=24 * 3 + 6))


def valued_import(name: str) -> Library:
    """An undefined symbol with a value that is not in the hash table: no look-up finds it."""
    lib = Library(imports=[FREE, Import(name)], relocations=False)

    def edit(lib):
        lib.put("symtab", "Q", lib.at("code"), by=24 * 2 + 8)

    return dataclasses.replace(lib, edit=edit)


def symbol_cases() -> list[Case]:
    old = elf_case(
        "unversioned-new-name",
        "finding",
        "unversioned names that only newer glibc has",
        Library(imports=[FREE, Import("arc4random", version=None)]),
        code="WC102",
        says="GLIBC_2.36",
        fails=True,
    )
    small = Library(hash="sysv", exports=["malloc"], edit=lambda lib: lib.put("hash", "I", 1, by=4))
    return [
        old,
        elf_case("hidden-export-undefined", "finding", EXPORTS_ROW, hashed_import("malloc"), code="WC708", loads=True),
        elf_case("undefined-not-hashed", "finding", EXPORTS_ROW, valued_import("malloc"), code="WC708", loads=True),
        elf_case("hidden-export-nchain", "finding", EXPORTS_ROW, small, code="WC708"),
    ]


def other_types() -> list[Case]:
    row = "object files and core files whose names make Python load them"
    names = (MODULE, "hostile/core.so", "hostile/core.abi3.so")
    out = [
        elf_case(f"type-{kind}-{number}", "finding", row, Library(header={"type": kind}), member=name, code="WC516",
            fails=True, loads=False)
        for kind in (1, 4)
        for number, name in enumerate(names)
    ]
    needs = {MODULE: Library(needed=["libpart.so.1", "libc.so.6"], dynamic=[("RUNPATH", "$ORIGIN")]).build()}
    return out + [
        elf_case("type-1-needed", "finding", row, Library(header={"type": 1}), member="hostile/libpart.so.1", more=needs,
            code="WC516", fails=True, loads=False),
        elf_case("type-1-object", "ignore", row, Library(header={"type": 1}), member="hostile/core.o", loads=False),
    ]


def other_loaders() -> list[Case]:
    row = "the loader of another machine in DT_NEEDED"
    names = ("ld-linux-aarch64.so.1", "ld-linux.so.2", "ld64.so.2", "ld.so.1", "ld-linux-x32.so.2")
    return [
        elf_case(f"loader-{name.replace(chr(46), chr(45))}", "finding", row, Library(needed=["libc.so.6", name]), code="WC103", says=name,
            fails=True, loads=False)
        for name in names
    ] + [elf_case("loader-own", "ok", row, Library(needed=["libc.so.6", "ld-linux-x86-64.so.2"]), loads=True)]


def cases() -> list[Case]:
    out = [
        elf_case(
            f"refused-{name}",
            "finding",
            ROW,
            library,
            member=MODULE,
            code=code,
            fails=True,
            # The installed loader is the reference. For files that only newer loaders refuse, the result depends on its
            # version.
            loads=False if since == "all" else None,
        )
        for name, library, code, _, since in REFUSALS
    ]
    hidden = {"code": "WC103", "says": HIDDEN, "fails": True, "loads": False}
    out.append(elf_case("hidden-page-without-bytes", "finding", HIDDEN_ROW, mapped_over(), **hidden))
    out.append(elf_case("hidden-strings-before-the-file", "finding", HIDDEN_ROW, strings_before_the_file(), **hidden))
    many = Library(
        needed=[HIDDEN, "libc.so.6"],
        edit_dynamic=lambda lib, entries: entries[:1] + [(0x6FFF1234, 0)] * 1_000_001 + entries[1:],
    )
    out.append(elf_case("hidden-behind-a-limit", "finding", ROW, many, code="WC708", fails=True, loads=False))
    return out + isa_cases() + symbol_cases() + other_types() + other_loaders()
