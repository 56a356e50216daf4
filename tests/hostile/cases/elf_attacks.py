"""A hundred and ten changes of a library, each opened by three releases of glibc (glibc_test.py). They are here because
they change fields that other topics do not: symbols of the module, DT_PREINIT_ARRAY, flags, names of libraries, the
space that is mapped. Where the loader takes a file, but Python cannot import it, there is a finding too."""

import dataclasses

from cases.elf_glibc import MALLOC, NEVER, NOTHING, Row, cases_of, plain, rela, segments, with_header
from elf_maker import PT_DYNAMIC, PT_GNU_RELRO, PT_GNU_STACK, PT_LOAD, Import, Library, R, Segment
from hostile import Case

VERIFY = "dl-load.c, open_verify"
MAP = "dl-load.c, _dl_map_object_from_fd, and dl-map-segments.h"
RELOCATE = "dl-machine.h, elf_machine_rela, and do-rel.h"
CALLS = "dl-init.c, _dl_init, and dlsym of the module's PyInit_ function"
DEPENDENCIES = "dl-load.c, _dl_map_object, and dl-deps.c"
LOOKUP = "dl-lookup.c, do_lookup_x"


def sym(index: int, kinds: str, *values: int, by: int = 0):
    return lambda lib: lib.put("symtab", kinds, *values, by=24 * index + by)


def value_of_init(place) -> Library:
    """PyInit_core is at another place."""
    return Library(edit=lambda lib: lib.put("symtab", "Q", place if isinstance(place, int) else lib.at(place), by=56))


def init(tag: int, place) -> Library:
    return plain(edit_dynamic=lambda lib, out: [*out, (tag, lib.at(place) if isinstance(place, str) else place)])


def kind(number: int, symbol: int = 0, addend: int = 0) -> Library:
    return rela(("words", symbol, number, addend))


def swapped(_, found):
    at = [i for i, s in enumerate(found) if s.type == PT_LOAD]
    found[at[0]], found[at[1]] = found[at[1]], found[at[0]]
    return found


def load(number: int, **fields) -> Library:
    """Changes fields of a PT_LOAD."""

    def change(_, found):
        at = [i for i, s in enumerate(found) if s.type == PT_LOAD][number]
        return [dataclasses.replace(s, **fields) if i == at else s for i, s in enumerate(found)]

    return plain(edit_segments=segments(change))


def more(*headers: Segment) -> Library:
    return plain(edit_segments=segments(lambda lib, found: [*found, *headers]))


def undefined(name: str) -> Library:
    return Library(imports=[MALLOC, Import(name, version=None)])


