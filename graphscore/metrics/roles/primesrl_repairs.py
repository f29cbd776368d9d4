"""Which errors of PriMeSRL are right with which.

A core argument is right under the right sense only, and R-X beside the right X.  So one
that is wrong for nothing but the sense is right as soon as that is, and any other only
counts as right once that is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from graphscore.metrics.roles.inventories import CORE
from graphscore.metrics.roles.labels import REFERRING, parted
from graphscore.metrics.roles.primesrl_rows import REFERENCE, SENSE
from graphscore.metrics.roles.repairs import replaced, with_predicates
from graphscore.model.outcome import Error


def with_senses(errors: Sequence[Error]) -> dict[int, list[int]]:
    """What is right as soon as the predicate, its sense or the X of R-X is.

    Args:
        errors: of one sentence, as PriMeSRL enters them.
    """
    found = with_predicates(errors)
    for number, others in awaited_senses(errors).items():
        if errors[number].name in (SENSE, REFERENCE):
            for other in others:
                found[other].append(number)
    return found


def awaited_senses(errors: Sequence[Error]) -> dict[int, list[int]]:
    """What must be right before an argument counts as right: the sense, the X of R-X.

    Args:
        errors: of one sentence, as PriMeSRL enters them.
    """
    senses: dict[int | None, list[int]] = defaultdict(list)
    labels: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    for number, error in enumerate(errors):
        if error.parent is None:
            continue
        if error.object == "edge":
            labels[error.parent, _label(error)].append(number)
        elif error.side == "missing" and error.system is not None:
            senses[error.parent].append(number)
    beside = replaced(errors)
    found: dict[int, list[int]] = {}
    for number, error in enumerate(errors):
        # What is surplus and in nobody's place only has to go.
        if error.object != "edge" or (error.side == "surplus" and number not in beside):
            continue
        others = senses[error.parent] if error.kind == CORE else []
        prefix, bare = parted(_label(error))
        if REFERRING in prefix and error.parent is not None:
            others = others + labels[error.parent, bare]
        if others:
            found[number] = others
    return found


def _label(error: Error) -> str:
    return str(error.label if error.compared is None else error.compared)
