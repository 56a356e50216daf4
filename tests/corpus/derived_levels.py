#!/usr/bin/env python3
"""Compares levels derived from Debian's packages with the built-in levels: the table of docs/policies.md.

derived_levels.py PROGRAM [--check] [--release NUMBER...] [--arch ARCH...]: downloads the packages with
scripts/debian_roots into the cache of the real wheels, derives a level from each release and writes the table. --check:
writes nothing and ends with 1 if the built-in level and Debian differ in a node without a reason in this file; without
--release and --arch also if the table of the page differs.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import corpus

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/policies.md"
START, END = "<!-- derived -->\n", "<!-- /derived -->\n"
LEVELS = {"11": "manylinux_2_31", "12": "manylinux_2_36", "13": "manylinux_2_41"}
ARCHES = {"amd64": "x86_64", "arm64": "aarch64", "armhf": "armv7l", "i386": "i686", "ppc64el": "ppc64le",
          "s390x": "s390x", "riscv64": "riscv64"}
FAMILIES = ("GLIBC", "GLIBCXX", "CXXABI", "GCC")
BACKPORT = "came to the branch of glibc 2.41 after its release; Ubuntu 25.04 has not"
# The reasons why Debian has a node that the level does not list, or the other way round.
MORE = {"GLIBC_ABI_GNU_TLS": BACKPORT, "GLIBC_ABI_GNU2_TLS": BACKPORT, "GLIBC_ABI_DT_X86_64_PLT": BACKPORT,
        "ZLIB_1.2.12": "Ubuntu 22.10, of glibc 2.36 too, has zlib 1.2.11"}
LESS = {("riscv64", "GLIBC_2.37"): "no glibc defines it there: the node has functions of 32-bit machines alone"}


def packages(releases, arches) -> pathlib.Path:
    out = corpus.cache() / "packages"
    words = [ROOT / "scripts/debian_roots", out]
    for number in releases:
        words += ["--release", f"{number}={ {'11': 'bullseye', '12': 'bookworm', '13': 'trixie'}[number]}"]
    for arch in arches:
        words += ["--arch", arch]
    subprocess.run([sys.executable, "-B", *map(str, words)], check=True, stdin=subprocess.DEVNULL)
    return out


def run(program, *words):
    done = subprocess.run([program, "policy", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(f"derived_levels: {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def nodes(versions, side):
    return [f"{family}_{node}" for family in versions for node in versions[family][side]]


def rows(program, number, root, arches, problems):
    level, label = LEVELS[number], f"debian-{number}"
    file = root / f"{label}.json"
    run(program, "derive", level, "--root", f"{label}={root / label}", "--output", file)
    change = json.loads(run(program, "diff", level, file, "--format", "json"))["architectures"]
    has = json.loads(file.read_text())["architectures"]
    for arch in arches:
        name = ARCHES[arch]
        if name not in has:
            yield f"| {number} | {level} | {name} | no packages | | |"
            continue
        versions = change.get(name, {}).get("versions", {})
        reasons, more, less = [], nodes(versions, "added"), nodes(versions, "removed")
        for node in more:
            reasons.append(MORE.get(node))
            if not reasons[-1]:
                problems.append(f"{label} {name}: {node} is not in {level}, and no reason is known")
        for node in less:
            reasons.append(LESS.get((name, node)))
            if not reasons[-1]:
                problems.append(f"{label} {name}: {level} lists {node}, which Debian has not")
        listed = json.loads(run(program, "show", level, "--arch", name, "--format", "json"))
        counted = sum(len(listed["architectures"][name]["versions"].get(family, [])) for family in FAMILIES)
        missing = [node for node in less if node.split("_")[0] in FAMILIES]
        told = "; ".join(dict.fromkeys(reason for reason in reasons if reason))
        yield (f"| {number} | {level} | {name} | {counted - len(missing)} of {counted} | "
               f"{' '.join(f'`{node}`' for node in more)} | {told} |")


def with_rows_of(page: str, text: str) -> str:
    """A mirror that gets a new release lacks packages of some architectures for hours. Their rows are not compared."""
    start = {tuple(row.split("|")[1:4]): row for row in page.split("\n") if row}
    return "\n".join(
        start.get(tuple(row.split("|")[1:4]), row) if "| no packages |" in row and "x86_64" not in row else row
        for row in text.split("\n"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--release", action="append")
    parser.add_argument("--arch", action="append")
    options = parser.parse_args()
    releases, arches = options.release or list(LEVELS), options.arch or list(ARCHES)
    root = packages(releases, arches)
    problems: list[str] = []
    table = ["| Debian | level | architecture | nodes of the level that it has | and besides | reason |",
             "|---|---|---|---|---|---|"]
    for number in releases:
        table += rows(options.program, number, root, arches, problems)
    text = "\n".join(table) + "\n"
    whole = not options.release and not options.arch
    if whole:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(START)
        listed, after = rest.split(END)
        if options.check:
            text = with_rows_of(listed, text)
        real = f"{before}{START}{text}{END}{after}"
        if not options.check:
            PAGE.write_text(real, encoding="utf-8")
        elif real != page:
            problems.append("docs/policies.md holds another table")
    else:
        print(text, end="")
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
