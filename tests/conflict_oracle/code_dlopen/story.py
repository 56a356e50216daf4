"""A constructor opens a library with RTLD_GLOBAL in C. References of a wheel that is imported later bind to it.

Libraries that preload their plugins do this. No Python code shows it.
"""

from clash import Binary, Clash, Run, Story, Wheel

HOOKS = {name: Binary(f"{name}/libhooks.so.1", ["hooks.c"], soname="libhooks.so.1") for name in ("early", "quiet")}


def loader(name, options):
    module = Binary(f"{name}/_load.abi3.so", ["loader.c"], options, runpath="$ORIGIN")
    return Wheel(name, [HOOKS[name], module], {f"{name}/__init__.py": "from ._load import *\n"})


OWN = Binary("victim.libs/libown.so.1", ["own.c"], soname="libown.so.1")
VALUE = Binary("victim/_value.abi3.so", ["victim.c"], [], [OWN.path], runpath="$ORIGIN/../victim.libs")

STORY = Story(
    wheels=[
        loader("early", ["-DCONSTRUCTOR", "-DFLAGS=RTLD_GLOBAL"]),
        loader("quiet", ["-DCONSTRUCTOR", "-DFLAGS=RTLD_LOCAL"]),
        Wheel("victim", [OWN, VALUE], {"victim/__init__.py": "from ._value import *\n"}),
    ],
    runs=[
        Run(
            "import early, victim; print(victim.value())",
            ["import early/_load.abi3.so", "dlopen early/libhooks.so.1 GLOBAL", "import victim/_value.abi3.so"],
            says="8\n",
        ),
        Run(
            "import quiet, victim; print(victim.value())",
            ["import quiet/_load.abi3.so", "dlopen quiet/libhooks.so.1", "import victim/_value.abi3.so"],
            says="16\n",
        ),
    ],
    clashes=[
        Clash("early victim", "capture", "warning", "victim.libs/libown.so.1", "early/libhooks.so.1", "answer"),
    ],
    harmless=["victim early", "quiet victim", "victim quiet"],
)
