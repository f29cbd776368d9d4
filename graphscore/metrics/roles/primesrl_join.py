"""Pieces of arguments, joined as Jindal et al. (2023) join them.

X and all its C-X are one argument: the set of their words, or of their heads.  R-X is
an argument of its own that refers to X.

>>> pieces = [Labelled("A0", (2,), 0), Labelled("C-A0", (11,), 1)]
>>> turned = [Labelled("C-A0", (2,), 0), Labelled("A0", (11,), 1)]
>>> join(pieces).arguments.keys() == join(turned).arguments.keys()
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from graphscore.metrics.roles.inventories import CONTEXT, CORE, PROPBANK, Inventory
from graphscore.metrics.roles.labels import CONTINUED, REFERRING, parted
from graphscore.structures.roles.sentence import VERB

Places = tuple[int, ...]
"""Positions of words, sorted."""

Key = tuple[str, Places, Places | None, int]
"""Label, places, places of what is referred to, and how many before are the same."""


class Labelled(NamedTuple):
    """A piece as the sentence has it."""

    label: str
    """As it is compared, with its prefixes."""
    places: Places
    edge: int
    """The ordinal of its edge."""


class WholeArgument(NamedTuple):
    """A whole argument."""

    label: str
    """With R-, without C-."""
    places: Places
    referent: Places | None
    """Of R-X, the places of X; nothing where there is no X."""
    kind: str
    edge: int
    """The ordinal of the edge of X, or of the first C-X where there is no X."""


class Joined(NamedTuple):
    """The arguments of a predicate, and what weaker comparisons need."""

    arguments: dict[Key, WholeArgument]
    plain: dict[tuple[str, Places, int], str]
    """Kinds of arguments by label and places, whatever they refer to."""
    pieces: dict[tuple[str, Places, int], str]
    """Kinds of the pieces by label, without C-, and places."""
    places: Counter[Places]
    """How many arguments there are in the same places."""
    sizes: dict[str, int]
    """How many arguments, by kind."""
    parts: dict[str, int]
    """How many pieces, by kind."""
    excluded: int
    """How many pieces are words of the predicate."""
    unknown: int
    """How many arguments have a label of no inventory that is known."""


def join(
    pieces: Iterable[Labelled], inventory: Inventory = PROPBANK, sense: str = ""
) -> Joined:
    """Arguments of pieces.

    Of several X of one predicate the first in the text takes every C-X, and is what
    R-X refers to; the paper does not say, the published code does so.

    Args:
        pieces: those of one predicate.
        inventory: which labels are core.
        sense: the label of the predicate.
    """
    parts = {CORE: 0, CONTEXT: 0}
    said: dict[tuple[str, Places, int], str] = {}
    groups: list[tuple[str, list[Labelled]]] = []
    first: dict[str, list[Labelled]] = {}
    continued: list[tuple[str, Labelled]] = []
    excluded = 0
    times: Counter[Hashable] = Counter()
    for piece in sorted(pieces, key=_place):
        prefix, bare = parted(piece.label)
        if bare == VERB:
            excluded += 1
            continue
        kind = inventory.kind(bare, sense)
        parts[kind] += 1
        name = REFERRING + bare if REFERRING in prefix else bare
        # Which part is called X and which C-X is no matter of labels.
        said[_numbered(times, name, piece.places)] = kind
        if CONTINUED in prefix:
            continued.append((name, piece))
        else:
            group = [piece]
            first.setdefault(name, group)
            groups.append((name, group))
    for name, piece in continued:
        if name in first:
            first[name].append(piece)
        else:
            first[name] = [piece]
            groups.append((name, first[name]))
    where = {name: _united(group) for name, group in first.items()}
    found = Joined({}, {}, said, Counter(), {CORE: 0, CONTEXT: 0}, parts, excluded, 0)
    unknown = 0
    plain: Counter[Hashable] = Counter()
    whole: Counter[Hashable] = Counter()
    for name, group in groups:
        bare = parted(name)[1]
        referent = where.get(bare) if bare != name else None
        places = where[name] if group is first[name] else _united(group)
        kind = inventory.kind(bare, sense)
        argument = WholeArgument(name, places, referent, kind, group[0].edge)
        number = whole[name, places, referent]
        whole[name, places, referent] += 1
        found.arguments[name, places, referent, number] = argument
        found.plain[_numbered(plain, name, places)] = kind
        found.places[places] += 1
        found.sizes[kind] += 1
        unknown += not inventory.knows(bare, sense)
    return found._replace(unknown=unknown)


def _place(piece: Labelled) -> Places:
    return piece.places


def _united(group: list[Labelled]) -> Places:
    if len(group) == 1:
        return group[0].places
    return tuple(sorted({place for piece in group for place in piece.places}))


def _numbered(
    times: Counter[Hashable], label: str, places: Places
) -> tuple[str, Places, int]:
    """A key that is not known yet: equal ones are counted."""
    number = times[label, places]
    times[label, places] += 1
    return label, places, number


NOTHING = join(())
"""A predicate without arguments."""
