"""How parts of a pair stand in pictures: what is an error, and of which kind."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import graphscore
from graphscore.drawing.styles import StyledGraph, kept
from graphscore.evaluation.options import Options
from graphscore.formats import read_file
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.report.item_view.comparison_styles import sides_of
from graphscore.report.item_view.lookup import find
from graphscore.report.item_view.sentences import compared
from graphscore.structures.layout import Anchor, Argument, LayoutBuilder
from tests.conftest import DATA

TEXT = "Ada Lovelace met Charles Babbage in London"
WORDS = ["Ada", "Lovelace", "met", "Charles", "Babbage", "in", "London"]


def entities(*spans: tuple[str, int, int]) -> Graph:
    build = LayoutBuilder()
    for label, start, end in spans:
        build.mention(label, [Anchor(start, end)])
    return build.graph("1", "ner", text=TEXT)


def looked(
    gold: list[Graph] | str, system: list[Graph] | str, item: str, metric: str
) -> tuple[StyledGraph, StyledGraph]:
    [found] = find(gold, system, item, [parse(metric)], Options(details=True))
    return sides_of(compared(found, Options().budget))


def standing(side: StyledGraph) -> list[str]:
    return [look.standing for look in side.nodes]


def test_spans_that_did_not_match_stand_beside_what_they_overlap_with() -> None:
    gold = entities(("PER", 0, 12), ("PER", 17, 32), ("LOC", 36, 42))
    system = entities(("ORG", 0, 12), ("PER", 25, 32), ("EVT", 13, 16))
    one, two = looked([gold], [system], "1", "ner")
    assert standing(one) == ["label", "boundary", "missing"]
    assert standing(two) == ["label", "boundary", "spurious"]
    pairs = [look.pair for look in one.nodes], [look.pair for look in two.nodes]
    assert pairs[0][:2] == pairs[1][:2]
    assert pairs[0][2] not in pairs[1]
    assert len({*pairs[0], *pairs[1]}) == 4


@pytest.fixture
def trees(tmp_path):
    """Two trees of one sentence: a wrong head, and a wrong label."""

    def write(name: str, heads: list[tuple[int, str]]) -> str:
        lines = [
            f"{n}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\t_"
            for n, (word, (head, label)) in enumerate(zip(WORDS, heads, strict=True), 1)
        ]
        path = tmp_path / f"{name}.conllu"
        path.write_text("# sent_id = s\n" + "\n".join(lines) + "\n\n")
        return str(path)

    gold = [(3, "nsubj"), (1, "flat"), (0, "root"), (3, "obj"), (4, "flat")]
    gold += [(7, "case"), (3, "obl")]
    other = gold.copy()
    other[6], other[1] = (4, "nmod"), (1, "compound")
    return write("gold", gold), write("system", other)


def test_edges_to_the_same_word_from_another_one_have_the_wrong_head(trees) -> None:
    one, two = looked(*trees, "s", "las")
    for side in (one, two):
        words = {node.id: number for number, node in enumerate(side.graph.nodes)}
        found = {
            words[edge.target]: look.standing
            for edge, look in side.seen_edges()
            if look.standing not in ("same", "plain")
        }
        assert sorted(found.values()) == ["head", "label"]
        assert set(standing(side)) == {"same"}
    heads = [
        {look.pair for look in side.edges if look.standing == "head"}
        for side in (one, two)
    ]
    assert heads[0] == heads[1]


def test_roots_of_one_side_have_another_head_on_the_other(tmp_path) -> None:
    head = "# sent_id = s\n1\tDogs\t_\t_\t_\t_\t"
    paths = []
    for name, trees in (
        ("gold", "2\tnsubj\t_\t_\n2\tbark\t_\t_\t_\t_\t0\troot\t_\t_\n\n"),
        ("system", "0\troot\t_\t_\n2\tbark\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"),
    ):
        paths.append(str(tmp_path / f"{name}.conllu"))
        (tmp_path / f"{name}.conllu").write_text(head + trees)
    one, two = looked(paths[0], paths[1], "s", "las")
    assert standing(one) == ["same", "head"]
    assert standing(two) == ["head", "same"]
    assert [look.standing for look in (*one.edges, *two.edges)] == ["head", "head"]


@pytest.mark.parametrize("framework", ["amr", "dm", "eds", "psd", "ucca"])
def test_every_part_of_both_sides_has_one_look(framework: str) -> None:
    files = str(DATA / "gold.mrp"), str(DATA / "alder.mrp")
    options = Options(details=True)
    wrong = 0
    every = [record.graph for record in read_file(files[0])]
    items = [each.id for each in every if each.framework == framework]
    for item in items[:7]:
        [found] = find(*files, item, [parse("mrp")], options, framework=framework)
        comparison = compared(found, options.budget)
        sides = sides_of(comparison)
        for side in sides:
            assert len(side.nodes) == len(side.graph.nodes)
            assert len(side.edges) == len(side.graph.edges)
            pairs = [look.pair for look in (*side.nodes, *side.edges)]
            assert len(set(pairs)) == len(pairs)
        errors = any(
            not look.right for side in sides for look in (*side.nodes, *side.edges)
        )
        assert errors == bool(comparison.outcome.errors)
        wrong += errors
        everything = {
            look.pair for side in sides for look in (*side.nodes, *side.edges)
        }
        assert kept(sides) <= everything
        assert errors or kept(sides) == everything
    assert wrong


def test_explanations_have_pictures() -> None:
    files = str(DATA / "gold.mrp"), str(DATA / "birch.mrp")
    found = graphscore.explain(*files, "sample-03", "mrp", framework="eds")
    [picture] = [each.picture() for each in found]
    assert picture._repr_svg_() == picture.svg()
    assert {"missing", "spurious", "boundary"} < set(picture.standings)
    assert len(found[0].picture(fold=True).svg()) < len(picture.svg())


def test_what_the_system_lacks_is_drawn_as_missing() -> None:
    gold = [entities(("PER", 0, 12)), replace(entities(("PER", 0, 12)), id="2")]
    found = graphscore.explain(gold, gold[:1], "2", "ner")
    assert set(found[0].picture().standings) == {"missing"}


def form(label: str, *slots: tuple[str, list[tuple[int, int]]]) -> Graph:
    build = LayoutBuilder()
    filled = [
        Argument(
            slot, build.entity([build.mention(None, [Anchor(*a)]) for a in anchors])
        )
        for slot, anchors in slots
    ]
    build.template(label, filled)
    return build.graph("1", "template", text=TEXT)


@pytest.mark.parametrize("label", ["meeting", "travel"])
def test_entities_that_fill_slots_stand_beside_what_they_are_like(label: str) -> None:
    gold = form(
        "meeting", ("Place", [(36, 42)]), ("Host", [(17, 32)]), ("Guest", [(0, 12)])
    )
    system = form(label, ("Guest", [(0, 3), (0, 12)]), ("Place", [(36, 42)]))
    one, two = looked(
        [gold], [system], "1", "gtt" if label == "meeting" else "ceaf_ree"
    )
    golds, systems = (
        {
            node.id: look.pair
            for node, look in side.seen_nodes()
            if node.properties[0][1] == "entity"
        }
        for side in (one, two)
    )
    place, host, guest = golds.values()
    their_guest, their_place = systems.values()
    assert (place, guest) == (their_place, their_guest)
    assert host not in systems.values()
    stands = {edge.label: look.standing for edge, look in one.seen_edges()}
    # Slots of a template that nobody found are missing, and in no other one.
    assert stands["Host"] == "missing"
    assert "head" not in stands.values()
