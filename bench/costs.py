#!/usr/bin/env python3
"""costs.py [OPTION...] [WHEEL]: the CPU time of a run by purpose and function; default: tensorflow_cpu 2.21.0.

perf takes a sample each half millisecond. A sample belongs to the first group that matches a function of its call
chain, from the innermost outwards, so that the cost of memcpy is counted for its caller.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import measure
import page
import run

# (purpose, reason, functions or libraries); a group comes before those that call it.
GROUPS = [
    ("CRC-32", "the archive gives one for every member", r"crc32"),
    ("inflating", "the members are deflated",
     r"isal_|libisal|decode_huffman|deflate|make_inflate|\bset_codes|set_and_expand|build_decode_table|\binflate|"
     r"^\.\.@|loop_block|decode_len_dist|large_byte_copy|setup_dynamic_header|decode_next"),
    ("SHA-256", "RECORD gives one for every member", r"libcrypto|sha256|Sha256|SHA256|EVP_"),
    ("reading the file", "the kernel copies the wheel's bytes", r"vfs_read|pread"),
    ("memory", "the kernel clears what is used first, and takes it back",
     r"page_fault|madvise|munmap|exit_mmap|do_exit|do_brk|mprotect"),
    ("start", "the kernel and ld.so load the program", r"execve|ld-linux|\b_dl_|__libc_start_main_impl"),
    ("tables of policies and libraries", "they are what a wheel is held against",
     r"nlohmann|load_policies|load_knowledge|analysis::Index::Index"),
    ("Python code", "it says which libraries a package opens by itself",
     r"wheelcheck::python|read_python|tree_sitter|\bts_|\blex_"),
    ("code that runs at load", "it may use AVX without a test of the processor", r"startup_code|x86_instruction"),
    ("Cython's functions and types", "modules import them from each other", r"cython_capi|CapiReader|python_types"),
    ("calls of dlopen in code", "they may open a library globally", r"loader_calls|CallReader"),
    ("hash tables of symbols", "they may not lead to a symbol", r"gnu_hash|gnu_finds|HashTable"),
    ("texts of ELF files", "they name the libraries that code opens by itself",
     r"elf::(read_)?texts|each_matching|each_text_mark|elf::.*[Ff]atbin"),
    ("pages of large files", "only those that readers need stay in memory", r"PageFilter|SparseBytes"),
    ("symbols", "what each file defines and requires", r"wheelcheck::elf|wheelcheck::StringPool"),
    ("whose a symbol is", "leaked and borrowed names are recognised by their namespaces",
     r"read_mangled|wheelcheck::mangled|ItaniumReader|wheelcheck::analys|is_cxx_name|string_names"),
    ("rules", "the findings", r"wheelcheck::rules|wheelcheck::glob"),
    ("the loader", "which file finds which", r"wheelcheck::loader|wheelcheck::resolve"),
    ("policies", "what stands between the wheel and each level", r"wheelcheck::policy|wheelcheck::verdict"),
    ("dist-info and roles", "METADATA, WHEEL and RECORD; what each file is", r"wheelcheck::wheel::"),
    ("the archive", "its directory is checked, so that it has one reading", r"wheelcheck::archive"),
    ("the report", "it is what one sees", r"wheelcheck::report|\bfmt::"),
]
PATTERNS = [(name, re.compile(pattern)) for name, _, pattern in GROUPS]
WHY = {name: why for name, why, _ in GROUPS}
FRAME = re.compile(r"^\s+[0-9a-f]+ (.*) \((.*)\)$")


def group_of(frames):
    """frames: (function, library), the innermost first."""
    for frame in frames:
        text = " ".join(frame)
        for name, pattern in PATTERNS:
            if pattern.search(text):
                return name
    return "the rest"


def samples(lines):
    frames = []
    for line in lines:
        if found := FRAME.match(line):
            frames.append((found[1], found[2].rsplit("/", 1)[-1]))
        elif frames:
            yield frames
            frames = []
    if frames:
        yield frames


def spoken(function, library):
    """A function without its arguments and our namespaces; the library for a function without a name."""
    if function == "[unknown]":
        return library
    name = function.replace("(anonymous namespace)::", "")
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name.split("(")[0].split(" ")[-1].removeprefix("wheelcheck::")


def count(lines):
    """Returns (number of samples, {group: [samples, {innermost function: samples}]})."""
    groups, total = {}, 0
    for frames in samples(lines):
        total += 1
        entry = groups.setdefault(group_of(frames), [0, collections.Counter()])
        entry[0] += 1
        entry[1][spoken(*frames[0])] += 1
    return total, groups


def costs_table(total, groups):
    rows = []
    for name, (often, functions) in sorted(groups.items(), key=lambda one: -one[1][0])[:10]:
        hottest = ", ".join(f"`{function}`" for function, _ in functions.most_common(2))
        rows.append([f"{100 * often / total:.1f} %", name, WHY.get(name, ""), hottest])
    shown = sum(float(row[0].split()[0]) for row in rows)
    return page.table(["share", "cost", "why it is needed", "most of it in"], rows, left=4), shown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", nargs="?", type=pathlib.Path,
                        default=run.corpus.recipes(["tensorflow_cpu-2.21.0"], run.corpus.LARGE)[0].path)
    parser.add_argument("--program", type=pathlib.Path, default=run.BUILD / "wheelcheck")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    program = run.Program(options.program)
    measure.warm(options.wheel)
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "1999", "-g", "-o", data]
        words = [*record, *map(str, program.check(options.wheel))]
        subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        script = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym,dso"], capture_output=True, text=True,
                                errors="replace", check=True).stdout
    total, groups = count(script.splitlines())
    table, shown = costs_table(total, groups)
    print("\n".join(table))
    print(f"{total} samples, of which these are {shown:.0f} %", file=sys.stderr)
    if options.write:
        page.put({"costs": table})


if __name__ == "__main__":
    main()
