"""From rows back to what a metric said of a pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from graphscore.model.outcome import Error, Match, Outcome, RawCounts
from graphscore.store import schema
from graphscore.store.integrity import checked
from graphscore.store.symbols import SymbolValues
from graphscore.store.write.rows import SQL_VALUES, batched, rows_of


def load_outcomes(connection: Connection, ids: Iterable[int]) -> dict[int, Outcome]:
    """Results as the metric gave them.

    Args:
        connection: an open store.
        ids: ids of results, in any number and order.

    Returns:
        Outcomes by id, in the order asked for, with raw counts, matches and errors;
        ids that are not there are left out.
    """
    result: dict[int, Outcome] = {}
    for chunk in batched(dict.fromkeys(ids), SQL_VALUES):
        outcomes = _load_chunk(connection, chunk)
        result.update((id, outcomes[id]) for id in chunk if id in outcomes)
    return result


def _load_chunk(connection: Connection, ids: Sequence[int]) -> dict[int, Outcome]:
    symbols = SymbolValues.of(connection)
    raw_counts: defaultdict[int, RawCounts] = defaultdict(dict)
    for number, tuple_type, label, quantity, value in rows_of(
        connection, schema.raw_count, "result", ids
    ):
        raw_counts[number][tuple_type, label, quantity] = value
    matches: defaultdict[int, list[Match]] = defaultdict(list)
    for number, _, parent, level, object_, gold, system, credit in rows_of(
        connection, schema.correspondence, "result", ids
    ):
        matches[number].append(Match(object_, gold, system, credit, parent, level))
    errors: defaultdict[int, list[Error]] = defaultdict(list)
    for (
        number,
        _,
        parent,
        error_type,
        tuple_type,
        object_,
        gold,
        system,
        label,
        name,
        value,
        compared,
        reason,
        credit,
    ) in rows_of(connection, schema.error, "result", ids):
        errors[number].append(
            Error(
                error_type,
                tuple_type,
                object_,
                gold,
                system,
                symbols[label],
                symbols[name] or "",
                symbols[value],
                symbols[compared],
                reason,
                credit,
                parent,
            )
        )
    result = schema.result
    columns = (
        *(result.c.id, result.c.score, result.c.bound),
        *(result.c.proven, result.c.steps, result.c.method),
    )
    heads = checked(
        connection.execute(select(*columns).where(result.c.id.in_(ids))), columns
    )
    return {
        number: Outcome(
            raw_counts[number],
            score,
            bound,
            proven,
            steps,
            method,
            tuple(matches[number]),
            tuple(errors[number]),
        )
        for number, score, bound, proven, steps, method in heads
    }
