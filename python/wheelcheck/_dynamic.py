"""The facts of an ELF file that the loader reads, and how it finds the required libraries."""

from dataclasses import dataclass
from typing import Literal, Optional


@dataclass(frozen=True)
class FileReference:
    """An ELF file of a wheel of the run."""

    wheel: str  # file name of the wheel
    member: str  # path in it


@dataclass(frozen=True)
class Needed:
    """One DT_NEEDED and how it was found."""

    name: str  # as written
    found: Literal["in-wheel", "in-provider", "in-process", "declared", "outside"]  # what provides it
    how: Literal["rpath", "runpath", "already-loaded", "path", "none"]  # how the loader finds it
    provider: Optional[FileReference]  # the file that answers
    search_path_of: Optional[FileReference]
    search_path_element: Optional[str]  # the element of the search path as written, if a search path led to it
    unreached: Optional[FileReference]  # is in the wheel, but no search path leads to it


@dataclass(frozen=True)
class DynamicFlags:
    """Flags for the loader."""

    symbolic: bool
    bind_now: bool
    text_relocations: bool
    static_tls: bool
    global_: bool
    nodelete: bool
    noopen: bool
    pie: bool
    relr: bool
    read_only: bool  # the dynamic section is read-only memory


@dataclass(frozen=True)
class VersionNeed:
    library: str  # the file that must define it
    version: str
    weak: bool  # VER_FLG_WEAK: no error if it is missing
    missing: bool  # the library of the run that should define it does not
    symbols: tuple[str, ...]  # the imports that require it, by name


@dataclass(frozen=True)
class VersionDefinition:
    version: str
    weak: bool  # VER_FLG_WEAK


@dataclass(frozen=True)
class Dynamic:
    """The content of PT_DYNAMIC."""

    soname: Optional[str]  # DT_SONAME
    needed: tuple[Needed, ...]  # in file order
    filters: tuple[str, ...]  # DT_FILTER
    auxiliaries: tuple[str, ...]  # DT_AUXILIARY
    rpath: tuple[str, ...]  # elements of DT_RPATH
    runpath: tuple[str, ...]  # elements of DT_RUNPATH
    flags: DynamicFlags
    needs: tuple[VersionNeed, ...]  # version needs in file order
    provides: tuple[VersionDefinition, ...]  # version definitions, without the base definition
    symbols: int  # entries of the dynamic symbol table
    imports: int  # undefined symbols
    weak_imports: int  # of these, weak ones
    exports: int  # defined symbols that are visible to other files
    static_tls_relocations: int  # relocations that require space in the static TLS block
    own_static_tls_relocations: int  # of these, the ones for variables of the file itself
    own_tls_descriptors: int  # TLS descriptors of variables of the file itself
