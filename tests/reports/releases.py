#!/usr/bin/env python3
"""releases.py PROGRAM: writes the table of docs/release.md, `wheelcheck release` on the file lists of real releases.

Each release is judged against the one before it by the names that the index of pip lists (PEP 691). Where the missing
wheels were uploaded later, files count that were there at the time of the report. Run by hand, because it needs the
network.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request
from typing import Any, NamedTuple

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/release.md"


class Release(NamedTuple):
    project: str
    version: str
    previous: str
    about: str = ""  # what is right to say; "": nothing
    until: str = ""  # upload time


REPORTED = [
    Release("scipy", "1.14.1", "1.14.0", "scipy/scipy#21424", "2024-08-21T04:00"),
    Release("pymatgen", "2023.6.28", "2023.6.23", "materialsproject/pymatgen#3134"),
    Release("openmm", "8.5.1", "8.5.0", "openmm/openmm#5266", "2026-04-29"),
    Release("lmdb", "1.5.0", "1.4.1", "jnwatson/py-lmdb#364", "2024-07-01T03:41:20"),
    Release("lmdb", "1.2.0", "1.1.1", "jnwatson/py-lmdb#292"),
    Release("lmdb", "1.7.1", "1.6.2", "jnwatson/py-lmdb#385"),
    Release("selectolax", "0.3.30", "0.3.29", "rushter/selectolax#178"),
    Release("xmlsec", "1.3.15", "1.3.14", "xmlsec/python-xmlsec#344"),
    Release("time-machine", "2.10.0", "2.9.0", "adamchainz/time-machine#355", "2023-06-21"),
    Release("msprime", "1.2.0", "1.1.1", "tskit-dev/msprime#2057", "2022-05-19"),
    Release("pyarrow", "17.0.0", "16.1.0", "apache/arrow#43289", "2024-07-17"),
    Release("zeroconf", "0.132.0", "0.131.0", "python-zeroconf#1368"),
    Release("scikit-misc", "0.4.0", "0.3.1", "has2k1/scikit-misc#37"),
    Release("pydantic-core", "2.43.0", "2.42.0", "pydantic/pydantic#12988"),
    Release("ty", "0.0.10", "0.0.9", "astral-sh/ty#2396"),
]
OTHERS = [
    Release("aiohttp", "3.14.5", "3.14.4"), Release("aiohttp", "3.9.0", "3.8.6"),
    Release("bcrypt", "5.0.0", "4.3.0"), Release("cffi", "2.1.1", "2.1.0"),
    Release("charset-normalizer", "3.5.3", "3.5.2"), Release("contourpy", "1.4.0", "1.3.3"),
    Release("coverage", "7.17.5", "7.17.4"), Release("cryptography", "50.0.2", "50.0.1"),
    Release("cryptography", "42.0.0", "41.0.7"), Release("greenlet", "3.5.6", "3.5.5"),
    Release("grpcio", "1.85.3", "1.85.1"), Release("lxml", "6.1.3", "6.1.2"),
    Release("markupsafe", "3.0.4", "3.0.3"), Release("matplotlib", "3.11.2", "3.11.1"),
    Release("msgpack", "1.2.4", "1.2.3"), Release("numpy", "2.5.5", "2.5.4"), Release("numpy", "1.24.0", "1.23.5"),
    Release("pandas", "3.1.1", "3.1.0"), Release("pandas", "2.0.0", "1.5.3"), Release("pillow", "13.0.0", "12.3.0"),
    Release("protobuf", "7.36.2", "7.36.1"), Release("psutil", "7.2.2", "7.2.1"),
    Release("pyarrow", "26.0.1", "26.0.0"), Release("pydantic-core", "2.50.5", "2.50.4"),
    Release("pyyaml", "6.0.4", "6.0.3"), Release("regex", "2026.11.19", "2026.11.18"),
    Release("ruff", "0.17.6", "0.17.5"), Release("scikit-learn", "1.9.1", "1.9.0"),
    Release("scipy", "1.18.1", "1.18.0"), Release("sqlalchemy", "2.1.9", "2.1.8"),
    Release("tokenizers", "0.23.3", "0.23.2"), Release("wrapt", "2.5.2", "2.5.1"),
    Release("numpy", "2.1.0", "2.0.2", "true: other Pythons have a wheel for macOS 11"),
    Release("numpy", "2.3.0", "2.2.6", "true: glibc 2.28"),
    Release("matplotlib", "3.8.0", "3.7.5", "true: win32 and i686 were dropped"),
    Release("orjson", "3.13.0", "3.12.0", "true: win32 was dropped"),
    Release("h5py", "3.10.0", "3.9.0", "true: the only Python without that machine"),
]


def default_index() -> str:
    """What pip itself has built in."""
    code = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@functools.cache
def files_of(project: str) -> list[dict[str, Any]]:
    done = subprocess.run(["pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False)
    index = os.environ.get("PIP_INDEX_URL") or done.stdout.strip() or default_index()
    request = urllib.request.Request(f"{index.rstrip('/')}/{project}/",
                                     headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        files: list[dict[str, Any]] = json.load(answer)["files"]
    return files


def write_list(path: pathlib.Path, project: str, version: str, until: str = "") -> None:
    keys = ("filename", "size", "requires-python")
    path.write_text(json.dumps({"files": [
        {key: file[key] for key in keys if file.get(key) is not None} for file in files_of(project)
        if file["filename"].endswith(".whl") and file["filename"].split("-")[1] == version
        and (not until or file["upload-time"] < until)]}), encoding="utf-8")


def row_of(program: str, release: Release, folder: pathlib.Path) -> str:
    now, old = folder / "now.json", folder / "old.json"
    write_list(now, release.project, release.version, release.until)
    write_list(old, release.project, release.previous)
    done = subprocess.run([program, "release", now, "--previous", old, "--format", "json", "--no-config"],
                          capture_output=True, text=True, check=False)
    said: list[str] = []
    for finding in json.loads(done.stdout)["findings"]:
        if finding["severity"] != "note":
            text = re.sub(r"; .*", "", finding["message"])
            said.append(f"{finding['severity']}: {text if len(text) < 100 else text[:100].rpartition(',')[0] + ' ...'}")
    shown = "; ".join(said[:3]) + (f" and {len(said) - 3} more" if len(said) > 3 else "")
    right = release.about or "fine"
    if bool(said) != bool(release.about):
        right = "WRONG"
    return f"| {release.project} {release.version} | {release.previous} | {shown or 'nothing'} | {right} |\n"


def main() -> None:
    program = str(pathlib.Path(sys.argv[1]).resolve())
    text = "| release | before it | errors and warnings | right? |\n|---|---|---|---|\n"
    with tempfile.TemporaryDirectory() as name:
        for release in REPORTED + OTHERS:
            text += row_of(program, release, pathlib.Path(name))
    page = PAGE.read_text(encoding="utf-8")
    begin, end = "<!-- releases -->\n", "<!-- end -->"
    before, _, rest = page.partition(begin)
    PAGE.write_text(before + begin + text + end + rest.partition(end)[2], encoding="utf-8")
    sys.exit("WRONG" in text)


if __name__ == "__main__":
    main()
