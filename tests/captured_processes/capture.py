"""Runs Python statements with the log of ld.so (LD_DEBUG) and parses it: which symbol is bound to which file, and which
files were opened with which flags."""

import collections
import glob
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent

# The code of the traced process. Each statement is a step. A failing step does not end the others.
RUNNER = """
import os, sys
log = os.environ['LD_DEBUG_OUTPUT'] + '.' + str(os.getpid())
def mark(text):
    with open(log, 'a') as file: file.write(f'{os.getpid():10d}:\\ttrace {text}\\n')
for number, statement in enumerate(sys.argv[1:]):
    mark(f'step {number}')
    try:
        exec(statement, globals())
    except Exception as error:
        print(f'{statement}: {type(error).__name__}: {error}'.splitlines()[0], flush=True)
mark('end')
"""

FLAGS = {0x1: "LAZY", 0x2: "NOW", 0x4: "NOLOAD", 0x8: "DEEPBIND", 0x100: "GLOBAL", 0x1000: "NODELETE"}


@dataclass
class Opened:
    path: str
    mode: int
    caller: str
    step: int
    constructors: list["Opened"] = field(default_factory=list)
    error: str | None = None  # None: it succeeded, or the process ended in it


@dataclass
class Trace:
    bindings: dict[tuple[str, str, str], set[str]]  # by file, symbol and version
    lookups: int
    steps: list[list[Opened]]
    opens: int
    global_scope: list[str]
    published: list[str]
    failures: list[tuple[int, int, bool, str]]  # step and open (both from 1), nested, error
    silent: list[str]  # files that libc opened itself, without a call of dlopen
    ended: str  # "", or how the process ended early
    said: str
    outside: dict[str, str] = field(default_factory=dict)  # paths of the files outside of the environment, by name


def build_shim(cache: Path) -> Path:
    shim = cache / "trace.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-Wall", "-Wextra", "-ftls-model=initial-exec"]
    # The shim must not need a library, because its dependencies would take positions in the global scope.
    subprocess.run([*command, "-nostdlib", str(HERE / "trace.c"), "-o", str(shim)], check=True)
    return shim


