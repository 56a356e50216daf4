#!/usr/bin/env python3
"""interface_claims.py PROGRAM WHEEL...: checks what `wheelcheck interfaces` states, with other tools.

Nothing of wheelcheck is used for the check:
- libraries, version nodes, imported symbols: `readelf`;
- the stable ABI: the symbols of real interpreters;
- NumPy: a run in which NumPy says that it has the stated version of the C API, or the one before it, or else the
  disassembled code;
- functions of Cython: `__pyx_capi__` of the imported modules. A module that cannot be imported from the unpacked wheel
  is imported in an environment into which uv installs the wheel with what it requires;
- musl: its sources (--musl DIR, a clone of its repository);
- CUDA: NVIDIA's programs (--cuobjdump FILE, more than once; the first that accepts a file) and the wheels of NVIDIA's
  libraries (--runtimes DIR).

Run by hand: it needs uv, the interpreters of pyenv and the network. Prints each statement that is wrong, and for each
group how many are right, wrong, or could not be checked.
"""

import argparse
import collections
import concurrent.futures
import functools
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import interface_floors

# numpy/core/setup_common.py and numpy/_core/include/numpy/numpyconfig.h: the versions of the C API.
FEATURES = {"1.7": 7, "1.8": 8, "1.9": 9, "1.10": 10, "1.13": 11, "1.14": 12, "1.16": 13, "1.20": 14, "1.22": 15,
            "1.23": 16, "1.25": 17, "2.0": 18, "2.1": 19, "2.3": 20, "2.4": 21}
