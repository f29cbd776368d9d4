"""Output of ``rules``: rule files, their traces, and their differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.evaluation.scoring import score_files
from graphscore.exceptions import GraphscoreError, UsageError, did_you_mean
from graphscore.report.table import Column, Table, as_table

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.unit import Unit
    from graphscore.metrics.base import Metric
    from graphscore.metrics.entities.rules import Rules
    from graphscore.model.outcome import Count, Outcome
    from graphscore.rules.model import Rule
    from graphscore.rules.outcome import Classified
    from graphscore.rules.ruleset import RuleSet

COLUMNS = (
    *("name", "phase", "priority", "level", "over", "when", "unless", "from"),
    *("to", "cause", "reason", "file", "line"),
)

TRACED = (
    *("document", "item", "level", "side", "type", "text", "start", "end"),
    *("step", "class", "rule", "matched", "reason"),
)

CHANGED = (
    *("document", "item", "level", "side", "type", "text", "start", "end"),
    *("class_a", "class_b", "rule_a", "rule_b"),
)

SCORED = ("level", "precision_a", "recall_a", "f1_a", "precision_b", "recall_b", "f1_b")

AT_ONCE = 64
"""Documents that are traced together."""


def summary(rules: RuleSet, file: str) -> dict[str, Any]:
    """Return the numbers of rules, and their sources.

    Args:
        rules: the rules.
        file: what they were read from.
    """
    firing = len(rules.in_order())
    return {
        "file": file,
        "title": rules.title,
        "files": list(rules.files),
        "rules": firing,
        "left_out": len(rules.rules) - firing,
        "digest": rules.digest,
    }


def check_rules(file: str) -> dict[str, Any]:
    """Check a file of rules and what it extends, as ``graphscore rules check`` does.

    Args:
        file: the file, or ``default`` for the rules that are shipped.

    Returns:
        How many rules, functions and classes there are.

    Raises:
        InputError: with everything that is wrong.
    """
    from graphscore.rules.loader import rules_of

    return summary(rules_of(file), file)


def summary_table(rules: RuleSet, file: str) -> Table:
    """The same in a line.

    Args:
        rules: the rules.
        file: what they were read from.
    """
    firing = len(rules.in_order())
    line = (
        f"{file}: {firing} rules in {len(rules.phases)} phases, "
        f"{len(rules.rules) - firing} left out; read from {', '.join(rules.files)}"
    )
    return Table([], notes=[line])


def rule_row(rule: Rule) -> tuple[Any, ...]:
    """A rule as a row of :data:`COLUMNS`."""
    unless = ""
    if rule.unless_over is not None:
        unless = f"{rule.unless_over}: {rule.unless_when}"
    sides = [side for side in rule.sides if rule.froms(side) is not None]
    from_classes = "; ".join(
        f"{side} {' | '.join(name or '(none)' for name in rule.froms(side) or ())}"
        for side in sides
    )
    to = "; ".join(f"{side} {rule.to(side)}" for side in rule.targets)
    when = " ".join(rule.when.split())
    return (
        *(rule.name, rule.phase, rule.priority, rule.level, rule.over, when, unless),
        *(from_classes, to, rule.cause, rule.reason, rule.file, rule.line),
    )


def described(rules: RuleSet) -> dict[str, Any]:
    """Rules with all their settings, as JSON has them."""
    settings = rules.settings
    words = {
        name: {kind: sorted(listed) for kind, listed in getattr(settings, name).items()}
        for name in ("fuzzy_words", "stop_words", "hierarchy")
    }
    return {
        "title": rules.title,
        "files": list(rules.files),
        "phases": list(rules.phases),
        "settings": {
            "levels": list(settings.levels),
            "low": sorted(settings.low),
            "low_confidence": settings.low_confidence,
            "document_key": settings.document_key,
            "credit": dict(settings.credit),
            **words,
        },
        "values": dict(settings.values),
        "classes": {
            name: {"as": treated, "low": low}
            | ({} if credit is None else {"credit": credit})
            for name, (treated, low, credit) in rules.treatments.items()
        },
        "rules": [
            dict(zip(COLUMNS, rule_row(rule), strict=True)) for rule in rules.in_order()
        ],
    }


def rule_table(rules: RuleSet) -> Table:
    """Rules as a table, of what tells them apart."""
    shown = ("phase", "priority", "name", "level", "over", "from", "to", "when")
    rows = [
        dict(zip(COLUMNS, rule_row(rule), strict=True)) for rule in rules.in_order()
    ]
    return as_table(shown, [[row[name] for name in shown] for row in rows])


def units_of(
    metric: Rules,
    gold: str,
    system: str,
    options: Options,
    document: str | None = None,
) -> list[tuple[Unit, Unit | None]]:
    """The documents of two files, side by side.

    Args:
        metric: what compares them.
        gold: a file, directory or glob.
        system: likewise.
        options: pairing, reading, budget.
        document: only this one.

    Raises:
        GraphscoreError: if there is no such document.
    """
    units: list[tuple[Unit, Unit | None]] = []

    def keep(_: Metric, gold: Unit, system: Unit | None, __: Outcome) -> None:
        if document in (None, gold.document):
            units.append((gold, system))

    score_files(gold, system, [metric], options, listener=keep)
    if document is not None and not units:
        raise GraphscoreError(f"no document {document!r} in {gold}")
    return units


def traced(
    metric: Rules, units: Sequence[tuple[Unit, Unit | None]], rule_name: str | None
) -> Iterator[tuple[Any, ...]]:
    """Yield every step of every span, as rows of :data:`TRACED`.

    Args:
        metric: the rules.
        units: gold and system.
        rule_name: only spans of this class.

    Raises:
        UsageError: if there is no such class.
    """
    known = metric.rules.treatments
    if rule_name is not None and rule_name not in known:
        raise UsageError(
            f"--class {rule_name}{did_you_mean(rule_name, known)}: "
            f"there are {', '.join(known)}"
        )
    for start in range(0, len(units), AT_ONCE):
        yield from _traced(metric, units[start : start + AT_ONCE], rule_name)


def _traced(
    metric: Rules, units: Sequence[tuple[Unit, Unit | None]], rule_name: str | None
) -> list[tuple[Any, ...]]:
    from graphscore.rules.facts import Unit as Sides
    from graphscore.rules.outcome import batch_of, trace

    sides = [
        Sides(
            [metric.prepare(graph) for graph in gold.graphs],
            [metric.prepare(graph) for graph in (system.graphs if system else ())],
        )
        for gold, system in units
    ]
    rows: list[tuple[Any, ...]] = []
    with metric.engines.engine() as engine:
        batch = batch_of(metric.rules, engine, sides)
        engine.run(batch)
        traces = list(trace(engine, batch))
    words: dict[tuple[str, str, int], Classified] = {
        (each.level, each.side, each.row): each for each in traces
    }
    for each in sorted(traces, key=lambda rule_trace: rule_trace.unit):
        if rule_name is not None and rule_name != each.name:
            continue
        other_side = "system" if each.side == "gold" else "gold"
        for number, step in enumerate(each.steps, 1):
            partner = words.get((each.level, other_side, step.other or 0))
            matched = _partner(partner) if partner else ""
            rows.append(
                (
                    *(units[each.unit][0].document, each.place.item, each.level),
                    *(each.side, each.type, each.text, each.place.start),
                    *(each.place.end, number, step.now, step.rule.name),
                    *(matched, step.rule.reason),
                )
            )
    return rows


def _partner(partner: Classified) -> str:
    """The words, type and characters of what a rule matched on the other side."""
    place = partner.place
    where = "" if place.start is None else f", {place.start}:{place.end}"
    return f"{partner.text} ({partner.type}{where})"


class Difference(NamedTuple):
    """Differences of two rule files on the same units."""

    spans: list[tuple[Any, ...]]
    """Those of other classes, as rows of :data:`CHANGED`."""
    scores: list[tuple[Any, ...]]
    """Those under both, by level, as rows of :data:`SCORED`."""
    columns: tuple[str, ...]
    """Columns of ``rules``."""
    rules: list[tuple[Any, ...]]
    """Change of F1 by each rule that differs."""

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON."""
        named = {
            "spans": (CHANGED, self.spans),
            "scores": (SCORED, self.scores),
            "rules": (self.columns, self.rules),
        }
        return {
            name: [dict(zip(columns, row, strict=True)) for row in rows]
            for name, (columns, rows) in named.items()
        }

    def tables(self) -> list[Table]:
        """The same as tables."""
        return [
            _shown("scores", SCORED, self.scores),
            _shown("what each rule changes of F1", self.columns, self.rules),
            _shown("spans", CHANGED, self.spans),
        ]


