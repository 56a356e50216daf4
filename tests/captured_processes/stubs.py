"""Creates stub libraries for those of a missing driver or SDK. A stub has the same name, the same version nodes and
every required symbol, so that LD_BIND_NOW finds them. Each function returns 100, which is CUDA's "no device"."""

import collections
import subprocess
import tempfile
from pathlib import Path

from elf import Elf

SYSTEM = ("/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64")


def make(directory: Path) -> None:
    """Writes the stubs next to the libraries of `directory`, because $ORIGIN is first in their search paths."""
    files = [Elf(str(path)) for path in sorted(directory.iterdir()) if ".so" in path.name and path.is_file()]
    present = {path.name for path in directory.iterdir()} | {file.soname for file in files}
    missing: dict[str, dict[str, set[str]]] = {}  # symbols by library and version
    for file in files:
        for name in file.needed:
            if name not in present and not any(Path(place, name).exists() for place in SYSTEM):
                missing.setdefault(name, collections.defaultdict(set))
    anywhere = asked_of_nobody(files)  # the first stub defines them
    for file in files:
        for library, version in file.needed_versions().values():
            if library in missing:
                missing[library][version]
        for symbol in file.relocated_symbols():
            if not symbol.defined and not symbol.weak and symbol.library in missing:
                missing[symbol.library][symbol.version].add(symbol.name)
    for number, (library, versions) in enumerate(sorted(missing.items())):
        build(directory / library, library, versions, anywhere if number == 0 else set())


def asked_of_nobody(files: list[Elf]) -> set[str]:
    """The required names without a version that none of the files defines."""
    asked = {
        symbol.name
        for file in files
        for symbol in file.relocated_symbols()
        if not (symbol.defined or symbol.weak or symbol.version)
    }
    return asked.difference(*(file.defined_names() for file in files))


def function(name: str) -> str:
    return f'.globl "{name}"\n.type "{name}", @function\n"{name}": mov $100, %eax\nret\n'


def node(version: str, names: set[str]) -> str:
    return f"{version} {{ global: " + "".join(f'"{name}"; ' for name in sorted(names)) + "};"


def build(path: Path, soname: str, versions: dict[str, set[str]], without: set[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        source, script = Path(scratch) / "stub.s", Path(scratch) / "stub.map"
        names = sorted(set().union(without, *versions.values()))
        source.write_text("".join(map(function, names)))
        nodes = [node(version, of) for version, of in sorted(versions.items())]
        script.write_text("\n".join(nodes))
        words = ["gcc", "-shared", "-nostdlib", f"-Wl,-soname={soname}", str(source), "-o", str(path)]
        subprocess.run([*words, *([f"-Wl,--version-script={script}"] if nodes else [])], check=True)
