"""The system calls of a run, as listed by strace: one list per thread, in order."""

import ctypes
import os
import pathlib
import re
import subprocess
import tempfile

CALL = re.compile(r"(\w+)\((.*)\)\s+= (-?\w+|\?)(.*)")
# <linux/landlock.h>; the number is the same on every machine.
CREATE_RULESET, VERSION_FLAG = 444, 1


def landlock_version():
    """0 if the kernel does not have it."""
    return max(0, ctypes.CDLL(None, use_errno=True).syscall(CREATE_RULESET, None, 0, VERSION_FLAG))


class Call:
    def __init__(self, name, words, result, rest):
        self.name, self.words, self.result = name, words, result
        self.failed = result.startswith("-") or result == "?"
        self.error = rest.split()[0] if self.failed and rest.split() else ""
        self.place = place_of(words, "" if self.failed else rest)

    def file(self):
        """The file descriptor in the first argument, and its file."""
        found = re.match(r"(\d+)<(.*?)>(?:, |$)", self.words)
        return (int(found[1]), found[2]) if found else (None, "")

    def __repr__(self):
        return f"{self.name}({self.words}) = {self.result} {self.error}"


def place_of(words, rest):
    """The path that a call opened, or tried to open."""
    found = re.match(r"<(.*)>", rest)
    if found:
        return found[1]
    found = re.match(r'(?:\w+<(.*?)>, )?"(.*?)"', words)
    return os.path.join(found[1] or "", found[2]) if found else ""


class Traced:
    """`threads[0]` is the first thread."""

    def __init__(self, words, inject=None, **options):
        with tempfile.TemporaryDirectory() as folder:
            strace = ["strace", "-ff", "-y", "-qq", "-s", "4096", "-o", f"{folder}/trace"]
            if inject:
                strace += ["-e", f"inject={inject}"]
            self.done = subprocess.run([*strace, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True,
                                       check=False, timeout=300, **options)
            # Thread numbers start again at some point, so they do not show the order.
            self.threads = [list(calls_of(path)) for path in pathlib.Path(folder).glob("trace.*")]
            self.threads.sort(key=lambda calls: calls[0].name != "execve" if calls else True)
        if not self.threads:
            raise AssertionError(f"strace did not run: {self.done.stderr}")

    def calls(self):
        return [call for thread in self.threads for call in thread]

    def locked_at(self):
        """The position at which the first thread installs its filter; None if it does not."""
        for at, call in enumerate(self.threads[0]):
            if call.name == "seccomp" and call.words.startswith("SECCOMP_SET_MODE_FILTER") and call.result == "0":
                return at
        return None

    def renamers(self):
        """A process that starts before the sandbox is on, closes what it inherits, and waits to rename a report."""
        return [thread for thread in self.threads[1:] if any(call.name == "close_range" for call in thread)]

    def before(self):
        return self.threads[0][:self.locked_at()]

    def after(self):
        """Other threads start after the sandbox is on. If one started earlier, its calls would be included here, but
        for those of the process that renames a report."""
        rest = [call for thread in self.threads[1:] if thread not in self.renamers() for call in thread]
        return self.threads[0][self.locked_at() + 1:] + rest


def calls_of(path):
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith(("+++", "---")):
            continue
        found = CALL.match(line)
        if not found:
            raise AssertionError(f"not understood: {line}")
        yield Call(*found.groups())
