#!/usr/bin/env python3
"""Traces one real process and compares wheelcheck's prediction with what ld.so did.

    process.py ROW [--wheelcheck PROGRAM] [--cache DIRECTORY]                 with the captured opens
    process.py ROW --from-wheels [...]                                        from the wheels alone
    process.py ROW --from-wheels --bindings FILE [...]                        the same, with an existing bindings file

ROW is one of rows.toml. pip creates the virtual environment in the cache, where it is kept. Prints one row of the table
in docs/loader.md and then the differences. The exit code is 1 if there are any.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import capture
import compare
import environment
import tls

HERE = Path(__file__).resolve().parent


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("row")
    parser.add_argument("--wheelcheck", default=str(HERE.parent.parent / "build/release/wheelcheck"))
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/wheelcheck-processes"), type=Path)
    parser.add_argument("--from-wheels", action="store_true")
    parser.add_argument("--bindings", type=Path, help="with --from-wheels: the JSON of wheelcheck")
    parser.add_argument("--show", type=int, default=10, help="how many differences are printed")
    return parser.parse_args()


def opened_by_ctypes(trace: capture.Trace, site: str) -> set[str]:
    """Names of libraries that Python code opened. Their symbols are found with dlsym."""
    found = set()
    for step in trace.steps:
        for opened in step:
            if capture.is_ctypes(opened):
                path = os.path.realpath(opened.path)
                found.add(path[len(site) + 1 :] if path.startswith(f"{site}/") else os.path.basename(opened.path))
    return found


def replay(command: list[str], trace: capture.Trace, main: str, site: str, cache: Path) -> dict:
    plan = cache / "plan.json"
    plan.write_text(json.dumps(capture.plan_of(trace, main)))
    words = [*command, "conflicts", "--environment", site, "--plan", plan, "--sysroot", "/", "--format", "bindings"]
    return json.loads(subprocess.run(words, check=False, stdout=subprocess.PIPE).stdout)


def from_wheels(options: argparse.Namespace, row: dict, site: str) -> dict:
    if options.bindings:
        return json.loads(options.bindings.read_text())
    wheels = environment.wheels(options.cache, row["wheels"])
    words = [options.wheelcheck, "conflicts", *wheels, "--order", "given", "--format", "bindings"]
    words += [word for module in row.get("modules", []) for word in ("--import", module)]
    words += ["--sysroot", "/"] if row.get("sysroot") else []
    return json.loads(subprocess.run(words, check=False, stdout=subprocess.PIPE).stdout)


def number(value: int) -> str:
    return f"{value:,}"


def percent(part: int, whole: int) -> str:
    return "" if whole == 0 else f"{100 * part / whole:.3f} %"


def outcome(trace: capture.Trace) -> str:
    return trace.ended or "ends"


def report_replay(row: str, trace: capture.Trace, result: compare.Comparison, show: int) -> int:
    beside = ", ".join(f"{what} {count}" for what, count in sorted(result.beside.items()))
    cells = [row, outcome(trace), number(trace.opens), number(trace.lookups), number(result.references)]
    print("| " + " | ".join([*cells, number(result.equal), number(len(result.differ)), beside]) + " |")
    for line in result.differ[:show]:
        print(line)
    for path in trace.silent:
        print(f"opened by the C library itself, in no plan: {path}")
    return 1 if result.differ else 0


def report_share(row: str, share: compare.Share, show: int) -> int:
    right = share.told_crossing - share.wrong_crossing
    cells = [
        row,
        number(share.references),
        percent(share.right, share.compared),
        percent(share.right, share.references),
        f"{number(share.real_crossing)} / {number(share.found_crossing)}",
        percent(share.found_crossing, share.real_crossing),
        percent(right, share.told_crossing),
    ]
    print("| " + " | ".join(cells) + " |")
    for line in share.wrong[:show]:
        print(line)
    enough = share.right >= 0.9999 * share.compared and share.found_crossing >= 0.99 * share.real_crossing
    return 0 if enough and share.wrong_crossing == 0 else 1


def main() -> int:
    options = arguments()
    with open(HERE / "rows.toml", "rb") as file:
        table = tomllib.load(file)
    if options.row not in table["rows"]:
        sys.exit(f"no row {options.row}; there are {', '.join(table['rows'])}")
    row = table["rows"][options.row]
    options.cache.mkdir(parents=True, exist_ok=True)
    python = environment.make(options.cache, row["environment"], table["environments"][row["environment"]])
    program, site = os.path.realpath(python), capture.site_packages(python)
    with tls.server(options.cache) if row.get("server") else contextlib.nullcontext():
        trace = capture.run(python, row["steps"], options.cache)
    files = compare.Files(site, trace.outside)
    print(trace.said, file=sys.stderr)
    if options.from_wheels:
        prediction = from_wheels(options, row, site)
        return report_share(options.row, compare.share(trace, prediction, files, set(row["wheels"])), options.show)
    prediction = replay([options.wheelcheck], trace, program, site, options.cache)
    result = compare.compare(trace, prediction, files, opened_by_ctypes(trace, site))
    return report_replay(options.row, trace, result, options.show)


if __name__ == "__main__":
    sys.exit(main())
