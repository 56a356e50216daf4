#!/usr/bin/env python3
"""wheel_test.py PROGRAM: the wheel that contains the program: its contents, the result of checkers, and the
installation by pip."""

import email
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "corpus"), str(ROOT / "tests" / "package")]
import peer  # noqa: E402
import tools  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*words: str | pathlib.Path, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        list(map(str, words)),
        **{"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "env": environment, **options},
    )


class TheWheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        made = run(tools.tools_python(), ROOT / "packaging/wheel.py", cls.folder / "dist", "--built", PROGRAM)
        assert made.returncode == 0, made.stderr
        cls.wheel = pathlib.Path(made.stdout.strip())
        cls.archive = zipfile.ZipFile(cls.wheel)
        cls.addClassCleanup(cls.archive.close)

    def member(self, suffix: str) -> bytes:
        (name,) = [name for name in self.archive.namelist() if name.endswith(suffix)]
        return self.archive.read(name)

    def test_the_tag_is_of_the_platform_and_of_every_python_3(self) -> None:
        self.assertRegex(self.wheel.name, r"^wheelcheck-[0-9.]+-py3-none-[\w.]*manylinux_2_17_\w+[\w.]*\.whl$")
        wheel_file = self.member(".dist-info/WHEEL").decode()
        python, abi, platforms = self.wheel.stem.split("-")[2:]
        for platform in platforms.split("."):
            self.assertIn(f"Tag: {python}-{abi}-{platform}\n", wheel_file)
        self.assertIn("Root-Is-Purelib: false\n", wheel_file)

    def test_everything_is_where_installers_look(self) -> None:
        files = {re.sub(r"^wheelcheck-[0-9.]+\.(data|dist-info)/", r"\1/", name) for name in self.archive.namelist()}
        package = ROOT / "python/wheelcheck"
        modules = {
            f"wheelcheck/{path.relative_to(package).as_posix()}"
            for path in package.rglob("*")
            if path.is_file() and path.parent.name != "__pycache__"
        }
        share = {
            "bash-completion/completions/wheelcheck",
            "fish/vendor_completions.d/wheelcheck.fish",
            "man/man1/wheelcheck.1",
            "zsh/site-functions/_wheelcheck",
        }
        licences = {"LICENSE", "packaging/copyright"} | {
            f"packaging/licenses/{path.name}" for path in (ROOT / "packaging/licenses").iterdir()
        }
        wanted = modules | {"data/scripts/wheelcheck", "dist-info/entry_points.txt"}
        wanted |= {"dist-info/METADATA", "dist-info/RECORD", "dist-info/WHEEL"}
        wanted |= {f"data/data/share/{path}" for path in share} | {f"dist-info/licenses/{path}" for path in licences}
        self.assertEqual({name for name in files if not name.endswith("/")}, wanted)

    def test_the_metadata_is_whole(self) -> None:
        metadata = email.message_from_bytes(self.member(".dist-info/METADATA"))
        self.assertEqual(metadata["Name"], "wheelcheck")
        self.assertIn(metadata["Version"], run(PROGRAM, "--version").stdout)
        self.assertEqual(metadata["Requires-Python"], ">=3.9")
        # Without the extra, nothing else is installed.
        for requirement in metadata.get_all("Requires-Dist"):
            self.assertRegex(requirement, r"""; *extra *== *['"](fleet|repair)['"]$""")
        self.assertTrue(metadata["License-Expression"].startswith("MIT AND "))
        self.assertEqual(metadata["Description-Content-Type"], "text/markdown")
        self.assertIn("Typing :: Typed", metadata.get_all("Classifier"))
        for file in metadata.get_all("License-File"):
            self.member(f".dist-info/licenses/{file}")
        self.assertTrue(metadata.get_payload().startswith("# wheelcheck"))

    def test_its_own_check_is_clean(self) -> None:
        checked = run(PROGRAM, "check", "--fail-on=warning", "--format=concise", "--no-config", self.wheel)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        # The program's tables contain the names of the GPU libraries that it knows. It does not import dlopen, so it
        # opens none. A program with a static C library fits older levels too, but package indexes no longer accept
        # those.
        found = set(re.findall(r"WC\d+ [\w-]+", checked.stdout))
        self.assertLessEqual(found, {"WC113 could-be-more-compatible"})

    def test_auditwheel_agrees(self) -> None:
        opinion = run(peer.peer_python(), ROOT / "scripts/second_opinion", self.wheel)
        self.assertEqual(opinion.returncode, 0, opinion.stdout + opinion.stderr)
        self.assertRegex(opinion.stdout, r"auditwheel says manylinux_2_\d+_\w+: compatible")

    def test_pip_installs_what_runs(self) -> None:
        environment = self.folder / "environment"
        self.assertEqual(run(sys.executable, "-m", "venv", environment).returncode, 0)
        python = environment / "bin/python"
        installed = run(python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", self.wheel)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        version = run(PROGRAM, "--version").stdout
        self.assertEqual(run(environment / "bin/wheelcheck", "--version", env={}).stdout, version)
        # Not the program that PATH would find.
        self.assertEqual(run(python, "-m", "wheelcheck", "--version", env={"PATH": "/absent"}).stdout, version)
        self.assertEqual(run(python, "-m", "wheelcheck", "/dev/null").returncode, 3)
        text = (
            "import sys, wheelcheck\n"
            "report = wheelcheck.check(sys.argv[1], fail_on='warning')\n"
            "print(report.failed, report.wheelcheck, wheelcheck.find_program())"
        )
        said = run(python, "-c", text, self.wheel)
        number = version.split()[-1]
        self.assertEqual(said.stdout, f"False {number} {(environment / 'bin/wheelcheck').resolve()}\n", said.stderr)
        self.assertTrue((environment / "share/man/man1/wheelcheck.1").is_file())
        self.assertIn("audit", run(environment / "bin/wheelcheck-fleet", "--help").stdout)
        without = run(environment / "bin/wheelcheck-fleet", "report", self.folder)
        self.assertEqual(without.returncode, 2)
        self.assertIn("needs the packages of `pip install wheelcheck[fleet]`", without.stderr)

    def test_pip_installs_it_to_a_directory(self) -> None:
        """RECORD has a path that --target does not use."""
        target = self.folder / "target"
        pip = [tools.tools_python(), "-m", "pip", "install", "--no-index", "--disable-pip-version-check"]
        installed = run(*pip, "--target", target, self.wheel)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        found = run(sys.executable, "-c", "import wheelcheck; print(wheelcheck.find_program())", cwd=target)
        self.assertEqual(found.stdout, f"{(target / 'bin/wheelcheck').resolve()}\n", found.stderr)

    def test_without_its_program_it_says_so(self) -> None:
        modules = self.folder / "modules"
        for name in self.archive.namelist():
            if name.startswith("wheelcheck/"):
                self.archive.extract(name, modules)
        said = run(sys.executable, "-S", "-m", "wheelcheck", "--version", cwd=modules)
        self.assertEqual((said.returncode, said.stdout), (2, ""))
        self.assertEqual(
            said.stderr, "wheelcheck: the program is not where wheelcheck was installed; install wheelcheck again\n"
        )


if __name__ == "__main__":
    unittest.main()
