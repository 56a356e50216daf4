#!/usr/bin/env python3
"""Compares the calls that src/python finds with those that Python's own `ast` shows.

python_oracle_test.py PROGRAM --standard-library     the .py files of this Python
python_oracle_test.py PROGRAM --corpus               those of the real wheels
python_oracle_test.py PROGRAM --made                 random programs, for which `ast` is not used

The oracle knows imports and plain assignments, in any position, and does not compute reachability. So the oracle must
know each call that the program reports, by line and kind. The program must report each call of the oracle, except calls
below a condition, because the program may know that they cannot run on Linux. The program must find the same calls in a
whole file and in the part that its prefilter keeps.
"""

import ast
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

import made_sources

KINDS = {
    "sys.setdlopenflags": "sys.setdlopenflags",
    "ctypes.CDLL": "ctypes.CDLL",
    "ctypes.PyDLL": "ctypes.CDLL",
    "ctypes.cdll.LoadLibrary": "ctypes.CDLL",
    "ctypes.pydll.LoadLibrary": "ctypes.CDLL",
    "ctypes._dlopen": "ctypes.CDLL",
    "_ctypes.dlopen": "ctypes.CDLL",
    "ctypes.util.find_library": "ctypes.util.find_library",
}
CONDITIONS = (ast.If, ast.IfExp, ast.BoolOp, ast.While, ast.ExceptHandler)
WORDS = (b"setdlopenflags", b"CDLL", b"PyDLL", b"LoadLibrary", b"cdll", b"pydll", b"dlopen", b"find_library")


class Oracle(ast.NodeVisitor):
    """The calls of one file: (line, kind) -> whether a condition is around it."""

    def __init__(self, tree: ast.AST):
        self.names: dict[str, set[str]] = {}
        self.calls: dict[tuple[int, str], bool] = {}
        self.below = 0
        for _ in range(3):  # for names of names
            for node in ast.walk(tree):
                self.learn(node)
        self.visit(tree)

    def learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name if alias.asname else alias.name.split(".")[0]
                self.names.setdefault(alias.asname or first, set()).add(first)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = "." * node.level + (node.module or "")
                if alias.name == "*" and module == "ctypes":
                    for name in ("CDLL", "PyDLL", "cdll", "pydll"):
                        self.names.setdefault(name, set()).add(f"ctypes.{name}")
                self.names.setdefault(alias.asname or alias.name, set()).add(f"{module}.{alias.name}")
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.names.setdefault(target.id, set()).update(self.meanings(node.value))

    def meanings(self, node: ast.AST) -> set[str]:
        """The dotted names that the expression may refer to."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, {node.id})
        if isinstance(node, ast.Attribute):
            return {f"{base}.{node.attr}" for base in self.meanings(node.value)}
        if isinstance(node, ast.Call) and "cffi.FFI" in self.meanings(node.func):
            return {"ffi"}
        return set()

    def generic_visit(self, node: ast.AST) -> None:
        """Code after a condition that may leave is conditional too: `if not mac: raise`."""
        before = self.below
        self.below += isinstance(node, CONDITIONS)
        for child in ast.iter_child_nodes(node):
            self.visit(child)
            if isinstance(child, ast.If) and isinstance(child.body[-1], ast.Return | ast.Raise):
                self.below += 1
        self.below = before

    def note(self, line: int, kind: str) -> None:
        self.calls[line, kind] = self.calls.get((line, kind), True) and self.below > 0

    def visit_Call(self, node: ast.Call) -> None:
        for name in self.meanings(node.func):
            if name in KINDS:
                self.note(node.lineno, KINDS[name])
            elif name.split(".")[-2:] in (["ffi", "dlopen"], ["_ffi", "dlopen"]):
                self.note(node.lineno, "ffi.dlopen")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self.meanings(node.value) & {"ctypes.cdll", "ctypes.pydll"}:
            self.note(node.lineno, "ctypes.CDLL")
        self.generic_visit(node)


def sources(where: str, directory: pathlib.Path) -> list[pathlib.Path]:
    if where == "--made":
        return made_sources.make(directory, seed=1, count=4000)
    if where == "--standard-library":
        return sorted(pathlib.Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))
    import corpus

    for recipe in corpus.fetched():
        with zipfile.ZipFile(recipe.path) as wheel:
            for member in wheel.namelist():
                if member.endswith(".py"):
                    wheel.extract(member, directory / recipe.file)
    return sorted(directory.rglob("*.py"))


def compare(file: str, found: set[tuple[int, str]], source: bytes) -> list[str]:
    try:
        oracle = Oracle(ast.parse(source)).calls
    except (SyntaxError, ValueError, RecursionError):
        return []  # written for another version of Python
    faults = [f"{file}:{line}: {kind} is not a call" for line, kind in sorted(found - oracle.keys())]
    for (line, kind), below in sorted(oracle.items()):
        if (line, kind) not in found and not below:
            faults.append(f"{file}:{line}: {kind} was not found")
    return faults


def main() -> None:
    program, where = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        files = [file for file in sources(where, pathlib.Path(directory)) if any(w in file.read_bytes() for w in WORDS)]
        listed = "".join(f"{file}\n" for file in files)
        done = subprocess.run([program], input=listed, capture_output=True, text=True, check=True)
        found: dict[str, set[tuple[int, str]]] = {}
        differ = []
        for row in done.stdout.splitlines():
            file, *rest = row.split("\t")
            if rest[0] == "differs":
                differ.append(f"{file}: found by one way of reading only: {' '.join(rest[1:])}")
            elif len(rest) > 1:
                found.setdefault(file, set()).add((int(rest[0]), rest[1]))
        asked = [] if where == "--made" else files
        faults = differ + [
            fault for file in asked for fault in compare(str(file), found.get(str(file), set()), file.read_bytes())
        ]
    count = sum(len(calls) for calls in found.values())
    print(f"{len(files)} files, {count} calls, {len(faults)} differences")
    if count == 0:
        faults.append("no call was found at all")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
