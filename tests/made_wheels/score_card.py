#!/usr/bin/env python3
"""score_card.py MADE_WHEELS PROGRAM: counts how often the results of wheelcheck and auditwheel agree with the loader.

Prints the score card of docs/migrating-from-auditwheel.md. MADE_WHEELS is the program made_wheels in the build folder.
The recipe of a generated wheel states what glibc's ld.so does with it, and tests/made_wheels checks this with the real
one.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import peer  # noqa: E402


def recipes(folder):
    return [json.loads(path.read_text("utf-8")) for path in sorted((ROOT / "wheels" / folder).glob("*.json"))]


def wheelcheck_tag(program, wheel, environment):
    done = subprocess.run([program, "--format=json", "--no-config", "--fail-on=never", wheel], check=True,
                          capture_output=True, env={**os.environ, **environment})
    (entry,) = json.loads(done.stdout)["wheels"]
    return entry["best_tag"]


def auditwheel_tag(wheel, environment):
    command = [peer.peer_python(), "-I", "-m", "auditwheel", "show", "--json", wheel]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)
    return json.loads(done.stdout)["overall_tag"] if done.returncode == 0 else "no verdict"


def serves_debian_12(tag):
    """True if a wheel with this tag can be installed with glibc 2.36."""
    level = re.fullmatch(r"manylinux_(\d+)_(\d+)_x86_64", tag)
    return bool(level) and (int(level[1]), int(level[2])) <= (2, 36)


def main():
    made, program = sys.argv[1:]
    real = [recipe for recipe in recipes("real") if "tag" in recipe["auditwheel"]]
    same = [recipe for recipe in real if recipe["auditwheel"]["tag"] == recipe["expected"]["best_tag"]]
    print(f"Real wheels: {len(recipes('real'))}; auditwheel gives a tag: {len(real)}; the same tag: {len(same)}.\n")
    print("| made wheel | `ld.so` | wheelcheck | auditwheel |\n|---|---|---|---|")
    right = {"wheelcheck": 0, "auditwheel": 0}
    known = [recipe for recipe in recipes("made") if "loader" in recipe]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([made, folder], check=True, stdout=subprocess.DEVNULL)
        for recipe in known:
            wheel, environment = pathlib.Path(folder, recipe["file"]), recipe.get("environment", {})
            loads = recipe["loader"]["loads"]
            said = {"wheelcheck": wheelcheck_tag(program, wheel, environment),
                    "auditwheel": auditwheel_tag(wheel, environment)}
            cells = []
            for name, tag in said.items():
                agrees = tag != "no verdict" and serves_debian_12(tag) == loads
                right[name] += agrees
                cells.append(tag.removesuffix("_x86_64") + ("" if agrees else ", **wrong**"))
            print(f"| {recipe['about']} | {'loads' if loads else 'does not load'} | {' | '.join(cells)} |")
    print(f"| **right, of {len(known)}** | | **{right['wheelcheck']}** | **{right['auditwheel']}** |")


if __name__ == "__main__":
    main()
