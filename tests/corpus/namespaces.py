#!/usr/bin/env python3
"""namespaces.py PROGRAM WHEEL...: counts the exports of wheels with llvm-readelf and llvm-cxxfilt, and compares the
counts.

The number of exports of each file must be that of llvm-readelf. Every exported C++ name is demangled, the outermost
namespace or class is read from the demangled text, and the counts are compared with those of the program, which does
not demangle. Names that llvm-cxxfilt cannot demangle (conversions to template types) are given to c++filt of binutils.
ctest checks the wheels of wheels/real; docs/symbols.md has the figures of larger ones.
"""

import collections
import dataclasses
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile

GLOBAL = "::"  # the program's name for symbols outside of any namespace and class
SHARE = 0.001  # the fraction of the C++ names of a file that may be counted differently
PATIENCE = 1800  # seconds for one run of a program

# --- the list of llvm-readelf -------------------------------------------------------------------------------------

# Num: Value Size Type Bind Vis [other] Ndx Name
SYMBOL = re.compile(
    r"\s*\d+: (?P<value>[0-9a-f]+)\s+\S+\s+(?P<type>\S+)\s+(?P<bind>\S+)\s+(?P<vis>\S+)\s+(?:\[.*\]\s+)?"
    r"(?P<ndx>\S+) (?P<name>.*)"
)


def tool(name: str) -> str:
    """The newest installed version of the tool."""
    for candidate in (f"{name}-19", name):
        if path := shutil.which(candidate):
            return path
    sys.exit(f"namespaces: {name}-19 is not installed")


def is_export(symbol: re.Match) -> bool:
    """True if the symbol is defined and visible to other files: what glibc's do_lookup_x and check_match accept."""
    if symbol["ndx"] == "UND" or symbol["bind"] not in ("GLOBAL", "WEAK", "UNIQUE"):
        return False
    if symbol["vis"] not in ("DEFAULT", "PROTECTED"):
        return False
    return int(symbol["value"], 16) != 0 or symbol["ndx"] == "ABS" or symbol["type"] == "TLS"


def exported_names(path: str) -> list[str]:
    """The names without their versions. A name that is defined twice is listed twice."""
    command = [tool("llvm-readelf"), "--dyn-syms", "--wide", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="latin-1") as readelf:
        symbols = filter(None, map(SYMBOL.fullmatch, (line.rstrip("\n") for line in readelf.stdout)))
        return [name for symbol in symbols if is_export(symbol) and (name := symbol["name"].partition("@")[0])]


# --- the output of llvm-cxxfilt -----------------------------------------------------------------------------------


def run_through(command: list[str], names: list[str]):
    """Returns one line of output for each name."""
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "latin-1"}
    with subprocess.Popen(command, **options) as filt:

        def feed():
            with filt.stdin:
                filt.stdin.writelines(f"{name}\n" for name in names)

        feeder = threading.Thread(target=feed)
        feeder.start()
        yield from (line.rstrip("\n") for line in filt.stdout)
        feeder.join()


def demangled(names: list[str]):
    """The demangled text of each name, without parameters and return type; the name itself if it is not a C++ name.

    llvm-cxxfilt does not know transaction clones (_ZGTt, _ZGTn), so the name of the original function is given to it.
    """
    plain = [TRANSACTION_CLONE.sub("_Z", name) for name in names]
    for name, asked, text in zip(names, plain, run_through([tool("llvm-cxxfilt"), "--no-params"], plain), strict=True):
        yield name if text == asked else text


TRANSACTION_CLONE = re.compile("^_ZGT[tn](?=.)")
OF_A_CLASS = re.compile(r"(?:vtable|VTT|typeinfo(?: name)?) for |construction vtable for .*-in-")
OF_AN_ENTITY = re.compile(
    r"(?:guard variable|reference temporary(?: #\d+)?|thread-local (?:wrapper|initialization) routine) for "
    r"|(?:virtual|non-virtual|covariant return) thunk to "
)
OF_NOTHING = re.compile(r"template parameter object for |initializer for module ")
# Entities that are local to an extern "C" function. The function is printed without parameters, like a namespace.
LOCAL_TO_C = re.compile(r"_Z(?:T[VTIS]|GV|T[WH])?Z+\d+\w")
ANONYMOUS = "(anonymous namespace)"
PAIRS = {"(": ")", "<": ">", "[": "]", "{": "}"}
SIGNS = re.compile(r"\boperator(?:\(\)|\[\]|->\*?|<=>|<<=?|>>=?|<=|>=|<|>)|->|\[abi:[^\]]*\]")
BUILTIN = re.compile(
    r"(?:void|bool|char(?:8|16|32)?_?t?|wchar_t|short|int|long|float|double|half|unsigned|signed|__int128|decimal\d+"
    r"|_Float\d+|auto)\b"
)


def closing(text: str, at: int) -> int:
    """The position after the bracket that closes the one at `at`."""
    wanted = []
    for i in range(at, len(text)):
        c = text[i]
        if c in "(<[{":
            wanted.append(PAIRS[c])
        elif wanted and c == wanted[-1]:
            wanted.pop()
            if not wanted:
                return i + 1
        elif c in ")]}" and c in wanted:  # a '<' or '>' between them was a comparison
            while wanted.pop() != c:
                pass
            if not wanted:
                return i + 1
    return len(text)


def top_level(text: str):
    """(position, character) of the text outside of all brackets, including the opening brackets."""
    at = 0
    while at < len(text):
        yield at, text[at]
        at = closing(text, at) if text[at] in PAIRS else at + 1


