"""The JSON output of `wheelcheck why` as dataclasses: docs/why.schema.json describes the fields."""

from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._assessment import CheckError, Requirement


@dataclass(frozen=True)
class Symbol:
    """A `Symbol` object of the JSON output."""

    name: str  # the import
    members: tuple[str, ...]  # the ELF files that import it


@dataclass(frozen=True)
class Removal:
    """Symbols with the same advice."""

    library: str  # the library
    version: Optional[str]  # the version node; null: the level does not allow the symbols
    symbols: tuple[Symbol, ...]  # empty: no symbol has this version
    members: tuple[str, ...]  # the ELF files that require it
    advice: str  # how to avoid them
    advice_known: bool  # false: the advice is general


@dataclass(frozen=True)
class OtherRequirement:
    """A requirement that cannot be fixed by removing symbols."""

    kind: Literal["machine", "isa", "library", "interpreter", "missing-version"]  # as in a requirement
    what: str  # the requirement
    members: tuple[str, ...]  # the ELF files that require it
    advice: str  # what to do


@dataclass(frozen=True)
class Step:
    """Levels that the same removals make compatible."""

    tags: tuple[str, ...]  # the levels, newest first
    enough: bool  # the removals are sufficient: there are no other_requirements
    symbols: int  # number of symbols to remove; a version node without a symbol counts as one
    files: int  # number of files that import them
    removals: tuple[Removal, ...]  # all of them must be removed
    other_requirements: tuple[OtherRequirement, ...]  # empty if the removals are sufficient


@dataclass(frozen=True)
class Answer:
    """One for each machine of the tag."""

    tag: str  # the level that was compared
    exact: bool  # false: no policy has that level, and the next older one was used
    fits: bool  # every requirement is met
    best_tag: str  # the lowest tag that the content is compatible with
    met: int  # number of requirements that the level meets
    total: int  # number of all requirements
    unmet_requirements: tuple[Requirement, ...]
    steps: Optional[tuple[Step, ...]] = None


@dataclass(frozen=True)
class Why:
    """Output of `wheelcheck why --format json`, with and without `--cheapest`."""

    schema: Literal["wheelcheck-why"]
    version: Literal[1]  # version of this format; increased by incompatible changes
    file: str  # base name of the wheel
    asked: Optional[str]  # the tag as given; null: none, with --cheapest
    answers: tuple[Answer, ...]  # at least one
    check_errors: tuple[CheckError, ...]  # what fails the wheel in `check`

    def __repr__(self) -> str:
        said = "; ".join(
            f"{'compatible' if one.fits else 'not compatible'} with {one.tag}, {one.met} of {one.total} met"
            for one in self.answers
        )
        return f"<Why {self.file}: {said}>"
