#!/usr/bin/env python3
"""ldso_test.py PROGRAM [--topic TOPIC] [--only PATTERN]: compares the results for the hostile x86-64 ELF files with the
real loader.

A child process opens each file with dlopen() and RTLD_NOW, so that every symbol is bound. If ld.so refuses the file or
crashes, the report must have a finding. If ld.so loads it and the case expects no finding, there must be no "malformed
ELF". The statement of a case about ld.so must be correct.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import platform
import sys
import tempfile

import asking
import hostile
import judging

OPEN = (
    "import ctypes, os, resource, sys\n"
    "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
    "try: ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW | os.RTLD_LOCAL)\n"
    "except OSError as error: os.write(1, str(error).encode(errors='replace')); os._exit(9)\n"
    "os._exit(0)\n"
)  # skips destructors, because they may be what is broken
# Files that this machine's loader cannot check: those for other machines, and those that are not libraries.
NOT_COMPARED = ("program", "device code", "relocatable object", "core dump", "debug information")


def opened(path: pathlib.Path, folder: pathlib.Path) -> tuple[bool, str]:
    environment = asking.plain_environment(folder)
    answer = asking.ask([sys.executable, "-I", "-S", "-c", OPEN, str(path)], folder, environment, timeout=10)
    if answer.code == 0:
        return True, "loaded"
    if answer.code == 9:
        return False, answer.out.decode("utf-8", "backslashreplace").strip().replace(str(path), "FILE")[:160]
    how = f"signal {-answer.code}" if answer.code < 0 else f"exit code {answer.code}"
    return False, "hangs" if answer.timed_out else f"{how}: {answer.err[-120:]!r}"


def compare(program: str, case: hostile.Case, path: pathlib.Path, elf: pathlib.Path, folder: pathlib.Path):
    """Returns what ld.so does, the worst finding, the words of ld.so, and where the two differ."""
    loads, words = opened(elf, folder)
    environment = asking.plain_environment(folder)
    answer = asking.ask([program, "check", "--format", "json", str(path)], folder, environment, 2 << 30)
    (wheel,) = asking.strict_json(answer.out)["wheels"]
    role = next((e["role"] for e in wheel.get("elf_files", []) if e["member"] == case.of), None)
    findings = [
        f
        for f in wheel.get("findings", [])
        if f["severity"] in judging.SERIOUS and f.get("member") in (case.of, case.member)
    ]
    malformed = [f for f in findings if f["code"] == "WC708" and f["severity"] == "error"]
    faults = []
    if case.loads is not None and case.loads != loads:
        faults.append(f"the case says that ld.so {'takes' if case.loads else 'refuses'} it")
    if role not in NOT_COMPARED:
        if not loads and not findings and not case.depends:
            faults.append("no finding, but ld.so refuses it")
        if loads and case.expect == "ok" and malformed:
            faults.append(f"malformed, but ld.so takes it: {malformed[0]['message']}")
    worst = "error" if any(f["severity"] == "error" for f in findings) else "warning" if findings else "nothing"
    return "takes" if loads else "refuses", worst, words, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--topic", action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--table", action="store_true", help="what ld.so says of each")
    told = parser.parse_args()
    if platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc":
        print("no glibc on x86-64 here")
        return 77
    wrong = 0
    seen: collections.Counter = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="wheelcheck-ldso-") as temporary:
        folder = pathlib.Path(temporary)
        compared = [
            (case, path, elf)
            for case, path in hostile.make_corpus(folder / "corpus", told.only, told.topic)
            if case.machine_is_this and (elf := hostile.elf_path(folder / "corpus", case)) is not None
        ]
        with concurrent.futures.ThreadPoolExecutor(told.jobs) as pool:
            answers = pool.map(lambda one: compare(str(told.program.resolve()), *one, folder), compared)
        for (case, _, _), (does, worst, words, faults) in zip(compared, answers, strict=True):
            seen[does, worst] += 1
            if faults or told.table:
                print(f"{case.topic}/{case.name}: {words}")
            for fault in faults:
                print(f"    {fault}")
            wrong += bool(faults)
    print("| ld.so | worst finding | cases |\n|---|---|---|")
    for (does, says), count in sorted(seen.items()):
        print(f"| {does} | {says} | {count} |")
    print(f"hostile: ld.so agrees on {seen.total() - wrong} of {seen.total()} ELF files")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
