"""``graphscore rules``: check, show and trace files of rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    output_options,
    sides_reading_options,
    work_options,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb, VerbGroup
from graphscore.errors import GraphscoreError, UsageError, meant

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.unit import Unit
    from graphscore.metrics.entities.rules import Rules
    from graphscore.model.outcome import Count
    from graphscore.report.text import Table
    from graphscore.rules.model import Rule
    from graphscore.rules.outcome import Classified
    from graphscore.rules.rule_diff import Part
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


@click.group("rules", cls=VerbGroup)
def command() -> None:
    """Check, show, trace and compare files of rules, for the metric rules:FILE.

    Examples:
      graphscore rules check my.toml
      graphscore rules show
      graphscore rules trace my.toml gold.jsonl system.jsonl
      graphscore rules diff default my.toml gold.jsonl system.jsonl
    """


@command.command("check", cls=Verb)
@click.argument("file", type=FILE)
@output_options
def check(file: str, output: Output) -> None:
    """Check FILE and what it extends; report everything wrong with them.

    Exit code 0 if nothing is wrong, 3 if something is, 2 if there is no such file.

    Example:
      graphscore rules check my.toml
    """
    from graphscore.rules.loader import rules_of

    found = rules_of(file)
    firing = found.in_order()
    said = {
        "file": file,
        "title": found.title,
        "files": list(found.files),
        "rules": len(firing),
        "left_out": len(found.rules) - len(firing),
        "digest": found.digest,
    }
    for each in output.audiences():
        if each.shape == "table":
            each.tables([_summed(found, file)])
        elif each.shape == "csv":
            each.rows(tuple(said), [tuple(map(str, said.values()))])
        elif each.shape == "jsonl":
            each.lines([said])
        else:
            each.value(said)


def _summed(found: RuleSet, file: str) -> Table:
    """How many rules there are, in a line."""
    from graphscore.report.text import Table

    firing = len(found.in_order())
    line = (
        f"{file}: {firing} rules in {len(found.phases)} phases, "
        f"{len(found.rules) - firing} left out; read from {', '.join(found.files)}"
    )
    return Table([], notes=[line])


@command.command("show", cls=Verb)
@click.argument("file", type=FILE, default="default")
@output_options
def show(file: str, output: Output) -> None:
    """The rules of FILE as they stand, in the order in which they fire.

    Without FILE those that are shipped.  What is extended, overridden and removed
    has been taken into account.

    Examples:
      graphscore rules show
      graphscore rules show my.toml --json
    """
    from graphscore.rules.loader import rules_of

    found = rules_of(file)
    rows = [_row(rule) for rule in found.in_order()]
    for each in output.audiences():
        if each.shape == "json":
            each.value(_described(found))
        elif each.shape == "table":
            shown = ("phase", "priority", "name", "level", "over", "from", "to", "when")
            places = [COLUMNS.index(name) for name in shown]
            each.rows(shown, [tuple(row[place] for place in places) for row in rows])
        else:
            each.rows(COLUMNS, rows)


@command.command("trace", cls=Verb)
@click.argument("file", type=FILE)
@click.argument("gold", type=FILE)
@click.argument("system", type=FILE)
@click.option("--only", "wanted", metavar="NAME", help="Only this document.")
@click.option(
    "--class", "given", metavar="NAME", help="Only spans of this class, at any level."
)
@work_options
@sides_reading_options
@output_options
def trace(
    file: str,
    gold: str,
    system: str,
    wanted: str | None,
    given: str | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Every span with its class, and which rules gave it that, one after the other.

    FILE is a file of rules, or default; GOLD and SYSTEM are as for score.

    Examples:
      graphscore rules trace default gold.jsonl system.jsonl
      graphscore rules trace my.toml gold.jsonl system.jsonl --class FP --csv
    """
    from graphscore.metrics.entities.rules import Rules

    metric = Rules(file)
    units = _units_of(metric, gold, system, scoring.options(reading))
    if wanted is not None:
        units = [pair for pair in units if pair[0].document == wanted]
        if not units:
            raise GraphscoreError(f"no document {wanted!r} in {gold}")
    known = metric.rules.treatments
    if given is not None and given not in known:
        raise UsageError(
            f"--class {given}{meant(given, known)}: there are {', '.join(known)}"
        )
    rows = [
        row for start in range(0, len(units), 64)
        for row in _traced(metric, units[start : start + 64], given)
    ]  # fmt: skip
    output.rows(TRACED, rows)


def _units_of(
    metric: Rules, gold: str, system: str, options: Options
) -> list[tuple[Unit, Unit | None]]:
    """The documents of two files, side by side."""
    from graphscore.evaluation.scoring import score_files

    units: list[tuple[Unit, Unit | None]] = []
    score_files(
        gold,
        system,
        [metric],
        options,
        listener=lambda _, one, two, __: units.append((one, two)),
    )
    return units


