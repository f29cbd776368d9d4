"""Counting what systems make of phenomena, each by its pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from graphscore.errors import UsageError
from graphscore.find.clauses import Where
from graphscore.find.conditions import Writer
from graphscore.find.documents import made as having
from graphscore.find.documents import tables
from graphscore.find.pattern import SIDES, Side
from graphscore.find.phenomena.reading import Phenomena, Phenomenon
from graphscore.find.phenomena.verdict import of_side, tallied
from graphscore.find.scope import scope_of
from graphscore.find.search import Sample, Sides, evaluation_of, prepare
from graphscore.find.sql import compiled
from graphscore.store.evaluations import find_evaluations

TABLES = ("link", "fault", "arc_link", "arc_fault", "gold_of", "system_of")
"""What is told of the sentences of documents, which statements here ask."""


class Tally(NamedTuple):
    """What one system makes of one phenomenon.

    Args:
        system: the system.
        right: hits in gold that the system has without an error.
        wrong: hits whose parts it all has, something of them in error.
        missing: hits of which it lacks a part.
        system_right: hits in the system's graphs that are so in gold.
        system_wrong: hits whose parts are all in gold, something of them in error.
        surplus: hits of which a part is not in gold.

    Example:
        >>> tally = Tally("peking", 6, 1, 1, 6, 0, 2)
        >>> tally.gold_hits, tally.precision, tally.recall, tally.f1
        (8, 0.75, 0.75, 0.75)
    """

    system: str
    right: int = 0
    wrong: int = 0
    missing: int = 0
    system_right: int = 0
    system_wrong: int = 0
    surplus: int = 0

    @property
    def gold_hits(self) -> int:
        """Hits in gold."""
        return self.right + self.wrong + self.missing

    @property
    def system_hits(self) -> int:
        """Hits in the system's graphs."""
        return self.system_right + self.system_wrong + self.surplus

    @property
    def precision(self) -> float | None:
        """The share of the system's hits that are right; ``None`` of none."""
        return self.system_right / self.system_hits if self.system_hits else None

    @property
    def recall(self) -> float | None:
        """The share of gold's hits that are right; ``None`` of none."""
        return self.right / self.gold_hits if self.gold_hits else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; 0 if only one side has hits, ``None`` if none."""
        if not self.gold_hits and not self.system_hits:
            return None
        precision, recall = self.precision or 0.0, self.recall or 0.0
        both = precision + recall
        return 2 * precision * recall / both if both else 0.0

    def to_dict(self) -> dict[str, Any]:
        """What JSON says of it."""
        return {
            "system": self.system,
            "gold_hits": self.gold_hits,
            "right": self.right,
            "wrong": self.wrong,
            "missing": self.missing,
            "system_hits": self.system_hits,
            "system_right": self.system_right,
            "system_wrong": self.system_wrong,
            "surplus": self.surplus,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }


class Scored(NamedTuple):
    """A phenomenon, and what each system makes of it.

    Args:
        phenomenon: the phenomenon.
        systems: in the order in which they were named.
    """

    phenomenon: Phenomenon
    systems: tuple[Tally, ...]

    def to_dict(self) -> dict[str, Any]:
        """What JSON says of it."""
        given = self.phenomenon
        return {
            "name": given.name,
            "about": given.about,
            "source": given.source,
            "frameworks": [*given.frameworks],
            "pattern": str(given.pattern),
            "systems": [each.to_dict() for each in self.systems],
        }


@dataclass(frozen=True)
class ScoredPhenomena:
    """What systems make of the phenomena of a file.

    Attributes:
        file: its path, or its name.
        gold: the gold collection.
        metric: says what corresponds, and what is an error.
        systems: the systems.
        phenomena: each with its counts.
    """

    file: str
    gold: str
    metric: str
    systems: tuple[str, ...]
    phenomena: tuple[Scored, ...]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """A flat row for each phenomenon and system."""
        for each in self.phenomena:
            for tally in each.systems:
                yield {"phenomenon": each.phenomenon.name, **tally.to_dict()}

    def __len__(self) -> int:
        return sum(len(each.systems) for each in self.phenomena)

    def to_dict(self) -> dict[str, Any]:
        """What JSON says of it."""
        return {
            "file": self.file,
            "gold": self.gold,
            "metric": self.metric,
            "systems": [*self.systems],
            "phenomena": [each.to_dict() for each in self.phenomena],
        }


def score_phenomena(
    connection: Connection,
    phenomena: Phenomena,
    gold: str | None = None,
    systems: Sequence[str] = (),
    metric: str | None = None,
    framework: str | None = None,
) -> ScoredPhenomena:
    """Count what systems make of phenomena.

    Args:
        connection: the store; it is only read.
        phenomena: what is looked for.
        gold: the gold collection, or the only one that was scored against.
        systems: system collections; without, all that were scored against gold.
        metric: of the evaluations, or the only one.
        framework: only graphs of this one.

    Raises:
        UsageError: if it is not clear what is searched, or nothing of it can have any
            of the phenomena.
    """
    found = _evaluations(connection, gold, systems, metric, framework)
    _check_frameworks(connection, phenomena, [where for where, _ in found])
    prepare(connection)
    tallies = []
    for where, sides in found:
        assert sides.system is not None
        counter = _Counter(connection, where)
        with _sentences(connection, where):
            tallies.append(
                [counter.tally(sides.system, x) for x in phenomena.phenomena]
            )
    rows = zip(phenomena.phenomena, *tallies, strict=True)
    _, first = found[0]
    assert first.gold is not None
    assert first.metric is not None
    return ScoredPhenomena(
        phenomena.file,
        first.gold,
        first.metric,
        tuple(str(sides.system) for _, sides in found),
        tuple(Scored(each, tuple(counts)) for each, *counts in rows),
    )


def _evaluations(
    connection: Connection,
    gold: str | None,
    systems: Sequence[str],
    metric: str | None,
    framework: str | None,
) -> list[tuple[Where, Sides]]:
    """One for each system, all of one metric."""
    made = find_evaluations(connection, gold=gold, metric=metric)
    if gold is None:
        known = {each.gold for each in made if not systems or each.system in {*systems}}
        if len(known) == 1:
            [gold] = known
    if not systems and gold is not None:
        systems = [each.system for each in made if each.gold == gold]
    if not systems:
        # Says what is missing, or that gold is to be named.
        return [evaluation_of(connection, Sides(gold, None, metric), framework)]
    names = [*dict.fromkeys(systems)]
    if metric is None and len(names) > 1:
        per_system = [
            {x.metric for x in made if (x.gold, x.system) == (gold, each)}
            for each in names
        ]
        shared = sorted(set.intersection(*per_system))
        if len(shared) == 1:
            [metric] = shared
        elif gold is not None and not shared and all(per_system):
            raise UsageError(
                "the systems were scored by different metrics, and are not to be "
                "compared; score them by the same one, or name some with --system"
            )
    return [
        evaluation_of(connection, Sides(gold, each, metric), framework)
        for each in names
    ]


def _check_frameworks(
    connection: Connection, phenomena: Phenomena, searched: Sequence[Where]
) -> None:
    """Refuse a file that is about graphs of other frameworks altogether."""
    ids = ", ".join(str(each.evaluation) for each in searched)
    rows = connection.execute(
        text(f"select distinct framework from pair where evaluation in ({ids})")
    )
    there = {str(name) for [name] in rows}
    only = searched[0].framework
    if only is not None:
        there &= {only}
    asked = dict.fromkeys(x for each in phenomena.phenomena for x in each.frameworks)
    if there.isdisjoint(asked):
        raise UsageError(
            f"{phenomena.file}: its phenomena are of {', '.join(asked)}; expected "
            f"some of {', '.join(sorted(there)) or 'what is scored'}"
        )


@contextmanager
def _sentences(connection: Connection, where: Where) -> Iterator[None]:
    """Have the sentences of documents as tables, once for all statements of SQLite."""
    if where.documents is None or connection.dialect.name != "sqlite":
        yield
        return
    writer = Writer("sqlite")
    wanted = tables(where.documents, " ".join(TABLES), writer.parameter)
    with having(connection, wanted, writer.values):
        yield


class _Counter:
    """Counts in one evaluation."""

    def __init__(self, connection: Connection, where: Where) -> None:
        self._connection = connection
        self._where = where
        self._sample = Sample(connection, where)

    def tally(self, system: str, phenomenon: Phenomenon) -> Tally:
        """Count a phenomenon on both sides."""
        gold, other = (self._verdicts(phenomenon, side) for side in SIDES)
        return Tally(
            system,
            *(gold.get(name, 0) for name in ("right", "wrong", "lost")),
            *(other.get(name, 0) for name in ("right", "wrong", "lost")),
        )

    def _verdicts(self, phenomenon: Phenomenon, side: Side) -> dict[str, int]:
        only = self._where.framework
        frameworks = [x for x in phenomenon.frameworks if only in (None, x)]
        if not frameworks:
            return {}
        scope = scope_of(of_side(phenomenon.pattern, side))
        dialect = self._connection.dialect.name
        try:
            statement = compiled(scope, self._where, dialect, self._sample)
        except UsageError as error:
            raise UsageError(f"phenomenon {phenomenon.name!r}: {error}") from None
        names = ", ".join(map(statement.writer.parameter, frameworks))
        sql = tallied(scope, statement, side, names)
        writer = statement.writer
        if self._where.documents is not None and dialect != "sqlite":
            made = tables(self._where.documents, sql, writer.parameter)
            sql = f"with {', '.join(map(str, made))}\n{sql}"
        rows = self._connection.execute(text(sql), writer.values)
        return {str(verdict): int(hits) for verdict, hits in rows}
