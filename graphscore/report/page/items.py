"""Items with their pictures, scores and errors, and the list that leads to them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.drawing.styles import MEANINGS, Standing
from graphscore.drawing.svg import legend_at, shortened, written
from graphscore.evaluation.result import Result
from graphscore.exceptions import amount
from graphscore.model.outcome import Count
from graphscore.report.page.errors import error_lines, error_table, telling
from graphscore.report.page.fragments import element, folded, link, part, text
from graphscore.report.page.pictures import Form, Pictured, Placed, placed
from graphscore.report.page.report_data import Item, ReportData, UnitResult
from graphscore.report.side_by_side import ABSENT
from graphscore.report.text import Ratio, cell
from graphscore.statistics.changes import STATUSES, error_changes, identity

OPEN = 10
"""Items that are open at first."""

LENGTHY = 1000
"""Characters of a text from which on it is folded: pictures of documents have it."""

NAME = 24
"""Characters of an item's name in the list of items."""

ItemPlace = tuple[str, str, str, str, str, int]
"""Metric, framework, language, item, layer and the system's place."""

Identity = tuple[Any, ...]


class Moved(NamedTuple):
    """Changes of the errors of a unit of a system."""

    counts: Counter[str]
    """Against the first system: how many are fixed, broken and still there."""
    status: dict[Identity, str]
    """Status of each error, for the table of errors."""


Changed = Mapping[ItemPlace, Moved]


def changes_of(findings: ReportData) -> dict[ItemPlace, Moved]:
    """Count the errors that each system fixed and broke in each unit.

    Args:
        findings: nothing is told of them unless systems were compared.
    """
    changes: dict[ItemPlace, Moved] = {}
    if not findings.comparisons:
        return changes
    compared = {comparison.metric for comparison in findings.comparisons}
    first, *others = findings.read
    for index, results in enumerate(others, 1):
        for result in results:
            before = _by(result, first)
            if before is None or result.metric not in compared:
                continue
            languages = {
                (item.framework, item.item, item.layer): item.language
                for item in result.items
            }
            for error_change in error_changes(before, result):
                there = error_change.framework, error_change.item, error_change.layer
                key = (
                    *(str(result.metric), error_change.framework, languages[there]),
                    *(error_change.item, error_change.layer),
                )
                moved = changes.setdefault((*key, index), Moved(Counter(), {}))
                moved.counts[error_change.status] += error_change.errors
                known = identity(error_change.error)
                moved.status.setdefault(known, error_change.status)
                if len(others) == 1:
                    # Of two systems the first says, too, what the other fixed.
                    base = changes.setdefault((*key, 0), Moved(Counter(), {}))
                    base.status.setdefault(known, error_change.status)
    return changes


def _by(result: Result, results: Sequence[Result]) -> Result | None:
    return next((each for each in results if each.metric == result.metric), None)


def _place(seen: UnitResult) -> ItemPlace:
    each = seen.result
    return (
        *(str(seen.metric), each.framework, each.language, each.item, each.layer),
        seen.system,
    )


class Shown(NamedTuple):
    """Pictures and changes of an item to show."""

    pictures: Pictured
    form: Form
    changed: Changed
    places: int = 2


def item_section(
    item: Item, systems: Sequence[str], how: Shown, *, opened: bool = False
) -> str:
    """An item in all its frameworks.

    Args:
        item: it.
        systems: what they are called.
        how: its pictures, and what changed in it.
        opened: whether it is open at first.
    """
    put = placed(how.pictures, how.form)
    by: dict[str, list[tuple[int, UnitResult]]] = {}
    for number, seen in enumerate(item.seen):
        by.setdefault(seen.where, []).append((number, seen))
    frames = "".join(
        _framework(where, units, systems, how, put) for where, units in by.items()
    )
    score = "" if math.isnan(item.score) else cell(Ratio(item.score), how.places)
    size = f"{gold_size(item):g} in gold"
    summary = ", ".join(filter(None, (score, amount(item.errors, "error"), size)))
    moved = _moved(item.seen, how.changed)
    more = f", {text(moved)}" if moved else ""
    # Several systems stand beside each other.
    wide = " wide" if len(by) == 1 or len(systems) > 1 else ""
    state = " open" if opened else ""
    return (
        f'<section class="item" id="{item.id}" tabindex="-1" '
        f'aria-labelledby="{item.id}-h"><details{state}>'
        f'<summary><h3 id="{item.id}-h">{text(item.name)}</h3> '
        f'<span class="soft">{summary}{more}</span>{_telling(item, how)}</summary>'
        f"{text_part(item.text)}"
        f'<div class="sides{wide}">{frames}</div></details></section>'
    )


def gold_size(item: Item) -> float:
    """Return the size of gold: its tuples of each main type, by the first system.

    Args:
        item: in all its frameworks.
    """
    counts = (
        seen.metric.scores(seen.result.raw_counts).counts.get(seen.metric.main)
        for seen in item.seen
        if seen.system == item.seen[0].system
    )
    return math.fsum(count.gold for count in counts if count is not None)


def _telling(item: Item, how: Shown) -> str:
    """The most telling errors of an item, which are seen before it is opened."""
    lines = [
        line
        for seen, drawn in zip(item.seen, how.pictures.drawn, strict=True)
        for line in error_lines(seen.result.errors, drawn.gold, drawn.system)
    ]
    message = "; ".join(telling(lines))
    return f'<span class="telling">{text(message)}</span>' if message else ""


