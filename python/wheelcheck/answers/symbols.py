"""The JSON output of `wheelcheck symbols` as dataclasses: docs/symbols.schema.json describes the fields."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._short import short_repr


@dataclass(frozen=True)
class File:
    """One ELF file."""

    file: str  # path in the archive
    exports: int  # defined symbols that are visible to other files
    imports: int  # undefined symbols
    namespaces: Mapping[str, int]


@dataclass(frozen=True)
class NamespaceFile:
    """A file with such symbols."""

    file: str  # path in the archive
    exports: Optional[int] = None  # defined symbols
    imports: Optional[int] = None  # undefined symbols, with --imports


@dataclass(frozen=True)
class Namespace:
    """One outermost namespace or class."""

    namespace: str  # `::` for C++ names outside every namespace
    rtti: int  # of these, vtables, typeinfo and guard variables
    own: bool  # the wheel's own product
    files: tuple[NamespaceFile, ...]  # most symbols first
    exports: Optional[int] = None  # defined symbols
    imports: Optional[int] = None  # undefined symbols, with --imports


@dataclass(frozen=True)
class LibraryFile:
    """A file with such symbols, or with other evidence of the library."""

    file: str  # path in the archive
    version: Optional[str]  # if the file contains it
    confidence: Optional[Literal["low", "medium", "high"]]
    exports: Optional[int] = None  # defined symbols
    imports: Optional[int] = None  # undefined symbols, with --imports


@dataclass(frozen=True)
class Library:
    """One known library."""

    library: str  # id
    name: str  # its name
    versions: tuple[str, ...]  # versions that files contain
    rtti: int  # of these symbols, vtables, typeinfo and guard variables
    own: bool  # the wheel's own product
    files: tuple[LibraryFile, ...]  # most symbols first
    exports: Optional[int] = None  # defined symbols
    imports: Optional[int] = None  # undefined symbols, with --imports


@dataclass(frozen=True)
class Symbol:
    """One symbol."""

    file: str  # path in the archive
    side: Literal["export", "import"]
    name: str  # as in the symbol table
    demangled: Optional[str]  # with --demangle
    version: Optional[str]  # version node
    kind: Literal["notype", "function", "object", "tls", "ifunc", "common", "other"]
    binding: Literal["global", "weak", "unique"]
    form: Literal["c", "c++", "rust"]  # how the name is mangled
    namespace: Optional[str]  # outermost namespace or class of a C++ name
    rtti: bool  # vtable, typeinfo or guard variable
    standard: bool  # of the C++ standard library or its ABI
    library: Optional[str]  # id of the known library whose name it is
    library_version: Optional[str]  # of that library, if the file contains it


@dataclass(frozen=True)
class Symbols:
    """One of `files`, `namespaces`, `libraries` and `symbols` is present, depending on the options."""

    files: Optional[tuple[File, ...]] = None  # every ELF file, by path
    namespaces: Optional[tuple[Namespace, ...]] = None  # most symbols first
    c: Optional[int] = None  # symbols with C names
    rust: Optional[int] = None  # symbols with Rust names
    libraries: Optional[tuple[Library, ...]] = None  # most symbols first
    symbols: Optional[tuple[Symbol, ...]] = None  # sorted

    def __repr__(self) -> str:
        return short_repr(self)
