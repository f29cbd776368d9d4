import pytest

from graphscore.report.ranking import mark_best, ranked, ranking_table, ranks
from graphscore.report.table import Ratio
from graphscore.report.text import render
from tests.cli.conftest import ALDER, BIRCH, GOLD

TWO = "mrp,mrp(edges=unlabeled)"


def test_equal_scores_share_a_rank():
    assert ranks([0.5, 0.7, 0.7, 0.1]) == [3, 1, 1, 4]
    assert ranks([]) == []


def test_change_and_difference_are_against_the_first_metric():
    ranking = ranked({"a": {"m": 0.75, "n": 0.25}, "b": {"m": 0.5, "n": 0.5}})
    assert ranking.changes("a")["n"] == (-0.5, -1)
    assert ranking.changes("b")["n"] == (0.0, 1)
    assert ranking.order == ["a", "b"]


def test_a_system_without_a_metric_has_blank_cells():
    ranking = ranked({"a": {"m": 0.5}, "b": {"m": 0.25, "n": 1.0}})
    assert ranking.changes("a") == {}
    [first, second] = ranking_table(ranking).rows
    assert first[3:] == (None, None, None, None)
    assert second[-1] == "+1"


def test_the_best_are_marked_in_plain_text():
    ranking = ranked({"a": {"m": 0.5}, "b": {"m": 0.75}, "c": {"m": 0.75}})
    lines = render([ranking_table(ranking)]).splitlines()
    assert [line.split() for line in lines[3:]] == [
        ["b", "*75.00", "1"],
        ["c", "*75.00", "1"],
        ["a", "50.00", "3"],
    ]


def test_the_best_are_bold_on_a_terminal():
    ranking = ranked({"a": {"m": 0.5}, "b": {"m": 0.75}})
    assert "\x1b[1m*75.00" in render([ranking_table(ranking)], terminal=True)


def test_only_rows_of_one_metric_are_compared():
    rows = [("a", "m", Ratio(0.5), None), ("b", "m", Ratio(0.25), 3)]
    lone = ("a", "n", Ratio(0.9), "-")
    marked = mark_best([*rows, lone], 1)
    assert [type(row[2]).__name__ for row in marked] == ["Best", "Ratio", "Ratio"]
    assert [row[3] for row in marked] == [None, 3, "-"]


@pytest.mark.parametrize("metrics", ["mrp", TWO])
def test_several_systems_are_ranked_in_json(run, metrics):
    found = run("score", GOLD, BIRCH, ALDER, "-m", metrics).json
    ranking = found["ranking"]
    assert ranking["metrics"] == metrics.split(",")
    assert [each["system"] for each in ranking["systems"]] == [ALDER, BIRCH]
    f1 = {
        (each["system"], each["metric"]): each["counts"]["all"]["f1"]
        for each in found["results"]
    }
    for each in ranking["systems"]:
        for metric, place in each["places"].items():
            assert place["f1"] == f1[each["system"], metric]
            assert place["best"] == (place["rank"] == 1) == (each["system"] == ALDER)
        for metric, change in each["changes"].items():
            assert change["rank_change"] == 0
            one = f1[each["system"], "mrp"]
            assert change["difference"] == f1[each["system"], metric] - one


def test_one_system_has_no_ranking(run):
    assert "ranking" not in run("score", GOLD, ALDER).json
    assert "ranking" not in run("score", GOLD, ALDER, "-m", TWO).json
    assert "ranking" not in run("score", GOLD, ALDER, "--table").out


def test_a_store_ranks_its_collections(run, store):
    arguments = ("--gold", "gold", "--system", "birch", "--system", "alder")
    found = run("score", store, *arguments).json
    assert [each["system"] for each in found["ranking"]["systems"]] == [
        "alder",
        "birch",
    ]


def test_table_ranks_and_marks(run):
    out = run("score", GOLD, BIRCH, ALDER, "-m", TWO, "--table").out
    # The ranking is first; a table of each system is there under -v alone.
    assert out.startswith("ranking by F1 of all (* best)\n")
    ranking, compared = out.split("\nF1 of all\n")
    assert "pairs" not in out
    found = run("score", GOLD, BIRCH, ALDER, "-m", TWO, "--table", "-v")
    assert found.out.startswith(out)
    assert found.out.count("73 pairs") == 4
    assert compared.count("*") == 2 * 7  # two metrics, five frameworks, all, macro
    assert ranking.splitlines()[1].split()[:3] == ["system", "mrp", "rank"]
    assert "against mrp" in ranking


TABLE_2 = {
    "NER-1": (35.4, 1, 34.4, 1),
    "NER-2": (38.0, 4, 35.5, 2),
    "NER-3": (51.4, 8, 50.0, 7),
    "NER-4": (36.4, 2, 40.4, 5),
    "NER-5": (37.3, 3, 38.7, 4),
    "NER-6": (39.2, 5, 37.9, 3),
    "NER-7": (50.0, 7, 52.6, 9),
    "NER-8": (56.4, 9, 50.1, 8),
    "NER-9": (44.6, 6, 42.8, 6),
    "NER-10": (85.6, 10, 81.4, 10),
}
"""SER and ETER of ten systems with their ranks (Ben Jannet et al. 2014, Table 2)."""


def test_published_error_rates_have_their_published_ranks():
    scores = {
        system: {"ser": ser / 100, "eter": eter / 100}
        for system, (ser, _, eter, _) in TABLE_2.items()
    }
    names = {"ser": "ser", "eter": "eter"}
    ranking = ranked(scores, leading=names, lower={"ser", "eter"})
    for system, (ser, first, eter, second) in TABLE_2.items():
        assert ranking.places[system] == {
            "ser": (ser / 100, first),
            "eter": (eter / 100, second),
        }
        assert ranking.changes(system)["eter"].rank_change == first - second
    title, head, _, *rows, _ = render([ranking_table(ranking)], 1).splitlines()
    assert title == "ranking by ser, eter, lowest first (* best)"
    assert head.split()[:5] == ["system", "ser", "rank", "eter", "rank"]
    shown = [row.replace("*", "").split()[:5] for row in rows]
    by_ser = sorted(TABLE_2.items(), key=lambda each: each[1][1])
    assert shown == [[system, *map(str, mine)] for system, mine in by_ser]
    assert [row.split()[0] for row in rows if "*" in row] == ["NER-1"]


def test_several_systems_by_tuple_type_are_one_table(run):
    found = run(
        "score", GOLD, ALDER, BIRCH, "--by", "tuple-type", "--table", "--width", 100
    )
    title, heads, _, *rows = found.out.split("\n\n")[1].splitlines()
    assert title == "F1 by tuple type"
    tuple_types = [
        "tops",
        "labels",
        "properties",
        "anchors",
        "edges",
        "attributes",
        "all",
    ]
    assert heads.split() == ["system", "metric", *tuple_types]
    scores = run("score", GOLD, ALDER, BIRCH, "--json").json["results"]
    for row, result in zip(rows, scores, strict=True):
        cells = [float(cell.lstrip("*")) for cell in row.split()[2:]]
        f1 = [100 * result["counts"][tuple_type]["f1"] for tuple_type in tuple_types]
        assert cells == pytest.approx(f1, abs=0.005)
    # The better system is marked, and nothing else is printed unless asked for.
    assert rows[0].count("*") == len(tuple_types)
    assert found.out.count("tops") == 1
    more = run("score", GOLD, ALDER, BIRCH, "--by", "tuple-type", "--table", "-v")
    assert more.out.count("tops") > 2
