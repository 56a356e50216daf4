"""Program headers."""

import dataclasses

from elf_maker import (
    BUILD_ID,
    PT_DYNAMIC,
    PT_INTERP,
    PT_LOAD,
    PT_NOTE,
    PT_PHDR,
    PT_TLS,
    Library,
    R,
    Segment,
    W,
    X,
    note,
)
from hostile import elf_case

ROW = (
    "ELF header the loader refuses (class, data, versions, phentsize, phoff, phnum, e_type), truncated ELF, magic only"
)
NOTES = "hash tables that lie, when sections are gone"
# glibc 2.41 does not open such a library, so it is more than a bad practice.
REFUSED = "executable stack"
LOWER = "RPATH absolute or empty, execstack, W+X, TEXTREL, odd interpreter"
BIG = 1 << 63


def nth(kind: int, number: int = 0, **fields):
    """Changes one of the program headers of a type."""

    def edit(lib, segments):
        places = [i for i, s in enumerate(segments) if s.type == kind]
        at = places[number]
        return segments[:at] + [dataclasses.replace(segments[at], **fields)] + segments[at + 1 :]

    return edit


def without(kind: int):
    return lambda lib, segments: [s for s in segments if s.type != kind]


def plus(*more: Segment, first: bool = False):
    return lambda lib, segments: [*more, *segments] if first else [*segments, *more]


def malformed(name: str, edit, loads=None, **told):
    how = told.pop("how", {})
    return elf_case(
        f"segments-{name}",
        "finding",
        ROW,
        Library(edit_segments=edit, **how),
        **{"code": "WC708", "fails": True, "loads": loads, **told},
    )


