"""Results of the rules as raw counts, matches and rows.

Raw counts are (level, class, side) → how many; the empty class has the amounts that
precision and recall are made of, under the treatment that the settings choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from graphscore.rules.statements import quoted

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
    for level in rules.settings.levels:
        for side in SIDES:
            _count(
                engine,
                batch,
                level,
                side,
                [builder.raw_counts for builder in outcome_builders],
            )
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
        borrow=lambda graph: laid(rules, graph),
        fall_back=rules.settings.document_key == "entries",
        names=rules.settings.names,
    )


def laid(rules: RuleSet, graph: Graph) -> Prepared:
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


def _count(
    engine: Engine, batch: Batch, level: Level, side: Side, found: list[RawCounts]
) -> None:
    """Add the classes of one level and side to the raw counts of each unit."""
    rules = engine.rules
    table, column = _place(level, side)
    document, parts = level == "document", batch.parts
    place = "unit" if document else "part"
    caused = any(rule.cause for rule in engine.order if rule.level == level)
    by = f"{column}_by" if caused else "0"
    other = "matched" if side == "gold" else "matched_system"
    causes = [rule.cause for rule in engine.order]
    whole: CountKey = (level, "", side)
    right: CountKey = (level, "", other)
    plans: dict[tuple[str, int], tuple[list[CountKey], float | None]] = {}
    for number, name, rule, count in engine.connection.execute(
        f"select {place}, {column}, {by}, count(*) from {table} "
        f"where {column} is not null group by 1, 2, 3"
    ):
        raw_counts = found[number if document else parts[number]]
        plan = plans.get((name, rule))
        if plan is None:
            keys: list[CountKey] = [(level, name, side)]
            if caused and causes[rule]:
                keys.append((level, f"{name}{BY}{causes[rule]}", side))
            earned = rules.credit(name, side)
            if earned is not None:
                keys.append(whole)
            plan = plans[name, rule] = keys, earned
        keys, earned = plan
        for key in keys:
            raw_counts[key] = raw_counts.get(key, 0) + count
        if earned is not None:
            raw_counts[right] = raw_counts.get(right, 0) + _whole(earned * count)


def _whole(amount: float) -> int | float:
    return int(amount) if amount == int(amount) else amount


def trace(engine: Engine, batch: Batch) -> Iterator[Classified]:
    """Every span and entity that has a class, with the rules that fired on it.

    Args:
        engine: after it ran.
        batch: what it ran over.

    Yields:
        Level by level, gold then system, in the order of the documents.
    """
    order = engine.order
    everything = list(engine.rules.treatments)
    for level in engine.rules.settings.levels:
        for own, side in enumerate(SIDES):
            fired = _fired(engine, level, side, everything)
            rows, places = _facts(batch, level, own), _places(batch, level, own)
            for number, name, last in _given(engine, level, side, everything):
                steps: list[Step] = []
                now: str | None = name
                by: int | None = last
                while by is not None and now is not None:
                    partner, was, before = fired.get((number, by), NOTHING)
                    steps.append(Step(order[by], now, partner))
                    now, by = was, before
                unit, tuple_type, text, ids = rows[number - 1]
                yield Classified(
                    level,
                    side,
                    unit,
                    number,
                    tuple_type,
                    text,
                    tuple(ids.split(SEPARATOR)[1:-1]),
                    tuple(reversed(steps)),
                    places[number - 1],
                )


def _places(batch: Batch, level: Level, side: int) -> list[Place]:
    """Return the location of each row of a side."""
    places = [
        Place(prepared.graph.id, *((None, None) if row[0] < 0 else row[:2]))
        for prepared in batch.sides[side]
        if prepared is not None
        for row in prepared.spans
    ]
    if level != "document":
        return places
    return [places[first + members[0]] for first, members in batch.entities[side]]


Fact = tuple[int, str, str, str]
"""The unit, type, text and entries of a span or entity."""


def _facts(batch: Batch, level: Level, side: int) -> list[Fact]:
    """Return the facts of each row of a side, indexed by its number less one."""
    if level == "document":
        return [(unit, row[1], row[2], "") for unit, row in batch.entry_rows(side)]
    return [(unit, row[3], row[4], row[8]) for unit, row in batch.span_rows(side)]


def _place(level: Level, side: Side) -> tuple[str, str]:
    """The table and the column of the classes of a level."""
    if level == "document":
        return f"{side}_entry", "class"
    return side, "resolution" if level == "resolution" else "class"


def _given(
    engine: Engine, level: Level, side: Side, names: Sequence[str]
) -> Iterator[tuple[int, str, int]]:
    """The rows that have one of the classes, with it and the rule that gave it."""
    table, column = _place(level, side)
    listed = ", ".join(map(quoted, names))
    return engine.connection.execute(
        f"select id, {column}, {column}_by from {table} "
        f"where {column} in ({listed}) order by id"
    )


def _fired(
    engine: Engine, level: Level, side: Side, names: Sequence[str]
) -> dict[tuple[int, int], Fired]:
    """Return the effects of rules on the rows that have one of the classes.

    Returns:
        (row, number of the rule) → first partner, class before and the rule that had
        given it.
    """
    table, column = _place(level, side)
    other = "system" if side == "gold" else "gold"
    numbers = [
        str(number)
        for number, rule in enumerate(engine.order)
        if rule.level == level and rule.to(side)
    ]
    rules = ", ".join(numbers) or "-1"
    classes = ", ".join(map(quoted, names))
    rows = f"(select id from {table} where {column} in ({classes}))"
    result: dict[tuple[int, int], Fired] = {}
    for own, rule, partner, was, before in engine.connection.execute(
        f"select {side}_to, rule, {other}, {side}_was, {side}_by from log "
        f"where rule in ({rules}) and {side}_to in {rows} union all "
        f"select {side}, {side}_rule, {other}, null, null from hit "
        f"where {side}_rule in ({rules}) and {side} in {rows}"
    ):
        old = result.get((own, rule))
        if old is None or (partner or 0) < (old[0] or 0):
            result[own, rule] = partner, was, before
    return result


def _enter(engine: Engine, batch: Batch, ledgers: Sequence[OutcomeBuilder]) -> None:
    """Enter matches and errors of each unit."""
    ordinals = _ordinals(batch, 0), _ordinals(batch, 1)
    rules = engine.rules
    for level in rules.settings.levels:
        nodes = ordinals if level != "document" else _first_nodes(batch, ordinals)
        for own, side in enumerate(SIDES):
            credits = {name: rules.credit(name, side) for name in rules.treatments}
            plain = {name for name in credits if rules.plain(name)}
            matched = level == "span" and side == "gold"
            told = [
                name
                for name, credit in credits.items()
                if name not in plain or (matched and credit)
            ]
            fired = _fired(engine, level, side, told)
            facts = _facts(batch, level, own)
            for number, name, last in _given(engine, level, side, told):
                partner: int | None = None
                by: int | None = last
                while partner is None and by is not None:
                    partner, _, by = fired.get((number, by), NOTHING)
                left = nodes[own][number - 1]
                right = None if partner is None else nodes[1 - own][partner - 1]
                fact, credit = facts[number - 1], credits[name]
                builder = ledgers[fact[0]]
                if matched and right is not None and credit:
                    builder.match(left, right, credit)
                if name not in plain:
                    rule, ends = engine.order[last], (left, right)
                    _enter_error(
                        builder, level, side, fact, name, rule, ends, credit or 0.0
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


def _enter_error(
    builder: OutcomeBuilder,
    level: Level,
    side: Side,
    fact: Fact,
    name: str,
    rule: Rule,
    ends: tuple[int | None, int | None],
    credit: float,
) -> None:
    wrong: Wrong = "missing" if side == "gold" else "spurious"
    if credit:
        wrong, ends = "partial", ends if side == "gold" else ends[::-1]
    _, tuple_type, text, ids = fact
    if level == "resolution" and ids:
        text = " ".join(ids.split(SEPARATOR)[1:-1])
    described = Described(
        level,
        *ends,
        label=tuple_type,
        name=name + (f"{BY}{rule.cause}" if rule.cause else ""),
        value=text,
        compared=side,
        reason=rule.name,
        credit=credit,
    )
    builder.error(wrong, described)


def _ordinals(batch: Batch, side: int) -> list[int]:
    """The node of each row of spans, counted through the parts of its unit."""
    starts = batch.starts(side)
    return [
        starts[part] + prepared.ordinals[k]
        for part, prepared in enumerate(batch.sides[side])
        if prepared is not None
        for k in range(len(prepared.spans))
    ]
