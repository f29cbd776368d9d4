"""Which result every gold unit of an evaluation has, and what of gold it is for.

A result is found again by the fingerprints of both sides, so two evaluations that have
the same result of a unit were given the same graphs: nothing was compared again.
"""

from __future__ import annotations

from typing import NamedTuple

from graphscore.store import schema
from graphscore.store.damage import checked
from graphscore.store.reading.frequent import Ask
from graphscore.store.reading.literals import literal


class Fingerprint(NamedTuple):
    """What a gold unit was when it was scored."""

    gold: bytes
    """Of all that scoring can see of its graphs; equal where those are."""
    result: int
    """Id of the result, which other evaluations may have too."""


UnitName = tuple[str, str, str, str]
"""Framework, language, layer and item (or document)."""

_p, _r = schema.pair.c, schema.result.c

_COLUMNS = (_p.framework, _p.language, _p.layer, _p.item, _r.gold, _r.id)


def fingerprints(
    ask: Ask, gold: str, system: str, metric: str
) -> dict[UnitName, Fingerprint]:
    """Fingerprints of the gold units of an evaluation.

    Args:
        ask: runs SQL on the store.
        gold: name of the gold collection.
        system: name of the system collection.
        metric: canonical string of the metric.

    Returns:
        By unit, in gold order; nothing where there is no such evaluation.
    """
    rows = checked(ask(_sql(gold, system, metric))[1], _COLUMNS, key=4)
    return {tuple(row[:4]): Fingerprint(*row[4:]) for row in rows}


def _sql(gold: str, system: str, metric: str) -> str:
    return (
        "select p.framework, p.language, p.layer, p.item, r.gold, r.id\n"
        "from evaluation e join collection g on g.id = e.gold\n"
        "  join collection s on s.id = e.system\n"
        "  join pair p on p.evaluation = e.id join result r on r.id = p.result\n"
        f"where g.name = {literal(gold)} and s.name = {literal(system)}\n"
        f"  and e.metric = {literal(metric)}\n"
        "order by p.seq"
    )
