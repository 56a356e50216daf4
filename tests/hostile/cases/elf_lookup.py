"""Symbols that ld.so does not find, or finds elsewhere than the tables of the file say, and libraries that it does not
take from where they seem to be."""

import dataclasses
import struct

from elf_maker import PT_LOAD, Import, Library, R, W, X, sysv_hash
from hostile import CORE, elf_case

ROW = "name@VERSION in another version or library, hidden definitions, relocations into tables, hwcaps, device code"
FREE = Import("free")
PART, PATH = "libpart.so.1", "hostile.libs/libpart.so.1"


WITH_PART = Import("part", PART, version="V1")


def part(exports=("part",), defines=("V1",), soname=PART, **how) -> bytes:
    return Library(soname=soname, exports=list(exports), defines=list(defines), **how).build()


def user(*imports: Import, needed=(PART, "libc.so.6"), path="$ORIGIN/../hostile.libs", **how) -> Library:
    return Library(imports=[FREE, *imports], needed=list(needed), dynamic=[("RUNPATH", path)], **how)


def failing(name: str, elf: Library, about: str = CORE, **told):
    case = elf_case(f"lookup-{name}", "finding", ROW, elf, **{"code": "WC306", "fails": True, **told})
    return dataclasses.replace(case, member=about)


def undefined(name: str, one: Import, **told):
    library = one.library
    return failing(name, Library(imports=[FREE, one], needed=sorted({"libc.so.6", library})), says=one.name,
                   loads=False, **told)  # fmt: skip


def writable(lib, segments):
    return [dataclasses.replace(s, flags=R | W) if s.type == PT_LOAD and not s.flags & X else s for s in segments]


def written(where: str, by: int, value: int = 0, imports=(FREE,), kind: int = 8, **how) -> Library:
    """The first relocation changes a table: to the load address and a value, or as another type does."""
    return Library(edit=lambda lib: lib.put("rela", "QQQ", lib.at(where) + by, kind, value & 2**64 - 1),
                   imports=list(imports), edit_segments=writable, **how)  # fmt: skip


def numbered(*numbers: int, defines=("V1", "V2"), last: int | None = None) -> bytes:
    """A library whose exports are all called `part`, with these version indices; `last`: that of its last version."""

    def edit(lib):
        lib.put("versym", f"{len(numbers)}H", *numbers, by=2 * (1 + len(lib.all_imports)))
        if last is not None:
            lib.put("verdef", "H", last, by=28 * len(defines) + 4)

    return part(exports=["part"] * len(numbers), defines=defines, edit=edit)


def hidden_need(lib) -> None:
    for at in range(lib.offset("verneed"), lib.offset("verneed") + lib.size("verneed"), 16):
        if struct.unpack_from("<I", lib.image, at)[0] == sysv_hash(b"V1"):
            lib.image[at + 7] |= 0x80  # vna_other


def second_relocation(kind: int, symbol_type: int = 0x12) -> Library:
    """The relocation of `part` has another type, and so may the symbol."""

    def edit(lib):
        lib.put("rela", "QQ", lib.at("words") + 8, 2 << 32 | kind, by=24)
        lib.put("symtab", "B", symbol_type, by=24 * 2 + 4)

    return user(WITH_PART, edit=edit)


def across_the_end(kind: int) -> Library:
    def edit(lib):
        lib.put("rela", "QQ", (lib.at("words") | 0xFFF) - 3, 1 << 32 | kind)
        lib.put("symtab", "Q", 8, by=24 + 16)  # st_size, for a copy

    return Library(imports=[FREE], edit=edit)


