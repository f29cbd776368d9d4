"""Documents that metrics compare as a whole, opened by their id."""

import csv
import io

import pytest

from graphscore.evaluation.rows import contents
from tests.cli.conftest import DATA


def sentence(number, *words):
    rows = [f"# sent_id = s{number}", f"# text = {' '.join(word[0] for word in words)}"]
    for place, (form, head, relation) in enumerate(words, 1):
        rows.append(f"{place}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_")
    return "\n".join(rows) + "\n\n"


@pytest.fixture
def sides(tmp_path):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    first = sentence(1, ("Dogs", 2, "nsubj"), ("bark", 0, "root"))
    second = ("Cats", 2, "nsubj"), ("sleep", 0, "root")
    head = "# newdoc id = d1\n"
    gold.write_text(head + first + sentence(2, *second, ("here", 2, "advmod")))
    system.write_text(head + first + sentence(2, *second, ("here", 1, "obl")))
    return gold, system


def test_what_items_lists_show_opens(run, sides):
    for listed in run("items", *sides, "-m", "las").json:
        found = run("show", listed["item"], *sides, "-m", "las").json
        assert found["item"] == listed["item"]
        assert found["counts"]["all"]["f1"] == pytest.approx(listed["f1"]["ud"])
    assert listed["document"] == "d1"
    found = run("show", "d1", *sides, "-m", "las").json
    assert found["text"] == "Dogs bark\nCats sleep here"
    assert run("score", *sides, "-m", "las").json["counts"] == found["counts"]


def test_items_lists_sentences_worst_first(run, sides, tmp_path):
    found = run("items", *sides, "-m", "las").json
    assert [(each["item"], each["document"], each["f1"]) for each in found] == [
        ("s2", "d1", {"ud": pytest.approx(2 / 3)}),
        ("s1", "d1", {"ud": 1.0}),
    ]
    assert run("items", *sides, "-m", "las", "--worst", 1).json == found[:1]
    lines = run("items", *sides, "-m", "las", "--table").out.splitlines()
    # The one document that all are of has no column of its own.
    assert [line.split()[:2] for line in lines[2:4]] == [
        ["s2", "66.67"],
        ["s1", "100.00"],
    ]
    # The SQL is of documents: a store keeps what was compared.
    listed = run("items", *sides, "-m", "las", "--sql")
    assert [each["item"] for each in listed.json] == ["d1"]
    store = tmp_path / "runs.db"
    run("ingest", store, sides[0], "--as", "gold")
    run("ingest", store, sides[1], "--as", "peking")
    named = ("--gold", "gold", "--system", "peking", "-m", "las")
    of_store = run("items", store, *named).json
    assert [each | {"system": "system"} for each in of_store] == found
    store.chmod(0o444)
    assert run("items", store, *named).json == of_store


def test_a_sentence_that_the_system_cut_otherwise_opens_its_document(
    run, sides, tmp_path
):
    gold, system = sides
    text = system.read_text().replace("# sent_id = s2", "# sent_id = s3")
    system.write_text(text.replace("s1", "s2").replace("s3", "s1"))
    found = run("items", *sides, "-m", "las").json
    assert [each["f1"]["ud"] for each in found] == [pytest.approx(2 / 3), 1.0]
    store = tmp_path / "runs.db"
    run("ingest", store, gold, "--as", "gold")
    run("ingest", store, system, "--as", "peking")
    named = ("--gold", "gold", "--system", "peking", "-m", "las")
    for each in found:
        shown = run("show", each["item"], *sides, "-m", "las").json
        assert shown["item"] == "d1"
        shares = {part["item"]: part["count"]["f1"] for part in shown["sentences"]}
        assert shares[each["item"]] == each["f1"]["ud"]
        assert run("show", each["item"], store, *named).json == shown
    out = run("show", "s2", *sides, "-m", "las", "--table").out
    assert "the system has other sentences here; 2 of gold were compared" in out
    assert "Dogs" not in out
    assert "~ s2:3 here -2:sleep -advmod +1:Cats +obl" in " ".join(out.split())
    # Of a document all sentences take part, whatever the system calls them.
    system.write_text(system.read_text().replace("sent_id = s", "sent_id = x"))
    shown = run("show", "d1", *sides, "-m", "las").json
    assert shown["counts"] == run("score", *sides, "-m", "las").json["counts"]


def test_of_a_store_only_the_document_is_read(run, sides, tmp_path, monkeypatch):
    store, (gold, system) = tmp_path / "runs.db", sides
    for side in sides:
        text = side.read_text()
        others = (text.replace("d1", f"e{n}").replace("= s", f"= e{n}s") for n in "234")
        side.write_text(text + "".join(others))
    run("ingest", store, gold, "--as", "gold")
    run("ingest", store, system, "--as", "peking")
    named = ("--gold", "gold", "--system", "peking", "-m", "las")
    read = []
    load = contents.load_present

    def counting(connection, ids):
        read.extend(ids)
        return load(connection, ids)

    monkeypatch.setattr(contents, "load_present", counting)
    assert run("show", "d1", store, *named).json["item"] == "d1"
    assert len(read) == 4
    read.clear()
    assert run("show", "--explain", "d1", store, *named).code == 0
    assert len(read) == 4
    read.clear()
    found = run("show", "e2s9", store, *named)
    assert found.code == 3
    assert "did you mean" in found.err
    assert read == []


