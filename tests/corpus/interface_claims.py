#!/usr/bin/env python3
"""interface_claims.py PROGRAM WHEEL...: checks what `wheelcheck interfaces` states, with other tools.

Nothing of wheelcheck is used for the check: `readelf` for libraries and version nodes, the symbols of real interpreters
for the stable ABI, and for NumPy a run in which NumPy says that it has the stated version of the C API, or the one
before it. --cuobjdump FILE names NVIDIA's program (wheel nvidia-cuda-cuobjdump), which lists the device code; --runtimes
DIR the wheels of nvidia-cuda-runtime, whose symbols decide about the toolkit. Run by hand: it needs the interpreters of
pyenv and wheels for CPython 3.11 on x86-64. Prints each statement that is wrong, and for each group how many are right,
wrong, or could not be checked.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess
import tempfile
import zipfile

import interface_floors

# numpy/core/setup_common.py and numpy/_core/include/numpy/numpyconfig.h: the versions of the C API.
FEATURES = {"1.7": 7, "1.8": 8, "1.9": 9, "1.10": 10, "1.13": 11, "1.14": 12, "1.16": 13, "1.20": 14, "1.22": 15,
            "1.23": 16, "1.25": 17, "2.0": 18, "2.1": 19, "2.3": 20}
# Changes the entry of PyArray_GetNDArrayCFeatureVersion in NumPy's table of functions, then executes one module, alone or
# as a part of its package. Prints the functions in its __pyx_capi__.
RUN = """
import ctypes, importlib, importlib.util as util, sys, traceback
file, name, feature = sys.argv[1], sys.argv[2], int(sys.argv[3])
import numpy
umath = sys.modules.get("numpy._core._multiarray_umath") or sys.modules["numpy.core._multiarray_umath"]
get = ctypes.pythonapi.PyCapsule_GetPointer
get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
entry = get(umath._ARRAY_API, None) + 211 * 8
ctypes.CDLL(None).mprotect(ctypes.c_void_p(entry & ~4095), 4096, 3)
function = ctypes.CFUNCTYPE(ctypes.c_uint)(lambda: feature)
ctypes.c_void_p.from_address(entry).value = ctypes.cast(function, ctypes.c_void_p).value
try:
    spec = util.spec_from_file_location(name.rpartition(".")[2], file)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
except BaseException:
    traceback.print_exc()
    module = importlib.import_module(name)
of_capsule = ctypes.pythonapi.PyCapsule_GetName
of_capsule.restype, of_capsule.argtypes = ctypes.c_char_p, [ctypes.py_object]
for function, capsule in getattr(module, "__pyx_capi__", {}).items():
    print(f"{function}: {of_capsule(capsule).decode()}")
"""


def output(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, errors="replace").stdout


@functools.cache
def interpreter_symbols(minor):
    program = interface_floors.python(f"3.{minor}")
    files = [program, *program.parents[1].glob(f"lib/libpython3.{minor}*.so.1.0")]
    return {name for file in files for name in re.findall(r" [TDBRVW] (\w+)$", output("nm", "-D", file), re.MULTILINE)}


class Facts:
    """What readelf says about one file."""

    def __init__(self, path):
        dynamic = output("readelf", "-dW", path)
        self.needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
        self.symbols = set(re.findall(r" UND (\S+?)(?:@\S+)?(?: \(\d+\))?$", output("readelf", "-W", "--dyn-syms", path),
                                      re.MULTILINE))
        self.nodes, library = collections.defaultdict(set), ""
        for line in output("readelf", "-VW", path).partition("Version needs section")[2].splitlines():
            if found := re.search(r"File: (\S+)", line):
                library = found.group(1)
            elif found := re.search(r"Name: (\S+)", line):
                self.nodes[library].add(found.group(1))


def is_right_python(entry, path, facts):
    if not entry["minimum"]:
        return None
    if "abi3" not in (entry["detail"] or ""):
        return f".cpython-{entry['minimum'].replace('.', '')}" in path.name or None
    minor = int(entry["minimum"].split(".")[1])
    if not 7 <= minor <= 13:
        return None
    name = entry["evidence"]
    return name in facts.symbols and name in interpreter_symbols(minor) and name not in interpreter_symbols(minor - 1)


def run(entry, path, numpy, feature):
    """The process that executes the module, or None if it is not for this interpreter."""
    if ".cpython-311-" not in path.name and ".abi3." not in path.name:
        return None
    site = str(path)[: -len(entry["member"]) - 1]
    name = entry["member"].partition(".")[0].replace("/", ".")
    return subprocess.run([interface_floors.python("3.11"), "-c", RUN, path, name, str(feature)], capture_output=True,
                          text=True, check=False, errors="replace", timeout=120,
                          env={"PYTHONPATH": f"{numpy}:{site}", "PYTHONDONTWRITEBYTECODE": "1"})


def is_right_numpy(entry, path, numpys):
    feature, refused = FEATURES.get(entry["minimum"]), []
    for version in (feature - 1, feature) if feature else ():
        if done := run(entry, path, numpys[entry["below"] == "2"], version):
            refused.append("compiled against" in done.stderr and "API version" in done.stderr)
    return refused == [True, False] if True in refused else None


def is_right_cython(entry, path, numpys):
    exports = (entry["detail"] or "").partition("exports at least ")[2]
    for numpy in numpys if exports else ():
        if (done := run(entry, path, numpy, 99)) and done.returncode == 0:
            return set(exports.split("; ")) <= set(done.stdout.splitlines())
    return None


def newest(nodes, prefix):
    found = [re.fullmatch(prefix + r"_(\d+(?:\.\d+)*)", node) for nodes_of in nodes.values() for node in nodes_of]
    return max((interface_floors.key(one.group(1)) for one in found if one), default=None)


def is_right(entry, path, facts, numpys):
    """True, False, or None if it cannot be checked here."""
    group, name = entry["group"], entry["name"]
    if group == "python":
        return is_right_python(entry, path, facts)
    if group == "numpy":
        return is_right_numpy(entry, path, numpys)
    if group == "cython":
        return is_right_cython(entry, path, numpys)
    if group in ("pybind11", "nanobind"):
        return entry["detail"].encode() in path.read_bytes()
    if group == "torch":
        return entry["evidence"] in facts.symbols
    if group == "library":
        node = re.search(r"version node (\S+)", entry["detail"] or "")
        return name in facts.needed and (not node or node.group(1) in facts.nodes[name])
    prefix = {"glibc": "GLIBC", "libstdc++ (GLIBCXX)": "GLIBCXX", "libstdc++ (CXXABI)": "CXXABI", "libgcc": "GCC"}
    if group == "system" and name in prefix:
        return newest(facts.nodes, prefix[name]) == interface_floors.key(entry["minimum"])
    if group == "gpu" and entry["detail"] and entry["detail"].endswith("linked"):
        return name in facts.needed
    return None


def is_code(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def targets(files, cuobjdump, kind):
    """The processors for which the files contain code, as NVIDIA's program lists it; None if it refuses a file."""
    found = set()
    for file in files:
        words = [cuobjdump, "-all", "--list-ptx" if kind == "PTX" else "--list-elf", file]
        done = subprocess.run(words, capture_output=True, text=True, check=False, errors="replace")
        if done.returncode and "does not contain device code" not in done.stderr + done.stdout:
            return None
        found |= set(re.findall(r"\.(sm_\d+[a-z]?)\.", done.stdout))
    return {name.replace("sm_", "compute_") for name in found} if kind == "PTX" else found


