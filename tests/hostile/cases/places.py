"""ELF files at every possible path are checked like any other."""

from elf_maker import Library
from hostile import ELF_TAG, elf_case
from zip_maker import DIST_INFO

ROW = "ELF anywhere (.py, .txt, no suffix, .dist-info, scripts, data, headers, dot files)"
DATA = "hostile-1.0.data"
PLACES = {
    "py": "hostile/code.py",
    "txt": "hostile/notes.txt",
    "no-suffix": "hostile/core",
    "pyc": "hostile/__pycache__/a.cpython-311.pyc",
    "dot-file": "hostile/.hidden",
    "dot-directory": ".hidden/core.so",
    "top": "core.so",
    "dist-info": f"{DIST_INFO}/core.so",
    "dist-info-licence": f"{DIST_INFO}/licenses/LICENSE",
    "sbom": f"{DIST_INFO}/sboms/a.json",
    "scripts": f"{DATA}/scripts/tool",
    "data": f"{DATA}/data/lib/core.so",
    "headers": f"{DATA}/headers/core.h",
    "platlib": f"{DATA}/platlib/core.so",
    "zip-name": "hostile/data.zip",
    "png": "hostile/logo.png",
    "wheel-name": "hostile/inner.whl",
    "gz": "hostile/a.gz",
    "long-name": "hostile/" + "n" * 240 + ".so",
    "utf8-name": "hostile/\u00e9.so",
    "blank": "hostile/a b.so",
    "versioned": "hostile/libx.so.1.2.3",
    "object-name": "hostile/x.o",
    "archive-name": "hostile/x.a",
    "debug-name": "hostile/core.so.debug",
    "deep": "a/" * 40 + "core.so",
    "libs": "hostile.libs/libx-1234.so",
    "entry-points": f"{DIST_INFO}/entry_points.txt",
    "top-level": f"{DIST_INFO}/top_level.txt",
    "json": "hostile/data.json",
}


def cases():
    for name, path in PLACES.items():
        yield elf_case(
            f"place-{name}",
            "finding",
            ROW,
            Library(needed=["libc.so.6", "libevil.so.1"]),
            member=path,
            code="WC103",
            says="libevil",
            fails=True,
        )
    for name in ("no-suffix", "top", "platlib", "dot-file", "long-name", "deep", "libs", "versioned"):
        yield elf_case(
            f"place-{name}-good", "remarked", ROW, Library(soname=f"lib{name}.so.1"), member=PLACES[name], loads=True
        )
    for name in ("py", "txt", "dist-info-licence", "png"):
        yield elf_case(
            f"place-{name}-broken",
            "finding",
            ROW,
            b"\x7fELF" + bytes(range(200)),
            member=PLACES[name],
            code="WC708",
            fails=True,
        )
    broken = Library(header={"phoff": 1 << 50}).build()
    yield elf_case(
        "place-one-broken-of-three",
        "finding",
        ROW,
        broken,
        member="hostile/b.so",
        code="WC708",
        fails=True,
        more={
            "hostile/a.so": Library(needed=["libevil.so.1"]).build(),
            "hostile/c.so": Library(needed=["libmore.so.1"]).build(),
        },
    )
    library = Library().build()
    readers = "members that pip, uv and other installers put into different places"
    for name, path in {"case": "Hostile-1.0.data/platlib/hostile/b.so", "project": "other-2.0.data/platlib/b.so"}.items():
        yield elf_case(
            f"data-of-another-{name}", "finding", readers, library, member=path, code="WC704", says="pip moves it", fails=True
        )
    yield elf_case(
        "two-members-at-one-place",
        "finding",
        readers,
        library,
        member=f"{DATA}/platlib/hostile/core.so",
        code="WC704",
        says="installed to the same path",
        fails=True,
        more={"hostile/core.so": library},
    )
    assert ELF_TAG
