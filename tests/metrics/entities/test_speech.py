"""Slots over words that were recognised: an oracle, laws, what is said of errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphscore import Store, score
from graphscore.formats.entities.spans_jsonl import read as read_spans
from graphscore.formats.entities.spans_jsonl import write as write_spans
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.entities.trees import TreeBuilder
from tests.metrics.entities.trees import (
    Tree,
    comp,
    ent,
    flattened,
    graph,
    least,
    pairs_of_trees,
)
from tests.metrics.meaning.pieces import outcome
from tests.model.test_word_alignment import best

METRICS = (
    *("eter", "eter(alpha=0.3,alignment=fixed)", "eter(slots=types)"),
    *("eter(slots=components,insertion=0.5)", "ser", "err", "ser(type=0.9,deletion=2)"),
)
every_metric = pytest.mark.parametrize("metric", METRICS)


def with_(metric: str, words: str) -> str:
    return str(replace(parse(metric), words=words))  # type: ignore[type-var]


def spoken(trees: Sequence[Tree], words: Sequence[str], item: str = "1") -> Graph:
    """Trees over words: spans count words."""
    places, at = [], 0
    for word in words:
        places.append(Anchor(at, at + len(word)))
        at += len(word) + 1
    build = TreeBuilder()

    def add(tree: Tree, parent: object) -> None:
        first, last = tree.span
        anchors = [Anchor(places[first].start, places[last - 1].end)]
        if tree.entity:
            label, *more = tree.types
            literal = more[0] if more else None
            id = build.entity(label, anchors, literal=literal, parent=parent)  # type: ignore[arg-type]
        else:
            id = build.component(tree.types[0], anchors, parent=parent)  # type: ignore[arg-type]
        for child in tree.children:
            add(child, id)

    for tree in trees:
        add(tree, None)
    return build.graph(item, text=" ".join(words), tokens=tuple(places))


WORDS = st.lists(st.sampled_from(["le", "la", "un"]), min_size=7, max_size=9)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("eter", "document"),
        ("eter(alpha=0.3,alignment=fixed)", "aligned"),
        ("ser", "aligned"),
        ("err", "document"),
    ],
)
@given(sides=pairs_of_trees())
def test_equal_words_make_no_difference(
    metric: str, words: str, sides: tuple[list[Tree], list[Tree]]
) -> None:
    gold, system = map(graph, sides)
    plain = score([gold], [system], metric).scores.numbers
    found = score([gold], [system], with_(metric, words)).scores.numbers
    shared = {name: value for name, value in found.items() if name in plain}
    assert shared == pytest.approx(plain, nan_ok=True)
    name = parse(metric).name
    if plain[name] == plain[name]:
        assert found[f"{name}.recognition"] == 0
    assert found["wer"] == found["words.substitutions"] == 0


@given(sides=pairs_of_trees(), gold=WORDS, system=WORDS)
def test_slots_are_scored_at_their_columns(
    sides: tuple[list[Tree], list[Tree]], gold: list[str], system: list[str]
) -> None:
    """An oracle for ser: places are sets of columns, all maps are tried."""
    assume(not any(len(x.types) > 1 for side in sides for x in flattened(side)))
    columns = best(gold, system)
    where = [
        {each[side]: k for k, each in enumerate(columns) if each[side] is not None}
        for side in (0, 1)
    ]
    right = [
        one is not None and two is not None and gold[one] == system[two]
        for one, two in columns
    ]
    common = {k for k, each in enumerate(columns) if None not in each}

    def place(tree: Tree, side: int) -> frozenset[int]:
        first, last = tree.span
        return frozenset(range(where[side][first], where[side][last - 1] + 1))

    total = 0.0
    for tuple_type in (True, False):
        mine, theirs = (
            [
                (x.types, place(x, side))
                for x in flattened(sides[side])
                if x.entity == tuple_type
            ]
            for side in (0, 1)
        )
        pairs = {
            (k, n): (0.5 * (one != two), 0.0)
            for k, one in enumerate(mine)
            for n, two in enumerate(theirs)
            if one[1] & two[1]
        }
        total += least(len(mine), len(theirs), pairs)[0]
    made = parse("ser(metonymy=nested,words=aligned)")
    found = outcome(spoken(sides[0], gold), spoken(sides[1], system), made)
    numbers = made.scores(found.raw_counts).numbers
    assert numbers["errors"] == total
    # What each row says of recognition.
    slots = [flattened(side) for side in sides]
    misheard = 0.0
    for error in found.errors:
        ends = [
            place(slots[side][own], side)
            for side, own in ((0, error.gold), (1, error.system))
            if own is not None
        ]
        wrong_words = not all(right[k] for each in ends for k in each)
        if "boundary" in error.name and ends[0] & common != ends[1] & common:
            expected = False
        else:
            expected = error.name == "boundary" or wrong_words
        assert (error.reason == "recognition") == expected
        if expected and (len(ends) == 1 or error.error_type == "missing"):
            misheard += 1 - error.credit
    if numbers["slots"]:
        rate = numbers["ser.recognition"] * numbers["slots"]
        assert rate == pytest.approx(misheard)


@every_metric
@given(sides=pairs_of_trees(), gold=WORDS, system=WORDS)
def test_recognition_and_tagging_are_the_rate(
    metric: str,
    sides: tuple[list[Tree], list[Tree]],
    gold: list[str],
    system: list[str],
) -> None:
    made = parse(with_(metric, "aligned"))
    found = outcome(spoken(sides[0], gold), spoken(sides[1], system), made)
    lean = outcome(
        spoken(sides[0], gold), spoken(sides[1], system), made, details=False
    )
    assert lean.raw_counts == pytest.approx(found.raw_counts)
    numbers = made.scores(found.raw_counts).numbers
    rate, name = numbers[made.name], made.name
    if rate == rate:
        parts = numbers[f"{name}.recognition"], numbers[f"{name}.tagging"]
        assert sum(parts) == pytest.approx(rate)
        assert all(-1e-9 <= part <= rate + 1e-9 for part in parts)
    assert numbers["words"] == len(gold)
    errors = sum(
        None in each or gold[each[0]] != system[each[1]] for each in best(gold, system)
    )  # type: ignore[index]
    assert numbers["wer"] == pytest.approx(errors / len(gold))


@given(sides=pairs_of_trees(), wrong=st.sets(st.integers(0, 6)))
def test_words_that_are_misheard_one_by_one_change_no_rate(
    sides: tuple[list[Tree], list[Tree]], wrong: set[int]
) -> None:
    words = [f"w{k}" for k in range(7)]
    other = [f"x{k}" if k in wrong else word for k, word in enumerate(words)]
    pair = spoken(sides[0], words), spoken(sides[1], words)
    heard = spoken(sides[0], words), spoken(sides[1], other)
    for metric in ("eter", "ser"):
        plain = parse(metric).scores(outcome(*pair, metric).raw_counts).numbers
        made = parse(with_(metric, "aligned"))
        found = made.scores(outcome(*heard, made).raw_counts).numbers
        assert found[metric] == pytest.approx(plain[metric], nan_ok=True)
        assert found["words.substitutions"] == len(wrong)


FIRST = ent("func.ind", 1, 4, comp("kind", 1, 2), ent("loc.adm.town", 3, 4))
SECOND = ent("pers.ind", 0, 2, comp("name.first", 0, 1), comp("name.last", 1, 2))
SAID = ["le", "maire", "de", "Lyon"], ["Jean", "Martin", "part"]


def shifted(tree: Tree, by: int) -> Tree:
    first, last = tree.span
    below = tuple(shifted(each, by) for each in tree.children)
    return Tree(tree.types, (first + by, last + by), below, tree.entity)


def test_lines_that_end_elsewhere_are_one_document() -> None:
    gold = [spoken([FIRST], SAID[0], "1"), spoken([SECOND], SAID[1], "2")]
    whole = spoken([FIRST, shifted(SECOND, 4)], SAID[0] + SAID[1], "1")
    for metric in ("eter", "ser", "err"):
        found = score(gold, [whole], with_(metric, "document"))
        assert (found.value, found.pairs) == (0, 1)
        assert not [note for note in found.notes if "text" in note or "words" in note]
        assert score([whole], gold, with_(metric, "document")).value == 0
        assert score(gold, [whole], with_(metric, "aligned")).value > 0


def test_a_word_more_or_less_inside_is_no_error_of_tagging() -> None:
    gold = [spoken([FIRST], ["le", "maire", "de", "Lyon"])]
    more = ent("func.ind", 1, 5, comp("kind", 1, 2), ent("loc.adm.town", 4, 5))
    less = ent("func.ind", 1, 3, comp("kind", 1, 2), ent("loc.adm.town", 2, 3))
    for tree, words in ((more, "le maire de la Lyon"), (less, "le maire Lyon")):
        result = score(gold, [spoken([tree], words.split())], "eter(words=aligned)")
        assert result.value == 0
        assert result.scores.numbers["wer"] == 0.25


def test_errors_say_whether_words_allowed_better() -> None:
    def rows(gold: Tree, system: Sequence[Tree], words: str) -> list[tuple[str, str]]:
        sides = spoken([gold], SAID[1]), spoken(system, words.split())
        found = outcome(*sides, "ser(slots=types,words=aligned)")
        return [(x.error_type, x.reason) for x in found.errors]

    pers = ent("pers.ind", 0, 2)
    # The last word of the name is not there: what is left is tagged as it should.
    assert rows(pers, [ent("pers.ind", 0, 1)], "Jean part") == [
        ("missing", "recognition"),
        ("spurious", "recognition"),
    ]
    # It is there, and not tagged.
    assert {r for _, r in rows(pers, [ent("pers.ind", 0, 1)], "Jean Martin part")} == {
        "differs"
    }
    # Misheard, and another type, or nothing at all.
    assert {r for _, r in rows(pers, [ent("org.ent", 0, 2)], "gens Martin part")} == {
        "recognition"
    }
    assert rows(pers, [], "gens Martin part") == [("missing", "recognition")]
    assert rows(pers, [], "Jean Martin part") == [("missing", "no counterpart")]
    # Heard where nothing was said.
    both = [pers, ent("time.hour", 2, 3)]
    assert rows(pers, both, "Jean Martin midi part") == [("spurious", "recognition")]


def test_a_side_that_is_missing_was_not_heard() -> None:
    gold = spoken([SECOND], SAID[1])
    found = outcome(gold, None, "eter(words=aligned)")
    numbers = parse("eter(words=aligned)").scores(found.raw_counts).numbers
    assert (numbers["eter"], numbers["eter.recognition"], numbers["wer"]) == (1, 1, 1)
    nothing = outcome(None, gold, "eter(words=aligned)")
    assert (
        parse("eter(words=aligned)").scores(nothing.raw_counts).numbers["errors"] == 1
    )


def test_texts_without_tokens_have_words_between_blanks() -> None:
    gold = msgspec.structs.replace(spoken([SECOND], SAID[1]), tokens=())
    system = spoken([SECOND], ["Jean", "Martin", "va"])
    assert score([gold], [system], "eter(words=aligned)").value == 0


SPAN = b'"spans":[{"start":%d,"end":%d,"label":"PER"}]'
LINE = b'{"id":"1","text":"%s","tokens":[%s],' + SPAN + b"}"


def timed(words: str, times: Sequence[tuple[float, float]], tagged: int) -> bytes:
    tokens, places, at = [], [], 0
    for word, (begin, end) in zip(words.split(), times, strict=True):
        places.append((at, at + len(word)))
        tokens.append(f'{{"start":{at},"end":{at + len(word)},"time":[{begin},{end}]}}')
        at += len(word) + 1
    return LINE % (words.encode(), ",".join(tokens).encode(), *places[tagged])


def test_times_say_which_word_is_which() -> None:
    import io

    def graph_of(line: bytes) -> Graph:
        [record] = read_spans(io.BytesIO(line), "a.jsonl")
        return record.graph  # type: ignore[union-attr]

    gold = graph_of(timed("Paris Paris", [(0.0, 0.5), (0.6, 1.0)], 0))
    late = graph_of(timed("Paris", [(0.6, 0.9)], 0))
    early = graph_of(timed("Paris", [(0.1, 0.4)], 0))
    metric = "ser(words=aligned)"
    assert score([gold], [early], metric).value == 0
    assert score([gold], [late], metric).value == 2
    # Times are kept, and without those of one side words alone decide.
    [line] = write_spans([gold])
    assert graph_of(line).extra["times"] == [[0.0, 0.5], [0.6, 1.0]]
    bare = msgspec.structs.replace(late, extra={})
    assert score([gold], [bare], metric).value == 0


@pytest.mark.parametrize("time", ["[1]", "[2,1]", '"now"', "[null,1]", "[1,1]"])
def test_times_that_are_none_are_refused(time: str) -> None:
    import io

    line = timed("Paris", [(0.5, 1.5)], 0).replace(b"[0.5,1.5]", time.encode())
    [record] = read_spans(io.BytesIO(line), "a.jsonl")
    [problem] = record.problems  # type: ignore[union-attr]
    assert "$.tokens[0].time" in str(problem)
    assert "[begin, end]" in str(problem)


def test_a_store_finds_the_same(tmp_path: Path) -> None:
    gold = [spoken([FIRST], SAID[0], "1"), spoken([SECOND], SAID[1], "2")]
    system = [spoken([FIRST], ["le", "mer", "de", "Lyon"], "1")]
    alone = score(gold, system, "eter(words=document)")
    with Store(str(tmp_path / "runs.db"), mode="create") as runs:
        runs.add(gold, "gold")
        runs.add(system, "one")
        [kept] = runs.score("gold", "one", [parse("eter(words=document)")])
        assert kept.scores == alone.scores
        [again] = runs.score("gold", "one", [parse("eter(words=document)")])
        assert (again.scores, again.reused) == (alone.scores, 1)
        _, rows = runs.query("select reason, count(*) from v_errors group by reason")
    # The second line was not heard: an entity with its two components.
    assert [tuple(row) for row in rows] == [("recognition", 3)]
