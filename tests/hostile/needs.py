#!/usr/bin/env python3
"""needs.py PROGRAM: how much of each limit the wheels of wheels/real and wheels/large use, as a Markdown table."""

import json
import pathlib
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))
import corpus


def of_archive(path: pathlib.Path) -> dict[str, float]:
    with zipfile.ZipFile(path) as archive:
        files = archive.infolist()
    names = [file.filename.rstrip("/") for file in files]

    def of_text(name: str) -> int:
        return max((f.file_size for f in files if f.filename.endswith(f".dist-info/{name}")), default=0)

    return {
        "member-bytes": max(file.file_size for file in files),
        "total-bytes": sum(file.file_size for file in files),
        "ratio": sum(file.file_size for file in files) / path.stat().st_size,
        "members": len(files),
        "name-bytes": max(len(name.encode()) for name in names),
        "part-bytes": max(len(part.encode()) for name in names for part in name.split("/")),
        "depth": max(len(name.split("/")) for name in names),
        "record-bytes": of_text("RECORD"),
        "metadata-bytes": of_text("METADATA"),
        "wheel-file-bytes": of_text("WHEEL"),
        "source-bytes": max((f.file_size for f in files if f.filename.endswith(".py")), default=0),
    }


def of_elf_files(program: str, path: pathlib.Path) -> dict[str, float]:
    words = [program, "check", "--format", "json", "--no-record-hashes", "--select", "WC708", str(path)]
    answer = subprocess.run(words, capture_output=True, check=False)
    (wheel,) = json.loads(answer.stdout)["wheels"]
    most: dict[str, float] = {"symbols": 0, "version-records": 0, "library-name-bytes": 0}
    for file in wheel["elf_files"]:
        if not (dynamic := file["dynamic"]):
            continue
        needs, provides = dynamic["needs"], dynamic["provides"]
        names = [*dynamic["needed"], *(p["version"] for p in provides)]
        names += [part for need in needs for part in (need["library"], need["version"])]
        found = {
            "symbols": dynamic["symbols"],
            "version-records": len(provides) * 2 + len(needs) + len({need["library"] for need in needs}),
            "library-name-bytes": sum(len(str(name).encode()) for name in names),
        }
        most = {name: max(value, found[name]) for name, value in most.items()}
    return most


def main() -> None:
    most: dict[str, tuple[float, str]] = {}
    wheels = [*corpus.recipes(), *corpus.recipes(folder=corpus.LARGE)]
    for wheel in wheels:
        if fault := wheel.fault():
            sys.exit(f"needs: {wheel.file} {fault}")
        for name, value in {**of_archive(wheel.path), **of_elf_files(sys.argv[1], wheel.path)}.items():
            most[name] = max(most.get(name, (0, "")), (value, wheel.file.split("-cp")[0].split("-py")[0]))
    print(f"| limit | most of {len(wheels)} real wheels | which |")
    print("|---|---:|---|")
    for name, (value, file) in most.items():
        print(f"| `{name}` | {value:,.1f} | {file} |" if name == "ratio" else f"| `{name}` | {value:,} | {file} |")


if __name__ == "__main__":
    main()
