"""The driver of an audit. It submits batches to Dask, repeats failed ones, and writes the tables at the end."""

from __future__ import annotations

import contextlib
import functools
import json
import pathlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import dask
import distributed
from tqdm import tqdm

from wheelcheck._error import EXIT_INTERNAL, WheelcheckError
from wheelcheck.fleet import _store
from wheelcheck.fleet._batch import PARTS, Batch, Job, Outcome, cut, judge_batch
from wheelcheck.fleet._manifest import Item
from wheelcheck.fleet._rows import not_judged

ROUNDS = 3  # attempts until every wheel has a readable shard
PROJECTS_A_TASK = 200
SECONDS_BETWEEN_LINES = 10.0  # seconds between progress lines if stderr is not a terminal


@dataclass(frozen=True)
class Cluster:
    """Where the job runs: the address of a scheduler, or the number of local workers."""

    scheduler: str = ""
    local: int = 0
    dashboard: str = "127.0.0.1:8787"


def audit(job: Job, items: list[Item], cluster: Cluster) -> dict[str, Any]:
    """Judges the wheels that have no shard yet and writes the tables. Returns the content of run.json."""
    root = pathlib.Path(job.out)
    with _store.locked(root):
        return _audit(root, job, items, cluster)


def _audit(root: pathlib.Path, job: Job, items: list[Item], cluster: Cluster) -> dict[str, Any]:
    _store.prepare(root)
    shards, done = _store.known(root, job.settings.fingerprint)
    with _client(cluster) as client:
        for _ in range(ROUNDS):
            shards |= _judge_all(client, job, items, done)
            missing = _write_tables(client, job, items, shards)
            if not missing:
                break
            say(f"{len(missing)} wheels are judged again because their shards cannot be read")
            done = {item.key for item in items} - missing
        else:
            raise WheelcheckError(f"{job.out}: shards disappear while they are read", EXIT_INTERNAL)
    run = _run(job, items)
    _store.publish(root, run)
    return run


def say(text: str) -> None:
    print(f"wheelcheck-fleet: {text}", file=sys.stderr, flush=True)


def local_cluster(workers: int, dashboard: str) -> distributed.LocalCluster:
    """Local workers with one thread each. They wait for the program most of the time."""
    dask.config.set(
        {
            # The profiler would sample every worker a hundred times per second.
            "distributed.worker.profile.enabled": False,
            # A cluster gives up a worker that is not there this long after it ended, although it may have come back
            # and ended again. A wheel that ends workers would do that to all of them, and the audit would never end.
            "distributed.deploy.lost-worker-timeout": "1000 days",
        }
    )
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=0,  # limits the worker only, not the program that it runs
        dashboard_address=dashboard,
        silence_logs="ERROR",
    )


@contextlib.contextmanager
def _client(cluster: Cluster) -> Iterator[distributed.Client]:
    with contextlib.ExitStack() as stack:
        where: Any = cluster.scheduler
        if not where:
            where = stack.enter_context(local_cluster(cluster.local, cluster.dashboard))
        client = stack.enter_context(distributed.Client(where))
        if link := client.dashboard_link:
            say(f"dashboard at {link}")
        yield client


def _progress_bar(wheels: int, known: int) -> tqdm[Any]:
    known_text = f", {known} judged before" if known else ""
    return tqdm(
        total=wheels,
        unit=" wheels",
        disable=wheels == 0,
        mininterval=0.2 if sys.stderr.isatty() else SECONDS_BETWEEN_LINES,
        smoothing=0,  # batches end in bursts
        bar_format="[{bar:30}] {n_fmt} of {total_fmt} wheels, {rate_fmt}, {remaining} left{postfix}" + known_text,
    )


class _Judged:
    """The shard of each judged wheel, by its key; retries are recorded."""

    def __init__(self, job: Job, progress: tqdm[Any]) -> None:
        self.job, self.progress = job, progress
        self.without_verdict = 0
        self.shards: dict[str, str] = {}

    def add(self, outcome: Outcome) -> None:
        self.again(outcome.retries)
        self.shards |= dict.fromkeys(outcome.keys, outcome.shard)
        self._advance(len(outcome.keys), outcome.unjudged)

    def lose(self, item: Item, reason: str) -> None:
        row = not_judged(item, "lost", reason)
        self.shards[item.key] = _store.write_shard(pathlib.Path(self.job.out), self.job.settings.fingerprint, row)
        self._advance(1, 1)

    def _advance(self, wheels: int, without_verdict: int) -> None:
        self.without_verdict += without_verdict
        self.progress.set_postfix_str(f"{self.without_verdict} without verdict", refresh=False)
        self.progress.update(wheels)

    def again(self, retries: list[dict[str, str]]) -> None:
        if not retries:
            return
        with pathlib.Path(self.job.out, "retries.jsonl").open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(retry, ensure_ascii=False) + "\n" for retry in retries)


