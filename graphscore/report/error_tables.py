"""The most frequent errors of systems in a store, and what errors cost, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.evaluation.rows.errors import with_parts
from graphscore.exceptions import UsageError, did_you_mean
from graphscore.metrics.base import covers
from graphscore.metrics.traits import Confused, Nested, trait
from graphscore.report.table import (
    Column,
    Ratio,
    Table,
    as_table,
    columns_of,
    side_name,
)
from graphscore.store.read.entity_errors import COLUMNS, ERRORS, entity_errors
from graphscore.store.read.frequent import frequent_confusions, frequent_errors

if TYPE_CHECKING:
    from graphscore.evaluation.default_metrics import Choice
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.store import Store
    from graphscore.metrics.base import Metric
    from graphscore.statistics.whatif.corrections import WhatIf

FIRST = 20
"""Default number of classes to list."""

ALL = "all"
"""Errors of every tuple type, also where no error is of a kind of that name."""

BY = ("framework", "tuple_type", "error_type", "name", "value")
"""Default columns by which errors are grouped."""


class ErrorGroups(NamedTuple):
    """Groups of errors, and how many entities are wrong in each document."""

    names: Sequence[str]
    """Common prefix of both: system and metric, where there are several."""
    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]
    entities: Sequence[tuple[Any, ...]]
    sql: Sequence[str]
    """The statements behind them."""
    remarks: Sequence[str]
    """Why there are none, if so."""

    def tables(self) -> list[Table]:
        """Tables of the groups, then of the entities; none of what there is none."""
        return [*self._groups(), *([self._entity_table()] if self.entities else [])]

    def flat(self) -> tuple[Sequence[str], Sequence[tuple[Any, ...]]]:
        """The groups as rows, with their columns."""
        return (*self.names, *self.columns), self.rows

    def _groups(self) -> Iterator[Table]:
        """Groups of errors; of each metric where there are several, as types differ."""
        columns = [*self.names, *self.columns]
        if not self.rows or "metric" not in self.names:
            if self.rows:
                yield as_table(columns, self.rows)
            return
        index = columns.index("metric")
        del columns[index]
        for metric in dict.fromkeys(row[index] for row in self.rows):
            own = [row for row in self.rows if row[index] == metric]
            table = as_table(
                columns, [(*row[:index], *row[index + 1 :]) for row in own]
            )
            table.title = metric
            yield table

    def _entity_table(self) -> Table:
        """Entities by document; columns of nothing, and ids that are said twice, go."""
        columns = *self.names, *COLUMNS, *ERRORS
        cells = dict(zip(columns, zip(*self.entities, strict=True), strict=True))
        if cells["item"] == cells["document"]:
            del cells["item"]
        kept = {name: own for name, own in cells.items() if set(own) - {None, ""}}
        table = as_table([*kept], zip(*kept.values(), strict=True))
        table.title = "entities whose mentions are not those of one entity"
        table.notes = [
            "divided: entities of gold whose mentions several of the system have",
            "conflated: entities of the system with mentions of several of gold",
            "missing, extra: of which the other side has no mention; show ID lists "
            "them",
        ]
        return table


@dataclass(frozen=True)
class ErrorQuestion:
    """Selection and grouping of the errors to count.

    Attributes:
        tuple_type: only this tuple type; :data:`ALL` for every one.
        error_type: only missing, spurious or partial ones.
        by: what they are grouped by; :data:`BY` without, and the level in formulas
            within formulas.
        top: how many groups.
        confusions: whether gold values by system values are counted instead.
    """

    tuple_type: str | None = None
    error_type: str | None = None
    framework: str | None = None
    document: str | None = None
    item: str | None = None
    layer: str | None = None
    by: Sequence[str] | None = None
    top: int = 20
    confusions: bool = False

    @property
    def _wanted(self) -> dict[str, str | None]:
        """The columns that errors are chosen by."""
        return {
            "framework": self.framework,
            "document": self.document,
            "item": self.item,
            "layer": self.layer,
            "tuple_type": None if self.tuple_type == ALL else self.tuple_type,
            "error_type": self.error_type,
        }

    def check(self, metrics: Iterable[Metric]) -> None:
        """Refuse a tuple type that errors of metrics cannot be of.

        Args:
            metrics: whose errors.

        Raises:
            UsageError: naming those that there are.
        """
        for metric in metrics:
            tuple_types = metric.error_tuple_types
            if self.tuple_type not in (None, ALL, *tuple_types):
                raise UsageError(
                    f"{metric} has no tuple type {self.tuple_type!r}"
                    f"{did_you_mean(str(self.tuple_type), tuple_types)}; "
                    f"there are: {', '.join(tuple_types)}"
                )

    def concerns(self, metric: Metric) -> bool:
        """True if a metric has errors of the framework and tuple type."""
        return (self.framework is None or covers(metric, self.framework)) and (
            self.tuple_type in (None, ALL)
            or self.tuple_type in metric.error_tuple_types
        )

    def limited(self, options: Options) -> Options:
        """Options for files: what a side without layers is compared with."""
        if not self.layer:
            return options
        layers = replace(options.selection, layers=frozenset({self.layer}))
        return replace(options, selection=layers)

    def answer(
        self, store: Store, gold: str, made: Sequence[tuple[str, Choice, str]]
    ) -> ErrorGroups:
        """Count the errors of evaluations.

        Args:
            store: where they are.
            gold: the gold collection.
            made: systems, with their metrics and scopes.

        Raises:
            UsageError: if a metric has no errors of the kind.
        """
        filters = self._wanted
        by = list(BY if self.by is None else self.by)
        if (
            self.by is None
            and made
            and all(trait(each.metric, Nested).is_nested for _, each, _ in made)
        ):
            # Those of formulas within formulas say where they are.
            by.insert(by.index("tuple_type") + 1, "level")
        systems = len({system for system, _, _ in made}) > 1
        metrics = len({choice.metric for _, choice, _ in made}) > 1
        columns: Sequence[str] = ()
        rows: list[tuple[Any, ...]] = []
        entities: list[tuple[Any, ...]] = []
        statements: dict[str, None] = {}
        for system, (metric, *_), scope in made:
            self.check([metric])
            evaluation = {"gold": gold, "system": system, "metric": str(metric)}
            chosen = {**evaluation, "scope": scope, **filters}
            if self.confusions:
                labels = trait(metric, Confused).confuses == "label"
                result = frequent_confusions(store.query, chosen, self.top, labels)
            else:
                result = frequent_errors(store.query, chosen, by, self.top)
            result = with_parts(result, metric)
            if result.rows or not columns:
                # Of no errors nothing stands instead.
                columns = result.columns
            statements |= dict.fromkeys(result.sql)
            head = (system,) * systems + (str(metric),) * metrics
            rows += [(*head, *row) for row in result.rows]
            if self._tells_entities(metric):
                wrong = entity_errors(store.query, chosen, self.top)
                entities += [(*head, *row) for row in wrong.rows]
                statements |= {wrong.sql: None}
        remarks = []
        if not rows:
            nothing = "no errors of mentions" if entities else "no errors"
            remarks = ["no confusions" if self.confusions else nothing]
            collections = (gold, *(system for system, _, _ in made))
            remarks += store.absent(collections, filters)
        names = ("system",) * systems + ("metric",) * metrics
        return ErrorGroups(names, columns, rows, entities, [*statements], remarks)

    def _tells_entities(self, metric: Metric) -> bool:
        """True if errors are of coreference, and all of them are asked for."""
        all_of_them = self._wanted["tuple_type"] is None and self.error_type is None
        plain = not self.confusions and self.by is None
        return metric.frameworks == {"coref"} and plain and all_of_them


def whatif_tables(impact: WhatIf, top: int = FIRST) -> list[Table]:
    """The classes of errors, the most costly first.

    Args:
        impact: what errors cost.
        top: how many classes are listed.
    """
    table = Table(
        [
            *(Column(name) for name in ("tuple_type", "label", "error_type")),
            Column("errors", "count"),
            *columns_of("ratio", "if right", "gain"),
        ],
        title=f"{side_name(impact.system)}: {impact.metric}: {impact.score}",
    )
    for class_ in impact.classes[:top]:
        table.rows.append((*class_[:4], class_.value, class_.gain))
    table.notes.append((impact.score, Ratio(impact.value)))
    if len(impact.classes) > top:
        table.notes.append(f"{top} of {len(impact.classes)} classes of errors")
    return [table]
