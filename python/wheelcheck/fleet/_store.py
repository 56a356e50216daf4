"""The directory of an audit, which all workers share. A file gets its name only when it is complete.

shards/SETTINGS/KEYS-SHA256.arrow     results of a batch; one file per wheel would cost more than its verdict
facts/PROJECT/SHA256-....jsonl.gz     stored facts, with the names that the program gives them
wheels|findings/project=NAME/         Parquet, written when all wheels have their shard
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import shutil
import socket
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow
import pyarrow.ipc
import pyarrow.parquet

from wheelcheck._error import EXIT_USAGE, WheelcheckError
from wheelcheck.fleet._rows import FINDINGS, ROWS, WHEELS, split

MAKING = ".making"
TABLES = {"wheels": WHEELS, "findings": FINDINGS}
FACTS_ENDING, SHARD_ENDING = ".jsonl.gz", ".arrow"
_HERE = socket.gethostname()


def write_shard(root: pathlib.Path, fingerprint: str, rows: pyarrow.Table) -> str:
    sink = pyarrow.BufferOutputStream()
    options = pyarrow.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    with pyarrow.ipc.new_file(sink, ROWS, options=options) as file:
        file.write_table(rows.combine_chunks())
    content = sink.getvalue()
    name = f"{_digest(''.join(rows['key'].to_pylist()).encode())}-{_digest(content)}"
    _write(_shard(root, fingerprint, name), content)
    return name


def _digest(content: bytes | pyarrow.Buffer) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def known(root: pathlib.Path, fingerprint: str) -> tuple[dict[str, str], set[str]]:
    """The shard of each wheel, by its key, and the keys of the wheels that are not judged again."""
    shards: dict[str, str] = {}
    finished: set[str] = set()
    for path in sorted((root / "shards" / fingerprint).glob(f"[!.]*{SHARD_ENDING}")):
        rows = _read(path, ["key", "status"])
        if rows is None:
            path.unlink(missing_ok=True)  # its wheels are judged again
        for key, status in zip(*(rows[name].to_pylist() for name in ("key", "status"))) if rows else ():
            if status != "failed":
                finished.add(key)
            if status != "failed" or key not in shards:
                shards[key] = path.stem
    return shards, finished


def _read(place: pathlib.Path, columns: list[str]) -> pyarrow.Table | None:
    """None if the file was truncated by a crash, was changed on the disk, or is not a shard."""
    try:
        fields = [ROWS.get_field_index(name) for name in columns]
        options = pyarrow.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
        with pyarrow.memory_map(str(place)) as source:
            content = source.read_buffer()
        if _digest(content) != place.stem.rpartition("-")[2]:
            return None
        with pyarrow.ipc.open_file(content, options=options) as file:
            rows = file.read_all()
            rows.validate(full=True)
            return rows if rows.schema == pyarrow.schema(map(ROWS.field, columns)) else None
    except ValueError:  # includes errors of Arrow
        return None
    except OSError as error:
        if error.errno not in (None, errno.ENOENT):  # None: Arrow returns it for a file that it cannot unpack
            raise
        return None


class _Shard:
    """The rows of one shard, and the wheel of each row."""

    def __init__(self, root: pathlib.Path, fingerprint: str, name: str) -> None:
        place = _shard(root, fingerprint, name)
        rows = _read(place, ROWS.names)
        if rows is None:
            place.unlink(missing_ok=True)  # its wheels are judged again
            rows = ROWS.empty_table()
        self.rows = rows
        self.places = {key: number for number, key in enumerate(rows["key"].to_pylist())}


def find_facts(folder: pathlib.Path, project: str, file: str, digest: str) -> pathlib.Path | None:
    """The stored facts of that wheel with that name."""
    entries = sorted((folder / project).glob(f"{digest}-*{FACTS_ENDING}")) if digest else []
    return next((path for path in entries if facts_file(path) == file), None)


def facts_file(path: pathlib.Path) -> str:
    """The file name of the wheel, from the first line of its facts."""
    unpack = zlib.decompressobj(wbits=31)
    try:
        with path.open("rb") as packed:
            head = unpack.decompress(packed.read(1 << 16), 1 << 16)
        told = json.loads(head.partition(b"\n")[0])
        return str(told["wheelcheck-facts"]["file"])
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        return ""


def making(root: pathlib.Path, batch: str) -> pathlib.Path:
    """Where the program stores the facts of a batch, so that a restarted batch finds them."""
    place = root / "facts" / MAKING / batch
    place.mkdir(parents=True, exist_ok=True)
    return place


def take_facts(place: pathlib.Path, root: pathlib.Path, wheels: Iterable[tuple[str, str, str]]) -> None:
    """Moves the stored facts to the projects. `wheels`: project, file and SHA-256 of each."""
    entries: dict[str, list[os.DirEntry[str]]] = {}
    with os.scandir(place) as found:
        for entry in found:
            entries.setdefault(entry.name.partition("-")[0], []).append(entry)
    made = set()
    for project, file, digest in wheels:
        for entry in entries.get(digest, []):
            if len(entries[digest]) > 1 and facts_file(pathlib.Path(entry.path)) != file:
                continue  # the same content with another name
            if project not in made:
                (root / "facts" / project).mkdir(exist_ok=True)
                made.add(project)
            pathlib.Path(entry.path).replace(f"{root}/facts/{project}/{entry.name}")
    with contextlib.suppress(OSError):  # not empty: another wheel of the batch ended the program
        place.rmdir()


def write_projects(root: str, fingerprint: str, projects: list[tuple[str, list[tuple[str, str]]]]) -> list[str]:
    """Writes the Parquet files of these projects, from the shards of their wheels. Returns the keys without rows."""
    missing: list[str] = []
    read = functools.lru_cache(maxsize=64)(functools.partial(_Shard, pathlib.Path(root), fingerprint))
    for project, wheels in projects:
        wanted: dict[str, list[str]] = {}
        for key, name in wheels:
            wanted.setdefault(name, []).append(key)
        found = [ROWS.empty_table()]
        for name, keys in wanted.items():
            shard = read(name)
            missing += (key for key in keys if key not in shard.places)
            found.append(_picked(shard.rows, [shard.places[key] for key in keys if key in shard.places]))
        _write_project(pathlib.Path(root, MAKING), project, _once(pyarrow.concat_tables(found)))
    return missing


def publish(root: pathlib.Path, run: dict[str, Any]) -> None:
    """Replaces the old tables by the new ones."""
    for name in TABLES:
        old = root / MAKING / f"old-{name}"
        shutil.rmtree(old, ignore_errors=True)
        if (root / name).exists():
            (root / name).replace(old)
        (root / MAKING / name).replace(root / name)
    _write(root / "run.json", (json.dumps(run, indent=2) + "\n").encode())
    shutil.rmtree(root / MAKING, ignore_errors=True)
    shutil.rmtree(root / "facts" / MAKING, ignore_errors=True)


@contextlib.contextmanager
def locked(root: pathlib.Path) -> Iterator[None]:
    """Allows one driver at a time: a second one would write the tables while the first replaces them."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):
                raise
            raise WheelcheckError(f"{root}: another audit writes there", EXIT_USAGE) from error
        yield


