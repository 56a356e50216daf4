#!/usr/bin/env python3
"""seeds.py [--quick] MADE FOLDER: inputs for each fuzz target, in FOLDER/TARGET, named by their contents.

They come from the generated wheels that the program MADE writes, from the cases of tests/hostile, and from those files
of this tree that the targets read. --quick leaves out the cases that take long to generate, and most of those that take
long to replay.
"""

from __future__ import annotations

import hashlib
import io
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/hostile"))

import hostile  # noqa: E402

LONG_TO_MAKE = {"bombs", "elf_dynamic", "elf_sections"}
MOST_CODE = 8  # Python files of one wheel: some have a thousand similar files
LARGEST = 64 << 10  # bytes; libFuzzer runs small inputs more often
MAGIC = b"\x7fELF"


class Seeds:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.counts: dict[str, int] = {}

    def add(self, target: str, data: bytes, largest: int = LARGEST) -> None:
        if len(data) > largest:
            return
        place = self.folder / target
        place.mkdir(parents=True, exist_ok=True)
        path = place / hashlib.sha1(data).hexdigest()
        if not path.exists():
            path.write_bytes(data)
            self.counts[target] = self.counts.get(target, 0) + 1

    def elf(self, data: bytes) -> None:
        self.add("elf", data)
        self.add("report", data)

    def stream(self, data: bytes, level: int, declared: int | None = None, how: int = 0) -> None:
        packer = zlib.compressobj(level, zlib.DEFLATED, -15)
        packed = packer.compress(data) + packer.flush()
        size = len(data) if declared is None else declared
        self.add("inflate", struct.pack("<BI", how, size) + (data if how & 1 else packed))

    def wheel(self, name: str, data: bytes) -> None:
        """Adds a wheel as an archive, and its parts as inputs of the other targets if it can be read."""
        self.add("zip_index", data)
        self.add("filename", name.encode())
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                infos = [info for info in archive.infolist() if info.file_size <= LARGEST]
                members = [(info.filename, archive.read(info)) for info in infos]
        except Exception:  # noqa: BLE001  a file that zipfile cannot read is a seed itself
            return
        code = [member for member, _ in members if member.endswith(".py")][:MOST_CODE]
        for member, content in members:
            if content.startswith(MAGIC):
                self.elf(content)
            elif member in code:
                self.add("python", content)
            elif member.endswith(".dist-info/RECORD"):
                self.add("record", content)
            elif member.endswith((".dist-info/METADATA", ".dist-info/WHEEL")):
                self.add("metadata", content)
        self.add("wheel", pack(name, members))


def pack(name: str, members: list[tuple[str, bytes]]) -> bytes:
    """The format that pack.h reads. RECORD is empty, so that pack.h writes it."""
    out = struct.pack("<H", len(name)) + name.encode()
    for member, content in members:
        raw = member.encode("utf-8", "surrogateescape")
        content = b"" if member.endswith(".dist-info/RECORD") else content
        out += struct.pack("<HI", len(raw), len(content)) + raw + content
    return out


def from_made(seeds: Seeds, made: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([made, folder], check=True)
        for path in sorted(pathlib.Path(folder).glob("*/*")):
            if path.name == "kept":
                seeds.add("kept", path.read_bytes())
            else:
                seeds.wheel(path.name, path.read_bytes())


def from_hostile(seeds: Seeds, quick: bool) -> None:
    topics = [file.stem for file in sorted((ROOT / "tests/hostile/cases").glob("*.py"))]
    for case in hostile.all_cases([topic for topic in topics if not (quick and topic in LONG_TO_MAKE)]):
        if case.data:
            seeds.wheel(case.file, case.data)
        if case.elf is not None:
            seeds.elf(case.elf)


def from_tree(seeds: Seeds) -> None:
    for path in sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/*.py")]):
        seeds.add("python", path.read_bytes(), 8 << 10)
    for path in sorted(ROOT.glob("policies/*.json")):
        seeds.add("policy", path.read_bytes())
    peer = [{"name": "linux", "aliases": [], "priority": 0, "symbol_versions": {}, "lib_whitelist": []}]
    old = {"name": "manylinux_2_17", "aliases": ["manylinux2014"], "priority": 70, "blacklist": {"libz.so.1": ["a"]}}
    libraries = {"lib_whitelist": ["libc.so.6"], "symbol_versions": {"x86_64": {"GLIBC": ["2.2.5", "2.17"]}}}
    seeds.add("policy", json.dumps([*peer, {**old, **libraries}]).encode())
    for path in sorted(ROOT.glob("data/*.json")):
        seeds.add("knowledge", path.read_bytes())
        shorten(seeds, path)
    opened = {"path": "a/b.so", "flags": ["LAZY", "GLOBAL"], "op": "dlopen", "caller": "c.so"}
    steps = [{"opens": [{**opened, "constructors": [{"path": "d.so", "flags": [], "op": "ctypes"}]}]}]
    plan = {"main": "default", "glibc": "2.36", "env": {"LD_PRELOAD": "e.so"}, "steps": steps}
    seeds.add("knowledge", json.dumps(plan).encode())
    for path in sorted(ROOT.glob("wheels/*/*.json")):
        seeds.add("filename", (path.stem + ".whl").encode())


def shorten(seeds: Seeds, path: pathlib.Path) -> None:
    """Adds the first entries of each list. The tables are long, and these entries have every field that a mutation may
    need."""
    tables = json.loads(path.read_text())
    short = {k: v[:5] if isinstance(v, list) else v for k, v in tables.items()} if isinstance(tables, dict) else tables
    seeds.add("knowledge", json.dumps(short).encode(), 8 << 10)


def streams(seeds: Seeds) -> None:
    texts = [b"", b"x", MAGIC + b"\2\1\1" + bytes(100), b"abc" * 1000, bytes(range(256)) * 20, bytes(60_000)]
    for text in texts:
        for level in (0, 1, 6, 9):
            seeds.stream(text, level)
        seeds.stream(text, 6, len(text) + 1)
        seeds.stream(text, 0, how=1)
    # Above 12 MB a member is read as a stream.
    for more in (0, 1, 4096, 300_000):
        seeds.stream(bytes((12 << 20) + more), 9, more, 6)


def thin(folder: pathlib.Path, most: int) -> None:
    """Keeps at most `most` files, evenly chosen by name, which is a hash of the contents. For targets that check and
    render every input."""
    files = sorted(folder.glob("*"))
    kept = set(files[:: max(1, -(-len(files) // most))])
    for file in files:
        if file not in kept:
            file.unlink()


def main() -> int:
    words = [word for word in sys.argv[1:] if word != "--quick"]
    if len(words) != 2:
        sys.exit(__doc__.splitlines()[0])
    quick = len(words) != len(sys.argv) - 1
    seeds = Seeds(pathlib.Path(words[1]))
    from_made(seeds, words[0])
    from_hostile(seeds, quick)
    from_tree(seeds)
    streams(seeds)
    for target in ("report", "wheel") if quick else ():
        thin(pathlib.Path(words[1]) / target, 100)
    print(", ".join(f"{count} {target}" for target, count in sorted(seeds.counts.items())) or "nothing new")
    return 0


if __name__ == "__main__":
    sys.exit(main())