ROWS = [
    Row("ident-padding", plain(ident={9: 1}), VERIFY, code="WC708"),
    Row("ident-padding-last", plain(ident={15: 7}), VERIFY, code="WC708"),
    Row("osabi-freebsd", plain(ident={7: 9}), VERIFY, code="WC708"),
    Row("osabi-gnu", plain(ident={7: 3}), VERIFY, since=NEVER, clean=True),
    Row("osabi-arm", plain(ident={7: 97}), VERIFY, code="WC708"),
    Row("abiversion-1", plain(ident={8: 1}), VERIFY, code="WC708"),
    Row("osabi-gnu-abiversion-3", plain(ident={7: 3, 8: 3}), VERIFY, since=NEVER, code="WC708"),
    Row("version-2", plain(header={"version": 2}), VERIFY, code="WC708"),
    Row("ehsize-0", plain(header={"ehsize": 0}), VERIFY, since=NEVER, clean=True),
    Row("ehsize-200", plain(header={"ehsize": 200}), VERIFY, since=NEVER, clean=True),
    Row("phentsize-55", plain(header={"phentsize": 55}), VERIFY, code="WC601"),
    Row("phnum-0", plain(header={"phnum": 0}), VERIFY, code="WC601"),
    Row("phnum-ffff", plain(header={"phnum": 0xFFFF}), VERIFY, code="WC511"),
    Row("flags-high", plain(header={"flags": 0xFFFFFFFF}), VERIFY, since=NEVER, clean=True),
    Row("entry-high", plain(header={"entry": 1 << 63}), VERIFY, since=NEVER, clean=True),
    Row("textrel-code", rela(("code", 0, 8, 0)), RELOCATE, code="WC708"),
    Row("rel-type-200", kind(200), RELOCATE, code="WC708"),
    Row("rel-pc32", kind(2, 1), RELOCATE, since=NEVER, clean=True),
    Row("rel-pc32-far", kind(2, 1, addend=1 << 40), RELOCATE, since=NEVER, clean=True),
    Row("rel-32", kind(10, 1), RELOCATE, since=NEVER, code="WC708"),
    Row("rel-none", kind(0, 1), RELOCATE, since=NEVER, code="WC708"),
    Row("rel-none-symbol-far", kind(0, 0x7FFFFFFF), RELOCATE, code="WC708"),
    Row("rel-copy", kind(5, 1), RELOCATE, since=NEVER, code="WC708"),
    Row("rel-symbol-out", kind(6, 5000), RELOCATE, undefined=True, code="WC708"),
    Row("rel-symbol-far", kind(6, 0x7FFFFFFF), RELOCATE, code="WC708"),
    Row("rel-tpoff-undefined", kind(18, 1), RELOCATE, since=NEVER, code="WC708"),
    Row("rel-dtpmod-0", kind(16, 0), RELOCATE, since=NEVER, code="WC708"),
    Row("rel-tlsdesc", kind(36, 0), RELOCATE, code="WC708"),
    Row("rel-size", kind(33, 1), RELOCATE, since=NEVER, clean=True),
    Row("rel-relative64", kind(38), RELOCATE, since=NEVER, clean=True),
    Row("rel-goff", kind(25, 1), RELOCATE, code="WC708"),
    Row("rel-jump-slot-in-rela", kind(7, 1), RELOCATE, since=NEVER, clean=True),
    Row(
        "jmprel-nowhere",
        plain(edit_dynamic=lambda lib, out: [*out, (23, NOTHING), (2, 24), (20, 7)]),
        RELOCATE,
        code="WC708",
    ),
    Row(
        "jmprel-without-pltrel",
        plain(edit_dynamic=lambda lib, out: [*out, (23, lib.at("words")), (2, 24)]),
        RELOCATE,
        since=NEVER,
        code="WC708",
    ),
    Row("pltrelsz-alone", plain(dynamic=[("PLTRELSZ", 24), ("PLTREL", 7)]), RELOCATE, code="WC708"),
    Row("pltgot-nowhere", plain(dynamic=[(3, NOTHING)]), RELOCATE, since=NEVER, clean=True),
    Row("loads-swapped", plain(edit_segments=segments(swapped)), MAP, since=NEVER, code="WC708"),
    Row("memsz-huge", load(2, memory_size=1 << 46), MAP, code="WC708"),
    Row("memsz-2^63", load(2, memory_size=1 << 63), MAP, code="WC708"),
    Row("memsz-less", load(0, memory_size=16), MAP, since=NEVER, code="WC708"),
    Row("filesz-past-eof", load(1, file_size=0x100000, memory_size=0x100000), MAP, code="WC708"),
    Row("code-not-exec", load(1, flags=R), MAP, since=NEVER, code="WC708"),
    Row(
        "all-rwx",
        plain(
            edit_segments=segments(
                lambda lib, s: [dataclasses.replace(x, flags=7) if x.type == PT_LOAD else x for x in s]
            )
        ),
        MAP,
        since=NEVER,
        code="WC603",
        fails=False,
    ),
    Row("address-0x7ff", more(Segment(PT_LOAD, R, 0, 0x7FFFFFFFF000, 16, 16, 0x1000)), MAP, code="WC708"),
    Row("address-kernel", more(Segment(PT_LOAD, R, 0, 0xFFFF800000000000, 16, 16, 0x1000)), MAP, code="WC708"),
    Row(
        "stack-sized",
        plain(
            edit_segments=segments(
                lambda lib, s: [dataclasses.replace(x, memory_size=1 << 62) if x.type == PT_GNU_STACK else x for x in s]
            )
        ),
        MAP,
        since=NEVER,
        clean=True,
    ),
    Row("interp-nowhere", with_header((3, NOTHING, 100, 100, 1)), MAP, since=NEVER, code="WC708"),
    Row("phdr-wrong", with_header((6, 0x5000, 56, 56, 8)), MAP, since=NEVER, code="WC708"),
    Row(
        "two-dynamic-same",
        plain(edit_segments=segments(lambda lib, s: s + [x for x in s if x.type == PT_DYNAMIC])),
        MAP,
        since=NEVER,
        code="WC708",
    ),
    Row("eh-frame-nowhere", with_header((0x6474E550, NOTHING, 64, 64, 4)), MAP, since=NEVER, clean=True),
    Row("needed-empty", plain(needed=["", "libc.so.6"]), DEPENDENCIES, since=NEVER, code="WC103"),
    Row(
        "needed-self",
        plain(soname="libself.so", needed=["libself.so", "libc.so.6"]),
        DEPENDENCIES,
        since=NEVER,
        clean=True,
    ),
    Row("needed-slash", plain(needed=["/", "libc.so.6"]), DEPENDENCIES, code="WC103"),
    Row("needed-dot", plain(needed=["./core.so", "libc.so.6"]), DEPENDENCIES, undefined=True, code="WC103"),
    Row("needed-space", plain(needed=["libc.so.6 ", "libc.so.6"]), DEPENDENCIES, code="WC103"),
    Row("needed-proc", plain(needed=["/proc/self/exe", "libc.so.6"]), DEPENDENCIES, undefined=True, code="WC103"),
    Row("needed-lib", plain(needed=["$LIB/libc.so.6", "libc.so.6"]), DEPENDENCIES, code="WC103"),
    Row("needed-platform", plain(needed=["$PLATFORM/x.so", "libc.so.6"]), DEPENDENCIES, code="WC103"),
    Row("needed-origin", plain(needed=["$ORIGIN/missing.so", "libc.so.6"]), DEPENDENCIES, code="WC103"),
    Row("needed-twice", plain(needed=["libc.so.6", "libc.so.6"]), DEPENDENCIES, since=NEVER, clean=True),
    Row("needed-libc-case", plain(needed=["LIBC.so.6"]), DEPENDENCIES, code="WC103"),
    Row("needed-libm-minor", plain(needed=["libm.so.6.0", "libc.so.6"]), DEPENDENCIES, code="WC103"),
    Row(
        "filter",
        plain(dynamic=[(0x7FFFFFFF, "libabsent.so.1")], strings=["libabsent.so.1"]),
        DEPENDENCIES,
        code="WC103",
    ),
    Row(
        "auxiliary",
        plain(dynamic=[(0x7FFFFFFD, "libabsent.so.1")], strings=["libabsent.so.1"]),
        DEPENDENCIES,
        since=NEVER,
        clean=True,
    ),
    Row(
        "audit",
        plain(dynamic=[(0x6FFFFEFC, "libabsent.so.1")], strings=["libabsent.so.1"]),
        DEPENDENCIES,
        since=NEVER,
        clean=True,
    ),
    Row("depaudit-posflag", plain(dynamic=[(0x6FFFFDFD, 1)]), DEPENDENCIES, since=NEVER, clean=True),
    Row("flags1-nodelete-group-interpose", plain(dynamic=[(0x6FFFFFFB, 0x40C)]), DEPENDENCIES, since=NEVER, clean=True),
    Row("flags1-unknown", plain(dynamic=[(0x6FFFFFFB, 0xF0000000)]), DEPENDENCIES, since=NEVER, clean=True),
    Row("flags1-initfirst", plain(dynamic=[(0x6FFFFFFB, 0x20)]), DEPENDENCIES, since=NEVER, clean=True),
    Row(
        "flags1-nodeflib",
        plain(needed=["libz.so.1", "libc.so.6"], dynamic=[(0x6FFFFFFB, 0x800)]),
        DEPENDENCIES,
        code="WC708",
    ),
    Row("flags1-stub", plain(dynamic=[(0x6FFFFFFB, 0x4000000)]), DEPENDENCIES, since=NEVER, clean=True),
    Row("init-data", init(12, "words"), CALLS, code="WC708"),
    Row("init-nowhere", init(12, NOTHING), CALLS, code="WC708"),
    Row("init-code", init(12, "code"), CALLS, since=NEVER, clean=True),
    Row("init-zero", init(12, 0), CALLS, code="WC708"),
    Row("fini-nowhere", init(13, NOTHING), CALLS, since=NEVER, code="WC708"),
    Row(
        "preinit-array",
        plain(edit_dynamic=lambda lib, out: [*out, (32, lib.at("words")), (33, 8)]),
        CALLS,
        code="WC708",
    ),
    Row(
        "init-array-odd-size",
        plain(edit_dynamic=lambda lib, out: [*out, (25, lib.at("words")), (27, 7)]),
        CALLS,
        since=NEVER,
        clean=True,
    ),
    Row(
        "fini-array-without-size",
        plain(edit_dynamic=lambda lib, out: [*out, (26, lib.at("words"))]),
        CALLS,
        since=NEVER,
        code="WC708",
    ),
    Row("init-hidden", Library(edit=sym(2, "B", 2, by=5)), CALLS, since=NEVER, code="WC708"),
    Row("init-local", Library(edit=sym(2, "B", 0x02, by=4)), CALLS, since=NEVER, code="WC708"),
    Row("init-object", Library(edit=sym(2, "B", 0x11, by=4)), CALLS, since=NEVER, clean=True),
    Row("init-value-0", Library(edit=sym(2, "Q", 0, by=8)), CALLS, since=NEVER, code="WC708"),
    Row("init-value-data", value_of_init("words"), CALLS, since=NEVER, code="WC708"),
    Row("init-value-nowhere", value_of_init(NOTHING), CALLS, since=NEVER, code="WC708"),
    Row("init-abs", Library(edit=sym(2, "H", 0xFFF1, by=6)), CALLS, since=NEVER, code="WC708"),
    Row("init-tls", Library(edit=sym(2, "B", 0x16, by=4)), CALLS, since=NEVER, code="WC708"),
    Row("init-section-type", Library(edit=sym(2, "B", 0x13, by=4)), CALLS, since=NEVER, code="WC708"),
    Row("undefined-symbol", undefined("no_library_defines_this"), LOOKUP, code="WC306"),
    Row(
        "undefined-weak",
        dataclasses.replace(undefined("no_library_defines_this"), edit=sym(2, "B", 0x22, by=4)),
        LOOKUP,
        since=NEVER,
        clean=True,
    ),
    Row("bloom-0", Library(edit=lambda lib: lib.put("gnu_hash", "Q", 0, by=16)), LOOKUP, since=NEVER, code="WC708"),
    Row(
        "bloom-shift-64", Library(edit=lambda lib: lib.put("gnu_hash", "I", 64, by=12)), LOOKUP, since=NEVER, clean=True
    ),
    Row(
        "versym-hidden-base",
        Library(edit=lambda lib: lib.put("versym", "H", 0x8001, by=4)),
        LOOKUP,
        since=NEVER,
        clean=True,
    ),
    Row("symtab-shared-strtab", Library(values={"SYMENT": 16}), LOOKUP, since=NEVER, code="WC708"),
    Row("strsz-0", Library(values={"STRSZ": 0}), LOOKUP, since=NEVER, code="WC708"),
    Row("no-strtab", Library(drop=("STRTAB",)), LOOKUP, code="WC103"),
    Row("no-symtab", Library(drop=("SYMTAB",)), LOOKUP, code="WC708"),
    Row("no-hash", Library(hash="none"), LOOKUP, since=NEVER, code="WC708"),
    Row("dynamic-no-end", Library(end_dynamic=False), LOOKUP, since=NEVER, code="WC708"),
    Row("flags-static-tls", plain(dynamic=[(30, 0x10)]), LOOKUP, since=NEVER, code="WC508", fails=False),
    Row("symbolic", plain(dynamic=[(16, 0)]), LOOKUP, since=NEVER, clean=True),
    Row("debug-nowhere", plain(dynamic=[(21, NOTHING)]), LOOKUP, since=NEVER, clean=True),
    Row("prelinked", plain(dynamic=[(0x6FFFFDF5, 1)]), MAP, since=NEVER, clean=True),
    Row("tag-of-all-ones", plain(dynamic=[(0xFFFFFFFFFFFFFFFF, NOTHING)]), MAP, since=NEVER, clean=True),
    Row("tag-of-a-processor", plain(dynamic=[(0x70000000, NOTHING)]), MAP, since=NEVER, clean=True),
    Row("textrel-without-one", plain(dynamic=[(22, 0)]), RELOCATE, since=NEVER, code="WC602", fails=False),
    Row("bind-now-with-flags-0", plain(dynamic=[(24, 0), (30, 0)]), RELOCATE, since=NEVER, clean=True),
    Row("relro-twice", with_header((PT_GNU_RELRO, 0x2000, 0, 16, 1)), RELOCATE, since=NEVER, clean=True),
    Row("soname-nowhere", plain(dynamic=[(14, 0x7FFFFFFF)]), DEPENDENCIES, since=NEVER, undefined=True, code="WC708"),
    Row("runpath-nowhere", plain(dynamic=[(29, 0x7FFFFFFF)]), DEPENDENCIES, since=NEVER, undefined=True, code="WC708"),
    Row("verneednum-0", Library(values={"VERNEEDNUM": 0}), LOOKUP, since=NEVER, code="WC708"),
]


def cases() -> list[Case]:
    return cases_of(ROWS, "attack")
