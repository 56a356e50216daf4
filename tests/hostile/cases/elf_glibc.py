"""Files on which ld.so fails, with an error, an assertion or a crash, and the releases of glibc in which it does.

Each row names the function of glibc that refuses. The releases are those that contain
this code; glibc_test.py opens each file with the loaders of 2.31, 2.36 and 2.41. Clean rows are similar, correct
files.
"""

import dataclasses
import struct

from elf_maker import PT_DYNAMIC, PT_GNU_RELRO, PT_LOAD, PT_NOTE, PT_TLS, Import, Library, R, Segment, W, X, note
from hostile import ELF_TAG, Case, elf_case

MODULE = "hostile/core.cpython-311-x86_64-linux-gnu.so"
ROW = "what ld.so refuses, by release of glibc"
NEVER = (9, 0)
NOTHING = 0x7000000  # an address that no file of this topic maps
MALLOC = Import("malloc", version="GLIBC_2.2.5")


@dataclasses.dataclass
class Row:
    name: str
    library: Library
    where: str  # in glibc
    since: tuple[int, int] = (2, 17)
    before: tuple[int, int] = (9, 0)  # first release that accepts the file
    code: str | None = None  # of the finding
    clean: bool = False  # accepted by every release of the tag: no finding
    fails: bool = True  # exit code 1
    undefined: bool = False  # the result depends on the processor

    def refused_by(self, release: tuple[int, int]) -> bool:
        return self.since <= release < self.before


def plain(**how) -> Library:
    """A library without relocations and versions, so that only the tested part can fail."""
    return Library(imports=[], relocations=False, **how)


def segments(change):
    return lambda lib, all_of_them: change(lib, list(all_of_them))


def with_flags(change) -> Library:
    return plain(edit_segments=lambda lib, all_of_them: [dataclasses.replace(s, **change(s)) for s in all_of_them])


def with_header(*headers, extras=()) -> Library:
    """Further program headers: (type, name of an extra or an address, size in the file, in memory, alignment)."""

    def edit(lib, all_of_them):
        out = list(all_of_them)
        for kind, place, file_size, memory_size, align in headers:
            offset, address = (lib.offset(place), lib.at(place)) if isinstance(place, str) else (place, place)
            out.append(Segment(kind, R, offset, address, file_size, memory_size, align))
        return out

    return plain(extras=list(extras), edit_segments=edit)


def abi_note(system: int, *kernel: int) -> bytes:
    return note(b"GNU\0", 1, struct.pack("<IIII", system, *kernel))


def rela(*records, size: int | None = None, count: int | None = None, needs=True, then: bytes = b"") -> Library:
    """An additional relocation table: (place, symbol, type, addend), where places and addends may be names."""

    def fill(lib):
        def value(what):
            return lib.at(what) if isinstance(what, str) else what

        for number, (place, symbol, kind, addend) in enumerate(records):
            lib.put("table", "QQQ", value(place), symbol << 32 | kind, value(addend), by=24 * number)

    def edit(lib, out):
        length = 24 * len(records) if size is None else size
        more = [(7, lib.at("table")), (8, length), (9, 24)] + ([(0x6FFFFFF9, count)] if count is not None else [])
        return out + more

    return Library(
        imports=[MALLOC] if needs else [],
        relocations=False,
        extras=[("table", bytes(24 * len(records)) + then)],
        edit_dynamic=edit,
        edit=fill,
    )


def relr(words: list[int | str], size: int | None = None, table: str | int = "relr") -> Library:
    def fill(lib):
        for number, word in enumerate(words):
            lib.put("relr", "Q", lib.at(word) if isinstance(word, str) else word, by=8 * number)

    def edit(lib, out):
        start = lib.at(table) if isinstance(table, str) else table
        return out + [(36, start), (35, 8 * len(words) if size is None else size), (37, 8)]

    return Library(
        imports=[MALLOC, Import("free", version="GLIBC_ABI_DT_RELR")],
        relocations=False,
        extras=[("relr", bytes(8 * max(1, len(words))))],
        edit_dynamic=edit,
        edit=fill,
    )


