"""The JSON output of `wheelcheck diff` as dataclasses: docs/diff.schema.json describes the fields."""

from dataclasses import dataclass
from typing import Literal, Optional


@dataclass(frozen=True)
class Texts:
    """A `Texts` object of the JSON output."""

    old: str
    new: str


@dataclass(frozen=True)
class Lists:
    """A `Lists` object of the JSON output."""

    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True)
class Promise:
    """Whether the claimed tags are kept, the worst of them."""

    old: Literal["kept", "broken", "no-promise", "unknown"]
    new: Literal["kept", "broken", "no-promise", "unknown"]


@dataclass(frozen=True)
class Sides:
    """Null where that release has none."""

    old: Optional[str]
    new: Optional[str]


@dataclass(frozen=True)
class Reason:
    """A `Reason` object of the JSON output."""

    kind: Literal["machine", "isa", "library", "version", "symbol", "interpreter", "missing-version"]
    asks: str  # GLIBC_2.28, libtiff.so.6
    decides: bool  # the level next to the fitted one refuses it, too
    symbols: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """A `Level` object of the JSON output."""

    ladder: str  # one C library on one machine: manylinux x86_64
    fits: Sides  # the tightest tag that the content fits; any: there is no machine code
    fits_course: Literal["same", "raised", "lowered", "added", "removed"]
    claimed: Sides  # the oldest tag that is claimed
    claimed_course: Literal["same", "raised", "lowered", "added", "removed"]
    reasons: tuple[Reason, ...]  # raised: what the old tag refuses of the new files; lowered: the other way round


@dataclass(frozen=True)
class Floor:
    """A `Floor` object of the JSON output."""

    family: str  # GLIBC
    node: Sides  # the highest that is asked for: GLIBC_2.28
    course: Literal["same", "raised", "lowered", "added", "removed"]
    symbols: tuple[str, ...]  # that ask for the higher node of the two
    files: tuple[str, ...]  # as the new release names them


@dataclass(frozen=True)
class Platform:
    """A `Platform` object of the JSON output."""

    raised: bool  # a tag that is claimed or fitted requires a newer system than before, or is gone
    claims: Lists  # platform tags
    promise: Promise  # whether the claimed tags are kept, the worst of them
    levels: tuple[Level, ...]  # those that changed
    wheel_floors: tuple[Floor, ...]  # over all files
    file_floors: tuple[Floor, ...]  # of files that both releases have


@dataclass(frozen=True)
class Change:
    """A `Change` object of the JSON output."""

    course: Literal["new", "worse", "milder", "fixed"]
    code: str  # WC102
    rule: str
    severity: Literal["error", "warning", "info"]  # in the new release; of fixed ones in the old
    before: Optional[Literal["error", "warning", "info"]]  # worse, milder: in the old release
    member: Optional[str]  # null: the whole wheel
    message: str


@dataclass(frozen=True)
class Unchanged:
    """A `Unchanged` object of the JSON output."""

    error: int
    warning: int
    info: int


@dataclass(frozen=True)
class Findings:
    """A `Findings` object of the JSON output."""

    changes: tuple[Change, ...]
    failed: bool  # one that is new or worse is at or above --fail-on
    unchanged: Unchanged


@dataclass(frozen=True)
class ElfFile:
    """An `ElfFile` object of the JSON output."""

    path: Sides
    soname: Sides  # without a repair tool's hash
    matched_by: Literal["none", "path", "release", "content", "name", "soname", "library", "directory"]
    role: str  # extension module


@dataclass(frozen=True)
class Needed:
    """A `Needed` object of the JSON output."""

    library: Sides  # DT_NEEDED, without a repair tool's hash
    whole_wheel: bool  # no file of the old release needed it, or none of the new one does
    files: tuple[str, ...]


@dataclass(frozen=True)
class Library:
    """A `Library` object of the JSON output."""

    library: str  # openssl
    name: str  # OpenSSL
    versions: Lists  # empty if unknown
    files: Lists  # empty where that release has it not


@dataclass(frozen=True)
class CxxAbi:
    """A `CxxAbi` object of the JSON output."""

    string_abi: Texts
    runtime: Texts
    files: tuple[str, ...]


@dataclass(frozen=True)
class GpuTargets:
    """A `GpuTargets` object of the JSON output."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True)
class Contents:
    """A `Contents` object of the JSON output."""

    elf_files: tuple[ElfFile, ...]  # that came, went, moved, or have another soname
    needed: tuple[Needed, ...]
    libraries: tuple[Library, ...]  # known libraries, as files or linked in
    cxx_abi: tuple[CxxAbi, ...]
    gpu_targets: GpuTargets


@dataclass(frozen=True)
class Counts:
    """A `Counts` object of the JSON output."""

    old: int
    new: int


@dataclass(frozen=True)
class Group:
    """A `Group` object of the JSON output."""

    kind: Literal["namespace", "library", "python", "platform", "c", "rust"]
    name: str  # of the namespace or library; empty for other kinds and names outside namespaces
    count: Counts
    gained: int
    lost: int
    gained_names: tuple[str, ...]  # the first ten
    lost_names: tuple[str, ...]  # the first ten


@dataclass(frozen=True)
class File:
    """A `File` object of the JSON output."""

    file: str
    count: Counts


@dataclass(frozen=True)
class Symbols:
    """A `Symbols` object of the JSON output."""

    count: Counts  # names, each once however many files have it
    gained: int
    lost: int
    groups: tuple[Group, ...]  # those that changed, most changes first
    files: tuple[File, ...]  # those with another number of names, the largest difference first


@dataclass(frozen=True)
class ImportFloor:
    """Versions of another package that all modules refuse when they are imported."""

    package: str
    minimum: Sides
    below: Sides
    requirement: str  # of the new release; empty where there is none


@dataclass(frozen=True)
class Metadata:
    """A `Metadata` object of the JSON output."""

    python_tags: Texts
    requires_python: Texts
    requires_dist: tuple[Sides, ...]
    extras: Lists
    import_floors: tuple[ImportFloor, ...]  # where that changed


@dataclass(frozen=True)
class Member:
    """A `Member` object of the JSON output."""

    path: Sides
    bytes: Counts


@dataclass(frozen=True)
class Folder:
    """A `Folder` object of the JSON output."""

    folder: str
    bytes: Counts
    files: Counts


@dataclass(frozen=True)
class Sizes:
    """A `Sizes` object of the JSON output."""

    archive: Counts  # bytes of the wheel; 0: a directory
    unpacked: Counts  # bytes
    files: Counts
    rewritten_files: int  # files that both releases have, with other bytes
    members: tuple[Member, ...]  # the largest differences, at most ten
    folders: tuple[Folder, ...]  # the other members that changed, by folder


@dataclass(frozen=True)
class Diff:
    """Output of `wheelcheck diff --format json`; what did not change is left out."""

    schema: Literal["wheelcheck-diff"]
    version: Literal[1]  # raised when old readers would break
    wheelcheck: str  # version of the program
    file: Texts  # base names of the wheels
    distribution: Texts
    release: Texts
    platform: Platform
    findings: Findings
    contents: Contents
    exports: Symbols
    imports: Symbols  # of what no file of the wheel defines
    metadata: Metadata
    sizes: Sizes

    def __repr__(self) -> str:
        changes = [change.course for change in self.findings.changes]
        floor = "floor raised, " if self.platform.raised else ""
        new = changes.count("new") + changes.count("worse")
        return (
            f"<Diff {self.distribution.new} {self.release.old} -> {self.release.new}: {floor}{new} new and "
            f"{changes.count('fixed')} fixed findings>"
        )
