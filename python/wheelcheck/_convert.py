"""Converts JSON to frozen dataclasses, by their type hints.

A field that the classes do not have is ignored, because a newer program may write more. A field that is missing, or
has another type or value, is an error with its position. Optional fields have defaults.
"""

import dataclasses
import functools
import keyword
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Callable, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Reader = Callable[[object], Any]


class Mismatch(ValueError):
    """A value that does not fit its field. The position is built from the inside out."""

    def __init__(self, what: str, place: str = "") -> None:
        super().__init__(f"{place.lstrip('.') or 'it'} {what}")
        self.what = what
        self.place = place

    def inside(self, place: str) -> "Mismatch":
        return Mismatch(self.what, place + self.place)


def json_name(field: str) -> str:
    """The name of a field in JSON: `global_` is `global`, a keyword of Python."""
    return field[:-1] if field.endswith("_") and keyword.iskeyword(field[:-1]) else field


def convert(kind: type[T], value: object) -> T:
    """The value of json.loads as an instance of a dataclass. Raises Mismatch if it does not fit."""
    hint: Any = kind
    result: T = _reader(hint)(value)
    return result


# One reader for each hint, created once, because reports are long.
@functools.cache
def _reader(hint: Any) -> Reader:
    if dataclasses.is_dataclass(hint):
        return _object_reader(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _word_reader(arguments)
    if origin is tuple:
        return _list_reader(_reader(arguments[0]))
    if origin is Mapping:
        return _map_reader(_reader(arguments[1]))
    if origin is Union:
        return _union_reader(arguments)
    return _plain_reader(hint)


def _plain_reader(kind: type) -> Reader:
    def read(value: object) -> object:
        if type(value) is not kind:  # isinstance(True, int) is true
            raise Mismatch(f"is {type(value).__name__}, not {kind.__name__}")
        return value

    return read


def _word_reader(words: tuple[Any, ...]) -> Reader:
    kinds = {type(word) for word in words}

    def read(value: object) -> object:
        if type(value) not in kinds or value not in words:
            raise Mismatch(f"is {value!r}, not {' or '.join(map(repr, words))}")
        return value

    return read


def _list_reader(item: Reader) -> Reader:
    def read(value: object) -> object:
        if not isinstance(value, list):
            raise Mismatch(f"is {type(value).__name__}, not list")
        items = []
        for one in value:
            try:
                items.append(item(one))
            except Mismatch as error:
                raise error.inside(f"[{len(items)}]") from None
        return tuple(items)

    return read


def _map_reader(item: Reader) -> Reader:
    def read(value: object) -> object:
        items = {}
        for name, one in _object(value).items():
            try:
                items[name] = item(one)
            except Mismatch as error:
                raise error.inside(f"[{name!r}]") from None
        return MappingProxyType(items)

    return read


def _object_reader(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    fields = [(field.name, json_name(field.name), _reader(hints[field.name])) for field in dataclasses.fields(kind)]
    optional = {field.name for field in dataclasses.fields(kind) if field.default is not dataclasses.MISSING}

    def read(value: object) -> object:
        given = _object(value)
        members = {}
        for field, name, reader in fields:
            if name not in given:
                if field in optional:
                    continue
                raise Mismatch("is missing", f".{name}")
            try:
                members[field] = reader(given[name])
            except Mismatch as error:
                raise error.inside(f".{name}") from None
        return kind(**members)

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    """Optional[X], or dataclasses that a Literal in their first field distinguishes."""
    some = [kind for kind in kinds if kind is not type(None)]
    if len(some) == 1 and len(kinds) == 2:
        one = _reader(some[0])
        return lambda value: None if value is None else one(value)
    first = {dataclasses.fields(kind)[0].name for kind in some}
    assert len(first) == 1, f"{some} do not begin alike"
    name = json_name(first.pop())
    readers = {get_args(get_type_hints(kind)[name])[0]: _reader(kind) for kind in some}

    def read(value: object) -> object:
        word = _object(value).get(name)
        if not isinstance(word, str) or word not in readers:
            raise Mismatch(f"is {word!r}, not {' or '.join(map(repr, readers))}", f".{name}")
        return readers[word](value)

    return read


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Mismatch(f"is {type(value).__name__}, not object")
    return value
