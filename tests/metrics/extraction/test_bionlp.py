"""Events of BioNLP's shared tasks against an oracle, and what users meet."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.evaluation.options import Options
from graphscore.metrics.extraction.bionlp import (
    BOTH,
    RECURSIVE,
    SPAN,
    TUPLE_TYPES,
    BioNLP,
)
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph
from graphscore.model.outcome import count_of
from graphscore.structures.layout import Argument, LayoutBuilder
from tests.conftest import DATA
from tests.metrics.extraction.nested import GIVEN, TEXT, Lines, Oracle, documents


def counted(
    metric: BioNLP, gold: Graph, system: Graph, tuple_type: str
) -> dict[str, tuple[float, ...]]:
    """What the metric counts, by class."""
    found = metric.compare(
        [metric.prepare(gold)], [metric.prepare(system)], budget=Options().budget
    )
    labels = {
        label for other, label, _ in found.raw_counts if other == tuple_type and label
    }
    counts = {label: count_of(found.raw_counts, tuple_type, label) for label in labels}
    return {
        label: (each.gold, each.matched, each.system, each.correct_system)
        for label, each in counts.items()
    }


@given(gold=documents(), system=documents(), data=st.data())
def test_counts_are_those_of_all_pairs(
    gold: Lines, system: Lines, data: st.DataObject
) -> None:
    metric = BioNLP(
        task=data.draw(st.sampled_from("123")),
        triggers=data.draw(st.sampled_from(["compared", "ignored"])),
        classes=data.draw(st.sampled_from(["exact", "merged"])),
        locations=data.draw(st.sampled_from(["merged", "apart"])),
    )
    for tuple_type in TUPLE_TYPES:
        expected = Oracle(
            gold,
            system,
            task=metric.task,
            soft=tuple_type in (SPAN, BOTH),
            recursive=tuple_type in (RECURSIVE, BOTH),
            triggers=metric.triggers == "compared",
            merged=metric.classes == "merged",
            locations=metric.locations == "merged",
        ).counted()
        assert counted(metric, gold.graph(), system.graph(), tuple_type) == expected


# What users meet.


def lines(*found: str) -> Graph:
    """Gold's or a system's events."""
    return Lines(GIVEN, tuple(each.replace(" | ", "\t") for each in found)).graph()


def compared(gold: Graph, system: Graph, metric: str = "bionlp") -> dict[str, float]:
    """F1 by tuple type."""
    result = graphscore.score([gold], [system], metric)
    return {tuple_type: result.counts[tuple_type].f1 for tuple_type in TUPLE_TYPES}


REGULATED = (
    "T5 | Positive_regulation 20 27 | induced",
    "T6 | Regulation 11 19 | strongly",
    "E1 | Positive_regulation:T5 Theme:T3 Cause:T1",
    "E2 | Regulation:T6 Theme:E1",
)


def test_a_word_more_is_right_for_approximate_spans() -> None:
    longer = (REGULATED[0], "T6 | Regulation 10 19 | strongly", *REGULATED[2:])
    assert compared(lines(*REGULATED), lines(*longer)) == {
        **{"strict": 0.5, "approximate_span": 1},
        **{"approximate_recursive": 0.5, "approximate_span_recursive": 1},
    }


def test_of_an_event_inside_only_themes_count() -> None:
    alone = (*REGULATED[:2], "E1 | Positive_regulation:T5 Theme:T3", REGULATED[3])
    assert compared(lines(*REGULATED), lines(*alone)) == {
        **{"strict": 0, "approximate_span": 0},
        **{"approximate_recursive": 0.5, "approximate_span_recursive": 0.5},
    }


def test_answers_beyond_what_is_found_are_no_answers() -> None:
    gold = lines("T5 | Transcription 20 27 | induced", "E1 | Transcription:T5 Theme:T3")
    twice = lines(
        "T5 | Transcription 20 27 | induced",
        "T6 | Transcription 20 35 | induced binding",
        "E1 | Transcription:T5 Theme:T3",
        "E2 | Transcription:T6 Theme:T3",
    )
    found = graphscore.score([gold], [twice], "bionlp")
    assert found.counts["strict"][:3] == (1, 2, 1)
    assert found.counts["approximate_span"][:3] == (1, 1, 1)
    assert found.scores.numbers["approximate_span.SVT-TOTAL.precision"] == 1


def test_other_classes_count_in_the_total() -> None:
    gold = lines(*REGULATED)
    more = lines(*REGULATED, "T7 | Cooking 28 35 | binding", "E3 | Cooking:T7 Theme:T1")
    numbers = graphscore.score([gold], [more], "bionlp").scores.numbers
    assert numbers["strict.REG-TOTAL.system"] == 2
    assert numbers["strict.ALL-TOTAL.system"] == 3
    assert numbers["strict.Cooking.precision"] == 0


def test_themes_need_no_numbers() -> None:
    bound = "T5 | Binding 28 35 | binding"
    gold = lines(bound, "E1 | Binding:T5 Theme:T1 Theme2:T3")
    for said in ("Theme:T3 Theme:T1", "Theme2:T1 Theme:T3", "Theme:T1 Theme3:T3"):
        assert compared(gold, lines(bound, f"E1 | Binding:T5 {said}"))["strict"] == 1


def test_an_event_in_a_circle_is_like_itself() -> None:
    build = LayoutBuilder()
    for one, other, cause in ((0, 1, 2), (1, 0, 2), (2, 2, 2)):
        arguments = [Argument("Theme", other), Argument("Cause", cause)]
        build.trigger("Regulation", [Anchor(one, one + 1)], arguments, id=one)
    circle = build.graph("1", "event", text=TEXT)
    assert set(compared(circle, circle).values()) == {1}


def test_nothing_is_found_of_modifications() -> None:
    gold = lines(*REGULATED, "M1 | Negation E2")
    result = graphscore.score([gold], [lines(*REGULATED)], "bionlp(task=3)")
    assert result.counts["strict"][:3] == (1, 0, 0)
    assert result.scores.numbers["strict.MOD-TOTAL.recall"] == 0


def test_one_file_and_two_are_alike() -> None:
    one = Lines(GIVEN, tuple(e.replace(" | ", "\t") for e in REGULATED))
    for gold, system in ((True, False), (False, True), (False, False)):
        found = compared(one.graph(gold), one.graph(system))
        assert set(found.values()) == {1}


def test_rows_say_what_differs() -> None:
    options = Options(details=True, per_item=True)
    folder = DATA / "ie" / "bionlp"
    found = graphscore.score(
        str(folder / "gold"), str(folder / "parser"), "bionlp", options=options
    )
    errors = [each for item in found.items for each in item.errors]
    rows = {
        (e.error_type, e.name, str(e.value)) for e in errors if e.tuple_type == BOTH
    }
    assert rows == {
        *((side, "arguments", "binding") for side in ("missing", "spurious")),
        *((side, "arguments", "block") for side in ("missing", "spurious")),
        *((side, "arguments", "by") for side in ("missing", "spurious")),
        *((side, "class", "prevents") for side in ("missing", "spurious")),
        ("spurious", "", "phosphorylation"),
    }
    strict = {(e.name, e.value) for e in errors if e.tuple_type == "strict"}
    assert ("trigger", "strongly induced") in strict


def test_tables_are_those_of_the_program() -> None:
    folder = DATA / "ie" / "bionlp"
    result = graphscore.score(str(folder / "gold"), str(folder / "parser"), "bionlp")
    metric = parse("bionlp")
    table = metric.tables(result.scores)[TUPLE_TYPES.index(SPAN)]
    assert table.rows["ALL-TOTAL"][:4] == (10, 5, 11, 5)
    assert [*table.rows][:4] == [
        *("Gene_expression", "Protein_catabolism", "Localization", "Phosphorylation"),
    ]
