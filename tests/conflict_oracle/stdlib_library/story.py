"""A wheel opens its SQLite with RTLD_GLOBAL, and the interpreter's sqlite3 module uses it."""

from clash import Binary, Clash, Run, Story, Wheel

PUBLISH = """\
import os
import sys

flags = sys.getdlopenflags()
sys.setdlopenflags(flags | os.RTLD_GLOBAL)
from ._frames import sqlite
sys.setdlopenflags(flags)
"""
OPENS = ["import frames/_frames.abi3.so GLOBAL", "import <_sqlite3>"]

STORY = Story(
    wheels=[
        Wheel("frames", [Binary("frames/_frames.abi3.so", ["sqlite.c", "module.c"])], {"frames/__init__.py": PUBLISH})
    ],
    runs=[
        Run("import frames, sqlite3; print(sqlite3.sqlite_version == frames.sqlite())", OPENS, "True\n"),
        Run("import sqlite3, frames; print(sqlite3.sqlite_version == frames.sqlite())", OPENS[::-1], "False\n"),
    ],
    clashes=[Clash("frames", "capture", "warning", "libsqlite3.so.0", "frames/_frames.abi3.so", "sqlite3_libversion")],
)