# For an interpreter that newer ones do not support.
NUMPY_OF_PYTHON = {6: "1.19.5", 7: "1.21.6", 8: "1.24.4"}
# The oldest driver of each CUDA (CUDA compatibility guide, "minor version compatibility").
DRIVERS = {"11": "450.80.02", "12": "525.60.13", "13": "580"}
# Imports a module and prints the functions of __pyx_capi__ of all modules. If there is a version to try, changes the
# entry of PyArray_GetNDArrayCFeatureVersion in NumPy's table of functions and executes a copy of the file: everything
# that it requires is loaded by then, so an error is its own. Modules of pybind11 cannot be executed twice: "first"
# changes the table before the import.
RUN = """
import ctypes, importlib, importlib.util as util, os, shutil, sys, tempfile, traceback
file, name, feature, first = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "first"
def change():
    import numpy
    umath = sys.modules.get("numpy._core._multiarray_umath") or sys.modules["numpy.core._multiarray_umath"]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    entry = get(umath._ARRAY_API, None) + 211 * 8
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(entry & ~4095), 4096, 3)
    global kept
    kept = ctypes.CFUNCTYPE(ctypes.c_uint)(lambda: feature)
    ctypes.c_void_p.from_address(entry).value = ctypes.cast(kept, ctypes.c_void_p).value
of_capsule = ctypes.pythonapi.PyCapsule_GetName
of_capsule.restype, of_capsule.argtypes = ctypes.c_char_p, [ctypes.py_object]
if first:
    import numpy.fft, numpy.linalg, numpy.random  # their modules have floors too
    change()
try:
    importlib.import_module(name)
    print("imported")
    for each, module in list(sys.modules.items()):
        for function, capsule in getattr(module, "__pyx_capi__", {}).items():
            print("export" if each == name else "import", f"{function}: {of_capsule(capsule).decode()}")
    file = shutil.copy(file, tempfile.mkdtemp())
except BaseException:
    traceback.print_exc()
if feature and not first:
    change()
    spec = util.spec_from_file_location(name.rpartition(".")[2], file)
    spec.loader.exec_module(util.module_from_spec(spec))
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


class Wheel:
    """A wheel, unpacked, and what is needed to import its modules."""

    def __init__(self, path, folder, numpys):
        self.path, self.folder, self.numpys = path, folder, numpys
        tag = re.search(r"-cp3(\d+)-", path.name)
        self.minor = int(tag.group(1)) if tag and "-abi3-" not in path.name else 11
        self.environments = {}

    def environment(self, numpy):
        """The interpreter of an environment with the wheel, what it requires, and that NumPy."""
        numpy = NUMPY_OF_PYTHON.get(self.minor, numpy)
        if self.path.name.startswith("numpy-"):
            numpy = self.path.name.split("-")[1]
        if numpy not in self.environments:
            top = self.folder / f"environment-{numpy}"
            override = self.folder / "override.txt"
            override.write_text(f"numpy=={numpy}\n")
            python = interface_floors.python(f"3.{self.minor}")
            subprocess.run(["uv", "venv", "-q", "--python", python, top], check=True)
            words = ["uv", "pip", "install", "-q", "--python", top / "bin/python", "--only-binary", ":all:"]
            words += ["--override", override, self.path, f"numpy=={numpy}"]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{self.path.name}: {done.stderr.strip()[-300:]}", file=sys.stderr)
            self.environments[numpy] = None if done.returncode else top / "bin/python"
        return self.environments[numpy]

    def runs(self, entry, numpy, feature):
        """Processes that import and execute the module: from the unpacked wheel, then in an environment."""
        member = entry["member"]
        name = re.sub(r"^[^/]*\.data/(plat|pure)lib/", "", member).partition(".")[0].replace("/", ".")
        suffix = re.search(r"\.cpython-3(\d+)", member)
        # Modules of other machines, C libraries and interpreters are not run.
        if not self.path.stem.endswith("x86_64") or "musl" in self.path.stem:
            return
        if suffix and int(suffix.group(1)) != self.minor:
            return
        for installed, when in ((False, "then"), (True, "then"), (True, "first")):
            program, files = interface_floors.python(f"3.{self.minor}"), self.folder / "files"
            paths = [str(files)]
            if installed:
                program = self.environment(numpy)
                if not program:
                    return
                files, paths = next(program.parents[1].glob("lib/python3*/site-packages")), []
            elif self.minor == 11:
                paths.insert(0, str(self.numpys[numpy]))
            elif feature:  # the unpacked NumPy is for CPython 3.11
                yield None
                continue
            file = files / re.sub(r"^[^/]*\.data/(plat|pure)lib/", "", member) if installed else files / member
            try:
                environment = {**os.environ, "PYTHONPATH": ":".join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
                yield subprocess.run([program, "-c", RUN, file, name, str(feature), when], env=environment, text=True,
                                     errors="replace", capture_output=True, check=False, timeout=300,
                                     stdin=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                return

    def refuses(self, entry, numpy, feature):
        """Whether the module refuses a NumPy with that version of the C API, each time that it is run."""
        text = r"compiled against .*API version|numpy\.core\.multiarray failed to import"  # of NumPy, of Cython
        for done in self.runs(entry, numpy, feature):
            yield bool(done and re.search(text, done.stderr))


def is_right_python(entry, path, facts):
    if "abi3" not in (entry["detail"] or ""):
        return f".cpython-{entry['minimum'].replace('.', '')}" in path.name or None
    known = [minor for minor in range(6, 14) if list(pathlib.Path.home().glob(f".pyenv/versions/3.{minor}.*"))]
    wanted = {name for name in facts.symbols if re.match("_?Py", name)}
    if not entry["minimum"]:  # it says only that the names are of the stable ABI: they are in every interpreter
        return ".abi3" in path.name and all(wanted <= interpreter_symbols(minor) for minor in known)
    minor = int(entry["minimum"].split(".")[1])
    name = entry["evidence"]
    if not {minor - 1, minor} <= set(known):
        return None
    return name in facts.symbols and name in interpreter_symbols(minor) and name not in interpreter_symbols(minor - 1)


def is_right_numpy(entry, path, wheel):
    feature, numpy = FEATURES.get(entry["minimum"]), "1.26.4" if entry["below"] == "2" else "2.3.5"
    if not feature:
        return None
    refused = zip(wheel.refuses(entry, numpy, feature - 1), wheel.refuses(entry, numpy, feature), strict=False)
    for below, at_floor in refused:
        if below:
            return at_floor is False
        if (shown := is_in_code(path, feature)) is not None:  # cheaper than an environment
            return shown
    return is_in_code(path, feature)


def is_in_code(path, feature):
    """Whether the disassembled code passes that version with the text of NumPy's check; None if it is not found."""
    segments = re.findall(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)", output("readelf", "-lW", path))
    segments = [[int(number, 16) for number in segment] for segment in segments]
    texts = re.finditer(rb"module (was )?compiled against (NumPy C-)?API version", path.read_bytes())
    addresses = {text.start() - offset + address for text in texts for offset, address, size in segments
                 if offset <= text.start() < offset + size}
    numbers, recent, pages, after = set(), collections.deque(maxlen=8), {}, 0
    aarch64 = "AArch64" in output("readelf", "-hW", path)
    words = ["llvm-objdump" if aarch64 else "objdump", "-d", "--no-show-raw-insn", path]
    number = r"mov\s+w2, #(\w+)" if aarch64 else r"mov +\$(\w+),%edx"  # the third argument of PyErr_Format
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as dump:
        for line in dump.stdout:  # a library may have 100 million instructions
            recent.append(line)
            if target := re.search(r"\(%rip\).* # ([0-9a-f]+)", line):
                target = int(target.group(1), 16)
            elif page := re.search(r"adrp\s+(x\d+), #?(\w+)", line):
                pages[page.group(1)] = int(page.group(2), 0)
            elif low := re.search(r"add\s+x\d+, (x\d+), #(\w+)", line):
                target = pages.get(low.group(1), 0) + int(low.group(2), 0)
            after = 4 if target in addresses else after - 1
            if after > 0:
                numbers |= {int(found, 0) for found in re.findall(number, "".join(recent))}
    return numbers == {feature} if numbers else None


