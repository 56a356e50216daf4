"""A repr in one line: it shows the length of lists and the names of objects."""

import dataclasses
from collections.abc import Mapping
from typing import Any


def short_repr(value: Any) -> str:
    parts = [_part(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    return f"<{type(value).__name__} {', '.join(part for part in parts if part)}>"


def _part(name: str, value: object) -> str:
    if name in ("schema", "version") or value is None:
        return ""
    if isinstance(value, (tuple, Mapping)):
        return f"{len(value)} {name}"
    return "" if dataclasses.is_dataclass(value) else f"{name}={value!r}"
