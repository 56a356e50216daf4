"""The parts of docs/performance.md that scripts generate: between `<!-- bench NAME -->` and `<!-- end NAME -->`."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"


def put(blocks, page=PAGE):
    """blocks: {name: lines}. Ends the program if the page does not contain one of the names."""
    text = page.read_text(encoding="utf-8")
    for name, lines in blocks.items():
        pattern = re.compile(rf"(<!-- bench {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        body = "".join(f"{line}\n" for line in lines)
        text, found = pattern.subn(lambda match, body=body: match[1] + body + match[2], text)
        if found != 1:
            raise SystemExit(f"bench: {page} has {found} places for {name}")
    page.write_text(text, encoding="utf-8")


def table(head, rows, left=1):
    """Lines of a Markdown table; the first `left` columns are words, the others are numbers."""
    rule = ["---"] * left + ["---:"] * (len(head) - left)
    return [f"| {' | '.join(head)} |", f"|{'|'.join(rule)}|", *(f"| {' | '.join(row)} |" for row in rows)]


def seconds(value):
    if value >= 0.9995:
        return f"{value:.2f} s"
    return f"{value * 1e3:.1f} ms" if value < 0.0995 else f"{value * 1e3:.0f} ms"


def megabytes(value):
    return f"{value / 1e6:.0f} MB" if value >= 9.95e6 else f"{value / 1e6:.1f} MB"


def times(value):
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"
