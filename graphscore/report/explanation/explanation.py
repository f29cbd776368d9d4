"""An explanation as text, JSON, rows and in notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.metrics.base import (
    Metric,
    leads,
    main_score,
)
from graphscore.metrics.traits import (
    is_ratio,
)
from graphscore.model.document import whole
from graphscore.model.graph import Graph
from graphscore.model.outcome import Count, Outcome, Scores
from graphscore.report.explanation.trees import LEGEND, Tree, fitted
from graphscore.report.table import COUNTED, Column, Ratio, Table, one_line
from graphscore.report.tables import EMPTY
from graphscore.report.text import render
from graphscore.rows import brief, four_places

if TYPE_CHECKING:
    from graphscore.drawing.svg import Picture

COLUMNS = (
    *("framework", "layer", "item", "metric", "tuple_type", "level", "mark", "object"),
    *("gold", "system", "credit", "reason"),
)
"""Columns of the rows."""


class Explanation(NamedTuple):
    """Derivation of the score of one unit under one metric.

    Attributes:
        gold: the gold graphs of the unit.
        system: the system's; none where it has none.
        metric: the metric.
        outcome: what it found.
        trees: what was paired, and what was not: a tree a formula, else one.
        item: what was asked for.
        because: why the metric was chosen, where nobody named it.
    """

    gold: tuple[Graph, ...]
    system: tuple[Graph, ...]
    metric: Metric
    outcome: Outcome
    trees: tuple[Tree, ...]
    item: str
    because: str = ""

    def __repr__(self) -> str:
        value = four_places(self.value)
        return brief("Explanation", f"{self.metric}: {value} of item {self.item}")

    @property
    def scores(self) -> Scores:
        """The metric's scores of this unit alone."""
        return self.metric.scores(self.outcome.raw_counts)

    @property
    def value(self) -> float:
        """The one number that stands for the metric."""
        return main_score(self.metric, self.scores)

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        first, scores = self.gold[0], self.scores
        return {
            "framework": first.framework,
            "language": first.language,
            "item": self.item,
            "document": first.document,
            **({"layer": first.layer} if first.layer else {}),
            "graphs": len(self.gold),
            "text": first.text,
            "metric": str(self.metric),
            "missing": not self.system,
            "value": self.value,
            "score": self.outcome.score,
            "bound": self.outcome.bound,
            "proven": self.outcome.proven,
            "main": self.metric.main,
            "counts": {
                tuple_type: count.to_dict()
                for tuple_type, count in scores.counts.items()
            },
            "scores": dict(scores.numbers),
            "trees": [tree.to_dict() for tree in self.trees],
        }

    def flat(self) -> Iterator[tuple[Any, ...]]:
        """A row for everything in the trees; see ``COLUMNS``."""
        first = self.gold[0]
        head = first.framework, first.layer, self.item, str(self.metric)
        for tree in self.trees:
            for tuple_type, level, node in tree.flat():
                cells = node.mark, node.object, node.gold, node.system
                yield (*head, tuple_type, level, *cells, node.credit, node.reason)

    def picture(self, *, fold: bool = False) -> Picture:
        """Gold beside system as a picture, which shows itself in notebooks.

        Args:
            fold: whether what matched is left out, but for what stands beside errors.
        """
        from graphscore.drawing.choice import draw
        from graphscore.report.item_view.comparison_styles import sides_of
        from graphscore.report.side_by_side import Comparison

        gold, system = (
            graphs[0] if len(graphs) == 1 else whole(graphs, self.item)
            for graphs in (self.gold, self.system or self.gold)
        )
        system_side = system if self.system else None
        compared = Comparison(gold, system_side, self.metric, self.outcome)
        return draw(sides_of(compared), fold)

    def __str__(self) -> str:
        text = render(self.tables())
        return "\n".join([*self.lines(), "", text.rstrip("\n")])

    def lines(self) -> Iterator[str]:
        """The trees as text, at most 80 columns wide."""
        first = self.gold[0]
        where = ", ".join(filter(None, (first.framework, first.layer)))
        yield fitted(f"{self.item} ({where}), {self.metric}")
        if len(self.gold) > 1:
            yield fitted(f"document {first.document}, {len(self.gold)} graphs")
        if text := first.text.strip():
            yield fitted(one_line(text))
        if not self.system:
            yield "the system has no such graph"
        yield LEGEND
        for tree in self.trees:
            yield ""
            yield from tree.lines()
        if not self.outcome.proven:
            score, most = self.outcome.score, self.outcome.bound
            yield f"not proven: {score:g} found, at most {most:g}"

    def tables(self) -> list[Table]:
        """Tables of the derivation of the scores from the counts."""
        scores, metric = self.scores, self.metric
        table = Table([Column("tuple_type"), *COUNTED])
        known = {*metric.applicable(self.gold[0].framework), "all"}
        for tuple_type, count in scores.counts.items():
            if tuple_type in known or count.gold or count.system:
                table.rows.append((tuple_type, *_cells(count)))
        main = scores.counts.get(metric.main)
        if main is not None:
            table.notes += _derived(metric.main, main)
        table.notes += _rate(metric.name, scores.numbers)
        for name, number in metric.brief(scores.numbers).items():
            # Of every label or role they are too many to be read here.
            if "." in name and not leads(metric, name):
                continue
            shown = Ratio(number) if is_ratio(metric, name, number) else number
            table.notes.append((name, shown))
        return [table]

    def with_tables(self) -> list[Table]:
        """The trees as a listing, and the tables below them."""
        return [Table([], listing="\n".join(self.lines())), *self.tables()]

    def _repr_html_(self) -> str:
        from graphscore.report.notebook import html_table

        lines = escape("\n".join(self.lines()))
        tables = "".join(html_table(table) for table in self.tables())
        return f"<pre>{lines}</pre>{tables}"

    def _repr_markdown_(self) -> str:
        from graphscore.report.markdown import listing, markdown

        return listing("\n".join(self.lines())) + "\n" + markdown(self.tables())


