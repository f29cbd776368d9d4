import bz2
import gzip
import json
import lzma
import os
from pathlib import Path

import msgspec
import pytest

from graphscore.formats import formats, read_file
from tests.cli.conftest import DATA, GOLD, record


def graphs(path):
    """The graphs of a file, but for the document, which its name gives."""
    return [
        msgspec.structs.replace(each.graph, document="")
        for each in read_file(str(path))
    ]


def left(folder):
    """Names in a folder, hidden ones too: nothing may be left behind."""
    return sorted(os.listdir(folder))


def test_mrp_comes_back_as_it_was(run, tmp_path):
    out = tmp_path / "new.mrp"
    found = run("convert", GOLD, out)
    assert found.code == 0
    assert found.out == ""
    assert found.err == f"{out}: 73 graphs as mrp\n"
    assert graphs(out) == graphs(GOLD)
    assert left(tmp_path) == ["new.mrp"]


def test_quiet_says_nothing(run, tmp_path):
    assert run("convert", GOLD, tmp_path / "a.ids", "-q").err == ""


@pytest.mark.parametrize("name", [n for n, f in formats().items() if f.write])
def test_every_format_that_can_be_written_is_written(run, tmp_path, name):
    found = run("convert", GOLD, tmp_path / "out", "--to", name, "--keep-going")
    assert found.code == 0
    assert f"graphs as {name}" in found.err
    assert (tmp_path / "out").exists()


def test_the_ending_tells_the_format(run, tmp_path):
    assert run("convert", GOLD, tmp_path / "a.dot").code == 0
    assert (tmp_path / "a.dot").read_text().startswith('digraph "sample-01" {')
    # AMR files end in .txt too, but plain text lists it first.
    assert run("convert", GOLD, tmp_path / "a.txt").code == 0
    assert (tmp_path / "a.txt").read_text().startswith("sample-01\tZoë ate crème")
    assert len((tmp_path / "a.txt").read_text().splitlines()) == 17


@pytest.mark.parametrize(
    ("ending", "opener"), [("gz", gzip.open), ("bz2", bz2.open), ("xz", lzma.open)]
)
def test_what_is_compressed_is_written_compressed(run, tmp_path, ending, opener):
    out = tmp_path / f"a.ids.{ending}"
    assert run("convert", GOLD, out).code == 0
    with opener(out) as stream:
        assert stream.readline() == b"sample-01\n"
    again = tmp_path / f"b.ids.{ending}"
    assert run("convert", GOLD, again).code == 0
    assert again.read_bytes() == out.read_bytes()


def test_standard_input_to_standard_output(start):
    found = start("convert", "-", "-", "--to", "ids", stdin=record("7") + record("8"))
    assert (found.code, found.out, found.err) == (0, "7\n8\n", "")


def test_nothing_is_overwritten_unless_forced(run, tmp_path):
    out = tmp_path / "a.ids"
    out.write_text("mine")
    found = run("convert", GOLD, out)
    assert found.code == 2
    assert "exists; --force overwrites it" in found.err
    assert out.read_text() == "mine"
    assert run("convert", GOLD, out, "--force").code == 0
    assert out.read_text().startswith("sample-01\n")


def test_a_link_stays_a_link(run, tmp_path):
    target, link = tmp_path / "target.ids", tmp_path / "link.ids"
    target.write_text("old")
    link.symlink_to(target)
    assert run("convert", GOLD, link, "--force").code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("sample-01\n")


def test_a_file_can_be_converted_onto_itself(run, tmp_path):
    path = tmp_path / "a.mrp"
    path.write_text(record("1") + record("2"))
    before = graphs(path)
    assert run("convert", path, path, "--force").code == 0
    assert graphs(path) == before


BAD = record("1") + "{broken\n" + record("2") + record("3", tops=[9])


