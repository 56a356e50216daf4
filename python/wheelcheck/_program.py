"""The path of the program that was installed with this package."""

import pathlib
import sysconfig
from collections.abc import Iterator
from importlib import metadata

from wheelcheck._error import EXIT_USAGE, WheelcheckError

NAME = "wheelcheck"


def find_program() -> pathlib.Path:
    """The program of this installation. Another program on PATH may write other fields."""
    for path in _places():
        if path.is_file():
            return path
    raise WheelcheckError(f"the program is not where {NAME} was installed; install {NAME} again", EXIT_USAGE)


def _places() -> Iterator[pathlib.Path]:
    # RECORD contains the path in a virtual environment, with --user and --prefix. With --target, pip moves scripts.
    package = pathlib.Path(__file__).resolve().parent
    for distribution in metadata.distributions(name=NAME, path=[str(package.parent)]):
        for file in distribution.files or ():
            if file.name == NAME and file.parent.name != NAME:
                yield pathlib.Path(str(file.locate())).resolve()
    yield package.parent / "bin" / NAME
    yield pathlib.Path(sysconfig.get_path("scripts")) / NAME
