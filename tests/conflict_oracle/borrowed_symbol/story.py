"""A plug-in is not linked with the library that it uses. It works only after the wheel that opens this library with
RTLD_GLOBAL."""

from clash import Binary, Clash, Run, Story, Wheel

PUBLISH = """\
import os
import sys

flags = sys.getdlopenflags()
sys.setdlopenflags(flags | os.RTLD_GLOBAL)
from ._core import version
sys.setdlopenflags(flags)
"""
ERROR = "{site}/plugin/_plugin.abi3.so: undefined symbol: core_version"

STORY = Story(
    wheels=[
        Wheel("core", [Binary("core/_core.abi3.so", ["core.c", "module.c"])], {"core/__init__.py": PUBLISH}),
        Wheel(
            "plugin",
            [Binary("plugin/_plugin.abi3.so", ["module.c"], ["-DPLUGIN"])],
            {"plugin/__init__.py": "from ._plugin import version\n"},
        ),
    ],
    runs=[
        Run(
            "import core, plugin; print(plugin.version())",
            ["import core/_core.abi3.so GLOBAL", "import plugin/_plugin.abi3.so"],
            "7\n",
        ),
        Run("import plugin, core", ["import plugin/_plugin.abi3.so"], fails=f"ImportError: {ERROR}", errors=[ERROR]),
    ],
    clashes=[
        Clash("core plugin", "borrow", "warning", "plugin/_plugin.abi3.so", "core/_core.abi3.so", "core_version"),
    ],
)