def prepare(root: pathlib.Path) -> None:
    (root / "facts").mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        shutil.rmtree(root / MAKING / name, ignore_errors=True)
        (root / MAKING / name).mkdir(parents=True, exist_ok=True)


def _once(rows: pyarrow.Table) -> pyarrow.Table:
    """By file and checksum: the same wheel in two places counts once."""
    columns = (rows[name].to_pylist() for name in ("file", "sha256", "wheel"))
    first: dict[tuple[str, ...], int] = {}
    for (file, sha256, wheel), number in sorted(zip(zip(*columns), range(rows.num_rows)), key=lambda one: one[0][2]):
        first.setdefault((file, sha256) if sha256 else (file, "", wheel), number)
    return _picked(rows, [first[where] for where in sorted(first)])


def _picked(rows: pyarrow.Table, places: list[int]) -> pyarrow.Table:
    """Like `take`, but without a copy if the rows are consecutive, as they usually are."""
    if places and places == list(range(places[0], places[0] + len(places))):
        return rows.slice(places[0], len(places))
    return rows.take(pyarrow.array(places, pyarrow.int64()))


def _write_project(folder: pathlib.Path, project: str, rows: pyarrow.Table) -> None:
    for name, table in split(rows).items():
        if not table.num_rows:
            continue
        place = folder / name / f"project={project}"
        place.mkdir(parents=True, exist_ok=True)
        pyarrow.parquet.write_table(table, place / "part-0.parquet", compression="zstd")


def _shard(root: pathlib.Path, fingerprint: str, name: str) -> pathlib.Path:
    return root / "shards" / fingerprint / f"{name}{SHARD_ENDING}"


def _write(place: pathlib.Path, content: bytes | pyarrow.Buffer) -> None:
    new = place.with_name(f".{place.name}.{_HERE}.{os.getpid()}")
    try:
        new.write_bytes(content)
    except FileNotFoundError:
        place.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(content)
    new.replace(place)
