"""The dynamic section, the string table and the symbols."""

from elf_maker import TAGS, Import, Library
from hostile import elf_case

ROW = (
    "DT_STRTAB/SYMTAB/VERNEED outside, strings without end, vn/vna chains that overlap, wrap (also in 32 bits) or "
    "leave the segment, vn_version 2"
)
FAR = 1 << 40
TOP = (1 << 64) - 8


def malformed(name: str, library: Library, loads=None, **told):
    return elf_case(
        f"dynamic-{name}", "finding", ROW, library, **{"code": "WC708", "fails": True, "loads": loads, **told}
    )


def before(*entries):
    return lambda lib, out: [*entries, *out]


def cases():
    for tag in ("STRTAB", "SYMTAB"):
        word = tag.lower()
        yield malformed(f"{word}-absent", Library(drop=(tag,)))
        for name, value in {"far": FAR, "top": TOP, "just-behind": 0x3000, "half": 1 << 63, "in-hole": 0x800}.items():
            if (tag, name) == ("SYMTAB", "in-hole"):
                continue
            yield malformed(f"{word}-{name}", Library(values={tag: value}), code=None if name == "in-hole" else "WC708")
    for tag in ("VERNEED", "VERSYM", "GNU_HASH", "RELA"):
        for name, value in {"far": FAR, "top": TOP, "just-behind": 0x3000}.items():
            yield malformed(f"{tag.lower().replace('_', '-')}-{name}", Library(values={tag: value}))
    yield malformed("versym-absent", Library(drop=("VERSYM",)))
    yield malformed("rela-size-absent", Library(drop=("RELASZ",)))
    yield malformed("rela-entry-absent", Library(drop=("RELAENT",)))
    yield malformed("rela-entry-wrong", Library(values={"RELAENT": 16}), False)
    yield malformed("rela-size-huge", Library(values={"RELASZ": 24 << 40}), False)
    yield malformed("rela-size-into-nothing", Library(values={"RELASZ": 24 * 100_000}))
    yield malformed("jmprel-without-size", Library(dynamic=[("JMPREL", 0x600), ("PLTREL", 7)]))
    yield malformed("jmprel-without-kind", Library(dynamic=[("JMPREL", 0x600), ("PLTRELSZ", 0)]))
    yield malformed("pltrel-nonsense", Library(dynamic=[("PLTREL", 99), ("JMPREL", 0x600), ("PLTRELSZ", 0)]), False)
    yield elf_case("dynamic-no-end-but-zeros", "remarked", ROW, Library(end_dynamic=False))
    yield malformed("empty", Library(edit_dynamic=before((0, 0))))
    yield malformed("first-entry-null-then-all", Library(edit_dynamic=before((0, 0)), sections=False))
    yield malformed("no-end-page-full", full_page())
    for tag in ("NEEDED", "SONAME", "RPATH", "RUNPATH"):
        for name, value in {"far": 1 << 40, "wraps": TOP}.items():
            yield malformed(f"{tag.lower()}-string-{name}", Library(dynamic=[(tag, value)]))
    yield elf_case("dynamic-needed-empty", "finding", ROW, Library(dynamic=[("NEEDED", 0)]))
    yield malformed("string-without-end", endless())
    yield malformed("symbol-name-far", Library(edit=lambda lib: lib.put("symtab", "I", 0x7FFFFFFF, by=24)), fails=None)
    yield malformed("export-name-far", Library(edit=lambda lib: lib.put("symtab", "I", 0x7FFFFFFF, by=48)), fails=None)
    yield malformed("relocation-symbol-far", Library(edit=lambda lib: lib.put("rela", "Q", 0xFFFFFF << 32 | 6, by=8)))
    yield malformed("relocation-offset-far", Library(edit=lambda lib: lib.put("rela", "Q", FAR)), False)
    yield malformed(
        "relocation-offset-read-only",
        Library(edit=lambda lib: lib.put("rela", "Q", 0x400)),
        False,
        code=None,
        fails=None,
    )
    yield malformed(
        "relocation-unknown-type", Library(edit=lambda lib: lib.put("rela", "Q", 1 << 32 | 0xEE, by=8)), False
    )
    yield malformed("init-far", Library(dynamic=[("INIT", FAR)]), False)
    yield malformed("init-array-far", Library(dynamic=[("INIT_ARRAY", FAR), ("INIT_ARRAYSZ", 8)]), False)
    yield elf_case("dynamic-syment-wrong", "finding", ROW, Library(values={"SYMENT": 16}), loads=None)
    yield elf_case(
        "dynamic-undefined-symbol",
        "remarked",
        ROW,
        Library(imports=[Import("no_such_function_anywhere", None, None)]),
        loads=False,
        depends=True,
    )
    yield elf_case(
        "dynamic-unknown-tags",
        "ok",
        ROW,
        Library(dynamic=[(0x6FFFFDFF, FAR), (0x12345678, 7), (0x70000001, 1)]),
        loads=True,
    )
    yield elf_case("dynamic-fini-far", "remarked", ROW, Library(dynamic=[("FINI", FAR)]))
    yield elf_case(
        "dynamic-20000-needed",
        "finding",
        ROW,
        Library(needed=["libc.so.6", *(f"libx{n}.so" for n in range(20_000))]),
        loads=False,
    )
    yield elf_case(
        "dynamic-100000-needed-the-same",
        "remarked",
        ROW,
        Library(edit_dynamic=lambda lib, out: [(1, lib.string("libc.so.6"))] * 100_000 + out),
    )
    yield elf_case(
        "dynamic-needed-one-long-name",
        "finding",
        ROW,
        Library(needed=["libc.so.6", "lib" + "x" * 1_000_000 + ".so"]),
        loads=False,
    )
    # Every entry starts one byte later in one long name. A reader that copies names needs quadratic time.
    many = Library(
        strings=["y" * 60_000],
        edit_dynamic=lambda lib, out: out + [(1, lib.string("y" * 60_000) + n) for n in range(50_000)],
    )
    yield elf_case("dynamic-needed-tails-of-one-name", "finding", ROW, many)

    # The same with symbols that a report would name.
    def tails(lib: Library) -> None:
        for number in range(1, 30_001):
            lib.put("symtab", "I", lib.string("z" * 60_000) + number, by=24 * number)

    imports = [Import(f"wanted_{n}", version="GLIBC_2.2.5") for n in range(30_000)]
    many = Library(imports=imports, relocations=False, strings=["z" * 60_000], edit=tails)
    yield malformed("symbols-tails-of-one-name", many)
    yield elf_case(
        "dynamic-60000-symbols",
        "ok",
        ROW,
        Library(exports=["PyInit_core", *(f"core_{n}" for n in range(15_000))]),
        loads=True,
    )
    yield elf_case(
        "dynamic-entries-over-limit",
        "finding",
        ROW,
        Library(edit_dynamic=lambda lib, out: out + [(0x6FFFFD00, 0)] * 1_000_001),
    )
    for machine, tag in (("i686", "manylinux_2_17_i686"), ("s390x", "manylinux_2_17_s390x")):
        for what in ("STRTAB", "SYMTAB", "VERNEED"):
            far = 0xFFFFFFF8 if machine == "i686" else TOP
            yield elf_case(
                f"dynamic-{what.lower()}-top-{machine}",
                "finding",
                ROW,
                Library(machine=machine, values={what: far}),
                tag=f"cp311-cp311-{tag}",
                code="WC708",
                fails=True,
                machine_is_this=False,
            )
    assert TAGS["STRTAB"] == 5