def difference(
    before: Rules,
    after: Rules,
    units: Sequence[tuple[Unit, Unit | None]],
    only_spans: bool = False,
) -> Difference:
    """Compare what two files of rules say of the same units.

    Args:
        before: some rules.
        after: others.
        units: gold and system.
        only_spans: whether scores and rules, which take longer, are left out.
    """
    from graphscore.rules.rule_diff import changes, level_counts, parts

    rules = before.rules, after.rules
    sides = [(gold.graphs, system.graphs if system else ()) for gold, system in units]
    spans = [
        (
            *(
                units[change.unit][0].document,
                change.place.item,
                change.level,
                change.side,
            ),
            *(change.type, change.text, change.place.start, change.place.end),
            *(
                change.before.name,
                change.after.name,
                change.before.rule,
                change.after.rule,
            ),
        )
        for change in changes(*rules, sides)
    ]
    if only_spans:
        return Difference(spans, [], (), [])
    old, new = (level_counts(rule, sides) for rule in rules)
    scores = [
        (level, *_ratios(old.get(level)), *_ratios(new.get(level)))
        for level in {**old, **new}
    ]
    differing = [
        (part.rule.name, part.what, part.rule.phase, part.spans, *part.gains.values())
        for part in parts(*rules, sides)
    ]
    columns = ("rule", "what", "phase", "spans", *after.rules.settings.levels)
    return Difference(spans, scores, columns, differing)


def _ratios(count: Count | None) -> tuple[float | None, ...]:
    if count is None:
        return (None, None, None)
    return count.precision, count.recall, count.f1


def _shown(
    title: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> Table:
    """A table in which numbers from 0 to 1 are shown as such."""
    numeric = [
        any(type(row[k]) in (int, float) for row in rows) for k in range(len(columns))
    ]
    heads = [
        Column(name, "ratio" if right else "name")
        for name, right in zip(columns, numeric, strict=True)
    ]
    return Table(heads, [*rows], title=title)
