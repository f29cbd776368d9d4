"""Results of the rules as raw counts, matches and rows.

Raw counts are (level, class, side) → how many; the empty class has the amounts that
precision and recall are made of, under the treatment that the settings choose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphscore.model.graph import Graph
from graphscore.model.outcome import CountKey, Outcome, RawCounts
from graphscore.model.outcome import ErrorType as Wrong
from graphscore.model.outcome_builder import Described, OutcomeBuilder
from graphscore.rules.batch import Batch
from graphscore.rules.engine import Engine
from graphscore.rules.facts import MENTIONS, Prepared, Unit, lay_out
from graphscore.rules.functions import SEPARATOR
from graphscore.rules.model import BY, SIDES, Level, Rule, Side
from graphscore.rules.ruleset import RuleSet
from graphscore.rules.statements import column_of, quote, table_of

METHOD = "rules"
"""Method recorded in results."""

CHUNK = 5_000
"""Spans that are run over together: such tables stay in the processor's cache."""


Fired = tuple[int | None, str | None, int | None]
"""Effect of a rule on a row: the first partner, the class before, and its rule."""

NOTHING: Fired = (None, None, None)


class Step(NamedTuple):
    """One rule that gave a span a class."""

    rule: Rule
    now: str
    other: int | None
    """Number of the row on the other side, where it matched a pair."""


class Place(NamedTuple):
    """Location of a span."""

    item: str
    """The id of its graph."""
    start: int | None
    """Its first character; nothing for one that is only a string."""
    end: int | None
    """One past its last character."""


class Classified(NamedTuple):
    """A span, or an entity of a document, with how it came to its class."""

    level: Level
    side: Side
    unit: int
    row: int
    type: str
    text: str
    ids: tuple[str, ...]
    steps: tuple[Step, ...]
    place: Place
    """Location; of an entity, that of its first mention."""

    @property
    def name(self) -> str:
        """Its class."""
        return self.steps[-1].now


def outcomes(engine: Engine, units: Sequence[Unit], details: bool) -> list[Outcome]:
    """Run the rules over units.

    Args:
        engine: the rules.
        units: documents.
        details: whether matches and errors are wanted beside the raw counts.

    Returns:
        An outcome for each unit, in order.
    """
    made: list[Outcome] = []
    waiting: list[Unit] = []
    size = 0
    for unit in units:
        waiting.append(unit)
        size += sum(len(prepared.spans) for side in unit for prepared in side)
        if size >= CHUNK:
            made += _outcomes(engine, waiting, details)
            waiting, size = [], 0
    return made + _outcomes(engine, waiting, details) if waiting else made


def _outcomes(engine: Engine, units: Sequence[Unit], details: bool) -> list[Outcome]:
    rules = engine.rules
    batch = batch_of(rules, engine, units)
    engine.run(batch)
    outcome_builders = [OutcomeBuilder(details, by_side=False) for _ in units]
    counts = [builder.raw_counts for builder in outcome_builders]
    for level in rules.settings.levels:
        for side in SIDES:
            _Classes(engine, batch, level, side).count(counts)
    if details:
        _enter(engine, batch, outcome_builders)
    whole = rules.settings.levels[0], "", "matched"
    return [
        builder.outcome(builder.raw_counts.get(whole, 0), METHOD)
        for builder in outcome_builders
    ]


def batch_of(rules: RuleSet, engine: Engine, units: Sequence[Unit]) -> Batch:
    """Units as the facts of a rule set."""
    documents = "document" in rules.settings.levels
    return Batch(
        units,
        entry_columns=rules.entry_columns if documents else (),
        borrow=lambda graph: prepare(rules, graph),
        fall_back=rules.settings.document_key == "entries",
        names=rules.settings.names,
    )


def prepare(rules: RuleSet, graph: Graph) -> Prepared:
    """A graph as the facts of a rule set."""
    settings = rules.settings
    documents = "document" in settings.levels
    result = lay_out(
        graph,
        settings.low,
        documents,
        documents and settings.document_key != "words",
        settings.names,
        MENTIONS if settings.nodes == MENTIONS else settings.nodes,
    )
    properties = {name: settings.properties.get(name) for name in rules.properties}
    result.select(rules.span_columns, rules.entry_columns, properties)
    return result


