"""Hints about names of a pattern that never occur, with suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, text

from graphscore.exceptions import did_you_mean
from graphscore.find.pattern import (
    PARTS,
    EdgeClause,
    Feature,
    FeatureClause,
    Test,
    VerdictClause,
)
from graphscore.find.scope import Level, Scope, plain_name

KNOWN = 50_000
"""Texts of a store among which those near to one that there is not are looked for."""

OWN = {"node": ("label", "form", "text", "__id__"), "edge": ("label", "__id__", *PARTS)}
"""Features that are no properties."""

MEANT = {
    "cat": ("upos", "pos"),
    "pos": ("upos", "xpos"),
    "tag": ("upos", "xpos", "pos"),
    "upos": ("pos",),
    "xpos": ("pos",),
    "word": ("form", "label"),
    "phon": ("form", "label"),
    "token": ("form", "label"),
    "concept": ("label",),
    "instance": ("label",),
    "deprel": ("label",),
    "rel": ("label",),
    "enhanced": ("label",),
}
"""Names of features elsewhere: the likeliest first."""

ROOT = " (none leads to the root of a sentence: ask for * -[root]-> X, or top(X))"
"""Said of the relation of roots."""


def first_names(names: Sequence[str], most: int = 40) -> str:
    """Return names with commas, and how many more there are.

    >>> first_names(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {left:,} more" if left > 0 else "")


class RequestedFeature(NamedTuple):
    """A feature that a pattern asks for, perhaps with values.

    Args:
        what: ``node`` or ``edge``.
        name: the feature.
        values: texts that it is compared with.
        absent: whether it is not to be there.
    """

    what: str
    name: str
    values: tuple[str, ...] = ()
    absent: bool = False


def unknown(
    connection: Connection, scope: Scope, keys: Sequence[str] = (), *, has_hits: bool
) -> Iterator[str]:
    """Yield hints about labels, properties and values of a pattern that never occur.

    Args:
        connection: the store; it is only read.
        scope: the pattern, with its names.
        keys: what hits are grouped by.
        has_hits: whether there are hits; if so, all is well with what the store has
            anywhere, be it as something else.

    Yields:
        A sentence for each, with what is near or was meant.
    """
    symbols = _Symbols(connection)
    features: dict[RequestedFeature, None] = {}
    for level in scope.levels:
        features |= dict.fromkeys(_features_of(level, scope))
    features |= dict.fromkeys(_features_of_keys(scope, keys))
    hints: dict[str, None] = {}
    for feature in features:
        # A quick look; most patterns name what there is.
        texts = [
            x for x in (feature.name, *feature.values) if x not in OWN[feature.what]
        ]
        if not has_hits or not symbols.have(texts):
            hints |= dict.fromkeys(symbols.remarks(feature))
    yield from hints


class _Symbols:
    """The texts of a store by what they are: labels, names, values."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, ...], list[str]] = {}

    def have(self, texts: Iterable[str]) -> bool:
        """Return whether all of some texts occur, whatever they are."""
        statement = text("select count(*) from symbol where text = :v")
        return all(
            self._connection.execute(statement, {"v": name_text}).scalar()
            for name_text in texts
        )

    def remarks(self, feature: RequestedFeature) -> Iterator[str]:
        """Yield hints about a feature and its values."""
        what, name, values, _ = feature
        table = {"node": "property", "edge": "attribute"}[what]
        if name in OWN[what]:
            if name in ("label", "form"):
                yield from self._labels(what, values)
            elif name in PARTS:
                yield from self._parts(name, values)
            return
        names = self._texts(f"select x.name from {table} x")
        if name not in names:
            kind = "property" if what == "node" else "attribute"
            near = self._suggest_name(what, name, names)
            # What is not to be there may well be nowhere.
            if near or not feature.absent:
                yield f"no {what} has the {kind} {name!r}{near}"
            return
        named = f"select x.value from {table} x join symbol s on s.id = x.name"
        texts = self._texts(f"{named} where s.text = :name", name)
        for value in values:
            if value not in texts:
                yield f"no {what} has the {name} {value!r}{did_you_mean(value, texts)}"

    def _labels(self, what: str, values: Sequence[str]) -> Iterator[str]:
        labels = self._texts(f"select x.label from {what} x") if values else []
        for value in values:
            if value not in labels:
                near = did_you_mean(value, labels)
                if what == "edge" and labels:
                    near += f"; labels of edges: {first_names(sorted(labels))}"
                if what == "edge" and value == "root":
                    near = ROOT
                yield f"no {what} has the label {value!r}{near}"

    def _parts(self, part: str, values: Sequence[str]) -> Iterator[str]:
        labels = self._texts("select x.label from edge x") if values else []
        halves = [label.partition(":") for label in labels]
        names = sorted({x[0] if part == "1" else x[2] for x in halves} - {""})
        for value in values:
            if value not in names:
                where = "begins with" if part == "1" else "has behind its colon"
                yield (
                    f"no label of an edge {where} {value!r}{did_you_mean(value, names)}"
                )

    def _suggest_name(self, what: str, name: str, names: list[str]) -> str:
        """Suggest a property for one that does not exist."""
        for meant in MEANT.get(name.lower(), ()):
            if meant in names or meant in OWN[what]:
                return f" (did you mean {meant!r}?)"
        return did_you_mean(name, [*names, *OWN[what]])

    def _texts(self, ids: str, name: str = "") -> list[str]:
        if (ids, name) not in self._known:
            sql = f"select y.text from symbol y where y.id in ({ids}) limit {KNOWN}"
            values = {"name": name} if name else {}
            rows = self._connection.execute(text(sql), values)
            self._known[ids, name] = [str(name_text) for [name_text] in rows]
        return self._known[ids, name]


def _features_of(level: Level, scope: Scope) -> Iterator[RequestedFeature]:
    """Yield the features that a level names."""
    for edge in level.edges.values():
        yield from _features_of_tests("edge", edge.tests)
    for clauses in level.nodes.values():
        for node in clauses:
            yield from _features_of_tests("node", node.tests)
    for side, clause in level.clauses:
        if isinstance(clause, EdgeClause):
            yield from _features_of_tests(
                "edge", clause.tests, root=clause.source == "*"
            )
        elif isinstance(clause, VerdictClause) and isinstance(
            clause.subject, EdgeClause
        ):
            yield from _features_of_tests("edge", clause.subject.tests)
        elif isinstance(clause, FeatureClause):
            both = [x for x in (clause.left, clause.right) if isinstance(x, Feature)]
            value = (clause.right,) if isinstance(clause.right, str) else ()
            edges = {*scope.main.edges, *level.edges}
            for test in both:
                what = "edge" if (side, plain_name(test.owner)) in edges else "node"
                yield RequestedFeature(what, test.name, value)


def _features_of_tests(
    what: str, tests: Iterable[Test], *, root: bool = False
) -> Iterator[RequestedFeature]:
    for test in tests:
        values = [x for x in test.values if isinstance(x, str)]
        if root:
            # No edge has it, and yet it is found.
            values = [x for x in values if x != "root"]
        yield RequestedFeature(what, test.name, tuple(values), test.sign == "lacks")


def _features_of_keys(scope: Scope, keys: Sequence[str]) -> Iterator[RequestedFeature]:
    """Yield the features by which hits are grouped."""
    nodes = {name for _, name in scope.main.new}
    edges = {name for _, name in scope.main.edges}
    for key in keys:
        for side in ("gold.", "system."):
            key = key.removeprefix(side)
        owner, _, feature = key.partition(".")
        if feature and owner in nodes | edges:
            yield RequestedFeature("edge" if owner in edges else "node", feature)
