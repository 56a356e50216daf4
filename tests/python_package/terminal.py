"""Simulates a user at a terminal: which words a shell makes of the pressed keys."""

import os
import pty
import re
import select
import time
from collections.abc import Callable

# Prints its arguments one by one, in any POSIX-like shell.
SHOW = "wheelcheck() { printf '<%s>' \"$@\"; printf '\\n'; }"


def words_of(start: Callable[[], None], setup: str, lines: list[str], seconds: float = 120) -> list[str]:
    """Runs start(), which becomes the shell, in a new terminal. Types `setup`, then each line, with its TABs. Returns
    the arguments of the program `wheelcheck`, one line per call: "<explain><WC102>"."""
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            start()
        finally:
            os._exit(127)
    answers = []
    try:
        for typed in (f"{setup}; {SHOW}; wheelcheck ready", *(f"wheelcheck {line}" for line in lines)):
            os.write(terminal, typed.encode() + b"\r")
            seen, limit = "", time.monotonic() + seconds
            while not (found := re.search(r"\n(<.*>)\r?\n", seen)) and time.monotonic() < limit:
                if select.select([terminal], [], [], 1)[0]:
                    seen += os.read(terminal, 4096).decode(errors="replace")
            answers.append(found[1] if found else seen)
    except OSError:  # the shell ended
        pass
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    return answers[1:]