def is_right_cython(entry, path, wheel):
    what, _, functions = (entry["detail"] or "").partition("s at least ")
    if not functions:  # Cython/Utility/ImportExport.c: the text is only in the code that imports
        text = rb"C (function|variable|%\.8s) ?(%\.200s\.)?%\.200s\.%\.200s has wrong signature \(expected"
        return bool(re.search(text, path.read_bytes())) and "imports" in entry["detail"]
    wanted = {f"{what} {function}" for function in functions.split("; ")}
    for done in itertools.chain.from_iterable(wheel.runs(entry, numpy, 0) for numpy in wheel.numpys):
        if done and done.stdout.startswith("imported"):
            return wanted <= set(done.stdout.splitlines())
    return None


def newest(nodes, prefix):
    found = [re.fullmatch(prefix + r"_(\d+(?:\.\d+)*)", node) for nodes_of in nodes.values() for node in nodes_of]
    return max((interface_floors.key(one.group(1)) for one in found if one), default=None)


def is_right_musl(entry, facts, repository):
    if not entry["minimum"]:
        is_musl = entry["evidence"].startswith("libc.") or "-linux-musl" in entry["evidence"]
        return is_musl and (entry["evidence"] in facts.needed or entry["member"].endswith(entry["evidence"]))
    if not repository or entry["evidence"] not in facts.symbols:
        return None
    releases = sorted((tag.removeprefix("v") for tag in output("git", "-C", repository, "tag").split()),
                      key=interface_floors.key)
    words = ["git", "-C", repository, "grep", "-lw", entry["evidence"]]
    has = [bool(output(*words, f"v{release}", "--", "include", "src")) for release in releases]
    return has.index(True) > 0 and releases[has.index(True)] == entry["minimum"] if True in has else False


