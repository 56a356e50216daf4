"""Imports real wheels on emulated processors (QEMU, user mode) and compares the result with WC120. Writes the table of
docs/processors.md:

    python3 tests/corpus/processors.py --program build/release/wheelcheck --python PYTHON --arm-root ROOT DIRECTORY

PYTHON is CPython 3.11 for x86-64. ROOT contains Debian's python3.11 and libraries for arm64, as dpkg-deb -x unpacks
them. Wheels are installed by pip, with the packages that they require, of which NumPy is one
that works on all of these processors. DIRECTORY keeps the wheels and what happened, so
that only new wheels are imported when the script runs again; --only NAME... takes some of them."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# distribution, version, module to import
X86 = """
zpaq 0.3.7 zpaq
mst-python 0.4.2 mst
numpy 2.4.0 numpy
numpy 2.3.5 numpy
MarkupSafe 3.0.3 markupsafe._speedups
orjson 3.11.4 orjson
pillow 12.0.0 PIL._imaging
pyopal 0.7.3 pyopal
vlsift 0.1.2 vlsift.sift.cysift
simsimd 6.5.3 simsimd
xxhash 3.6.0 xxhash
cryptography 46.0.3 cryptography.hazmat.bindings._rust
zstandard 0.25.0 zstandard
rapidfuzz 3.14.3 rapidfuzz
regex 2025.11.3 regex
lxml 6.0.2 lxml.etree
tokenizers 0.22.1 tokenizers
pydantic_core 2.41.5 pydantic_core
faiss-cpu 1.13.0 faiss
polars-runtime-32 2.1.0 _polars_runtime_32._polars_runtime
duckdb 2.0.1 duckdb
pyarrow 26.0.1 pyarrow.lib
blosc2 4.14.1 blosc2
numexpr 2.14.2 numexpr
numcodecs 0.16.6 numcodecs.blosc
scikit-learn 1.9.1 sklearn.neighbors
scipy 1.17.1 scipy.linalg
lightgbm 4.7.0 lightgbm
xgboost-cpu 3.2.0 xgboost
catboost 1.2.10 catboost
opencv-python-headless 5.0.0.93 cv2
av 18.1.0 av
soundfile 0.14.0 soundfile
lz4 4.4.5 lz4.frame
cramjam 2.14.0 cramjam
blake3 1.0.11 blake3
pycryptodome 4.4.0 Crypto.Cipher.AES
crc32c 2.9.post0 crc32c
google-crc32c 1.9.0 google_crc32c
usearch 2.26.6 usearch.index
simplejpeg 1.9.0 simplejpeg
pybase64 1.5.1 pybase64
stringzilla 5.3.2 stringzilla
kiwisolver 1.5.1 kiwisolver
shapely 2.2.0 shapely
bcrypt 5.0.0 bcrypt
rpds-py 2026.9.1 rpds
safetensors 0.8.0 safetensors._safetensors_rust
nh3 0.3.8 nh3
jellyfish 1.3.0 jellyfish
tiktoken 0.14.0 tiktoken._tiktoken
rocksdict 0.3.29 rocksdict
tantivy 0.27.0 tantivy
css-inline 0.24.0 css_inline
psutil 7.2.2 psutil
ujson 6.1.0 ujson
msgspec 0.23.0 msgspec
msgpack 1.2.4 msgpack._cmsgpack
PyYAML 6.0.4 yaml._yaml
cffi 2.1.1 _cffi_backend
greenlet 3.5.6 greenlet
uvloop 0.23.0 uvloop
httptools 0.9.0 httptools
aiohttp 3.14.5 aiohttp._http_parser
pyzmq 27.3.0 zmq
grpcio 1.85.3 grpc._cython.cygrpc
protobuf 7.36.2 google._upb._message
PyNaCl 1.6.2 nacl.bindings
coincurve 21.0.0 coincurve
argon2-cffi-bindings 26.2.0 _argon2_cffi_bindings
Brotli 1.2.1 _brotli
isal 1.9.1 isal.isal_zlib
zlib-ng 1.1.0 zlib_ng.zlib_ng
lmdb 3.0.0 lmdb
psycopg2-binary 2.9.13 psycopg2
asyncpg 0.32.0 asyncpg.protocol.protocol
apsw 3.54.1.0 apsw
oracledb 26.1.0 oracledb.thick_impl
pyroaring 1.2.0 pyroaring
mmh3 5.3.1 mmh3
pyfarmhash 0.5.1 farmhash
pysimdjson 7.0.2 simdjson
python-rapidjson 1.25 rapidjson
hyperscan 0.9.1 hyperscan
pyahocorasick 2.3.1 ahocorasick
lupa 2.8 lupa
mini-racer 0.14.1 py_mini_racer._dll
wasmtime 50.0.1 wasmtime
quickjs 1.19.4 quickjs
unicorn 2.1.4 unicorn
capstone 5.0.9 capstone
yara-python 4.5.4 yara
lief 1.0.0 lief
bottleneck 1.6.0 bottleneck
PyWavelets 1.9.0 pywt
pyFFTW 0.15.1 pyfftw
ducc0 0.42.0 ducc0
finufft 2.5.1 finufft
cvxopt 1.3.3 cvxopt.base
highspy 1.16.0 highspy
gmpy2 2.3.2 gmpy2
python-flint 0.9.0 flint
symengine 0.15.0 symengine
z3-solver 5.4.1.0 z3
pyhmmer 0.12.3 pyhmmer
pyrodigal 3.7.1 pyrodigal
parasail 1.3.4 parasail
edlib 1.3.9.post1 edlib
pysam 0.24.1 pysam
spglib 2.8.0 spglib
pyerfa 2.0.1.5 erfa
imagecodecs 2026.3.6 imagecodecs._imcd
"""
ARM = """
MarkupSafe 3.0.3 markupsafe._speedups
cryptography 46.0.3 cryptography.hazmat.bindings._rust
faiss-cpu 1.13.0 faiss
lxml 6.0.2 lxml.etree
numpy 1.26.4 numpy
numpy 2.3.5 numpy
onnxruntime 1.23.2 onnxruntime
orjson 3.11.4 orjson
pillow 12.0.0 PIL._imaging
pydantic_core 2.41.5 pydantic_core
rapidfuzz 3.14.3 rapidfuzz
simsimd 6.5.3 simsimd
xxhash 3.6.0 xxhash
zstandard 0.25.0 zstandard
pyarrow 26.0.1 pyarrow.lib
duckdb 2.0.1 duckdb
blosc2 4.14.1 blosc2
lz4 4.4.5 lz4.frame
cramjam 2.14.0 cramjam
blake3 1.0.11 blake3
pycryptodome 4.4.0 Crypto.Cipher.AES
crc32c 2.9.post0 crc32c
stringzilla 5.3.2 stringzilla
pybase64 1.5.1 pybase64
kiwisolver 1.5.1 kiwisolver
shapely 2.2.0 shapely
isal 1.9.1 isal.isal_zlib
zlib-ng 1.1.0 zlib_ng.zlib_ng
usearch 2.26.6 usearch.index
polars-runtime-32 2.1.0 _polars_runtime_32._polars_runtime
bcrypt 5.0.0 bcrypt
rpds-py 2026.9.1 rpds
safetensors 0.8.0 safetensors._safetensors_rust
tiktoken 0.14.0 tiktoken._tiktoken
rocksdict 0.3.29 rocksdict
psutil 7.2.2 psutil
msgspec 0.23.0 msgspec
uvloop 0.23.0 uvloop
grpcio 1.85.3 grpc._cython.cygrpc
protobuf 7.36.2 google._upb._message
PyNaCl 1.6.2 nacl.bindings
Brotli 1.2.1 _brotli
llvmlite 0.50.0 llvmlite.binding
pysimdjson 7.0.2 simdjson
hyperscan 0.9.1 hyperscan
h5py 3.16.0 h5py
PyWavelets 1.9.0 pywt
ducc0 0.42.0 ducc0
blis 1.3.4 blis.py
highspy 1.16.0 highspy
z3-solver 4.15.4.0 z3
wasmtime 50.0.1 wasmtime
unicorn 2.1.4 unicorn
torch 2.4.0 torch
"""
PLATFORMS = {
    "x86_64": [
        "manylinux_2_34_x86_64",
        "manylinux_2_28_x86_64",
        "manylinux_2_27_x86_64",
        "manylinux_2_24_x86_64",
        "manylinux2014_x86_64",
        "manylinux2010_x86_64",
        "manylinux1_x86_64",
    ],
    "aarch64": ["manylinux_2_34_aarch64", "manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64"],
}
PROCESSORS = {"x86_64": ["Nehalem", "core2duo", "phenom"], "aarch64": ["cortex-a53", "cortex-a72"]}


def pip(action, machine, wheel, *words):
    platforms = [word for tag in PLATFORMS[machine] for word in ("--platform", tag)]
    command = [
        sys.executable,
        "-m",
        "pip",
        "-q",
        "--disable-pip-version-check",
        action,
        *words,
        "--only-binary",
        ":all:",
        "--python-version",
        "3.11",
        "--implementation",
        "cp",
        *platforms,
        wheel,
    ]
    done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode == 0


def requirements(wheel, directory):
    """Words for pip: newer versions of NumPy need x86-64-v2, which would hide what another wheel needs."""
    if pathlib.Path(wheel).name.startswith("numpy-"):
        return []
    file = directory / "constraints.txt"
    file.write_text("numpy<2.4\n")
    return ["--constraint", str(file)]


def outcome(command, module, site):
    code = f"import sys; sys.path.insert(0, {str(site)!r}); import {module}"
    try:
        done = subprocess.run(
            [*command, "-S", "-c", code],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
        )
    except subprocess.TimeoutExpired:
        return "no end in 10 minutes"
    if done.returncode == 0:
        return "works"
    if done.returncode in (132, -4) or "uncaught target signal 4" in done.stderr:
        return "**SIGILL**"
    if "numpy.core.multiarray failed to import" in done.stderr:
        return "fails, because it is for NumPy 1"
    last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    return re.sub(r"[|`]", " ", last)[:60]


def said(program, wheel):
    done = subprocess.run(
        [program, "check", "--format", "json", wheel],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    found = [
        one
        for report in json.loads(done.stdout)["wheels"]
        for one in report["findings"]
        if one["code"] in ("WC120", "WC111", "WC116")
    ]
    return "; ".join(sorted({f"{one['severity']} {one['code']}: {one['message'].split(':')[0][:90]}" for one in found}))


def imported(args, machine, wheel, module):
    """What happens on each processor."""
    with tempfile.TemporaryDirectory() as site:
        if not pip("install", machine, wheel, "--target", site, *requirements(wheel, args.directory)):
            return None
        run = {
            "x86_64": ["qemu-x86_64", args.python],
            "aarch64": ["qemu-aarch64", "-L", args.arm_root, args.arm_root / "usr/bin/python3.11"],
        }[machine]
        return [outcome([run[0], "-cpu", cpu, *run[1:]], module, site) for cpu in [*PROCESSORS[machine], "max"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program")
    parser.add_argument("--python", required=True)
    parser.add_argument("--arm-root", required=True, type=pathlib.Path)
    parser.add_argument("--known", action="store_true", help="import nothing")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="print the rows of these distributions")
    parser.add_argument("directory", type=pathlib.Path)
    args = parser.parse_args()
    kept = args.directory / "outcomes.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    for machine, text in (("x86_64", X86), ("aarch64", ARM)):
        rows = []
        for line in filter(None, text.split("\n")):
            name, version, module = line.split()
            if args.only and name not in args.only:
                continue
            folder = args.directory / machine / f"{name}-{version}"
            folder.mkdir(parents=True, exist_ok=True)
            if not any(folder.glob("*.whl")) and not args.known:
                pip("download", machine, f"{name}=={version}", "--no-deps", "-d", str(folder))
            wheel = next(folder.glob("*.whl"), None)
            key = f"{machine} {line}"
            if wheel and key not in known and not args.known:
                known[key] = imported(args, machine, str(wheel), module)
                kept.write_text(json.dumps(known, indent=1))
            print(key, known.get(key, "no wheel"), file=sys.stderr, flush=True)
            if args.program and known.get(key):
                rows.append([f"{name} {version}", *known[key], said(args.program, wheel)])
        print(f"## {machine}\n\n| wheel | {' | '.join(PROCESSORS[machine])} | max | wheelcheck |")
        print(f"|{'---|' * (len(PROCESSORS[machine]) + 3)}")
        for row in rows:
            print(f"| {' | '.join(row)} |")
        print()


if __name__ == "__main__":
    main()
