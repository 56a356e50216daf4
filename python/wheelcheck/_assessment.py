"""What the files of a wheel require of the platform, which levels meet it, and the result for each claimed tag."""

from dataclasses import dataclass
from typing import Literal, Optional, Union

from wheelcheck._words import Arch, Family, TagResult


@dataclass(frozen=True)
class MachineRequirement:
    """Code for a machine."""

    kind: Literal["machine"]
    member: str  # the ELF file that requires it
    arch: Arch


@dataclass(frozen=True)
class IsaRequirement:
    """Instructions above the baseline, as the GNU property note says."""

    kind: Literal["isa"]
    member: str  # the ELF file that requires it
    level: int  # 2 for x86-64-v2, to 4


@dataclass(frozen=True)
class LibraryRequirement:
    """A DT_NEEDED that no wheel of the run provides."""

    kind: Literal["library"]
    member: str  # the ELF file that requires it
    library: str  # the name in DT_NEEDED


@dataclass(frozen=True)
class VersionRequirement:
    """A version node of such a library."""

    kind: Literal["version"]
    member: str  # the ELF file that requires it
    library: str  # the library
    version: str
    symbols: tuple[str, ...]  # the imports that require it, by name


@dataclass(frozen=True)
class SymbolRequirement:
    """A strong import that some level does not allow."""

    kind: Literal["symbol"]
    member: str  # the ELF file that requires it
    library: str  # the library
    symbol: str  # the import


@dataclass(frozen=True)
class InterpreterRequirement:
    """A kind of CPython 2 build."""

    kind: Literal["interpreter"]
    member: str  # the ELF file that requires it
    symbol: str  # the import that shows it


@dataclass(frozen=True)
class MissingVersionRequirement:
    """A version that a library of the wheel must define and does not."""

    kind: Literal["missing-version"]
    member: str  # the ELF file that requires it
    library: str  # the library
    version: str


Requirement = Union[
    MachineRequirement,
    IsaRequirement,
    LibraryRequirement,
    VersionRequirement,
    SymbolRequirement,
    InterpreterRequirement,
    MissingVersionRequirement,
]


@dataclass(frozen=True)
class Level:
    """One level of a policy family, or `linux`, which has no requirements."""

    tag: str  # platform tag
    met: int  # number of requirements that the level meets
    total: int  # number of all requirements; the same for every level
    unmet_requirements: tuple[int, ...]  # indices into the requirements of the assessment


@dataclass(frozen=True)
class Assessment:
    """The comparison of the content with all levels of one policy family: a C library on a machine."""

    family: Family  # the C library's tags
    arch: Arch
    best_tag: str  # the oldest level that meets every requirement
    files: int  # ELF files judged
    requirements: tuple[Requirement, ...]  # all requirements, regardless of the level
    levels: tuple[Level, ...]  # `linux`, then newest to oldest


@dataclass(frozen=True)
class Claim:
    """One platform tag that the wheel claims."""

    tag: str  # as written
    canonical: str  # PEP 600 spelling of a legacy alias, else the tag
    in_name: bool  # claimed in the file name
    in_wheel_file: bool  # claimed in WHEEL
    result: TagResult
    assessment: Optional[int]  # index into assessments
    judged_as: Optional[str]  # the level that it was compared with
    unmet_requirements: tuple[int, ...]  # indices into the requirements of the assessment
    reason: str  # the reason for incompatible and unknown, else empty


@dataclass(frozen=True)
class CheckError:
    """A rule that fails the wheel in `check`, once for each member."""

    code: str  # WC506
    name: str
    member: Optional[str]  # null: the whole wheel
