"""The error that is raised if wheelcheck cannot answer."""

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from wheelcheck._report import Report

EXIT_USAGE, EXIT_UNREADABLE, EXIT_INTERNAL = 2, 3, 4


class WheelcheckError(Exception):
    """No complete answer. exit_code: 2 usage or configuration, 3 an input cannot be opened, 4 a bug of wheelcheck."""

    def __init__(self, message: str, exit_code: int, report: Optional["Report"] = None) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
        self.report = report  # with exit code 3: the report about the inputs that could be read
