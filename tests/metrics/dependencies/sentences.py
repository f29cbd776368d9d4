"""Documents of dependencies over a text, cut into sentences and words in any way."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from graphscore.model.graph import Edge, Graph, Node

names = ["nsubj", "obj", "det", "case", "punct", "nmod:poss", "conj:and", "conj:or"]


@st.composite
def documents(draw: st.DrawFn, text: str) -> list[Graph]:
    """Graphs of a text, cut in any way, with any words in multiword tokens."""
    found: list[Graph] = []
    begin = 0
    for end in sorted({*draw(st.sets(st.integers(1, len(text)))), len(text)}):
        nodes: list[Node] = []
        words: list[int] = []
        cuts = draw(st.sets(st.integers(begin + 1, end)))
        start = begin
        for stop in sorted({*cuts, end}):
            form = text[start:stop]
            start = stop
            inner = draw(st.integers(0, 8))
            forms = [form]
            if inner in (1, 2):
                nodes.append(Node(f"t{len(nodes)}", form, (("multiword", inner),)))
                forms = [draw(st.sampled_from("aAbB")) for _ in range(inner)]
            for each in forms:
                tags = tuple(
                    (tag, draw(st.sampled_from("xy")))
                    for tag in ("lemma", "upos", "Case")
                )
                words.append(len(nodes))
                nodes.append(Node(len(nodes), each, tags))
        label = st.sampled_from(names)
        head = st.sampled_from(words)
        tree = [Edge(draw(head), word, draw(label)) for word in words[1:]]
        more = [
            Edge(one, two, name)
            for one, two, name in draw(st.lists(st.tuples(head, head, label)))
        ]
        for framework, edges in (("ud", tree), ("eud", tree + more)):
            top = (words[0],)
            found.append(
                Graph("1", framework, 0, nodes=tuple(nodes), edges=(*edges,), tops=top)
            )
        begin = end
    return found


texts = st.text("abAB", min_size=1, max_size=8)
two_sides = texts.flatmap(lambda text: st.tuples(documents(text), documents(text)))
any_sides = st.tuples(texts.flatmap(documents), texts.flatmap(documents))


def has_multiword(sides: Sequence[list[Graph]]) -> bool:
    return any(
        node.properties[0][0] == "multiword"
        for side in sides
        for graph in side
        for node in graph.nodes
    )
