"""``graphscore rules``: check, show and trace files of rules."""

from __future__ import annotations

import click

from graphscore.cli.command import FILE, Command, SubcommandGroup
from graphscore.cli.options import (
    ReaderArguments,
    ScoringOptions,
    output_options,
    sides_reading_options,
    work_options,
)
from graphscore.cli.output import Output


@click.group("rules", cls=SubcommandGroup)
def command() -> None:
    """Check, show and trace rule files.

    Examples:
      graphscore rules check my.toml
      graphscore rules show
      graphscore rules trace my.toml gold.jsonl system.jsonl
      graphscore rules diff default my.toml gold.jsonl system.jsonl
    """


@command.command("check", cls=Command)
@click.argument("file", type=FILE)
@output_options
def check(file: str, output: Output) -> None:
    """Check a rule file and the files it extends.

    Reports every problem.  Exit code 0 if there is none, 3 if there is one, 2 if FILE
    does not exist.

    Example:
      graphscore rules check my.toml
    """
    from graphscore.report.rules import summary, summary_table
    from graphscore.rules.loader import rules_of

    rules = rules_of(file)
    counts = summary(rules, file)
    output.show(
        tables=lambda _: [summary_table(rules, file)],
        rows=lambda: (tuple(counts), [tuple(map(str, counts.values()))]),
        lines=lambda: [counts],
        value=lambda: counts,
    )


@command.command("show", cls=Command)
@click.argument("file", type=FILE, default="default")
@output_options
def show(file: str, output: Output) -> None:
    """List rules in the order in which they fire.

    FILE defaults to the rules that graphscore brings.  The list is what remains after
    rules are extended, overridden and removed.

    Examples:
      graphscore rules show
      graphscore rules show my.toml --json
    """
    from graphscore.report.rules import COLUMNS, described, rule_row, rule_table
    from graphscore.rules.loader import rules_of

    rules = rules_of(file)
    output.show(
        tables=lambda _: [rule_table(rules)],
        rows=lambda: (COLUMNS, map(rule_row, rules.in_order())),
        value=lambda: described(rules),
    )


@command.command("trace", cls=Command)
@click.argument("file", type=FILE)
@click.argument("gold", type=FILE)
@click.argument("system", type=FILE)
@click.option("--only", "name", metavar="NAME", help="Include only this document.")
@click.option(
    "--class", "class_name", metavar="NAME", help="Include only spans of this class."
)
@work_options
@sides_reading_options
@output_options
def trace(
    file: str,
    gold: str,
    system: str,
    name: str | None,
    class_name: str | None,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Show the class of each span and the rules behind it.

    FILE is a rule file or default; GOLD and SYSTEM are as for score.

    Examples:
      graphscore rules trace default gold.jsonl system.jsonl
      graphscore rules trace my.toml gold.jsonl system.jsonl --class FP --csv
    """
    from graphscore.metrics.entities.rules import Rules
    from graphscore.report.rules import TRACED, traced, units_of

    metric = Rules(file)
    units = units_of(metric, gold, system, scoring.options(reading), name)
    output.rows(TRACED, [*traced(metric, units, class_name)])


@command.command("diff", cls=Command)
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
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Compare the classes and scores under two rule files.

    Lists spans that rule files A and B classify differently, the scores under both,
    and the change of F1 by each rule that differs: the score under B minus the score
    under B with this rule as in A.  --csv and --jsonl print the spans only.

    Example:
      graphscore rules diff default my.toml gold.jsonl system.jsonl --table
    """
    from graphscore.metrics.entities.rules import Rules
    from graphscore.report.rules import CHANGED, difference, units_of

    metrics = Rules(file), Rules(other)
    units = units_of(metrics[0], gold, system, scoring.options(reading))
    only_spans = output.shape in ("csv", "jsonl") and output.summary is None
    differences = difference(*metrics, units, only_spans)
    output.show(
        tables=lambda _: differences.tables(),
        rows=lambda: (CHANGED, differences.spans),
        value=differences.to_dict,
    )
