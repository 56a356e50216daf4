#!/usr/bin/env python3
"""Imports pairs or sets of wheels in both orders, and compares what happens with `wheelcheck conflicts`.

    pairs.py [--sets | --failing] [--environments DIRECTORY] [--wheelcheck PROGRAM] [--wheels DIRECTORY]...
             [--only NAME] [--keep DIRECTORY [--again]]

uv installs each pair of pairs.txt, or with --sets each set of sets.txt, into a virtual environment, from the
directories of --wheels and from PyPI. In a new process for each order, the wheels are imported and used as uses.toml
says, and `wheelcheck conflicts --environment` predicts the orders; of a set it is run as a user runs it, without
options. --failing does this in one order with the sets of failing.toml, which come from public reports, or work although
a pin is not met. Prints a table of docs/pairs.md, then each error or warning and each failure. The exit code is 1 if an
order works that has an error (false), or fails and the answer is calm (missed).
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import stubs
import tls

HERE = Path(__file__).resolve().parent
USES = tomllib.loads((HERE / "uses.toml").read_text())
SETTING = re.compile(r"(python|before)=[^=]")
WORST = {"error": 3, "warning": 2, "note": 1}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheelcheck", default=str(HERE.parent.parent / "build/release/wheelcheck"))
    parser.add_argument("--uv", default="uv")
    parser.add_argument("--wheels", action="append", default=[])
    parser.add_argument("--only", help="only pairs whose line contains this text")
    parser.add_argument("--sets", action="store_true", help="sets.txt instead of pairs.txt")
    parser.add_argument("--failing", action="store_true", help="sets of failing.toml instead of pairs.txt")
    parser.add_argument("--environments", type=Path, help="virtual environments of sets, by name, that stay")
    parser.add_argument("--keep", type=Path, help="directory of results: pairs that have one there are not run again")
    parser.add_argument("--again", action="store_true", help="with --keep: predict again what was run before")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def use_of(pin):
    return USES[pin.split("==")[0].split("[")[0].replace("_", "-")]


def install(options, top, pins, settings):
    """The interpreter of a new environment with these distributions."""
    python = top / "bin/python"
    if python.exists():
        return python
    interpreter = settings.get("python", os.path.realpath(sys.executable))
    subprocess.run([options.uv, "venv", "-q", "--python", interpreter, top], check=True)
    links = [word for directory in options.wheels for word in ("--find-links", directory)]
    install = [options.uv, "pip", "install", "-q", "--python", python, "--only-binary", ":all:", *links]
    if "before" in settings:
        install += ["--exclude-newer", settings["before"]]
    # Sets are installed as a user installs them.
    alone = [pin for pin in pins if use_of(pin).get("alone") and not options.sets]
    others = [pin for pin in pins if pin not in alone]
    whole = [pin for pin in pins if pin not in alone and use_of(pin).get("alone")]
    others += [name for pin in pins if pin not in whole for name in use_of(pin).get("packages", [])]
    subprocess.run([*install, *others], check=True)
    if alone:
        subprocess.run([*install, "--no-deps", *alone], check=True)
    for pin in alone:
        if directory := use_of(pin).get("stubs"):
            stubs.make(next(top.glob("lib/python*/site-packages")) / directory)
    return python


def run(python, code):
    """What happens when the code runs that imports and uses the wheels."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [python, "-c", code, HERE], cwd=scratch, capture_output=True, text=True, timeout=600, check=False
        )
    if done.returncode < 0:
        return signal.Signals(-done.returncode).name, done.stderr[-2000:]
    if done.returncode > 0:
        lines = done.stderr.strip().splitlines()
        error = next((line for line in reversed(lines) if re.match(r"[\w.]+(Error|Exception): ", line)), lines[-1])
        return error.split(":")[0], done.stderr[-2000:]
    return "works", ""


def predict(options, top, pins):
    words = [options.wheelcheck, "conflicts", "--environment", top, "--no-progress", "--format=json"]
    if not options.sets and not options.failing:
        words += ["--order", "both"]
        words += [word for pin in pins for word in ("--distribution", pin.split("==")[0])]
    done = subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(pins)}: {done.stderr}")
    report = json.loads(done.stdout)
    return {key: report[key] for key in ("answer", "summary", "orders", "findings", "not_known")}


def try_one(options, words):
    """Of a pair, or of a set, which has a name before its pins."""
    name, pins = (words[0], words[1:]) if options.sets else ("", words)
    settings = dict(word.split("=") for word in pins if SETTING.match(word))
    pins = [word for word in pins if not SETTING.match(word)]
    done = options.keep / ((name or "+".join(pins)) + ".json") if options.keep else None
    before = json.loads(done.read_text()) if done and done.exists() else None
    if before and not options.again:
        return before
    with tempfile.TemporaryDirectory() as scratch:
        top = options.environments / name if options.environments and name else Path(scratch) / "venv"
        python = install(options, top, pins, settings)
        predicted = predict(options, top, pins)
        codes = ["\n".join(use_of(pin)["use"] for pin in order) for order in (pins, pins[::-1])]
        really = before["really"] if before else [run(python, code) for code in codes]
        result = {"pins": pins, "really": really, "predicted": predicted}
    if done:
        done.write_text(json.dumps(result))
    return result


