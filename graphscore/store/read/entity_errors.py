"""Documents with entities that were divided, conflated, missing or spurious.

Errors of coreference are mentions; what became of entities, whose mentions may all
be right, is in a view of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from graphscore.store.read.frequent import Ask, where

COLUMNS = ("framework", "language", "document", "item", "layer")
"""Columns that locate the entities."""

ERRORS = ("divided", "conflated", "missing", "extra")
"""Error types of entities."""


class EntityErrors(NamedTuple):
    """Entity errors of each document, and the SQL that counts them."""

    rows: list[tuple[Any, ...]]
    """A cell for each of :data:`COLUMNS` and :data:`ERRORS`."""
    sql: str
    """The statement."""


def entity_errors(
    ask: Ask, filters: Mapping[str, str | None], top: int = 20
) -> EntityErrors:
    """Count entities that are wrong, by document.

    Args:
        ask: runs SQL on the store.
        filters: values of columns of ``v_entity_errors``: ``gold``, ``system``,
            ``metric`` and filters; ``None`` filters nothing.
        top: how many documents.

    Returns:
        Documents with entities that are *divided* among several of the system, system
        entities that *conflate* several, entities of which no mention was found, and
        such that were made up; most errors first.
    """
    # Of an entity that is divided there is a row for each part.
    counted = (
        ("divided", "gold_ordinal", "error = 'divided'"),
        ("conflated", "system_ordinal", "error = 'conflated'"),
        ("missing", "gold_ordinal", "error = 'missing' and parts = 0"),
        ("extra", "system_ordinal", "error = 'extra' and parts = 0"),
    )
    counts = ",\n  ".join(
        f"count(distinct case when {condition} then {which} end) as {name}"
        for name, which, condition in counted
    )
    units = ", ".join(COLUMNS)
    inner = (
        f"select {units},\n  {counts}\nfrom v_entity_errors{where(filters)}\n"
        f"group by {units}"
    )
    total = " + ".join(ERRORS)
    sql = (
        f"select * from (\n{inner}\n) counted\nwhere {total} > 0\n"
        f"order by {total} desc, {units}\nlimit {top:d}"
    )
    return EntityErrors([tuple(row) for row in ask(sql)[1]], sql)
