"""Python code of a wheel that loads libraries."""

from dataclasses import dataclass
from typing import Literal, Optional


@dataclass(frozen=True)
class PythonCall:
    """One call."""

    call: Literal[
        "sys.setdlopenflags", "ctypes.CDLL", "ffi.dlopen", "ctypes.util.find_library"
    ]  # this call, or an equivalent one
    line: int  # starts at 1
    library: Optional[str]  # * replaces the unknown parts
    flags: Optional[int]  # RTLD_* bits, if known
    global_: bool  # the flags contain RTLD_GLOBAL
    reach: Literal["possible", "likely", "certain"]  # how certain it is that importing the package executes it
    text: str  # as written, at most 200 bytes


@dataclass(frozen=True)
class PythonName:
    text: str  # a string that names a shared library; * replaces what is filled in
    line: int  # starts at 1


@dataclass(frozen=True)
class PythonFile:
    """Python code that loads libraries."""

    member: str  # path in the archive
    broken: bool  # the parser met errors
    cut: bool  # not read completely: it exceeds a limit
    calls: tuple[PythonCall, ...]  # by line
    more_calls: int  # left out of the list before
    names: tuple[PythonName, ...]  # by line
    more_names: int  # left out of the list before
