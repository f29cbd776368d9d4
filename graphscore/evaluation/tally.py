"""Observations on both sides while they are scored, reported in notes at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from graphscore.evaluation.messages import NAMED, unlike
from graphscore.evaluation.pairing import Pair, Pairing
from graphscore.evaluation.result import Result
from graphscore.evaluation.sources.base import UnitSource
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import amount
from graphscore.formats.base import Takes
from graphscore.metrics.traits import (
    sums_over,
)

ANCHORS = "anchors"
"""The kind of tuples that texts matter to, in metrics that have it."""

SPANS_BY_TOKENS = (
    "the words differ from gold in {} with as many tokens, whose spans are compared by "
    "tokens"
)
SPANS_BY_CHARACTERS = (
    "the text differs from gold in {} with anchors, which count characters of the text"
)


class Tally:
    """Fingerprints and numbers of both sides, and texts that differ.

    Args:
        characters: the characters of a document, where documents are known by those.

    Attributes:
        prints: for gold and the system, the sum of fingerprints of every framework.
        amounts: likewise the number of units of every framework and layer.
        layers: layers of gold.
        first_gold: of every framework the first gold units, by position and id.
        differing: whether there are pairs whose texts differ.
    """

    def __init__(self, characters: Callable[[Unit], str | None] | None) -> None:
        self._characters = characters
        self.prints: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self.amounts: tuple[Counter[tuple[str, str]], ...] = (Counter(), Counter())
        self.layers: set[str] = set()
        self.first_gold: dict[str, list[tuple[int, str]]] = {}
        self.differing = False
        self._unlike: Counter[str] = Counter()
        self._first_unlike: dict[str, Pair] = {}
        self._reworded: Counter[str] = Counter()
        self._first_reworded: dict[str, Pair] = {}

    def __getstate__(self) -> dict[str, Any]:
        """All but the way to characters, which is of this process."""
        return vars(self) | {"_characters": None}

    def merge(self, other: Tally) -> None:
        """Take in what another process has noticed of other pairs.

        Args:
            other: its own.
        """
        for side in (0, 1):
            self.amounts[side].update(other.amounts[side])
            self.prints[side].update(other.prints[side])
        self.layers |= other.layers
        for framework, units in other.first_gold.items():
            self._note_gold(framework, units)
        self.differing |= other.differing
        self._unlike.update(other._unlike)
        self._reworded.update(other._reworded)
        for firsts, other_firsts in (
            (self._first_unlike, other._first_unlike),
            (self._first_reworded, other._first_reworded),
        ):
            for framework, pair in other_firsts.items():
                _note_first(firsts, framework, pair)

    def look_at(self, pair: Pair) -> None:
        """Note what both sides hold, and whether they are about the same text.

        Args:
            pair: the next one.
        """
        position, gold, system = pair
        same, fingerprint = False, 0
        if gold is not None:
            framework, layer = gold.framework, gold.layer
            fingerprint = gold.fingerprint()
            self.prints[0][framework] += fingerprint
            self.amounts[0][framework, layer] += 1
            firsts = self.first_gold.get(framework, [])
            if len(firsts) < NAMED or position < firsts[-1][0]:
                self._note_gold(framework, [(position, gold.item)])
            if layer:
                self.layers.add(layer)
        if system is not None:
            if gold is not None and system.same_objects(gold):
                same = True
            else:
                fingerprint = system.fingerprint()
            self.prints[1][system.framework] += fingerprint
            self.amounts[1][system.framework, system.layer] += 1
        if gold is None or system is None or same or gold.text == system.text:
            return
        if self._texts_differ(gold, system):
            self.differing = True
            counts, first_pairs = self._unlike, self._first_unlike
            if gold.words == system.words > 0:
                counts, first_pairs = self._reworded, self._first_reworded
            counts[gold.framework] += 1
            _note_first(first_pairs, gold.framework, pair)

    def _note_gold(self, framework: str, units: list[tuple[int, str]]) -> None:
        """Keep the first gold units of a framework."""
        firsts = self.first_gold.get(framework, [])
        self.first_gold[framework] = sorted([*firsts, *units])[:NAMED]

    def gold_ids(self, takes: Takes) -> list[str]:
        """Return the ids of the first gold units of all that is scored.

        Args:
            takes: whether a framework is scored.
        """
        units = [
            unit
            for framework, firsts in self.first_gold.items()
            if takes(framework)
            for unit in firsts
        ]
        return [item for _, item in sorted(units)[:NAMED]]

    def fingerprints(self, takes: Takes) -> tuple[dict[str, int], dict[str, int]]:
        """Return the fingerprints of frameworks of gold, and of the system.

        Args:
            takes: whether a framework is scored.
        """
        gold, system = (
            {framework: prints[framework] for framework in filter(takes, prints)}
            for prints in self.prints
        )
        return gold, system

    def as_many(self, takes: Takes) -> bool:
        """Return whether both sides have as many units of all that is scored.

        Args:
            takes: whether a framework is scored.
        """
        gold, system = (
            {key: number for key, number in amounts.items() if takes(key[0])}
            for amounts in self.amounts
        )
        return gold == system

    def note_texts(
        self, result: Result, takes: Takes, gold: UnitSource, system: UnitSource
    ) -> None:
        """Add notes on texts that differ, and on what spans are compared by.

        Args:
            result: of a metric.
            takes: whether it takes a framework.
            gold: where the texts are.
            system: likewise.
        """
        metric = result.metric
        if metric.spans_by == "strings":
            return
        messages = [(SPANS_BY_CHARACTERS, self._unlike, self._first_unlike)]
        if metric.spans_by in ("tokens", "words"):
            messages.insert(0, (SPANS_BY_TOKENS, self._reworded, self._first_reworded))
        else:
            counts = self._unlike + self._reworded
            firsts = {**self._first_reworded, **self._first_unlike}
            messages = [(SPANS_BY_CHARACTERS, counts, firsts)]
        for sentence, counts, firsts in messages:
            names = [
                framework
                for framework in sorted(counts, key=lambda x: firsts[x].position)
                if takes(framework)
                and (
                    ANCHORS not in metric.tuple_types
                    or ANCHORS in metric.applicable(framework)
                )
            ]
            if names:
                result.notes.append(
                    f"{result.system}: "
                    + sentence.format(amount(sum(counts[x] for x in names), "pair"))
                    + f"; first {_first_difference(firsts, names[0], gold, system)}"
                )

    def _texts_differ(self, gold: Unit, system: Unit) -> bool:
        """Return whether both sides are anchored in texts that differ."""
        if not texts_differ(gold, system):
            return False
        characters = self._characters(gold) if self._characters else None
        return characters is None or (
            self._characters is not None and characters != self._characters(system)
        )


def _note_first(firsts: dict[str, Pair], framework: str, pair: Pair) -> None:
    """Keep a pair if it comes before the one that is kept, in the order of gold."""
    if pair.position < firsts.get(framework, pair).position or framework not in firsts:
        firsts[framework] = pair


def _first_difference(
    firsts: Mapping[str, Pair],
    framework: str,
    gold: UnitSource,
    system: UnitSource,
) -> str:
    _, gold_unit, system_unit = firsts[framework]
    assert gold_unit is not None
    assert system_unit is not None
    [left], [right] = gold.load([gold_unit]), system.load([system_unit])
    return unlike(left.item, left.graph, right.graph)


def texts_differ(gold: Unit, system: Unit) -> bool:
    """Return whether both items are anchored in texts that differ.

    One of them may be without nodes: an item in which nothing was found.

    Args:
        gold: a gold unit.
        system: the system's.
    """
    if gold.text == system.text or not (gold.text and system.text):
        return False
    if len(gold.names) > 1:
        return False
    anchored = [gold.anchored, system.anchored]
    return any(anchored) and anchored == [not gold.empty, not system.empty]


def note_pairing(result: Result, pairing: Pairing, takes: Takes) -> None:
    """Add notes on documents that were joined, and on units paired by order.

    Args:
        result: of a metric.
        pairing: what paired the units.
        takes: whether the metric takes a framework.
    """
    counts = Counter[str]()
    for framework, gold, system, same in pairing.joined:
        if sums_over(result.metric) == "sentence" and takes(framework):
            counts.update(gold=gold, system=system, pairs=1, unlike=int(not same))
    if counts:
        unlike_ones = counts["unlike"]
        result.notes.append(
            f"{result.system}: documents do not begin and end where gold's do: "
            f"{counts['gold']} of gold and {counts['system']} of the system are "
            f"scored as {counts['pairs']}"
            + (f", {unlike_ones} of other characters" if unlike_ones else "")
        )
    for framework, ids in pairing.unnamed:
        if takes(framework):
            shown = " or ".join(map(repr, ids))
            result.notes.append(
                f"{result.system}: all {framework} graphs of a side have the id "
                f"{shown}: paired by order"
            )
