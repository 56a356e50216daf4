"""The facts of a wheel, of its ELF files and of its Python files.

tests/python_package/facts_types.py wrote this file from docs/report.schema.json.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._words import Arch, Confidence, StringKind, X86Isa


@dataclass(frozen=True)
class WheelName:
    """The file name in parts (PEP 427)."""

    distribution: str  # as written
    version: str  # as written
    build: str  # empty if there is none
    python: tuple[str, ...]  # Python tags
    abi: tuple[str, ...]  # ABI tags
    platforms: tuple[str, ...]  # platform tags
    variant: str  # label of PEP 825, empty if there is none


@dataclass(frozen=True)
class WheelFile:
    """WHEEL."""

    wheel_version: str  # Wheel-Version
    root_is_purelib: Optional[bool]  # Root-Is-Purelib
    tags: tuple[str, ...]  # each as written


@dataclass(frozen=True)
class Metadata:
    """METADATA."""

    name: str  # Name
    version: str  # Version
    requires_python: str  # Requires-Python
    requires_dist: tuple[str, ...]  # each as written
    provides_extra: tuple[str, ...]  # each as written
    licenses: tuple[str, ...]  # License-Expression, License and the License classifiers
    license_files: tuple[str, ...]  # each as written


@dataclass(frozen=True)
class WheelFlaw:
    """A defect of the archive or its metadata."""

    # the part of the wheel
    area: Literal[
        "name",
        "dist-info",
        "wheel",
        "metadata",
        "record",
        "absent",
        "variant",
        "sbom",
        "member",
        "index-archive",
        "index-metadata",
        "index-classifier",
        "index-dependency",
        "index-licence",
        "index-entry-points",
    ]
    member: Optional[str]  # the member it is about
    subject: str  # the path or row as written
    reason: str  # what is wrong


@dataclass(frozen=True)
class Module:
    """The module that Python imports."""

    name: str  # dotted
    python_major: Optional[int]  # from its init symbol
    stable_abi: bool  # .abi3.so or .abi3t.so


@dataclass(frozen=True)
class AbiNote:
    """NT_GNU_ABI_TAG: the system and the oldest kernel that the file was built for."""

    system: int  # 0 is Linux
    kernel: str  # major.minor.patch


@dataclass(frozen=True)
class Segments:
    """Facts from the program headers."""

    executable_stack: Optional[bool]  # PT_GNU_STACK; None if there is none
    writable_code: bool  # a PT_LOAD that is writable and executable
    relro: Literal["full", "partial", "none"]  # PT_GNU_RELRO and BIND_NOW
    smallest_load_align: int  # bytes
    misaligned_load: bool  # offset and address differ modulo the alignment


@dataclass(frozen=True)
class HighestVersion:
    """The highest version of a family."""

    highest: str  # the node
    symbols: tuple[str, ...]  # imports that require it, by name


@dataclass(frozen=True)
class FileReference:
    """An ELF file of a wheel of the run."""

    wheel: str  # file name of the wheel
    member: str  # path in it


@dataclass(frozen=True)
class Needed:
    """One DT_NEEDED and how it was found."""

    name: str  # as written
    found: Literal["in-wheel", "in-provider", "in-process", "declared", "required", "outside"]  # what provides it
    how: Literal["rpath", "runpath", "already-loaded", "path", "none"]  # how the loader finds it
    provider: Optional[FileReference]
    search_path_of: Optional[FileReference]
    search_path_element: Optional[str]  # the element of the search path as written, if a search path led to it
    unreached: Optional[FileReference]


@dataclass(frozen=True)
class DynamicFlags:
    """Flags for the loader."""

    symbolic: bool  # DT_SYMBOLIC or DF_SYMBOLIC
    bind_now: bool  # DT_BIND_NOW, DF_BIND_NOW or DF_1_NOW
    text_relocations: bool  # DT_TEXTREL or DF_TEXTREL
    static_tls: bool  # DF_STATIC_TLS
    global_: bool  # DF_1_GLOBAL
    nodelete: bool  # DF_1_NODELETE
    noopen: bool  # DF_1_NOOPEN
    pie: bool  # DF_1_PIE
    relr: bool  # DT_RELR
    read_only: bool  # the dynamic section is read-only memory


@dataclass(frozen=True)
class VersionNeed:
    """A version that the file requires of a library."""

    library: str  # the file that must define it
    version: str  # the node
    weak: bool  # VER_FLG_WEAK: no error if it is missing
    missing: bool  # the library of the run that should define it does not
    symbols: tuple[str, ...]  # the imports that require it, by name


@dataclass(frozen=True)
class VersionDefinition:
    """A version that the file defines."""

    version: str  # name of the version
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
    own_static_tls_relocations: int  # of these, relocations for variables of the file itself
    own_tls_descriptors: int  # TLS descriptors of the file's own variables


@dataclass(frozen=True)
class ElfFlaw:
    """A part of an ELF file that could not be read, or that readers interpret differently."""

    # the part of the file
    area: Literal[
        "header", "program headers", "dynamic section", "strings", "versions", "symbols", "relocations", "notes"
    ]
    fatal: bool  # the loader refuses the file, or binds it wrongly, because of it
    reason: str  # what is wrong


@dataclass(frozen=True)
class ScopeCount:
    """Exports of one outermost C++ namespace or class."""

    scope: str  # empty at global scope
    exports: int  # symbols
    rtti: int  # of these, vtables, typeinfo and guard variables
    own: bool  # the wheel's own product


@dataclass(frozen=True)
class LibraryCount:
    """Exports of one known library."""

    library: str  # id
    name: str  # its name
    exports: int  # symbols
    rtti: int  # of these, vtables, typeinfo and guard variables
    own: bool  # the wheel's own product
    itself: bool  # the file is that library, not a user of it
    examples: tuple[str, ...]  # at most 5 symbols


@dataclass(frozen=True)
class Exports:
    """The exported symbols of the file, by owner."""

    all: int  # exported symbols
    c: int  # not mangled
    cxx: int  # C++ names
    rust: int  # Rust names
    rtti: int  # vtables, typeinfo and guard variables
    standard: int  # of the C++ standard library and its ABI
    unique: int  # STB_GNU_UNIQUE
    scopes: tuple[ScopeCount, ...]  # C++ names, most exports first, at most 50
    more_scopes: int  # entries left out of the list before
    libraries: tuple[LibraryCount, ...]  # most exports first
    more_libraries: int  # entries left out of the list before


@dataclass(frozen=True)
class LibraryEvidence:
    """Evidence for it."""

    what: str  # kind of evidence
    text: str  # as in the file


@dataclass(frozen=True)
class IdentifiedLibrary:
    """A third-party library in the file."""

    library: str  # id
    name: str  # its name
    family: str  # two libraries of one family in a process can disturb each other; may be empty
    version: Optional[str]  # if the file contains it
    confidence: Confidence  # how certain it is that the file contains the library
    itself: bool  # the file is that library; else it is linked in
    evidence: tuple[LibraryEvidence, ...]  # at most 8
    more_evidence: int  # entries left out of the list before


@dataclass(frozen=True)
class LibraryPackage:
    """The package of a distribution that a library is from."""

    purl: str  # package URL
    name: str
    version: str


@dataclass(frozen=True)
class StringAbi:
    """std::string as of GCC before 5 (old) or __cxx11 (new)."""

    defined: StringKind
    imported: StringKind


@dataclass(frozen=True)
class StringSymbols:
    """Symbols that name a std::string."""

    defined_old: int
    defined_new: int
    imported_old: int
    imported_new: int
    own_old: int  # of the defined ones, outside std
    own_new: int  # of the defined ones, outside std


@dataclass(frozen=True)
class Compiler:
    """A compiler that is named in .comment."""

    name: str  # GCC
    version: str  # may be empty
    text: str  # as written


@dataclass(frozen=True)
class CxxAbi:
    """C++ ABI of the file."""

    # the C++ runtime; hybrid: libstdc++ with newer parts linked in
    runtime: Literal[
        "none", "libstdc++", "libstdc++-hybrid", "libstdc++-static", "libc++", "libc++-static", "undecided"
    ]
    string_abi: StringAbi
    symbols: StringSymbols
    early_cxx11: bool  # names of C++11, and every GCC of .comment is older than 5
    runtime_evidence: tuple[str, ...]  # at most 3 libraries or symbols that identify the runtime
    examples_old: tuple[str, ...]  # at most 5 symbols
    examples_new: tuple[str, ...]  # at most 5 symbols
    compilers: tuple[Compiler, ...]  # by name
    more_compilers: int  # entries left out of the list before


@dataclass(frozen=True)
class DeviceImage:
    """Images of one kind and target."""

    kind: Literal["cubin", "ptx", "amdgpu", "other"]  # the format of the code
    target: str  # sm_90a, compute_80, gfx90a
    count: int  # images
    bytes: int  # as stored
    unpacked: int  # after decompression, as the headers say


@dataclass(frozen=True)
class DeviceCode:
    """Code for GPUs in the file."""

    bytes: int  # size of the sections that contain it
    images: tuple[DeviceImage, ...]  # by kind, then by target
    more_images: int  # entries left out of the list before


@dataclass(frozen=True)
class Sections:
    """Facts that only section headers contain; empty without section headers."""

    debug_bytes: int  # of debug sections, as stored
    symbol_bytes: int  # of .symtab and .strtab, as stored
    comments: tuple[str, ...]  # .comment, each text once
    more_comments: int  # entries left out of the list before


@dataclass(frozen=True)
class Texts:
    """Strings of the read-only data."""

    certificate_files: tuple[str, ...]  # files of certificate authorities at fixed places
    versions: int  # strings with a version or a date
    build_paths: int  # paths below a home or build directory
    cut: bool  # the file has more strings than the limit
    libraries: tuple[str, ...]  # names of shared libraries
    more_libraries: int  # entries left out of the list before


@dataclass(frozen=True)
class ElfFile:
    """One member with the ELF magic."""

    member: str  # path in the archive
    installed: str  # path below the installation prefix
    role: str  # what it is in the wheel
    module: Optional[Module]
    root: bool  # loaded by itself, not by another file of the wheel
    disguised: bool  # it has the name of a text or source file
    in_purelib: bool  # below *.data/purelib/
    arch: Arch  # the machine as in tags
    libc: Literal["none", "glibc", "musl", "bionic"]  # from the file, else from its name
    # e_type; a position-independent program is an executable
    kind: Literal["shared-object", "executable", "relocatable", "core", "other"]
    use: Literal["host", "device"]  # device code is not judged
    machine: int  # e_machine
    machine_name: str  # in words
    bits: int  # 32 or 64
    little_endian: bool  # EI_DATA
    os_abi: int  # EI_OSABI
    e_flags: int  # e_flags
    has_sections: bool  # the file contains a section table
    debug_only: bool  # the file contains only debug information
    interpreter: Optional[str]  # PT_INTERP
    build_id: Optional[str]  # lower-case hex
    x86_isa_needed: tuple[X86Isa, ...]  # GNU property
    x86_isa_used: tuple[X86Isa, ...]  # GNU property
    x86_features: tuple[Literal["ibt", "shstk"], ...]  # GNU property
    abi_note: Optional[AbiNote]
    segments: Segments
    # For each family, the highest version that the file requires of the platform.
    versions: Mapping[str, HighestVersion]
    dynamic: Optional[Dynamic]
    flaws: tuple[ElfFlaw, ...]  # what could not be read
    exports: Exports
    libraries: tuple[IdentifiedLibrary, ...]  # third-party libraries inside, by id
    more_libraries: int  # entries left out of the list before
    package: Optional[LibraryPackage]  # of --library-index, if it has the library
    cxx_abi: CxxAbi
    device_code: DeviceCode
    sections: Sections
    texts: Texts
    gil_slot: bool  # the data contains what looks like the module slot Py_mod_gil, Py_MOD_GIL_NOT_USED


@dataclass(frozen=True)
class PythonCall:
    """One call."""

    # this call, or an equivalent one
    call: Literal["sys.setdlopenflags", "ctypes.CDLL", "ffi.dlopen", "ctypes.util.find_library"]
    line: int  # starts at 1
    library: Optional[str]  # * replaces the unknown parts
    flags: Optional[int]  # RTLD_* bits, if known
    global_: bool  # the flags contain RTLD_GLOBAL
    reach: Literal["possible", "likely", "certain"]  # how certain it is that importing the package executes it
    text: str  # as written, at most 200 bytes


@dataclass(frozen=True)
class PythonName:
    """A string that names a shared library."""

    text: str  # * replaces what is filled in
    line: int  # starts at 1


@dataclass(frozen=True)
class PythonFile:
    """Python code that loads libraries."""

    member: str  # path in the archive
    broken: bool  # the parser met errors
    cut: Literal["", "bytecode", "encoding", "text", "size", "steps"]  # why the file was not read completely
    calls: tuple[PythonCall, ...]  # by line
    more_calls: int  # entries left out of the list before
    names: tuple[PythonName, ...]  # by line
    more_names: int  # entries left out of the list before
