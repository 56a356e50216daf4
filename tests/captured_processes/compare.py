"""Compares a prediction (the JSON of `wheelcheck conflicts --format bindings`) with the bindings of a real process."""

import collections
import csv
import os
from dataclasses import dataclass, field
from pathlib import Path

from capture import Trace
from elf import Elf

Bindings = dict[tuple[str, str, str], set[str]]


@dataclass
class Comparison:
    equal: int = 0
    differ: list[str] = field(default_factory=list)
    beside: collections.Counter = field(default_factory=collections.Counter)  # lookups without a relocation, by class

    @property
    def references(self) -> int:
        return self.equal + len(self.differ)


def with_names_of_log(bindings: list[dict], outside: dict[str, str]) -> list[dict]:
    """ld.so names a library of the system by the name under which it was searched, often a symbolic link."""
    logged = {os.path.basename(os.path.realpath(path)): name for name, path in outside.items()}
    return [each | {key: logged.get(each[key], each[key]) for key in ("from", "to")} for each in bindings]


def predicted_bindings(bindings: list[dict]) -> Bindings:
    """The predicted bindings to a definition. The log does not contain weak references without a definition."""
    found: Bindings = collections.defaultdict(set)
    for binding in bindings:
        if binding["to"] is not None:
            found[binding["from"], binding["symbol"], binding["version"] or ""].add(binding["to"])
    return found


class Files:
    """The paths of the files of a process, and the symbols of their relocations."""

    def __init__(self, environment: str, paths: dict[str, str]) -> None:
        self.environment, self.paths = environment, paths  # paths: of files outside of the environment, by shown name
        self.relocated: dict[str, set[tuple[str, str]]] = {}

    def path(self, name: str) -> str:
        inside = os.path.join(self.environment, name)
        path = inside if os.path.exists(inside) else self.paths.get(name, "")
        return path if os.path.exists(path) else ""  # the vDSO has no file

    def is_relocated(self, name: str, symbol: str, version: str) -> bool:
        if name not in self.relocated:
            path = self.path(name)
            found = Elf(path).relocated_symbols() if path else []
            # The version of a symbol that the file itself defines is not read; the name is sufficient.
            self.relocated[name] = {(one.name, "" if one.defined else one.version) for one in found}
        return (symbol, version) in self.relocated[name] or (symbol, "") in self.relocated[name]


def class_of(name: str, symbol: str, opened_by_ctypes: set[str]) -> str:
    """The class of a lookup that is not caused by a relocation."""
    if symbol.startswith(("PyInit_", "PyInitU_")):
        return "PyInit_*"
    if "vdso" in name or symbol.startswith("__vdso_"):
        return "vDSO"
    if symbol in ("malloc", "calloc", "realloc", "free") and name in ("<main>", "ld-linux-x86-64.so.2"):
        return "ld.so's allocator"
    if symbol.startswith(("_dl_", "__libc_", "__nptl_", "__tunable")) or name == "ld-linux-x86-64.so.2":
        return "ld.so's hooks"
    if name in opened_by_ctypes:
        return "ctypes"
    return "dlsym"


def compare(trace: Trace, prediction: dict, files: Files, opened_by_ctypes: set[str]) -> Comparison:
    result = Comparison()
    bindings = with_names_of_log(prediction["bindings"], trace.outside)
    predicted = predicted_bindings(bindings)
    undone = {
        (each["from"], each["symbol"], each["version"] or "")
        for each in bindings
        if "undone" in each or each["to"] is None
    }
    for key, targets in predicted.items():
        real = trace.bindings.get(key)
        if real is not None and targets <= real:
            result.equal += 1
        elif real is None and trace.ended and key in undone:
            result.beside["the process ended before it"] += 1
        else:
            result.differ.append(f"{key}: predicted {sorted(targets)}, real {sorted(real or [])}")
    for key, targets in trace.bindings.items():
        if targets <= predicted.get(key, set()):
            continue
        if key in predicted:
            result.beside["also by dlsym"] += 1
        elif not files.is_relocated(*key):
            result.beside[class_of(key[0], key[1], opened_by_ctypes)] += 1
        else:
            result.differ.append(f"{key}: not predicted, real {sorted(targets)}")
    for what, real, told in (
        ("global scope", trace.global_scope, prediction["global_scope"]),
        ("added to the global scope", trace.published, prediction["global_scope_added"]),
        ("failed opens", failures(trace), predicted_failures(prediction)),
    ):
        if real != told:
            at = next((i for i, pair in enumerate(zip(real, told)) if pair[0] != pair[1]), min(len(real), len(told)))
            near = f"from {at}: {real[at : at + 3]}, {told[at : at + 3]}"
            result.differ.append(f"{what}: {len(real)} real, {len(told)} predicted; {near}")
    return result


def failures(trace: Trace) -> list[tuple]:
    return [tuple(each) for each in trace.failures]


def predicted_failures(prediction: dict) -> list[tuple]:
    return [
        (each["step"], each["open"], each.get("nested", False), each["error"]) for each in prediction["failed_steps"]
    ]


@dataclass
class Share:
    """The recall of a prediction that was made without knowledge of the process."""

    references: int = 0  # of objects of the wheels, in the log
    compared: int = 0  # of these, also predicted
    right: int = 0
    real_crossing: int = 0  # bindings from one distribution to another
    found_crossing: int = 0  # of these, also predicted
    told_crossing: int = 0  # predicted, for files that were loaded
    wrong_crossing: int = 0  # of these, not in the log
    wrong: list[str] = field(default_factory=list)


def distributions(environment: str) -> dict[str, str]:
    """The distribution of each file of the environment, from the RECORD files."""
    found = {}
    for record in Path(environment).glob("*.dist-info/RECORD"):
        with open(record, newline="") as file:
            for row in csv.reader(file):
                found[os.path.normpath(row[0])] = record.parent.name.split("-")[0].lower().replace("_", "-")
    return found


def share(trace: Trace, prediction: dict, files: Files, wheels: set[str]) -> Share:
    """`wheels`: the names of the given distributions. Only their objects count."""
    result = Share()
    owner = distributions(files.environment)
    predicted = predicted_bindings(with_names_of_log(prediction["bindings"], trace.outside))
    loaded = {key[0] for key in trace.bindings}

    def crosses(source: str, target: str) -> bool:
        return owner.get(source) in wheels and owner.get(target) in wheels and owner[source] != owner[target]

    for key, real in trace.bindings.items():
        if owner.get(key[0]) not in wheels or not files.is_relocated(*key):
            continue
        result.references += 1
        told = predicted.get(key)
        crossing = {target for target in real if crosses(key[0], target)}
        result.real_crossing += len(crossing)
        if told is None or "<platform>" in told:
            continue
        result.compared += 1
        result.found_crossing += len(crossing & told)
        if told & real:
            result.right += 1
        else:
            result.wrong.append(f"{key}: predicted {sorted(told)}, real {sorted(real)}")
    for key, told in predicted.items():
        for target in told:
            if key[0] not in loaded or not crosses(key[0], target):
                continue
            result.told_crossing += 1
            if target not in trace.bindings.get(key, ()):
                result.wrong_crossing += 1
    return result
