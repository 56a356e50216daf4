"""The report of a run."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Optional, Union

from wheelcheck._convert import convert
from wheelcheck._error import EXIT_INTERNAL, EXIT_UNREADABLE, WheelcheckError
from wheelcheck._wheel import Finding, Wheel


@dataclass(frozen=True)
class Unreadable:
    """An input that cannot be read as a wheel."""

    type: Literal["unreadable"]
    file: str  # base name
    status: Literal["rejected"]
    rule: Optional[str]  # WC703: of a wheel that was opened and is refused; None where nothing could be opened
    error: Literal["usage", "bad-policy", "not-found", "not-a-wheel", "rejected", "over-limit", "io"]
    message: str  # one line


@dataclass(frozen=True)
class Configuration:
    """The configuration file."""

    file: str  # its name, without directories
    sha256: str  # SHA-256 of the file


@dataclass(frozen=True)
class Summary:
    """Counts over the run."""

    wheels: int  # wheels that were read
    unreadable: int  # inputs that were not
    incompatible: int  # wheels with a tag that the content is not compatible with
    failed: int  # wheels with a finding of the severity of fail_on or higher
    errors: int  # findings
    warnings: int  # findings
    notes: int  # findings


@dataclass(frozen=True)
class Report:
    """The output of `wheelcheck --format json`. Text from a wheel is escaped: unusual bytes are written \\xNN."""

    schema: Literal["wheelcheck-report"]
    version: Literal[1]  # version of this format; increased by incompatible changes
    wheelcheck: str  # version of the program
    providers: tuple[str, ...]  # file names of the --provider wheels
    wheels: tuple[Union[Wheel, Unreadable], ...]  # one entry for each input, in the order given
    summary: Summary
    configuration: Optional[Configuration] = None  # if one was used
    baseline: Optional[str] = None  # file name of --baseline; None without one

    def __repr__(self) -> str:
        total = self.summary
        verdict = "FAILED" if self.failed else "PASSED"
        return f"<Report {verdict}: {total.wheels} wheels, {total.errors} errors, {total.warnings} warnings>"

    @classmethod
    def from_json(cls, text: Union[str, bytes]) -> "Report":
        """The report in a file that --format json wrote. Raises WheelcheckError if it is not one."""
        try:
            return convert(cls, json.loads(text))
        except ValueError as error:
            raise WheelcheckError(f"not a report of wheelcheck: {error}", EXIT_INTERNAL) from error

    @property
    def exit_code(self) -> int:
        """0: clean. 1: a refused wheel or a finding of fail_on or higher. 3: an input cannot be opened."""
        if any(one.rule is None for one in self.unreadable):
            return EXIT_UNREADABLE
        return int(bool(self.unreadable) or any(wheel.failed for wheel in self.checked))

    @property
    def failed(self) -> bool:
        """Whether a finding has the severity of fail_on or higher, or an input could not be read."""
        return self.exit_code != 0

    @property
    def checked(self) -> tuple[Wheel, ...]:
        """The wheels that were read."""
        return tuple(entry for entry in self.wheels if isinstance(entry, Wheel))

    @property
    def unreadable(self) -> tuple[Unreadable, ...]:
        """The inputs that could not be read."""
        return tuple(entry for entry in self.wheels if isinstance(entry, Unreadable))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all wheels, in their order; for each wheel, the highest severity first."""
        return tuple(finding for wheel in self.checked for finding in wheel.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)
