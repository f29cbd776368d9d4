"""The items of evaluations as people read them, and what is said of each.

Of metrics that compare documents and have counts of their sentences, as those of
dependencies, the items are sentences: each is compared as if there were no other, once
for an evaluation, and then kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.sentences import goes_down
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError
from graphscore.explorer.queries import Sql, query
from graphscore.explorer.reader import Reader, metric_of
from graphscore.model.graph import Graph
from graphscore.report.item_view.lookup import Found
from graphscore.report.page.collecting import UnitKey, gathered_files, unit_key
from graphscore.report.page.summaries import ItemSummary, Part, summed
from graphscore.store.evaluations import Evaluation
from graphscore.store.read.load import load_graphs
from graphscore.store.read.outcomes import load_outcomes
from graphscore.store.read.queries import literal

MOST = 10_000
"""Sentences of gold from which on documents stay the items."""

GRAPHS = 2_000
"""Graphs of documents that are read for a page."""

ItemKey = tuple[str, str]
"""Language and id."""


class Sentences(NamedTuple):
    """The sentences of an evaluation."""

    result: Result
    """Its items are sentences."""
    units: Mapping[UnitKey, Found]
    """Both sides of each."""

    def found(self, item: str, known: Mapping[str, str | None]) -> list[Found]:
        """Return a sentence in every framework.

        Args:
            item: its id.
            known: ``framework``, ``language`` and ``layer``, as far as they are known.
        """
        return [
            self.units[unit_key(self.result.metric, each)]
            for each in self.result.items
            if each.item == item
            and all(getattr(each, name) == known[name] for name in known if known[name])
        ]

    def alone(self, item: str) -> Result:
        """Return the result with one sentence alone.

        Args:
            item: its id.
        """
        items = [
            item_result for item_result in self.result.items if item_result.item == item
        ]
        return replace(self.result, items=items)


def sentences_of(reader: Reader, made: Evaluation) -> Sentences | None:
    """Return the sentences of an evaluation, where they are its items.

    Args:
        reader: the store.
        made: the evaluation.

    Returns:
        Nothing where units are items themselves, sentences cannot be told apart or are
        too many.
    """
    metric = metric_of(made)
    if metric is None or not goes_down(metric):
        return None

    def compare() -> Sentences | None:
        frameworks = frozenset(
            framework
            for [framework] in reader.ask(query("frameworks", evaluation=made.id)).rows
        )
        selection = Selection(frameworks=frameworks)
        options = Options(per_item=True, details=True, parts=True)
        try:
            with Store(reader.url) as store:
                if len(store.names(made.gold)) > MOST:
                    return None
                gold, system = (
                    [*store.graphs(name, selection)]
                    for name in (made.gold, made.system)
                )
            scored = gathered_files(gold, [system], [metric], options)
        except GraphscoreError:
            return None
        [[result]], [[items]] = scored.results, scored.items
        if items is result.items:
            return None
        return Sentences(replace(result, items=[*items]), scored.load(0, ()))

    return reader.kept(("sentences", made.id), compare, "whole")


def summaries_of(
    reader: Reader, made: Evaluation, items: Sequence[ItemKey]
) -> dict[ItemKey, ItemSummary]:
    """Sum up items that a page lists.

    Args:
        reader: the store.
        made: the evaluation.
        items: their languages and ids.
    """
    sentences = sentences_of(reader, made)
    parts: dict[ItemKey, list[Part]] = {}
    if sentences is not None:
        asked_items = {*items}
        for each in sentences.result.items:
            key = each.language, each.item
            if key in asked_items:
                unit = sentences.units[unit_key(sentences.result.metric, each)]
                system = unit.system.graphs if unit.system else ()
                part = Part(0, each.errors, unit.gold.graphs, system)
                parts.setdefault(key, []).append(part)
        return {key: summed(known) for key, known in parts.items()}
    # No statement can hold the NUL character.
    known = [literal(item) for _, item in items if "\0" not in item]
    names = Sql(", ".join(known) or "null")
    rows = reader.told(query("listed_pairs", evaluation=made.id, items=names)).rows
    documents = _documents(reader, made, names)
    with reader.connected() as connection:
        graphs = load_graphs(connection, [id for row in rows for id in row[2:4] if id])
        outcomes = load_outcomes(connection, [row[4] for row in rows if row[4]])
    for language, item, gold, system, result in rows:
        sides = (
            (graphs[id],) if id in graphs else documents.get((name, item), ())
            for name, id in ((made.gold, gold), (made.system, system))
        )
        errors = outcomes[result].errors if result in outcomes else ()
        parts.setdefault((language, item), []).append(Part(0, errors, *sides))
    return {key: summed(known) for key, known in parts.items()}


def _documents(
    reader: Reader, made: Evaluation, items: Sql
) -> dict[tuple[str, str], list[Graph]]:
    """The graphs of documents, which are no graphs themselves, by collection."""
    sql = query("document_graphs", gold=made.gold, system=made.system, items=items)
    rows = reader.told(sql).rows
    documents: dict[tuple[str, str], list[Graph]] = {}
    if len(rows) <= GRAPHS:
        with reader.connected() as connection:
            graphs = load_graphs(connection, [row[0] for row in rows])
        for id, collection, document in rows:
            documents.setdefault((collection, document), []).append(graphs[id])
    return documents
