#!/usr/bin/env python3
"""rules_on_wheels.py --program PROGRAM DIRECTORY...: writes docs/rules-on-real-wheels.md.

For every rule, including pedantic ones, the page has the number of wheels with a finding, and their names. The text
after the line `<!-- reviewed -->` was written manually and is kept. For WC501 and WC502 only the number is shown: a
wheel that loads libraries from the current directory can be attacked, so its authors must be informed first.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/rules-on-real-wheels.md"
KEPT = "<!-- reviewed -->"
UNNAMED = {"WC501", "WC502"}
SEVERITIES = ["note", "warning", "error"]
FIRST_REVIEW = f"""{KEPT}

## Reviewed findings

"""


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    if done.returncode in (2, 4):
        sys.exit(f"{program} {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def wheels_below(directories):
    """Each file name once, sorted: the order of the page."""
    found = {path.name: path for directory in directories for path in pathlib.Path(directory).glob("*.whl")}
    return [found[name] for name in sorted(found, key=str.lower)]


def labels_of(wheels):
    """Name and version, with the platform if that does not distinguish two wheels."""
    short = {wheel["file"]: " ".join(wheel["file"].split("-")[:2]) for wheel in wheels}
    often = collections.Counter(short.values())
    return {file: label if often[label] == 1 else f"{label} ({file.removesuffix('.whl').split('-')[-1].split('.')[-1]})"
            for file, label in short.items()}


def checked(program, path):
    """The wheel's line of the report, reduced to the needed fields. A report may have 100 MB."""
    line = json.loads(run(program, "check", "--pedantic", "--fail-on", "never", "--no-progress", "--format",
                          "json-lines", path).splitlines()[0])
    return {"type": line["type"], "file": line["file"],
            "findings": [(one["code"], one["severity"]) for one in line.get("findings", [])]}


def row(rule, hits, labels):
    """One line of the table. hits: file -> severities of the findings."""
    code, properties = rule["id"], rule["properties"]
    pedantic = "" if rule["defaultConfiguration"]["enabled"] else ", pedantic"
    counts = collections.Counter(max(found, key=SEVERITIES.index) for found in hits.values())
    worst = ", ".join(f"{counts[severity]} {severity}" for severity in reversed(SEVERITIES) if counts[severity])
    which = "; ".join(f"{labels[file]} ({len(found)})" for file, found in hits.items())
    if code in UNNAMED:
        which = "not named" if hits else ""
    level = rule["defaultConfiguration"]["level"]
    return (f"| {code} | [{properties['rule']}](rules/{code}-{properties['rule']}.md) | {level}{pedantic} | "
            f"{properties['precision']} | {len(hits)} | {worst} | {which} |")


def page(rules, wheels, unreadable):
    labels = labels_of(wheels)
    hits = {rule["id"]: {} for rule in rules}
    for wheel in wheels:
        for code, severity in wheel["findings"]:
            hits[code].setdefault(wheel["file"], []).append(severity)
    lines = ["# Rules on real wheels", "",
             "Written by `python3 tests/corpus/rules_on_wheels.py --program build/release/wheelcheck DIRECTORY...`. Only "
             "the part \"Reviewed",
             "findings\" is edited by hand. Pedantic rules take part. `Wheels` is the number of wheels with a finding. "
             "`Worst` counts",
             "these wheels by their highest severity. In `Which`, the number in parentheses is the number of findings. "
             "WC501 and WC502",
             "are counted without names, because not every project has been informed yet.", "",
             f"{len(wheels)} wheels: {', '.join(labels[wheel['file']] for wheel in wheels)}.", ""]
    if unreadable:
        lines += [f"Not readable as wheels: {', '.join(unreadable)}.", ""]
    lines += ["| Code | Rule | Severity | Confidence | Wheels | Worst | Which |", "|---|---|---|---|---|---|---|"]
    lines += [row(rule, hits[rule["id"]], labels) for rule in rules]
    named = {labels[file].split()[0].lower() for code in UNNAMED for file in hits.get(code, {})}
    return "\n".join(lines) + "\n\n", named


def check_kept(kept, named):
    """Checks that no kept line about a rule in UNNAMED names a project with a finding of this rule."""
    for line in kept.splitlines():
        if any(code in line for code in UNNAMED) and any(name in line.lower() for name in named):
            sys.exit(f"{PAGE.name}: a line behind {KEPT} names a project beside WC501 or WC502; take the name out")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--output", type=pathlib.Path, default=PAGE)
    parser.add_argument("directory", nargs="+")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    rules = json.loads(run(program, "rules", "--format", "json"))["rules"]
    lines = []
    for path in wheels_below(options.directory):
        print(path.name, file=sys.stderr)
        lines.append(checked(program, path))
    if not lines:
        sys.exit("no *.whl file in " + " ".join(options.directory))
    text, named = page(rules, [line for line in lines if line["type"] == "wheel"],
                       [line["file"] for line in lines if line["type"] != "wheel"])
    old = options.output.read_text() if options.output.exists() else ""
    kept = old[old.index(KEPT):] if KEPT in old else FIRST_REVIEW.rstrip() + "\n"
    check_kept(kept, named)
    options.output.write_text(text + kept)


if __name__ == "__main__":
    main()