def run(python: Path, statements: list[str], cache: Path) -> Trace:
    shim = build_shim(cache)
    log = cache / "ld-debug"
    for old in glob.glob(f"{log}.*"):
        os.remove(old)
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(cache),
        "LC_ALL": "C.UTF-8",
        "PYTHONNOUSERSITE": "1",
        "PYTHONHASHSEED": "0",
        "CUDA_VISIBLE_DEVICES": "",
        "LD_BIND_NOW": "1",
        "LD_PRELOAD": str(shim),
        "LD_DEBUG": "bindings,files,scopes",
        "LD_DEBUG_OUTPUT": str(log),
        "TRACE_SCRIPTS": str(HERE),
    }
    process = subprocess.Popen(
        [python, "-c", RUNNER, *statements],
        env=environment,
        cwd=cache,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said = process.communicate()[0].decode(errors="replace")
    trace = Reader(python, shim).read(Path(f"{log}.{process.pid}"), process.pid)
    for used in glob.glob(f"{log}.*"):
        os.remove(used)
    trace.said = said
    trace.ended = f"signal {-process.returncode}" if process.returncode < 0 else ""
    return trace


class Reader:
    BINDING = re.compile(r"binding file (.+?) \[0\] to (.+?) \[0\]: \w+ symbol `(.+)'(?: \[(.*)\])?$")

    def __init__(self, python: Path, shim: Path) -> None:
        self.environment = site_packages(python)
        self.main = os.path.realpath(python)
        self.shim = str(shim)
        self.names: dict[str, str] = {}

    def name(self, path: str) -> str:
        """The name that wheelcheck uses. Bindings to the shim would be to libc without it."""
        if path not in self.names:
            self.names[path] = self.new_name(path)
        return self.names[path]

    def new_name(self, path: str) -> str:
        if path == self.shim:
            return "libc.so.6"
        real = os.path.realpath(path)
        if real == self.main:
            return "<main>"
        if real.startswith(f"{self.environment}/"):
            return real[len(self.environment) + 1 :]
        base = os.path.basename(path)
        return "<libpython>" if base.startswith("libpython") else base

    def read(self, log: Path, pid: int) -> Trace:
        trace = Trace(collections.defaultdict(set), 0, [], 0, [], [], [], [], "", "")
        stack: list[Opened] = []
        prefix, of_main = f"{pid:10d}:\t", False
        with open(log, errors="replace") as file:
            for line in file:
                if not line.startswith(prefix):
                    continue
                line = line[len(prefix) :].rstrip("\n")
                if line.startswith("binding file"):
                    self.binding(line, trace)
                elif line.startswith("trace "):
                    self.event(line[6:], trace, stack)
                elif line.startswith("add ") and line.endswith("to global scope"):
                    trace.published.append(self.name(line[4 : line.index(" [")]))
                elif line.startswith("object="):
                    of_main = self.name(line[7 : line.index(" [")]) == "<main>"
                elif of_main and line.startswith(" scope 0: ") and not trace.global_scope:
                    paths = line[10:].split()
                    trace.global_scope = [self.name(path) for path in paths if path != self.shim]
                elif "dynamically loaded by" in line and not stack:
                    trace.silent.append(line.split(" [")[0].removeprefix("file="))
        inside = f"{self.environment}/"
        trace.outside = {
            name: path
            for path, name in self.names.items()
            if path != self.shim and not os.path.realpath(path).startswith(inside)
        }
        return trace

    def binding(self, line: str, trace: Trace) -> None:
        match = self.BINDING.match(line)
        if not match:
            sys.exit(f"a line that this script does not know: {line}")
        source, target, symbol, version = match.groups()
        if source == self.shim:
            return
        trace.lookups += 1
        trace.bindings[self.name(source), symbol, version or ""].add(self.name(target))

    def event(self, text: str, trace: Trace, stack: list[Opened]) -> None:
        what, _, rest = text.partition(" ")
        if what == "step":
            trace.steps.append([])
        elif what == "open":
            head, _, path = rest.partition("\t")
            level, mode, caller = head.split(" ", 2)
            opened = Opened(path, int(mode), os.path.realpath(caller), len(trace.steps))
            del stack[int(level) :]
            if not trace.steps:
                trace.steps.append([])
            (stack[-1].constructors if stack else trace.steps[-1]).append(opened)
            stack.append(opened)
            trace.opens += 1
        elif what in ("opened", "failed"):
            level, _, error = rest.partition(" ")
            opened = stack[int(level)]
            del stack[int(level) :]
            if what == "failed":
                if not error and is_ctypes(opened):
                    error = "dlopen() error"  # the message of ctypes if dlerror has none
                opened.error = error
                trace.failures.append((len(trace.steps), len(trace.steps[-1]), bool(stack), error))


def site_packages(python: Path) -> str:
    (found,) = glob.glob(str(python.parent.parent / "lib" / "python*" / "site-packages"))
    return os.path.realpath(found)


def is_ctypes(opened: Opened) -> bool:
    return os.path.basename(opened.caller).startswith("_ctypes")


def written(opened: Opened, main: str) -> dict:
    """Converts an open to the format of a plan."""
    plan = {
        "path": opened.path,
        "op": "ctypes" if is_ctypes(opened) else "dlopen",
        "flags": [name for bit, name in FLAGS.items() if opened.mode & bit],
    }
    if opened.caller and opened.caller != main:
        plan["caller"] = opened.caller
    if opened.constructors:
        plan["constructors"] = [written(inner, main) for inner in opened.constructors]
    return plan


def plan_of(trace: Trace, main: str) -> dict:
    steps = [{"opens": [written(opened, main) for opened in opens]} for opens in trace.steps]
    return {"main": main, "env": {"LD_BIND_NOW": "1"}, "steps": steps}
