"""Symbols that ld.so does not find, or finds elsewhere than the tables of the file say."""

import dataclasses

from elf_maker import PT_LOAD, Import, Library, R, W
from hostile import CORE, elf_case

ROW = "name@VERSION in another version or library, hidden definitions, relocations into tables, hwcaps, device code"
FREE = Import("free")
PART, PATH = "libpart.so.1", "hostile.libs/libpart.so.1"


def part(exports=("part",), defines=("V1",), **how) -> bytes:
    return Library(soname=PART, exports=list(exports), defines=list(defines), **how).build()


def user(*imports: Import, needed=(PART, "libc.so.6")) -> Library:
    return Library(imports=[FREE, *imports], needed=list(needed), dynamic=[("RUNPATH", "$ORIGIN/../hostile.libs")])


def failing(name: str, elf: Library, about: str = CORE, **told):
    case = elf_case(f"lookup-{name}", "finding", ROW, elf, **{"code": "WC306", "fails": True, **told})
    return dataclasses.replace(case, member=about)


def undefined(name: str, one: Import, **told):
    library = one.library
    return failing(name, Library(imports=[FREE, one], needed=sorted({"libc.so.6", library})), says=one.name,
                   loads=False, **told)  # fmt: skip


def writable(lib, segments):
    return [dataclasses.replace(s, flags=R | W) if s.type == PT_LOAD else s for s in segments]


def written(where: str, by: int) -> Library:
    """The first relocation changes a table."""
    return Library(
        edit=lambda lib: lib.put("rela", "QQ", lib.at(where) + by, 8), imports=[FREE], edit_segments=writable
    )


def in_package(text: str) -> dict[str, bytes]:
    return {"hostile/__init__.py": text.encode()}


def cases():
    # Names that no glibc has in that version.
    yield undefined("no-such-name", Import("no_such_function", version="GLIBC_2.2.5"))
    yield undefined("newer-name", Import("arc4random", version="GLIBC_2.17"))
    yield undefined("other-version", Import("memcpy", version="GLIBC_2.3"))
    yield undefined("libm", Import("sin", "libm.so.6", version="GLIBC_2.14"))
    yield elf_case("lookup-old-version", "ok", ROW, Library(imports=[FREE, Import("memcpy", version="GLIBC_2.2.5")]),
                   loads=True)  # fmt: skip
    # Those of a library of the wheel.
    with_part = Import("part", PART, version="V1")
    yield elf_case("lookup-good", "ok", ROW, user(with_part), more={PATH: part()})
    yield failing("absent", user(Import("absent", PART, version="V1")), more={PATH: part()}, says="absent@V1")
    yield failing("version-of-another-name", user(Import("part", PART, version="V2")),
                  more={PATH: part(defines=("V1", "V2"))}, says="part@V2")  # fmt: skip
    yield elf_case("lookup-unversioned-library", "ok", ROW, user(with_part), more={PATH: part(defines=())})
    # The library has a version of glibc and not the name, so that glibc's is bound.
    of_glibc = Import("arc4random", PART, version="GLIBC_2.36")
    yield failing("version-of-glibc", user(of_glibc), more={PATH: part(defines=("GLIBC_2.36",))}, code="WC102",
                  says="GLIBC_2.36")  # fmt: skip
    # Relocations that change what is read after them.
    for name, where, by in (("dynamic", "dynamic", 8), ("names", "strtab", 1), ("symbols", "symtab", 24)):
        yield failing(f"relocated-{name}", written(where, by), code="WC708")
    # Libraries that are loaded instead of the one that is judged.
    hides = part(needed=["libc.so.6", "libhidden.so.9"])
    alternative = "hostile.libs/glibc-hwcaps/x86-64-v2/libpart.so.1"
    yield failing("hwcaps", user(with_part), more={PATH: part(), alternative: hides}, about=alternative,
                  code="WC103", says="libhidden.so.9", depends=True)  # fmt: skip
    opens = "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), {}))\n"
    copy = "hostile.libs/alt/libpart.so.1"
    opened = in_package(opens.format("'..', 'hostile.libs', 'alt', 'libpart.so.1'"))
    yield failing("copy-is-opened", user(with_part), more={PATH: part(), copy: hides, **opened}, about=copy,
                  code="WC103", says="libhidden.so.9")  # fmt: skip
    # Code that no processor of the tag runs.
    other = Library(machine="aarch64", soname="libx.so", exports=["x"]).build()
    yield failing("other-machine-is-opened", user(needed=["libc.so.6"]), about="hostile/libx.so",
                  more={"hostile/libx.so": other, **in_package(opens.format("'libx.so'"))}, code="WC109")  # fmt: skip
    device = Library(number=190).build()
    yield failing("device-code-as-module", user(needed=["libc.so.6"]), about="hostile/core2.abi3.so",
                  more={"hostile/core2.abi3.so": device}, code="WC109")  # fmt: skip
