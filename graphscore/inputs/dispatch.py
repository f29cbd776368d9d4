"""Dispatch of an input: a path, graphs, or one of the known types.

>>> recognize("gold", [["B-PER", "O"]]).kind.name
'tags'
>>> recognize("gold", "gold.conllu").path
'gold.conllu'
"""

from __future__ import annotations

from collections import UserList
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, is_dataclass
from itertools import chain, islice, zip_longest
from operator import index
from os import PathLike, fspath
from types import NoneType
from typing import Any

from graphscore.exceptions import truncate
from graphscore.formats.base import late
from graphscore.inputs.base import InputType, Taken
from graphscore.inputs.spans import is_number
from graphscore.inputs.type_checks import KINDS, LONE, is_column, is_list
from graphscore.model.graph import Graph
from graphscore.structures.entities.tags import tag_of

_SINGLE = tuple(kind for kind in KINDS if not kind.whole)
"""Kinds that are told by a single item."""


@dataclass
class SideInput:
    """One side, as it was given.

    Args:
        name: what it is to be scored as: ``gold``, ``system``.
        path: where it is a path or a pattern.
        graphs: where it is graphs.
        items: where it is something else.
        kind: what that is.
        ids: the ids of its items, where they stand beside them.
        candidates: what it may be where there is nothing in its items.
        taken: what was made of its items, where some may be lost.
    """

    name: str
    path: str | None = None
    graphs: Iterable[Graph] | None = None
    items: Any = None
    kind: InputType | None = None
    ids: list[Any] | None = None
    candidates: tuple[InputType, ...] = ()
    taken: Taken | None = None


def recognize(name: str, value: Any, labels: Sequence[str] = ()) -> SideInput:
    """Find out what a value is.

    Args:
        name: what it is to be scored as, in messages.
        value: a path or pattern, graphs, or anything of a known kind.
        labels: names of tags that are numbers, from 0.

    Raises:
        TypeError: if it is nothing that is taken, or fits two readings.
    """
    if isinstance(value, str | PathLike):
        return SideInput(name, path=str(fspath(value)))
    if type(value) is not list and type(value) is not tuple:
        return _recognize_other(name, value, labels)
    if not value or isinstance(value[0], Graph):
        return SideInput(name, graphs=value)
    return _items(name, [to_plain(item) for item in value], labels)


def _recognize_other(name: str, value: Any, labels: Sequence[str]) -> SideInput:
    """Find out what a value is that is neither a path nor a plain list."""
    if is_column(value):
        from graphscore.inputs.frames import column_of

        value = column_of(value)
    for kind in KINDS:
        if kind.whole and kind.fits(value):
            return SideInput(name, items=value, kind=kind)
    features = getattr(value, "features", None)
    if isinstance(value, Mapping) or isinstance(features, Mapping):
        from graphscore.inputs.columns import feature_labels, rows_of

        rows = rows_of(value) if isinstance(value, Mapping) else []
        if rows:
            return _items(name, rows, labels)
        # Rows of Hugging Face's datasets say what their numbers mean.
        labels = labels or feature_labels(features or {})
    if isinstance(value, Mapping) or _lone(value) or not isinstance(value, Iterable):
        raise TypeError(_untaken(name, value))
    if isinstance(value, Iterator):
        # Streams of graphs are not gathered.
        first = list(islice(value, 1))
        value = chain(first, value)
        if first and isinstance(first[0], Graph):
            return SideInput(name, graphs=value)
    items = value if isinstance(value, (list, tuple)) else list(value)
    if not items or isinstance(items[0], Graph):
        return SideInput(name, graphs=items)
    return _items(name, [to_plain(item) for item in items], labels)


def _items(name: str, items: list[Any], labels: Sequence[str] = ()) -> SideInput:
    """Find out of what kind items are, of which there is at least one."""
    if isinstance(items[0], Mapping) or _is_annotated(items[0]) or labels:
        items, kind, ids = _name_numbers(name, items, labels)
        if kind is not None:
            return SideInput(name, items=items, kind=kind, ids=ids)
    # Plain lists are tags, spans or clusters; nothing else is.
    kinds = [kind for kind in _SINGLE if kind.by_number == is_list(items[0])]
    fitting = [kind for kind in kinds if _all_fit(kind, items)]
    sure = [kind for kind in fitting if any(map(kind.fits, items))]
    if len(sure) == 1 and not (sure[0].name == "spans" and _all_fit(LONE, items)):
        return SideInput(name, items=items, kind=sure[0])
    if sure:
        raise TypeError(_two(name, (*sure, LONE) if len(sure) == 1 else sure))
    if any(kind.generated for kind in fitting) and not any(" " in x for x in items):
        fitting = []  # Paths, rather than what a model says instead of JSON.
    if fitting:
        return SideInput(name, items=items, candidates=tuple(fitting))
    odd = [item for item in items if not _kinds_of(item)]
    if not odd:
        raise TypeError(_unlike(name, items))
    raise TypeError(_untaken(name, odd[0], f"[{_place(items, odd[0])}]", items))


