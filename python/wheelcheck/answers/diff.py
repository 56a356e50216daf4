"""What `wheelcheck diff` answers, as docs/diff.schema.json describes it."""

from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._short import short_repr


@dataclass(frozen=True)
class Texts:
    """Texts of the answer."""

    old: str
    new: str


@dataclass(frozen=True)
class Lists:
    """Lists of the answer."""

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
    """Reason of the answer."""

    kind: Literal["machine", "isa", "library", "version", "symbol", "interpreter", "missing-version"]
    asks: str  # GLIBC_2.28, libtiff.so.6
    decides: bool  # the level next to the fitted one refuses it, too
    symbols: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """Level of the answer."""

    ladder: str  # one C library on one machine: manylinux x86_64
    fits: Sides  # the tightest tag that the content fits; any: there is no machine code
    fits_course: Literal["same", "raised", "lowered", "added", "removed"]
    claimed: Sides  # the oldest tag that is claimed
    claimed_course: Literal["same", "raised", "lowered", "added", "removed"]
    reasons: tuple[Reason, ...]  # raised: what the old tag refuses of the new files; lowered: the other way round


@dataclass(frozen=True)
class Floor:
    """Floor of the answer."""

    family: str  # GLIBC
    node: Sides  # the highest that is asked for: GLIBC_2.28
    course: Literal["same", "raised", "lowered", "added", "removed"]
    symbols: tuple[str, ...]  # that ask for the higher node of the two
    files: tuple[str, ...]  # as the new release names them


@dataclass(frozen=True)
class Platform:
    """Platform of the answer."""

    raised: bool  # a tag that is claimed or fitted asks for a newer system than before, or is gone
    claims: Lists  # platform tags
    promise: Promise  # whether the claimed tags are kept, the worst of them
    levels: tuple[Level, ...]  # those that changed
    wheel_floors: tuple[Floor, ...]  # over all files
    file_floors: tuple[Floor, ...]  # of files that both releases have


@dataclass(frozen=True)
class Change:
    """Change of the answer."""

    course: Literal["new", "worse", "milder", "fixed"]
    code: str  # WC102
    rule: str
    severity: Literal["error", "warning", "info"]  # in the new release; of fixed ones in the old
    before: Optional[Literal["error", "warning", "info"]]  # worse, milder: in the old release
    member: Optional[str]  # null: the whole wheel
    message: str


@dataclass(frozen=True)
class Unchanged:
    """Unchanged of the answer."""

    error: int
    warning: int
    info: int


@dataclass(frozen=True)
class Findings:
    """Findings of the answer."""

    changes: tuple[Change, ...]
    failed: bool  # one that is new or worse is at or above --fail-on
    unchanged: Unchanged


@dataclass(frozen=True)
class ElfFile:
    """ElfFile of the answer."""

    path: Sides
    soname: Sides  # without a repair tool's hash
    matched_by: Literal["none", "path", "release", "content", "name", "soname", "library", "directory"]
    role: str  # extension module


@dataclass(frozen=True)
class Needed:
    """Needed of the answer."""

    library: Sides  # DT_NEEDED, without a repair tool's hash
    whole_wheel: bool  # no file of the old release needed it, or none of the new one does
    files: tuple[str, ...]


@dataclass(frozen=True)
class Library:
    """Library of the answer."""

    library: str  # openssl
    name: str  # OpenSSL
    versions: Lists  # empty where nothing tells
    files: Lists  # empty where that release has it not


@dataclass(frozen=True)
class CxxAbi:
    """CxxAbi of the answer."""

    string_abi: Texts
    runtime: Texts
    files: tuple[str, ...]


@dataclass(frozen=True)
class GpuTargets:
    """GpuTargets of the answer."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True)
class Contents:
    """Contents of the answer."""

    elf_files: tuple[ElfFile, ...]  # that came, went, moved, or have another soname
    needed: tuple[Needed, ...]
    libraries: tuple[Library, ...]  # known libraries, as files or linked in
    cxx_abi: tuple[CxxAbi, ...]
    gpu_targets: GpuTargets


@dataclass(frozen=True)
class Counts:
    """Counts of the answer."""

    old: int
    new: int


@dataclass(frozen=True)
class Group:
    """Group of the answer."""

    kind: Literal["namespace", "library", "python", "platform", "c", "rust"]
    name: str  # of the namespace or library; empty for other kinds and names outside namespaces
    count: Counts
    gained: int
    lost: int
    gained_names: tuple[str, ...]  # the first ten
    lost_names: tuple[str, ...]  # the first ten


@dataclass(frozen=True)
class File:
    """File of the answer."""

    file: str
    count: Counts


@dataclass(frozen=True)
class Symbols:
    """Symbols of the answer."""

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
    """Metadata of the answer."""

    python_tags: Texts
    requires_python: Texts
    requires_dist: tuple[Sides, ...]
    extras: Lists
    import_floors: tuple[ImportFloor, ...]  # where that changed


@dataclass(frozen=True)
class Member:
    """Member of the answer."""

    path: Sides
    bytes: Counts


@dataclass(frozen=True)
class Folder:
    """Folder of the answer."""

    folder: str
    bytes: Counts
    files: Counts


@dataclass(frozen=True)
class Sizes:
    """Sizes of the answer."""

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
        return short_repr(self)
