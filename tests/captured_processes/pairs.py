#!/usr/bin/env python3
"""Runs `wheelcheck conflicts` on pairs of wheels that are used together.

    pairs.py [--wheelcheck PROGRAM] [--cache DIRECTORY] [--also DIRECTORY]...

pip downloads the wheels of pairs.txt into the cache, unless a directory of --also contains them. Prints the table of
docs/pairs.md: a line for each pair, and below it each finding above info.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = ["--platform", "manylinux_2_28_x86_64", "--platform", "manylinux_2_27_x86_64"]
TARGET += ["--platform", "manylinux2014_x86_64", "--platform", "manylinux_2_24_x86_64", "--python-version", "3.11"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheelcheck", default=str(HERE.parent.parent / "build/release/wheelcheck"))
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/wheelcheck-pairs"), type=Path)
    parser.add_argument("--also", action="append", default=[], type=Path)
    return parser.parse_args()


def is_for_us(wheel):
    return ("cp311" in wheel.name or "abi3" in wheel.name or "-py3-" in wheel.name) and "x86_64" in wheel.name


def find(options, pin):
    name, version = pin.split("==")
    for folder in [options.cache, *options.also]:
        for wheel in sorted(folder.glob(f"{name.replace('-', '_')}-{version}-*.whl")):
            if is_for_us(wheel):
                return wheel
    return None


def fetch(options, pin):
    if wheel := find(options, pin):
        return wheel
    options.cache.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--only-binary", ":all:", *TARGET]
    subprocess.run([*words, "-d", str(options.cache), pin], check=True)
    return find(options, pin)


def conflicts(options, wheels):
    words = [options.wheelcheck, "conflicts", *wheels, "--format", "json", "--no-progress"]
    done = subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def order(said, finding):
    return " or ".join(", then ".join(said["orders"][index]) for index in finding["orders"]) or "any order"


def main():
    options = arguments()
    print("| pair | errors | warnings | information |\n|---|---|---|---|")
    told = []
    for line in (HERE / "pairs.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pins = line.split()
        said = conflicts(options, [fetch(options, pin) for pin in pins])
        summary = said["summary"]
        title = ", ".join(pin.replace("==", " ") for pin in pins)
        print(f"| {title} | {summary['errors']} | {summary['warnings']} | {summary['infos']} |", flush=True)
        for finding in said["findings"]:
            if finding["severity"] != "info":
                what = f"{finding['severity']} {finding['code']}: {finding['message']} ({order(said, finding)})"
                told.append(f"- {title}: {what}")
    print("\n" + "\n".join(told))


if __name__ == "__main__":
    main()
