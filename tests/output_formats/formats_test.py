#!/usr/bin/env python3
"""formats_test.py FORMAT PROGRAM: runs the tests of one format with an interpreter that has the required packages."""

import os
import pathlib
import sys

import peer

if __name__ == "__main__":
    script = pathlib.Path(__file__).with_name(f"{sys.argv[1]}_test.py")
    python = peer.peer_python()
    os.execv(python, [str(python), str(script), *sys.argv[2:]])