def version_cases():
    malformed = {"code": "WC708"}
    yield failing("hidden-need", user(WITH_PART, edit=hidden_need), more={PATH: numbered(1, defines=("V1",))},
                  says="vna_other", loads=False, **malformed)  # fmt: skip
    of_nobody = {"more": {PATH: numbered(0x8005, last=6)}, "about": PATH, "loads": False, **malformed}
    yield failing("hidden-index-of-nobody", user(WITH_PART), says="hidden without a version", **of_nobody)
    yield elf_case("lookup-index-of-nobody", "ok", ROW, user(WITH_PART), more={PATH: numbered(5, last=6)}, loads=True)
    yield failing("index-of-no-version", user(WITH_PART), more={PATH: numbered(1, last=1)}, about=PATH, loads=False,
                  says="symbols that have none", **malformed)  # fmt: skip
    version_2 = Import("part", PART, version="V2")
    for name, soname in (("none", None), ("path", "libpart/so.1"), ("other", "libother.so.1")):
        yield failing(f"soname-{name}", user(version_2), more={PATH: part(defines=("V1", "V2"), soname=soname)},
                      says="part@V2", loads=False)  # fmt: skip
    weak = Import("part", PART, version="V9", weak=True)
    yield failing("weak-need", user(weak), more={PATH: part()}, says="part@V9", loads=False)
    own = Import("x", "libself.so", "V1")
    itself = Library(soname="libself.so", needed=["libself.so", "libc.so.6"], imports=[FREE, own])
    yield failing("own-version", itself, says="x@V1", loads=False)
    plain = user(Import("part", PART, version=None))
    three = numbered(3, 4, defines=("V1", "V2", "V3"))
    yield failing("two-defaults", plain, more={PATH: three}, says="requires part,", loads=False)
    yield failing("hidden-third", plain, more={PATH: numbered(0x8003)}, says="part", loads=False)
    first_is_local = part(exports=["part", "part"], edit=lambda lib: lib.put("symtab", "B", 2, by=24 * 2 + 4))
    yield failing("local-first", user(WITH_PART), more={PATH: first_is_local}, says="part@V1", loads=False)
    one_hash = part(hash="both", edit=lambda lib: lib.put("gnu_hash", "I", 0, by=24))
    yield failing("in-one-hash-table", user(WITH_PART), more={PATH: one_hash}, says="part@V1", loads=False)
    for name in ("_cffi_nothing", "__py_nothing"):
        yield failing(name, Library(imports=[FREE, Import(name, version=None)]), says=name, loads=False)
    # Assertions of dl-version.c: the library of a version need is found by the name in DT_NEEDED, or not at all.
    of_soname = Import("part", "libq.so", "V1")
    for name, needed, one in (("by-path", f"$ORIGIN/../{PATH}", WITH_PART), ("by-soname", PART, of_soname)):
        yield failing(f"needed-{name}", user(one, needed=(needed, "libc.so.6")), loads=False, code="WC516",
                      more={PATH: part(soname="libq.so" if name == "by-soname" else PART)})  # fmt: skip
    others = {"hostile.libs/liba.so": part(["a"], (), "libb.so"), "hostile.libs/libb.so": part(["b"], (), "libb.so")}
    yield failing("soname-of-another", user(Import("b", "libb.so", None), needed=("liba.so", "libb.so", "libc.so.6")),
                  more=others, says="requires b,", loads=False)  # fmt: skip


def relocation_cases():
    third = (Import("malloc"), FREE, Import("calloc"))
    for name, table, by, value in (("symbol", "symtab", 24 * 2, 1), ("index", "versym", 0, 0x7000700070007),
                                   ("relocation", "rela", 24 + 8, 7 << 32 | 255)):  # fmt: skip
        yield failing(f"relocated-third-{name}", written(table, by, value, third), code="WC708",
                      says="tables that the loader reads later")  # fmt: skip
    for name, table, by, value in (("name", "symtab", 24 * 2, 0x1200000000), ("index", "versym", 0, 0x7000700070007),
                                   ("bucket", "gnu_hash", 24, 0), ("bloom", "gnu_hash", 16, -0x20000)):  # fmt: skip
        lib = written(table, by, value, soname=PART, exports=["part", "more"], defines=["V1"]).build()
        yield failing(f"relocated-library-{name}", user(WITH_PART), more={PATH: lib}, about=PATH, code="WC708",
                      loads=False, says="tables that the loader reads later")  # fmt: skip
    for table in ("strtab", "dynamic"):
        yield failing(f"relocated-half-{table}", written(table, -4), code="WC708", says="tables that the loader reads")
    for name, kind in (("word", 6), ("copy", 5)):
        yield failing(f"across-the-end-{name}", across_the_end(kind), code="WC708", says="not mapped")
    # Whether the process survives those before depends on the addresses.
    #
    # ld.so divides by the alignment of the block, which is 0 without a PT_TLS.
    for name, kind in (("offset", 18), ("descriptor", 36)):
        yield failing(f"thread-local-{name}", second_relocation(kind), more={PATH: part()}, code="WC708", loads=False,
                      says="name other symbols|tables that")  # fmt: skip
    variable = part(edit=lambda lib: lib.put("symtab", "B", 0x16, by=24 * 2 + 4))
    wants_variable = second_relocation(18, symbol_type=0x16)
    yield failing("thread-local-without-block", wants_variable, more={PATH: variable}, about=PATH, code="WC708",
                  says="there is no PT_TLS", loads=False)  # fmt: skip


