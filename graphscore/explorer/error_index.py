"""Index of the errors of labels and values, in memory.

Errors are kept by item.  Those of a rare label are found by going through all of
them, which takes a quarter of a second where there are a million; so the numbers of
labels and values of an evaluation are read once, ahead, and looked through there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.explorer.queries import Hits, Known, query
from graphscore.explorer.reader import ITEMS, Reader
from graphscore.store.evaluations import Evaluation

MOST = 5_000
"""Hits that are named in a statement; of more it finds enough by itself soon."""

_READ = 50_000
"""Rows that are read together."""

Column = npt.NDArray[np.int32]


class ErrorIndex(NamedTuple):
    """Every error of an evaluation, in the order of items."""

    unit: Column
    error: Column
    label: Column
    value: Column


def places_of(reader: Reader, made: Evaluation) -> ErrorIndex:
    """Every error of an evaluation, with the numbers of its label and value.

    Args:
        reader: the store.
        made: the evaluation.
    """
    sql = query("error_index", evaluation=made.id)

    def read() -> ErrorIndex:
        pieces = [np.empty((0, 4), np.int32)]
        rows = reader.stream(sql, ITEMS)
        next(rows)
        some: list[tuple[Any, ...]] = []
        for row in rows:
            some.append(row)
            if len(some) == _READ:
                pieces.append(np.array(some, np.int32))
                some = []
        if some:
            pieces.append(np.array(some, np.int32))
        columns = np.concatenate(pieces).T
        return ErrorIndex(*(np.ascontiguousarray(column) for column in columns))

    return reader.kept(_key(made), read, "whole")


def _key(made: Evaluation) -> tuple[str, int]:
    return "places", made.id


def hits_of(reader: Reader, made: Evaluation, filters: Known) -> Hits | None:
    """The errors that have a label or value, before anything else is asked of them.

    Args:
        reader: the store.
        made: the evaluation.
        filters: filters; labels and values by their numbers.

    Returns:
        Their places in order; ``None`` where they are not known, or too many to name.
    """
    label, value = filters.get("label"), filters.get("value")
    if not (isinstance(label, tuple) or isinstance(value, tuple)):
        return None
    if not reader.knows(_key(made), "whole"):
        return None
    places = places_of(reader, made)
    ones = np.ones(len(places.unit), bool)
    for column, numbers in ((places.label, label), (places.value, value)):
        if isinstance(numbers, tuple):
            ones &= np.isin(column, np.array(numbers, np.int32))
    where = np.flatnonzero(ones)
    if len(where) > MOST:
        return None
    return [
        *zip(places.unit[where].tolist(), places.error[where].tolist(), strict=True)
    ]