def text_part(words: str) -> str:
    """The text of an item; a long one is there when it is asked for.

    Args:
        words: they, at most so many that a page stays small.
    """
    if not words:
        return ""
    body = f'<p class="text">{text(words, 4000)}</p>'
    return body if len(words) <= LENGTHY else folded(f"{len(words):,} characters", body)


def _framework(
    where: str,
    units: Sequence[tuple[int, UnitResult]],
    systems: Sequence[str],
    how: Shown,
    put: Placed,
) -> str:
    """An item in one framework: every system and metric, below each other."""
    several = len({seen.system for _, seen in units}) > 1
    body = "".join(
        _unit(number, seen, systems[seen.system] if several else "", how, put)
        for number, seen in units
    )
    name = units[0][1].result.framework
    beside = f'<div class="systems">{body}</div>' if several else body
    wide = any(how.pictures.drawn[number].wide for number, _ in units)
    return (
        f'<div class="framework{" wide" if wide else ""}" '
        f'data-framework="{written(name)}">'
        f"<h4>{text(where)}</h4>{beside}</div>"
    )


def _unit(number: int, seen: UnitResult, system: str, how: Shown, put: Placed) -> str:
    metric, each = seen.metric, seen.result
    scores = metric.scores(each.raw_counts)
    value = "" if math.isnan(seen.value) else cell(Ratio(seen.value), how.places)
    parts = [f"{text(str(metric))} <b>{value}</b>" if value else text(str(metric))]
    count = scores.counts.get(metric.main)
    if count is not None:
        parts.append(text(counted(count, how.places)))
    if each.missing:
        parts.append(ABSENT)
    if not each.proven:
        parts.append("unproven")
    moved = how.changed.get(_place(seen))
    if moved and moved.counts:
        parts.append(f"<b>{text(_named(moved.counts))}</b>")
    head = f"<h5>{text(system)}</h5>" if system else ""
    drawn = how.pictures.drawn[number]
    status = (lambda error: moved.status.get(identity(error), "")) if moved else None
    table = error_table(each.errors, drawn.gold, drawn.system, status, count)
    body = f'{head}<p class="unit">{", ".join(parts)}</p>{put(number)}{table}'
    return f"<div>{body}</div>" if system else body


def counted(count: Count, places: int) -> str:
    """Describe the counts of a metric: ratios and amounts.

    Args:
        count: of its main tuple type.
        places: decimals of ratios.
    """
    if not (count.gold or count.system):
        return "nothing on either side"
    ratios = (
        f"{name} {cell(Ratio(value), places)}"
        for name, value in (("P", count.precision), ("R", count.recall))
    )
    amounts = f"{count.matched:g} of {count.gold:g} gold and {count.system:g} system"
    return ", ".join((*ratios, amounts))


def _named(changed: Mapping[str, int]) -> str:
    parts = (f"{changed[each]} {each}" for each in STATUSES if changed.get(each))
    return ", ".join(parts)


def _moved(units: Sequence[UnitResult], changed: Changed) -> str:
    total: Counter[str] = Counter()
    for seen in units:
        if moved := changed.get(_place(seen)):
            total.update(moved.counts)
    return _named({name: total[name] for name in ("fixed", "broken")})


def item_index(findings: ReportData) -> str:
    """Links to all items that are shown.

    Args:
        findings: what a report tells.
    """
    lines = []
    for item in findings.items:
        score = "" if math.isnan(item.score) else cell(Ratio(item.score), 1)
        name = shortened(item.name, NAME)
        lines.append(f"<li>{link(item.id, name)} <small>{score}</small></li>")
    return element("ol", "".join(lines), class_="index")


def items_part(
    findings: ReportData, sections: Sequence[str], forms: Sequence[Form], block: str
) -> str:
    """All items that are shown.

    Args:
        findings: what a report tells.
        sections: of each item.
        forms: how the pictures of each stand in the page.
        block: the pictures that are packed.
    """
    if not findings.items:
        return ""
    worst = findings.wanted.first is None
    order = "the worst first" if worst else "in the order of gold"
    count = (
        f"{len(findings.items)} of {amount(findings.of, 'item')}"
        if len(findings.items) < findings.of
        else amount(findings.of, "item")
    )
    bare = sum(form == "left out" for form in forms)
    left = (
        f"<p>The last {amount(bare, 'item')} have no pictures, for the page would be "
        "too large: show fewer, or one with <code>graphscore show</code>.</p>"
        if bare
        else ""
    )
    return part(
        "items",
        "Items",
        f"<p>{count}, {order}.  Beside each stands the mean of its scores.</p>{left}",
        f'<nav aria-label="items">{item_index(findings)}</nav>',
        *sections,
        block,
    )


def legend_part(standings: Sequence[Standing], fold: bool = False) -> str:
    """Return the legend of the marks in pictures.

    Args:
        standings: those that occur.
        fold: whether what matched is left out of large pictures.
    """
    lines = []
    for each in (name for name in MEANINGS if name in standings):
        drawn, wide = legend_at([each], 13)
        lines.append(
            f'<svg class="gs" width="{wide}" height="20" viewBox="0 0 {wide} 20" '
            f'role="img" aria-label="{MEANINGS[each]}">{drawn}</svg>'
        )
    if not lines:
        return ""
    left = (
        "  In large pictures what matched is folded, but for what stands beside an "
        "error."
        if fold
        else ""
    )
    return part(
        "legend",
        "Marks in pictures",
        f'<p class="legend">{"".join(lines)}</p>',
        "<p>Each mark has a shape and a line of its own beside its colour; what is "
        f"underlined did not match.  Pointing at a part marks its counterpart.{left}"
        "</p>",
    )
