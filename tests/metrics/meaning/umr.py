"""Documents of UMR, made up at random."""

from __future__ import annotations

from hypothesis import strategies as st

from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId
from graphscore.structures.documents import LEVEL, SENTENCE, VARIABLE

WORDS = ("rain", "raining-01", "go-01", "go-02", "dog", "name", "dogs")
ROLES = ("ARG0", "ARG1", "ARG0-of", "mod", "op1", "cause")
SAID = (("aspect", "state"), ("aspect", "habitual"), ("op1", "Ann"), ("quant", "2"))
RELATIONS = {
    "temporal": ("before", "after", "overlap", "contained", "includes", "depends-on"),
    "modal": ("full-affirmative", "full-negative", "modal"),
    "coref": ("same-entity", "same-event", "subset-of"),
}
CONSTANTS = ("author", "root")


@st.composite
def documents(draw: st.DrawFn, sentences: int = 2, most: int = 4) -> Graph:
    """A document.

    Args:
        draw: draws.
        sentences: how many there are.
        most: how many nodes a sentence has at most.
    """
    constants = tuple(Node(name, name) for name in CONSTANTS)
    nodes: list[Node] = []
    edges: list[Edge] = []
    tops: list[NodeId] = []
    texts: list[str] = []
    everything: list[NodeId] = [*CONSTANTS]
    for number in range(1, sentences + 1):
        labels = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=most))
        text = " ".join(draw(st.lists(st.sampled_from(WORDS), max_size=3)))
        start = sum(len(each) + 1 for each in texts)
        texts.append(text)
        anchors = (Anchor(start, start + len(text)),) if text else ()
        whole = f"s{number}s0"
        nodes.append(Node(whole, "sentence", ((SENTENCE, number),), anchors))
        own: list[NodeId] = [f"s{number}{chr(97 + k)}" for k in range(len(labels))]
        for name, label in zip(own, labels, strict=True):
            said = draw(st.lists(st.sampled_from(SAID), max_size=2))
            nodes.append(Node(name, label, ((VARIABLE, str(name)), *said)))
        ends = st.sampled_from(own)
        pairs = draw(
            st.lists(st.tuples(ends, ends, st.sampled_from(ROLES)), max_size=most + 1)
        )
        edges += [Edge(one, two, role) for one, two, role in pairs]
        tops.append(own[0])
        everything += own
        for level, relations in RELATIONS.items():
            triples = st.tuples(
                st.sampled_from(everything),
                st.sampled_from(everything),
                st.sampled_from(relations),
            )
            edges += [
                Edge(one, two, said, attributes=((LEVEL, level), (SENTENCE, number)))
                for one, two, said in draw(st.lists(triples, max_size=3))
            ]
    return Graph(
        "1",
        "umrdoc",
        1,
        document="1",
        text="\n".join(texts),
        nodes=(*constants, *nodes),
        edges=tuple(edges),
        tops=tuple(tops),
    )
