"""Starts programs for asking.py, one line of JSON each, and reports how they ended.

It is a separate process so that it stays small. A child's ru_maxrss (getrusage(2)) starts with the size of its parent,
and the caller may have read a report of 100 MB.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time


def run(wish: dict) -> dict:
    def before() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if wish["memory"] is not None:
            resource.setrlimit(resource.RLIMIT_AS, (wish["memory"], wish["memory"]))
        if wish["file_size"] is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (wish["file_size"], wish["file_size"]))
        if wish["seconds"] is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (wish["seconds"], wish["seconds"]))
        if wish["one_cpu"]:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    began = time.monotonic()
    with open(wish["out"], "wb") as out, open(wish["err"], "wb") as err:
        child = subprocess.Popen(
            wish["words"],
            cwd=wish["cwd"],
            env=wish["environment"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            preexec_fn=before,
            start_new_session=True,
        )
    late = threading.Event()

    def stop() -> None:
        late.set()
        os.killpg(child.pid, signal.SIGKILL)

    timer = threading.Timer(wish["timeout"], stop)
    timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return {
        "code": child.returncode,
        "cpu": usage.ru_utime + usage.ru_stime,
        "wall": time.monotonic() - began,
        "peak": usage.ru_maxrss * 1024,
        "timed_out": late.is_set(),
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
