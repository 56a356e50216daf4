#!/usr/bin/env python3
"""Writes the default reports of real wheels into docs/reports.md, or compares them with the page.

reports_page.py PROGRAM [--check] [PREFIX...]: only wheels whose name has this prefix. --check: writes nothing; if the
page differs from the output, prints the first differing lines and ends with 1.
"""

import difflib
import pathlib
import re
import subprocess
import sys

import diff_page

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/reports.md"
# <!-- report WHEEL --> and the block below it. WHEEL is the prefix of the name of a recipe.
BLOCK = re.compile(r"(<!-- report (\S+) -->\n```\w*\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)


def answer(program: str, prefix: str) -> str:
    words = [program, "check", "--no-config", "--color", "never", diff_page.wheel(prefix).path]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"reports_page: {prefix}: ends with {done.returncode}: {done.stderr}")
    return done.stdout


def main(words: list[str]) -> int:
    check = "--check" in words
    program, *prefixes = [word for word in words if word != "--check"]
    page = PAGE.read_text(encoding="utf-8")

    def told(block: re.Match) -> str:
        head, prefix, _, tail = block.groups()
        wanted = not prefixes or any(prefix.startswith(one) for one in prefixes)
        return head + answer(program, prefix) + tail if wanted else block[0]

    real = BLOCK.sub(told, page)
    if real == page:
        return 0
    if not check:
        PAGE.write_text(real, encoding="utf-8")
        return 0
    lines = difflib.unified_diff(page.splitlines(), real.splitlines(), PAGE.name, "the program", lineterm="")
    print("\n".join(list(lines)[:40]))
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
