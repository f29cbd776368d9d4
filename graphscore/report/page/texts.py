"""The report as Markdown: the same parts, and items as ``show`` prints them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from graphscore.evaluation.messages import merge_notes
from graphscore.exceptions import amount
from graphscore.report.error_tables import whatif_tables
from graphscore.report.markdown import escaped, listing, markdown
from graphscore.report.page.comparison import versus_tables
from graphscore.report.page.confusions import HeatMap, heat_maps
from graphscore.report.page.error_impact import TOP as CLASSES
from graphscore.report.page.error_impact import gains_of
from graphscore.report.page.errors import TOP
from graphscore.report.page.report_data import Item, ReportData
from graphscore.report.table import Column, Ratio, Table, as_table, cell, columns_of
from graphscore.report.tables import (
    further_tables,
    group_table,
    heading,
    tuple_type_table,
)


def report_text(findings: ReportData) -> str:
    """A report as Markdown.

    Args:
        findings: what it tells.

    Returns:
        The text of the file, the same for the same findings.
    """
    parts = [f"# {escaped(findings.title)}\n"]
    notes = merge_notes([result for _, result in findings.every])
    if notes:
        parts.append("".join(f"- {escaped(note)}\n" for note in notes))
    sections = (
        ("Scores", _scores(findings)),
        ("Comparison", versus_tables(findings)),
        ("Confusions", _confusions(findings)),
        ("Most frequent errors", _errors(findings)),
        ("What would be gained", _gains(findings)),
    )
    for title, tables in sections:
        body = markdown(tables, findings.places)
        if body:
            parts += [f"## {title}\n", body]
    if findings.items:
        parts.append("## Items\n")
        worst = "" if findings.wanted.first is not None else ", the worst first"
        shown = len(findings.items)
        parts.append(f"{shown} of {amount(findings.of, 'item')}{worst}.\n")
        parts += [part for item in findings.items for part in _item(findings, item)]
    parts.append("## How to make it again\n")
    if findings.command:
        command = findings.command.replace("--html report.html", "--markdown report.md")
        parts.append(listing(command))
    signatures = dict.fromkeys(result.signature for _, result in findings.every)
    parts += [listing(signature) for signature in signatures if signature]
    return "\n".join(parts)


def _scores(findings: ReportData) -> Iterator[Table]:
    for _, result in findings.every:
        table = group_table(result, ("framework",))
        table.title = heading(result)
        yield table
        tuple_types = tuple_type_table(result, ("tuple_type",))
        tuple_types.title = "by tuple type"
        yield tuple_types
        yield from further_tables(result)
    for column, results in findings.slices.items():
        for result in results:
            table = group_table(result, (column,))
            table.title = f"{result.metric} by {column}"
            yield table


def _confusions(findings: ReportData) -> Iterator[Table]:
    for place, result in findings.every:
        for heat in heat_maps(result.confusions):
            yield _map(heat, findings.systems[place])


def _map(heat: HeatMap, system: str) -> Table:
    heads = [Column("gold \\ system"), *columns_of("count", *heat.systems)]
    table = Table(heads, title=f"{system}: {heat.title}, {heat.times} confusions")
    for gold in heat.golds:
        counts = (heat.counts.get((gold, value)) for value in heat.systems)
        table.rows.append((gold, *counts))
    return table


def _errors(findings: ReportData) -> Iterator[Table]:
    for _, result in findings.every:
        frequent = result.errors.frequent(top=TOP)
        if frequent.rows:
            table = as_table(frequent.columns, frequent.rows)
            number = amount(len(result.errors), "error")
            table.title = f"{result.system}: {result.metric}: {number}"
            yield table


def _gains(findings: ReportData) -> Iterator[Table]:
    for _, result in findings.every:
        gains = gains_of(result)
        if isinstance(gains, str):
            yield Table([], title=gains)
        else:
            yield from whatif_tables(gains, CLASSES)


def _item(findings: ReportData, item: Item) -> Iterator[str]:
    """An item under its heading, one metric and framework after the other."""
    known = not math.isnan(item.score)
    score = f": {cell(Ratio(item.score), findings.places)}" if known else ""
    yield f"### {escaped(item.name)}{score}\n"
    for seen in item.seen:
        pair = seen.pair(findings.budget)
        if pair is None:
            continue
        if findings.several:
            yield f"#### {escaped(findings.systems[seen.system])}\n"
        yield markdown(pair.tables(), findings.places)
