#!/usr/bin/env python3
"""peers.py [PROGRAM] [--topic TOPIC] [--only PATTERN] [--jobs N]: the results of other tools for the hostile cases.

auditwheel and abi3audit are those of tests/corpus/peer.py. LIEF has a virtual environment of its own in the cache. Each
child process has ten seconds of CPU time, 1 GB of memory, no file above 256 MB and a TMPDIR of its own.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import asking
import hostile

sys.path.insert(0, str(hostile.HERE.parent / "corpus"))
import peer

LIEF = "1.0.0"
MOST_SECONDS, MOST_WALL, MOST_MEMORY, MOST_FILE, MOST_TEMPORARY = 10, 300, 1 << 30, 256 << 20, 64 << 20
READ_WITH_LIEF = """
import sys, zipfile, lief
lief.logging.disable()
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for info in wheel.infolist():
        data = wheel.read(info)
        if data[:4] == b"\\x7fELF":
            elf = lief.ELF.parse(list(data))
            if elf is not None:
                needs = [v.name for r in elf.symbols_version_requirement for v in r.get_auxiliary_symbols()]
                print(info.filename, list(elf.libraries), needs)
"""


@dataclasses.dataclass
class Tool:
    name: str
    words: list[str]
    passes: object = (
        None  # (case, answer) -> whether the tool accepts the wheel's tag; None: it does not check tags
    )


def claimed(file: str) -> str:
    return file.removesuffix(".whl").rsplit("-", 1)[-1]


def level(tag: str) -> tuple:
    found = re.fullmatch(r"(many|musl)linux_(\d+)_(\d+)_(\w+)", tag)
    return (found[1], found[4], int(found[2]), int(found[3])) if found else ()


def auditwheel_passes(case: hostile.Case, answer: asking.Answer) -> bool:
    found = re.search(r'platform\s+tag:\s*"([^"]+)"', answer.out.decode("utf-8", "replace"))
    if answer.code != 0 or not found:
        return False
    fits, wants = level(found[1]), level(claimed(case.file))
    return bool(fits) and fits[:2] == wants[:2] and fits[2:] <= wants[2:]


def has_lief(python: pathlib.Path) -> bool:
    return python.is_file() and subprocess.run([python, "-c", "import lief"], check=False).returncode == 0


def tools(program: pathlib.Path | None) -> list[Tool]:
    python = str(peer.peer_python())
    lief = str(peer.environment(f"lief-{LIEF}", [f"lief=={LIEF}"], has_lief))
    out = [
        Tool("auditwheel show", [python, "-B", "-m", "auditwheel", "show"], auditwheel_passes),
        Tool("abi3audit", [python, "-B", "-m", "abi3audit"]),
        Tool("LIEF behind zipfile", [lief, "-B", "-c", READ_WITH_LIEF]),
    ]
    if program:
        out.append(Tool("wheelcheck", [str(program.resolve()), "check"], lambda case, answer: answer.code == 0))
    return out


def must_not_pass(case: hostile.Case) -> bool:
    """True for a platform wheel that a checker of platform tags should reject."""
    return case.expect == "reject" or (case.expect == "finding" and case.fails is True)


def size_of(folder: pathlib.Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def ask(tool: Tool, case: hostile.Case, path: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """The columns of the table in which the result counts."""
    temporary = pathlib.Path(tempfile.mkdtemp(dir=folder))
    try:
        environment = asking.plain_environment(temporary, COLUMNS="200")
        memory = None if tool.name == "wheelcheck" else MOST_MEMORY
        answer = asking.ask(
            [*tool.words, str(path)],
            folder,
            environment,
            memory,
            timeout=MOST_WALL,
            file_size=MOST_FILE,
            seconds=MOST_SECONDS,
        )
        out = []
        words = answer.out + answer.err
        if answer.timed_out or answer.cpu > MOST_SECONDS - 0.1:
            out.append("over 10 s")
        elif b"Traceback (most recent call last)" in answer.err:
            out.append("over memory" if b"MemoryError" in answer.err[-2000:] else "traceback")
        elif answer.code < 0:
            out.append("died")
        else:
            out.append("clean")
        if size_of(temporary) > MOST_TEMPORARY or b"File too large" in words or answer.code == -25:
            out.append("filled TMPDIR")
        # rich colours its lines only on a terminal, so other control bytes come from the wheel.
        if asking.raw_controls(words.replace(b"\r\n", b"\n")):
            out.append("raw control bytes")
        if tool.passes and must_not_pass(case):
            out.append("must not pass")
            if tool.passes(case, answer):
                out.append("passes")
        return out
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", type=pathlib.Path, help="wheelcheck, for a row of its own")
    parser.add_argument("--tool", help="only those whose name begins so")
    parser.add_argument("--topic", action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="which cases pass that must not")
    told = parser.parse_args()
    columns = ["clean", "traceback", "over 10 s", "died", "over memory", "filled TMPDIR", "raw control bytes"]
    with tempfile.TemporaryDirectory(prefix="wheelcheck-peers-") as name:
        folder = pathlib.Path(name)
        corpus = hostile.make_corpus(folder / "corpus", told.only, told.topic)
        print(f"| tool, {len(corpus)} cases | " + " | ".join(columns) + " | wrong pass |")
        print("|---|" + "---|" * (len(columns) + 1))
        for tool in tools(told.program):
            if told.tool and not tool.name.startswith(told.tool):
                continue
            with concurrent.futures.ThreadPoolExecutor(told.jobs) as pool:
                answers = list(pool.map(lambda pair, tool=tool: ask(tool, *pair, folder), corpus))
            counts = collections.Counter(column for answer in answers for column in answer)
            share = f"{counts['clean']} ({100 * counts['clean'] // max(1, len(corpus))} %)"
            wrong = f"{counts['passes']} of {counts['must not pass']}" if tool.passes else "does not judge tags"
            print(
                f"| {tool.name} | {share} | " + " | ".join(str(counts[c]) for c in columns[1:]) + f" | {wrong} |",
                flush=True,
            )
            if told.list:
                print(
                    "".join(
                        f"  passes: {case.topic}/{case.name}\n"
                        for (case, _), answer in zip(corpus, answers, strict=True)
                        if "passes" in answer
                    ),
                    end="",
                    file=sys.stderr,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
