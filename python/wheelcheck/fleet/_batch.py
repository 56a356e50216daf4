"""One task of the job: judges a batch of wheels in one run of the program, which is cheaper than a run for each."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import pathlib
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import distributed
import pyarrow

from wheelcheck.fleet import _store
from wheelcheck.fleet._fetch import NotFetched, fetch
from wheelcheck.fleet._manifest import Item
from wheelcheck.fleet._rows import ROWS, judged, not_judged
from wheelcheck.fleet._settings import Settings, command

MOST_WHEELS, MOST_BYTES, LEAST_BYTES = 64, 256_000_000, 1_000_000
PARTS = 32  # number of batches for a small job, so that all workers end at the same time
ALL_FACTS = f"--limit=cache-bytes={1 << 60}"  # no entry is removed for a newer one


@dataclass(frozen=True)
class Job:
    """The settings that are the same for all batches."""

    settings: Settings
    out: str
    old_facts: str  # facts of an earlier audit that are judged instead of wheels; empty: none
    limit_bytes: int
    limit_seconds: int
    keep_facts: bool = True


@dataclass(frozen=True)
class Batch:
    id: str  # the key of all wheels of the batch, so that it does not change when some of them are done
    items: tuple[Item, ...]

    @property
    def size(self) -> int:
        return sum(item.size for item in self.items)


@dataclass
class Outcome:
    """The result of a task for the driver. The rows are in its shard."""

    shard: str = ""
    keys: tuple[str, ...] = ()
    unjudged: int = 0
    retries: list[dict[str, str]] = field(default_factory=list)  # file and reason


@dataclass(frozen=True)
class Ready:
    """A local copy of a wheel, or of its facts."""

    item: Item
    path: pathlib.Path
    digest: str


class Crashed(Exception):
    """The program ended without a report."""

    def __init__(self, error: str, reason: str) -> None:
        super().__init__(reason)
        self.error = error


def cut(items: Sequence[Item]) -> list[Batch]:
    """Batches of neighbouring items. They depend only on the items, not on the cluster."""
    most_bytes = min(max(sum(item.size for item in items) // PARTS, LEAST_BYTES), MOST_BYTES)
    most_wheels = min(max(len(items) // PARTS, 1), MOST_WHEELS)
    batches: list[Batch] = []
    now: list[Item] = []
    for item in items:
        if now and (len(now) >= most_wheels or sum(one.size for one in now) + item.size > most_bytes):
            batches.append(_batch(now))
            now = []
        now.append(item)
    return [*batches, _batch(now)] if now else batches


def _batch(items: list[Item]) -> Batch:
    return Batch(hashlib.sha256("".join(item.key for item in items).encode()).hexdigest()[:32], tuple(items))


def judge_batch(job: Job, batch: Batch) -> Outcome:
    """Writes a shard with a row for each wheel. If a wheel ends the program, the other wheels are judged again."""
    outcome = Outcome(keys=tuple(item.key for item in batch.items))
    rows = [ROWS.empty_table()]
    with contextlib.ExitStack() as stack:
        scratch = _scratch(stack)
        ready = []
        for number, item in enumerate(batch.items):
            try:
                ready.append(_ready(job, item, functools.partial(scratch, str(number))))
            except NotFetched as error:
                rows.append(not_judged(item, error.error, str(error)))
        try:
            rows.append(_judge(job, batch.id, ready))
        except Crashed as error:
            if len(ready) == 1:
                outcome.retries.append({"file": ready[0].item.file, "reason": f"{error}; tried again"})
            for one in ready:
                if len(ready) > 1:
                    outcome.retries.append({"file": one.item.file, "reason": f"its batch: {error}; tried alone"})
                try:
                    rows.append(_judge(job, batch.id, [one]))
                except Crashed as again:
                    rows.append(not_judged(one.item, again.error, str(again)))
    table = pyarrow.concat_tables(rows)
    outcome.shard = _store.write_shard(pathlib.Path(job.out), job.settings.fingerprint, table)
    outcome.unjudged = sum(status in ("failed", "rejected") for status in table["status"].to_pylist())
    return outcome


def _scratch(stack: contextlib.ExitStack) -> Callable[[str], pathlib.Path]:
    """Returns folders by name. Their parent is created at the first call and removed with the stack."""
    made: list[str] = []

    def folder(name: str) -> pathlib.Path:
        if not made:
            inside = tempfile.TemporaryDirectory(prefix="wheelcheck-fleet-", dir=_local_directory())
            made.append(stack.enter_context(inside))
        path = pathlib.Path(made[0], name)
        path.mkdir()
        return path

    return folder


def _local_directory() -> str | None:
    try:
        return str(distributed.get_worker().local_directory)
    except ValueError:  # not in a worker
        return None


def _ready(job: Job, item: Item, scratch: Callable[[], pathlib.Path]) -> Ready:
    if job.old_facts:
        facts = _store.find_facts(pathlib.Path(job.old_facts), item.project, item.file, item.sha256)
        if facts:
            return Ready(item, facts, item.sha256)
    path, digest = fetch(item, scratch, job.limit_bytes)
    return Ready(item, path, digest)


def _judge(job: Job, batch: str, ready: list[Ready]) -> pyarrow.Table:
    if not ready:
        return ROWS.empty_table()
    if not job.keep_facts:
        return _run(job, [], ready)
    root = pathlib.Path(job.out)
    place = _store.making(root, batch)
    rows = _run(job, [f"--cache={place}", ALL_FACTS], ready)
    _store.take_facts(place, root, ((one.item.project, one.item.file, one.digest) for one in ready))
    return rows


def _run(job: Job, more: list[str], ready: list[Ready]) -> pyarrow.Table:
    words = [*command(job.settings), "--format=rows", "--jobs=1", *more, "--"]
    try:
        done = subprocess.run(
            [*words, *(str(one.path) for one in ready)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=job.limit_seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Crashed("over-limit", f"took more than --limit-seconds {job.limit_seconds}") from None
    if done.returncode < 0:
        raise Crashed("crash", f"the program was ended by signal {-done.returncode}")
    if done.returncode not in (0, 1, 3):
        said = done.stderr.decode(errors="replace").strip().removeprefix("wheelcheck: ").partition("\n")[0]
        raise Crashed("crash", said or f"the program ended with {done.returncode}")
    try:
        return judged([(one.item, one.digest) for one in ready], done.stdout)
    except (ValueError, OverflowError) as error:  # errors of Arrow are ValueError too
        raise Crashed("crash", f"the output of the program cannot be read:  {error}".partition("\n")[0]) from None
