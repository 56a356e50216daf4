#!/usr/bin/env python3
"""interface_floors.py PROGRAM [NAME...]: compares what `wheelcheck interfaces` states with what happens.

Installs each wheel of CASES without its dependencies, once with a provider below the stated floor and once with one at
it (or, for an upper limit, the last good one and the first bad one), and runs it. Writes the table of
docs/interfaces.md; with names, only prints their rows. Run by hand: it needs the network and the interpreters of pyenv.
The provider is NumPy, the interpreter ("CPython"), PyTorch, a library wheel, or another wheel with pybind11 modules.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/interfaces.md"
BEGIN, END = "<!-- floors: written by tests/corpus/interface_floors.py -->", "<!-- end -->"
PLATFORMS = ["manylinux_2_28", "manylinux_2_27", "manylinux_2_24", "manylinux_2_17", "manylinux2014", "manylinux_2_12",
             "manylinux2010", "manylinux_2_5", "manylinux1"]


@dataclasses.dataclass(frozen=True)
class Case:
    wheel: str  # name==version
    python: str  # "3.9"
    provider: str
    versions: tuple[str, str]  # on both sides of the stated limit
    run: str  # Python code; {site} is the directory of the wheel
    shares: bool = False  # what is compared is whether the two wheels have one pybind11 internals
    packages: tuple[str, ...] = ()  # installed with the provider and what it requires; else the wheels are unpacked


def imports(module):
    return f"import {module}"


def loads(pattern):
    """Opens a library and binds all its symbols; no GPU is needed."""
    return f"import ctypes, glob; ctypes.CDLL(glob.glob(r'{{site}}/{pattern}')[0], 2)"


def modules(pattern):
    """The same for extension modules, which find the functions of the interpreter in the program."""
    return loads(pattern).replace("CDLL", "PyDLL")


def executes(*patterns):
    """Executes modules without their packages; {provider} is the directory of the provider."""
    code = "import glob, importlib.util as util"
    for pattern in patterns:
        name = pattern.split("/")[-1].split(".")[0]
        path = pattern if pattern.startswith("{") else "{site}/" + pattern
        code += (f"; s = util.spec_from_file_location('{name}', glob.glob(r'{path}')[0])"
                 "; s.loader.exec_module(util.module_from_spec(s))")
    return code


# Its import does not fail if the library with the operators cannot be opened.
USE_TORCHVISION = "import torch, torchvision; torchvision.ops.nms(torch.rand(9, 4), torch.rand(9), 0.5)"


def cases(provider, python, versions, *wheels, **words):
    return [Case(wheel, python, provider, versions, code if " " in code else imports(code), **words)
            for wheel, code in wheels]


CASES = [
    # a lower limit that is only in machine code
    *cases("numpy", "3.9", ("1.19.5", "1.20.3"), ("ml-dtypes==0.2.0", "ml_dtypes")),
    *cases("numpy", "3.7", ("1.15.4", "1.16.6"), ("PyWavelets==1.3.0", "pywt")),
    # a lower limit in the message
    *cases("numpy", "3.9", ("1.22.4", "1.23.5"), ("numexpr==2.10.2", "numexpr")),
    # an upper limit
    *cases("numpy", "3.9", ("1.26.4", "2.0.2"), ("numexpr==2.8.7", "numexpr"), ("bottleneck==1.3.7", "bottleneck"),
           ("PyWavelets==1.4.1", "pywt"), ("pyerfa==2.0.1.1", "erfa"), ("cftime==1.6.3", "cftime"),
           ("shapely==2.0.1", "shapely"), ("ml-dtypes==0.2.0", "ml_dtypes"),
           ("numpy-quaternion==2022.4.3", "quaternion")),
    # libraries of other wheels
    *cases("nvidia-nvjitlink-cu12", "3.11", ("12.4.127", "12.9.86"),
           ("nvidia-cusparse-cu12==12.5.10.65", loads("nvidia/cusparse/lib/libcusparse.so.12"))),
    *cases("nvidia-nvjitlink-cu12", "3.11", ("12.3.101", "12.4.127"),
           ("nvidia-cusparse-cu12==12.3.1.170", loads("nvidia/cusparse/lib/libcusparse.so.12"))),
    *cases("PyQt6-Qt6", "3.11", ("6.4.3", "6.5.3"), ("PyQt6==6.5.3", modules("PyQt6/QtCore.abi3.so"))),
    *cases("PyQt6-Qt6", "3.11", ("6.6.3", "6.7.3"), ("PyQt6==6.7.1", modules("PyQt6/QtCore.abi3.so"))),
    *cases("PyQt6-Qt6", "3.11", ("6.8.2", "6.9.2"), ("PyQt6==6.9.1", modules("PyQt6/QtCore.abi3.so"))),
    # more lower limits of NumPy
    *cases("numpy", "3.7", ("1.15.4", "1.16.6"), ("opencv-python-headless==4.11.0.86", "cv2")),
    *cases("numpy", "3.10", ("1.22.4", "1.23.5"), ("numexpr==2.11.0", "numexpr"),
           ("astropy==6.1.7", executes("astropy/stats/_stats.*.so"))),
    *cases("numpy", "3.11", ("1.26.4", "2.0.2"), ("pyarrow==26.0.1", "pyarrow.lib")),
    # more upper limits of NumPy
    *cases("numpy", "3.9", ("1.26.4", "2.0.2"), ("pandas==2.0.3", executes("pandas/_libs/window/indexers.*.so")),
           ("scipy==1.11.4", "scipy.linalg._flapack"), ("h5py==3.10.0", "h5py")),
    # the stable ABI of CPython
    *cases("CPython", "3.11", ("3.8", "3.9"), ("bcrypt==5.0.0", modules("bcrypt/_bcrypt.abi3.so")),
           ("nh3==0.3.8", modules("nh3/nh3.abi3.so")),
           ("rfc3161-client==1.0.9", modules("rfc3161_client/_rust.abi3.so"))),
    *cases("CPython", "3.11", ("3.9", "3.10"), ("tokenizers==0.23.3", modules("tokenizers/tokenizers.abi3.so")),
           ("safetensors==0.8.0", modules("safetensors/_safetensors_rust.abi3.so")),
           ("watchfiles==1.3.0", modules("watchfiles/_rust_notify.abi3.so")),
           ("deltalake==1.6.6", modules("deltalake/_internal.abi3.so"))),
    *cases("CPython", "3.11", ("3.10", "3.11"),
           ("cryptography==50.0.2", modules("cryptography/hazmat/bindings/_rust.abi3.so"))),
    # symbols of PyTorch; up to 1.12 it contains CUDA
    *cases("torch", "3.10", ("1.11.0", "1.12.1"), ("torchvision==0.12.0", USE_TORCHVISION),
           ("torchvision==0.13.1", USE_TORCHVISION), ("torchaudio==0.11.0", "torchaudio"),
           ("torchaudio==0.12.1", "torchaudio"), ("torchtext==0.12.0", "torchtext"), ("torchtext==0.13.1", "torchtext"),
           ("functorch==0.2.1", "functorch"), packages=("numpy==1.26.4", "pillow", "requests", "tqdm")),
    *cases("torch", "3.11", ("2.5.1", "2.6.0"), ("torchvision==0.20.1", USE_TORCHVISION),
           packages=("numpy==2.3.5", "pillow")),
    *cases("torch", "3.11", ("2.9.1", "2.10.0"), ("torchaudio==2.10.0", "torchaudio"), packages=("numpy==2.3.5",)),
    *cases("torch", "3.11", ("2.12.1", "2.13.0"), ("torchvision==0.29.2", USE_TORCHVISION),
           packages=("numpy==2.3.5", "pillow")),
    *cases("torch", "3.11", ("2.13.0", "2.14.0"), ("torchrl==0.14.1", "torchrl._torchrl"),
           ("fbgemm-gpu-cpu==1.9.0", "fbgemm_gpu"),
           packages=("numpy==2.3.5", "pillow", "tensordict==0.15.3", "cloudpickle", "packaging")),
    # C++ types that two wheels share
    *cases("contourpy", "3.11", ("1.2.1", "1.3.3"), 
           ("dm-tree==0.1.10", executes("tree/_tree.*.so", "{provider}/contourpy/_contourpy.*.so")), shares=True),
    *cases("awkward-cpp", "3.11", ("37", "57"), 
           ("highspy==1.16.0", executes("highspy/_core.*.so", "{provider}/awkward_cpp/lib/_ext.*.so")), shares=True),
]
# Prints the keys of the state that pybind11 modules share.
SHARED_STATE = """
import builtins, ctypes
state = ctypes.pythonapi.PyInterpreterState_Get
state.restype = ctypes.c_void_p
get = ctypes.pythonapi.PyInterpreterState_GetDict
get.restype, get.argtypes = ctypes.py_object, [ctypes.c_void_p]
print(*{key for key in [*get(state()), *vars(builtins)] if "pybind11_internals" in str(key)})
"""


def python(version):
    found = sorted(pathlib.Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return found[-1] if found else sys.exit(f"no CPython {version} below ~/.pyenv")


def download(folder, what, version):
    """The wheel as pip chooses it for that CPython on x86-64."""
    target = folder / "wheels" / f"{what.replace('==', '-')}-{version}"
    known = pathlib.Path.home() / ".cache/wheelcheck-pairs"
    for path in known.glob(f"{what.partition('==')[0].replace('-', '_')}-{what.partition('==')[2]}-*.whl"):
        if f"-cp{version.replace('.', '')}-" in path.name or "-py3-" in path.name or "-abi3-" in path.name:
            return path
    if not list(target.glob("*.whl")):
        target.mkdir(parents=True, exist_ok=True)
        words = [word for name in PLATFORMS for word in ("--platform", f"{name}_x86_64")]
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps",
                        "--only-binary=:all:", "--python-version", version, *words, "-d", target, what],
                       check=True, capture_output=True)
    return next(target.glob("*.whl"))


def unpack(folder, wheel):
    site = folder / "sites" / wheel.name
    if not site.is_dir():
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
    return site


def stated(program, wheel, provider, paths):
    """The report on the wheel, and on what each provider lacks."""
    words = [word for path in paths for word in ("--provider", f"{provider}={path}")]
    found = subprocess.run([program, "interfaces", "--format", "json", wheel, *words], check=True, capture_output=True)
    return json.loads(found.stdout)["wheels"][0]


def text_of(entry):
    return ", ".join(part for part in (f">= {entry['minimum']}" if entry["minimum"] else "",
                                       f"< {entry['below']}" if entry["below"] else "") if part)


def installed(folder, case, version, provider):
    """An environment with the provider, which is a wheel, and with what it requires. CUDA may take 7 GB."""
    top = folder / "environments" / f"{case.provider}-{version}-{case.python}"
    marker = top / "-".join(["packages", *case.packages])
    if not marker.exists():
        for other in top.parent.glob("*"):  # one pair of environments at a time
            if other.name not in [f"{case.provider}-{each}-{case.python}" for each in case.versions]:
                shutil.rmtree(other)
        subprocess.run(["uv", "venv", "-q", "--clear", "--python", python(case.python), top], check=True)
        words = ["uv", "pip", "install", "-q", "--python", top / "bin/python", "--only-binary", ":all:", provider]
        subprocess.run([*words, *case.packages], check=True, capture_output=True)
        marker.touch()
    return top


def outcome(case, site, provider):
    """"works", or the last line of the error."""
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    if not case.packages:
        environment["PYTHONPATH"] += f":{provider}"
    if case.provider != "numpy" and not case.packages and not case.shares:
        libraries = sorted({str(path.parent) for path in provider.glob("**/lib*.so*")})
        environment["LD_LIBRARY_PATH"] = ":".join(libraries)
    program = provider / "bin/python" if case.packages else python(case.python)
    code = case.run.replace("{site}", str(site)).replace("{provider}", str(provider))
    done = subprocess.run([program, "-W", "ignore", "-c", code + (SHARED_STATE if case.shares else "")],
                          env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 0 and case.shares:
        states = len(done.stdout.split())
        return "works: one state" if states == 1 else f"shares nothing: {states} states"
    if done.returncode == 0:
        return "works"
    reasons = [line for line in done.stderr.splitlines() if re.match(r"\w+Error: ", line)]
    text = (reasons[0] if reasons else f"status {done.returncode}").replace("|", "")
    for folder in (site, site.resolve(), provider, provider.resolve()):
        text = text.replace(f"{folder}/", "")
    return "fails: " + (text if len(text) <= 100 else text[:100] + "...")


def entries(found, group):
    return [entry for entry in found["entries"] if entry["group"] == group]


def key(version):
    return [int(part) for part in version.split(".")]


def limit(case, found, others):
    """What is stated, and for each version whether the wheel works with it."""
    if case.shares:
        ids = [{entry["detail"] for entry in entries(one, "pybind11")} for one in [found, *others]]
        return " ".join(f"`{one}`" for one in sorted(ids[0])), [ids[0] == one for one in ids[1:]]
    if case.provider == "CPython":
        floors = [entry for entry in entries(found, "python") if entry["minimum"]]
        (text,) = {text_of(entry) for entry in floors}
        return f"{text} (`{floors[0]['evidence']}`)", [key(floors[0]["minimum"]) <= key(one) for one in case.versions]
    missing = {one["version"]: [each["name"] for each in one["missing"]] for one in found["providers"]}
    works = [not missing[version] for version in case.versions]
    if case.provider == "numpy":
        limits = {(entry["minimum"], entry["below"]): text_of(entry) for entry in entries(found, "numpy")}
        if len(limits) == 1:  # every file has it, also libraries, which the comparison with a provider leaves out
            low, high = next(iter(limits))
            works = [key(low or "0") <= key(one) and not (high and key(high) <= key(one)) for one in case.versions]
        return " or ".join(sorted(limits.values())), works
    return "; ".join(f"{version} lacks `{names[0]}`" for version, names in sorted(missing.items()) if names), works


def row(program, folder, case):
    wheel = download(folder, case.wheel, case.python)
    at, providers = [], []
    for version in case.versions:
        at.append(version if case.provider == "CPython" else case.python)
        if case.provider != "CPython":
            providers.append(download(folder, f"{case.provider}=={version}", case.python))
    found = stated(program, wheel, case.provider, [] if case.shares else providers)
    others = [stated(program, path, case.provider, []) for path in providers if case.shares]
    says, works = limit(case, found, others)
    cells, agrees = [], True
    for i, version in enumerate(case.versions):
        site = folder / "nothing"
        if case.packages:
            site = installed(folder, case, version, providers[i])
        elif providers:
            site = unpack(folder, providers[i])
        happened = outcome(dataclasses.replace(case, python=at[i]), unpack(folder, wheel), site)
        agrees &= happened.startswith("works") == works[i]
        cells.append(f"{version} {happened}")
    name, _, version = case.wheel.partition("==")
    files = [re.sub(r"^\{\w+\}/", "", path) for path in re.findall(r"glob\(r'(.*?)'\)", case.run)]
    verb = "execute" if "exec_module" in case.run else "open"
    code = f"{verb} {', '.join(f'`{file}`' for file in files)}" if files else f"`{case.run}`"
    python_version = "" if case.provider == "CPython" else case.python
    return f"| {name} {version} | {python_version} | {case.provider} | {says} | {'; '.join(cells)} | {code} |", agrees


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("name", nargs="*")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path.home() / ".cache/wheelcheck/floors")
    options = parser.parse_args()
    rows, wrong = [], 0
    for case in CASES:
        if options.name and not any(case.wheel.startswith(name) for name in options.name):
            continue
        try:
            line, agrees = row(options.program.resolve(), options.folder, case)
        except subprocess.CalledProcessError as error:
            line, agrees = f"{case.wheel}: {error.stderr.decode(errors='replace').strip()[-200:]}", False
        print("" if agrees else "DISAGREES: ", line, sep="", flush=True)
        rows.append(line)
        wrong += not agrees
    if not options.name and not wrong:
        page = PAGE.read_text()
        head = ["", "| wheel | CPython | provider | stated | what happens | run |", "|---|---|---|---|---|---|"]
        before, after = page.partition(BEGIN)[0], page.partition(END)[2]
        PAGE.write_text(before + BEGIN + "\n".join([*head, *rows, ""]) + END + after)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
