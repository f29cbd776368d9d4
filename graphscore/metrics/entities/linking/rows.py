"""Error rows of linked mentions and of their clusters.

A mention that the other side has not is *missing* or *spurious*.  Where the other side
has one of the same characters, ``name`` says what is wrong: ``wrong-link``,
``link-as-nil`` and ``nil-as-link``, as ``neleval analyze`` does, and ``type``.  Of
clusters the row of a mention that is in the wrong one says ``cluster``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from graphscore.metrics.entities.linking.clusters import Shared, clusters_of
from graphscore.metrics.entities.linking.measures import Measure
from graphscore.metrics.entities.linking.mentions import Mention, Span
from graphscore.model.outcome import ErrorType
from graphscore.model.outcome_builder import (
    Alignment,
    Described,
    OutcomeBuilder,
    aligned_by_key,
)

_Pair = tuple[Mention, Mention | None]

CLUSTER = "cluster"
"""Error name of a mention whose cluster has a better counterpart."""

TYPE = "type"
"""Error name of a mention with another type."""

NIL = "NIL"
"""Entry of a mention without a link."""


def enter_mentions(
    builder: OutcomeBuilder,
    measure: Measure,
    gold: Sequence[Mention],
    system: Sequence[Mention],
) -> None:
    """Enter what is the same on both sides, and what is on one alone.

    Args:
        builder: where to.
        measure: what must be the same.
        gold: gold's mentions, in order.
        system: the system's.
    """
    same_span = {"missing": _places(system), "spurious": _places(gold)}

    def beside(side: ErrorType, key: Hashable, mention: Mention) -> Mention | None:
        return same_span[side].get(mention.span)

    def describe(
        side: ErrorType, own: Mention, counterpart: Mention | None
    ) -> Described:
        wrong = _wrong(side, measure, own, counterpart) if counterpart else ""
        return _described(measure.name, own, counterpart, wrong)

    keyed = _keyed(measure, gold), _keyed(measure, system)
    builder.enter(aligned_by_key(*keyed, ordinal=_ordinal, beside=beside), describe)


def _keyed(measure: Measure, side: Sequence[Mention]) -> dict[Hashable, Mention]:
    """The first mention of each key."""
    mentions: dict[Hashable, Mention] = {}
    counting = measure.counting(side)
    for key, mention in zip(measure.keys(counting), counting, strict=True):
        mentions.setdefault(key, mention)
    return mentions


def _places(side: Iterable[Mention]) -> dict[Span, Mention]:
    """The first mention of the same characters."""
    mentions: dict[Span, Mention] = {}
    for mention in side:
        mentions.setdefault(mention.span, mention)
    return mentions


def _wrong(
    side: ErrorType, measure: Measure, own: Mention, counterpart: Mention
) -> str:
    gold, system = (own, counterpart) if side == "missing" else (counterpart, own)
    result = []
    if gold.kbid != system.kbid:
        if gold.is_linked and system.is_linked:
            result.append("wrong-link")
        else:
            result.append("link-as-nil" if gold.is_linked else "nil-as-link")
    if TYPE in measure.key and gold.type != system.type:
        result.append(TYPE)
    return ", ".join(result)


def _described(
    tuple_type: str, own: Mention, counterpart: Mention | None, name: str
) -> Described:
    return Described(
        tuple_type,
        own.ordinal,
        counterpart.ordinal if counterpart else None,
        label=own.node.label,
        name=name,
        value=own.type if name == TYPE else own.eid or NIL,
    )


def enter_clusters(
    builder: OutcomeBuilder,
    measure: Measure,
    gold: Sequence[Mention],
    system: Sequence[Mention],
    apart: bool,
) -> None:
    """Enter what is not in the cluster that is paired with its own.

    Args:
        builder: where to.
        measure: one whose clusters are paired one to one.
        gold: gold's mentions, in order.
        system: the system's.
        apart: whether mentions without an entry are clusters of their own.
    """
    clusters = [clusters_of(measure, side, apart) for side in (gold, system)]
    aligned = Shared(*clusters).aligned
    mentions = _keyed(measure, gold), _keyed(measure, system)

    def alone(side: int, partner: dict[int, int]) -> Iterator[_Pair]:
        """Return the mentions that the partner of their cluster lacks."""
        own, others = clusters[side], clusters[1 - side]
        for number, cluster in enumerate(own):
            paired = others[partner[number]] if number in partner else frozenset()
            left = (mentions[side][key] for key in cluster - paired)
            for mention in sorted(left, key=_ordinal):
                [key] = measure.keys([mention])
                yield mention, mentions[1 - side].get(key)

    def describe(
        side: ErrorType, own: Mention, counterpart: Mention | None
    ) -> Described:
        return _described(
            measure.name, own, counterpart, CLUSTER if counterpart else ""
        )

    back = {column: row for row, column in aligned}
    builder.enter(Alignment(alone(0, dict(aligned)), alone(1, back)), describe)


def _ordinal(mention: Mention) -> int:
    return mention.ordinal
