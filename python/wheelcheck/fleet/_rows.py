"""What stays of a report: one row a wheel and one a finding, with the types that they have in Parquet."""

from __future__ import annotations

from typing import Any

import pyarrow

from wheelcheck.fleet._manifest import Item

_PAIR = pyarrow.struct([("label", pyarrow.string()), ("value", pyarrow.string())])
_CLAIM = pyarrow.struct([(name, pyarrow.string()) for name in ("tag", "canonical", "promise", "reason")])

WHEELS = pyarrow.schema(
    [
        ("file", pyarrow.string()),
        ("sha256", pyarrow.string()),  # null where there was nothing to read
        ("wheel", pyarrow.string()),  # where it lay: path, URL or index:FILE
        ("date", pyarrow.string()),  # of the manifest
        ("bytes", pyarrow.int64()),
        ("version", pyarrow.string()),
        ("status", pyarrow.string()),  # broken, unknown, kept, no-promise; rejected: no wheel; failed: not judged
        ("error", pyarrow.string()),  # of the last two: a word for programs
        ("reason", pyarrow.string()),  # and a line for people
        ("failed", pyarrow.bool_()),  # a finding at or above --fail-on
        ("pure", pyarrow.bool_()),
        ("best_tag", pyarrow.string()),
        ("best_tags", pyarrow.list_(pyarrow.string())),
        ("claims", pyarrow.list_(_CLAIM)),
        ("members", pyarrow.int64()),
        ("unpacked_bytes", pyarrow.int64()),
        ("elf_files", pyarrow.int64()),
        ("errors", pyarrow.int32()),
        ("warnings", pyarrow.int32()),
        ("infos", pyarrow.int32()),
    ]
)
FINDINGS = pyarrow.schema(
    [
        ("file", pyarrow.string()),
        ("sha256", pyarrow.string()),
        ("number", pyarrow.int32()),  # in the report, worst first
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

Row = dict[str, Any]


def judged(item: Item, digest: str, entry: Row) -> Row:
    """{"wheel", "findings"} of one line of --format json-lines."""
    row = _start(item, digest)
    if entry["type"] != "wheel":
        row |= {"status": entry["status"], "error": entry["error"], "reason": entry["message"], "failed": True}
        return {"wheel": row, "findings": []}
    severities = [finding["severity"] for finding in entry["findings"]]
    row |= {name: entry[name] for name in ("status", "failed", "pure", "best_tag", "best_tags")}
    row |= {
        "bytes": entry["size"],
        "version": entry["name"]["version"],
        "claims": [{field.name: claim[field.name] for field in _CLAIM} for claim in entry["claims"]],
        "members": entry["members"]["count"],
        "unpacked_bytes": entry["members"]["size"],
        "elf_files": len(entry["elf_files"]),
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "infos": severities.count("info"),
    }
    kept = [name for name in FINDINGS.names if name not in ("file", "sha256", "number")]
    findings = [
        {"file": item.file, "sha256": digest, "number": number, **{name: finding[name] for name in kept}}
        for number, finding in enumerate(entry["findings"])
    ]
    return {"wheel": row, "findings": findings}


def not_judged(item: Item, error: str, reason: str) -> Row:
    """The row of a wheel that nothing can be said of."""
    row = _start(item, None) | {"status": "failed", "error": error, "reason": reason, "failed": True}
    return {"wheel": row, "findings": []}


def _start(item: Item, digest: str | None) -> Row:
    return {"file": item.file, "sha256": digest, "wheel": item.wheel, "date": item.date or None}
