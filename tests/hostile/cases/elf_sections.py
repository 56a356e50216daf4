"""Section headers, which the loader never reads."""

import dataclasses

from elf_maker import Import, Library, Section
from hostile import elf_case

ROW = "section headers stripped, lying, 30,000 of them, e_shnum 0 with 2^60 in sh_size"
EVASION = "DT_STRSZ, DT_VERNEEDNUM, vn_cnt, p_offset, decoys, doubled tags, overlapping PT_LOAD, DT_FILTER"


def change(name: str, **fields):
    return lambda lib, out: [dataclasses.replace(s, **fields) if s.name == name else s for s in out]


def zero_count(lib, out):
    """The number of sections is in sh_size of the first section."""
    out[0] = dataclasses.replace(out[0], size=1 << 60)
    return out


def all_of(**fields):
    return lambda lib, out: [dataclasses.replace(s, **fields) for s in out]


def cases():
    full = "free.*|GLIBC_2.2.5"
    yield elf_case("sections-stripped", "ok", ROW, Library(sections=False), shows="GLIBC_2.2.5", loads=True)
    yield elf_case(
        "sections-stripped-sysv", "ok", ROW, Library(sections=False, hash="sysv"), shows="GLIBC_2.2.5", loads=True
    )
    for name, header in {
        "offset-zero": {"shoff": 0},
        "count-zero": {"shnum": 0},
        "offset-beyond": {"shoff": 1 << 62},
        "offset-odd": {"shoff": 77},
        "offset-in-code": {"shoff": 0x1000},
        "entry-size": {"shentsize": 0},
        "entry-size-large": {"shentsize": 0xFFFF},
        "count-largest": {"shnum": 0xFFFF},
        "names-beyond": {"shstrndx": 0xFEFF},
        "names-extended": {"shstrndx": 0xFFFF},
    }.items():
        yield elf_case(f"sections-{name}", "ok", ROW, Library(header=header), shows=full, loads=True)
    yield elf_case(
        "sections-count-2-60", "ok", ROW, Library(edit_sections=zero_count, header={"shnum": 0}), shows=full, loads=True
    )
    yield elf_case(
        "sections-30000",
        "ok",
        ROW,
        Library(edit_sections=lambda lib, out: out[:-1] + [Section(".junk", 1, flags=0)] * 30_000 + out[-1:]),
        shows=full,
        loads=True,
    )
    yield elf_case(
        "sections-70000",
        "ok",
        ROW,
        Library(
            edit_sections=lambda lib, out: (
                [Section("", 0, size=70_009)] + out[1:-1] + [Section(".junk", 1, flags=0)] * 70_000 + out[-1:]
            )
        ),
        shows=full,
        loads=True,
    )
    for name, edit in {
        "dynsym-elsewhere": change(".dynsym", offset=0x1000, size=24),
        "dynsym-huge": change(".dynsym", size=1 << 40),
        "dynsym-entry-zero": change(".dynsym", entry=0),
        "dynstr-elsewhere": change(".dynstr", offset=0x1000, size=1),
        "dynstr-beyond": change(".dynstr", offset=1 << 50),
        "dynamic-elsewhere": change(".dynamic", offset=0, size=16),
        "dynamic-huge": change(".dynamic", size=(1 << 64) - 1),
        "verneed-none": change(".gnu.version_r", size=0, info=0),
        "verneed-info": change(".gnu.version_r", info=0xFFFFFFFF),
        "versym-short": change(".gnu.version", size=1),
        "hash-type": change(".gnu.hash", type=5, link=3),
        "links-to-itself": all_of(link=1),
        "links-beyond": all_of(link=0xFFFFFFFF),
        "all-nobits": all_of(type=8),
        "all-strings": all_of(type=3, offset=3, size=1 << 20),
        "names-nowhere": all_of(name_offset=0xFFFFFFFF),
        "all-compressed": all_of(flags=0x802),
        "text-no-bytes": change(".text", type=8, flags=6),
        "all-relocations": all_of(type=4, entry=0),
        "all-groups": all_of(type=17, entry=0),
        "all-notes": all_of(type=7),
    }.items():
        yield elf_case(f"sections-{name}", "ok", ROW, Library(edit_sections=edit), shows=full, loads=True)

    # The same false headers in a library that must be reported.
    evil = {"needed": ["libc.so.6", "libhidden.so.9"]}
    for name, how in {
        "stripped": {"sections": False},
        "no-text-bytes": {"edit_sections": change(".text", type=8, flags=6)},
        "all-nobits": {"edit_sections": lambda lib, out: [dataclasses.replace(s, type=8, flags=6) for s in out]},
        "decoy-dynamic": {"edit_sections": change(".dynamic", size=16), "header": {}},
        "decoy-dynstr": {"edit_sections": change(".dynstr", offset=0, size=64)},
        "debug-names": {
            "edit_sections": lambda lib, out: out[:-1] + [Section(".debug_info", 1, flags=0, size=90)] + out[-1:]
        },
    }.items():
        yield elf_case(
            f"evil-sections-{name}",
            "finding",
            EVASION,
            Library(**evil, **how),
            code="WC103",
            says="libhidden",
            fails=True,
            loads=False,
        )
    new = [Import("free", version="GLIBC_2.99")]
    for name, how in {
        "stripped": {"sections": False},
        "verneed-none": {"edit_sections": change(".gnu.version_r", type=1, size=0)},
        "verneed-elsewhere": {"edit_sections": change(".gnu.version_r", offset=0x1000)},
    }.items():
        yield elf_case(
            f"new-sections-{name}",
            "finding",
            EVASION,
            Library(imports=new, **how),
            code="WC102",
            says="GLIBC_2.99",
            fails=True,
            loads=False,
        )
