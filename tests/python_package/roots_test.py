#!/usr/bin/env python3
"""roots_test.py PROGRAM BUILD CPACK: installs the wheel and the Debian package in new Debian systems, as users do.

mmdebstrap creates the systems once, and they are kept in the cache. Each test unpacks a new copy. Run as root.
"""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "corpus"), str(ROOT / "tests" / "python_package")]
import corpus  # noqa: E402
import terminal  # noqa: E402
import tools  # noqa: E402

PROGRAM, BUILD, CPACK = sys.argv[1:4]
del sys.argv[1:4]
PACKAGES = "python3-venv,man-db,bash-completion,zsh,fish"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "TERM": "dumb"}


def must(*words: str | pathlib.Path) -> str:
    done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def system_of(suite: str) -> pathlib.Path:
    """A .tar of this release of Debian."""
    kept = corpus.cache() / "roots" / f"{suite}.tar"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        made = kept.with_suffix(".part.tar")
        must("mmdebstrap", "--variant=apt", f"--include={PACKAGES}", suite, made)
        made.rename(kept)
    return kept


def first_commands(count: int) -> list[tuple[str, str]]:
    """The first commands of README.md, each with its output as it is shown, or "" where none is."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    out: list[tuple[str, str]] = []
    for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if kind == "console":
            command, _, shown = block.partition("\n")
            out.append((command.removeprefix("$ "), shown.strip()))
        else:
            out += [(re.sub(r"\s+#.*", "", line), "") for line in block.split("\n") if line.startswith("wheelcheck ")]
    return out[:count]


class Packages:
    """The wheel and the .deb of the built program, each built once, when a test asks for it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    @functools.cached_property
    def wheel(self) -> pathlib.Path:
        return pathlib.Path(must(tools.tools_python(), ROOT / "packaging/wheel.py", self.folder, "--built", PROGRAM))

    @functools.cached_property
    def deb(self) -> pathlib.Path:
        must(CPACK, "-G", "DEB", "--config", pathlib.Path(BUILD) / "CPackConfig.cmake", "-B", self.folder / "deb")
        (deb,) = (self.folder / "deb").glob("wheelcheck_*.deb")
        return deb


def setUpModule() -> None:
    global packages
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        sys.exit("roots: it takes root and mmdebstrap")
    temporary = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(temporary.cleanup)
    packages = Packages(pathlib.Path(temporary.name))


class Fresh:
    suite: str

    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory(prefix=f"wheelcheck-{cls.suite}-")
        cls.addClassCleanup(temporary.cleanup)  # type: ignore[attr-defined]
        cls.system = pathlib.Path(temporary.name)
        must("tar", "-C", cls.system, "--numeric-owner", "-xf", system_of(cls.suite))

    @classmethod
    def inside(cls, *words: str) -> list[str]:
        """The command line that runs the words in the system, with /proc, in a mount namespace that ends with them."""
        script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        return ["unshare", "--mount", "sh", "-c", script, str(cls.system), *words]

    def run_in(self, *words: str) -> subprocess.CompletedProcess[str]:
        options = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "env": ENVIRONMENT}
        return subprocess.run(self.inside(*words), check=False, **options)  # type: ignore[call-overload,no-any-return]

    def succeed(self, *words: str) -> str:
        done = self.run_in(*words)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")  # type: ignore[attr-defined]
        return done.stdout

    def words_of(self, shell: tuple[str, ...], setup: str, lines: list[str]) -> list[str]:
        def start() -> None:
            os.execvpe("unshare", self.inside("env", "--chdir=/root", *shell), ENVIRONMENT)

        return terminal.words_of(start, setup, lines)


