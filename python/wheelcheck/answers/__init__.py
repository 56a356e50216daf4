"""What the other commands answer: a module for each, and in it the classes of its JSON."""

from wheelcheck.answers.conflicts import Conflicts
from wheelcheck.answers.diff import Diff
from wheelcheck.answers.runs_on import RunsOn
from wheelcheck.answers.symbols import Symbols
from wheelcheck.answers.tree import Tree
from wheelcheck.answers.why import Why

__all__ = ["Conflicts", "Diff", "RunsOn", "Symbols", "Tree", "Why"]