def changed_symbol(number: int, layout: str, by: int, value: int):
    """The symbol `number` (1: the first import) has another field."""
    return lambda lib: lib.put("symtab", layout, value, by=24 * number + by)


def symbol_cases():
    """Files that dlopen opens, and Python cannot import or calls in vain."""
    told = {"code": "WC708", "loads": True}
    versions = {"hidden": (0x8002,), "all-hidden": (0x8002, 0x8003), "two-defaults": (2, 3), "two-later": (3, 4)}
    for name, numbers in versions.items():
        def number(lib, numbers=numbers):
            lib.put("versym", f"{len(numbers)}H", *numbers, by=2 * (1 + len(lib.all_imports)))

        init = Library(exports=["PyInit_core"] * len(numbers), defines=["V1", "V2", "V3"], edit=number)
        yield failing(f"init-{name}", init, says="Python does not find it", **told)
    for name, numbers in {"first": (2,), "first-and-hidden": (2, 0x8003), "hidden-base": (0x8001,)}.items():
        def number(lib, numbers=numbers):
            lib.put("versym", f"{len(numbers)}H", *numbers, by=2 * (1 + len(lib.all_imports)))

        init = Library(exports=["PyInit_core"] * len(numbers), defines=["V1", "V2"], edit=number)
        yield elf_case(f"lookup-init-{name}", "ok", ROW, init, loads=True)
    absolute = part(edit=changed_symbol(2, "H", 6, 0xFFF1))
    yield failing("absolute-function", user(WITH_PART), more={PATH: absolute}, about=PATH, says="absolute", **told)
    for name, by, value in (("hidden", 5, 2), ("internal", 5, 1), ("local", 4, 0x02)):
        yield failing(f"undefined-{name}", user(WITH_PART, edit=changed_symbol(2, "B", by, value)), more={PATH: part()},
                      says="the file's own", **told)  # fmt: skip


# Ways to open hostile/tests/blob.dat that the evaluation of the code does not follow.
OPENS_DATA = {
    "as-file": "from importlib.resources import as_file, files\n"
    "with as_file(files('hostile') / 'tests' / 'blob.dat') as p: ctypes.CDLL(str(p))\n",
    "replace": "ctypes.CDLL(__file__.replace('__init__.py', 'tests/blob.dat'))\n",
    "joined-name": "getattr(ctypes, 'CD' + 'LL')(p)\n",
    "subclass": "class My(ctypes.CDLL): pass\nMy(p)\n",
    "lambda": "(lambda q: ctypes.CDLL(q))(p)\n",
    "map": "[*map(ctypes.CDLL, [p])]\n",
    "match": "match [1, p]:\n    case [_, q]: ctypes.CDLL(q)\n",
    "decorator": "def d(c):\n    ctypes.CDLL(c.q)\n    return c\n@d\nclass K: q = p\n",
    "starred": "first, *rest = [1, p]\nctypes.CDLL(rest[0])\n",
    "with": "import contextlib\nwith contextlib.nullcontext(p) as q: ctypes.CDLL(q)\n",
    "instance": "class K:\n    def __init__(s): s.q = p; ctypes.CDLL(s.q)\nK()\n",
    "type-call": "type.__call__(ctypes.CDLL, p)\n",
    "methodcaller": "import operator\noperator.methodcaller('LoadLibrary', p)(ctypes.cdll)\n",
    "template": "import string\nctypes.CDLL(string.Template('$d/tests/blob.dat').substitute(d=here))\n",
    "nonlocal": "def f():\n    q = None\n    def g():\n        nonlocal q\n        q = p\n    g()\n"
    "    ctypes.CDLL(q)\nf()\n",
    "reduce": "import functools\nfunctools.reduce(lambda a, q: ctypes.CDLL(q), [p], None)\n",
    "enum": "import enum\nclass E(enum.Enum): A = p\nctypes.CDLL(E.A.value)\n",
    "environment": "os.environ['X'] = p\nctypes.CDLL(os.environ['X'])\n",
    "copied": "import shutil, tempfile\nt = tempfile.mkdtemp()\nshutil.copy(p, t + '/x.so')\nctypes.CDLL(t + '/x.so')\n",
    "file-object": "with open(p, 'rb') as f: ctypes.CDLL(f.name)\n",
    "loader": "from importlib.machinery import ExtensionFileLoader as L, ModuleSpec\n"
    "L('core', p).create_module(ModuleSpec('core', None, origin=p))\n",
    "create-dynamic": "import _imp\nfrom importlib.machinery import ModuleSpec\n"
    "_imp.create_dynamic(ModuleSpec('core', None, origin=p))\n",
}  # fmt: skip