def cases():
    yield malformed("no-load", without(PT_LOAD), False)
    yield malformed("no-dynamic", without(PT_DYNAMIC), False)
    yield malformed("dynamic-size-zero", nth(PT_DYNAMIC, file_size=0), False)
    yield malformed("dynamic-outside", nth(PT_DYNAMIC, address=1 << 30, offset=1 << 30), False)
    yield malformed("dynamic-wraps", nth(PT_DYNAMIC, address=(1 << 64) - 16), False)
    yield malformed("dynamic-in-zeros", nth(PT_DYNAMIC, address=0x2F00), code=None, fails=None)
    yield malformed("load-beyond-file", nth(PT_LOAD, 1, file_size=1 << 20, memory_size=1 << 20))
    yield malformed("load-far-beyond-file", nth(PT_LOAD, 1, file_size=1 << 40, memory_size=1 << 40))
    yield malformed("load-offset-beyond-file", nth(PT_LOAD, 2, offset=1 << 30))
    yield malformed("load-offset-wraps", nth(PT_LOAD, 2, offset=(1 << 64) - 0x1000), False)
    yield malformed("load-address-wraps", nth(PT_LOAD, 2, address=(1 << 64) - 0x1000), False)
    yield malformed("load-memory-huge", nth(PT_LOAD, 2, memory_size=BIG), False)
    yield malformed("load-memory-wraps", nth(PT_LOAD, 2, memory_size=(1 << 64) - 1))
    yield malformed("load-address-half", nth(PT_LOAD, 2, address=BIG + 0x2000), False)
    yield malformed("load-file-above-memory", nth(PT_LOAD, 1, memory_size=0), fails=None)
    yield malformed("load-out-of-order", lambda lib, s: [s[2], s[1], s[0], *s[3:]])
    # glibc refuses these up to 2.34 ("ELF load command alignment not page-aligned"). Later versions do not check.
    for name, align in {"three": 3, "one": 1, "eight": 8, "half-page": 0x800}.items():
        yield malformed(f"load-align-{name}", nth(PT_LOAD, 1, align=align), code=None)
    yield elf_case("segments-load-align-odd", "remarked", ROW, Library(edit_segments=nth(PT_LOAD, 1, align=0x1001)))
    yield elf_case(
        "segments-load-align-zero", "remarked", ROW, Library(edit_segments=nth(PT_LOAD, 1, align=0)), loads=True
    )
    yield malformed("load-incongruent", nth(PT_LOAD, 1, address=0x1010), False, code=None)
    yield elf_case("segments-load-align-huge", "remarked", ROW, Library(edit_segments=nth(PT_LOAD, 0, align=1 << 40)))
    yield elf_case(
        "segments-load-align-vast",
        "finding",
        ROW,
        Library(edit_segments=nth(PT_LOAD, 0, align=1 << 48)),
        code="WC708",
        loads=False,
    )
    yield elf_case(
        "segments-extra-load-of-nothing",
        "ok",
        ROW,
        Library(edit_segments=lambda lib, s: s[:3] + [Segment(PT_LOAD, R, 0, 0x4000, 0, 0)] + s[3:]),
    )
    yield elf_case(
        "segments-zeros-behind", "ok", ROW, Library(edit_segments=nth(PT_LOAD, 2, memory_size=0x4000)), loads=True
    )
    yield elf_case(
        "segments-unknown-kind",
        "ok",
        ROW,
        Library(edit_segments=plus(Segment(0x6FFFABCD, R, 1 << 60, 1 << 60, 1 << 60, 1 << 60))),
        loads=True,
    )
    yield elf_case("segments-null-kind", "ok", ROW, Library(edit_segments=plus(Segment(0, 0, 0, 0, 0, 0))), loads=True)
    yield elf_case(
        "segments-interp-in-library",
        "ok",
        ROW,
        Library(interpreter="/lib64/ld-linux-x86-64.so.2", soname="libcore.so"),
        loads=True,
    )
    yield elf_case(
        "segments-interp-no-end",
        "remarked",
        ROW,
        Library(edit_segments=plus(Segment(PT_INTERP, R, 0x1000, 0x1000, 1, 1, 1))),
    )
    yield elf_case(
        "segments-interp-outside",
        "remarked",
        ROW,
        Library(edit_segments=plus(Segment(PT_INTERP, R, 1 << 50, 0, 1 << 50, 0, 1))),
    )
    yield elf_case(
        "segments-phdr-lies",
        "remarked",
        ROW,
        Library(edit_segments=plus(Segment(PT_PHDR, R, 0x999, 0x999, 1, 1), first=True)),
    )
    yield elf_case(
        "segments-tls", "ok", ROW, Library(edit_segments=plus(Segment(PT_TLS, R, 0x2000, 0x2000, 8, 64, 8))), loads=True
    )
    yield elf_case(
        "segments-tls-outside",
        "remarked",
        ROW,
        Library(edit_segments=plus(Segment(PT_TLS, R, 1 << 40, 1 << 40, 8, 64, 8))),
    )
    yield elf_case(
        "segments-tls-align", "remarked", ROW, Library(edit_segments=plus(Segment(PT_TLS, R, 0x2000, 0x2000, 8, 8, 3)))
    )

    yield elf_case("notes-whole", "ok", NOTES, Library(notes=BUILD_ID), shows="000102030405", loads=True)
    for name, notes in {
        "size-huge": note(b"GNU\0", 3, b"")[:4] + b"\xff\xff\xff\xff" + bytes(8),
        "name-huge": b"\xff" * 12 + bytes(8),
        "cut": BUILD_ID[:20],
        "eleven-bytes": bytes(11),
        "zeros": bytes(4096),
        "many": note(b"X\0\0\0", 1, b"") * 5000,
        "property-cut": note(b"GNU\0", 5, b"\2\0\0\xc0\xff\0\0\0"),
        "build-id-long": note(b"GNU\0", 3, bytes(5000)),
    }.items():
        yield elf_case(f"notes-{name}", "remarked", NOTES, Library(notes=notes), loads=None)
    yield elf_case(
        "notes-outside",
        "remarked",
        NOTES,
        Library(edit_segments=plus(Segment(PT_NOTE, R, 1 << 40, 1 << 40, 64, 64, 4))),
    )
    yield elf_case(
        "notes-60000-segments",
        "remarked",
        NOTES,
        Library(
            notes=BUILD_ID, room=60_010, edit_segments=lambda lib, s: s + [lib.segment_of(PT_NOTE, "notes", 4)] * 60_000
        ),
    )
    yield elf_case(
        "notes-segments-of-all",
        "remarked",
        NOTES,
        Library(room=2000, edit_segments=lambda lib, s: s + [Segment(PT_NOTE, R, 0, 0, 0x1000, 0x1000, 4)] * 1900),
    )
    yield elf_case(
        "loads-1000",
        "remarked",
        NOTES,
        Library(
            room=1100,
            edit_segments=lambda lib, s: (
                s[:3] + [Segment(PT_LOAD, R, 0x1000, 0x1000 * (n + 0x40), 1, 1) for n in range(1000)] + s[3:]
            ),
        ),
    )

    yield elf_case("execstack", "finding", REFUSED, Library(stack=R | W | X), code="WC601")
    yield elf_case("no-stack-header", "finding", REFUSED, Library(stack=None), code="WC601")
    yield elf_case("writable-code", "lower", LOWER, Library(edit_segments=nth(PT_LOAD, 1, flags=R | W | X)), loads=True)
    yield elf_case(
        "writable-everything",
        "lower",
        LOWER,
        Library(edit_segments=lambda lib, s: [dataclasses.replace(x, flags=7) if x.type == PT_LOAD else x for x in s]),
        loads=True,
    )
