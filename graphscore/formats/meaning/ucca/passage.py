"""A UCCA passage between its XML and its graph.

Both ways of writing UCCA down, the standard XML and the site's XML, are read
into a :class:`Passage`: terminals in order, units with their outgoing links.
:func:`to_graph` lays it out as the shared tasks on meaning representation
parsing did (Oepen et al. 2019; checked against the same sentences in MRP):

- every unit is a node without a label; a unit over terminals is anchored, one
  range a terminal, in the order of the text; units with terminals come first in
  the node list, in that order;
- every category of a link is an edge of its own, a remote one has the attribute
  ``remote``; what has no incoming link is a top;
- implicit units (nothing below them) and linkage are no part of the
  foundational graph.  They are kept, with everything else the XML says, in the
  field ``ucca`` of :attr:`Graph.extra` and in ``extra`` of nodes and edges, and
  the writer puts them back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from graphscore.formats.shared.records import RecordBuilder
from graphscore.model.graph import Anchor, Edge, Graph, Node

TERMINAL = "Terminal"
PUNCTUATION = "U"
FOUNDATIONAL, PUNCTUATION_UNIT, LINKAGE = "FN", "PNCT", "LKG"
UNITS = (FOUNDATIONAL, PUNCTUATION_UNIT, LINKAGE)
TERMINALS = ("Word", "Punctuation")

Strings = dict[str, str]
Extra = tuple[tuple[str, Any], ...]


def intern_constant(value: str, *names: str) -> str:
    """*value* as one of our own constants, which defaults are recognised by.

    msgspec leaves out what is identical to a default, not what is equal to it.
    """
    return next((name for name in names if name == value), value)


class Terminal(msgspec.Struct, omit_defaults=True):
    """A token of the passage."""

    id: str = ""
    form: str = ""
    type: str = "Word"
    attributes: Strings = {}
    """All but the form: paragraph and place in it."""
    extra: Strings = {}


class Link(msgspec.Struct, omit_defaults=True):
    """An XML edge: from a unit to another, or to a terminal."""

    source: str
    target: str
    categories: list[Strings] = []
    """Each with its ``tag`` and what else it says (slot, layer)."""
    remote: bool = False
    attributes: Strings = {}
    extra: Strings = {}
    line: int = 0


class Unit(msgspec.Struct, omit_defaults=True):
    """A node of the foundational layer."""

    id: str
    type: str = FOUNDATIONAL
    attributes: Strings = {}
    extra: Strings = {}
    links: list[Link] = []
    line: int = 0


class Leftover(msgspec.Struct, omit_defaults=True):
    """Fields of a passage besides its graph; the field ``ucca`` of ``extra``."""

    annotation: str = "0"
    attributes: Strings = {}
    extra: Strings = {}
    terminals: list[Terminal] = []
    """Type and attributes of every terminal, without id and form."""
    implicit: list[Unit] = []
    implicit_links: list[Link] = []
    """Links to implicit units."""
    linkage: list[Unit] = []
    layers: list[str] = []
    """XML of the layers above the foundational one."""


@dataclass
class Passage:
    """One passage as its XML gives it."""

    id: str = ""
    annotation: str = "0"
    attributes: Strings = field(default_factory=dict)
    extra: Strings = field(default_factory=dict)
    terminals: list[Terminal] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    text: str | None = None
    """The raw text, where the file has it."""


def to_graph(passage: Passage, findings: RecordBuilder) -> Graph:
    """Lay a passage out as a graph.

    Args:
        passage: with unique ids; what is wrong with its links is noted.
        findings: takes the problems; with any, the graph is of no use.

    Returns:
        A graph of framework ``ucca`` and flavor 1.
    """
    text, tokens = _text(passage, findings)
    terminals = {
        terminal.id: number for number, terminal in enumerate(passage.terminals)
    }
    units = {unit.id: unit for unit in passage.units}
    _check(passage.units, units, terminals, findings)
    linkage = [unit for unit in passage.units if unit.type == LINKAGE]
    implicit = [unit for unit in passage.units if _is_implicit(unit)]
    left_out = {unit.id for unit in (*linkage, *implicit)}
    kept = [unit for unit in passage.units if unit.id not in left_out]
    covered = {
        unit.id: sorted(
            terminals[x.target] for x in unit.links if x.target in terminals
        )
        for unit in kept
    }
    leaves = [unit for unit in kept if covered[unit.id]]
    leaves.sort(key=lambda unit: covered[unit.id][0])
    rest = [unit for unit in kept if not covered[unit.id]]
    nodes = tuple(
        Node(
            unit.id,
            anchors=tuple(tokens[number] for number in covered[unit.id]),
            extra=_node_extra(unit),
        )
        for unit in (*leaves, *rest)
    )
    links = [link for unit in kept for link in unit.links]
    edges = tuple(
        Edge(
            link.source,
            link.target,
            category["tag"],
            attributes=(("remote", True),) if link.remote else (),
            extra=_edge_extra(link, category),
        )
        for link in links
        if link.target not in terminals and link.target not in left_out
        for category in link.categories
    )
    below = {edge.target for edge in edges}
    tops = tuple(unit.id for unit in kept if unit.id not in below)
    leftover = Leftover(
        annotation=passage.annotation,
        attributes=passage.attributes,
        extra=passage.extra,
        terminals=[
            msgspec.structs.replace(terminal, id="", form="")
            for terminal in passage.terminals
        ],
        implicit=implicit,
        implicit_links=[link for link in links if link.target in left_out],
        linkage=linkage,
        layers=passage.layers,
    )
    extra: dict[str, Any] = msgspec.to_builtins(_without_lines(leftover))
    return Graph(
        passage.id,
        "ucca",
        1,
        passage.attributes.get("lang", ""),
        text=text,
        tokens=tuple(tokens),
        nodes=nodes,
        edges=edges,
        tops=tops,
        extra={"ucca": extra} if extra else {},
    )


def _text(passage: Passage, findings: RecordBuilder) -> tuple[str, list[Anchor]]:
    """The text and the ranges of its tokens; forms joined by blanks at the least."""
    tokens: list[Anchor] = []
    position = 0
    if passage.text is None:
        for terminal in passage.terminals:
            tokens.append(Anchor(position, position + len(terminal.form)))
            position += len(terminal.form) + 1
        return " ".join(terminal.form for terminal in passage.terminals), tokens
    for terminal in passage.terminals:
        start = passage.text.find(terminal.form, position)
        if start < 0:
            expected = f"a form that follows in the text after position {position}"
            findings.add(f"node {terminal.id}", repr(terminal.form), expected)
            return "", [Anchor(0, 0)] * len(passage.terminals)
        position = start + len(terminal.form)
        tokens.append(Anchor(start, position))
    return passage.text, tokens


def _is_implicit(unit: Unit) -> bool:
    marked = unit.attributes.get("implicit", "").lower() == "true"
    return marked and not unit.links and unit.type != LINKAGE


def _check(
    listed: list[Unit],
    units: dict[str, Unit],
    terminals: dict[str, int],
    findings: RecordBuilder,
) -> None:
    """Links lead somewhere, and terminals are reached as terminals."""
    for unit in listed:
        for number, link in enumerate(unit.links, 1):
            where = f"node {unit.id}, edge {number}"
            tags = [category["tag"] for category in link.categories]
            found = expected = ""
            if link.target in terminals:
                if tags != [TERMINAL] or link.remote:
                    shown = "a remote edge" if link.remote else "|".join(tags)
                    found, expected = f"{shown} to a terminal", f"only {TERMINAL}"
            elif link.target not in units:
                found, expected = repr(link.target), "the ID of a node, as toID"
            elif TERMINAL in tags:
                found, expected = f"{TERMINAL} to a unit", "a category, as type"
            if found:
                findings.add(where, found, expected, line=link.line or 1)


def _node_extra(unit: Unit) -> Extra:
    if unit.type == FOUNDATIONAL and not (unit.attributes or unit.extra):
        return ()
    kind = "" if unit.type == FOUNDATIONAL else unit.type
    return _without_empty(
        type=kind, ucca_attributes=unit.attributes, ucca_extra=unit.extra
    )


def _edge_extra(link: Link, category: Strings) -> Extra:
    if len(category) == 1 and not (link.attributes or link.extra):
        return ()
    more = {name: value for name, value in category.items() if name != "tag"}
    return _without_empty(
        ucca_category=more, ucca_attributes=link.attributes, ucca_extra=link.extra
    )


def _without_empty(**fields: Any) -> Extra:
    """Fields of ``extra``, as far as there is something in them."""
    return tuple((name, value) for name, value in fields.items() if value)


def _without_lines(leftover: Leftover) -> Leftover:
    """Line numbers belong to the file, not to the graph."""
    for unit in (*leftover.implicit, *leftover.linkage):
        unit.line = 0
        for link in unit.links:
            link.line = 0
    for link in leftover.implicit_links:
        link.line = 0
    if all(terminal == Terminal() for terminal in leftover.terminals):
        leftover.terminals = []
    return leftover
