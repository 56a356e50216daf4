"""Version needs and definitions."""

from elf_maker import Import, Library
from hostile import elf_case

ROW = (
    "DT_STRTAB/SYMTAB/VERNEED outside, strings without end, vn/vna chains that overlap, wrap (also in 32 bits) or "
    "leave the segment, vn_version 2"
)
EVASION = "DT_STRSZ, DT_VERNEEDNUM, vn_cnt, p_offset, decoys, doubled tags, overlapping PT_LOAD, DT_FILTER"
NEW = "GLIBC_ABI_DT_RELR, GLIBC_2.x nonsense, weak too-new version"
TWO = [Import("free"), Import("clock_gettime", version="GLIBC_2.17"), Import("sin", "libm.so.6")]
NEEDED = ["libc.so.6", "libm.so.6"]
# Offset of the second Verneed. The first one has 16 bytes and two Vernaux of 16 bytes each.
SECOND = 48


def patched(kinds: str, *values: int, by: int, **how) -> Library:
    how = {"imports": TWO, "needed": NEEDED, **how}
    return Library(edit=lambda lib: lib.put("verneed", kinds, *values, by=by), **how)


def malformed(name: str, library: Library, **told):
    return elf_case(f"versions-{name}", "finding", ROW, library, **{"code": "WC708", "fails": True, **told})


def cases():
    yield elf_case("versions-good", "ok", ROW, Library(imports=TWO, needed=NEEDED), shows="GLIBC_2.17", loads=True)
    yield elf_case(
        "versions-good-definitions",
        "ok",
        ROW,
        Library(soname="libcore.so.1", defines=["CORE_1", "CORE_2"]),
        shows="CORE_2",
        loads=True,
    )
    for name, value in {
        "overlaps": 4,
        "odd": 17 - 4,
        "wraps-32": 0xFFFFFFF0,
        "back": 0xFFFFFFFF,
        "leaves": 0x100000,
        "far": 0x7FFFFFFF,
    }.items():
        yield malformed(f"vn-next-{name}", patched("I", value, by=12), code="WC708")
        yield malformed(f"vna-next-{name}", patched("I", value, by=16 + 12), code="WC708")
    for name, value in {"leaves": 0x100000, "wraps-32": 0xFFFFFFF0, "far": 0x7FFFFFFF}.items():
        yield malformed(f"vn-aux-{name}", patched("I", value, by=8))
    yield malformed("vn-aux-zero", patched("I", 0, by=8))
    yield malformed("vn-version-two", patched("H", 2, by=0), loads=False)
    yield malformed("vn-version-zero", patched("H", 0, by=0), loads=False)
    yield malformed("vn-version-two-second", patched("H", 2, by=SECOND), loads=None)
    yield malformed("vn-file-far", patched("I", 0x7FFFFFFF, by=4))
    yield malformed("vna-name-far", patched("I", 0x7FFFFFFF, by=16 + 8))
    yield malformed("vna-hash-wrong", patched("I", 0x1234, by=16), loads=False)
    yield malformed("vna-index-twice", patched("H", 3, by=16 + 6), fails=None)
    yield elf_case(
        "versions-vn-file-not-needed",
        "remarked",
        ROW,
        Library(imports=[Import("free"), Import("sin", "libm.so.6")]),
        depends=True,
    )
    for name, number in {
        "versym-unknown-index": 77,
        "versym-highest-index": 0x7FFF,
        "versym-hidden-unknown": 0x8000 | 50,
    }.items():
        yield elf_case(
            f"versions-{name}",
            "finding",
            ROW,
            Library(edit=lambda lib, number=number: lib.put("versym", "H", number, by=2)),
        )
    yield elf_case("versions-versym-local", "remarked", ROW, Library(edit=lambda lib: lib.put("versym", "H", 0, by=2)))
    for name, (kinds, value, by) in {
        "vd-version-two": ("H", 2, 0),
        "vd-next-overlaps": ("I", 4, 16),
        "vd-next-wraps": ("I", 0xFFFFFFF0, 16),
        "vd-next-leaves": ("I", 0x100000, 16),
        "vd-aux-leaves": ("I", 0x100000, 12),
        "vd-name-far": ("I", 0x7FFFFFFF, 28 + 20),
        "vd-hash-wrong": ("I", 1, 28 + 8),
    }.items():
        library = Library(soname="libcore.so.1", defines=["CORE_1"])
        library.edit = lambda lib, k=kinds, v=value, b=by: lib.put("verdef", k, v, by=b)
        yield malformed(name, library, fails=None if name in ("vd-aux-leaves",) else True)
    yield malformed("verdef-outside", Library(soname="libcore.so.1", defines=["CORE_1"], values={"VERDEF": 1 << 40}))
    yield malformed("verdef-no-versym", Library(soname="libcore.so.1", defines=["CORE_1"], drop=("VERSYM",)))
    for machine in ("i686", "armv7l", "ppc64", "s390x"):
        for name, value in {"wraps": 0xFFFFFFF0, "overlaps": 4}.items():
            tag = f"cp311-cp311-manylinux_2_17_{machine}"
            yield malformed(f"vn-next-{name}-{machine}", elf_for(machine, value), tag=tag, machine_is_this=False)
    yield elf_case("versions-many-share-a-tail", "finding", ROW, shared_tails(), loads=None)
    yield elf_case("versions-over-limit", "finding", ROW, long_chain(300_000), says="version records|version")

    # Counts that the loader does not use, because it follows the chain.
    new = {"imports": [Import("free"), Import("sin", "libm.so.6", "GLIBC_2.99")], "needed": NEEDED}
    for name, library in {
        "verneednum-zero": Library(**new, values={"VERNEEDNUM": 0}),
        "verneednum-one": Library(**new, values={"VERNEEDNUM": 1}),
        "verneednum-huge": Library(**new, values={"VERNEEDNUM": (1 << 64) - 1}),
        "verneednum-absent": Library(**new, drop=("VERNEEDNUM",)),
        "vn-cnt-zero": patched("H", 0, by=16 + 16 + 2, **new),
        "vn-cnt-huge": patched("H", 0xFFFF, by=16 + 16 + 2, **new),
    }.items():
        yield elf_case(
            f"versions-hidden-by-{name}",
            "finding",
            EVASION,
            library,
            code="WC102",
            says="GLIBC_2.99",
            fails=True,
            loads=False,
        )
    both = {"imports": [Import("free"), Import("free2", version="GLIBC_2.99")]}
    yield elf_case(
        "versions-hidden-by-vn-cnt-one",
        "finding",
        EVASION,
        patched("H", 1, by=2, **both),
        code="WC102",
        says="GLIBC_2.99",
        fails=True,
        loads=False,
    )
    yield elf_case(
        "versions-counts-lie-only",
        "finding",
        EVASION,
        Library(imports=TWO, needed=NEEDED, values={"VERNEEDNUM": 9}),
        code="WC708",
        loads=True,
    )

    for name, version in {
        "too-new": "GLIBC_2.36",
        "relr": "GLIBC_ABI_DT_RELR",
        "x": "GLIBC_2.x",
        "dot-last": "GLIBC_2.",
        "no-number": "GLIBC_",
        "huge": "GLIBC_2.99999999999999999999999",
        "negative": "GLIBC_2.-1",
        "leading-zero": "GLIBC_2.017",
        "two-dots": "GLIBC_2..5",
        "blank": "GLIBC_2.5 ",
        "private": "GLIBC_PRIVATE",
        "lower-case": "glibc_2.5",
        "four-parts": "GLIBC_2.5.1.1",
        "exponent": "GLIBC_2e9",
        "empty": "",
        "unicode-digits": "GLIBC_2.\u0661\u0667",
        "long": "GLIBC_2." + "1" * 100_000,
    }.items():
        symbol = {"too-new": "arc4random", "private": "__libc_early_init"}.get(name, "free")
        # A family of versions that no policy lists causes a warning.
        fails = None if name in ("lower-case", "empty") else True
        yield elf_case(
            f"glibc-{name}",
            "finding",
            NEW,
            Library(imports=[Import(symbol, version=version)]),
            loads=name in ("too-new", "private") if name != "relr" else None,
            fails=fails,
        )
        yield elf_case(
            f"glibc-{name}-weak",
            "remarked",
            NEW,
            Library(imports=[Import(symbol, version=version, weak=True, weak_symbol=True)]),
        )
    # The flag allows the version to be absent, but a symbol that is not weak must still be found in it.
    yield elf_case(
        "glibc-weak-version-strong-symbol",
        "finding",
        NEW,
        Library(imports=[Import("free", version="GLIBC_2.99", weak=True)]),
        loads=False,
    )
    yield elf_case(
        "glibc-weak-and-needed",
        "finding",
        NEW,
        Library(
            imports=[Import("free", version="GLIBC_2.99", weak=True), Import("malloc")],
            edit=lambda lib: lib.put("verneed", "H", 0, by=16 + 4),
        ),
        code="WC102",
        fails=True,
        loads=False,
    )
    for library, version in {
        "libstdc++.so.6": "GLIBCXX_3.4.99",
        "libgcc_s.so.1": "GCC_99.0.0",
        "libm.so.6": "GLIBC_2.99",
    }.items():
        yield elf_case(
            f"too-new-of-{library.split('.')[0].strip('+')}",
            "finding",
            NEW,
            Library(needed=["libc.so.6", library], imports=[Import("free"), Import("f", library, version)]),
            code="WC102",
            says=version,
            fails=True,
            loads=False,
        )


