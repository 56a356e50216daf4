"""Everything except the wheel that a verdict depends on, as one value that is sent to the workers."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pathlib
import subprocess
from dataclasses import dataclass

from wheelcheck._error import EXIT_USAGE, WheelcheckError
from wheelcheck._program import find_program

# Options of `check` that name one file each. Their content is passed on, because the workers may not have the file.
WITH_FILE = ("--policy", "--knowledge", "--config", "--baseline")
OURS = ("--cache", "--format", "--jobs", "-j", "--output-file", "-o", "--write-baseline")


@dataclass(frozen=True)
class Settings:
    # options of `wheelcheck check`; files are replaced by their copies in the directory of the audit
    words: tuple[str, ...]
    files: tuple[tuple[str, str], ...]  # name and SHA-256 of those files
    version: str  # version of the program
    fingerprint: str  # key of the kept results: with another key everything is judged again
    program: str  # path of the program; empty: the one that was installed with this package


def make_settings(words: list[str], program: str, out: pathlib.Path) -> Settings:
    """Copies the files that the options name to the directory of the audit, and checks the options with the program."""
    path = _program(program)
    version = _version(path)
    kept, files = _take_files(words)
    digests = tuple((name, hashlib.sha256(content).hexdigest()) for name, content in files)
    # The rules depend on the program: another program judges again.
    told = json.dumps([kept, digests, version, hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()])
    fingerprint = hashlib.sha256(told.encode()).hexdigest()[:16]
    places = _written(files, out / "settings" / fingerprint)
    whole = tuple(places.get(word, word) for word in kept)
    settings = Settings(whole, digests, version, fingerprint, program)
    asked = subprocess.run(
        [*command(settings), "--", os.devnull], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if asked.returncode != 3:  # a device is not a wheel, so every other message is about the options
        said = asked.stderr.removeprefix("wheelcheck: ").partition("\n")[0]
        raise WheelcheckError(said or f"{path} ended with {asked.returncode}", EXIT_USAGE)
    return settings


def command(settings: Settings) -> list[str]:
    """The program and its options on this machine."""
    path = _program(settings.program)
    if _version(path) != settings.version:
        raise WheelcheckError(f"{path} is {_version(path)}, the job was started with {settings.version}", EXIT_USAGE)
    config = [] if {"--config", "--no-config"} & set(settings.words) else ["--no-config"]
    return [path, "check", "--no-progress", *config, *settings.words]


def _program(program: str) -> str:
    path = os.fspath(pathlib.Path(program).resolve()) if program else os.fspath(find_program())
    if not pathlib.Path(path).is_file():
        raise WheelcheckError(f"{path}: no such program", EXIT_USAGE)
    return path


def _take_files(words: list[str]) -> tuple[list[str], list[tuple[str, bytes]]]:
    kept: list[str] = []
    files: list[tuple[str, bytes]] = []
    for word in _apart(words):
        if word in OURS:
            raise WheelcheckError(f"{word} is set by wheelcheck-fleet", EXIT_USAGE)
        if not kept or kept[-1] not in WITH_FILE:
            kept.append(word)
            continue
        path = pathlib.Path(word)
        try:
            files.append((path.name, path.read_bytes()))
        except OSError as error:
            raise WheelcheckError(f"{word}: cannot be read: {error.strerror}", EXIT_USAGE) from error
        kept.append(_hole(len(files) - 1))
    return kept, files


def _apart(words: list[str]) -> list[str]:
    """--policy=x becomes --policy x."""
    apart: list[str] = []
    for word in words:
        name, equals, value = word.partition("=")
        apart += [name, value] if equals and name in (*WITH_FILE, *OURS) else [word]
    return apart


@functools.lru_cache(maxsize=8)
def _version(path: str) -> str:
    return subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout.strip()


def _written(files: list[tuple[str, bytes]], folder: pathlib.Path) -> dict[str, str]:
    """The path of each copy, by its placeholder in the options."""
    places = {}
    for number, (name, content) in enumerate(files):
        place = folder / str(number) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        places[_hole(number)] = os.fspath(place)
    return places


def _hole(number: int) -> str:
    return f"{{{number}}}"
