#!/usr/bin/env python3
"""typos_test.py PROGRAM: what people type by mistake, with the exit code and the first line of the answer."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]

# arguments, exit code, first line of stderr without "wheelcheck: ", or of stdout if stderr is empty. {wheel} is a wheel
# in dist that fails, {name} its file name, {next} that of its next version.
TABLE = [
    # Commands.
    ("chek {wheel}", 2, "no command or file is named chek; a similar command exists: check"),
    ("conflict {wheel} {wheel}", 2, "no command or file is named conflict; a similar command exists: conflicts"),
    ("runs_on {wheel}", 2, "no command or file is named runs_on; a similar command exists: runs-on"),
    ("runson {wheel}", 2, "no command or file is named runson; a similar command exists: runs-on"),
    ("symbol {wheel}", 2, "no command or file is named symbol; a similar command exists: symbols"),
    ("polcy list", 2, "no command or file is named polcy; a similar command exists: policy"),
    ("explian WC102", 2, "no command or file is named explian; a similar command exists: explain"),
    ("diif {wheel} {wheel}", 2, "no command or file is named diif; a similar command exists: diff"),
    ("check-confg", 2, "no command or file is named check-confg; a similar command exists: check-config"),
    ("rule", 2, "no command or file is named rule; a similar command exists: rules"),
    ("simulate {wheel}", 2, "simulate is a command of policy: wheelcheck policy simulate"),
    ("validate policies", 2, "validate is a command of policy: wheelcheck policy validate"),
    ("derive manylinux_2_50", 2, "derive is a command of policy: wheelcheck policy derive"),
    ("list", 2, "list is a command of policy: wheelcheck policy list"),
    ("lddtree {wheel}", 2, "lddtree is not a command; use: wheelcheck tree"),
    ("ldd {wheel}", 2, "ldd is not a command; use: wheelcheck tree"),
    ("readelf {wheel}", 2, "readelf is not a command; use: wheelcheck show"),
    ("nm {wheel}", 2, "nm is not a command; use: wheelcheck symbols"),
    ("auditwheel show {wheel}", 2, "auditwheel is not a command; use: wheelcheck show"),
    ("auditwheel {wheel}", 2, "auditwheel is not a command; use: wheelcheck check"),
    ("lint {wheel}", 2, "lint is not a command; use: wheelcheck check"),
    ("frobnicate {wheel}", 2, "no command or file is named frobnicate"),
    ("numpy scipy", 2, "no command or file is named numpy"),
    ("-v show {wheel}", 2, "show is a command, which comes first: wheelcheck show ..."),
    ("--format json tree {wheel}", 2, "tree is a command, which comes first: wheelcheck tree ..."),
    ("-q chek {wheel}", 2, "no command or file is named chek; a similar command exists: check"),
    ("check help", 2, "help comes first: wheelcheck help COMMAND"),
    ("help", 0, "Checks that Linux Python wheels are compatible with their platform tags"),
    ("help check", 0, "Check wheels against the tags that they claim (the default)"),
    ("help policy list", 0, "List the levels, oldest first"),
    ("help chek", 2, "no command or file is named chek; a similar command exists: check"),
    ("help nonsense", 2, "no command is named nonsense"),
    ("--help check", 0, "Check wheels against the tags that they claim (the default)"),
    ("version", 0, "wheelcheck {version}"),
    # Commands of policy.
    ("policy", 2, "policy needs a command: list, show, diff, validate, derive, simulate, explain"),
    ("policy lst", 2, "policy has no command lst; a similar one exists: list"),
    ("policy shwo manylinux_2_28", 2, "policy has no command shwo; a similar one exists: show"),
    ("policy nonsense", 2,
     "policy has no command nonsense; there are list, show, diff, validate, derive, simulate, explain"),
    ("policy list manylinux_2_28", 2, "unexpected argument manylinux_2_28"),
    ("policy derive", 2, "NAME is required"),
    ("policy derive manylinux_2_50", 2, "--root is required"),
    # Options and their values.
    ("--versoin", 2, "unexpected argument --versoin; a similar option exists: --version"),
    ("--hlep", 2, "unexpected argument --hlep; a similar option exists: --help"),
    ("check --selct WC102 {wheel}", 2, "unexpected argument --selct; a similar option exists: --select"),
    ("check --fail-in error {wheel}", 2, "unexpected argument --fail-in; a similar option exists: --fail-on"),
    ("{wheel} --formt json", 2, "unexpected argument --formt; a similar option exists: --format"),
    ("{wheel} --no-configuration", 2, "unexpected argument --no-configuration"),
    ("--json {wheel}", 2, "unexpected argument --json; use: --format json"),
    ("--sarif {wheel}", 2, "unexpected argument --sarif; use: --format sarif"),
    ("--exit-zero {wheel}", 2, "unexpected argument --exit-zero; use: --fail-on never"),
    ("--strict {wheel}", 2, "unexpected argument --strict; use: --fail-on warning"),
    ("--output x {wheel}", 2, "unexpected argument --output; use: --output-file"),
    ("-f json {wheel}", 2, "unexpected argument -f; use: --format"),
    ("-x {wheel}", 2, "unexpected argument -x"),
    ("tree --json {wheel}", 2, "unexpected argument --json; use: --format json"),
    ("symbols --mach x {wheel}", 2, "unexpected argument --mach; a similar option exists: --match"),
    ("check --require-tags manylinux_2_28 {wheel}", 2,
     "unexpected argument --require-tags; a similar option exists: --require-tag"),
    ("check --fail-on erorr {wheel}", 2, "--fail-on: erorr not in {{error,warning,note,never}}"),
    ("check --format jsn {wheel}", 2,
     "--format: jsn is not one of auditwheel-json, concise, cyclonedx, full, github, html, json, json-lines, junit, "
     "markdown, rows, sarif; a similar one exists: json"),
    ("tree --format jsn {wheel}", 2, "--format: jsn is not one of text, dot, json; a similar one exists: json"),
    ("diff --format htlm {wheel} {wheel}", 2, "--format: htlm is not one of text, json, markdown"),
    ("check --format json= {wheel}", 2, "--format: json=: expected json=FILE"),
    ("--format json --format sarif {wheel}", 2, "--format: one alone goes to stdout; write the others as NAME=FILE"),
    ("check --limit symbol=5 {wheel}", 2, "--limit: no limit is named symbol; a similar one exists: symbols"),
    ("check --limit symbols {wheel}", 2, "--limit: symbols: expected symbols=NUMBER"),
    ("check --limit symbols=-1 {wheel}", 2, "--limit: symbols=-1: expected symbols=NUMBER"),
    ("check --limit symbols=4294967296 {wheel}", 2, "--limit: symbols=4294967296: expected symbols=NUMBER"),
    # Rules.
    ("check --select WC10x {wheel}", 2, "no rule is named WC10x; a similar one exists: WC101"),
    ("check --select symbol-version-to-new {wheel}", 2,
     "no rule is named symbol-version-to-new; a similar one exists: symbol-version-too-new"),
    ("check --ignore executable-stak {wheel}", 2,
     "no rule is named executable-stak; a similar one exists: executable-stack"),
    ("rules nonsense", 2, "no rule is named nonsense; `wheelcheck rules` lists them"),
    ("rules WC60x", 2, "no rule is named WC60x; a similar one exists: WC601"),
    ("explain executable-stak", 2, "no rule is named executable-stak; a similar one exists: executable-stack"),
    ("explain nonsense", 2, "no rule is named nonsense; `wheelcheck rules` lists them"),
    ("explain WC901", 2, "no rule is named WC901; `wheelcheck policy explain` explains codes of policy files"),
    # Tags, also of a configuration file.
    ("check --require-tag manylinux {wheel}", 2,
     "--require-tag manylinux: expected a tag: manylinux_2_28, musllinux_1_2 or android_24, with or without _x86_64"),
    ("check --require-tag manylinux2_28 {wheel}", 2,
     "--require-tag manylinux2_28: a similar tag exists: manylinux_2_28"),
    ("check --require-tag manylinux_2_4 {wheel}", 2,
     "require-tag: no level is named manylinux_2_4; the oldest is manylinux_2_5"),
    ("check --require-tag manylinux_2_28_amd64 {wheel}", 2,
     "--require-tag manylinux_2_28_amd64: a similar tag exists: manylinux_2_28_x86_64"),
    ("check --require-tag manylinux_2_82 {wheel}", 2,
     "require-tag: no level is named manylinux_2_82; a similar one exists: manylinux_2_28"),
    ("check --require-tag manylinux-2-28-x86-64 {wheel}", 2,
     "--require-tag manylinux-2-28-x86-64: a similar tag exists: manylinux_2_28_x86_64"),
    ("check --require-tag musllinux_1_9 {wheel}", 2,
     "require-tag: no level is named musllinux_1_9; a similar one exists: musllinux_1_2"),
    ("--config tag.toml {wheel}", 2,
     "tag.toml:1:15: must be a tag: manylinux_2_28, musllinux_1_2 or android_24, with or without _x86_64, not "
     "`manylinux2_28`; did you mean `manylinux_2_28`?"),
    ("--config level.toml {wheel}", 2,
     "require-tag: no level is named manylinux_2_82; a similar one exists: manylinux_2_28"),
    ("check-config level.toml", 2,
     "require-tag: no level is named manylinux_2_82; a similar one exists: manylinux_2_28"),
    ("why {wheel} manylinux217", 2,
     "{name} was not compared with manylinux217; a similar tag exists: manylinux_2_17; there are "
     "manylinux_2_5_x86_64 to manylinux_2_41_x86_64"),
    ("why {wheel} manylinux-2-28", 2,
     "{name} was not compared with manylinux-2-28; a similar tag exists: manylinux_2_28; there are "
     "manylinux_2_5_x86_64 to manylinux_2_41_x86_64"),
    # Files and inputs.
    ("check --policy absent.json {wheel}", 2, "policy absent.json: no such file; give a file or a directory"),
    ("check --config absent.toml {wheel}", 2, "absent.toml: no such file"),
    ("check --baseline absent.json {wheel}", 2, "absent.json: no such file"),
    ("check --provider torch {wheel}", 2, "--provider torch: expected DISTRIBUTION=WHEEL"),
    ("check --today tomorrow {wheel}", 2, "--today tomorrow: expected a date: 2027-01-31"),
    ("", 2, "nothing to check: name wheels, directories that contain wheels, or patterns"),
    ("check", 2, "nothing to check: name wheels, directories that contain wheels, or patterns"),
    ("show", 2, "nothing to check: name wheels, directories that contain wheels, or patterns"),
    ("tree", 2, "WHEEL[::MEMBER] is required"),
    ("diff {wheel}", 2, "NEW is required"),
    ("numpy", 3,
     "cannot check numpy: no such file; for a package of the index, download its wheel first: pip download --no-deps "
     "--only-binary :all: numpy"),
    ("numpy {wheel}", 2, "no command or file is named numpy"),
    ("https://example.org/foo-1.0-py3-none-any.whl", 3,
     "cannot check https://example.org/foo-1.0-py3-none-any.whl: no such file; wheelcheck reads files; download the "
     "wheel first: pip download --no-deps URL"),
    ("distt", 3, "cannot check distt: no such file; a similar path exists: dist"),
    ("dist/gridfit.whl", 3, "cannot check dist/gridfit.whl: cannot be opened: no such file"),
    ("distt/{name}", 3, "cannot check distt/{name}: no such file; a similar path exists: {wheel}"),
    ("dist/{name}l", 3, "cannot check {wheel}l: no such file; a similar path exists: {wheel}"),
    ("foo-1.0.conda", 3, "cannot check foo-1.0.conda: a conda package; wheelcheck reads wheels (.whl)"),
    ("foo-1.0.tar.gz", 3,
     "cannot check foo-1.0.tar.gz: a source distribution; build the wheel first: pip wheel --no-deps FILE"),
    ("libfoo.so.1", 3,
     "cannot check libfoo.so.1: a shared library; show, tree and symbols take it, check takes wheels (.whl)"),
    ("venv", 3,
     "cannot check venv: a virtual environment; name its wheels, or use: wheelcheck conflicts --environment DIRECTORY"),
    ("empty", 3, "cannot check empty: the directory contains no *.whl file"),
    ("absent.whl", 3, "cannot check absent.whl: cannot be opened: no such file"),
    ("nothing/*.whl", 3, "cannot check nothing/*.whl: no file matches the pattern"),
    ("tree nothing/*.whl", 3, "nothing/*.whl: no file matches the pattern"),
    ("why absent.whl", 3, "absent.whl: cannot be opened: no such file"),
    ("why two", 2, "two names 2 wheels, but one is compared or shown at a time: two/{name}, two/{next}"),
    ("diff two {wheel}", 2, "two names 2 wheels, but one is compared or shown at a time: two/{name}, two/{next}"),
    ("tree distt", 3, "distt: no such file; a similar path exists: dist"),
    ("fix distt", 3, "distt: no such file; a similar path exists: dist"),
    ("-o absent/report {wheel}", 2, "cannot write absent/report"),
    ("-o {wheel} {wheel}", 2, "the output {wheel} is an input of this run too; write to another file"),
]


class Typos(unittest.TestCase):
    def test_the_table(self):
        self.assertGreaterEqual(len(TABLE), 60)
        self.assertEqual(len({words for words, _, _ in TABLE}), len(TABLE))
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", folder / "dist"], check=True,
                                  capture_output=True, text=True)
            name = pathlib.Path(demo.stdout.strip()).name
            following = name.replace("1.4.0", "1.5.0")
            for directory in ("venv", "empty", "two"):
                (folder / directory).mkdir()
            (folder / "venv/pyvenv.cfg").touch()
            for file in ("foo-1.0.conda", "foo-1.0.tar.gz", "libfoo.so.1"):
                (folder / file).write_bytes(b"x")
            for file in (name, following):
                (folder / "two" / file).write_bytes((folder / "dist" / name).read_bytes())
            (folder / "tag.toml").write_text('require-tag = "manylinux2_28"\n')
            (folder / "level.toml").write_text('require-tag = "manylinux_2_82"\n')
            said = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
            places = {"wheel": f"dist/{name}", "name": name, "next": following, "version": said.split()[1]}
            environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
            for words, code, answer in TABLE:
                with self.subTest(words):
                    arguments = [word.format(**places) for word in words.split()]
                    done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                                          text=True, check=False, cwd=folder, env=environment, timeout=60)
                    first = (done.stderr or done.stdout).partition("\n")[0].removeprefix("wheelcheck: ")
                    self.assertEqual((done.returncode, first), (code, answer.format(**places)))


if __name__ == "__main__":
    unittest.main()
