"""The frameworks that there are: one table that everything else reads.

A framework is what a graph says of itself with one word.  Graphs of others are read,
stored and scored as well; nothing more is known of them then.  A new framework is a
line here, and what its columns name: checks in :mod:`graphscore.validation`, a layout
in :mod:`graphscore.structures`, a metric.

>>> FRAMEWORKS["ucca"].title
'Universal Conceptual Cognitive Annotation'
>>> sorted(framework("ucca").tuple_types), framework("mine").flavor
(['anchors', 'attributes', 'edges', 'tops'], None)
"""

from __future__ import annotations

from msgspec import Struct

TUPLE_TYPES = ("tops", "labels", "properties", "anchors", "edges", "attributes")
"""The tuple types, in the order in which tables show them."""

TOPS, LABELS, PROPERTIES, ANCHORS, EDGES, ATTRIBUTES = range(len(TUPLE_TYPES))
"""Their numbers: keys of tuples begin with them."""

DMRS = "dmrs"
"""The framework whose links are roles with what holds of scopes (``ARG1/NEQ``)."""

UNKNOWN = "*"
"""Stands for the frameworks that are not in the table, where metrics say what they
are made for."""

COMMENTED = frozenset({"drg", "sbn", "umr"})
"""Frameworks whose anchors are comments, or an alignment, beside the annotation."""


class Framework(Struct, frozen=True):
    """Framework: its name, layout, checks and default metric."""

    name: str
    title: str = ""
    family: str = ""
    """The door behind which its formats and metrics are."""
    flavor: int | None = None
    """0 for graphs over words in their order, 1 anchored in text, 2 without anchors."""
    tuple_types: frozenset[str] = frozenset(TUPLE_TYPES)
    """The tuple types that it has at all."""
    layout: tuple[str, ...] = ()
    """Kinds of its nodes, see :mod:`graphscore.structures.layout`."""
    checks: str = ""
    """Module of its checks beyond the general ones."""
    topped: bool = False
    """True if a graph without a top is suspicious."""
    sparse: bool = False
    """True if a graph without nodes is normal: there was nothing to find."""
    counted: str = ""
    """The kind of node that there is wherever there is anything of it: files whose
    events have no trigger hold none.  Empty where any node will do."""
    composed_of: str = ""
    """The framework of the graphs that its own are made of, and that are there
    themselves: only metrics that name it score it."""
    metric: str = "mrp"
    """Default metric; several with commas.  The format
    that files were read as may have another, and of templates, what is in them decides
    as well (:mod:`graphscore.evaluation.default_metrics`).
    """
    further: str = ""
    """Metrics that tables of the field have as well."""
    detailed: str = ""
    """Metrics that are added where all details are requested."""
    layer_over: str = ""
    """The framework whose trees it is another layer of: by default it is scored where
    both sides have it."""