def test_bad_records_are_all_named_and_nothing_is_written(run, tmp_path):
    path, out = tmp_path / "bad.mrp", tmp_path / "out.dot"
    path.write_text(BAD)
    found = run("convert", path, out)
    assert found.code == 3
    assert f"{path}:2:" in found.err
    assert f"{path}:4:" in found.err
    assert "--keep-going" in found.err
    assert left(tmp_path) == ["bad.mrp"]
    found = run("convert", path, "-", "--to", "mrp")
    assert (found.code, found.out) == (3, "")


def test_keep_going_writes_the_good_records(run, tmp_path):
    path, out = tmp_path / "bad.mrp", tmp_path / "out.ids"
    path.write_text(BAD)
    found = run("convert", path, out, "--keep-going")
    assert found.code == 0
    assert f"{path}:2:" in found.err
    assert "2 graphs as ids, 2 bad records left out" in found.err
    assert out.read_text() == "1\n2\n"


def test_graphs_that_the_format_cannot_hold_are_all_named(run, tmp_path):
    path = tmp_path / "two.mrp"
    path.write_text(record("1") + record("2", "dm") + record("a\tb"))
    found = run("convert", path, tmp_path / "out.amr")
    assert found.code == 3
    assert f"{path}:2: item 2: found framework 'dm', expected amr" in found.err
    found = run("convert", path, tmp_path / "out.ids")
    assert found.code == 3
    assert "what ids cannot hold (item 'a\\tb': a tab or line break" in found.err
    assert left(tmp_path) == ["two.mrp"]


def test_a_folder_may_be_called_anything(run, tmp_path):
    ucca = tmp_path / "ucca"
    assert run("convert", GOLD, ucca, "--to", "ucca", "--keep-going").code == 0
    for name in ("ucca.v2/", "ucca.gold", "passages.mine/", "passages/"):
        found = run("convert", ucca, f"{tmp_path}/{name}")
        assert found.code == 0, found.err
        assert f"{name}: 13 graphs as ucca" in found.err
        assert left(tmp_path / name) == left(ucca)
    found = run(
        "convert", GOLD, tmp_path / "passages.v3", "--to", "ucca", "--keep-going"
    )
    assert found.code == 0
    assert left(tmp_path / "passages.v3") == left(ucca)


def test_a_format_of_one_graph_per_file_goes_into_a_folder(run, tmp_path):
    folder = tmp_path / "passages"
    found = run("convert", GOLD, folder, "--to", "ucca", "--keep-going")
    assert found.code == 0
    assert left(folder)[:2] == ["sample-01.xml", "sample-02.xml"]
    back = run("convert", folder, "-", "--to", "ids")
    assert len(back.out.splitlines()) == len(left(folder)) == 13
    scores = run("score", GOLD, folder, "--framework", "ucca").json
    assert scores["counts"]["all"]["f1"] == 1.0
    again = run("convert", GOLD, folder, "--to", "ucca", "--keep-going")
    assert again.code == 2
    assert "not empty; --force" in again.err
    forced = run("convert", GOLD, folder, "--to", "ucca", "--keep-going", "--force")
    assert forced.code == 0


def test_several_graphs_do_not_go_into_one_passage(run, tmp_path):
    ucca = tmp_path / "ucca"
    assert run("convert", GOLD, ucca, "--to", "ucca", "--keep-going").code == 0
    found = run("convert", ucca, tmp_path / "one.xml")
    assert found.code == 3
    assert "a UCCA file holds one passage; name a folder" in found.err
    found = run("convert", ucca, "-", "--to", "ucca")
    assert found.code == 2
    assert "name a folder as OUT" in found.err
    assert left(tmp_path) == ["ucca"]
    one = run("convert", ucca / "sample-01.xml", tmp_path / "one.xml")
    assert one.code == 0
    assert "1 graph as ucca" in one.err
    assert "<root" in run("convert", tmp_path / "one.xml", "-", "--to", "ucca").out


