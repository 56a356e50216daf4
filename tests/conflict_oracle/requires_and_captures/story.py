"""A wheel requires another one, which opens its LAPACK with RTLD_GLOBAL. Its own LAPACK has another integer width."""

from clash import Binary, Clash, Run, Story, Wheel

GLOBAL = """import os, sys
old = sys.getdlopenflags()
sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
from . import _eig
sys.setdlopenflags(old)
"""


def wheel(name, library, width, python, requires=()):
    return Wheel(
        name,
        [
            Binary(f"{name}.libs/{library}", ["lapack.c"], [f"-DWIDTH={width}"], soname=library),
            Binary(
                f"{name}/_eig.abi3.so",
                ["module.c"],
                [],
                [f"{name}.libs/{library}"],
                runpath=f"$ORIGIN/../{name}.libs",
            ),
        ],
        {f"{name}/__init__.py": python},
        requires=list(requires),
    )


def run(opens, code, says):
    return Run(f"import {code}; print(narrow._eig.width(), wide._eig.width())", opens, says=says)


NARROW, WIDE = "import narrow/_eig.abi3.so NOW GLOBAL", "import wide/_eig.abi3.so"

STORY = Story(
    wheels=[
        wheel("narrow", "libmkl_lp64.so", 8, GLOBAL),
        wheel("wide", "libmkl_ilp64.so", 16, "from . import _eig\n", ["narrow"]),
    ],
    runs=[run([NARROW, WIDE], "narrow, wide", "8 8\n"), run([WIDE, NARROW], "wide, narrow", "8 16\n")],
    clashes=[
        Clash("narrow wide", "capture", "error", "wide.libs/libmkl_ilp64.so", "narrow.libs/libmkl_lp64.so", "dsyevd"),
        # The obvious fix also hides the symbol from the wheel that defines it.
        Clash(
            "narrow wide",
            "cannot-be-opened",
            "error",
            "narrow/_eig.abi3.so",
            "",
            "",
            ["--what-if", "hide narrow::libmkl_lp64.so dsyevd"],
        ),
    ],
)
