"""Runs a program by itself, measures it, and looks at what it wrote."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import resource
import signal
import subprocess
import threading
import time


@dataclasses.dataclass
class Answer:
    code: int  # negative: the signal that ended it
    out: bytes
    err: bytes
    cpu: float = 0.0
    wall: float = 0.0
    peak: int = 0  # bytes
    timed_out: bool = False


def ask(
    words: list[str],
    cwd: pathlib.Path,
    environment: dict[str, str],
    memory: int | None = None,
    timeout: float = 60,
    one_cpu: bool = False,
    file_size: int | None = None,
) -> Answer:
    """Runs a child by itself and measures it."""

    def before() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if file_size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
        if one_cpu:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    began = time.monotonic()
    child = subprocess.Popen(
        words,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=before,
        start_new_session=True,
    )
    parts: dict[str, bytes] = {}
    readers = [
        threading.Thread(target=lambda n=n, s=s: parts.__setitem__(n, s.read()), daemon=True)
        for n, s in (("out", child.stdout), ("err", child.stderr))
    ]
    for reader in readers:
        reader.start()
    late = threading.Event()

    def stop() -> None:
        late.set()
        os.killpg(child.pid, signal.SIGKILL)

    timer = threading.Timer(timeout, stop)
    timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    for reader in readers:
        reader.join(5)
    for stream in (child.stdout, child.stderr):
        stream.close()
    return Answer(
        child.returncode,
        parts.get("out", b""),
        parts.get("err", b""),
        usage.ru_utime + usage.ru_stime,
        time.monotonic() - began,
        usage.ru_maxrss * 1024,
        late.is_set(),
    )


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
    """Control bytes that a terminal would obey; a report has line ends only."""
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
        raise ValueError(f"{value} is no JSON")

    def once(pairs: list) -> dict:
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError("a key twice")
        return dict(pairs)

    return json.loads(text.decode(), parse_constant=refuse, object_pairs_hook=once)
