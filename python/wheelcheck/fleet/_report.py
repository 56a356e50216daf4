"""`wheelcheck-fleet report`: one HTML page with plots and the tables behind them, which needs no network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import pathlib
from collections.abc import Sequence
from typing import Any

from bokeh.resources import Resources

from wheelcheck.fleet._plots import legends, plots
from wheelcheck.fleet._queries import Answers, Rows, ask

# Title, description, columns of its table. Numbers are right-aligned.
SECTIONS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "tags": (
        "Claimed and compatible tags",
        "Each wheel counts once for each tag that it claims, regardless of the architecture.",
        ("tag", "compatible", "incompatible", "other"),
    ),
    "floors": (
        "Floors over time",
        "The oldest glibc that the content of manylinux wheels is compatible with, by the date in the manifest.",
        ("period", "glibc", "wheels"),
    ),
    "rules": (
        "Rules by frequency",
        "Wheels with at least one finding of the rule.",
        ("code", "rule", "severity", "wheels", "projects", "findings"),
    ),
    "leaks": (
        "Most leaked namespaces",
        "Other projects' namespaces and libraries that wheels export (leaked-namespace, leaked-c-library).",
        ("namespace or library", "wheels", "projects"),
    ),
    "heaviest": ("Heaviest wheels", "The sizes of the downloaded files.", ("file", "bytes", "unpacked", "verdict")),
    "reasons": ("Without a verdict", "Each reason with one wheel.", ("error", "wheels", "for example", "reason")),
}
EMPTY = {
    "floors": "No manylinux wheel has a date: add the date of the upload as column `date` of the manifest.",
    "reasons": "Every wheel was judged.",
}


def write_report(directory: pathlib.Path, output: pathlib.Path) -> None:
    answers = ask(directory)
    run = json.loads((directory / "run.json").read_text(encoding="utf-8"))
    output.write_text(page(answers, run), encoding="utf-8")


def page(answers: Answers, run: dict[str, Any]) -> str:
    style = pathlib.Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    scripts = [*Resources(mode="inline", components=["bokeh"]).js_raw, _drawing(plots(answers))]
    # Nothing else of the page can run or be fetched, regardless of the names of wheels.
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in scripts)
    policy = f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; font-src data:"
    body = "\n".join(_section(name, answers) for name in SECTIONS)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>wheelcheck: audit of {answers.totals["wheels"]:,} wheels</title>
<style>{style}</style>
</head>
<body>
<header>
<h1>Audit of {answers.totals["wheels"]:,} wheels</h1>
<p>{_escape(run["program"])}{_words(run)}</p>
{_tiles(answers.totals)}
</header>
<main>
{body}
</main>
<footer><p>One bar a row; the tables under the plots hold the same figures.</p></footer>
{"".join(f"<script>{script}</script>" for script in scripts)}
</body>
</html>
"""


def _words(run: dict[str, Any]) -> str:
    return f", {_escape(' '.join(run['words']))}" if run["words"] else ""


def _tiles(totals: dict[str, int]) -> str:
    shown = (
        ("projects", "projects", ""),
        ("kept", "keep their tags", ""),
        ("broken", "break a tag", "hot"),
        ("with_errors", "have an error", ""),
        ("unjudged", "without a verdict", "hot"),
        ("bytes", "GB", ""),
    )
    tiles = []
    for name, text, kind in shown:
        number = f"{totals[name] / 1e9:,.1f}" if name == "bytes" else f"{totals[name]:,}"
        tiles.append(f'<li id="total-{name}" class="{kind if totals[name] else ""}"><b>{number}</b>{text}</li>')
    return f'<ul class="tiles">{"".join(tiles)}</ul>'


def _section(name: str, answers: Answers) -> str:
    title, text, columns = SECTIONS[name]
    rows: Rows = getattr(answers, name)
    if not rows:
        content = f"<p>{_escape(EMPTY.get(name, 'Nothing to show.'))}</p>"
    elif name == "reasons":
        content = f"<p>{_escape(text)}</p>{_table(columns, rows)}"
    else:
        table = f"<details><summary>As a table</summary>{_table(columns, rows)}</details>"
        content = f'<p>{_escape(text)}</p>{_legend(name, answers)}<div class="plot" id="{name}"></div>{table}'
    return f'<section aria-label="{title}"><h2>{title}</h2>{content}</section>'


def _legend(name: str, answers: Answers) -> str:
    known = legends(answers).get(name, [])
    entries = (f'<li><i style="background:{colour}"></i>{_escape(text)}</li>' for colour, text in known)
    return f'<ul class="legend">{"".join(entries)}</ul>' if known else ""


def _table(columns: Sequence[str], rows: Rows) -> str:
    numbers = [isinstance(value, int) for value in rows[0]]
    kinds = [' class="number"' if number else "" for number in numbers]
    head = "".join(f"<th{kind}>{_escape(column)}</th>" for kind, column in zip(kinds, columns))
    lines = []
    for row in rows:
        cells = "".join(f"<td{kind}>{_cell(value)}</td>" for kind, value in zip(kinds, row))
        lines.append(f"<tr>{cells}</tr>")
    return f'<div class="scroll"><table><tr>{head}</tr>{"".join(lines)}</table></div>'


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else _escape("" if value is None else str(value))


def _drawing(drawn: dict[str, str]) -> str:
    calls = [f"Bokeh.embed.embed_item({item});" for item in drawn.values()]
    return "\n".join(calls).replace("</", "<\\/").replace("<!--", "<\\!--")


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _escape(text: str) -> str:
    return html.escape("".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text))
