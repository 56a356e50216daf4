#!/usr/bin/env python3
"""Imports modules and prints each file that is opened, in order: path below the site-packages, flags, module.

record.py [--stand-ins] SITE MODULE...

An extension module is recorded before CPython opens it. With --stand-ins it is not opened, so that its file may be
empty, and an empty module replaces it. Libraries that ctypes opens are recorded too; with --stand-ins they are not
opened either.
"""

import _imp
import ctypes
import os
import sys
import types

stand_ins = "--stand-ins" in sys.argv
site, *modules = [word for word in sys.argv[1:] if word != "--stand-ins"]
site = os.path.realpath(site)
create, execute, dlopen = _imp.create_dynamic, _imp.exec_dynamic, ctypes._dlopen
opened = []


def note(path, flags):
    path = os.path.realpath(path)
    if path.startswith(site + os.sep):
        opened.append(f"{path[len(site) + 1:]}\t{flags:#x}")


def stands_in(spec):
    return stand_ins and os.path.realpath(spec.origin).startswith(site + os.sep)


def create_dynamic(spec, *rest):
    note(spec.origin, sys.getdlopenflags())
    return types.ModuleType(spec.name) if stands_in(spec) else create(spec, *rest)


def exec_dynamic(module):
    return 0 if stands_in(module.__spec__) else execute(module)


def open_library(name, mode=ctypes.DEFAULT_MODE):
    if name is not None and os.sep in str(name):
        if not os.path.exists(name):
            raise OSError(f"{name}: cannot open shared object file: No such file or directory")
        note(name, mode | os.RTLD_NOW)
        if stand_ins:
            return 0
    return dlopen(name, mode)


_imp.create_dynamic, _imp.exec_dynamic, ctypes._dlopen = create_dynamic, exec_dynamic, open_library
sys.path.insert(0, site)
for module in modules:
    try:
        __import__(module)
    except Exception as error:
        print(f"{module}: {type(error).__name__}: {error}", file=sys.stderr)
print("\n".join(opened))
