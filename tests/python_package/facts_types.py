"""Writes python/wheelcheck/_facts.py, the types of the facts, from docs/report.schema.json."""

import json
import keyword
import pathlib
import runpy
import textwrap
from typing import Any, get_args

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "python" / "wheelcheck" / "_facts.py"
WIDTH = 120
# The facts of a wheel; with what they refer to, these are the types in the file.
ROOTS = ["wheel_name", "wheel_file", "metadata", "wheel_flaw", "elf_file", "python_file"]
PLAIN = {"string": "str", "integer": "int", "boolean": "bool"}
HEAD = '''"""The facts of a wheel, of its ELF files and of its Python files.

tests/python_package/facts_types.py wrote this file from docs/report.schema.json.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Optional

from wheelcheck._words import '''


class Writer:
    def __init__(self) -> None:
        schema = json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8"))
        words = runpy.run_path(str(ROOT / "python" / "wheelcheck" / "_words.py"))
        self.definitions: dict[str, Any] = schema["definitions"]
        self.aliases = {frozenset(get_args(hint)): name for name, hint in words.items() if get_args(hint)}
        self.used: set[str] = set()
        self.classes: dict[str, str] = {}  # by definition; what a class refers to comes before it

    def text(self) -> str:
        for name in ROOTS:
            self.add(name)
        return HEAD + ", ".join(sorted(self.used)) + "\n" + "".join(self.classes.values())

    def add(self, name: str) -> str:
        """The name of the class of a definition."""
        title = "".join(map(str.capitalize, name.split("_")))
        if name not in self.classes:
            definition = self.definitions[name]
            assert definition["required"] == list(definition["properties"]), f"{name}: a fact is never absent"
            fields = [self.field(key, one) for key, one in definition["properties"].items()]
            doc = definition.get("description", "").replace("null", "None")
            self.classes[name] = f'\n\n@dataclass(frozen=True)\nclass {title}:\n    """{doc}"""\n\n' + "".join(fields)
        return title

    def field(self, key: str, schema: dict[str, Any]) -> str:
        line = f"    {key}{'_' if keyword.iskeyword(key) else ''}: {self.hint(schema)}"
        if len(line) > WIDTH:  # as ruff formats it
            start, words = line.split("Literal[", 1)
            inner = words.rstrip("]")
            line = f"{start}Literal[\n        {inner}\n    ]"
            if len(inner) + 8 > WIDTH:
                line = f"{start}Literal[\n" + "".join(f"        {word},\n" for word in inner.split(", ")) + "    ]"
        meaning = schema.get("description", "").replace("null", "None")
        if not meaning:
            return line + "\n"
        if len(line.rpartition("\n")[2]) + 4 + len(meaning) <= WIDTH and "\n" not in line:
            return f"{line}  # {meaning}\n"
        comment = textwrap.wrap(meaning, WIDTH - 6)
        return "".join(f"    # {part}\n" for part in comment) + line + "\n"

    def hint(self, schema: dict[str, Any]) -> str:
        if "$ref" in schema:
            return self.add(schema["$ref"].rpartition("/")[2])
        if "oneOf" in schema:
            null, other = schema["oneOf"]
            assert null == {"type": "null"}
            return f"Optional[{self.hint(other)}]"
        if "enum" in schema:
            alias = self.aliases.get(frozenset(schema["enum"]))
            if alias is None:
                return f"Literal[{', '.join(json.dumps(word) for word in schema['enum'])}]"
            self.used.add(alias)
            return alias
        kind = schema["type"]
        if kind == "array":
            return f"tuple[{self.hint(schema['items'])}, ...]"
        if kind == "object":
            return f"Mapping[str, {self.hint(schema['additionalProperties'])}]"
        if isinstance(kind, list):
            one, null = kind
            assert null == "null"
            return f"Optional[{PLAIN[one]}]"
        return PLAIN[kind]


if __name__ == "__main__":
    FILE.write_text(Writer().text(), "utf-8")
