"""The directory of an audit, which all workers share. Every file takes its name when it is whole.

shards/SETTINGS/NAME.jsonl            what is said of the wheels of a batch; a file each would cost more than a verdict
facts/PROJECT/SHA256-....jsonl.gz     kept facts, under the names that the program gives them
wheels|findings/project=NAME/         Parquet, written once all wheels have their shard
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import pathlib
import shutil
import socket
import zlib
from collections.abc import Iterable
from typing import Any

import pyarrow
import pyarrow.parquet

from wheelcheck.fleet._rows import FINDINGS, WHEELS, Row

MAKING = ".making"
TABLES = {"wheels": WHEELS, "findings": FINDINGS}
FACTS_ENDING = ".jsonl.gz"
_HERE = socket.gethostname()


def write_shard(root: pathlib.Path, fingerprint: str, documents: dict[str, Row]) -> str:
    """Documents by the key of their wheel. The first line says whose they are, and which wheels are asked again."""
    again = [key for key, document in documents.items() if document["wheel"]["status"] == "failed"]
    lines = [{"keys": list(documents), "again": again}, *documents.values()]
    name = hashlib.sha256("".join(documents).encode()).hexdigest()[:32]
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    _write(_shard(root, fingerprint, name), text.encode())
    return name


def known(root: pathlib.Path, fingerprint: str) -> tuple[dict[str, str], set[str]]:
    """The shard of each wheel, by its key, and the keys of those that need no second look."""
    shards: dict[str, str] = {}
    finished: set[str] = set()
    for path in sorted((root / "shards" / fingerprint).glob("*.jsonl")):
        try:
            with path.open("rb") as file:
                head = json.loads(file.readline())
            keys, again = head["keys"], set(head["again"])
        except (ValueError, KeyError, TypeError):  # cut by a crash of the machine
            continue
        for key in keys:
            if key not in again or key not in shards:
                shards[key] = path.stem
        finished.update(key for key in keys if key not in again)
    return shards, finished


def _read_shard(root: pathlib.Path, fingerprint: str, name: str) -> dict[str, Row]:
    """Empty where it is none, or cut; it is then removed, and its wheels are judged again."""
    place = _shard(root, fingerprint, name)
    try:
        head, *documents = [json.loads(line) for line in place.read_bytes().splitlines()]
        if len(documents) == len(head["keys"]):
            return dict(zip(head["keys"], documents))
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError):
        pass
    place.unlink(missing_ok=True)
    return {}


def find_facts(folder: pathlib.Path, project: str, file: str, digest: str) -> pathlib.Path | None:
    """The kept facts of that wheel under that name."""
    entries = sorted((folder / project).glob(f"{digest}-*{FACTS_ENDING}")) if digest else []
    return next((path for path in entries if facts_file(path) == file), None)


def facts_file(path: pathlib.Path) -> str:
    """The file name of the wheel that the facts are of, out of their first line."""
    unpack = zlib.decompressobj(wbits=31)
    try:
        with path.open("rb") as packed:
            head = unpack.decompress(packed.read(1 << 16), 1 << 16)
        told = json.loads(head.partition(b"\n")[0])
        return str(told["wheelcheck-facts"]["file"])
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        return ""


def making(root: pathlib.Path, batch: str) -> pathlib.Path:
    """Where the program keeps the facts of a batch, so that a batch that is begun again finds them."""
    place = root / "facts" / MAKING / batch
    place.mkdir(parents=True, exist_ok=True)
    return place


def take_facts(place: pathlib.Path, root: pathlib.Path, wheels: Iterable[tuple[str, str, str]]) -> None:
    """Moves what the program kept to the projects; `wheels`: project, file and SHA-256 of each."""
    entries: dict[str, list[os.DirEntry[str]]] = {}
    with os.scandir(place) as found:
        for entry in found:
            entries.setdefault(entry.name.partition("-")[0], []).append(entry)
    made = set()
    for project, file, digest in wheels:
        for entry in entries.get(digest, []):
            if len(entries[digest]) > 1 and facts_file(pathlib.Path(entry.path)) != file:
                continue  # the same bytes under another name
            if project not in made:
                (root / "facts" / project).mkdir(exist_ok=True)
                made.add(project)
            pathlib.Path(entry.path).replace(f"{root}/facts/{project}/{entry.name}")
    with contextlib.suppress(OSError):  # not empty: another wheel of the batch ended the program
        place.rmdir()


def write_projects(root: str, fingerprint: str, projects: list[tuple[str, list[tuple[str, str]]]]) -> list[str]:
    """Writes the Parquet of these projects, each with key and shard of its wheels; gives the keys that have none."""
    missing = []
    read = functools.lru_cache(maxsize=64)(functools.partial(_read_shard, pathlib.Path(root), fingerprint))
    for project, wheels in projects:
        documents: list[Row] = []
        for key, shard in wheels:
            document = read(shard).get(key)
            if document is None:
                missing.append(key)
            else:
                documents.append(document)
        _write_project(pathlib.Path(root, MAKING), project, _once(documents))
    return missing


def publish(root: pathlib.Path, run: dict[str, Any]) -> None:
    """Puts the new tables in the place of the old ones."""
    for name in TABLES:
        old = root / MAKING / f"old-{name}"
        shutil.rmtree(old, ignore_errors=True)
        if (root / name).exists():
            (root / name).replace(old)
        (root / MAKING / name).replace(root / name)
    _write(root / "run.json", (json.dumps(run, indent=2) + "\n").encode())
    shutil.rmtree(root / MAKING, ignore_errors=True)
    shutil.rmtree(root / "facts" / MAKING, ignore_errors=True)


def prepare(root: pathlib.Path) -> None:
    (root / "facts").mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        shutil.rmtree(root / MAKING / name, ignore_errors=True)
        (root / MAKING / name).mkdir(parents=True, exist_ok=True)


def _once(documents: list[Row]) -> list[Row]:
    """By file and checksum; the same wheel out of two places is one."""
    found: dict[tuple[str, ...], Row] = {}
    for document in sorted(documents, key=lambda one: str(one["wheel"]["wheel"])):
        row = document["wheel"]
        where = (row["file"], row["sha256"]) if row["sha256"] else (row["file"], "", row["wheel"])
        found.setdefault(where, document)
    return [found[where] for where in sorted(found)]


def _write_project(folder: pathlib.Path, project: str, documents: list[Row]) -> None:
    rows = {
        "wheels": [document["wheel"] for document in documents],
        "findings": [finding for document in documents for finding in document["findings"]],
    }
    for name, schema in TABLES.items():
        if not rows[name]:
            continue
        place = folder / name / f"project={project}"
        place.mkdir(parents=True, exist_ok=True)
        table = pyarrow.Table.from_pylist(rows[name], schema=schema)
        pyarrow.parquet.write_table(table, place / "part-0.parquet", compression="zstd")


def _shard(root: pathlib.Path, fingerprint: str, name: str) -> pathlib.Path:
    return root / "shards" / fingerprint / f"{name}.jsonl"


def _write(place: pathlib.Path, content: bytes) -> None:
    new = place.with_name(f".{place.name}.{_HERE}.{os.getpid()}")
    try:
        new.write_bytes(content)
    except FileNotFoundError:
        place.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(content)
    new.replace(place)