@dataclass(frozen=True)
class _Classes:
    """The classes that rows of one level and side have."""

    engine: Engine
    """The rules, after they ran."""
    batch: Batch
    level: Level
    side: Side

    @property
    def index(self) -> int:
        """Position of the side."""
        return SIDES.index(self.side)

    @property
    def table(self) -> str:
        """The table that has the rows."""
        return table_of(self.level, self.side)

    @property
    def column(self) -> str:
        """The column that has the classes."""
        return column_of(self.level)

    def count(self, counts: list[RawCounts]) -> None:
        """Add the classes to the raw counts of each unit.

        Args:
            counts: those of every unit of the batch.
        """
        level, side, column = self.level, self.side, self.column
        order = self.engine.order
        document, parts = level == "document", self.batch.parts
        caused = any(rule.cause for rule in order if rule.level == level)
        by = f"{column}_by" if caused else "0"
        whole: CountKey = (level, "", side)
        matched = "matched" if side == "gold" else "matched_system"
        right: CountKey = (level, "", matched)
        plans: dict[tuple[str, int], tuple[list[CountKey], float | None]] = {}
        for number, name, rule, count in self.engine.connection.execute(
            f"select {'unit' if document else 'part'}, {column}, {by}, count(*) "
            f"from {self.table} where {column} is not null group by 1, 2, 3"
        ):
            raw_counts = counts[number if document else parts[number]]
            plan = plans.get((name, rule))
            if plan is None:
                keys: list[CountKey] = [(level, name, side)]
                if caused and order[rule].cause:
                    keys.append((level, f"{name}{BY}{order[rule].cause}", side))
                earned = self.engine.rules.credit(name, side)
                if earned is not None:
                    keys.append(whole)
                plan = plans[name, rule] = keys, earned
            keys, earned = plan
            for key in keys:
                raw_counts[key] = raw_counts.get(key, 0) + count
            if earned is not None:
                raw_counts[right] = raw_counts.get(right, 0) + _integral(earned * count)

    def rows(self, names: Iterable[str]) -> Iterator[tuple[int, str, int]]:
        """Yield the rows of some classes, with the class and the rule that gave it."""
        return self.engine.connection.execute(
            f"select id, {self.column}, {self.column}_by from {self.table} "
            f"where {self.column} in {_listed(names)} order by id"
        )

    def fired(self, names: Iterable[str]) -> dict[tuple[int, int], Fired]:
        """Return the effects of rules on the rows of some classes.

        Returns:
            (row, number of the rule) → first partner, class before and the rule that
            had given it.
        """
        side, partner_side = self.side, "system" if self.side == "gold" else "gold"
        numbers = [
            str(number)
            for number, rule in enumerate(self.engine.order)
            if rule.level == self.level and rule.to(side)
        ]
        rules = ", ".join(numbers) or "-1"
        rows = f"(select id from {self.table} where {self.column} in {_listed(names)})"
        result: dict[tuple[int, int], Fired] = {}
        for own, rule, partner, was, before in self.engine.connection.execute(
            f"select {side}_to, rule, {partner_side}, {side}_was, {side}_by from log "
            f"where rule in ({rules}) and {side}_to in {rows} union all "
            f"select {side}, {side}_rule, {partner_side}, null, null from hit "
            f"where {side}_rule in ({rules}) and {side} in {rows}"
        ):
            old = result.get((own, rule))
            if old is None or (partner or 0) < (old[0] or 0):
                result[own, rule] = partner, was, before
        return result

    def facts(self) -> list[Fact]:
        """Return the facts of each row, indexed by its number less one."""
        if self.level == "document":
            entries = self.batch.entry_rows(self.index)
            return [(unit, row[1], row[2], "") for unit, row in entries]
        spans = self.batch.span_rows(self.index)
        return [(unit, row[3], row[4], row[8]) for unit, row in spans]

    def places(self) -> list[Place]:
        """Return the location of each row; of an entity, that of its first mention."""
        locations = [
            Place(prepared.graph.id, *((None, None) if row[0] < 0 else row[:2]))
            for prepared in self.batch.sides[self.index]
            if prepared is not None
            for row in prepared.spans
        ]
        if self.level != "document":
            return locations
        entities = self.batch.entities[self.index]
        return [locations[first + members[0]] for first, members in entities]


