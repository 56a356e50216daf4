"""Writes manifests of wheels in directories, and of requirements, which pip resolves to addresses and checksums."""

from __future__ import annotations

import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator

from wheelcheck._error import EXIT_UNREADABLE, WheelcheckError
from wheelcheck.fleet._manifest import Item, is_url

NO_DATE = 1980  # the date that tools write for reproducible archives


def make_manifest(inputs: list[str], pip_options: list[str]) -> list[Item]:
    items: list[Item] = []
    requirements = []
    for word in inputs:
        path = pathlib.Path(word)
        if path.is_dir():
            items += [_of_file(file) for file in sorted(path.rglob("*.whl")) if file.is_file()]
        elif path.is_file():
            items.append(_of_file(path))
        elif "/" in word or word.endswith(".whl"):
            raise WheelcheckError(f"{word}: no such file", EXIT_UNREADABLE)
        else:
            requirements.append(word)
    for requirement in requirements:
        items += _of_requirement(requirement, pip_options)
    return items


def _of_file(path: pathlib.Path) -> Item:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return Item(str(path.absolute()), digest.hexdigest(), path.stat().st_size, _newest(path))


def _newest(path: pathlib.Path) -> str:
    """The date of the newest member: about the date of the build, unless the build chose a fixed date."""
    try:
        with zipfile.ZipFile(path) as archive:
            dates = [one.date_time[:3] for one in archive.infolist()]
    except (OSError, ValueError, NotImplementedError, struct.error, zipfile.BadZipFile):
        return ""
    year, month, day = max(dates, default=(NO_DATE, 0, 0))
    return f"{year:04}-{month:02}-{day:02}" if year > NO_DATE and 1 <= month <= 12 and 1 <= day <= 31 else ""


def _of_requirement(requirement: str, options: list[str]) -> Iterator[Item]:
    """The wheels that pip would install, from its installation report (a documented format). Nothing is installed."""
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-input", "--dry-run"]
    command += ["--ignore-installed", "--no-deps", "--only-binary=:all:", "--target=/nonexistent", "--report=-"]
    done = subprocess.run(
        [*command, *options, "--", requirement], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        raise WheelcheckError(f"{requirement}: pip says: {last}", EXIT_UNREADABLE)
    for one in json.loads(done.stdout)["install"]:
        found = one["download_info"]
        url = str(found["url"])
        if is_url(url):
            yield Item(url.partition("#")[0], found.get("archive_info", {}).get("hashes", {}).get("sha256", ""))
