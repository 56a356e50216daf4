"""Runs a program in a process of its own, measures it, and checks its output."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading


@dataclasses.dataclass
class Answer:
    code: int  # negative: the number of the signal that ended it
    out: bytes
    err: bytes
    cpu: float = 0.0
    wall: float = 0.0
    peak: int = 0  # bytes
    timed_out: bool = False


class Launcher:
    """The process that starts programs for one thread."""

    def __init__(self) -> None:
        script = pathlib.Path(__file__).with_name("launcher.py")
        words = [sys.executable, "-I", "-S", "-B", str(script)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.folder = tempfile.TemporaryDirectory(prefix="wheelcheck-asked-")

    def __del__(self) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def run(self, wish: dict) -> Answer:
        out, err = (pathlib.Path(self.folder.name) / name for name in ("out", "err"))
        wish |= {"out": str(out), "err": str(err)}
        self.process.stdin.write(json.dumps(wish).encode() + b"\n")
        self.process.stdin.flush()
        told = json.loads(self.process.stdout.readline())
        return Answer(out=out.read_bytes(), err=err.read_bytes(), **told)


OF_THREAD = threading.local()
HANGS = 300  # seconds of wall-clock time, which is long on a busy machine; the limit of a case is in CPU time


def ask(
    words: list[str],
    cwd: pathlib.Path,
    environment: dict[str, str],
    memory: int | None = None,
    timeout: float = HANGS,
    one_cpu: bool = False,
    file_size: int | None = None,
    seconds: int | None = 60,  # of CPU time
) -> Answer:
    """Runs a program to its end and measures it."""
    if not hasattr(OF_THREAD, "launcher"):
        OF_THREAD.launcher = Launcher()
    wish = {"words": words, "cwd": str(cwd), "environment": environment, "memory": memory, "timeout": timeout}
    return OF_THREAD.launcher.run({**wish, "one_cpu": one_cpu, "file_size": file_size, "seconds": seconds})


def plain_environment(temporary: pathlib.Path, **more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS") or k == "LLVM_PROFILE_FILE"}
    return {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "TMPDIR": str(temporary),
        "HOME": str(temporary),
        **kept,
        **more,
    }


def raw_controls(text: bytes) -> list[int]:
    """The control bytes that a terminal would interpret. A report has only line ends."""
    return sorted({byte for byte in text if (byte < 0x20 and byte != 0x0A) or byte == 0x7F})


def faults_of_text(what: str, text: bytes) -> list[str]:
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        return [f"{what} is not UTF-8 at byte {error.start}"]
    out = [f"{what} has control bytes {raw_controls(text)}"] if raw_controls(text) else []
    odd = sorted(
        {
            f"U+{ord(c):04X}"
            for c in decoded
            if 0x80 <= ord(c) < 0xA0
            or c in "\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2028\u2029\u2066\u2067\u2068\u2069\ufeff"
        }
    )
    return out + ([f"{what} has raw {' '.join(odd)}"] if odd else [])


def strict_json(text: bytes) -> dict:
    def refuse(value: str):
        raise ValueError(f"{value} is not JSON")

    def once(pairs: list) -> dict:
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError("a key twice")
        return dict(pairs)

    return json.loads(text.decode(), parse_constant=refuse, object_pairs_hook=once)
