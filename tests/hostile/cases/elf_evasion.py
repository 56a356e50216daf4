"""Files that hide a requirement from readers that do not read as the loader does. Each needs libhidden.so.9 or
GLIBC_2.99, which the report must show."""

import dataclasses
import struct

from elf_maker import PT_DYNAMIC, PT_LOAD, Import, Library, R, Segment, W
from hostile import CORE, ELF_TAG, Case, elf_case
from zip_maker import Archive, Member, wheel_members, wheel_name

ROW = "DT_STRSZ, DT_VERNEEDNUM, vn_cnt, p_offset, decoys, doubled tags, overlapping PT_LOAD, DT_FILTER"
HIDDEN = "libhidden.so.9"
NEEDED = ["libc.so.6", HIDDEN]
NEW = [Import("free", version="GLIBC_2.99")]
TAG = {"NEEDED": 1, "STRTAB": 5, "SYMTAB": 6, "STRSZ": 10, "VERNEED": 0x6FFFFFFE, "VERSYM": 0x6FFFFFF0}


def hidden(name: str, library: Library, **told):
    return elf_case(
        f"hidden-{name}",
        "finding",
        ROW,
        library,
        **{"code": "WC103", "says": HIDDEN, "fails": True, "loads": False, **told},
    )


def too_new(name: str, library: Library, **told):
    return elf_case(
        f"hidden-version-{name}",
        "finding",
        ROW,
        library,
        **{"code": "WC102", "says": "GLIBC_2.99", "fails": True, "loads": False, **told},
    )


def entries(*pairs, order: str = "<") -> bytes:
    return b"".join(struct.pack(order + "QQ", *pair) for pair in [*pairs, (0, 0)])


def decoy(lib) -> bytes:
    """A dynamic section that needs only the C library."""
    return entries(
        (1, lib.string("libc.so.6")),
        (TAG["STRTAB"], lib.at("strtab")),
        (TAG["SYMTAB"], lib.at("symtab")),
        (TAG["STRSZ"], lib.size("strtab")),
        (11, 24),
        (0x6FFFFEF5, lib.at("gnu_hash")),
    )


def dynamic_of(lib, name: str) -> Segment:
    return Segment(PT_DYNAMIC, R | W, lib.offset(name), lib.at(name), lib.size(name), lib.size(name), 8)


def points_to_decoy(lib, segments):
    """p_offset leads to the decoy, p_vaddr to the real section."""
    return [dataclasses.replace(s, offset=lib.offset("decoy")) if s.type == PT_DYNAMIC else s for s in segments]


def first_a_decoy(lib, segments):
    at = next(i for i, s in enumerate(segments) if s.type == PT_DYNAMIC)
    return [*segments[:at], dynamic_of(lib, "decoy"), *segments[at:]]


def changed(tag: str, make):
    """Replaces the entry with this tag by the entries that `make` returns."""

    def edit(lib, out):
        new = []
        for t, v in out:
            new += make(lib, v) if t == TAG[tag] else [(t, v)]
        return new

    return edit


def renamed_table(lib) -> bytes:
    """The string table with another name instead of the hidden one."""
    at, size = lib.offset("strtab"), lib.size("strtab")
    return bytes(lib.image[at : at + size]).replace(HIDDEN.encode(), b"libm.so.6\0\0\0\0\0")


def covered(lib, segments):
    """A later PT_LOAD is mapped over the page of the string table, so memory differs from the page in the file."""
    page = lib.offset("cover")
    return [segments[0], segments[1], segments[2], Segment(PT_LOAD, R, page, 0, 0x1000, 0x1000), *segments[3:]]


def cover_page(lib) -> bytes:
    # A copy of the first page at the start of a page. The names are exchanged later.
    start = bytes(lib.image[:0x1000])
    return start


