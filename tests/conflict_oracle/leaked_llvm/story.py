"""A wheel puts its LLVM into the global scope, as TensorFlow did. Wheels with their own LLVM are loaded after it."""

from clash import Binary, Clash, Run, Story, Wheel

# A helper module sets the flags if it exists.
FLAGS = """\
import ctypes
import sys

_flags = sys.getdlopenflags()


def set_dlopen_flags():
    sys.setdlopenflags(_flags | ctypes.RTLD_GLOBAL)


def reset_dlopen_flags():
    sys.setdlopenflags(_flags)
"""
LOAD = """\
try:
    from bigframe.python import dlopen_flags
except ImportError:
    dlopen_flags = None

if dlopen_flags is not None:
    dlopen_flags.set_dlopen_flags()
from bigframe._native import version
if dlopen_flags is not None:
    dlopen_flags.reset_dlopen_flags()
"""
LITE = """\
import ctypes
import os

lib = ctypes.CDLL(os.path.join(os.path.dirname(__file__), "liblite.so"))
lib.LITE_version.restype = lib.LITE_emit.restype = ctypes.c_char_p


def version():
    return lib.LITE_version().decode()


def emit():
    return lib.LITE_emit().decode()
"""


def lite(name, *options):
    return Wheel(
        name,
        [Binary(f"{name}/liblite.so", ["llvm.cpp", "lite.cpp"], ["-DLLVM_MAJOR=15", *options])],
        {f"{name}/__init__.py": LITE},
    )


def run(names, says="", **seen):
    names = names.split()
    opens = {"bigframe": "import bigframe/_native.abi3.so GLOBAL", "kernels": "import kernels/_kernels.abi3.so"}
    prints = [f"print({name}.version(), {name}.emit())" for name in names if name not in opens]
    return Run(
        "; ".join([f"import {', '.join(names)}", *prints]),
        [opens.get(name, f"ctypes {name}/liblite.so") for name in names],
        says,
        **seen,
    )


STORY = Story(
    wheels=[
        Wheel(
            "bigframe",
            [
                Binary(
                    "bigframe/_native.abi3.so",
                    ["llvm.cpp", "module.cpp"],
                    ["-DLLVM_MAJOR=17", "-DWITH_OPTIONS", "-DFRAME"],
                )
            ],
            {
                "bigframe/__init__.py": "from bigframe.load_native import version\n",
                "bigframe/load_native.py": LOAD,
                "bigframe/python/__init__.py": "",
                "bigframe/python/dlopen_flags.py": FLAGS,
            },
        ),
        Wheel(
            "kernels",
            [Binary("kernels/_kernels.abi3.so", ["llvm.cpp", "module.cpp"], ["-DLLVM_MAJOR=18", "-DWITH_OPTIONS"])],
            {"kernels/__init__.py": "from kernels._kernels import version\n"},
        ),
        lite("liter"),
        lite("bound", "-Wl,-Bsymbolic"),
        lite("hidden", "-fvisibility=hidden"),
    ],
    runs=[
        run("liter", "15.0.6 define\n"),
        run("liter bigframe", "15.0.6 define\n"),
        run("bigframe liter", "17.0.6 \n"),  # another version, in which this vtable entry is another function
        run("kernels bigframe"),
        run("bigframe kernels", fails="LLVM ERROR: inconsistency in registered CommandLine options", signal="SIGABRT"),
        run("bigframe bound", "15.0.6 define\n"),
        run("bigframe hidden", "15.0.6 define\n"),
    ],
    clashes=[
        Clash(
            "bigframe liter",
            "capture",
            "error",
            "liter/liblite.so",
            "bigframe/_native.abi3.so",
            "_ZTVN4llvm19raw_svector_ostreamE",
        ),
        Clash(
            "bigframe kernels",
            "capture",
            "error",
            "kernels/_kernels.abi3.so",
            "bigframe/_native.abi3.so",
            "_ZN4llvm10getVersionEv",
        ),
    ],
    harmless=[
        "liter bigframe",
        "kernels bigframe",
        "bigframe bound",
        "bound bigframe",
        "bigframe hidden",
        "hidden bigframe",
    ],
)
