"""Cost of errors in entity trees, and errors that are corrected together.

What a pair of entities costs is a sum, of what is wrong with the entity and of what is
wrong with its children, by how many there are in gold: so each error has a share.
An entity that is put in comes without children, and costs what these do::

    alone      a deletion, or an insertion
    put in     alpha * deletion, as all of its children are missing
    a child    alpha * cost / children in gold, of the pair that it is part of

Children of entities that are alone follow the row of theirs.

>>> from graphscore.model.outcome_builder import error_of
>>> tuple_types = ENTITIES, COMPONENTS
>>> entailed_in_trees(
...     [error_of("missing", name, k) for k, name in enumerate(tuple_types)])
{1: [0]}
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from graphscore.metrics.corrections import confused
from graphscore.metrics.entities.slot_scores import (
    COST,
    DELETIONS,
    INSERTIONS,
    PARTS,
    ROOT,
)
from graphscore.metrics.entities.slots import COMPONENTS, ENTITIES
from graphscore.model.outcome import CountKey, Error, Match, RawCounts

if TYPE_CHECKING:
    from graphscore.metrics.entities.eter import Eter


def owners_of(errors: Sequence[Error]) -> dict[int, int]:
    """The entity of each child of one that is alone, by numbers of errors.

    Args:
        errors: of one unit.
    """
    owners: dict[int, int] = {}
    last: dict[str, int] = {}
    for number, error in enumerate(errors):
        if error.tuple_type == ENTITIES:
            last[error.error_type] = number
        elif error.parent is None:
            owners[number] = last[error.error_type]
    return owners


def slot_repaired(error: Error) -> RawCounts:
    """Return the change of a tuple type's slot counts once one error is corrected.

    What was left alone is no deletion or insertion then, and a pair costs nothing in
    any respect.  Rates of labels are not known: of two types, one is in them.

    Args:
        error: any error of slots.
    """
    tuple_type, spurious = error.tuple_type, error.error_type == "spurious"
    raw_counts: RawCounts = {(tuple_type, "", "system"): -1 if spurious else 1}
    if not spurious:
        raw_counts[tuple_type, "", "matched"] = 1
    if (error.gold if spurious else error.system) is None:
        raw_counts[tuple_type, "", INSERTIONS if spurious else DELETIONS] = -1
    elif not spurious:
        raw_counts[tuple_type, "", COST] = error.credit - 1
        for aspect in error.name.split(" and "):
            raw_counts[tuple_type, "", aspect] = -1
    return raw_counts


def tree_repaired(error: Error) -> RawCounts:
    """Return the counts that a corrected error changes; its entity tells the amounts.

    Args:
        error: any error of trees.
    """
    result = slot_repaired(error)
    none: RawCounts = {(ENTITIES, "", quantity): 0 for quantity in (COST, ROOT, PARTS)}
    return none | result


def tree_repairs(
    errors: Sequence[Error], matches: Sequence[Match], costs: Eter
) -> list[Mapping[CountKey, int | float]]:
    """Return the change of raw counts for each of several errors if corrected.

    Args:
        errors: of one unit.
        matches: likewise.
        costs: says what errors cost.
    """
    owners = owners_of(errors)
    children = Counter(match.parent for match in matches if match.parent is not None)
    below: dict[int | None, float] = defaultdict(float)
    alone = Counter(
        owner
        for number, owner in owners.items()
        if errors[number].error_type == "missing"
    )
    for error in errors:
        if error.tuple_type == COMPONENTS and error.parent is not None:
            below[error.parent] += _cost(error, costs)
            children[error.parent] += (
                error.error_type == "missing" and error.system is None
            )
    pairs = {
        (match.gold, match.system): number
        for number, match in enumerate(matches)
        if match.parent is None
    }
    result: list[Mapping[CountKey, int | float]] = []
    for number, error in enumerate(errors):
        raw_counts = slot_repaired(error)
        if error.tuple_type == COMPONENTS:
            share = 0.0
            if error.parent is not None:
                share = _cost(error, costs) / (children[error.parent] or 1)
            elif error.error_type == "missing":
                share = costs.deletion / alone[owners[number]]
            raw_counts[ENTITIES, "", COST] = -costs.alpha * share
            raw_counts[ENTITIES, "", PARTS] = -share
        elif not _is_pair(error):
            if alone[number]:
                raw_counts[ENTITIES, "", COST] = costs.alpha * costs.deletion
                raw_counts[ENTITIES, "", PARTS] = costs.deletion
        elif error.error_type == "missing":
            pair = pairs[_ends(error)]
            inside = costs.alpha * below[pair] / (children[pair] or 1)
            own = 1 - error.credit - inside
            raw_counts[ENTITIES, "", COST] = -own
            if costs.alpha < 1:
                raw_counts[ENTITIES, "", ROOT] = -own / (1 - costs.alpha)
        result.append(raw_counts)
    return result


def _cost(error: Error, costs: Eter) -> float:
    """Return the cost of a child's error; in a pair the spurious side costs nothing."""
    if error.error_type == "missing":
        return costs.deletion if error.system is None else 1 - error.credit
    return costs.insertion if error.gold is None else 0.0


def entailed_in_trees(errors: Sequence[Error]) -> dict[int, list[int]]:
    """Map each error to the errors that are corrected with it.

    A nested entity is an entity, and a child of another: its type and boundary are
    right as both or as neither, also where a component stands in its place, or it in
    that of one.  One that is missing is put in where it belongs, if what it is inside
    of is there, and one that is spurious is nobody's child any more.  A child that is
    missing brings its entity along, and an entity that is spurious takes its children
    with it.

    Args:
        errors: of one unit.
    """
    result = defaultdict(list, confused(errors))
    owners = owners_of(errors)
    entities = {
        (error.error_type, _own(error)): number
        for number, error in enumerate(errors)
        if error.tuple_type == ENTITIES
    }
    for number, error in enumerate(errors):
        if error.tuple_type == ENTITIES:
            continue
        missing, owner = error.error_type == "missing", owners.get(number)
        if owner is not None:
            first, second = (number, owner) if missing else (owner, number)
            result[first].append(second)
        itself = entities.get((error.error_type, _own(error)))
        if itself is None:
            continue
        alone = not _is_pair(errors[itself])
        if _is_pair(error):
            up = down = alone or _ends(errors[itself]) == _ends(error)
        else:
            # What is at another place, or in none, is put in as gold has it.
            up, down = missing, alone and (owner is None or not missing)
        result[number] += [itself] if up else []
        result[itself] += [number] if down else []
    return dict(result)


def _own(error: Error) -> int | None:
    """The ordinal of what an error is of, on its own side."""
    return error.system if error.error_type == "spurious" else error.gold


def _ends(error: Error) -> tuple[int | None, int | None]:
    return error.gold, error.system


def _is_pair(error: Error) -> bool:
    return None not in _ends(error)
