"""why(), diff(), conflicts(), runs_on(), tree(), symbols(): run the program and read its JSON output."""

import json
import os
import subprocess
from collections.abc import Mapping
from typing import Literal, Optional, TypeVar

from wheelcheck._check import FailOn, Paths, StrPath, Words, _each, _flag, _paths
from wheelcheck._convert import convert
from wheelcheck._error import EXIT_INTERNAL, WheelcheckError
from wheelcheck._program import find_program
from wheelcheck.answers import Conflicts, Diff, RunsOn, Symbols, Tree, Why

T = TypeVar("T")
Providers = Optional[Mapping[str, StrPath]]


def why(
    wheel: StrPath,
    tag: Optional[str] = None,
    *,
    cheapest: bool = False,
    policies: Paths = (),
    external: Words = (),
    providers: Providers = None,
    program: Optional[StrPath] = None,
) -> Why:
    """The unmet requirements of a wheel for a tag, or for its claimed tag, as `wheelcheck why`."""
    options = [*_flag("cheapest", cheapest), *_inputs(policies, external, providers)]
    return _ask(Why, "why", options, [os.fspath(wheel), *([tag] if tag else [])], program)


def diff(
    old: StrPath,
    new: StrPath,
    *,
    fail_on: Optional[FailOn] = None,
    policies: Paths = (),
    external: Words = (),
    providers: Providers = None,
    program: Optional[StrPath] = None,
) -> Diff:
    """The differences of two releases of a wheel, as `wheelcheck diff`. `findings.failed` depends on `fail_on`."""
    options = [*_each("fail-on", fail_on), *_inputs(policies, external, providers)]
    return _ask(Diff, "diff", options, [os.fspath(old), os.fspath(new)], program)


def conflicts(
    *wheels: Paths,
    environment: Optional[StrPath] = None,
    order: Optional[Literal["given", "both"]] = None,
    imports: Words = (),
    what_if: Words = (),
    select: Words = (),
    ignore: Words = (),
    program: Optional[StrPath] = None,
) -> Conflicts:
    """How wheels, or the packages of an environment, affect each other in one process, as `wheelcheck conflicts`."""
    options = [
        *_each("environment", environment),
        *_each("order", order),
        *_each("import", imports),
        *_each("what-if", what_if),
        *_each("select", select),
        *_each("ignore", ignore),
    ]
    return _ask(Conflicts, "conflicts", options, _all(wheels), program)


def runs_on(
    *wheels: Paths,
    on: Words = (),
    cpu: Words = (),
    today: Optional[str] = None,
    policies: Paths = (),
    external: Words = (),
    providers: Providers = None,
    program: Optional[StrPath] = None,
) -> RunsOn:
    """The Linux distributions on which wheels run and pip installs them, as `wheelcheck runs-on`. `cpu`: processors."""
    options = [*_each("on", on), *_each("cpu", cpu), *_each("today", today), *_inputs(policies, external, providers)]
    return _ask(RunsOn, "runs-on", options, _all(wheels), program)


def tree(
    *wheels: Paths,
    beside: Paths = (),
    policies: Paths = (),
    external: Words = (),
    providers: Providers = None,
    program: Optional[StrPath] = None,
) -> Tree:
    """The libraries that each file loads, as `wheelcheck tree`. `beside`: other wheels of the environment."""
    options = [*_each("wheel", beside), *_inputs(policies, external, providers)]
    return _ask(Tree, "tree", options, _all(wheels), program)


def symbols(
    wheel: StrPath,
    *,
    by: Optional[Literal["namespace", "file", "library"]] = None,
    exports: bool = False,
    imports: bool = False,
    match: Optional[str] = None,
    demangle: bool = False,
    program: Optional[StrPath] = None,
) -> Symbols:
    """The numbers of symbols of a wheel, or the symbols that match a regular expression, as `wheelcheck symbols`."""
    options = [
        *_each("by", by),
        *_flag("exports", exports),
        *_flag("imports", imports),
        *_each("match", match),
        *_flag("demangle", demangle),
    ]
    return _ask(Symbols, "symbols", options, [os.fspath(wheel)], program)


def _all(wheels: tuple[Paths, ...]) -> list[str]:
    return [path for given in wheels for path in _paths(given)]


def _inputs(policies: Paths, external: Words, providers: Providers) -> list[str]:
    named = [f"{name}={os.fspath(wheel)}" for name, wheel in (providers or {}).items()]
    return [*_each("policy", policies), *_each("external", external), *_each("provider", named)]


def _ask(kind: type[T], command: str, options: list[str], words: list[str], program: Optional[StrPath]) -> T:
    path = os.fspath(program or find_program())
    line = [path, command, "--format=json", *options, "--", *words]
    try:
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise WheelcheckError(f"cannot run {path}: {error.strerror}", EXIT_INTERNAL) from error
    if done.returncode not in (0, 1) or not done.stdout:
        said = done.stderr.decode(errors="replace").strip().removeprefix("wheelcheck: ").partition("\n")[0]
        code = done.returncode if done.returncode > 0 else EXIT_INTERNAL
        raise WheelcheckError(said or f"{path} said nothing", code)
    try:
        return convert(kind, json.loads(done.stdout))
    except ValueError as error:
        raise WheelcheckError(f"not what wheelcheck {command} answers: {error}", EXIT_INTERNAL) from error
