"""Bindings that ld.so or musl makes without looking: functions that are no code, variables of another kind, relocations
whose type does not suit their symbol, and libraries that are in the process already."""

import dataclasses

from cases.elf_glibc import thread_local
from cases.elf_lookup import FREE, PART, PATH, WITH_PART, in_package, part, second_relocation, user
from cases.musl import tag
from elf_maker import PT_TLS, Import, Library, R, Segment
from hostile import CORE, Case, elf_case, pure

ROW = "functions that are no code, relocations of other types, libraries that are loaded already"
PLAIN = Import("part", PART, version=None)
PLAIN_PART = part(defines=())


def failing(name: str, elf: Library, about: str = CORE, **told) -> Case:
    case = elf_case(f"binding-{name}", "finding", ROW, elf, **{"code": "WC708", "fails": True, **told})
    return dataclasses.replace(case, member=about)


def good(name: str, elf: Library, **told) -> Case:
    return elf_case(f"binding-{name}", "ok", ROW, elf, **{"loads": True, **told})


def function_cases():
    """dlopen looks at no address of a function: the call crashes."""
    places = {"data": "words", "names": "strtab", "far": 0x7FFF0000, "below": 2**64 - 4096, "header": 16}
    for name, place in places.items():
        def move(lib, place=place):
            lib.put("symtab", "Q", lib.at(place) if isinstance(place, str) else place, by=24 * 2 + 8)

        yield failing(f"function-in-{name}", user(WITH_PART), more={PATH: part(edit=move)}, about=PATH, loads=True,
                      says="not code")  # fmt: skip
    for kind in (0, 1):
        def data(lib, kind=kind):
            lib.put("symtab", "BBHQ", 0x10 | kind, 0, 6, lib.at("words"), by=24 * 2 + 4)

        yield good(f"data-of-type-{kind}", user(WITH_PART), more={PATH: part(edit=data)})


def relocation_cases():
    for name, kind, says in (("none", 0, "not looked up"), ("relative", 8, "not looked up"),
                             ("copy", 5, "copies of data"), ("narrow", 10, "32 bits"),
                             ("block-offset", 17, "name other symbols")):  # fmt: skip
        yield failing(f"type-{name}", second_relocation(kind), more={PATH: part()}, says=says, depends=True)
    for by in (1, 4):
        def shift(lib, by=by):
            lib.put("rela", "QQ", lib.at("words") + 8 + by, 2 << 32 | 7, by=24)

        yield failing(f"slot-off-by-{by}", user(WITH_PART, edit=shift), more={PATH: part()}, says="not aligned",
                      depends=True)  # fmt: skip
    yield good("type-jump-slot", second_relocation(7), more={PATH: part()})
    yield good("type-word", second_relocation(1), more={PATH: part()})
    # glibc looks for a definition by its name alone: a function is no variable of each thread.
    wants = second_relocation(16, symbol_type=0x16)
    wants.imports[-1] = PLAIN
    yield failing("thread-local-to-function", wants, more={PATH: PLAIN_PART}, code="WC306", says="part", depends=True)


def thread_local_cases():
    beyond = thread_local(kind=16)
    fill = beyond.edit
    beyond.edit = lambda lib: (fill(lib), lib.put("symtab", "Q", 0x7FFFFF0, by=48 + 8))
    yield failing("tls-variable-behind-the-block", beyond, says="behind the end of PT_TLS", depends=True)
    several = thread_local(kind=16)
    first = several.edit_segments
    several.edit_segments = lambda lib, out: [
        *first(lib, out),
        Segment(PT_TLS, R, lib.offset("strtab"), lib.at("strtab"), 8, 16, 8),
    ]
    yield failing("tls-twice", several, says="several PT_TLS", depends=True)
    elsewhere = thread_local(kind=16)
    there = elsewhere.edit_segments
    elsewhere.edit_segments = lambda lib, out: [
        dataclasses.replace(s, offset=lib.offset("strtab")) if s.type == PT_TLS else s for s in there(lib, out)
    ]
    yield failing("tls-elsewhere-in-the-file", elsewhere, says="than at p_offset", loads=True)