@command.command("diff", cls=Verb)
@click.argument("file", type=FILE, metavar="A")
@click.argument("other", type=FILE, metavar="B")
@click.argument("gold", type=FILE)
@click.argument("system", type=FILE)
@work_options
@sides_reading_options
@output_options
def diff(
    file: str,
    other: str,
    gold: str,
    system: str,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Which spans two files of rules, A and B, give different classes.

    Beside them the figures under both, and what each rule that differs changes of F1:
    that under B, minus that under B with this rule as in A.  --csv and --jsonl have the
    spans.

    Example:
      graphscore rules diff default my.toml gold.jsonl system.jsonl --table
    """
    from graphscore.metrics.entities.rules import Rules
    from graphscore.rules.rule_diff import changes, parts, scores

    one, two = Rules(file), Rules(other)
    units = _units_of(one, gold, system, scoring.options(reading))
    sides = [(a.graphs, b.graphs if b else ()) for a, b in units]
    rows = [
        (
            *(units[each.unit][0].document, each.place.item, each.level, each.side),
            *(each.type, each.text, each.place.start, each.place.end),
            *(each.before.name, each.after.name, each.before.rule, each.after.rule),
        )
        for each in changes(one.rules, two.rules, sides)
    ]
    if output.shape in ("csv", "jsonl") and output.summary is None:
        output.rows(CHANGED, rows)
        return
    before, after = scores(one.rules, sides), scores(two.rules, sides)
    figures = [
        (level, *_ratios(before.get(level)), *_ratios(after.get(level)))
        for level in {**before, **after}
    ]
    differing = [_worth(each) for each in parts(one.rules, two.rules, sides)]
    levels = tuple(two.rules.settings.levels)
    columns = ("rule", "what", "phase", "spans", *levels)
    for each in output.audiences():
        if each.shape == "table":
            each.tables(
                [
                    _shown("figures", SCORED, figures),
                    _shown("what each rule changes of F1", columns, differing),
                    _shown("spans", CHANGED, rows),
                ]
            )
        elif each.shape in ("csv", "jsonl"):
            each.rows(CHANGED, rows)
        else:
            each.value(
                {
                    "spans": [dict(zip(CHANGED, r, strict=True)) for r in rows],
                    "figures": [dict(zip(SCORED, r, strict=True)) for r in figures],
                    "rules": [dict(zip(columns, r, strict=True)) for r in differing],
                }
            )


def _worth(part: Part) -> tuple[Any, ...]:
    rule = part.rule
    return (rule.name, part.what, rule.phase, part.spans, *part.gains.values())


def _ratios(count: Count | None) -> tuple[float | None, ...]:
    if count is None:
        return (None, None, None)
    return count.precision, count.recall, count.f1


def _shown(
    title: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> Table:
    """A table in which numbers from 0 to 1 are shown as such."""
    from graphscore.report.text import Column, Ratio, Table

    numeric = [
        any(type(row[k]) in (int, float) for row in rows) for k in range(len(columns))
    ]
    shown = [
        tuple(Ratio(cell) if type(cell) is float else cell for cell in row)
        for row in rows
    ]
    heads = [Column(name, right) for name, right in zip(columns, numeric, strict=True)]
    return Table(heads, shown, title=title)


def _traced(
    metric: Rules, units: list[tuple[Unit, Unit | None]], given: str | None
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
    with metric.engine() as engine:
        batch = batch_of(metric.rules, engine, sides)
        engine.run(batch)
        found = list(trace(engine, batch))
    words: dict[tuple[str, str, int], Classified] = {
        (each.level, each.side, each.row): each for each in found
    }
    for each in sorted(found, key=lambda one: one.unit):
        if given is not None and given != each.name:
            continue
        other = "system" if each.side == "gold" else "gold"
        for number, step in enumerate(each.steps, 1):
            partner = words.get((each.level, other, step.other or 0))
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


def _row(rule: Rule) -> tuple[Any, ...]:
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


def _described(found: RuleSet) -> dict[str, Any]:
    settings = found.settings
    words = {
        name: {kind: sorted(listed) for kind, listed in getattr(settings, name).items()}
        for name in ("fuzzy_words", "stop_words", "hierarchy")
    }
    return {
        "title": found.title,
        "files": list(found.files),
        "phases": list(found.phases),
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
            for name, (treated, low, credit) in found.treatments.items()
        },
        "rules": [
            dict(zip(COLUMNS, _row(rule), strict=True)) for rule in found.in_order()
        ],
    }
