#!/usr/bin/env python3
"""hostile_test.py PROGRAM [--sanitized] [--topic T] [--only P] [--jobs N] [--keep DIR]: checks the result for each
hostile case.

Each case runs twice, the second time in another directory, locale and time zone and on one CPU. Both outputs must be
the same bytes. A sanitized program runs once, without limits on memory and time. --keep only writes the corpus.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import sys
import tempfile

import asking
import hostile
import judging

MOST_BYTES = 256 << 20  # resident memory
MOST_SECONDS = 10.0  # CPU time: what grows faster than its input is above that on any machine; cost.py measures
ADDRESS_SPACE = 2 << 30
SHOWN = ("elf_names", "names", "records", "metadata", "confusion", "elf_hardening")  # rendered in every format
DOCUMENTED = (0, 1, 2, 3, 4)


class Asker:
    def __init__(self, program: str, sanitized: bool, folder: pathlib.Path):
        self.program, self.sanitized, self.folder = program, sanitized, folder
        self.slowest: list[tuple[float, str]] = []
        self.largest: list[tuple[int, str]] = []
        self.elsewhere, self.temporary = folder / "elsewhere", folder / "temporary"
        self.elsewhere.mkdir()
        self.temporary.mkdir()

    def ask(self, path: pathlib.Path, temporary: pathlib.Path, second: bool) -> asking.Answer:
        temporary.mkdir()
        environment = asking.plain_environment(temporary)
        if second:
            environment |= {
                "LANG": "tr_TR.UTF-8",
                "LC_ALL": "de_DE.ISO-8859-1",
                "TZ": "Pacific/Chatham",
                "COLUMNS": "40",
                "TERM": "xterm-256color",
            }
        if self.sanitized:  # the search for leaks takes a third of a small run, and unit tests have it
            environment |= {"ASAN_OPTIONS": "detect_leaks=0"}
        memory = None if self.sanitized else ADDRESS_SPACE
        words = [self.program, "check", "--format", "json", str(path)]
        return asking.ask(words, self.elsewhere if second else self.folder, environment, memory, one_cpu=second)

    def faults(self, case: hostile.Case, path: pathlib.Path) -> tuple[str, int, list[str]]:
        folder = self.folder / "corpus" / case.topic / case.name
        before = sorted(os.listdir(folder))
        first_tmp, second_tmp = (self.temporary / f"{case.topic}-{case.name}-{which}" for which in (1, 2))
        first = self.ask(path, first_tmp, False)
        second = first if self.sanitized else self.ask(path, second_tmp, True)
        faults = []
        if (first.code, first.out, first.err) != (second.code, second.out, second.err):
            faults.append("a second run elsewhere says something else")
        for place in filter(pathlib.Path.exists, (first_tmp, second_tmp)):
            if os.listdir(place):
                faults.append(f"left {os.listdir(place)} in TMPDIR")
            shutil.rmtree(place)
        if sorted(os.listdir(folder)) != before:
            faults.append("wrote beside the wheel")
        for answer in (first, second):
            faults += self.faults_of_run(case, answer)
        got = "no report"
        faults += asking.faults_of_text("stdout", first.out) + asking.faults_of_text("stderr", first.err)
        if case.topic in SHOWN and not self.sanitized:
            faults += self.faults_of_formats(path)
        try:
            report = asking.strict_json(first.out)
            got = judging.class_of(first.code, report, case)
            faults += judging.faults_of(case, first.code, report)
            if first.code == 1 and not self.sanitized:
                faults += self.faults_of_others(path, report)
        except (ValueError, KeyError, TypeError) as error:
            faults.append(f"no report: {error!r}; {first.err[-300:]!r}")
        return got, first.code, faults

    def faults_of_others(self, path: pathlib.Path, report: dict) -> list[str]:
        """No other command may sound calm about a wheel that `check` fails."""
        errors, others = judging.must_fail(report)
        faults = []
        for command in others:
            words = [self.program, command, str(path)]
            answer = asking.ask(words, self.folder, asking.plain_environment(self.folder), ADDRESS_SPACE)
            if answer.timed_out or answer.code not in (1, 2, 3):
                faults.append(f"{command} ends with {answer.code}, check with 1 for {sorted(errors)}")
        return faults

    def faults_of_formats(self, path: pathlib.Path) -> list[str]:
        """Checks the other output formats: they must be text as well."""
        faults = []
        for name in ("full", "concise", "json-lines", "auditwheel-json"):
            words = [self.program, "check", "--format", name, str(path)]
            answer = asking.ask(
                words, self.folder, asking.plain_environment(self.folder), None if self.sanitized else ADDRESS_SPACE
            )
            if answer.timed_out or answer.code not in (0, 1, 3):
                faults.append(f"--format {name} ends with {answer.code}: {answer.err[-300:]!r}")
            faults += asking.faults_of_text(f"--format {name}", answer.out + answer.err)
            if re.search(rb"(?m)^(::|##)", answer.out + answer.err):
                faults.append(f"--format {name} has a line that a CI system takes for a command")
        return faults

    def faults_of_run(self, case: hostile.Case, answer: asking.Answer) -> list[str]:
        if answer.timed_out:
            return [f"did not end in {asking.HANGS} s"]
        if answer.code not in DOCUMENTED or answer.code == 4:
            return [f"ends with {answer.code}: {answer.err[-500:]!r}"]
        self.slowest.append((answer.cpu, case.name))
        self.largest.append((answer.peak, case.name))
        if self.sanitized:
            return []
        out = [f"{answer.cpu:.1f} s of processor time"] if answer.cpu > MOST_SECONDS else []
        return out + ([f"{answer.peak >> 20} MB resident"] if answer.peak > MOST_BYTES else [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--only", default="", help="pattern in TOPIC/CASE")
    parser.add_argument("--topic", action="append", help="only the cases of this file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, help="write the corpus there, by case, and ask nothing")
    told = parser.parse_args()
    if told.keep:
        told.keep.mkdir(parents=True)
        print(f"hostile: {len(hostile.make_corpus(told.keep, told.only, told.topic))} cases in {told.keep}")
        return 0
    wrong = 0
    table: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory(prefix="wheelcheck-hostile-") as folder:
        asker = Asker(str(told.program.resolve()), told.sanitized, pathlib.Path(folder))
        (asker.folder / "corpus").mkdir()
        cases = hostile.make_corpus(asker.folder / "corpus", told.only, told.topic)
        with concurrent.futures.ThreadPoolExecutor(told.jobs) as pool:
            answers = pool.map(lambda pair: asker.faults(*pair), cases)
        for (case, _), (got, code, faults) in zip(cases, answers, strict=True):
            expected = "finding" if case.expect == "finding" and code == 1 else case.expect
            table[case.topic][f"{expected} (exit {code})" if case.expect == "finding" and code == 0 else expected] += 1
            if faults:
                wrong += 1
                print(f"{case.topic}/{case.name}: expected {case.expect}, got {got}")
                for fault in faults:
                    print(f"    {fault}")
    columns = sorted({column for counts in table.values() for column in counts})
    print("| topic | cases | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * (len(columns) + 1))
    for topic, counts in sorted(table.items()):
        print(f"| {topic} | {counts.total()} | " + " | ".join(str(counts[c] or "") for c in columns) + " |")
    sums = sum(table.values(), collections.Counter())
    print(f"| all | {sums.total()} | " + " | ".join(str(sums[c]) for c in columns) + " |")
    print("most processor time: " + ", ".join(f"{s:.2f} s {n}" for s, n in sorted(asker.slowest)[:-6:-1]))
    print("most memory: " + ", ".join(f"{b >> 20} MB {n}" for b, n in sorted(asker.largest)[:-6:-1]))
    print(f"hostile: {len(cases) - wrong} of {len(cases)} cases as specified")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
