#!/usr/bin/env python3
"""sandbox_test.py PROGRAM: the system calls of the program before and after it enters the sandbox, and that the sandbox
does not change a report. Needs strace."""

import base64
import hashlib
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import zipfile

from traced import Traced, landlock_version

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]
LANDLOCK = landlock_version()
# Calls with a path, and calls that reach other processes. Only the named calls are allowed: see STRICT.
OPENS = {"open", "openat", "openat2", "creat", "open_by_handle_at"}
NETWORK = {"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "recvfrom"}
# All calls that are allowed afterwards if no directory is read.
STRICT = {"pread64", "close", "futex", "madvise", "munmap", "mremap", "brk", "exit", "exit_group", "fstat",
          "newfstatat", "rseq", "set_robust_list", "sched_yield", "clock_gettime", "getrandom", "rt_sigaction",
          "rt_sigprocmask", "sysinfo", "mmap", "mprotect", "clone", "clone3", "ioctl", "write", "ftruncate",
          "sched_getaffinity", "gettid"}

# Those of the process that renames a report.
RENAMES = {"rt_sigaction", "dup2", "close", "close_range", "read", "rename", "unlink", "futex", "exit_group",
           "set_robust_list"}


def pure_wheel(folder, name, size=0):
    """A good wheel. `size` bytes of text make it large enough for a thread of its own."""
    files = {f"{name}/__init__.py": "", f"{name}/long.txt": "any text\n" * (size // 9),
             f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
             f"{name}-1.0.dist-info/WHEEL":
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


def run(*words, **options):
    return subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          timeout=300, **options)


def said(*words, **options):
    done = run(*words, **options)
    return done.returncode, done.stdout, done.stderr


class Sandbox(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not LANDLOCK:
            print("this kernel has no Landlock: what seccomp does is checked, and nothing of directories", flush=True)
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name).resolve()
        demo = subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", cls.folder / "demo"], check=True,
                              capture_output=True, text=True)
        cls.broken = pathlib.Path(demo.stdout.strip())
        cls.large = pure_wheel(cls.folder, "large", 4 << 20)
        cls.unpacked = cls.folder / "unpacked"
        cls.site = cls.folder / "env/lib/python3.11/site-packages"
        for place in (cls.unpacked, cls.site):
            with zipfile.ZipFile(cls.broken) as archive:
                archive.extractall(place)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_nothing_in_it_would_read_the_machines_openssl_cnf(self):
        """Hashes are computed with libcrypto's low-level functions. EVP would link all of libcrypto and its
        configuration."""
        self.assertNotIn(b"openssl.cnf", pathlib.Path(PROGRAM).read_bytes())

    def traced(self, *words, **options):
        traced = Traced([PROGRAM, *words], **options)
        self.assertIn(traced.done.returncode, (0, 1), traced.done)
        self.assertTrue(traced.done.stdout or "-o" in words)
        return traced

    def assert_on(self, traced):
        """The sandbox was switched on, in the correct order, before any byte of a wheel was read."""
        self.assertIsNotNone(traced.locked_at(), "no seccomp filter was loaded")
        before = traced.before()
        told = [(call.name, call.words.replace(" ", "")) for call in before if call.result == "0"]
        for want in (("prctl", "PR_SET_NO_NEW_PRIVS,1"), ("prctl", "PR_SET_DUMPABLE,SUID_DUMP_DISABLE")):
            self.assertTrue(any(name == want[0] and words.startswith(want[1]) for name, words in told), want)
        core = [words for name, words in told if name == "prlimit64" and "RLIMIT_CORE,{rlim_cur=0,rlim_max=0}" in words]
        self.assertEqual(len(core), 1)
        if LANDLOCK:
            self.assertEqual([name for name, _ in told].count("landlock_restrict_self"), 1)
        read = [call for call in before if call.name in ("read", "pread64", "mmap") and ".whl>" in call.words]
        self.assertEqual(read, [])

    def assert_harmless(self, traced, *outputs):
        """In the whole run there is one program, no network access, and output only to stdout, stderr and the requested
        files."""
        calls = traced.calls()
        started = [call for call in calls if call.name.startswith("execve")]
        self.assertEqual((len(started), traced.threads[0][0].name), (1, "execve"))
        self.assertEqual([call for call in calls if call.name in NETWORK], [])
        for call in calls:
            if call.name.startswith(("write", "pwrite", "ftruncate")):
                number, place = call.file()
                names = [re.escape(str(output)) + r"(\.\w{6})?" for output in outputs]  # the temporary file beside it
                names += ["pipe:.*"] * bool(traced.renamers())
                self.assertTrue(number in (1, 2) or any(re.fullmatch(name, place) for name in names), call)
        for thread in traced.renamers():
            self.assertLessEqual({call.name for call in thread}, RENAMES)

    def assert_strict(self, traced):
        """No path is opened, and no call is blocked by the filter."""
        after = traced.after()
        self.assertTrue(any(call.name == "pread64" and ".whl>" in call.words for call in after))
        self.assertTrue(any(call.name == "write" for call in after))
        for call in after:
            self.assertIn(call.name, STRICT, call)
            self.assertNotEqual(call.error, "EPERM", call)
            if call.name == "newfstatat":
                self.assertRegex(call.words, r'^\d+<.*>, "", .*AT_EMPTY_PATH$')

    def assert_below(self, traced, *places):
        """All opened files are in one of these directories."""
        opened = [call for call in traced.after() if call.name in OPENS]
        self.assertTrue(opened)
        for call in opened:
            where = [place for place in map(str, places) if call.place == place or call.place.startswith(place + "/")]
            self.assertTrue(where, call)

    def questions(self):
        yield ["check", self.broken, self.large]
        yield ["check", self.broken, self.large, self.broken, self.large, self.broken]
        yield ["check", "--verify-with-libarchive", self.broken, self.large]
        yield ["show", self.large]
        yield ["why", self.broken, "manylinux_2_17"]
        yield ["symbols", self.broken]
        yield ["tree", self.broken, "--wheel", self.large]
        yield ["conflicts", self.broken, self.large]
        yield ["diff", self.broken, self.large]

    def test_wheels(self):
        threads = 0
        for words in self.questions():
            for jobs in ("1", "2"):
                with self.subTest(words=words, jobs=jobs):
                    traced = self.traced(*words, "--jobs", jobs)
                    self.assert_on(traced)
                    self.assert_harmless(traced)
                    self.assert_strict(traced)
                    threads = max(threads, len(traced.threads))
        self.assertGreaterEqual(threads, 2, "no run had a second thread")

    def test_the_asked_for_file_is_opened_first(self):
        out = self.folder / "report.json"
        out.write_text("something longer than nothing" * 1000)
        traced = self.traced("check", self.broken, "--format", "json", "-o", out)
        self.assert_on(traced)
        self.assert_harmless(traced, out)
        self.assert_strict(traced)
        self.assertEqual(out.read_bytes(), run(self.broken, "--format", "json").stdout)
        traced = Traced([PROGRAM, self.broken, "-o", self.folder / "no/such/folder"])
        self.assertEqual((traced.done.returncode, traced.done.stdout), (2, b""))
        self.assertEqual(len(traced.done.stderr.splitlines()), 1)
        self.assertFalse(any(call.name == "pread64" and ".whl>" in call.words for call in traced.calls()))

    def test_directories(self):
        if not LANDLOCK:
            self.skipTest("without Landlock no directory is closed off")
        for words, place in ((["check", self.unpacked], self.unpacked),
                             (["conflicts", "--environment", self.site], self.folder / "env")):
            for jobs in ("1", "2"):
                with self.subTest(words=words, jobs=jobs):
                    traced = self.traced(*words, "--jobs", jobs)
                    self.assert_on(traced)
                    self.assert_harmless(traced)
                    self.assert_below(traced, place)

    def test_the_cache_alone_is_written(self):
        kept = self.folder / "kept"
        for time in ("first", "second"):
            traced = self.traced("check", self.broken, "--cache", kept)
            self.assert_on(traced)
            written = [call for call in traced.calls() if call.name == "write" and call.file()[0] not in (1, 2)]
            self.assertEqual(bool(written), time == "first")
            self.assert_harmless(traced, *{call.file()[1] for call in written if f"{kept}/" in call.file()[1]})
            if LANDLOCK:
                self.assert_below(traced, kept)

    def test_off_is_off(self):
        traced = self.traced("check", self.broken, "--sandbox", "off")
        self.assertIsNone(traced.locked_at())
        self.assertFalse(any(call.name.startswith("landlock_") for call in traced.calls()))

    def test_require_says_what_is_missing(self):
        calls = [("seccomp", b"seccomp")] + [("landlock_create_ruleset", b"Landlock")] * bool(LANDLOCK)
        for call, word in calls:
            for mode, code in (("require", 2), ("auto", 1)):
                with self.subTest(call=call, mode=mode):
                    done = Traced([PROGRAM, self.broken, "--sandbox", mode], inject=f"{call}:error=ENOSYS").done
                    self.assertEqual(done.returncode, code, done)
                    self.assertEqual(len(done.stderr.splitlines()), 1 if mode == "require" else 0, done)
                    self.assertEqual(word in done.stderr, mode == "require")
                    self.assertEqual(bool(done.stdout), mode == "auto")

    def test_no_report_depends_on_it(self):
        missing = self.folder / "missing.whl"
        plan = self.folder / "plan.json"
        (solver,) = (path.relative_to(self.site) for path in self.site.glob("gridfit/*.so"))
        plan.write_text(json.dumps({"steps": [{"opens": [{"path": str(solver)}]}]}))
        policy = ROOT / "policies/manylinux_2_17.json"
        questions = [*self.questions(), ["check", self.unpacked, missing, self.broken, "--format", "json"],
                     ["check", self.broken, "--verify-with-libarchive", "--policy", policy],
                     ["sbom", self.broken, "--policy", policy],
                     ["interfaces", self.broken, "--environment", self.site, "--policy", policy],
                     ["check", self.broken, "--provider", f"large={self.large}"], ["check", missing],
                     ["conflicts", missing], ["conflicts", "--environment", self.site],
                     ["conflicts", "--environment", self.site, "--plan", plan],
                     ["conflicts", self.broken, "--sysroot", "/", "--python", sys.executable],
                     ["check", self.folder / "demo", self.large, "--cache", self.folder / "own"]]
        modes = ["auto", "require"] if LANDLOCK else ["auto"]
        for words in questions:
            plain = said(*words, "--sandbox", "off")
            for mode in modes:
                with self.subTest(words=words, mode=mode):
                    self.assertEqual(said(*words, "--sandbox", mode), plain)

    def test_more_wheels_than_may_be_open(self):
        many = [self.folder / "many" / f"x{i}-1.0-py3-none-any.whl" for i in range(40)]
        many[0].parent.mkdir()
        for path in many:
            pure_wheel(path.parent, path.name.split("-")[0])
        plain = said("check", *many, "--jobs", "1", "--sandbox", "off")

        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (80, 80))

        code, out, error = said("check", *many, "--jobs", "1", preexec_fn=few)
        self.assertEqual((code, out), plain[:2])
        self.assertEqual(len(error.splitlines()), 1)
        self.assertIn(b"28 of the wheels", error)
        if LANDLOCK:
            traced = self.traced("check", *many, "--jobs", "1", preexec_fn=few)
            self.assert_on(traced)
            self.assert_below(traced, *many)

    def test_version_tells_what_there_is(self):
        told = run("--version", "--verbose").stdout.decode()
        self.assertEqual(told, run("-V", "--verbose").stdout.decode())
        self.assertEqual([line.split()[0] for line in told.splitlines()],
                         ["wheelcheck", "hardening:", "sandbox:", "libraries:", "C"])
        self.assertIn(f"Landlock ABI {LANDLOCK}" if LANDLOCK else "no Landlock", told)
        self.assertIn("seccomp filters", told)
        for word in ("full RELRO", "PIE", "ISA-L", "libdeflate", "zlib", "LLVM", "tree-sitter", "libarchive",
                     "nlohmann_json", "OpenSSL", "C library: glibc"):
            self.assertIn(word, told)
        needed = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout
        self.assertEqual("linked in" in told, "libc.so" not in needed)


class Output(unittest.TestCase):
    def test_a_full_disk_is_said(self):
        wheel = ROOT / "no such wheel"
        for words in (["--version"], ["--version", "--verbose"], ["--help"], ["rules"], ["schema", "json"],
                      ["explain", "WC102"], ["check", wheel], ["check", wheel, "-o", "/dev/full"]):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=full,
                                      stderr=subprocess.PIPE, check=False, timeout=60)
                *before, last = done.stderr.decode().splitlines()
                self.assertEqual((done.returncode, len(before)), (2, int(wheel in words)), done)  # "cannot check"
                self.assertTrue(last.startswith("wheelcheck: cannot write "), last)

    def test_a_reader_that_went_away_is_no_error(self):
        for words in (["rules"], ["check", ROOT / "no such wheel"]):
            plain = run(*words)
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=write,
                                  stderr=subprocess.PIPE, check=False, timeout=60)
            os.close(write)
            self.assertEqual((done.returncode, done.stderr), (plain.returncode, plain.stderr))


if __name__ == "__main__":
    unittest.main(verbosity=2)
