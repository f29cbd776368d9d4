"""Results that add up to one, as if everything had been scored at once.

>>> from graphscore import score
>>> first = score([["B-PER", "O"]], [["B-PER", "O"]], "ner")
>>> second = score([["B-LOC", "O"]], [["O", "O"]], "ner")
>>> [(item.item, item.missing) for item in (first + second).per_item]
[('0', False), ('1', False)]
>>> (first + second).recall
0.5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING

from msgspec.structs import replace

from graphscore.evaluation.options import proven_of
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import UsageError, truncate
from graphscore.model.outcome import ExactCounts

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result

_OF_UNITS = ("proven", "gold", "system")
"""Fields of a signature that say which units were scored, not how."""


def add_up(results: Iterable[Result]) -> Result:
    """Add results of other units by one metric, scored in one way.

    Items that have numbers instead of ids go on counting.

    Args:
        results: at least one.

    Returns:
        What one call over all of their units gives.

    Raises:
        UsageError: if they differ in metric or settings, have an item in common, or
            are made of something that cannot be added, such as intervals.
    """
    total: Result | None = None
    for result in results:
        if total is None:
            total = copy_result(result)
        else:
            absorb(total, result)
    if total is None:
        raise UsageError("nothing to add: give at least one result")
    return total


def copy_result(result: Result) -> Result:
    """Return a result that may be added to, without changing the given one.

    Args:
        result: any that adds up.

    Raises:
        UsageError: if it is made of something that cannot be added.
    """
    _refuse_unaddable(result)
    total = copy(result)
    total.__dict__ |= result.__getstate__()
    total.raw_counts = {
        key: ExactCounts([raw_counts]) for key, raw_counts in result.raw_counts.items()
    }
    total.items = [*result.items]
    for name in ("spurious_system", "rejected", "notes"):
        setattr(total, name, [*getattr(result, name)])
    return total


def absorb(total: Result, addend: Result) -> None:
    """Add a result of other units to one that nobody else holds.

    Args:
        total: it is changed.
        addend: of the same metric and settings.

    Raises:
        UsageError: as :func:`add_up`; nothing has changed then.
    """
    _refuse_unaddable(addend)
    if total.metric != addend.metric:
        raise UsageError(
            f"results of {total.metric} and {addend.metric} do not add up: "
            "expected one metric"
        )
    settings, others = _settings(total.signature), _settings(addend.signature)
    differing = sorted(
        name for name in settings | others if settings.get(name) != others.get(name)
    )
    if differing:
        name = differing[0]
        raise UsageError(
            f"results differ in {name}: {settings.get(name, 'nothing')} and "
            f"{others.get(name, 'nothing')}; expected the same settings"
        )
    whole = all(result.items or not result.pairs for result in (total, addend))
    items = [*total.items, *_renumber(total.items, addend.items)] if whole else []
    notes = dict.fromkeys(total.notes)
    for note in total.remarks():
        notes.pop(note, None)
    remarks = set(addend.remarks())
    notes |= dict.fromkeys(note for note in addend.notes if note not in remarks)
    total.merge(addend)
    total.items = items
    total.spurious_system += addend.spurious_system
    total.rejected += addend.rejected
    total.rejected_records += addend.rejected_records
    total.left_out += addend.left_out
    total.reused += addend.reused
    total.gold = _join_names(total.gold, addend.gold)
    total.system = _join_names(total.system, addend.system)
    frameworks = {*total.scope.frameworks, *addend.scope.frameworks}
    total.scope = replace(total.scope, frameworks=tuple(sorted(frameworks)))
    total.signature = _sum_signature(total, addend.signature)
    total.notes = [*notes, *total.remarks()]


def _refuse_unaddable(result: Result) -> None:
    for value, what in (
        (result.runs, "several runs: score over all units at once"),
        (result.intervals, "intervals: add up first, then draw"),
        (result.references, "several references: score over all units at once"),
        (result.restriction, "a pattern: score over all units at once"),
    ):
        if value:
            raise UsageError(f"results do not add up that have {what}")


def _fields(signature: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in signature.split("|"))
    return {name: value for name, _, value in pairs}


def _settings(signature: str) -> dict[str, str]:
    """Return the fields of a signature that say how was scored."""
    fields = _fields(signature)
    return {name: fields[name] for name in fields if name not in _OF_UNITS}


def _sum_signature(total: Result, added: str) -> str:
    """The signature of a sum; fingerprints are sums of those of units."""
    signature, more = total.signature, _fields(added)
    for name in ("gold", "system"):
        fingerprint = _fields(signature)[name]
        summed = (int(fingerprint, 16) + int(more[name], 16)) % (1 << 64)
        signature = signature.replace(
            f"|{name}:{fingerprint}", f"|{name}:{summed:016x}"
        )
    return proven_of(signature, f"{total.proven}/{total.pairs}")


def _join_names(name: str, added: str) -> str:
    return name if added in name.split(" + ") else f"{name} + {added}"


def _renumber(
    before: Sequence[ItemResult], items: Sequence[ItemResult]
) -> list[ItemResult]:
    """Items that go on counting where all have numbers from 0 instead of ids.

    Raises:
        UsageError: if both have an item, by its id.
    """
    known = {_identity(item) for item in before}
    if not any(_identity(item) in known for item in items):
        return [*items]
    amounts = Counter(_side_of(item) for item in before)
    numbered = _are_numbered(before) and _are_numbered(items)
    renumbered = []
    for item in items:
        if not numbered and _identity(item) in known:
            raise UsageError(
                f"item {truncate(repr(item.item))} is in two results: expected each "
                "item once"
            )
        if numbered:
            name = str(amounts[_side_of(item)] + int(item.item))
            parts = tuple(
                part._replace(item=name) if part.item == item.item else part
                for part in item.parts
            )
            partner = name if item.partner == item.item else item.partner
            item = item._replace(item=name, parts=parts, partner=partner)
        renumbered.append(item)
    return renumbered


def _side_of(item: ItemResult) -> tuple[str, ...]:
    return item.framework, item.language, item.layer


def _identity(item: ItemResult) -> tuple[str, ...]:
    return *_side_of(item), item.item


def _are_numbered(items: Iterable[ItemResult]) -> bool:
    """Return whether ids are numbers from 0 in order, as items without ids get them."""
    numbers: Counter[tuple[str, ...]] = Counter()
    for item in items:
        side = _side_of(item)
        if item.item != str(numbers[side]):
            return False
        numbers[side] += 1
    return True
