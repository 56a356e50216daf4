#!/usr/bin/env python3
"""environment_test.py PROGRAM: what the environment can take from the program: threads, memory, streams, the size of
files, and outputs that are inputs. It always ends by itself, with an exit code from 0 to 4."""

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]
LACKS_MEMORY = "wheelcheck: not enough memory: "
MB = 1 << 20
NOBODY = 65534
ASAN = b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()

# One run of each command; WHEEL and OLD are replaced.
COMMANDS = [
    ["check", "WHEEL"], ["check", "--format", "json", "-j", "4", "WHEEL", "OLD"],
    ["check", "--format", "html", "WHEEL"],
    ["show", "WHEEL"], ["why", "WHEEL", "manylinux_2_17"], ["why", "--cheapest", "WHEEL"], ["symbols", "WHEEL"],
    ["tree", "WHEEL"], ["runs-on", "WHEEL"], ["interfaces", "WHEEL"], ["conflicts", "WHEEL", "OLD"],
    ["diff", "OLD", "WHEEL"], ["fix", "--diff", "WHEEL"], ["repair", "--dry-run", "WHEEL"], ["explain", "WC102"],
    ["sbom", "WHEEL"], ["rules"], ["schema", "report"], ["check-config"], ["policy", "list"],
    ["policy", "explain", "GLIBC_2.34"],
    ["policy", "simulate", "POLICY", "--on", "WHEEL"], ["completions", "bash"], ["man"], ["--version", "--verbose"],
    ["judge", "--facts", "FACTS"],
]


def run(words, limits=(), streams=None, user=None, timeout=60, **options):
    """`limits`: pairs of a resource and its limit. `streams`: descriptors to close."""
    def restrict():
        for number in streams or ():
            os.close(number)
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
        for what, limit in limits:
            resource.setrlimit(what, (limit, limit))
    environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, check=False, timeout=timeout,
                          env=environment, preexec_fn=restrict, **options)


