"""The JSON output of `wheelcheck why` as dataclasses: docs/why.schema.json describes the fields."""

from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._assessment import Requirement


@dataclass(frozen=True)
class Symbol:
    """A `Symbol` object of the JSON output."""

    name: str  # the import
    members: tuple[str, ...]  # the ELF files that import it


@dataclass(frozen=True)
class Removal:
    """Symbols for which the same is to be done."""

    library: str  # the library
    version: Optional[str]  # the node; null: the level denies the symbols
    symbols: tuple[Symbol, ...]  # empty: no symbol names the node
    members: tuple[str, ...]  # the ELF files that ask
    advice: str  # how to do without
    advice_known: bool  # false: the advice is a general one


@dataclass(frozen=True)
class Hindrance:
    """What no removal of a symbol mends."""

    kind: Literal["machine", "isa", "library", "interpreter", "missing-version"]  # as of a requirement
    what: str  # what is asked for
    members: tuple[str, ...]  # the ELF files that ask
    advice: str  # what to do


@dataclass(frozen=True)
class Step:
    """Rungs that the same removals reach."""

    tags: tuple[str, ...]  # the rungs, newest first
    enough: bool  # the removals are enough: there is no hindrance
    symbols: int  # that must go, each of a node once; a node that no symbol names counts as one
    files: int  # that they are in
    removals: tuple[Removal, ...]  # all of them must go
    hindrances: tuple[Hindrance, ...]  # none where the removals are enough


@dataclass(frozen=True)
class Answer:
    """One for each machine that the tag means."""

    tag: str  # the rung that answers
    exact: bool  # false: no policy has that level and the next older one answers
    fits: bool  # every requirement is met
    best_tag: str  # the tightest tag that the content fits
    met: int  # requirements that the rung meets
    total: int  # requirements in all
    obstacles: tuple[Requirement, ...]
    steps: Optional[tuple[Step, ...]] = None


@dataclass(frozen=True)
class Why:
    """Output of `wheelcheck why --format json`, with and without `--cheapest`."""

    schema: Literal["wheelcheck-why"]
    version: Literal[1]  # raised when old readers would break
    file: str  # base name of the wheel
    asked: Optional[str]  # the tag as typed; null: none was, with --cheapest
    answers: tuple[Answer, ...]  # at least one

    def __repr__(self) -> str:
        said = "; ".join(
            f"{'compatible' if one.fits else 'not compatible'} with {one.tag}, {one.met} of {one.total} met"
            for one in self.answers
        )
        return f"<Why {self.file}: {said}>"