def test_an_id_never_leaves_the_folder(run, tmp_path):
    leaf = [{"id": 0, "anchors": [{"from": 0, "to": 4}]}]
    path = tmp_path / "a.mrp"
    lines = [
        record(item, "ucca", flavor=1, nodes=leaf, edges=[])
        for item in ("../../x", "/etc/x", ".x")
    ]
    path.write_text("".join(lines))
    assert run("convert", path, tmp_path / "out", "--to", "ucca").code == 0
    assert left(tmp_path / "out") == ["_.._x.xml", "_etc_x.xml", "x.xml"]
    path.write_text(lines[0] + lines[0].replace("../../x", "..?..?x"))
    found = run("convert", path, tmp_path / "new", "--to", "ucca")
    assert found.code == 3
    assert "two items would be written to _.._x.xml" in found.err
    assert left(tmp_path) == ["a.mrp", "out"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-",), "- has no ending: name the format with --to"),
        (("a.xyz",), "no format that can be written ends in '.xyz'"),
        (("a",), "no format that can be written ends in 'nothing'"),
        (("a.mrp", "--to", "nope"), "no format 'nope'"),
        (("a.xml", "--to", "framenet-xml"), "framenet-xml can be read but not written"),
        (("a.mrp", "--from", "dot"), "the format dot can be written but not read"),
        (("a.mrp", "--from", "nope"), "no format 'nope'"),
        (("a.mrp.zip",), "zip files are not written"),
        (("none/a.mrp",), "no directory"),
        (("/dev/null", "--to", "mrp", "--force"), "is not a file; - is standard"),
    ],
)
def test_what_cannot_be_done_is_said(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    found = run("convert", GOLD, *arguments)
    assert found.code == 2, found.err
    assert message in found.err
    assert left(tmp_path) == []


def test_an_input_that_is_not_there_is_said(run, tmp_path):
    found = run("convert", tmp_path / "none", tmp_path / "a.mrp")
    assert found.code == 3
    assert "no such file" in found.err
    assert left(tmp_path) == []


def test_an_interrupted_write_leaves_nothing(run, tmp_path, monkeypatch):
    import graphscore.files

    def fails(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(graphscore.files.os, "replace", fails)
    found = run("convert", GOLD, tmp_path / "a.mrp")
    assert found.code == 3
    assert "No space left" in found.err
    ucca = ("--to", "ucca", "--keep-going")
    assert run("convert", GOLD, tmp_path / "folder", *ucca).code == 3
    assert left(tmp_path) == []


def test_permissions_are_those_of_any_new_file(run, tmp_path):
    out, other = tmp_path / "a.ids", tmp_path / "other"
    other.write_text("")
    assert run("convert", GOLD, out).code == 0
    assert Path(out).stat().st_mode == other.stat().st_mode


def test_coreference_is_written_with_the_sentences_that_say_it(run, tmp_path):
    row = "1\tJo\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-person-1)\n\n"
    source, out = tmp_path / "a.conllu", tmp_path / "b.conllu"
    source.write_text(f"# newdoc id = d\n# global.Entity = eid-etype-head\n{row}")
    found = run("convert", source, out, "--to", "conllu")
    assert (found.code, out.read_text()) == (0, source.read_text())
    alone = tmp_path / "c.conll"
    alone.write_text("#begin document (d); part 000\nJo (1)\n#end document\n")
    found = run("convert", alone, tmp_path / "d.conllu", "--to", "conllu")
    assert found.code == 3
    assert "item 'd/0': conllu cannot hold it: the layers of its document" in found.err
    assert not (tmp_path / "d.conllu").exists()


def test_one_layer_of_a_file_is_written(run, tmp_path):
    source, out = DATA / "ner" / "gazette.tsv", tmp_path / "gazette.mrp"
    assert run("convert", source, out, "--framework", "etree").code == 0
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert {each["framework"] for each in written} == {"etree"}
    both = ["--framework", "etree", "--framework", "ner", "--force"]
    assert run("convert", source, out, *both).code == 0
    assert len(out.read_text().splitlines()) == 2 * len(written)


def test_a_layer_that_is_not_there_is_an_error(run, tmp_path):
    out = tmp_path / "gazette.mrp"
    found = run("convert", DATA / "ner" / "gazette.tsv", out, "--framework", "amr")
    assert found.code == 2
    assert "gazette.tsv has etree, ner" in found.err
    assert not out.exists()


# Several inputs, folders, endings of several formats.

WORDS = (
    "# sent_id = 1\n# text = Dogs bark\n"
    "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
)


def test_an_ending_of_several_formats_means_that_of_the_input(run, tmp_path):
    for name, text, chosen in (
        ("a.conllu", WORDS, "conllu"),
        ("b.conllu", (DATA / "srl/market.conllu").read_text(), "conllu-srl"),
    ):
        (tmp_path / name).write_text(text)
        out = tmp_path / f"new-{name}"
        found = run("convert", tmp_path / name, out)
        assert found.code == 0
        assert f"as {chosen}" in found.err
        assert out.read_text() == text


def test_an_ending_of_several_formats_means_the_one_that_holds_it(run, tmp_path):
    (tmp_path / "a.conllu").write_text(WORDS)
    assert run("convert", tmp_path / "a.conllu", tmp_path / "a.mrp").code == 0
    found = run("convert", tmp_path / "a.mrp", tmp_path / "b.conllu")
    assert (found.code, (tmp_path / "b.conllu").read_text()) == (0, WORDS)
    nine = DATA / "srl" / "market.conll09"
    assert "as conllu-srl" in run("convert", nine, tmp_path / "c.conllu").err
    none = run("convert", GOLD, tmp_path / "d.conllu")
    assert none.code == 2
    assert "files of conllu and conllu-srl end like this" in none.err


def test_several_inputs_become_one_file(run, tmp_path):
    for name in ("1", "2"):
        (tmp_path / f"{name}.mrp").write_text(record(name))
    out = tmp_path / "all.jsonl"
    found = run("convert", tmp_path / "1.mrp", tmp_path / "2.mrp", out, "--to", "mrp")
    assert found.err == f"{out}: 2 graphs as mrp\n"
    assert [graph.id for graph in graphs(out)] == ["1", "2"]
    twice = run("convert", "-", "-", out, "--to", "mrp", "--force", stdin=record("1"))
    assert (twice.code, "only once" in twice.err) == (2, True)


def test_a_slash_makes_a_folder_of_a_file_for_each(run, tmp_path):
    for name in ("x.1", "y"):
        (tmp_path / f"{name}.mrp").write_text(record(name))
    (tmp_path / "LICENSE").write_text("Do as you please.")
    found = run("convert", tmp_path, f"{tmp_path}/new.d/", "--to", "ids")
    assert found.err == (
        f"{tmp_path}: left alone: LICENSE (of no known format)\n"
        f"{tmp_path}/new.d/: 2 graphs as ids\n"
    )
    assert left(tmp_path / "new.d") == ["x.1.ids", "y.ids"]
    again = run("convert", tmp_path / "y.mrp", tmp_path / "new.d", "--to", "mrp")
    assert "is not empty" in again.err
    forced = run(
        "convert", tmp_path / "y.mrp", tmp_path / "new.d", "--to", "mrp", "--force"
    )
    assert forced.code == 0
    assert left(tmp_path / "new.d") == ["x.1.ids", "y.ids", "y.mrp"]


def test_two_files_of_one_name_are_not_written_over_each_other(run, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.mrp").write_text(record(folder))
    found = run(
        "convert", tmp_path / "a", tmp_path / "b", f"{tmp_path}/c/", "--to", "mrp"
    )
    assert found.code == 3
    assert "two files would be written to x.mrp" in found.err
    assert not (tmp_path / "c").exists()


def test_one_graph_a_file_makes_a_folder_whatever_its_name(run, tmp_path):
    ucca = ("--framework", "ucca", "--keep-going")
    found = run("convert", GOLD, tmp_path / "ucca.v1.2", "--to", "ucca", *ucca)
    assert found.code == 0
    assert len(left(tmp_path / "ucca.v1.2")) == 13
    single = run("convert", GOLD, tmp_path / "one.xml", "--to", "ucca", *ucca)
    assert single.code == 3
    assert not (tmp_path / "one.xml").exists()
    (tmp_path / "file").write_text("")
    there = run("convert", GOLD, tmp_path / "file", "--to", "ucca", "--force")
    assert (there.code, "not a folder" in there.err) == (2, True)
    # A name that ends like another format's files.
    fourth = tmp_path / "ucca.v4"
    other = run("convert", tmp_path / "ucca.v1.2", fourth)
    assert (other.code, left(tmp_path)) == (2, ["file", "ucca.v1.2"])
    assert f"name {fourth}/ for a folder of ucca, or another" in other.err
    assert run("convert", tmp_path / "ucca.v1.2", f"{fourth}/").code == 0
    assert left(fourth) == left(tmp_path / "ucca.v1.2")


# Documents that are two files each.

BRAT = "ie/brat"


def test_documents_of_brat_go_into_a_folder_and_come_back(run, sample, tmp_path):
    found = run("convert", sample / BRAT, tmp_path / "all", "--to", "brat")
    assert found.code == 0, found.err
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    originals = sorted(
        path.name
        for path in (sample / BRAT).iterdir()
        if path.suffix in (".ann", ".txt")
    )
    assert names == originals
    for name in names:
        if name.endswith(".txt"):
            same = (sample / BRAT / name).read_bytes()
            assert (tmp_path / "all" / name).read_bytes() == same
    both = [sample / BRAT, tmp_path / "all"]
    held = ("ner", "relation", "event", "coref")
    named = [word for name in held for word in ("--framework", name)]
    result = run("score", *both, "-m", "mrp", *named).json
    assert result["counts"]["all"]["f1"] == 1
    again = run("convert", sample / BRAT, tmp_path / "all", "--to", "brat")
    assert again.code == 2
    assert "is not empty; --force writes into it" in again.err


def test_one_document_of_brat_has_its_text_beside_it(run, sample, tmp_path):
    source = next(iter(sorted((sample / BRAT).glob("*.ann"))))
    out = tmp_path / "out.ann"
    assert run("convert", source, out).code == 0
    text = source.with_suffix(".txt").read_bytes()
    assert (tmp_path / "out.txt").read_bytes() == text
    out.unlink()
    found = run("convert", source, out)
    assert found.code == 2
    assert "out.txt exists; --force overwrites it" in found.err
    assert run("convert", source, out, "--force").code == 0
    assert out.exists()


def test_brat_is_neither_printed_nor_compressed_nor_several_in_one(
    run, sample, tmp_path
):
    found = run("convert", sample / BRAT, "-", "--to", "brat")
    assert (
        found.code,
        "fills several files: name a file or folder as OUT" in found.err,
    ) == (2, True)
    one = next(iter(sorted((sample / BRAT).glob("*.ann"))))
    found = run("convert", one, tmp_path / "a.ann.gz")
    assert found.code == 2
    assert "a.ann.gz cannot be written, but a.ann can" in found.err
    found = run("convert", sample / "ie" / "abstracts.jsonl", tmp_path / "a.ann")
    assert found.code in (2, 3)
    assert not list(tmp_path.iterdir())


def test_what_brat_cannot_hold_is_named_by_document(run, tmp_path):
    file = tmp_path / "a.mrp"
    mention = {
        "id": 0,
        "label": "a b",
        "properties": ["kind"],
        "values": ["mention"],
        "anchors": [{"from": 0, "to": 2}],
    }
    rows = [
        {"id": name, "flavor": 1, "framework": "ner", "input": "Jo", "nodes": nodes}
        for name, nodes in (("x/1", [mention]), ("x/2", [mention | {"label": "PER"}]))
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = run("convert", file, tmp_path / "out", "--to", "brat")
    assert found.code == 3
    assert "item x/1: found what brat cannot hold" in found.err
    assert not (tmp_path / "out").exists()
    found = run("convert", file, tmp_path / "out", "--to", "brat", "--keep-going")
    assert found.code == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "x_2.ann",
        "x_2.txt",
    ]


def test_roles_go_with_the_coreference_of_their_document(run, tmp_path):
    table = (
        "#begin document (d); part 000\n"
        "d\t0\t0\tAnna\tNNP\t(S*\t-\t-\t-\t-\t(ARG0*)\t(0)\n"
        "d\t0\t1\truns\tVBZ\t*)\trun\t01\t-\t-\t(V*)\t-\n"
        "\n#end document\n"
    )
    one, two, both = (tmp_path / f"{name}.conll" for name in ("one", "two", "both"))
    one.write_text(table)
    two.write_text(table.replace("(d)", "(e)").replace("\nd\t", "\ne\t"))
    assert run("convert", one, two, both).code == 0
    assert both.read_text() == one.read_text() + two.read_text()
    alone = run("convert", one, tmp_path / "roles.conll", "--framework", "srl")
    assert alone.code == 3
    assert "item 'd/0.1': conll2012 cannot hold it: the layers of its" in alone.err


def test_trees_of_hipe_go_with_the_mentions_of_their_document(run, tmp_path):
    table = tmp_path / "one.tsv"
    table.write_text(
        "TOKEN\tNE-COARSE-LIT\tNE-FINE-LIT\tNEL-LIT\tMISC\n"
        "# document_id = d1\n"
        "in\tO\tO\t_\t_\n"
        "Bern\tB-loc\tB-loc.adm.town\tQ70\t_\n"
    )
    again = tmp_path / "two.tsv"
    assert run("convert", table, again).code == 0
    assert again.read_text() == table.read_text()


def test_one_item_becomes_a_picture_of_all_its_graphs(run, tmp_path):
    out = tmp_path / "one.svg"
    assert run("convert", GOLD, out, "--item", "sample-03").code == 0
    text = out.read_text(encoding="utf-8")
    assert text.count('<svg class="gs"') == 5
    frameworks = [name for name in ("amr", "dm", "eds", "psd", "ucca") if name in text]
    assert len(frameworks) == 5
    found = run("convert", GOLD, tmp_path / "two.svg", "--item", "sampl-03")
    assert found.code == 3
    assert "no item 'sampl-03' in" in found.err
    assert "did you mean 'sample-03'?" in found.err
    assert not (tmp_path / "two.svg").exists()


def test_a_folder_gets_a_picture_of_each_graph(run, tmp_path):
    out = tmp_path / "pictures"
    assert run("convert", GOLD, f"{out}/", "--to", "svg").code == 0
    names = sorted(path.name for path in out.iterdir())
    assert len(names) == 73
    assert names[:2] == ["sample-01.amr.svg", "sample-01.dm.svg"]


def test_bad_records_of_other_items_are_left_alone(run, tmp_path):
    path = tmp_path / "some.mrp"
    good = '{"id": "1", "framework": "amr", "nodes": [{"id": 0, "label": "a"}]}'
    bad = '{"id": "2", "framework": "amr", "nodes": [{"id": 0}, {"id": 0}]}'
    path.write_text(f"{good}\n{bad}\n")
    assert run("convert", path, tmp_path / "a.mrp", "--item", "1").code == 0
    assert run("convert", path, tmp_path / "b.mrp", "--item", "2").code == 3
    assert not (tmp_path / "b.mrp").exists()


def test_nothing_to_write_is_one_sentence(run, tmp_path):
    trees = DATA / "dependencies" / "gold.conllu"
    for target in (("--to", "amr"), (tmp_path / "out.amr",)):
        found = run("convert", trees, *target)
        assert found.code == 3
        assert found.err.splitlines() == [
            f"Error: nothing to write: {trees} has graphs of ud, and amr holds amr"
        ]
