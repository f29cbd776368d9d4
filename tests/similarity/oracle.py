"""The slow, obvious evaluator of formulas: definitions, one pair at a time.

Nothing of the engine's way to a number is used here, only the formulas as values:
every allowed matching is enumerated, every one-to-one map of variables, and all
numbers are exact fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import singledispatch
from itertools import product as tuples
from typing import Any, NamedTuple

from graphscore import similarity as s
from graphscore.model.graph import Graph, Node
from graphscore.similarity import label
from graphscore.similarity.features.elements import plain_value

# The classes behind the functions.
DELTA = s.exact(label)
Exact, Threshold, Product = type(DELTA), type(DELTA > 0), type(DELTA * DELTA)
Total, At, Choice = (
    type(DELTA + DELTA),
    type(s.at(s.target, DELTA)),
    type(s.choice(label, {"": DELTA})),
)
Weight, Excess = type(s.weight(label, {})), type(s.excess(s.match(s.nodes(), DELTA), 1))
Normalized, Variable = type(s.f1(s.match(s.nodes(), DELTA))), type(s.variable())
Harmonic = type(
    s.harmonic(
        s.precision(s.match(s.nodes(), DELTA)), s.recall(s.match(s.nodes(), DELTA))
    )
)
Latent = type(s.latent(s.nodes(), s.match(s.nodes(), s.variable())))
InSequence = type(s.in_sequence)
Where = type(s.only(s.nodes(), label, ""))
VALUED = (s.custom, s.levels, s.descendant, Weight)
"""What depends on the values of one feature alone."""

ONE, NONE = Fraction(1), Fraction(0)
Both = tuple[Graph, Graph]
"""Gold and system graph."""
Sides = tuple[Fraction, Fraction]
"""What recall counts, and what precision counts."""


class UnclearError(Exception):
    """The definitions leave the number open, or rounding may decide it."""


# What is said of one thing, and where its parts are.


def strict(value: Any) -> Hashable:
    """``True`` is not 1."""
    return (type(value) is bool, value)


def first(pairs: Sequence[tuple[str, Any]], name: str) -> Any:
    return next((value for key, value in pairs if key == name), None)


def covered(node: Node) -> Hashable:
    """The characters of a node; a bare string is its own place."""
    if node.anchors:
        return frozenset(k for start, end in node.anchors for k in range(start, end))
    return first(node.properties, "text")


def place_of(graph: Graph, name: Any) -> int:
    return next(k for k, node in enumerate(graph.nodes) if node.id == name)


class Nowhere(NamedTuple):
    """What is said where a step leads nowhere, after so many that do not."""

    steps: int


def said(feature: s.Feature, graph: Graph, element: Any) -> Any:
    """What a feature says of an element, as written."""
    if feature is s.label:
        return graph.nodes[element].label
    if feature is s.kind:
        return first(graph.nodes[element].properties, "kind")
    if feature is s.anchors:
        return covered(graph.nodes[element])
    if feature is s.edge_label:
        return graph.edges[element].label
    if feature is s.name:
        return graph.nodes[element[0]].properties[element[1]][0]
    if feature is s.value:
        return graph.nodes[element[0]].properties[element[1]][1]
    if feature is s.itself:
        return plain_value(element)
    if isinstance(feature, s.property_value):
        return first(graph.nodes[element].properties, feature.name)
    if isinstance(feature, s.attribute_value):
        return first(graph.edges[element].attributes, feature.name)
    if isinstance(feature, s.folded):
        found = said(feature.feature, graph, element)
        return folded(found)
    if isinstance(feature, s.computed):
        found = said(feature.feature, graph, element)
        return feature.function(None if isinstance(found, Nowhere) else found)
    assert isinstance(feature, s.via), feature
    end = led(feature.step, graph, element)
    if end is None:
        return Nowhere(0)
    found = said(feature.feature, graph, end)
    return Nowhere(found.steps + 1) if isinstance(found, Nowhere) else found


def folded(found: Any) -> Any:
    if (
        found is None
        or isinstance(found, Nowhere)
        or not isinstance(found, (str, int, float))
    ):
        return found
    if isinstance(found, bool):
        return "true" if found else "false"
    return str(found).lower()


def led(step: s.Step, graph: Graph, element: Any) -> Any:
    """Where a step leads."""
    if step == s.target:
        return place_of(graph, graph.edges[element].target)
    if step == s.source:
        return place_of(graph, graph.edges[element].source)
    if step == s.owner:
        return element[0]
    if step == s.top:
        return place_of(graph, graph.tops[0]) if graph.tops else None
    assert isinstance(step, s.along)
    for edge in graph.edges:
        if place_of(graph, edge.source) == element and strict(edge.label) == strict(
            step.label
        ):
            return place_of(graph, edge.target)
    return None


def parts_of(where: s.Collection, graph: Graph, owner: Any) -> list[Any]:
    """The members of a collection, in order."""
    if isinstance(where, Where):
        allowed = {strict(plain_value(each)) for each in where.allowed}
        return [
            each
            for each in parts_of(where.collection, graph, owner)
            if (strict(said(where.feature, graph, each)) in allowed) != where.exclude
        ]
    if isinstance(where, (s.words, s.offsets, s.supertypes)):
        whole = said(where.feature, graph, owner)
        missing = whole is None or isinstance(whole, Nowhere)
        return [] if missing else pieces(where, whole)
    if isinstance(where, (s.properties, s.values, s.all_properties)):
        return statements(where, graph, owner)
    return objects(where, graph, owner)


def objects(where: Any, graph: Graph, owner: Any) -> list[int]:
    """The nodes or edges of a graph, or around a node."""
    nodes, edges = range(len(graph.nodes)), range(len(graph.edges))
    ends = [(place_of(graph, e.source), place_of(graph, e.target)) for e in graph.edges]

    def is_right(node: int, kind: str | None, label: Any) -> bool:
        of_kind = kind is None or said(s.kind, graph, node) == kind
        return of_kind and (
            label is None or strict(graph.nodes[node].label) == strict(label)
        )

    def is_called(edge: int, label: Any) -> bool:
        return label is None or strict(graph.edges[edge].label) == strict(label)

    if isinstance(where, s.nodes):
        return [k for k in nodes if is_right(k, where.kind, where.label)]
    if isinstance(where, s.edges):
        return [k for k in edges if is_called(k, where.label)]
    if isinstance(where, s.tops):
        return sorted({place_of(graph, top) for top in graph.tops})
    if isinstance(where, s.edges_out):
        return [k for k in edges if ends[k][0] == owner and is_called(k, where.label)]
    if isinstance(where, s.edges_in):
        return [k for k in edges if ends[k][1] == owner and is_called(k, where.label)]
    assert isinstance(where, (s.targets, s.sources)), where
    near, far = (0, 1) if isinstance(where, s.targets) else (1, 0)
    return [
        ends[k][far]
        for k in edges
        if ends[k][near] == owner
        and is_called(k, where.edge)
        and is_right(ends[k][far], where.kind, where.label)
    ]


def statements(where: Any, graph: Graph, owner: Any) -> list[Any]:
    """Properties, or the values of one of them."""
    nodes = range(len(graph.nodes)) if isinstance(where, s.all_properties) else [owner]
    found = [(k, slot) for k in nodes for slot in range(len(graph.nodes[k].properties))]
    if isinstance(where, s.all_properties):
        return found
    kept = [
        (k, slot)
        for k, slot in found
        if where.name in (None, graph.nodes[k].properties[slot][0])
    ]
    if isinstance(where, s.properties):
        return kept
    values = [graph.nodes[k].properties[slot][1] for k, slot in kept]
    return [("bool", each) if isinstance(each, bool) else each for each in values]


def pieces(where: Any, whole: Any) -> list[Any]:
    """What a value is made of."""
    if isinstance(where, s.words):
        bare = [word.strip(".,!?") for word in str(whole).lower().split()]
        return [word for word in bare if word and word not in where.without]
    if isinstance(where, s.offsets):
        return sorted(whole) if isinstance(whole, frozenset) else [whole]
    if where.tree is None:
        levels = str(whole).split(where.separator)
        return [where.separator.join(levels[: k + 1]) for k in range(len(levels))]
    found, before = {str(whole)}, 0
    while len(found) > before:
        before = len(found)
        found |= {above for below, above in where.tree.parents if below in found}
    return sorted(found)


# What members look alike (for sets).


def seen(similarity: Any, graph: Graph, element: Any) -> Hashable:
    """All that a formula sees of a thing."""
    if isinstance(similarity, Exact):
        return tuple(strict(said(x, graph, element)) for x in similarity.features)
    if isinstance(similarity, Variable):
        step = similarity.step
        return element if step is None else led(step, graph, element)
    if isinstance(similarity, Choice):
        kind = said(similarity.feature, graph, element)
        inner = case_of(similarity, kind)
        return strict(kind), inner and seen(inner, graph, element)
    if isinstance(similarity, VALUED):
        found = said(similarity.feature, graph, element)
        return strict(None if isinstance(found, Nowhere) else found)
    if isinstance(similarity, At):
        end = led(similarity.step, graph, element)
        return end is None or (seen(similarity.similarity, graph, end),)
    if isinstance(similarity, s.match):
        inside = [
            seen(similarity.similarity, graph, each)
            for each in members_of(similarity, graph, element)
        ]
        if similarity.order is None:
            return frozenset(Counter(inside).items())
        if isinstance(similarity.order, InSequence):
            return tuple(inside)
        return element
    return tuple(seen(each, graph, element) for each in similarity.parts())


def members_of(match: Any, graph: Graph, owner: Any) -> list[Any]:
    """Members; of those that look alike one, where they are a set."""
    found = parts_of(match.collection, graph, owner)
    if match.duplicates == "multiset":
        return found
    kept: dict[Hashable, Any] = {}
    for each in found:
        kept.setdefault(seen(match.similarity, graph, each), each)
    return list(kept.values())


def case_of(choice: Any, found: Any) -> Any:
    for value, similarity in choice.cases:
        if strict(value) == strict(found):
            return similarity
    return choice.otherwise


# Similarities, eq. 1 to 47.  The prediction is the first argument in the paper;
# here gold stands first, as in the engine.


Key = tuple[int, int, int, Any, Any]
KNOWN: dict[Key, Any] = {}
STRIPPED: list[Any] = []
"""What was found before, by formula, graphs and elements."""


def phi(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    """How alike a gold and a system thing are."""
    key = (id(similarity), id(graphs[0]), id(graphs[1]), gold, system)
    if key not in KNOWN:
        KNOWN[key] = alike(similarity, graphs, gold, system)
    found: Fraction = KNOWN[key]
    return found


@singledispatch
def alike(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    """As ``phi``, worked out."""
    raise NotImplementedError(type(similarity))


@alike.register(Exact)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    return Fraction(
        all(
            strict(said(x, graphs[0], gold)) == strict(said(x, graphs[1], system))
            for x in similarity.features
        )
    )


@alike.register(Product)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    found = ONE
    for each in similarity.factors:
        found *= phi(each, graphs, gold, system)
    return found


@alike.register(Total)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    return sum((phi(x, graphs, gold, system) for x in similarity.terms), NONE)


@alike.register(Threshold)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    found, limit = phi(similarity.similarity, graphs, gold, system), similarity.limit
    if found != limit and abs(found - Fraction(limit)) < 1e-9:
        raise UnclearError
    return Fraction(found > limit if similarity.strict else found >= limit)


@alike.register(Excess)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    found = phi(similarity.similarity, graphs, gold, system)
    return max(NONE, found - Fraction(similarity.amount))


@alike.register(At)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    one = led(similarity.step, graphs[0], gold)
    two = led(similarity.step, graphs[1], system)
    if one is None or two is None:
        return Fraction(one is two and similarity.normalized)
    return phi(similarity.similarity, graphs, one, two)


def two_values(similarity: Any, graphs: Both, gold: Any, system: Any) -> list[Any]:
    """The predicted and the gold value, ``None`` where there is none."""
    found = [
        said(similarity.feature, graphs[1], system),
        said(similarity.feature, graphs[0], gold),
    ]
    return [None if isinstance(each, Nowhere) else each for each in found]


@alike.register(s.custom)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    return Fraction(similarity.function(*two_values(similarity, graphs, gold, system)))


@alike.register(s.levels)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    one, two = two_values(similarity, graphs, gold, system)
    if one is None or two is None:
        return Fraction(one is two)
    mine, theirs = str(one).split("."), str(two).split(".")
    if mine == theirs:
        return ONE
    right = 0
    while mine[:right] == theirs[:right] and right < min(len(mine), len(theirs)):
        right += 1
    right -= mine[:right] != theirs[:right]
    depth = similarity.depth or max(len(mine), len(theirs))
    return Fraction(2) ** (right - depth) if right else NONE


@alike.register(s.descendant)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    one, two = two_values(similarity, graphs, gold, system)
    if strict(one) == strict(two):
        return ONE

    def above(name: str) -> set[str]:
        parents = {p for below, p in similarity.tree.parents if below == name}
        return parents.union(*map(above, parents))

    if one is None or two is None:
        return NONE
    if str(two) in above(str(one)):
        return Fraction(similarity.below)
    return Fraction(similarity.above) if str(one) in above(str(two)) else NONE


@alike.register(Weight)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    def worth(found: Any) -> Fraction:
        for value, number in similarity.weights:
            if strict(value) == strict(found):
                return Fraction(number)
        return Fraction(similarity.otherwise)

    return min(map(worth, two_values(similarity, graphs, gold, system)))


@alike.register(Choice)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    one = said(similarity.feature, graphs[0], gold)
    two = said(similarity.feature, graphs[1], system)
    inner = case_of(similarity, one)
    if strict(one) != strict(two) or inner is None:
        return NONE
    return phi(inner, graphs, gold, system)


@alike.register(s.match)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    return summed(similarity, graphs, gold, system).literal


@alike.register(Latent)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    return summed(similarity, graphs, gold, system).literal


@alike.register(Normalized)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    mine, theirs = (
        itself(similarity, graphs[0], gold),
        itself(similarity, graphs[1], system),
    )
    if mine == 0 == theirs:
        return ONE  # Nothing on either side: as alike as can be (Definition 1).
    found = summed(similarity.operand, graphs, gold, system)
    return ratio(similarity, mine, theirs, found)


@alike.register(Harmonic)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    one = phi(similarity.precision, graphs, gold, system)
    two = phi(similarity.recall, graphs, gold, system)
    return 2 * one * two / (one + two) if one + two else NONE


def itself(similarity: Any, graph: Graph, element: Any) -> Fraction:
    """What the operand of a ratio amounts to with itself, Σ(x, x)."""
    return self_of(similarity.operand, graph, element)


def self_of(similarity: Any, graph: Graph, element: Any) -> Fraction:
    """φ(x, x); that of a ratio is 1 (Definition 1)."""
    if isinstance(similarity, (Normalized, Harmonic)):
        return ONE
    how = alike if isinstance(similarity, Stripped) else phi
    return how(similarity, (graph, graph), element, element)


def ratio(similarity: Any, gold: Fraction, system: Fraction, found: Summed) -> Fraction:
    """Precision, recall, F or Jaccard, with 0 for 0/0."""
    recall, precision = found.literal, found.literal
    if similarity.counting == "bounded":
        recall, precision = found.only()
    r = recall / gold if gold else NONE
    p = precision / system if system else NONE
    if similarity.norm == "R":
        return r
    if similarity.norm == "P":
        return p
    if similarity.norm == "J":
        # Shares above 1, as repeated labels may give, can cancel each other out.
        return p * r / (p + r - p * r) if p + r != p * r else NONE
    b = Fraction(similarity.beta) ** 2
    return (1 + b) * p * r / (b * p + r) if b * p + r else NONE


# Sums, and what recall and precision count of them.


class Summed(NamedTuple):
    literal: Fraction
    sides: frozenset[Sides]
    """Every pair of numerators that the definitions allow."""

    def only(self) -> Sides:
        if len(self.sides) > 1:
            raise UnclearError
        return next(iter(self.sides))


def plainly(number: Fraction) -> Summed:
    return Summed(number, frozenset({(number, number)}))


def summed(similarity: Any, graphs: Both, gold: Any, system: Any) -> Summed:
    """An amount, as recall and as precision count it."""
    key = (-id(similarity), id(graphs[0]), id(graphs[1]), gold, system)
    if key not in KNOWN:
        KNOWN[key] = sums(similarity, graphs, gold, system)
    found: Summed = KNOWN[key]
    return found


def sums(similarity: Any, graphs: Both, gold: Any, system: Any) -> Summed:
    """As ``summed``, worked out."""
    if isinstance(similarity, s.match):
        mine = members_of(similarity, graphs[0], gold)
        theirs = members_of(similarity, graphs[1], system)

        def inner(one: Any, two: Any) -> Summed:
            return summed(similarity.similarity, graphs, one, two)

        return best_matching(similarity, graphs, mine, theirs, inner)
    if isinstance(similarity, Latent):
        return best_map(similarity, graphs, gold, system)
    if isinstance(similarity, At):
        one = led(similarity.step, graphs[0], gold)
        two = led(similarity.step, graphs[1], system)
        if one is not None and two is not None:
            return summed(similarity.similarity, graphs, one, two)
    if isinstance(similarity, Choice) and phi(similarity, graphs, gold, system):
        kind = said(similarity.feature, graphs[0], gold)
        return summed(case_of(similarity, kind), graphs, gold, system)
    if isinstance(similarity, Excess):
        literal = phi(similarity, graphs, gold, system)
        found = summed(similarity.similarity, graphs, gold, system).only()
        less = [max(NONE, x - Fraction(similarity.amount)) for x in found]
        sides = (less[0], less[1]) if literal else (NONE, NONE)
        return Summed(literal, frozenset({sides}))
    if isinstance(similarity, (Product, Total)):
        parts = [summed(x, graphs, gold, system) for x in similarity.parts()]
        multiply = isinstance(similarity, Product)
        literal = phi(similarity, graphs, gold, system)
        if multiply and not literal:
            return plainly(NONE)
        found: set[Sides] = set()
        for chosen in tuples(*(each.sides for each in parts)):
            recall, precision = (ONE, ONE) if multiply else (NONE, NONE)
            for one in chosen:
                recall = recall * one[0] if multiply else recall + one[0]
                precision = precision * one[1] if multiply else precision + one[1]
            found.add((recall, precision))
        return Summed(literal, frozenset(found))
    return plainly(phi(similarity, graphs, gold, system))


MANY = 16
"""So many pairs that exclude others have too many matchings to try all."""

Inner = Callable[[Any, Any], Summed]


def best_matching(
    match: Any,
    graphs: Both,
    mine: list[Any],
    theirs: list[Any],
    inner: Inner,
) -> Summed:
    """All matchings that the constraint and the order allow; the best of them."""
    amounts = {
        (p, q): found
        for p, one in enumerate(mine)
        for q, two in enumerate(theirs)
        if (found := inner(one, two)).literal
    }
    cells = list(amounts)

    def fits(one: tuple[int, int], two: tuple[int, int]) -> bool:
        (p, q), (r, s) = one, two
        if match.constraint in ("1:1", "1:n") and p == r:
            return False
        if match.constraint in ("1:1", "n:1") and q == s:
            return False
        if match.order is None:
            return True
        left, right = (
            before(match.order, graphs[0], mine),
            before(match.order, graphs[1], theirs),
        )
        return left(p, r) == right(q, s) and left(r, p) == right(s, q)

    conflicts = [[not fits(one, two) for two in cells] for one in cells]
    if sum(map(any, conflicts)) > MANY:
        raise UnclearError

    def matchings(k: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if k == len(cells):
            yield chosen
            return
        allowed = not any(conflicts[k][j] for j in chosen)
        if allowed:
            yield from matchings(k + 1, (*chosen, k))
        # Whoever fits with everything is in every best matching.
        if not allowed or any(conflicts[k]):
            yield from matchings(k + 1, chosen)

    worth: dict[Fraction, list[tuple[int, ...]]] = {}
    for each in matchings(0, ()):
        literal = sum((amounts[cells[k]].literal for k in each), NONE)
        worth.setdefault(literal, []).append(each)
    best = max(worth)
    found: dict[Fraction, set[Sides]] = {}
    for each in worth[best]:
        chosen = [cells[k] for k in each]
        both = counted(match, graphs, mine, theirs, amounts, chosen)
        found.setdefault(sum(both, NONE), set()).add(both)
    if match.order is not None:
        return Summed(best, frozenset().union(*found.values()))
    return Summed(best, frozenset(found[max(found)]))


def counted(
    match: Any,
    graphs: Both,
    mine: list[Any],
    theirs: list[Any],
    amounts: dict[tuple[int, int], Summed],
    chosen: list[tuple[int, int]],
) -> Sides:
    """The numerators of one matching: no member counts more than it is worth."""
    found = []
    for axis, (graph, members, many) in enumerate(
        ((graphs[0], mine, "n:1"), (graphs[1], theirs, "1:n"))
    ):
        total = NONE
        for k, member in enumerate(members):
            earned = sum(
                (amounts[x].only()[axis] for x in chosen if x[axis] == k), NONE
            )
            if match.constraint == many:
                earned = min(earned, self_of(match.similarity, graph, member))
            if match.constraint == "n:n":
                own = [
                    phi(match.similarity, (graph, graph), *ends)
                    for other in members
                    for ends in [(member, other) if axis == 0 else (other, member)]
                ]
                earned = min(earned, sum(own, NONE))
            total += earned
        found.append(total)
    return found[0], found[1]


def before(order: Any, graph: Graph, members: list[Any]) -> Callable[[int, int], bool]:
    """Whether one member is before another, or the same."""
    if isinstance(order, InSequence):
        return lambda p, q: p <= q
    size = len(graph.nodes)
    reach = [[p == q for q in range(size)] for p in range(size)]
    for edge in graph.edges:
        if order.label is None or edge.label == order.label:
            reach[place_of(graph, edge.source)][place_of(graph, edge.target)] = True
    for k in range(size):
        for p in range(size):
            for q in range(size):
                reach[p][q] |= reach[p][k] and reach[k][q]
    return lambda p, q: reach[members[p]][members[q]]


# Latent variables, eq. 34 to 36.


def best_map(similarity: Any, graphs: Both, gold: Any, system: Any) -> Summed:
    """All one-to-one maps of variables."""
    operand = similarity.operand
    terms = operand.terms if isinstance(operand, Total) else (operand,)
    mine = parts_of(similarity.variables, graphs[0], gold)
    theirs = parts_of(similarity.variables, graphs[1], system)
    found: dict[Fraction, set[Sides]] = {}
    for found_map in maps(mine, theirs):
        literal, sides = NONE, {(NONE, NONE)}
        for term in terms:
            assert isinstance(term, s.match)
            left = members_of(term, graphs[0], gold)
            right = members_of(term, graphs[1], system)

            def inner(one: Any, two: Any, term: Any = term, of: Any = found_map) -> Any:
                return under(term.similarity, graphs, one, two, of)

            best = best_matching(
                Bare(term.constraint, None, Stripped(term.similarity)),  # type: ignore[arg-type]
                graphs,
                left,
                right,
                inner,
            )
            literal += best.literal
            sides = {(a + x, b + y) for a, b in sides for x, y in best.sides}
        found.setdefault(literal, set()).update(sides)
    best_of_all = max(found)
    return Summed(best_of_all, frozenset(found[best_of_all]))


class Stripped:
    """A product without its variables."""

    def __init__(self, similarity: Any) -> None:
        factors = getattr(similarity, "factors", (similarity,))
        self.rest = [x for x in factors if not isinstance(x, Variable)]
        # What is known goes by what an object is, which another must not become.
        STRIPPED.append(self)


class Bare(NamedTuple):
    """A Σ as far as matchings need it."""

    constraint: str
    order: None
    similarity: Stripped


@alike.register(Stripped)
def _(similarity: Any, graphs: Both, gold: Any, system: Any) -> Fraction:
    found = ONE
    for each in similarity.rest:
        found *= phi(each, graphs, gold, system)
    return found


def under(
    similarity: Any, graphs: Both, gold: Any, system: Any, found_map: dict[int, int]
) -> Summed:
    """How alike two propositions are under a map of variables (eq. 34)."""
    for each in getattr(similarity, "factors", (similarity,)):
        if isinstance(each, Variable):
            one = gold if each.step is None else led(each.step, graphs[0], gold)
            two = system if each.step is None else led(each.step, graphs[1], system)
            if one is None or two is None:
                if one is not two:
                    return plainly(NONE)
            elif found_map.get(one, "none") != two:
                return plainly(NONE)
    rest = Stripped(similarity)
    literal = alike(rest, graphs, gold, system)
    if not literal:
        return plainly(NONE)
    # What is no variable may be a Σ, which recall and precision count in their own way.
    sides = {(ONE, ONE)}
    for each in rest.rest:
        more = summed(each, graphs, gold, system).sides
        sides = {(a * x, b * y) for a, b in sides for x, y in more}
    return Summed(literal, frozenset(sides))


def maps(mine: list[int], theirs: list[int]) -> Iterator[dict[int, int]]:
    """Every partial one-to-one map."""
    if not mine:
        yield {}
        return
    for rest in maps(mine[1:], theirs):
        yield rest
        for each in theirs:
            if each not in rest.values():
                yield {mine[0]: each, **rest}


class Answer(NamedTuple):
    """What the engine should say of a formula about whole graphs."""

    gold: Fraction
    system: Fraction
    found: Summed
    value: Fraction | None
    """``None`` where several numbers are right."""


def evaluate(formula: Any, gold: Graph, system: Graph) -> Answer:
    """A formula about whole graphs, from its definition.

    Raises:
        UnclearError: where the definitions leave an inner number open.
    """
    KNOWN.clear()
    STRIPPED.clear()
    operand = formula.operand if isinstance(formula, Normalized) else formula
    mine, theirs = self_of(operand, gold, 0), self_of(operand, system, 0)
    found = summed(operand, (gold, system), 0, 0)
    value: Fraction | None = found.literal
    if isinstance(formula, Normalized):
        try:
            value = ratio(formula, mine, theirs, found)
        except UnclearError:
            value = None
        if formula.counting == "formula":
            found = plainly(found.literal)
    return Answer(mine, theirs, found, value)
