#!/usr/bin/env python3
"""cost.py PROGRAM CORPUS [--seconds S] [--seed N]: searches for the wheel that costs most for its size.

Small wheels of the hostile corpus are changed at random. A wheel that costs more than the others of its kind replaces
the cheapest of them and is changed further. The measure is the CPU time and the peak memory of a run of the program,
each divided by what is allowed for the packed size. The most expensive wheels are kept in the folder CORPUS, where the
next run continues. The exit code is 1 if a wheel costs more than is allowed.
"""

import argparse
import pathlib
import random
import re
import sys
import tempfile
import time
import zipfile

import asking
import hostile
import mutations
import zip_maker

KEPT = 24  # wheels of each kind
MOST_PACKED, MOST_PLAIN = 1 << 20, 24 << 20
TEXT = re.compile(r"\.(py|pth|txt|json|toml|cfg|pyi)$|\.dist-info/(WHEEL|METADATA|RECORD)$")
PAIRS = (b"()", b"[]", b"{}", b'f"{"', b"(,", b"not ", b"lambda:", b"-~", b"if 1:\n ", b"\n", b",", b";", b"\\\n", b"#")


def words() -> list[bytes]:
    text = (hostile.HERE.parent / "fuzz" / "wheel.dict").read_text()
    return [w.encode().decode("unicode_escape").encode("latin-1") for w in re.findall(r'"((?:[^"\\]|\\.)+)"', text)]


class Wheel:
    def __init__(self, name: str, files: dict[str, bytes], kind: str):
        self.name, self.files, self.kind, self.score = name, files, kind, 0.0

    def packed(self) -> bytes:
        """The archive, with a new RECORD. Deflate level 1 is enough for repeated bytes."""
        record = next((n for n in self.files if n.endswith(".dist-info/RECORD")), None)
        files = self.files
        if record and self.kind != "RECORD":
            rows = "".join(zip_maker.row(n, d) for n, d in files.items() if n != record)
            files = {**files, record: (rows + f"{record},,\n").encode("utf-8", "surrogateescape")}
        members = [zip_maker.Member(n, d, packed=zip_maker.deflate(d, 6)) for n, d in files.items()]
        return zip_maker.Archive(members, end64={} if len(members) >= 0xFFFF else None).build()

    def members(self) -> list[str]:
        if self.kind == "elf":
            return [n for n, d in self.files.items() if d.startswith(b"\x7fELF")]
        return [n for n in self.files if TEXT.search(n) and kind_of(n) == self.kind]


def kind_of(member: str) -> str:
    return member.rsplit("/", 1)[-1].rsplit(".", 1)[-1]


def seeds(folder: pathlib.Path) -> list[Wheel]:
    out = []
    for _, path in hostile.make_corpus(folder):
        if not path.is_file():
            continue
        try:
            with zipfile.ZipFile(path) as archive:
                if len(archive.infolist()) > 200 or sum(i.file_size for i in archive.infolist()) > MOST_PLAIN // 8:
                    continue
                files = {i.filename: archive.read(i) for i in archive.infolist() if not i.is_dir()}
        except Exception:  # zipfile raises many kinds for the damaged ones
            continue
        kinds = {kind_of(n) for n in files if TEXT.search(n)}
        kinds |= {"elf"} if any(d.startswith(b"\x7fELF") for d in files.values()) else set()
        out += [Wheel(path.name, files, kind) for kind in sorted(kinds)]
    return out


