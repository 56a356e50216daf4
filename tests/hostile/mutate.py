#!/usr/bin/env python3
"""mutate.py PROGRAM --count N --seed S [--keep DIR] [--sanitized] WHEEL...: runs the program on thousands of mutated
wheels.

Mutant n of a seed always has the same bytes. The program must end by itself, with a documented exit code, a report in
valid JSON, and no more memory than the limit for a wheel. Whether its result is correct is not checked.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import tempfile

import asking
from mutations import Wheel, made_wheels, mutant

MOST_BYTES = 512 << 20
ADDRESS_SPACE = 2 << 30


def faults_of(answer: asking.Answer, sanitized: bool) -> list[str]:
    if answer.timed_out:
        return ["does not end"]
    if answer.code not in (0, 1, 3):
        return [f"ends with {answer.code}: {answer.err[-400:]!r}"]
    faults = asking.faults_of_text("stdout", answer.out) + asking.faults_of_text("stderr", answer.err)
    if not sanitized and answer.peak > MOST_BYTES:
        faults.append(f"{answer.peak >> 20} MB resident")
    try:
        (wheel,) = asking.strict_json(answer.out)["wheels"]
        if (wheel["type"] == "unreadable" and wheel["rule"] is None) != (answer.code == 3):
            faults.append(f"exit code {answer.code} for a wheel that is {wheel['status']}")
    except (ValueError, KeyError) as error:
        faults.append(f"no report: {error!r}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("wheels", nargs="*", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--keep", type=pathlib.Path, help="where wheels go on which it fails")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sanitized", action="store_true")
    told = parser.parse_intermixed_args()
    program = str(told.program.resolve())
    failed = 0
    kinds: collections.Counter = collections.Counter()
    slowest, largest = (0.0, ""), (0, "")
    with tempfile.TemporaryDirectory(prefix="wheelcheck-mutants-") as temporary:
        folder = pathlib.Path(temporary)
        (folder / "made").mkdir()
        # Sorted, so that a seed does not depend on the order of the shell.
        wheels = made_wheels(folder / "made") + [
            Wheel(p.name, p.read_bytes(), p) for p in sorted(told.wheels, key=lambda p: p.name)
        ]

        def ask(number: int) -> tuple[int, str, str, pathlib.Path, asking.Answer]:
            kind, name, data = mutant(random.Random(f"{told.seed}:{number}"), wheels)
            place = folder / str(number)
            (place / "tmp").mkdir(parents=True)
            (place / name).write_bytes(data)
            words = [program, "check", "--format", "json", "--jobs", "1", str(place / name)]
            answer = asking.ask(
                words,
                place,
                asking.plain_environment(place / "tmp"),
                None if told.sanitized else ADDRESS_SPACE,
                seconds=60 if told.sanitized else 10,
            )
            return number, kind, name, place, answer

        with concurrent.futures.ThreadPoolExecutor(told.jobs) as pool:
            for number, kind, name, place, answer in pool.map(ask, range(told.first, told.first + told.count)):
                faults = faults_of(answer, told.sanitized)
                if os.listdir(place / "tmp"):
                    faults.append(f"left {os.listdir(place / 'tmp')} in TMPDIR")
                kinds[kind, answer.code if answer.code in (0, 1, 3) and not answer.timed_out else "fault"] += 1
                slowest, largest = (
                    max(slowest, (answer.cpu, f"mutant {number}")),
                    max(largest, (answer.peak, f"mutant {number}")),
                )
                if faults:
                    failed += 1
                    print(f"mutant {number} of seed {told.seed} ({kind} of {name}):")
                    print("".join(f"    {fault}\n" for fault in faults), end="", flush=True)
                    if told.keep:
                        kept = told.keep / f"{told.seed}-{number}"
                        kept.mkdir(parents=True, exist_ok=True)
                        (kept / name).write_bytes((place / name).read_bytes())
                shutil.rmtree(place)
    columns = [0, 1, 3, "fault"]
    print(
        "| mutation | "
        + " | ".join(f"exit {c}" if c != "fault" else "fault" for c in columns)
        + " |\n|---|---|---|---|---|"
    )
    for kind in sorted({kind for kind, _ in kinds}):
        print(f"| {kind} | " + " | ".join(str(kinds[kind, c]) for c in columns) + " |")
    print(f"most processor time: {slowest[0]:.2f} s {slowest[1]}; most memory: {largest[0] >> 20} MB {largest[1]}")
    print(
        f"hostile: {told.count - failed} of {told.count} mutants of {len(wheels)} wheels, seed {told.seed}, ended well"
    )
    return 1 if failed or not told.count else 0


if __name__ == "__main__":
    sys.exit(main())
