"""Pages allow what is in them, and nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from graphscore import Store, report_html
from graphscore.cli.main import cli
from graphscore.errors import UsageError
from graphscore.report.page.page import digest, page
from tests.conftest import DATA


class Elements(HTMLParser):
    """Elements with their attributes, and the texts of styles and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.texts.setdefault(self.cdata_elem, []).append(data)


def test_the_policy_names_the_style_sheet_and_the_script_and_nothing_else() -> None:
    elements = Elements(page("t", ["<p>one</p>"]))
    [policy] = [
        attributes["content"] or ""
        for tag, attributes in elements.found
        if "http-equiv" in attributes
    ]
    [style], [script] = elements.texts["style"], elements.texts["script"]
    assert f"style-src '{digest(style)}'" in policy
    assert f"script-src '{digest(script)}'" in policy
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")


def test_a_page_asks_for_nothing() -> None:
    text = page("<b>", ["<p>one</p>"])
    assert not re.search(r"https?://|url\(|@import|src=|href=", text)
    assert "<title>&lt;b&gt;</title>" in text
    for _, attributes in Elements(text).found:
        assert not any(name == "style" or name.startswith("on") for name in attributes)


def test_the_door_of_python_gives_the_page_of_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Long names are cut.
    monkeypatch.chdir(DATA)
    gold, alder = "gold.mrp", "alder.mrp"
    page = report_html(gold, alder, samples=20, worst=2)
    options = ["--samples", "20", "--worst", "2", "--html", "-", "-q"]
    made = CliRunner().invoke(cli, ["report", gold, alder, *options]).stdout
    # The command is known to the command line alone.
    told = re.sub(r"<p>The command:</p><pre>.*?</pre>", "", made, flags=re.DOTALL)
    assert page == told != made
    with Store("sqlite://", mode="create") as store:
        store.ingest(gold, "gold")
        store.ingest(alder, "alder")
        stored = report_html(store, "gold", "alder", samples=20, worst=2)
    stored = stored.replace("because the collections", "because the files")
    assert stored == page.replace(gold, "gold").replace(alder, "alder")


def test_graphs_in_memory_have_the_names_that_they_are_given() -> None:
    gold = [["B-PER", "O"]]
    one, two = [["O", "O"]], [["B-PER", "O"]]
    page = report_html(gold, one, two, compare=True, names=["old", "new"], samples=20)
    assert "old, new against" in page
    with pytest.raises(UsageError, match="two or more systems"):
        report_html(gold, one, compare=True)
    with pytest.raises(UsageError, match="expected gold and one or more"):
        report_html(gold)
    with pytest.raises(UsageError, match="1 names of 2"):
        report_html(gold, one, two, names=["one"])
