"""Names and links in columns, as the scorer of HIPE counts them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import Anchor, Graph, Node, score
from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options
from graphscore.formats import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from graphscore.model.outcome import Count

HEADER = "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tNEL-LIT\tNEL-METO\n"


def column(name: str, *rows: str) -> list[Graph]:
    """One column of a document, from rows such as ``Rome B-loc O Q220 _``."""
    lines = "".join("\t".join(row.split()) + "\n" for row in rows)
    read = format_named("hipe-columns").read
    assert read is not None
    data = io.BytesIO((HEADER + lines).encode())
    records = [each for each in read(data, "a.tsv") if isinstance(each, ReadGraph)]
    return [each.graph for each in records if each.graph.layer == name]


GOLD = (
    "La B-loc B-org Q39 Q1",
    "Suisse I-loc I-org Q39 Q1",
    "et O O _ _",
    "Berne B-loc O Q70 _",
)


def linked(links: str, other: str = "Q70") -> tuple[str, ...]:
    first = f"La B-loc B-org {links} Q39"
    return (first, f"Suisse I-loc I-org {links} _", GOLD[2], f"Berne B-loc O {other} _")


def counted(metric: str, *system: str, gold: tuple[str, ...] = GOLD) -> list[Count]:
    sides = column("NEL-LIT", *gold), column("NEL-LIT", *system)
    counts = score(*sides, metric).counts
    return [
        counts[tuple_type] for tuple_type in ("fuzzy", "strict", "exact", "partial")
    ]


@pytest.mark.parametrize(
    ("best", "found"), [(1, 1), (2, 1), (3, 2), (5, 2)], ids=lambda x: f"{x}"
)
def test_so_many_links_count(best: int, found: int) -> None:
    fuzzy, strict, exact, _ = counted(f"hipe(best={best})", *linked("Q2|Q3|Q39"))
    assert fuzzy == strict == Count(2, 2, found)
    assert exact == Count(2, 2, 2)


def test_both_senses_may_count() -> None:
    system = linked("Q2")
    assert counted("hipe", *system)[0] == Count(2, 2, 1)
    assert counted("hipe(senses=both)", *system)[0] == Count(2, 2, 2)


def test_a_part_may_have_a_link_of_its_own() -> None:
    parts = ("La B-loc O Q39 _", "Suisse I-loc O Q2 _", *GOLD[2:])
    # A system has two entities there, of which one is right.
    found = Count(2, 3, 2), Count(2, 3, 1), Count(2, 3, 1), Count(2, 3, 1.5)
    assert counted("hipe", *parts) == [*found]
    # Gold has one, with the link of its first token.
    assert counted("hipe", *GOLD, gold=parts)[0] == Count(2, 2, 2)
    # By links alone it has two as well.
    assert counted("hipe(mentions=links)", *parts, gold=parts)[1] == Count(3, 3, 3)


def test_links_in_a_row_are_one_where_entities_do_not_matter() -> None:
    row = ("Bern B-loc O Q70 _", "Bern B-loc O Q70 _", "x O O _ _")
    assert counted("hipe", *row, gold=row)[0] == Count(2, 2, 2)
    assert counted("hipe(mentions=links)", *row, gold=row)[0] == Count(1, 1, 1)


def test_a_document_without_links_of_gold_counts() -> None:
    nothing = ("Bern B-loc O _ _", "x O O _ _")
    some = ("Bern B-loc O Q70 _", "x O O Q7 _")
    assert counted("hipe", *some, gold=nothing)[0] == Count(0, 2, 0)


def test_what_is_wrong_is_said() -> None:
    metric = parse("hipe")
    system = ("La B-loc O Q1 _", *GOLD[1:3], "Berne B-loc O Q71 _")
    sides = [
        [metric.prepare(each) for each in column("NEL-LIT", *rows)]
        for rows in (GOLD, system)
    ]
    found = metric.compare(*sides, budget=Budget())
    assert [(each.error_type, each.name, each.value) for each in found.errors] == [
        ("missing", "label and boundary", "Q39"),
        ("missing", "label", "Q70"),
        ("spurious", "label and boundary", "Q1"),
        ("spurious", "label", "Q71"),
        ("spurious", "", "Q39"),
    ]


def test_means_are_over_documents_that_have_any() -> None:
    def said(item: str, *places: int) -> Graph:
        nodes = tuple(
            Node(k, "loc", (("kind", "mention"),), (Anchor(place, place + 2),))
            for k, place in enumerate(places)
        )
        return Graph(item, "ner", text="a" * 30, nodes=nodes)

    gold = [said("1", 0, 5), said("2", 0), said("3")]
    system = [said("1", 0), said("2"), said("3", 9)]
    numbers = score(gold, system, "hipe").scores.numbers
    assert numbers["macro_doc.fuzzy.precision"] == 0.5
    assert numbers["macro_doc.fuzzy.recall"] == 0.25
    assert numbers["macro_doc.fuzzy.f1"] == 2 / 3


RANGES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from(["loc", "PERS"])),
    max_size=6,
)


def graph_of(drawn: list[tuple[int, int, str]]) -> tuple[Graph, list[list[object]]]:
    """Entities one after the other, and what they are."""
    nodes, found, place = [], [], 0
    for number, (gap, length, label) in enumerate(drawn):
        anchor = Anchor(place + gap, place + gap + length)
        nodes.append(Node(number, label, (("kind", "mention"),), (anchor,)))
        found.append([*anchor, label.upper(), False])
        place = anchor.end
    return Graph("1", "ner", text="x" * 40, nodes=tuple(nodes)), found


@given(RANGES, RANGES)
def test_every_entity_is_held_against_one(
    one: list[tuple[int, int, str]], two: list[tuple[int, int, str]]
) -> None:
    (gold, mine), (system, theirs) = graph_of(one), graph_of(two)
    correct, exact, fuzzy, partial, met = 0, 0, 0, 0.0, 0
    for start, end, label, _ in theirs:
        same = [each for each in mine if each[:2] == [start, end]]
        free = [
            each
            for each in mine
            if not each[3] and set(range(*each[:2])) & set(range(start, end))  # type: ignore[call-overload]
        ]
        for each in (same or free)[:1]:
            each[3] = True
            met += 1
            right = each[2] == label
            fuzzy += right
            exact += bool(same)
            correct += right and bool(same)
            partial += 1 if same else 0.5
    possible = met + sum(not each[3] for each in mine)
    counts = score([gold], [system], "hipe", options=Options()).counts
    expected = {"fuzzy": fuzzy, "strict": correct, "exact": exact, "partial": partial}
    for tuple_type, matched in expected.items():
        assert counts[tuple_type] == Count(possible, len(theirs), matched), tuple_type
