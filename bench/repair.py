#!/usr/bin/env python3
"""repair.py PROGRAM [PACKAGE...]: compares `wheelcheck repair` and `auditwheel repair` on packages from sdists.

Needs the -dev packages of Debian that `tests/repair/real_packages.py --apt` prints. A wheel is built once and kept in the
cache; a package that cannot be built is named and left out. Prints a Markdown table: the libraries that both bundle, whether they are the same, and the CPU time of each tool.
Each wheel is repaired with --verify run as well, which is not part of the time.
"""

import math
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "repair"))
import real_packages  # noqa: E402


def repair(command, folder, environment):
    """CPU seconds, also of child processes, and the names of the bundled libraries; None if there is no result."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [*command, "-w", folder], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=environment
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        print(f"{command[0]}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    (wheel,) = pathlib.Path(folder).glob("*.whl")
    libraries = real_packages.bundled(wheel)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, libraries


def best_of(command, environment, runs=3):
    results = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            results.append(repair(command, folder, environment))
    return None if None in results else min(results, key=lambda one: one[0])


def row(package, program, environment):
    wheel = real_packages.built(package)
    if wheel is None:
        return None
    theirs = best_of(["auditwheel", "repair", wheel], environment)
    ours = best_of([program, "repair", wheel], environment)
    with tempfile.TemporaryDirectory() as folder:
        verified = repair([program, "repair", "--verify=run", wheel], folder, environment)
    if ours is None or theirs is None:
        return None
    same = "yes" if ours[1] == theirs[1] else ", ".join(sorted(ours[1] ^ theirs[1]))
    ratio = ours[0] / theirs[0]
    print(
        f"| {package} | {len(ours[1])} | {same} | {'yes' if verified else 'no'} | {theirs[0]:.2f} s | "
        f"{ours[0]:.2f} s | {ratio:.2f} |",
        flush=True,
    )
    return ratio


def main():
    program, packages = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:] or list(real_packages.BY_NAME)
    environment = real_packages.environment()
    print("| package | libraries | the same | the loader agrees | auditwheel | wheelcheck | ratio |")
    print("|---|---|---|---|---|---|---|")
    ratios = [one for package in packages if (one := row(package, program, environment)) is not None]
    if ratios:
        mean = math.prod(ratios) ** (1 / len(ratios))
        print(f"\nGeometric mean of the ratio over {len(ratios)} packages: {mean:.2f}")


if __name__ == "__main__":
    main()
