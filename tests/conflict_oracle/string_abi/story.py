"""Both std::string ABIs of libstdc++ in one process: a library that is shared by its soname, and one in the global
scope."""

from clash import Binary, Clash, Run, Story, Wheel

OLD, NEW = "-D_GLIBCXX_USE_CXX11_ABI=0", "-D_GLIBCXX_USE_CXX11_ABI=1"
OLD_NAME = "_ZN4text9length_ofERKSs"
NEW_NAME = "_ZN4text9length_ofERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
PUBLISH = """\
import os
import sys

flags = sys.getdlopenflags()
sys.setdlopenflags(flags | os.RTLD_GLOBAL)
from ._text import length, pages
sys.setdlopenflags(flags)
"""


def sharing(name, abi):
    library = f"{name}.libs/libtext.so.1"
    return Wheel(
        name,
        [
            Binary(library, ["text.cpp"], [abi], soname="libtext.so.1"),
            Binary(f"{name}/_text.abi3.so", ["module.cpp"], [abi], [library], runpath=f"$ORIGIN/../{name}.libs"),
        ],
        {f"{name}/__init__.py": "from ._text import length, pages\n"},
    )


def whole(name, abi, init):
    return Wheel(
        name, [Binary(f"{name}/_text.abi3.so", ["module.cpp", "text.cpp"], [abi])], {f"{name}/__init__.py": init}
    )


def run(first, second, flags="", **seen):
    return Run(
        f"import {first}, {second}; print({second}.length(), {second}.pages())",
        [f"import {first}/_text.abi3.so {flags}", f"import {second}/_text.abi3.so"],
        **seen,
    )


def lacks(name, symbol):
    return f"{{site}}/{name}/_text.abi3.so: undefined symbol: {symbol}"


def fails(error):
    return {"fails": f"ImportError: {error}", "errors": [error]}


LACKS_NEW, LACKS_OLD = lacks("newtext", NEW_NAME), lacks("oldtext", OLD_NAME)

STORY = Story(
    wheels=[
        sharing("oldtext", OLD),
        sharing("newtext", NEW),
        whole("oldleak", OLD, PUBLISH),
        whole("newleak", NEW, "from ._text import length, pages\n"),
    ],
    runs=[
        run("oldtext", "newtext", **fails(LACKS_NEW)),
        run("newtext", "oldtext", **fails(LACKS_OLD)),
        # The length is correct, because that function has two names. The page count is read where the old string ended.
        run("oldleak", "newleak", "GLOBAL", says="5 7\n"),
        run("newleak", "newtext", says="5 320\n"),
    ],
    clashes=[
        Clash("oldtext newtext", "import-fails", "error", "newtext/_text.abi3.so", "", LACKS_NEW),
        Clash("newtext oldtext", "import-fails", "error", "oldtext/_text.abi3.so", "", LACKS_OLD),
        Clash(
            "oldleak newleak",
            "capture",
            "error",
            "newleak/_text.abi3.so",
            "oldleak/_text.abi3.so",
            "_ZNK4text8Document5pagesEv",
        ),
    ],
    harmless=["newleak oldleak"],
)
