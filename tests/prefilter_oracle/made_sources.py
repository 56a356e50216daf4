"""Random programs with the constructs that src/python understands: loaders with other names, methods, conditions,
`try`, loops."""

import pathlib
import random

NAMES = ["a", "b", "c", "load", "path", "cdll", "lib", "name", "get", "flag", "returned"]
OBJECTS = [*NAMES, "ctypes", "os", "sys", "m", "C", "D", "C()"]
VALUES = ["True", "None", "'libx.so'", "'liby.so'", "sys.platform == 'win32'", "ctypes.sizeof", "ctypes.CDLL", "ctypes.cdll"]
LOADERS = ["ctypes.CDLL", "ctypes.PyDLL", "ctypes.cdll.LoadLibrary", "ffi.dlopen", "find_library"]
IMPORTS = [
    "import ctypes",
    "import os",
    "import m as a",
    "import ctypes as c",
    "from m import get",
    "from . import b",
    "from ctypes import cdll",
    "from ctypes import CDLL as load",
    "from ctypes.util import find_library",
]
TYPES = ["int", "CDLL", "ctypes.CDLL", "Optional[CDLL]", "dict[str, CDLL]", "'CDLL'", "'cdll'", "cdll | None"]
HEADS = ["import ctypes, os, sys", "from ctypes import *\nimport os, sys", "from ctypes import CDLL, cdll\nimport os, m"]
DEEPEST = 3


