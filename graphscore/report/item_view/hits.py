"""Tables and lines of the hits of a pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.exceptions import amount
from graphscore.report.table import Table, as_table, one_line

if TYPE_CHECKING:
    from graphscore.find.search import Hits

ACROSS = 8
"""Values of a second key that have a column of their own."""

TEXT = 30
"""Characters of a text in a table."""

SIDES = ("gold", "system")


class HitListing(NamedTuple):
    """Hits, or how many each group has, or only how many there are."""

    found: Hits
    keys: Sequence[str]
    """Keys by which they are grouped, if they are."""
    counted: bool
    """Show their number only."""

    def tables(self, top: int) -> list[Table]:
        """A table of hits or groups; none of nothing.

        Args:
            top: how many rows groups have at most.
        """
        if self.counted and not self.keys:
            return [Table([], notes=[amount(self.found.hits, "hit")])]
        if self.keys and self.found.groups:
            return [group_table(self.found.groups, self.keys, top)]
        return [hit_table(self.found.items)] if self.found.items else []

    def rows(self) -> tuple[Sequence[str], list[tuple[Any, ...]]]:
        """The same as rows, with their columns."""
        if self.keys:
            columns = [*self.keys, "hits"]
            groups = self.found.groups
            return columns, [tuple(group[x] for x in columns) for group in groups]
        if self.counted:
            return ["hits"], [(self.found.hits,)]
        return hit_rows(self.found.items)

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON."""
        whole = self.found.to_dict()
        if self.counted:
            del whole["items"]
        return whole


def hit_rows(
    items: Sequence[dict[str, Any]], width: int | None = None
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Hits as rows: where they are, and the labels of what they bind.

    Args:
        items: the hits, as :class:`graphscore.find.search.Hits` has them.
        width: characters to which texts are cut, if they are.
    """
    columns = hit_columns(items, any(item["document"] for item in items))
    return columns, [hit_row(item, columns, width) for item in items]


def hit_columns(items: Iterable[dict[str, Any]], documents: bool) -> list[str]:
    """The columns of hits as rows.

    Args:
        items: hits of one pattern, which all bind the same.
        documents: whether there is a column for documents.
    """
    names = dict.fromkeys(name for item in items for name in labelled(item))
    return ["framework", *["document"] * documents, "item", *names, "text"]


def hit_row(
    item: dict[str, Any], columns: Sequence[str], width: int | None = None
) -> tuple[Any, ...]:
    """A hit as a row.

    Args:
        item: the hit.
        columns: what :func:`hit_columns` gives.
        width: characters to which texts are cut, if they are.
    """
    text = item["text"]
    if text is not None and width is not None:
        text = one_line(text, width)
    result = {**item, **labelled(item), "text": text}
    return tuple(result.get(name) for name in columns)


def labelled(item: dict[str, Any]) -> dict[str, Any]:
    """The labels of what a hit binds, by what the pattern calls it.

    Args:
        item: the hit.
    """
    result: dict[str, Any] = {}
    for name, node in item["nodes"].items():
        if "ordinal" in node:
            result[name] = node["label"]
        else:
            result |= {f"{name} ({side})": node[side]["label"] for side in SIDES}
    return result | {name: edge["label"] for name, edge in item["edges"].items()}


def hit_table(items: Sequence[dict[str, Any]]) -> Table:
    """Hits as a table."""
    return as_table(*hit_rows(items, TEXT))


def group_table(
    groups: Sequence[dict[str, Any]], keys: Sequence[str], top: int
) -> Table:
    """Groups as a table: with two keys the second one across, if that has room.

    Args:
        groups: each with its keys and its hits.
        keys: what was grouped by.
        top: how many rows there are at most.
    """
    columns = [*keys, "hits"]
    rows = [tuple(group[name] for name in columns) for group in groups]
    if len(keys) != 2:
        return as_table(columns, rows[:top])
    across: dict[Any, int] = {}
    down: dict[Any, dict[Any, int]] = {}
    for first, second, hits in rows:
        across[second] = across.get(second, 0) + hits
        down.setdefault(first, {})[second] = hits
    if len(across) > ACROSS:
        return as_table(columns, rows[:top])
    order = sorted(across, key=lambda x: (-across[x], str(x)))
    crossed = [
        (first, *(value.get(second, 0) for second in order), sum(value.values()))
        for first, value in down.items()
    ]
    crossed.sort(key=lambda row: (-row[-1], str(row[0])))
    heads = ["none" if each is None else str(each) for each in order]
    table = as_table([keys[0], *heads, "hits"], crossed[:top])
    table.title = f"{keys[0]} by {keys[1]}"
    return table


def drawn(item: dict[str, Any], graphs: dict[str, Any]) -> Iterator[str]:
    """A hit in its graph, line by line; what it binds has its name in front.

    Args:
        item: the hit.
        graphs: the graphs that it lies in, by side.
    """
    where = ", ".join(
        filter(None, (item["framework"], item["language"], item["layer"]))
    )
    yield f"{item['item']} ({where})"
    if item["text"]:
        yield f"  {one_line(item['text'])}"
    for side, graph in graphs.items():
        if len(graphs) > 1:
            yield f"  {side}:"
        named = called(item, side, "nodes")
        edges = called(item, side, "edges")
        ordinals = graph.ordinals()
        labels = [_said(node.label, number) for number, node in enumerate(graph.nodes)]
        wide = max((len(x) for x in (*named.values(), *edges.values())), default=0)
        for number, label in enumerate(labels):
            if number in named:
                yield f"  {named[number]:{wide}}  {number} {label}"
        for number, edge in enumerate(graph.edges):
            source, target = ordinals[edge.source], ordinals[edge.target]
            mark = edges.get(number, "")
            yield (
                f"  {mark:{wide}}  {source} {labels[source]} "
                f"-{_said(edge.label, '')}-> {target} {labels[target]}"
            )


def _said(label: Any, otherwise: Any) -> str:
    return one_line(str(otherwise if label is None else label))


def called(item: dict[str, Any], side: str, what: str) -> dict[int, str]:
    """Return the pattern's names of the objects of a hit, by ordinal.

    Args:
        item: the hit.
        side: ``gold`` or ``system``.
        what: ``nodes`` or ``edges``.
    """
    result: dict[int, list[str]] = {}
    for name, value in item[what].items():
        own = value if "ordinal" in value else value[side]
        if own["side"] == side:
            result.setdefault(own["ordinal"], []).append(name)
    return {number: ", ".join(names) for number, names in result.items()}