FRAMEWORKS = {
    each.name: each
    for each in (
        Framework(
            "dm",
            "DELPH-IN MRS bi-lexical dependencies",
            "meaning",
            0,
            frozenset(TUPLE_TYPES) - {"attributes"},
            checks="sdp",
            topped=True,
        ),
        Framework(
            "psd",
            "Prague semantic dependencies",
            "meaning",
            0,
            frozenset(TUPLE_TYPES) - {"attributes"},
            checks="sdp",
            topped=True,
        ),
        Framework(
            "pas",
            "Enju predicate-argument structures",
            "meaning",
            0,
            checks="sdp",
            topped=True,
        ),
        Framework(
            "ccd",
            "CCG word-word dependencies",
            "meaning",
            0,
            checks="sdp",
            topped=True,
        ),
        Framework(
            "eds",
            "elementary dependency structures",
            "meaning",
            1,
            frozenset(TUPLE_TYPES) - {"attributes"},
            checks="eds",
        ),
        Framework(
            DMRS,
            "dependency minimal recursion semantics",
            "meaning",
            1,
            metric="edm",
        ),
        Framework(
            "ucca",
            "Universal Conceptual Cognitive Annotation",
            "meaning",
            1,
            frozenset(TUPLE_TYPES) - {"labels", "properties"},
            checks="ucca",
        ),
        Framework("ptg", "Prague tectogrammatical graphs", "meaning", 1, topped=True),
        Framework(
            "amr",
            "abstract meaning representation",
            "meaning",
            2,
            frozenset(TUPLE_TYPES) - {"anchors", "attributes"},
            checks="amr",
        ),
        Framework(
            "drg",
            "discourse representation graphs",
            "meaning",
            2,
            frozenset(TUPLE_TYPES) - {"properties", "anchors", "attributes"},
            checks="drg",
        ),
        Framework(
            "sbn",
            "discourse representations in simplified box notation",
            "meaning",
            2,
            frozenset(TUPLE_TYPES) - {"anchors", "attributes"},
            topped=True,
            metric="smatch",
        ),
        Framework(
            "umr",
            "uniform meaning representation",
            "meaning",
            1,
            frozenset(TUPLE_TYPES) - {"anchors", "attributes"},
            topped=True,
            metric="smatch",
        ),
        Framework(
            "umrdoc",
            "documents of uniform meaning representation",
            "meaning",
            1,
            composed_of="umr",
            metric="ancast",
        ),
        Framework("ud", "basic dependencies", "dependencies", metric="udeval"),
        Framework(
            "eud",
            "enhanced dependencies",
            "dependencies",
            metric="elas",
            further="eulas",
            layer_over="ud",
        ),
        Framework(
            "coref",
            "coreference",
            "coreference",
            layout=("mention", "entity"),
            sparse=True,
            counted="mention",
            metric="conll",
            detailed="ceafm,blanc,lea",
        ),
        Framework(
            "ner",
            "named entities",
            "entities",
            layout=("mention",),
            sparse=True,
            counted="mention",
            metric="ner",
        ),
        Framework(
            "etree",
            "entity trees",
            "entities",
            layout=("entity", "component"),
            sparse=True,
            counted="entity",
            metric="eter",
        ),
        Framework(
            "relation",
            "relations",
            "extraction",
            layout=("mention", "entity", "relation"),
            sparse=True,
            counted="relation",
            metric="relation",
        ),
        Framework(
            "event",
            "events",
            "extraction",
            layout=("mention", "trigger"),
            sparse=True,
            counted="trigger",
            metric="trigger,argument",
        ),
        Framework(
            "srl",
            "semantic roles",
            "roles",
            layout=("token", "predicate", "argument"),
            sparse=True,
            counted="predicate",
            metric="primesrl",
        ),
        Framework(
            "template",
            "templates and role fillers",
            "templates",
            layout=("mention", "entity", "value", "template"),
            sparse=True,
            counted="template",
            metric="gtt",
        ),
        Framework(
            "sentiment",
            "structured sentiment",
            "sentiment",
            layout=("mention", "opinion"),
            sparse=True,
            counted="opinion",
            metric="sentiment",
        ),
    )
}
"""Every framework by name, in the order in which results of several come."""

BILEXICAL = frozenset(name for name, value in FRAMEWORKS.items() if value.flavor == 0)
"""Frameworks whose nodes are words, in their order."""


MEANING = BILEXICAL | {"eds", "ucca", "amr", "ptg", "drg"} | {UNKNOWN}
"""Those of the MRP shared tasks, those of the SDP tasks, and all that is not known:
what metrics over uniform graphs are made for."""

TRIPLED = frozenset({"amr", "umr", "sbn", "drg"})
"""Frameworks whose graphs are triples, and are written in PENMAN."""


def framework(name: str) -> Framework:
    """Return the framework of a name; one that is not in the table has only its name.

    Args:
        name: as graphs have it.
    """
    return FRAMEWORKS.get(name) or Framework(name)
