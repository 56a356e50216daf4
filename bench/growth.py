#!/usr/bin/env python3
"""growth.py [OPTION...]: CPU and peak memory of wheelcheck by members, symbols, bytes and wheels, on generated wheels.

--write updates the table in docs/performance.md and docs/growth.svg. A fit is a straight line through the points of the
last factor of eight, with logarithmic axes, by least squares. Smaller sizes are left out, because constant costs matter
there.
"""

import argparse
import dataclasses
import json
import math
import pathlib
import sys
import tempfile
from collections.abc import Callable

import made
import measure
import page
import plot
import run

MB = 1 << 20
FITTED = 8


def with_members(folder, count):
    """Data and modules, a hundred in each directory, and one library."""
    with made.Wheel(folder) as wheel:
        wheel.add_library("made/libmade.so", 100, MB)
        for number in range(count - 4):  # dist-info has three
            place = f"made/part{number // 100:04d}/{number % 100:02d}"
            if number % 2:
                wheel.add(f"{place}.py", f"import os\n\n\ndef f{number}(x):\n    return os.sep + x\n".encode())
            else:
                wheel.add(f"{place}.txt", f"{number} is a number\n".encode() * 20)


def with_symbols(folder, count):
    with made.Wheel(folder) as wheel:
        wheel.add_library("made/libmade.so", count, MB)


def with_bytes(folder, count):
    with made.Wheel(folder) as wheel:
        wheel.add_library("made/libmade.so", 1000, max(count // made.PIECE, 1) * made.PIECE)


def with_wheels(folder, count):
    for number in range(count):
        with made.Wheel(folder, f"made{number:04d}") as wheel:
            wheel.add(f"made{number:04d}/__init__.py", b"from . import work\n")
            wheel.add_library(f"made{number:04d}/libmade.so", 100, MB)


@dataclasses.dataclass(frozen=True)
class Axis:
    name: str
    what: str
    make: Callable
    largest: int
    points: int

    def steps(self, small):
        """Doubles up to the largest; `small` divides all values."""
        return sorted({max(self.largest // small // 2**i, 8) for i in range(self.points)})


AXES = [
    Axis("members", "members of a wheel", with_members, 60_000, 8),
    Axis("symbols", "symbols that a library defines", with_symbols, 1_000_000, 8),
    Axis("bytes", "bytes of an ELF member", with_bytes, 4100 * MB, 8),
    Axis("wheels", "wheels in one run", with_wheels, 1_000, 8),
]


def exponent(points):
    """The slope of the fitted line."""
    last = [(math.log(x), math.log(y)) for x, y in points if x * FITTED >= points[-1][0]]
    mean_x, mean_y = (sum(side) / len(last) for side in zip(*last))
    return sum((x - mean_x) * (y - mean_y) for x, y in last) / sum((x - mean_x) ** 2 for x, _ in last)


def measure_axis(axis, program, launcher, options):
    """[x, CPU, peak memory on one thread, on two] of each step: the fastest run, and the largest peak."""
    points = []
    for x in axis.steps(options.small):
        with tempfile.TemporaryDirectory(prefix="wheelcheck-growth-", dir=options.directory) as folder:
            axis.make(pathlib.Path(folder), x)
            wheels = sorted(pathlib.Path(folder).iterdir())
            touched = measure.warm(*wheels)
            one = [launcher.run(program.check(*wheels), touched=touched) for _ in range(options.runs)]
            two = launcher.run(program.check(*wheels, jobs=2), touched=touched)
        points.append([x, min(sample.cpu for sample in one), max(sample.rss for sample in one), two.rss])
        print(f"{axis.name}: {x:>11,}  {page.seconds(points[-1][1]):>8}  {page.megabytes(points[-1][2]):>8}",
              file=sys.stderr, flush=True)
    return points


def rows(axes):
    for axis in AXES:
        if axis.name not in axes:
            continue
        points = axes[axis.name]
        x, cpu, one, two = points[-1]
        yield [axis.what, f"{points[0][0]:,} to {x:,}", page.seconds(cpu), f"{exponent([p[:2] for p in points]):.2f}",
               page.megabytes(one), f"{exponent([(p[0], p[2]) for p in points]):.2f}", page.megabytes(two)]


def finish(results):
    """The results for run.py, and the block of the page."""
    axes = results["axes"]
    results["exponents"] = {f"{name}, {what}": exponent([(p[0], p[column]) for p in points])
                            for name, points in axes.items() for column, what in ((1, "CPU"), (2, "memory"))}
    if "bytes" in axes:
        results["giant_rss"] = max(axes["bytes"][-1][2:])
    return page.table(["against", "from, to", "CPU at the end", "exponent", "peak at the end", "exponent",
                       "peak with two threads"], list(rows(axes)), left=2)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("axis", nargs="*", help="of " + ", ".join(axis.name for axis in AXES) + "; default: all")
    parser.add_argument("--program", type=pathlib.Path, default=run.BUILD / "wheelcheck")
    parser.add_argument("--tools", type=pathlib.Path, default=run.BUILD / "bench", help="where launch was built")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--small", type=int, default=1, help="divide every size by this")
    parser.add_argument("--directory", help="where wheels are made; the largest run needs 1 GB")
    parser.add_argument("--results", type=pathlib.Path, default=run.corpus.cache() / "bench" / "growth.json")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md and docs/growth.svg")
    return parser.parse_args()


def main():
    options = parse()
    program, launcher = run.Program(options.program), measure.Launcher(options.tools / "launch")
    results = run.Bench.load(options.results, run.subject(program))
    results.setdefault("axes", {})
    for axis in AXES:
        if not options.axis or axis.name in options.axis:
            results["axes"][axis.name] = measure_axis(axis, program, launcher, options)
            table = finish(results)
            run.Bench.save(options.results, results)
    print("\n".join(table))
    print(json.dumps(results["exponents"], indent=1), file=sys.stderr)
    if options.write:
        page.put({"growth": table})
        (page.ROOT / "docs" / "growth.svg").write_text(plot.draw(
            [(axis.what, results["axes"][axis.name]) for axis in AXES if axis.name in results["axes"]], exponent))


if __name__ == "__main__":
    main()
