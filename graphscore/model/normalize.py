"""When two values count as the same, and the named conventions of other tools.

A reader keeps what the file says.  Everything that makes two spellings count
as one happens here, in memory, at the wish of a metric, so that one ingest
serves every metric and every convention.

Values compare as case-insensitive strings (Oepen et al. 2019): ``42`` equals
``"42"`` and ``"Pierre"`` equals ``"pierre"``.  Inverted edges are turned round
to their base label, default attributes disappear.

>>> fold(42) == fold("42"), fold("Pierre") == fold("pierre"), fold(True)
(True, True, 'true')
>>> base_edge(Edge(3, 5, "ARG0-of"), "amr")
(5, 3, 'ARG0')
>>> base_edge(Edge(3, 5, "mod"), "dm", invert="amr")
(3, 5, 'mod')

A corpus has few labels, properties and roles.  What tuples of them compare is worked
out once for each and looked up after that, in tables that forget everything once they
are full, so that memory does not grow with the corpus.

>>> label_keys["Bark"], property_keys["Pos", "VBP"]
((1, 'bark'), (2, 'pos', 'vbp'))
>>> roles_of(True, True, True)["ARG0-of"]
(True, 'arg0')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from graphscore.model.frameworks import LABELS, PROPERTIES
from graphscore.model.graph import Edge, Graph, NodeId, Pairs, Value

Invert = Literal["all", "amr"]

DEFAULT_ATTRIBUTES = frozenset(
    {("remote", "false"), ("effective", "false"), ("member", "false")}
)
"""Edge attributes that say nothing (mtool 4cee3a2, ``graph.py`` line 20)."""

DEFAULT_ATTRIBUTES_2019 = frozenset({("remote", "false")})
"""Those of MRP 2019; the others came with PTG (mtool before June 2020)."""

BASE_ROLES = frozenset({"consist-of", "subset-of"})
"""AMR roles that end in ``-of`` without being inverted."""


def fold(value: Value) -> str:
    """The form in which literal values are compared.

    Args:
        value: any JSON scalar.

    Returns:
        Its lower-cased spelling; booleans and null as JSON writes them.
    """
    if type(value) is str:
        return value.lower()
    if value is None:
        return "null"
    return str(value).lower()


def base_edge(
    edge: Edge, framework: str, invert: Invert = "all", keep_base: bool = True
) -> tuple[NodeId, NodeId, Value]:
    """The edge in its base direction, with its base label as written.

    An explicit ``normal`` is honoured in every framework.  Without one,
    ``mod`` and labels in ``-of`` count as inverted: everywhere with
    ``invert="all"`` (what the official scorer does), only in AMR with
    ``invert="amr"``.

    Args:
        edge: an edge as read.
        framework: the framework of its graph.
        invert: where inversion is inferred.
        keep_base: whether ``consist-of`` and ``subset-of`` stay as they are;
            mtool means them to, and turns them round by an oversight.

    Returns:
        Source, target and label.
    """
    source, target, label = edge.source, edge.target, edge.label
    if edge.normal is not None and edge.normal != "":
        return target, source, edge.normal
    if type(label) is not str or (invert == "amr" and framework != "amr"):
        return source, target, label
    normal = implied_normal(label, keep_base)
    return (source, target, label) if normal is None else (target, source, normal)


def implied_normal(label: str, keep_base: bool = True) -> str | None:
    """The base label of a role that AMR inverts, read off its name.

    Args:
        label: a role without its colon.
        keep_base: whether ``consist-of`` and ``subset-of`` are base labels.

    Returns:
        The base label, or ``None`` where the role is one itself.

    >>> implied_normal("ARG0-of"), implied_normal("mod"), implied_normal("prep-out-of")
    ('ARG0', 'domain', None)
    """
    if label == "mod":
        return "domain"
    if label.endswith("-of") and not (
        label.startswith("prep-") or (keep_base and label in BASE_ROLES)
    ):
        return label[:-3]
    return None


def counted_role(label: Value, compared: str | None) -> Value:
    """An edge's label as errors count it: an inverted role with its base role.

    Args:
        label: as written.
        compared: as what it is compared.

    >>> counted_role("ARG1-of", "arg1"), counted_role("consist-of", "consist-of")
    ('ARG1', 'consist-of')
    """
    if type(label) is str and label.endswith("-of") and compared is not None:
        base = label[:-3]
        return base if compared.lower() == base.lower() else label
    return label


def effective_attributes(
    attributes: Pairs, defaults: frozenset[tuple[str, str]] = DEFAULT_ATTRIBUTES
) -> list[tuple[str, str, str, Value]]:
    """Attributes that say something, as (name, value, name and value as read).

    >>> effective_attributes((("remote", False), ("Member", True)))
    [('member', 'true', 'Member', True)]
    """
    kept = []
    for name, value in attributes:
        pair = (fold(name), fold(value))
        if pair not in defaults:
            kept.append((*pair, name, value))
    return kept


def mtool_properties(properties: Pairs) -> Pairs:
    """AMR properties as mtool's reader keeps them.

    ``:wiki`` is dropped and the last of a repeated name wins
    (mtool 4cee3a2, ``codec/amr.py`` lines 154 to 166).

    >>> mtool_properties((("wiki", "-"), ("op1", "a"), ("OP1", "b")))
    (('OP1', 'b'),)
    """
    return tuple(properties[slot] for slot in mtool_slots(properties))


def mtool_slots(properties: Pairs) -> list[int]:
    """Positions of the AMR properties that mtool's reader keeps.

    >>> mtool_slots((("wiki", "-"), ("op1", "a"), ("OP1", "b")))
    [2]
    """
    last = {fold(name): slot for slot, (name, _) in enumerate(properties)}
    return [slot for name, slot in last.items() if name != "wiki"]


def mtool_edges(graph: Graph) -> tuple[Edge, ...]:
    """Edges as mtool keeps them: of equal (source, target, label) the first.

    The comparison is on the label as written (mtool 4cee3a2, ``graph.py``
    lines 495 to 576).
    """
    first: dict[tuple[NodeId, NodeId, Value], Edge] = {}
    for edge in graph.edges:
        first.setdefault((edge.source, edge.target, edge.label), edge)
    return tuple(first.values())


MOST = 1 << 14
"""Entries that a table has at most."""

Key = TypeVar("Key")
Found = TypeVar("Found")


class Table(dict[Key, Found]):
    """Lookup table whose entries are computed when first needed."""

    __slots__ = ()

    def __missing__(self, key: Key) -> Found:
        if len(self) >= MOST:
            self.clear()
        result = self[key] = self.work_out(key)
        return result

    def work_out(self, key: Key) -> Found:
        """Compute the entry of a key."""
        raise NotImplementedError


class Results(Table[Key, Found]):
    """Lookup table of the results of a function.

    Args:
        function: computes an entry from its key.

    >>> lowered = Results(str.lower)
    >>> lowered["Bark"], dict(lowered)
    ('bark', {'Bark': 'bark'})
    """

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Key], Found]) -> None:
        super().__init__()
        self.function = function

    def work_out(self, key: Key) -> Found:
        """Call the function."""
        return self.function(key)


class Labels(Table[str, tuple[int, str]]):
    """The key of a label that is text (and nothing derived from it)."""

    __slots__ = ()

    def work_out(self, key: str) -> tuple[int, str]:
        """The label, folded."""
        return LABELS, fold(key)


class Properties(Table[tuple[str, str], tuple[int, str, str]]):
    """The key of a property whose name and value are text."""

    __slots__ = ()

    def work_out(self, key: tuple[str, str]) -> tuple[int, str, str]:
        """Name and value, folded."""
        return PROPERTIES, fold(key[0]), fold(key[1])


class Roles(Table[str, tuple[bool, str | None]]):
    """Table of roles: true if a role is inverted, and the base label compared.

    Args:
        infer: whether inverted roles are known by their names.
        keep_base: whether ``consist-of`` and ``subset-of`` are base labels.
        labeled: whether roles count at all.
    """

    __slots__ = ("infer", "keep_base", "labeled")

    def __init__(self, infer: bool, keep_base: bool, labeled: bool) -> None:
        super().__init__()
        self.infer, self.keep_base, self.labeled = infer, keep_base, labeled

    def work_out(self, key: str) -> tuple[bool, str | None]:
        """Compute the base edge like :func:`base_edge`, with a case-folded label."""
        normal = implied_normal(key, self.keep_base) if self.infer else None
        return normal is not None, self.folded(key if normal is None else normal)

    def folded(self, label: str) -> str | None:
        """Return the compared form of a base label; ``None`` for an empty one."""
        # mtool 4cee3a2, ``graph.py``, Edge.decode.
        return fold(label) if label and self.labeled else None


label_keys = Labels()
property_keys = Properties()

_roles: dict[tuple[bool, bool, bool], Roles] = {}


def roles_of(infer: bool, keep_base: bool, labeled: bool) -> Roles:
    """The roles under some conventions, see :class:`Roles`."""
    role = _roles.get((infer, keep_base, labeled))
    if role is None:
        role = _roles[infer, keep_base, labeled] = Roles(infer, keep_base, labeled)
    return role
