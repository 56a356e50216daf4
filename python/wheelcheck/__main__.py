"""`python -m wheelcheck`: runs the program of this environment, regardless of PATH."""

import os
import sys

from wheelcheck._error import WheelcheckError
from wheelcheck._program import find_program


def main() -> int:
    try:
        program = find_program()
    except WheelcheckError as error:
        print(f"wheelcheck: {error}", file=sys.stderr)
        return error.exit_code
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
