"""A graph as one bracketed PENMAN tree.

A tree has to decide where a node is spelled out (with its concept and what follows
from it) and where it is only mentioned.  A graph that was read from PENMAN says so
itself, because its edges stand in the order of the text: the first edge out of a
node follows the edge at which the node was spelled out.  Any other graph is laid
out from its top along its edges; a node that no edge leads to is reached against
the direction of an edge, by the inverted role.

>>> from graphscore.model.graph import Edge, Graph, Node
>>> dog, bark = Node(0, "dog"), Node(1, "bark-01", (("quant", 2), ("op1", "a b")))
>>> print(penman_text(Graph("1", "amr", 2, nodes=(dog, bark),
...       edges=(Edge(1, 0, "ARG0"),), tops=(1,))))
(b / bark-01 :quant 2 :op1 "a b"
    :ARG0 (d / dog))
>>> print(penman_text(Graph("1", "amr", 2, nodes=(dog, Node(1, "bark-01")),
...       edges=(Edge(1, 0, "ARG0"),), tops=(0,))))
(d / dog
    :ARG0-of (b / bark-01))
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from graphscore.formats.meaning.amr.records import DEEPEST
from graphscore.formats.writing import spell_value
from graphscore.model.graph import Edge, Graph, Node, NodeId, Pairs, Value
from graphscore.model.normalize import implied_normal

_SYMBOL = re.compile(r'(?!#)[^ \t\r\n\v\f"()/:~]+')
_BARE = re.compile(
    r"[-+]|[-+]?\d+(?:\.\d+)?|true|false|null|imperative|interrogative|expressive"
)
_ESCAPE = re.compile(r'["\\]')
_ESCAPED = re.compile(r'\\(["\\])')
_ALIGNMENT = re.compile(r"(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*")
_INDENT = "    "


def unquote(text: str) -> str:
    r"""Return the content of a string in quotation marks.

    >>> unquote(r'"5\" nails"')
    '5" nails'
    """
    bare = text[1:-1]
    return _ESCAPED.sub(r"\1", bare) if "\\" in bare else bare


def default_quotes(label: str | None, properties: Pairs) -> list[bool]:
    """Return which values usually have quotation marks in AMR.

    A concept has none.  A constant has them, unless it is a number, ``-``, ``+`` or
    one of the values of ``:mode``.

    Args:
        label: the label of a node.
        properties: its properties.

    Returns:
        An entry for the label and one for each property.

    >>> default_quotes("name", (("op1", "Pierre"), ("quant", "61")))
    [False, True, False]
    """
    return [
        label is not None and not _SYMBOL.fullmatch(label),
        *(not _BARE.fullmatch(_spell(value)) for _, value in properties),
    ]


def _spell(value: Value) -> str:
    if isinstance(value, str):
        return value
    return "null" if value is None else str(value).lower()


class _Branch(NamedTuple):
    """An edge as it is written below one of its ends."""

    role: str
    target: NodeId
    spelled_out: bool
    extra: Mapping[str, Any]


def penman_text(graph: Graph) -> str:
    """The graph in PENMAN notation, without metadata; ``()`` if it has no nodes.

    Anchors and edge attributes have no place in it, nor have further tops, and nodes
    that are not connected with the first one.

    Args:
        graph: connected, with one top.

    Returns:
        Several lines, without a line break at the end.
    """
    if not graph.nodes:
        return "()"
    top = graph.tops[0] if graph.tops else graph.nodes[0].id
    edges = [_base(edge) for edge in graph.edges]
    tree = _as_written(graph, top, edges) or _laid_out(graph, top, edges)
    return "".join(_pieces(graph, top, tree, _variables(graph)))


def _base(edge: Edge) -> Edge:
    """An edge whose label alone says what its ``normal`` says."""
    role = spell_value(edge.label)
    # MRP files have ``consist`` as normal of ``consist-of``, by the reference
    # scorer's oversight (see :func:`graphscore.model.normalize.base_edge`).
    if edge.normal in (None, "", implied_normal(role), implied_normal(role, False)):
        return edge
    return Edge(edge.target, edge.source, edge.normal, extra=edge.extra)


_Tree = dict[NodeId, list[_Branch]]


def _as_written(graph: Graph, top: NodeId, edges: list[Edge]) -> _Tree | None:
    """The tree of a graph that was read from PENMAN; ``None`` if it was not."""
    first_out: dict[NodeId, int] = {}
    mentions: dict[NodeId, list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        first_out.setdefault(edge.source, number)
        # A mention may be aligned, a place where a node is spelled out may not.
        if not _is_mentioned(edge):
            mentions[edge.target].append(number)
    openings: dict[int, NodeId] = {}
    last = -1
    if graph.nodes[0].id != top or first_out.get(top, 0) != 0:
        return None
    for node in graph.nodes[1:]:
        if node.id in first_out:
            at = first_out[node.id] - 1
        else:
            at = next((k for k in mentions[node.id] if k > last), -1)
        if at <= last or edges[at].target != node.id or _is_mentioned(edges[at]):
            return None
        openings[at] = node.id
        last = at
    # The text says the same again if each edge continues an open bracket.
    tree: _Tree = {node.id: [] for node in graph.nodes}
    path = [top]
    for number, edge in enumerate(edges):
        while path and path[-1] != edge.source:
            path.pop()
        if not path:
            return None
        tree[edge.source].append(_branch(edge, number in openings))
        if number in openings:
            path.append(edge.target)
        if len(path) > DEEPEST:
            return None
    return tree


def _is_mentioned(edge: Edge) -> bool:
    return any(name == "target_alignment" for name, _ in edge.extra)


def _branch(edge: Edge, spelled_out: bool) -> _Branch:
    role = spell_value(edge.label)
    return _Branch(role, edge.target, spelled_out, dict(edge.extra))


def _inverse(role: str) -> str:
    """The role read against its direction; empty where there is none.

    >>> _inverse("ARG0"), _inverse("ARG0-of"), _inverse("mod"), _inverse("prep-by")
    ('ARG0-of', 'ARG0', 'domain', '')
    """
    normal = implied_normal(role)
    if normal is not None:
        return normal if implied_normal(normal) is None else ""
    turned = f"{role}-of"
    return turned if role and implied_normal(turned) == role else ""


def _laid_out(graph: Graph, top: NodeId, edges: list[Edge]) -> _Tree:
    """A tree from the top outwards, as flat as can be."""
    outgoing: dict[NodeId, list[int]] = defaultdict(list)
    incoming: dict[NodeId, list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        outgoing[edge.source].append(number)
        if _inverse(spell_value(edge.label)):
            incoming[edge.target].append(number)
    reached = {top}
    openings: dict[int, NodeId] = {}
    ahead = deque(outgoing[top])
    behind = deque(incoming[top])
    while ahead or behind:
        # Only where no edge leads on is one followed against its direction.
        forward = bool(ahead)
        number = ahead.popleft() if forward else behind.popleft()
        end = edges[number].target if forward else edges[number].source
        if end in reached:
            continue
        reached.add(end)
        openings[number] = end
        ahead.extend(outgoing[end])
        behind.extend(incoming[end])
    tree: _Tree = {node.id: [] for node in graph.nodes}
    for number, edge in enumerate(edges):
        if openings.get(number, edge.target) != edge.target:
            turned = _inverse(spell_value(edge.label))
            edge = Edge(edge.target, edge.source, turned, extra=edge.extra)
        tree[edge.source].append(_branch(edge, number in openings))
    return tree


def _constants(node: Node) -> list[tuple[str, bool]]:
    """Values of the node's properties, and whether they need quotation marks."""
    quotes = dict(node.extra).get("quotes")
    if not isinstance(quotes, list) or len(quotes) != len(node.properties) + 1:
        label = None if node.label is None else _spell(node.label)
        quotes = default_quotes(label, node.properties)
    constants = []
    for (_, value), quoted in zip(node.properties, quotes[1:], strict=True):
        text = _spell(value)
        constants.append((text, bool(quoted) or not _SYMBOL.fullmatch(text)))
    return constants


