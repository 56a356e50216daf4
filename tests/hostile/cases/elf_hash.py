"""Hash tables, which contain the number of symbols if there are no section headers."""

from elf_maker import Library
from hostile import elf_case

ROW = "hash tables that lie, when sections are gone"


def gnu(kinds: str, *values: int, by: int, **how) -> Library:
    return Library(edit=lambda lib: lib.put("gnu_hash", kinds, *values, by=by), **how)


def sysv(kinds: str, *values: int, by: int, **how) -> Library:
    return Library(hash="sysv", edit=lambda lib: lib.put("hash", kinds, *values, by=by), **how)


def cases():
    for sections in (True, False):
        tail = "" if sections else "-no-sections"
        how = {"sections": sections}
        exported = 'PyInit_core|"exports": 1|extension module'
        yield elf_case(f"hash-gnu-only{tail}", "ok", ROW, Library(hash="gnu", **how), shows=exported, loads=True)
        yield elf_case(f"hash-sysv-only{tail}", "ok", ROW, Library(hash="sysv", **how), shows=exported, loads=True)
        yield elf_case(f"hash-both{tail}", "ok", ROW, Library(hash="both", **how), shows=exported, loads=True)
        yield elf_case(f"hash-none{tail}", "remarked", ROW, Library(hash="none", **how))
        yield elf_case(
            f"hash-gnu-nothing-exported{tail}",
            "ok",
            ROW,
            Library(hash="gnu", exports=[], **how),
            tag="py3-none-manylinux_2_17_x86_64",  # it has no interface of an interpreter (WC113)
            shows="free",
            loads=True,
        )
        for name, (kinds, value, by) in {
            "no-buckets": ("I", 0, 0),
            "buckets-huge": ("I", 0xFFFFFFFF, 0),
            "first-huge": ("I", 0xFFFFFFFF, 4),
            "first-zero": ("I", 0, 4),
            "no-filter": ("I", 0, 8),
            "filter-huge": ("I", 0xFFFFFFFF, 8),
            "shift-huge": ("I", 200, 12),
            "filter-empty": ("Q", 0, 16),
            "bucket-zero": ("I", 0, 24),
            "bucket-huge": ("I", 0x7FFFFFFF, 24),
            "bucket-low": ("I", 1, 24),
            "chain-without-end": ("I", 0x1234, 28),
        }.items():
            yield elf_case(f"hash-gnu-{name}{tail}", "remarked", ROW, gnu(kinds, value, by=by, **how), depends=True)
        for name, (kinds, value, by) in {
            "no-buckets": ("I", 0, 0),
            "buckets-huge": ("I", 0xFFFFFFFF, 0),
            "symbols-huge": ("I", 0xFFFFFFFF, 4),
            "symbols-zero": ("I", 0, 4),
            "symbols-one": ("I", 1, 4),
            "bucket-huge": ("I", 0x7FFFFFFF, 8),
        }.items():
            yield elf_case(f"hash-sysv-{name}{tail}", "remarked", ROW, sysv(kinds, value, by=by, **how), depends=True)
        # Causes a failed assertion in ld.so.
        for number in (3, 5, 0xFFFFFFFE):
            name = f"hash-gnu-filter-of-{number}{tail}"
            yield elf_case(name, "finding", ROW, gnu("I", number, by=8, **how), code="WC708", fails=True, loads=False)
        yield elf_case(f"hash-sysv-circle{tail}", "remarked", ROW, sysv("II", 2, 2, by=16, **how), depends=True)
        yield elf_case(
            f"hash-disagree{tail}",
            "remarked",
            ROW,
            Library(hash="both", edit=lambda lib: lib.put("hash", "I", 2, by=4), **how),
            depends=True,
        )
    # Both hash tables with one bucket and as many symbols as there are.
    many = ["PyInit_core", *(f"name_{n}" for n in range(5000))]
    yield elf_case("hash-gnu-5000-no-sections", "ok", ROW, Library(exports=many, sections=False), loads=True)
    yield elf_case(
        "hash-sysv-64-bit-words",
        "ok",
        ROW,
        Library(machine="s390x", hash="sysv", sections=False),
        tag="cp311-cp311-manylinux_2_17_s390x",
        shows="extension module",
        machine_is_this=False,
    )
    yield elf_case(
        "hash-gnu-big-endian",
        "ok",
        ROW,
        Library(machine="ppc64", sections=False),
        tag="cp311-cp311-manylinux_2_17_ppc64",
        shows="extension module",
        machine_is_this=False,
    )
    yield elf_case(
        "hash-gnu-32-bit",
        "ok",
        ROW,
        Library(machine="i686", sections=False),
        tag="cp311-cp311-manylinux_2_17_i686",
        shows="extension module",
        machine_is_this=False,
    )
