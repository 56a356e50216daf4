#!/usr/bin/env python3
"""The wheels of wheels/reviewed, of which each error and warning was judged by hand.

reviewed.py --fetch: downloads them with pip, next to the cache, and checks the SHA-256 of each.
reviewed.py PROGRAM: checks them again. Prints the table of docs/rules-on-real-wheels.md, and each finding that
  wheels/reviewed/findings.tsv does not have as it is now; ends with 1 if there is one, or if a wheel is missing.
reviewed.py --list: prints the table that findings.tsv gives.
"""

from __future__ import annotations

import collections
import concurrent.futures
import csv
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import corpus
import fetch

FOLDER = corpus.WHEELS / "reviewed"
CACHE = corpus.cache().with_name(f"{corpus.cache().name}-reviewed")
# A wheel that loads libraries from the current directory can be attacked: its authors must be informed first.
UNNAMED = {"WC501", "WC502"}
NO_NAME = "not named"
SEVERITIES = ("error", "warning")


@dataclasses.dataclass
class Judged:
    """The findings of one rule and severity in one wheel: how many there are, are true, and are useful."""

    file: str
    code: str
    severity: str
    findings: int
    true: int
    useful: int
    check: str


def rows_of(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def wheels() -> list[dict[str, str]]:
    return rows_of("wheels.tsv")


def judged() -> list[Judged]:
    counts = ("findings", "true", "useful")
    return [Judged(**{key: int(text) if key in counts else text for key, text in row.items()})
            for row in rows_of("findings.tsv")]


def pip_words(file: str) -> list[str]:
    """The arguments of `pip download` that select this file."""
    name, version, *build, python, abi, platforms = file.removesuffix(".whl").split("-")
    digits = re.fullmatch(r"cp(\d)(\d+)", python.split(".")[0])
    words = ["--implementation", python[:2], "--abi", abi.split(".")[0], "--python-version",
             f"{digits[1]}.{digits[2]}" if digits else "3.11"]
    for platform in platforms.split("."):
        words += ["--platform", platform]
    return [*words, f"{name}=={version}"]


def fetched(wheel: dict[str, str]) -> str:
    """The reason why the wheel could not be downloaded; empty if it is there."""
    path = CACHE / wheel["file"]
    if not path.is_file():
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=CACHE) as directory:
            command = [fetch.pip_python(), "-m", "pip", "download", "-q", "--no-input", "--no-deps",
                       "--only-binary=:all:", "-d", directory, *pip_words(wheel["file"])]
            done = subprocess.run(command, capture_output=True, text=True, timeout=fetch.PATIENCE, check=False)
            got = pathlib.Path(directory) / wheel["file"]
            if not got.is_file():
                return f"{wheel['file']}: {done.stderr.strip()[-200:]}"
            got.replace(path)
    return "" if corpus.sha256(path) == wheel["sha256"] else f"{wheel['file']} has another SHA-256"


def fetch_all() -> int:
    CACHE.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(fetch.AT_ONCE) as pool:
        problems = [problem for problem in pool.map(fetched, wheels()) if problem]
    print("\n".join(problems) or f"all {len(wheels())} wheels are in {CACHE}")
    return 1 if problems else 0


def findings_of(program: str, file: str) -> list[tuple[str, str, str]]:
    """File, code and severity of each error and warning."""
    command = [program, "check", "--no-config", "--format", "json", "--", str(CACHE / file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    [wheel] = json.loads(done.stdout)["wheels"]
    found = wheel.get("findings", [{"code": wheel.get("rule"), "severity": "error"}])
    return [(NO_NAME if one["code"] in UNNAMED else file, one["code"], one["severity"])
            for one in found if one["severity"] in SEVERITIES]  # fmt: skip


def table(rows: list[Judged], names: dict[str, str]) -> list[str]:
    """One line for each rule, errors first; `names`: code to rule name."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[SEVERITIES.index(row.severity), row.code].append(row)
    lines = ["| rule | severity | findings | wheels | true | useful |", "|---|---|---|---|---|---|"]
    for (rank, code), group in sorted(groups.items()):
        sums = [sum(getattr(row, key) for row in group) for key in ("findings", "true", "useful")]
        wheels_text = NO_NAME if code in UNNAMED else str(len({row.file for row in group}))
        lines.append(f"| [{code} {names[code]}](rules/{code}-{names[code]}.md) | {SEVERITIES[rank]} | {sums[0]} | "
                     f"{wheels_text} | {sums[1]} | {sums[2]} |")
    for severity in SEVERITIES:
        all_of = [row for row in rows if row.severity == severity]
        findings, true, useful = (sum(getattr(row, key) for row in all_of) for key in ("findings", "true", "useful"))
        percent = f" ({useful / findings:.1%})" if findings else ""
        lines.append(f"| all | {severity} | {findings} | {len({row.file for row in all_of} - {NO_NAME})} | {true} | "
                     f"{useful}{percent} |")
    return lines


def rule_names() -> dict[str, str]:
    pages = (corpus.WHEELS.parent / "docs/rules").glob("WC*-*.md")
    return dict(page.stem.split("-", 1) for page in pages)


def differences(program: str) -> list[str]:
    """What the program reports today and findings.tsv does not have, and the other way round."""
    every = [wheel["file"] for wheel in wheels()]
    files = [file for file in every if (CACHE / file).is_file()]
    missing = sorted(set(every) - set(files))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = collections.Counter(key for keys in pool.map(lambda file: findings_of(program, file), files)
                                    for key in keys)
    known = collections.Counter()
    for row in judged():
        if row.file not in missing:
            known[row.file, row.code, row.severity] += row.findings
    return [f"{file} is not in {CACHE}" for file in missing] + [
        f"{' '.join(key)}: {found[key]} findings now, {known[key]} judged"
        for key in sorted(found.keys() | known.keys()) if found[key] != known[key]]


def main() -> int:
    [word] = sys.argv[1:]
    if word == "--fetch":
        return fetch_all()
    problems = [] if word == "--list" else differences(str(pathlib.Path(word).resolve()))
    print("\n".join([*table(judged(), rule_names()), *problems]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