def required_tls_cases():
    """The variable of an initial-exec reference may be that of a library. glibc has 1,664 bytes, musl none."""

    def owner(size, **how):
        return part(extras=[("image", bytes(8))], **how,
                    edit=lambda lib: lib.put("symtab", "BBHQ", 0x16, 0, 6, 0, by=24 * 2 + 4),
                    edit_segments=lambda lib, out: [
                        *out, Segment(PT_TLS, R, lib.offset("image"), lib.at("image"), 8, size, 8)])  # fmt: skip

    yield failing("tls-of-required", second_relocation(18, 0x16), more={PATH: owner(4096)}, code="WC508",
                  says="4096 bytes", loads=False)  # fmt: skip
    yield elf_case("binding-tls-of-required-small", "lower", ROW, second_relocation(18, 0x16),
                   more={PATH: owner(64)}, loads=True)  # fmt: skip
    module = second_relocation(18, 0x16)
    module.imports, module.needed = [Import("free", None, None), PLAIN], [PART, "libc.so"]
    library = owner(64, needed=["libc.so"], imports=[Import("free", None, None)], defines=())
    yield failing("tls-of-required-musl", module, more={PATH: library}, code="WC508", says="musl refuses",
                  tag=tag("x86_64"), machine_is_this=False)  # fmt: skip


def module_cases():
    """CPython calls what dlsym finds for PyInit_NAME, of whatever type, in the file and in what it requires."""
    for name, info in (("notype", 0x10), ("object", 0x11), ("common", 0x15), ("weak", 0x22), ("unique", 0xA2)):
        def change(lib, info=info):
            lib.put("symtab", "B", info, by=24 * 2 + 4)

        yield good(f"init-{name}", Library(edit=change), code="WC803")
    makes = [FREE, Import("PyModule_Create2", None, None)]
    for name, exports in (("none", []), ("hidden", ["PyInit_core"]), ("mangled", ["_Z11PyInit_corev"]), ("python-2", ["initcore"])):
        def hide(lib):
            lib.put("symtab", "B", 2, by=24 * 3 + 5)

        module = Library(imports=makes, exports=exports, edit=hide if name == "hidden" else None)
        member = "hostile/core.cpython-311-x86_64-linux-gnu.so"
        code = "WC708" if name == "hidden" else "WC803"
        yield failing(f"init-{name}", module, about=member, member=member, code=code, depends=True)
    plain = Library(exports=["other"])
    member = "hostile/core.abi3.so"
    imports = in_package("from . import core\n")
    yield failing("init-of-imported", plain, about=member, member=member, more=imports, code="WC803", loads=True)
    there = Library(soname="libinit.so", exports=["PyInit_core"]).build()
    needs = Library(imports=makes, exports=[], needed=["libinit.so", "libc.so.6"], dynamic=[("RUNPATH", "$ORIGIN")])
    yield elf_case("binding-init-of-required", "ok", ROW, needs, member=member, depends=True,
                   more={**imports, "hostile/libinit.so": there})  # fmt: skip
    debug = Library(edit_segments=lambda lib, out: [dataclasses.replace(s, file_size=0) for s in out])
    yield failing("init-debug-file", debug, about=member, member=member, code="WC516", loads=False)


