#!/usr/bin/env python3
"""sandbox.py PROGRAM WHEEL [RUNS]: the CPU time of --sandbox auto compared with --sandbox off, measured in turns."""

import os
import statistics
import sys


def cpu(program, wheel, mode, nowhere):
    """Milliseconds of user and system time."""
    child = os.posix_spawnp(program, [program, wheel, "--sandbox", mode], os.environ,
                            file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)])
    used = os.wait4(child, 0)[2]
    return (used.ru_utime + used.ru_stime) * 1000


def main(program, wheel, runs="400"):
    nowhere = os.open(os.devnull, os.O_WRONLY)
    pairs = [(cpu(program, wheel, "off", nowhere), cpu(program, wheel, "auto", nowhere)) for _ in range(int(runs))]
    off, auto = (statistics.median(column) for column in zip(*pairs))
    print(f"off {off:.2f} ms, auto {auto:.2f} ms, ratio {auto / off:.2f}; "
          f"median of the differences {statistics.median(b - a for a, b in pairs):.2f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
