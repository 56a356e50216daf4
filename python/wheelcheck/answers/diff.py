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
class ResultChange:
    """Worst result over the claimed tags: compatible or not."""

    old: Literal["compatible", "incompatible", "no-minimum", "unknown"]
    new: Literal["compatible", "incompatible", "no-minimum", "unknown"]


@dataclass(frozen=True)
class Sides:
    """Null if that release has none."""

    old: Optional[str]
    new: Optional[str]


@dataclass(frozen=True)
class Reason:
    """A `Reason` object of the JSON output."""

    kind: Literal["machine", "isa", "library", "version", "symbol", "interpreter", "missing-version"]
    requirement: str  # GLIBC_2.28, libtiff.so.6
    decides: bool  # the level next to the best compatible one does not meet it either
    symbols: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """A `Level` object of the JSON output."""

    policy_family: str  # one C library on one machine: manylinux x86_64
    fits: Sides  # the lowest compatible tag; any: there is no machine code
    fits_course: Literal["same", "raised", "lowered", "added", "removed"]
    claimed: Sides  # the oldest claimed tag
    claimed_course: Literal["same", "raised", "lowered", "added", "removed"]
    # raised: requirements of the new files that the old tag does not meet; lowered: the reverse
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class Floor:
    """A `Floor` object of the JSON output."""

    family: str  # GLIBC
    node: Sides  # the highest required version: GLIBC_2.28
    course: Literal["same", "raised", "lowered", "added", "removed"]
    symbols: tuple[str, ...]  # symbols that require the higher of the two versions
    files: tuple[str, ...]  # paths in the new release


@dataclass(frozen=True)
class Platform:
    """A `Platform` object of the JSON output."""

    raised: bool  # a claimed or best compatible tag requires a newer system than before, or was removed
    claims: Lists  # platform tags
    result: ResultChange  # worst result over the claimed tags: compatible or not
    levels: tuple[Level, ...]  # levels that changed
    wheel_floors: tuple[Floor, ...]  # highest version over all files
    file_floors: tuple[Floor, ...]  # highest version in each file that both releases have


@dataclass(frozen=True)
class Change:
    """A `Change` object of the JSON output."""

    course: Literal["new", "worse", "milder", "fixed"]
    code: str  # WC102
    rule: str
    severity: Literal["error", "warning", "note"]  # in the new release; for fixed findings, in the old one
    before: Optional[Literal["error", "warning", "note"]]  # for worse and milder: severity in the old release
    member: Optional[str]  # null: the whole wheel
    message: str


@dataclass(frozen=True)
class Unchanged:
    """A `Unchanged` object of the JSON output."""

    error: int
    warning: int
    note: int


@dataclass(frozen=True)
class Findings:
    """A `Findings` object of the JSON output."""

    changes: tuple[Change, ...]
    failed: bool  # a new or worse finding has the severity of --fail-on or higher
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
    whole_wheel: bool  # no file of the old release required it, or no file of the new one does
    files: tuple[str, ...]


@dataclass(frozen=True)
class Library:
    """A `Library` object of the JSON output."""

    library: str  # openssl
    name: str  # OpenSSL
    versions: Lists  # empty if unknown
    files: Lists  # empty if that release does not contain it


@dataclass(frozen=True)
class Package:
    """A `Package` object of the JSON output."""

    file: str
    package: Sides  # package URLs


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
class PythonFiles:
    """A `PythonFiles` object of the JSON output."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True)
class Contents:
    """A `Contents` object of the JSON output."""

    elf_files: tuple[ElfFile, ...]  # files that were added, removed or moved, or have another soname
    needed: tuple[Needed, ...]
    libraries: tuple[Library, ...]  # known libraries, as files or linked in
    packages: tuple[Package, ...]  # libraries that are from another package, with --library-index
    cxx_abi: tuple[CxxAbi, ...]
    gpu_targets: GpuTargets
    python_files: PythonFiles  # paths of .py, .pyi and py.typed in one release only


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

    count: Counts  # number of distinct names
    gained: int
    lost: int
    groups: tuple[Group, ...]  # groups that changed, most changes first
    files: tuple[File, ...]  # files with another number of names, largest difference first


@dataclass(frozen=True)
class ImportFloor:
    """Versions of another package that all modules refuse during the import."""

    package: str
    minimum: Sides
    below: Sides
    requirement: str  # of the new release; empty if there is none


@dataclass(frozen=True)
class Metadata:
    """A `Metadata` object of the JSON output."""

    python_tags: Texts
    requires_python: Texts
    requires_dist: tuple[Sides, ...]
    extras: Lists
    import_floors: tuple[ImportFloor, ...]  # if this changed


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
class Section:
    """A `Section` object of the JSON output."""

    name: str
    bytes: Counts


@dataclass(frozen=True)
class GpuCode:
    """A `GpuCode` object of the JSON output."""

    target: str  # sm_90a, compute_80, gfx90a
    bytes: Counts  # as stored
    unpacked: Counts  # after decompression of the fat binary


@dataclass(frozen=True)
class Sizes:
    """A `Sizes` object of the JSON output."""

    archive: Counts  # bytes of the wheel; 0: a directory
    unpacked: Counts  # bytes
    files: Counts
    rewritten_files: int  # files that both releases have, with different content
    members: tuple[Member, ...]  # the largest differences, at most ten
    folders: tuple[Folder, ...]  # the other members that changed, by folder
    # bytes of all ELF files by section, the name is empty for what is in none; the sum is that of the files
    sections: tuple[Section, ...]
    gpu_code: tuple[GpuCode, ...]


@dataclass(frozen=True)
class Diff:
    """Output of `wheelcheck diff --format json`. Unchanged items are left out."""

    schema: Literal["wheelcheck-diff"]
    version: Literal[1]  # version of this format; increased by incompatible changes
    wheelcheck: str  # version of the program
    file: Texts  # base names of the wheels
    distribution: Texts
    release: Texts
    platform: Platform
    findings: Findings
    contents: Contents
    exports: Symbols
    imports: Symbols  # imports that no file of the wheel defines
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
