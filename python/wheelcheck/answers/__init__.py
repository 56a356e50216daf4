"""The output of the other commands: one module per command, with the classes of its JSON."""

from wheelcheck.answers.conflicts import Conflicts
from wheelcheck.answers.diff import Diff
from wheelcheck.answers.runs_on import RunsOn
from wheelcheck.answers.symbols import Symbols
from wheelcheck.answers.tree import Tree
from wheelcheck.answers.why import Why

__all__ = ["Conflicts", "Diff", "RunsOn", "Symbols", "Tree", "Why"]