def try_failing(options, name, described):
    """A line of the table of sets that fail; whether the prediction is right; the details."""
    with tempfile.TemporaryDirectory() as scratch:
        top = options.environments / name if options.environments else Path(scratch) / "venv"
        python = top / "bin/python"
        if not python.exists():
            interpreter = described.get("python", os.path.realpath(sys.executable))
            subprocess.run([options.uv, "venv", "-q", "--python", interpreter, top], check=True)
            for step in described["install"]:
                subprocess.run([options.uv, "pip", "install", "-q", "--python", python, *step.split()], check=True)
        seen, _ = run(python, described["use"])
        predicted = predict(options, top, described["install"])
    codes = sorted({one["code"] for one in predicted["findings"] if one["severity"] == "error"})
    line = f"| {'; '.join(described['install']).replace('==', ' ')} | {described['report']} | {seen} "
    line += f"| {predicted['answer']}{': ' * bool(codes)}{', '.join(codes)} |"
    right = not codes if described.get("works") else seen == "works" or bool(codes)
    return line, right, details({"really": [], "predicted": predicted})


def failing(options):
    sets = tomllib.loads((HERE / "failing.toml").read_text())
    wanted = [(name, one) for name, one in sets.items() if (options.only or "") in name]
    print("| installed | report | really | predicted |\n|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda one: try_failing(options, *one), wanted))
    wrong = [line for line, right, _ in results if not right]
    print("\n".join(line for line, _, _ in results), end="\n\n")
    for (name, _), (_, _, lines) in zip(wanted, results, strict=True):
        print("".join(f"- {name}: {line}\n" for line in lines), end="")
    print(f"{len(results)} sets, {len(wrong)} wrong predictions")
    return 1 if wrong else 0


def position(order, pin):
    """Where a distribution is in an order of imports, whose names are spelled as in its metadata."""
    return [normal(name) for name in order].index(normal(pin.split("==")[0]))


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def worst(predicted, first, second):
    """The highest severity that is predicted if `first` is imported before `second`."""
    orders = predicted["orders"]
    # A wheel is always simulated after those that it requires, because it imports them.
    these = [i for i, order in enumerate(orders) if position(order, first) < position(order, second)]
    these = these or range(len(orders))
    found = 0
    for finding in predicted["findings"]:
        # WC542 says that one of two files at a path is lost, whether or not something uses it.
        if finding["code"] != "WC542" and (not finding["orders"] or set(finding["orders"]).intersection(these)):
            found = max(found, WORST[finding["severity"]])
    return found


def row(result):
    """A line of the table, and what is wrong with the prediction."""
    pins, predicted = result["pins"], result["predicted"]
    wrong, cells = [], []
    for (seen, _), order in zip(result["really"], (pins, pins[::-1]), strict=True):
        severity = worst(predicted, *order)
        cells.append(seen + {3: ", error", 2: ", warning"}.get(severity, ""))
        if severity == WORST["error"] and seen == "works":
            wrong.append(f"false error if {order[0]} is first")
        if severity < WORST["warning"] and predicted["answer"] == "no conflict found" and seen != "works":
            wrong.append(f"missed failure if {order[0]} is first")
    summary = predicted["summary"]
    cells += [predicted["answer"], str(summary["notes"])]
    title = ", ".join(pin.replace("==", " ") for pin in pins)
    return f"| {title} | {' | '.join(cells)} |", wrong


def row_of_set(result):
    """A line of the table of sets, and what is wrong: a set that works has no error, and its answer is complete."""
    predicted = result["predicted"]
    seen = [one for one, _ in result["really"]]
    summary = predicted["summary"]
    title = ", ".join(pin.replace("==", " ") for pin in result["pins"])
    cells = [title, *seen, predicted["answer"], str(summary["warnings"]), str(summary["notes"])]
    wrong = [] if set(seen) != {"works"} or predicted["answer"] == "no conflict found" else ["false answer"]
    return f"| {' | '.join(cells)} |", wrong


def details(result):
    for finding in result["predicted"]["findings"]:
        if finding["severity"] != "note":
            orders = [result["predicted"]["orders"][index] for index in finding["orders"]]
            shown = " or ".join(", then ".join(order) for order in orders) or "any order"
            yield f"{finding['severity']} {finding['code']}: {finding['message']} ({shown})"
    for seen, error in result["really"]:
        if seen != "works":
            yield f"{seen}: " + " / ".join(error.strip().splitlines()[-3:])
    yield from (f"not known: {thing}" for thing in result["predicted"]["not_known"])


def main():
    options = arguments()
    if options.failing:
        sys.exit(failing(options))
    lines = (HERE / ("sets.txt" if options.sets else "pairs.txt")).read_text().splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#") and (options.only or "") in line]
    if options.sets:
        print("| set | in this order | the other way round | answer | warnings | notes |\n|---|---|---|---|---|---|")
    else:
        print("| pair | in this order | the other way round | answer | information |\n|---|---|---|---|---|")
    show = row_of_set if options.sets else row
    with (
        tempfile.TemporaryDirectory() as scratch,
        tls.server(Path(scratch)) if any("psycopg2" in " ".join(pins) for pins in pairs) else contextlib.nullcontext(),
        concurrent.futures.ThreadPoolExecutor(options.jobs) as pool,
    ):
        results = []
        for result in pool.map(lambda words: try_one(options, words), pairs):
            results.append(result)
            print(show(result)[0], flush=True)
    mistakes = 0
    print()
    for result in results:
        wrong = show(result)[1]
        mistakes += len(wrong)
        for text in [*wrong, *details(result)]:
            print(f"- {' '.join(result['pins'])}: {text}")
    what = "sets" if options.sets else "pairs"
    print(f"{len(results)} {what}, {2 * len(results)} processes, {mistakes} wrong predictions")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
