"""Both sides as graphs that pair, whatever they were given as.

Lists have no ids, so their items pair by their order: with those of the other list, or
of a file, whose ids they take.  Where one side knows tokens by their numbers alone, it
is laid over the words of the other.

>>> gold, system = sides([["B-PER", "O"]], [[("PER", 0, 0)]])
>>> [node.anchors for graph in (*gold, *system) for node in graph.nodes]
[(Anchor(start=0, end=1),), (Anchor(start=0, end=1),)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from graphscore.errors import UsageError, amount
from graphscore.formats import Reading, read_file
from graphscore.formats.base import Rejected
from graphscore.formats.gathering import gather
from graphscore.formats.streams import flows_by
from graphscore.inputs.base import Ends, numbered, refused, reworded
from graphscore.inputs.recognition import Given, recognized, settled
from graphscore.inputs.spans import after_of
from graphscore.model.graph import Graph

Side = str | Iterable[Graph]
"""What scoring takes."""


def sides(
    gold: Any,
    system: Any,
    ends: Ends = "inclusive",
    readings: tuple[Reading, Reading] | None = None,
) -> tuple[Side, Side]:
    """Gold and a system as scoring takes them.

    Args:
        gold: a path, graphs, or anything of a known kind.
        system: likewise.
        ends: whether spans of tokens say their last token or the one after it.
        readings: how files are read, of gold and of the system.

    Returns:
        Paths as they are, and graphs of everything else.

    Raises:
        TypeError: if a side is nothing that is taken, or fits two readings.
        InputError: if there is something wrong in it, or the sides have not as many
            items where these pair by their order.
    """
    after_of(ends)
    given = recognized("gold", gold), recognized("system", system)
    settled(*given)
    made = [_made(each, ends) for each in given]
    for number in (1, 0):
        side, graphs = given[number], made[number]
        if graphs is None:
            continue
        other, other_graphs = given[1 - number], made[1 - number]
        if other_graphs is None:
            if not needs_other(side, graphs):
                continue
            other_graphs = list(
                _known(other, (readings or (Reading(),) * 2)[1 - number])
            )
        made[number] = _aligned(side, graphs, other, other_graphs)
    found = [
        graphs if graphs is not None else side.path if side.path else side.graphs
        for side, graphs in zip(given, made, strict=True)
    ]
    return found[0] or [], found[1] or []


def _made(side: Given, ends: Ends) -> list[Graph] | None:
    """Graphs of what is neither a path nor graphs."""
    if side.kind is None:
        return None
    asked = {"ends": ends} if side.kind.ends else {}
    return side.kind.read(side.items, name=side.name, **asked)


def needs_other(side: Given, graphs: Sequence[Graph]) -> bool:
    """Whether a side lacks ids or words."""
    by_number = side.kind is not None and side.kind.by_number
    return by_number or any(not graph.id for graph in graphs)


def _known(side: Given, reading: Reading) -> Iterator[Graph]:
    """The graphs of a path, or those that were given; what cannot be read is empty."""
    if side.path is None:
        if not isinstance(side.graphs, Sequence):
            side.graphs = list(side.graphs or ())
        yield from side.graphs
        return
    if flows_by(side.path):
        raise UsageError(
            f"{side.name} can be read only once, and the other side pairs by order "
            "with it: give a file"
        )
    for path in gather(side.path, reading.format).paths:
        for record in read_file(path, reading):
            if isinstance(record, Rejected):
                yield Graph(record.item, record.framework)
            else:
                yield record.graph


def _aligned(
    side: Given, graphs: list[Graph], other: Given, others: Sequence[Graph]
) -> list[Graph]:
    """A side with the ids and the words of the other, as far as it lacks them."""
    assert side.kind is not None
    frameworks = {graph.framework for graph in graphs}
    partners: dict[tuple[str, str], Graph] = {}
    for number, graph in enumerate(
        each for each in others if each.framework in frameworks
    ):
        partners.setdefault((graph.language, graph.id or f"\0{number}"), graph)
    if not partners:
        return graphs
    in_order = list(partners.values())
    named = all(graph.id for graph in graphs)
    if not named and len(in_order) != len(graphs):
        expected = f"{len(in_order)}, one for each of {other.name}: they pair by order"
        raise refused(side.name, "", amount(len(graphs), "item"), expected)
    by_id = {graph.id: graph for graph in in_order}
    found = []
    for number, graph in enumerate(graphs):
        partner = by_id.get(graph.id) if named else in_order[number]
        if partner is None:
            found.append(graph)
            continue
        if not named:
            graph = msgspec.structs.replace(
                graph,
                id=partner.id,
                language=partner.language,
                document=partner.document,
            )
        if side.kind.by_number:
            graph = _over(side, f"[{number}]", graph, other, partner)
        found.append(graph)
    return found


def _over(side: Given, where: str, graph: Graph, other: Given, partner: Graph) -> Graph:
    """A graph over the words of its partner, if that has any."""
    assert side.kind is not None
    bare = other.kind is not None and other.kind.by_number
    if side.kind.counted and (not bare or (other.kind and other.kind.counted)):
        there = len(partner.tokens)
        if len(graph.tokens) != there:
            found = amount(len(graph.tokens), "tag")
            expected = f"{there}, as {other.name} has"
            raise refused(side.name, where, found, expected)
    if not graph.tokens:
        # Dicts count characters: of the text that the other side has.
        if bare and partner.tokens and graph.nodes:
            expected = f"tokens, as {other.name} has"
            raise refused(side.name, where, "numbers of characters", expected)
        text, tokens = partner.text, partner.tokens
        return (
            graph if bare else msgspec.structs.replace(graph, text=text, tokens=tokens)
        )
    if bare:
        text, tokens = numbered(max(len(graph.tokens), len(partner.tokens)))
        return msgspec.structs.replace(graph, text=text, tokens=tokens)
    if not partner.tokens:
        expected = f"characters: {other.name} has no tokens"
        raise refused(side.name, where, "numbers of tokens", expected)
    return reworded(graph, partner, side.name, where)