def function_around(text: str) -> str | None:
    """For `int foo<int>(int)::x` it is `foo<int>`; None if the entity is not local to a function."""
    for at, c in top_level(text):
        if c != "(":
            continue
        behind = text[closing(text, at) :]
        if not re.match(r"(?: const| volatile| &&?|&&?)*(?: \[[^\]]*\]| \([^)]*\))?::", behind):
            return None
        head = text[:at]
        start = 0
        conversion = head.find("operator ")
        for space, character in top_level(head if conversion < 0 else head[:conversion]):
            if character == " ":
                start = space + 1
        return head[start:].lstrip("*&")
    return None


def outermost(name: str, text: str) -> str:
    """The outermost namespace or class of a demangled name; GLOBAL if there is none."""
    if LOCAL_TO_C.match(name):
        return GLOBAL
    if OF_NOTHING.match(text):
        return GLOBAL
    is_class = bool(match := OF_A_CLASS.match(text))
    match = match or OF_AN_ENTITY.match(text)
    text = text[match.end() :] if match else text
    text = SIGNS.sub(lambda sign: "operator\x02" if sign[0].startswith("operator") else "", text)
    text = text.replace(ANONYMOUS, "\x01")
    local = function_around(text)
    if local is not None:
        text, is_class = local, False
    elif is_class and any(c == "(" and text[at - 1 : at] != "'" for at, c in top_level(text)):
        return GLOBAL  # a function type has no scope, regardless of its types ('lambda'() is not a function type)
    if text.startswith(("'", "[", "operator\x02", "operator ")) or (is_class and BUILTIN.match(text)):
        return GLOBAL
    head = re.match(r"[^\s<(:*&\['.]+", text)
    if not head:
        return GLOBAL
    at = head.end()
    if text[at : at + 1] == "<":
        at = closing(text, at)
    behind = text[at:]
    if behind.startswith("::") or (is_class and not behind.startswith(("(", " ("))):
        return head[0].partition("@")[0].replace("\x01", ANONYMOUS)
    return GLOBAL


# --- comparison ---------------------------------------------------------------------------------------------------

RUST = re.compile(r"_ZN.*17h[0-9a-f]{16}E(?:\.llvm\.\d+)?")


@dataclasses.dataclass
class Count:
    """The counts of one file."""

    exports: int = 0
    scopes: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    second: int = 0  # of these, read by c++filt because llvm-cxxfilt failed
    unknown: int = 0  # start like a C++ name, but neither tool can read them: the program counts them as C names
    seen: dict[str, str] = dataclasses.field(default_factory=dict)  # one symbol of each scope


def count(path: str) -> Count:
    names = exported_names(path)
    result = Count(exports=len(names))
    cxx = [name for name in names if name.startswith("_Z") and not RUST.fullmatch(name)]
    texts = dict(zip(cxx, demangled(cxx), strict=True))
    if unread := [name for name, text in texts.items() if name == text]:
        again = dict(zip(unread, run_through([tool("c++filt"), "--no-params"], unread), strict=True))
        result.second = sum(name != text for name, text in again.items())
        texts |= again
    for name in cxx:
        if texts[name] == name:
            result.unknown += 1
            continue
        scope = outermost(name, texts[name])
        result.scopes[scope] += 1
        result.seen.setdefault(scope, f"{name} ({texts[name]})")
    return result


def said(program: str, wheel: str) -> dict[str, dict]:
    """The program's output for each file."""
    command = [program, "symbols", wheel, "--by", "file", "--format", "json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        sys.exit(f"namespaces: {' '.join(command)} ends with {done.returncode}: {done.stderr.decode()[:300]}")
    return {file["file"]: file for file in json.loads(done.stdout)["files"]}


def differences(ours: dict, theirs: Count) -> list[str]:
    """The differences for one file. Errors start with '!'."""
    lines = []
    if ours["exports"] != theirs.exports:
        lines.append(f"! {ours['exports']} exports, llvm-readelf lists {theirs.exports}")
    counts = ours["namespaces"]
    moved = 0
    for scope in sorted(counts.keys() | theirs.scopes.keys()):
        a, b = counts.get(scope, 0), theirs.scopes[scope]
        if a != b:
            moved += abs(a - b)
            lines.append(f"{scope}: {a}, demangled {b}; {theirs.seen.get(scope, 'none')[:300]}")
    if moved > SHARE * max(theirs.scopes.total(), 1):
        lines.append(f"! {moved} of {theirs.scopes.total()} C++ names are counted elsewhere")
    return lines


def compare(program: str, wheel: str) -> tuple[collections.Counter, list[str]]:
    """The totals of the wheel, and the differences, each line with its file."""
    totals, lines = collections.Counter(), []
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as scratch:
        for path, ours in said(program, wheel).items():
            theirs = count(archive.extract(path, scratch))
            totals.update(files=1, exports=theirs.exports, cxx=theirs.scopes.total(), unread=theirs.unknown)
            totals["by c++filt"] += theirs.second
            totals["program's exports"] += ours["exports"]
            totals["moved"] += sum(
                abs(ours["namespaces"].get(scope, 0) - theirs.scopes[scope])
                for scope in ours["namespaces"].keys() | theirs.scopes.keys()
            )
            lines += [f"{path}: {line}" for line in differences(ours, theirs)]
    return totals, lines


def main(arguments: list[str]) -> int:
    if len(arguments) < 2:
        sys.exit("usage: namespaces.py PROGRAM WHEEL...")
    faults = 0
    for wheel in arguments[1:]:
        totals, lines = compare(arguments[0], wheel)
        print(wheel.rpartition("/")[2] + ": " + ", ".join(f"{name} {number}" for name, number in totals.items()))
        print("".join(f"  {line}\n" for line in lines), end="")
        faults += sum(": ! " in line for line in lines)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
