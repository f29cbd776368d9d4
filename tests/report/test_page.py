"""Pages allow what is in them, and nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore import Store, report_html
from graphscore.cli.main import cli
from graphscore.exceptions import UsageError
from graphscore.report.page.templating import digest, file_page
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
    elements = Elements(file_page("file.html", "t"))
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
    text = file_page("file.html", "<b>")
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
    with pytest.raises(UsageError, match="1 name of 2 systems"):
        report_html(gold, one, two, names=["one"])


SENTENCES = """\
# newdoc id = d
# sent_id = a
# text = Dogs bark
1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_

# sent_id = b
# text = Cats sleep
1\tCats\tcat\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tsleep\tsleep\tVERB\tVBP\t_\t0\troot\t_\t_

"""


def _trees(folder: Path, text: str) -> str:
    folder.mkdir()
    path = folder / "trees.conllu"
    path.write_text(text, encoding="utf-8")
    return str(path)


def _items(text: str) -> list[str]:
    return re.findall(r'<h3 id="i\d+-h">([^<]*)</h3>', text)


def test_the_items_of_trees_are_sentences_from_files_and_from_a_store(
    tmp_path: Path,
) -> None:
    gold = _trees(tmp_path / "gold", SENTENCES)
    head, _, tail = SENTENCES.rpartition("nsubj")
    wrong = _trees(tmp_path / "system", f"{head}obj{tail}")
    text = report_html(gold, wrong, metric="las", samples=20)
    assert _items(text) == ["b", "a"]
    assert "≠ deprel nsubj → obj (Cats)" in text
    # What both pictures and errors are of is the sentence alone.
    assert text.count('<figure class="picture') == 2
    assert "no errors" in text
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        store.ingest(gold, "gold")
        store.ingest(wrong, "system")
        stored = report_html(store, "gold", "system", metric="las", samples=20)
        assert _items(stored) == ["b", "a"]
        assert stored.count('<figure class="picture') == 2


def test_a_document_that_the_system_cuts_otherwise_stays_whole(tmp_path: Path) -> None:
    gold = _trees(tmp_path / "gold", SENTENCES)
    joined = (
        SENTENCES.replace("Dogs bark\n", "Dogs bark Cats sleep\n")
        .replace("\n# sent_id = b\n# text = Cats sleep\n1\tCats", "3\tCats")
        .replace("\t2\tnsubj\t_\t_\n2\tsleep", "\t4\tnsubj\t_\t_\n4\tsleep")
    )
    text = report_html(gold, _trees(tmp_path / "s", joined), metric="las", samples=20)
    assert _items(text) == ["d"]


def test_captions_show_no_markup_and_titles_no_folders(tmp_path: Path) -> None:
    gold = _trees(tmp_path / "gold", SENTENCES)
    wrong = _trees(tmp_path / "system", SENTENCES.replace("nsubj", "obj", 1))
    text = report_html(gold, wrong, metric="las", samples=20)
    assert "&lt;a href" not in text
    assert str(tmp_path) not in text
    assert "<title>system/trees.conllu against gold/trees.conllu: report" in text
