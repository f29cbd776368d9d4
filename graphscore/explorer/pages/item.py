"""An item in all its frameworks: picture, errors, the item before and the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from graphscore.drawing.choice import draw
from graphscore.drawing.styles import Standing
from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError, StoreError, amount
from graphscore.explorer.pages.errors import item_address, trail
from graphscore.explorer.pages.evaluation import title_of
from graphscore.explorer.pages.items import NARROWED, ORDERS, of_line
from graphscore.explorer.queries import conditions, query
from graphscore.explorer.reader import NotFoundError, Reader, metric_of, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.scores import ItemLine, lines_of
from graphscore.explorer.sentences import sentences_of
from graphscore.explorer.urls import Parameters, address
from graphscore.metrics.base import (
    Metric,
    main_score,
)
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome
from graphscore.report.item_view.comparison_styles import sides_of
from graphscore.report.item_view.lookup import Found, find
from graphscore.report.item_view.sentences import compared
from graphscore.report.page.errors import ErrorTable, error_table
from graphscore.report.page.pictures import FOLDED, legend_of
from graphscore.report.side_by_side import ABSENT, Comparison
from graphscore.report.table import Ratio, cell
from graphscore.store.evaluations import Evaluation
from graphscore.store.read.load import load_graphs
from graphscore.store.read.outcomes import load_outcomes

DRAWN = 600
"""Nodes of both sides that are drawn; a document of many sentences may have more."""

FOLDS = ("auto", "no", "yes")
"""Ways to leave matches out of pictures: of large ones, of none, of all."""


class Shown(NamedTuple):
    """A unit of an item, as a page has it."""

    where: str
    said: str
    picture: str
    size: int | None
    """Nodes of both sides, where there are too many for a picture."""
    errors: ErrorTable
    rest: str


class Pair(NamedTuple):
    """A unit of an item, as the store has it."""

    framework: str
    language: str
    document: str
    item: str
    layer: str
    status: str
    gold: int | None
    system: int | None
    result: int | None


def page(reader: Reader, path: Mapping[str, str], parameters: Parameters) -> Page:
    """One item."""
    result = reader.evaluation(path["name"])
    item = parameters.text("id")
    if item is None:
        raise NotFoundError("expected the id of an item, as in ?id=wsj-0001")
    texts, order = parameters.texts(NARROWED), parameters.one_of("order", ORDERS)
    within = parameters.text("in")
    known = {name: texts[name] for name in ("framework", "language", "layer")}
    where = conditions({"item": item, **known}, "p.")
    sql = query("pairs", evaluation=result.id, where=where)
    pairs = [Pair._make(row) for row in reader.told(sql).rows]
    pairs.sort(key=lambda pair: (pair.framework, pair.layer, pair.language))
    sentences = sentences_of(reader, result)
    sentence = sentences.found(item, known) if sentences else []
    if not pairs and not sentence:
        raise NotFoundError(f"no item {item!r} in {title_of(result)}")
    fold = parameters.one_of("fold", FOLDS)
    text, units, standings = reader.kept(
        ("item", result.id, item, tuple(known.values()), tuple(pairs), fold),
        lambda: (
            _sentence(sentence, fold)
            if sentence
            else _shown(reader, result, pairs, fold)
        ),
    )
    listed = {**texts, "language": within, "order": order if order != "mean" else None}
    known_query = {**texts, "in": within, "order": listed["order"]}
    _, lines = lines_of(reader, result, listed, order)
    before, after, index = _around(lines, item, texts["language"])
    return Page(
        "item",
        item,
        {
            "before": of_line(result, before, listed) if before else "",
            "after": of_line(result, after, listed) if after else "",
            "said": f"{index + 1:,} of {len(lines):,}" if index is not None else "",
            "text": text,
            "legend": legend_of(standings),
            "units": units,
            "folds": [
                (name, item_address(result, item, **known_query, fold=value))
                for value, name in (("no", "draw everything"), ("yes", "errors only"))
                if value != fold
            ],
            "sentences": ""
            if sentence or not sentences
            else address("evaluation", name_of(result), "items", document=item),
            "others": _others(reader, result, item, known),
            "trail": [
                *trail(result),
                ("Items", address("evaluation", name_of(result), "items", **listed)),
            ],
        },
    )


def _around(
    lines: list[ItemLine], item: str, language: str | None
) -> tuple[ItemLine | None, ItemLine | None, int | None]:
    """The item before and the one behind, and its own place in a list."""
    for index, line in enumerate(lines):
        if line.item == item and language in (None, line.language):
            before = lines[index - 1] if index else None
            after = lines[index + 1] if index + 1 < len(lines) else None
            return before, after, index
    return None, None, None


def _others(
    reader: Reader, made: Evaluation, item: str, known: Mapping[str, str | None]
) -> list[tuple[str, str]]:
    """The same item of other systems."""
    result = []
    for evaluation in reader.evaluations():
        if evaluation.task == made.task and evaluation.id != made.id:
            left, right = name_of(made), name_of(evaluation)
            result.append((evaluation.system, item_address(evaluation, item, **known)))
            path = address("compare", baseline=left, system=right, item=item, **known)
            result.append((f"{evaluation.system}: what is fixed and broken", path))
    return result[:40]


def _shown(
    reader: Reader, made: Evaluation, pairs: list[Pair], fold: str
) -> tuple[str, list[Shown], set[Standing]]:
    """The text, the units and what standings their pictures have."""
    ids = [
        graph_id for pair in pairs for graph_id in (pair.gold, pair.system) if graph_id
    ]
    results = [pair.result for pair in pairs if pair.result]
    with reader.connected() as connection:
        graphs = load_graphs(connection, ids)
        outcomes = load_outcomes(connection, results)
    metric = metric_of(made)
    text, units, standings = "", [], set[Standing]()
    for pair in pairs:
        gold, system = graphs.get(pair.gold or 0), graphs.get(pair.system or 0)
        outcome = outcomes.get(pair.result or 0)
        text = text or next((g.text for g in (gold, system) if g and g.text), "")
        comparison = _compared(reader, made, pair, (gold, system), outcome)
        picture, size, present = _picture(comparison, fold)
        standings |= present
        units.append(
            Shown(
                " ".join(filter(None, (pair.framework, pair.layer))),
                _said(metric, pair, outcome),
                picture,
                size,
                _errors(comparison, outcome, (gold, system)),
                _rest(made, pair),
            )
        )
    return text, units, standings


def _sentence(
    sentence: Sequence[Found], fold: str
) -> tuple[str, list[Shown], set[Standing]]:
    """The text, the units and what standings their pictures have."""
    units, standings = [], set[Standing]()
    for unit in sentence:
        gold = unit.gold.graph
        comparison = compared(unit, Options().budget)
        picture, size, present = _picture(comparison, fold)
        standings |= present
        named = gold.framework, gold.language, gold.document, gold.id, gold.layer
        status = "paired" if unit.system else "missing"
        pair = Pair(*named, status, None, None, None)
        units.append(
            Shown(
                " ".join(filter(None, (gold.framework, gold.layer))),
                _said(unit.metric, pair, unit.outcome),
                picture,
                size,
                _errors(comparison, unit.outcome, (gold, None)),
                "",
            )
        )
    return sentence[0].gold.graph.text, units, standings


def _errors(
    unit: Comparison | None,
    outcome: Outcome | None,
    graphs: tuple[Graph | None, Graph | None],
) -> ErrorTable:
    """The errors as a table; of a document in all of its graphs."""
    if unit is not None:
        return error_table(unit.outcome.errors, unit.gold, unit.system)
    return error_table(outcome.errors if outcome else (), *graphs)


def _rest(made: Evaluation, pair: Pair) -> str:
    known = {
        name: getattr(pair, name) or None
        for name in ("item", "framework", "language", "layer")
    }
    return address("evaluation", name_of(made), "errors", "single", **known)


def _said(metric: Metric | None, pair: Pair, outcome: Outcome | None) -> str:
    """Describe the counts in a sentence."""
    parts = []
    if outcome is not None and metric is not None:
        scores = metric.scores(outcome.raw_counts)
        count = scores.counts.get(metric.main)
        value = main_score(metric, scores)
        parts.append(f"{metric.leading or 'F1'} {cell(Ratio(value))}")
        if count is not None:
            parts.append(f"gold {count.gold:g}, system {count.system:g}")
            parts.append(f"matched {count.matched:g}")
    if outcome is not None:
        parts.append(amount(len(outcome.errors), "error"))
        parts.append("proven" if outcome.proven else "unproven")
    if pair.status != "paired":
        parts.append(ABSENT if pair.status == "missing" else pair.status)
    return ", ".join(parts)


def _compared(
    reader: Reader,
    made: Evaluation,
    pair: Pair,
    graphs: tuple[Graph | None, Graph | None],
    outcome: Outcome | None,
) -> Comparison | None:
    """Both sides with what was found; nothing where graphs are gone."""
    gold, system = graphs
    metric = metric_of(made)
    if outcome is None or gold is None:
        return _of_document(reader, made, pair, metric)
    _refuse_strange(reader, pair, graphs, outcome)
    # Of the metric pictures need nothing but what it found.
    return Comparison(gold, system, cast(Metric, metric), outcome)


def _refuse_strange(
    reader: Reader,
    pair: Pair,
    graphs: tuple[Graph | None, Graph | None],
    outcome: Outcome,
) -> None:
    """Raise if objects correspond that the graphs do not have."""
    for match in outcome.matches:
        for graph, ordinal in zip(graphs, (match.gold, match.system), strict=True):
            parts = {
                "node": graph.nodes if graph else (),
                "edge": graph.edges if graph else (),
            }.get(match.object)
            if ordinal is not None and parts is not None and ordinal >= len(parts):
                raise StoreError(
                    f"{reader.name}: is damaged: table correspondence, row "
                    f"{pair.result}: found {match.object} {ordinal}, expected one of "
                    f"{len(parts)}; score again"
                )


def _picture(
    unit: Comparison | None, fold: str
) -> tuple[str, int | None, set[Standing]]:
    """Both sides as a picture, or their size, and the standings in it."""
    if unit is None:
        return "", None, set()
    size = len(unit.gold.nodes) + len(unit.system.nodes)
    if size > DRAWN:
        return "", size, set()
    folded = size > FOLDED if fold == "auto" else fold == "yes"
    drawn = draw(sides_of(unit), folded)
    return drawn.figure(), None, {*drawn.standings}


def _of_document(
    reader: Reader, made: Evaluation, pair: Pair, metric: Metric | None
) -> Comparison | None:
    """A document of several graphs, which pairing puts together."""
    from graphscore.report.item_view.stored import sides_of as sides_in

    if metric is None:
        return None
    options = Options(details=True)
    try:
        with Store(reader.url) as store:
            sides = sides_in(store, made.gold, made.system, pair.item, options)
        known = pair.framework, pair.layer or None
        [result, *_] = find(*sides, pair.item, [metric], options, *known)
        return compared(result, options.budget)
    except GraphscoreError:
        return None
