"""Trees of an explanation: pieces of both sides and their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from graphscore.model.graph import Graph
from graphscore.report.table import one_line
from graphscore.similarity.explanation.wording import describe
from graphscore.similarity.view import View

WIDTH = 80
"""Columns of an explanation as text."""

LONGEST = 400
"""Lines of a tree as text: every link of a long document is too much to read."""

MATCHED, PARTLY, UNEQUAL, MISSING, SPURIOUS = "=", "≈", "≠", "-", "+"

LEGEND = "= matched  ≈ in part  ≠ paired, earns nothing  - missing  + spurious"


class Branch(NamedTuple):
    """Something of gold with its partner, or one of them alone."""

    mark: str
    """``=`` matched, ``≈`` matched in part, ``≠`` paired and worth nothing, ``-``
    gold alone, ``+`` the system alone."""
    object: str
    """Type of object: node, edge, mention."""
    gold: str | None
    """Gold's in a few words; ``None`` where there is none."""
    system: str | None
    credit: float | None
    """Credit; ``None`` where the parts have it."""
    tuple_type: str = ""
    """The tuple type that it counts in; empty where that is the same for a whole
    tree."""
    reason: str = ""
    """Why it is wrong."""
    parts: tuple[Branch, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, all that is inside included."""
        return self._asdict() | {"parts": [part.to_dict() for part in self.parts]}

    def line(self) -> str:
        """It in a line, without what is inside of it."""
        gold, system = self.gold, self.system
        if gold is None or system is None or gold == system:
            text = (system if gold is None else gold) or self.object
        else:
            text = f"{gold} | {system}"
        prefix = f"{self.tuple_type}: " if self.tuple_type else ""
        return one_line(f"{self.mark} {prefix}{text}")

    def credited(self) -> str:
        """Return the credit as printed behind its line."""
        if self.credit is None or (self.mark in "-+" and not self.credit):
            return ""
        return f"{self.credit:.6g}"


class Tree(NamedTuple):
    """The pieces of a tuple type, or of all tuple types together."""

    tuple_type: str
    """Empty where branches say their own."""
    formula: str
    """The formula of the kind, if it is one."""
    said: str
    """Derivation of the score of the tuple type from the matches; may be empty.
    """
    branches: tuple[Branch, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "tuple_type": self.tuple_type,
            "formula": self.formula or None,
            "parts": [branch.to_dict() for branch in self.branches],
        }

    def lines(self) -> Iterator[str]:
        """The tree as text, no line of which is too long."""
        if self.formula:
            yield fitted(f"{self.tuple_type} = {self.formula}")
        if self.said:
            yield fitted(f"  {self.said}")
        rows = list(_lines(self.branches, 1))
        yield from rows[:LONGEST]
        if len(rows) > LONGEST:
            yield f"  … {len(rows) - LONGEST} more lines, which JSON and CSV have"

    def flat(self) -> Iterator[tuple[str, int, Branch]]:
        """Every branch with its tuple type and how deep it stands."""
        yield from _flat(self.branches, self.tuple_type, 0)


def _lines(branches: Iterable[Branch], depth: int) -> Iterator[str]:
    for branch in branches:
        credit = branch.credited()
        room = WIDTH - (len(credit) + 3 if credit else 0)
        line = fitted(f"{'  ' * depth}{branch.line()}", room)
        yield f"{line}   {credit}" if credit else line
        yield from _lines(branch.parts, depth + 1)


def _flat(
    branches: Iterable[Branch], tuple_type: str, level: int
) -> Iterator[tuple[str, int, Branch]]:
    for branch in branches:
        yield branch.tuple_type or tuple_type, level, branch
        yield from _flat(branch.parts, branch.tuple_type or tuple_type, level + 1)


def fitted(line: str, width: int = WIDTH) -> str:
    """A line cut where it would be too wide, but not to nothing.

    >>> fitted("one thing and another, and so on", 24)
    'one thing and another, …'
    """
    return one_line(line, max(width, 24))


class Side:
    """One side of an item, for saying what stands where.

    Args:
        graph: its graph.
    """

    def __init__(self, graph: Graph) -> None:
        self.view = View(graph)
        self._counts = {"node": len(graph.nodes), "edge": len(graph.edges)}

    def said(self, thing: str, ordinal: int | None) -> str | None:
        """An object in a few words.

        Args:
            thing: ``node``, ``edge``, or what a metric makes of them.
            ordinal: its number.

        Returns:
            ``None`` where there is no object; of what is neither node nor edge its
            number.
        """
        if ordinal is None:
            return None
        if not 0 <= ordinal < self._counts.get(thing, 0):
            return f"{thing} {ordinal}"
        return describe(self.view, thing, ordinal) or f"{thing} {ordinal}"
