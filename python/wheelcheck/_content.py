"""The content of an ELF file: symbols and their owners, libraries, C++ ABI, code for GPUs."""

from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._words import Confidence, StringKind


@dataclass(frozen=True)
class ScopeCount:
    """Exports of one outermost C++ namespace or class."""

    scope: str  # empty at global scope
    exports: int  # symbols
    rtti: int  # of these, vtables, typeinfo and guard variables
    own: bool  # the wheel's own product


@dataclass(frozen=True)
class LibraryCount:
    """Exports of one known library."""

    library: str  # id
    name: str
    exports: int  # symbols
    rtti: int  # of these, vtables, typeinfo and guard variables
    own: bool  # the wheel's own product
    itself: bool  # the file is that library, not a user of it
    examples: tuple[str, ...]  # at most 5 symbols


@dataclass(frozen=True)
class Exports:
    """The exported symbols of the file, by owner."""

    all: int  # exported symbols
    c: int  # not mangled
    cxx: int  # C++ names
    rust: int  # Rust names
    rtti: int  # vtables, typeinfo and guard variables
    standard: int  # of the C++ standard library and its ABI
    unique: int  # STB_GNU_UNIQUE
    scopes: tuple[ScopeCount, ...]  # C++ names, most exports first, at most 50
    more_scopes: int  # left out of the list before
    libraries: tuple[LibraryCount, ...]  # most exports first
    more_libraries: int  # left out of the list before


@dataclass(frozen=True)
class LibraryEvidence:
    """Evidence for it."""

    what: str  # kind of evidence
    text: str  # as in the file


@dataclass(frozen=True)
class IdentifiedLibrary:
    """A third-party library in the file."""

    library: str  # id
    name: str
    family: str  # two libraries of one family in a process can disturb each other; may be empty
    version: Optional[str]  # if the file contains it
    confidence: Confidence  # how certain it is that the file contains the library
    itself: bool  # the file is that library; else it is linked in
    evidence: tuple[LibraryEvidence, ...]  # at most 8
    more_evidence: int  # left out of the list before


@dataclass(frozen=True)
class StringAbi:
    """std::string as of GCC before 5 (old) or __cxx11 (new)."""

    defined: StringKind
    imported: StringKind


@dataclass(frozen=True)
class StringSymbols:
    """Symbols that name a std::string."""

    defined_old: int
    defined_new: int
    imported_old: int
    imported_new: int
    own_old: int  # of the defined ones, outside std
    own_new: int  # of the defined ones, outside std


@dataclass(frozen=True)
class Compiler:
    """A compiler that is named in .comment."""

    name: str  # GCC
    version: str  # may be empty
    text: str  # as written


Runtime = Literal["none", "libstdc++", "libstdc++-hybrid", "libstdc++-static", "libc++", "libc++-static", "undecided"]


@dataclass(frozen=True)
class CxxAbi:
    """C++ ABI of the file."""

    runtime: Runtime  # hybrid: libstdc++ with newer parts linked in
    string_abi: StringAbi
    symbols: StringSymbols
    early_cxx11: bool  # names of C++11, and every GCC of .comment is older than 5
    runtime_evidence: tuple[str, ...]  # at most 3 libraries or symbols that identify the runtime
    examples_old: tuple[str, ...]  # at most 5 symbols
    examples_new: tuple[str, ...]  # at most 5 symbols
    compilers: tuple[Compiler, ...]  # by name
    more_compilers: int  # left out of the list before


@dataclass(frozen=True)
class DeviceImage:
    """Images of one kind and target."""

    kind: Literal["cubin", "ptx", "amdgpu", "other"]
    target: str  # sm_90a, compute_80, gfx90a
    count: int  # images
    bytes: int  # as stored


@dataclass(frozen=True)
class DeviceCode:
    """Code for GPUs in the file."""

    bytes: int  # size of the sections that contain it
    images: tuple[DeviceImage, ...]  # by kind, then by target
    more_images: int  # left out of the list before


@dataclass(frozen=True)
class Sections:
    """Facts that only section headers contain; empty without section headers."""

    debug_bytes: int  # size of debug sections, as stored
    symbol_table: bool  # .symtab is there
    comments: tuple[str, ...]  # .comment, each text once
    more_comments: int  # left out of the list before


@dataclass(frozen=True)
class Texts:
    """Strings of the read-only data."""

    versions: int  # strings with a version or a date
    build_paths: int  # paths below a home or build directory
    cut: bool  # the file has more strings than the limit
    libraries: tuple[str, ...]  # names of shared libraries
    more_libraries: int  # left out of the list before
