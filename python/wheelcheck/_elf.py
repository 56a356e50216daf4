"""One ELF file of a wheel."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._content import CxxAbi, DeviceCode, Exports, IdentifiedLibrary, Sections, Texts
from wheelcheck._dynamic import Dynamic
from wheelcheck._words import Arch, X86Isa


@dataclass(frozen=True)
class ElfFlaw:
    """A part of an ELF file that could not be read, or that readers interpret differently."""

    area: Literal[
        "header", "program headers", "dynamic section", "strings", "versions", "symbols", "relocations", "notes"
    ]
    fatal: bool  # the loader refuses the file, or binds it wrongly, because of it
    reason: str


@dataclass(frozen=True)
class Module:
    """The module that Python imports."""

    name: str  # dotted
    python_major: Optional[int]  # from its init symbol
    stable_abi: bool  # .abi3.so or .abi3t.so


@dataclass(frozen=True)
class Segments:
    """Facts from the program headers."""

    executable_stack: Optional[bool]  # PT_GNU_STACK; None if there is none
    writable_code: bool  # a PT_LOAD that is writable and executable
    relro: Literal["none", "partial", "full"]  # PT_GNU_RELRO and BIND_NOW
    smallest_load_align: int  # bytes
    misaligned_load: bool  # offset and address differ modulo the alignment


@dataclass(frozen=True)
class AbiNote:
    """NT_GNU_ABI_TAG: the system and the oldest kernel that the file was built for."""

    system: int  # 0 is Linux
    kernel: str  # the oldest one, major.minor.patch


@dataclass(frozen=True)
class HighestVersion:
    highest: str
    symbols: tuple[str, ...]  # imports that require it, by name


@dataclass(frozen=True)
class ElfFile:
    """One member with the ELF magic."""

    member: str  # path in the archive
    installed: str  # path below the installation prefix
    role: str  # role of the file in the wheel
    module: Optional[Module]
    root: bool  # not loaded by another file of the wheel
    disguised: bool  # it has the name of a text or source file
    in_purelib: bool  # below *.data/purelib/
    arch: Arch  # the machine as in tags
    libc: Literal["none", "glibc", "musl", "bionic"]  # from the file, else from its name
    kind: Literal["shared-object", "executable", "relocatable", "core", "other"]
    use: Literal["host", "device"]  # device code is not judged
    machine: int  # e_machine
    machine_name: str  # in words
    bits: int  # 32 or 64
    little_endian: bool  # EI_DATA
    os_abi: int  # EI_OSABI
    e_flags: int
    has_sections: bool  # the file contains a section table
    debug_only: bool  # the file contains only debug information
    interpreter: Optional[str]  # PT_INTERP
    build_id: Optional[str]  # lower-case hex
    x86_isa_needed: tuple[X86Isa, ...]  # GNU property
    x86_isa_used: tuple[X86Isa, ...]  # GNU property
    x86_features: tuple[Literal["ibt", "shstk"], ...]  # GNU property
    abi_note: Optional[AbiNote]
    segments: Segments
    versions: Mapping[str, HighestVersion]  # for each family, the highest version that the file requires
    dynamic: Optional[Dynamic]
    flaws: tuple[ElfFlaw, ...]  # what could not be read
    exports: Exports
    libraries: tuple[IdentifiedLibrary, ...]  # third-party libraries inside, by id
    more_libraries: int  # left out of the list before
    cxx_abi: CxxAbi
    device_code: DeviceCode
    sections: Sections
    texts: Texts
    gil_slot: bool  # the data contains what looks like the module slot Py_mod_gil, Py_MOD_GIL_NOT_USED
