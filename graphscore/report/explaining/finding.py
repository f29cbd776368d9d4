"""One item among all that is scored, explained by every metric that is asked for."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graphscore.errors import GraphscoreError, PairingError, amount
from graphscore.evaluation.api import into_class
from graphscore.evaluation.files import score_files
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.tasks import Task, in_one_text
from graphscore.evaluation.units import Unit, Units
from graphscore.formats.source import shown
from graphscore.formats.streams import held_streams
from graphscore.inputs.alignment import sides
from graphscore.inputs.base import Ends
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import frameworks_of, parse, parse_all
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome
from graphscore.report.explaining.explanation import Explanation, Explanations
from graphscore.report.explaining.pieces import trees_of

Found = tuple[Metric, Unit, Unit | None, Outcome]


def explain(
    gold: Any,
    system: Any,
    item: str | int,
    metric: Any = None,
    *,
    framework: str | None = None,
    layer: str | None = None,
    ends: Ends = "inclusive",
    options: Options | None = None,
) -> Explanations:
    """How one item came to its score: what was paired, with which value, and the sums.

    Args:
        gold: what :func:`graphscore.score` takes: a file, graphs, objects.
        system: likewise.
        item: the id of an item, or of a document where the metric compares documents.
        metric: a metric, its string or a formula, or several; without, the default
            metrics of what is there.
        framework: only this one, where several have the item.
        layer: only this one, where several have the item.
        ends: of spans of tokens, whether they say their last token or the one after.
        options: pairing, reading, budget.

    Returns:
        An explanation for every metric and every framework that has the item.  An item
        is looked at alone: as if its document, or the collection, had nothing else.

    Raises:
        GraphscoreError: if there is no such item; near names are said.
        UsageError: if a metric is unknown.
        InputError: if gold cannot be used.

    Example:
        >>> from graphscore import Node
        >>> gold = Graph("1", "amr", 2, nodes=(Node(0, "dog"), Node(1, "bark-01")))
        >>> system = Graph("1", "amr", 2, nodes=(Node(0, "dog"), Node(1, "bark-02")))
        >>> [found] = explain([gold], [system], "1", "f1(match(nodes(), exact(label)))")
        >>> print(found)  # doctest: +NORMALIZE_WHITESPACE
        1 (amr), f1(match(nodes(), exact(label)))
        = matched  ≈ in part  ≠ paired, earns nothing  - missing  + surplus
        <BLANKLINE>
        all = F↔nodes[δ_label]
          = 0.5   precision 0.5000 (1 of 2)   recall 0.5000 (1 of 2)
          = dog   1
          - bark-01
          + bark-02
        <BLANKLINE>
        kind  gold  system  matched      P      R     F1
        ────────────────────────────────────────────────
        all      2       2        1  50.00  50.00  50.00
        all: P = 1 of 2 = 50.00, R = 1 of 2 = 50.00
        F1 = 2 P R / (P + R) = 50.00
    """
    options = into_class(options or Options(), metric, gold, system)
    metrics, _ = parse_all(metric)
    readings = options.reading, options.system_reading or options.reading
    gold, system, cls = sides(gold, system, ends, readings, frameworks_of(metrics))
    if metrics is None and cls is not None:
        metrics = [parse(cls)]
    return explained(gold, system, str(item), metrics, options, framework, layer)


def explained(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    item: str,
    metrics: Sequence[Metric] | None,
    options: Options,
    framework: str | None = None,
    layer: str | None = None,
) -> Explanations:
    """Explanations of an item of files or graphs; see :func:`explain`.

    Args:
        gold: a file, directory or glob, or graphs.
        system: likewise.
        item: the id of an item or of a document.
        metrics: what explains it; ``None`` for the default metrics.
        options: pairing, reading, budget.
        framework: only this one.
        layer: only this one.
    """
    layers = frozenset(filter(None, [layer]))
    every = replace(options.selection, layers=layers)
    with held_streams(True):
        found: list[Found] = []
        # Ids that are rewritten, and orders, need to be seen whole.
        by_id = options.ids is None and options.pair == "id"
        if by_id:
            alone = replace(every, items=frozenset({item}))
            given = replace(options, selection=alone)
            results, found, error = _among(gold, system, item, metrics, given)
        if not found:
            ids, documents = _names(gold, replace(options, selection=every))
            if item not in ids | documents.keys():
                raise _unknown(item, gold, ids | documents.keys())
            if by_id:
                # Of a document all that it has, and nothing else.
                parts = frozenset(documents.get(item, ()))
                every = replace(every, items=parts or frozenset({item}))
            given = replace(options, selection=every)
            results, found, error = _among(gold, system, item, metrics, given)
            if not found:
                named = ", ".join(map(str, metrics or ())) or "the default metrics"
                said = f"nothing of item {item!r} is scored by {named}"
                raise error or GraphscoreError(said)
    chosen = [each for each in found if framework in (None, each[1].framework)]
    if not chosen:
        there = sorted({unit.framework for _, unit, _, _ in found})
        raise GraphscoreError(
            f"item {item!r} is not in {framework}, but in: {', '.join(there)}"
        )
    because = {result.metric: result.because for result in results}
    return Explanations(
        _explained(each, item, because.get(each[0], ""), options) for each in chosen
    )


def _explained(found: Found, item: str, because: str, options: Options) -> Explanation:
    """An explanation, with both sides as the metric was given them."""
    metric, one, two, outcome = found
    pair = one.graphs, two.graphs if two else ()
    task = Task((metric,), (pair,), options.budget, True)
    [(gold, system)] = in_one_text(task)
    trees = trees_of(metric, gold, system, outcome, options.budget)
    return Explanation(gold, system, metric, outcome, trees, item, because)


def _names(
    gold: str | Sequence[Graph], options: Options
) -> tuple[set[str], dict[str, set[str]]]:
    """The ids of all gold graphs, and those of each document."""
    ids: set[str] = set()
    documents: dict[str, set[str]] = {}
    for unit in Units(gold, options.selection, options.reading, lambda _: True):
        ids.add(unit.item)
        if unit.document:
            documents.setdefault(unit.document, set()).add(unit.item)
    return ids, documents


def _among(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    item: str,
    metrics: Sequence[Metric] | None,
    options: Options,
) -> tuple[list[Result], list[Found], PairingError | None]:
    """What was scored of an item, and why nothing was if that is so."""
    found: list[Found] = []

    def keep(metric: Metric, one: Unit, two: Unit | None, outcome: Outcome) -> None:
        if item in (one.item, *(graph.id for graph in one.graphs)):
            found.append((metric, one, two, outcome))

    results: list[Result] = []
    error = None
    try:
        results = score_files(gold, system, metrics, options, each=keep)
    except PairingError as raised:
        # Perhaps the system lacks just this item, and all else is said of it.
        error = raised
    if results:
        # A metric may have been tried that turned out to be another's default.
        of = {(each.metric, name) for each in results for name in each.frameworks}
        found = [each for each in found if (each[0], each[1].framework) in of]
    return results, [each for each in found if each[1].item == item] or found, error


def _unknown(item: str, gold: object, names: set[str]) -> GraphscoreError:
    """What is said of an item that is not there."""
    near = difflib.get_close_matches(item, sorted(names), 3)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    if names and not near:
        first = ", ".join(map(repr, sorted(names)[:3]))
        hint = f"; there are {amount(len(names), 'name')}, such as {first}"
    where = shown(gold) if isinstance(gold, str) else "gold"
    return GraphscoreError(f"no item {item!r} in {where}{hint}")