@functools.cache
def runtime_symbols(folder, soname):
    """The symbols of each release of that runtime library, oldest first."""
    releases = {}
    for wheel in pathlib.Path(folder).glob("nvidia_cuda_runtime*.whl"):
        with zipfile.ZipFile(wheel) as archive, tempfile.NamedTemporaryFile() as file:
            for member in archive.namelist():
                if member.endswith("/" + soname):
                    file.write(archive.read(member))
                    file.flush()
                    version = tuple(interface_floors.key(wheel.name.split("-")[1]))
                    releases[version] = set(re.findall(r" [TW] (\w+)", output("nm", "-D", file.name)))
    return sorted(releases.items())


def is_right_toolkit(entry, facts, folder):
    """Whether it is the first release that defines all functions of the runtime that the file imports."""
    stated = interface_floors.key(entry["minimum"])
    for soname in (name for name in facts.needed if re.fullmatch(r"libcudart\.so\.[\d.]+", name)):
        releases = runtime_symbols(folder, soname)
        known = facts.symbols & set().union(*(symbols for _, symbols in releases))
        first = next((version for version, symbols in releases if known <= symbols), None)
        if first and len(stated) == 1:  # the major version alone
            return first[0] == stated[0] and first == releases[0][0]
        return list(first[:2]) == stated if first else None
    return None


def is_right_gpu(entry, path, files, options):
    if entry["name"] in ("device code for NVIDIA GPUs", "PTX") and options.cuobjdump:
        found = targets(files, options.cuobjdump, entry["name"])
        # It lists code that the compiler was told to make for sm_100f as that for sm_100.
        stated = {re.sub("f$", "", name) for name in entry["detail"].split()}
        return None if found is None else stated == found
    if entry["name"] == "CUDA toolkit" and options.runtimes and path.is_file():
        return is_right_toolkit(entry, Facts(path), options.runtimes)
    return None


def check(options, wheel, numpys):
    words = [options.program, "interfaces", "--format", "json", wheel]
    done = subprocess.run(words, capture_output=True, check=False)
    lines = []
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
        code = sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file() and is_code(path))
        for entry in json.loads(done.stdout)["wheels"][0]["entries"] if done.stdout else []:
            path = pathlib.Path(folder, entry["member"])
            answer = is_right(entry, path, Facts(path), numpys) if path.is_file() else None
            if answer is None and entry["group"] == "gpu":
                answer = is_right_gpu(entry, path, code, options)
            alone = entry["group"] not in ("system", "gpu") or "." in entry["name"]
            group = entry["group"] if alone else f"{entry['group']}: {entry['name']}"
            lines.append((group, answer, f"{wheel.name}: {json.dumps(entry)}"))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("wheels", type=pathlib.Path, nargs="+")
    parser.add_argument("--cuobjdump")
    parser.add_argument("--runtimes")
    options = parser.parse_args()
    options.program = options.program.resolve()
    folder = pathlib.Path.home() / ".cache/wheelcheck/floors"
    numpys = [interface_floors.unpack(folder, interface_floors.download(folder, f"numpy=={version}", "3.11"))
              for version in ("2.3.5", "1.26.4")]
    counts = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for lines in pool.map(lambda wheel: check(options, wheel, numpys), options.wheels):
            for group, answer, text in lines:
                counts[group][answer] += 1
                if answer is False:
                    print(f"WRONG {group}: {text}", flush=True)
    print(f"| statement ({len(options.wheels)} wheels) | right | wrong | not checked |\n|---|---|---|---|")
    for group, count in sorted(counts.items()):
        print(f"| {group} | {count[True]} | {count[False]} | {count[None]} |")


if __name__ == "__main__":
    main()
