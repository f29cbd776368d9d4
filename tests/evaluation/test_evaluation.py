"""Running metrics over two sides."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest

from graphscore.evaluation.api import score
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError, InputError, PairingError, UsageError
from graphscore.formats import ReadGraph, read_file
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph, Node
from tests.store.conftest import bark

MRP = [parse("mrp")]


def graph(item: str, label: str = "a", framework: str = "eds", **rest: Any) -> Graph:
    return Graph(item, framework, nodes=(Node(0, label),), **rest)


def write(path: Path, *records: Any) -> str:
    lines = [each if isinstance(each, str) else json.dumps(each) for each in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def record(item: str = "1", **rest: Any) -> dict[str, Any]:
    nodes = [{"id": 0, "label": "a"}]
    return {"id": item, "framework": "eds", "nodes": nodes} | rest


def plain(result: Result) -> str:
    return json.dumps(result.to_dict(by=("framework", "document"), per_item=True))


@pytest.fixture(scope="module")
def sides() -> tuple[str, str]:
    from tests.conftest import DATA

    return str(DATA / "gold.mrp"), str(DATA / "birch.mrp")


def test_any_number_of_workers_gives_the_same_result(sides: tuple[str, str]) -> None:
    metrics = [parse("mrp"), parse("mrp(order=free,edges=unlabeled)")]
    one, two = (
        score_files(*sides, metrics, Options(jobs=jobs, per_item=True, details=True))
        for jobs in (1, 2)
    )
    assert list(map(plain, one)) == list(map(plain, two))
    assert [each.items for each in one] == [each.items for each in two]


def test_wishes_for_workers_beyond_all_measure_cost_nothing(
    sides: tuple[str, str],
) -> None:
    before = monotonic()
    [result] = score_files(*sides, MRP, Options(jobs=5_000))
    # Thousands of processes take half a minute to start, and memory.
    assert monotonic() - before < 15
    assert plain(result) == plain(score_files(*sides, MRP)[0])


def test_any_executor_will_do(sides: tuple[str, str]) -> None:
    with ThreadPoolExecutor(2) as pool:
        [result] = score_files(*sides, MRP, executor=pool)
    assert plain(result) == plain(score_files(*sides, MRP)[0])


def test_files_and_graphs_in_memory_give_the_same_scores(
    sides: tuple[str, str],
) -> None:
    graphs = [
        [each.graph for each in read_file(side) if isinstance(each, ReadGraph)]
        for side in sides
    ]
    one, two = score(*sides), score(*graphs)
    assert one.counts == two.counts
    assert one.signature == two.signature


def test_the_sample_against_itself_scores_one(sides: tuple[str, str]) -> None:
    for metric in ("mrp", "mrp(ties=canonical)", "mrp(order=free,edges=unlabeled)"):
        result = score(sides[0], sides[0], metric)
        assert result.f1 == 1.0
        assert result.proven == result.pairs
        assert not result.notes


def test_missing_and_spurious_units_are_told_apart() -> None:
    gold = [graph("1"), graph("2", "b"), graph("3")]
    result = score(gold, [graph("3"), graph("9"), graph("1", "z")])
    assert (result.pairs, result.missing_system) == (3, 1)
    assert [each.item for each in result.spurious_system] == ["9"]
    assert result.counts["labels"][:3] == (3, 2, 1)
    assert [each.missing for each in result.items] == [False, True, False]


def test_items_come_in_the_order_of_gold() -> None:
    gold = [graph(str(k)) for k in range(100)]
    system = [graph(str(k)) for k in range(99, -1, -3)]
    result = score(gold, system)
    assert [each.item for each in result.items] == [each.id for each in gold]


def test_several_metrics_are_scored_in_one_pass() -> None:
    def once() -> Iterator[Graph]:
        yield graph("1")

    results = score_files(
        once(),  # type: ignore[arg-type]
        [graph("1")],
        [parse("mrp"), parse("mrp(order=free)")],
    )
    assert [str(each.metric) for each in results] == ["mrp", "mrp(order=free)"]
    assert [each.f1 for each in results] == [1.0, 1.0]


def test_a_framework_without_system_graphs_is_noted() -> None:
    gold = [graph("1"), graph("1", framework="amr")]
    result = score(gold, [graph("1")])
    whole, one = result.notes
    assert "no amr graphs at all" in whole
    assert "1 gold graph without a system graph" in one


def test_nothing_paired_is_an_error_with_an_example() -> None:
    with pytest.raises(PairingError) as caught:
        score([graph("1"), graph("2")], [graph("sys-1")])
    message = str(caught.value)
    assert (
        "2 gold and 1 system graphs, first of gold '1', '2', first of system 'sys-1'; "
    ) in message
    with pytest.raises(PairingError):
        score([], [graph("1")])
    with pytest.raises(PairingError):
        score([], [])


def test_other_frameworks_are_an_error_that_names_them() -> None:
    amr = [graph("1", framework="amr"), graph("1")]
    for metrics in (None, ["mrp"]):
        with pytest.raises(PairingError, match="gold holds amr, eds, system ud; exp"):
            score(amr, [graph("1", framework="ud")], metrics)
    # Where they share one, what is absent is missing.
    assert score(amr, [graph("1")], "mrp").missing_system == 1


def test_without_system_graphs_all_of_gold_is_missing() -> None:
    result = score([graph("1"), graph("2")], [])
    assert (result.pairs, result.missing_system, result.f1) == (2, 2, 0.0)
    assert result.counts["all"].gold > result.counts["all"].system == 0
    assert any("no eds graphs at all" in note for note in result.notes)


def test_a_metric_without_gold_stops_no_other() -> None:
    sides = [graph("1"), graph("1", framework="amr")], [graph("1")]
    for gold, system in (sides, sides[::-1]):
        results = score(gold, system, ["mrp", "elas", "conll"])
        assert results[0].pairs == len(gold)
        for result in results[1:]:
            assert (result.pairs, result.main, result.counts) == (0, None, {})
            assert math.isnan(result.value)
            assert math.isnan(result.f1)
            assert math.isnan(result.precision)
            assert math.isnan(result.recall)
            assert result.by("framework") == {}
            plain = result.to_dict()
            assert (plain["pairs"], plain["counts"], plain["main"]) == (0, {}, None)
            assert any("nothing that" in note for note in result.notes)
    with pytest.raises(PairingError, match="nothing to score with elas, conll"):
        score([graph("1")], [graph("1")], ["elas", "conll"])


def test_spurious_graphs_of_a_framework_stop_no_other_metric() -> None:
    gold, system = [graph("1")], [graph("1"), graph("2", framework="eud")]
    mrp, elas = score(gold, system, ["mrp(order=free)", "elas"])
    assert mrp.f1 == 1.0
    assert (elas.pairs, len(elas.spurious_system), elas.main) == (0, 1, None)
    with pytest.raises(PairingError, match="0 gold and 1 system graphs"):
        score(gold, system, "elas")


def test_nothing_paired_names_what_could_not_be_read(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.mrp", record("1"))
    system = write(tmp_path / "system.mrp", record("1", tops=[5]))
    with pytest.raises(PairingError, match=r"system\.mrp:1: \$\.tops\[0\]: found 5"):
        score(gold, system)


def test_every_problem_of_gold_is_listed(tmp_path: Path) -> None:
    gold = write(
        tmp_path / "gold.mrp",
        record("1"),
        record("2", tops=[5], framework=3),
        "{",
        record("1"),
        record("3"),
    )
    with pytest.raises(InputError) as caught:
        score(gold, write(tmp_path / "system.mrp", record("1")))
    assert [problem.line for problem in caught.value.problems] == [2, 2, 3, 4]
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("side", ["gold", "system"])
def test_duplicates_across_files_name_both(tmp_path: Path, side: str) -> None:
    (tmp_path / "many").mkdir()
    write(tmp_path / "many" / "a.mrp", record("1"), record("2"))
    write(tmp_path / "many" / "b.mrp", record("2"))
    other = write(tmp_path / "other.mrp", record("1"), record("2"))
    if side == "gold":
        with pytest.raises(InputError) as caught:
            score(str(tmp_path / "many"), other)
        message = str(caught.value)
    else:
        result = score(other, str(tmp_path / "many"))
        assert result.rejected_records == 1
        assert result.f1 == 1.0
        message = str(result.rejected[0])
    assert "b.mrp:1: id: found '2' (eds) a second time" in message
    assert "a.mrp:2" in message


def test_a_broken_record_in_the_middle_spares_the_rest(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.mrp", *(record(str(k)) for k in range(9)))
    lines = [json.dumps(record(str(k))) for k in range(9)]
    lines[4] = lines[4][:30]
    result = score(gold, write(tmp_path / "system.mrp", *lines))
    assert (result.pairs, result.missing_system, result.rejected_records) == (9, 1, 1)
    assert result.counts["labels"][:3] == (9, 8, 8)


def test_a_file_that_breaks_off_is_an_error_not_a_score(tmp_path: Path) -> None:
    import gzip

    gold = write(tmp_path / "gold.mrp", record("1"))
    whole = gzip.compress((json.dumps(record("1")) + "\n").encode() * 99)
    (tmp_path / "system.mrp.gz").write_bytes(whole[:-20])
    with pytest.raises(InputError, match="truncated"):
        score(gold, str(tmp_path / "system.mrp.gz"))


def test_graphs_without_ids_are_numbered_on() -> None:
    gold = [graph("", "a"), graph("", "b"), graph("", "c", framework="amr")]
    result = score(gold, gold)
    assert [(each.framework, each.item) for each in result.items] == [
        ("eds", "0"),
        ("eds", "1"),
        ("amr", "0"),
    ]
    assert result.f1 == 1.0


def signature(gold: Any, system: Any, options: Options | None = None) -> str:
    [result] = score_files(gold, system, MRP, options)
    return result.signature


def test_the_signature_does_not_depend_on_the_order_of_units() -> None:
    gold = [graph(str(k), str(k)) for k in range(40)]
    system = [graph(str(k), str(k % 7)) for k in range(40)]
    assert signature(gold, system) == signature(gold[::-1], system[7:] + system[:7])


def test_the_signature_does_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    for folder, names in (("one", "ab"), ("two", "ba")):
        (tmp_path / folder).mkdir()
        for item, name in enumerate(names):
            write(tmp_path / folder / f"{name}.mrp", record(str(item)))
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    assert signature(one, one) == signature(two, two)


def test_the_signature_shows_whatever_moves_a_number() -> None:
    gold, system = [graph("1"), graph("2")], [graph("1"), graph("2", "b")]
    one = signature(gold, system)
    assert signature(gold, gold) != one
    assert signature(system, system) != one
    assert signature(system, gold) != one
    options = Options(Selection(items=frozenset({"1"})))
    assert "items:1" in signature(gold, system, options)
    assert "ids:wsj" in signature(gold, system, Options(ids="wsj"))
    assert "pair:order" in signature(gold, system, Options(pair="order"))
    for part in ("metric:mrp|", "revision:2", "normalize:", "proven:2/2", "version:"):
        assert part in one


def test_selection_takes_part_of_both_sides() -> None:
    gold = [
        graph("1"),
        graph("2", "b"),
        graph("1", framework="amr", language="eng"),
    ]
    for selection, pairs in (
        (Selection(frameworks=frozenset({"eds"})), 2),
        (Selection(items=frozenset({"1"})), 2),
        (Selection(languages=frozenset({"eng"})), 1),
    ):
        [result] = score_files(gold, gold, MRP, Options(selection))
        assert (result.pairs, result.f1) == (pairs, 1.0)


def test_units_pair_by_order_if_asked() -> None:
    gold, system = [graph("1"), graph("2", "b")], [graph("x"), graph("y", "b")]
    [result] = score_files(gold, system, MRP, Options(pair="order"))
    assert result.f1 == 1.0


def test_each_is_told_of_every_gold_unit_with_its_errors() -> None:
    told = []
    score_files(
        [graph("1"), graph("2")],
        [graph("2", "z"), graph("3")],
        MRP,
        listener=lambda metric, gold, system, outcome: told.append(
            (gold.item, system and system.item, len(outcome.errors))
        ),
    )
    assert sorted(told) == [("1", None, 1), ("2", "2", 2)]


def test_every_error_has_an_exit_code() -> None:
    assert GraphscoreError.exit_code == InputError.exit_code == 3
    assert PairingError.exit_code == 3
    assert UsageError.exit_code == 2


class Watched:
    """Graphs that are made when asked for, and counted."""

    def __init__(self, count: int) -> None:
        self.count, self.made = count, 0

    def __iter__(self) -> Iterator[Graph]:
        for k in range(self.count):
            self.made += 1
            yield graph(str(k), str(k))


def test_units_are_read_as_they_are_scored() -> None:
    gold, system = Watched(1000), Watched(1000)
    seen: list[int] = []
    score_files(
        gold,  # type: ignore[arg-type]
        system,  # type: ignore[arg-type]
        MRP,
        listener=lambda *rest: seen.append(gold.made - len(seen)),
    )
    assert len(seen) == 1000
    assert max(seen) <= 64


def test_files_of_other_frameworks_are_named() -> None:
    graphs = [Graph(str(k), "ner", 1) for k in range(2)]
    with pytest.raises(PairingError) as caught:
        score_files(graphs, graphs, [parse("eter")])
    assert str(caught.value) == (
        "nothing to score with eter in <memory>: it scores graphs of etree\n"
        "eter does not score ner: 2 graphs left out"
    )


def test_anchors_in_different_texts_are_noted(tmp_path: Path) -> None:
    node = Node(0, "dog", anchors=(Anchor(0, 4),))
    gold = [Graph(str(k), "dm", 0, text="Dogs bark.", nodes=(node,)) for k in range(3)]
    system = [msgspec.structs.replace(gold[0], text="Dogs bark ."), *gold[1:]]
    [result] = score_files(gold, system, [parse("mrp")])
    assert result.notes == [
        "<memory>: the text differs from gold in 1 pair with anchors, which count "
        "characters of the text; first item 0: 'bark .', gold has 'bark.'"
    ]
    nothing_found = msgspec.structs.replace(system[0], nodes=())
    [result] = score_files(gold, [nothing_found], [parse("mrp")])
    assert [note for note in result.notes if "differs from gold in 1 pair" in note]
    longer = msgspec.structs.replace(system[0], text="Dogs bark. Cats")
    [result] = score_files(gold, [longer], [parse("mrp")])
    assert result.notes[0].endswith("first item 0: 'bark. Cats', gold has 'bark.'")
    unanchored = msgspec.structs.replace(system[0], nodes=(Node(0, "dog"),))
    [result] = score_files(gold, [unanchored], [parse("mrp")])
    assert not [note for note in result.notes if "differs" in note]
    [result] = score_files(gold, gold, [parse("mrp")])
    assert not result.notes
    cases = [system, [nothing_found], [longer], [unanchored], gold]
    with Store(str(tmp_path / "runs.db"), mode="create") as runs:
        runs.add(gold, "gold")
        for number, graphs in enumerate(cases):
            runs.add(graphs, f"system {number}")
            [said] = score_files(gold, graphs, [parse("mrp")])
            for _ in ("computed", "reused"):
                [kept] = runs.evaluate("gold", f"system {number}", [parse("mrp")])
                told = [note.partition(": ")[2] for note in said.notes]
                assert [note.partition(": ")[2] for note in kept.notes] == told


def test_coreference_says_that_other_words_are_compared_by_tokens() -> None:
    said = (("kind", "mention"),)
    gold, system = (
        Graph(
            *("1", "coref", 0),
            text=word,
            tokens=(Anchor(0, len(word)),),
            nodes=(Node(0, None, said, (Anchor(0, len(word)),)),),
        )
        for word in ("Anna", "Annabella")
    )
    [result] = score_files([gold], [system], [parse("b3")])
    [note] = result.notes
    assert "with as many tokens, whose spans are compared by tokens" in note


def test_a_store_lists_system_items_without_gold_as_files_do(tmp_path) -> None:
    gold = [bark(str(n), "a") for n in (1, 2)]
    system = [bark(str(n), "a") for n in (4, 2, 3)]
    direct = score(gold, system, "mrp")
    with Store(tmp_path / "runs.db", mode="create") as store:
        store.add(gold, "gold")
        store.add(system, "system")
        for _ in range(2):
            kept = store.score("gold", "system", "mrp")
            assert [unit.item for unit in kept.spurious_system] == ["4", "3"]
    assert [unit.item for unit in direct.spurious_system] == ["4", "3"]
