"""The gold graphs of a document that a metric compares as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options
from graphscore.evaluation.tasks import Task, shares_of
from graphscore.metrics.base import Metric
from graphscore.model.document import whole
from graphscore.model.graph import Graph
from graphscore.model.outcome import Count
from graphscore.report.element_values import (
    DIFFERENT,
    LEGEND,
    MISSING,
    SAME,
    SPURIOUS,
    UNCOUNTED,
)
from graphscore.report.item_view.lookup import Found, find
from graphscore.report.item_view.roles import ROLES
from graphscore.report.side_by_side import ABSENT, WIDTH, Comparison
from graphscore.report.table import COUNTED, Column, Table, one_line

SHOWN = 48
"""Characters of a sentence's text in a table."""


class Sentence(NamedTuple):
    """A gold graph of a document, with its share of what the metric counts."""

    item: str
    text: str
    counted: Count | None
    """Counts of the main tuple type; ``None`` where the metric has none."""
    counts: Mapping[str, Count]
    """Counts of every tuple type; empty where the metric has none."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        count = None if self.counted is None else self.counted.to_dict()
        return {"item": self.item, "text": self.text, "count": count}


class DocumentComparison(Comparison):
    """A document of several graphs, with what a metric found in all of it.

    Args:
        gold: the gold graphs.
        system: the system's; none where there are none.
        found: what was scored.
        sentences: the gold graphs, with their shares.
        asked: the sentence that was asked for; tables list no other.
    """

    def __init__(
        self,
        gold: Sequence[Graph],
        system: Sequence[Graph],
        found: Found,
        sentences: Sequence[Sentence],
        asked: str = "",
    ) -> None:
        named = found.gold.item
        super().__init__(
            whole(gold, named),
            whole(system, named) if system else None,
            found.metric,
            found.outcome,
        )
        self.sentences = sentences
        self.asked = (
            asked if any(sentence.item == asked for sentence in sentences) else ""
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        listed = [sentence.to_dict() for sentence in self.sentences]
        return super().to_dict() | {"sentences": listed}

    def tables(self, width: int = WIDTH, *, verbose: bool = False) -> list[Table]:
        """Head, sentences, what differs in them, counts per kind.

        Of a sentence that was asked for, all but the head is of it alone.
        """
        head, *parts, counts = super().tables(width, verbose=verbose)
        # Sentences have the text.
        head.notes = [ABSENT] if self.absent else []
        for table in parts:
            table.rows = [row for row in table.rows if self._is_asked_for(row)]
            before = len(table.rows)
            table.rows = [row for row in table.rows if differs(table, row)]
            if left := before - len(table.rows):
                table.title += f" that differ; {left} more of {before} are not listed"
        shown = [table for table in parts if table.rows]
        if shown and LEGEND not in shown[0].notes:
            shown[0].notes.insert(0, LEGEND)
        for sentence in self.sentences:
            if sentence.item == self.asked and sentence.counts:
                counts = self._counts(sentence.counts)
        return [head, self._sentences(), *shown, counts]

    def _is_asked_for(self, row: tuple[Any, ...]) -> bool:
        """Return whether a row is of the requested sentence, if one was."""
        begins = f"{self.asked}:"
        return not self.asked or any(str(cell).startswith(begins) for cell in row)

    def _sentences(self) -> Table:
        known = any(sentence.counted for sentence in self.sentences)
        table = Table(
            [
                Column("id"),
                *((*COUNTED[:3], COUNTED[-1]) if known else ()),
                Column("text", "text"),
            ],
            title="Sentences",
        )
        listed = [
            sentence for sentence in self.sentences if self.asked in ("", sentence.item)
        ]
        if len(listed) < len(self.sentences):
            table.notes = [
                f"the system has other sentences here; {len(self.sentences)} of gold "
                f"were compared together, as {self.gold.id}"
            ]
        for row_sentence in listed:
            amounts: tuple[Any, ...] = ()
            if row_sentence.counted is not None:
                count = row_sentence.counted
                ratio = count.f1 if count.gold or count.system else None
                amounts = (count.gold, count.system, count.matched, ratio)
            table.rows.append(
                (row_sentence.item, *amounts, one_line(row_sentence.text, SHOWN))
            )
        return table


def compared_in_files(
    gold: str,
    system: str,
    item: str,
    metrics: Sequence[Metric] | None,
    options: Options,
    framework: str | None = None,
    layer: str | None = None,
) -> tuple[list[tuple[Comparison, str]], list[str]]:
    """Compare an item of files by every metric; see :func:`.finding.find`.

    Args:
        gold: a file, directory or glob.
        system: likewise.
        item: the id of an item or of a document.
        metrics: what compares it; ``None`` for the default metrics.
        options: pairing, reading, budget.
        framework: only this one.
        layer: only this one.

    Returns:
        Comparisons, with why their metrics were chosen; and notes on graphs of the item
        that are not among them, where all are asked for.
    """
    scored = find(gold, system, item, metrics, options, framework, layer)
    compared_units = [
        (compared(unit, options.budget, item), unit.because) for unit in scored
    ]
    default = metrics is None and framework is None
    notes = [note for unit in scored for note in unit.left_out] if default else []
    return compared_units, list(dict.fromkeys(notes))


def compared(unit: Found, budget: Budget, asked: str = "") -> Comparison:
    """Return the comparison of an item or of a document, gold beside system.

    Args:
        unit: a unit of both sides.
        budget: how much work may be spent on the shares of sentences.
        asked: the id that was asked for, perhaps of a sentence of a document.
    """
    gold, system = unit.sides(budget)
    if len(gold) == 1 and len(system) < 2:
        system_graph = system[0] if system else None
        return Comparison(gold[0], system_graph, unit.metric, unit.outcome)
    task = Task((unit.metric,), ((gold, system),), budget, False, True)
    [shares] = shares_of(task, [()])
    counts: list[Mapping[str, Count]] = [
        unit.metric.scores(raw_counts).counts for raw_counts in shares.raw_counts
    ]
    sentences = [
        Sentence(graph.id, graph.text, count.get(unit.metric.main), count)
        for graph, count in zip(gold, counts or [{}] * len(gold), strict=True)
    ]
    return DocumentComparison(gold, system, unit, sentences, asked)


def differs(table: Table, row: tuple[Any, ...]) -> bool:
    """Return whether a row has any difference.

    Args:
        table: whose first column has marks.
        row: of it.
    """
    if row[0] not in (SAME, UNCOUNTED):
        return True
    # The mark of a predicate says nothing of its roles.
    return table.title == ROLES and any(
        text.startswith((DIFFERENT, MISSING, SPURIOUS))
        for cell in row[2:]
        for text in cell.split("  ")
    )
