"""One wheel has two versions of a library in two modules, and opens both with RTLD_GLOBAL."""

from clash import Binary, Clash, Run, Story, Wheel

GLOBAL = """import os, sys
old = sys.getdlopenflags()
sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
from . import _lua53, _lua54
sys.setdlopenflags(old)
"""
LOCAL = "from . import _lua53, _lua54\n"


def wheel(name, python):
    modules = [
        Binary(f"{name}/_lua{release}.abi3.so", ["lua.c"], [f"-DRELEASE={release}", f"-DENTRIES={release}"])
        for release in (53, 54)
    ]
    return Wheel(name, modules, {f"{name}/__init__.py": python})


def run(name, says, *flags):
    return Run(
        f"import {name}; print({name}._lua53.release(), {name}._lua54.release())",
        [" ".join(["import", f"{name}/_lua{release}.abi3.so", *flags]) for release in (53, 54)],
        says=says,
    )


STORY = Story(
    wheels=[wheel("luas", GLOBAL), wheel("apart", LOCAL)],
    runs=[run("luas", "53 53\n", "NOW", "GLOBAL"), run("apart", "53 54\n")],
    clashes=[Clash("luas", "captured-inside", "error", "luas/_lua54.abi3.so", "", "")],
    harmless=["apart"],
)
