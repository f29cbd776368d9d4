"""Authority links of mentions: entries of an authority file.

A mention has a property ``authority`` for every entry that is correct for it; several
where the file has several entries for one thing.  In brat's files the entries are
normalizations, and so is the property's name.  A mention without such a property is
not resolved, and neither is one that says so (``NIL``, in brat ``Wikidata:NIL``):
nothing tells that there is no entry from nobody having looked.

>>> from graphscore.model.graph import Node
>>> entries_of(Node(0, "LOC", (("authority", "Q64"), ("authority", "Q821244"))))
('Q64', 'Q821244')
>>> entries_of(Node(1, "LOC", (("authority", "NIL"),)))
()
"""

from __future__ import annotations

import re

from graphscore.model.graph import Node, Value

AUTHORITY = "authority"
"""The property with an entry of an authority file; there may be several."""

NORMALIZATION = "normalization"
"""The same in brat's files: the name of the file, a colon, the entry."""

CANDIDATE = "candidate"
"""The property with an entry that a mention might be linked to as well, best first."""

CANDIDATE_SCORE, CANDIDATE_TYPE = "candidate_score", "candidate_type"
"""Properties that follow that of a candidate: its score, and the type it would be."""

METONYMIC_AUTHORITY = "metonymic_authority"
"""The property with an entry for what an entity means in its context."""

WITHIN = "within"
"""The property of what has a link and is part of an entity: where that is, ``3:17``."""

CONFIDENCE = "confidence"
"""The property that says how sure the annotator was, ``low`` being the usual value."""

NIL = "NIL"
"""The entry of what is in no authority file.

A number may follow, the same for all mentions of one thing (``NIL0042``).
"""

_NIL = r"(?s)NIL(?:[^A-Z].*)?"


def is_nil(entry: str) -> bool:
    """Return true if an entry states that there is none.

    Args:
        entry: as written, with or without the name of the authority file.

    >>> [is_nil(each) for each in ("NIL", "Wikidata:NIL", "NIL0042", "NILE", "Q3392")]
    [True, True, True, False, False]
    """
    return re.fullmatch(_NIL, entry.rpartition(":")[2]) is not None


def entries_of(node: Node) -> tuple[str, ...]:
    """The entries that a mention is resolved to.

    Args:
        node: a mention.

    Returns:
        Entries as written, each once, in order; none where it is not resolved.
    """
    entries: dict[str, None] = {}
    for name, value in node.properties:
        if name in (AUTHORITY, NORMALIZATION) and value is not None:
            entry = str(value)
            if entry and not is_nil(entry):
                entries[entry] = None
    return tuple(entries)


def confidence_of(node: Node) -> Value:
    """Return the confidence of the annotator; ``None`` if not stated.

    Capitals in the property's name are of no account: brat's attributes have them.

    >>> confidence_of(Node(0, "PER", (("Confidence", "low"),)))
    'low'
    """
    for name, value in node.properties:
        if name.lower() == CONFIDENCE:
            return value
    return None
