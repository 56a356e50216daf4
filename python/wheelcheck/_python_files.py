"""Python code of a wheel that loads libraries."""

from dataclasses import dataclass
from typing import Literal, Optional


@dataclass(frozen=True)
class PythonCall:
    """One call."""

    call: Literal[
        "sys.setdlopenflags", "ctypes.CDLL", "ffi.dlopen", "ctypes.util.find_library"
    ]  # or one that does the same
    line: int  # from 1
    library: Optional[str]  # * replaces the unknown parts
    flags: Optional[int]  # RTLD_* bits, where known
    global_: bool  # the flags hold RTLD_GLOBAL
    reach: Literal["possible", "likely", "certain"]  # how sure it is that importing the package runs it
    text: str  # as written, at most 200 bytes


@dataclass(frozen=True)
class PythonName:
    text: str  # a string that names a shared library; * replaces what is filled in
    line: int  # from 1


@dataclass(frozen=True)
class PythonFile:
    """Python code that loads libraries."""

    member: str  # path in the archive
    broken: bool  # the parser met errors
    cut: bool  # not read to its end: it costs more than a file of its size may
    calls: tuple[PythonCall, ...]  # by line
    more_calls: int  # left out of the list before
    names: tuple[PythonName, ...]  # by line
    more_names: int  # left out of the list before
