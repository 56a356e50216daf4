#!/usr/bin/env python3
"""shells_test.py PROGRAM: completions and the manual page contain every option of the program, and the shells accept
them."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import terminal

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


def run(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        words, **{"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "check": False, **options}
    )


def help_of(*words: str) -> str:
    return run(PROGRAM, *words, "--help").stdout


def options_in(text: str) -> set[str]:
    """-j and --jobs for a line "  -j, --jobs N"."""
    lines = re.findall(r"^  (?:    )?((?:-\w, )?--[a-z0-9-]+)", text, re.MULTILINE)
    return {option for line in lines for option in line.split(", ")}


def commands_in(text: str) -> list[str]:
    return re.findall(r"^  ([\w-]+) ", text.partition("\nCommands:\n")[2].partition("\n\n")[0], re.MULTILINE)


def options_of(*words: str) -> set[str]:
    """The options of a command and its subcommands."""
    text = help_of(*words)
    return options_in(text).union(*(options_of(*words, below) for below in commands_in(text)))


COMMANDS = commands_in(help_of())
OPTIONS = {command: options_of(command) for command in COMMANDS}


class Written(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        for shell in ("bash", "fish", "zsh"):
            done = run(PROGRAM, "completions", shell, "--output-file", str(cls.folder / shell))
            assert done.returncode == 0 and not done.stdout, done.stderr
        (cls.folder / "some.whl").touch()
        (cls.folder / "policy.json").touch()
        (cls.folder / "a dir").mkdir()

    def start(self, *words: str) -> None:
        """Becomes a shell at a terminal."""
        os.environ.update(TERM="dumb", PS1="$ ", INPUTRC="/dev/null", HOME=str(self.folder))
        os.chdir(self.folder)
        os.execvp(words[0], words)


class Program(unittest.TestCase):
    def test_help_is_read_right(self) -> None:
        self.assertGreater(len(COMMANDS), 9)
        self.assertIn("completions", COMMANDS)
        self.assertLess({"-j", "--jobs", "--fail-on", "--limit", "--pedantic", "-o", "--help"}, OPTIONS["check"])

    def test_the_words_are_the_same_on_every_machine(self) -> None:
        one_cpu = sorted(os.sched_getaffinity(0))[:1]
        for words in (("completions", "bash"), ("completions", "fish"), ("completions", "zsh"), ("man",)):
            here = run(PROGRAM, *words).stdout
            there = run(
                PROGRAM,
                *words,
                cwd="/",
                env={"HOME": "/nowhere", "LC_ALL": "tr_TR.UTF-8", "COLUMNS": "40"},
                preexec_fn=lambda: os.sched_setaffinity(0, one_cpu),
            )
            self.assertEqual(here, there.stdout)
            self.assertTrue(here.isascii())
        self.assertEqual(run(PROGRAM, "completions", "tcsh").returncode, 2)
        self.assertEqual(run(PROGRAM, "man", "-o", "/absent/page").returncode, 2)


class Bash(Written):
    def ask(self, *words: str) -> list[str]:
        """The result of bash's completion function when TAB is pressed after the last word."""
        script = (
            'source "$1"; shift; COMP_WORDS=(wheelcheck "$@") COMP_CWORD=$#; _wheelcheck 2>/dev/null; '
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = run("bash", "--norc", "-c", script, "bash", str(self.folder / "bash"), *words, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.split("\n") if line]

    def test_every_option_of_every_command_is_offered(self) -> None:
        for command in COMMANDS:
            self.assertEqual(set(self.ask(command, "-")), OPTIONS[command], command)

    def test_the_first_word_is_a_command_or_a_wheel(self) -> None:
        self.assertEqual(set(self.ask("")), {*COMMANDS, "some.whl", "a dir"})
        self.assertEqual(self.ask("sym"), ["symbols"])
        self.assertEqual(self.ask("so"), ["some.whl"])
        self.assertLess({"--version", "-V", "--fail-on"}, set(self.ask("-")))

    def test_check_need_not_be_said(self) -> None:
        self.assertEqual(self.ask("some.whl", "--fail"), ["--fail-on"])
        self.assertEqual(self.ask("--fail-on", "w"), ["warning"])

    def test_values_are_offered(self) -> None:
        self.assertEqual(set(self.ask("check", "--fail-on", "")), {"error", "warning", "note", "never"})
        self.assertEqual(self.ask("check", "--fail-on", "=", "no"), ["note"])  # --fail-on=no, as bash splits it
        self.assertEqual(set(self.ask("check", "--fail-on", "=")), {"error", "warning", "note", "never"})
        self.assertLess({"json", "concise", "full"}, set(self.ask("check", "--format", "")))
        self.assertLessEqual({"text", "json"}, set(self.ask("tree", "--format", "")))
        self.assertEqual(set(self.ask("check", "--cache", "")), {"off", "auto", "a dir"})
        self.assertEqual(self.ask("check", "--policy", "po"), ["policy.json"])
        self.assertEqual(self.ask("check", "--select", "WC10"), self.ask("explain", "WC10"))
        self.assertLess({"WC102", "WC103"}, set(self.ask("explain", "WC10")))
        self.assertEqual(self.ask("explain", "symbol-version-too"), ["symbol-version-too-new"])
        self.assertEqual(set(self.ask("completions", "")), {"bash", "fish", "zsh"})
        self.assertIn("policy", self.ask("schema", ""))
        self.assertEqual(self.ask("check", "--limit", "sy"), ["symbols="])
        self.assertEqual(self.ask("check", "--leak-threshold", ""), [])  # there is nothing to complete

    def test_a_shell_completes_what_is_typed(self) -> None:
        """In a terminal, with only the files that the package installs."""
        start = lambda: self.start("bash", "--norc", "--noprofile", "-i")  # noqa: E731
        typed = ["expl\tsymbol-version-t\t", "--fail-on w\t--cache=au\t so\t"]
        self.assertEqual(
            terminal.words_of(start, f"source {self.folder}/bash", typed),
            ["<explain><symbol-version-too-new>", "<--fail-on><warning><--cache=auto><some.whl>"],
        )


class OtherShells(Written):
    def test_bash_and_zsh_and_fish_read_them(self) -> None:
        for shell in ("bash", "zsh", "fish"):
            done = run(shell, "-n", str(self.folder / shell))
            self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def ask_fish(self, line: str) -> set[str]:
        script = f"source {self.folder}/fish; complete -C {line!r}"
        done = run("fish", "--no-config", "-c", script, cwd=self.folder, env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {answer.partition("\t")[0] for answer in done.stdout.splitlines()}

    def test_fish_offers_every_option_of_every_command(self) -> None:
        for command in COMMANDS:
            offered = self.ask_fish(f"wheelcheck {command} -")
            long = {option for option in OPTIONS[command] if option.startswith("--")}
            self.assertLessEqual(long, offered, command)

    def test_fish_offers_values(self) -> None:
        self.assertEqual(self.ask_fish("wheelcheck check --fail-on "), {"error", "warning", "note", "never"})
        self.assertEqual(self.ask_fish("wheelcheck x.whl --fail-on w"), {"warning"})
        self.assertIn("symbols", self.ask_fish("wheelcheck sym"))
        self.assertIn("WC102", self.ask_fish("wheelcheck explain WC10"))
        self.assertIn("some.whl", self.ask_fish("wheelcheck check so"))

    def test_zsh_has_every_option_of_every_command(self) -> None:
        """A stub of _arguments prints the specifications that it gets."""
        script = (
            "compdef() { }; _describe() { }; _files() { }; _arguments() { print -l -- $@ }; "
            f"source {self.folder}/zsh; words=(wheelcheck $1 -) CURRENT=3 PREFIX=-; _wheelcheck"
        )
        for command in COMMANDS:
            done = run("zsh", "-f", "-c", script, "zsh", command)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            specs = re.findall(r"^(?:\*|\([^)]*\))?(-[\w-]+)[=+]?\[", done.stdout, re.MULTILINE)
            self.assertEqual(set(specs), OPTIONS[command], command)

    def test_zsh_completes_what_is_typed(self) -> None:
        (self.folder / "zsh_functions").mkdir()
        (self.folder / "zsh_functions/_wheelcheck").write_bytes((self.folder / "zsh").read_bytes())
        start = lambda: self.start("zsh", "-f", "-i")  # noqa: E731
        setup = "fpath=($PWD/zsh_functions $fpath); autoload -U compinit; compinit -D -u"
        typed = ["expl\tsymbol-version-t\t", "--fail-on w\t--cache au\tso\t", "check --cache a\\ d\t so\t"]
        self.assertEqual(
            terminal.words_of(start, setup, typed),
            [
                "<explain><symbol-version-too-new>",
                "<--fail-on><warning><--cache><auto><some.whl>",
                "<check><--cache><a dir><some.whl>",
            ],
        )


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.page = run(PROGRAM, "man").stdout

    def section(self, command: str) -> str:
        return self.page.partition(f"\n.SS {command}\n")[2].partition("\n.S")[0]

    def test_every_option_is_told_under_its_command(self) -> None:
        for command in COMMANDS:
            told = {
                option.replace("\\-", "-") for option in re.findall(r"\\fB((?:\\-)[\w\\-]+)\\fR", self.section(command))
            }
            self.assertEqual(told, OPTIONS[command], command)

    def test_readers_of_pages_have_nothing_to_say(self) -> None:
        lint = run("mandoc", "-T", "lint", "-W", "warning", input=self.page, stdin=None)
        self.assertNotRegex(lint.stdout, r"(ERROR|WARNING)(?!: missing date)")
        shown = run("mandoc", "-T", "utf8", input=self.page, stdin=None)
        self.assertIn("EXIT STATUS", re.sub(".\b", "", shown.stdout))

    def test_exit_codes_are_those_of_the_program(self) -> None:
        status = self.page.partition(".SH EXIT STATUS")[2].partition(".SH")[0]
        self.assertEqual(re.findall(r"\.TP\n(\d)", status), ["0", "1", "2", "3", "4"])


if __name__ == "__main__":
    unittest.main()