TPOFF = 18


def thread_local(file_size=8, memory_size=16, align=8, address=None, segment=True, kind=TPOFF) -> Library:
    """An exported thread-local variable, which a relocation puts into the static block (kind 18) or not (16)."""

    def edit(lib, all_of_them):
        place = lib.at("image") if address is None else address
        header = Segment(PT_TLS, R, lib.offset("image"), place, file_size, memory_size, align)
        return [*all_of_them, header] if segment else all_of_them

    def fill(lib):
        lib.put("table", "QQQ", lib.at("words"), 2 << 32 | kind, 0)
        lib.put("symtab", "IBBHQQ", lib.string("variable"), 0x16, 0, 6, 0, 8, by=48)

    return Library(
        imports=[],
        relocations=False,
        exports=["PyInit_core", "variable"],
        extras=[("image", bytes(64)), ("table", bytes(24))],
        edit_segments=edit,
        edit_dynamic=lambda lib, out: out + [(7, lib.at("table")), (8, 24), (9, 24)],
        edit=fill,
    )


def calls(*entries: int | str, relocated: bool = False) -> Library:
    """DT_INIT_ARRAY in the relocated words; its entries have relocations, or not."""

    def fill(lib):
        for number, entry in enumerate(entries):
            value = lib.at(entry) if isinstance(entry, str) else entry
            if relocated:
                lib.put("table", "QQQ", lib.at("words") + 8 * number, 8, value, by=24 * number)
            else:
                lib.put("words", "Q", value, by=8 * number)

    def edit(lib, out):
        more = [(25, lib.at("words")), (27, 8 * len(entries))]
        return out + more + ([(7, lib.at("table")), (8, 24 * len(entries)), (9, 24)] if relocated else [])

    return plain(extras=[("table", bytes(24 * len(entries)))], edit_dynamic=edit, edit=fill)


def calls_symbol(info: int, section: int, value: str | int) -> Library:
    """DT_INIT_ARRAY with one entry, to which a relocation writes the address of a symbol."""

    def fill(lib):
        lib.put("table", "QQQ", lib.at("words"), 2 << 32 | 1, 0)
        address = lib.at(value) if isinstance(value, str) else value
        lib.put("symtab", "IBBHQQ", lib.string("symbol"), info, 0, section, address, 8, by=48)

    def edit(lib, out):
        return out + [(25, lib.at("words")), (27, 8), (7, lib.at("table")), (8, 24), (9, 24)]

    return plain(exports=["PyInit_core", "symbol"], extras=[("table", bytes(24))], edit_dynamic=edit, edit=fill)


def many_headers(count: int) -> Library:
    return plain(
        room=count, edit_segments=lambda lib, found: found + [Segment(0, 0, 0, 0, 0, 0, 0)] * (count - len(found))
    )


def base_version_alone(versym: bool) -> Library:
    def table(lib):
        return struct.pack("<HHHHIII", 1, 1, 1, 1, 0, 20, 0) + struct.pack("<II", 0, 0)

    def edit(lib, out):
        more = [(0x6FFFFFFC, lib.at("base")), (0x6FFFFFFD, 1)]
        return out + more + ([(0x6FFFFFF0, lib.at("numbers"))] if versym else [])

    return plain(extras=[("base", table), ("numbers", struct.pack("<HH", 0, 1))], edit_dynamic=edit)


def shifted(align: int, by: int) -> Library:
    """An additional PT_LOAD, whose file offset and address differ by `by` bytes."""
    return plain(
        edit_segments=lambda lib, found: (
            found[:3] + [Segment(PT_LOAD, R, 0, 0x40000 + by, 0x40, 0x40, align)] + found[3:]
        )
    )


