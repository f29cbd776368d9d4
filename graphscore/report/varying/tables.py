"""Tables of a sensitivity: systems, choices, and pairs that turn round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphscore.errors import amount
from graphscore.report.comparing import short_names
from graphscore.report.text import Column, Ratio, Table, one_line
from graphscore.statistics.varying.found import Sensitivity, Two
from graphscore.statistics.varying.working import told

SHOWN = 20
"""Pairs that a table lists."""

_NAMED = 14
"""Characters of a system's name."""

_CHOICE = 34
"""Characters of a choice."""


def sensitivity_tables(found: Sensitivity) -> Iterator[Table]:
    """What systems score, what each choice does, and which pairs turn round.

    Args:
        found: the sensitivity.
    """
    short = short_names(found.systems, _NAMED)
    yield _systems(found, short)
    yield _choices(found)
    yield _pairs(found, short)


def _systems(found: Sensitivity, short: Mapping[str, str]) -> Table:
    table = Table(
        [
            Column("system"),
            *(
                Column(each, True)
                for each in ("score", "rank", "least", "most", "ranks")
            ),
        ],
        title=f"ranking under other choices: {one_line(found.metric, 46)}",
        notes=[f"{found.kind} = {found.formula}", *told(found)],
    )
    if any(score > 1 for each in found.variants for score in each.scores):
        table.notes.append("above 100: under n:n all pairs count, on either side")
    ranks = [each.ranks for each in found.variants]
    for k, name in enumerate(found.systems):
        scores = [each.scores[k] for each in found.variants]
        mine = sorted({each[k] for each in ranks})
        every = f"{mine[0]}" if len(mine) == 1 else f"{mine[0]}-{mine[-1]}"
        table.rows.append(
            (
                short[name],
                Ratio(found.written.scores[k]),
                ranks[0][k],
                Ratio(min(scores)),
                Ratio(max(scores)),
                every,
            )
        )
    return table


def _choices(found: Sensitivity) -> Table:
    table = Table(
        [
            *(Column(each) for each in ("choice", "written", "instead")),
            *(Column(each, True) for each in ("reverses", "ties", "turned", "of")),
        ],
        title="choices: pairs that each reverses or ties alone; formulas it turns",
    )
    before = None
    for each in found.effects:
        choice = each.choice
        first = choice != before
        before = choice
        table.rows.append(
            (
                one_line(choice.said, _CHOICE) if first else None,
                choice.written if first else None,
                each.value,
                len(each.reversed),
                len(each.tied),
                each.turned,
                each.of,
            )
        )
    return table


def _pairs(found: Sensitivity, short: Mapping[str, str]) -> Table:
    unstable = found.unstable
    table = Table(
        [
            *(Column(each) for each in ("better", "worse")),
            *(Column(each, True) for each in ("reversed", "tied")),
            Column("reversed by, alone"),
        ],
        title=f"pairs that are not always in this order: {len(unstable)} of "
        f"{len(found.pairs)}, under {amount(len(found.variants), 'variant')}",
    )
    for each in unstable[:SHOWN]:
        names = each.better, each.worse
        by = _reversing(found, names) or ["(only together)" if each.reversed else ""]
        for k, one in enumerate(by):
            cells = (
                (short[each.better], short[each.worse], each.reversed, each.tied)
                if k == 0
                else (None,) * 4
            )
            table.rows.append((*cells, one_line(one, _CHOICE)))
    if not unstable:
        table.columns = []
    if len(unstable) > SHOWN:
        table.notes.append(f"and {amount(len(unstable) - SHOWN, 'more pair')}")
    equal = len(found.systems) * (len(found.systems) - 1) // 2 - len(found.pairs)
    if equal:
        table.notes.append(
            f"{amount(equal, 'pair')} with equal scores under the formula as written"
        )
    return table


def _reversing(found: Sensitivity, pair: Two) -> list[str]:
    """The other choices that alone turn a pair round."""
    return [
        f"{each.choice.said}: {each.value}"
        for each in found.effects
        if pair in each.reversed
    ]
