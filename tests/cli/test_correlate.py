"""``graphscore correlate``: scores of items against a table of outcomes."""

import csv
import io

import pytest
import scipy.stats

from graphscore import Store
from tests.cli.conftest import ALDER, BIRCH, GOLD, record


@pytest.fixture
def outcome(tmp_path, run):
    """An outcome for every item but the first, and one for nobody."""
    items = run("score", GOLD, ALDER, "--per-item", "--json").json["items"]
    names = list(dict.fromkeys(each["item"] for each in items))
    path = tmp_path / "outcome.csv"
    rows = [f"{name},{place * 7 % 5}" for place, name in enumerate(names)][1:]
    path.write_text("item,value\n" + "\n".join([*rows, "nobody,1"]) + "\n")
    return path


def test_correlations_per_system_and_framework(run, outcome):
    found = run("correlate", GOLD, ALDER, BIRCH, "--outcome", outcome, "--json")
    assert found.code == 0
    assert "1 outcomes belong to no scored item" in found.err
    items = run("score", GOLD, ALDER, "--per-item", "--json").json["items"]
    values = dict(list(csv.reader(outcome.read_text().splitlines()))[1:])
    frameworks = sorted({each["framework"] for each in items})
    systems = list(dict.fromkeys(row["system"] for row in found.json))
    assert len(systems) == 2
    assert len(found.json) == 2 * len(frameworks)
    for row in found.json[: len(frameworks)]:
        pairs = [
            (each["counts"]["all"]["f1"], float(values[each["item"]]))
            for each in items
            if each["framework"] == row["framework"] and each["item"] in values
        ]
        assert row["n"] == len(pairs)
        first, second = zip(*pairs, strict=True)
        for name, function in (
            ("pearson", scipy.stats.pearsonr),
            ("spearman", scipy.stats.spearmanr),
            ("kendall", scipy.stats.kendalltau),
        ):
            if row[name] is not None:
                assert row[name] == pytest.approx(function(first, second)[0])


def test_a_store_gives_the_same(run, store, outcome):
    files = run("correlate", GOLD, ALDER, "--outcome", outcome, "--csv")
    kept = run(
        "correlate", store, "--gold", "gold", "--system", "alder",
        "--outcome", outcome, "--csv",
    )  # fmt: skip
    assert kept.code == 0
    tables = [list(csv.reader(io.StringIO(each.out))) for each in (files, kept)]
    assert [row[1:] for row in tables[0]] == [row[1:] for row in tables[1]]


def test_another_figure_and_column(run, tmp_path, outcome):
    text = outcome.read_text().replace("item,value", "item,judged")
    outcome.write_text(text)
    wrong = run("correlate", GOLD, ALDER, "--outcome", outcome)
    assert wrong.code == 3
    assert "columns item and value" in wrong.err
    base = ("correlate", GOLD, ALDER, "--outcome", outcome, "--column", "judged")
    main = run(*base, "--json")
    edges = run(*base, "--figure", "edges.recall", "--json")
    assert main.code == edges.code == 0
    assert main.json != edges.json
    unknown = run(*base, "--figure", "nothing")
    assert unknown.code == 2
    assert "no figure 'nothing'" in unknown.err


def test_a_table_for_people(run, outcome):
    found = run("correlate", GOLD, ALDER, "--outcome", outcome, "--table")
    assert found.code == 0
    assert "spearman" in found.out


def test_equal_scores_have_no_correlation(run, tmp_path):
    gold = tmp_path / "gold.mrp"
    gold.write_text(record("1") + record("2"))
    table = tmp_path / "items.csv"
    table.write_text("item,value\n1,1\n2,2\n")
    found = run("correlate", gold, gold, "--outcome", table, "--json")
    assert found.code == 0
    [row] = found.json
    assert row["pearson"] is row["spearman"] is row["kendall"] is None
    assert row["n"] == 2


def test_outcomes_of_other_items_are_an_error(run, tmp_path):
    table = tmp_path / "items.csv"
    table.write_text("item,value\nelsewhere,1\n")
    found = run("correlate", GOLD, ALDER, "--outcome", table)
    assert found.code == 3
    assert "no scored item has an outcome" in found.err
    assert "'elsewhere'" in found.err


def test_bad_tables_and_usage(run, tmp_path):
    table = tmp_path / "items.csv"
    table.write_text("item,value\n1,a\n2,b\n")
    bad = run("correlate", GOLD, ALDER, "--outcome", table)
    assert bad.code == 3
    assert ":2: value: found 'a'" in bad.err
    assert ":3: value: found 'b'" in bad.err
    assert run("correlate", GOLD, ALDER, "--outcome", tmp_path / "none").code == 3
    assert run("correlate", GOLD, ALDER).code == 2


