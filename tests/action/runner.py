"""A model of a GitHub runner with what action.yml uses: inputs, expressions, steps, file commands, workflow commands.

It follows actions/runner: ActionCommand.cs, ActionCommandManager.cs and FileCommandManager.cs. Anything else is an
error, so that action.yml cannot use a feature that the model does not have.
"""

import dataclasses
import os
import pathlib
import re
import subprocess

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The commands of the runner (its *CommandExtension classes). The token of a stop-commands command becomes a command
# until it is used.
COMMANDS = {"add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice", "set-env",
            "internal-set-repo-path", "remove-matcher", "save-state", "set-output", "stop-commands", "warning"}
TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<op>&&|==|!=|\(|\))|(?P<name>[A-Za-z_][\w.-]*))")


@dataclasses.dataclass(frozen=True)
class Command:
    name: str
    properties: dict
    data: str


def unescaped(text, more=()):
    for code, character in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(code, character)
    return text


def command_of(line, known):
    """The command in a line. The new form must be at the start of the line; the old form may be anywhere."""
    found = re.match(r"\s*::(?P<info>.*?)::(?P<data>.*)", line, re.DOTALL)
    separator = ","
    if not found or found["info"].split(" ")[0] not in known:
        found = re.search(r"##\[(?P<info>.*?)\](?P<data>.*)", line, re.DOTALL)
        separator = ";"
    if not found or found["info"].split(" ")[0] not in known:
        return None
    name, _, rest = found["info"].partition(" ")
    pairs = [one.partition("=") for one in rest.split(separator)]
    properties = {key.strip(): unescaped(value, (("%3A", ":"), ("%2C", ","))) for key, _, value in pairs if value}
    return Command(name, properties, unescaped(found["data"]))


def commands_of(log):
    """All commands that the runner executes when a step prints `log`."""
    out, token = [], None
    for line in re.split(r"\r\n|\r|\n", log):
        command = command_of(line, COMMANDS | {token})
        if command is None or (token and command.name != token):
            continue
        if command.name == token:
            token = None
        elif command.name == "stop-commands":
            token = command.data
        else:
            out.append(command)
    return out


def outputs_of(text):
    """Parses GITHUB_OUTPUT: NAME=VALUE, or NAME<<END, the lines of the value, END."""
    out, lines = {}, iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        name, mark, end = re.match(r"(.+?)(=|<<)(.*)", line).groups()
        if mark == "=":
            out[name] = end
            continue
        value = []
        for one in lines:
            if one == end:
                break
            value.append(one)
        else:
            raise ValueError(f"{name} does not end")
        out[name] = "\n".join(value)
    return out


class Expression:
    """An expression with the features that action.yml uses: names, strings, ==, !=, && and calls without arguments."""

    def __init__(self, text, names):
        self.names = names
        self.words, at = [], 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if not found:
                raise ValueError(f"{text!r} is not understood")
            self.words.append(found)
            at = found.end()

    def value(self):
        out = self.all_of()
        if self.words:
            raise ValueError(f"{self.words[0][0]!r} is left over")
        return out

    def all_of(self):
        out = self.compared()
        while self.take("&&"):
            right = self.compared()
            out = right if out else out
        return out

    def compared(self):
        left = self.one()
        for sign in ("==", "!="):
            if self.take(sign):
                return (left == self.one()) == (sign == "==")
        return left

    def take(self, sign):
        if not self.words or self.words[0]["op"] != sign:
            return False
        self.words.pop(0)
        return True

    def one(self):
        word = self.words.pop(0)
        if word["text"]:
            return word["text"][1:-1].replace("''", "'")
        if self.take("("):
            if not self.take(")"):
                raise ValueError("a call has arguments")
            return self.names[f"{word['name']}()"]
        if word["name"].startswith("steps."):
            return self.names.get(word["name"], "")
        return self.names[word["name"]]


def filled(text, names):
    """Replaces the ${{ }} expressions in `text`."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(Expression(found[1], names).value()), text)


@dataclasses.dataclass
class Outcome:
    failed: bool = False
    outputs: dict = dataclasses.field(default_factory=dict)  # of the Action
    exit_code: str = ""  # of its first step; the last step uses it
    log: str = ""
    summary: str = ""
    uses: list = dataclasses.field(default_factory=list)  # (action, with) of the steps that were reached

    @property
    def commands(self):
        return commands_of(self.log)


class Runner:
    def __init__(self, workspace, temporary, action=ROOT):
        self.workspace, self.temporary, self.action = workspace, temporary, action
        self.document = yaml.safe_load((action / "action.yml").read_text())

    def run(self, env=None, **inputs):
        values = {name: str(one["default"]) for name, one in self.document["inputs"].items()}
        for name, value in inputs.items():
            values[name.replace("_", "-")] = value
        if values.keys() != self.document["inputs"].keys():
            raise ValueError("no such input")
        names = {f"inputs.{name}": value for name, value in values.items()}
        outcome = Outcome()
        for step in self.document["runs"]["steps"]:
            condition = step.get("if", "${{ success() }}").removeprefix("${{").removesuffix("}}")
            status = {"always()": True, "success()": not outcome.failed}
            # A condition without a status function implies success().
            wants = True if re.search(r"\b(always|success)\(\)", condition) else not outcome.failed
            if wants and Expression(condition, names | status).value():
                self.step(step, names, outcome, env or {})
        outcome.outputs = {name: filled(one["value"], names) for name, one in self.document["outputs"].items()}
        outcome.exit_code = names.get("steps.run.outputs.exit-code", "")
        return outcome

    def step(self, step, names, outcome, env):
        if "uses" in step:
            outcome.uses.append((step["uses"], {key: filled(value, names) for key, value in step["with"].items()}))
            return
        files = {name: self.temporary / f"file-command-{name}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_bytes(b"")
        script = self.temporary / "step.sh"
        script.write_text(filled(step["run"], names))
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.temporary), "CI": "true", "GITHUB_ACTIONS": "true",
                       "RUNNER_TEMP": str(self.temporary), "GITHUB_WORKSPACE": str(self.workspace),
                       "GITHUB_ACTION_PATH": str(self.action), **{name: str(file) for name, file in files.items()}, **env,
                       **{name: filled(str(value), names) for name, value in step.get("env", {}).items()}}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script], cwd=self.workspace,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, timeout=300)
        outcome.log += done.stdout.decode("utf-8", "surrogateescape")
        outcome.failed |= done.returncode != 0
        outcome.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        if "id" in step:
            for name, value in outputs_of(files["GITHUB_OUTPUT"].read_text()).items():
                names[f"steps.{step['id']}.outputs.{name}"] = value
