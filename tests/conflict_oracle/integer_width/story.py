"""numpy with an lp64 MKL that it opens with RTLD_GLOBAL, and an extension with an ilp64 MKL, in four combinations of
order and flags."""

from clash import Binary, Clash, Run, Story, Wheel

# Modelled on Intel's numpy, which opens MKL with RTLD_GLOBAL for the libraries that MKL opens itself.
PUBLISH = """\
import ctypes
import sys


class RTLD_for_MKL:
    def __enter__(self):
        self.saved = sys.getdlopenflags()
        sys.setdlopenflags(self.saved | ctypes.RTLD_GLOBAL)

    def __exit__(self, *ignored):
        sys.setdlopenflags(self.saved)


with RTLD_for_MKL():
    from . import _solver
"""


def wheel(name, interface, integer, init="from ._solver import info\n", **files):
    library = f"{name}.libs/libmkl_intel_{interface}.so.2"
    options = [f"-DINTEGER={integer}", "-Wl,-z,lazy"]
    return Wheel(
        name,
        [
            Binary(library, ["mkl.c"], options, soname=f"libmkl_intel_{interface}.so.2"),
            Binary(f"{name}/_solver.abi3.so", ["module.c"], options, [library], runpath=f"$ORIGIN/../{name}.libs"),
        ],
        {f"{name}/__init__.py": init, **{f"{name}/{file}.py": text for file, text in files.items()}},
    )


WIDE = "import bigmat/_solver.abi3.so"
QUIET = "import quietarray/_solver.abi3.so"
NARROW = "import numarray/_solver.abi3.so GLOBAL"
WIDE_MKL, NARROW_MKL = "bigmat.libs/libmkl_intel_ilp64.so.2", "numarray.libs/libmkl_intel_lp64.so.2"
PRINT = "print(numarray.info(), bigmat.info())"
HALF_WRITTEN = -7 & ~0xFFFFFFFF  # four of the eight bytes of -7 became 0

STORY = Story(
    wheels=[
        wheel(
            "numarray",
            "lp64",
            "int32_t",
            "from . import _distributor_init\nfrom ._solver import info\n",
            _distributor_init=PUBLISH,
        ),
        wheel("quietarray", "lp64", "int32_t"),
        wheel("bigmat", "ilp64", "int64_t"),
    ],
    runs=[
        Run(f"import numarray, bigmat; {PRINT}", [NARROW, WIDE], f"0 {HALF_WRITTEN}\n"),
        Run(f"import bigmat, numarray; {PRINT}", [WIDE, NARROW], "0 0\n"),
        Run("import quietarray, bigmat; print(quietarray.info(), bigmat.info())", [QUIET, WIDE], "0 0\n"),
        # A module in sys.modules is not opened again, so the second import changes no flags.
        Run(
            "import sys, os, quietarray; sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL); import quietarray._solver; "
            "sys.setdlopenflags(os.RTLD_NOW); import bigmat; print(quietarray.info(), bigmat.info())",
            [QUIET, f"{QUIET} NOW GLOBAL", WIDE],
            "0 0\n",
        ),
        # The symbol is bound at its first call, after numarray opened MKL with RTLD_GLOBAL.
        Run(
            f"import sys, os; sys.setdlopenflags(os.RTLD_LAZY); import bigmat; sys.setdlopenflags(os.RTLD_NOW); "
            f"import numarray; {PRINT}",
            [f"{WIDE} LAZY", NARROW],
            f"0 {HALF_WRITTEN}\n",
            lazy=True,
        ),
        # The other way round: the wide MKL is global. The modules of ctypes must not be, so ctypes is imported before.
        Run(
            "import os, sys, ctypes\n"
            "sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)\n"
            f"import bigmat, numarray; {PRINT}",
            [f"{WIDE} NOW GLOBAL", NARROW],
            "-1 0\n",
        ),
    ],
    clashes=[
        Clash("numarray bigmat", "capture", "error", WIDE_MKL, NARROW_MKL, "dsyevd"),
        Clash("bigmat numarray", "capture", "error", WIDE_MKL, NARROW_MKL, "dsyevd", ["--dlopen-flags=LAZY"]),
        Clash(
            "bigmat numarray",
            "capture",
            "error",
            NARROW_MKL,
            WIDE_MKL,
            "dsyevd",
            ["--global=bigmat::bigmat/_solver.abi3.so"],
        ),
    ],
    harmless=["bigmat numarray", "quietarray bigmat", "bigmat quietarray"],
)