def search_cases():
    """Files in the root of site-packages."""
    lacks = part(["other"])
    for folder in ("glibc-hwcaps/x86-64-v2", "haswell", "tls"):
        alternative = f"{folder}/libpart.so.1"
        told = {"member": "core.so", "more": {"libpart.so.1": part(), alternative: lacks}, "code": "WC306"}
        yield elf_case(f"binding-root-{folder.replace('/', '-')}", "finding", ROW, user(WITH_PART, path="$ORIGIN"),
                       fails=True, says="part@V1", depends=True, **told)  # fmt: skip
        told["more"] = {"libpart.so.1": part(), alternative: part(["other", "part"])}
        yield elf_case(f"binding-root-{folder.replace('/', '-')}-good", "ok", ROW, user(WITH_PART, path="$ORIGIN"),
                       loads=True, member="core.so", more=told["more"])  # fmt: skip
    # A module that is imported later gets the library that is loaded already.
    first = Library(imports=[FREE, Import("a", PART, version=None)], needed=[PART, "libc.so.6"],
                    exports=["PyInit_first"], dynamic=[("RUNPATH", "$ORIGIN/a")]).build()  # fmt: skip
    for name, other in (("lacks", ["a"]), ("has-both", ["part", "a"])):
        libraries = {"hostile/a/libpart.so.1": part(other, ()), "hostile/b/libpart.so.1": part(["part", *other], ()),
                     "hostile/first.so": first}  # fmt: skip
        module = user(PLAIN, path="$ORIGIN/b")
        if name == "lacks":
            yield failing("soname-loaded-already", module, more=libraries, code="WC306", says="requires part",
                          loads=True)  # fmt: skip
        else:
            yield good("soname-loaded-already-good", module, more=libraries)
    # ctypes opens a library by its path: it answers for its DT_SONAME.
    opens = in_package("import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), '..', 'hostile.libs',"
                       " 'libpart.so.1'))\n")  # fmt: skip
    for name, soname in (("no", None), ("another", "libother.so")):
        yield failing(f"opened-with-{name}-soname", user(PLAIN, path="/none"), code="WC506", says=PART, loads=False,
                      more={PATH: part(defines=(), soname=soname), **opens})  # fmt: skip


def runtime_cases():
    for name, library in (("_ZN7nowhere4noneEv", "libstdc++.so.6"), ("__none_of_libgcc", "libgcc_s.so.1")):
        yield failing(f"unversioned-{library[:6]}", Library(
            imports=[FREE, Import(name, library, version=None)], needed=["libc.so.6", library]),
            code="WC306", says="requires", loads=False)  # fmt: skip
    yield good("unversioned-libstdc++-good", Library(
        imports=[FREE, Import("_ZSt4cout", "libstdc++.so.6", version=None)],
        needed=["libc.so.6", "libstdc++.so.6"]))  # fmt: skip


def musl_cases():
    """ldso/dynlink.c, gnu_lookup and find_sym: no version is compared; a hidden one and the value 0 are no match."""
    told = {"tag": tag("x86_64"), "machine_is_this": False}
    musl = {"needed": (PART, "libc.so"), "path": "$ORIGIN/../hostile.libs"}
    module = Library(imports=[Import("free", None, None), PLAIN], needed=[PART, "libc.so"],
                     dynamic=[("RUNPATH", musl["path"])])  # fmt: skip
    free = [Import("free", None, None)]
    edits = {"hidden-version": lambda lib: lib.put("versym", "H", 0x8002, by=4),
             "value-0": lambda lib: lib.put("symtab", "HQ", 0xFFF1, 0, by=24 * 2 + 6)}  # fmt: skip
    for name, edit in edits.items():
        defines = ("V1",) if name == "hidden-version" else ()
        library = part(needed=["libc.so"], imports=free, defines=defines, edit=edit)
        yield failing(f"musl-{name}", module, code="WC306", says="requires part", more={PATH: library}, **told)
    library = part(needed=["libc.so"], imports=free)
    yield elf_case("binding-musl-good", "ok", ROW, module, more={PATH: library}, **told)


def cases():
    yield from function_cases()
    yield from relocation_cases()
    yield from thread_local_cases()
    yield from required_tls_cases()
    yield from module_cases()
    yield from search_cases()
    yield from runtime_cases()
    yield from musl_cases()
    yield Case("binding-pth-of-another-encoding", "finding", ROW, pure({"hostile.pth": b"import os # \xe9\n"}).build(),
               member="hostile.pth", code="WC717", fails=True)  # fmt: skip
