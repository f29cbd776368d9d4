"""Copying chosen collections of a store, with the evaluations among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from graphscore.errors import Problems, UsageError
from graphscore.rows import Rows, Tabular
from graphscore.store import schema
from graphscore.store.database import Database
from graphscore.store.evaluations import Evaluation, find_evaluations
from graphscore.store.failures import guarded
from graphscore.store.maintenance import collections
from graphscore.store.transfer.carrying import Numbers, Source
from graphscore.store.transfer.collections import (
    CopiedCollection,
    Copy,
    Wish,
    clashes,
    refuse,
)
from graphscore.store.transfer.evaluations import (
    CopiedEvaluation,
    Sides,
    copy_evaluation,
    differs,
)
from graphscore.store.writing.ingestion import check_name
from graphscore.store.writing.rows import find_collection

Progress = Callable[[int, int], None]
"""Takes how many of how many graphs and results are done."""


COLUMNS = ("collection", "system", "metric", "graphs", "results", "errors", "state")
"""Of what was copied: a collection, or the gold of an evaluation, and what of it."""


def _fate(each: CopiedCollection) -> str:
    if not each.files:
        return "unchanged"
    return "replaced" if each.replaced else "new"


@dataclass(frozen=True)
class Copied(Rows):
    """What became of what was copied.

    Attributes:
        collections: in the order in which they were made.
        evaluations: those among them, oldest first.
    """

    collections: tuple[CopiedCollection, ...]
    evaluations: tuple[CopiedEvaluation, ...]

    def tabular(self) -> Tabular:
        """A row per collection, then a row per evaluation."""
        return Tabular(
            COLUMNS,
            [
                *(
                    (each.name, None, None, each.graphs, None, None, _fate(each))
                    for each in self.collections
                ),
                *(
                    (
                        *(each.gold, each.system, each.metric, None),
                        *(each.results, each.errors, each.fate),
                    )
                    for each in self.evaluations
                ),
            ],
        )

    def flat(self) -> dict[str, float]:
        """How many graphs, results and errors were copied."""
        return {
            "graphs": float(sum(each.graphs for each in self.collections)),
            "results": float(sum(each.results for each in self.evaluations)),
            "errors": float(sum(each.errors for each in self.evaluations)),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "collections": [each._asdict() for each in self.collections],
            "evaluations": [each._asdict() for each in self.evaluations],
        }


def copy(
    source: Database,
    target: Database,
    chosen: Sequence[str] = (),
    *,
    evaluations: bool = True,
    rename: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Copied:
    """Copy collections into another store, and the evaluations among them.

    What is in the way is looked for before anything is written.  Then each collection
    is one transaction and so is each evaluation with its results: whoever is killed
    goes on by copying again, as what is there already is not copied twice.

    Args:
        source: the store that is copied.
        target: the store where it goes, open for writing.
        chosen: names of collections; all where none is named.
        evaluations: whether evaluations between these go along.
        rename: what the only collection shall be called there.
        replace: whether items and evaluations that are there already are replaced.
        progress: is told how far it is.

    Returns:
        What became of each.

    Raises:
        UsageError: no such collection, or a new name for several.
        InputError: items or evaluations are there already, or there is something that
            the other database cannot hold.
    """
    if source.engine is target.engine:
        raise UsageError(f"{source.name}: a store is copied into another one")
    with source.reading() as connection:
        of = Source(source.name, connection)
        wishes = _wishes(of, chosen, rename, replace)
        made = _among(of, wishes) if evaluations else []
        names = {each.collection: each.name for each in wishes}
        _check(of, target, wishes, made, names)
        step = _counter(of, wishes, made, progress)
        done: list[CopiedCollection] = []
        graphs: dict[str, Numbers] = {}
        for each in wishes:
            with target.writing() as writer:
                what, graphs[each.collection] = Copy(of, writer, each, step).run()
            done.append(what)
        evaluated = []
        for one in made:
            sides = Sides(
                *(names[one.gold], names[one.system]),
                *(graphs[one.gold], graphs[one.system]),
            )
            with target.writing() as writer:
                evaluated.append(copy_evaluation(of, writer, one, sides, replace, step))
    return Copied(tuple(done), tuple(evaluated))


def refuse_unknown(source: Database, chosen: Sequence[str], rename: str | None) -> None:
    """Refuse to copy what is not there, before a store is made for it.

    Args:
        source: the store that is copied.
        chosen: names of collections.
        rename: what the only one shall be called.

    Raises:
        UsageError: no such collection, or a new name for several.
    """
    with source.reading() as connection:
        _wishes(Source(source.name, connection), chosen, rename, False)


def _wishes(
    source: Source, chosen: Sequence[str], rename: str | None, replace: bool
) -> list[Wish]:
    with guarded(source.name):
        names = [each.name for each in collections(source.connection)]
        for name in chosen:
            find_collection(source.connection, name)
    # In the order in which they were made.
    names = [name for name in names if not chosen or name in chosen]
    if rename is not None:
        check_name(rename)
        if len(names) != 1:
            raise UsageError(
                f"a new name is for one collection, {len(names)} are to be copied; "
                "choose one with --collection (chosen=)"
            )
        return [Wish(names[0], rename, replace)]
    return [Wish(name, name, replace) for name in names]


def _among(source: Source, wishes: Sequence[Wish]) -> list[Evaluation]:
    names = {each.collection for each in wishes}
    with guarded(source.name):
        found = find_evaluations(source.connection)
    return [each for each in found if {each.gold, each.system} <= names]


def _check(
    source: Source,
    target: Database,
    wishes: Sequence[Wish],
    made: Sequence[Evaluation],
    names: dict[str, str],
) -> None:
    """Look for what is in the way."""
    problems, changed = Problems(), set()
    with target.reading() as reader:
        for wish in wishes:
            changes, found = clashes(source, reader, wish)
            problems.extend(found)
            if changes:
                changed.add(wish.collection)
        for one in made:
            # What is of collections that change will be stale, and makes place.
            if wishes[0].replace or changed & {one.gold, one.system}:
                continue
            sides = names[one.gold], names[one.system]
            problem = differs(source, reader, one, sides, target.name)
            if problem is not None:
                problems.add(problem)
    refuse(problems, source)


def _counter(
    source: Source,
    wishes: Sequence[Wish],
    made: Sequence[Evaluation],
    progress: Progress | None,
) -> Callable[[int], None]:
    if progress is None:
        return lambda _: None
    graph, pair, table = schema.graph, schema.pair, schema.collection
    names = [each.collection for each in wishes]
    with guarded(source.name):
        total = source.connection.execute(
            select(func.count(graph.c.id))
            .join_from(graph, table, table.c.id == graph.c.collection)
            .where(table.c.name.in_(names))
        ).scalar_one()
        ids = [each.id for each in made]
        results = (
            select(func.count(pair.c.result.distinct()))
            .where(pair.c.evaluation.in_(ids))
            .group_by(pair.c.evaluation)
        )
        total += sum(source.connection.execute(results).scalars())
    done = 0

    def step(more: int) -> None:
        nonlocal done
        done += more
        progress(done, total)

    return step
