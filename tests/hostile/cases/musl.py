"""Relocations and indirect functions that musl's loader refuses (arch/*/reloc.h and ldso/dynlink.c)."""

from elf_maker import TAGS, Import, Library
from hostile import elf_case

ROW = "musl: relocation types that its loader does not know, and STT_GNU_IFUNC"
FREE = Import("free", None, None)
TABLES = {True: ("RELA", "RELASZ", "RELAENT"), False: ("REL", "RELSZ", "RELENT")}

# Of each machine: types that the linker writes for glibc and musl refuses, and those that musl knows.
REFUSED = {
    "x86_64": (10, 32, 33, 37, 38),
    "i686": (38, 42),
    "aarch64": (258, 259, 1032),
    "armv7l": (3, 160),
    "ppc64le": (1, 248),
    "s390x": (4, 5, 61),
    "riscv64": (1, 58),
    "loongarch64": (1, 12),
}
TAKEN = {
    "x86_64": (1, 2, 6, 7, 8),
    "i686": (1, 2, 6, 7, 8),
    "aarch64": (257, 1025, 1026, 1027),
    "armv7l": (2, 21, 22, 23),
    "ppc64le": (20, 21, 22, 38, 43),
    "s390x": (10, 11, 12, 22),
    "riscv64": (2, 3, 5),
    "loongarch64": (2, 3, 5),
}


def tag(machine: str) -> str:
    return f"cp311-cp311-musllinux_1_2_{machine}"


def related(machine: str, kind: int) -> Library:
    """One relocation of that type, of the symbol `free`, in a table of its own. 32-bit machines have no addend."""

    def entries(lib, found):
        size = 24 if lib.wide else 8
        return [*found, *((TAGS[name], value) for name, value in zip(TABLES[lib.wide], (lib.at("own"), size, size)))]

    def write(lib):
        relative = {"x86_64": 8, "i686": 8, "aarch64": 1027, "armv7l": 23, "ppc64le": 22, "s390x": 12}.get(machine, 3)
        info = (0 if kind == relative else 1) << (32 if lib.wide else 8) | kind
        lib.put("own", *(("AAA", lib.at("words"), info, 0) if lib.wide else ("AA", lib.at("words"), info)))

    return Library(machine=machine, needed=["libc.so"], imports=[FREE], relocations=False, edit=write,
                   extras=[("own", bytes(24))], edit_dynamic=entries)  # fmt: skip


def indirect(name: str, index: int) -> Library:
    """The symbol of that index is an indirect function."""

    def write(lib):
        lib.put("symtab", "IB", lib.string(name), 0x1A, by=24 * index)

    return Library(needed=["libc.so"], imports=[FREE], exports=["PyInit_core", "own"], edit=write)


def cases():
    told = {"code": "WC516", "fails": True, "machine_is_this": False}
    for machine, kinds in REFUSED.items():
        for kind in kinds:
            yield elf_case(f"musl-{machine}-type-{kind}", "finding", ROW, related(machine, kind), tag=tag(machine),
                           says=f"unsupported relocation type {kind}$", **told)  # fmt: skip
    for machine, kinds in TAKEN.items():
        for kind in kinds:
            yield elf_case(f"musl-{machine}-takes-{kind}", "ok", ROW, related(machine, kind), tag=tag(machine),
                           machine_is_this=False)  # fmt: skip
    yield elf_case("musl-indirect-init", "finding", ROW, indirect("PyInit_core", 2), tag=tag("x86_64"),
                   says="PyInit_core: symbol not found", **told)  # fmt: skip
    yield elf_case("musl-indirect-unused", "ok", ROW, indirect("own", 3), tag=tag("x86_64"), machine_is_this=False)