def data_cases():
    blob, start = "hostile/tests/blob.dat", "import ctypes, os\nhere = os.path.dirname(__file__)\n"
    path = "p = os.path.join(here, 'tests', 'blob.dat')\n"
    hides = part(needed=["libc.so.6", "libhidden.so.9"])
    for name, code in OPENS_DATA.items():
        yield failing(f"data-{name}", user(needed=["libc.so.6"]), about=blob, code="WC103", says="libhidden.so.9",
                      more={blob: hides, **in_package(start + path + code)})  # fmt: skip
    yield elf_case("lookup-data-of-tests", "ok", ROW, user(needed=["libc.so.6"]),
                   more={blob: hides, **in_package(start)})  # fmt: skip
    # hostile.libs/libx.so is not the module `hostile`, whose submodules nobody knows.
    lacks = {"about": "hostile/__init__.py", "code": "WC720", "says": "_missing"}
    alone = user(needed=["libc.so.6"])
    yield failing("module-beside-libraries", alone, more={**in_package("from . import _missing\n"), "hostile.libs/libx.so": part()}, **lacks)  # fmt: skip
    space = {"hostile/sub/readme": b"1\n", **in_package("from .sub import _missing\n")}
    yield failing("module-of-a-namespace", alone, more=space, **lacks)
    yield elf_case("lookup-module-of-a-namespace-good", "ok", ROW, alone, more={**space, "hostile/sub/_missing.py": b"1\n"})  # fmt: skip


def search_cases():
    two = "$ORIGIN/a:$ORIGIN/../hostile.libs"
    first = "hostile/a/libpart.so.1"
    text = b"a text of more bytes than the header of an ELF file, " * 2
    stops = {"directory": {f"{first}/x": b""}, "text": {first: text},
             "empty": {first: b""}, "object": {first: part(header={"type": 1})}}  # fmt: skip
    for name, file in stops.items():
        yield failing(f"search-ends-at-{name}", user(WITH_PART, path=two), more={PATH: part(), **file}, code="WC506",
                      says=PART, loads=False)  # fmt: skip
    for name, path in (("absent", "$ORIGIN/absent/../../hostile.libs"), ("file", "$ORIGIN/x.py/../../hostile.libs")):
        yield failing(f"search-through-{name}", user(WITH_PART, path=path), code="WC506", says=PART, loads=False,
                      more={PATH: part(), "hostile/x.py": b"1\n"})  # fmt: skip
    hides = part(needed=["libc.so.6", "libhidden.so.9"])
    # Before glibc 2.37, and on processors with these instructions.
    for folder in ("tls", "x86_64", "haswell", "avx512_1", "tls/haswell/x86_64"):
        alternative = f"hostile.libs/{folder}/libpart.so.1"
        yield failing(f"hwcaps-{folder.replace('/', '-')}", user(WITH_PART), more={PATH: part(), alternative: hides},
                      about=alternative, code="WC103", says="libhidden.so.9", depends=True)  # fmt: skip
    # The alternative is found and lacks what the other one has.
    for folder in ("glibc-hwcaps/x86-64-v2", "glibc-hwcaps/x86-64-v3", "tls", "haswell/x86_64"):
        alternative, name = f"hostile.libs/{folder}/libpart.so.1", folder.replace("/", "-")
        yield failing(f"hwcaps-{name}-lacks", user(WITH_PART), more={PATH: part(), alternative: part(["other"])},
                      says="part@V1", depends=True)  # fmt: skip
        yield failing(f"hwcaps-{name}-lacks-plain", user(Import("part", PART, version=None)), says="requires part,",
                      more={PATH: part(defines=()), alternative: part(["other"], ())}, depends=True)  # fmt: skip
        yield elf_case(f"lookup-hwcaps-{name}-good", "ok", ROW, user(WITH_PART),
                       more={PATH: part(), alternative: part(["other", "part"])}, loads=True)  # fmt: skip
    for name, tag in (("filter", "FILTER"), ("auxiliary", "AUXILIARY")):
        lib = part(dynamic=[(tag, "libf.so"), ("RUNPATH", "$ORIGIN")])
        yield failing(f"behind-a-{name}", user(WITH_PART), about="hostile.libs/libf.so", code="WC103", says="libhidden",
                      more={PATH: lib, "hostile.libs/libf.so": part(soname="libf.so", needed=["libhidden.so.9"])},
                      loads=False)  # fmt: skip