def is_right(entry, path, facts, wheel, options):
    """True, False, or None if it cannot be checked here."""
    group, name = entry["group"], entry["name"]
    if group == "python":
        return is_right_python(entry, path, facts)
    if group == "numpy":
        return is_right_numpy(entry, path, wheel)
    if group == "cython":
        return is_right_cython(entry, path, wheel)
    if group in ("pybind11", "nanobind"):
        return entry["detail"].encode() in path.read_bytes()
    if group in ("torch", "abseil", "protobuf"):
        return entry["evidence"] in facts.symbols
    if group == "cffi":
        return entry["evidence"] in output("nm", "-D", "--defined-only", path).split()
    if group == "library":
        node = re.search(r"version node (\S+)", entry["detail"] or "")
        return name in facts.needed and (not node or node.group(1) in facts.nodes[name])
    prefix = {"glibc": "GLIBC", "libstdc++ (GLIBCXX)": "GLIBCXX", "libstdc++ (CXXABI)": "CXXABI", "libgcc": "GCC"}
    if group == "system" and name in prefix:
        return newest(facts.nodes, prefix[name]) == interface_floors.key(entry["minimum"])
    if group == "system" and name == "CPU":
        levels = re.findall(r"ISA needed:.*", output("readelf", "-nW", path))
        return max(re.findall(r"x86-64-v\d", " ".join(levels)), default=None) == entry["minimum"]
    if group == "system" and name == "musl":
        return is_right_musl(entry, facts, options.musl)
    if group == "gpu" and entry["detail"] and entry["detail"].endswith("linked"):
        return name in facts.needed
    if group == "gpu" and entry["detail"] and entry["detail"].endswith("bundled"):
        return f"[{name}]" in output("readelf", "-dW", path) or name == path.name
    if group == "gpu" and entry["detail"] and entry["detail"].endswith("named for dlopen"):
        return entry["evidence"].encode() + b"\0" in path.read_bytes()
    return None


