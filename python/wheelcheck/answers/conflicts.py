"""The JSON output of `wheelcheck conflicts` as dataclasses: docs/conflicts.schema.json describes the fields."""

from dataclasses import dataclass
from typing import Literal, Optional


@dataclass(frozen=True)
class Distribution:
    """A `Distribution` object of the JSON output."""

    name: str
    version: str
    file: str


@dataclass(frozen=True)
class Evidence:
    """An `Evidence` object of the JSON output."""

    label: str
    value: str


@dataclass(frozen=True)
class Finding:
    """A `Finding` object of the JSON output."""

    code: str
    name: str
    severity: Literal["error", "warning", "note"]
    confidence: Literal["high", "medium", "low"]
    place: str  # a file, or empty for the process
    member: Optional[str]  # the same, or null
    message: str
    evidence: tuple[Evidence, ...]
    fix: str
    orders: tuple[int, ...]


@dataclass(frozen=True)
class Library:
    """As identified in the file."""

    id: str
    name: str
    version: Optional[str]


@dataclass(frozen=True)
class Example:
    """An `Example` object of the JSON output."""

    symbol: str
    demangled: str


@dataclass(frozen=True)
class Source:
    """The code that opens files with other flags than Python's default."""

    file: Optional[str]  # null: the command line
    line: int
    text: str
    reach: Literal["certain", "likely", "possible"]


@dataclass(frozen=True)
class Relation:
    """Symbols that bind differently than with each distribution alone."""

    kind: Literal["capture", "borrow", "displaced", "shared-unique"]
    severity: Literal["error", "warning", "note"]
    confidence: Literal["high", "medium", "low"]
    reason: Literal[
        "type-information",
        "same-build",
        "abi-proof",
        "incompatible",
        "inline-code",
        "older-provider",
        "same-version",
        "newer-provider",
        "unknown-version",
        "missing-alone",
    ]
    orders: tuple[int, ...]
    if_imported: bool  # only if a module is imported that is imported under some condition
    consumer: Optional[str]  # null: the standard library, or the system
    consumer_file: str  # the file that would define the symbols; for a borrow, the file that imports them
    consumer_library: Optional[Library]
    provider: str
    provider_file: str
    provider_library: Optional[Library]
    asked_by: tuple[str, ...]
    symbols: int
    functions: int  # symbols that are functions in both files
    functions_of_equal_size: int
    data: int  # symbols that are data in both files
    data_of_other_size: int
    kind_differs: int  # a function in one, data in the other
    standard: int  # type information and the standard library
    examples: tuple[Example, ...]
    made_global_by: Optional[Source]


@dataclass(frozen=True)
class FailedImport:
    """A `FailedImport` object of the JSON output."""

    order: int
    distribution: Optional[str]  # null: the standard library
    module: str  # empty for a library
    error: str  # the text of dlerror
    ends_process: bool  # an assertion of ld.so ends the process
    if_imported: bool  # no known code opens it
    also_alone: Optional[bool] = None  # it fails without the other distributions too
    lacks_what_is_not_given: Optional[bool] = None


@dataclass(frozen=True)
class Copy:
    """A `Copy` object of the JSON output."""

    file: str
    library: Optional[Library]


@dataclass(frozen=True)
class Runtime:
    """A `Runtime` object of the JSON output."""

    family: str
    severity: Literal["error", "warning", "note"]
    orders: tuple[int, ...]
    copies: tuple[Copy, ...]


@dataclass(frozen=True)
class Published:
    """A `Published` object of the JSON output."""

    distribution: Optional[str]
    exports: int
    files: tuple[str, ...]
    by: Optional[Source]


@dataclass(frozen=True)
class Summary:
    """A `Summary` object of the JSON output."""

    errors: int
    warnings: int
    notes: int


@dataclass(frozen=True)
class Conflicts:
    """Output of `wheelcheck conflicts --format json`."""

    schema: Literal["wheelcheck-conflicts"]
    version: Literal[1]  # version of this format; increased by incompatible changes
    wheelcheck: str  # version of the program
    process: str  # the interpreter and the platform that were used
    distributions: tuple[Distribution, ...]
    orders: tuple[tuple[str, ...], ...]  # import orders that were simulated
    findings: tuple[Finding, ...]  # highest severity first
    relations: tuple[Relation, ...]  # highest severity first
    failed_imports: tuple[FailedImport, ...]  # opens that fail
    runtimes: tuple[Runtime, ...]  # kinds of runtime libraries of which the process has more than one
    published: tuple[Published, ...]  # files that are added to the global scope in the first order
    summary: Summary
    answer: Optional[Literal["no conflict found", "incomplete", "conflict"]] = None
    not_known: Optional[tuple[str, ...]] = None  # what could not be opened, read or modelled
    files_opened: Optional[int] = None  # files of the distributions, in the import order that opens most
    references_bound: Optional[int] = None  # references that these files bind

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.distributions[:8])
        return f"<Conflicts {names}: {self.answer}, {self.summary.errors} errors, {self.summary.warnings} warnings>"
