"""Pair gold and system units by ID or position.

Units are identified by framework, language, layer and item, never by the item alone.
A unit without a language pairs with the only unit of its framework, layer and item on
the other side, whatever that one's language; one without a layer likewise.  Both
sides are read in lockstep: when they have the same order, no more than one graph of
each is held at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from graphscore.evaluation.unit import Unit, location_of
from graphscore.exceptions import PairingError, UsageError, did_you_mean
from graphscore.model.ids import ID_RULES, IdRule

if TYPE_CHECKING:
    from graphscore.evaluation.document_alignment import (
        Characters,
        DocumentAligner,
        Group,
    )

Key = tuple[str, str, str, str]
"""Key by which units are paired: framework, language, layer and id."""

Kind = tuple[str, str, str]
"""Framework, language and layer."""


Waiting = dict[Key, tuple[int, Unit]]
"""Units of one side that have no partner yet, each with its place on that side."""


class Pair(NamedTuple):
    """A gold unit with its system unit, or one of them alone."""

    position: int
    """Place of the gold unit among the gold units, or of a spurious system unit
    among the system units."""
    gold: Unit | None
    system: Unit | None


class IncomingUnit(NamedTuple):
    """A unit of a side."""

    side: int
    ordinal: int
    """Among all units of its side."""
    unit: Unit
    number: int = 0
    """Among those of its kind and the bad records before it."""


class ConstantIdCheck:
    """The first units of a framework, held until both sides turn out to have ids.

    Parsers that were run sentence by sentence call every graph alike.  If all graphs
    of a framework have one id on either side, and both sides have as many, the n-th
    belongs to the n-th.
    """

    def __init__(self) -> None:
        self.held: list[IncomingUnit] = []
        self.told_apart = False
        """Both sides have several ids, and units pair by them."""
        self._first: list[str | None] = [None, None]
        self._varied = [False, False]
        self._counts = [0, 0]
        """Numbers of units and bad records before the last one."""

    def add(self, side: int, index: int, unit: Unit) -> list[IncomingUnit]:
        """Take the next unit of a side, unless units have turned out to have ids.

        Args:
            side: 0 for gold, 1 for the system.
            index: among all units of its side.
            unit: the unit.

        Returns:
            What may be paired by id now, in the order in which it came.
        """
        number = self._counts[side] + len(unit.lost)
        self._counts[side] = number + 1
        self.held.append(IncomingUnit(side, index, unit, number))
        if self._first[side] is None:
            self._first[side] = unit.item
        elif self._first[side] != unit.item:
            self._varied[side] = True
            self.told_apart = all(self._varied)
        # The first of both sides are a pair by their ids and by their order.
        firsts = self._counts == [1, 1] and self._first[0] == self._first[1]
        if not (self.told_apart or firsts):
            return []
        result, self.held = self.held, []
        return result

    @property
    def by_order(self) -> bool:
        """Return whether a side has one id for all and the other as many units."""
        gold, system = self._counts
        return gold == system > 1 and not self.told_apart

    @property
    def ids(self) -> list[str]:
        """The one id of gold, of the system, or of both."""
        firsts = zip(self._first, self._varied, strict=True)
        return sorted({str(first) for first, varied in firsts if not varied})

    def pairs(self) -> Iterator[tuple[IncomingUnit | None, IncomingUnit | None]]:
        """Yield the held units in pairs: the n-th of gold with the n-th of the system.

        Where one of them is bad, the other is alone.
        """
        gold, system = (
            {
                incoming_unit.number: incoming_unit
                for incoming_unit in self.held
                if incoming_unit.side == side
            }
            for side in (0, 1)
        )
        for number in sorted(gold.keys() | system.keys()):
            yield gold.get(number), system.get(number)


@dataclass
class Pairing:
    """Pairs the units of two sides as they come.

    Args:
        by: ``id`` pairs equal ids; ``order`` the n-th gold unit of a framework
            with its n-th system unit.
        rule: rewrites ids before they are compared.
        lone: whether the only unit of a framework and language on one side pairs
            with the only one on the other, whatever they are called (documents
            that are named after their files).
        characters: the text of a unit, where units pair by their texts: see
            :mod:`graphscore.evaluation.document_alignment`.

    Attributes:
        duplicates: units whose identity their side had already, with the side.
        firsts: for each of them the ``location`` of the unit that had it first.
        joined: where units of one text were joined, the framework and how many
            there were in gold and in the system, and whether their texts are the same.
        unnamed: frameworks in which one id is that of all units of a side, with those
            ids; their units were paired by order.

    Example:
        >>> from graphscore.evaluation.pairing import Pairing
        >>> from graphscore.evaluation.unit import Unit
        >>> from graphscore.model.graph import Graph
        >>> gold = Unit((Graph("1", "dm"),), "1")
        >>> system = Unit((Graph("1", "dm", language="eng"),), "1")
        >>> pairs = Pairing().pairs([gold], [system])
        >>> [(pair.gold.language, pair.system.language) for pair in pairs]
        [('', 'eng')]
    """

    by: Literal["id", "order"] = "id"
    rule: IdRule = str
    lone: bool = False
    characters: Characters | None = None
    duplicates: list[tuple[Literal["gold", "system"], Unit]] = field(
        default_factory=list
    )
    firsts: list[str] = field(default_factory=list)
    joined: list[tuple[str, int, int, bool]] = field(default_factory=list)
    unnamed: list[tuple[str, list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._waiting: tuple[Waiting, Waiting] = ({}, {})
        self._places = [0, 0]
        self._taken: tuple[dict[Key, tuple[str, int | None]], ...] = ({}, {})
        self._counts: tuple[Counter[tuple[str, str]], ...] = (Counter(), Counter())
        self._texts: dict[Kind, DocumentAligner] = {}
        self._numbers: tuple[Counter[Kind], ...] = (Counter(), Counter())
        self._alike: dict[Kind, ConstantIdCheck] = {}
        self._keyed: set[Kind] = set()

    def pair_up(
        self,
        gold: Iterable[Unit],
        system: Iterable[Unit],
        take: Callable[[Pair], object],
    ) -> None:
        """Pair the units of both sides, which are read in turns.

        Args:
            gold: gold units.
            system: system units.
            take: is given the pairs as they are complete; then gold units without a
                system unit, in gold order; then system units without a gold unit, in
                system order.

        Raises:
            PairingError: if a unit without language or layer has several possible
                partners.
        """
        streams = [iter(gold), iter(system)]
        sides = [0, 1]
        while sides:
            for side in list(sides):
                unit = next(streams[side], None)
                if unit is None:
                    sides.remove(side)
                    continue
                for pair in self._add(side, unit):
                    take(pair)
        for pair in self._rest():
            take(pair)

    def pairs(self, gold: Iterable[Unit], system: Iterable[Unit]) -> list[Pair]:
        """Return the pairs of both sides; see :meth:`pair_up`.

        Args:
            gold: gold units.
            system: system units.
        """
        result: list[Pair] = []
        self.pair_up(gold, system, result.append)
        return result

    @property
    def numbers(self) -> tuple[int, int]:
        """Numbers of gold and system units that have come."""
        return self._places[0], self._places[1]

    def rules(self) -> list[str]:
        """The named rules under which any ids of both sides are the same.

        Asked for where nothing paired; none where ids are rewritten already.
        """
        if self.by == "order" or self.rule is not str:
            return []
        gold, system = ([(key[0], key[-1]) for key in taken] for taken in self._taken)
        return [
            name
            for name, rule in ID_RULES.items()
            if {(framework, rule(item)) for framework, item in gold}
            & {(framework, rule(item)) for framework, item in system}
        ]

    def _add(self, side: int, unit: Unit) -> Iterable[Pair]:
        """Return the pairs that are complete with the next unit of a side."""
        index = self._places[side]
        self._places[side] = index + 1
        kind = (unit.framework, unit.language, unit.layer)
        if self.lone:
            self._numbers[side][kind] += 1
        if kind in self._keyed:
            return self._by_key(side, index, unit)
        text = None
        if self.characters is not None and self.by != "order":
            text = self.characters(unit)
        if text is not None:
            # Few metrics know documents by their texts.
            from graphscore.evaluation.document_alignment import DocumentAligner, Placed

            steps = self._texts.setdefault(kind, DocumentAligner())
            placed = Placed(index, self.rule(unit.item), unit, text)
            return map(self._join_group, steps.add(side, placed))
        alike = self._alike.get(kind)
        if alike is None:
            alike = self._alike[kind] = ConstantIdCheck()
        if self.by == "order" or self.lone or alike.told_apart:
            if self.by == "order" or self.characters is None:
                # So does whatever else comes of its kind.
                self._keyed.add(kind)
            return self._by_key(side, index, unit)
        held = alike.add(side, index, unit)
        return [pair for arrival in held for pair in self._by_key(*arrival[:3])]

    def _rest(self) -> Iterator[Pair]:
        """Yield the pairs that are known at the end, and what has no partner."""
        gold, system = self._waiting
        if self._texts or any(alike.held for alike in self._alike.values()):
            yield from self._held_pairs()
        if gold and system:
            yield from self._without(_LANGUAGE, gold, system)
            yield from self._without(_LAYER, gold, system)
            if self.lone:
                yield from self._lone(gold, system)
        for index, unit in sorted(gold.values(), key=_FIRST):
            yield Pair(index, unit, None)
        for index, unit in sorted(system.values(), key=_FIRST):
            yield Pair(index, None, unit)

    def _held_pairs(self) -> Iterator[Pair]:
        """Yield the pairs of units that were held until both sides had ended."""
        for kind, alike in self._alike.items():
            if alike.by_order:
                self.unnamed.append((kind[0], alike.ids))
                for gold, system in alike.pairs():
                    arrivals = [
                        arrival for arrival in (gold, system) if arrival is not None
                    ]
                    for arrival in arrivals:
                        _refuse_unclear(arrival.unit)
                    units = [arrival and arrival.unit for arrival in (gold, system)]
                    yield Pair(arrivals[0].ordinal, *units)
            else:
                for incoming_unit in alike.held:
                    yield from self._by_key(*incoming_unit[:3])
        for steps in self._texts.values():
            for group in steps.rest():
                if all(group):
                    yield self._join_group(group)
                    continue
                for side in (0, 1):
                    for left in group[side]:
                        yield from self._by_key(side, left.ordinal, left.unit)

    def _by_key(self, side: int, index: int, unit: Unit) -> Iterable[Pair]:
        """Pair a unit with that of its id or number, if that has come already."""
        taken, others = self._taken[side], self._waiting[1 - side]
        framework, language, layer = unit.framework, unit.language, unit.layer
        if self.by == "order":
            _refuse_unclear(unit)
            # Bad records keep their numbers, so that those after them keep theirs.
            number = self._counts[side][framework, layer] + len(unit.lost)
            self._counts[side][framework, layer] = number + 1
            key = (framework, "", layer, str(number))
        else:
            key = (framework, language, layer, self.rule(unit.item))
        if key in taken:
            self.duplicates.append(("gold" if side == 0 else "system", unit))
            self.firsts.append(location_of(*taken[key]))
            return ()
        taken[key] = unit.file, unit.line
        partner = others.pop(key, None)
        if partner is None:
            self._waiting[side][key] = index, unit
            return ()
        if side == 0:
            return (Pair(index, unit, partner[1]),)
        return (Pair(partner[0], partner[1], unit),)

    def _join_group(self, group: Group) -> Pair:
        """The pair of what was joined on either side."""
        (index, *_), *_ = group[0]
        sides = [[placed.unit for placed in side] for side in group]
        if any(len(side) > 1 for side in sides):
            framework = sides[0][0].framework
            gold_text, system_text = ("".join(e.text for e in side) for side in group)
            same = gold_text == system_text
            self.joined.append((framework, len(sides[0]), len(sides[1]), same))
        gold, system = (
            side[0].joined(side[1:]) if len(side) > 1 else side[0] for side in sides
        )
        return Pair(index, gold, system)

    def _without(self, part: int, gold: Waiting, system: Waiting) -> Iterator[Pair]:
        """Pair what is left and equal but for a part of the key that a side lacks.

        What is equal in all is paired already, so at most one side has a unit that
        says nothing, and only that one can still find a partner.
        """
        gold_values, system_values = (_values(side, part) for side in (gold, system))
        for key in sorted(gold, key=gold.__getitem__):
            silent = _with(key, part, "")
            if silent not in gold and silent not in system:
                continue
            rest = (*key[:part], *key[part + 1 :])
            in_gold, in_system = (
                [value for value in values[rest] if _with(key, part, value) in side]
                for values, side in ((gold_values, gold), (system_values, system))
            )
            if not in_gold or not in_system:
                continue
            if len(in_system if "" in in_gold else in_gold) > 1:
                plural, option = _PARTS[part]
                raise PairingError(
                    f"item {key[-1]} ({key[0]}) is ambiguous: {plural} in gold: "
                    f"{_list_names(in_gold)}, in system: {_list_names(in_system)}"
                    f"; choose one with {option}"
                )
            if key[part] and "" in in_gold:
                continue
            # The side that is silent may have others besides.
            value = in_system[0] if "" in in_gold else ""
            gold_unit = gold.pop(key, None)
            system_unit = system.pop(_with(key, part, value), None)
            if gold_unit is not None and system_unit is not None:
                yield Pair(*gold_unit, system_unit[1])

    def _lone(self, gold: Waiting, system: Waiting) -> Iterator[Pair]:
        """Pair units that are the only ones of their framework, language and layer."""
        # Not only of those that wait: others may have found theirs by their texts.
        only = {key[:-1]: key for key in system}
        for key in sorted(gold, key=gold.__getitem__):
            partner = only.get(key[:-1])
            if partner and all(count[key[:-1]] == 1 for count in self._numbers):
                yield Pair(*gold.pop(key), system.pop(partner)[1])


def _refuse_unclear(unit: Unit) -> None:
    """Refuse to pair by its number what nobody knows the number of."""
    if unit.unclear:
        location = f"{unit.location}: " if unit.location else ""
        raise PairingError(
            f"{location}item {unit.item} cannot be paired by order: {unit.unclear}; "
            "mend bad records, or pair by id"
        )


_FIRST = itemgetter(0)
"""Sort key of waiting units: their index."""

_LANGUAGE, _LAYER = 1, 2
"""Parts of a key."""

_PARTS = {_LANGUAGE: ("languages", "--language"), _LAYER: ("layers", "--layer")}
"""Name of each part of a key in messages, and the option that selects it."""


def _with(key: Key, part: int, value: str) -> Key:
    """A key with another value of a part."""
    framework, language, layer, item = key
    if part == _LANGUAGE:
        return framework, value, layer, item
    return framework, language, value, item


def _list_names(values: list[str]) -> str:
    return ", ".join(value or "none given" for value in values)


def _values(side: Waiting, part: int) -> dict[tuple[str, ...], list[str]]:
    """Return what a part of keys is among units that wait, by the rest of the key."""
    values: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for key in side:
        values[(*key[:part], *key[part + 1 :])].append(key[part])
    return values


def of_item(
    pairs: Iterable[Pair], item: str, framework: str | None, where: str
) -> Pair:
    """The only pair of an item.

    Args:
        pairs: all of them.
        item: the gold unit's id.
        framework: its framework, needed where several have the item.
        where: what gold is called.

    Raises:
        UsageError: if there is none, or several frameworks or layers have it.
    """
    result = [
        (pair, pair.gold)
        for pair in pairs
        if pair.gold is not None
        and pair.gold.item == item
        and framework in (None, pair.gold.framework)
    ]
    if not result:
        items = {pair.gold.item for pair in pairs if pair.gold is not None}
        raise UsageError(
            f"no item {item!r}{did_you_mean(item, sorted(items))} in {where}"
        )
    if len(result) > 1:
        layers = ", ".join(gold.layer or gold.framework for _, gold in result)
        raise UsageError(
            f"item {item!r} exists in several layers or frameworks, "
            f"expected one of: {layers}"
        )
    return result[0][0]
