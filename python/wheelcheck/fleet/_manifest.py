"""The manifest: the list of audited wheels, as JSON lines or as TSV with column names, one line for each wheel."""

from __future__ import annotations

import csv
import functools
import hashlib
import json
import pathlib
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wheelcheck._error import EXIT_USAGE, WheelcheckError

COLUMNS = ("wheel", "sha256", "bytes", "date")
INDEX = "index:"
UNKNOWN_BYTES = 4_000_000  # assumed size of a wheel whose size is unknown; near the mean of an index


@dataclass(frozen=True)
class Item:
    """One wheel to judge."""

    wheel: str  # path, http(s) or file URL, or index:FILE.whl
    sha256: str = ""  # SHA-256 of the file; empty if the manifest does not contain it
    bytes: int = 0  # 0 if the manifest does not contain it
    date: str = ""  # YYYY-MM-DD of its upload; empty if the manifest does not contain it

    @functools.cached_property
    def file(self) -> str:
        """Its file name, which contains the claimed tags."""
        if self.wheel.startswith(INDEX):
            return self.wheel[len(INDEX) :]
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.wheel).path) if is_url(self.wheel) else self.wheel
        return path.rpartition("/")[2]

    @functools.cached_property
    def project(self) -> str:
        """The normalised name (PEP 503) from the file name, safe as the name of a directory."""
        return re.sub(r"[^a-z0-9]+", "-", self.file.partition("-")[0].lower()).strip("-")[:100] or "unnamed"

    @functools.cached_property
    def key(self) -> str:
        """The identity of the wheel, independent of its location: two items with the same key are the same wheel."""
        what = [self.file, self.sha256] if self.sha256 else [self.file, "", self.wheel]
        return hashlib.sha256(json.dumps(what).encode()).hexdigest()

    @property
    def size(self) -> int:
        return self.bytes or UNKNOWN_BYTES


def is_url(word: str) -> bool:
    return word.startswith(("http://", "https://", "file://"))


def read_manifest(path: pathlib.Path) -> list[Item]:
    """The items by project, file and checksum, each once. Paths are relative to the manifest."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise WheelcheckError(f"{path}: cannot be read: {error}", EXIT_USAGE) from error
    rows = _json_rows(lines) if next(filter(None, lines), "").startswith("{") else _tsv_rows(lines)
    items: dict[str, Item] = {}
    for number, row in rows:
        try:
            item = _item(row, path.resolve().parent)
        except ValueError as error:
            raise WheelcheckError(f"{path}:{number}: {error}", EXIT_USAGE) from error
        known = items.get(item.key)
        if known is None or item.wheel < known.wheel:  # the choice does not depend on the order of the lines
            items[item.key] = item
    return sorted(items.values(), key=lambda item: (item.project, item.file, item.sha256, item.wheel))


def write_manifest(items: Iterable[Item]) -> str:
    """As JSON lines, without unknown values."""
    rows = ({name: getattr(item, name) for name in COLUMNS if getattr(item, name)} for item in items)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _json_rows(lines: list[str]) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                yield number, error


def _tsv_rows(lines: list[str]) -> Iterator[tuple[int, object]]:
    for number, row in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 2):
        yield number, {name: value for name, value in row.items() if value}


def _item(row: object, folder: pathlib.Path) -> Item:
    if isinstance(row, ValueError):
        raise row
    if not isinstance(row, dict) or not isinstance(row.get("wheel"), str) or not row["wheel"]:
        raise ValueError("names no wheel")
    if unknown := sorted(str(name) for name in row.keys() - set(COLUMNS)):
        raise ValueError(f"has {', '.join(unknown)}; a manifest has {', '.join(COLUMNS)}")
    wheel, sha256, date = row["wheel"], str(row.get("sha256") or "").lower(), str(row.get("date") or "")
    if sha256 and not re.fullmatch("[0-9a-f]{64}", sha256):
        raise ValueError(f"{sha256[:80]} is not a SHA-256")
    if date and not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise ValueError(f"{date[:80]} is not a date like 2026-01-31")
    if "\0" in wheel or not wheel.isprintable():
        raise ValueError("has a control character in its name")
    if not is_url(wheel) and not wheel.startswith(INDEX):
        wheel = str(folder / wheel)
    return Item(wheel, sha256, int(row.get("bytes") or 0), date)
