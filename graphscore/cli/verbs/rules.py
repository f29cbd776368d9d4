"""``graphscore rules``: check, show and trace files of rules."""

from __future__ import annotations

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
from graphscore.cli.verb import FILE, Verb, keep_examples
from graphscore.errors import GraphscoreError, UsageError, meant

if TYPE_CHECKING:
    from graphscore.evaluation.units import Unit
    from graphscore.metrics.entities.rules import Rules
    from graphscore.report.text import Table
    from graphscore.rules.model import Rule
    from graphscore.rules.ruleset import RuleSet

COLUMNS = (
    *("name", "phase", "priority", "level", "over", "when", "unless", "from"),
    *("to", "cause", "reason", "file", "line"),
)

TRACED = (
    *("document", "level", "side", "type", "text", "step", "class", "rule"),
    *("matched", "reason"),
)


class _Group(click.Group):
    """A group whose examples keep their lines."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.help = keep_examples(self.help)


@click.group("rules", cls=_Group)
def command() -> None:
    """Check, show and trace files of rules, for the metric rules:FILE.

    Examples:
      graphscore rules check my.toml
      graphscore rules show
      graphscore rules trace my.toml gold.jsonl system.jsonl
    """


@command.command("check", cls=Verb)
@click.argument("file", type=FILE)
@output_options
def check(file: str, output: Output) -> None:
    """Check FILE and what it extends; report everything wrong with them.

    Exit code 0 if nothing is, 3 if something is, 2 if there is no such file.

    Example:
      graphscore rules check my.toml
    """
    from graphscore.rules.reading import rules_of

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
    from graphscore.rules.reading import rules_of

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
    from graphscore.evaluation.files import score_files
    from graphscore.metrics.entities.rules import Rules

    metric = Rules(file)
    units: list[tuple[Unit, Unit | None]] = []
    score_files(
        gold,
        system,
        [metric],
        scoring.options(reading),
        each=lambda _, one, two, __: units.append((one, two)),
    )
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


def _traced(
    metric: Rules, units: list[tuple[Unit, Unit | None]], given: str | None
) -> list[tuple[Any, ...]]:
    from graphscore.rules.facts import Unit as Sides
    from graphscore.rules.outcome import Classified, batch_of, trace

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
            matched = f"{partner.text} ({partner.type})" if partner else ""
            rows.append(
                (
                    *(units[each.unit][0].document, each.level, each.side),
                    *(each.type, each.text, number, step.now, step.rule.name),
                    *(matched, step.rule.reason),
                )
            )
    return rows


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
            for name, (treated, low) in found.treatments.items()
        },
        "rules": [
            dict(zip(COLUMNS, _row(rule), strict=True)) for rule in found.in_order()
        ],
    }
