"""Conditions of a pattern on whole graphs: ``global { … }``."""

from __future__ import annotations

from graphscore.find.conditions import MULTIWORD, Writer
from graphscore.find.pattern import Test

_NEGATED = "is_not_"


def holds(writer: Writer, test: Test, unit: str, graph: str) -> str:
    """Return the condition of a test on a graph.

    Args:
        writer: has the values of parameters.
        test: what is asked, of a name of :data:`graphscore.find.scope.WHOLE` or
            :data:`~graphscore.find.scope.SHAPES`.
        unit: the alias of the row that says what the graph is.
        graph: its id.
    """
    if test.sign != "has":
        value = f"{unit}.{'item' if test.name == 'sent_id' else test.name}"
        if test.name == "text":
            t, w = writer.alias("t"), writer.alias("w")
            value = (
                f"(select {t}.content from text {t} join graph {w} "
                f"on {w}.text = {t}.digest where {w}.id = {graph})"
            )
        same = writer.among(f"coalesce({value}, '')", test.values)
        return same if test.sign == "=" else f"not {same}"
    shape = test.name.removeprefix("is_").removeprefix("not_")
    result = _SHAPES[shape](writer, graph)
    if shape == "projective":
        # What has no order is neither.
        words = "" if writer.words else f"{writer.over_words(graph)} and "
        sign = "" if test.name.startswith(_NEGATED) else "not "
        return f"{words}{sign}({result})"
    return f"not ({result})" if test.name.startswith(_NEGATED) else f"({result})"


def _crossing(writer: Writer, graph: str) -> str:
    """Return the condition that two arcs cross, or one spans a root."""
    a, b = writer.alias("a"), writer.alias("b")
    lower, upper = (
        ("min", "max") if writer.dialect == "sqlite" else ("least", "greatest")
    )

    def first(edge: str) -> str:
        return f"{lower}({edge}.source, {edge}.target)"

    def last(edge: str) -> str:
        return f"{upper}({edge}.source, {edge}.target)"

    o, z = writer.alias("o"), writer.alias("z")
    return (
        f"{writer.exists} (select 1 from edge {a} cross join edge {b} "
        f"where {a}.graph = {graph} and {b}.graph = {graph} "
        f"and {first(a)} < {first(b)} and {first(b)} < {last(a)} "
        f"and {last(a)} < {last(b)}) "
        f"or {writer.exists} (select 1 from top {o} cross join edge {z} "
        f"where {o}.graph = {graph} and {z}.graph = {graph} "
        f"and {first(z)} < {o}.node and {o}.node < {last(z)})"
    )


def _cyclic(writer: Writer, graph: str) -> str:
    z = writer.alias("z")
    back = writer.path(graph, f"{z}.source", f"{z}.source")
    return (
        f"{writer.exists} (select 1 from edge {z} where {z}.graph = {graph} and {back})"
    )


def _forest(writer: Writer, graph: str) -> str:
    """Return the condition that there is no cycle and no node with two heads."""
    z = writer.alias("z")
    return (
        f"not {_cyclic(writer, graph)} and not exists (select 1 from edge {z} "
        f"where {z}.graph = {graph} group by {z}.target having count(*) > 1)"
    )


def _tree(writer: Writer, graph: str) -> str:
    """Return the condition that a graph is a tree, without multiword tokens."""
    x, z = writer.alias("x"), writer.alias("z")
    roots = (
        f"(select count(*) from node {x} where {x}.graph = {graph} "
        f"and not exists (select 1 from edge {z} where {z}.graph = {graph} "
        f"and {z}.target = {x}.ordinal) "
        f"and {writer.lacks(graph, f'{x}.ordinal', MULTIWORD)})"
    )
    return f"{_forest(writer, graph)} and {roots} = 1"


_SHAPES = {
    "projective": _crossing,
    "cyclic": _cyclic,
    "forest": _forest,
    "tree": _tree,
}
