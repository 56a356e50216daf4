"""A wheel with a static libstdc++ that exports its symbols, and a wheel that uses the system's libstdc++."""

from clash import Binary, Clash, Run, Story, Wheel

STATIC = ["-Wl,--whole-archive", "-l:libstdc++.a", "-Wl,--no-whole-archive", "-static-libstdc++", "-static-libgcc"]


def wheel(name, options):
    module = Binary(f"{name}/_text.abi3.so", ["module.cpp"], options, compiler="g++")
    return Wheel(name, [module], {f"{name}/__init__.py": "from ._text import *\n"})


def run(first, second, says):
    return Run(
        f"import {first}, {second}; print({second}.text())",
        [f"import {name}/_text.abi3.so" for name in (first, second)],
        says=says,
    )


STORY = Story(
    wheels=[
        wheel("seen", STATIC),
        wheel("hidden", ["-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL"]),
        wheel("system", []),
    ],
    runs=[run("hidden", "system", "value 42\n"), run("system", "hidden", "value 42\n")],
    clashes=[
        Clash("seen system", "two-cxx-runtimes", "error", "seen/_text.abi3.so", "", ""),
        Clash("system seen", "two-cxx-runtimes", "error", "seen/_text.abi3.so", "", ""),
    ],
    harmless=["hidden system", "system hidden"],
)
