"""Structures of PyDelphin; skipped where it is not installed."""

from __future__ import annotations

from typing import Any

import pytest

from graphscore import InputError, from_delphin, score
from tests.wild import GRAPHS, expected, needs_wild
from tests.wild.test_meaning import pydelphin

delphin = pytest.importorskip("delphin", reason="needs PyDelphin")

MRS = (
    '[ <0:10> "Dogs bark." TOP: h0 INDEX: e2 [ e TENSE: pres ] RELS: < '
    "[ udef_q<0:4> LBL: h4 ARG0: x3 [ x NUM: pl ] RSTR: h5 BODY: h6 ] "
    "[ _dog_n_1<0:4> LBL: h7 ARG0: x3 ] [ _bark_v_1<5:9> LBL: h1 ARG0: e2 ARG1: x3 ] "
    "> HCONS: < h0 qeq h1 h5 qeq h7 > ]"
)


def mrs(text: str = MRS) -> Any:
    from delphin.codecs import simplemrs

    return simplemrs.decode(text)


def test_an_mrs_is_its_eds() -> None:
    [graph] = from_delphin([mrs()], ids=["s1"])
    assert (graph.framework, graph.id, graph.text) == ("eds", "s1", "Dogs bark.")
    labels = {node.id: node.label for node in graph.nodes}
    assert sorted(filter(None, labels.values())) == ["_bark_v_1", "_dog_n_1", "udef_q"]
    assert {(labels[e.source], e.label, labels[e.target]) for e in graph.edges} == {
        ("_bark_v_1", "ARG1", "_dog_n_1"),
        ("udef_q", "BV", "_dog_n_1"),
    }
    assert [labels[top] for top in graph.tops] == ["_bark_v_1"]


def test_eds_and_dmrs_are_taken_as_they_are() -> None:
    from delphin import dmrs, eds

    structure = mrs()
    found = from_delphin([eds.from_mrs(structure), dmrs.from_mrs(structure)])
    assert [graph.framework for graph in found] == ["eds", "dmrs"]
    assert found[1].text == "Dogs bark."
    assert score([structure], [structure], "edm").f1 == 1
    other = mrs(MRS.replace("_dog_n_1", "_cat_n_1"))
    assert score([structure], [other], "edm").counts["names"][:3] == (3, 3, 2)


def test_what_is_none_of_these_is_named() -> None:
    with pytest.raises(InputError, match=r"<delphin>: \[1\]: found 'x', expected an M"):
        from_delphin([mrs(), "x"])


@needs_wild
@pytest.mark.parametrize("name", ["eds.mrs", "eds.dmrs"])
def test_counts_are_those_of_pydelphin(name: str) -> None:
    from delphin.codecs import simpledmrs, simplemrs

    case = expected(GRAPHS)[name]
    codec = simplemrs if name == "eds.mrs" else simpledmrs
    sides = [list(codec.load(str(GRAPHS / case[each]))) for each in ("gold", "system")]
    for said in case["weighted"]:
        result = score(*sides, pydelphin(**said["weights"]))
        found = result.precision, result.recall, result.f1
        wanted = said["precision"], said["recall"], said["f"]
        assert found == pytest.approx(wanted, abs=1e-12)
