"""What a mapping of entities amounts to: masses, matches and errors.

Values are kept by the type of the gold entity, those of spurious entities by the
system's.  An entity is right if it is mapped and nothing that the table weighs is wrong
with it; so is a mention.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graphscore.metrics.entities.ace_mapping import Mapping, Pair
from graphscore.metrics.entities.ace_view import Entity, Layout, Mention
from graphscore.metrics.entities.view import words_of
from graphscore.model.outcome import Error, Masses, Match, Side

ENTITIES, MENTIONS = "entities", "mentions"
"""The kinds."""

VALUE = "value"
"""Kind of the masses that are values; their label is the type of the entity."""

COUNT = "count"
"""Kind of the masses that count entities by type."""

MISSING: Final = "missing"
SURPLUS: Final = "surplus"


def compared(
    gold: Layout, system: Layout, mapping: Mapping, details: bool
) -> tuple[Masses, tuple[Match, ...], tuple[Error, ...]]:
    """Masses, matches in gold order, and errors: missing, then surplus.

    Args:
        gold: the gold side.
        system: the system's.
        mapping: how they correspond.
        details: whether matches and errors are wanted.
    """
    tally = _Tally(gold, system, details)
    for pair in mapping.pairs:
        tally.pair(pair, mapping.gold[pair.gold])
    left = {pair.gold for pair in mapping.pairs}
    right = {pair.system for pair in mapping.pairs}
    for k, entity in enumerate(gold.entities):
        tally.value("gold", entity.type, mapping.gold[k])
        if k not in left:
            tally.alone(MISSING, entity, mapping.gold[k])
    for k, entity in enumerate(system.entities):
        if k not in right:
            tally.alone(SURPLUS, entity, mapping.alarms[k])
    masses = {key: amount for key, amount in tally.masses.items() if amount}
    return masses, tuple(tally.matches), (*tally.missing, *tally.surplus)


class _Tally:
    """What has been counted so far."""

    def __init__(self, gold: Layout, system: Layout, details: bool) -> None:
        self.gold, self.system, self.details = gold, system, details
        self.masses: Masses = {}
        self.matches: list[Match] = []
        self.missing: list[Error] = []
        self.surplus: list[Error] = []
        for quantity, side in (("gold", gold), ("system", system)):
            mentions = sum(len(each.mentions) for each in side.entities)
            self._add(ENTITIES, "", quantity, len(side.entities))
            self._add(MENTIONS, "", quantity, mentions)
            for each in side.entities:
                self._add(COUNT, each.type, quantity, 1)

    def _add(self, kind: str, label: str, quantity: str, amount: float) -> None:
        key = kind, label, quantity
        self.masses[key] = self.masses.get(key, 0) + amount

    def value(self, quantity: str, label: str, amount: float) -> None:
        """Add a value, to its type and to the whole."""
        self._add(VALUE, "", quantity, amount)
        self._add(VALUE, label, quantity, amount)

    def _count(self, quantity: str, label: str) -> None:
        self._add(COUNT, "", quantity, 1)
        self._add(COUNT, label, quantity, 1)

    def pair(self, pair: Pair, worth: float) -> None:
        """Count two entities that are mapped to each other.

        Args:
            pair: the two.
            worth: what the gold entity is worth.
        """
        one = self.gold.entities[pair.gold]
        two = self.system.entities[pair.system]
        self.value("mapped", one.type, pair.value)
        self.value("substitution", one.type, worth - pair.value)
        values = self.gold.values
        wrong = _wrong([name for name, _ in values.entity_errors], one.said, two.said)
        if wrong:
            self._count("substitution", one.type)
        else:
            self._add(ENTITIES, "", "matched", 1)
        parent = None
        if self.details:
            parent = len(self.matches)
            self.matches.append(Match("node", one.node, two.node, pair.value))
            self._differ(ENTITIES, (one.node, two.node), wrong, (one.type, two.type))
        names = [name for name, _ in values.mention_errors]
        for m, n in pair.mentions:
            mine, theirs = one.mentions[m], two.mentions[n]
            wrong = _wrong(names, mine.said, theirs.said)
            if not wrong:
                self._add(MENTIONS, "", "matched", 1)
            if self.details:
                ends = mine.node, theirs.node
                if ends != (one.node, two.node):
                    self.matches.append(Match("node", *ends, 1.0, parent, 1))
                self._differ(MENTIONS, ends, wrong, (mine.type, theirs.type))
        if self.details:
            left = {m for m, _ in pair.mentions}
            right = {n for _, n in pair.mentions}
            self._mentions(MISSING, one.mentions, left)
            self._mentions(SURPLUS, two.mentions, right)

    def alone(self, side: Side, entity: Entity, amount: float) -> None:
        """Count an entity that is mapped to none, with its mentions."""
        quantity = "missing" if side == MISSING else "false_alarm"
        self.value(quantity, entity.type, amount)
        self._count(quantity, entity.type)
        if self.details:
            self._lone(side, ENTITIES, entity.node, entity.type, entity.type)
            self._mentions(side, entity.mentions, set())

    def _mentions(
        self, side: Side, mentions: Sequence[Mention], mapped: set[int]
    ) -> None:
        graph = (self.gold if side == MISSING else self.system).graph
        for k, mention in enumerate(mentions):
            if k not in mapped:
                words = words_of(graph, graph.nodes[mention.node])
                self._lone(side, MENTIONS, mention.node, mention.type, words)

    def _lone(self, side: Side, kind: str, node: int, label: str, value: str) -> None:
        missing = side == MISSING
        gold, system = (node, None) if missing else (None, node)
        why = "no counterpart"
        row = Error(side, kind, "node", gold, system, label, "", value, None, why)
        (self.missing if missing else self.surplus).append(row)

    def _differ(
        self,
        kind: str,
        ends: tuple[int, int],
        wrong: list[tuple[str, str, str]],
        labels: tuple[str, str],
    ) -> None:
        """What is wrong with two that are mapped, a row for each side."""
        if not wrong:
            return
        name = " and ".join(each for each, _, _ in wrong)
        _, mine, theirs = wrong[0]
        why, one, two = "differs", *labels
        self.missing.append(
            Error(MISSING, kind, "node", *ends, one, name, mine, None, why)
        )
        self.surplus.append(
            Error(SURPLUS, kind, "node", *ends, two, name, theirs, None, why)
        )


def _wrong(
    names: Sequence[str], one: Sequence[str], two: Sequence[str]
) -> list[tuple[str, str, str]]:
    """What two do not say alike: the name, and what either says."""
    return [
        (name, mine, theirs)
        for name, mine, theirs in zip(names, one, two, strict=True)
        if mine != theirs
    ]
