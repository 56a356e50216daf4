"""ELF headers, and files that end too early."""

from elf_maker import Library
from hostile import CORE, elf_case

REFUSED = (
    "ELF header the loader refuses (class, data, versions, phentsize, phoff, phnum, e_type), truncated ELF, magic only"
)
UNSEEN = "section headers stripped, lying, 30,000 of them, e_shnum 0 with 2^60 in sh_size"


def refused(name: str, elf, **told):
    return elf_case(name, "finding", REFUSED, elf, **{"code": "WC708", "fails": True, "loads": False, **told})


def cases():
    for name, ident in {
        "class-zero": {4: 0},
        "class-32": {4: 1},
        "class-three": {4: 3},
        "data-zero": {5: 0},
        "data-big": {5: 2},
        "data-three": {5: 3},
        "version-zero": {6: 0},
        "version-two": {6: 2},
        "abi-freebsd": {7: 9},
        "abi-standalone": {7: 255},
        "abi-version": {8: 1},
        "padding": {9: 1},
        "padding-last": {15: 0xFF},
    }.items():
        told = {"code": None} if name in ("class-32", "data-big") else {}
        yield refused(f"ident-{name}", Library(ident=ident), **told)
    yield elf_case("ident-abi-linux", "ok", REFUSED, Library(ident={7: 3}), loads=True)
    for name, header in {
        "version-zero": {"version": 0},
        "version-two": {"version": 2},
        "type-none": {"type": 0},
        "type-five": {"type": 5},
        "type-os": {"type": 0xFE00},
        "type-processor": {"type": 0xFFFF},
        "phentsize-zero": {"phentsize": 0},
        "phentsize-32": {"phentsize": 32},
        "phentsize-57": {"phentsize": 57},
        "phentsize-largest": {"phentsize": 0xFFFF},
        "phoff-beyond": {"phoff": 1 << 20},
        "phoff-wraps": {"phoff": (1 << 64) - 8},
        "phoff-negative": {"phoff": 1 << 63},
        "phoff-zero": {"phoff": 0},
        "phnum-zero": {"phnum": 0},
        "phnum-largest": {"phnum": 0xFFFF},
        "phnum-beyond": {"phnum": 4000},
        "machine-none": {"machine": 0},
    }.items():
        told = {"code": None} if name.startswith(("machine", "phoff-zero")) else {}
        yield refused(f"header-{name}", Library(header=header), **told)
    yield elf_case("header-type-relocatable", "finding", REFUSED, Library(header={"type": 1}), code="WC516", loads=False)
    yield elf_case("header-type-core", "finding", REFUSED, Library(header={"type": 4}), code="WC516", loads=False)
    # A program: dlopen() refuses it, but the kernel starts it.
    yield elf_case("header-type-program", "remarked", REFUSED, Library(header={"type": 2}))
    for name, header in {
        "ehsize-zero": {"ehsize": 0},
        "ehsize-largest": {"ehsize": 0xFFFF},
        "flags": {"flags": 0xDEADBEEF},
        "entry": {"entry": (1 << 64) - 1},
        "shentsize": {"shentsize": 1},
        "shstrndx": {"shstrndx": 0xFFFE},
        "shoff-beyond": {"shoff": 1 << 60},
        "shnum": {"shnum": 0xFEFF},
    }.items():
        yield elf_case(f"header-unseen-{name}", "ok", UNSEEN, Library(header=header), loads=True)

    whole = Library().build()
    library = Library()
    library.build()
    cuts = {
        "magic-only": 4,
        "class-only": 5,
        "ident": 16,
        "in-header": 40,
        "header-but-a-byte": 63,
        "header": 64,
        "in-segments": 64 + 56 + 20,
        "segments": 64 + 56 * 5,
        "strings": library.offset("strtab") + 3,
        "code": library.offset("code"),
        "in-code-page": library.offset("code") + 1,
        "words": library.offset("words"),
        "in-dynamic": library.offset("dynamic") + 24,
        "dynamic-but-a-byte": library.offset("dynamic") + library.size("dynamic") - 1,
    }
    for name, at in cuts.items():
        yield elf_case(
            f"cut-{name}", "finding", REFUSED, whole[:at], code="WC708", fails=True, loads=False if at < 1000 else None
        )
    for name in ("shstrtab", "sections"):
        yield elf_case(f"cut-at-{name}", "ok", UNSEEN, whole[: library.offset(name)], loads=True)
    yield elf_case("cut-last-byte-of-sections", "ok", UNSEEN, whole[:-1], loads=True)
    yield elf_case("cut-hole", "finding", REFUSED, whole[:0x800] + whole[0x1000:])
    for path in ("hostile/magic.py", "hostile/magic.txt", "hostile/magic", "hostile/.magic"):
        yield elf_case(
            f"magic-only-{path.rsplit('/')[-1].replace('.', '-')}",
            "finding",
            REFUSED,
            b"\x7fELF",
            member=path,
            code="WC708",
            fails=True,
        )
    yield elf_case(
        "magic-then-text",
        "finding",
        REFUSED,
        b"\x7fELF is how such files begin\n" * 40,
        code="WC708",
        fails=True,
        loads=False,
    )
    yield elf_case(
        "magic-then-zeros", "finding", REFUSED, b"\x7fELF" + bytes(4096), code="WC708", fails=True, loads=False
    )
    yield elf_case(
        "magic-then-ones", "finding", REFUSED, b"\x7fELF" + b"\xff" * 4096, code="WC708", fails=True, loads=False
    )
    yield elf_case("whole", "ok", REFUSED, whole, loads=True)
    yield elf_case("whole-and-trailing-bytes", "ok", REFUSED, whole + b"trailing" * 100, loads=True)
    yield elf_case(
        "whole-two-files",
        "ok",
        REFUSED,
        whole,
        more={"hostile/other.so": Library(exports=["other"]).build()},
        loads=True,
    )
    assert CORE
