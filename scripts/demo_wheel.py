#!/usr/bin/env python3
"""Builds the example wheel of `scripts/wheelcheck` and prints its path: demo_wheel.py DIRECTORY.

The wheel claims manylinux_2_17 but is not compatible with it, for reasons that are common in real wheels: it is built
on a system and with a compiler that are too new, it needs a library that is not bundled, and it has a search path of
the build machine. Only gcc and the standard library are needed. The same compiler gives the same bytes.
"""

import base64
import hashlib
import pathlib
import platform
import subprocess
import sys
import tempfile
import zipfile

NAME, VERSION, PYTHON = "gridfit", "1.4.0", "311"
MACHINE = platform.machine()
TAG = f"cp{PYTHON}-cp{PYTHON}-manylinux_2_17_{MACHINE}.manylinux2014_{MACHINE}"
EXTENSION = f"gridfit/_solver.cpython-{PYTHON}-{MACHINE}-linux-gnu.so"
GRAFTED = "gridfit.libs/libgridmath-5d1c8e02.so.1"

# pthread_create moved to libc.so.6 with version GLIBC_2.34. arc4random has version GLIBC_2.36. PyModule_Create2 is a
# symbol of the interpreter.
SOLVER_C = """
#include <pthread.h>
#include <stdlib.h>
double grid_norm(const double *v, long n);
int TIFFReadScanline(void *tif, void *buffer, unsigned row, unsigned short sample);
void *PyModule_Create2(void *definition, int version);
static void *work(void *v) { return grid_norm(v, 3) > arc4random() ? v : 0; }
void *PyInit__solver(void) {
  static double v[3]; static char definition[128]; pthread_t thread;
  if (pthread_create(&thread, 0, work, v) || TIFFReadScanline(0, v, 0, 0)) return 0;
  return PyModule_Create2(definition, 1013);
}
"""
# std::condition_variable::wait(unique_lock&) has version GLIBCXX_3.4.30, which GCC 12 added.
MATH_CC = """
#include <cmath>
#include <condition_variable>
static std::mutex gate;
static std::condition_variable ready;
extern "C" double grid_norm(const double *v, long n) {
  std::unique_lock lock(gate);
  while (n < 0) ready.wait(lock);
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += v[i] * v[i];
  return std::sqrt(sum);
}
"""
TIFF_C = "int TIFFReadScanline(void) { return 0; }\n"


def build(folder):
    """Compiles into `folder` and returns {path in the wheel: bytes}."""

    def compile_shared(compiler, source, output, *flags):
        suffix = ".cc" if compiler == "g++" else ".c"
        (folder / f"source{suffix}").write_text(source)
        # With a relative source name and without a build ID the bytes do not depend on the build folder.
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O2", "-s", "-Wl,--build-id=none", "-o", output, f"source{suffix}", *flags],
            cwd=folder, check=True)

    compile_shared("g++", MATH_CC, "libgridmath.so", "-Wl,-soname,libgridmath-5d1c8e02.so.1")
    compile_shared("gcc", TIFF_C, "libtiff.so", "-Wl,-soname,libtiff.so.6")
    compile_shared("gcc", SOLVER_C, "solver.so", "-L.", "-lgridmath", "-ltiff", "-Wl,-z,execstack",
                   "-Wl,--enable-new-dtags,-rpath,$ORIGIN/../gridfit.libs:/home/build/gridfit/lib")
    info = f"{NAME}-{VERSION}.dist-info"
    python, abi, platforms = TAG.split("-")
    tags = "".join(f"Tag: {python}-{abi}-{one}\n" for one in platforms.split("."))
    return {
        "gridfit/__init__.py": b"from ._solver import fit\n",
        EXTENSION: (folder / "solver.so").read_bytes(),
        GRAFTED: (folder / "libgridmath.so").read_bytes(),
        f"{info}/METADATA": f"Metadata-Version: 2.4\nName: {NAME}\nVersion: {VERSION}\nLicense-Expression: MIT\n"
                            "Summary: Fits grids\nRequires-Python: >=3.11\n".encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: demo (1.0)\nRoot-Is-Purelib: false\n{tags}".encode(),
    }


def write(path, members):
    """Writes the wheel with its RECORD; times and modes are fixed."""
    record = f"{NAME}-{VERSION}.dist-info/RECORD"
    rows = ""
    for name, data in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows += f"{name},sha256={digest},{len(data)}\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**members, record: f"{rows}{record},,\n".encode()}.items():
            entry = zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if ".so" in name else 0o100644) << 16
            archive.writestr(entry, data)


def main():
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    wheel = target / f"{NAME}-{VERSION}-{TAG}.whl"
    # The wheel is built again only if this file is newer, so that a second run starts at once.
    if not wheel.exists() or wheel.stat().st_mtime < pathlib.Path(__file__).stat().st_mtime:
        with tempfile.TemporaryDirectory() as folder:
            fresh = wheel.with_suffix(".new")
            write(fresh, build(pathlib.Path(folder)))
            fresh.replace(wheel)
    print(wheel)


if __name__ == "__main__":
    main()
