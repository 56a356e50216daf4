#!/usr/bin/env python3
"""fleet_test.py PART PROGRAM: runs one part of the tests of wheelcheck-fleet with an interpreter that has dask."""

import os
import pathlib
import sys

import dask_python

if __name__ == "__main__":
    script = pathlib.Path(__file__).with_name(f"{sys.argv[1]}_test.py")
    python = dask_python.dask_python()
    os.execv(python, [str(python), str(script), *sys.argv[2:]])