def is_code(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def targets(files, programs, kind):
    """The processors for which the files contain code, as NVIDIA's programs list it; None if they refuse a file."""
    found = set()
    for file in files:
        for program in programs:
            words = [program, "-all", "--list-ptx" if kind == "PTX" else "--list-elf", file]
            done = subprocess.run(words, capture_output=True, text=True, check=False, errors="replace")
            if done.returncode == 0 or "does not contain device code" in done.stderr + done.stdout:
                break
        else:
            return None
        found |= set(re.findall(r"\.(sm_\d+[a-z]?)\.", done.stdout))
    return {name.replace("sm_", "compute_") for name in found} if kind == "PTX" else found


def amd_targets(files, folder):
    """Of the section .hip_fatbin: what LLVM's "Clang Offload Bundler" calls the targets, or "compressed" (CCOB)."""
    found, section = set(), folder / "section"
    for file in files:
        section.unlink(missing_ok=True)
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.hip_fatbin", file, section], check=False)
        data = section.read_bytes() if section.exists() else b""
        if data.startswith(b"CCOB"):
            found.add("compressed")
        found |= {name.decode() for name in re.findall(rb"hip\w*-amdgcn-amd-amdhsa--(gfx[\w:+-]+)", data)}
    return found


@functools.cache
def runtime_symbols(folder, soname):
    """The symbols of each release of that library of NVIDIA, oldest first, with the major version of its CUDA."""
    releases = {}
    for wheel in pathlib.Path(folder).glob("nvidia_*.whl"):
        with zipfile.ZipFile(wheel) as archive, tempfile.NamedTemporaryFile() as file:
            for member in archive.namelist():
                if member.endswith("/" + soname):
                    file.write(archive.read(member))
                    file.flush()
                    version = tuple(interface_floors.key(wheel.name.split("-")[1]))
                    cuda = re.search(r"/cu(\d+)/|_cu(\d+)-", f"{member} {wheel.name}")
                    symbols = set(re.findall(r" [TW] (\w+)", output("nm", "-D", file.name)))
                    releases[version] = (int(cuda.group(1) or cuda.group(2)), symbols)
    return sorted(releases.items())


def is_right_toolkit(entry, facts, folder):
    """Whether it is the first release that defines all functions of the runtime that the file imports."""
    stated = interface_floors.key(entry["minimum"])
    for soname in (name for name in facts.needed if re.fullmatch(r"libcudart\.so\.[\d.]+", name)):
        releases = runtime_symbols(folder, soname)
        known = facts.symbols & set().union(*(symbols for _, (_, symbols) in releases))
        first = next((version for version, (_, symbols) in releases if known <= symbols), None)
        if first and len(stated) == 1:  # the major version alone
            return first[0] == stated[0] and first == releases[0][0]
        return list(first[:2]) == stated if first else None
    releases = runtime_symbols(folder, entry["evidence"])
    return {cuda for _, (cuda, _) in releases} == {stated[0]} and len(stated) == 1 if releases else None


def is_right_gpu(entry, path, files, wheel, options):
    if entry["name"] == "device code for AMD GPUs":
        return amd_targets(files, wheel.folder) == set(entry["detail"].split())
    if entry["name"] in ("device code for NVIDIA GPUs", "PTX") and options.cuobjdump:
        found = targets(files, options.cuobjdump, entry["name"])
        # It lists code that the compiler was told to make for sm_100f as that for sm_100.
        stated = {re.sub("f$", "", name) for name in entry["detail"].split()}
        return None if found is None else stated == found
    if entry["name"] == "CUDA toolkit" and options.runtimes:
        return is_right_toolkit(entry, Facts(path), options.runtimes)
    if entry["name"] == "NVIDIA driver":  # of the toolkit, which has a statement of its own
        major = re.match(r"CUDA (\d+) ", entry["detail"])
        return bool(major) and DRIVERS[major.group(1)] == entry["minimum"]
    return None


def check(options, path, numpys):
    done = subprocess.run([options.program, "interfaces", "--format", "json", path], capture_output=True, check=False)
    lines = []
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        folder = pathlib.Path(folder)
        archive.extractall(folder / "files")
        code = sorted(file for file in (folder / "files").rglob("*") if file.is_file() and is_code(file))
        wheel, facts = Wheel(path, folder, numpys), functools.cache(Facts)
        for entry in json.loads(done.stdout)["wheels"][0]["entries"] if done.stdout else []:
            file = folder / "files" / entry["member"]
            answer = is_right(entry, file, facts(file), wheel, options)
            if answer is None and entry["group"] == "gpu":
                answer = is_right_gpu(entry, file, code, wheel, options)
            alone = entry["group"] not in ("system", "gpu") or "." in entry["name"]
            group = entry["group"] if alone else f"{entry['group']}: {entry['name']}"
            lines.append((group, answer, f"{path.name}: {json.dumps(entry)}"))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("wheels", type=pathlib.Path, nargs="+")
    parser.add_argument("--cuobjdump", action="append", default=[])
    parser.add_argument("--runtimes")
    parser.add_argument("--musl")
    parser.add_argument("--unchecked", action="store_true", help="also print what could not be checked")
    options = parser.parse_args()
    options.program = options.program.resolve()
    folder = pathlib.Path.home() / ".cache/wheelcheck/floors"
    numpys = {version: interface_floors.unpack(folder, interface_floors.download(folder, f"numpy=={version}", "3.11"))
              for version in ("2.3.5", "1.26.4")}
    counts = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for lines in pool.map(lambda wheel: check(options, wheel, numpys), options.wheels):
            for group, answer, text in lines:
                counts[group][answer] += 1
                if answer is not True and (answer is False or options.unchecked):
                    print(f"{'WRONG' if answer is False else 'not checked'} {group}: {text}", flush=True)
    print(f"| statement ({len(options.wheels)} wheels) | right | wrong | not checked |\n|---|---|---|---|")
    for group, count in sorted(counts.items()):
        print(f"| {group} | {count[True]} | {count[False]} | {count[None]} |")


if __name__ == "__main__":
    main()
