"""Fetches a wheel of the manifest to the worker and compares its checksum."""

from __future__ import annotations

import hashlib
import pathlib
import re
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import BinaryIO

from wheelcheck.fleet._manifest import INDEX, Item, is_url

CHUNK = 1 << 20
TRIES = 3
PATIENCE = 60  # seconds without a byte


class NotFetched(Exception):
    """The reason why a wheel cannot be judged; `error` is the identifier for programs."""

    def __init__(self, error: str, reason: str) -> None:
        super().__init__(reason)
        self.error = error


def fetch(item: Item, scratch: Callable[[], pathlib.Path], most_bytes: int) -> tuple[pathlib.Path, str]:
    """The file and its SHA-256. A downloaded wheel is in the folder that `scratch` returns."""
    if item.file in ("", ".", "..") or "/" in item.file or len(item.file.encode()) > 255:
        raise NotFetched("not-found", "has no file name")
    if item.wheel.startswith(INDEX):
        path = _from_index(item.file, scratch())
    elif is_url(item.wheel):
        path = _from_url(item.wheel, scratch() / item.file, most_bytes)
    else:
        path = pathlib.Path(item.wheel)
    digest = _digest(path, most_bytes)
    if item.sha256 and digest != item.sha256:
        raise NotFetched("checksum", f"has SHA-256 {digest}, not {item.sha256}")
    return path, digest


def _digest(path: pathlib.Path, most_bytes: int) -> str:
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise NotFetched("not-found", "is no file")
        if about.st_size > most_bytes:
            raise NotFetched("over-limit", f"has {about.st_size} bytes, more than --limit-bytes {most_bytes}")
        digest = hashlib.sha256()
        some = min(about.st_size + 1, CHUNK)  # allocated memory costs the same if it is not used
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(some):
                digest.update(chunk)
    except FileNotFoundError:
        raise NotFetched("not-found", "no such file") from None
    except OSError as error:
        raise NotFetched("io", f"cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def _from_url(url: str, path: pathlib.Path, most_bytes: int) -> pathlib.Path:
    for attempt in range(1, TRIES + 1):
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer, path.open("wb") as file:
                _copy(answer, file, most_bytes)
            return path
        except urllib.error.HTTPError as error:
            if error.code < 500 or attempt == TRIES:
                kind = "not-found" if error.code in (404, 410) else "io"
                raise NotFetched(kind, f"the server answers {error.code} {error.reason}") from error
        except OSError as error:  # URLError, timeouts, broken connections
            if attempt == TRIES:
                raise NotFetched("io", f"cannot be fetched: {error}") from error
        time.sleep(attempt)
    raise AssertionError("every attempt returns or raises")


def _copy(answer: BinaryIO, file: BinaryIO, most_bytes: int) -> None:
    left = most_bytes
    while chunk := answer.read(CHUNK):
        left -= len(chunk)
        if left < 0:
            raise NotFetched("over-limit", f"has more bytes than --limit-bytes {most_bytes}")
        file.write(chunk)


def pip_words(file: str) -> list[str] | None:
    """The options that make pip choose this wheel; None if the name is not that of a wheel (PEP 427)."""
    parts = file[: -len(".whl")].split("-") if file.endswith(".whl") else []
    if len(parts) not in (5, 6) or not all(re.fullmatch(r"[\w.!+]+", part) for part in parts):
        return None
    name, version, python, abi, platform = parts[0], parts[1], *parts[-3:]
    words = [f"--platform={one}" for one in platform.split(".")]
    words += [f"--abi={one}" for one in abi.split(".")]
    first = re.match(r"([a-z]+)(\d+)", python)
    if first is None:
        return None
    words += [f"--implementation={first[1]}", f"--python-version={first[2]}"]
    return [*words, f"{name}=={version.replace('_', '+')}"]


def _from_index(file: str, scratch: pathlib.Path) -> pathlib.Path:
    words = pip_words(file)
    if words is None:
        raise NotFetched("not-found", "is not the file name of a wheel")
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-input", "--no-deps"]
    done = subprocess.run(
        [*command, "--only-binary=:all:", f"--dest={scratch}", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if (scratch / file).is_file():
        return scratch / file
    others = ", ".join(sorted(path.name for path in scratch.iterdir()))
    last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
    raise NotFetched("not-found", f"pip brings {others}" if others else f"pip says: {last}")