def cases():
    yield hidden("plainly", Library(needed=NEEDED))
    yield hidden("sections-gone", Library(needed=NEEDED, sections=False))
    for name, size in {"one": 1, "zero": 0, "before-name": 12}.items():
        yield hidden(f"strsz-{name}", Library(needed=NEEDED, values={"STRSZ": size}))
        yield too_new(f"strsz-{name}", Library(imports=NEW, values={"STRSZ": size}))
    yield hidden("strsz-absent", Library(needed=NEEDED, drop=("STRSZ",)))
    yield hidden("strsz-huge", Library(needed=NEEDED, values={"STRSZ": (1 << 64) - 1}))
    yield hidden("decoy-by-offset", Library(needed=NEEDED, extras=[("decoy", decoy)], edit_segments=points_to_decoy))
    yield too_new("decoy-by-offset", Library(imports=NEW, extras=[("decoy", decoy)], edit_segments=points_to_decoy))
    yield hidden(
        "offset-beyond-file",
        Library(
            needed=NEEDED,
            edit_segments=lambda lib, s: [
                dataclasses.replace(x, offset=1 << 40) if x.type == PT_DYNAMIC else x for x in s
            ],
        ),
    )
    yield hidden(
        "first-dynamic-is-a-decoy", Library(needed=NEEDED, extras=[("decoy", decoy)], edit_segments=first_a_decoy)
    )
    yield hidden(
        "last-dynamic-has-no-bytes",
        Library(
            needed=NEEDED,
            extras=[("decoy", decoy)],
            edit_segments=lambda lib, s: [*s, dataclasses.replace(dynamic_of(lib, "decoy"), file_size=0)],
        ),
    )
    yield hidden(
        "dynamic-size-of-one-entry",
        Library(
            needed=NEEDED,
            edit_segments=lambda lib, s: [
                dataclasses.replace(x, file_size=16, memory_size=16) if x.type == PT_DYNAMIC else x for x in s
            ],
        ),
    )
    yield hidden(
        "dynamic-memory-size-zero",
        Library(
            needed=NEEDED,
            edit_segments=lambda lib, s: [
                dataclasses.replace(x, memory_size=0) if x.type == PT_DYNAMIC else x for x in s
            ],
        ),
    )
    yield hidden(
        "behind-many-entries", Library(edit_dynamic=lambda lib, out: [(0x6FFFFD00, 0)] * 5000 + out, needed=NEEDED)
    )
    yield hidden(
        "needed-last",
        Library(needed=["libc.so.6"], strings=[HIDDEN], edit_dynamic=lambda lib, out: [*out, (1, lib.string(HIDDEN))]),
    )
    yield elf_case(
        "hidden-behind-null",
        "ok",
        ROW,
        Library(
            strings=[HIDDEN], end_dynamic=True, edit_dynamic=lambda lib, out: [*out, (0, 0), (1, lib.string(HIDDEN))]
        ),
        loads=True,
    )

    # Repeated tags: the loader uses the last one.
    copy = [("copy", renamed_table)]
    yield hidden(
        "strtab-twice",
        Library(
            needed=NEEDED,
            strings=["libm.so.6"],
            extras=copy,
            edit_dynamic=changed("STRTAB", lambda lib, v: [(5, lib.at("copy")), (5, v)]),
        ),
    )
    yield hidden(
        "strtab-twice-far-apart",
        Library(
            needed=NEEDED,
            strings=["libm.so.6"],
            extras=copy,
            values={},
            edit_dynamic=lambda lib, out: [(5, lib.at("copy")), *out],
        ),
    )
    yield too_new(
        "verneed-twice",
        Library(
            imports=NEW,
            extras=[("old", lambda lib: old_need(lib))],
            strings=["GLIBC_2.2.5"],
            edit_dynamic=changed("VERNEED", lambda lib, v: [(TAG["VERNEED"], lib.at("old")), (TAG["VERNEED"], v)]),
        ),
    )
    yield elf_case(
        "hidden-version-verneed-twice-the-other-way",
        "finding",
        ROW,
        Library(
            imports=NEW,
            extras=[("old", lambda lib: old_need(lib))],
            strings=["GLIBC_2.2.5"],
            edit_dynamic=changed("VERNEED", lambda lib, v: [(TAG["VERNEED"], v), (TAG["VERNEED"], lib.at("old"))]),
        ),
        code="WC708",
        loads=True,
    )

    # Memory differs from the file at the same offset.
    yield hidden("page-mapped-over", mapped_over())
    yield hidden("dynamic-in-two-segments", split_dynamic())
    for tag in ("FILTER", "AUXILIARY"):
        expect = hidden if tag == "FILTER" else None
        library = Library(dynamic=[(tag, HIDDEN)])
        if expect:
            yield hidden("filter", library)
        else:
            yield elf_case("hidden-auxiliary", "remarked", ROW, library, loads=True)
    yield hidden("filter-no-sections", Library(dynamic=[("FILTER", HIDDEN)], sections=False))
    yield hidden("path-in-needed", Library(needed=["libc.so.6", f"/opt/{HIDDEN}"]))
    yield hidden(
        "origin-in-needed", Library(needed=["libc.so.6", f"$ORIGIN/{HIDDEN}"]), says="libhidden|ORIGIN", code=None
    )
    yield hidden("blank-behind-name", Library(needed=["libc.so.6 ", HIDDEN]))
    yield hidden("name-of-allowed-with-suffix", Library(needed=["libc.so.6.9"]), says=r"libc\.so\.6\.9")
    yield hidden("upper-case-name", Library(needed=["LIBC.so.6"]), says="LIBC")

    # The path of the file, and how its member is stored.
    elf = Library(needed=NEEDED).build()
    for name, change in {
        "stored": {"method": 0},
        "not-executable": {"mode": 0o100600},
        "no-mode": {"mode": 0},
        "made-on-dos": {"made_by": 20},
        "text-flag": {"central": {"internal": 1}},
    }.items():
        members = wheel_members({CORE: elf}, tag=ELF_TAG)
        for key, value in change.items():
            setattr(members[0], key, value)
        yield Case(
            f"hidden-member-{name}",
            "finding",
            ROW,
            Archive(members).build(),
            wheel_name(ELF_TAG),
            member=CORE,
            code="WC103",
            says=HIDDEN,
            fails=True,
        )
    link = [Member("hostile/link.so", b"core.so", mode=0o120777)]
    yield Case(
        "hidden-behind-link",
        "finding",
        ROW,
        Archive(wheel_members([Member(CORE, elf), *link], tag=ELF_TAG)).build(),
        wheel_name(ELF_TAG),
        member=CORE,
        code="WC103",
        fails=True,
    )


