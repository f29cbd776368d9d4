"""Align system mentions with gold mentions.

Mentions with equal keys are the same.  Under ``partial`` and ``head`` (Novák et al.
2024; corefud-scorer, ``scorer/base/reader.py``) what is left is matched one to one
by how many words of the gold mention the system's has, and empty nodes on demand by
what they depend on.

A span that several entities have is several mentions.  Those of the two sides are
matched one to one, where they stand beside the same mentions: first come those
whose entities share most of their other mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphscore.metrics.coreference.chains import Chains, Key, Places
from graphscore.metrics.coreference.mention_spans import position, words_of

if TYPE_CHECKING:
    from graphscore.similarity.base import Cell, Sparse

NONE = -1
"""The partner of a mention that has none."""


class Alignment(NamedTuple):
    """For each gold mention the position of its partner, or -1."""

    equal: Places
    """Only mentions with equal keys."""
    partner: Places
    """All of them."""


def one_to_one(cells: Sparse) -> list[Cell]:
    """The pairs that earn most together.

    Args:
        cells: what pairs earn that earn anything.
    """
    if not cells:
        return []
    from graphscore.correspondence.assignment import one_to_one

    return one_to_one(cells)


def align(gold: Chains, system: Chains) -> Alignment:
    """The mentions that are the same, one to one.

    Args:
        gold: the gold entities.
        system: the system's, read the same way.

    Returns:
        Partners of the gold mentions.  Under the preset ``corefud`` repeated
        mentions stand under the first with their key.
    """
    get = system.first.get
    partner = [get(key, NONE) for key in gold.keys]
    if gold.repeated or system.repeated:
        _repeated(gold, system, partner)
    reading = gold.reading
    dependent = reading.zeros == "dependent"
    zeros: tuple[list[int], list[int]] = ([], [])
    if dependent:
        zeros = tuple(  # type: ignore[assignment]
            [index for index, zero in enumerate(side.zero) if zero]
            for side in (gold, system)
        )
        for place in zeros[0]:
            partner[place] = NONE
    equal = np.array(partner, dtype=np.int64)
    if any(zeros):
        _zeros(gold, system, *zeros, partner)
    if reading.mentions != "exact":
        _close(gold, system, zeros, partner)
    elif not dependent:
        return Alignment(equal, equal)
    return Alignment(equal, np.array(partner, dtype=np.int64))


def _repeated(gold: Chains, system: Chains, partner: list[int]) -> None:
    """Match the mentions whose keys are there more than once."""
    keys = dict.fromkeys((*gold.repeated, *system.repeated))
    copies: list[tuple[list[int], list[int]]] = []
    for key in keys:
        left, right = _all(gold, key), _all(system, key)
        copies.append((left, right))
        for place in left:
            partner[place] = NONE
    if gold.reading.preset == "corefud":
        for left, right in copies:
            if left and right:
                partner[left[0]] = right[0]
        return
    first, second = gold.owner.tolist(), system.owner.tolist()
    beside = Counter(
        (first[index], second[other])
        for index, other in enumerate(partner)
        if other >= 0
    )
    for left, right in copies:
        cells: Sparse = {
            (place, their): 1 + beside[first[place], second[their]]
            for place in left
            for their in right
        }
        for place, other in one_to_one(cells):
            partner[place] = other


def _all(chains: Chains, key: Key) -> list[int]:
    several = chains.repeated.get(key)
    if several is None:
        first = chains.first.get(key)
        return [] if first is None else [first]
    return several


def _zeros(
    gold: Chains, system: Chains, left: list[int], right: list[int], partner: list[int]
) -> None:
    """Match empty nodes of a sentence by what they depend on.

    F1 of governors with their relations counts ten times that of governors alone
    (corefud-scorer, ``zero_dependent_match_score``).
    """
    there: dict[str, list[tuple[int, _Links]]] = {}
    for mention in right:
        sentence, links = _links(system, mention)
        there.setdefault(sentence, []).append((mention, links))
    cells: Sparse = {}
    for place in left:
        sentence, links = _links(gold, place)
        for other, rivals in there.get(sentence, ()):
            alike = 10 * _f1(links, rivals)
            alike += _f1({link[0] for link in links}, {rival[0] for rival in rivals})
            if alike:
                cells[place, other] = alike
    for place, other in one_to_one(cells):
        partner[place] = other


_Links = set[tuple[object, object]]


def _links(chains: Chains, mention: int) -> tuple[str, _Links]:
    """An empty node's sentence, and its governors with the relations to them."""
    properties = chains.node(mention).properties
    said: dict[str, list[object]] = {"word": [], "governor": [], "deprel": []}
    for name, value in properties:
        if name in said:
            said[name].append(value)
    relations = said["deprel"] + [None] * len(said["governor"])
    sentence = str(said["word"][0]).rpartition(":")[0] if said["word"] else ""
    return sentence, set(zip(said["governor"], relations, strict=False))


def _f1(left: set[Any], right: set[Any]) -> float:
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def _close(
    gold: Chains,
    system: Chains,
    zeros: tuple[Sequence[int], Sequence[int]],
    partner: list[int],
) -> None:
    """Match mentions that are left and whose words are nearly the same."""
    taken = {other for other in partner if other >= 0}
    left = _left(gold, {k for k, other in enumerate(partner) if other >= 0}, zeros[0])
    right = _left(system, taken, zeros[1])
    if not (left and right):
        return
    words = words_of(gold, system)
    mine, theirs = (words.extents(side).sizes.tolist() for side in (gold, system))
    here = {place: number for number, place in enumerate(left)}
    there = {place: number for number, place in enumerate(right)}
    by_head = gold.reading.mentions == "head"
    cells: Sparse = {}
    shared = words.shared(gold, system, left, right)
    for first, second, common in zip(*(each.tolist() for each in shared), strict=True):
        head = gold.head(first)
        if head is None:
            continue
        if by_head:
            close = head == system.head(second)
        else:
            close = common == theirs[second] and words.within(system, second, head)
        if close:
            cells[here[first], there[second]] = common / mine[first]
    for number, other in one_to_one(cells):
        partner[left[number]] = right[other]


def _left(chains: Chains, taken: set[int], without: Sequence[int]) -> list[int]:
    """Mentions that are still to be matched, as they are read."""
    gone = taken.union(without)
    if chains.reading.preset == "corefud":
        gone.update(place for value in chains.repeated.values() for place in value[1:])
    places = [place for place in range(len(chains.keys)) if place not in gone]
    return sorted(places, key=lambda place: (position(chains, place), place))