def _judge_all(client: distributed.Client, job: Job, items: list[Item], done: set[str]) -> dict[str, str]:
    """Returns the shard of each judged wheel, by its key."""
    left = [_without(batch, done) for batch in cut(items)]
    batches = [batch for batch in left if batch.items]
    wheels = sum(len(batch.items) for batch in batches)
    # The largest wheels come first, so that the job does not wait for one of them at the end.
    batches.sort(key=lambda batch: -batch.size)
    with _progress_bar(wheels, len(items) - wheels) as progress:
        judged = _Judged(job, progress)
        for item in _judge_together(client, judged, batches):
            # No worker runs another task of this audit now, so this wheel is the cause if a worker ends.
            ended = _ended(_submit(client, job, _alone(item)))
            if isinstance(ended, Outcome):
                judged.add(ended)
            else:
                judged.lose(item, _reason(ended))
    return judged.shards


def _judge_together(client: distributed.Client, judged: _Judged, batches: list[Batch]) -> list[Item]:
    """Judges batches, then the wheels of failed batches one by one.

    Returns the wheels that may have ended workers: if a worker ends, Dask counts this for every task on it.
    """
    suspects: list[Item] = []
    asked = {_submit(client, judged.job, batch): batch for batch in batches}
    waiting = distributed.as_completed(list(asked))
    for future in waiting:
        batch = asked.pop(future)
        ended = _ended(future)
        if isinstance(ended, Outcome):
            judged.add(ended)
            continue
        reason = _reason(ended)
        if len(batch.items) > 1:
            judged.again([{"file": item.file, "reason": f"its batch: {reason}; tried alone"} for item in batch.items])
            for item in batch.items:
                alone = _alone(item)
                again = _submit(client, judged.job, alone)
                asked[again] = alone
                waiting.add(again)
            continue
        (item,) = batch.items
        if isinstance(ended, distributed.KilledWorker):
            judged.again([{"file": item.file, "reason": f"{reason}; tried without other tasks"}])
            suspects.append(item)
        else:
            judged.lose(item, reason)
    return suspects


def _submit(client: distributed.Client, job: Job, batch: Batch) -> distributed.Future:
    return client.submit(judge_batch, job, batch, pure=False)


def _ended(future: distributed.Future) -> Outcome | Exception:
    """The result of a task, or its error. An error of the whole audit is raised.

    If the worker that stores the result of a finished task ends, the task runs again, so it can still fail here.
    """
    try:
        outcome: Outcome = future.result()
    except WheelcheckError:
        raise
    except Exception as error:  # an error of a task, of any kind
        return error
    return outcome


def _alone(item: Item) -> Batch:
    return Batch(item.key[:32], (item,))


def _without(batch: Batch, done: set[str]) -> Batch:
    return replace(batch, items=tuple(item for item in batch.items if item.key not in done))


def _reason(error: Exception) -> str:
    if isinstance(error, distributed.KilledWorker):
        return "every worker that tried it ended"
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def _write_tables(client: distributed.Client, job: Job, items: list[Item], shards: dict[str, str]) -> set[str]:
    projects: dict[str, list[tuple[str, str]]] = {}
    for item in items:
        projects.setdefault(item.project, []).append((item.key, shards[item.key]))
    every = sorted(projects.items())
    many = min(len(every) // PARTS + 1, PROJECTS_A_TASK)
    tasks = [every[at : at + many] for at in range(0, len(every), many)]
    write = functools.partial(_store.write_projects, job.out, job.settings.fingerprint)
    written = client.map(write, tasks, pure=False)
    return {key for missing in client.gather(written) for key in missing}


def _run(job: Job, items: list[Item]) -> dict[str, Any]:
    return {
        "program": job.settings.version,
        "words": [word.replace(f"{job.out}/", "") for word in job.settings.words],
        "files": dict(job.settings.files),
        "settings": job.settings.fingerprint,
        "wheels": len(items),
    }