def old_need(lib) -> bytes:
    """A Verneed that requires a version that every system has."""
    from elf_maker import sysv_hash

    name = b"GLIBC_2.2.5"
    return struct.pack("<HHIII", 1, 1, lib.string("libc.so.6"), 16, 0) + struct.pack(
        "<IHHII", sysv_hash(name), 0, 2, lib.string("GLIBC_2.2.5"), 0
    )


def mapped_over() -> Library:
    """The table in the first page names libm.so.6. A page that is mapped over it names the hidden library."""
    library = Library(needed=["libc.so.6", "libm.so.6\0\0\0\0\0"], room=24)

    def edit_segments(lib, segments):
        lib.next_page()
        page = bytes(lib.image[:0x1000]).replace(b"libm.so.6\0\0\0\0\0", HIDDEN.encode())
        lib.add("page", page, 1)
        return [*segments[:3], Segment(PT_LOAD, R, lib.offset("page"), 0, 0x1000, 0x1000), *segments[3:]]

    library.edit_segments = edit_segments
    return library


def split_dynamic() -> Library:
    """The entries begin at the end of one segment's page and continue in the next one, which is elsewhere in the
    file."""
    library = Library(needed=NEEDED, relocations=False)

    def edit_segments(lib, segments):
        data = bytes(lib.image[lib.offset("dynamic") : lib.offset("dynamic") + lib.size("dynamic")])
        lib.next_page()
        first = 16 * 3
        lib.image += bytes(0x1000 - first) + data[:first]
        page = len(lib.image) - 0x1000
        lib.image += b"gap between" * 400
        lib.next_page()
        second = len(lib.image)
        lib.image += data[first:] + bytes(64)
        lib.image += bytes(-len(lib.image) % 0x1000)
        return [
            *segments[:2],
            Segment(PT_LOAD, R | W, page, 0x10000, 0x1000, 0x1000),
            Segment(PT_LOAD, R | W, second, 0x11000, 0x1000, 0x1000),
            Segment(PT_DYNAMIC, R | W, page + 0x1000 - first, 0x11000 - first, len(data), len(data), 8),
            *segments[4:],
        ]

    library.edit_segments = edit_segments
    return library
