"""What the parts of an evaluation found, and how it becomes that of the whole.

Every part looks at all units of both sides and compares its own.  What is said of the
whole (which units are missing or surplus, what could not be read, what the sides hold)
is therefore the same in every part, and is held against that of the others; sums are
added, exactly, so that no order and no parting changes a bit of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import msgspec

from graphscore.errors import InputError, Problem, amount
from graphscore.evaluation.notebook import ShownResult
from graphscore.evaluation.notes import remarks
from graphscore.evaluation.result import GroupKey, ItemResult, Result, Surplus
from graphscore.evaluation.signature import package_version, proven_of
from graphscore.metrics.base import Metric
from graphscore.model.outcome import MassKey
from graphscore.model.scope import Scope
from graphscore.model.sums import ExactMasses

First = tuple[int, int]
"""Where something came first: the number of the pair, and a place within it."""

NAMED = 10
"""Parts that a message names before it only counts them."""


class Findings(msgspec.Struct, frozen=True):
    """What is found out of everything, whatever is compared here."""

    gold: str
    system: str
    because: str
    pairs: int
    missing: int
    surplus: tuple[Surplus, ...]
    rejected: tuple[str, ...]
    rejected_records: int
    left_out: int
    notes: tuple[str, ...]
    signature: str
    """It says nothing of how many pairs are proven."""
    scope: Scope = Scope()


class Group(NamedTuple):
    """The sums of a framework, language, document and layer."""

    first: int
    """The first pair of it."""
    masses: ExactMasses
    firsts: dict[MassKey, First]
    """Where each of them came first, by which they are in the order of one run."""

    def with_other(self, other: Group) -> Group:
        """The sums of both."""
        masses = ExactMasses([self.masses, other.masses])
        firsts = dict(self.firsts)
        for key, place in other.firsts.items():
            firsts[key] = min(place, firsts.get(key, place))
        return Group(min(self.first, other.first), masses, firsts)

    def in_order(self) -> ExactMasses:
        """The masses as one run would have come upon them."""
        ordered = ExactMasses()
        for key in sorted(self.masses, key=self.firsts.__getitem__):
            ordered[key] = self.masses[key]
            if key in self.masses.exact:
                ordered.exact[key] = self.masses.exact[key]
        return ordered


Placed = tuple[int, ItemResult]
"""The result of an item, and the place of its gold unit."""


@dataclass(frozen=True)
class MetricSums:
    """What a metric found in some parts.

    Attributes:
        metric: the metric.
        findings: what every part finds.
        compared: how many pairs were compared.
        unproven: how many of those are not proven.
        groups: their sums.
        items: what was found of each, where that was asked for.
    """

    metric: Metric
    findings: Findings
    compared: int = 0
    unproven: int = 0
    groups: dict[GroupKey, Group] = field(default_factory=dict)
    items: tuple[Placed, ...] = ()

    def with_other(self, other: MetricSums) -> MetricSums:
        """What both found."""
        groups = dict(self.groups)
        for key, group in other.groups.items():
            groups[key] = groups[key].with_other(group) if key in groups else group
        return replace(
            self,
            compared=self.compared + other.compared,
            unproven=self.unproven + other.unproven,
            groups=groups,
            items=self.items + other.items,
        )

    def result(self) -> Result:
        """The result of all pairs."""
        found = self.findings
        groups = sorted(self.groups.items(), key=lambda each: each[1].first)
        result = ShownResult(
            self.metric,
            gold=found.gold,
            system=found.system,
            masses={key: group.in_order() for key, group in groups},
            pairs=found.pairs,
            missing_system=found.missing,
            surplus_system=list(found.surplus),
            rejected=list(found.rejected),
            rejected_records=found.rejected_records,
            left_out=found.left_out,
            unproven=self.unproven,
            notes=list(found.notes),
            because=found.because,
            scope=found.scope,
        )
        result.items = [item for _, item in sorted(self.items, key=lambda x: x[0])]
        result.signature = proven_of(found.signature, f"{result.proven}/{found.pairs}")
        if found.pairs:
            result.notes += remarks(result)
        return result


@dataclass(frozen=True)
class Sums:
    """What some parts of an evaluation found, of every system with every metric.

    Attributes:
        of: how many parts there are.
        parts: which of them these are, each with what messages call it.
        units: whether the results of items were kept.
        systems: for every system, what each metric found.
        version: of graphscore.
    """

    of: int
    parts: dict[int, str]
    units: bool
    systems: tuple[tuple[MetricSums, ...], ...]
    version: str = field(default_factory=package_version)

    @property
    def missing(self) -> list[int]:
        """The parts that are not among these."""
        return [number for number in range(1, self.of + 1) if number not in self.parts]

    def results(self) -> list[list[Result]]:
        """The results of the whole: for every system one per metric.

        Raises:
            InputError: if parts are missing.
        """
        if missing := self.missing:
            some = ", ".join(map(str, missing[:NAMED])) + ", ..." * (
                len(missing) > NAMED
            )
            there = ", ".join(list(self.parts.values())[:NAMED])
            said = f"part {some} is" if len(missing) == 1 else f"parts {some} are"
            raise InputError(
                (),
                f"{said} missing of {amount(self.of, 'part')}"
                + (f"; there is {there}" if len(self.parts) <= NAMED else ""),
            )
        for each in self._every():
            if each.compared != each.findings.pairs:
                raise InputError(
                    [
                        Problem(
                            ", ".join(list(self.parts.values())[:NAMED]),
                            None,
                            None,
                            f"{each.findings.system} ({each.metric})",
                            f"{amount(each.compared, 'pair')} in all parts",
                            str(each.findings.pairs),
                        )
                    ]
                )
        return [[each.result() for each in mine] for mine in self.systems]

    def with_other(self, other: Sums) -> Sums:
        """The sums of both.

        Raises:
            InputError: if a part is there twice, or they are not parts of one
                evaluation.
        """
        _refuse_foreign(self, other)
        for number, name in other.parts.items():
            if number in self.parts:
                raise InputError(
                    [
                        Problem(
                            name,
                            None,
                            None,
                            "part",
                            f"{number}/{self.of}, which {self.parts[number]} is too",
                            "each part once",
                        )
                    ]
                )
        return replace(
            self,
            parts=dict(sorted({**self.parts, **other.parts}.items())),
            systems=tuple(
                tuple(
                    one.with_other(two) for one, two in zip(mine, others, strict=True)
                )
                for mine, others in zip(self.systems, other.systems, strict=True)
            ),
        )

    def _every(self) -> Iterator[MetricSums]:
        for mine in self.systems:
            yield from mine


def merge(several: Iterable[Sums]) -> Sums:
    """The sums of several parts, in whatever order and grouping they come.

    Args:
        several: one or more; what was merged can be merged again.

    Raises:
        InputError: if a part is there twice, or they are not parts of one evaluation.
        ValueError: without any.
    """
    found = list(several)
    if not found:
        raise ValueError("no sums to merge")
    while len(found) > 1:
        # As a tree: every sum is copied as often as there are levels.
        pairs = zip(found[::2], found[1::2], strict=False)
        rest = found[-1:] if len(found) % 2 else []
        found = [one.with_other(two) for one, two in pairs] + rest
    return found[0]


def _refuse_foreign(mine: Sums, other: Sums) -> None:
    """Raise if sums are not parts of one evaluation, saying where they differ."""
    if _common(mine) == _common(other):
        return
    names = [next(iter(each.parts.values()), "the parts") for each in (mine, other)]
    pairs = zip(_traits(mine), _traits(other), strict=False)
    for (what, expected), (_, found) in pairs:
        if expected != found:
            raise InputError(
                [
                    Problem(
                        names[1],
                        None,
                        None,
                        what,
                        found,
                        f"{expected}, as in {names[0]}",
                    )
                ]
            )


def _common(sums: Sums) -> tuple[object, ...]:
    """What parts of one evaluation have in common."""
    every = [(str(each.metric), each.findings) for each in sums._every()]
    return sums.version, sums.of, sums.units, list(map(len, sums.systems)), every


def _traits(sums: Sums) -> Iterator[tuple[str, str]]:
    """The same in words, with names."""
    yield "version", sums.version
    yield "parts", str(sums.of)
    yield "units", "kept" if sums.units else "not kept"
    yield "systems", str(len(sums.systems))
    for mine in sums.systems:
        yield "metrics", ", ".join(str(each.metric) for each in mine)
    for each in sums._every():
        found = each.findings
        yield "gold", found.gold
        yield "system", found.system
        where = f"{found.system} ({each.metric})"
        names = {"gold": "fingerprint of gold", "system": "fingerprint of the system"}
        fields = dict(part.partition(":")[::2] for part in found.signature.split("|"))
        for name in _FIELDS:
            yield f"{where}: {names.get(name, name)}", fields.get(name, "none")
        yield f"{where}: signature", found.signature
        for name in Findings.__struct_fields__:
            yield f"{where}: {name.replace('_', ' ')}", str(getattr(found, name))


_FIELDS = (
    *("revision", "normalize", "pair", "ids", "framework", "language", "items"),
    *("layer", "limit", "search", "time", "gold", "system"),
)
"""What signatures say, each of which is named where it differs."""
