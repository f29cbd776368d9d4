"""Pictures of annotated text: lines, brackets, tables, chains, templates."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.drawing.styles import Style, StyledGraph, alone, kept
from graphscore.drawing.svg import Panel, Picture, style_sheet, width_of
from graphscore.drawing.texts.brackets import MARGIN, WHOLE, Mark, ranges, stacked
from graphscore.drawing.texts.coreference import draw_chains
from graphscore.drawing.texts.entity_alignment import chains_of, joined
from graphscore.drawing.texts.lines import WIDTH, broken
from graphscore.drawing.texts.spans import draw_spans
from graphscore.drawing.texts.templates import draw_forms
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import Argument, LayoutBuilder
from tests.drawing.test_svg import HOSTILE, contrast

STANDINGS = ("plain", "same", "missing", "spurious", "label", "boundary", "part")

PLACE = Anchor(0, 6)

LABELS = "PER", "a long label of an entity", None, HOSTILE

TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.text("abcxyz", min_size=1, max_size=12), max_size=120).map(" ".join),
    st.text("日本語、。のabc \u0301\u200d", max_size=150),
    st.lists(st.text("אבגדה123", min_size=1, max_size=9), max_size=60).map(" ".join),
)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[StyledGraph, StyledGraph]:
    """A text with spans on both sides, some of them in pieces, nested or too long."""
    text = draw(TEXTS)
    place = st.integers(0, len(text) + 3)
    sides = []
    for name in ("gold", "system"):
        build = LayoutBuilder()
        looks = []
        for _ in range(draw(st.integers(0, 7))):
            ends = draw(st.lists(st.tuples(place, place).map(sorted), max_size=2))
            label = draw(st.sampled_from(LABELS))
            build.mention(label, [Anchor(*each) for each in ends], text="words")
            looks.append(draw(st.sampled_from(STANDINGS)))
        pairs = draw(st.permutations(range(10)))
        sides.append(
            StyledGraph(
                name,
                build.graph("1", "ner", text=text),
                tuple(map(Style, pairs, looks)),
                (),
            )
        )
    return sides[0], sides[1]


def elements(panel: Panel) -> Iterator[ElementTree.Element]:
    yield from ElementTree.fromstring(f"<svg>{panel.body}</svg>").iter()


def pairs_in(panels: tuple[Panel, ...], name: str = "n") -> list[int]:
    return [
        int(found)
        for panel in panels
        for group in elements(panel)
        if group.get("class", "").startswith(name)
        for found in re.findall(r"\bp(\d+)", group.get("class", ""))
    ]


def boxes_of_texts(panel: Panel) -> list[tuple[float, float, float, str]]:
    """Base line, left and right of all texts."""
    every = [*elements(panel)]
    turned = [text for each in every if each.get("direction") == "rtl" for text in each]
    found = []
    for each in every:
        if each.tag == "text":
            x, said = float(each.get("x", "")), each.text or ""
            small = each.get("class", "")[:1] in "zq" and bool(each.get("class"))
            wide = float(each.get("textLength") or width_of(said, 10 if small else 12))
            x -= wide if any(each is other for other in turned) else 0
            found.append((float(each.get("y", "")), x, x + wide, said))
    return found


def check(picture: Picture) -> None:
    """Nothing meets, nothing is outside, nothing acts, and it is the same twice."""
    for panel in picture.panels:
        texts = boxes_of_texts(panel)
        for y, left, right, said in texts:
            assert left >= 0, said
            assert right <= panel.width + 1, said
            assert 0 < y <= panel.height, said
        for one, two in combinations(texts, 2):
            if one[0] == two[0]:
                assert one[2] <= two[1] + 1 or two[2] <= one[1] + 1, (one, two)
        for each in elements(panel):
            assert each.tag in {"svg", "g", "text", "title", "path", "rect"}
            assert not any(key.startswith("on") for key in each.attrib)
            numbers = re.findall(r"-?[\d.]+", each.get("d", ""))
            assert all(float(number) == int(float(number)) for number in numbers)
    ElementTree.fromstring(picture.svg())


@given(TEXTS, st.integers(40, 300))
def test_lines_have_each_character_once_and_keep_their_width(text, width) -> None:
    lines = broken(text, 10, width)
    assert lines[0].start == 0
    assert lines[-1].end == len(text) + 1
    assert all(one.end == two.start for one, two in pairwise(lines))
    shown = "".join(
        text[word.start : word.end] for line in lines for word in line.words
    )
    assert shown == "".join(text.split())
    for line in lines:
        for word in line.words:
            alone_in_it = len(line.words) == 1
            assert word.x >= 10 or alone_in_it
            assert word.x + word.width <= 10 + width + 0.01 or alone_in_it
        for one, two in combinations(line.words, 2):
            assert (
                one.x + one.width <= two.x + 0.01 or two.x + two.width <= one.x + 0.01
            )


@given(TEXTS, st.data())
def test_each_range_stands_on_the_lines_that_it_touches(text, data) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for line in broken(text):
        found = line.extent(start, end)
        touched = max(start, line.start) < min(end, line.end)
        touched = touched or line.start <= start == end < line.end
        assert (found is not None) == touched
        assert found is None or -1 <= found[0] <= found[1] <= WIDTH + 1


def test_lines_break_between_characters_of_scripts_without_blanks() -> None:
    text = "「日本語」の文。" * 4
    lines = broken(text, width=70)
    assert len(lines) > 4
    # What closes is never the first of a line.
    assert all(text[line.start] not in "」。" for line in lines)
    accents = "e\u0301" * 40
    assert all(accents[line.start] == "e" for line in broken(accents, width=60))


def test_what_is_written_from_the_right_stands_from_the_right() -> None:
    [line] = broken("שלום עולם")
    first, second = line.words
    assert first.x > second.x
    whole = line.extent(0, 4)
    start = line.extent(0, 1)
    assert whole
    assert start
    assert start[1] == whole[1]
    assert start[0] > whole[0]


@given(annotated())
def test_texts_do_not_meet_and_each_node_is_drawn_where_it_is(sides) -> None:
    picture = draw_spans(sides)
    check(picture)
    assert draw_spans(sides) == picture
    expected: list[int] = []
    for side in sides:
        lines = broken(side.graph.text)
        for node, look in side.seen_nodes():
            pieces = ranges(side.graph.text, node.anchors)
            on = sum(any(line.extent(*each) for each in pieces) for line in lines)
            expected += [look.pair] * (on or 1)
    assert sorted(pairs_in(picture.panels)) == sorted(expected)


@given(annotated())
def test_folding_keeps_what_is_kept_and_nothing_else(sides) -> None:
    keep = kept(sides)
    picture = draw_spans(sides, keep)
    check(picture)
    there = {look.pair for side in sides for look in side.nodes}
    assert set(pairs_in(picture.panels)) == keep & there
    # A page may hide what is right: no error stands there.
    right = tuple(panel for panel in draw_spans(sides).panels if panel.right)
    wrong = {look.pair for side in sides for look in side.nodes if not look.right}
    both = [{look.pair for look in side.nodes if look.right} for side in sides]
    assert not {*pairs_in(right)} & wrong - both[0] - both[1]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), max_size=12))
def test_longer_spans_stand_outside_those_they_hold(spans) -> None:
    text = "abcdefgh " * 10
    [line] = broken(text, MARGIN)
    marks = [
        Mark(((start, start + length),), Style(n), f"L{n}", "")
        for n, (start, length) in enumerate(spans)
    ]
    rows = stacked(line, marks)
    assert sorted(each.mark.look.pair for row in rows for each in row) == [
        *range(len(spans))
    ]
    for row in rows:
        for one, two in combinations(row, 2):
            assert one.right <= two.left or two.right <= one.left
    where = {each.mark: n for n, row in enumerate(rows) for each in row}
    for one, two in combinations(where, 2):
        [(a, b)], [(c, d)] = one.pieces, two.pieces
        if (
            a <= c
            and d <= b
            and d - c < b - a
            and text[a:b].split() != text[c:d].split()
        ):
            assert where[one] > where[two]


def coreference(text: str, *chains: list[tuple[int, int]]) -> Graph:
    build = LayoutBuilder()
    for chain in chains:
        build.entity([build.mention(None, [Anchor(*each)]) for each in chain])
    return build.graph("1", "coref", text=text)


def by_anchors(gold: Graph, system: Graph) -> tuple[StyledGraph, StyledGraph]:
    """Sides in which mentions of the same characters are counterparts."""
    known = {node.anchors: n for n, node in enumerate(gold.nodes) if node.anchors}
    count = len(gold.nodes) + len(gold.edges)
    ours = {node.anchors for node in system.nodes}
    golds = tuple(
        Style(n, "missing" if node.anchors not in ours else "same")
        for n, node in enumerate(gold.nodes)
    )
    systems = tuple(
        Style(known[node.anchors], "same")
        if node.anchors in known
        else Style(count + n, "spurious" if node.anchors else "plain")
        for n, node in enumerate(system.nodes)
    )
    edges = tuple(Style(len(gold.nodes) + n) for n in range(len(gold.edges)))
    count += len(system.nodes)
    others = tuple(Style(count + n) for n in range(len(system.edges)))
    return StyledGraph("gold", gold, golds, edges), StyledGraph(
        "system", system, systems, others
    )


LETTERS = "a b c d e f g h i j k l"
MERGED = by_anchors(
    coreference(LETTERS, [(0, 1), (2, 3), (4, 5)], [(6, 7), (8, 9)], [(10, 11)]),
    coreference(LETTERS, [(0, 1), (2, 3)], [(4, 5), (6, 7), (8, 9)], [(12, 13)]),
)


def test_chains_that_share_most_have_one_name() -> None:
    golds, systems = chains_of(MERGED)
    assert [each.name for each in golds] == ["1", "2", "3"]
    assert [each.name for each in systems] == ["1", "2", "a"]
    assert [each.paint for each in systems] == ["c0", "c1", "faint"]
    assert joined(golds, systems) == [([0, 1], [0, 1]), ([2], []), ([], [2])]
    # What is called alike is marked together, and nothing else is.
    pairs = [[each.look.pair for each in found] for found in (golds, systems)]
    assert pairs[0][:2] == pairs[1][:2]
    there = {look.pair for side in MERGED for look in (*side.nodes, *side.edges)}
    assert pairs[1][2] not in there
    assert draw_chains(MERGED).pairs == pairs[1][2] + 1


def test_split_and_merged_chains_are_seen() -> None:
    picture = draw_chains(MERGED)
    check(picture)
    whole = "".join(panel.body for panel in picture.panels)
    # One mention is in another chain: on both sides it has another label.
    assert whole.count('class="n p6 label p2"') == 1
    assert "≠ 1" in whole
    assert "≠ 2" in whole
    assert "1 mention of chain 1 in chain 2" in whole
    assert "2 mentions of chain 1 in chain 1" in whole
    assert "single mentions: 0 on both sides, 1 only gold, 1 only system" in whole
    assert picture.standings == ("same", "missing", "spurious", "label", "part")
    folded = draw_chains(MERGED, kept(MERGED))
    assert {2, 5} <= {*pairs_in(folded.panels)}


def test_chains_of_long_documents_are_drawn_at_once() -> None:
    text = " ".join(f"word{n % 97}" for n in range(2000))
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    spans = [(start, start + 5) for start in starts[::6]][:300]
    gold = coreference(text, *(spans[n::20] for n in range(20)))
    system = coreference(text, *(spans[n::30] for n in range(30)))
    sides = by_anchors(gold, system)
    begun = time.perf_counter()
    picture = draw_chains(sides)
    assert time.perf_counter() - begun < 1
    check(picture._replace(panels=picture.panels[:3] + picture.panels[-3:]))
    # By class: 300 mentions with their chains, on both sides.
    mentions = {
        look.pair for side in sides for node, look in side.seen_nodes() if node.anchors
    }
    assert len(mentions) == 300
    assert mentions <= {*pairs_in(picture.panels)}
    assert len(picture.svg()) < 400_000


def test_colours_of_chains_are_told_from_the_ground() -> None:
    for block, ground, fill in zip(
        style_sheet().split("--ink:")[1:],
        ("#ffffff", "#0d1117"),
        ("#f6f8fa", "#161b22"),
        strict=True,
    ):
        colours = re.findall(r"--c\d:(#\w+)", block.split("}")[0])
        assert len(set(colours)) == 8
        assert all(contrast(each, ground) >= 4.5 for each in colours)
        assert all(contrast(each, fill) >= 4.5 for each in colours)


def attack(words: list[str], role: str, kind: str) -> Graph:
    text = "Rebels bombed a bank. Nobody was hurt."
    build = LayoutBuilder()
    ids = []
    for word in words:
        start = text.index(word)
        ids.append(build.mention(None, [Anchor(start, start + len(word))]))
    if kind == "event":
        anchors = [Anchor(7, 13)]
        build.trigger("Attack", anchors, [Argument(role, each) for each in ids])
    else:
        filler = build.entity(ids)
        stage = build.value("accomplished")
        build.template(HOSTILE, [Argument(role, filler), Argument("stage", stage)])
    return build.graph("1", kind, text=text)


@pytest.mark.parametrize("kind", ["event", "template"])
def test_cells_point_at_the_spans_that_they_name(kind: str) -> None:
    gold = attack(["Rebels", "bank"], "who", kind)
    system = attack(["Rebels"], "whom", kind)
    one = alone(gold)
    count = len(one.nodes) + len(one.edges)
    shared = {0: 0, len(system.nodes) - 1: len(gold.nodes) - 1}
    nodes = tuple(
        Style(shared.get(n, count + n), "part") for n in range(len(system.nodes))
    )
    edges = tuple(
        Style(count + len(nodes) + n, "spurious" if edge.label == "whom" else "plain")
        for n, edge in enumerate(system.edges)
    )
    ours = tuple(look._replace(standing="part") for look in one.nodes)
    sides = (
        one._replace(name="gold", nodes=ours),
        StyledGraph("system", system, nodes, edges),
    )
    draw = draw_spans if kind == "event" else draw_forms
    picture = draw(sides)
    check(picture)
    assert draw(sides) == picture
    tables = [n for n, p in enumerate(picture.panels) if 'class="side"' in p.body]
    text, table = (
        pairs_in(picture.panels[: tables[0]]),
        pairs_in(picture.panels[tables[0] :]),
    )
    assert {0, 1} <= {*text} & {*table}
    assert text.count(0) == 2
    assert table.count(0) == 2
    assert "whom: " in "".join(panel.body for panel in picture.panels)
    folded = draw(sides, kept(sides))
    assert {*pairs_in(folded.panels)} >= kept(sides) - {
        look.pair for side in sides for look in side.edges if look.standing == "plain"
    }


def test_one_graph_alone_has_no_names_of_sides() -> None:
    for draw, graph in (
        (draw_spans, attack(["bank"], "who", "event")),
        (draw_forms, attack(["bank"], "who", "template")),
        (draw_chains, MERGED[0].graph),
        (draw_spans, Graph("1", "ner")),
        (draw_chains, Graph("1", "coref")),
        (draw_forms, Graph("1", "template")),
    ):
        picture = draw([alone(graph)])
        check(picture)
        assert not picture.standings
        assert "gold" not in picture.svg().split("</style>")[1]
        assert all(panel.width <= WHOLE for panel in picture.panels)


def test_short_lines_take_no_more_room_than_they_need() -> None:
    [panel] = draw_spans([alone(coreference("A word.", [(2, 6)]))]).panels[:1]
    assert panel.width < MARGIN + width_of("A word.") + 20


def test_sides_in_two_texts_are_drawn_below_each_other() -> None:
    gold = coreference("one text", [(0, 3)])
    system = coreference("another text", [(8, 12)])
    picture = draw_spans(by_anchors(gold, system))
    check(picture)
    assert "another" in picture.panels[1].body


def test_templates_that_share_a_filler_share_its_bracket() -> None:
    build = LayoutBuilder()
    for kind in ("attack", "bombing"):
        filler = build.entity([build.mention("", [PLACE])])
        build.template(kind, [Argument("PerpOrg", filler)])
    alone_ = alone(build.graph("1", "template", text="rebels fled"))
    picture = draw_forms([alone_])
    [bracket] = [
        each
        for panel in picture.panels
        for each in elements(panel)
        if each.tag == "g" and any(text.text == "PerpOrg ×2" for text in each)
    ]
    names = {name for name in bracket.get("class", "").split() if name[0] == "p"}
    mentions = [
        look.pair for node, look in alone_.seen_nodes() if node.anchors == (PLACE,)
    ]
    assert len(mentions) == 2
    assert {f"p{pair}" for pair in mentions} < names - {"plain"}


def test_words_between_brackets_never_lie_on_each_other() -> None:
    text = "THE NORTHWEST Captain T. D. Bloni, prominent in La Paz"
    build = LayoutBuilder()
    for start in range(0, len(text) - 5, 2):
        build.mention("x", [Anchor(start, start + 5)])
    side = alone(build.graph("1", "ner", text=text))
    for panel in draw_spans([side]).panels:
        words = sorted(each for each in boxes_of_texts(panel) if each[3] in text)
        for one, two in pairwise(words):
            # Letters that stand alone are as wide as fonts have them.
            if one[0] == two[0] and len(one[3]) > 1:
                assert one[2] <= two[1], (one, two)
