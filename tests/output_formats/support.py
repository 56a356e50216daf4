"""What every test of a format starts with: the program, named on the command line, and the wheels."""

import pathlib
import sys

from wheels import Wheels

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
WHEELS = Wheels()
