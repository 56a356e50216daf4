"""A job that loses a worker and then its driver, and is started again. resume_test.py and corpus_test.py use it."""

import os
import signal
import subprocess
import time

import pyarrow

from support import ENVIRONMENT, Fleet, audit, cluster, command, rows, stand_in, tables

PATIENCE = 120  # seconds until a job without progress is aborted


def finished(out):
    shards = (pyarrow.ipc.open_file(path).read_all() for path in out.glob("shards/*/[!.]*.arrow"))
    return {key for shard in shards for key in shard["key"].to_pylist()}


def wait_for(count, out, job):
    limit = time.monotonic() + PATIENCE
    while len(finished(out)) < count:
        if job.poll() is not None or time.monotonic() > limit:
            raise AssertionError(f"{len(finished(out))} of {count} wheels when the job was to be disturbed")
        time.sleep(0.02)


def settled(out):
    """The finished wheels after all tasks have ended that were running when their driver was killed."""
    before, now = None, finished(out)
    while now != before:
        time.sleep(2)
        before, now = now, finished(out)
    return now


class Resume(Fleet):
    def disturb_and_compare(self, manifest, wheels):
        log = self.folder / "log"
        slow = stand_in(self.folder / "slow", f"sleep 0.2\nfor word; do echo \"$word\" >>'{log}'; done")
        audit(manifest, self.folder / "calm", program=slow)
        out = self.folder / "disturbed"
        with cluster() as client:
            address = client.scheduler.address
            words = command("audit", manifest, "--out", out, "--program", slow, "--scheduler", address)
            with subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.DEVNULL) as job:
                wait_for(wheels // 4, out, job)
                worker, other = client.run(os.getpid).values()
                self.assertNotEqual(worker, other)
                os.kill(worker, signal.SIGKILL)
                wait_for(wheels // 2, out, job)
                job.kill()
            self.assertFalse((out / "wheels").exists())
            before = settled(out)
            self.assertLess(len(before), wheels)
            log.unlink()
            subprocess.run(words, env=ENVIRONMENT, stderr=subprocess.DEVNULL, check=True, timeout=600)
        again = [line for line in log.read_text().splitlines() if line.endswith(".whl")]
        self.assertLessEqual(len(again), wheels - len(before), "a finished wheel was judged again")
        self.assertEqual(tables(out), tables(self.folder / "calm"))
        names = [(row["file"], row["sha256"]) for row in rows(out)]
        self.assertEqual((len(names), len(set(names))), (wheels, wheels))
        facts = [{path.name for path in (self.folder / run / "facts").rglob("*.jsonl.gz")}
                 for run in ("calm", "disturbed")]
        self.assertEqual(facts[0], facts[1])
