"""The tables of an audit: one row for each wheel and one for each finding, with their types in Parquet."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow
import pyarrow.compute
import pyarrow.json

from wheelcheck.fleet._manifest import Item

_PAIR = pyarrow.struct([("label", pyarrow.string()), ("value", pyarrow.string())])
_CLAIM = pyarrow.struct([(name, pyarrow.string()) for name in ("tag", "canonical", "result", "reason")])

WHEELS = pyarrow.schema(
    [
        ("file", pyarrow.string()),
        ("sha256", pyarrow.string()),  # null if nothing could be read
        ("wheel", pyarrow.string()),  # its location: path, URL or index:FILE
        ("date", pyarrow.string()),  # from the manifest
        ("bytes", pyarrow.int64()),
        ("version", pyarrow.string()),
        ("status", pyarrow.string()),  # of the claims; rejected: not a wheel; failed: not judged
        ("error", pyarrow.string()),  # for the last two: an identifier for programs
        ("reason", pyarrow.string()),  # and a message for people
        ("failed", pyarrow.bool_()),  # a finding has the severity of --fail-on or higher
        ("pure", pyarrow.bool_()),
        ("best_tag", pyarrow.string()),
        ("best_tags", pyarrow.list_(pyarrow.string())),
        ("claims", pyarrow.list_(_CLAIM)),
        ("members", pyarrow.int64()),
        ("unpacked_bytes", pyarrow.int64()),
        ("elf_files", pyarrow.int64()),
        ("errors", pyarrow.int32()),
        ("warnings", pyarrow.int32()),
        ("notes", pyarrow.int32()),
    ]
)
FINDINGS = pyarrow.schema(
    [
        ("file", pyarrow.string()),
        ("sha256", pyarrow.string()),
        ("number", pyarrow.int32()),  # position in the report, highest severity first
        ("code", pyarrow.string()),
        ("name", pyarrow.string()),
        ("severity", pyarrow.string()),
        ("confidence", pyarrow.string()),
        ("member", pyarrow.string()),  # null: the whole wheel
        ("message", pyarrow.string()),
        ("evidence", pyarrow.list_(_PAIR)),
        ("fix", pyarrow.string()),
    ]
)

_FINDING = [field for field in FINDINGS if field.name not in ("file", "sha256", "number")]
_OURS = ("file", "sha256", "wheel", "date")  # from the manifest; the others come from --format rows
_SAID = pyarrow.schema(
    [*(field for field in WHEELS if field.name not in _OURS), ("findings", pyarrow.list_(pyarrow.struct(_FINDING)))]
)
# The data of a wheel until all wheels are judged: its row, which contains the findings, with the key of its item.
ROWS = pyarrow.schema([("key", pyarrow.string()), *(WHEELS.field(name) for name in _OURS), *_SAID])


def judged(wheels: Sequence[tuple[Item, str]], text: bytes) -> pyarrow.Table:
    """Rows of items, each with its SHA-256, from the output of --format rows in the same order."""
    said = pyarrow.json.read_json(
        pyarrow.BufferReader(text),
        pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1),  # one block, so that no line is split
        pyarrow.json.ParseOptions(explicit_schema=_SAID, unexpected_field_behavior="ignore"),
    )
    if said.num_rows != len(wheels):
        raise ValueError(f"{said.num_rows} rows of {len(wheels)} wheels")
    ours = [{"key": item.key, "sha256": digest, **_manifest_says(item)} for item, digest in wheels]
    columns = pyarrow.Table.from_pylist(ours, schema=pyarrow.schema([ROWS.field("key"), *map(ROWS.field, _OURS)]))
    return pyarrow.table([*columns.columns, *(said[name] for name in _SAID.names)], schema=ROWS)


def not_judged(item: Item, error: str, reason: str) -> pyarrow.Table:
    """The row of a wheel that could not be judged."""
    row = {"status": "failed", "error": error, "reason": reason, "failed": True, "findings": []}
    return pyarrow.Table.from_pylist([{"key": item.key, **_manifest_says(item), **row}], schema=ROWS)


def _manifest_says(item: Item) -> dict[str, str | None]:
    return {"file": item.file, "wheel": item.wheel, "date": item.date or None}


def split(rows: pyarrow.Table) -> dict[str, pyarrow.Table]:
    """The published tables."""
    lists = rows["findings"].combine_chunks()
    of = pyarrow.compute.list_parent_indices(lists)
    number = [n for length in pyarrow.compute.list_value_length(lists).to_pylist() for n in range(length or 0)]
    findings = [rows["file"].take(of), rows["sha256"].take(of), pyarrow.array(number, pyarrow.int32())]
    return {
        "wheels": rows.select(WHEELS.names).combine_chunks(),
        "findings": pyarrow.table([*findings, *lists.flatten().flatten()], schema=FINDINGS).combine_chunks(),
    }
