"""Python code of a few kilobytes (compressed) that would take minutes or gigabytes to evaluate in full."""

from elf_maker import Library
from hostile import CORE, ELF_TAG, VICTIM, Case, elf_wheel, pure
from zip_maker import wheel_name

ROW = "Python code that costs more than its size"
LOADS = b"import ctypes, os, sys\nctypes.CDLL('libm.so.6')\n"


def case(name: str, code: bytes, expect: str = "finding", **told) -> Case:
    told = {"member": VICTIM, "code": "WC717", "fails": True, **told} if expect == "finding" else told
    return Case(f"python-{name}", expect, ROW, pure({VICTIM: LOADS + code}).build(), **told)


def many(name: str, code: bytes, count: int, member: str = "hostile/part{:04}.py") -> Case:
    """So many files that each is within its own limits: the wheel has a limit too."""
    files = {member.format(i): LOADS + b"# %d\n" % i + code for i in range(count)}
    told = {"member": member.format(count - 1), "code": "WC717", "fails": True}
    return Case(f"python-many-{name}", "finding", ROW, pure(files).build(), **told)


def nested(levels: int, width: int) -> bytes:
    """Tuples of tuples, whose size grows exponentially with `levels`."""
    start = b"if os.getenv('A'): v = '" + b"a" * 500 + b"'\nelse: v = '" + b"b" * 500 + b"'\n"
    return start + (b"v = (" + b"v, " * width + b")\n") * levels + b"ctypes.CDLL(v[0])\n" * 100


def calls_in_one_line() -> Case:
    """In a wheel with machine code, where a call that opens a library by its name asks for the imports of all files."""
    files = {CORE: Library().build(), VICTIM: LOADS + b"x = [" + b"CDLL(1)," * 120_000 + b"]\n"}
    return Case("python-calls-in-one-line", "finding", ROW, elf_wheel(files), wheel_name(ELF_TAG), member=VICTIM,
                code="WC717", fails=True)  # fmt: skip


def cases() -> list[Case]:
    return [
        case("tuples-of-tuples", nested(8, 8)),
        case("brackets-that-never-close", b"[" * 1_000_000),
        case("tuples-that-never-close", b"x=" + b"(a," * 330_000),
        case("lambda-not", b"lambda:not ," * 80_000),
        case("format-strings-that-never-close", b'f"{' * 300_000),
        case("lines-of-backslashes", b"\\\n" * 500_000, "remarked"),
        case("parameters-and-calls", b"def f(" + b",".join(b"a%d" % i for i in range(60_000)) + b"):\n"
             b" ctypes.CDLL(a59999)\n" + b"f(1)\n" * 50_000),
        calls_in_one_line(),
        case("longer-than-is-parsed", b"# nothing\n" * 120_000),
        case("plain", b"x = 1\n" * 1_000, "ok"),
        many("tuples-of-tuples", nested(8, 8), 1000),
        many("lambda-not", b"lambda:not ," * 400, 1000),
        many("plain-calls", b"ctypes.CDLL('x')\n" * 6000, 100),
        many("broken-path-files", b"import sys" + b" sys.setdlopenf4" * 10_000 + b"\n", 60, "hostile{:02}.pth"),
    ]
