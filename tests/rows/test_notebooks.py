"""What notebooks show: HTML and Markdown of all that has rows, and pictures."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

import graphscore
from graphscore import Result, Store, score
from graphscore.report import notebook, plots
from graphscore.report.table import Column, Table
from graphscore.report.text import COLUMNS, render, svg
from graphscore.statistics import across
from tests.conftest import DATA

GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))


@pytest.fixture(scope="module")
def result() -> Result:
    return score(GOLD, ALDER, "mrp")


@pytest.fixture(scope="module")
def things(result: Result) -> dict[str, Any]:
    drawn = {"metric": "mrp", "samples": 20}
    with Store("sqlite://", mode="create") as store:
        store.ingest(GOLD, "gold")
        store.ingest(ALDER, "alder")
        store.score("gold", "alder", "mrp")
        counted = store.errors(top=5)
    return {
        "result": result,
        "items": result.items,
        "errors": result.errors,
        "confusions": result.confusions,
        "compare": graphscore.compare(GOLD, ALDER, BIRCH, **drawn),
        "agree": graphscore.agree(GOLD, ALDER, **drawn),
        "whatif": graphscore.whatif(GOLD, ALDER, metric="mrp"),
        "store": counted,
        "across": across([[result]], samples=20),
    }


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("result", ["mrp", "ucca", "90.93", "macro"]),
        ("items", ["sample-01", "20 of 73 items"]),
        ("errors", ["256 errors", "edges", "20 of 256 errors"]),
        ("confusions", ["gold_value", "20 of 38 pair"]),
        ("compare", ["adj. p", "W/T/L"]),
        ("agree", ["only", "mean"]),
        ("whatif", ["if right", "gain"]),
        ("store", ["instead", "ADDR-arg instead (1)"]),
        ("across", ["across frameworks", "rank"]),
    ],
)
def test_tables_are_the_same_in_html_and_markdown(
    things: dict[str, Any], name: str, words: list[str]
) -> None:
    html, text = things[name]._repr_html_(), things[name]._repr_markdown_()
    tree = ElementTree.fromstring(f"<div>{html}</div>")
    told = " ".join(tree.itertext())
    for word in words:
        assert word in told
        assert word in re.sub(r"\\(.)", r"\1", text)
    assert len(tree.findall(".//tbody/tr")) == sum(
        line.startswith("| ") for line in text.splitlines()
    ) - 2 * len(tree.findall("table"))


def test_what_is_right_shows_that_there_is_nothing() -> None:
    right = score(GOLD, GOLD, "mrp")
    assert "0 errors" in right.errors._repr_html_()
    assert "0 confusions" in right.confusions._repr_markdown_()


def test_hostile_names_do_not_act(result: Result) -> None:
    found = score(GOLD, ALDER, "mrp")
    found.system = "<b>|*\x1b[31m"
    for rows in (found, found.items, found.errors, found.confusions):
        assert "<b>|" not in rows._repr_html_()
        assert "<b>|" not in rows._repr_markdown_()
        assert "\x1b" not in rows._repr_html_() + rows._repr_markdown_()


def test_pictures_are_drawn_where_there_are_some(things: dict[str, Any]) -> None:
    pytest.importorskip("altair", reason="needs the extra plots")
    result = things["result"]
    picture = result._repr_svg_()
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert picture != svg(result.tables())


def test_tables_are_pictures_as_well(things: dict[str, Any]) -> None:
    for name in set(things) - {"result"}:
        tree = ElementTree.fromstring(things[name]._repr_svg_())
        lines = ["".join(each.itertext()) for each in tree.iter() if "text" in each.tag]
        told = render(things[name].tables(), width=COLUMNS)
        assert lines == [line.strip() for line in told.splitlines() if line.strip()]


def test_tables_as_pictures_know_their_size() -> None:
    tree = ElementTree.fromstring(svg([Table([Column("語 a")], [("<b>&\x1b",)])]))
    wide, high = (float(tree.attrib[name]) for name in ("width", "height"))
    texts = [each for each in tree.iter() if each.tag.endswith("text")]
    assert len(texts) == 3
    assert "\x1b" not in "".join(tree.itertext())
    for each in texts:
        assert float(each.attrib["x"]) + float(each.attrib["textLength"]) <= wide
        assert 0 < float(each.attrib["y"]) < high


def test_without_the_extra_there_is_no_picture(
    result: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "NEEDED", (*plots.NEEDED, "no_such_library"))
    assert notebook.picture(result) is None
    assert result._repr_svg_() == svg(result.tables())
