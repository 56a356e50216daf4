"""What keeps wheelcheck from an answer."""

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from wheelcheck._report import Report

EXIT_USAGE, EXIT_UNREADABLE, EXIT_INTERNAL = 2, 3, 4


class WheelcheckError(Exception):
    """No full answer; exit_code: 2 usage or configuration, 3 an input not opened, 4 a fault of wheelcheck."""

    def __init__(self, message: str, exit_code: int, report: Optional["Report"] = None) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
        self.report = report  # with exit code 3: what is said of the inputs that could be read
