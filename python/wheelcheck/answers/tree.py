"""The JSON output of `wheelcheck tree` as dataclasses: docs/tree.schema.json describes the fields."""

from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._assessment import CheckError


@dataclass(frozen=True)
class File:
    """An ELF file of a wheel."""

    wheel: str
    member: str


@dataclass(frozen=True)
class Needed:
    """A `Needed` object of the JSON output."""

    name: str  # as written in the file
    standing: Literal["here", "platform", "declared", "required", "loaded-by-another", "missing", "unknown"]
    how: Literal["rpath", "runpath", "already-loaded", "path", "none"]
    provider: Optional[File]
    search_path_of: Optional[File]  # the file whose search path led to it
    search_path_element: Optional[str]  # as written
    loaded_before_for: Optional[File]  # the file that required and loaded the provider earlier
    own_search_finds_it: bool  # a search by the file itself also finds the provider
    unreached: Optional[File]  # a file with that name or soname that no search path leads to


@dataclass(frozen=True)
class Loaded:
    """A `Loaded` object of the JSON output."""

    wheel: str
    member: str
    soname: Optional[str]  # DT_SONAME
    rpath: tuple[str, ...]  # DT_RPATH, ignored if there is a DT_RUNPATH
    runpath: tuple[str, ...]  # DT_RUNPATH
    needed: tuple[Needed, ...]  # DT_NEEDED, DT_FILTER and found DT_AUXILIARY, in that order


@dataclass(frozen=True)
class LoadTree:
    """One load: the root is opened, and the libraries that it requires are loaded, breadth first."""

    root: str  # member of the wheel
    module: Optional[str]  # dotted name, of an extension module
    files: tuple[Loaded, ...]  # the loaded files, in that order; the root first


@dataclass(frozen=True)
class Problem:
    """A `Problem` object of the JSON output."""

    kind: Literal["not-found", "loaded-by-another", "absolute-path", "missing-version"]
    member: str  # the file that has it
    subject: str  # the library, path or version
    text: str


@dataclass(frozen=True)
class Wheel:
    """One for each wheel that could be read, in the order given."""

    file: str  # base name of the wheel
    trees: tuple[LoadTree, ...]
    left_out: int  # roots whose trees exceeded a limit
    problems: tuple[Problem, ...]
    check_errors: tuple[CheckError, ...]  # what fails the wheel in `check`


@dataclass(frozen=True)
class Tree:
    """Output of `wheelcheck tree --format json`."""

    schema: Literal["wheelcheck-tree"]
    version: Literal[1]  # version of this format; increased by incompatible changes
    wheels: tuple[Wheel, ...]
    providers: tuple[str, ...]  # the other wheels, of --wheel and --provider

    def __repr__(self) -> str:
        trees = sum(len(wheel.trees) for wheel in self.wheels)
        return (
            f"<Tree {len(self.wheels)} wheels, {trees} trees, {sum(len(one.problems) for one in self.wheels)} problems>"
        )
