#!/usr/bin/env python3
"""fleet.py [throughput|costs]: the cost of wheelcheck-fleet compared with the program alone (docs/fleet.md).

throughput: generated wheels; the program with two threads and an audit on two workers run in turns, A B A B. costs: CPU
seconds and bytes of facts and rows of the real wheels, by size. Needs the interpreter of tests/fleet/dask_python.py.
"""

import argparse
import itertools
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / part) for part in ("fleet", "corpus")] + [str(ROOT / "python")]
CLASSES = ((100e3, "to 100 kB"), (1e6, "to 1 MB"), (10e6, "to 10 MB"), (100e6, "to 100 MB"), (1e12, "above"))
SHARES = (0.30, 0.35, 0.27, 0.07, 0.01)  # fractions of an index by these classes: assumed, not measured


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("throughput", "costs"))
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/wheelcheck")
    parser.add_argument("--made-wheels", type=pathlib.Path, default=ROOT / "build/release/tests/made_wheels/made_wheels")
    parser.add_argument("--wheels", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="costs: the wheels of wheels/large too")
    return parser.parse_args()


def bare(program, paths, jobs, *words, form="full"):
    """Seconds and CPU seconds of one run of the program over all files."""
    start, before = time.perf_counter(), cpu(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, "check", "--no-config", "--no-progress", f"--format={form}", f"--jobs={jobs}",
                           *words, "--", *paths], stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"bench: the program ended with {done.returncode}")
    return time.perf_counter() - start, cpu(resource.RUSAGE_CHILDREN) - before


def cpu(*whose):
    usages = [resource.getrusage(one) for one in whose]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def everyone(client):
    """CPU seconds of the workers, their children, and this process, which drives them and contains the scheduler."""
    def own():
        usages = [resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in usages)

    return sum(client.run(own).values()) + cpu(resource.RUSAGE_SELF)


def throughput(options, folder):
    import distributed
    import made

    from wheelcheck.fleet import _audit, _batch, _manifest, _settings

    paths = made.variants(folder, options.wheels, options.made_wheels)
    (folder / "manifest").write_text("wheel\n" + "".join(f"{path}\n" for path in paths))
    items = _manifest.read_manifest(folder / "manifest")
    # Each run writes to its own directory, and nothing is removed before the last run. For five seconds after a removal
    # ext4 does not reuse an inode, and it checks each removed one when it searches for another.
    numbers = itertools.count()

    def program(*words, form="full"):
        return bare(options.program, paths, 2, *words, form=form)

    def kept():
        return program(f"--cache={folder / f'kept-{next(numbers)}'}")

    def fleet(client, keep_facts):
        out = folder / f"out-{next(numbers)}"
        settings = _settings.make_settings([], str(options.program), out)
        job = _batch.Job(settings, str(out), "", 1 << 40, 900, keep_facts)
        start, before = time.perf_counter(), everyone(client)
        _audit.audit(job, items, _audit.Cluster(client.scheduler.address))
        return time.perf_counter() - start, everyone(client) - before

    start = time.perf_counter()
    with _audit.local_cluster(2, ":0") as cluster, distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        print(f"cluster of two workers ready after {time.perf_counter() - start:.1f} s")
        rows = []
        for number in range(options.rounds + 1):
            row = program(), kept(), program(form="json-lines"), fleet(client, False), fleet(client, True)
            if number:  # the first run warms up the workers, whose imports happen once for a cluster
                rows.append(row)
    for column, name in enumerate(("program --jobs 2", "the same with --cache", "the same with --format json-lines",
                                   "audit --no-facts on two workers", "audit on two workers")):
        wall, used = (statistics.median(row[column][what] for row in rows) for what in (0, 1))
        ratio = statistics.median(row[0][0] / row[column][0] for row in rows)
        print(f"{name}: {wall:.2f} s, {options.wheels / wall:.0f} wheels/s, {ratio:.2f} of the program's throughput; "
              f"{used:.2f} s of CPU, {1e3 * used / options.wheels:.2f} ms a wheel")


def main():
    options = parse()
    options.program = options.program.resolve()
    with tempfile.TemporaryDirectory() as folder:
        {"throughput": throughput, "costs": costs}[options.what](options, pathlib.Path(folder))


def costs(options, folder):
    """One wheel at a time through the code of a task, in this process: its CPU and that of the program."""
    import corpus

    from wheelcheck.fleet import _batch, _manifest, _settings, _store

    directories = [corpus.RECIPES, *([corpus.LARGE] if options.large else [])]
    paths = [recipe.path for place in directories for recipe in corpus.recipes(folder=place) if recipe.path.is_file()]
    out = folder / "out"
    _store.prepare(out)
    job = _batch.Job(_settings.make_settings([], str(options.program), out), str(out), "", 1 << 40, 3600)
    found = {name: [] for _, name in CLASSES}
    for path in paths:
        item = _manifest.Item(str(path), corpus.sha256(path), path.stat().st_size)
        before = cpu(resource.RUSAGE_CHILDREN), cpu(resource.RUSAGE_SELF)
        outcome = _batch.judge_batch(job, _batch.Batch(item.key, (item,)))
        program = cpu(resource.RUSAGE_CHILDREN) - before[0]
        worker = cpu(resource.RUSAGE_SELF) - before[1]
        facts = sum(one.stat().st_size for one in (out / "facts" / item.project).glob(f"{item.sha256}-*"))
        shard = (out / "shards" / job.settings.fingerprint / f"{outcome.shard}.arrow").stat().st_size
        before = cpu(resource.RUSAGE_CHILDREN)
        again = _store.find_facts(out / "facts", item.project, item.file, item.sha256)
        bare(options.program, [again], 1)
        judged = cpu(resource.RUSAGE_CHILDREN) - before
        name = next(name for limit, name in CLASSES if path.stat().st_size <= limit)
        found[name].append((path.stat().st_size, program, worker, judged, facts, shard))
    print("| wheels | number | mean size | program, CPU s | worker, CPU s | from facts, CPU s | facts | rows |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    expected = [0.0] * 6
    for share, (name, rows) in zip(SHARES, found.items()):
        if rows:
            means = [statistics.fmean(column) for column in zip(*rows)]
            expected = [so_far + share * mean for so_far, mean in zip(expected, means)]
            size, program, worker, judged, facts, shard = means
            print(f"| {name} | {len(rows)} | {size / 1e6:.2f} MB | {program:.3f} | {worker:.4f} | {judged:.3f} | "
                  f"{facts / 1e3:.0f} kB | {shard / 1e3:.1f} kB |")
    size, program, worker, judged, facts, shard = expected
    if all(found.values()):
        print(f"a million wheels with shares of {SHARES}: {size / 1e6:.1f} TB read, "
              f"{(program + worker) / 3.6e-3:.0f} hours of CPU; {facts / 1e3:.0f} GB of facts, "
              f"{shard / 1e3:.1f} GB of shards; judged again from facts "
              f"{(judged + worker) / 3.6e-3:.0f} hours of CPU")


if __name__ == "__main__":
    main()
