#!/usr/bin/env python3
"""one_verdict_test.py PROGRAM [DIRECTORY...]: no other command sounds calm about a wheel that `check` fails. Without
directories: the wheels of wheels/real, and those of wheels/large that are there."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

import corpus

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "hostile"))
import judging


def run(program: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)


def calm(program: str, wheel: str) -> tuple[bool, list[str]]:
    """Whether `check` fails the wheel, and what calms."""
    done = run(program, "check", "--no-config", "--format", "json", wheel)
    if done.returncode == 0:
        return False, []
    errors, others = judging.must_fail(json.loads(done.stdout))
    codes = {command: run(program, command, wheel).returncode for command in others}
    return True, [
        f"{os.path.basename(wheel)}: {command} ends with {code}, check with {done.returncode} for {sorted(errors)}"
        for command, code in codes.items()
        if code not in (1, 2, 3)
    ]


def main(program: str, *folders: str) -> int:
    wheels = [str(path) for folder in folders for path in sorted(pathlib.Path(folder).glob("*.whl"))]
    if not folders:
        large = [one for one in corpus.recipes(None, corpus.LARGE) if not one.fault()]
        wheels = [str(one.path) for one in corpus.fetched() + large]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda wheel: calm(program, wheel), wheels))
    faults = [fault for _, found in answers for fault in found]
    print("\n".join(faults))
    print(f"{len(wheels)} wheels, {sum(failed for failed, _ in answers)} that check fails, {len(faults)} calm answers")
    return 1 if faults or not any(failed for failed, _ in answers) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
