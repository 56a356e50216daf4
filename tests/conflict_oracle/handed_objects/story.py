"""Two wheels, of which one requires the other, contain two releases of libxml2 and exchange its objects.

python-xmlsec#283: lxml & xmlsec libxml2 library version mismatch.
"""

from clash import Binary, Clash, Run, Story, Wheel

CHECK = """from ._xml import version
import elem
if elem.version() != version():
    raise ImportError("lxml & xmlsec libxml2 library version mismatch")
"""


def wheel(name, version, init, requires=()):
    # The file name contains no version, and only a relocation leads from the variable to its text.
    options = [f'-DPARSER_VERSION="{version}"', "-Wl,-Bsymbolic"]
    return Wheel(
        name, [Binary(f"{name}/_xml.abi3.so", ["module.c"], options)], {f"{name}/__init__.py": init}, requires=list(requires)
    )


MODULES = [f"import {name}/_xml.abi3.so" for name in ("elem", "sign")]

STORY = Story(
    wheels=[
        wheel("elem", "21308", "from ._xml import *\n"),
        wheel("sign", "21404", CHECK, ["elem"]),
        wheel("mark", "21308-GITv2.13.8", CHECK, ["elem"]),
    ],
    runs=[
        Run("import elem, sign", MODULES, fails="ImportError: lxml & xmlsec libxml2 library version mismatch"),
        Run("import elem, mark; print(mark.version())", [MODULES[0], "import mark/_xml.abi3.so"], says="536\n"),
    ],
    clashes=[Clash("elem sign", "handed-objects", "warning", "sign/_xml.abi3.so", "", "")],
    harmless=["elem mark", "mark elem"],
)