def in_package(text: str) -> dict[str, bytes]:
    return {"hostile/__init__.py": text.encode()}


def cases():
    # Names that no glibc has in that version.
    yield undefined("no-such-name", Import("no_such_function", version="GLIBC_2.2.5"))
    yield undefined("newer-name", Import("arc4random", version="GLIBC_2.17"))
    yield undefined("other-version", Import("memcpy", version="GLIBC_2.3"))
    yield undefined("libm", Import("sin", "libm.so.6", version="GLIBC_2.14"))
    for name, version, library in [("no_such_class", "GLIBCXX_3.4.11", "libstdc++.so.6"), ("_ZSt4cout", "GLIBCXX_3.4.9", "libstdc++.so.6"),
                                   ("no_such_class", "CXXABI_1.3", "libstdc++.so.6"), ("_Unwind_Resume", "GCC_3.4", "libgcc_s.so.1")]:  # fmt: skip
        yield undefined(f"{name}-{version}".lower().replace("_", "-"), Import(name, library, version=version))
    yield elf_case("lookup-cxx-runtime", "ok", ROW, Library(
        imports=[FREE, Import("_ZSt4cout", "libstdc++.so.6", version="GLIBCXX_3.4"), Import("_Unwind_Resume", "libgcc_s.so.1", version="GCC_3.0")],
        needed=["libc.so.6", "libstdc++.so.6", "libgcc_s.so.1"]))  # fmt: skip
    yield elf_case("lookup-old-version", "ok", ROW, Library(imports=[FREE, Import("memcpy", version="GLIBC_2.2.5")]),
                   loads=True)  # fmt: skip
    # Those of a library of the wheel.
    yield elf_case("lookup-good", "ok", ROW, user(WITH_PART), more={PATH: part()})
    yield failing("absent", user(Import("absent", PART, version="V1")), more={PATH: part()}, says="absent@V1")
    yield failing("version-of-another-name", user(Import("part", PART, version="V2")),
                  more={PATH: part(defines=("V1", "V2"))}, says="part@V2")  # fmt: skip
    yield elf_case("lookup-unversioned-library", "ok", ROW, user(WITH_PART), more={PATH: part(defines=())})
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
    yield failing("hwcaps", user(WITH_PART), more={PATH: part(), alternative: hides}, about=alternative,
                  code="WC103", says="libhidden.so.9", depends=True)  # fmt: skip
    opens = "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), {}))\n"
    copy = "hostile.libs/alt/libpart.so.1"
    opened = in_package(opens.format("'..', 'hostile.libs', 'alt', 'libpart.so.1'"))
    yield failing("copy-is-opened", user(WITH_PART), more={PATH: part(), copy: hides, **opened}, about=copy,
                  code="WC103", says="libhidden.so.9")  # fmt: skip
    # Code that no processor of the tag runs.
    other = Library(machine="aarch64", soname="libx.so", exports=["x"]).build()
    yield failing("other-machine-is-opened", user(needed=["libc.so.6"]), about="hostile/libx.so",
                  more={"hostile/libx.so": other, **in_package(opens.format("'libx.so'"))}, code="WC109")  # fmt: skip
    device = Library(number=190).build()
    yield failing("device-code-as-module", user(needed=["libc.so.6"]), about="hostile/core2.abi3.so",
                  more={"hostile/core2.abi3.so": device}, code="WC109")  # fmt: skip
    yield from version_cases()
    yield from relocation_cases()
    yield from search_cases()
    yield from symbol_cases()
    yield from data_cases()
