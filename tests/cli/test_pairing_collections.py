"""Without ``--system`` a store's collections that pair with gold are the systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from graphscore import Store
from graphscore.evaluation.collection_selection import pairing_collections
from graphscore.evaluation.options import Options, Selection
from graphscore.exceptions import PairingError
from tests.cli.conftest import DATA

FILES = {
    "gold": DATA / "gold.mrp",
    "alder": DATA / "alder.mrp",
    "birch": DATA / "birch.mrp",
    "news": DATA / "ie" / "news.iob2",
}
WHY = "it has ner; gold has amr, dm, eds, psd, ucca"


@pytest.fixture
def make(tmp_path) -> Callable[..., str]:
    def call(names: Iterable[str] = FILES, **others: bytes) -> str:
        path = str(tmp_path / "runs.db")
        with Store(path, mode="create") as store:
            for name in names:
                store.ingest([str(FILES[name])], name)
            for name, content in others.items():
                (tmp_path / f"{name}.mrp").write_bytes(content)
                store.ingest([str(tmp_path / f"{name}.mrp")], name)
        return path

    return call


def renamed(old: bytes, new: bytes) -> bytes:
    return (DATA / "alder.mrp").read_bytes().replace(old, new)


def test_all_that_pair_are_scored_and_the_others_named(make, run):
    store = make(other=renamed(b'"sample-', b'"wsj-'))
    found = run("score", store, "--gold", "gold", "--json")
    assert found.code == 0
    assert [each["system"] for each in found.json["results"]] == ["alder", "birch"]
    assert (
        f"paired with gold: alder, birch; left out: news ({WHY}), "
        "other (no item in common)\n"
    ) in found.err
    both = run("score", store, "--gold", "gold", "--system", "alder,birch", "--json")
    assert both.code == 2
    named = ("--system", "alder", "--system", "birch")
    assert run("score", store, "--gold", "gold", *named, "--json").json == {
        **found.json,
        "results": [{**each, "reused": 73} for each in found.json["results"]],
    }
    # Now there is one gold that anything was scored against.
    again = run("score", store, "-q", "--json")
    assert len(again.json["results"]) == 2
    assert again.err == ""


def test_rules_for_ids_and_order_make_others_pair(make):
    path = make(["gold"], other=renamed(b'"sample-', b'"wsj-'))
    with Store(path) as store:
        with pytest.raises(PairingError, match="other: no item in common"):
            pairing_collections(store, ["gold"], Options())
        for options in (Options(ids="(sample|wsj)-=>"), Options(pair="order")):
            assert pairing_collections(store, ["gold"], options).taken == ["other"]


def test_only_what_takes_part_can_pair(make):
    with Store(make()) as store:
        ner = Options(Selection(frameworks=frozenset({"ner"})))
        with pytest.raises(PairingError) as caught:
            pairing_collections(store, ["gold"], ner)
        assert "alder: no graphs that take part" in str(caught.value)
        # What birch has that gold does not, and what gold alone has.
        for item, taken in (("sample-99", []), ("sample-11", ["alder", "birch"])):
            only = Options(Selection(items=frozenset({item})))
            if taken:
                assert pairing_collections(store, ["gold"], only).taken == taken
            else:
                with pytest.raises(PairingError, match="birch: it has amr"):
                    pairing_collections(store, ["gold"], only)
        both = pairing_collections(store, ["gold", "alder"], Options())
        assert (both.taken, list(both.left_out)) == (["birch"], ["news"])


def test_languages_that_differ_do_not_pair(make):
    def spoken(language: bytes) -> bytes:
        told = b'{"language":"' + language + b'",'
        return b"\n".join(
            told + line[1:] for line in FILES["gold"].read_bytes().splitlines()
        )

    path = make(["alder"], gold=spoken(b"en"), other=spoken(b"de"))
    with Store(path) as store:
        found = pairing_collections(store, ["gold"], Options())
    assert (found.taken, found.left_out) == (
        ["alder"],
        {"other": "no item in common"},
    )


def test_where_none_pairs_that_is_an_error(make, run):
    store = make()
    found = run("score", store, "--gold", "news")
    assert found.code == 3
    assert "nothing pairs with 'news'\nalder: it has amr" in found.err
    found = run("score", store, "--gold", "gold", "--framework", "esd")
    assert found.code == 3
    assert "--framework esd (did you mean 'eds'?)" in found.err
    found = run("errors", store, "--gold", "glod")
    assert found.code == 2
    assert "no collection 'glod' in the store (did you mean 'gold'?)" in found.err
    found = run("score", store)
    assert found.code == 2
    assert "it holds: gold, alder, birch, news" in found.err


def test_every_verb_that_takes_systems_finds_them(make, run):
    store = make()
    given = (store, "--gold", "gold", "--json")
    compared = run("compare", *given, "-m", "smatch", "--samples", 50)
    assert compared.code == 0
    assert "paired with gold: alder, birch; left out: news" in compared.err
    systems = [each["system"] for each in compared.json["systems"]]
    assert sorted(systems) == ["alder", "birch"]
    for verb in ("errors", "items", "whatif"):
        found = run(verb, *given, "-m", "smatch")
        assert found.code == 0, found.err
        assert "alder" in found.out
        assert "birch" in found.out
    assert {each["system"] for each in run("show", "sample-02", *given).json} == {
        "alder",
        "birch",
    }
    assert run("show", "sample-99", store, "--system", "birch").code == 3


def test_of_two_systems_one_is_shown_without_its_name(make, run):
    store = make(["gold", "alder"])
    for more in ((), ("--explain",)):
        given = (*more, "--gold", "gold", "--framework", "eds", "--json")
        found = run("show", "sample-02", store, *given)
        assert found.code == 0, found.err
        assert found.json["item"] == "sample-02"
        assert "paired with gold: alder\n" in found.err
