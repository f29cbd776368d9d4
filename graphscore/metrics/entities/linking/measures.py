"""Measures of entity linking as neleval names them.

A measure says how mentions are compared (as sets, by how far they overlap, or as
clusters of what is of one thing), which of them count, and what must be the same.  It
may be spelled out, as ``sets:is_linked:span+kbid``.

>>> measures_of("tac09|b_cubed|overlap-maxmax::span+type")[-1].key
('span', 'type')
>>> [each.name for each in measures_of("cornolti")]
['strong_linked_mention_match', 'strong_link_match', 'entity_match']

**Overlap,** for offsets that are not quite right.  Every mention earns the share of
its characters that mentions of the other side have (``sum``), or that the one has
which it shares most with (``max``).

Mentions of equal fields are gone through from the last to the first on both sides at
once, and of two, the one that begins later is done with; so mentions that lie within
others are not always met.  That is neleval's way, and so is that all mentions are in
the denominators, whether or not they count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import NamedTuple

from graphscore.exceptions import UsageError, did_you_mean
from graphscore.metrics.entities.linking.mentions import Mention
from graphscore.model.outcome import Count
from graphscore.structures.layout import first_of

Range = tuple[int, int]
"""First and last character."""

Met = tuple[list[tuple[Range, list[Range]]], list[tuple[Range, list[Range]]]]
"""Ranges of gold and of the system that overlap others, each with these."""


def overlap_count(
    measure: Measure, gold: Sequence[Mention], system: Sequence[Mention]
) -> Count:
    """Count the overlap of the mentions of both sides.

    Args:
        measure: one of ``overlap-...``.
        gold: gold's mentions, in order.
        system: the system's.
    """
    modes = measure.agg.removeprefix("overlap-")
    left, right = met(measure, gold, system)
    return Count(
        len(gold),
        len(system),
        float(
            sum((share(*gold_overlap, modes[:3]) for gold_overlap in left), Fraction(0))
        ),
        float(
            sum(
                (share(*system_overlap, modes[3:]) for system_overlap in right),
                Fraction(0),
            )
        ),
    )


def met(measure: Measure, gold: Sequence[Mention], system: Sequence[Mention]) -> Met:
    """The mentions that meet others.

    Args:
        measure: which count, and what must be the same besides.
        gold: gold's mentions, in order.
        system: the system's.
    """
    left_by_key, right_by_key = (_by_key(measure, side) for side in (gold, system))
    result: Met = [], []
    for key, right in right_by_key.items():
        left = left_by_key.get(key)
        if left:
            _meet(left, right, result)
    return result


def _by_key(
    measure: Measure, side: Sequence[Mention]
) -> dict[Hashable, list[tuple[Range, list[Range]]]]:
    fields = *(mention for mention in measure.key if mention != "span"), "docid"
    counting = measure.counting(side)
    keys = measure._replace(key=fields).keys(counting)
    result: defaultdict[Hashable, list[tuple[Range, list[Range]]]] = defaultdict(list)
    for key, mention in zip(keys, counting, strict=True):
        if mention.start >= 0:
            result[key, mention.span[0]].append(((mention.start, mention.end), []))
    for ranges in result.values():
        ranges.sort(key=lambda range_: (range_[0][0], -range_[0][1]))
    return result


def _meet(
    gold: list[tuple[Range, list[Range]]],
    system: list[tuple[Range, list[Range]]],
    result: Met,
) -> None:
    left, right = len(gold) - 1, len(system) - 1
    while left >= 0 and right >= 0:
        (gold_range, beside_gold), (system_range, beside_system) = (
            gold[left],
            system[right],
        )
        if gold_range[0] <= system_range[1] and gold_range[1] >= system_range[0]:
            beside_gold.append(system_range)
            beside_system.append(gold_range)
        if (system_range[0], -system_range[1]) > (gold_range[0], -gold_range[1]):
            right -= 1
        else:
            left -= 1
    result[0].extend(overlaps for overlaps in gold if overlaps[1])
    result[1].extend(overlaps for overlaps in system if overlaps[1])


def share(own: Range, others: Sequence[Range], mode: str) -> Fraction:
    """Return the share of a span that others cover.

    Args:
        own: the range.
        others: those that overlap it.
        mode: ``max`` for that which has most, ``sum`` for all together.

    >>> [str(share((0, 9), [(2, 4), (4, 5)], mode)) for mode in ("max", "sum")]
    ['3/10', '2/5']
    """
    first, last = own
    size = last - first + 1
    if mode == "max":
        most = max(min(last, end) - max(first, start) for start, end in others)
        return Fraction(most + 1, size)
    shared, reached = 0, first
    for start, end in sorted(others):
        start, end = max(start, reached), min(end, last)
        shared += max(0, end - start + 1)
        reached = max(reached, end + 1)
    return Fraction(shared, size)


Key = Callable[[Mention], Hashable]

SETS = "sets"
"""Aggregate that compares mentions as sets of equal fields."""

OVERLAPS = tuple(
    f"overlap-{gold}{system}" for gold in ("max", "sum") for system in ("max", "sum")
)
"""Aggregates over overlaps: the best or all, for gold and for system mentions."""

CLUSTERINGS = (
    *("mention_ceaf", "entity_ceaf", "b_cubed", "muc", "pairwise"),
    *("pairwise_negative", "mention_cs_ceaf", "entity_cs_ceaf", "cs_b_cubed"),
)
"""Aggregates that compare clusters."""

FIELDS = (
    *("docid", "start", "end", "span", "type", "eid", "kbid", "score"),
    *("is_nil", "is_linked", "is_first"),
)
"""Fields of a mention; any other name is one of its properties."""

_ORDINALS = {name: index for index, name in enumerate(Mention._fields)}


class Measure(NamedTuple):
    """A measure.

    Example:
        >>> str(measure_of("strong_link_match"))
        'sets:is_linked:span+kbid'
    """

    name: str
    agg: str
    """Aggregate: how mentions are compared."""
    filter: str
    """The field that mentions must have which count; empty for all of them."""
    key: tuple[str, ...]
    """Fields that must be the same."""

    def __str__(self) -> str:
        """All of it, spelled out."""
        return f"{self.agg}:{self.filter or None}:{'+'.join(self.key)}"

    @property
    def by_document(self) -> bool:
        """True if the measure is a sum over documents."""
        return self.agg not in CLUSTERINGS and not {"span", "docid"}.isdisjoint(
            self.key
        )

    def counting(self, mentions: Sequence[Mention]) -> Sequence[Mention]:
        """The mentions that count.

        Args:
            mentions: of one side, in order.
        """
        if not self.filter:
            return mentions
        return list(filter(getter(self.filter), mentions))

    def keys(self, mentions: Sequence[Mention]) -> list[Hashable]:
        """Return the compared fields of each mention.

        Args:
            mentions: of one side, in order.
        """
        return list(map(key_of(self.key), mentions))


@lru_cache(maxsize=256)
def key_of(fields: tuple[str, ...]) -> Key:
    """Return a function that returns several fields of a mention together.

    Args:
        fields: their names.
    """
    if all(field in _ORDINALS for field in fields):
        return itemgetter(*(_ORDINALS[field] for field in fields))
    getters = [getter(field) for field in fields]
    return lambda mention: tuple(field_getter(mention) for field_getter in getters)


@lru_cache(maxsize=256)
def getter(field: str) -> Key:
    """Return a function that returns a field of a mention, or one of its properties.

    Args:
        field: its name.
    """
    if field in _ORDINALS:
        return itemgetter(_ORDINALS[field])
    if field in FIELDS:
        return attrgetter(field)
    return lambda mention: first_of(mention.node.properties, field)


def _named(name: str, agg: str, key: str, filtered: str = "") -> Measure:
    return Measure(name, agg, filtered, tuple(key.split("+")))


_LINKED, _NIL = "is_linked", "is_nil"

MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        _named("strong_mention_match", SETS, "span"),
        _named("strong_typed_mention_match", SETS, "span+type"),
        _named("strong_linked_mention_match", SETS, "span", _LINKED),
        _named("strong_link_match", SETS, "span+kbid", _LINKED),
        _named("strong_nil_match", SETS, "span", _NIL),
        _named("strong_all_match", SETS, "span+kbid"),
        _named("strong_typed_link_match", SETS, "span+type+kbid", _LINKED),
        _named("strong_typed_nil_match", SETS, "span+type", _NIL),
        _named("strong_typed_all_match", SETS, "span+type+kbid"),
        _named("entity_match", SETS, "docid+kbid", _LINKED),
        _named("mention_ceaf", "mention_ceaf", "span"),
        _named("mention_ceaf_plus", "mention_ceaf", "span+kbid"),
        _named("typed_mention_ceaf", "mention_ceaf", "span+type"),
        _named("typed_mention_ceaf_plus", "mention_ceaf", "span+type+kbid"),
        _named("entity_ceaf", "entity_ceaf", "span"),
        _named("b_cubed", "b_cubed", "span"),
        _named("b_cubed_plus", "b_cubed", "span+kbid"),
        _named("muc", "muc", "span"),
        _named("pairwise", "pairwise", "span"),
    )
}
"""The measures that have a name."""

_TAC09 = ("strong_link_match", "strong_nil_match", "strong_all_match")
_TAC11 = (*_TAC09, "b_cubed", "b_cubed_plus")

GROUPS: Mapping[str, tuple[str, ...]] = {
    "all": tuple(MEASURES),
    "all-tagging": tuple(x for x, value in MEASURES.items() if value.agg == SETS),
    "all-coref": tuple(x for x, value in MEASURES.items() if value.agg != SETS),
    "tac09": _TAC09,
    "tac11": _TAC11,
    "tac14": (
        *_TAC11,
        *("strong_mention_match", "strong_typed_mention_match"),
        *("strong_typed_all_match", "mention_ceaf", "typed_mention_ceaf"),
    ),
    "hachey": (
        *("strong_mention_match", "strong_linked_mention_match"),
        *("strong_link_match", "entity_match"),
    ),
    "cornolti": ("strong_linked_mention_match", "strong_link_match", "entity_match"),
    "luo": ("muc", "b_cubed", "mention_ceaf", "entity_ceaf"),
    "tmp": ("mention_ceaf", "entity_ceaf", "pairwise"),
}
"""Measures that are asked for together."""


def measures_of(names: str) -> tuple[Measure, ...]:
    """The measures that are asked for, each once.

    Args:
        names: names of measures or groups of them, or measures spelled out, with
            ``|`` between.

    Raises:
        UsageError: if there is none of that name, or none of that tuple type.
    """
    measures: dict[Measure, None] = {}
    for name in filter(None, (measure.strip() for measure in names.split("|"))):
        for measure in GROUPS.get(name, (name,)):
            measures[measure_of(measure)] = None
    if not measures:
        raise UsageError(f"neleval: measures={names}, expected one or more")
    return tuple(measures)


def measure_of(name: str) -> Measure:
    """A measure by its name, or spelled out: how, which, and what must be the same.

    Args:
        name: such as ``b_cubed`` or ``sets:is_nil:span+type``.

    Raises:
        UsageError: if there is none.
    """
    if name in MEASURES:
        return MEASURES[name]
    parts = name.split(":")
    if len(parts) != 3:
        known = [*GROUPS, *MEASURES]
        raise UsageError(
            f"neleval: no measure {name!r}{did_you_mean(name, known)}; there are: "
            f"{', '.join(known)}, and such as sets:is_linked:span+kbid"
        )
    agg, filtered, key = parts
    known = [SETS, *OVERLAPS, *CLUSTERINGS]
    if agg not in known:
        raise UsageError(
            f"neleval: {name}: found {agg!r}{did_you_mean(agg, known)}, expected one "
            f"of: "
            f"{', '.join(known)}"
        )
    fields = tuple(key.split("+"))
    if not all(fields):
        raise UsageError(
            f"neleval: {name}: found {key!r}, expected fields with + between"
        )
    if agg in OVERLAPS and "span" not in fields:
        raise UsageError(f"neleval: {name}: found {key!r}, expected span among them")
    return Measure(name, agg, "" if filtered == "None" else filtered, fields)
