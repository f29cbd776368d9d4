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
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.correspondence.assignment import one_to_one
from graphscore.metrics.coreference.chains import Chains, Key
from graphscore.metrics.coreference.mention_spans import position, words_of

if TYPE_CHECKING:
    from graphscore.similarity.base import Sparse

NONE = -1
"""The partner of a mention that has none."""


class Alignment(NamedTuple):
    """For each gold mention the position of its partner, or -1."""

    equal: list[int]
    """Only mentions with equal keys."""
    partner: list[int]
    """All of them."""


def align(gold: Chains, system: Chains) -> Alignment:
    """The mentions that are the same, one to one.

    Args:
        gold: the gold entities.
        system: the system's, read the same way.

    Returns:
        Partners of the gold mentions.  Under the preset ``corefud`` repeated
        mentions stand under the first with their key.
    """
    partner = [*map(system.first.get, gold.keys, repeat(NONE))]
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
        for mention in zeros[0]:
            partner[mention] = NONE
    equal = partner
    if reading.mentions != "exact" or any(zeros):
        partner = [*equal]
    if any(zeros):
        _zeros(gold, system, *zeros, partner)
    if reading.mentions != "exact":
        _close(gold, system, zeros, partner)
    return Alignment(equal, partner)


def _repeated(gold: Chains, system: Chains, partner: list[int]) -> None:
    """Match the mentions whose keys are there more than once."""
    keys = dict.fromkeys((*gold.repeated, *system.repeated))
    copies: list[tuple[list[int], list[int]]] = []
    for key in keys:
        left, right = _all(gold, key), _all(system, key)
        copies.append((left, right))
        for gold_mention in left:
            partner[gold_mention] = NONE
    if gold.reading.preset == "corefud":
        for left, right in copies:
            if left and right:
                partner[left[0]] = right[0]
        return
    first, second = gold.owner, system.owner
    beside = Counter(
        (first[index], second[counterpart])
        for index, counterpart in enumerate(partner)
        if counterpart >= 0
    )
    for left, right in copies:
        cells: Sparse = {
            (gold_mention, system_mention): 1
            + beside[first[gold_mention], second[system_mention]]
            for gold_mention in left
            for system_mention in right
        }
        for gold_mention, counterpart in one_to_one(cells):
            partner[gold_mention] = counterpart


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
    by_sentence: dict[str, list[tuple[int, _Links]]] = {}
    for mention in right:
        sentence, links = _links(system, mention)
        by_sentence.setdefault(sentence, []).append((mention, links))
    cells: Sparse = {}
    for gold_mention in left:
        sentence, links = _links(gold, gold_mention)
        for candidate, rivals in by_sentence.get(sentence, ()):
            alike = 10 * _f1(links, rivals)
            alike += _f1({link[0] for link in links}, {rival[0] for rival in rivals})
            if alike:
                cells[gold_mention, candidate] = alike
    for gold_mention, candidate in one_to_one(cells):
        partner[gold_mention] = candidate


_Links = set[tuple[object, object]]


def _links(chains: Chains, mention: int) -> tuple[str, _Links]:
    """An empty node's sentence, and its governors with the relations to them."""
    properties = chains.node(mention).properties
    values: dict[str, list[object]] = {"word": [], "governor": [], "deprel": []}
    for name, value in properties:
        if name in values:
            values[name].append(value)
    relations = values["deprel"] + [None] * len(values["governor"])
    sentence = str(values["word"][0]).rpartition(":")[0] if values["word"] else ""
    return sentence, set(zip(values["governor"], relations, strict=False))


def _f1(left: set[Any], right: set[Any]) -> float:
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def _close(
    gold: Chains,
    system: Chains,
    zeros: tuple[Sequence[int], Sequence[int]],
    partner: list[int],
) -> None:
    """Match mentions that are left and whose words are nearly the same."""
    taken = {counterpart for counterpart in partner if counterpart >= 0}
    left = _left(
        gold, {k for k, counterpart in enumerate(partner) if counterpart >= 0}, zeros[0]
    )
    right = _left(system, taken, zeros[1])
    if not (left and right):
        return
    words = words_of(gold, system)
    gold_sizes, system_sizes = words.sizes(gold), words.sizes(system)
    row_of = {mention: number for number, mention in enumerate(left)}
    column_of = {mention: number for number, mention in enumerate(right)}
    by_head = gold.reading.mentions == "head"
    cells: Sparse = {}
    shared = words.shared(gold, system, left, right)
    for (first, second), common in shared.items():
        head = gold.head(first)
        if head is None:
            continue
        if by_head:
            close = head == system.head(second)
        else:
            close = common == system_sizes[second] and words.within(
                system, second, head
            )
        if close:
            cells[row_of[first], column_of[second]] = common / gold_sizes[first]
    for number, counterpart in one_to_one(cells):
        partner[left[number]] = right[counterpart]


def _left(chains: Chains, taken: set[int], without: Sequence[int]) -> list[int]:
    """Mentions that are still to be matched, as they are read."""
    gone = taken.union(without)
    if chains.reading.preset == "corefud":
        gone.update(
            mention for value in chains.repeated.values() for mention in value[1:]
        )
    mentions = [mention for mention in range(len(chains.keys)) if mention not in gone]
    return sorted(mentions, key=lambda mention: (position(chains, mention), mention))
