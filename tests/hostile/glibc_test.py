#!/usr/bin/env python3
"""glibc_test.py PROGRAM [--only PATTERN] [--table]: the rows of cases/elf_glibc.py and cases/elf_attacks.py, opened by
several glibc releases.

A row lists the releases whose loader refuses the file. The program must report the finding of the row.
"""

import argparse
import pathlib
import platform
import re
import shutil
import sys
import tempfile

import asking
import glibcs
import hostile
import judging
from cases import elf_attacks, elf_glibc


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true", help="what each loader says")
    options = parser.parse_args()
    if platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc" or not shutil.which("gcc"):
        print("no glibc on x86-64 or no gcc here")
        return 77
    wrong = judged = 0
    with tempfile.TemporaryDirectory(prefix="wheelcheck-glibc-") as temporary:
        folder = pathlib.Path(temporary)
        environment = asking.plain_environment(folder)
        loaders = glibcs.loaders(folder)
        rows, cases = elf_glibc.ROWS + elf_attacks.ROWS, elf_glibc.cases() + elf_attacks.cases()
        for row, case in zip(rows, cases, strict=True):
            if not re.search(options.only, row.name):
                continue
            library = folder / "library.so"
            library.write_bytes(case.elf)
            faults, said = [], []
            for release, words in loaders.items():
                answer = asking.ask([*words, str(library)], folder, environment, timeout=20)
                said.append(f"{release[0]}.{release[1]}: {answer.code} {answer.out[:100]!r}")
                if not row.undefined and (answer.code != 0) != row.refused_by(release):
                    faults.append(f"the row says otherwise: {said[-1]}")
                judged += 1
            wheel = case.make(folder / row.name)
            answer = asking.ask(
                [str(options.program.resolve()), "check", "--format", "json", str(wheel)], folder, environment, 2 << 30
            )
            faults += judging.faults_of(case, answer.code, asking.strict_json(answer.out))
            if faults or options.table:
                print(f"{row.name} ({row.where}): {'; '.join(said)}")
            for fault in faults:
                print(f"    {fault}")
            wrong += bool(faults)
        releases = ", ".join(f"{major}.{minor}" for major, minor in loaders)
    print(f"hostile: {judged} judgements by glibc {releases}; {wrong} rows are wrong")
    return 1 if wrong or not judged else 0


if __name__ == "__main__":
    sys.exit(main())
