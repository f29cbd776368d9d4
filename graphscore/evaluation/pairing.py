"""Which system unit belongs to which gold unit.

Units are identified by framework, language, layer and item, never by the item alone.
A unit without a language pairs with the only unit of its framework, layer and item on
the other side, whatever that one's language; one without a layer likewise.  Both
sides are read in lockstep: when they have the same order, no more than one graph of
each is held at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from graphscore.errors import PairingError, Problem, UsageError, meant
from graphscore.evaluation.documents import Characters, Group, Lockstep, Placed
from graphscore.evaluation.sameids import OneId
from graphscore.model.ids import ID_RULES, IdRule, unchanged


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

    @property
    def layer(self) -> str:
        """Its layer, or empty."""
        ...


Key = tuple[str, str, str, str]
"""What units are paired by: framework, language, layer and id."""

Kind = tuple[str, str, str]
"""Framework, language and layer."""

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
        characters: the text of a unit, where units pair by their texts: see
            :mod:`graphscore.evaluation.documents`.

    Attributes:
        duplicates: units whose identity their side had already, with the side.
        firsts: for each of them the ``place`` of the unit that had it first,
            where units know their place.
        joined: where units of one text were joined, the framework and how many
            there were in gold and in the system, and whether their texts are the same.
        unnamed: frameworks in which one id is that of all units of a side, with those
            ids; their units were paired by order.

    Example:
        >>> from graphscore.evaluation.pairing import Pairing
        >>> class U(NamedTuple):
        ...     framework: str; language: str; item: str; layer: str = ""
        >>> pairs = Pairing().pairs([U("dm", "", "1")], [U("dm", "eng", "1")])
        >>> [(pair.gold.language, pair.system.language) for pair in pairs]
        [('', 'eng')]
    """

    by: Literal["id", "order"] = "id"
    rule: IdRule = unchanged
    lone: bool = False
    characters: Characters | None = None
    duplicates: list[tuple[Literal["gold", "system"], UnitT]] = field(
        default_factory=list
    )
    firsts: list[str] = field(default_factory=list)
    joined: list[tuple[str, int, int, bool]] = field(default_factory=list)
    unnamed: list[tuple[str, list[str]]] = field(default_factory=list)

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
            PairingError: if a unit without language or layer has several possible
                partners.
        """
        waiting: tuple[_Waiting[UnitT], _Waiting[UnitT]] = (_Waiting(), _Waiting())
        streams = [iter(gold), iter(system)]
        self._waiting = waiting
        self._taken: tuple[dict[Key, str], ...] = ({}, {})
        self._counts: tuple[Counter[tuple[str, str]], ...] = (Counter(), Counter())
        self._texts: dict[Kind, Lockstep[Any]] = {}
        self._numbers: tuple[Counter[Kind], ...] = (Counter(), Counter())
        self._alike: dict[Kind, OneId] = {}
        self._keyed: set[Kind] = set()
        position = [0, 0]
        open_sides = [0, 1]
        while open_sides:
            for side in list(open_sides):
                unit = next(streams[side], None)
                if unit is None:
                    open_sides.remove(side)
                    continue
                kind = (unit.framework, unit.language, unit.layer)
                self._numbers[side][kind] += 1
                if kind in self._keyed:
                    pair = self._by_key(side, position[side], unit, kind)
                    if pair is not None:
                        yield pair
                else:
                    yield from self._take(side, position[side], unit, kind)
                position[side] += 1
        yield from self._held()
        yield from self._without(_LANGUAGE, *waiting)
        yield from self._without(_LAYER, *waiting)
        if self.lone:
            yield from self._lone(*waiting)
        for place, unit in waiting[0].rest():
            yield Pair(place, unit, None)
        for place, unit in waiting[1].rest():
            yield Pair(place, None, unit)

    def rules(self) -> list[str]:
        """The named rules under which any ids of both sides are the same.

        Asked for where nothing paired; none where ids are rewritten already.
        """
        if self.by == "order" or self.rule is not unchanged:
            return []
        gold, system = ([(key[0], key[-1]) for key in each] for each in self._taken)
        return [
            name
            for name, rule in ID_RULES.items()
            if {(framework, rule(item)) for framework, item in gold}
            & {(framework, rule(item)) for framework, item in system}
        ]

    def _take(
        self, side: int, place: int, unit: UnitT, kind: Kind
    ) -> Iterator[Pair[UnitT]]:
        """The pairs that are complete with the next unit of a side."""
        text = self._text(unit)
        if text is not None:
            steps = self._texts.setdefault(kind, Lockstep())
            placed = Placed[Any](place, self.rule(unit.item), unit, text)
            yield from map(self._joined, steps.add(side, placed))
            return
        alike = self._alike.setdefault(kind, OneId())
        if self.by == "order" or self.lone or alike.told_apart:
            if self.by == "order" or self.characters is None:
                # So does whatever else comes of its kind.
                self._keyed.add(kind)
            yield from self._keys(side, place, unit)
            return
        for each in alike.add(side, place, unit):
            yield from self._keys(*each[:3])

    def _held(self) -> Iterator[Pair[UnitT]]:
        """What was held until both sides had come to their ends."""
        for kind, alike in self._alike.items():
            if alike.by_order:
                self.unnamed.append((kind[0], alike.ids))
                for gold, system in alike.pairs():
                    arrivals = [each for each in (gold, system) if each is not None]
                    for each in arrivals:
                        _refuse_unclear(each.unit)
                    units = [each and each.unit for each in (gold, system)]
                    yield Pair(arrivals[0].place, *units)
            else:
                for one in alike.held:
                    yield from self._keys(*one[:3])
        for steps in self._texts.values():
            for group in steps.rest():
                if all(group):
                    yield self._joined(group)
                    continue
                for side in (0, 1):
                    for left in group[side]:
                        yield from self._keys(side, left.place, left.unit)

    def _text(self, unit: UnitT) -> str | None:
        """The characters of a unit, where units pair by those."""
        if self.by == "order" or self.characters is None:
            return None
        return self.characters(unit)

    def _keys(self, side: int, place: int, unit: UnitT) -> Iterator[Pair[UnitT]]:
        """The pair of a unit, if it is complete."""
        kind = (unit.framework, unit.language, unit.layer)
        pair = self._by_key(side, place, unit, kind)
        if pair is not None:
            yield pair

    def _by_key(
        self, side: int, place: int, unit: UnitT, kind: Kind
    ) -> Pair[UnitT] | None:
        """Pair a unit with that of its id or number, if that has come already."""
        waiting = self._waiting
        taken = self._taken[side]
        framework, language, layer = kind
        if self.by == "order":
            _refuse_unclear(unit)
            # Bad records keep their numbers, so that those after them keep theirs.
            number = self._counts[side][framework, layer]
            number += len(getattr(unit, "lost", ()))
            self._counts[side][framework, layer] = number + 1
            key = (framework, "", layer, str(number))
        else:
            key = (framework, language, layer, self.rule(unit.item))
        if key in taken:
            self.duplicates.append(("gold" if side == 0 else "system", unit))
            self.firsts.append(taken[key])
            return None
        taken[key] = getattr(unit, "place", "")
        partner = waiting[1 - side].take(key)
        if partner is None:
            waiting[side].put(key, place, unit)
            return None
        if side == 0:
            return Pair(place, unit, partner[1])
        return Pair(partner[0], partner[1], unit)

    def _joined(self, group: Group[Any]) -> Pair[UnitT]:
        """The pair of what was joined on either side."""
        (place, *_), *_ = group[0]
        sides = [[each.unit for each in side] for side in group]
        if any(len(side) > 1 for side in sides):
            framework = sides[0][0].framework
            gold_text, system_text = ("".join(e.text for e in each) for each in group)
            same = gold_text == system_text
            self.joined.append((framework, len(sides[0]), len(sides[1]), same))
        gold, system = (
            side[0].joined(side[1:]) if len(side) > 1 else side[0] for side in sides
        )
        return Pair(place, gold, system)

    def _without(
        self, part: int, gold: _Waiting[UnitT], system: _Waiting[UnitT]
    ) -> Iterator[Pair[UnitT]]:
        """Pair what is left and equal but for a part of the key that a side lacks.

        What is equal in all is paired already, so at most one side has a unit that
        says nothing, and only that one can still find a partner.
        """
        for key in gold.in_order():
            if not (gold.silent(key, part) or system.silent(key, part)):
                continue
            mine, others = gold.values(key, part), system.values(key, part)
            if not mine or not others:
                continue
            if len(others if "" in mine else mine) > 1:
                plural, option = _PARTS[part]
                raise PairingError(
                    f"item {key[-1]} ({key[0]}) is ambiguous: {plural} in gold: "
                    f"{_named(mine)}, in system: {_named(others)}"
                    f"; choose one with {option}"
                )
            if key[part] and "" in mine:
                continue
            one = gold.take(key)
            # The side that is silent may have others besides.
            other = others[0] if "" in mine else ""
            two = system.take(_with(key, part, other))
            if one is not None and two is not None:
                yield Pair(one[0], one[1], two[1])

    def _lone(
        self, gold: _Waiting[UnitT], system: _Waiting[UnitT]
    ) -> Iterator[Pair[UnitT]]:
        """Pair units that are the only ones of their framework, language and layer."""
        # Not only of those that wait: others may have found theirs by their texts.
        counts = self._numbers
        partners = {key[:-1]: key for key in reversed(system.in_order())}
        for key in gold.in_order():
            partner = partners.get(key[:-1])
            if partner and all(count[key[:-1]] == 1 for count in counts):
                one, two = gold.take(key), system.take(partner)
                if one is not None and two is not None:
                    yield Pair(one[0], one[1], two[1])


def _refuse_unclear(unit: Any) -> None:
    """Refuse to pair by its number what nobody knows the number of."""
    if why := getattr(unit, "unclear", ""):
        place = getattr(unit, "place", "")
        raise PairingError(
            f"{place and f'{place}: '}item {unit.item} cannot be paired by order: "
            f"{why}; mend bad records, or pair by id"
        )


_LANGUAGE, _LAYER = 1, 2
"""Parts of a key."""

_PARTS = {_LANGUAGE: ("languages", "--language"), _LAYER: ("layers", "--layer")}
"""What messages call them, and the option that chooses."""


def _with(key: Key, part: int, value: str) -> Key:
    """A key with another value of a part."""
    framework, language, layer, item = key
    if part == _LANGUAGE:
        return framework, value, layer, item
    return framework, language, value, item


def _named(values: list[str]) -> str:
    return ", ".join(each or "none given" for each in values)


class _Waiting(Generic[UnitT]):
    """Units of one side that have no partner yet."""

    def __init__(self) -> None:
        self._units: dict[Key, tuple[int, UnitT]] = {}
        self._indexes: dict[int, dict[tuple[str, ...], list[str]]] = {}

    def put(self, key: Key, place: int, unit: UnitT) -> None:
        self._units[key] = (place, unit)

    def take(self, key: Key) -> tuple[int, UnitT] | None:
        return self._units.pop(key, None)

    def in_order(self) -> list[Key]:
        return sorted(self._units, key=lambda key: self._units[key][0])

    def silent(self, key: Key, part: int) -> bool:
        """Whether one is waiting that differs from a key in not saying a part."""
        return _with(key, part, "") in self._units

    def values(self, key: Key, part: int) -> list[str]:
        """What a part of a key is among the units that are waiting."""
        if part not in self._indexes:
            index: dict[tuple[str, ...], list[str]] = {}
            for each in self._units:
                rest = (*each[:part], *each[part + 1 :])
                index.setdefault(rest, []).append(each[part])
            self._indexes[part] = index
        found = self._indexes[part].get((*key[:part], *key[part + 1 :]), [])
        return [each for each in found if _with(key, part, each) in self._units]

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
    parts = (unit.framework, unit.language, unit.layer)
    there = f" (first at {first})" if first else ""
    return Problem(
        file,
        line,
        None,
        "id",
        f"{unit.item!r} ({', '.join(filter(None, parts))}) a second time{there}",
        "each item once",
    )


def of_item(
    pairs: Iterable[Pair[UnitT]], item: str, framework: str | None, where: str
) -> Pair[UnitT]:
    """The only pair of an item.

    Args:
        pairs: all of them.
        item: the gold unit's id.
        framework: its framework, needed where several have the item.
        where: what gold is called.

    Raises:
        UsageError: if there is none, or several frameworks or layers have it.
    """
    found = [
        (pair, pair.gold)
        for pair in pairs
        if pair.gold is not None
        and pair.gold.item == item
        and framework in (None, pair.gold.framework)
    ]
    if not found:
        known = {pair.gold.item for pair in pairs if pair.gold is not None}
        raise UsageError(f"no item {item!r}{meant(item, sorted(known))} in {where}")
    if len(found) > 1:
        there = ", ".join(gold.layer or gold.framework for _, gold in found)
        raise UsageError(f"item {item!r} is there in several: {there}")
    return found[0][0]
