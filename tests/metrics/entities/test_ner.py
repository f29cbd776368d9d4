"""Named entities under four schemas, over one alignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from operator import eq
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from graphscore import Anchor, Graph, Node, score
from graphscore.correspondence import Budget
from graphscore.evaluation.macro import score_in
from graphscore.evaluation.result import Result
from graphscore.exceptions import GraphscoreError
from graphscore.metrics.entities.alignment import best_alignment, first_pairs
from graphscore.metrics.entities.ner import Ner
from graphscore.metrics.registry import parse
from graphscore.model.outcome import Outcome, count_of
from graphscore.model.outcome_builder import error_of
from graphscore.similarity.explanation.report import measure
from graphscore.similarity.view import Pair, View
from graphscore.structures.entities.tags import TagSequences, chunks, tag_of
from tests.metrics.entities.said import FEW, MANY, TEXT, Said, graph


def one(label: str | None, *ranges: tuple[int, int]) -> Said:
    return label, ranges


def tagged(*sentences: str) -> list[Graph]:
    """Sentences of tags as graphs."""
    found = []
    for number, sentence in enumerate(sentences):
        tags = [tag_of(each) for each in sentence.split()]
        assert None not in tags
        nodes = tuple(
            Node(
                k,
                each.label,
                (("kind", "mention"), ("tags", each.letters)),
                (Anchor(2 * each.first, 2 * each.last + 1),),
            )
            for k, each in enumerate(chunks(tag for tag in tags if tag))
        )
        tokens = tuple(Anchor(2 * k, 2 * k + 1) for k in range(len(tags)))
        text = " ".join("w" for _ in tags)
        found.append(
            Graph(str(number), "ner", 1, text=text, tokens=tokens, nodes=nodes)
        )
    return found


def compare(
    gold: Sequence[Said], system: Sequence[Said], metric: str = "ner"
) -> Outcome:
    made = parse(metric)
    sides = ([made.prepare(graph(side))] for side in (gold, system))
    return made.compare(*sides, budget=Budget())


def scored(gold: Sequence[Said], system: Sequence[Said], metric: str = "ner") -> Result:
    return score([graph(gold)], [graph(system)], metric)


def classes(result: Result, prefix: str) -> list[float]:
    numbers = result.scores.numbers
    return [
        numbers.get(f"{prefix}.{x}", 0) for x in ("COR", "INC", "PAR", "MIS", "SPU")
    ]


# An oracle: all one-to-one alignments, told without the library.


BLANKS = frozenset(k for k, letter in enumerate(TEXT) if letter == " ")


def relation(mine: Said, theirs: Said, blanks: frozenset[int] = BLANKS) -> int | None:
    every = [{k for a, b in side[1] for k in range(a, b)} for side in (mine, theirs)]
    places = [place - blanks or place for place in every]
    if places[0] == places[1]:
        return 0 if mine[0] == theirs[0] else 1
    if places[0] & places[1]:
        return 2 if mine[0] == theirs[0] else 3
    return None


def oracle(
    gold: Sequence[Said], system: Sequence[Said], blanks: frozenset[int] = BLANKS
) -> tuple[int, ...]:
    """The numbers of pairs of each relation that no alignment exceeds, in turn."""
    if len(gold) > len(system):
        return oracle(system, gold, blanks)
    places: list[int | None] = [*range(len(system)), *([None] * len(gold))]
    best: tuple[int, ...] = (0, 0, 0, 0)
    for chosen in set(permutations(places, len(gold))):
        found = [
            relation(mine, system[k], blanks)
            for mine, k in zip(gold, chosen, strict=True)
            if k is not None
        ]
        counted = Counter(each for each in found if each is not None)
        best = max(best, tuple(counted[each] for each in range(4)))
    return best


def relations(outcome: Outcome) -> tuple[int | float, ...]:
    names = ("equal", "place", "typed", "overlap")
    return tuple(outcome.raw_counts.get(("aligned", "", name), 0) for name in names)


@given(FEW, FEW)
def test_no_alignment_is_better(gold: list[Said], system: list[Said]) -> None:
    assert relations(compare(gold, system)) == oracle(gold, system)
    made = relations(compare(gold, system, "ner(spans=offsets)"))
    assert made == oracle(gold, system, frozenset())


@given(MANY, MANY)
def test_types_sum_up_to_the_whole(gold: list[Said], system: list[Said]) -> None:
    raw_counts = compare(gold, system).raw_counts
    for names in (
        ("gold",),
        ("system",),
        ("equal",),
        ("place", "typed", "overlap"),
        ("place_system", "typed", "overlap_system"),
    ):
        whole = [name.removesuffix("_system") for name in names]
        tuple_type = "strict" if names[0] in ("gold", "system") else "aligned"
        total = sum(raw_counts.get((tuple_type, "", name), 0) for name in whole)
        parts = sum(
            value
            for (tuple_type, label, name), value in raw_counts.items()
            if tuple_type == "aligned" and label and name in names
        )
        assert parts == total, names
    # What a store has of a schema is what is said of it.
    for schema, count in Ner().scores(raw_counts).counts.items():
        if schema in Ner.tuple_types:
            assert count_of(raw_counts, schema)[:3] == count[:3]


@pytest.mark.parametrize("metric", [Ner(), Ner(spans="offsets")], ids=str)
@given(gold=MANY, system=MANY)
def test_formulas_say_the_same(
    metric: Ner, gold: list[Said], system: list[Said]
) -> None:
    found = compare(gold, system, str(metric)).raw_counts
    for schema, formula in metric.formulas().items():
        pair = Pair(View(graph(gold)), View(graph(system)), Budget())
        measured = measure(formula, pair)
        assert measured.gold == found.get((schema, "", "gold"), 0)
        assert measured.system == found.get((schema, "", "system"), 0)
        assert measured.found.recall == found.get((schema, "", "matched"), 0)


@given(MANY, MANY)
def test_every_entity_is_matched_or_an_error_once(
    gold: list[Said], system: list[Said]
) -> None:
    found = compare(gold, system)
    equal = [each for each in found.matches if each.credit]
    for side, said in (("missing", gold), ("spurious", system)):
        errors = [each for each in found.errors if each.error_type == side]
        assert len(errors) + len(equal) == len(said)
        own = [each.gold if side == "missing" else each.system for each in errors]
        assert len(set(own)) == len(own)
    pairs = {(e.gold, e.system) for e in found.errors if e.reason == "differs"}
    assert pairs == {(m.gold, m.system) for m in found.matches if not m.credit}


@given(FEW, FEW)
def test_the_preset_takes_an_equal_one_or_the_first_that_overlaps(
    gold: list[Said], system: list[Said]
) -> None:
    free = list(gold)
    expected = []
    for theirs in system:
        overlapping = [mine for mine in free if relation(mine, theirs) is not None]
        equal = [mine for mine in overlapping if relation(mine, theirs) == 0]
        for mine in (equal or overlapping)[:1]:
            expected.append(relation(mine, theirs))
            free.remove(mine)
    counted = Counter(expected)
    made = relations(compare(gold, system, "ner(preset=nervaluate)"))
    assert made == tuple(counted[each] for each in range(4))


# Worked examples.


GOLD = [one("PER", (0, 12)), one("LOC", (26, 34)), one("ORG", (19, 22))]
SYSTEM = [one("PER", (0, 3)), one("ORG", (26, 34)), one("PER", (40, 41))]


def test_the_example_of_the_page() -> None:
    result = scored(GOLD, SYSTEM)
    assert classes(result, "strict") == [0, 2, 0, 1, 1]
    assert classes(result, "exact") == [1, 1, 0, 1, 1]
    assert classes(result, "partial") == [1, 0, 1, 1, 1]
    assert classes(result, "type") == [1, 1, 0, 1, 1]
    assert [result.counts[x].matched for x in Ner.tuple_types] == [0, 1, 1.5, 1]
    assert classes(result, "type.PER") == [1, 0, 0, 0, 1]
    assert classes(result, "strict.ORG") == [0, 0, 0, 1, 0]


def test_rates_of_muc() -> None:
    numbers = scored(GOLD, SYSTEM).scores.numbers
    assert numbers["partial.UND"] == 1 / 3
    assert numbers["partial.OVG"] == 1 / 3
    assert numbers["partial.SUB"] == 0.25
    assert numbers["partial.ERR"] == 2.5 / 4


def test_an_exact_match_is_never_shadowed() -> None:
    gold = [one("PER", (0, 6)), one("LOC", (6, 10))]
    system = [one("LOC", (4, 8)), one("PER", (0, 6))]
    assert classes(scored(gold, system), "strict") == [1, 1, 0, 0, 0]
    greedy = scored(gold, system, "ner(preset=nervaluate)")
    assert classes(greedy, "strict") == [0, 1, 0, 1, 1]


def test_an_overlap_goes_to_the_same_type_first() -> None:
    gold = [one("A", (0, 4)), one("B", (4, 8))]
    found = compare(gold, [one("B", (2, 7))])
    assert [(each.gold, each.system) for each in found.matches] == [(1, 0)]
    found = compare(gold, [one("A", (2, 8))])
    assert [(each.gold, each.system) for each in found.matches] == [(0, 0)]
    # All that they share is the blank behind "Ada".
    found = compare(gold, [one("A", (3, 8))])
    assert [(each.gold, each.system) for each in found.matches] == [(1, 0)]


def test_more_characters_decide_between_equals() -> None:
    gold = [one("A", (0, 4)), one("A", (4, 8))]
    found = compare(gold, [one("A", (3, 8))])
    assert [(each.gold, each.system) for each in found.matches] == [(1, 0)]
    gold = [one("A", (4, 8)), one("A", (8, 12))]
    found = compare(gold, [one("A", (7, 12))])
    assert [(each.gold, each.system) for each in found.matches] == [(1, 0)]


def test_discontinuous_entities_are_their_characters() -> None:
    whole, gap = one("A", (0, 12)), one("A", (0, 3), (8, 12))
    assert relations(compare([gap], [gap])) == (1, 0, 0, 0)
    assert relations(compare([gap], [whole])) == (0, 0, 1, 0)
    assert relations(compare([gap], [one("A", (4, 7))])) == (0, 0, 0, 0)
    assert relations(compare([whole], [one("A", (0, 4), (4, 12))])) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (((0, 3), (4, 12)), ((0, 12),)),
        (((0, 12),), ((0, 13),)),
        (((4, 12),), ((3, 12),)),
        (((0, 4), (4, 12)), ((0, 3), (3, 4), (4, 12))),
    ],
)
def test_white_space_is_no_part_of_a_span(
    mine: tuple[tuple[int, int], ...], theirs: tuple[tuple[int, int], ...]
) -> None:
    sides = [("A", mine)], [("A", theirs)]
    assert relations(compare(*sides)) == (1, 0, 0, 0)
    assert relations(compare(*reversed(sides))) == (1, 0, 0, 0)
    equal = mine == ((0, 4), (4, 12))
    assert relations(compare(*sides, "ner(spans=offsets)"))[0] == equal


def test_any_other_character_is_part_of_a_span() -> None:
    assert relations(compare([one("A", (0, 3))], [one("A", (0, 5))]))[0] == 0
    # Of white space alone nothing is left but its place.
    blanks = [one("A", (3, 4))], [one("A", (12, 13))]
    assert relations(compare(*blanks)) == (0, 0, 0, 0)
    assert relations(compare(blanks[0], blanks[0])) == (1, 0, 0, 0)


def test_a_side_without_text_is_read_with_the_text_of_the_other() -> None:
    gold, system = graph([one("A", (3, 12))]), graph([one("A", (4, 12))])
    bare = Graph("1", "ner", 1, nodes=gold.nodes)
    for sides in ((gold, system), (bare, system), (system, bare)):
        assert score([sides[0]], [sides[1]], "ner").main.matched == 1
    assert score([bare], [Graph("1", "ner", 1, nodes=system.nodes)], "ner").f1 == 0


def test_white_space_that_is_a_tagged_token_counts() -> None:
    """As seqeval has it: a token is a token, whatever it is written with."""

    def made(first: int) -> Graph:
        tags = (("kind", "mention"), ("tags", "BII"[first:]))
        nodes = (Node(0, "A", tags, (Anchor(2 * first, 5),)),)
        tokens = tuple(Anchor(2 * k, 2 * k + 1) for k in range(3))
        return Graph("1", "ner", 1, text="\xa0 a b", tokens=tokens, nodes=nodes)

    assert score([made(0)], [made(0)], "ner").f1 == 1
    assert score([made(0)], [made(1)], "ner").f1 == 0


def test_mentions_that_are_only_words_compare_as_words() -> None:
    def words(*said: str) -> Graph:
        properties = [(("kind", "mention"), ("text", each)) for each in said]
        nodes = (Node(k, "A", each) for k, each in enumerate(properties))
        return Graph("1", "ner", nodes=tuple(nodes))

    result = score([words("Ada", "Bob")], [words("Bob", "Eve")], "ner")
    assert (result.main.gold, result.main.system, result.main.matched) == (2, 2, 1)


def test_mentions_that_are_only_words_stand_beside_tokens() -> None:
    def said(*words: str) -> list[Graph]:
        nodes = tuple(
            Node(k, "PER", (("kind", "mention"), ("text", word)))
            for k, word in enumerate(words)
        )
        tokens = (Anchor(0, 3), Anchor(4, 7))
        return [Graph("1", "ner", 1, text="Ada Bob", tokens=tokens, nodes=nodes)]

    result = score(said("Ada", "Bob"), said("Bob", "Eve"), "ner")
    assert result.main[:3] == (2, 2, 1)


def test_equal_entities_count_each_or_once() -> None:
    twice = [one("A", (0, 3)), one("A", (0, 3))]
    assert classes(scored(twice[:1], twice), "strict") == [1, 0, 0, 0, 1]
    once = scored(twice[:1], twice, "ner(duplicates=set)")
    assert classes(once, "strict") == [1, 0, 0, 0, 0]


def test_partial_matches_count_half_in_any_number_of_items() -> None:
    gold, system = [one("A", (0, 12))], [one("A", (0, 3))]
    for metric in ("ner", "ner(preset=nervaluate)"):
        result = score(
            [graph(gold, item) for item in "12"],
            [graph(system, item) for item in "12"],
            metric,
        )
        assert result.counts["partial"].f1 == 0.5


def test_an_overlap_can_be_asked_to_be_large() -> None:
    gold, system = [one("A", (0, 12))], [one("A", (11, 20))]
    assert relations(compare(gold, system)) == (0, 0, 1, 0)
    # One of the eleven characters of "Ada Lovelace" that are no white space.
    assert relations(compare(gold, system, "ner(overlap=0.09)")) == (0, 0, 1, 0)
    assert relations(compare(gold, system, "ner(overlap=0.1)")) == (0, 0, 0, 0)
    offsets = compare(gold, system, "ner(overlap=0.09,spans=offsets)")
    assert relations(offsets) == (0, 0, 0, 0)


def test_the_preset_wants_a_hundredth_of_the_gold_entity() -> None:
    def side(start: int, end: int) -> list[Graph]:
        node = Node(0, "A", (("kind", "mention"),), (Anchor(start, end),))
        return [Graph("1", "ner", nodes=(node,))]

    for start, found in ((297, 0.5), (298, 0)):
        result = score(side(0, 300), side(start, 400), "ner(preset=nervaluate)")
        assert result.counts["partial"].matched == found
    assert score(side(0, 300), side(298, 400), "ner").counts["partial"].matched == 0.5


def test_items_without_entities_count() -> None:
    result = score([graph([], "1"), graph([], "2")], [graph([], "1")], "ner")
    assert (result.pairs, result.missing_system, result.f1) == (2, 1, 0.0)
    found = scored([], [one("A", (0, 3))])
    assert classes(found, "strict") == [0, 0, 0, 0, 1]


def test_errors_name_what_is_wrong() -> None:
    found = [
        (each.error_type, each.gold, each.system, each.name, each.value, each.reason)
        for each in compare(GOLD, SYSTEM).errors
    ]
    assert found == [
        ("missing", 0, 0, "boundary", "Ada Lovelace", "differs"),
        ("missing", 1, 1, "type", "LOC", "differs"),
        ("missing", 2, None, "", "ORG", "no counterpart"),
        ("spurious", 0, 0, "boundary", "Ada", "differs"),
        ("spurious", 1, 1, "type", "ORG", "differs"),
        ("spurious", None, 2, "", "PER", "no counterpart"),
    ]


@pytest.mark.parametrize(
    ("wrong", "earned"),
    [
        ("", (1, 1, 1, 1)),
        ("type", (1, 0, 0, 1)),
        ("boundary", (1, 1, 0.5, 0)),
        ("type and boundary", (1, 1, 0.5, 1)),
    ],
)
def test_what_is_put_right_earns_what_it_does_not_yet(
    wrong: str, earned: tuple[float, ...]
) -> None:
    error = error_of("missing", "strict", 0, 0 if wrong else None, name=wrong)
    moved = Ner().repaired(error)
    assert tuple(moved[schema, "", "matched"] for schema in Ner.tuple_types) == earned


def test_means_over_types() -> None:
    gold = [one("A", (0, 3)), one("A", (4, 6)), one("A", (6, 7)), one("B", (13, 18))]
    system = [one("A", (0, 3)), one("A", (4, 6)), one("C", (19, 22))]
    numbers = scored(gold, system).scores.numbers
    assert numbers["macro.strict.recall"] == pytest.approx((2 / 3) / 3)
    assert numbers["weighted.strict.recall"] == pytest.approx((2 / 3) * 3 / 4)
    assert numbers["macro.strict.precision"] == pytest.approx(1 / 3)


def test_untyped_entities_have_a_name_in_scores() -> None:
    numbers = scored([one(None, (0, 3))], [one(None, (0, 3))]).scores.numbers
    assert numbers["strict.(none).f1"] == 1.0


def test_tables_show_few_scores() -> None:
    gold = [one("A", (0, 3)), one("A", (4, 6)), one("b.c", (7, 9))]
    result = scored(gold, gold[:2])
    assert set(result.metric.brief(result.scores.numbers)) <= {"accuracy"}
    _, table = result.metric.tables(result.scores)
    assert list(table.rows) == ["A", "b.c", "(macro_classes)", "(weighted)"]
    assert table.rows["A"] == (2, 2, 1.0, 1.0, 1.0)
    assert table.rows["b.c"] == (1, 0, 0.0, 0.0, 0.0)
    assert table.rows["(macro_classes)"][2:] == (0.5, 0.5, 0.5)
    assert table.rows["(weighted)"][3] == pytest.approx(2 / 3)


def test_a_table_has_the_classes_of_each_schema() -> None:
    same, gone = one("A", (0, 3)), one("A", (20, 22))
    gold = [same, one("A", (4, 6)), one("A", (10, 15)), gone]
    system = [same, one("B", (4, 6)), one("A", (10, 13)), one("C", (30, 33))]
    result = scored(gold, system)
    table, _ = result.metric.tables(result.scores)
    assert table.columns == ("schema", "COR", "INC", "PAR", "MIS", "SPU")
    assert table.rows == {
        "strict": (1, 2, 0, 1, 1),
        "exact": (2, 1, 0, 1, 1),
        "partial": (2, 0, 1, 1, 1),
        "type": (2, 1, 0, 1, 1),
    }


# Tags.


def strict(gold: str, system: str, metric: str) -> tuple[float, ...]:
    found = score(tagged(gold), tagged(system), metric).main
    return found.gold, found.system, found.matched


def test_a_stray_tag_is_read_or_dropped() -> None:
    gold, system = "O B-A I-A", "O I-A I-A"
    assert strict(gold, system, "ner") == (1, 1, 1)
    assert strict(gold, system, "ner(repair=strict)") == (1, 0, 0)
    assert strict(gold, system, "ner(repair=strict,scheme=iob2)") == (1, 0, 0)
    assert strict(system, system, "ner(repair=strict,scheme=iob1)") == (1, 1, 1)


def test_iob1_needs_a_neighbour_for_b() -> None:
    metric = "ner(repair=strict,scheme=iob1)"
    assert strict("I-A B-A I-A", "I-A B-A I-A", metric) == (2, 2, 2)
    assert strict("I-B B-A I-A", "O B-A I-A", metric) == (1, 0, 0)


def test_ioe1_needs_a_neighbour_for_e() -> None:
    metric = "ner(repair=strict,scheme=ioe1)"
    assert strict("I-A E-A I-A", "I-A E-A O", metric) == (2, 0, 0)


@pytest.mark.parametrize(
    ("scheme", "allowed", "forbidden"),
    [
        ("ioe2", "I-A E-A E-A O", "I-A O E-B I-A"),
        ("iobes", "B-A E-A S-A O", "B-A I-A E-B S-A"),
        ("bilou", "B-A L-A U-A O", "B-A I-A L-B U-A"),
        ("auto", "B-A L-A S-A U-A", "I-A O E-A I-B"),
    ],
)
def test_every_scheme_has_its_grammar(
    scheme: str, allowed: str, forbidden: str
) -> None:
    metric = f"ner(repair=strict,scheme={scheme})"
    everything = strict(allowed, allowed, "ner")
    assert strict(allowed, allowed, metric) == everything
    assert strict(forbidden, forbidden, metric) < strict(forbidden, forbidden, "ner")


def test_accuracy_is_about_entities_not_letters() -> None:
    gold = tagged("B-A I-A O B-B")
    same = score(gold, tagged("B-A E-A O S-B"), "ner").scores.numbers
    assert same["accuracy"] == 1.0
    other = score(gold, tagged("B-A O O B-A"), "ner").scores.numbers
    assert other["accuracy"] == 0.5


def test_tokens_are_borrowed() -> None:
    gold, system = [one("A", (0, 12))], [one("A", (0, 3))]
    for sides in ((True, False), (False, True), (True, True)):
        graphs = [
            [graph(said, tokens=tokens)]
            for said, tokens in zip((gold, system), sides, strict=True)
        ]
        assert score(*graphs, "ner").scores.numbers["accuracy"] == 8 / 9
    assert "accuracy" not in scored(gold, system).scores.numbers


def test_other_tokens_are_compared_by_their_characters() -> None:
    gold = graph([one("A", (0, 3))], tokens=True)
    tokens = (Anchor(0, 3), Anchor(4, 18), *gold.tokens[3:])
    system = Graph("1", "ner", 1, text=TEXT, tokens=tokens, nodes=gold.nodes)
    numbers = score([gold], [system], "ner").scores.numbers
    assert numbers["accuracy"] == 7 / 9
    other = replace(system, nodes=graph([one("B", (0, 3))]).nodes)
    assert score([gold], [other], "ner").scores.numbers["accuracy"] == 6 / 9


@given(
    st.lists(
        st.sampled_from(["B-A", "I-A", "E-A", "S-A", "B-B", "I-B", "E-B", "S-B", "O"]),
        min_size=1,
    )
)
def test_lenient_is_what_seqeval_reads(tags: list[str]) -> None:
    seqeval = pytest.importorskip("seqeval.metrics.sequence_labeling")
    expected = seqeval.get_entities(tags)
    found = [(x.label, x.first, x.last) for x in chunks(map(tag_of, tags))]  # type: ignore[arg-type]
    assert found == expected


@given(
    st.lists(
        st.sampled_from(["B-A", "I-A", "E-A", "S-A", "B-B", "I-B", "O"]), min_size=1
    ),
    st.sampled_from(["iob2", "iobes"]),
)
def test_strict_is_what_seqeval_keeps(tags: list[str], scheme: Any) -> None:
    seqeval = pytest.importorskip("seqeval.scheme")
    if scheme == "iob2":
        tags = [tag.replace("E-", "I-").replace("S-", "B-") for tag in tags]
    entities = seqeval.Tokens(tags, getattr(seqeval, scheme.upper())).entities
    expected = [(each.tag, 2 * each.start, 2 * each.end - 1) for each in entities]
    [said] = tagged(" ".join(tags))
    kept = parse(f"ner(repair=strict,scheme={scheme})").prepare(said).entities
    assert [(label, *place[0]) for label, place in kept] == expected


# Hostile input.


def test_many_shifted_entities_take_little_time() -> None:
    gold = [("A", ((3 * k, 3 * k + 3),)) for k in range(2000)]
    system = [("A", ((3 * k + 1, 3 * k + 4),)) for k in range(2000)]
    pairs = best_alignment(gold, system).pairs
    assert len(pairs) == 2000
    assert all(one == two for one, two, _ in pairs)
    # One character in common is enough.
    last = [("A", ((3 * k + 2, 3 * k + 3),)) for k in range(20)]
    assert len(best_alignment(gold, last).pairs) == 20


def test_many_entities_in_one_place() -> None:
    gold = [(f"T{k}", ((0, 9),)) for k in range(150)]
    system = [(f"T{k}", ((0, 9),)) for k in range(100, 250)]
    found = Counter(
        tuple_type for _, _, tuple_type in best_alignment(gold, system).pairs
    )
    assert found == {0: 50, 1: 100}
    assert len(first_pairs(gold, system, "strict")) == 150


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A", "B", "", None]),
            st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=3),
        ),
        max_size=8,
    )
)
def test_empty_and_reversed_ranges_are_survived(said: list[Any]) -> None:
    odd = [(label, tuple(ranges)) for label, ranges in said]
    for metric in ("ner", "ner(preset=nervaluate)", "ner(repair=strict)"):
        assert compare(odd, odd[::-1], metric).proven


def test_nervaluates_name_of_a_schema_is_understood() -> None:
    gold, system = tagged("B-A I-A O B-B"), tagged("B-A O O B-C")
    result = score(gold, system, "ner")
    for name in ("", ".precision", ".INC", ".POS"):
        assert score_in(result, f"ent_type{name}") == score_in(result, f"type{name}")
    assert score_in(result, "ent_type") == 0.5
    assert score_in(result, "macro.ent_type") == score_in(result, "macro.type")
    assert score_in(result, "enttype") is None


def test_where_only_words_differ_spans_are_compared_by_tokens() -> None:
    def sentence(forms: str, label: str, first: int, last: int) -> list[Graph]:
        words = forms.split()
        starts = [len(" ".join(words[:k])) + bool(k) for k in range(len(words))]
        tokens = tuple(
            Anchor(start, start + len(word))
            for start, word in zip(starts, words, strict=True)
        )
        place = (Anchor(tokens[first].start, tokens[last].end),)
        node = Node(0, label, (("kind", "mention"),), place)
        text = " ".join(words)
        return [Graph("1", "ner", text=text, tokens=tokens, nodes=(node,))]

    gold = sentence("the City of Rome fell", "LOC", 1, 3)
    result = score(gold, sentence("@ City of ROMA-AETERNA fell", "LOC", 1, 3), "ner")
    assert (result.main.matched, result.scores.numbers["accuracy"]) == (1, 1.0)
    [note] = result.notes
    assert "1 pair with as many tokens, whose spans are compared by tokens" in note
    longer = score(gold, sentence("a City of ROMA did fall", "LOC", 1, 3), "ner")
    assert longer.main.matched == 0
    assert "which count characters of the text" in longer.notes[0]
    for metric in ("ser", "err"):
        other = sentence("@ City of ROMA-AETERNA fell", "LOC", 1, 3)
        assert score(gold, other, metric).main.matched == 1


def linked(label: str | None, *entries: str) -> list[Graph]:
    properties = (("kind", "mention"), *(("authority", entry) for entry in entries))
    node = Node(0, label, properties, (Anchor(0, 3),))
    return [Graph("1", "ner", 1, text=TEXT, nodes=(node,))]


@pytest.mark.parametrize("metric", ["ner", "surface", "ser", "err", "hipe"])
def test_links_that_are_not_compared_are_told(metric: str) -> None:
    plain, both = linked("PER"), linked("PER", "Q7259", "Q1")
    assert score(plain, plain, metric).notes == []
    [note] = score(both, plain, metric).notes
    assert note.startswith(
        f"{metric}: links are not compared, which 1 of the spans of gold and 0 of the "
        "system's have: neleval compares them"
    )
    assert score(both, both, metric).value == score(plain, plain, metric).value


def test_spans_without_types_are_told() -> None:
    mixed = [graph([one("A", (0, 3)), one(None, (4, 12))])]
    [note] = score(mixed, mixed, "ner").notes
    assert note == (
        "ner: 1 of the spans of gold and 1 of the system's have no type, which counts "
        "as a type of its own"
    )
    bare = [graph([one(None, (0, 3))])]
    assert score(bare, bare, "ner").notes == [
        "ner: no span of either side has a type: types are not compared"
    ]
    with pytest.raises(
        GraphscoreError, match="item 1: span 'Ada' of the system: found"
    ):
        score(mixed, bare, "ner")
    # Tags say themselves that they have no type.
    untyped, typed = tagged("B I O"), tagged("B-A I-A O")
    result = score(typed, untyped, "ner")
    assert (result.main.matched, result.counts["exact"].matched) == (0, 1)
    assert "1 of the system's have no type" in result.notes[0]


def test_the_preset_counts_tokens_on_both_sides_or_on_none() -> None:
    tokens = (Anchor(0, 3), Anchor(4, 12), Anchor(13, 17))

    def side(end: int) -> list[Graph]:
        nodes = tuple(
            Node(k, "PER", (("kind", "mention"),), (Anchor(*place),))
            for k, place in enumerate([(0, 12), (13, end)])
        )
        text = "Ada Lovelace left"
        return [Graph("1", "ner", 1, text=text, tokens=tokens, nodes=nodes)]

    result = score(side(17), side(16), "ner(preset=nervaluate)")
    assert [result.counts[x].matched for x in Ner.tuple_types] == [1, 1, 1.5, 2]


@pytest.mark.parametrize("seed", range(5))
def test_runs_of_tags_and_tokens_are_those_of_the_slow_way(seed: int) -> None:
    rng = Random(seed)
    written = ("O", "O", "B-A", "I-A", "E-A", "S-A", "B-B", "I-B", "U-B", "L-B", "I")
    sequences = TagSequences(tag_of)
    gold = [rng.choices(written, k=rng.randint(1, 12)) for _ in range(40)]
    system = [[rng.choice((tag, tag, "O", "I-A")) for tag in tags] for tags in gold]
    for tags in (*gold, *system):
        assert sequences.chunks(tags) == chunks(filter(None, map(tag_of, tags)))
    right = 0
    for both in zip(gold, system, strict=True):
        left, other = (_iob2(tags) for tags in both)
        right += sum(map(eq, left, other))
    result = score(gold, system, "ner")
    assert result.total["tokens", "", "matched"] == right


def _iob2(tags: list[str]) -> list[str]:
    """The tag of each token as IOB2 has it."""
    result = ["O"] * len(tags)
    for first, last, label, _ in chunks(filter(None, map(tag_of, tags))):
        result[first : last + 1] = [f"I-{label}"] * (last + 1 - first)
        result[first] = f"B-{label}"
    return result
