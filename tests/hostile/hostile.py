"""The test cases with malicious wheels, and the generation of the corpus from them. The cases are in cases/, one file
per topic."""

from __future__ import annotations

import collections.abc
import dataclasses
import importlib
import os
import pathlib
import pickle
import re
import sys
import traceback

import elf_maker
import zip_maker

HERE = pathlib.Path(__file__).resolve().parent
ELF_TAG = "cp311-cp311-manylinux_2_17_x86_64"
PURE_TAG = "py3-none-any"
CORE = "hostile/core.so"

# The expected results. ok: exit 0, nothing above info. ignore: ok, and the member is listed with its kind. finding: a
# warning or an error. reject: exit 1 (WC703) or 3, status "rejected". lower: exit 0, with or without a finding.
# remarked: exit 0 or 1, depending on the finding.
CLASSES = ("ok", "ignore", "finding", "reject", "lower", "remarked")


@dataclasses.dataclass
class Case:
    name: str
    expect: str  # one of CLASSES
    row: str  # the row of the table in docs/security.md that requires it
    data: bytes = b""
    file: str = zip_maker.wheel_name(PURE_TAG)
    member: str | None = None  # the member that the report must name
    says: str | None = None  # pattern in a finding about the member, or in the message of the rejection
    code: str | None = None  # rule code of this finding
    fails: bool | None = None  # True if the finding makes the program end with 1; None: not checked
    elf: bytes | None = None  # the file for ld.so
    place: str = CORE  # its path
    beside: dict[str, bytes] | None = None  # other files by path, which ld.so may find
    loads: bool | None = None  # True if ld.so loads it; None: depends on the system
    setup: collections.abc.Callable[[pathlib.Path], pathlib.Path] | None = None  # called instead of writing `data`
    shows: str | None = None  # pattern in the report on the ELF file `of`
    of: str = CORE
    machine_is_this: bool = True  # x86-64, so ld.so can be run on the file
    depends: bool = False  # the result of ld.so depends on more than the file, such as symbols of the process
    topic: str = ""

    def make(self, folder: pathlib.Path) -> pathlib.Path:
        folder.mkdir(parents=True, exist_ok=True)
        if self.setup:
            return self.setup(folder)
        path = folder / self.file
        path.write_bytes(self.data)
        return path


def make_corpus(
    folder: pathlib.Path, only: str = "", topics: list[str] | None = None
) -> list[tuple[Case, pathlib.Path]]:
    """Writes the cases whose names or topics match, in a child process, because all of them together are large."""
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "listing"
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            made = []
            for case in all_cases(topics):
                if not re.search(only, f"{case.topic}/{case.name}"):
                    continue
                path = case.make(folder / case.topic / case.name)
                if case.elf is not None:
                    for member, data in {**(case.beside or {}), case.place: case.elf}.items():
                        to = folder / "elf" / case.topic / case.name / member
                        to.parent.mkdir(parents=True, exist_ok=True)
                        to.write_bytes(data)
                made.append((dataclasses.replace(case, data=b"", elf=None, beside=None, setup=None), path))
            listing.write_bytes(pickle.dumps(made))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
        sys.exit("hostile: the corpus cannot be made")
    return pickle.loads(listing.read_bytes())


def elf_path(folder: pathlib.Path, case: Case) -> pathlib.Path | None:
    path = folder / "elf" / case.topic / case.name / case.place
    return path if path.exists() else None


def all_cases(topics: list[str] | None = None) -> list[Case]:
    cases: list[Case] = []
    for file in sorted((HERE / "cases").glob("*.py")):
        if topics and file.stem not in topics:
            continue
        for case in importlib.import_module(f"cases.{file.stem}").cases():
            case.topic = file.stem
            assert case.expect in CLASSES, case.name
            cases.append(case)
    names = [case.name for case in cases]
    assert len(names) == len(set(names)), sorted(n for n in names if names.count(n) > 1)
    return cases


# Functions that most topics use.

VICTIM = "hostile/victim.py"
VICTIM_TEXT = b"# " + b"the member that a case is about; long enough to deflate. " * 8 + b"\n"
FILES = {"hostile/__init__.py": b"value = 1\n", VICTIM: VICTIM_TEXT, "hostile/last.py": b"last = 1\n"}
VICTIM_AT = 1  # its index among the members


def pure(files: dict[str, bytes] | list[zip_maker.Member] | None = None, **how) -> zip_maker.Archive:
    """A correct wheel of Python files, which a case then modifies."""
    return zip_maker.Archive(zip_maker.wheel_members(FILES if files is None else files, tag=PURE_TAG, **how))


def elf_wheel(files: dict[str, bytes], tag: str = ELF_TAG) -> bytes:
    return zip_maker.Archive(zip_maker.wheel_members(files, tag=tag)).build()


def elf_case(
    name: str,
    expect: str,
    row: str,
    elf: bytes | elf_maker.Library,
    member: str = CORE,
    tag: str = ELF_TAG,
    more: dict[str, bytes] | None = None,
    **told,
) -> Case:
    data = elf if isinstance(elf, bytes) else elf.build()
    named = None if expect in ("ok", "lower", "remarked") else member
    told = {"member": named, "of": member, **told}
    return Case(name, expect, row, elf_wheel({member: data, **(more or {})}, tag), zip_maker.wheel_name(tag), elf=data,
                place=member, beside=more, **told)  # fmt: skip
