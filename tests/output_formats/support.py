"""The shared parts of the tests of the formats: the program from the command line, and the wheels."""

import pathlib
import sys

from wheels import Wheels

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
WHEELS = Wheels()