def full_page() -> Library:
    """The entries continue to the last byte of the mapped page, without DT_NULL."""
    library = Library(end_dynamic=False)
    library.edit_dynamic = lambda lib, out: out + [(0x6FFFFD00, 1)] * ((0x1000 - 8 - 16 * len(out)) // 16)
    library.sections = False

    def last(lib):
        rest = -len(lib.image) % 0x1000
        lib.image += b"\1" * rest

    library.edit = last
    return library


def endless() -> Library:
    """The string table is at the end of its page, and its last string has no NUL."""
    library = Library()
    text = b"libendless.so"
    library.extras = [("strings", lambda lib: b"E" * 2)]

    def spread(lib, segments):
        import dataclasses

        first = dataclasses.replace(segments[0], file_size=0x1000, memory_size=0x1000)
        return [first, *segments[1:]]

    def edit(lib):
        lib.image[0x1000 - len(text) : 0x1000] = text
        # There is nothing mapped after the page, because the code moves one page up in memory.

    library.edit_segments = lambda lib, segments: move_up(spread(lib, segments))
    library.edit = edit
    library.dynamic = [("NEEDED", 0x1000 - len(text) - 0x580)]
    library.values = {}
    library.room = 24
    library.edit_dynamic = lambda lib, out: [
        (t, 0x1000 - len(text) - lib.at("strtab")) if (t, v) == (1, 0x1000 - len(text) - 0x580) else (t, v)
        for t, v in out
    ]
    return library


def move_up(segments):
    import dataclasses

    code = segments[1]
    return [segments[0], segments[2], dataclasses.replace(code, address=0x9000), *segments[3:]]
