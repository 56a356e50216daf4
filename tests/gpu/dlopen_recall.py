#!/usr/bin/env python3
"""Measures how many of the GPU libraries that a package tries to load wheelcheck reports, compared with the log of the
loader.

    tests/gpu/dlopen_recall.py --cache DIR --wheelcheck build/release/wheelcheck [--only cupy ...]

For each package it creates a virtual environment below DIR, downloads the wheels, and imports the package with
LD_DEBUG=files (ld.so(8)), once without the nvidia-* wheels and once with them. It then collects the names that the
loader was called with. A name counts as found if wheelcheck's report on those wheels contains it, or a pattern that
matches it (libcudart.so.*). The script downloads several gigabytes, so it is not a test; docs/gpu.md contains its last
result. It needs the interpreter that the wheels are for, and a machine without a GPU driver, because the packages stop
searching if they find one.
"""
import argparse
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

TRY = """
def t(f):
    try: print(f())
    except Exception as error: print(type(error).__name__, str(error)[:200])
"""
ONNX = """
import onnxruntime
try: onnxruntime.preload_dlls()
except Exception as error: print(error)
t(lambda: onnxruntime.InferenceSession(bytes.fromhex('0807'),
                                       providers=['TensorrtExecutionProvider', 'CUDAExecutionProvider']))
"""
CUPY = """
import cupy, importlib
t(lambda: cupy.cuda.runtime.getDeviceCount())
t(lambda: cupy.show_config())
for m in ('cublas', 'curand', 'cusolver', 'cusparse', 'nvrtc', 'nccl', 'cutensor'):
    t(lambda: importlib.import_module('cupy_backends.cuda.libs.' + m))
t(lambda: cupy.arange(3))
"""
TRITON = """
import triton, triton.backends, triton.profiler
t(lambda: triton.runtime.driver.active.get_current_target())
for name, backend in triton.backends.backends.items():
    t(lambda: backend.driver.is_active())
    t(lambda: backend.driver())
for name in ('cupti', 'roctracer'):
    t(lambda: triton.profiler.start('x', backend=name))
"""
CU12 = [f"nvidia-{part}-cu12" for part in ("cublas", "cuda-cupti", "cuda-nvrtc", "cuda-runtime", "cudnn", "cufft",
                                           "curand", "cusolver", "cusparse", "nccl", "nvjitlink")]
TORCH = ["cuda-toolkit[cublas,cudart,cufft,cufile,cupti,cusolver,cusparse,nvjitlink,nvrtc,nvtx]==13.2.2",
         "nvidia-cudnn-cu13", "nvidia-cusparselt-cu13", "nvidia-nccl-cu13", "nvidia-nvshmem-cu13"]
# What is installed first, what is added for the second run, and what is run. `bare`: without its dependencies, which
# are listed one by one, so that the nvidia-* wheels are not installed.
PACKAGES = {
    "tensorflow": (["tensorflow==2.21.0"], CU12, "import tensorflow\n"
                   "t(lambda: tensorflow.config.list_physical_devices('GPU'))\n"),
    "onnxruntime-gpu": (["onnxruntime-gpu==1.31.1"],
                        ["nvidia-cuda-nvrtc==13.*", "nvidia-cuda-runtime==13.*", "nvidia-cufft==12.*",
                         "nvidia-curand==10.*", "nvidia-cudnn-cu13==9.*", "nvidia-cublas==13.*"], ONNX),
    "cupy": (["cupy-cuda12x==14.2.0"],
             ["cuda-toolkit[cublas,cudart,cufft,curand,cusolver,cusparse,nvrtc]==12.*"], CUPY),
    "triton": (["triton==3.9.0", "numpy"], [], TRITON),
    "bitsandbytes": (["bare:bitsandbytes==0.50.2", "bare:torch==2.15.0", "numpy", "packaging", "filelock",
                      "typing-extensions", "sympy", "networkx", "jinja2", "fsspec", "setuptools>=77.0.3"],
                     TORCH + ["cuda-bindings<14", "triton==3.9.0"], "t(lambda: __import__('bitsandbytes'))\n"),
}
# Format: file=libcuda.so.1 [0];  dynamically loaded by /.../libtensorflow_framework.so.2 [0]
ASKED = re.compile(r"file=(\S+) \[\d+\];\s+(needed|dynamically loaded) by (\S+) \[")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def install(venv, wheels, requirements):
    """Downloads the wheels to check, then installs the same files."""
    for requirement in requirements:
        bare = ["--no-deps"] if requirement.startswith("bare:") else []
        requirement = requirement.removeprefix("bare:")
        run(venv / "bin/pip", "download", "-q", *bare, "--find-links", wheels, "-d", wheels, requirement)
        run(venv / "bin/pip", "install", "-q", *bare, "--find-links", wheels, requirement)


