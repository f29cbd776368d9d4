"""Which system unit belongs to which gold unit.

Units are identified by framework, language and item, never by the item alone.
A unit without a language pairs with the only unit of its framework and item on
the other side, whatever that one's language.  Both sides are read in lockstep:
when they have the same order, no more than one graph of each is held at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from graphscore.errors import PairingError, Problem
from graphscore.model.ids import IdRule, unchanged


class Identified(Protocol):
    """What pairing needs to know of a unit."""

    @property
    def framework(self) -> str:
        """Its framework."""
        ...

    @property
    def language(self) -> str:
        """Its language, or empty."""
        ...

    @property
    def item(self) -> str:
        """Its id."""
        ...


UnitT = TypeVar("UnitT", bound=Identified)


class Pair(NamedTuple, Generic[UnitT]):
    """A gold unit with its system unit, or one of them alone."""

    position: int
    """Place of the gold unit among the gold units, or of a surplus system unit
    among the system units."""
    gold: UnitT | None
    system: UnitT | None


@dataclass
class Pairing(Generic[UnitT]):
    """Pairs two streams of units.

    Args:
        by: ``id`` pairs equal ids; ``order`` the n-th gold unit of a framework
            with its n-th system unit.
        rule: rewrites ids before they are compared.
        lone: whether the only unit of a framework and language on one side pairs
            with the only one on the other, whatever they are called (documents
            that are named after their files).

    Attributes:
        duplicates: units whose identity their side had already, with the side.
        firsts: for each of them the ``place`` of the unit that had it first,
            where units know their place.

    Example:
        >>> from graphscore.evaluation.pairing import Pairing
        >>> class U(NamedTuple):
        ...     framework: str; language: str; item: str
        >>> pairs = Pairing().pairs([U("dm", "", "1")], [U("dm", "eng", "1")])
        >>> [(pair.gold.language, pair.system.language) for pair in pairs]
        [('', 'eng')]
    """

    by: Literal["id", "order"] = "id"
    rule: IdRule = unchanged
    lone: bool = False
    duplicates: list[tuple[Literal["gold", "system"], UnitT]] = field(
        default_factory=list
    )
    firsts: list[str] = field(default_factory=list)

    def pairs(
        self, gold: Iterable[UnitT], system: Iterable[UnitT]
    ) -> Iterator[Pair[UnitT]]:
        """Pair the units of both sides.

        Args:
            gold: gold units.
            system: system units.

        Yields:
            Pairs as they are found; then gold units without a system unit, in
            gold order; then system units without a gold unit, in system order.

        Raises:
            PairingError: if a unit without language has several possible partners.
        """
        waiting: tuple[_Waiting[UnitT], _Waiting[UnitT]] = (_Waiting(), _Waiting())
        streams = [iter(gold), iter(system)]
        taken: tuple[dict[tuple[str, str, str], str], ...] = ({}, {})
        counts: tuple[dict[str, int], dict[str, int]] = ({}, {})
        position = [0, 0]
        open_sides = [0, 1]
        while open_sides:
            for side in list(open_sides):
                unit = next(streams[side], None)
                if unit is None:
                    open_sides.remove(side)
                    continue
                place = position[side]
                position[side] += 1
                framework = unit.framework
                if self.by == "order":
                    number = counts[side].get(framework, 0)
                    counts[side][framework] = number + 1
                    key = (framework, "", str(number))
                else:
                    key = (framework, unit.language, self.rule(unit.item))
                if key in taken[side]:
                    self.duplicates.append(("gold" if side == 0 else "system", unit))
                    self.firsts.append(taken[side][key])
                    continue
                taken[side][key] = getattr(unit, "place", "")
                partner = waiting[1 - side].take(key)
                if partner is None:
                    waiting[side].put(key, place, unit)
                elif side == 0:
                    yield Pair(place, unit, partner[1])
                else:
                    yield Pair(partner[0], partner[1], unit)
        yield from self._without_language(*waiting)
        if self.lone:
            yield from self._lone(taken, *waiting)
        for place, unit in waiting[0].rest():
            yield Pair(place, unit, None)
        for place, unit in waiting[1].rest():
            yield Pair(place, None, unit)

    def _without_language(
        self, gold: _Waiting[UnitT], system: _Waiting[UnitT]
    ) -> Iterator[Pair[UnitT]]:
        """Pair what is left of equal framework and item where one side is silent.

        Equal languages are paired already, so at most one side has a unit
        without language, and only that one can still find a partner.
        """
        for key in gold.in_order():
            framework, language, item = key
            mine = gold.languages(framework, item)
            others = system.languages(framework, item)
            if not mine or not others or ("" not in mine and "" not in others):
                continue
            if len(others if "" in mine else mine) > 1:
                raise PairingError(
                    f"item {item} ({framework}) is ambiguous: languages in gold: "
                    f"{_named(mine)}, in system: {_named(others)}"
                    "; choose one with --language"
                )
            if language and "" in mine:
                continue
            one = gold.take(key)
            # The side that is silent may have other languages besides.
            other = others[0] if "" in mine else ""
            two = system.take((framework, other, item))
            if one is not None and two is not None:
                yield Pair(one[0], one[1], two[1])

    def _lone(
        self,
        taken: tuple[dict[tuple[str, str, str], str], ...],
        gold: _Waiting[UnitT],
        system: _Waiting[UnitT],
    ) -> Iterator[Pair[UnitT]]:
        """Pair units that are the only ones of their framework and language."""
        counts = [Counter(key[:2] for key in keys) for keys in taken]
        for key in gold.in_order():
            partners = [other for other in system.in_order() if other[:2] == key[:2]]
            if partners and all(count[key[:2]] == 1 for count in counts):
                one, two = gold.take(key), system.take(partners[0])
                if one is not None and two is not None:
                    yield Pair(one[0], one[1], two[1])


def _named(languages: list[str]) -> str:
    return ", ".join(each or "none given" for each in languages)


class _Waiting(Generic[UnitT]):
    """Units of one side that have no partner yet."""

    def __init__(self) -> None:
        self._units: dict[tuple[str, str, str], tuple[int, UnitT]] = {}

    def put(self, key: tuple[str, str, str], place: int, unit: UnitT) -> None:
        self._units[key] = (place, unit)

    def take(self, key: tuple[str, str, str]) -> tuple[int, UnitT] | None:
        return self._units.pop(key, None)

    def in_order(self) -> list[tuple[str, str, str]]:
        return sorted(self._units, key=lambda key: self._units[key][0])

    def languages(self, framework: str, item: str) -> list[str]:
        if not hasattr(self, "_index"):
            self._index: dict[tuple[str, str], list[str]] = {}
            for one, language, other in self._units:
                self._index.setdefault((one, other), []).append(language)
        found = self._index.get((framework, item), [])
        return [each for each in found if (framework, each, item) in self._units]

    def rest(self) -> list[tuple[int, UnitT]]:
        return sorted(self._units.values(), key=lambda each: each[0])


def duplicate_problem(
    unit: Identified, file: str, line: int | None, first: str = ""
) -> Problem:
    """What is wrong with a unit whose identity its side had already.

    Args:
        unit: the later one.
        file: where it was read.
        line: its line.
        first: the place of the earlier one.
    """
    language = f", {unit.language}" if unit.language else ""
    there = f" (first at {first})" if first else ""
    return Problem(
        file,
        line,
        None,
        "id",
        f"{unit.item!r} ({unit.framework}{language}) a second time{there}",
        "each item once",
    )
