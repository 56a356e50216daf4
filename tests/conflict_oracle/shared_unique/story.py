"""A STB_GNU_UNIQUE variable exists once per process, although both wheels are RTLD_LOCAL. The second wheel expects
another layout."""

from clash import Binary, Clash, Run, Story, Wheel

STATE = "_ZN8registry8RegistryIiE5stateE"


def wheel(name, release, *options):
    return Wheel(
        name,
        [Binary(f"{name}/_registry.abi3.so", ["module.cpp"], [f"-DRELEASE={release}", *options])],
        {f"{name}/__init__.py": "from ._registry import join\n"},
    )


def run(names, says):
    calls = ", ".join(f"{name}.join()" for name in names)
    return Run(
        f"import {', '.join(names)}; print({calls})", [f"import {name}/_registry.abi3.so" for name in names], says
    )


STORY = Story(
    wheels=[
        wheel("second", 2),
        wheel("first", 1),
        wheel("alsofirst", 1),
        wheel("apart", 1, "-fno-gnu-unique"),
        wheel("unseen", 1, "-fvisibility=hidden"),
    ],
    runs=[
        run(["first"], "1\n"),
        run(["second", "first"], "1 1235\n"),  # the second wheel counts in the magic number
        run(["first", "alsofirst"], "1 2\n"),  # same layout: shared as intended
        run(["second", "apart"], "1 1\n"),
        run(["second", "unseen"], "1 1\n"),
    ],
    clashes=[
        Clash("second first", "shared-unique", "error", "first/_registry.abi3.so", "second/_registry.abi3.so", STATE),
        Clash("first second", "shared-unique", "error", "second/_registry.abi3.so", "first/_registry.abi3.so", STATE),
    ],
    harmless=["second apart", "apart second", "second unseen", "unseen second"],
)
