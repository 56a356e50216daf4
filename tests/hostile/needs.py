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
        "--max-member-bytes": max(file.file_size for file in files),
        "--max-total-bytes": sum(file.file_size for file in files),
        "--max-ratio": sum(file.file_size for file in files) / path.stat().st_size,
        "--max-members": len(files),
        "--max-name-bytes": max(len(name.encode()) for name in names),
        "--max-part-bytes": max(len(part.encode()) for name in names for part in name.split("/")),
        "--max-depth": max(len(name.split("/")) for name in names),
        "--max-record-bytes": of_text("RECORD"),
        "--max-metadata-bytes": of_text("METADATA"),
        "--max-wheel-file-bytes": of_text("WHEEL"),
        "--max-source-bytes": max((f.file_size for f in files if f.filename.endswith(".py")), default=0),
    }


def of_elf_files(program: str, path: pathlib.Path) -> dict[str, float]:
    words = [program, "check", "--format", "json", "--no-record-hashes", "--select", "WC708", str(path)]
    answer = subprocess.run(words, capture_output=True, check=False)
    (wheel,) = json.loads(answer.stdout)["wheels"]
    most: dict[str, float] = {"--max-symbols": 0, "--max-version-records": 0, "--max-library-name-bytes": 0}
    for file in wheel["elf_files"]:
        if not (dynamic := file["dynamic"]):
            continue
        needs, provides = dynamic["needs"], dynamic["provides"]
        names = [*dynamic["needed"], *(p["version"] for p in provides)]
        names += [part for need in needs for part in (need["library"], need["version"])]
        found = {
            "--max-symbols": dynamic["symbols"],
            "--max-version-records": len(provides) * 2 + len(needs) + len({need["library"] for need in needs}),
            "--max-library-name-bytes": sum(len(str(name).encode()) for name in names),
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
        print(f"| `{name}` | {value:,.1f} | {file} |" if name == "--max-ratio" else f"| `{name}` | {value:,} | {file} |")


if __name__ == "__main__":
    main()
