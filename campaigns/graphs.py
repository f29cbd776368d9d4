"""Graphs with strange fields, written in every format that holds them.

``python -m campaigns.graphs --seed 1 --cases 1000``, or ``--seconds 60``.  A graph of a
file is given a label, a property, an attribute or a kept field of another kind, as
another program may have put into a file of MRP, or another format's reader into
``extra``.  Every writer says it or refuses it with a clear error.
"""

from __future__ import annotations

import copy
import tempfile
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import msgspec

from campaigns.findings import Findings, UnclearError, asked
from campaigns.seeds import Seed, samples
from graphscore.errors import GraphscoreError
from graphscore.formats import Format, Read, Reading, formats, read_file
from graphscore.formats.registry import format_named
from graphscore.model.graph import Edge, Graph, Node

VALUES: tuple[Any, ...] = (
    *(None, True, -1, 10**30, 1.5, "", "x", "\n", "\t", "9" * 5_000, [], [None], [[]]),
    *([1, [2]], ["a", "b"], {}, {"a": None}, {"a": ["b"]}, {"0": {"0": 1}}),
    *({"x": {"y": 1}}, [[10**30, "a"]], {"9": ["a"]}, ["#"], [["a", "b"]]),
)
"""What fields may hold."""

LABELS = (None, "", "\n", "a b", "\t", "x" * 300, "\u2028", "(", "*")

Fields = tuple[tuple[str, Any], ...]


def graphs_of(seeds: list[Seed], folder: Path) -> dict[str, list[Graph]]:
    """The first graphs of files, by framework.

    Args:
        seeds: files.
        folder: where they are written.
    """
    found: dict[str, list[Graph]] = {}
    for number, each in enumerate(seeds):
        framework = "dm" if format_named(each.format).unsaid else None
        path = each.written(folder / str(number))
        reading = Reading(format=each.format, framework=framework)
        graphs = [r.graph for r in read_file(path, reading) if isinstance(r, Read)]
        for graph in graphs[:2]:
            found.setdefault(graph.framework, []).append(graph)
    return found


def _within(value: Any, chance: Random) -> Any:
    """The same value, but for a place in it."""
    if chance.random() < 0.3 or not value or not isinstance(value, dict | list | tuple):
        return chance.choice(VALUES)
    changed = copy.copy(value) if isinstance(value, dict) else list(value)
    keys = list(changed) if isinstance(changed, dict) else range(len(changed))
    key: Any = chance.choice(keys)
    changed[key] = _within(changed[key], chance)
    return changed


class Strange:
    """Makes graphs strange.

    Args:
        graphs: those that there are, by framework; their fields are what is known.
    """

    def __init__(self, graphs: dict[str, list[Graph]]) -> None:
        every = [graph for held in graphs.values() for graph in held]
        parts: list[Node | Edge] = []
        for graph in every:
            parts += [*graph.nodes, *graph.edges]
        self._graphs = graphs
        self._fields = sorted({key for graph in every for key in graph.extra})
        names = {key for part in parts for key, _ in (*_said(part), *part.extra)}
        self._names = sorted(names)

    def graph(self, chance: Random) -> Graph:
        """A graph with one strange field."""
        held = self._graphs[chance.choice(sorted(self._graphs))]
        graph = chance.choice(held)
        match chance.randrange(4):
            case 0:
                extra = {
                    **graph.extra,
                    chance.choice(self._fields): chance.choice(VALUES),
                }
                return msgspec.structs.replace(graph, extra=extra)
            case 1 if graph.extra:
                key = chance.choice(sorted(graph.extra))
                extra = {**graph.extra, key: _within(graph.extra[key], chance)}
                return msgspec.structs.replace(graph, extra=extra)
            case 2 if graph.edges:
                edges = list(graph.edges)
                place = chance.randrange(len(edges))
                edges[place] = self._part(edges[place], "attributes", chance)
                return msgspec.structs.replace(graph, edges=tuple(edges))
            case _ if graph.nodes:
                nodes = list(graph.nodes)
                place = chance.randrange(len(nodes))
                nodes[place] = self._part(nodes[place], "properties", chance)
                return msgspec.structs.replace(graph, nodes=tuple(nodes))
            case _:
                return graph

    def _part(self, part: Any, said: str, chance: Random) -> Any:
        field = chance.choice((said, said, "extra", "label"))
        if field == "label":
            return msgspec.structs.replace(part, label=chance.choice(LABELS))
        name = chance.choice(self._names)
        before: Fields = getattr(part, field)
        held = [(k, v) for k, v in before if k != name or chance.random() < 0.3]
        added = (*held, (name, chance.choice(VALUES)))
        return msgspec.structs.replace(part, **{field: added})


def _said(part: Node | Edge) -> Fields:
    return part.properties if isinstance(part, Node) else part.attributes


def write(graph: Graph, format: Format) -> None:
    """Write a graph in a format, if that holds it; a clear error is as good."""
    if format.frameworks and graph.framework not in format.frameworks:
        return
    try:
        if format.write is not None:
            b"".join(format.write([graph]))
        if format.files is not None:
            list(format.files([graph]))
    except GraphscoreError as error:
        if not str(error).strip():
            raise UnclearError("empty message") from error


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
) -> Findings:
    """A campaign; see :func:`campaigns.inputs.run`."""
    findings = Findings(folder)
    end = None if seconds is None else monotonic() + seconds
    with tempfile.TemporaryDirectory() as place:
        strange = Strange(graphs_of(samples(), Path(place)))
    while cases is None or findings.cases < cases:
        if end is not None and monotonic() > end:
            break
        graph = strange.graph(Random(f"{seed}/{findings.cases}"))
        for format in formats().values():
            error = findings.attempt(lambda g=graph, f=format: write(g, f))  # type: ignore[misc]
            if error is not None:
                about = f"seed {seed} case {findings.cases}: {graph.framework} "
                raw = repr(graph).encode("utf-8", "surrogatepass")
                findings.note(error, about + f"as {format.name}", raw)
        findings.cases += 1
    return findings


if __name__ == "__main__":
    asked(__doc__, run)
