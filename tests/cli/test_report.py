import pytest

from graphscore import Options, score
from graphscore.evaluation.rows.scores import flat_columns, flat_rows
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from graphscore.report.notebook import html_table
from graphscore.report.score_tables import score_tables
from graphscore.report.table import Column, Ratio, Table, cell
from graphscore.report.tables import group_table
from graphscore.report.text import render, visible
from tests.conftest import DATA


@pytest.fixture
def result():
    nodes = (Node(0, "bark"), Node(1, "dog"))
    gold = Graph("1", "amr", 2, nodes=nodes, edges=(Edge(0, 1, "ARG0"),), tops=(0,))
    system = Graph("1", "amr", 2, nodes=nodes, tops=(0,))
    return score([gold], [system])


def test_cells_keep_their_values(result):
    table = group_table(result, ("framework",))
    row = dict(zip([c.name for c in table.columns], table.rows[0], strict=True))
    assert row["framework"] == "amr"
    assert row["edges"] == 0.0
    assert row["anchors"] is None
    assert row["properties"] == "-"
    assert row["F1"] == 2 * 3 / 7


def test_one_framework_needs_no_macro(result):
    names = [row[0] for row in group_table(result, ("framework",)).rows]
    assert names == ["amr"]


def test_flat_rows_fit_their_columns(result):
    for by in (
        ("framework",),
        ("tuple_type",),
        ("framework", "document", "tuple_type"),
        ("item",),
    ):
        columns = flat_columns(by)
        for row in flat_rows(result, by):
            assert len(row) == len(columns)


def test_flat_rows_end_with_what_stands_for_the_metric(result):
    rows = list(flat_rows(result, ("framework",)))
    assert {row[-1] for row in rows} == {result.value}
    graph = Graph("1", "etree", 1, nodes=(Node(0, "loc", (("kind", "entity"),)),))
    nothing = Graph("2", "etree", 1)
    found = score([graph, nothing], [nothing], "eter", options=Options(per_item=True))
    assert {row[-1] for row in flat_rows(found, ())} == {1.0}
    items = {row[6]: row[-1] for row in flat_rows(found, (), per_item=True)}
    assert items == {"1": 1.0, "2": None}
    assert found.to_dict((), True)["items"][0]["value"] == 1.0


def test_verbose_tables_show_the_signature(result):
    table, further = score_tables([result], verbose=True)
    assert further.title == "mrp: further scores"
    assert any("metric:mrp|" in note for note in table.notes)


def test_plain_text_has_no_colours_and_no_trailing_blanks():
    table = Table(
        [Column("name"), Column("n", "number")], [("a", Ratio(0.5)), ("b", None)]
    )
    text = render([table], places=1)
    assert text.splitlines()[2:] == ["a     50.0", "b"]
    assert "\x1b" not in text


def test_terminal_text_has_colours(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in render([Table([Column("a")], [("b",)], "title")], terminal=True)


def test_the_table_of_the_five_frameworks_fits_into_eighty_columns(monkeypatch):
    from graphscore import score
    from tests.cli.conftest import ALDER, GOLD

    monkeypatch.setenv("COLUMNS", "80")
    table = group_table(score(GOLD, ALDER), ("framework",))
    lines = render([table], terminal=True).splitlines()
    assert len(lines) == 2 + 5 + 1 + 2


def test_no_cell_can_act_on_the_terminal():
    hostile = "\x1b]0;x\x07\n[red]\u202eabc"
    text = render([Table([Column(hostile)], [(hostile,)], hostile, [hostile])])
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[red]" in text
    assert cell(hostile).count("\n") == 0
    assert visible("tab\tand\nline") == "tab\tand\nline"


def test_html_escapes(result):
    result.system = "<script>"
    html = result._repr_html_()
    assert "<script>" not in html
    assert html.startswith("<table>")


def test_metric_names_are_kept(result):
    assert str(parse("mrp")) in score_tables([result])[0].title


def test_nothing_hostile_reaches_a_page():
    bad = "<img onerror=x>\"' \x1b[31m\u202e\u200b\ud800\n"
    page = html_table(Table([Column(bad)], [(bad,)], title=bad))
    page.encode()
    assert "<img" not in page
    assert not any(c in page for c in "\x1b\u202e\u200b\ud800\n")
    assert page.count("\\ud800") == 3


def test_several_metrics_without_tuple_types_are_one_table():
    paths = [str(DATA / f"dependencies/{name}.conllu") for name in ("gold", "parser")]
    results = score(*paths, ["uas", "las"])
    [table] = score_tables(results)
    assert [row[0] for row in table.rows] == ["uas", "las"]
    assert [column.name for column in table.columns][:4] == ["metric", "P", "R", "F1"]
    assert len(score_tables(results, verbose=True)) == 3