class TheWheel(Fresh):
    def test_pip_installs_it_and_its_own_check_is_clean(self) -> None:
        shutil.copy(packages.wheel, self.system / "root")
        wheel = f"/root/{packages.wheel.name}"
        self.succeed("python3", "-m", "venv", "/root/own")
        self.succeed("/root/own/bin/pip", "install", "--no-index", wheel)
        version = self.succeed("/root/own/bin/wheelcheck", "--version")
        self.assertEqual(version, must(PROGRAM, "--version") + "\n")
        self.assertEqual(self.succeed("/root/own/bin/python", "-m", "wheelcheck", "--version"), version)
        self.succeed("/root/own/bin/wheelcheck", "check", "--fail-on=warning", wheel)
        asked = "import wheelcheck; report = wheelcheck.check(%r); print(report.failed, report.checked[0].status)"
        self.assertEqual(self.succeed("/root/own/bin/python", "-c", asked % wheel), "False kept\n")
        self.assertTrue(self.succeed("/root/own/bin/pip", "uninstall", "-y", "wheelcheck"))
        left = [str(path) for path in (self.system / "root/own").rglob("*wheelcheck*")]
        self.assertEqual(left, [])

    def test_the_first_commands_of_the_readme_run_without_a_compiler(self) -> None:
        for tool in ("cc", "gcc", "c++", "g++", "clang", "ld"):
            self.assertNotEqual(self.run_in("sh", "-c", f"command -v {tool}").returncode, 0, tool)
        self.succeed("mkdir", "-p", "/root/readme/dist")
        shutil.copy(packages.wheel, self.system / "root")
        self.succeed("python3", "-m", "venv", "/root/reader")
        self.succeed("/root/reader/bin/pip", "install", "--no-index", f"/root/{packages.wheel.name}")
        demo = pathlib.Path(must(sys.executable, ROOT / "scripts/demo_wheel.py", self.system / "root/readme"))
        shutil.copy(demo, self.system / "root/readme/dist")
        commands = first_commands(3)
        self.assertEqual([command.split()[0] for command, _ in commands], ["wheelcheck"] * 3)
        for command, shown in commands:
            line = f"cd /root/readme && PATH=/root/reader/bin:$PATH && {command}"
            done = self.run_in("sh", "-c", line)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertEqual(done.stderr, "")
            if shown:
                self.assertEqual(done.stdout.strip(), shown, command)


class TheDebianPackage(Fresh):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        shutil.copy(packages.deb, cls.system / "root")
        (cls.system / "root/some.whl").touch()
        must(*cls.inside("apt-get", "install", "-qq", "-y", f"/root/{packages.deb.name}"))

    def test_the_program_runs(self) -> None:
        self.assertEqual(self.succeed("wheelcheck", "--version"), must(PROGRAM, "--version") + "\n")
        self.assertEqual(self.run_in("wheelcheck", "/root/some.whl").returncode, 1)  # refused: no archive
        self.assertIn("/usr/share/man/man1/wheelcheck.1.gz", self.succeed("dpkg", "-L", "wheelcheck"))

    def test_man_shows_the_page(self) -> None:
        shown = self.run_in("man", "--warnings", "-E", "UTF-8", "wheelcheck")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for words in ("EXIT STATUS", "--fail-on", "wheelcheck conflicts", "wheelcheck.toml"):
            self.assertIn(words, re.sub(".\b", "", shown.stdout))
        self.assertIn("wheelcheck (1)", self.succeed("apropos", "--exact", "wheelcheck"))

    def test_bash_and_zsh_complete(self) -> None:
        typed = ["expl\tsymbol-version-t\t", "--fail-on w\tso\t"]
        words = ["<explain><symbol-version-too-new>", "<--fail-on><warning><some.whl>"]
        setup = ". /usr/share/bash-completion/bash_completion"
        self.assertEqual(self.words_of(("bash", "--norc", "-i"), setup, typed), words)
        setup = "autoload -U compinit; compinit -u"
        self.assertEqual(self.words_of(("zsh", "-f", "-i"), setup, typed), words)

    def test_fish_completes(self) -> None:
        for line, answer in (
            ("wheelcheck expl", "explain"),
            ("wheelcheck explain symbol-version-t", "symbol-version-too-new"),
            ("wheelcheck --fail-on w", "warning"),
            ("wheelcheck check /root/so", "/root/some.whl"),
        ):
            offered = self.succeed("fish", "-c", f"complete -C {line!r}").splitlines()
            self.assertIn(answer, [offer.partition("\t")[0] for offer in offered], line)


class WheelOnDebian12(TheWheel, unittest.TestCase):
    suite = "bookworm"


class WheelOnDebian13(TheWheel, unittest.TestCase):
    suite = "trixie"


class PackageOnDebian12(TheDebianPackage, unittest.TestCase):
    suite = "bookworm"


class PackageOnDebian13(TheDebianPackage, unittest.TestCase):
    suite = "trixie"


if __name__ == "__main__":
    unittest.main()