def test_a_document_lists_its_sentences_which_add_up(run, sides):
    found = run("show", "d1", *sides, "-m", "las").json
    assert [each["item"] for each in found["sentences"]] == ["s1", "s2"]
    assert [each["text"] for each in found["sentences"]] == [
        "Dogs bark",
        "Cats sleep here",
    ]
    amounts = [
        tuple(each["count"][name] for name in ("gold", "system", "matched"))
        for each in found["sentences"]
    ]
    assert amounts == [(2, 2, 2), (3, 3, 2)]
    for each in found["sentences"]:
        alone = run("show", each["item"], *sides, "-m", "las").json
        assert "sentences" not in alone
        assert alone["counts"]["all"] == each["count"]


def test_a_table_of_a_document_lists_what_differs_in_which_sentence(run, sides):
    out = run("show", "d1", *sides, "-m", "las", "--table").out
    assert "Words that differ; 4 more of 5 are not listed\n" in out
    [wrong] = [line for line in out.splitlines() if line.startswith("~ ")]
    assert wrong.split()[1:] == [
        "s2:3",
        "here",
        "-2:sleep",
        "-advmod",
        "+1:Cats",
        "+obl",
    ]
    rows = csv.DictReader(io.StringIO(run("show", "d1", *sides, "--csv").out))
    assert {row["item"] for row in rows} == {"d1"}


def test_a_document_opens_from_a_store_as_from_files(run, sides, tmp_path):
    store, (gold, system) = tmp_path / "runs.db", sides
    run("ingest", store, gold, "--as", "gold")
    run("ingest", store, system, "--as", "peking")
    named = ("--gold", "gold", "--system", "peking", "-m", "las")
    from_files = run("show", "d1", *sides, "-m", "las").json
    assert run("show", "d1", store, *named).json == from_files
    found = run("show", "d2", store, *named)
    assert found.code == 3
    assert "no item 'd2'" in found.err
    assert "'d1'" in found.err


def test_a_document_that_the_system_lacks_is_shown(run, sides, tmp_path):
    gold, system = sides
    other = sentence(9, ("Rain", 0, "root"))
    gold.write_text(gold.read_text() + "# newdoc id = d2\n" + other)
    found = run("show", "d2", gold, system, "-m", "las").json
    assert found["missing"]
    assert {row["mark"] for row in found["nodes"]} == {"-"}


def test_documents_that_were_joined_open_by_their_common_name(run, sides):
    gold, system = sides
    gold.write_text(
        gold.read_text().replace("# sent_id = s2", "# newdoc id = d2\n# sent_id = s2")
    )
    [listed] = run("items", gold, system, "-m", "las", "--sql").json
    assert listed["item"] == "d1..d2"
    found = run("show", "d1..d2", gold, system, "-m", "las").json
    assert found["counts"]["all"]["f1"] == pytest.approx(listed["f1"]["ud"])
    listed = run("items", gold, system, "-m", "las").json
    assert [(each["item"], each["document"]) for each in listed] == [
        ("s2", "d2"),
        ("s1", "d1"),
    ]
    assert [each["item"] for each in found["sentences"]] == ["s1", "s2"]
    missing = run("show", "d1..d9", gold, system, "-m", "las")
    assert missing.code == 3
    assert "no item 'd1..d9'" in missing.err


@pytest.mark.parametrize(
    "name",
    ["abstracts.jsonl", "incidents.key", "news.iob2", "wire.json"],
)
def test_what_items_lists_of_bundled_files_opens(run, name):
    file = DATA / "ie" / name
    listed = run("items", file, file).json
    assert listed
    found = run("show", listed[-1]["item"], file, file, "--table")
    assert found.code == 0, found.err
    assert found.out.startswith(f"{listed[-1]['item']} (")


def test_what_is_said_of_a_sentence_is_of_it_alone(run, sides):
    """The system cuts the document otherwise: it is compared as a whole."""
    _, system = sides
    whole = system.read_text().replace("sent_id = s1", "sent_id = x1")
    system.write_text(whole.replace("sent_id = s2", "sent_id = x2"))
    found = run("show", "s2", *sides, "-m", "las", "--table", "--width", 90)
    assert "Words that differ; 2 more of 3 are not listed\n" in found.out
    # Of its three words one has another head; the document has five.
    assert found.out.rstrip().splitlines()[-1].split()[:4] == ["all", "3", "3", "2"]
    assert "1:Dogs" not in found.out


def test_a_layer_that_the_system_lacks_is_no_comparison(run, sides):
    gold, _ = sides
    text = gold.read_text()
    for number, head in enumerate(("2:nsubj", "0:root", "2:nsubj", "0:root", "2:x")):
        rows = text.splitlines()
        words = [k for k, row in enumerate(rows) if row[:1].isdigit()]
        cells = rows[words[number]].split("\t")
        cells[8] = head
        rows[words[number]] = "\t".join(cells)
        text = "\n".join(rows) + "\n"
    gold.write_text(text + "\n")
    found = run("show", "s1", *sides, "--table")
    assert "udeval does not score eud: 1 graph left out\n" in found.err
    assert "(eud)" not in found.out
    assert "(ud), udeval" in found.out
    # Who asks for it sees that it is missing.
    alone = run("show", "s1", *sides, "--framework", "eud", "--table")
    assert "the system has no such graph" in alone.out