def _is_annotated(item: Any) -> bool:
    """Return whether an item is a text with its annotations, as for training spaCy."""
    pair = isinstance(item, tuple | list) and len(item) == 2
    return pair and isinstance(item[0], str) and isinstance(item[1], Mapping)


def _are_numbers(item: Any) -> bool:
    """Return whether an item is tags by number, or how likely each of them is."""
    first = item[0] if isinstance(item, list | tuple) and item else None
    if isinstance(first, list | tuple):
        return len(first) > 0 and all(isinstance(x, float) for x in first)
    return is_number(first)


def _name_numbers(
    name: str, items: list[Any], labels: Sequence[str]
) -> tuple[list[Any], InputType | None, list[str] | None]:
    """Items with names for numbers; their kind and ids where dicts count tokens."""
    from graphscore.inputs.columns import identity, list_key, with_names
    from graphscore.inputs.tags import named_tags

    if _are_numbers(items[0]) and labels:
        items = [
            named_tags(name, f"[{number}]", item, labels)
            for number, item in enumerate(items)
        ]
        return items, KINDS[0], None
    items = [
        {"text": item[0], **item[1]} if _is_annotated(item) else item for item in items
    ]
    if labels:
        items = [with_names(name, n, item, labels) for n, item in enumerate(items)]
    for number, kind in enumerate(KINDS[:3]):
        key = list_key(items, number)
        lists = [to_plain(item[key]) for item in items] if key else []
        fits = [kind.fits(values) for values in lists]
        if any(fits) and False not in fits:
            ids = [identity(item) for item in items]
            return lists, kind, ids if all(ids) else None
    return items, None, None


def drop_ignored(gold: SideInput, *systems: SideInput) -> None:
    """Leave tags out that gold ignores, on all sides, and what else is ignored.

    Args:
        gold: one side.
        systems: the others; their lists are as long as those of gold, or not touched.
    """
    tagged = [side for side in (gold, *systems) if side.kind is KINDS[0]]
    if len(tagged) > 1 and gold in tagged:
        ignored = [[tag is None for tag in item] for item in gold.items]
        for side in tagged:
            side.items = [
                [tag for tag, skip in zip(item, skips, strict=True) if not skip]
                if len(item) == len(skips)
                else item
                for item, skips in zip_longest(side.items, ignored, fillvalue=())
            ][: len(side.items)]
    for side in tagged:
        # A system may ignore tokens of its own: they are outside.
        side.items = [["O" if tag is None else tag for tag in x] for x in side.items]


def settle_kinds(
    gold: SideInput, system: SideInput, frameworks: frozenset[str] = frozenset()
) -> None:
    """Let what has nothing in its items be of the other side's kind.

    Args:
        gold: one side.
        system: the other.
        frameworks: what is scored, if that is known: it decides where neither side
            says what the items are.

    Raises:
        TypeError: if nothing says what they are.
    """
    for side, other_side in ((gold, system), (system, gold)):
        if side.candidates and side.kind is None:
            fitting = [kind for kind in side.candidates if kind.framework in frameworks]
            if other_side.kind in side.candidates:
                side.kind = other_side.kind
            elif len({kind.framework for kind in fitting}) == 1:
                # Of nothing there need not be as many as tokens.
                side.kind = min(fitting, key=lambda kind: kind.counted)
            else:
                raise TypeError(_two(side.name, side.candidates))


def _kinds_of(item: Any) -> list[InputType]:
    return [kind for kind in _SINGLE if kind.fits(item) is not False]


def _all_fit(kind: InputType, items: Sequence[Any]) -> bool:
    if kind.generated and any(map(kind.fits, items)):
        # What a language model says beside JSON is rejected one by one.
        items = [item for item in items if not isinstance(item, str | None)]
    return all(kind.fits(item) is not False for item in items)


def _place(items: Iterable[Any], odd: Any) -> int:
    return next(number for number, item in enumerate(items) if item is odd)


def _lone(value: Any) -> bool:
    """Return whether a value is a single item, even if it can be iterated."""
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return False
    return isinstance(value, Graph) or any(kind.fits(value) for kind in _SINGLE)


def _untaken(name: str, value: Any, where: str = "", whole: Any = None) -> str:
    """Describe in five lines what was given, what is taken, and what comes nearest."""
    lists = [f"{kind.name}: {kind.shape}" for kind in KINDS if kind.by_number]
    dicts = [f"{kind.name}: {kind.shape}" for kind in KINDS if kind.generated]
    rest = [kind.name for kind in KINDS if not (kind.by_number or kind.generated)]
    hint = _hint(value, whole) or f"nearest: graphscore.{_nearest(value).__name__}"
    return (
        f"{name}{where} is {truncate(repr(value))}, expected a path or pattern "
        "(a str), a list of graphs, or one of\n"
        f"  {'; '.join(lists)}\n  {'; '.join(dicts)}\n  {', '.join(rest)}\n{hint}"
    )