class Maker:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []

    def one(self, *choices: str) -> str:
        return self.random.choice(choices)

    def name(self) -> str:
        return self.one(*NAMES)

    def annotation(self) -> str:
        """Usually a simple annotation, but it may be any expression."""
        return self.one(*TYPES, *TYPES, self.name(), f"list[{self.name()}]", self.expression(DEEPEST - 1))

    def arguments(self, depth: int) -> str:
        given = [self.expression(depth + 1) for _ in range(self.random.randrange(3))]
        return ", ".join(given[:1] + [self.one("", f"{self.name()}=") + one for one in given[1:]])

    def expression(self, depth: int = 0) -> str:
        inner = self.expression if depth < DEEPEST else lambda _: self.name()
        forms = [
            self.name,
            lambda: self.one(*VALUES),
            lambda: f"self.{self.name()}",
            lambda: f"{self.one(*OBJECTS)}.{self.name()}",
            lambda: self.one("f'{", "f'lib{") + self.one("", "self.") + self.name() + self.one("", "()") + "}.so'",
        ]
        if depth < DEEPEST:
            forms += [
                lambda: f"{self.one('', 'self.', self.one(*OBJECTS) + '.')}{self.name()}({self.arguments(depth)})",
                lambda: f"{self.name()}({self.arguments(depth)})",
                lambda: f"{self.one('C', 'D')}({self.arguments(depth)})",
                lambda: f"{self.one(*LOADERS)}({self.arguments(depth)})",
                lambda: f"os.path.join({inner(depth + 1)}, {inner(depth + 1)})",
                lambda: f"{inner(depth + 1)} {self.one('+', 'or', 'and')} {inner(depth + 1)}",
                lambda: f"[{inner(depth + 1)}, {inner(depth + 1)}]",
                lambda: f"{inner(depth + 1)} if {inner(depth + 1)} else {inner(depth + 1)}",
                lambda: f"[{inner(depth + 1)} for {self.name()} in {inner(depth + 1)}]",
                lambda: f"({self.name()} := {inner(depth + 1)})",
                lambda: f"(lambda {self.name()}: {inner(depth + 1)})",
                lambda: f"{self.one('cdll', 'ctypes.cdll', self.name())}[{inner(depth + 1)}]",
                lambda: f"{{{inner(depth + 1)}: {inner(depth + 1)}}}",
                lambda: f"{self.one(*LOADERS)}(\n    {inner(depth + 1)},  # dlopen\n\n mode={inner(depth + 1)})",
            ]
        return self.random.choice(forms)()

    def add(self, indent: int, line: str) -> None:
        self.lines.append(" " * indent + line)

    def target(self) -> str:
        forms = [f"self.{self.name()}", f"{self.name()}, {self.name()}", f"({self.name()}, *{self.name()})"]
        forms += [f"{self.one('', 'self.')}{self.name()}: {self.annotation()}"] * 2
        forms += [f"{self.name()} = {self.name()}", f"{self.name()}[0]", f"{self.name()}.{self.name()}"]
        return self.one(*[self.name()] * 6, *forms)

    def simple(self, in_function: bool) -> str:
        forms = [
            lambda: f"{self.target()} = {self.expression()}",
            lambda: f"{self.target()} = {self.expression()}",
            self.expression,
            lambda: f"{self.name()} {self.one('+', '|')}= {self.expression()}",
            lambda: f"{self.one('', 'self.')}{self.name()}.{self.one('append', 'extend')}({self.expression()})",
            lambda: f"{self.name()} = {self.expression()}; {self.expression()}",
            lambda: f"raise {self.expression()}",
            lambda: self.one(*IMPORTS),
            lambda: f"sys.setdlopenflags({self.one('2', '0x102', self.expression())})",
        ]
        if in_function:
            forms += [
                lambda: f"return {self.expression()}",
                lambda: self.one("return", "global " + self.name(), "yield " + self.name(), "assert " + self.name()),
            ]
        return self.random.choice(forms)()

    def block(self, indent: int, depth: int, in_function: bool) -> None:
        for _ in range(self.random.randrange(1, 4)):
            self.statement(indent, depth, in_function)

    def statement(self, indent: int, depth: int, in_function: bool) -> None:
        kind = self.random.random() if depth < DEEPEST else 1
        if kind < 0.06:
            self.function(indent, depth + 1, method=False)
        elif kind < 0.3:
            heads = [
                [f"if {self.expression()}:", f"elif {self.expression()}:", "else:"],
                [f"for {self.name()} in {self.expression()}:"],
                ["try:", f"except {self.one('OSError', 'E', 'E as e')}:", "else:", "finally:"],
                [f"while {self.expression()}:", "else:"],
                [f"with {self.expression()} as {self.name()}:"],
            ]
            for head in self.random.choice(heads):
                if not head.startswith(("el", "fi")) or self.random.random() < 0.5:
                    self.add(indent, head)
                    self.block(indent + 2, depth + 1, in_function)
        else:
            self.add(indent, self.simple(in_function))

    def function(self, indent: int, depth: int, method: bool) -> None:
        given = self.random.sample(NAMES, self.random.randrange(3))
        given = [one + self.one("", "", f": {self.annotation()}") for one in given]
        given = [(one, self.one("", "", f"={self.expression(2)}")) for one in given]
        given = [one + default for one, default in sorted(given, key=lambda one: one[1] != "")]
        given += self.one("", "", "*args", "**kept").split()
        names = [*NAMES, "__init__", "__init__", "__enter__"] if method else NAMES
        if self.random.random() < 0.1:
            self.add(indent, "@" + self.one("property", "classmethod", self.expression()))
        self.add(indent, f"{self.one('', '', '', 'async ')}def {self.one(*names)}({', '.join(['self'] * method + given)}){self.result()}:")
        self.block(indent + 2, depth, in_function=True)

    def result(self) -> str:
        return self.one("", "", f" -> {self.annotation()}")

    def class_body(self) -> None:
        self.add(0, f"class {self.one('C', 'D')}{self.one('', '(D)', '(CDLL)')}:")
        for _ in range(self.random.randrange(1, 4)):
            if self.random.random() < 0.7:
                self.function(2, 1, method=True)
            else:
                self.statement(2, 1, in_function=False)

    def program(self) -> str:
        self.lines = [self.one(*HEADS)]
        for _ in range(self.random.randrange(3, 12)):
            kind = self.random.random()
            if kind < 0.35:
                self.function(0, 0, method=False)
            elif kind < 0.55:
                self.class_body()
            else:
                self.statement(0, 0, in_function=False)
        if self.random.random() < 0.7:
            self.lines.append(f"CDLL({self.expression()})")
        return "\n".join([*self.lines, ""])


def make(directory: pathlib.Path, seed: int, count: int) -> list[pathlib.Path]:
    maker = Maker(seed)
    files = [directory / f"made{number}.py" for number in range(count)]
    for file in files:
        file.write_text(maker.program())
    return files
