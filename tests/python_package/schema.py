"""Compares the type hints of the API's dataclasses with the JSON Schema of the report, in both directions."""

import dataclasses
import json
import pathlib
import types
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from wheelcheck._convert import json_name

FILE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"
PLAIN = {"string": str, "integer": int, "boolean": bool, "null": types.NoneType}


def load() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return schema


def has_default(field: Any) -> bool:
    return field.default is not dataclasses.MISSING


def without_none(hint: Any) -> Any:
    """X for Optional[X]: None means that the value is absent."""
    return get_args(hint)[0] if get_origin(hint) is Union else hint


class Comparison:
    """The differences between a hint and a schema, each with its place. Every pair is compared once."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.definitions = schema["definitions"]
        self.seen: set[tuple[Any, str]] = set()

    def resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        reference = schema.get("$ref")
        return self.definitions[reference.rpartition("/")[2]] if reference else schema

    def differences(self, hint: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
        schema = self.resolve(schema)
        if (hint, json.dumps(schema)) in self.seen:
            return
        self.seen.add((hint, json.dumps(schema)))
        if dataclasses.is_dataclass(hint):
            yield from self.fields(hint, schema, place)
        elif get_origin(hint) is Union:
            yield from self.alternatives(hint, schema, place)
        elif get_origin(hint) is tuple:
            yield from self.expect(schema.get("type") == "array", "no list", place)
            yield from self.differences(get_args(hint)[0], schema.get("items", {}), f"{place}[]")
        elif get_origin(hint) is Mapping:
            yield from self.differences(get_args(hint)[1], schema.get("additionalProperties", {}), f"{place}[]")
        elif get_origin(hint) is Literal:
            words = schema.get("enum", [schema.get("const")])
            yield from self.expect(set(words) == set(get_args(hint)), f"{words}, not {get_args(hint)}", place)
        else:
            free = "enum" not in schema and "const" not in schema
            yield from self.expect(PLAIN.get(schema.get("type")) is hint and free, f"no plain {hint}: {schema}", place)

    def expect(self, holds: bool, what: str, place: str) -> Iterator[str]:
        if not holds:
            yield f"{place}: {what}"

    def fields(self, kind: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
        hints = {json_name(name): hint for name, hint in get_type_hints(kind).items()}
        properties = schema.get("properties", {})
        for name in sorted(hints.keys() ^ properties.keys()):
            yield f"{place}.{name}: {'not in the schema' if name in hints else f'not in {kind.__name__}'}"
        defaults = {json_name(field.name) for field in dataclasses.fields(kind) if has_default(field)}
        for name in sorted(defaults ^ (set(properties) - set(schema.get("required", [])))):
            yield f"{place}.{name}: {'is always there' if name in defaults else 'may be absent'}"
        for name in hints.keys() & properties.keys():
            hint = without_none(hints[name]) if name in defaults else hints[name]
            yield from self.differences(hint, properties[name], f"{place}.{name}")

    def alternatives(self, hint: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
        kinds = list(get_args(hint))
        if isinstance(schema.get("type"), list):
            offered = [{**schema, "type": one} for one in schema["type"]]
        else:
            offered = [self.resolve(one) for one in schema.get("oneOf", [schema])]
        yield from self.expect(len(offered) == len(kinds), f"{len(offered)} alternatives, not {len(kinds)}", place)
        for kind in kinds:
            found = [list(self.quietly(kind, one, place)) for one in offered]
            if [] not in found:
                yield from min(found, key=len)

    def quietly(self, kind: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
        """Like differences(), for one alternative of several."""
        return Comparison({"definitions": self.definitions}).differences(kind, schema, place)
