#!/usr/bin/env python3
"""interface_floors.py PROGRAM [NAME...]: compares what `wheelcheck interfaces` states with what happens.

Installs each wheel of CASES without its dependencies, once with a provider below the stated floor and once with one at
it (or, for an upper limit, the last good one and the first bad one), and imports it. Writes the table of
docs/interfaces.md; with names, only prints their rows. Run by hand: it needs the network and the interpreters of pyenv.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys

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


def imports(module):
    return f"import {module}"


def loads(pattern):
    """Opens a library and binds all its symbols; no GPU is needed."""
    return f"import ctypes, glob; ctypes.CDLL(glob.glob(r'{{site}}/{pattern}')[0], 2)"


def cases(provider, python, versions, *wheels):
    return [Case(wheel, python, provider, versions, code if " " in code else imports(code)) for wheel, code in wheels]


CASES = [
    # a lower limit that is only in machine code
    *cases("numpy", "3.9", ("1.19.5", "1.20.3"), ("ml-dtypes==0.2.0", "ml_dtypes")),
    *cases("numpy", "3.7", ("1.15.4", "1.16.6"), ("PyWavelets==1.3.0", "pywt"), ("numexpr==2.8.4", "numexpr"),
           ("bottleneck==1.3.5", "bottleneck"), ("shapely==2.0.1", "shapely"), ("h5py==3.8.0", "h5py"),
           ("scs==3.2.3", "_scs_direct"), ("ecos==2.0.12", "_ecos")),
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
]


def python(version):
    found = sorted(pathlib.Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return found[-1] if found else sys.exit(f"no CPython {version} below ~/.pyenv")


def download(folder, what, version):
    """The wheel as pip chooses it for that CPython on x86-64."""
    target = folder / "wheels" / f"{what.replace('==', '-')}-{version}"
    known = pathlib.Path.home() / ".cache/wheelcheck-pairs"
    for path in known.glob(f"{what.partition('==')[0].replace('-', '_')}-{what.partition('==')[2]}-py3*.whl"):
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
        subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, site], check=True)
    return site


def stated(program, wheel, provider, paths):
    words = [word for path in paths for word in ("--provider", f"{provider}={path}")]
    found = subprocess.run([program, "interfaces", "--format", "json", wheel, *words], check=True, capture_output=True)
    return json.loads(found.stdout)["wheels"][0]


def text_of(entry):
    return ", ".join(part for part in (f">= {entry['minimum']}" if entry["minimum"] else "",
                                       f"< {entry['below']}" if entry["below"] else "") if part)


def outcome(case, site, provider):
    """"works", or the last line of the error."""
    libraries = ":".join(sorted({str(path.parent) for path in provider.glob("**/lib*.so*")}))
    environment = {**os.environ, "PYTHONPATH": f"{site}:{provider}", "LD_LIBRARY_PATH": libraries,
                   "PYTHONDONTWRITEBYTECODE": "1"}
    if case.provider == "numpy":
        del environment["LD_LIBRARY_PATH"]
    done = subprocess.run([python(case.python), "-W", "ignore", "-c", case.run.replace("{site}", str(site))],
                          env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return "works"
    reasons = [line for line in done.stderr.splitlines() if re.match(r"\w+Error: ", line)]
    text = (reasons[0] if reasons else f"status {done.returncode}").replace(str(site) + "/", "").replace("|", "")
    return "fails: " + (text if len(text) <= 100 else text[:100] + "...")


def row(program, folder, case):
    wheel = download(folder, case.wheel, case.python)
    providers = [download(folder, f"{case.provider}=={version}", case.python) for version in case.versions]
    found = stated(program, wheel, case.provider, providers)
    limits = sorted({text_of(entry) for entry in found["entries"] if entry["group"] == "numpy"})
    missing = {one["version"]: [each["name"] for each in one["missing"]] for one in found["providers"]}
    cells, agrees = [], True
    for version, path in zip(case.versions, providers, strict=True):
        happened = outcome(case, unpack(folder, wheel), unpack(folder, path))
        agrees &= (happened == "works") == (not missing[version])
        cells.append(f"{version} {happened}")
    says = " or ".join(limits) if case.provider == "numpy" else f"{case.versions[0]} lacks " + ", ".join(
        f"`{name}`" for name in missing[case.versions[0]][:1])
    name, _, version = case.wheel.partition("==")
    code = case.run.replace("{site}/", "").replace("|", "\\|")
    return f"| {name} {version} | {case.python} | {case.provider} | {says} | {'; '.join(cells)} | `{code}` |", agrees


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
