"""Tags, spans and clusters as Python lists."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import InputError, Options, Result, compare, score, whatif
from graphscore.exceptions import UsageError
from graphscore.inputs.base import numbered_text
from graphscore.inputs.clusters import from_clusters
from graphscore.inputs.spans import from_spans
from graphscore.inputs.tags import from_tags
from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.structures.entities.tags import chunks, tag_of
from graphscore.structures.layout import LayoutBuilder

GOLD = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG"]]
SYSTEM = [["B-PER", "I-PER", "O", "O"], ["B-ORG", "I-ORG"]]

TAGS = st.sampled_from(["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "S-ORG", "E-ORG"])
PAIRS = st.lists(
    st.integers(1, 9).flatmap(
        lambda size: st.tuples(*[st.lists(TAGS, min_size=size, max_size=size)] * 2)
    ),
    min_size=1,
    max_size=5,
)


def counts(result: Result) -> dict[str, tuple[float, float, float]]:
    return {
        kind: (each.gold, each.system, each.matched)
        for kind, each in result.counts.items()
    }


def spans(tags: list[str]) -> list[tuple[str | None, int, int]]:
    read = [tag_of(each) for each in tags]
    found = chunks([each for each in read if each])
    return [(each.label, each.first, each.last) for each in found]


@given(PAIRS)
def test_lists_count_like_the_same_tags_in_files(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[list[str], list[str]]]
) -> None:
    folder = tmp_path_factory.mktemp("tags")
    sides = [list(side) for side in zip(*pairs, strict=True)]
    paths = []
    for number, side in enumerate(sides):
        path = folder / f"{number}.iob2"
        rows = ("".join(f"w{k}\t{tag}\n" for k, tag in enumerate(s)) for s in side)
        path.write_text("\n".join(rows))
        paths.append(str(path))
    if not any(tag != "O" for side in sides for item in side for tag in item):
        return
    held = score(*sides, "ner")
    options = Options()
    from_files = score(*paths, "ner(scheme=auto)", options=options)
    assert counts(held) == counts(from_files)
    # One side in a file, the other in a list.
    assert counts(score(paths[0], sides[1], "ner")) == counts(from_files)
    assert counts(score(sides[0], paths[1], "ner")) == counts(from_files)
    as_spans = [[spans(item) for item in side] for side in sides]
    if not all(map(any, as_spans)):
        # Lists of nothing are taken for what the other side is: tags.
        return
    assert counts(score(as_spans[0], sides[1], "ner")) == counts(held)
    assert counts(score(sides[0], as_spans[1], "ner")) == counts(held)


def test_errors_name_tokens_by_their_numbers() -> None:
    result = score(GOLD, SYSTEM, "ner")
    assert counts(result)["all"] == (3, 2, 1)
    errors = [each for item in result.per_item for each in item.errors]
    assert {(each.error_type, each.label) for each in errors} >= {("missing", "LOC")}


@pytest.mark.parametrize(
    ("one", "other", "ends"),
    [
        ([[("PER", 0, 1)]], [[(0, 1, "PER")]], "inclusive"),
        ([[("PER", 0, 2)]], [[[0, 2, "PER"]]], "exclusive"),
        ([[("PER", 0, 1)]], [["B-PER", "I-PER", "O"]], "inclusive"),
        (
            [[{"start": 2, "end": 5, "label": "PER"}]],
            [[{"start_char": 2, "end_char": 5, "type": "PER"}]],
            "inclusive",
        ),
        (
            [[{"start": 2, "end": 5, "entity_group": "PER"}]],
            [[{"start": 2, "end": 5, "label": "PER"}]],
            "exclusive",
        ),
    ],
)
def test_shapes_of_spans_say_the_same(one: Any, other: Any, ends: Any) -> None:
    assert score(one, other, "ner", ends=ends).f1 == 1.0


def test_characters_are_of_the_text_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "gold.iob2"
    path.write_text("Ada\tB-PER\nLovelace\tI-PER\nwrote\tO\n")
    system = [[{"start": 0, "end": 12, "label": "PER"}]]
    result = score(str(path), system, "ner")
    assert result.f1 == 1.0
    assert not result.notes


def test_clusters_of_documents() -> None:
    gold = [[[(0, 0), (3, 4)], [(6, 6), (8, 8)]]]
    system = [[[(0, 0), (3, 4), (8, 8)], [(6, 6)]]]
    # Vilain et al. 1995: one link is wrong, one is missing.
    muc = score(gold, system, "muc").main
    assert muc is not None
    assert (muc.precision, muc.recall) == (0.5, 0.5)
    exclusive = [[[(0, 1), (3, 5)], [(6, 7), (8, 9)]]]
    assert score(gold, exclusive, "muc").f1 < 1
    assert score(exclusive, exclusive, "muc", ends="exclusive").f1 == 1


def laid_out_one_by_one(clusters: Sequence[Sequence[Any]]) -> Graph:
    """A document, its mentions one after another."""
    mentions = []
    for row, cluster in enumerate(clusters):
        for index, value in enumerate(cluster):
            numbers = [part for part in value if isinstance(part, int)]
            [label] = [part for part in value if isinstance(part, str)] or [None]
            mentions.append((numbers[0], -numbers[1], row, index, label))
    mentions.sort()
    text, tokens = numbered_text(max((1 - last for _, last, *_ in mentions), default=0))
    build = LayoutBuilder()
    members: list[list[NodeId]] = [[] for _ in clusters]
    for start, last, row, _, label in mentions:
        place = Anchor(tokens[start].start, tokens[-last].end)
        members[row].append(build.mention(label, [place]))
    for mention_ids in members:
        build.entity(mention_ids)
    return build.graph("", "coref", document="0", text=text, tokens=tokens)


@st.composite
def mention_values(draw: st.DrawFn) -> list[Any] | tuple[Any, ...]:
    """Spans of tokens in a form that people write."""
    start, size = draw(st.integers(0, 9)), draw(st.integers(0, 3))
    value: list[Any] = [start, start + size]
    if draw(st.integers(0, 9)) == 9:
        value.insert(draw(st.sampled_from([0, 2])), "PER")
    return draw(st.sampled_from([tuple(value), value]))


@given(st.lists(st.lists(mention_values(), max_size=5), max_size=5))
def test_clusters_are_laid_out_as_if_one_by_one(clusters: list[list[Any]]) -> None:
    [document] = from_clusters([clusters])
    expected = laid_out_one_by_one(clusters)
    assert document == expected
    assert document.digest() == expected.digest()


def test_threads_read_clusters_of_any_size() -> None:
    sizes = [3, 4000, 40, 900, 16000, 5, 30000, 2000]
    barrier = threading.Barrier(len(sizes))

    def read(size: int) -> int:
        barrier.wait()
        [graph] = from_clusters([[[(0, 1), (size - 1, size - 1)]]])
        return len(graph.tokens)

    with ThreadPoolExecutor(len(sizes)) as pool:
        assert list(pool.map(read, sizes)) == sizes


def test_a_document_without_mentions_is_one() -> None:
    result = score([[[(0, 1)]], [[(0, 0)]]], [[[], []], [[(0, 0)]]], "b3")
    assert (result.counts["all"].gold, result.counts["all"].system) == (2, 1)


def test_documents_of_clusters_stay_apart() -> None:
    documents = [[[(0, 0), (1, 1)]], [[(0, 0), (2, 2)]]]
    result = score(documents, documents, "muc")
    assert (result.pairs, result.counts["all"].gold) == (2, 2)


def test_an_item_without_anything_is_what_the_others_are() -> None:
    assert score([[("PER", 0, 0)], []], [[], []], "ner").counts["all"].gold == 1
    assert score([[], []], [[("PER", 0, 0)], []], "ner").counts["all"].system == 1


@pytest.mark.parametrize(
    "tags",
    [["PER-B", "PER-I", "O", "LOC-B"], ["B_PER", "I_PER", "O", "B_LOC"]],
)
def test_tags_are_written_in_several_ways(tags: list[str]) -> None:
    assert from_tags([[], tags]) == from_tags([[], GOLD[0]])
    with pytest.raises(InputError, match=r"\[1\]\[0\]: found 'PER', expected a tag"):
        from_tags([tags, ["PER"]])


def test_constructors_take_words_and_ids() -> None:
    words = [["Ada", "wrote"]]
    [tagged] = from_tags([["B-PER", "O"]], tokens=words, ids=["s1"])
    [spanned] = from_spans([[("PER", 0, 0)]], tokens=words, ids=["s1"])
    assert (tagged.id, tagged.text, tagged.tokens) == (
        "s1",
        "Ada wrote",
        spanned.tokens,
    )
    assert score([tagged], [spanned], "ner").f1 == 1.0
    [document] = from_clusters([[[(0, 0)]]], tokens=words, ids=["d1"])
    assert (document.id, document.document) == ("d1", "d1")


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (GOLD, GOLD[:1], "<system>: found 1 item, expected 2, one for each of gold"),
        (
            GOLD,
            [["O"] * 4, ["O"]],
            "<system>: [1]: found 1 tag, expected 2, as gold has",
        ),
        (
            GOLD,
            [["O"] * 4, ["O", "PER"]],
            "<system>: [1][1]: found 'PER', expected a tag",
        ),
        (
            GOLD,
            [["O"] * 4, ["O", None, "O"]],
            "<system>: [1][1]: found None, expected a",
        ),
        (
            [[(2, 1, "PER")]],
            [[]],
            "<gold>: [0][0]: found (2, 1, 'PER'), expected 0 ≤ first",
        ),
        ([[("PER", 0, 1), 7]], [[]], "<gold>: [0][1]: found 7, expected a span"),
        (
            [[{"start": 3, "end": 3, "label": "PER"}]],
            [[]],
            "expected 0 ≤ start < end",
        ),
        (
            [[{"start": 3, "end": 4, "label": 7}]],
            [[]],
            "found the label 7, expected a string",
        ),
        (
            [[{"start": 0, "end": 4, "label": "PER"}]],
            [["B-PER"]],
            "<gold>: [0]: found numbers of characters, expected tokens, as system has",
        ),
        (
            [[{"start": 0, "end": 4, "label": "PER"}]],
            [[("PER", 0, 4)]],
            "<gold>: [0]: found numbers of characters, expected tokens, as system has",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    gold: Any, system: Any, message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        score(gold, system, "ner")


def test_tokens_that_the_other_side_does_not_have(tmp_path: Path) -> None:
    path = tmp_path / "gold.iob2"
    path.write_text("Ada\tB-PER\n\nwrote\tO\n")
    with pytest.raises(InputError, match=re.escape("<system>: [1]: found token 4")):
        score(str(path), [[], [("PER", 4, 4)]], "ner")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (7, "gold is 7, expected a path or pattern"),
        (None, "gold is None"),
        ([7], "gold[0] is 7"),
        ([GOLD[0], 7], "gold[1] is 7"),
        (["B-PER", "O"], "gold[0] is 'B-PER'"),
        ({"tags": GOLD[0]}, "gold is {'tags'"),
    ],
)
def test_anything_else_is_told_what_is_taken(value: Any, said: str) -> None:
    with pytest.raises(TypeError, match=re.escape(said)) as caught:
        score(value, GOLD)
    assert "tags: [['B-PER'" in str(caught.value)
    assert "clusters: [[[" in str(caught.value)


def test_what_fits_two_readings_names_both() -> None:
    clusters_or_spans = [[(0, 1), (3, 4)]]
    with pytest.raises(TypeError, match=r"spans .* clusters of one document") as caught:
        score(clusters_or_spans, clusters_or_spans)
    assert "from_spans, from_clusters" in str(caught.value)
    with pytest.raises(TypeError, match=r"tags .* spans .* clusters"):
        score([[]], [[]])


def test_ends_are_two() -> None:
    with pytest.raises(UsageError, match="ends is 'last'"):
        score(GOLD, SYSTEM, ends="last")  # type: ignore[call-overload]


def test_a_stream_is_no_place_to_look_for_ids() -> None:
    with pytest.raises(UsageError, match="gold can be read only once"):
        score("-", SYSTEM, "ner")


def test_paths_and_generators_of_graphs_are_taken() -> None:
    graphs = from_tags(GOLD)
    assert score(iter(graphs), (each for each in graphs), "ner").f1 == 1.0
    path = Path("data/ie/news.iob2")
    assert score(path, str(path), "ner").f1 == 1.0


def test_lists_are_compared_and_asked_what_errors_cost(tmp_path: Path) -> None:
    better = [["B-PER", "I-PER", "O", "O"], ["O", "B-ORG"]]
    found = compare(GOLD, SYSTEM, better, metric="ner", samples=200)
    assert [round(each.value, 4) for each in found.systems] == [0.4, 0.8]
    path = tmp_path / "gold.iob2"
    path.write_text("a\tB-PER\nb\tI-PER\nc\tO\nd\tB-LOC\n\ne\tO\nf\tB-ORG\n")
    again = compare(path, SYSTEM, better, metric="ner", samples=200)
    assert [each.value for each in again.systems] == [
        each.value for each in found.systems
    ]
    asked = whatif(GOLD, better, metric="ner")
    [lost] = asked.classes
    assert (round(asked.value, 4), lost.label, lost.value) == (0.8, "LOC", 1.0)
    dogs, cats = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01 :ARG0 (d / cat))"
    parses = compare([dogs] * 9, [dogs] * 9, [cats] * 9, metric="smatch", samples=200)
    assert [each.value for each in parses.systems] == [1.0, 0.75]
