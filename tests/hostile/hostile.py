"""What a hostile case is, and what the program said of it. The cases themselves are in cases/, a file for each topic."""

from __future__ import annotations

import collections.abc
import dataclasses
import importlib
import json
import os
import pathlib
import pickle
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback

import elf_maker
import zip_maker

HERE = pathlib.Path(__file__).resolve().parent
ELF_TAG = "cp311-cp311-manylinux_2_17_x86_64"
PURE_TAG = "py3-none-any"
CORE = "hostile/core.so"

# ok: exit 0, nothing above info.  ignore: ok, and the member is listed as what it is.  finding: a warning or an error.
# reject: exit 3, status "rejected".  lower: exit 0, with a finding or without.  remarked: exit 0 or 1, as it is judged.
CLASSES = ("ok", "ignore", "finding", "reject", "lower", "remarked")


@dataclasses.dataclass
class Case:
    name: str
    expect: str  # one of CLASSES
    row: str  # of the table in docs/security.md that asks for it
    data: bytes = b""
    file: str = zip_maker.wheel_name(PURE_TAG)
    member: str | None = None  # which the report names
    says: str | None = None  # pattern in a finding of that member, or in the message of the rejection
    code: str | None = None  # of such a finding
    fails: bool | None = None  # a finding for which the program ends with 1; None: not asked
    elf: bytes | None = None  # for ld.so
    loads: bool | None = None  # what ld.so does with it; None: that depends on the system
    setup: collections.abc.Callable[[pathlib.Path], pathlib.Path] | None = None  # in place of writing `data`
    shows: str | None = None  # pattern in what the report holds of the ELF file `of`
    of: str = CORE
    machine_is_this: bool = True  # x86-64: ld.so is asked
    depends: bool = False  # what ld.so does depends on more than the file, such as symbols of the process
    topic: str = ""

    def make(self, folder: pathlib.Path) -> pathlib.Path:
        folder.mkdir(parents=True, exist_ok=True)
        if self.setup:
            return self.setup(folder)
        path = folder / self.file
        path.write_bytes(self.data)
        return path


def make_corpus(folder: pathlib.Path, only: str = "", topics: list[str] | None = None) -> list[tuple[Case, pathlib.Path]]:
    """Writes the cases whose names or topics match, in a child: what is asked here should stay small, for a child that is
    started by a large process is held to have been as large (getrusage(2), ru_maxrss).
    """
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
                    (folder / "elf" / case.topic).mkdir(parents=True, exist_ok=True)
                    (folder / "elf" / case.topic / f"{case.name}.so").write_bytes(case.elf)
                made.append((dataclasses.replace(case, data=b"", elf=None, setup=None), path))
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
    path = folder / "elf" / case.topic / f"{case.name}.so"
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


# Makers that most topics use.

VICTIM = "hostile/victim.py"
VICTIM_TEXT = b"# " + b"the member that a case is about; long enough to deflate. " * 8 + b"\n"
FILES = {"hostile/__init__.py": b"value = 1\n", VICTIM: VICTIM_TEXT, "hostile/last.py": b"last = 1\n"}
VICTIM_AT = 1  # its place among the members


def pure(files: dict[str, bytes] | list[zip_maker.Member] | None = None, **how) -> zip_maker.Archive:
    """An honest wheel of Python files; a case then spoils it."""
    return zip_maker.Archive(zip_maker.wheel_members(FILES if files is None else files, tag=PURE_TAG, **how))


def elf_wheel(files: dict[str, bytes], tag: str = ELF_TAG) -> bytes:
    return zip_maker.Archive(zip_maker.wheel_members(files, tag=tag)).build()


def elf_case(name: str, expect: str, row: str, elf: bytes | elf_maker.Library, member: str = CORE, tag: str = ELF_TAG,
             more: dict[str, bytes] | None = None, **told) -> Case:
    data = elf if isinstance(elf, bytes) else elf.build()
    named = None if expect in ("ok", "lower", "remarked") else member
    told = {"member": named, "of": member, **told}
    return Case(name, expect, row, elf_wheel({member: data, **(more or {})}, tag), zip_maker.wheel_name(tag), elf=data, **told)


# What the program does with a case.

@dataclasses.dataclass
class Answer:
    code: int  # negative: the signal that ended it
    out: bytes
    err: bytes
    cpu: float = 0.0
    wall: float = 0.0
    peak: int = 0  # bytes
    timed_out: bool = False


def ask(words: list[str], cwd: pathlib.Path, environment: dict[str, str], memory: int | None = None,
        timeout: float = 60, one_cpu: bool = False, file_size: int | None = None) -> Answer:
    """Runs a child by itself and measures it."""
    def before() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if file_size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
        if one_cpu:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    began = time.monotonic()
    child = subprocess.Popen(words, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, preexec_fn=before, start_new_session=True)
    parts: dict[str, bytes] = {}
    readers = [threading.Thread(target=lambda n=n, s=s: parts.__setitem__(n, s.read()), daemon=True)
               for n, s in (("out", child.stdout), ("err", child.stderr))]
    for reader in readers:
        reader.start()
    late = threading.Event()

    def stop() -> None:
        late.set()
        os.killpg(child.pid, signal.SIGKILL)

    timer = threading.Timer(timeout, stop)
    timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    for reader in readers:
        reader.join(5)
    for stream in (child.stdout, child.stderr):
        stream.close()
    return Answer(child.returncode, parts.get("out", b""), parts.get("err", b""), usage.ru_utime + usage.ru_stime,
                  time.monotonic() - began, usage.ru_maxrss * 1024, late.is_set())


