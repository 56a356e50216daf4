"""A wheel that was read: claims, findings and content."""

from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._assessment import Assessment, Claim, Requirement
from wheelcheck._facts import ElfFile, Metadata, PythonFile, WheelFile, WheelFlaw, WheelName
from wheelcheck._words import Confidence, Severity, TagResult


@dataclass(frozen=True)
class Members:
    """The files of the archive or directory."""

    count: int  # files
    size: int  # bytes, inflated
    packed_size: int  # bytes in the archive; 0 in a directory
    hashed: bool  # every file was read completely and its SHA-256 computed


@dataclass(frozen=True)
class DistInfo:
    """Metadata of the wheel; None if the file is missing."""

    dist_info: Optional[str]  # the directory
    wheel: Optional[WheelFile]
    metadata: Optional[Metadata]
    record_rows: Optional[int]  # rows of RECORD


@dataclass(frozen=True)
class ForeignFile:
    """A member that is not an ELF file but is, or contains, code or an archive."""

    member: str
    kind: str  # zip archive, PTX, data with an ELF file inside ...
    size: int  # bytes


@dataclass(frozen=True)
class GpuReference:
    """A GPU library that the wheel uses or contains."""

    name: str  # as written
    stem: str  # the part before .so
    vendor: str  # cuda, rocm, oneapi
    component: str  # in words
    use: Literal["needed", "bundled", "dlopen", "named", "python", "declared"]
    driver: bool  # comes with the driver
    version: str  # the text after .so., or empty
    major: str  # major version of the toolkit, or empty
    member: Optional[str]  # the member that refers to it
    line: Optional[int]  # of Python code
    provided_by: tuple[str, ...]  # distributions, those that the wheel requires first
    required: bool  # the wheel requires the first of them


@dataclass(frozen=True)
class Evidence:
    label: str
    value: str


@dataclass(frozen=True)
class Finding:
    """What a rule reports."""

    code: str  # the code of the rule; codes are never reused
    name: str  # name of the rule
    severity: Severity  # after configuration
    confidence: Confidence  # how certain the finding is
    place: str  # wheel.whl or wheel.whl::member
    member: Optional[str]  # the member; None for the whole wheel
    message: str
    evidence: tuple[Evidence, ...]  # the facts behind the message
    fix: str  # what to type or change; may be empty
    fixable: bool  # `wheelcheck fix` can remove it


@dataclass(frozen=True)
class IgnoredFinding:
    """A finding that an ignore rule of the configuration removed."""

    finding: Finding
    ignored_by: str  # file and line of the ignore rule
    reason: str  # its reason; may be empty


@dataclass(frozen=True)
class ResolvedFinding:
    """A finding of the baseline that no longer occurs."""

    code: str  # of the rule
    member: str  # the member, or "" for the whole wheel
    message: str  # what was wrong
    fingerprint: str  # in the baseline


@dataclass(frozen=True)
class LibrarySource:
    """What provides libraries to a wheel."""

    # required, required under extras, a driver of the machine, what an optional back end is for
    kind: Literal["distribution", "extra", "driver", "back-end"]
    name: str  # of the distribution, or of the driver
    extras: tuple[str, ...]  # extras of the wheel that require it
    libraries: tuple[str, ...]  # that the wheel needs of it


@dataclass(frozen=True)
class Wheel:
    """A wheel that was read."""

    type: Literal["wheel"]
    file: str  # base name
    status: TagResult  # worst result over all claims, in the order incompatible, unknown, compatible
    failed: bool  # a finding has the severity of fail_on or higher
    pure: bool  # no ELF file of a host machine
    best_tag: str  # the lowest tag that the content is compatible with
    best_tags: tuple[str, ...]  # the same for each assessment
    library_sources: tuple[LibrarySource, ...]  # what provides libraries besides the wheel and the system
    claims: tuple[Claim, ...]  # in the order of the file name, then those only in WHEEL
    findings: tuple[Finding, ...]  # highest severity first
    assessments: tuple[Assessment, ...]  # one for each policy family and machine
    name: WheelName
    size: int  # bytes of the archive; 0 for a directory
    members: Members
    dist_info: DistInfo
    flaws: tuple[WheelFlaw, ...]  # of the archive and its metadata
    elf_files: tuple[ElfFile, ...]  # by path
    foreign_files: tuple[ForeignFile, ...]  # archives, and code that is not ELF: listed by path, not judged
    own_scopes: tuple[str, ...]  # C++ namespaces and library ids that count as the wheel's own, sorted
    gpu: tuple[GpuReference, ...]  # GPU libraries that it uses or contains
    more_gpu: int  # left out of the list before
    python: tuple[PythonFile, ...]  # files that load libraries or change how they are loaded
    more_python: int  # left out of the list before
    ignored: tuple[IgnoredFinding, ...] = ()  # with a configuration: findings that its ignore rules removed
    known: tuple[Finding, ...] = ()  # with a baseline: findings that it contains; they are not in findings
    resolved: tuple[ResolvedFinding, ...] = ()  # with a baseline: its findings of this wheel that no longer occur

    def unmet_requirements(self, claim: Claim) -> tuple[Requirement, ...]:
        """The requirements that the claimed tag does not meet."""
        if claim.assessment is None:
            return ()
        requirements = self.assessments[claim.assessment].requirements
        return tuple(requirements[index] for index in claim.unmet_requirements)