def test_bad_system_records_are_told(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(record("1") + record("2"))
    system.write_text(record("1") + "{}\n")
    table = tmp_path / "items.csv"
    table.write_text("item,value\n1,1\n2,0\n")
    found = run("correlate", gold, system, "--outcome", table, "--json")
    assert found.code == 0
    assert ": 1 bad record, scored as missing" in found.err
    assert found.json[0]["spearman"] == 1.0


def test_items_that_neither_side_says_anything_of_have_no_part(run, tmp_path):
    """Sentences without entities are not as bad as those whose entities are missed."""
    gold, system = tmp_path / "gold.iob2", tmp_path / "system.iob2"
    gold.write_text("a B-PER\n\nb O\n\nc B-PER\n\nd B-LOC\nd O\nd B-LOC\n")
    system.write_text("a B-PER\n\nb O\n\nc O\n\nd B-LOC\nd O\nd O\n")
    items = run("items", gold, system, "-m", "ner").json
    table = tmp_path / "outcome.csv"
    rows = [f"{each['item']},{value}" for value, each in enumerate(items)]
    table.write_text("\n".join(["item,value", *rows]))
    at = {each["item"]: number for number, each in enumerate(items)}
    scored = [
        (each["f1"]["ner"], at[each["item"]])
        for each in items
        if each["f1"]["ner"] is not None
    ]
    assert len(scored) == 3
    asked = ("correlate", gold, system, "-m", "ner", "--outcome", table)
    [row] = run(*asked).json
    assert row["n"] == 3
    expected = scipy.stats.pearsonr(*zip(*scored, strict=True))[0]
    assert row["pearson"] == pytest.approx(expected)
    [row] = run(*asked, "--figure", "partial.recall").json
    assert row["n"] == 3
    [row] = run(*asked, "--figure", "accuracy").json
    assert row["n"] == 4


def test_systems_that_have_outcomes(run, store, tmp_path):
    table = tmp_path / "systems.csv"
    table.write_text("system,value\nalder,4\nbirch,2\ngold,5\nnobody,1\n")
    named = [word for name in ("alder", "birch", "gold") for word in ("--system", name)]
    asked = ("correlate", store, "--gold", "gold", *named, "--outcome", table)
    asked = (*asked, "-m", "mrp", "--samples", 50)
    found = run(*asked, "--json")
    assert found.code == 0
    assert "1 outcomes belong to no scored system" in found.err
    assert {row["over"] for row in found.json} == {"systems"}
    row = found.json[-1]
    assert (row["framework"], row["n"], row["samples"]) == (None, 3, 50)
    results = run("score", store, "--gold", "gold", *named, "-m", "mrp", "--json").json
    figures = [each["value"] for each in row["systems"]]
    assert [each["system"] for each in row["systems"]] == ["alder", "birch", "gold"]
    overall = [each["counts"]["all"]["f1"] for each in results["results"]]
    assert figures == pytest.approx(overall)
    assert row["pearson"] == pytest.approx(scipy.stats.pearsonr(figures, [4, 2, 5])[0])
    assert row["pearson_low"] <= row["pearson"] <= row["pearson_high"]
    header, *lines = csv.reader(io.StringIO(run(*asked, "--csv").out))
    assert header == [name for name in row if name != "systems"]
    assert len(lines) == len(found.json)
    shown = run(*asked, "--table").out
    assert "over systems, systems drawn" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_system_twice_and_one_alone(run, tmp_path):
    table = tmp_path / "systems.csv"
    table.write_text(f"system,value\n{ALDER},1\n{ALDER},2\n")
    found = run("correlate", GOLD, ALDER, "--outcome", table)
    assert found.code == 3
    assert ":3: system: found" in found.err
    assert "again, first in line 2" in found.err
    table.write_text(f"system,value\n{ALDER},1\n")
    alone = run("correlate", GOLD, ALDER, "-m", "mrp", "--outcome", table)
    assert alone.code == 0
    assert "correlations over systems need two" in alone.err
    table.write_text("system,value\nx,1\n")
    assert run("correlate", GOLD, ALDER, "--outcome", table).code == 3


def test_what_a_store_has_is_only_read(run, store, outcome, monkeypatch):
    modes = []
    opened = Store.__init__

    def noted(self, *args, mode="read", **more):
        modes.append(mode)
        opened(self, *args, mode=mode, **more)

    monkeypatch.setattr(Store, "__init__", noted)
    asked = ("correlate", store, "--gold", "gold", "--system", "alder")
    asked = (*asked, "--outcome", outcome, "--samples", 0, "--json")
    first = run(*asked)
    assert "write" in modes
    modes.clear()
    again = run(*asked)
    assert (again.code, again.json) == (0, first.json)
    assert modes
    assert set(modes) == {"read"}
