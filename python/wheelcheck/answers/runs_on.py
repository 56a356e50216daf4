"""The JSON output of `wheelcheck runs-on` as dataclasses: docs/runs-on.schema.json describes the fields."""

from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._assessment import CheckError
from wheelcheck._short import short_repr


@dataclass(frozen=True)
class SystemRequirement:
    """An `SystemRequirement` object of the JSON output."""

    kind: Literal[
        "c-library", "machine", "finding", "missing-version", "version", "library", "isa", "symbol", "interpreter"
    ]
    name: str  # GLIBC_2.34, libfoo.so.1, musl, aarch64, x86-64-v3, the symbol, or the rule of a finding
    member: Optional[str]  # the first file that requires it; null: the whole wheel
    files: int  # ELF files that require it
    library: Optional[str] = None  # of which library, for a version or a symbol
    symbol: Optional[str] = None  # the first import of it that requires the version


@dataclass(frozen=True)
class System:
    """A `System` object of the JSON output."""

    id: str  # debian-12
    distribution: str
    version: str
    libc: str  # glibc 2.36, musl 1.2.5
    support_ends: Optional[str]  # the end of standard support
    runs: Literal["yes", "no", "depends"]  # depends: see `open`
    pip: bool  # pip installs it there
    tags: tuple[str, ...]  # the tags of the file name that pip accepts there
    lacks: tuple[int, ...]  # requirements that the system does not meet
    open: tuple[int, ...]  # requirements that the table does not cover


@dataclass(frozen=True)
class Machine:
    """A `Machine` object of the JSON output."""

    architecture: Literal[
        "x86_64",
        "i686",
        "aarch64",
        "armv7l",
        "armv6l",
        "ppc64le",
        "ppc64",
        "s390x",
        "riscv64",
        "loongarch64",
        "any",
    ]
    requirements: tuple[SystemRequirement, ...]
    to_install: tuple[int, ...]  # indices into requirements: libraries that a minimal installation does not have
    systems: tuple[System, ...]  # systems for this machine, by distribution, oldest first


@dataclass(frozen=True)
class LackingFeature:
    """What a file requires and a processor lacks."""

    when: Literal["import", "refused", "maybe", "call"]  # import and refused: the import fails
    member: str
    feature: str  # SSE4.1, AVX, LSE; of refused, x86-64-v3
    instruction: str  # vaddps; may be empty
    function: str  # the exported function in which it is; may be empty
    entry: str  # PyInit_core, DT_INIT_ARRAY: where the import enters the file; may be empty
    address: int


@dataclass(frozen=True)
class Processor:
    """A `processor` object of the JSON output."""

    name: str  # as given, in lower case
    architecture: Literal["x86_64", "aarch64"]
    runs: Literal["yes", "no", "depends"]  # no: the import fails; yes: nothing was found that does
    files: int  # ELF files of the wheel for this architecture
    lacks: tuple[LackingFeature, ...]  # what ends the import first
    unread: tuple[str, ...]  # files whose code could not be followed to its end
    not_judged: tuple[str, ...]  # machines of other code in the wheel


@dataclass(frozen=True)
class Wheel:
    """A `Wheel` object of the JSON output."""

    file: str  # base name of the wheel
    machines: tuple[Machine, ...]
    processors: tuple[Processor, ...]  # those of `cpu`
    check_errors: tuple[CheckError, ...]  # what fails the wheel in `check`


@dataclass(frozen=True)
class RunsOn:
    """Output of `wheelcheck runs-on --format json`."""

    schema: Literal["wheelcheck-runs-on"]
    version: Literal[1]  # version of this format; increased by incompatible changes
    today: Optional[str]  # --today
    left_out: int  # systems whose support had ended by that day
    wheels: tuple[Wheel, ...]  # the wheels that could be read, in the order given

    def __repr__(self) -> str:
        return short_repr(self)
