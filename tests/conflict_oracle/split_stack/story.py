"""Two wheels bundle the same build of an upper library under one name, but each with another lower library."""

from clash import Binary, Clash, Run, Story, Wheel


def wheel(name, core, handle):
    upper, lower = f"{name}.libs/libupper-0ce065ed.so.1", f"{name}.libs/{core}"
    return Wheel(
        name,
        [
            Binary(lower, ["core.c"], [f"-DHANDLE={handle}"], soname=core),
            Binary(upper, ["upper.c"], [], [lower], soname="libupper-0ce065ed.so.1", runpath="$ORIGIN"),
            Binary(
                f"{name}/_stack.abi3.so", ["module.c"], [], [upper, lower], runpath=f"$ORIGIN/../{name}.libs"
            ),
        ],
        {f"{name}/__init__.py": "from ._stack import *\n"},
    )


def run(first, second, says):
    return Run(
        f"import {first}, {second}; print({first}.check(), {second}.check())",
        [f"import {name}/_stack.abi3.so" for name in (first, second)],
        says=says,
    )


def clash(first, second):
    return Clash(f"{first} {second}", "split-stack", "error", f"{second}.libs/libupper-0ce065ed.so.1", "", "")


STORY = Story(
    wheels=[
        wheel("one", "libcore-aaaaaaaa.so.1", 7),
        wheel("two", "libcore-bbbbbbbb.so.1", 9),
        wheel("same", "libcore-aaaaaaaa.so.1", 7),
    ],
    runs=[run("one", "two", "7 -1\n"), run("two", "one", "9 -1\n"), run("one", "same", "7 7\n")],
    clashes=[clash("one", "two"), clash("two", "one")],
)
