"""What the choices of a formula change is what scoring each variant directly says."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from graphscore import score
from graphscore.errors import PairingError, UsageError
from graphscore.evaluation.options import Options
from graphscore.metrics.registry import parse
from graphscore.metrics.varied import with_formulas
from graphscore.model.graph import Graph, Node
from graphscore.similarity import (
    Similarity,
    again,
    anchors,
    characters,
    contained,
    edges,
    exact,
    f1,
    f_beta,
    harmonic,
    in_sequence,
    label,
    latent,
    match,
    nodes,
    precision,
    recall,
    recursive,
    span_jaccard,
    spans,
    targets,
    total,
    variable,
    yields,
)
from graphscore.similarity.combining.ratios import Normalized
from graphscore.similarity.explaining.report import check
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.varying.choices import (
    choices_of,
    outermost,
    plan_of,
    varied,
)
from graphscore.statistics import sensitivity
from graphscore.statistics.varying.found import EQUAL, Sensitivity
from tests.conftest import ROOT
from tests.similarity.strategies import formulas, graphs

DATA = ROOT / "data"
LABELS = "f1(match(nodes(), exact(label)))"


def chosen(made: Similarity) -> dict[str, tuple[str, ...]]:
    return {f"{each.said}: {each.written}": each.others for each in choices_of(made)}


def test_what_a_formula_chooses() -> None:
    inner = match(targets("mention"), exact(anchors, label))
    b3 = harmonic(
        precision(match(nodes("entity"), precision(inner))),
        recall(match(nodes("entity"), recall(inner))),
    )
    assert chosen(b3) == {
        "constraint of entities: 1:1": ("n:1", "1:n", "n:n"),
        "constraint of mentions: 1:1": ("n:1", "1:n", "n:n"),
        "ratio of mentions: P, R": ("P", "R", "F", "J"),
        "trim: anchors": ("spans", "characters", "characters(anchor)"),
    }
    assert chosen(f1(match(nodes(), exact(label), order=in_sequence))) == {}
    # What is made of ranges needs ranges; sets of characters need such.
    jaccard = f1(match(nodes(), span_jaccard(spans()) > 0.5))
    assert chosen(jaccard)["trim: spans"] == ("anchors",)
    both = f1(match(nodes(), exact(anchors) * span_jaccard()))
    assert chosen(both)["trim: anchors"] == ("spans",)
    covered = f1(match(nodes(), exact(yields(characters(), edges()))))
    assert chosen(covered)["trim: characters"] == ("characters(anchor)",)
    # Containment is what it is; what it compares may be otherwise.
    held = f1(match(nodes("entity"), contained(targets("mention"), exact(anchors))))
    assert [*chosen(held)] == ["constraint of entities: 1:1", "trim: anchors"]
    held = varied(held, {choices_of(held)[1]: "spans"})
    assert "contained(targets('mention'), exact(spans()))" in repr(held)
    assert outermost(f_beta(2, inner)).written == "F2"
    assert outermost(total(inner, inner)).written == "F"


def test_choices_that_make_no_formula_are_counted() -> None:
    tree = recursive("T", exact(label) * f1(match(targets(), again("T"))))
    plan = plan_of(f1(match(nodes(), tree)), 100)
    # Inside of itself a sum must stay what it is there.
    assert plan.complete
    assert len(plan.formulas) + plan.impossible == 64
    assert plan.impossible


@given(formulas())
def test_every_formula_has_variants(made: Similarity) -> None:
    assert varied(made, {}) is made
    for choice in choices_of(made):
        assert choice.written not in choice.others
        for value in choice.others:
            try:
                other = varied(made, {choice: value})
            except FormulaError:
                continue
            assert other != made
            again = [
                each
                for each in choices_of(other)
                if (each.sort, each.part, each.level)
                == (choice.sort, choice.part, choice.level)
            ]
            assert value in {each.written for each in again}


def test_all_combinations_or_one_at_a_time() -> None:
    made = f1(match(nodes(), exact(label, anchors)))
    assert len(plan_of(made, 16).formulas) == 16
    assert plan_of(made, 16).complete
    alone = plan_of(made, 15)
    assert (len(alone.formulas), alone.complete) == (1 + 3 + 3, False)
    assert next(iter(alone.formulas)) == ()


def direct(gold: Any, system: Any, made: Similarity, norm: str) -> float:
    """What ``score`` says of a formula with another ratio outermost."""
    if isinstance(made, Normalized) and norm in "PRFJ":
        made = dataclasses.replace(made, norm=norm, beta=1.0)  # type: ignore[arg-type]
    result = score(gold, system, made)
    count = result.counts["all"]
    own = {"P": count.precision, "R": count.recall, "F": count.f1}
    if isinstance(made, Normalized) and norm not in own:
        [number] = result.figures.numbers.values()
        return number
    if norm == "J":
        both = count.precision * count.recall
        return both / ((count.precision + count.recall - both) or 1)
    return own[norm]


WRITTEN = [
    f1(match(nodes(), exact(label, anchors))),
    f_beta(2, match(nodes("m"), span_jaccard())),
    match(nodes(), f1(match(targets(), exact(label)))),
    harmonic(
        precision(match(nodes(), precision(match(targets(), exact(label))))),
        recall(match(nodes(), recall(match(targets(), exact(label))))),
    ),
    f1(latent(nodes(), match(nodes(), exact(label) * variable()))),
]


@settings(max_examples=4)
@given(st.lists(graphs(), min_size=6, max_size=6))
@pytest.mark.parametrize("made", WRITTEN, ids=str)
def test_every_variant_scores_as_it_does_directly(
    made: Similarity, found: list[Graph]
) -> None:
    named = [
        replace(each, id=str(k % 2), framework="x") for k, each in enumerate(found)
    ]
    gold, one, two = named[:2], named[2:4], named[4:]
    whole = sensitivity(gold, {"one": one, "two": two}, made, most=20)
    plan = plan_of(made, 20)
    ratio = outermost(made)
    assert len(whole.variants) == (1 + len(ratio.others)) * len(plan.formulas)
    assert whole.scored == len(plan.formulas)
    for variant in whole.variants[:: max(1, len(whole.variants) // 12)]:
        changes = dict(variant.changes)
        norm = changes.pop(ratio, ratio.written)
        other = plan.formulas[tuple(changes.items())]
        for name, system in (("one", one), ("two", two)):
            place = whole.systems.index(name)
            expected = direct(gold, system, other, norm)
            assert variant.scores[place] == pytest.approx(expected, abs=1e-12)


CORPORA = [
    ("meaning", "gold.mrp", "alder.mrp", ["edm", "sdp", "ucca"]),
    (
        *("coreference", "coreference/key.conll", "coreference/response.conll"),
        ["muc", "b3", "ceafm", "ceafe", "ceaf", "blanc", "lea", "conll", "mentions"],
    ),
    (
        *("dependencies", "dependencies/gold.conllu", "dependencies/parser.conllu"),
        ["uas", "las", "clas", "mlas", "blex", "segmentation", "tagging"],
    ),
    ("entities", "ner/gold.iob2", "ner/tagger.iob2", ["ner"]),
    (
        *("events", "ie/wire.json", "ie/wire.predicted.json"),
        ["relation", "trigger", "argument"],
    ),
    (
        *("abstracts", "ie/abstracts.jsonl", "ie/abstracts.predicted.jsonl"),
        ["docred", "scirex"],
    ),
    (
        *("templates", "ie/incidents.jsonl", "ie/incidents.predicted.json"),
        ["muc4", "gtt", "ceaf_ree", "ceaf_rme", "granular", "rolefillers"],
    ),
]


@pytest.mark.parametrize(
    ("gold", "system", "metric"),
    [(gold, system, each) for _, gold, system, names in CORPORA for each in names],
)
def test_named_metrics_are_varied_from_their_own_number(
    gold: str, system: str, metric: str
) -> None:
    ids = "muc4" if "incidents" in gold else None
    sides = str(DATA / gold), str(DATA / system)
    options = Options(ids=ids)
    found = sensitivity(sides[0], [sides[1]], metric, most=1, options=options)
    preset = "(preset=none)" if metric in ("gtt", "ceaf_ree", "ceaf_rme") else ""
    own = score(*sides, metric + preset, options=options)
    assert found.written.scores[0] == pytest.approx(own.counts[found.kind].f1)
    assert [note for note in found.notes if "does more" in note] == []
    by_ratio = {
        each.changes[0][1]: each.scores[0]
        for each in found.variants
        if len(each.changes) == 1 and each.changes[0][0] == outermost_of(found)
    }
    count = own.counts[found.kind]
    assert by_ratio["P"] == pytest.approx(count.precision)
    assert by_ratio["R"] == pytest.approx(count.recall)


def outermost_of(found: Sensitivity) -> Any:
    return found.choices[0]


def test_what_a_metric_does_beyond_its_formula_is_said() -> None:
    sides = (
        str(DATA / "ie/incidents.jsonl"),
        [str(DATA / "ie/incidents.predicted.json")],
    )
    found = sensitivity(*sides, "gtt", most=1, options=Options(ids="muc4"))
    assert found.notes[0] == ("gtt with preset=none: presets do more than formulas say")


def test_a_metric_with_other_formulas_goes_to_workers() -> None:
    import pickle

    las = parse("las")
    made = with_formulas(las, {"v0": las.formulas()["all"]})  # type: ignore[attr-defined]
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert again.kinds == ("v0",)


def corpus(*labels: Sequence[str]) -> list[Graph]:
    return [
        Graph(
            str(number),
            "x",
            nodes=tuple(Node(k, each) for k, each in enumerate(words)),
        )
        for number, words in enumerate(labels)
    ]


def brute(found: Sensitivity) -> dict[tuple[str, str], tuple[list[Any], int, int]]:
    """What each choice turns, by going over all pairs of variants and systems."""
    made: dict[tuple[str, str], tuple[list[Any], int, int]] = {}
    names = found.systems

    def order(scores: Sequence[float], one: int, two: int) -> int:
        gap = scores[one] - scores[two]
        return (gap > EQUAL) - (gap < -EQUAL)

    for choice in found.choices:
        for value in choice.others:
            of = turned = 0
            alone = []
            for one in found.variants:
                for two in found.variants:
                    if {*two.changes} != {*one.changes, (choice, value)}:
                        continue
                    if any(each == choice for each, _ in one.changes):
                        continue
                    of += 1
                    flips = [
                        (names[i], names[j])
                        for i in range(len(names))
                        for j in range(len(names))
                        if order(one.scores, i, j) > 0 > order(two.scores, i, j)
                    ]
                    turned += bool(flips)
                    if not one.changes:
                        alone = flips
            made[f"{choice.said} {choice.level}", value] = sorted(alone), turned, of
    return made


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(*[st.lists(st.sampled_from("abc"), max_size=5)] * 2),
        min_size=3,
        max_size=4,
    )
)
def test_what_turns_round_is_found(sides: list[Any]) -> None:
    gold, *systems = ([*map(list, each)] for each in sides)
    if not any(gold):
        return
    named = {f"s{k}": corpus(*each) for k, each in enumerate(systems)}
    found = sensitivity(corpus(*gold), named, LABELS)
    expected = brute(found)
    for each in found.effects:
        key = f"{each.choice.said} {each.choice.level}", each.value
        assert (sorted(each.reversed), each.turned, each.of) == expected.pop(key)
    assert not expected
    for each in found.unstable:
        better, worse = map(found.systems.index, (each.better, each.worse))
        gaps = [v.scores[better] - v.scores[worse] for v in found.variants]
        assert gaps[0] > EQUAL
        assert each.reversed == sum(gap < -EQUAL for gap in gaps)
        assert each.tied == sum(abs(gap) <= EQUAL for gap in gaps)


def test_rows_and_values_say_the_same() -> None:
    systems = {"short": corpus("a"), "long": corpus("abwxyz")}
    found = sensitivity(corpus("abc"), systems, LABELS)
    told = found.to_dict()
    rows = found.tabular().rows
    assert [row[3] for row in rows] == [
        score for each in told["scores"] for score in each["scores"].values()
    ]
    assert told["variants"] == 16
    assert (told["scored"], told["complete"], told["impossible"]) == (4, True, 0)
    [turned] = told["pairs"]
    assert (turned["better"], turned["worse"]) == ("short", "long")
    [by] = [each for each in told["choices"] if each["reversed"]]
    assert (by["sort"], by["instead"], by["reversed"]) == (
        *("ratio", "R"),
        [["short", "long"]],
    )
    assert told["systems"][0] == {
        "system": "short",
        "score": 0.5,
        "rank": 1,
        "least": pytest.approx(1 / 3),
        "most": 1.0,
        "best_rank": 1,
        "worst_rank": 2,
    }


@pytest.mark.parametrize(
    ("metric", "kind", "error", "said"),
    [
        ("smatch", "", UsageError, "smatch has no formulas, expected a metric that"),
        (LABELS, "x", UsageError, "no formula of the kind 'x'; there are: all"),
        ("las", "", PairingError, "las does not score x"),
        ("exact(label)", "", FormulaError, "expected a formula about the whole graph"),
    ],
)
def test_what_cannot_be_varied(
    metric: str, kind: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        sensitivity(corpus("a"), {"s": corpus("a")}, metric, kind=kind)


def test_all_variants_can_be_scored() -> None:
    for _, made in zip(range(3), WRITTEN, strict=False):
        for each in plan_of(made, 1000).formulas.values():
            check(each)
