#!/usr/bin/env python3
"""cli_test.py PROGRAM: the arguments, exit codes, stdout and stderr of the built program."""

import hashlib
import base64
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*words, **options):
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")}
    environment.update(options.pop("env", {}))
    return subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=120, env=environment, **options)


def pure_wheel(folder, name="pure"):
    """A wheel without machine code and without findings."""
    files = {f"{name}/__init__.py": "", f"{name}-1.0.dist-info/METADATA":
             f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", f"{name}-1.0.dist-info/WHEEL":
             "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    rows = []
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(text)}")
    files[f"{name}-1.0.dist-info/RECORD"] = "\n".join([*rows, f"{name}-1.0.dist-info/RECORD,,", ""])
    path = pathlib.Path(folder) / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in files.items():
            archive.writestr(member, text)
    return path


class Program(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", cls.folder / "demo"], check=True,
                              capture_output=True, text=True)
        cls.broken = pathlib.Path(demo.stdout.strip())
        (cls.folder / "pure").mkdir()
        cls.pure = pure_wheel(cls.folder / "pure")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def assert_unreadable(self, path, *words, code=3):
        """Checks for one line that names the input, and for the exit code: 3, or 1 for a file that was opened and
        rejected."""
        done = run(path)
        self.assertEqual(done.returncode, code, done)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if str(path) in line]
        self.assertEqual(len(lines), 1, done)
        for word in words:
            self.assertIn(word, lines[0])

    def test_exit_codes(self):
        self.assertEqual(run(self.pure).returncode, 0)
        self.assertEqual(run(self.broken).returncode, 1)
        self.assertEqual(run("check", self.broken).returncode, 1)
        self.assertEqual(run("show", self.broken).returncode, 0)
        self.assertEqual(run(self.broken, "--fail-on", "never").returncode, 0)
        self.assertEqual(run("--no-such-option", self.pure).returncode, 2)
        self.assertEqual(run(self.pure, "--format", "nonsense").returncode, 2)
        self.assertEqual(run(self.pure, "--policy", self.folder / "none.json").returncode, 2)
        self.assertEqual(run(self.pure, "--provider", "torch").returncode, 2)
        # No shell expands a pattern behind "DIST=".
        self.assertEqual(run(self.pure, "--provider", f"torch={self.pure.parent}/pure-*.whl").returncode, 0)
        self.assertEqual(run(self.pure, "--provider", f"torch={self.pure.parent}/torch-*.whl").returncode, 3)
        self.assertEqual(run(self.pure, "--select", "WC9999").returncode, 2)
        self.assertEqual(run("why", self.broken, "manylinux_2_17").returncode, 1)
        self.assertEqual(run("why", self.broken, "nonsense").returncode, 2)
        self.assertEqual(run("explain", "WC9999").returncode, 2)
        self.assertEqual(run("--version").returncode, 0)
        self.assertEqual(run("--help").returncode, 0)

    def test_options_that_may_be_repeated_take_one_word_each(self):
        """An argument after the value of the option is a wheel."""
        for words in (["check", "--external", "libtiff.so.6"], ["show", "--own-soname", "a*"],
                      ["check", "--ignore", "WC1"], ["conflicts", "--select", "WC2"]):
            done = run(*words, self.pure)
            self.assertEqual((done.returncode, done.stderr.count("WHEEL")), (0, 0), done)
        self.assertEqual(run("--ignore", "WC1", "--external", "libtiff.so.6", self.pure).returncode, 0)
        self.assertEqual(run("--select", "WC999,WC101", self.pure).returncode, 2)

    def test_no_command_has_a_name_twice(self):
        for one in re.split(r"^\.SS ", run("man").stdout, flags=re.M)[1:]:
            names = re.findall(r"\\fB(\\-[^ ]+)\\fR", " ".join(re.findall(r"^\.TP\n(.*)$", one, re.M)))
            self.assertGreater(len(names), 40 if one.startswith("check\n") else -1)
            if not one.startswith("policy"):  # the subcommands of `policy` have options of their own
                self.assertEqual(len(names), len(set(names)), one[:40])

    def test_nothing_given_is_a_mistake_of_usage(self):
        for words in ([], ["check"], ["show"]):
            done = run(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("nothing to check", done.stderr)

    def test_behind_a_command_the_name_of_another_is_a_path(self):
        folder = self.folder / "diff"
        folder.mkdir()
        pure_wheel(folder)
        done = run("check", "diff", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("pure-1.0", done.stdout)
        self.assertIn("conflicts", run("--help").stdout)

    def test_inputs_that_are_no_wheels(self):
        text = self.folder / "text-1.0-py3-none-any.whl"
        text.write_text("no archive\n")
        empty = self.folder / "empty-1.0-py3-none-any.whl"
        empty.touch()
        nothing = self.folder / "nothing"
        nothing.mkdir()
        pipe = self.folder / "pipe-1.0-py3-none-any.whl"
        os.mkfifo(pipe)
        self.assert_unreadable(text, "error WC703 archive-refused", "not a ZIP archive", code=1)
        self.assert_unreadable(empty, "empty", code=1)
        self.assert_unreadable(nothing, "no *.whl file")
        self.assert_unreadable(self.folder / "missing.whl", "no such file")
        self.assert_unreadable(pipe, "pipe")
        self.assert_unreadable(self.folder / "none-*.whl", "no file matches")

    def test_a_bad_wheel_does_not_stop_the_others(self):
        bad = self.folder / "bad-1.0-py3-none-any.whl"
        bad.write_bytes(self.pure.read_bytes()[:-30])
        self.assertEqual(run("show", bad).returncode, 1)
        done = run(bad, self.broken, self.pure, "--format", "json")
        self.assertEqual(done.returncode, 1)
        kinds = [wheel["status"] for wheel in json.loads(done.stdout)["wheels"]]
        self.assertEqual(kinds, ["rejected", "incompatible", "compatible"])

    def test_json_of_wheels_that_are_refused(self):
        bad = self.folder / "refused-1.0-py3-none-any.whl"
        bad.write_bytes(self.pure.read_bytes()[:-30])
        for words in (["check"], ["show"], ["why"], ["symbols"], ["conflicts"], ["diff", self.pure]):
            with self.subTest(words=words):
                done = run(*words, bad, "--format", "json")
                self.assertEqual(done.returncode, 1, done)
                document = json.loads(done.stdout)
                (wheel,) = document["wheels"]
                self.assertEqual((document["schema"], wheel["file"], wheel["rule"]),
                                 ("wheelcheck-report", bad.name, "WC703"))
        for command in ("tree", "runs-on", "interfaces"):
            with self.subTest(command=command):
                done = run(command, bad, self.pure, "--format", "json")
                self.assertEqual(done.returncode, 1, done)
                document = json.loads(done.stdout)
                self.assertEqual(len(document["wheels"]), 1)
                self.assertEqual([one["file"] for one in document["unreadable"]], [bad.name])
                self.assertNotIn("unreadable", json.loads(run(command, self.pure, "--format", "json").stdout))
        self.assertEqual(run("why", bad).stdout, "")

    def test_directories_and_patterns(self):
        self.assertIn(self.pure.name, run(self.pure.parent).stdout)
        done = run("pu*.whl", cwd=self.pure.parent)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(self.pure.name, done.stdout)

    def test_unpacked_wheels(self):
        unpacked = self.folder / "unpacked"
        with zipfile.ZipFile(self.broken) as archive:
            archive.extractall(unpacked)
        done = run(unpacked)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("gridfit 1.4.0\n  not compatible with manylinux_2_17_x86_64", done.stdout)
        self.assertRegex(run(unpacked, "-v").stdout, r"2 of them ELF; [0-9.]+ kB unpacked")
        (unpacked / "other-1.0.dist-info").mkdir()
        self.assert_unreadable(unpacked, "no *.whl file")
        (unpacked / self.pure.name).write_bytes(self.pure.read_bytes())
        self.assertIn(self.pure.name, run(unpacked).stdout)

    def test_trees(self):
        done = run("tree", self.broken)
        self.assertEqual(done.returncode, 1, done)  # a library is missing
        self.assertIn("libtiff.so.6 => NOT FOUND: not in the wheel", done.stdout)
        self.assertNotIn("libgridmath-5d1c8e02.so.1\n├──", done.stdout)
        done = run("tree", f"{self.broken}::libgridmath*", "--format", "json")
        (wheel,) = json.loads(done.stdout)["wheels"]
        self.assertEqual([tree["root"] for tree in wheel["trees"]], ["gridfit.libs/libgridmath-5d1c8e02.so.1"])
        self.assertEqual(wheel["problems"], [])
        self.assertEqual(run("tree", f"{self.broken}::nothing*").returncode, 2)
        done = run("tree", self.folder / "missing.whl", self.broken)
        self.assertEqual(done.returncode, 3)
        self.assertIn("missing.whl: cannot be opened: no such file", done.stderr)
        self.assertIn("libtiff.so.6", done.stdout)
        done = run("tree", self.pure, "--wheel", self.broken)
        self.assertIn("0 trees; nothing is wrong", done.stdout)

    def test_conflicts_of_wheels(self):
        other = pure_wheel(self.folder, "other")
        done = run("conflicts", self.broken, other)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("incomplete: 1 thing not known", done.stdout)
        done = run("conflicts", self.broken, other, "--allow-incomplete")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("imported as gridfit, other", done.stdout)
        self.assertIn("imported as other, gridfit", done.stdout)
        said = json.loads(run("conflicts", self.broken, other, "--format", "json", "--order", "given").stdout)
        self.assertEqual(said["orders"], [["gridfit", "other"]])
        told = json.loads(run("conflicts", self.broken, "--format", "bindings").stdout)
        self.assertTrue(any(one["from"] == "<main>" for one in told["bindings"]))
        self.assertIn("libtiff.so.6: cannot open shared object file", told["failed_steps"][0]["error"])
        # An option takes one value, and wheels may follow it.
        done = run("conflicts", "--symbol", "arc4random", self.broken)
        self.assertIn("arc4random", done.stdout)

    def test_conflicts_explain_a_crash_as_text(self):
        trace = self.folder / "trace"
        trace.write_text("#0  0x1 in sqrt () from /lib/x86_64-linux-gnu/libm.so.6\n")
        done = run("conflicts", self.broken, "--explain-crash", trace)
        self.assertIn("libm.so.6", done.stdout, done)
        done = run("conflicts", self.broken, "--explain-crash", trace, "--format", "json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--format json cannot show it; full can", done.stderr)

    def test_conflicts_refuse_wheels_that_no_process_loads(self):
        for tag, reason in (
            ("py3-none-win_amd64", "is not a wheel for Linux"),
            ("py3-none-manylinux_2_17_aarch64", "no process loads both (different machines)"),
            ("py3-none-musllinux_1_2_x86_64", "different C libraries"),
        ):
            other = self.folder / f"other-1.0-{tag}.whl"
            other.write_bytes(pure_wheel(self.folder, "other").read_bytes())
            done = run("conflicts", self.broken, other)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(reason, done.stderr)

    def test_conflicts_say_what_is_wrong(self):
        for words, code in (
            ([], 2),
            ([self.folder / "missing.whl"], 3),
            (["--plan", "x.json"], 2),
            ([self.broken, "--dlopen-flags", "SOMETIMES"], 2),
            ([self.broken, "--import", "no.such.module"], 2),
            ([self.broken, "--global", "nobody::x.so"], 2),
            (["--environment", self.folder / "missing"], 3),
            (["--environment", self.folder, "--plan", self.folder], 3),
            (["--environment", self.folder, "--plan", "/dev/zero"], 3),
            ([self.broken, "--knowledge", self.folder], 2),
        ):
            with self.subTest(words=words):
                done = run("conflicts", *words)
                self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_formats_and_files(self):
        json.loads(run(self.broken, "--format", "json").stdout)
        for line in run(self.broken, "--format", "json-lines").stdout.splitlines():
            json.loads(line)
        self.assertEqual(json.loads(run(self.broken, "--format", "auditwheel-json").stdout)["overall_tag"],
                         "linux_x86_64")
        out = self.folder / "report.json"
        done = run(self.broken, "--format", "json", "--output-file", out)
        self.assertTrue(done.stdout.startswith("FAILED: 1 wheel"))
        self.assertEqual((done.stdout.count("\n"), done.returncode), (1, 1))
        self.assertEqual(out.read_text(), run(self.broken, "--format", "json").stdout)
        self.assertNotEqual(run(self.broken, "-o", self.folder / "no" / "such" / "folder").returncode, 0)
        for name in ("json", "policy", "remedies", "rules", "simulation", "symbols", "why"):
            self.assertIn("$schema", json.loads(run("schema", name).stdout))

    def test_rules_can_be_chosen(self):
        found = run(self.broken, "--format", "concise", "--select", "WC601").stdout
        self.assertIn("WC601", found)
        self.assertNotIn("WC102", found)
        rest = run(self.broken, "--format", "concise", "--ignore", "executable-stack,WC1").stdout
        self.assertNotIn("WC601", rest)
        self.assertNotIn("WC10", rest)
        self.assertIn("WC503", rest)
        self.assertIn("noexecstack", run("explain", "executable-stack").stdout)
        self.assertGreater(len(run("rules").stdout.splitlines()), 20)

    def test_rules_tell_what_they_are(self):
        rules = json.loads(run("rules", "--format", "json").stdout)["rules"]
        lines = run("rules").stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 100)
        listed = [line for line in lines if re.match(r"WC\d{3} ", line)]
        self.assertEqual([rule["id"] for rule in rules], [line.split()[0] for line in listed])
        for rule, line in zip(rules, listed):
            self.assertIn(rule["properties"]["rule"], line)
            self.assertIn(f"confidence {rule['properties']['precision']}", line)
        commands = {line.split()[0]: re.search(r"\[(.*)\]", line)[1] for line in listed}
        self.assertEqual(commands["WC101"], "check")
        self.assertEqual(commands["WC212"], "conflicts")
        self.assertEqual(commands["WC507"], "check, conflicts")
        self.assertIn("WC5: Loader and linkage", lines)
        chosen = run("rules", "WC50", "executable-stack").stdout
        self.assertEqual(set(re.findall(r"^WC\d\d\d", chosen, re.MULTILINE)),
                         {code for code in commands if code.startswith("WC50")} | {"WC601"})
        self.assertEqual(run("rules", "--format", "nonsense").returncode, 2)

    def test_rules_can_be_set(self):
        for words in (["--require-cxx11-abi", "newest"], ["--require-sm", "80,many"], ["--max-exports", "-1"],
                      ["--knowledge", self.folder / "none.json"]):
            done = run(self.broken, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertTrue(done.stderr)
        words = ["--own-namespace", "a,b", "--own-soname", "liba.so*", "--leak-threshold", "1", "--require-sm", "80,90",
                 "--require-cxx11-abi", "new", "--pedantic", "--max-exports", "1"]
        for command in ("check", "show"):
            self.assertEqual(run(command, self.pure, *words).returncode, 0, command)
        self.assertIn("WC710", run(self.pure, "--max-wheel-bytes", "10", "--format", "concise").stdout)
        self.assertNotIn("WC710", run(self.pure, "--format", "concise").stdout)

    def test_symbols_are_counted(self):
        solver, math = sorted(run("symbols", self.broken, "--by", "file").stdout.splitlines(), reverse=True)[:2]
        self.assertRegex(solver, r"^gridfit/_solver\.cpython-311-\S+: 1 export, \d+ imports$")
        self.assertTrue(math.strip())
        files = json.loads(run("symbols", self.broken, "--by", "file", "--format", "json").stdout)["files"]
        self.assertEqual([list(file) for file in files], [["file", "exports", "imports", "namespaces"]] * 2)
        for by in ("namespace", "library"):
            json.loads(run("symbols", self.broken, "--by", by, "--imports", "--format", "json").stdout)

    def test_elf_files_and_directories_of_them(self):
        libraries = self.folder / "libraries"
        libraries.mkdir()
        with zipfile.ZipFile(self.broken) as wheel:
            for name in wheel.namelist():
                if ".so" in name:
                    (libraries / name.rsplit("/", 1)[-1]).write_bytes(wheel.read(name))
        grid = next(libraries.glob("libgridmath*"))
        for command in ("show", "tree", "symbols"):
            for place in (grid, libraries):
                done = run(command, place)
                # `tree` agrees with `check`: a library is missing.
                self.assertEqual(done.returncode, int(command == "tree" and place == libraries), done)
                self.assertIn(place.name, done.stdout)
        self.assertNotRegex(run("show", libraries).stdout, "WC[78]")
        (self.folder / "link.so").symlink_to(grid)
        self.assertEqual(run("tree", "--sandbox", "auto", self.folder / "link.so").returncode, 0)
        self.assertEqual(run("check", grid).returncode, 3)
        empty = self.folder / "no ELF files"
        empty.mkdir()
        self.assert_unreadable_by("show", empty)

    def assert_unreadable_by(self, command, path):
        done = run(command, path)
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("no ELF file", done.stdout + done.stderr)

    def test_progress_leaves_the_terminal_clean(self):
        large = self.folder / "large-1.0-py3-none-any.whl"
        with zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
            for name in ("large/zeros1", "large/zeros2", "large/zeros3"):
                with wheel.open(name, "w", force_zip64=True) as member:
                    for _ in range(1500):
                        member.write(bytes(1 << 20))
            wheel.writestr("large-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        drawn, code = self.drawn_by(signal.SIGINT, large)
        self.assertEqual(code, 130)
        self.assertTrue(drawn.endswith(b"\r\x1b[K"), drawn)
        # To the end: each line says which wheel, is short, and goes.
        drawn, code = self.drawn_by(None, large)
        self.assertEqual(code, 1)  # METADATA is missing
        *lines, last = drawn.split(b"\r\x1b[K")
        self.assertEqual(last, b"")
        for line in filter(None, lines):
            self.assertRegex(line, rb"^\[#*\.*\] large-1\.0(: checking)?$")
        large.unlink()

    @staticmethod
    def drawn_by(number, *wheels):
        """What a terminal gets on stderr, and the exit code. number: of a signal to send when the line is drawn."""
        ours, theirs = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        started = subprocess.Popen([PROGRAM, "-j1", "--limit", "ratio=100000", *wheels], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
        os.close(theirs)
        drawn = b""
        try:
            while more := os.read(ours, 4096):
                if not drawn and number:
                    started.send_signal(number)
                drawn += more
        except OSError:  # EIO: the other side is closed
            pass
        os.close(ours)
        return drawn, started.wait(60)

    def test_a_list_of_wheels_on_stdin(self):
        given = f"{self.broken}\n\n{self.broken}\n"
        done = subprocess.run([PROGRAM, "check", "-q", "-"], input=given, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("2 wheels", done.stdout)

    def test_symbols_are_listed(self):
        found = run("symbols", self.broken, "--match", "^grid_norm$")
        self.assertEqual((found.returncode, len(found.stdout.splitlines())), (0, 3), found)
        self.assertIn(": export global function grid_norm\n", found.stdout)
        self.assertIn(": import global function grid_norm\n", found.stdout)
        self.assertNotIn("import", run("symbols", self.broken, "--match", "grid_norm", "--exports").stdout)
        wanted = ("symbols", self.broken, "--match", "condition_variable::wait")
        self.assertIn("_ZNSt18condition_variable4wait", run(*wanted).stdout)
        self.assertIn("std::condition_variable::wait(", run(*wanted, "--demangle").stdout)
        out = self.folder / "symbols.json"
        self.assertEqual(run(*wanted, "--demangle", "--format", "json", "--output-file", out).stdout, "")
        self.assertTrue(json.loads(out.read_text())["symbols"][0]["demangled"].startswith("std::condition_variable"))

    def test_symbols_say_what_is_wrong(self):
        done = run("symbols", self.broken, "--match", "ab[c")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("missing ]: [c, at character 3", done.stderr)
        self.assertEqual(run("symbols", self.broken, "--exports", "--imports").returncode, 2)
        self.assertEqual(run("symbols", self.broken, "--by", "colour").returncode, 2)
        self.assertEqual(run("symbols").returncode, 2)
        self.assertEqual(run("symbols", self.folder / "missing.whl").returncode, 3)
        # A backtracking matcher would need exponential time for this pattern.
        self.assertEqual(run("symbols", self.broken, "--match", "(a*)*(a*)*(a*)*(a*)*b$").returncode, 0)

    def test_colour_is_for_terminals(self):
        self.assertNotIn("\x1b", run(self.broken).stdout)
        self.assertIn("\x1b", run(self.broken, env={"FORCE_COLOR": "1"}).stdout)
        self.assertNotIn("\x1b", run(self.broken, env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout)
        self.assertIn("\x1b", run(self.broken, "--color", "always", env={"NO_COLOR": "1"}).stdout)
        self.assertIn(b"\x1b[", self.on_terminal({}))
        self.assertNotIn(b"\x1b[", self.on_terminal({"NO_COLOR": "1"}))

    def on_terminal(self, extra):
        environment = {"PATH": os.environ["PATH"], "CI": "1", "TERM": "xterm", **extra}
        master, slave = pty.openpty()
        with subprocess.Popen([PROGRAM, self.broken], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                              env=environment):
            os.close(slave)
            said = b""
            try:
                while part := os.read(master, 65536):
                    said += part
            except OSError:
                pass
        os.close(master)
        return said

    def test_a_reader_that_goes_away_is_no_error(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        done = subprocess.run([PROGRAM, self.broken], stdin=subprocess.DEVNULL, stdout=write_end,
                              stderr=subprocess.PIPE, check=False)
        os.close(write_end)
        self.assertEqual((done.returncode, done.stderr), (1, b""))

    def test_a_full_disk_is_said(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, self.broken], stdin=subprocess.DEVNULL, stdout=full,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cannot write", done.stderr)

    def test_a_policy_of_ones_own(self):
        policy = self.folder / "mine.json"
        policy.write_text(json.dumps([{"name": "manylinux_2_17", "aliases": ["manylinux2014"], "priority": 80,
                                       "symbol_versions": {"x86_64": {"GLIBC": ["2.2.5", "2.34", "2.36"]}},
                                       "lib_whitelist": ["libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1",
                                                         "libtiff.so.6"], "blacklist": {}}]))
        done = run(self.broken, "--policy", policy, "--format", "concise")
        self.assertIn("manylinux_2_17_x86_64 compatible", done.stdout)

    def test_the_second_reader_agrees(self):
        self.assertEqual(run(self.pure, "--verify-with-libarchive").returncode, 0)

    def test_one_thread_or_many(self):
        wheels = [self.broken, self.pure] * 4
        once, many = (run(*wheels, "--format", "json", "--jobs", jobs).stdout for jobs in (1, 7))
        self.assertEqual(once, many)


if __name__ == "__main__":
    unittest.main(verbosity=2)
