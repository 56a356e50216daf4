#!/usr/bin/env python3
"""order.py [--build FOLDER] [WHEEL...]: writes cmake/first_text.ld, by which the linker puts functions that many runs
call next to each other.

The kernel maps the program's code 64 KiB at a time, and in a small run those faults count. In the
order of the objects, what it calls lies all over the program; how many pieces it touches is printed. valgrind tells
which instructions a run executes, and the linker's map of which section of which object they are. A line that fits
nothing any more does no harm, and a function that no line names stands where it stood.
"""

import argparse
import bisect
import collections
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import corpus  # noqa: E402

# A tiny wheel, C++, Rust, Python code that loads libraries, other machines, and no ELF file at all.
WHEELS = ["markupsafe-3.0.3-*", "markupsafe-3.0.4-*musllinux*", "sentencepiece-0.2.3-*", "bcrypt-5.0.0-*",
          "cffi-2.1.1-*x86_64*", "protobuf-7.*", "pyzmq-27.*", "psycopg2_binary-*", "six-*"]
# Sections that many objects of the C library have.
SHARED = {"unlikely", "startup", "hot", "exit", "sse2", "ssse3", "sse4.2", "avx", "avx2", "evex", "evex512", "avx512"}
RUNS = [["--pedantic", "--no-record-hashes", "-j", "1"], ["--pedantic", "-j", "1"], ["--format", "json", "-j", "2"]]
SCRIPT = ROOT / "cmake" / "first_text.ld"
HEAD = """\
/* Written by bench/order.py, which says what it is for: sections of the functions that many runs call, those of every
   run first. The linker looks here before it looks into its own script. */
SECTIONS {
  .text.first : {
"""
TAIL = """\
  }
}
INSERT BEFORE .text;
"""


def sections(build):
    """[(begin, size, section, object)] of the program's code, by address, as linked without an order."""
    commands = subprocess.check_output(["ninja", "-C", build, "-t", "commands", "wheelcheck"], text=True).splitlines()
    with tempfile.TemporaryDirectory() as folder:
        map_file = pathlib.Path(folder) / "map"
        words = [word for word in shlex.split(commands[-1].split("&&")[1]) if not word.endswith(SCRIPT.name)]
        words[words.index("-o") + 1] = f"{folder}/program"
        subprocess.run([*words, f"-Wl,-Map={map_file}"], cwd=build, check=True)
        text = map_file.read_text(errors="replace")
        names = subprocess.check_output(["nm", f"{folder}/program"], text=True)
        program = pathlib.Path(folder, "program").read_bytes()
    main = next(int(line.split()[0], 16) for line in names.splitlines() if line.endswith(" T main"))
    found = []
    for name, begin, size, file in re.findall(r"^ (\.text\S*)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)$", text, re.M):
        if int(size, 16) > 0:
            found.append((int(begin, 16), int(size, 16), name, file))
    return sorted(found), main, program


def executed(program, words, wheel, main):
    """Addresses of the instructions that a run executes, as the program's file has them."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        plain = ["--dump-instr=yes", "--compress-pos=no", "--compress-strings=no", "--demangle=no"]
        subprocess.run(["valgrind", "--tool=callgrind", *plain, f"--callgrind-out-file={out}", program, "check", *words,
                        wheel],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found, base, inside = set(), None, ""
        for line in out.read_text(errors="replace").splitlines():
            if line.startswith("fn="):
                inside = line[3:]
            elif line.startswith("0x"):
                at = int(line.split()[0], 16)
                found.add(at)
                if inside == "main" and base is None:
                    base = at
    return {at - base + main for at in found}


def line_of(section, file):
    """The linker's words for a section: by its name where it has one of its own, else by its object."""
    if section.removeprefix(".text.") not in SHARED | {".text"}:
        return f"    *({section})"
    inner = re.fullmatch(r".*?([^/]+\.a)\((.+)\)", file)
    return f"    *{inner[1]}:{inner[2]}({section})" if inner else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build" / "release"), help="folder of a release build")
    parser.add_argument("wheels", nargs="*", metavar="WHEEL")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("order.py: needs valgrind")
    wheels = options.wheels or [next(iter(sorted((corpus.cache() / "corpus").glob(name)))) for name in WHEELS]
    table, main_at, program = sections(options.build)
    begins = [entry[0] for entry in table]
    counts, pieces = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "program"
        copy.write_bytes(program)
        copy.chmod(0o755)
        runs = [(words, wheel) for wheel in wheels for words in RUNS]
        for words, wheel in runs:
            hit, addresses = set(), executed(copy, words, wheel, main_at)
            pieces = pieces or len({at >> 16 for at in addresses})
            for at in addresses:
                i = bisect.bisect_right(begins, at) - 1
                if i >= 0 and at < table[i][0] + table[i][1]:
                    hit.add(i)
            counts.update(hit)
    lines = {}
    size = 0
    for i, runs_of in counts.items():
        line = line_of(table[i][2], table[i][3])
        if line and runs_of * 4 >= len(runs):
            lines[line] = max(lines.get(line, 0), runs_of)
            size += table[i][1]
    ordered = sorted(lines, key=lambda line: (lines[line] < len(runs), line))
    SCRIPT.write_text(HEAD + "\n".join(ordered) + "\n" + TAIL)
    print(f"{len(ordered)} sections, {size} bytes; without them the first run touches {pieces} pieces of 64 KiB",
          file=sys.stderr)


if __name__ == "__main__":
    main()
