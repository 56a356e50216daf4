"""A wheel that defines operator new and delete loads libstdc++ first, so that libstdc++ uses them for every file."""

from clash import Binary, Clash, Run, Story, Wheel

TEXT = "a text that is longer than what a string holds in itself\n"


def module(name, needed, runpath=""):
    return Binary(f"{name}/_text.abi3.so", ["module.cpp"], ["-O0"], needed, runpath=runpath)


def wheel(name, binaries):
    return Wheel(name, binaries, {f"{name}/__init__.py": "from ._text import *\n"})


def run(first, second, **seen):
    return Run(
        f"import {first}, {second}; print({second}.text())",
        [f"import {name}/_text.abi3.so" for name in (first, second)],
        **seen,
    )


LIBRARY = Binary("fastmem.libs/libfastmem.so.4", ["allocator.cpp"], soname="libfastmem.so.4")

STORY = Story(
    wheels=[
        wheel("fastmem", [LIBRARY, module("fastmem", [LIBRARY.path], "$ORIGIN/../fastmem.libs")]),
        wheel("plain", [module("plain", [])]),
    ],
    runs=[run("fastmem", "plain", signal="SIGABRT"), run("plain", "fastmem", says=TEXT)],
    clashes=[Clash("fastmem plain", "first-allocator", "error", "fastmem.libs/libfastmem.so.4", "", "")],
    harmless=[],
)
