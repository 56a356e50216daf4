#!/usr/bin/env python3
"""Compares a real Python process in the log of ld.so with the prediction of `wheelcheck conflicts`.

python_process_test.py PROGRAM stdlib            modules of the standard library, with this interpreter and this root
python_process_test.py PROGRAM reference         a C++ module, with the built-in reference interpreter and platform
python_process_test.py PROGRAM show SITE MODULE...    how much agrees for the packages installed in SITE; not a test

The process runs with LD_BIND_NOW, so that every reference is bound. The plan is the list of files that it opened, in
order.
"""

import collections
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

BINDING = re.compile(r"binding file (\S+) \[0\] to (\S+) \[0\]: \w+ symbol `(.*?)'(?: \[(.*)\])?$")
OPENED = re.compile(r"file=(\S+) \[0\];  dynamically loaded by (\S+) \[0\]")
INTERPRETER = os.path.realpath("/proc/self/exe")
DLSYM = re.compile(r"PyInit_\w+|__vdso_\w+")
ALLOCATOR = {"malloc", "calloc", "realloc", "free"}  # ld.so looks these up in the scope of the program
STDLIB = "_ssl _sqlite3 zlib _bz2 _lzma _ctypes _decimal _json _hashlib _uuid math".split()
SOURCE = """
#include <cmath>
#include <resolv.h>
#include <stdexcept>
#include <string>
#include <thread>
struct Thing { virtual ~Thing() {} virtual int f() { return 1; } };
struct Other : Thing { int f() override { return 2; } };
extern "C" int run(const char *text) {
  try { std::thread([] {}).join(); std::string s(text); Thing *t = new Other; int n = t->f(); delete t;
        if (s.size() > 99) throw std::runtime_error(s); return n + int(std::pow(s.size(), 2.5)) + res_init(); }
  catch (const std::exception &e) { return -1; }
}
"""


class Process:
    """The log of ld.so: (from, symbol, version) -> targets, and the opened names."""

    def __init__(self, code: str, site: pathlib.Path):
        self.site = os.path.realpath(site)
        self.bindings: dict[tuple, set[str]] = collections.defaultdict(set)
        self.opened: list[str] = []
        with tempfile.TemporaryDirectory() as scratch:
            environment = {"LD_BIND_NOW": "1", "LD_DEBUG": "bindings,files", "LD_DEBUG_OUTPUT": scratch + "/log",
                           "PATH": os.environ.get("PATH", "")}
            process = subprocess.Popen([INTERPRETER, "-I", "-S", "-c", code], env=environment)
            if process.wait() != 0:
                raise SystemExit(f"the process failed: {code}")
            text = pathlib.Path(scratch, f"log.{process.pid}").read_text(errors="surrogateescape")
        for line in text.splitlines():
            if found := BINDING.search(line):
                of, to, symbol, version = found.groups()
                self.bindings[self.name(of), symbol, version].add(self.name(to))
            elif found := OPENED.search(line):
                self.opened.append(found[1])

    def name(self, path: str) -> str:
        real, base = os.path.realpath(path), os.path.basename(path)
        if real == INTERPRETER:
            return "<main>"
        if base.startswith("libpython"):
            return "<libpython>"
        return os.path.relpath(real, self.site) if real.startswith(self.site + "/") else base


def predict(program: str, process: Process, options: list[str]) -> dict:
    steps = [{"opens": [{"path": path, "op": "import" if "/" in path else "dlopen"}]} for path in process.opened]
    with tempfile.TemporaryDirectory() as scratch:
        plan = pathlib.Path(scratch, "plan.json")
        plan.write_text(json.dumps({"steps": steps, "env": {"LD_BIND_NOW": "1"}}))
        run = subprocess.run([program, "conflicts", "--environment", process.site, "--plan", plan, "--format",
                              "bindings", *options], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def compare(process: Process, predicted: dict, only=lambda of: True) -> tuple[int, list[str], list[str]]:
    """The number of references that agree, those that differ, and the bindings that were not predicted."""
    right, wrong, seen = 0, [], set()
    for bound in predicted["bindings"]:
        key = bound["from"], bound["symbol"], bound["version"]
        if not only(bound["from"]):
            continue
        seen.add(key)
        if bound["to"] in process.bindings.get(key, {None}):
            right += 1
        else:
            wrong.append(f"{key}: {bound['to']}, really {sorted(process.bindings.get(key, []))}")
    missed = [f"{key}: {sorted(to)}" for key, to in process.bindings.items()
              if only(key[0]) and key not in seen and not DLSYM.fullmatch(key[1])
              and not (key[0] == "<main>" and key[1] in ALLOCATOR)]
    return right, wrong, missed


def demand(right: int, wrong: list[str], missed: list[str], least: int, failed: list) -> None:
    print(f"{right} bindings agree, {len(wrong)} do not, {len(missed)} were not predicted")
    for line in (wrong + missed)[:20] + failed:
        print("  ", line)
    if wrong or missed or failed or right < least:
        raise SystemExit(1)


def stdlib(program: str) -> None:
    with tempfile.TemporaryDirectory() as empty:
        process = Process("import " + ", ".join(STDLIB), pathlib.Path(empty))
        predicted = predict(program, process, ["--python", INTERPRETER, "--sysroot", "/"])
    demand(*compare(process, predicted), 5000, predicted["failed_steps"])


def reference(program: str) -> None:
    with tempfile.TemporaryDirectory() as site:
        source, module = pathlib.Path(site, "module.cpp"), pathlib.Path(site, "module.so")
        source.write_text(SOURCE)
        subprocess.run([os.environ.get("CXX", "g++"), "-shared", "-fPIC", "-O1", "-pthread", "-o", module, source, "-lresolv"], check=True)
        process = Process(f"import ctypes; ctypes.CDLL({str(module)!r})", pathlib.Path(site))
        process.opened = [str(module)]
        predicted = predict(program, process, [])
    demand(*compare(process, predicted, lambda of: of == "module.so"), 30, predicted["failed_steps"])


def is_static(process: Process) -> bool:
    return not any(of == "<libpython>" for of, _, _ in process.bindings)


def show(program: str, site: str, modules: list[str]) -> None:
    process = Process(f"import sys; sys.path.insert(0, {site!r}); import {', '.join(modules)}", pathlib.Path(site))
    outside = [path for path in process.opened if not os.path.realpath(path).startswith(process.site + "/")]
    print(f"{len(process.opened)} opened, {len(outside)} of them outside")
    for options in (["--python", INTERPRETER, "--sysroot", "/"], ["--python", INTERPRETER],
                    ["--python", "static" if is_static(process) else "shared"]):
        predicted = predict(program, process, options)
        right, wrong, missed = compare(process, predicted, lambda of: "/" in of)
        print(f"{' '.join(options)}: {right} agree, {len(wrong)} differ, {len(missed)} missed, "
              f"{len(predicted['failed_steps'])} failed")
        for line in (wrong + missed + predicted["failed_steps"])[:8]:
            print("  ", line)


if __name__ == "__main__":
    if platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc":
        raise SystemExit(77)
    if sys.argv[2] == "show":
        show(sys.argv[1], sys.argv[3], sys.argv[4:])
    else:
        {"stdlib": stdlib, "reference": reference}[sys.argv[2]](sys.argv[1])