def grown(dice: random.Random, data: bytes, tokens: list[bytes]) -> bytes:
    """Repeats a part, in place or nested, or inserts a token many times."""
    at = dice.randrange(len(data) + 1)
    end = min(len(data), at + dice.choice((1, 8, 16, 24, 56, 200, 4096, 1 << 16)))
    lines = [m.start() + 1 for m in re.finditer(b"\n", data)] if len(data) < 1 << 18 else []
    if lines and dice.random() < 0.5:
        at = dice.choice(lines)
        end = dice.choice([line for line in lines if line >= at][:20])
    part = data[at:end]
    if dice.random() < 0.4 or not part:
        part = dice.choice(tokens) if dice.random() < 0.5 else dice.choice(PAIRS)
    count = min(dice.choice((2, 10, 100, 1000, 10_000, 100_000)), (2 << 20) // max(1, len(part)))
    if dice.random() < 0.3:
        half = len(part) // 2
        return data[:at] + part[:half] * count + data[at:end] + part[half:] * count + data[end:]
    if dice.random() < 0.3:
        numbered = b"".join(re.sub(rb"\d+|\b\w$", b"%d" % i, part) for i in range(min(count, 50_000)))
        return data[:at] + numbered + data[end:]
    return data[:at] + part * count + data[end:]


def enlarged(dice: random.Random, elf: bytes) -> bytes:
    """Sets fields of the headers and tables to large values or to positions of the file."""
    data = bytearray(elf)
    ranges = mutations.interesting_ranges(elf)
    for _ in range(dice.choice((1, 2, 4))):
        begin, end, record = dice.choice(ranges) if ranges else (0, len(data), 8)
        at = begin + dice.randrange(max(1, (end - begin) // record)) * record + dice.choice((0, 0, 8, 16, 32, 40))
        value = dice.choice((dice.randrange(len(data) + 1), 1 << dice.randrange(48), len(data), len(data) // 16))
        data[at : at + 8] = value.to_bytes(8, "little")[: max(0, min(dice.choice((2, 4, 8)), len(data) - at))]
    return bytes(data)


def changed(dice: random.Random, parent: Wheel, all_of_them: list[Wheel], tokens: list[bytes]) -> Wheel | None:
    members = parent.members()
    if not members:
        return None
    name = dice.choice(members)
    files, data = dict(parent.files), parent.files[name]
    how = dice.random()
    if how < 0.1:
        stem, dot, tail = name.rpartition(".")
        for number in range(dice.choice((2, 20, 300))):
            files[f"{stem}{number}{dot}{tail}"] = data
    elif how < 0.2:
        other = dice.choice(all_of_them)
        chosen = dice.choice(list(other.files))
        text = bytearray(data)
        mutations.splice(dice, text, other.files[chosen])
        files[name] = bytes(text)
    elif parent.kind == "elf" and how < 0.45:
        files[name] = enlarged(dice, data)
    elif parent.kind == "elf" and how < 0.7:
        files[name] = mutations.mutated_elf(dice, data, [data])
    else:
        files[name] = grown(dice, data, tokens)
    if sum(len(d) for d in files.values()) > MOST_PLAIN or len(files) > 70_000:
        return None
    return Wheel(parent.name, files, parent.kind)


def repeated(wheel: Wheel) -> Wheel | None:
    """As many copies of each file as the size allows: a limit of each file does not bound a wheel."""
    files = dict(wheel.files)
    members = [name for name in wheel.members() if ".dist-info/" not in name]
    size = sum(len(files[name]) for name in members)
    packed = sum(len(zip_maker.deflate(files[name], 6)) + 300 for name in members)
    if not members:
        return None
    count = min(3000, MOST_PACKED // packed, MOST_PLAIN // max(1, size))
    for name in members:
        stem, dot, tail = name.rpartition(".")
        files.update({f"{stem}_{number}{dot}{tail}": files[name] for number in range(count)})
    return Wheel(wheel.name, files, wheel.kind) if count else None


def measure(program: str, wheel: Wheel, place: pathlib.Path) -> tuple[str, float, float, bytes]:
    """What a run costs: a description, the shares of the allowed CPU time and memory, and the archive."""
    data = wheel.packed()
    path = place / wheel.name
    path.write_bytes(data)
    words = [program, "check", "--jobs", "1", "--format", "json", str(path)]
    answer = asking.ask(words, place, asking.plain_environment(place), 4 << 30)
    path.unlink()
    packed, plain = len(data) / 2**20, sum(len(d) for d in wheel.files.values()) / 2**20
    # 10 ms for each MiB to inflate, hash and search it; a member of up to 12 MB is in memory as a whole.
    cpu = answer.cpu / (max(1, 2 * packed) + 0.01 * plain)
    memory = answer.peak / 2**20 / (64 + 128 * packed + min(plain, 12))
    text = f"{answer.cpu:.2f} s, {answer.peak >> 20} MB, {len(data)} bytes, exit code {answer.code}"
    if answer.timed_out or answer.code not in (0, 1, 3):
        cpu = max(cpu, 100.0)
    return text, cpu, memory, data


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.corpus.mkdir(parents=True, exist_ok=True)
    dice, tokens, program = random.Random(options.seed), words(), str(options.program.resolve())
    end, runs, over = time.monotonic() + options.seconds, 0, 0
    with tempfile.TemporaryDirectory(prefix="wheelcheck-cost-") as temporary:
        folder = pathlib.Path(temporary)
        start = seeds(folder / "corpus")
        for path in sorted(options.corpus.glob("*/*.whl")):
            with zipfile.ZipFile(path) as archive:
                start.append(
                    Wheel(
                        path.name,
                        {i.filename: archive.read(i) for i in archive.infolist()},
                        path.parent.name.split("-")[0],
                    )
                )
        best: dict[str, list[Wheel]] = {}
        queue = [w for w in start if w.kind == "elf" or dice.random() < 0.2]
        queue += [copies for w in queue if (copies := repeated(w))]
        while time.monotonic() < end:
            if queue:
                wheel = queue.pop()
            else:
                kept = best[dice.choice(sorted(best))]
                wheel = changed(dice, dice.choice(kept[: dice.choice((4, KEPT))]), start, tokens)
                if wheel is None:
                    continue
            runs += 1
            text, cpu, memory, data = measure(program, wheel, folder)
            wheel.score = max(cpu, memory)
            kept = best.setdefault(wheel.kind, [])
            if len(data) > MOST_PACKED or (len(kept) == KEPT and wheel.score <= kept[-1].score):
                continue
            if not kept or wheel.score > kept[0].score:
                print(f"{wheel.kind}: {wheel.score:.2f} of what is allowed: {text}", flush=True)
                place = options.corpus / f"{wheel.kind}-worst"
                place.mkdir(exist_ok=True)
                for old in place.iterdir():
                    old.unlink()
                (place / wheel.name).write_bytes(data)
            kept.append(wheel)
            kept.sort(key=lambda w: -w.score)
            del kept[KEPT:]
    print("| kind | share of what is allowed |\n|---|---:|")
    for kind, kept in sorted(best.items()):
        over += kept[0].score > 1
        print(f"| {kind} | {kept[0].score:.2f} |")
    print(f"hostile: {runs} wheels, {over} kinds with a wheel that costs more than is allowed")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
