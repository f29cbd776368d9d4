"""Measures of entity linking as neleval names them.

A measure says how mentions are compared (as sets, by how far they overlap, or as
clusters of what is of one thing), which of them count, and what must be the same.  It
may be spelled out, as ``sets:is_linked:span+kbid``.

>>> measures_of("tac09|b_cubed|overlap-maxmax::span+type")[-1].key
('span', 'type')
>>> [each.name for each in measures_of("cornolti")]
['strong_linked_mention_match', 'strong_link_match', 'entity_match']
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import NamedTuple

from graphscore.errors import UsageError, meant
from graphscore.metrics.entities.nel.mentions import Mention
from graphscore.structures.layout import first_of

Key = Callable[[Mention], Hashable]

SETS = "sets"
"""How mentions are compared of which the same is said on both sides, or not."""

OVERLAPS = tuple(
    f"overlap-{gold}{system}" for gold in ("max", "sum") for system in ("max", "sum")
)
"""How overlaps are: the best one or all, for gold's mentions and for the system's."""

CLUSTERINGS = (
    *("mention_ceaf", "entity_ceaf", "b_cubed", "muc", "pairwise"),
    *("pairwise_negative", "mention_cs_ceaf", "entity_cs_ceaf", "cs_b_cubed"),
)
"""How clusters are compared."""

FIELDS = (
    *("docid", "start", "end", "span", "type", "eid", "kbid", "score"),
    *("is_nil", "is_linked", "is_first"),
)
"""What a mention has; any other field is a property of it."""

_ORDINALS = {name: place for place, name in enumerate(Mention._fields)}


class Measure(NamedTuple):
    """A measure.

    Example:
        >>> str(measure_of("strong_link_match"))
        'sets:is_linked:span+kbid'
    """

    name: str
    agg: str
    """How mentions are compared."""
    filter: str
    """The field that mentions must have which count; empty for all of them."""
    key: tuple[str, ...]
    """Fields that must be the same."""

    def __str__(self) -> str:
        """All of it, spelled out."""
        return f"{self.agg}:{self.filter or None}:{'+'.join(self.key)}"

    @property
    def by_document(self) -> bool:
        """Whether it is a sum over documents."""
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
        """What is the same of mentions that are.

        Args:
            mentions: of one side, in order.
        """
        return list(map(key_of(self.key), mentions))


@lru_cache(maxsize=256)
def key_of(fields: tuple[str, ...]) -> Key:
    """What gives the fields of a mention together.

    Args:
        fields: their names.
    """
    if all(each in _ORDINALS for each in fields):
        return itemgetter(*(_ORDINALS[each] for each in fields))
    found = [getter(each) for each in fields]
    return lambda mention: tuple(each(mention) for each in found)


@lru_cache(maxsize=256)
def getter(field: str) -> Key:
    """What gives a field of a mention: its own, or a property.

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
    each.name: each
    for each in (
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
    "all-tagging": tuple(x for x, each in MEASURES.items() if each.agg == SETS),
    "all-coref": tuple(x for x, each in MEASURES.items() if each.agg != SETS),
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


def measures_of(asked: str) -> tuple[Measure, ...]:
    """The measures that are asked for, each once.

    Args:
        asked: names of measures or groups of them, or measures spelled out, with
            ``|`` between.

    Raises:
        UsageError: if there is none of that name, or none of that kind.
    """
    found: dict[Measure, None] = {}
    for name in filter(None, (each.strip() for each in asked.split("|"))):
        for each in GROUPS.get(name, (name,)):
            found[measure_of(each)] = None
    if not found:
        raise UsageError(f"neleval: measures={asked}, expected one or more")
    return tuple(found)


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
            f"neleval: no measure {name!r}{meant(name, known)}; there are: "
            f"{', '.join(known)}, and such as sets:is_linked:span+kbid"
        )
    agg, filtered, key = parts
    known = [SETS, *OVERLAPS, *CLUSTERINGS]
    if agg not in known:
        raise UsageError(
            f"neleval: {name}: found {agg!r}{meant(agg, known)}, expected one of: "
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