def ifunc(address: str | int) -> Library:
    """A relocation to an indirect function of the file itself, which the loader calls."""
    library = rela(("words", 2, 6, 0), needs=True)
    first = library.edit

    def fill(lib):
        first(lib)
        value = lib.at(address) if isinstance(address, str) else address
        lib.put("symtab", "IBBHQQ", lib.string("PyInit_core"), 0x1A, 0, 6, value, 1, by=48)

    return dataclasses.replace(library, edit=fill)


def dynamic_flags(load: int, dynamic: int) -> Library:
    """The dynamic section alone in a segment with the flags `load`, described with the flags `dynamic`."""

    def change(s):
        if s.type == PT_LOAD and s.flags == R | W:
            return {"flags": load}
        return {"flags": dynamic} if s.type == PT_DYNAMIC else {}

    return with_flags(change)


FROM_FD = "dl-load.c, _dl_map_object_from_fd"
DYNAMIC_INFO = "get-dynamic-info.h"
VERIFY = "dl-load.c, open_verify"

ROWS = [
    # elf/dl-load.c, open_verify
    Row("abi-note-of-another-system", with_header((PT_NOTE, "n", 32, 32, 4), extras=[("n", abi_note(1, 0, 0, 0))]),
        VERIFY, before=(2, 36), code="WC517"),
    Row("abi-note-of-a-later-kernel", with_header((PT_NOTE, "n", 32, 32, 4), extras=[("n", abi_note(0, 99, 0, 0))]),
        VERIFY, before=(2, 36), code="WC517"),
    Row("abi-note-of-an-old-kernel", with_header((PT_NOTE, "n", 32, 32, 4), extras=[("n", abi_note(0, 2, 6, 32))]),
        VERIFY, since=NEVER, clean=True),
    Row("note-behind-the-file", with_header((PT_NOTE, 0x100000, 64, 64, 4)), VERIFY, before=(2, 36), code="WC708"),
    # The headers are on the stack twice. 65,000 headers do not exceed it.
    Row("program-headers-65000", many_headers(65000), FROM_FD, since=NEVER, clean=True),
    # elf/dl-load.c, _dl_map_object_from_fd
    Row("aligned-note-not-mapped", with_header((PT_NOTE, NOTHING, 16, 64, 8)), "dl-prop.h, _dl_process_pt_note",
        since=(2, 33), code="WC708"),
    Row("empty-dynamic-as-well", plain(edit_segments=lambda lib, found: found + [Segment(PT_DYNAMIC, R, 0, 0, 0, 0)]),
        FROM_FD, since=(2, 35), code="WC708"),
    Row("load-align-16", with_flags(lambda s: {"align": 16} if s.type == PT_LOAD else {}), FROM_FD, before=(2, 35),
        code="WC511"),
    Row("load-align-0-shifted", shifted(0, 0x1000), FROM_FD, before=(2, 35), code="WC511"),
    Row("load-align-12288-shifted", shifted(0x3000, 0x2000), FROM_FD, before=(2, 35), code="WC511"),
    Row("load-shifted-within-a-page", shifted(1, 0x10), FROM_FD, code="WC511"),
    # elf/get-dynamic-info.h
    Row("dynamic-mapped-read-only", dynamic_flags(R, R | W), DYNAMIC_INFO, code="WC708"),
    Row("dynamic-read-only", dynamic_flags(R, R), DYNAMIC_INFO, before=(2, 35), code="WC516"),
    Row("dynamic-writable-after-all", dynamic_flags(R | W, R), DYNAMIC_INFO, since=NEVER, clean=True),
    Row("pltrel-of-another-kind", plain(dynamic=[("PLTREL", 17), ("JMPREL", 0x200), ("PLTRELSZ", 0)]), DYNAMIC_INFO,
        code="WC708"),
    Row("rela-without-entry-size", Library(drop=("RELAENT",)), DYNAMIC_INFO, code="WC708"),
    Row("rela-without-size", Library(drop=("RELASZ",)), "dynamic-link.h", code="WC708"),
    # elf/dl-setup_hash.c
    Row("gnu-hash-3-words", plain(edit=lambda lib: lib.put("gnu_hash", "I", 3, by=8)), "dl-setup_hash.c", code="WC708"),
    Row("gnu-hash-not-mapped", plain(values={"GNU_HASH": NOTHING}), "dl-setup_hash.c", code="WC708"),
    # elf/dl-reloc.c and dl-tls.c
    Row("tls-good", thread_local(kind=16), "dl-reloc.c, _dl_try_allocate_static_tls", since=NEVER, clean=True),
    Row("tls-in-the-static-block", thread_local(), "dl-reloc.c, _dl_try_allocate_static_tls", since=NEVER, clean=True),
    Row("tls-more-bytes-than-memory", thread_local(file_size=64, memory_size=8),
        "dl-reloc.c, dl_init_static_tls: memset() with a negative size", code="WC708", undefined=True),
    Row("tls-align-0", thread_local(align=0), "dl-reloc.c, _dl_try_allocate_static_tls: a division", code="WC708"),
    Row("tls-without-a-segment", thread_local(segment=False), "dl-reloc.c, _dl_try_allocate_static_tls: a division",
        code="WC708"),
    Row("tls-image-not-mapped", thread_local(address=NOTHING), "dl-reloc.c, dl_init_static_tls", code="WC708"),
    Row("tls-align-65536", thread_local(align=0x10000), "dl-reloc.c, _dl_try_allocate_static_tls", code="WC508"),
    Row("tls-of-a-megabyte", thread_local(memory_size=1 << 20), "dl-reloc.c, _dl_allocate_static_tls", code="WC508"),
    Row("relro-not-mapped", with_header((PT_GNU_RELRO, NOTHING, 0, 0x1000, 1)), "dl-reloc.c, _dl_protect_relro",
        code="WC708"),
    Row("relro-behind-the-end", with_header((PT_GNU_RELRO, 0x1000, 0, 0x10000000, 1)), "dl-reloc.c, _dl_protect_relro",
        code="WC708"),
    Row("relro-within-a-page", with_header((PT_GNU_RELRO, NOTHING, 0, 0x10, 1)), "dl-reloc.c, _dl_protect_relro",
        since=NEVER, clean=True),
    Row("relro-over-called-code",
        plain(edit_segments=lambda lib, found: found + [Segment(PT_GNU_RELRO, R, 0x1000, 0x1000, 0x1000, 0x1000, 1)],
              edit_dynamic=lambda lib, out: out + [(12, lib.at("code"))]),
        "dl-init.c, call_init", code="WC708"),
    # elf/dynamic-link.h, do-rel.h and sysdeps/x86_64/dl-machine.h
    Row("rela-good", rela(("words", 0, 8, "code")), "do-rel.h", since=NEVER, clean=True),
    Row("rela-half-a-record", rela(("words", 0, 8, "code"), size=25, then=struct.pack("<QQQ", NOTHING, 8, 0)),
        "do-rel.h: the last record is read whole", code="WC708"),
    Row("relacount-beyond-the-table",
        rela(("words", 0, 8, "code"), count=2, then=struct.pack("<QQQ", NOTHING, 8, 0)), "do-rel.h",
        since=(2, 22), code="WC708"),
    Row("rel-on-x86-64", plain(dynamic=[("REL", 0x200), ("RELSZ", 16), ("RELENT", 99)]), DYNAMIC_INFO,
        since=NEVER, code="WC708"),
    Row("relative-nowhere", rela((NOTHING, 0, 8, 0)), "dl-machine.h, elf_machine_rela", code="WC708"),
    Row("irelative-nowhere", rela(("words", 0, 37, NOTHING)), "dl-machine.h, elf_machine_rela", code="WC708"),
    Row("irelative-to-data", rela(("words", 0, 37, "words")), "dl-machine.h, elf_machine_rela", code="WC708"),
    Row("irelative-good", rela(("words", 0, 37, "code")), "dl-machine.h, elf_machine_rela", since=NEVER, clean=True),
    Row("ifunc-to-data", ifunc("words"), "dl-machine.h, elf_machine_rela", code="WC708"),
    Row("ifunc-nowhere", ifunc(NOTHING), "dl-machine.h, elf_machine_rela", code="WC708"),
    Row("ifunc-good", ifunc("code"), "dl-machine.h, elf_machine_rela", since=NEVER, clean=True),
    Row("relr-good", relr(["words"]), "dynamic-link.h, ELF_DYNAMIC_DO_RELR", before=(2, 36), clean=True),
    Row("relr-nowhere", relr([NOTHING]), "dynamic-link.h, ELF_DYNAMIC_DO_RELR", code="WC708"),
    Row("relr-read-only", relr(["code"]), "dynamic-link.h, ELF_DYNAMIC_DO_RELR", code="WC708"),
    Row("relr-bitmap-first", relr([3]), "dynamic-link.h, ELF_DYNAMIC_DO_RELR", code="WC708"),
    # 16 MiB, because what is mapped behind the library may be writable too.
    Row("relr-bitmap-leaves", relr(["words"] + [(1 << 64) - 1] * ((16 << 20) // (63 * 8))),
        "dynamic-link.h, ELF_DYNAMIC_DO_RELR", code="WC708"),
    Row("relr-table-not-mapped", relr([], size=8, table=NOTHING), "dynamic-link.h, ELF_DYNAMIC_DO_RELR", code="WC708"),
    # elf/dl-init.c
    Row("init-array-good", calls("code", relocated=True), "dl-init.c, call_init", since=NEVER, clean=True),
    Row("init-array-not-relocated", calls("code"), "dl-init.c, call_init", code="WC708"),
    Row("init-array-zero", calls(0), "dl-init.c, call_init", code="WC708"),
    Row("init-array-to-data", calls("words", relocated=True), "dl-init.c, call_init", code="WC708"),
    Row("init-array-nowhere", calls(NOTHING, relocated=True), "dl-init.c, call_init", code="WC708"),
    Row("init-array-to-a-symbol", calls_symbol(0x12, 6, "code"), "dl-init.c, call_init", since=NEVER, clean=True),
    Row("init-array-to-a-variable", calls_symbol(0x11, 6, "words"), "dl-init.c, call_init", code="WC708"),
    Row("init-array-to-a-weak-symbol", calls_symbol(0x20, 0, 0), "dl-init.c, call_init", code="WC708"),
    # sysdeps/x86/dl-prop.h
    Row("isa-of-no-processor", with_header((PT_NOTE, "n", 32, 32, 8),
        extras=[("n", note(b"GNU\0", 5, struct.pack("<IIII", 0xC0008002, 4, 0x80, 0)))]),
        "dl-prop.h, _dl_process_pt_note", since=(2, 33), code="WC708"),
    # elf/dl-version.c
    Row("base-version-without-versym", base_version_alone(False), "dl-version.c, _dl_check_map_versions", code="WC708"),
    Row("base-version-good", base_version_alone(True), "dl-version.c, _dl_check_map_versions", since=NEVER, clean=True),
]


def cases() -> list[Case]:
    return cases_of(ROWS, "glibc")


def cases_of(rows: list[Row], topic: str) -> list[Case]:
    out = []
    for row in rows:
        expect = "ok" if row.clean else "finding"
        told = {} if row.clean else {"code": row.code, "fails": row.fails}
        tag = "cp311-cp311-manylinux_2_36_x86_64" if "relr" in row.name else ELF_TAG
        # The release of the system is not known here. glibc_test.py determines it.
        loads = True if row.clean else False if row.since == (2, 17) and row.before == (9, 0) else None
        out.append(elf_case(f"{topic}-{row.name}", expect, ROW, row.library, member=MODULE, tag=tag,
                            loads=None if row.undefined else loads, **told))
    return out
