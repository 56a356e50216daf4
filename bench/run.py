#!/usr/bin/env python3
"""run.py [OPTION...] [PREFIX...]: the cost of wheelcheck on real wheels, next to bench/floor and `auditwheel show`.

The programs run in turns: each once, then each again, so that a disturbance affects both. Only wheels whose file name
starts with a PREFIX are measured. Earlier measurements of the same program on the same machine are kept, and the tables
are made from all of them. --write updates docs/performance.md.
"""

import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys

import measure
import page
import tables
from measure import Sample

sys.path.insert(0, str(page.ROOT / "tests" / "corpus"))
import corpus  # noqa: E402
import peer  # noqa: E402

BUILD = page.ROOT / "build" / "release"
SMALL = "markupsafe-3.0.3"  # the wheel for which the start of the program is most of the cost


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix", nargs="*")
    parser.add_argument("--program", type=pathlib.Path, default=BUILD / "wheelcheck")
    parser.add_argument("--tools", type=pathlib.Path, default=BUILD / "bench", help="where floor and launch were built")
    parser.add_argument("--compare", default="floor,auditwheel,start", help="of floor, auditwheel, start")
    parser.add_argument("--corpus", default="large,real", help="of large, real; the floor is measured on large only")
    parser.add_argument("--runs", type=int, default=5, help="rounds for each wheel")
    parser.add_argument("--budget", type=float, default=60, help="seconds for each wheel after which no round begins")
    parser.add_argument("--kept", action="store_true", help="what auditwheel cost here is taken from earlier runs")
    parser.add_argument("--results", type=pathlib.Path, default=corpus.cache() / "bench" / "results.json")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    options = parser.parse_args()
    options.compare = options.compare.split(",")
    options.corpus = options.corpus.split(",")
    return options


class Program:
    """wheelcheck as it is measured: all rules, and no cache."""

    def __init__(self, path):
        self.path = path.resolve()
        if not self.path.is_file():
            sys.exit(f"bench: there is no {path}; scripts/bench builds it")
        options = subprocess.run([self.path, "check", "--help"], capture_output=True, text=True, check=True).stdout
        self.skips_hashes = "--no-record-hashes" in options
        self.always = ["--pedantic", "--fail-on", "never", "--no-progress"]
        if "--cache" in options:
            self.always += ["--cache", "off"]

    def check(self, *wheels, jobs=1, hashes=True):
        skip = [] if hashes else ["--no-record-hashes"]
        return [self.path, "check", *self.always, "-j", jobs, *skip, *wheels]

    def version(self):
        return [self.path, "--version"]


def subject(program):
    """Identifies the machine and program; results of different ones must not be compared."""
    return {"machine": measure.machine(), "program": corpus.sha256(program.path)}


class Bench:
    def __init__(self, options):
        self.options = options
        self.program = Program(options.program)
        self.floor = options.tools / "floor"
        self.launcher = measure.Launcher(options.tools / "launch")
        self.kept_file = options.results.with_name("auditwheel.json")
        self.kept = self.load(self.kept_file, {"machine": measure.machine()})
        self.results = self.load(options.results, {**subject(self.program), "floor": corpus.sha256(self.floor)})

    @staticmethod
    def load(path, must_be):
        found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if {key: found.get(key) for key in must_be} != must_be:
            found = {**must_be, "wheels": {}}
        return found

    @staticmethod
    def save(path, data):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")

    def turns(self, commands, touched, runs=None):
        samples = self.launcher.in_turns(commands, runs or self.options.runs, self.options.budget, touched)
        return {name: [dataclasses.asdict(one) for one in of] for name, of in samples.items()}

    def against_floor(self, path, touched):
        commands = {"floor": [self.floor, path], "checked": self.program.check(path)}
        if self.program.skips_hashes:
            commands["floor_elf"] = [self.floor, "--elf-only", path]
            commands["floor_code"] = [self.floor, "--elf-only", "--python-too", path]
            commands["checked_elf"] = self.program.check(path, hashes=False)
        commands["two"] = self.program.check(path, jobs=2)
        return {"samples": self.turns(commands, touched)}

    def against_auditwheel(self, recipe, touched):
        """Runs the programs in turns, or only wheelcheck if auditwheel was measured before."""
        commands = {"checked": self.program.check(recipe.path, hashes=not self.program.skips_hashes)}
        known = self.kept["wheels"].get(recipe.sha256) if self.options.kept else None
        if known is None:
            commands["auditwheel"] = [peer.peer_python(), "-m", "auditwheel", "show", recipe.path]
        samples = self.turns(commands, touched)
        if known is None:
            self.kept["wheels"][recipe.sha256] = samples["auditwheel"]
            self.save(self.kept_file, self.kept)
        return {"paired": known is None, "samples": {"auditwheel": known, **samples}}

    def start(self, recipe, touched):
        return {"samples": self.turns({
            "version": self.program.version(),
            "checked": self.program.check(recipe.path, hashes=not self.program.skips_hashes),
            "all": self.program.check(recipe.path),
            "auditwheel": [peer.peer_python(), "-m", "auditwheel", "show", recipe.path],
        }, touched, runs=max(20, self.options.runs))}

    def wheel(self, recipe, large):
        found = self.results["wheels"].setdefault(recipe.file, {})
        found.update(large=large, strings=recipe.elf.get("strings"))
        touched = measure.warm(recipe.path)
        if large and "floor" in self.options.compare:
            found["floor"] = self.against_floor(recipe.path, touched)
        if "auditwheel" in self.options.compare:
            found["auditwheel"] = self.against_auditwheel(recipe, touched)
        if "start" in self.options.compare and recipe.file.startswith(SMALL):
            found["start"] = self.start(recipe, touched)
        self.results["skips_hashes"] = self.program.skips_hashes
        self.save(self.options.results, self.results)


def chosen(options):
    """(recipe, whether it is a large wheel) for each wheel to measure. Ends the program if one was not downloaded."""
    folders = {"large": corpus.LARGE, "real": corpus.RECIPES}
    found = [(recipe, name == "large") for name in options.corpus for recipe in corpus.recipes(folder=folders[name])
             if not options.prefix or any(recipe.file.startswith(prefix) for prefix in options.prefix)]
    if not found:
        sys.exit(f"bench: no wheel is called {' or '.join(options.prefix)}")
    for recipe, large in found:
        if fault := recipe.fault():
            sys.exit(f"bench: {recipe.file} {fault}; tests/corpus/fetch.py{' --large' if large else ''} fetches it")
    return found


def samples_of(results):
    """Converts the results to Samples."""
    wheels = {}
    for file, found in results["wheels"].items():
        wheels[file] = dict(found)
        for group in ("floor", "auditwheel", "start"):
            if group in found:
                samples = {name: [Sample(**one) for one in of] for name, of in found[group]["samples"].items() if of}
                wheels[file][group] = {**found[group], "samples": samples}
    return {**results, "wheels": wheels}


def main():
    options = parse()
    bench = Bench(options)
    wheels = chosen(options)
    for number, (recipe, large) in enumerate(wheels, start=1):
        print(f"{number}/{len(wheels)} {recipe.file}", file=sys.stderr, flush=True)
        bench.wheel(recipe, large)
    growth = Bench.load(options.results.with_name("growth.json"), subject(bench.program))
    blocks = tables.blocks(samples_of(bench.results), growth)
    for lines in blocks.values():
        print("\n".join(lines), end="\n\n")
    if options.write:
        page.put(blocks)


if __name__ == "__main__":
    main()
