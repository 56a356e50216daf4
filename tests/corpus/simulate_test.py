#!/usr/bin/env python3
"""Tests simulations and `why --cheapest` on real wheels. simulate_test.py PROGRAM simulation|cheapest.

simulation: the results before and after are those of `check` with these levels, for stored facts as for wheels.
cheapest: fcntl64 of h5py and the libm functions of numpy are listed, each with advice.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import corpus

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPLIT_GLIBC = 24  # nodes above 2.24 are taken from the draft of manylinux_2_28


def run(program: str, *words) -> str:
    done = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    if done.returncode > 1 or done.stderr:
        sys.exit(f"corpus: {' '.join(map(str, words[:3]))} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def drafts(folder: pathlib.Path) -> list[pathlib.Path]:
    """A level that allows less than before, one that allows more, and a new one."""
    def policy(name: str) -> dict:
        return json.loads((ROOT / f"policies/{name}.json").read_text())

    less, more, new = policy("manylinux_2_28"), policy("manylinux_2_17"), policy("manylinux_2_24")
    for machine in less["architectures"].values():
        nodes = machine["versions"]["GLIBC"]
        machine["versions"]["GLIBC"] = [node for node in nodes if [int(part) for part in node.split(".")][1] <= SPLIT_GLIBC]
    more["libraries"] += ["libgomp.so.1", "libtbb.so.12"]
    new |= {"name": "manylinux_2_20", "aliases": [], "libc": {"family": "glibc", "version": "2.20"}}
    paths = []
    for document in (less, more, new):
        paths.append(folder / f"{document['name']}.json")
        paths[-1].write_text(json.dumps(document))
    return paths


def verdicts(program: str, wheels: list, policies: list) -> dict[str, dict]:
    """The result of `check`: file name -> best tags and claims."""
    words = [word for policy in policies for word in ("--policy", policy)]
    report = json.loads(run(program, "check", *wheels, *words, "--format", "json", "--no-record-hashes", "--fail-on",
                            "never"))
    return {one["file"]: {"best": one["best_tags"], "claims": {c["tag"]: c["result"] for c in one["claims"]}}
            for one in report["wheels"]}


def simulated(document: dict, when: str) -> dict[str, dict]:
    return {one["file"]: {"best": one[f"best_tags_{when}"], "claims": {c["tag"]: c[when] for c in one["claims"]}}
            for one in document["wheels"]}


def simulation(program: str) -> list[str]:
    wheels = [recipe.path for recipe in corpus.fetched()]
    faults = []
    with tempfile.TemporaryDirectory(prefix="wheelcheck-simulate-") as name:
        folder = pathlib.Path(name)
        policies = drafts(folder)
        told = {"wheels": json.loads(run(program, "policy", "simulate", *policies, "--format", "json", "--on", *wheels,
                                         "--cache", folder / "kept"))}
        told["facts"] = json.loads(run(program, "policy", "simulate", *policies, "--format", "json", "--facts",
                                       folder / "kept"))
        before, after = verdicts(program, wheels, []), verdicts(program, wheels, policies)
        for source, document in told.items():
            for when, wanted in (("before", before), ("after", after)):
                said = simulated(document, when)
                faults += [f"{file}: {when}, of {source}: {said.get(file)} and not {wanted[file]}"
                           for file in wanted if said.get(file) != wanted[file]]
        shifts = {one["shift"] for one in told["facts"]["wheels"]}
        if not {"same", "gains", "loses"} <= shifts:
            faults.append(f"the drafts shift too little: {shifts}")
        if len(told["facts"]["wheels"]) != len(wheels):
            faults.append(f"{len(told['facts']['wheels'])} rows for {len(wheels)} wheels")
    return faults


# Wheel, tag, and expected symbols, each with a word of its advice.
CHEAPEST = (
    ("h5py-3", "manylinux_2_17", {"fcntl64": "_FILE_OFFSET_BITS", "powf": ".symver powf,powf@GLIBC_2.2.5"}),
    ("numpy-2", "manylinux_2_17", {"expf": ".symver", "logf": ".symver", "powf": ".symver"}),
)


def wheel(prefix: str) -> corpus.Recipe:
    (found,) = (recipe for folder in (corpus.RECIPES, corpus.LARGE) for recipe in corpus.recipes(None, folder)
                if recipe.file.startswith(prefix))
    if fault := found.fault():
        large = " --large" if found.directory == corpus.fetched_to(corpus.LARGE) else ""
        sys.exit(f"corpus: {found.file} {fault}: tests/corpus/fetch.py{large} {prefix} fetches it")
    return found


def cheapest(program: str) -> list[str]:
    faults = []
    for prefix, tag, wanted in CHEAPEST:
        (answer,) = json.loads(run(program, "why", wheel(prefix).path, tag, "--cheapest", "--format", "json"))["answers"]
        step = next(step for step in answer["steps"] if answer["tag"] in step["tags"])
        told = {symbol["name"]: removal["advice"] for removal in step["removals"] for symbol in removal["symbols"]}
        faults += [f"{prefix}: {symbol}: {told.get(symbol)}" for symbol, word in wanted.items()
                   if word not in told.get(symbol, "")]
        # The same number as `why` lists without --cheapest.
        asked = {(o["version"], s) for o in answer["unmet_requirements"] if o["kind"] == "version" for s in o["symbols"]}
        if {symbol for _, symbol in asked} != set(told):
            faults.append(f"{prefix}: {sorted(told)} and not {sorted(asked)}")
    return faults


def main() -> int:
    faults = {"simulation": simulation, "cheapest": cheapest}[sys.argv[2]](sys.argv[1])
    print("\n".join(faults) or f"corpus: {sys.argv[2]} says what it must")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