def _listed(names: Iterable[str]) -> str:
    return f"({', '.join(map(quote, names))})"


def _integral(amount: float) -> int | float:
    return int(amount) if amount == int(amount) else amount


Fact = tuple[int, str, str, str]
"""The unit, type, text and entries of a span or entity."""


def trace(engine: Engine, batch: Batch) -> Iterator[Classified]:
    """Every span and entity that has a class, with the rules that fired on it.

    Args:
        engine: after it ran.
        batch: what it ran over.

    Yields:
        Level by level, gold then system, in the order of the documents.
    """
    everything = list(engine.rules.treatments)
    for level in engine.rules.settings.levels:
        for side in SIDES:
            classes = _Classes(engine, batch, level, side)
            fired = classes.fired(everything)
            facts, locations = classes.facts(), classes.places()
            for number, name, last in classes.rows(everything):
                steps: list[Step] = []
                now: str | None = name
                by: int | None = last
                while by is not None and now is not None:
                    partner, was, before = fired.get((number, by), NOTHING)
                    steps.append(Step(engine.order[by], now, partner))
                    now, by = was, before
                unit, type_, text, ids = facts[number - 1]
                yield Classified(
                    *(level, side, unit, number, type_, text),
                    tuple(ids.split(SEPARATOR)[1:-1]),
                    tuple(reversed(steps)),
                    locations[number - 1],
                )


def _enter(engine: Engine, batch: Batch, builders: Sequence[OutcomeBuilder]) -> None:
    """Enter matches and errors of each unit."""
    ordinals = _ordinals(batch, 0), _ordinals(batch, 1)
    rules = engine.rules
    for level in rules.settings.levels:
        nodes = ordinals if level != "document" else _first_nodes(batch, ordinals)
        for own, side in enumerate(SIDES):
            classes = _Classes(engine, batch, level, side)
            credits = {name: rules.credit(name, side) for name in rules.treatments}
            plain = {name for name in credits if rules.is_plain(name)}
            wrong: Wrong = "missing" if side == "gold" else "spurious"
            matched = level == "span" and side == "gold"
            shown = [
                name
                for name, credit in credits.items()
                if name not in plain or (matched and credit)
            ]
            fired, facts = classes.fired(shown), classes.facts()
            for number, name, last in classes.rows(shown):
                partner: int | None = None
                by: int | None = last
                while partner is None and by is not None:
                    partner, _, by = fired.get((number, by), NOTHING)
                left: int | None = nodes[own][number - 1]
                right = None if partner is None else nodes[1 - own][partner - 1]
                fact, credit = facts[number - 1], credits[name] or 0.0
                builder = builders[fact[0]]
                if matched and right is not None and credit:
                    builder.match(left, right, credit)
                if name in plain:
                    continue
                described = _describe(classes, fact, name, engine.order[last])
                if not credit:
                    builder.error(wrong, described._replace(own=left, other=right))
                    continue
                if side == "system":
                    left, right = right, left
                described = described._replace(own=left, other=right, credit=credit)
                builder.error("partial", described)


def _describe(classes: _Classes, fact: Fact, name: str, rule: Rule) -> Described:
    """Describe a row by its facts, its class and the rule that gave it."""
    _, type_, text, ids = fact
    if classes.level == "resolution" and ids:
        text = " ".join(ids.split(SEPARATOR)[1:-1])
    return Described(
        classes.level,
        None,
        label=type_,
        name=name + (f"{BY}{rule.cause}" if rule.cause else ""),
        value=text,
        compared=classes.side,
        reason=rule.name,
    )


def _first_nodes(
    batch: Batch, ordinals: tuple[list[int], list[int]]
) -> tuple[list[int], list[int]]:
    """The node that mentions each entity first."""
    gold, system = (
        [nodes[first + members[0]] for first, members in entities]
        for nodes, entities in zip(ordinals, batch.entities, strict=True)
    )
    return gold, system


def _ordinals(batch: Batch, side: int) -> list[int]:
    """The node of each row of spans, counted through the parts of its unit."""
    starts = batch.starts(side)
    return [
        starts[part] + prepared.ordinals[k]
        for part, prepared in enumerate(batch.sides[side])
        if prepared is not None
        for k in range(len(prepared.spans))
    ]
