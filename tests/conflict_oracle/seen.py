"""Observes one process with the log of ld.so (LD_DEBUG), and predicts it with `wheelcheck conflicts --plan` on its
files."""

import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field

BINDING = re.compile(r"binding file (\S+) \[0\] to (\S+) \[0\]: \w+ symbol `([^']*)'(?: \[([^\]]*)\])?")
PUBLISHED = re.compile(r"\tadd (\S+) \[0\] to global scope")
# These symbols are looked up with dlsym: PyInit_ by CPython, the others by programs, modules and ctypes.
NOT_RELOCATIONS = ("PyInit_", "run_", "LITE_")
PYTHON = os.path.realpath(sys.executable)


@dataclass
class Seen:
    says: str
    complains: str  # stderr
    status: int
    bindings: dict = field(default_factory=dict)  # set of targets by (from, symbol, version)
    published: list = field(default_factory=list)

    @property
    def last_complaint(self):
        return self.complains.rstrip("\n").rpartition("\n")[2]

    @property
    def signal(self):
        return signal.Signals(-self.status).name if self.status < 0 else ""


def shown(path, site, main):
    """The name of a file in the JSON output."""
    if path == "" or os.path.realpath(path) == main:
        return "<main>"
    real = os.path.realpath(path)
    if real.startswith(f"{site}/"):
        return real[len(str(site)) + 1 :]
    name = pathlib.PurePath(path).name
    return "<libpython>" if name.startswith("libpython") else name


def is_ours(site, source, target):
    """True if a file of the site requires or defines the symbol."""
    return any((site / file).is_file() for file in (source, target))


def read_log(text, site, main, seen):
    for line in text.splitlines():
        if match := BINDING.search(line):
            source, target, symbol, version = match.groups()
            source, target = shown(source, site, main), shown(target, site, main)
            if is_ours(site, source, target) and not symbol.startswith(NOT_RELOCATIONS):
                seen.bindings.setdefault((source, symbol, version), set()).add(target)
        elif match := PUBLISHED.search(line):
            seen.published.append(shown(match.group(1), site, main))


def run(words, site, environment, log=None, directory="/"):
    variables = {"PATH": os.environ["PATH"], "LC_ALL": "C", **environment}
    if log:
        variables |= {"LD_DEBUG": "bindings,scopes", "LD_DEBUG_OUTPUT": str(log)}
    done = subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=variables,
        cwd=directory,
    )
    seen = Seen(done.stdout, done.stderr, done.returncode)
    for path in log.parent.glob(f"{log.name}.*") if log else ():
        read_log(path.read_text(errors="replace"), site, os.path.realpath(words[0]), seen)
        path.unlink()
    return seen


def python(code, site):
    return [PYTHON, "-I", "-S", "-B", "-c", f"import sys; sys.path.insert(0, {str(site)!r})\n{code}"]


def plan(opens, main, environment):
    """One step for each open: "OP PATH FLAG...". A PATH "<NAME>" is a module of the standard library."""
    steps = []
    for words in opens:
        op, path, *flags = words.split()
        if path.startswith("<"):
            path = importlib.util.find_spec(path.strip("<>")).origin
        steps.append({"opens": [{"op": op, "path": path, "flags": flags or ["NOW"]}]})
    return {"main": main, "env": environment, "steps": steps}


def predict(program, site, folder, written, *options):
    path = folder / "plan.json"
    path.write_text(json.dumps(written))
    done = subprocess.run(
        [program, "conflicts", "--environment", site, "--plan", path, "--format", "bindings", *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def conflicts(program, words):
    """The exit code and the JSON output."""
    done = subprocess.run(
        [program, "conflicts", "--format=json", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return done.returncode, json.loads(done.stdout)


def bindings_of(predicted, site, late):
    """The predicted bindings from and to files of the site. Unbound weak references are left out, as in the log."""
    out = {}
    for binding in predicted["bindings"]:
        if binding["to"] is None or (binding.get("lazy") and not late):
            continue
        if not is_ours(site, binding["from"], binding["to"]):
            continue
        key = (binding["from"], binding["symbol"], binding["version"])
        out.setdefault(key, set()).add(binding["to"])
    return out


def unlike(seen, predicted, site, lazy):
    """The differences between both sides. The log contains only those lazy bindings whose function was called."""
    sure, all_of_them = bindings_of(predicted, site, False), bindings_of(predicted, site, lazy)
    out = [
        ("seen", key, to)
        for key, targets in sorted(seen.items(), key=str)
        for to in sorted(targets - all_of_them.get(key, set()))
    ]
    return out + [
        ("predicted", key, to)
        for key, targets in sorted(sure.items(), key=str)
        for to in sorted(targets - seen.get(key, set()))
    ]
