"""Writes the site-packages of a case: libraries with a few lines of C, links, other files."""

import os
import pathlib
import struct
import subprocess
from dataclasses import dataclass, field

CC = os.environ.get("CC", "gcc")
# Parts of the sources of the cases.
F = "int f(void) { return 1; }\n"
G = "int g(void) { return 1; }\n"
USES_F = "int f(void); int (*at_f)(void) = f; int run_calls(void) { return at_f ? f() : 0; }\n"
CALLS_F = "int f(void); int run_calls(void) { return f(); }\n"  # bound lazily
BOTH = F + USES_F  # a library that defines f and uses it
UNIQUE = (
    'asm(".data; .globl u; .type u, @gnu_unique_object; .size u, 4; u: .zero 4; .previous");\n'
    "extern int u; int* at_u = &u;\n"
)
MISSING = "int missing(void); int (*at_missing)(void) = missing;\n"


@dataclass
class Library:
    path: str
    source: str
    needed: list = field(default_factory=list)  # paths of libraries of earlier entries, or other names unchanged
    soname: str = ""
    runpath: str = ""
    rpath: str = ""
    script: str = ""
    options: list = field(default_factory=list)
    language: str = "c"


@dataclass
class Link:
    path: str
    to: str


@dataclass
class Hardlink:
    path: str
    to: str  # relative to the site


@dataclass
class Foreign:
    """A library with changed bytes: by offset in its ELF header."""

    path: str
    patches: dict
    source: str = F


@dataclass
class Tagged:
    """A library with additional entries in its dynamic section: values by tag."""

    library: Library
    entries: dict

    @property
    def path(self):
        return self.library.path


@dataclass
class Text:
    path: str
    text: str


@dataclass
class Case:
    """`steps`: the opens of each step, "OP PATH FLAG...", separated by ";"."""

    files: list
    steps: list
    environment: dict = field(default_factory=dict)  # {site} is replaced by the directory
    lazy: bool = False  # LD_BIND_NOW is not set
    platform: bool = False  # the result depends on the symbols of the interpreter or of libc


def link_words(library, site, scratch):
    for needed in library.needed:
        path = site / needed
        if "/" in needed and path.exists() and not needed.startswith("$"):
            yield from (f"-L{path.parent}", f"-l:{path.name}")
            continue
        stub = scratch / f"stub-{needed.replace('/', '_')}"
        subprocess.run(
            [CC, "-shared", "-nostdlib", "-x", "c", "/dev/null", f"-Wl,-soname={needed}", "-o", stub], check=True
        )
        yield str(stub)


def compile_library(library, site, scratch):
    out = site / library.path
    source, script = scratch / "source", scratch / "script.map"
    source.write_text(library.source)
    words = [
        CC,
        "-shared",
        "-fPIC",
        "-nostdlib",
        "-w",
        "-O1",
        "-o",
        out,
        "-x",
        library.language,
        source,
        "-x",
        "none",
        "-Wl,--no-as-needed,-z,undefs,--allow-shlib-undefined,-z,lazy",
    ]
    words += [f"-Wl,-soname={library.soname}"] if library.soname else []
    words += [f"-Wl,--enable-new-dtags,-rpath={library.runpath}"] if library.runpath else []
    words += [f"-Wl,--disable-new-dtags,-rpath={library.rpath}"] if library.rpath else []
    if library.script:
        script.write_text(library.script)
        words.append(f"-Wl,--version-script={script}")
    out.unlink(missing_ok=True)
    subprocess.run([*words, *library.options, *link_words(library, site, scratch)], check=True)


def add_entries(path, entries):
    """Overwrites spare DT_NULL entries of the linker. If the tag exists, the bits of the value are added to it."""
    content = bytearray(path.read_bytes())
    (table,) = struct.unpack_from("<Q", content, 32)
    (headers,) = struct.unpack_from("<H", content, 56)
    for number in range(headers):
        kind, _, offset, _, _, size = struct.unpack_from("<IIQQQQ", content, table + 56 * number)
        if kind == 2:  # PT_DYNAMIC
            break
    at = {}
    for place in reversed(range(offset, offset + size, 16)):
        at[struct.unpack_from("<Q", content, place)[0]] = place
    for tag, value in entries.items():
        place = at.get(tag)
        if place is None:
            place, at[0] = at[0], at[0] + 16
            assert at[0] + 16 <= offset + size
        else:
            value |= struct.unpack_from("<Q", content, place + 8)[0]
        struct.pack_into("<QQ", content, place, tag, value)
    path.write_bytes(content)


def make(files, site, scratch):
    for each in files:
        path = site / pathlib.PurePath(each.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(each, Link):
            path.symlink_to(each.to)
        elif isinstance(each, Hardlink):
            path.hardlink_to(site / each.to)
        elif isinstance(each, Foreign):
            compile_library(Library(each.path, each.source), site, scratch)
            content = bytearray(path.read_bytes())
            for offset, byte in each.patches.items():
                content[offset] = byte
            path.write_bytes(content)
        elif isinstance(each, Tagged):
            compile_library(each.library, site, scratch)
            add_entries(path, each.entries)
        elif isinstance(each, Text):
            path.write_text(each.text)
        else:
            compile_library(each, site, scratch)
