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


CASES = [
    Case("ml-dtypes==0.2.0", "3.9", "numpy", ("1.19.5", "1.20.3"), imports("ml_dtypes")),
]


def python(version):
    found = sorted(pathlib.Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return found[-1] if found else sys.exit(f"no CPython {version} below ~/.pyenv")


def download(folder, what, version):
    """The wheel as pip chooses it for that CPython on x86-64."""
    target = folder / "wheels" / f"{what.replace('==', '-')}-{version}"
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
    reasons = [line for line in done.stderr.splitlines() if re.match(r"(\w+Error|ImportError|module .*0x)", line)]
    return "fails: " + (reasons[0] if reasons else f"status {done.returncode}").replace(str(site) + "/", "")[:90]


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
        line, agrees = row(options.program.resolve(), options.folder, case)
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
