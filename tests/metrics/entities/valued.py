"""Documents of entities that have values, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from graphscore.model.graph import Anchor, Graph
from graphscore.structures import LayoutBuilder
from tests.conftest import DATA

ACE = str(DATA / "ace2008.toml")
WORTH = {"NAM": 1.0, "NOM": 0.5, "PRO": 0.1}

Mention = tuple[str, int, int]
"""Kind, and characters."""
Entity = tuple[str, str | None, Sequence[Mention]]
"""Type, subtype, and mentions."""


def document(*entities: Entity, id: str = "1", classes: Sequence[str] = ()) -> Graph:
    """A document of the framework ``coref``."""
    build = LayoutBuilder()
    for k, (kind, subtype, mentions) in enumerate(entities):
        members = [
            build.mention(kind, [Anchor(start, end)], (("mention_type", level),))
            for level, start, end in mentions
        ]
        said = () if subtype is None else (("subtype", subtype),)
        if classes:
            said = (*said, ("class", classes[k]))
        build.entity(members, kind, said)
    return build.graph(id, "coref")


mentions = st.builds(
    lambda kind, start, size: (kind, start, start + size),
    st.sampled_from(sorted(WORTH)),
    st.integers(0, 8),
    st.integers(1, 4),
)
entities = st.tuples(
    st.sampled_from(["PER", "ORG"]),
    st.sampled_from([None, "Group"]),
    st.lists(mentions, min_size=1, max_size=3),
)
documents = st.lists(entities, max_size=3)