def stems():
    return {entry["stem"] for entry in json.loads((ROOT / "data/gpu.json").read_text())["gpu"]}


def asked_for(log_directory, known):
    """The names of GPU libraries that the loader was called with, and the files that caused it."""
    result = {}
    for log in sorted(log_directory.glob("log.*")):
        for name, how, by in ASKED.findall(log.read_text(errors="replace")):
            name = name.rsplit("/", 1)[-1]
            if "/site-packages/nvidia/" in os.path.normpath(by):  # dependencies between these libraries do not count
                continue
            if name.split(".so", 1)[0] in known and ".so" in name:
                way = "link" if how == "needed" else "dlopen"
                result.setdefault(name, set()).add(f"{by.rsplit('/', 1)[-1]} ({way})")
    return result


def trace(venv, code, directory, known):
    directory.mkdir(parents=True, exist_ok=True)
    for log in directory.glob("log.*"):
        log.unlink()
    script = directory / "script.py"
    script.write_text(TRY + code)
    environment = {**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(directory / "log")}
    with open(directory / "output", "w") as output:
        subprocess.run([venv / "bin/python", script], cwd=directory, env=environment, stdout=output,
                       stderr=subprocess.STDOUT, timeout=600, check=False)
    return asked_for(directory, known)


def named(program, wheels):
    """The names in wheelcheck's reports, with their uses."""
    answer = subprocess.run([program, "--format", "json", *sorted(wheels)], capture_output=True, text=True, check=False)
    if not answer.stdout.startswith("{"):
        sys.exit(f"{program}: {answer.stderr}")
    result = {}
    for wheel in json.loads(answer.stdout)["wheels"]:
        for one in wheel["gpu"]:
            result.setdefault(one["name"], set()).add(one["use"])
    return result


def fits(name, form):
    """True if `name` matches `form` as written in the code. %d, {} and * stand for inserted text."""
    pattern = re.sub(r"%[0-9.l]*[dsu]|\{[^}]*\}", "*", form)
    return name == form or fnmatch.fnmatchcase(name, pattern.replace("*[0-9]", "*"))


def find(name, names):
    """How the reports found the name. A requirement of its distribution in METADATA, or a file of that name, does not
    count."""
    uses = set().union(*(uses for form, uses in names.items() if fits(name, form)), set())
    return sorted(uses - {"declared", "bundled"})


def report(package, kind, asked, names):
    found = {name: find(name, names) for name in asked}
    hit = sum(1 for uses in found.values() if uses)
    for name in sorted(asked):
        print(f"{package}\t{kind}\t{name}\t{', '.join(found[name]) or 'MISSED'}\t{'; '.join(sorted(asked[name]))}")
    return hit, len(asked)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="keeps environments and wheels")
    parser.add_argument("--wheelcheck", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="*", default=list(PACKAGES), choices=list(PACKAGES))
    arguments = parser.parse_args()
    known, total = stems(), []
    for package in arguments.only:
        first, second, code = PACKAGES[package]
        place = arguments.cache.resolve() / package
        venv, wheels = place / "venv", place / "wheels"
        asked = {}
        for kind, requirements in (("alone", first), ("with nvidia", second)):
            done = place / f"{kind}.done"
            if not done.exists():
                if not (venv / "bin/python").exists():
                    run(sys.executable, "-m", "venv", venv)
                wheels.mkdir(parents=True, exist_ok=True)
                install(venv, wheels, requirements)
                asked[kind] = trace(venv, code, place / kind, known)
                done.touch()
            else:
                asked[kind] = asked_for(place / kind, known)
        judged = [wheel for wheel in wheels.glob("*.whl") if not wheel.name.startswith("nvidia_")]
        names = named(arguments.wheelcheck.resolve(), judged)
        for kind, libraries in asked.items():
            total.append((package, kind, *report(package, kind, libraries, names)))
    print("\npackage\trun\tfound\ttried\trecall")
    for package, kind, hit, count in total:
        print(f"{package}\t{kind}\t{hit}\t{count}\t{100 * hit / max(count, 1):.1f} %")
    hit, count = sum(row[2] for row in total), sum(row[3] for row in total)
    print(f"all\t\t{hit}\t{count}\t{100 * hit / max(count, 1):.1f} %")


if __name__ == "__main__":
    main()
