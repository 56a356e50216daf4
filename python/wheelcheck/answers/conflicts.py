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
    severity: Literal["error", "warning", "info"]
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
    """What opens with flags that are not Python's default."""

    file: Optional[str]  # null: the command line
    line: int
    text: str
    reach: Literal["certain", "likely", "possible"]


@dataclass(frozen=True)
class Relation:
    """Names that are bound differently from what each distribution has alone."""

    kind: Literal["capture", "borrow", "displaced", "shared-unique"]
    severity: Literal["error", "warning", "info"]
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
    if_imported: bool  # only if something is imported that need not be
    consumer: Optional[str]  # null: the standard library, or the system
    consumer_file: str  # what would have answered; of a borrow, what asks
    consumer_library: Optional[Library]
    provider: str
    provider_file: str
    provider_library: Optional[Library]
    asked_by: tuple[str, ...]
    symbols: int
    functions: int  # in both files
    functions_of_equal_size: int
    data: int  # in both files
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
    error: str  # as dlerror says it
    ends_process: bool  # an assertion of ld.so
    if_imported: bool  # nothing says that it is opened
    also_alone: Optional[bool] = None  # it fails without the other distributions, too
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
    severity: Literal["error", "warning", "info"]
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
    infos: int


@dataclass(frozen=True)
class Conflicts:
    """Output of `wheelcheck conflicts --format json`."""

    schema: Literal["wheelcheck-conflicts"]
    version: Literal[1]  # raised when old readers would break
    wheelcheck: str  # version of the program
    process: str  # the interpreter and the platform that were taken
    distributions: tuple[Distribution, ...]
    orders: tuple[tuple[str, ...], ...]  # orders of import that were played
    findings: tuple[Finding, ...]  # worst first
    relations: tuple[Relation, ...]  # worst first
    failed_imports: tuple[FailedImport, ...]  # opens that fail
    runtimes: tuple[Runtime, ...]  # runtimes of one kind that the process has more than once
    published: tuple[Published, ...]  # what joins the global scope in the first order
    summary: Summary
    answer: Optional[Literal["no conflict found", "incomplete", "conflict"]] = None
    not_known: Optional[tuple[str, ...]] = None  # what could not be opened, read or modelled
    files_opened: Optional[int] = None  # files of the distributions, in the order that opens most
    references_bound: Optional[int] = None  # by these files

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.distributions[:8])
        return f"<Conflicts {names}: {self.answer}, {self.summary.errors} errors, {self.summary.warnings} warnings>"
