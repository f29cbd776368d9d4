"""Similarities of things that have such things as parts: trees, by their own formula.

Inside of :func:`recursive` the name of the formula, :func:`again`, stands for the
formula itself::

    recursive('Tree', exact(label) * f1(match(targets(), again('Tree'))))

Nothing recurs: things are compared from the lowest upwards, all of one height at
once, so depth costs no stack; and only those pairs are compared that a pair above
them asks for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Number,
    Similarity,
    Sparse,
    keys_of,
    require_similarity,
)
from graphscore.similarity.expression import Notation, Sort, delegated, require
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.operators.arithmetic import Total
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Contained, Harmonic, Normalized
from graphscore.similarity.operators.references import (
    Bound,
    Ends,
    Named,
    SelfReference,
    Table,
    require_name,
)
from graphscore.similarity.view import Element, Elements, Pair, View
from graphscore.structures.objects.field_types import StructureError


@dataclass
class _Below:
    """Elements that one element depends on."""

    own: tuple[Element, ...]
    """Things that the formula is asked about for its sake."""
    others: tuple[tuple[Element, ...], ...]
    """Likewise those of formulas around it."""


@dataclass(frozen=True, repr=False)
class Recursive(Named):
    """A similarity that is asked again about parts, and parts of parts.

    Args:
        name: what the formula is called inside of itself.
        similarity: the formula; ``again(name)`` in it, inside of a ``match`` or at
            the end of a step, is the formula itself.

    Raises:
        FormulaError: if it has no end, or is no similarity of nodes; when it is
            used, ``StructureError`` for a graph in which something is a part of
            itself.

    Example:
        >>> from graphscore.similarity import again, exact, f1, label, match, targets
        >>> print(recursive("Tree", exact(label) * f1(match(targets(), again("Tree")))))
        μTree[δ_label × F↔targets[Tree]]
    """

    call: ClassVar[str] = "recursive"

    name: str
    similarity: Similarity

    def __post_init__(self) -> None:
        require_name(self.name, "recursive")
        formula = f"μ{self.name}[{self.similarity}]"
        before = f"μ{self.name}["
        require_similarity(
            self.similarity, "node", ": recursion is from node to node", formula, before
        )
        inner = list(_agains(self.similarity, self.name))
        demand = partial(
            require, formula=formula, spot=str(self.similarity), before=before
        )
        demand(
            bool(inner), f"found nothing of itself, expected again({self.name!r}) in it"
        )
        demand(
            not _unguarded(self.similarity, self.name),
            f"again({self.name!r}) about the same thing, expected it inside of a "
            "match, or at a step: a formula has an end",
            spot=self.name,
            before=None,
        )
        demand(
            not self.similarity.has_variables,
            "a variable in a recursive formula, expected none: what corresponds there "
            "cannot be found",
            spot="φ̃",
            before=None,
        )
        demand(
            not self.similarity.sided,
            "a sum that recall and precision count differently in a recursive "
            "formula, expected a ratio such as f1 around it",
        )
        traits = (self.similarity.normalized, self.similarity.proper)
        for each in inner:
            demand(
                (each.normalized, each.proper) == traits,
                f"found {each!r}, expected again({self.name!r}, normalized="
                f"{traits[0]}, proper={traits[1]}), as the formula is",
                spot=self.name,
                before=None,
            )
        demand(
            not _always_zero(self.similarity, self.name),
            "a formula that is 0 for every two things, also for equal ones: what has "
            "no parts has an empty sum, expected a ratio such as f1 (in a dataclass "
            "the mark by_f1) around the sum that asks it again",
        )

    @property
    def of(self) -> Sort:
        """Recursion is from node to node."""
        return "node"

    normalized = delegated("similarity.normalized")

    def spell(self, notation: Notation) -> str:
        """μ with the name."""
        sign = r"\mu_" if notation.latex else "μ"
        left, right = notation.brackets
        name = notation.name(self.name)
        shown = f"{{{name}}}" if notation.latex else name
        return f"{sign}{shown}{left}{self.similarity.spell(notation)}{right}"

    def split(self) -> tuple[tuple[Feature, ...], tuple[Similarity, ...]]:
        """Return the features of the elements that must be equal, and the formula."""
        return self.similarity.split()[0], (self,)

    def parts(self) -> Iterator[Similarity]:
        """The formula."""
        yield self.similarity

    @property
    def loose(self) -> frozenset[str]:
        """Names of formulas around this one that it asks."""
        return self.similarity.loose - {self.name}

    @cached_property
    def _around(self) -> tuple[str, ...]:
        return tuple(sorted(self.loose))

    # What things there are.

    def _key(self, view: View) -> Hashable:
        """Return the cache key: the formula, and the meaning of names around it."""
        around = (view.kept.get(("again", name)) for name in self._around)
        return self.token, tuple(each and each.key for each in around)

    @contextmanager
    def _within(self, *views: View) -> Iterator[Bound]:
        """The name stands for this formula, for a while."""
        place = ("again", self.name)
        bound = Bound(self, self._key(views[0]))
        before = [view.kept.get(place) for view in views]
        for view in views:
            view.kept[place] = bound
        try:
            yield bound
        finally:
            for view, found in zip(views, before, strict=True):
                if found is None:
                    view.kept.pop(place, None)
                else:
                    view.kept[place] = found

    def _below(self, view: View, bound: Bound, element: Element) -> _Below:
        """Return the dependencies of an element, and note those of outer formulas."""
        known: dict[Element, _Below] = view.keep(("below", bound.key), dict)
        around = [view.kept["again", name] for name in self._around]
        result = known.get(element)
        if result is None:
            before = [len(each.met) for each in around]
            bound.met.clear()
            self.similarity.warm(view, [element])
            others = tuple(
                tuple(each.met[start:])
                for each, start in zip(around, before, strict=True)
            )
            own = tuple(dict.fromkeys(bound.met))
            result = known[element] = _Below(own, others)
        else:
            for each, met in zip(around, result.others, strict=True):
                each.met.extend(met)
        return result

    def _heights(
        self, view: View, bound: Bound, elements: Iterable[Element]
    ) -> dict[Element, int]:
        """Return the height of every element reached, above the lowest.

        Raises:
            StructureError: if something is a part of itself, with the way there.
        """
        heights: dict[Element, int] = view.keep(("heights", bound.key), dict)
        seen: set[Element] = set() if self._around else set(heights)
        for start in elements:
            if start in seen:
                continue
            way: dict[Element, Iterator[Element]] = {}
            stack = [start]
            while stack:
                here = stack[-1]
                if here not in way:
                    seen.add(here)
                    way[here] = iter(self._below(view, bound, here).own)
                for end in way[here]:
                    if end in way:
                        raise _circle(view, list(way), end)
                    if end not in seen:
                        stack.append(end)
                        break
                else:
                    ends = self._below(view, bound, here).own
                    heights[here] = 1 + max((heights[end] for end in ends), default=-1)
                    del way[stack.pop()]
        return heights

    # Pairs, from the lowest upwards.

    def table(self, pair: Pair) -> Table:
        """Return the table of computed values for two graphs."""
        kept = pair.gold.kept if pair.gold is pair.system else pair.kept
        bound: Bound | None = pair.gold.kept.get(("again", self.name))
        key = self._key(pair.gold) if bound is None else bound.key
        result: Table = kept.setdefault(("table", key), Table())
        return result

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """The similarities that are not 0."""
        cells = requested
        if cells is None:
            cells = [(r, c) for r in range(len(gold)) for c in range(len(system))]
        ends = [(gold[r], system[c]) for r, c in cells]
        with self._within(pair.gold, pair.system) as bound:
            values = self._solved(pair, bound, ends)
        numbers = zip(cells, map(values.get, ends), strict=True)
        return {cell: number for cell, number in numbers if number}

    def _solved(
        self, pair: Pair, bound: Bound, asked: Sequence[Ends]
    ) -> dict[Ends, Number]:
        """The similarities of pairs, and of all that those depend on."""
        table = self.table(pair)
        waiting = [each for each in asked if each not in table.done]
        if not waiting:
            return table.values
        sides = pair.gold, pair.system
        heights = [
            self._heights(view, bound, dict.fromkeys(each[side] for each in waiting))
            for side, view in enumerate(sides)
        ]
        if not self.proper and pair.gold is not pair.system:
            # What a thing earns with itself is another matching of its parts.
            for view, found in zip(sides, heights, strict=True):
                self._solved(Pair(view, view), bound, [(each, each) for each in found])
        heads = [self._heads(view, bound, heights[k]) for k, view in enumerate(sides)]
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
            if not self.proper and pair.gold is pair.system:
                waiting += [(left, left), (right, right)]
        for height in sorted(levels):
            self._level(pair, table, levels[height])
        return table.values

    def _level(self, pair: Pair, table: Table, level: list[Ends]) -> None:
        """Compare pairs of which all that is lower than the higher one is known."""
        rows = {end: k for k, end in enumerate(dict.fromkeys(one for one, _ in level))}
        columns = {
            end: k for k, end in enumerate(dict.fromkeys(two for _, two in level))
        }
        requested = {(rows[one], columns[two]): (one, two) for one, two in level}
        found = self.similarity.pairs(pair, list(rows), list(columns), list(requested))
        for cell, number in found.items():
            if cell in requested:
                table.values[requested[cell]] = number
        table.done.update(level)

    def _heads(
        self, view: View, bound: Bound, elements: Iterable[Element]
    ) -> dict[Element, Hashable]:
        """Return the joint key of each element."""
        known: dict[Element, Hashable] = view.keep(("heads", bound.key), dict)
        new = [element for element in elements if element not in known]
        if new:
            known.update(
                zip(new, keys_of(self.similarity.split()[0], view, new), strict=True)
            )
        return known

    # One graph alone.

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """1 each if it is normalized, else what each is to itself, bottom up."""
        if self.normalized:
            return [1] * len(elements)
        with self._within(view) as bound:
            if not self.proper:
                both = [(element, element) for element in elements]
                self._solved(Pair(view, view), bound, both)
            return self._climbed(view, bound, "selves", elements)

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """A number for all that is seen of each, bottom up."""
        with self._within(view) as bound:
            return self._climbed(view, bound, "identities", elements)

    def _climbed(
        self, view: View, bound: Bound, method: str, elements: Elements
    ) -> list[Any]:
        """Evaluate a method of the formula for each element, bottom up."""
        known: dict[Element, Any] = view.keep((method, bound.key), dict)
        numbers: dict[Hashable, int] = view.keep(("numbers", bound.key), dict)
        if any(element not in known for element in elements):
            heights = self._heights(view, bound, elements)
            levels: dict[int, list[Element]] = {}
            for key, height in heights.items():
                if key not in known:
                    levels.setdefault(height, []).append(key)
            for height in sorted(levels):
                found = getattr(self.similarity, method)(view, levels[height])
                if method == "identities":
                    found = [numbers.setdefault(one, len(numbers)) for one in found]
                known.update(zip(levels[height], found, strict=True))
        return [known[element] for element in elements]

    def warm(self, view: View, elements: Elements) -> None:
        """Work out what all elements lead to."""
        with self._within(view) as bound:
            self._heights(view, bound, elements)

    # The matching.

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """Return the matches inside, computed without recursion."""
        with self._within(pair.gold, pair.system) as bound:
            bound.aligned = self.table(pair).aligned
            around = [pair.gold.kept["again", name] for name in self._around]
            stack: list[Ends] = [(gold, system)]
            while stack:
                ends = stack[-1]
                if ends in bound.aligned:
                    stack.pop()
                    continue
                self._ready(pair, bound, ends)
                before = [len(each.missing) for each in around]
                bound.missing.clear()
                found = self.similarity.aligned(pair, *ends)
                if bound.missing:
                    stack += dict.fromkeys(bound.missing)
                elif before != [len(each.missing) for each in around]:
                    # It depends on what a formula around it has yet to find out.
                    return ()
                else:
                    bound.aligned[ends] = found
            return bound.aligned[gold, system]

    def _ready(self, pair: Pair, bound: Bound, ends: Ends) -> None:
        """See to it that all pairs below two things have been compared."""
        for view, end in zip((pair.gold, pair.system), ends, strict=True):
            if end is not None:
                self._heights(view, bound, [end])
        if ends[0] is not None and ends[1] is not None:
            below = ("below", bound.key)
            left = pair.gold.kept[below][ends[0]].own
            right = pair.system.kept[below][ends[1]].own
            self._solved(pair, bound, [(a, b) for a in left for b in right])


def _circle(view: View, way: list[Element], end: Element) -> StructureError:
    """Return the error of an element that is a part of itself."""
    ids = [view.graph.nodes[each].id for each in [*way[way.index(end) :], end]]
    shown = " → ".join(map(str, ids if len(ids) < 10 else [*ids[:5], "…", *ids[-3:]]))
    return StructureError(
        f"graph {view.graph.id!r}",
        f"a cycle of nodes, {shown}",
        "nodes that are no part of themselves",
    )


def _agains(similarity: Similarity, name: str) -> Iterator[SelfReference]:
    """All that stand for the formula of a name."""
    if isinstance(similarity, SelfReference) and similarity.name == name:
        yield similarity
    elif not (isinstance(similarity, Recursive) and similarity.name == name):
        for part in similarity.parts():
            yield from _agains(part, name)


def _always_zero(similarity: Similarity, name: str) -> bool:
    """Return whether a formula that asks itself again can never exceed 0.

    Its least fixed point: at the lowest things *name* has nothing to add up, so it is
    0 there, and above them whatever only multiplies or adds it is 0, too.  A ratio, and
    what is at the end of a step, is 1 where both sides have nothing (Definition 1).

    Args:
        similarity: the formula, or a part of it.
        name: what it is called inside of itself.
    """
    if isinstance(similarity, SelfReference):
        return similarity.name == name
    if isinstance(similarity, ThroughStep | Normalized | Harmonic | Contained):
        return False
    parts = [_always_zero(part, name) for part in similarity.parts()]
    if isinstance(similarity, ByType | Total):
        return bool(parts) and all(parts)
    return any(parts)


def _unguarded(similarity: Similarity, name: str) -> bool:
    """Return true if a formula refers to itself on the same element."""
    if isinstance(similarity, SelfReference):
        return similarity.name == name
    if isinstance(similarity, (Match, ThroughStep)):
        return False
    if isinstance(similarity, Recursive) and similarity.name == name:
        return False
    return any(_unguarded(part, name) for part in similarity.parts())


recursive = Recursive
