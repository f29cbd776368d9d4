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
    assert result.scores.numbers["LOC.matched"] == 1


def test_white_space_is_no_part_of_a_form() -> None:
    def said(text: str, *place: int) -> list[Graph]:
        node = Node(0, "PER", (("kind", "mention"),), (Anchor(*place),))
        return [Graph("1", "ner", text=text, nodes=(node,))]

    gold, system = said("by Ada  King", 3, 12), said("by Ada  King", 2, 12)
    assert score(gold, system, "surface").f1 == 1
    assert score(gold, system, "surface(spans=offsets)").f1 == 0
    assert score(gold, said("by Ada  King", 4, 12), "surface").f1 == 0


def test_types_come_in_the_order_of_the_system() -> None:
    labels = [f"T{number}" for number in (3, 1, 4, 5, 9, 2, 6)]
    nodes = tuple(
        Node(k, label, (("kind", "mention"),), (Anchor(k, k + 1),))
        for k, label in enumerate(labels)
    )
    graphs = [Graph("1", "ner", text="abcdefg", nodes=nodes)]
    [sums] = score(graphs, graphs, "surface").raw_counts.values()
    assert [key[1] for key in sums if key[2] == "matched"] == ["", *labels]