class Explanations(tuple[Explanation, ...]):
    """Explanations of one item: of every metric and framework that was asked for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return brief("Explanations", "; ".join(str(each.metric) for each in self))

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self)

    def _repr_markdown_(self) -> str:
        return "\n".join(each._repr_markdown_() for each in self)


def _cells(count: Count) -> tuple[Any, ...]:
    amounts = count.gold, count.system, count.matched
    if not (count.gold or count.system):
        return (*amounts, EMPTY, EMPTY, EMPTY)
    return (*amounts, count.precision, count.recall, count.f1)


def _rate(name: str, numbers: Mapping[str, float]) -> list[str]:
    """Return the derivation of an error rate from its errors."""
    errors, slots = numbers.get("errors"), numbers.get("slots")
    if name not in numbers or errors is None or not slots:
        return []
    if not math.isclose(numbers[name], errors / slots):
        return []
    rate = 100 * numbers[name]
    return [f"{name} = {errors:.6g} errors of {slots:.6g} slots = {rate:.2f}"]


def _derived(tuple_type: str, count: Count) -> list[str]:
    """Return the derivation of the ratios of a tuple type from its counts."""
    gold, system = count.gold, count.system
    right, result = count.correct_system, count.matched
    divided = (right / system if system else 0.0, result / gold if gold else 0.0)
    if (count.precision, count.recall) != divided:
        return [f"{tuple_type}: means of the ratios of the tuple types"]
    return [
        f"{tuple_type}: P = {right:.6g} of {system:.6g} = {100 * count.precision:.2f}, "
        f"R = {result:.6g} of {gold:.6g} = {100 * count.recall:.2f}",
        f"F1 = 2 P R / (P + R) = {100 * count.f1:.2f}",
    ]