def _variables(graph: Graph) -> dict[NodeId, str]:
    """A variable for each node: its id, or as AMR has them, a letter and a number."""
    taken = {
        text for node in graph.nodes for text, quoted in _constants(node) if not quoted
    }
    names: dict[NodeId, str] = {}
    for node in graph.nodes:
        name = node.id
        if isinstance(name, str) and _SYMBOL.fullmatch(name) and name not in taken:
            names[name] = name
            taken.add(name)
    numbers: dict[str, int] = {}
    for node in graph.nodes:
        if node.id in names:
            continue
        letter = spell_value(node.label)[:1].lower()
        letter = letter if letter.isascii() and letter.isalpha() else "x"
        name = letter
        while name in taken:
            numbers[letter] = numbers.get(letter, 1) + 1
            name = f"{letter}{numbers[letter]}"
        names[node.id] = name
        taken.add(name)
    return {node.id: names[node.id] for node in graph.nodes}


def _pieces(
    graph: Graph, top: NodeId, tree: _Tree, variables: Mapping[NodeId, str]
) -> Iterator[str]:
    nodes = {node.id: node for node in graph.nodes}
    stack = [iter(tree[top])]
    yield _open_bracket(nodes[top], variables[top])
    while stack:
        for branch in stack[-1]:
            mark = _mark(branch.extra.get("alignment"))
            yield f"\n{_INDENT * len(stack)}:{branch.role}{mark} "
            target = branch.target
            if branch.spelled_out:
                yield _open_bracket(nodes[target], variables[target])
                stack.append(iter(tree[target]))
                break
            yield variables[target] + _mark(branch.extra.get("target_alignment"))
        else:
            stack.pop()
            yield ")"


def _open_bracket(node: Node, variable: str) -> str:
    """A bracket with what is said of the node itself."""
    extra = dict(node.extra)
    result = f"({variable}"
    if node.label is not None:
        quotes = extra.get("quotes")
        forced = isinstance(quotes, list) and quotes[:1] == [True]
        label = _spell(node.label)
        result += f" / {_token(label, forced)}{_mark(extra.get('alignment'))}"
    at_roles = _each(extra.get("role_alignments"), node)
    at_values = _each(extra.get("alignments"), node)
    for number, (text, quoted) in enumerate(_constants(node)):
        role = node.properties[number][0] + _mark(at_roles[number])
        result += f" :{role} {_token(text, quoted)}{_mark(at_values[number])}"
    return result


def _each(markers: Any, node: Node) -> list[Any]:
    size = len(node.properties)
    whole = isinstance(markers, list | tuple) and len(markers) == size
    return list(markers) if whole else [None] * size


def _mark(marker: Any) -> str:
    result = isinstance(marker, str) and _ALIGNMENT.fullmatch(marker)
    return f"~{marker}" if result else ""


def _token(text: str, quoted: bool) -> str:
    if not quoted and _SYMBOL.fullmatch(text):
        return text
    return '"' + _ESCAPE.sub(r"\\\g<0>", text) + '"'
