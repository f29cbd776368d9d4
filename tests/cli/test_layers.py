"""Layers: several annotations of one framework of the same item."""

import pytest

GOLD = """1\tBund\tB-ORG\tO
2\tder\tI-ORG\tO
3\tStadt\tI-ORG\tO
4\tRom\tI-ORG\tB-LOC

1\tBerlin\tB-LOC\tO
2\tlacht\tO\tO
"""


@pytest.fixture
def sides(tmp_path):
    """A system that finds what is nested, and half of the rest."""
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text(GOLD)
    system.write_text(GOLD.replace("Berlin\tB-LOC", "Berlin\tB-PER"))
    return gold, system


@pytest.fixture
def store(run, tmp_path, sides):
    made = tmp_path / "runs.db"
    for name, path in zip(("gold", "system"), sides, strict=True):
        assert run("ingest", made, path, "--as", name).code == 0
    return made, "--gold", "gold", "--system", "system"


def strict(found):
    count = found["counts"]["strict"]
    return count["gold"], count["system"], count["matched"]


@pytest.mark.parametrize("tuple_type", ["sides", "store"])
def test_counts_sum_layers_and_slices_part_them(run, request, tuple_type):
    operands = request.getfixturevalue(tuple_type)
    found = run("score", *operands, "-m", "ner", "--by", "layer").json
    assert strict(found) == (3, 3, 2)
    groups = {group["layer"]: strict(group) for group in found["groups"]}
    assert groups == {"nested": (1, 1, 1), "outer": (2, 2, 1)}
    for layer, amounts in groups.items():
        alone = run("score", *operands, "-m", "ner", "--layer", layer).json
        assert strict(alone) == amounts
        assert f"|layer:{layer}|" in alone["signature"]
    items = run("score", *operands, "-m", "ner", "--per-item").json["items"]
    assert sorted((each["item"], each["layer"]) for each in items) == [
        ("0", "nested"),
        ("0", "outer"),
        ("1", "nested"),
        ("1", "outer"),
    ]


def test_a_system_without_layers_is_one_of_them(run, sides, tmp_path):
    flat = tmp_path / "flat.iob"
    flat.write_text(
        "Bund\tB-ORG\nder\tO\nStadt\tO\nRom\tB-LOC\n\nBerlin\tO\nlacht\tO\n"
    )
    found = run("score", sides[0], flat, "-m", "ner")
    assert found.code == 3
    assert "layers in gold: outer, nested, in system: none given" in found.err
    assert "--layer" in found.err
    found = run("score", sides[0], flat, "-m", "ner", "--layer", "nested").json
    assert strict(found) == (1, 2, 1)


def test_a_layer_that_is_not_there_is_said(run, sides):
    found = run("score", *sides, "-m", "ner", "--layer", "inner")
    assert found.code == 3
    assert "no layer 'inner'" in found.err


@pytest.mark.parametrize("tuple_type", ["sides", "store"])
def test_show_and_errors_tell_layers_apart(run, request, tuple_type):
    operands = request.getfixturevalue(tuple_type)
    if tuple_type == "store":
        run("score", *operands, "-m", "ner")
    both = run("show", "1", *operands, "-m", "ner").json
    assert sorted(each["layer"] for each in both) == ["nested", "outer"]
    one = run("show", "1", *operands, "-m", "ner", "--layer", "outer").json
    assert [each["value"] for each in one["errors"]] == ["LOC", "PER"]
    rows = run("errors", *operands, "-m", "ner", "--by", "layer,error_type,value").json
    assert {(row["layer"], row["error_type"], row["value"]) for row in rows} == {
        ("outer", "missing", "LOC"),
        ("outer", "spurious", "PER"),
    }
    assert run("errors", *operands, "-m", "ner", "--layer", "nested").json == []


@pytest.mark.parametrize("tuple_type", ["sides", "store"])
def test_whole_collections_are_shown_by_their_name(run, request, tuple_type):
    operands = request.getfixturevalue(tuple_type)
    listed = run("items", *operands, "-m", "neleval").json
    assert {row["item"] for row in listed} == {"collection"}
    narrowed = *operands, "-m", "neleval", "--layer", "outer"
    shown = run("show", "collection", *narrowed).json
    assert [each["item"] for each in shown["sentences"]] == ["0", "1"]
    typed = shown["counts"]["strong_typed_mention_match"]
    assert (typed["gold"], typed["matched"]) == (2, 1)
    table = run("show", "collection", *narrowed, "--table")
    assert "\nNodes that differ" in table.out
    assert "as if it were all" not in table.err


def test_an_item_of_a_whole_collection_says_that_it_stands_alone(run, sides):
    found = run("show", "1", *sides, "-m", "neleval", "--layer", "outer")
    assert found.json["item"] == "1"
    said = "neleval compares whole collections; 1 is compared as if it were all"
    assert said in found.err
    misspelled = run("show", "collection", *sides, "-m", "ner")
    assert misspelled.code == 3
    assert "no item 'collection'" in misspelled.err
