"""Writes a site-packages for a case: libraries of a few lines of C, links, other files."""

import os
import pathlib
import subprocess
from dataclasses import dataclass, field

CC = os.environ.get("CC", "gcc")
# What the sources of cases are made of.
F = "int f(void) { return 1; }\n"
G = "int g(void) { return 1; }\n"
USES_F = "int f(void); int (*at_f)(void) = f; int run_calls(void) { return at_f ? f() : 0; }\n"
CALLS_F = "int f(void); int run_calls(void) { return f(); }\n"  # one that waits
BOTH = F + USES_F  # a library that has its own, and asks
UNIQUE = ('asm(".data; .globl u; .type u, @gnu_unique_object; .size u, 4; u: .zero 4; .previous");\n'
          "extern int u; int* at_u = &u;\n")
MISSING = "int missing(void); int (*at_missing)(void) = missing;\n"


@dataclass
class Library:
    path: str
    source: str
    needed: list = field(default_factory=list)   # paths of libraries made before, or names as they stand
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
    to: str  # below the site


@dataclass
class Foreign:
    """A library with bytes changed: by offset in its header."""

    path: str
    patches: dict


@dataclass
class Text:
    path: str
    text: str


@dataclass
class Case:
    """`steps`: of each step the opens, "OP PATH FLAG...", parted by ";"."""

    files: list
    steps: list
    environment: dict = field(default_factory=dict)  # {site} stands for the directory
    lazy: bool = False                               # LD_BIND_NOW stays unset
    platform: bool = False                           # nobody can tell without the names of the interpreter or of libc


def link_words(library, site, scratch):
    for needed in library.needed:
        path = site / needed
        if "/" in needed and path.exists() and not needed.startswith("$"):
            yield from (f"-L{path.parent}", f"-l:{path.name}")
            continue
        stub = scratch / f"stub-{needed.replace('/', '_')}"
        subprocess.run([CC, "-shared", "-nostdlib", "-x", "c", "/dev/null", f"-Wl,-soname={needed}", "-o", stub],
                       check=True)
        yield str(stub)


def compile_library(library, site, scratch):
    out = site / library.path
    source, script = scratch / "source", scratch / "script.map"
    source.write_text(library.source)
    words = [CC, "-shared", "-fPIC", "-nostdlib", "-w", "-O1", "-o", out, "-x", library.language, source, "-x", "none",
             "-Wl,--no-as-needed,-z,undefs,--allow-shlib-undefined,-z,lazy"]
    words += [f"-Wl,-soname={library.soname}"] if library.soname else []
    words += [f"-Wl,--enable-new-dtags,-rpath={library.runpath}"] if library.runpath else []
    words += [f"-Wl,--disable-new-dtags,-rpath={library.rpath}"] if library.rpath else []
    if library.script:
        script.write_text(library.script)
        words.append(f"-Wl,--version-script={script}")
    out.unlink(missing_ok=True)
    subprocess.run([*words, *library.options, *link_words(library, site, scratch)], check=True)


def make(files, site, scratch):
    for each in files:
        path = site / pathlib.PurePath(each.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(each, Link):
            path.symlink_to(each.to)
        elif isinstance(each, Hardlink):
            path.hardlink_to(site / each.to)
        elif isinstance(each, Foreign):
            compile_library(Library(each.path, F), site, scratch)
            content = bytearray(path.read_bytes())
            for offset, byte in each.patches.items():
                content[offset] = byte
            path.write_bytes(content)
        elif isinstance(each, Text):
            path.write_text(each.text)
        else:
            compile_library(each, site, scratch)
