"""Rows and numbers of comparisons, agreement, and what errors cost."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

import graphscore
from graphscore import Graph, Node, Options, Store, flat, score
from graphscore.cli.main import cli
from graphscore.exceptions import UsageError
from graphscore.rows import Rows
from tests.conftest import DATA

GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))
ANNOTATORS = [DATA / "annotators" / f"{name}.jsonl" for name in "abc"]
DRAWN = {"samples": 50, "seed": 3}


def printed(*arguments: str) -> list[dict[str, str]]:
    """The rows that a verb prints as comma-separated values."""
    done = CliRunner().invoke(cli, [*arguments, "--csv"])
    assert done.exit_code == 0, done.output
    return list(csv.DictReader(io.StringIO(done.stdout)))


def as_printed(found: Rows) -> list[dict[str, str]]:
    return [
        {name: "" if cell is None else str(cell) for name, cell in row.items()}
        for row in found.to_dicts()
    ]


def test_a_comparison_has_the_rows_of_compare() -> None:
    found = graphscore.compare(
        GOLD, ALDER, BIRCH, metric="mrp", by="framework", **DRAWN
    )
    assert as_printed(found) == printed(
        *("compare", GOLD, ALDER, BIRCH, "-m", "mrp", "--by", "framework"),
        *("--samples", "50", "--seed", "3"),
    )
    numbers = found.numbers()
    alder, birch = found.systems
    [pair] = found.pairs
    assert numbers[f"mrp/all.f1/{ALDER}/value"] == alder.value
    assert numbers[f"mrp/all.f1/{BIRCH}/rank"] == birch.rank
    assert numbers[f"mrp/all.f1/{ALDER}/{BIRCH}/value"] == pair.difference
    assert numbers[f"mrp/all.f1/{ALDER}/{BIRCH}/p"] == pair.p
    eds = next(each for each in found.groups if each.slice == {"framework": "eds"})
    assert numbers[f"mrp/all.f1/eds/{ALDER}/low"] == eds.systems[0].low
    assert set(map(type, numbers.values())) == {float}


def test_what_errors_cost_has_the_rows_of_whatif() -> None:
    found = graphscore.whatif(GOLD, ALDER, metric="mrp")
    assert as_printed(found) == printed("whatif", GOLD, ALDER, "-m", "mrp")
    numbers, [first, *_] = found.numbers(), found.classes
    name = f"mrp/{found.score}/{first.tuple_type}/{first.label}/{first.error_type}"
    assert numbers[f"{name}/gain"] == first.gain > 0
    assert numbers[f"mrp/{found.score}"] == found.value


def test_an_agreement_has_the_rows_of_agree() -> None:
    found = graphscore.agree(
        GOLD, ALDER, BIRCH, names=["a", "b", "c"], metric="mrp", **DRAWN
    )
    rows = found.to_dicts()
    told = found.to_dict()
    of_all = [
        row for row in rows if (row["tuple_type"], row["framework"]) == (None, None)
    ]
    assert [
        {name: row[name] for name in pair}
        for row, pair in zip(of_all, told["pairs"], strict=True)
    ] == told["pairs"]
    numbers = found.numbers()
    assert numbers[f"mrp/{found.score}/mean"] == told["mean"]
    assert numbers[f"mrp/{found.score}/a/b/value"] == told["pairs"][0]["value"]
    assert numbers[f"mrp/{found.score}/eds/a/c/low"] == next(
        row["low"]
        for row in rows
        if (row["framework"], row["a"], row["b"]) == ("eds", "a", "c")
    )


def test_several_are_one_where_names_differ() -> None:
    results = score(GOLD, ALDER, ["mrp", "smatch"])
    assert flat(results) == results[0].flat() | results[1].flat()
    assert flat(results[0], "all") == results[0].flat("all")
    both = {
        name: score(GOLD, each, "mrp") for name, each in [("a", ALDER), ("b", BIRCH)]
    }
    found = flat(both)
    assert found["a_mrp_all_f1"] == both["a"].f1
    assert found["b_mrp_all_f1"] == both["b"].f1
    with pytest.raises(UsageError, match=r"two numbers are called 'mrp_.*in a dict"):
        flat([*both.values()])
    with pytest.raises(TypeError, match="expected Rows"):
        flat([3])  # type: ignore[list-item]


def test_counted_errors_of_a_store_are_rows() -> None:
    with graphscore.Store("sqlite://", mode="create") as store:

        def dog(label: str) -> Graph:
            return Graph("1", "amr", 2, nodes=(Node(0, label),), tops=(0,))

        store.add([dog("dog")], "gold")
        store.add([dog("cat")], "system")
        store.score("gold", "system", "mrp", Options())
        errors, confusions = store.errors(), store.confusions()
        columns, rows, sql = errors
        expected = [dict(zip(columns, row, strict=True)) for row in rows]
        assert errors.to_dicts() == expected
        assert [*map(list, store.query(sql[0])[1])] == [*map(list, rows)]
        assert errors.numbers() == {
            "amr/labels/missing/dog/errors": 1.0,
            "amr/labels/spurious/cat/errors": 1.0,
        }
        assert confusions.numbers() == {"amr/labels/dog/cat/times": 1.0}


def test_systems_across_frameworks_have_the_rows_of_compare() -> None:
    asked = {"metric": "mrp", "across": "frameworks", **DRAWN}
    found = graphscore.compare(GOLD, ALDER, BIRCH, **asked).across
    assert found is not None
    assert as_printed(found) == printed(
        *("compare", GOLD, ALDER, BIRCH, "-m", "mrp", "--across", "frameworks"),
        *("--samples", "50", "--seed", "3"),
    )
    numbers = found.numbers()
    eds = next(x for x in found.systems if (x.system, x.place) == (BIRCH, "eds"))
    assert numbers[f"mrp/{BIRCH}/eds/value"] == eds.value
    assert numbers[f"mrp/{BIRCH}/eds/rank"] == eds.rank == 2
    assert numbers[f"mrp/{ALDER}/mean/low"] == found.means[0].low


def test_files_are_paths_or_their_names(tmp_path: Path) -> None:
    files = ANNOTATORS
    named = {"names": ["a", "b", "c"]}
    by_path, by_name = (
        graphscore.agree(*each, **DRAWN, **named) for each in (files, map(str, files))
    )
    assert by_path.to_dict() == by_name.to_dict()
    assert graphscore.agree(*files, **DRAWN).annotators == tuple(map(str, files))
    with Store(tmp_path / "runs.db", mode="create") as store:
        store.ingest(files[0], "one")
        store.ingest([files[1], str(DATA / "ner" / "gold.iob2")], "two")
    with Store(tmp_path / "runs.db") as store:
        assert [len(store.names(name)) for name in ("one", "two")] == [5, 9]