def pure_wheel(folder):
    folder.mkdir()
    name = "pure-1.0.dist-info"
    files = {"pure.py": "", f"{name}/METADATA": "Metadata-Version: 2.1\nName: pure\nVersion: 1.0\n",
             f"{name}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    with zipfile.ZipFile(folder / "pure-1.0-py3-none-any.whl", "w") as archive:
        rows = [f"{path},sha256={record_hash(text)},{len(text)}" for path, text in files.items()]
        for path, text in [*files.items(), (f"{name}/RECORD", "\n".join([*rows, f"{name}/RECORD,,", ""]))]:
            archive.writestr(path, text)
    return folder / "pure-1.0-py3-none-any.whl"


def record_hash(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


class Environment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.folder.chmod(0o755)
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", cls.folder / "demo"], check=True,
                              capture_output=True, text=True)
        cls.wheel = pathlib.Path(demo.stdout.strip())
        (cls.folder / "old").mkdir()
        cls.old = shutil.copy(cls.wheel, cls.folder / "old")
        cls.policy = cls.folder / "policy.json"
        cls.policy.write_text((ROOT / "policies/manylinux_2_28.json").read_text())
        run(["check", "--cache", cls.folder / "facts", cls.wheel])

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def words(self, command):
        names = {"WHEEL": self.wheel, "OLD": self.old, "POLICY": self.policy, "FACTS": self.folder / "facts"}
        return [str(names.get(word, word)) for word in command]

    @unittest.skipIf(ASAN, "LeakSanitizer starts a thread at the end")
    def test_threads_that_cannot_be_started(self):
        if os.getuid() != 0:
            self.skipTest("another user's limit on processes must be set")
        for command in COMMANDS:
            with self.subTest(command=command):
                words = self.words(command)
                expected = run(words, user=NOBODY)
                done = run(words, limits=[(resource.RLIMIT_NPROC, 1)], user=NOBODY)
                self.assertIn(expected.returncode, range(5))
                if command[0] not in ("fix", "repair"):  # these need patchelf, which is a process
                    self.assertEqual((done.returncode, done.stdout), (expected.returncode, expected.stdout))
                self.assertIn(done.returncode, range(5))

    @unittest.skipIf(ASAN, "AddressSanitizer reserves terabytes")
    def test_too_little_memory(self):
        reports = set()
        # With less, neither the kernel nor the C library can start it; that limit differs a little from run to run.
        sizes = [size for size in (*range(14 * MB, 20 * MB, MB // 4), *(int(20 * MB * 1.5 ** i) for i in range(8)))
                 if run(["--version"], [(resource.RLIMIT_AS, size - MB // 4)]).returncode in (0, 4)]
        for command in COMMANDS:
            words = self.words(command)
            expected = run(words)
            for size in sizes:
                limits = [(resource.RLIMIT_AS, size)]
                with self.subTest(command=command, size=size):
                    done = run(words, limits)
                    if done.returncode == 4:
                        reports.add(done.stderr.decode())
                    else:
                        self.assertEqual((done.returncode, done.stdout), (expected.returncode, expected.stdout))
        self.assertEqual(len(reports), 1, reports)
        [report] = reports
        self.assertTrue(report.startswith(LACKS_MEMORY) and report.count("\n") == 1, report)

    @unittest.skipIf(ASAN, "frames are larger")
    def test_small_stacks(self):
        expected = run(["check", "-j", "4", self.wheel])
        for size in (64 << 10, MB, 4 * MB):
            # A soft limit is raised, also for threads. A hard one is a reason to refuse.
            done = subprocess.run(["bash", "-c", f"ulimit -S -s {size >> 10}; exec \"$@\"", "bash", PROGRAM, "check",
                                   "-j", "4", str(self.wheel)], capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (expected.returncode, expected.stdout), size)
            done = run(["check", "-j", "4", self.wheel], limits=[(resource.RLIMIT_STACK, size)])
            self.assertEqual(done.returncode, 4 if size < 2 * MB else expected.returncode, done.stderr)

    def test_closed_streams(self):
        for command in COMMANDS:
            words = self.words(command)
            expected = run(words)
            with self.subTest(command=command):
                self.assertEqual(run(words, streams=[1]).returncode, 2)
                without_messages = run(words, streams=[2])
                self.assertEqual((without_messages.returncode, without_messages.stdout),
                                 (expected.returncode, expected.stdout))
                self.assertEqual(run(words, streams=[1, 2]).returncode, 2)
                self.assertEqual(run(words, streams=[0, 1, 2]).returncode, 2)

    def test_closed_streams_are_no_files(self):
        """The first file that is opened does not take the place of a closed stream."""
        before = self.wheel.read_bytes()
        report = self.folder / "report.json"
        done = run(["check", "--format", "json", "-o", report, self.wheel, "/nonexistent.whl"], streams=[0, 1, 2])
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(json.loads(report.read_text())["wheels"]), 2)
        self.assertEqual(self.wheel.read_bytes(), before)

    def test_messages_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            for words in (["check", "/nonexistent.whl"], ["chekc"], ["check", "--nonsense"], ["explain", "WC000"]):
                self.assertIn(run(words, stderr=full).returncode, (2, 3), words)
                self.assertIn(run(words, stderr=full, stdout=full).returncode, (2, 3), words)
            self.assertEqual(run(["check", self.wheel], stderr=full, stdout=full).returncode, 2)

    def test_limit_on_the_size_of_files(self):
        for limit in (0, 10, 2000):
            for command in COMMANDS:
                words = self.words(command)
                with self.subTest(command=command, limit=limit):
                    out = self.folder / "out"
                    expected = run(words)
                    with open(out, "wb") as stdout:
                        done = run(words, limits=[(resource.RLIMIT_FSIZE, limit)], stdout=stdout)
                    whole = out.read_bytes() == expected.stdout
                    if command[0] in ("fix", "repair"):
                        self.assertIn(done.returncode, (0, 1, 2, 3))
                    else:
                        self.assertEqual(done.returncode, expected.returncode if whole else 2)
            done = run(["check", "-o", self.folder / "report", self.wheel], limits=[(resource.RLIMIT_FSIZE, 1000)])
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"cannot write", done.stderr)


def has_child(process):
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if stat.read_text(errors="replace").rpartition(") ")[2].split()[1] == str(process):
                return True
    return False


class Reports(unittest.TestCase):
    """A file for a report is replaced as a whole, or not at all."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.wheel = pure_wheel(self.folder / "dist")
        (self.folder / "out").mkdir()
        self.report = self.folder / "out/report"
        self.report.write_text("old")
        self.report.chmod(0o640)

    def only(self, *names):
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()), sorted(names))

    def test_it_is_another_file_with_the_same_mode(self):
        os.link(self.report, self.folder / "hard")
        for words in (["-o"], ["--write-baseline"]):
            done = run(["check", "--format", "json", self.wheel, *words, self.report])
            self.assertEqual(done.returncode, 0, done.stderr)
            json.loads(self.report.read_text())
            self.assertEqual(self.report.stat().st_mode & 0o777, 0o640)
        self.assertEqual((self.folder / "hard").read_text(), "old")
        self.only("report")

    def test_a_new_file_has_the_mode_of_the_umask(self):
        new = self.folder / "out/new"
        self.assertEqual(run(["check", "-o", new, self.wheel], umask=0o027).returncode, 0)
        self.assertEqual(new.stat().st_mode & 0o777, 0o640)
        self.only("report", "new")

    def test_a_link_stays_a_link(self):
        link = self.folder / "out/link"
        link.symlink_to(self.report)
        self.assertEqual(run(["check", "-o", link, self.wheel]).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertNotEqual(self.report.read_text(), "old")
        self.only("report", "link")

    def test_nothing_changes_without_a_whole_report(self):
        limits = [(resource.RLIMIT_FSIZE, 10)]
        self.assertEqual(run(["check", "-o", self.report, self.wheel], limits=limits).returncode, 2)
        self.assertEqual(run(["check", "-o", self.report, "--policy", "/nonexistent", self.wheel]).returncode, 2)
        self.assertEqual(self.report.read_text(), "old")
        self.only("report")

    def test_nothing_changes_if_it_is_killed(self):
        words = [PROGRAM, "check", "-o", str(self.report), "-"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as waiting:
            end = time.monotonic() + 60
            # Until the process is there that removes the file.
            while not has_child(waiting.pid) and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual(len(list((self.folder / "out").iterdir())), 2)
            waiting.kill()
            waiting.communicate()
        while len(list((self.folder / "out").iterdir())) > 1 and time.monotonic() < end:
            time.sleep(0.01)
        self.only("report")
        self.assertEqual(self.report.read_text(), "old")

    def test_a_file_that_may_not_be_written_is_not_replaced(self):
        if os.geteuid() != 0:
            self.skipTest("needs root")
        for path in (self.folder, self.folder / "out"):
            path.chmod(0o777)
        done = run(["check", "-o", self.report, self.wheel], user=NOBODY)
        self.assertEqual((done.returncode, self.report.read_text()), (2, "old"))
        # A file that may be written, in a directory in which none can be made, is written itself.
        self.report.chmod(0o666)
        (self.folder / "out").chmod(0o755)
        self.assertEqual(run(["check", "-o", self.report, self.wheel], user=NOBODY).returncode, 0)
        self.assertNotEqual(self.report.read_text(), "old")
        self.only("report")


class Inputs(unittest.TestCase):
    """What cannot be read, in every command."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.wheel = pure_wheel(self.folder / "dist")

    def test_a_truncated_wheel_fails_every_command(self):
        short = self.folder / self.wheel.name
        short.write_bytes(self.wheel.read_bytes()[:300])
        for command in ("check", "show", "why", "symbols", "tree", "runs-on", "interfaces", "conflicts", "fix", "repair",
                        "sbom"):  # fmt: skip
            with self.subTest(command=command):
                done = run([command, short])
                self.assertEqual(done.returncode, 1)
                self.assertIn(b"not a whole ZIP archive", done.stdout + done.stderr)
        self.assertEqual(run(["diff", short, self.wheel]).returncode, 1)
        self.assertEqual(run(["diff", self.wheel, short]).returncode, 1)

    def test_no_input(self):
        self.assertEqual(run(["check", "-"]).returncode, 3)
        empty = self.folder / "env/lib/python3.11/site-packages"
        empty.mkdir(parents=True)
        done = run(["conflicts", "--environment", self.folder / "env"])
        self.assertEqual((done.returncode, b"contains no distribution" in done.stderr), (3, True))

    def test_arguments_are_escaped(self):
        odd = "x\x1b[31m"
        for words in (["schema", odd], ["completions", odd], ["check", "--jobs", odd, self.wheel],
                      ["check", "--index", odd, self.wheel], ["check", f"--{odd}"], [odd]):  # fmt: skip
            with self.subTest(words=words):
                done = run(words)
                self.assertIn(done.returncode, (2, 3))
                self.assertNotIn(b"\x1b", done.stdout + done.stderr)
                self.assertIn(b"\\x1b", done.stdout + done.stderr)

    def unpacked(self):
        place = self.folder / "unpacked"
        with zipfile.ZipFile(self.wheel) as archive:
            archive.extractall(place)
        for path in (self.folder, place):
            path.chmod(0o755)
        return place

    def test_a_directory_that_cannot_be_read(self):
        if os.geteuid() != 0:
            self.skipTest("needs root")
        place = self.unpacked()
        (place / "secret").mkdir()
        site = self.folder / "env/lib/python3.11/site-packages"
        shutil.copytree(place, site)
        for words in (["check", place], ["conflicts", "--environment", self.folder / "env"]):
            self.assertEqual(run(words, user=NOBODY).returncode, 0, words)
        for top in (place, site):
            (top / "secret").chmod(0)
        for words in (["check", place], ["conflicts", "--environment", self.folder / "env"]):
            done = run(words, user=NOBODY)
            self.assertEqual(done.returncode, 3, words)
            self.assertIn(b"secret: the directory cannot be read", done.stdout + done.stderr)

    def test_metadata_behind_a_link(self):
        place = self.unpacked()
        record = next(place.glob("*.dist-info/RECORD"))
        inside, outside = place / "RECORD.txt", self.folder / "RECORD.txt"
        for target, code in ((inside, 0), (outside, 3)):
            target.write_bytes(record.read_bytes())
            record.unlink()
            record.symlink_to(target)
            done = run(["check", place])
            self.assertEqual(done.returncode, code, done.stdout)
        self.assertIn(b"a symbolic link that leaves the directory", done.stdout + done.stderr)


class Outputs(unittest.TestCase):
    """An output that is an input: exit code 2, and every file is what it was."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", self.folder / "dist"], check=True,
                              capture_output=True, text=True)
        self.wheel = pathlib.Path(demo.stdout.strip())
        (self.folder / "old").mkdir()
        self.old = pathlib.Path(shutil.copy(self.wheel, self.folder / "old"))
        self.policy = self.folder / "policy.json"
        shutil.copy(ROOT / "policies/manylinux_2_28.json", self.policy)
        (self.folder / "wheelcheck.toml").write_text("pedantic = true\n")
        (self.folder / "link.whl").symlink_to(self.wheel)
        os.link(self.wheel, self.folder / "hard.whl")

    def content(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def test_they_are_refused(self):
        wheel, old, policy, folder = self.wheel, self.old, self.policy, self.folder
        config = folder / "wheelcheck.toml"
        pure = pure_wheel(folder / "pure")
        old_pure = shutil.copy(pure, folder / "old")
        rows = [["check", wheel, "-o", wheel], ["check", wheel, "-o", folder / "link.whl"],
                ["check", wheel, "--output-file", folder / "hard.whl"], ["check", wheel, "--format", f"sarif={wheel}"],
                ["check", wheel, "--write-baseline", wheel], ["check", wheel, "--write-baseline", config],
                ["check", wheel, "-o", config], ["check", wheel, "--config", config, "-o", config],
                ["check", wheel, "--policy", policy, "-o", policy],
                ["check", wheel, "--baseline", policy, "-o", policy],
                ["check", folder / "dist", "-o", wheel], ["check", folder / "dist", "-o", folder / "dist/new.whl"],
                ["check", folder / "dist/*.whl", "-o", wheel], ["check", wheel, "--provider", f"x={old}", "-o", old],
                ["check", wheel, "-o", folder / "new", "--write-baseline", folder / "new"],
                ["check", wheel, "--format", f"json={folder}/new", "--format", f"sarif={folder}/new"],
                ["check", wheel, "--format", "github", "--format", f"sarif={folder}/new", "-o", f"{folder}/./new"],
                ["show", wheel, "-o", wheel], ["why", wheel, "manylinux_2_17", "-o", wheel],
                ["symbols", wheel, "-o", wheel], ["tree", wheel, "-o", wheel], ["runs-on", wheel, "-o", wheel],
                ["interfaces", wheel, "-o", wheel], ["conflicts", wheel, old, "-o", old],
                ["diff", old, wheel, "-o", old],
                ["policy", "simulate", policy, "--on", wheel, "-o", policy],
                ["policy", "simulate", policy, "--on", wheel, "-o", wheel],
                ["sbom", wheel, "-o", wheel], ["sbom", pure, "--embed", pure],
                ["sbom", pure, "--embed", folder / "pure"],
                ["fix", wheel, "-o", wheel], ["fix", wheel, "-o", folder / "dist"],
                ["repair", "--allow-pure-python-wheel", pure, old_pure, "-w", folder / "old"],
                ["repair", "--allow-pure-python-wheel", pure, "--provider", f"x={old_pure}", "-w", folder / "old"]]
        before = self.content()
        for words in rows:
            with self.subTest(words=words):
                done = run(words, cwd=folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
                self.assertRegex(done.stderr, b"an input|named twice")
                self.assertEqual(self.content(), before)

    def test_of_stdin(self):
        before = self.content()
        done = subprocess.run([PROGRAM, "check", "-", "-o", self.wheel], input=f"{self.wheel}\n", text=True,
                              check=False, capture_output=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(self.content(), before)

    def test_others_are_written(self):
        report = self.folder / "dist/report.json"
        baseline = self.folder / "known.json"
        for _ in range(2):  # the second time, the files are there
            self.assertEqual(run(["check", self.folder / "dist", "-o", report]).returncode, 1)
            self.assertEqual(run(["check", self.wheel, "-o", "/dev/null", "--format", "json=/dev/null", "--format",
                                  "full"]).returncode, 1)
            self.assertIn(run(["check", self.wheel, "--write-baseline", baseline]).returncode, (0, 1))
            self.assertIn(run(["check", self.wheel, "--baseline", baseline, "--write-baseline", baseline]).returncode,
                          (0, 1))
        self.assertTrue(report.stat().st_size and baseline.stat().st_size)


class ConfigurationFiles(unittest.TestCase):
    """Limits on what the command line names."""

    def check(self, name, text, *words, code=2):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.write_text(text)
            done = run([word.replace("FILE", str(path)) for word in words])
        self.assertEqual(done.returncode, code, done.stderr[:500])
        message = (done.stderr or done.stdout).decode()
        self.assertTrue(message and len(message) < 2000, message[:500])

    def test_nested_keys(self):
        for levels in (200, 40_000, 300_000):
            for text in (".".join(["a"] * levels) + " = 1\n", "[" + ".".join(["a"] * levels) + "]\nb = 1\n",
                         "a = " + "[" * levels + "]" * levels + "\n", "a = " + "{a = " * levels + "1" + "}" * levels,
                         "".join(f"[a{'.a' * i}]\n" for i in range(min(levels, 1000)))):
                with self.subTest(levels=levels, text=text[:20]):
                    self.check("wheelcheck.toml", text, "check-config", "FILE")

    def test_nested_policies(self):
        for levels in (200, 60_000, 1_000_000):
            for text in ("[" * levels + "]" * levels, '{"a":' * levels + "1" + "}" * levels, "[" * levels):
                with self.subTest(levels=levels, text=text[:20]):
                    self.check("policy.json", text, "policy", "validate", "FILE", code=1)
                    self.check("policy.json", text, "check", "--policy", "FILE", "/nonexistent.whl")
                    self.check("known.json", text, "check", "--baseline", "FILE", "/nonexistent.whl")
                    self.check("plan.json", text, "conflicts", "--plan", "FILE", "/nonexistent.whl")
                    self.check("knowledge.json", text, "check", "--knowledge", "FILE", "/nonexistent.whl")


if __name__ == "__main__":
    unittest.main()
