"""replay.py SITE PLAN: executes a plan in CPython, and prints the failures as JSON lines, in the format of a report.

Functions named run_calls are called at the end, so that lazily bound references are looked up.
"""

import ctypes
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys

site, plan = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
BITS = {"LAZY": 1, "NOW": 2, "NOLOAD": 4, "DEEPBIND": 8, "GLOBAL": 0x100, "LOCAL": 0, "NODELETE": 0x1000}
libc = ctypes.CDLL(None)
libc.dlopen.restype = ctypes.c_void_p
libc.dlopen.argtypes = [ctypes.c_char_p, ctypes.c_int]
libc.dlerror.restype = ctypes.c_char_p


def imported(path, flags):
    if path in sys.modules:
        return
    name = pathlib.PurePath(path).name.partition(".")[0]
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    sys.setdlopenflags(flags)
    try:
        importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path, loader=loader))
    except ImportError as error:
        if not str(error).startswith("dynamic module does not define"):  # in this case the file stays open
            raise
    finally:
        sys.setdlopenflags(os.RTLD_NOW)
    sys.modules[path] = None


def opened(path, flags):
    handle = libc.dlopen(path.encode() or None, flags)
    if not handle:
        raise OSError((libc.dlerror() or b"").decode())
    return ctypes.CDLL(path or None, handle=handle)


OPS = {"import": imported, "ctypes": lambda path, flags: ctypes.CDLL(path or None, flags), "dlopen": opened}

libraries = []
for number, step in enumerate(plan["steps"], 1):
    for entry in step["opens"]:
        path = entry["path"]
        if "/" in path or entry["op"] == "import":
            path = str(site / path)
        flags = 0
        for flag in entry["flags"]:
            flags |= BITS[flag]
        try:
            libraries.append(OPS[entry["op"]](path, flags))
        except (ImportError, OSError) as error:
            print(json.dumps({"step": number, "error": str(error)}), flush=True)
for library in libraries:
    if library is not None and hasattr(library, "run_calls"):
        library.run_calls()