def plain_environment(temporary: pathlib.Path, **more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS") or k == "LLVM_PROFILE_FILE"}
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TMPDIR": str(temporary), "HOME": str(temporary), **kept, **more}


def raw_controls(text: bytes) -> list[int]:
    """Control bytes that a terminal would obey; a report has line ends only."""
    return sorted({byte for byte in text if (byte < 0x20 and byte != 0x0A) or byte == 0x7F})


def faults_of_text(what: str, text: bytes) -> list[str]:
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        return [f"{what} is not UTF-8 at byte {error.start}"]
    out = [f"{what} has control bytes {raw_controls(text)}"] if raw_controls(text) else []
    odd = sorted({f"U+{ord(c):04X}" for c in decoded
                  if 0x80 <= ord(c) < 0xA0 or c in "\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
                  "\u2028\u2029\u2066\u2067\u2068\u2069\ufeff"})
    return out + ([f"{what} has raw {' '.join(odd)}"] if odd else [])


def strict_json(text: bytes) -> dict:
    def refuse(value: str):
        raise ValueError(f"{value} is no JSON")

    def once(pairs: list) -> dict:
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError("a key twice")
        return dict(pairs)

    return json.loads(text.decode(), parse_constant=refuse, object_pairs_hook=once)


SERIOUS = ("error", "warning")
FOREIGN_ROLES = ("device code", "debug information", "relocatable object", "core dump")


def listed_kind(wheel: dict, member: str) -> str | None:
    """As what a member that is not judged is listed."""
    for elf in wheel["elf_files"]:
        if elf["member"] == member:
            return elf["role"] if elf["role"] in FOREIGN_ROLES else None
    for other in wheel.get("foreign_files", []):
        if other["member"] == member:
            return other["kind"]
    return None


def class_of(code: int, report: dict, case: Case) -> str:
    (wheel,) = report["wheels"]
    if wheel["type"] == "unreadable":
        return "reject" if code == 3 and wheel["status"] == "rejected" else f"unreadable with exit code {code}"
    if code not in (0, 1):
        return f"a report with exit code {code}"
    if any(finding["severity"] in SERIOUS for finding in wheel["findings"]):
        return "finding"
    if code != 0:
        return f"no finding with exit code {code}"
    if case.expect == "ignore":
        return "ignore" if listed_kind(wheel, case.member) else "ok, and the member is not listed"
    return "ok"


def matching(case: Case, wheel: dict) -> list[dict]:
    """The findings that say what the case expects."""
    out = []
    for finding in wheel["findings"]:
        text = " ".join([finding["message"], *(str(e["value"]) for e in finding.get("evidence", []))])
        if finding["severity"] == "info" and case.expect not in ("lower", "remarked"):
            continue
        if case.member is not None and finding.get("member") != case.member and not named_in(case.member, finding, wheel):
            continue
        if case.code is not None and finding["code"] != case.code:
            continue
        if case.says is not None and not re.search(case.says, text):
            continue
        out.append(finding)
    return out


def named_in(member: str, finding: dict, wheel: dict) -> bool:
    return finding["place"].endswith(f"::{member}") or member in finding["message"]


def faults_of(case: Case, code: int, report: dict) -> list[str]:
    """In what the answer is not the one that the case expects."""
    got = class_of(code, report, case)
    (wheel,) = report["wheels"]
    expected = {"lower": ("ok", "finding"), "remarked": ("ok", "finding")}.get(case.expect, (case.expect,))
    if got not in expected:
        return [f"{got}{told(wheel)}"]
    faults = []
    if case.expect == "reject":
        if case.member is not None and case.member not in wheel["message"]:
            faults.append(f"the message does not name the member: {wheel['message']}")
        if case.says is not None and not re.search(case.says, wheel["message"]):
            faults.append(f"the message does not say {case.says!r}: {wheel['message']}")
        return faults
    asked = case.member is not None or case.code is not None or case.says is not None
    if case.expect == "finding" and asked and not matching(case, wheel):
        wanted = " ".join(filter(None, (case.code, case.member, case.says and repr(case.says))))
        faults.append(f"no finding {wanted}{told(wheel)}")
    if case.expect == "lower" and code != 0:
        faults.append(f"exit code {code}{told(wheel)}")
    if case.shows is not None:
        shown = [json.dumps(elf, ensure_ascii=False) for elf in wheel["elf_files"] if elf["member"] == case.of]
        if not any(re.search(case.shows, text) for text in shown):
            faults.append(f"the report of {case.of} does not show {case.shows!r}")
    if case.fails is not None and case.fails != (code == 1):
        faults.append(f"exit code {code}{told(wheel)}")
    return faults


def told(wheel: dict) -> str:
    if wheel["type"] == "unreadable":
        return f": {wheel['message']}"
    texts = [f"{f['severity']} {f['code']} {f.get('member') or ''}: {f['message']}" for f in wheel["findings"]
             if f["severity"] in SERIOUS]
    return "".join("; " + text for text in texts[:4])


sys.path.insert(0, str(HERE))
