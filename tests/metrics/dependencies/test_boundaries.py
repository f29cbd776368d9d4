"""Pk, WindowDiff and B: segeval's and nltk's numbers, oracles of the definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore import score
from graphscore.correspondence import Budget
from graphscore.errors import InvalidGraphError, UsageError
from graphscore.evaluation.options import Options
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.model.outcome import Outcome
from tests.conftest import DATA
from tests.metrics.dependencies import cuts

Masses = Sequence[int]

HEARST = {
    # As Hearst 1997 has "Stargazers", by seven coders: the sample of segeval.
    "1": (2, 3, 3, 1, 3, 6, 3),
    "2": (2, 8, 2, 4, 2, 3),
    "3": (2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1),
    "4": (2, 1, 4, 1, 1, 3, 1, 4, 3, 1),
    "5": (3, 2, 4, 3, 5, 4),
    "6": (2, 3, 4, 2, 2, 5, 3),
    "7": (2, 3, 2, 2, 3, 1, 3, 2, 3),
}


def outcome(gold: Masses, system: Masses, metric: str = "boundaries") -> Outcome:
    chosen = parse(metric)
    sides = ((chosen.prepare(cuts.graph(side)),) for side in (gold, system))
    return chosen.compare(*sides, budget=Budget())


def figures(
    gold: Masses, system: Masses, metric: str = "boundaries"
) -> dict[str, float]:
    return parse(metric).figures(outcome(gold, system, metric).masses).numbers


# What segeval 2.0.11 and nltk 3.10.4 print.


@pytest.mark.parametrize(
    ("gold", "system", "printed", "lamprier"),
    [
        ("1", "2", (0.3684210526315789, 0.3684210526315789, 0.5), 0.2916666666666667),
        ("2", "1", (0.3684210526315789, 0.3684210526315789, 0.5), 0.2916666666666667),
        ("3", "6", (0.3157894736842105, 0.47368421052631576, 0.55), 0.4166666666666667),
        ("4", "5", (0.3684210526315789, 0.5263157894736842, 0.4), 0.4583333333333333),
        ("5", "4", (0.3684210526315789, 0.5263157894736842, 0.4), 0.4583333333333333),
        ("6", "7", (0.2631578947368421, 0.3157894736842105, 0.6875), 0.25),
        (
            "7",
            "2",
            (0.3684210526315789, 0.42105263157894735, 0.5625),
            0.3333333333333333,
        ),
    ],
)
def test_figures_are_those_of_segeval(
    gold: str, system: str, printed: tuple[float, float, float], lamprier: float
) -> None:
    found = figures(HEARST[gold], HEARST[system])
    assert (found["pk"], found["windowdiff"], found["b"]) == printed
    fixed = figures(HEARST[gold], HEARST[system], "boundaries(lamprier=true)")
    assert fixed["windowdiff"] == lamprier


@pytest.mark.parametrize(
    ("one", "two", "k", "windowdiff"),
    [
        # The examples of nltk's own pages, which it prints with two digits.
        ("000100000010", "000100000010", 3, "0.00"),
        ("000100000010", "000010000100", 3, "0.30"),
        ("000010000100", "100000010000", 3, "0.80"),
    ],
)
def test_window_diff_is_that_of_nltk(
    one: str, two: str, k: int, windowdiff: str
) -> None:
    sides = [[len(part) + 1 for part in each.split("1")] for each in (one, two)]
    found = figures(*sides, f"boundaries(k={k})")["windowdiff"]
    assert f"{found:.2f}" == windowdiff


def test_pk_is_that_of_nltk() -> None:
    gold = [len(part) + 1 for part in ("0100" * 100).split("1")]
    for system, printed in (([1] * 401, "0.50"), ([401], "0.50"), (gold, "0.00")):
        assert f"{figures(gold, system, 'boundaries(k=2)')['pk']:.2f}" == printed


def test_the_size_of_windows_is_rounded_as_each_program_does() -> None:
    # 10 units in 2 segments: 2.5 goes to 2; of 9 places with 1 boundary, 4.5 to 4.
    gold, system = [5, 5], [4, 6]
    assert figures(gold, system)["pk"] == figures(gold, system, "boundaries(k=2)")["pk"]
    nltk = figures(gold, system, "boundaries(preset=nltk)")
    assert nltk == figures(gold, system, "boundaries(k=4)")
    # At least 2, where nltk takes 1, or none at all.
    assert (
        figures([1, 1, 1], [3])["pk"]
        == figures([1, 1, 1], [3], "boundaries(k=2)")["pk"]
    )
    assert figures([1, 1, 1], [3], "boundaries(preset=nltk)")["pk"] == 0


# Worked examples.


def test_a_near_miss_is_half_a_boundary() -> None:
    found = figures([2, 3], [3, 2])
    assert (found["b"], found["near"]) == (0.5, 1)
    assert figures([2, 3], [4, 1])["b"] == 0
    assert figures([2, 3], [4, 1], "boundaries(n_t=3)")["b"] == pytest.approx(1 / 3)
    assert figures([2, 3], [3, 2], "boundaries(n_t=1)")["b"] == 0


def test_nearest_misses_are_taken_first_then_those_from_the_left() -> None:
    # Gold cuts after 2 and 5, the system after 3 and 4.
    found = figures([2, 3, 5], [3, 1, 6])
    assert (found["near"], found["b"]) == (2, 0.5)
    # Of one boundary between two others the left one is near.
    [missing, first, second] = outcome([3, 4], [2, 2, 3]).errors
    assert (missing.name, first.name, second.name) == ("-1", "+1", "")


def test_uncut_texts_agree() -> None:
    found = figures([7], [7])
    assert (found["pk"], found["windowdiff"], found["b"]) == (0, 0, 1)
    assert outcome([7], [7]).errors == ()
    # Shorter than a window: nothing differs.
    assert figures([1, 1], [2])["pk"] == figures([1, 1], [2])["windowdiff"] == 0


def test_a_side_that_is_absent_has_not_cut_the_text() -> None:
    metric = parse("boundaries")
    one = metric.prepare(cuts.graph([2, 3]))
    absent = metric.compare((one,), (), budget=Budget())
    assert absent == outcome([2, 3], [5])
    assert math.isnan(metric.value(metric.figures({})))


def test_texts_of_other_sizes_are_refused() -> None:
    with pytest.raises(InvalidGraphError, match="6 units in the system's text of '1'"):
        outcome([2, 3], [2, 4])
    for given_, why in (("k=-1", "k=-1: at least 0"), ("n_t=0", "n_t=0: at least 1")):
        with pytest.raises(UsageError, match=why):
            parse(f"boundaries({given_})")
    bare = Graph("a", "segments", nodes=(Node("x", None, (("units", "2"),)),))
    with pytest.raises(InvalidGraphError, match="segment 'x' of 'a' without units"):
        parse("boundaries").prepare(bare)


def test_units_are_counted_where_they_are_not_said() -> None:
    tokens = tuple(Anchor(2 * k, 2 * k + 1) for k in range(5))
    nodes = tuple(Node(a, anchors=(Anchor(a, b),)) for a, b in ((0, 3), (4, 9)))
    graph = Graph("a", "segments", text="a b c d e", tokens=tokens, nodes=nodes)
    assert parse("boundaries").prepare(graph).masses == (2, 3)


def test_errors_are_boundaries_with_how_far_they_are_off() -> None:
    rows = [
        (e.side, e.object, e.gold, e.system, e.name, e.value, e.reason)
        for e in outcome([2, 3, 5, 2], [3, 7, 1, 1]).errors
    ]
    assert rows == [
        ("missing", "node", 0, 0, "+1", "after 2", "near miss"),
        ("missing", "node", 1, None, "", "after 5", "absent"),
        ("surplus", "node", 0, 0, "-1", "after 3", "near miss"),
        ("surplus", "node", None, 2, "", "after 11", "absent"),
    ]


def test_figures_of_several_texts_are_means_and_those_of_all_windows() -> None:
    folder = DATA / "segments"
    paths = str(folder / "gold.json"), str(folder / "cutter.json")
    result = score(*paths, "boundaries", options=Options(per_item=True))
    each = [parse("boundaries").figures(item.masses).numbers for item in result.items]
    assert len(each) == 3
    for name in ("pk", "windowdiff", "b"):
        mean = sum(numbers[name] for numbers in each) / 3
        assert result.figures.numbers[name] == pytest.approx(mean)
        assert result.figures.numbers[f"{name}.micro"] != pytest.approx(mean)
    metric = result.metric
    assert result.value == result.figures.numbers["pk"]
    assert [
        name
        for name in ("pk", "pk.micro", "windowdiff", "b", "near", "macro")
        if metric.lowest_best(name)
    ] == ["pk", "pk.micro", "windowdiff", "macro"]


def test_sentences_of_documents_are_segments() -> None:
    folder = DATA / "dependencies"
    paths = str(folder / "gold.conllu"), str(folder / "parser.conllu")
    for units in ("tokens", "characters"):
        result = score(*paths, f"boundaries(units={units})")
        assert result.frameworks == ["ud"]
        assert result.counts["boundaries"].gold == 2


# Oracles: the definitions word for word.


def segments(masses: Masses) -> list[int]:
    return [number for number, mass in enumerate(masses) for _ in range(mass)]


def window(gold: Masses) -> int:
    half = Decimal(sum(gold)) / len(gold) / 2
    return max(2, int(half.to_integral_value()))


def places(masses: Masses) -> set[int]:
    """Boundaries, by the units before them."""
    found = segments(masses)
    return {k for k in range(1, len(found)) if found[k - 1] != found[k]}


def pk(gold: Masses, system: Masses, k: int) -> Fraction:
    one, two = segments(gold), segments(system)
    windows = range(len(one) - k)
    wrong = sum((one[i] == one[i + k]) != (two[i] == two[i + k]) for i in windows)
    return Fraction(wrong, len(windows)) if windows else Fraction(0)


def window_diff(gold: Masses, system: Masses, k: int) -> Fraction:
    one, two = places(gold), places(system)
    windows = range(sum(gold) - k)
    wrong = 0
    for i in windows:
        inside = set(range(i + 1, i + k + 1))
        wrong += len(one & inside) != len(two & inside)
    return Fraction(wrong, len(windows)) if windows else Fraction(0)


def similarity(gold: Masses, system: Masses, n_t: int) -> Fraction:
    """As boundary edit distance has it, on rows of places with and without a cut."""
    one, two = (
        [k in places(side) for k in range(1, sum(side))] for side in (gold, system)
    )
    used: set[int] = set()
    near = []
    for span in range(1, n_t):
        for i in range(len(one) - span):
            j = i + span
            crossed = (one[i], one[j]) == (two[j], two[i]) and one[i] != one[j]
            if crossed and i not in used and j not in used:
                used |= {i, j}
                near.append(span)
    whole = sum(
        a != b for k, (a, b) in enumerate(zip(one, two, strict=True)) if k not in used
    )
    same = sum(a and b for a, b in zip(one, two, strict=True))
    every = whole + len(near) + same
    edits = whole + Fraction(sum(near), n_t)
    return (every - edits) / every if every else Fraction(1)


@settings(deadline=None, max_examples=100)
@given(both=cuts.both, k=st.integers(0, 8), n_t=st.integers(1, 5))
def test_figures_are_those_of_the_oracles(
    both: tuple[list[int], list[int]], k: int, n_t: int
) -> None:
    gold, system = both
    found = figures(gold, system, f"boundaries(k={k},n_t={n_t})")
    size = k or window(gold)
    assert found["pk"] == float(pk(gold, system, size))
    assert found["windowdiff"] == float(window_diff(gold, system, size))
    assert found["b"] == float(similarity(gold, system, n_t))
    counted = outcome(gold, system).masses
    one, two = places(gold), places(system)
    amounts = [
        counted.get(("boundaries", "", each), 0)
        for each in ("gold", "system", "matched")
    ]
    assert amounts == [len(one), len(two), len(one & two)]


@settings(deadline=None, max_examples=60)
@given(both=cuts.both)
def test_swapped_sides_have_one_similarity_and_mirrored_errors(
    both: tuple[list[int], list[int]],
) -> None:
    gold, system = both
    assert figures(gold, system)["b"] == figures(system, gold)["b"]
    one, two = outcome(gold, system).errors, outcome(system, gold).errors
    assert sorted(e.value for e in one if e.side == "missing") == sorted(
        e.value for e in two if e.side == "surplus"
    )
