#!/usr/bin/env python3
"""Writes the output of `wheelcheck diff` for real releases into docs/diff.md, or compares it with the page.

diff_page.py PROGRAM [--check] [PREFIX...]: only pairs whose new wheel has a name with this prefix. --check: writes
nothing; if the page differs from the output, prints the first differing lines and ends with 1.
"""

import difflib
import pathlib
import re
import subprocess
import sys

import corpus

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/diff.md"
# <!-- diff OLD NEW [OPTION...] --> and the block below it. OLD and NEW are prefixes of the names of recipes.
BLOCK = re.compile(r"(<!-- diff (\S+) (\S+)((?: \S+)*) -->\n(```+)\w*\n)(.*?)(^\5$)", re.MULTILINE | re.DOTALL)


def wheel(prefix: str) -> corpus.Recipe:
    found = [
        recipe
        for folder in (corpus.RECIPES, corpus.LARGE)
        for recipe in corpus.recipes(None, folder)
        if recipe.file.startswith(prefix)
    ]
    if len(found) != 1:
        sys.exit(f"diff_page: {len(found)} recipes begin with {prefix}")
    if fault := found[0].fault():
        large = " --large" if found[0].directory == corpus.fetched_to(corpus.LARGE) else ""
        sys.exit(f"diff_page: {found[0].file} {fault}: tests/corpus/fetch.py{large} {prefix} fetches it")
    return found[0]


def answer(program: str, old: str, new: str, options: list[str]) -> str:
    words = [program, "diff", wheel(old).path, wheel(new).path, "--color", "never", *options]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"diff_page: {old} {new}: ends with {done.returncode}: {done.stderr}")
    return done.stdout


def main(words: list[str]) -> int:
    check = "--check" in words
    program, *prefixes = [word for word in words if word != "--check"]
    page = PAGE.read_text(encoding="utf-8")
    asked = 0

    def told(block: re.Match) -> str:
        nonlocal asked
        head, old, new, options, _, _, tail = block.groups()
        if prefixes and not any(new.startswith(prefix) for prefix in prefixes):
            return block[0]
        asked += 1
        return head + answer(program, old, new, options.split()) + tail

    real = BLOCK.sub(told, page)
    if not asked:
        sys.exit(f"diff_page: {PAGE.name} has no block for {' '.join(prefixes)}")
    if not check:
        PAGE.write_text(real, encoding="utf-8")
    elif real != page:
        lines = difflib.unified_diff(page.splitlines(), real.splitlines(), "docs/diff.md", "the program", lineterm="")
        print(*list(lines)[:60], sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
