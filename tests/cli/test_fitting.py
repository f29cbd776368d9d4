"""Tables that are wider than what shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.report.column_widths import fitted
from graphscore.report.table import Column, Ratio, Table, cell
from graphscore.report.text import render

NUMBERS = [Column(f"kind{n}", "number") for n in range(9)]


def shown(table, width):
    """The lines of a table in as many columns, and that they are no longer."""
    lines = render([table], width=width).splitlines()
    assert max(map(len, lines)) <= width
    return lines


@given(st.lists(st.integers(0, 10**9), min_size=9, max_size=9), st.integers(30, 130))
def test_numbers_are_never_broken(numbers, width):
    columns = [Column("system"), Column("metric"), *NUMBERS]
    rows = [(f"folder/{name}" * 9, "mrp", *numbers) for name in "ab"]
    words = " ".join(shown(Table(columns, rows), width)).split()
    assert all(words.count(str(each)) >= 2 for each in numbers)
    assert {column.name for column in NUMBERS} <= set(words)


def test_what_fits_stays():
    table = Table([Column("a"), Column("b"), Column("n", "number")], [("x", "", 1)] * 2)
    assert fitted(table, 5, cell) == [table]
    assert shown(table, 20)[0].split() == ["a", "b", "n"]


def test_what_says_nothing_goes_first():
    columns = [
        Column("system"),
        Column("metric"),
        Column("layer"),
        Column("F1", "number"),
    ]
    rows = [(f"/a/long/way/{name}.mrp", "smatch", None, Ratio(0.5)) for name in "xy"]
    table = Table(columns, rows)
    assert [each.name for each in fitted(table, 35, cell)[0].columns] == [
        *("system", "metric", "F1")
    ]
    [found] = fitted(table, 27, cell)
    assert [each.name for each in found.columns] == ["system", "F1"]
    assert found.notes == ["empty: layer", "metric: smatch"]
    [found] = fitted(table, 15, cell)
    assert found.rows == [("x.mrp", 0.5), ("y.mrp", 0.5)]
    assert found.notes[-1] == "system: /a/long/way/…"
    assert table.rows == rows


def test_precision_recall_and_f1_stay_in_one_block():
    last = [
        Column("all P", "number"),
        *(Column(x, "number", joined=True) for x in ("R", "F1")),
    ]
    columns = [Column("framework"), *NUMBERS[:4], *last]
    table = Table(columns, [("amr", *[Ratio(0.5)] * 7)], "title", ["note"])
    first, second = fitted(table, 40, cell)
    assert [each.name for each in first.columns[1:]] == [f"kind{n}" for n in range(4)]
    assert [each.name for each in second.columns] == ["framework", "all P", "R", "F1"]
    assert (first.title, first.notes) == ("title", [])
    assert (second.title, second.notes) == ("", ["note"])


def test_records_are_shown_a_line_per_cell():
    columns = [Column(f"column{n}") for n in range(9)]
    rows = [tuple(f"{row}{n}" for n in range(9)) for row in "ab"]
    lines = shown(Table(columns, rows, records=True), 40)
    assert lines[0].split() == ["column", "value"]
    assert [line.split() for line in lines[2:]] == [
        *([f"column{n}", f"a{n}"] for n in range(9)),
        [],
        *([f"column{n}", f"b{n}"] for n in range(9)),
    ]


def test_a_number_that_is_wider_than_everything_is_shown_whole():
    number = 10**59 + 7
    lines = render([Table([Column("n", "number")], [(number,)])], width=20).splitlines()
    assert "".join("".join(line.split()) for line in lines[2:]) == str(number)


def test_tables_without_rows_or_columns_stay():
    for table in (Table([]), Table([Column("a" * 30)]), Table([], title="only")):
        assert render([table], width=20) is not None
        assert fitted(table, 30, cell) == [table]


@pytest.mark.parametrize(("value", "bold"), [("1", False), ("", True)])
def test_nothing_is_bold_where_nobody_wants_colours(monkeypatch, value, bold):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", value)
    table = Table([Column("a")], [("b",)], "title")
    assert ("\x1b[" in render([table], terminal=True)) is bold


def test_width_is_an_option_in_pipes_too(run):
    from tests.cli.conftest import ALDER, GOLD

    found = run("score", GOLD, ALDER, "--table", "--width", 50, "-q").out
    assert max(map(len, found.splitlines())) <= 50
    assert "100.00" in found.split()
    assert run("score", GOLD, ALDER, "--width", 5).code == 2
