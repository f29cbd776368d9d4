"""One item among all that is scored, explained by every metric that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphscore.evaluation.api import into_class
from graphscore.evaluation.options import Options
from graphscore.inputs.alignment import sides
from graphscore.inputs.base import Ends
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import frameworks_of, parse, parse_all
from graphscore.model.graph import Graph
from graphscore.report.explanation.explanation import Explanation, Explanations
from graphscore.report.explanation.pieces import trees_of
from graphscore.report.item_view.lookup import Found, find, id_at


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
    """Explain the score of one item: the pairs, their values, and the totals.

    Args:
        gold: what :func:`graphscore.score` takes: a file, graphs, objects.
        system: likewise.
        item: the id of an item, or of a document where the metric compares documents;
            or the ordinal of an item in gold, from 0.
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
        = matched  ≈ in part  ≠ paired, earns nothing  - missing  + spurious
        <BLANKLINE>
        all = F↔nodes[δ_label]
          = 0.5   precision 0.5000 (1 of 2)   recall 0.5000 (1 of 2)
          = dog   1
          - bark-01
          + bark-02
        <BLANKLINE>
        tuple_type  gold  system  matched      P      R     F1
        ──────────────────────────────────────────────────────
        all            2       2        1  50.00  50.00  50.00
        all: P = 1 of 2 = 50.00, R = 1 of 2 = 50.00
        F1 = 2 P R / (P + R) = 50.00
    """
    options = into_class(options or Options(), metric, gold, system)
    metrics, _ = parse_all(metric)
    readings = options.reading, options.system_reading or options.reading
    gold, system, cls = sides(gold, system, ends, readings, frameworks_of(metrics))
    if metrics is None and cls is not None:
        metrics = [parse(cls)]
    if isinstance(item, int):
        gold = gold if isinstance(gold, str) else list(gold)
        item = id_at(gold, item, options.reading)
    return explained(gold, system, item, metrics, options, framework, layer)


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
    result = find(gold, system, item, metrics, options, framework, layer)
    return Explanations(_explained(each, item, options) for each in result)


def _explained(found: Found, item: str, options: Options) -> Explanation:
    """An explanation, with both sides as the metric was given them."""
    gold, system = found.sides(options.budget)
    metric, outcome = found.metric, found.outcome
    trees = trees_of(metric, gold, system, outcome, options.budget)
    return Explanation(gold, system, metric, outcome, trees, item, found.because)
