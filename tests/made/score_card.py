#!/usr/bin/env python3
"""score_card.py MADE_WHEELS PROGRAM: how often wheelcheck and auditwheel say what the loader does.

Prints the score card of docs/migrating-from-auditwheel.md. MADE_WHEELS is the program of that name in the build folder;
what glibc's ld.so does with a made wheel is in its recipe, and tests/made holds it against the real one.
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


def level(tag):
    found = re.search(r"manylinux_(\d+)_(\d+)_", tag)
    return tuple(map(int, found.groups())) if found else None


def wheelcheck_keeps(program, wheel):
    done = subprocess.run([program, "--format=json", "--no-config", "--fail-on=never", wheel], check=True,
                          capture_output=True)
    (entry,) = json.loads(done.stdout)["wheels"]
    return entry["status"] == "kept"


def auditwheel_keeps(python, wheel, environment):
    command = [python, "-I", "-m", "auditwheel", "show", "--json", wheel]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)
    if done.returncode != 0:
        return None  # no verdict
    fits, claimed = level(json.loads(done.stdout)["overall_tag"]), level(wheel.name)
    return bool(fits and claimed and fits <= claimed)


def word(keeps):
    return {True: "kept", False: "broken", None: "no verdict"}[keeps]


def main():
    made, program = sys.argv[1:]
    real = [recipe for recipe in recipes("real") if "tag" in recipe["auditwheel"]]
    same = [recipe for recipe in real if recipe["auditwheel"]["tag"] == recipe["expected"]["best_tag"]]
    print(f"real wheels: {len(recipes('real'))}; auditwheel gives a tag: {len(real)}; the same tag: {len(same)}\n")
    print("| made wheel | `ld.so` | wheelcheck | auditwheel |\n|---|---|---|---|")
    right = {"wheelcheck": 0, "auditwheel": 0}
    known = [recipe for recipe in recipes("made") if "loader" in recipe]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([made, folder], check=True, stdout=subprocess.DEVNULL)
        for recipe in known:
            wheel = pathlib.Path(folder, recipe["file"])
            loads = recipe["loader"]["loads"]
            said = {"wheelcheck": wheelcheck_keeps(program, wheel),
                    "auditwheel": auditwheel_keeps(peer.peer_python(), wheel, recipe.get("environment", {}))}
            for name, keeps in said.items():
                right[name] += keeps == loads
            words = " | ".join(f"{word(keeps)}{'' if keeps == loads else ' (**wrong**)'}" for keeps in said.values())
            print(f"| {recipe['about']} | {'loads' if loads else 'does not load'} | {words} |")
    print(f"| **right, of {len(known)}** | | **{right['wheelcheck']}** | **{right['auditwheel']}** |")


if __name__ == "__main__":
    main()
