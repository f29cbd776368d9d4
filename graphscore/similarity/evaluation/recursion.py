"""Rules of similarities that are asked again about parts, and parts of parts.

Nothing recurs: things are compared from the lowest upwards, all of one height at
once, so depth costs no stack; and only those pairs are compared that a pair above
them asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from graphscore.similarity.base import (
    Aligned,
    Number,
    Request,
    Similarity,
    Sparse,
    keys_of,
)
from graphscore.similarity.evaluation.functions import identities, pairs, selves, warm
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.operators.recursion import Recursive
from graphscore.similarity.operators.references import SelfReference
from graphscore.similarity.view import Element, Elements, Pair, View
from graphscore.structures.objects.field_types import StructureError

Ends = tuple[Element | None, Element | None]
"""A gold and a system element that are compared, or one alone."""


@dataclass
class Bound:
    """Binding of a name while the formula of that name is evaluated."""

    formula: Recursive
    key: Hashable
    met: list[Element] = field(default_factory=list)
    """Things that the formula was asked about."""
    aligned: dict[Ends, tuple[Aligned, ...]] = field(default_factory=dict)
    missing: list[Ends] = field(default_factory=list)
    """Pairs that ``aligned`` lacks."""


@dataclass
class Table:
    """Table of computed values for two graphs."""

    values: dict[Ends, Number] = field(default_factory=dict)
    done: set[Ends] = field(default_factory=set)
    aligned: dict[Ends, tuple[Aligned, ...]] = field(default_factory=dict)


# The name of a formula inside of itself.


def bound_of(reference: SelfReference, view: View) -> Bound:
    """Return the formula of a name.

    Raises:
        FormulaError: if no formula around it has the name.
    """
    result: Bound | None = view.kept.get(("again", reference.name))
    if result is None:
        raise FormulaError(
            f"{reference!r} outside of recursive({reference.name!r}, ...)",
            str(reference),
            str(reference),
        )
    return result


@pairs.register
def _(similarity: SelfReference, request: Request) -> Sparse:
    """The values computed for elements below."""
    pair, gold, system = request.pair, request.gold, request.system
    values = table_of(bound_of(similarity, pair.gold).formula, pair).values
    numbers = {(r, c): values.get((gold[r], system[c])) for r, c in request.cells}
    return {cell: number for cell, number in numbers.items() if number}


@selves.register
def _(similarity: SelfReference, view: View, elements: Elements) -> list[Number]:
    return selves(bound_of(similarity, view).formula, view, elements)


@identities.register
def _(similarity: SelfReference, view: View, elements: Elements) -> list[Hashable]:
    return identities(bound_of(similarity, view).formula, view, elements)


@warm.register
def _(similarity: SelfReference, view: View, elements: Elements) -> None:
    # Note what the formula is asked about.
    bound_of(similarity, view).met.extend(elements)


# What things there are.


@dataclass
class _Below:
    """Elements that one element depends on."""

    own: tuple[Element, ...]
    """Things that the formula is asked about for its sake."""
    others: tuple[tuple[Element, ...], ...]
    """Likewise those of formulas around it."""


def _key(formula: Recursive, view: View) -> Hashable:
    """Return the cache key: the formula, and the meaning of names around it."""
    around = (view.kept.get(("again", name)) for name in formula.around)
    return formula.token, tuple(bound and bound.key for bound in around)


@contextmanager
def bind(formula: Recursive, *views: View) -> Iterator[Bound]:
    """The name stands for this formula, for a while."""
    key = ("again", formula.name)
    bound = Bound(formula, _key(formula, views[0]))
    before = [view.kept.get(key) for view in views]
    for view in views:
        view.kept[key] = bound
    try:
        yield bound
    finally:
        for view, outer in zip(views, before, strict=True):
            if outer is None:
                view.kept.pop(key, None)
            else:
                view.kept[key] = outer


def _below(view: View, bound: Bound, element: Element) -> _Below:
    """Return the dependencies of an element, and note those of outer formulas."""
    known: dict[Element, _Below] = view.keep(("below", bound.key), dict)
    around = [view.kept["again", name] for name in bound.formula.around]
    result = known.get(element)
    if result is None:
        before = [len(outer.met) for outer in around]
        bound.met.clear()
        warm(bound.formula.similarity, view, [element])
        others = tuple(
            tuple(outer.met[start:])
            for outer, start in zip(around, before, strict=True)
        )
        own = tuple(dict.fromkeys(bound.met))
        result = known[element] = _Below(own, others)
    else:
        for outer, met in zip(around, result.others, strict=True):
            outer.met.extend(met)
    return result


def heights_of(
    view: View, bound: Bound, elements: Iterable[Element]
) -> dict[Element, int]:
    """Return the height of every element reached, above the lowest.

    Raises:
        StructureError: if something is a part of itself, with the way there.
    """
    heights: dict[Element, int] = view.keep(("heights", bound.key), dict)
    seen: set[Element] = set() if bound.formula.around else set(heights)
    for start in elements:
        if start in seen:
            continue
        way: dict[Element, Iterator[Element]] = {}
        stack = [start]
        while stack:
            element = stack[-1]
            if element not in way:
                seen.add(element)
                way[element] = iter(_below(view, bound, element).own)
            for end in way[element]:
                if end in way:
                    raise _circle(view, list(way), end)
                if end not in seen:
                    stack.append(end)
                    break
            else:
                ends = _below(view, bound, element).own
                heights[element] = 1 + max((heights[end] for end in ends), default=-1)
                del way[stack.pop()]
    return heights


def _circle(view: View, way: list[Element], end: Element) -> StructureError:
    """Return the error of an element that is a part of itself."""
    around = [*way[way.index(end) :], end]
    ids = [view.graph.nodes[node].id for node in around]
    shown = " → ".join(map(str, ids if len(ids) < 10 else [*ids[:5], "…", *ids[-3:]]))
    return StructureError(
        f"graph {view.graph.id!r}",
        f"a cycle of nodes, {shown}",
        "nodes that are no part of themselves",
    )


# Pairs, from the lowest upwards.


def table_of(formula: Recursive, pair: Pair) -> Table:
    """Return the table of computed values for two graphs."""
    kept = pair.gold.kept if pair.gold is pair.system else pair.kept
    bound: Bound | None = pair.gold.kept.get(("again", formula.name))
    key = _key(formula, pair.gold) if bound is None else bound.key
    result: Table = kept.setdefault(("table", key), Table())
    return result


@pairs.register
def _(similarity: Recursive, request: Request) -> Sparse:
    pair, cells = request.pair, request.cells
    ends = [(request.gold[r], request.system[c]) for r, c in cells]
    with bind(similarity, pair.gold, pair.system) as bound:
        values = _solve(pair, bound, ends)
    numbers = zip(cells, map(values.get, ends), strict=True)
    return {cell: number for cell, number in numbers if number}


def _solve(pair: Pair, bound: Bound, requested: Sequence[Ends]) -> dict[Ends, Number]:
    """The similarities of pairs, and of all that those depend on."""
    formula = bound.formula
    table = table_of(formula, pair)
    waiting = [ends for ends in requested if ends not in table.done]
    if not waiting:
        return table.values
    sides = pair.gold, pair.system
    heights = [
        heights_of(view, bound, dict.fromkeys(ends[side] for ends in waiting))
        for side, view in enumerate(sides)
    ]
    if not formula.proper and pair.gold is not pair.system:
        # What a thing earns with itself is another matching of its parts.
        for view, reached in zip(sides, heights, strict=True):
            _solve(Pair(view, view), bound, [(end, end) for end in reached])
    heads = [_heads(view, bound, heights[k]) for k, view in enumerate(sides)]
    below = [view.kept["below", bound.key] for view in sides]
    levels: dict[int, list[Ends]] = {}
    seen: set[Ends] = set()
    while waiting:
        ends = waiting.pop()
        if ends in seen or ends in table.done:
            continue
        seen.add(ends)
        left, right = ends
        if heads[0][left] != heads[1][right]:
            table.done.add(ends)
            continue
        # What the lower one earns with itself may count, and the higher one's.
        height = max(heights[0][left], heights[1][right])
        levels.setdefault(height, []).append(ends)
        inner = below[0][left].own, below[1][right].own
        waiting += [(a, b) for a in inner[0] for b in inner[1]]
        if not formula.proper and pair.gold is pair.system:
            waiting += [(left, left), (right, right)]
    for height in sorted(levels):
        _level(formula, pair, table, levels[height])
    return table.values


def _level(formula: Recursive, pair: Pair, table: Table, level: list[Ends]) -> None:
    """Compare pairs of which all that is lower than the higher one is known."""
    rows = {end: k for k, end in enumerate(dict.fromkeys(left for left, _ in level))}
    columns = {
        end: k for k, end in enumerate(dict.fromkeys(right for _, right in level))
    }
    requested = {(rows[left], columns[right]): (left, right) for left, right in level}
    inner = formula.similarity
    request = Request(pair, list(rows), list(columns), list(requested))
    cells = pairs(inner, request)
    for cell, number in cells.items():
        if cell in requested:
            table.values[requested[cell]] = number
    table.done.update(level)


def _heads(
    view: View, bound: Bound, elements: Iterable[Element]
) -> dict[Element, Hashable]:
    """Return the joint key of each element."""
    known: dict[Element, Hashable] = view.keep(("heads", bound.key), dict)
    new = [element for element in elements if element not in known]
    if new:
        features, _ = bound.formula.similarity.split()
        known.update(zip(new, keys_of(features, view, new), strict=True))
    return known


def ready(pair: Pair, bound: Bound, ends: Ends) -> None:
    """See to it that all pairs below two things have been compared."""
    for view, end in zip((pair.gold, pair.system), ends, strict=True):
        if end is not None:
            heights_of(view, bound, [end])
    if ends[0] is not None and ends[1] is not None:
        below = ("below", bound.key)
        left = pair.gold.kept[below][ends[0]].own
        right = pair.system.kept[below][ends[1]].own
        _solve(pair, bound, [(a, b) for a in left for b in right])


# One graph alone.


@selves.register
def _(similarity: Recursive, view: View, elements: Elements) -> list[Number]:
    if similarity.normalized:
        return [1] * len(elements)
    with bind(similarity, view) as bound:
        if not similarity.proper:
            both = [(element, element) for element in elements]
            _solve(Pair(view, view), bound, both)
        return _climb(view, bound, selves, elements)


@identities.register
def _(similarity: Recursive, view: View, elements: Elements) -> list[Hashable]:
    with bind(similarity, view) as bound:
        numbers: dict[Hashable, int] = view.keep(("numbers", bound.key), dict)

        def number_all(part: Similarity, view: View, level: Elements) -> list[Hashable]:
            """A number for all that is seen of each."""
            seen = identities(part, view, level)
            return [numbers.setdefault(identity, len(numbers)) for identity in seen]

        return _climb(view, bound, number_all, elements)


def _climb(
    view: View,
    bound: Bound,
    function: Callable[[Similarity, View, Elements], list[Any]],
    elements: Elements,
) -> list[Any]:
    """Evaluate a function of the formula for each element, bottom up."""
    known: dict[Element, Any] = view.keep((function.__name__, bound.key), dict)
    if any(element not in known for element in elements):
        heights = heights_of(view, bound, elements)
        levels: dict[int, list[Element]] = {}
        for element, height in heights.items():
            if element not in known:
                levels.setdefault(height, []).append(element)
        for height in sorted(levels):
            values = function(bound.formula.similarity, view, levels[height])
            known.update(zip(levels[height], values, strict=True))
    return [known[element] for element in elements]


@warm.register
def _(similarity: Recursive, view: View, elements: Elements) -> None:
    # Work out what all elements lead to.
    with bind(similarity, view) as bound:
        heights_of(view, bound, elements)
