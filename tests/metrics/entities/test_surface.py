"""Surface forms."""

from __future__ import annotations

from graphscore import Anchor, Graph, Node, score


def test_a_form_counts_once() -> None:
    def said(text: str, *places: tuple[int, int]) -> Graph:
        nodes = (
            Node(k, "LOC", (("kind", "mention"),), (Anchor(*place),))
            for k, place in enumerate(places)
        )
        return Graph(text, "ner", text=text, nodes=tuple(nodes))

    gold = [said("Rome fell", (0, 4)), said("to Rome", (3, 7)), said("to Troy", (3, 7))]
    system = [said("Rome fell", (0, 4)), said("to Rome", (0, 2)), said("to Troy")]
    result = score(gold, system, "surface")
    count = result.main
    assert (count.gold, count.system, count.matched) == (2, 2, 1)
    assert result.figures.numbers["LOC.matched"] == 1
