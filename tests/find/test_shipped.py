"""The files of phenomena that are shipped: each finds what it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphscore.errors import InputError
from graphscore.evaluation.stored import Store
from graphscore.find.phenomena.reading import SHIPPED, phenomena_of
from graphscore.model.frameworks import FRAMEWORKS
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.conftest import ROOT

CONTROL = "0 ARG1 1, 0 ARG2 2, 2 ARG1 1"

EXAMPLES: dict[str, dict[str, tuple[str, str]]] = {
    "amr": {
        "reentrancy": ("want-01 boy go-02", "0 ARG0 1, 0 ARG1 2, 2 ARG0 1"),
        "control": ("want-01 boy go-02", "0 ARG0 1, 0 ARG1 2, 2 ARG0 1"),
        "coordination": ("or tea", "0 op1 1"),
        "shared argument": (
            "and see-01 hear-01 boy",
            "0 op1 1, 0 op2 2, 1 ARG0 3, 2 ARG0 3",
        ),
        "negation": ("go-02[polarity=-]", ""),
        "modality": ("possible-01 go-02", "0 ARG1 1"),
        "named entity": ("person name[op1=Ada]", "0 name 1"),
        "wikification": ("person[wiki=-] name[op1=Ada]", "0 name 1"),
        "quantity": ("distance-quantity[quant=3] mile", "0 unit 1"),
        "date": ("date-entity[year=2002]", ""),
        "inverse role": ("boy run-02", "0 ARG0-of 1"),
        "question": ("see-01 amr-unknown", "0 ARG1 1"),
        "imperative": ("go-02[mode=imperative] you", "0 ARG0 1"),
        "degree": ("have-degree-91 boy tall", "0 ARG1 1, 0 ARG2 2"),
        "role of a person": ("have-org-role-91 president", "0 ARG2 1"),
    },
    "eds": {
        "quantification": ("_every_q _dog_n_1", "0 BV 1"),
        "coordination": ("_and_c _dog_n_1 _cat_n_1", "0 L-INDEX 1, 0 R-INDEX 2"),
        "negation": ("neg _bark_v_1", "0 ARG1 1"),
        "control": ("_try_v_1 pron _bark_v_1", CONTROL),
        "reentrancy": ("_try_v_1 pron _bark_v_1", CONTROL),
        "compound": ("compound _filter_n_1 _oil_n_1", "0 ARG1 1, 0 ARG2 2"),
        "proper name": ("named[carg=Kim]", ""),
        "number": ("card[carg=3] _dog_n_1", "0 ARG1 1"),
        "open first argument": ("_chase_v_1 _dog_n_1", "0 ARG2 1"),
        "modal": ("_must_v_modal _bark_v_1", "0 ARG1 1"),
        "comparison": ("comp _tall_a_1", "0 ARG1 1"),
        "apposition": ("appos named _dog_n_1", "0 ARG1 1, 0 ARG2 2"),
        "possession": ("poss _dog_n_1 pron", "0 ARG1 1, 0 ARG2 2"),
        "nominalization": ("nominalization _bark_v_1", "0 ARG1 1"),
        "subordination": ("_because_x _bark_v_1 _run_v_1", "0 ARG1 1, 0 ARG2 2"),
    },
    "sdp": {
        "DM reentrancy": ("wants[pos=VBZ] dog sleep[pos=VB]", CONTROL),
        "DM control": ("wants[pos=VBZ] dog sleep[pos=VB]", CONTROL),
        "DM coordination": ("dogs cats", "0 _and_c 1"),
        "DM negation": ("not bark", "0 neg 1"),
        "DM quantification": ("the dog", "0 BV 1"),
        "DM compound": ("oil filter", "0 compound 1"),
        "DM apposition": ("Kim boss", "0 appos 1"),
        "DM possession": ("her dog", "0 poss 1"),
        "DM far argument": (
            "dog seems[pos=VBZ] sleep[pos=VB]",
            "1 ARG1 2, 2 ARG1 0",
        ),
        "PSD control": (
            "dog wants[pos=VBZ] sleep[pos=VB]",
            "1 ACT-arg 0, 1 PAT-arg 2, 2 ACT-arg 0",
        ),
        "PSD coordination": ("dogs and", "1 CONJ.member 0"),
        "PSD shared argument": (
            "dog and bark run",
            "1 CONJ.member 2, 1 CONJ.member 3, 2 ACT-arg 0, 3 ACT-arg 0",
        ),
        "PSD apposition": ("Kim #Comma", "1 APPS.member 0"),
        "PSD negation": ("#Neg bark", "1 RHEM 0"),
        "PSD actor": ("dog bark", "1 ACT-arg 0"),
        "PSD patient": ("dog chased", "1 PAT-arg 0"),
        "PSD far argument": (
            "dog seems[pos=VBZ] sleep[pos=VB]",
            "1 PAT-arg 2, 2 ACT-arg 0",
        ),
    },
    "ucca": {
        "remote": ("_ _", "0 C! 1"),
        "remote participant": ("_ _", "0 A! 1"),
        "participant": ("_ _ _", "0 A 1, 0 A! 2"),
        "process": ("_ _", "0 P 1"),
        "state": ("_ _", "0 S 1"),
        "adverbial": ("_ _", "0 D 1"),
        "parallel scenes": ("_ _ _", "0 H 1, 0 H 2"),
        "linkage": ("_ _ _", "0 L 1, 0 H 2"),
        "coordination": ("_ _ _ _", "0 C 1, 0 C 2, 0 C! 3"),
        "connector": ("_ _ _", "0 N 1, 0 C 2"),
        "elaborator scene": ("_ _ _", "0 E 1, 1 P 2"),
        "participant scene": ("_ _ _", "0 A 1, 1 S 2"),
        "non-contiguous unit": ("_ _ _ _ _", "3 C 0, 3 C 2, 4 D 1"),
    },
    "ud": {
        "passive subject": ("dog chased", "1 nsubj:pass 0"),
        "relative clause": ("dog barks", "0 acl:relcl 1"),
        "adverbial clause": ("left barking", "0 advcl 1"),
        "clausal complement": ("says barks", "0 ccomp 1"),
        "control and raising": ("wants bark", "0 xcomp 1"),
        "controlled subject": (
            "dog wants bark",
            "1 nsubj 0, 1 xcomp 2, 2 nsubj:xsubj 0",
        ),
        "coordination": ("dogs cats", "0 conj 1"),
        "coordination of three": ("a b c", "0 conj 1, 0 conj 2"),
        "shared dependent": ("dog barks runs", "1 nsubj 0, 1 conj:and 2, 2 nsubj 0"),
        "negation": ("not[Polarity=Neg] barks", "1 advmod 0"),
        "copula": ("is big", "1 cop 0"),
        "compound": ("oil filter", "1 compound 0"),
        "fixed and flat expressions": ("in addition", "0 fixed 1"),
        "apposition": ("Kim boss", "0 appos 1"),
        "ellipsis": ("Kim tea", "0 orphan 1"),
        "attachment of nominals": ("dog park", "0 nmod 1"),
        "non-projective, head first": (
            "hearing[upos=NOUN] is[upos=AUX] on[upos=ADP] set[upos=VERB]",
            "0 nmod 2, 3 aux 1",
        ),
        "non-projective, head last": (
            "what[upos=PRON] is[upos=AUX] of[upos=ADP] set[upos=VERB]",
            "2 det 0, 3 obl 2, 3 aux 1",
        ),
    },
}


def made(name: str, framework: str, nodes: str, edges: str) -> Graph:
    """Nodes anchored one behind the other; ``!`` makes an edge a remote one."""
    words = []
    for number, word in enumerate(nodes.split()):
        label, _, rest = word.partition("[")
        pairs: Any = tuple(x.split("=") for x in rest.rstrip("]").split(",") if x)
        anchors = (Anchor(2 * number, 2 * number + 1),)
        own = None if label == "_" else label
        words.append(Node(number, own, tuple(map(tuple, pairs)), anchors))
    arcs = []
    for edge in filter(None, edges.split(", ")):
        source, label, target = edge.split()
        remote = (("remote", True),) if label.endswith("!") else ()
        arcs.append(
            Edge(int(source), int(target), label.rstrip("!"), attributes=remote)
        )
    return Graph(name, framework, text=" " * 20, nodes=tuple(words), edges=tuple(arcs))


@pytest.mark.parametrize("name", SHIPPED)
def test_each_pattern_finds_what_it_is_about_once(name: str) -> None:
    found = phenomena_of(name).phenomena
    assert [each.name for each in found] == [*EXAMPLES[name]]
    assert all({*each.frameworks} <= {*FRAMEWORKS} for each in found)
    with Store("sqlite://", mode="create") as store:
        graphs = [
            made(each.name, each.frameworks[-1], *EXAMPLES[name][each.name])
            for each in found
        ]
        store.add(graphs, "gold")
        for each in found:
            hits = store.find(each.pattern).items
            # By chance it may be in the examples of others, too.
            assert [x["item"] for x in hits].count(each.name) == 1, each.name


SHARED = ROOT.parent / "shared"

TREEBANK = SHARED / "wild" / "graphs" / "ud" / "fr_gsd_test.gold.conllu"


@pytest.mark.skipif(not TREEBANK.exists(), reason="needs the shared folder")
def test_words_of_a_treebank_are_as_many_as_its_lines_say() -> None:
    lines = [
        line.split("\t")
        for line in TREEBANK.read_text(encoding="utf-8").splitlines()
        if line[:1].isdigit()
    ]
    assert lines
    asked = {each.name: each for each in phenomena_of("ud").phenomena}
    with Store("sqlite://", mode="create") as store:
        store.ingest(TREEBANK, "gold")
        for name, relation in (
            ("passive subject", ("nsubj:pass", "csubj:pass")),
            ("relative clause", ("acl:relcl",)),
            ("copula", ("cop",)),
            ("apposition", ("appos",)),
        ):
            found = store.find(asked[name].pattern, framework="ud", items=False)
            assert found.hits == sum(line[7] in relation for line in lines), name


@pytest.mark.parametrize(
    ("name", "file"), [("dm", "sdp"), ("psd", "sdp"), ("eud", "ud")]
)
def test_a_framework_names_the_file_that_has_its_phenomena(
    name: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    read = phenomena_of(name)
    assert read == phenomena_of(file)
    assert any(name in each.frameworks for each in read.phenomena)
    # What lies there under that name is meant.
    Path(name).write_text("")
    with pytest.raises(InputError):
        phenomena_of(name)