def elf_for(machine: str, value: int) -> Library:
    from elf_maker import FIRST_GLIBC

    first = FIRST_GLIBC[machine]
    return Library(
        machine=machine,
        needed=NEEDED,
        imports=[Import("free", version=first), Import("sin", "libm.so.6", first)],
        edit=lambda lib: lib.put("verneed", "I", value, by=12),
    )


def chain(count: int, step: int, order: str = "<") -> bytes:
    import struct

    return b"".join(struct.pack(order + "HHIII", 1, 0, 0, 0, step if n < count - 1 else 0) for n in range(count))


def long_chain(count: int) -> Library:
    """Verneed records without versions."""
    return Library(
        extras=[("long", chain(count, 16))],
        edit_dynamic=lambda lib, out: [
            (t, lib.at("long") if t == 0x6FFFFFFE else count if t == 0x6FFFFFFF else v) for t, v in out
        ],
    )


def shared_tails() -> Library:
    """Many Verneed records that share one Vernaux chain: 4096 times 4096 steps for a reader without a limit."""
    import struct

    count = 4096
    needs = b"".join(
        struct.pack("<HHIII", 1, count, 0, 16 * (count - n), 16 if n < count - 1 else 0) for n in range(count)
    )
    aux = b"".join(struct.pack("<IHHII", 0, 2, 9, 0, 16 if n < count - 1 else 0) for n in range(count))
    return Library(
        extras=[("tails", needs + aux)],
        edit_dynamic=lambda lib, out: [
            (t, lib.at("tails") if t == 0x6FFFFFFE else count if t == 0x6FFFFFFF else v) for t, v in out
        ],
    )
