"""check(): runs the program and reads its report."""

import datetime
import os
import subprocess
from collections.abc import Iterable, Mapping
from typing import Literal, Optional, TypedDict, Union

from wheelcheck._error import EXIT_INTERNAL, EXIT_UNREADABLE, WheelcheckError
from wheelcheck._program import find_program
from wheelcheck._report import Report

StrPath = Union[str, "os.PathLike[str]"]
Words = Union[str, Iterable[str]]  # one, or several
Paths = Union[StrPath, Iterable[StrPath]]
FailOn = Literal["error", "warning", "note", "never"]


class Limits(TypedDict, total=False):
    """Limits of what is read. `wheelcheck check --help` describes them and their defaults."""

    member_bytes: int
    total_bytes: int
    members: int
    ratio: int
    record_bytes: int
    metadata_bytes: int
    wheel_file_bytes: int
    name_bytes: int
    part_bytes: int
    depth: int
    source_bytes: int
    texts: int
    library_name_bytes: int
    note_bytes: int
    dynamic_entries: int
    version_records: int
    symbols: int
    cache_bytes: int


def check(
    *wheels: Paths,
    select: Words = (),
    ignore: Words = (),
    fail_on: Optional[FailOn] = None,
    pedantic: bool = False,
    config: Optional[StrPath] = None,
    no_config: bool = False,
    require_tags: Words = (),
    today: Union[str, datetime.date, None] = None,
    baseline: Optional[StrPath] = None,
    write_baseline: Optional[StrPath] = None,
    policies: Paths = (),
    external: Words = (),
    self_contained: bool = False,
    providers: Optional[Mapping[str, StrPath]] = None,
    own_namespaces: Words = (),
    own_sonames: Words = (),
    knowledge: Paths = (),
    library_index: Optional[StrPath] = None,
    max_exports: Optional[int] = None,
    leak_threshold: Optional[int] = None,
    max_wheel_bytes: Optional[int] = None,
    index: Optional[Literal["pypi"]] = None,
    require_cxx11_abi: Optional[Literal["new", "old"]] = None,
    require_sm: Union[int, Iterable[int]] = (),
    record_hashes: bool = True,
    verify_with_libarchive: bool = False,
    jobs: Optional[int] = None,
    cache: Optional[StrPath] = None,
    sandbox: Literal["auto", "require", "off"] = "auto",
    limits: Optional[Limits] = None,
    program: Optional[StrPath] = None,
) -> Report:
    """Checks wheels, directories that contain wheels, or patterns, like `wheelcheck check` with these options.

    Options that accept several values take a list. The configuration of the project is read as on the command line: the
    nearest wheelcheck.toml or pyproject.toml with [tool.wheelcheck], upward from the working directory. With
    `no_config=True` none is read.

    Findings are part of the report and raise no exception. WheelcheckError is raised if there is no complete answer: an
    option or value is unknown (exit_code 2), an input cannot be read as a wheel (3; `report` is the report about the
    other inputs), or wheelcheck has a bug (4). `program` replaces the program that was installed with this package.
    """
    options = [
        *_each("select", select),
        *_each("ignore", ignore),
        *_each("fail-on", fail_on),
        *_flag("pedantic", pedantic),
        *_each("config", config),
        *_flag("no-config", no_config),
        *_each("require-tag", require_tags),
        *_each("today", None if today is None else str(today)),
        *_each("baseline", baseline),
        *_each("write-baseline", write_baseline),
        *_each("policy", policies),
        *_each("external", external),
        *_flag("self-contained", self_contained),
        *_each("provider", [f"{name}={os.fspath(wheel)}" for name, wheel in (providers or {}).items()]),
        *_each("own-namespace", own_namespaces),
        *_each("own-soname", own_sonames),
        *_each("knowledge", knowledge),
        *_each("library-index", library_index),
        *_each("max-exports", max_exports),
        *_each("leak-threshold", leak_threshold),
        *_each("max-wheel-bytes", max_wheel_bytes),
        *_each("index", index),
        *_each("require-cxx11-abi", require_cxx11_abi),
        *_each("require-sm", require_sm),
        *_flag("no-record-hashes", not record_hashes),
        *_flag("verify-with-libarchive", verify_with_libarchive),
        *_each("jobs", jobs),
        *_each("cache", cache),
        *_each("sandbox", sandbox),
        *(f"--limit={name.replace('_', '-')}={most}" for name, most in (limits or {}).items()),
    ]
    paths = [path for one in wheels for path in _paths(one)]
    if not paths:
        raise WheelcheckError(
            "nothing to check: name wheels, directories that contain wheels, or patterns", EXIT_UNREADABLE
        )
    return _run([os.fspath(program or find_program()), "check", "--format=json", *options, "--", *paths])


def _paths(wheels: Paths) -> list[str]:
    several = [wheels] if isinstance(wheels, (str, os.PathLike)) else wheels
    return [os.fspath(wheel) for wheel in several]


def _each(option: str, values: Union[int, StrPath, Iterable[int], Iterable[StrPath], None]) -> list[str]:
    if values is None:
        return []
    several = [values] if isinstance(values, (int, str, os.PathLike)) else values
    return [f"--{option}={value if isinstance(value, int) else os.fspath(value)}" for value in several]


def _flag(option: str, on: bool) -> list[str]:
    return [f"--{option}"] if on else []


def _run(command: list[str]) -> Report:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise WheelcheckError(f"cannot run {command[0]}: {error.strerror}", EXIT_INTERNAL) from error
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode < 0:
        raise WheelcheckError(f"{command[0]} was ended by signal {-done.returncode}", EXIT_INTERNAL)
    if not done.stdout:
        message = said.removeprefix("wheelcheck: ").partition("\n")[0]
        raise WheelcheckError(message or f"{command[0]} said nothing", done.returncode or EXIT_INTERNAL)
    report = Report.from_json(done.stdout)
    if done.returncode == EXIT_UNREADABLE:
        first, *others = (one for one in report.unreadable if one.rule is None)
        more = f" (and {len(others)} more)" if others else ""
        raise WheelcheckError(f"{first.file}: {first.message}{more}", EXIT_UNREADABLE, report)
    return report