def _nearest(value: Any) -> Callable[..., Any]:
    """Return the constructor for what looks most like a value."""
    if isinstance(value, str | Mapping) or hasattr(value, "__dict__"):
        name = "dicts"
    elif isinstance(value, Iterable) and any(map(_is_triple, value)):
        return late("graphscore.inputs.dicts", "from_relations")
    elif isinstance(value, Iterable) and any(map(is_number, value)):
        name = "spans"
    elif isinstance(value, Iterable):
        name = "spans" if any(map(is_list, value)) else "tags"
    else:
        name = "tags"
    return next(kind.read for kind in KINDS if kind.name == name)


def _is_triple(value: Any) -> bool:
    """Return whether a value is a relation between two entities, by their words."""
    return is_list(value) and len(value) == 3 and all(isinstance(x, str) for x in value)


def _unlike(name: str, items: Sequence[Any]) -> str:
    """Describe the first item of another type than those before it."""
    before = _kinds_of(items[0])
    number = 0
    while shared := [
        input_type
        for input_type in before
        if input_type.fits(items[number]) is not False
    ]:
        before, number = shared, number + 1
    odd = items[number]
    kind, usual = (
        " or ".join(input_type.name for input_type in kinds)
        for kinds in (_kinds_of(odd), before)
    )
    return (
        f"{name}[{number}] is {kind} ({truncate(repr(odd))}), expected {usual}, as "
        f"before: "
        "items of one kind"
    )


def _hint(value: Any, whole: Any) -> str:
    """Return a hint at what may have been meant."""
    if isinstance(value, str) and not all(
        isinstance(tag, str) and tag_of(tag) for tag in whole or ()
    ):
        return "a path is given by itself, not in a list; texts are PENMAN or CoNLL-U"
    if isinstance(value, Mapping) and whole is None:
        return (
            "a single item has to be in a list; of several columns, give the one to "
            "be scored: a list of its rows"
        )
    if _lone(value) or (whole is not None and _is_item(whole)):
        return "a single item has to be in a list"
    numbers = isinstance(value, (list, tuple)) and value and all(map(is_number, value))
    return (
        "numbers are tags if labels=['O', 'B-PER', ...] names them" if numbers else ""
    )


def _is_item(value: Any) -> bool:
    """Return whether a list would do as an item."""
    return any(kind.fits(value) for kind in _SINGLE if kind.by_number)


def _two(name: str, kinds: Iterable[InputType]) -> str:
    readings = " or ".join(f"{kind.name} ({kind.shape})" for kind in kinds)
    makers = ", ".join(dict.fromkeys(kind.read.__name__ for kind in kinds))
    return f"{name} may be {readings}: say which with {makers}"


_LEAVES, _LISTS = frozenset({str, int, NoneType}), frozenset({list, tuple})

_DEEPEST = 4
"""Levels of lists within lists that are looked through level by level."""


def _are_strings(values: Iterable[Any]) -> bool:
    """Return whether there is nothing but strings, which nothing says sooner."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def to_plain(item: Any) -> Any:
    """Return an item with lists and tuples throughout, where it holds others like them.

    Args:
        item: anything; what has a ``tolist`` (arrays, tensors, columns) says itself
            what is in it.  Sets are sorted, so that their order is always the same.

    >>> from collections import namedtuple
    >>> span = namedtuple("Span", "label start end")
    >>> to_plain([span("PER", 0, 1)]), to_plain({("PER", 3, 4), ("LOC", 0, 1)})
    ([('PER', 0, 1)], [('LOC', 0, 1), ('PER', 3, 4)])
    """
    kind = type(item)
    if kind is list or kind is tuple:
        if item and type(item[0]) is str and _are_strings(item):
            return item
        values, kinds = item, {*map(type, item)}
        for _ in range(_DEEPEST):
            if not kinds or not _LISTS.issuperset(kinds):
                break
            values = [*chain.from_iterable(values)]
            kinds = {*map(type, values)}
        return item if kinds <= _LEAVES else kind(map(to_plain, item))
    if isinstance(item, (str, bytes, dict, bool, int)) or is_dataclass(item):
        return item
    if isinstance(item, Set):
        return sorted(map(to_plain, item), key=repr)
    if isinstance(item, Iterator | UserList):
        return to_plain(list(item))
    if isinstance(item, tuple) and hasattr(item, "_fields"):
        return to_plain(tuple(item))
    if callable(getattr(kind, "tolist", None)):
        listed = item.tolist()
        return listed if type(listed) is kind else to_plain(listed)
    return index(item) if hasattr(kind, "__index__") else item
