"""Measures programs in turns: CPU, wall time and peak memory of each run, and ratios of adjacent runs."""

import dataclasses
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys


@dataclasses.dataclass(frozen=True)
class Sample:
    cpu: float  # seconds, user and system, of all threads
    wall: float  # seconds
    rss: int  # bytes
    exit: int


class Launcher:
    """Runs programs through bench/launch, so that this script's memory does not count as theirs."""

    def __init__(self, launch):
        self.launch = str(pathlib.Path(launch).resolve())
        # Without variables that a user may have set; the same for every program.
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C.UTF-8"}

    def run(self, words, expected=(0,), touched=0):
        """expected: exit codes of success; None: any. touched: bytes of memory to touch before the run."""
        done = subprocess.run([self.launch, str(touched), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=self.environment, check=False)
        if done.returncode:
            sys.exit(f"bench: {done.stderr.strip()}")
        user, system, wall, rss, code = map(int, done.stdout.split())
        if expected is not None and code not in expected:
            sys.exit(f"bench: {' '.join(map(str, words))} ended with {code}: {done.stderr.strip()[-500:]}")
        return Sample((user + system) / 1e6, wall / 1e6, rss * 1024, code)

    def in_turns(self, commands, runs, budget, touched=0):
        """{name: words} -> {name: samples}. Runs every command once, then again in reverse order, so that the caches
        are not always filled by the same command. No round starts after `budget` seconds. Rounds are complete, so
        samples form pairs."""
        samples = {name: [] for name in commands}
        used = 0.0
        for turn in range(runs):
            for name, words in reversed(commands.items()) if turn % 2 else commands.items():
                sample = self.run(words, None if name == "auditwheel" else (0,), touched)
                samples[name].append(sample)
                used += sample.wall
            if used >= budget:
                break
        return samples


def warm(*paths):
    """Reads the files into the page cache, so that disk access is not measured. Returns the number of bytes of memory
    to touch before a run on them: the size of the files, but no more than any program here needs."""
    for path in paths:
        with open(path, "rb") as file:
            while file.read(1 << 22):
                pass
    return min(sum(os.path.getsize(path) for path in paths), 256_000_000)


@dataclasses.dataclass(frozen=True)
class Ratio:
    median: float  # of the ratios of adjacent runs
    least: float  # of the fastest runs, one of each program
    paired: bool = True


def ratio(above, below, what="cpu", paired=True):
    values = [[getattr(sample, what) for sample in samples] for samples in (above, below)]
    sides = [min(side) for side in values]
    if paired:
        middle = statistics.median(a / b for a, b in zip(*values, strict=True))
    else:
        middle = statistics.median(values[0]) / statistics.median(values[1])
    return Ratio(middle, sides[0] / sides[1], paired)


def median(samples, what):
    return statistics.median(getattr(sample, what) for sample in samples)


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def machine():
    """The environment in which the measurements are valid."""
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GB, Linux {'.'.join(platform.release().split('.')[:2])}"
