"""Whatever is misspelled, the message names what was perhaps meant."""

from __future__ import annotations

import pytest

from graphscore.exceptions import did_you_mean, nearest

GOLD, ALDER, BIRCH = "data/gold.mrp", "data/alder.mrp", "data/birch.mrp"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, start_once) -> str:
    path = str(tmp_path_factory.mktemp("did_you_mean") / "runs.db")
    for file, name in ((GOLD, "gold"), (ALDER, "alder"), (BIRCH, "birch")):
        assert start_once("ingest", path, file, "--as", name) == 0
    return path


@pytest.fixture(scope="module")
def start_once():
    from graphscore.cli.main import cli

    def start(*words: str) -> int:
        code = cli.main(list(words), standalone_mode=False)
        return code if isinstance(code, int) else 0

    return start


def test_the_nearest_comes_first_whatever_its_capitals():
    assert nearest("LABLES", ["labels", "tops"], 2) == ["labels"]
    assert nearest("esd", ["dm", "eds", "psd"]) == ["eds"]
    assert nearest("fra", ["framework", "tuple_type"]) == ["framework"]
    assert nearest("fr", ["framework", "tuple_type"]) == []
    assert nearest("gone", ["none", "text"]) == []
    assert nearest("raed", ["none", "read"]) == ["read"]
    assert nearest("s", ["surface", "spurious"]) == []
    assert nearest("", ["surface"]) == []
    assert did_you_mean("quite else", ["labels"]) == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("scoer",), "score"),
        (("score", GOLD, ALDER, "-m", "smach"), "smatch"),
        (("metrics", "smach"), "smatch"),
        (("score", GOLD, ALDER, "-m", "mrp(ordr=free)"), "order"),
        (("score", GOLD, ALDER, "-m", "mrp(order=fre)"), "free"),
        (("score", GOLD, ALDER, "--by", "framwork"), "framework"),
        (("score", GOLD, ALDER, "--pair", "oder"), "order"),
        (("score", GOLD, ALDER, "--format", "mpr"), "mrp"),
        (("score", GOLD, ALDER, "--fail-under", "egdes=0.5"), "edges"),
        (("score", GOLD, ALDER, BIRCH, "--rank", "egdes", "--json"), "edges"),
        (("score", GOLD, ALDER, "-m", "mrp", "--sweep", "odrer=1,2"), "order"),
        (("compare", GOLD, ALDER, BIRCH, "--score", "edges.rcall"), "edges.recall"),
        (
            ("compare", GOLD, ALDER, BIRCH, "--baseline", "data/adler.mrp"),
            "data/alder.mrp",
        ),
        (("compare", GOLD, ALDER, BIRCH, "--by", "framwork"), "framework"),
        (("errors", GOLD, ALDER, "--by", "tuple_tpye"), "tuple_type"),
        (("errors", GOLD, ALDER, "--tuple-type", "edge"), "edges"),
        (("errors", GOLD, ALDER, "--error-type", "mising"), "missing"),
        (("validate", GOLD, "--ignore", "repeated-edgs"), "repeated-edge"),
        (("convert", GOLD, "x.y", "--to", "sdpp"), "sdp"),
    ],
)
def test_misspelled(run, words, said):
    found = run(*words)
    assert found.code == 2, found.err
    assert f"(did you mean {said!r}?)" in found.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("score", "--gold", "glod", "--system", "alder"), "gold"),
        (("score", "--gold", "gold", "--system", "Adler"), "alder"),
        (("store remove", "birhc"), "birch"),
        (("analyze", "--collection", "glod"), "gold"),
        (("query", "select item from v_score"), "v_scores"),
        (("query", "select itme from v_scores"), "item"),
        (("query", "select v.itme from v_scores v"), "item"),
    ],
)
def test_misspelled_of_a_store(run, store, words, said):
    found = run(*words[0].split(), store, *words[1:])
    assert found.code == 2, found.err
    assert f"(did you mean {said!r}?)" in found.err


def test_what_is_not_there_has_no_errors_to_be_listed(run):
    found = run("errors", GOLD, ALDER, "--item", "sampel-02")
    assert (found.code, found.json) == (0, [])
    assert "no item 'sampel-02' (did you mean 'sample-02'?)" in found.err
    found = run("errors", GOLD, GOLD, "--item", "sample-02", "--json")
    assert (found.code, found.json) == (0, [])
    assert "no item" not in found.err


def test_who_needs_replace_is_told_of_it(run, store):
    found = run("ingest", store, ALDER, "--as", "gold")
    assert found.code == 3
    assert "73 items that 'gold' has already from data/gold.mrp" in found.err
    assert "--replace" in found.err
