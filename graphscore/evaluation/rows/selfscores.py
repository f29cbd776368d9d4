"""Graphs against themselves: whatever does not reach 1 there reaches it nowhere.

A metric may leave out or be unable to find again what an annotation has: a polar
expression that begins inside a word, a span that is there twice.  Such an item costs
every system the same points, however good it is.

>>> from graphscore.model.graph import Anchor, Graph, Node
>>> opinion = Node("o1", "Positive", (("kind", "opinion"),), (Anchor(2, 9),))
>>> graph = Graph("h1", "sentiment", text="unhelpful staff", nodes=(opinion,))
>>> scores = SelfScores()
>>> for shortfall in (*scores.take(graph, 1), *scores.rest()):
...     print(shortfall.message)  # doctest: +NORMALIZE_WHITESPACE
against itself 0 of 1 tuples by sentiment, expected all; not found: tuples Positive
'helpful', which begins inside 'unhelpful'
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.duplicates import LISTED, shown
from graphscore.evaluation.default_metrics import TEMPLATE, DetectedContent, choices
from graphscore.evaluation.tasks import Task, Timed, run_task
from graphscore.exceptions import GraphscoreError, amount
from graphscore.metrics.base import (
    Metric,
    main_score,
    unit_of,
)
from graphscore.model.document import united
from graphscore.model.graph import Anchor, Graph, Node, NodeId
from graphscore.model.outcome import (
    Count,
    Error,
    MeanCount,
    RawCounts,
    Scores,
    add_raw_counts,
)

NAMED = 3
"""Errors of an item that are named before the rest is only counted."""

NEARLY = 1 - 1e-9
"""From what F1 on it is 1, and only rounded."""


class Shortfall(NamedTuple):
    """An item that the default metric does not give 1 against itself."""

    graph: Graph
    """The item; the first one of a document that is compared as a whole."""
    line: int | None
    message: str
    node: NodeId | None = None
    """The id of the first one that is not found again, if one is known."""


class Placed(NamedTuple):
    """A graph and its first line."""

    graph: Graph
    line: int | None


class SelfScores:
    """The graphs of a file, each scored against itself with its default metrics.

    Args:
        most: how many shortfalls have their errors named; of all without it.
    """

    def __init__(self, most: int | None = LISTED) -> None:
        self._left = math.inf if most is None else most
        self._metrics: dict[str, list[Metric]] = {}
        self._open: dict[tuple[str, str, str], list[Placed]] = {}
        self._templates: list[Placed] = []
        self._sums: dict[Metric, RawCounts] = {}
        self._firsts: dict[Metric, list[Placed]] = {}
        """The first two units of each metric that reach 1, as far as they go."""

    def take(self, graph: Graph, line: int | None) -> Iterator[Shortfall]:
        """Take the next graph of the file.

        Args:
            graph: the graph.
            line: its first line.

        Yields:
            Shortfalls of it, or of the document that ended before it.
        """
        placed = Placed(graph, line)
        if graph.framework == TEMPLATE:
            # All of them decide what scores them.
            self._templates.append(placed)
            return
        metrics = self._metrics.get(graph.framework)
        if metrics is None:
            metrics = self._metrics[graph.framework] = _default_metrics([placed])
        yield from self._score_unit(metrics, [placed], "item")
        if not any(unit_of(metric) == "document" for metric in metrics):
            return
        document = self._open.setdefault(
            (graph.framework, graph.language, graph.layer), []
        )
        if document and document[-1].graph.document != graph.document:
            yield from self._score_unit(metrics, document, "document")
            document.clear()
        document.append(placed)

    def rest(self) -> Iterator[Shortfall]:
        """End the file.

        Yields:
            Shortfalls of documents that have not ended before, of templates, and of
            the file where means have tuple types that nothing in it counts for.
        """
        for (framework, *_), document in self._open.items():
            yield from self._score_unit(self._metrics[framework], document, "document")
        if self._templates:
            metrics = _default_metrics(self._templates)
            for placed in self._templates:
                for unit in ("item", "document"):
                    yield from self._score_unit(metrics, [placed], unit)
        for metric, raw_counts in self._sums.items():
            if lacking := _lacking_types(metric, raw_counts):
                first = self._firsts[metric]
                graph, line = first[0]
                if len(first) > 1:
                    graph, line = Graph("", graph.framework), None
                yield Shortfall(graph, line, lacking)

    def _score_unit(
        self, metrics: Sequence[Metric], unit: Sequence[Placed], tuple_type: str
    ) -> Iterator[Shortfall]:
        """Score a unit with those metrics that compare units of a tuple type."""
        graphs = tuple(placed.graph for placed in unit)
        for metric in metrics:
            if unit_of(metric) != tuple_type or not any(
                graph.nodes for graph in graphs
            ):
                continue
            task = Task((metric,), ((graphs, graphs),), Budget(), False)
            try:
                [timed] = run_task(task)
            except GraphscoreError as error:
                message = f"{metric}, the default metric, cannot score it: {error}"
                yield Shortfall(*unit[0], message)
                continue
            raw_counts = timed.outcome.raw_counts
            if not timed.outcome.proven:
                # Of a search that had to end nothing is known, unless it found all.
                if _describe_shortfall(metric, raw_counts):
                    yield Shortfall(*unit[0], _unproven(metric, timed))
                continue
            if _describe_shortfall(metric, raw_counts):
                if self._left > 0:
                    [timed] = run_task(task._replace(details=True, parts=True))
                yield from self._shortfalls_of(metric, unit, timed)
                continue
            add_raw_counts(self._sums.setdefault(metric, {}), raw_counts)
            firsts = self._firsts.setdefault(metric, [])
            if len(firsts) < 2 and raw_counts:
                firsts.append(unit[0])

    def _shortfalls_of(
        self, metric: Metric, unit: Sequence[Placed], timed: Timed
    ) -> Iterator[Shortfall]:
        """The shortfalls of a unit, one for every graph where those are known."""
        outcome, shares = timed.outcome, timed.parts
        errors: Sequence[Error]
        if len(unit) > 1 and shares.raw_counts:
            whole = united([placed.graph for placed in unit])
            for number, (placed, raw_counts) in enumerate(
                zip(unit, shares.raw_counts, strict=True)
            ):
                if short := _describe_shortfall(metric, raw_counts):
                    errors = [
                        error
                        for index, error in zip(
                            shares.indexes, outcome.errors, strict=False
                        )
                        if index == number
                    ]
                    yield self._shortfall(metric, placed, whole, short, errors)
            return
        whole = unit[0].graph if len(unit) == 1 else united([p.graph for p in unit])
        short = _describe_shortfall(metric, outcome.raw_counts)
        yield self._shortfall(metric, unit[0], whole, short, outcome.errors)

    def _shortfall(
        self,
        metric: Metric,
        placed: Placed,
        whole: Graph,
        short: str,
        errors: Sequence[Error],
    ) -> Shortfall:
        self._left -= 1
        message = f"against itself {short}"
        lost = [error for error in errors if error.error_type != "spurious"] or [
            *errors
        ]
        described = dict.fromkeys(_describe_error(error, whole) for error in lost)
        if described:
            message += f"; not found: {'; '.join([*described][:NAMED])}"
            if len(described) > NAMED:
                message += f"; and {len(described) - NAMED:,} more"
        nodes = [node.id for error in lost if (node := _node(error, whole)) is not None]
        return Shortfall(
            placed.graph, placed.line, message, nodes[0] if nodes else None
        )


def _default_metrics(graphs: Sequence[Placed]) -> list[Metric]:
    """The metrics that score graphs of one framework where none is named."""
    detected_content = DetectedContent()
    for placed in graphs:
        detected_content.gold.take(placed.graph)
    return [choice.metric for choice in choices(detected_content)]


def _describe_shortfall(metric: Metric, raw_counts: RawCounts) -> str:
    """Describe the tuples that do not match themselves; empty if all do."""
    scores: Scores = metric.scores(raw_counts)
    if metric.leading:
        value, best = main_score(metric, scores), 0.0 if metric.less_is_better else 1.0
        if math.isnan(value) or math.isclose(value, best, abs_tol=1e-9):
            return ""
        return f"{metric.leading} {value:.4g} by {metric}, expected {best:g}"
    tuple_types = {metric.main: scores.counts[metric.main], **scores.counts}
    for tuple_type, count in tuple_types.items():
        # A mean that tuple types without anything are part of is told of a file.
        if isinstance(count, MeanCount):
            continue
        if (count.gold or count.system) and _ratio(count) < NEARLY:
            return (
                f"{min(count.matched, count.correct_system):,.6g} of "
                f"{max(count.gold, count.system):,.6g} {tuple_type} by {metric}, "
                f"expected all"
            )
    return ""


def _unproven(metric: Metric, timed: Timed) -> str:
    """Return the message about a unit whose search ended before all was matched."""
    return (
        f"against itself not known: the search of {metric} ended after "
        f"{timed.outcome.steps:,} steps without a proof, with "
        f"{_describe_shortfall(metric, timed.outcome.raw_counts)}"
    )


def _lacking_types(metric: Metric, raw_counts: RawCounts) -> str:
    """Name the tuple types without counts that keep a mean below 1."""
    counts = metric.scores(raw_counts).counts
    main = counts[metric.main]
    if not isinstance(main, MeanCount) or not main.gold or _ratio(main) >= NEARLY:
        return ""
    empty = [
        tuple_type
        for tuple_type, count in counts.items()
        if not (count.gold or count.system)
    ]
    return (
        f"against itself F1 {main.f1:.4g} by {metric}, expected 1: it is a mean, and "
        f"nothing counts for {', '.join(empty)}"
    )


def _ratio(count: Count) -> float:
    """The lower one of recall and precision, where there is anything."""
    return min(
        count.recall if count.gold else 0.0, count.precision if count.system else 0.0
    )


def _node(error: Error, whole: Graph) -> Node | None:
    """The node of the graph that an error is about, if it is one of its nodes."""
    index = error.gold if error.error_type != "spurious" else error.system
    if error.object != "node" or index is None or index >= len(whole.nodes):
        return None
    return whole.nodes[index]


def _describe_error(error: Error, whole: Graph) -> str:
    """An error of a self comparison, with what is known of the place where it is."""
    label = error.name or error.label or ""
    value = error.compared if error.value is None else error.value
    parts = [error.tuple_type, str(label) if label != error.tuple_type else ""]
    parts.append(shown(value) if value is not None else "")
    text = " ".join(part for part in parts if part)
    node = _node(error, whole)
    known = "" if node is None else _describe_oddity(node, whole)
    return f"{text}, which {known}" if known else f"{text} ({error.reason})"


def _describe_oddity(node: Node, graph: Graph) -> str:
    """Describe an oddity of a node: part of a token, or a span that occurs twice."""
    tokens = graph.tokens or _words(graph.text)
    starts = [start for start, _ in tokens]
    for start, end in node.anchors:
        for offset, what in ((start, "begins"), (end, "ends")):
            number = bisect_right(starts, offset) - 1
            if number >= 0 and tokens[number][0] < offset < tokens[number][1]:
                token = graph.text[tokens[number][0] : tokens[number][1]]
                return f"{what} inside {shown(token)}"
    alike = Counter(
        (member.label, member.properties, member.anchors) for member in graph.nodes
    )
    times = alike[node.label, node.properties, node.anchors]
    return f"is there {amount(times, 'time')}" if times > 1 else ""


def _words(text: str) -> list[Anchor]:
    """The ranges of what stands between white space."""
    anchors: list[Anchor] = []
    offset = 0
    for word in text.split():
        start = text.index(word, offset)
        offset = start + len(word)
        anchors.append(Anchor(start, offset))
    return anchors
