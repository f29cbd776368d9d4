"""Of dependency trees the items are sentences; what is said of each item in a list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from graphscore import Store
from graphscore.explorer.app import PAGES
from graphscore.explorer.reader import Reader, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.urls import Parameters
from graphscore.report.table import cell
from tests.conftest import DATA


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A store of trees, and of documents of coreference."""
    path = str(tmp_path_factory.mktemp("sentences") / "runs.db")
    trees, coreference = DATA / "dependencies", DATA / "coreference"
    with Store(path, mode="create") as store:
        store.ingest(str(trees / "gold.conllu"), "gold")
        for name in ("parser", "gold"):
            store.ingest(str(trees / f"{name}.conllu"), f"by-{name}")
            store.score("gold", f"by-{name}", "las")
        store.ingest(str(coreference / "key.conll"), "key")
        store.ingest(str(coreference / "response.conll"), "response")
        store.score("key", "response", "conll")
    opened = Reader(path)
    yield opened
    opened.close()


def shown(reader: Reader, path: str, made: str = "", **given: str) -> Page:
    result = PAGES[path](reader, {"name": made}, Parameters(given))
    assert isinstance(result, Page)
    return result


def names(reader: Reader) -> dict[str, str]:
    return {each.system: name_of(each) for each in reader.evaluations()}


def columns(page: Page) -> dict[str, list[str]]:
    table: Any = page.values["table"]
    cells = zip(*table.rows, strict=True)
    heads = (column.name for column in table.columns)
    return dict(zip(heads, ([cell(x) for x in each] for each in cells), strict=True))


def test_sentences_are_the_items_of_trees(reader: Reader) -> None:
    parser = names(reader)["by-parser"]
    table = columns(shown(reader, "/evaluation/{name}/items", parser))
    assert table["item"] == ["trams-3", "trams-2", "trams-1"]
    assert {*table["document"]} == {"gold"}
    assert table["text"][0] == "Rain rarely stops the night boats."
    assert table["gold"] == ["7", "7", "9"]
    assert table["errors"] == ["6", "4", "2"]
    assert table["most telling errors"][2] == "≠ head+deprel nmod → obl (Porto)"
    item = shown(reader, "/evaluation/{name}/item", parser, id="trams-3")
    assert item.values["said"] == "1 of 3"
    [unit] = item.values["units"]
    assert unit.picture.startswith("<figure")
    assert unit.errors.title == "6 errors"
    # The document is there, too, and leads to its sentences.
    whole = shown(reader, "/evaluation/{name}/item", parser, id="gold")
    assert whole.values["sentences"].endswith("/items?document=gold")


def test_sentences_of_two_systems_are_compared(reader: Reader) -> None:
    both = names(reader)
    systems = {"baseline": both["by-parser"], "system": both["by-gold"]}
    page = shown(reader, "/compare", **systems, order="better")
    assert next(cell(row[0]) for row in page.values["items"].rows) == "trams-3"
    [table] = shown(reader, "/compare", **systems, item="trams-1").values["tables"]
    assert [cell(row[0]) for row in table.rows] == ["fixed", "fixed"]


def test_documents_stay_the_items_of_coreference(reader: Reader) -> None:
    made = names(reader)["response"]
    table = columns(shown(reader, "/evaluation/{name}/items", made))
    assert table["item"] == ["orchard", "harbour"]
    assert table["text"][0].startswith("A farmer planted pear trees")
    assert "− mentions pear trees" in table["most telling errors"][0]
