"""Patterns over treebanks of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphscore import Anchor, Graph, Node
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError
from graphscore.find.grammar import parse
from graphscore.find.scope import scope_of
from tests.databases import Stores

TREEBANK = Path("../shared/wild/graphs/ud/cs_pud.gold.conllu")

SENTENCES = """\
# sent_id = a-1
# text = Les voix du parc sont entendues.
1\tLes\tle\tDET\t_\tNumber=Plur\t2\tdet\t_\t_
2\tvoix\tvoix\tNOUN\t_\tGender=Fem|Number=Plur\t7\tnsubj:pass\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\tNumber=Sing\t5\tdet\t_\t_
5\tparc\tparc\tNOUN\t_\tGender=Masc|Number=Sing\t2\tnmod\t_\t_
6\tsont\têtre\tAUX\t_\tNumber=Plur\t7\taux:pass\t_\t_
7\tentendues\tentendre\tVERB\t_\tGender=Fem|Number=Plur\t0\troot\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t_\t_\t7\tpunct\t_\t_

# sent_id = b-1
# text = Qui veux-tu voir
1\tQui\tqui\tPRON\t_\t_\t4\tobj\t_\t_
2\tveux\tvouloir\tVERB\t_\tNumber=Sing\t0\troot\t_\tSpaceAfter=No
3\t-tu\ttu\tPRON\t_\tNumber=Sing\t2\tnsubj\t_\t_
4\tvoir\tvoir\tVERB\t_\t_\t2\txcomp\t_\t_

"""


@pytest.fixture(scope="module")
def trees(stores: Stores, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("trees")
    path = folder / "trees.conllu"
    path.write_text(SENTENCES)
    place = stores.new(folder)
    with Store(place, mode="create") as found:
        found.ingest(str(path), "gold")
        yield found
    stores.drop(place)


@pytest.mark.parametrize(
    ("pattern", "hits"),
    [
        ("pattern { X [upos=VERB, Number=Sing] }", 1),
        ('pattern { X [form="parc"] }', 1),
        ('pattern { X [form=re".*s"|Qui] }', 3),
        ('pattern { X [lemma="être"] }', 1),
        ('pattern { X [upos=DET, lemma<>"le"] }', 0),
        ("pattern { X [upos=NOUN, !Gender] }", 0),
        ("pattern { X [Gender=*] }", 3),
        ("pattern { X -[nsubj:pass]-> Y }", 1),
        ("pattern { X -[nsubj]-> Y }", 1),
        ("pattern { X -[1=nsubj]-> Y }", 2),
        ("pattern { X -[1=nsubj, 2=pass]-> Y }", 1),
        ("pattern { X -[1=nsubj, 2<>pass]-> Y }", 0),
        ("pattern { X -[1=nsubj, !2]-> Y }", 1),
        ("pattern { X -[2=*]-> Y }", 2),
        ("pattern { X -[nsubj|obj]-> Y }", 2),
        ("pattern { X -[^nsubj|obj]-> Y }", 8),
        ("pattern { e: X -> Y; e.label = nsubj }", 1),
        ('pattern { e: X -> Y; e.1 = "aux" }', 1),
        ("pattern { e: X -> Y; f: X -> Z; e.2 = f.2; e.__id__ < f.__id__ }", 1),
        ("pattern { * -[root]-> X }", 2),
        ("pattern { X [upos=VERB] } without { * -[root]-> X }", 1),
        ("pattern { X -[root]-> Y }", 0),
        # Words of one token are words like others, and the token is none.
        ("pattern { X [form=voix]; Y []; X < Y }", 1),
        ("pattern { X [form=de]; Y [form=le]; X < Y }", 1),
        ("pattern { X [form=le]; Y [form=parc]; X < Y }", 1),
        ("pattern { X []; Y []; X < Y }", 10),
        ("pattern { X []; Y []; X << Y }", 28 + 6),
        ("pattern { X [multiword]; Y []; X << Y }", 0),
        ("pattern { X [form=parc] } without { Y [upos=ADP]; Y << X }", 0),
        ("pattern { X.Number = Y.Number; X -> Y }", 5),
        ("pattern { V [upos=VERB]; V ->> X; X [upos=ADP] }", 1),
        ("pattern { X [upos=VERB] } global { is_projective }", 1),
        ("pattern { X [upos=VERB] } global { is_not_projective }", 2),
        ("global { is_tree; is_forest; is_not_cyclic }", 2),
        ('pattern { X [upos=VERB] } global { sent_id = "a-1" }', 1),
        ('pattern { X [upos=VERB] } global { sent_id <> "a-1" }', 2),
        ('global { text = re".*tu.*"; framework = ud }', 1),
        ("global { is_tree } pattern { X -> Y } global { is_projective }", 7),
    ],
)
def test_patterns_find_words_and_relations(
    trees: Store, pattern: str, hits: int
) -> None:
    assert trees.find(pattern).hits == hits
    assert parse(str(parse(pattern))) == parse(pattern)


def test_parts_of_relations_are_counted(trees: Store) -> None:
    groups = trees.find("pattern { e: X -> Y }", by=["e.2", "Y.form"]).groups
    assert {"e.2": "pass", "Y.form": "sont", "hits": 1} in groups


def test_forms_and_order_of_other_graphs_stay_theirs(runs: str) -> None:
    nodes = (
        Node(0, "a", (("form", "b"),), (Anchor(2, 3),)),
        Node(1, "b", (), (Anchor(0, 1),)),
    )
    graphs = [Graph("1", name, 0, text="x y", nodes=nodes) for name in ("eds", "ud")]
    with Store(runs, mode="create") as store:
        store.add(graphs, "gold")
        for one in ({}, {"framework": "eds"}, {"framework": "ud"}):
            named = store.find("pattern { X [form=b] }", **one)
            first = store.find("pattern { X []; Y []; X < Y }", **one)
            for found, expected in ((named, (0, 1)), (first, (1, 0))):
                where = {x["framework"]: x["nodes"]["X"]["ordinal"] for x in found}
                eds, ud = expected
                told = {"eds": eds, "ud": ud}
                assert where == {x: told[x] for x in one.values() or told}
        groups = store.find("pattern { X [] }", by=["X.form"]).groups
    assert {each["X.form"]: each["hits"] for each in groups} == {
        "a": 1,
        "b": 2,
        None: 1,
    }


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("pattern { X [lemma=/ax/] }", "found '/ax/', expected re\".*\" or quotes"),
        ("pattern { e: X -> Y; f: A -> B; e << f }", "it is an edge; expected the"),
        ("pattern { e: X -> Y; Z []; Z << e }", "it is an edge; expected the"),
        ('pattern { meta.sent_id = "a" }', "expected a block, as global"),
        ('global { speaker = "x" }', "speaker is not searched"),
        ("global { is_planar }", "is not known, expected is_projective"),
        ("global { sent_id }", "sent_id has no value"),
        ("global { is_tree = yes }", "is_tree has a value"),
        ("pattern { e: X -> Y; wrong(e.1) }", "right or wrong as a whole"),
    ],
)
def test_what_cannot_be_asked_is_refused_where_it_stands(
    pattern: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        scope_of(parse(pattern))
    assert "in the pattern, column" in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "by", "said"),
    [
        ("pattern { X [pos=VERB] }", "", "the property 'pos' (did you mean 'upos'?)"),
        ("pattern { X [word=x] }", "", "the property 'word' (did you mean 'form'?)"),
        ("pattern { X [Nubmer=Sing] }", "", "'Nubmer' (did you mean 'Number'?)"),
        ("pattern { X [upos=VREB] }", "", "no node has the upos 'VREB' (did you mean"),
        ("pattern { X [upos=VREB|VERB] }", "", "no node has the upos 'VREB'"),
        ("pattern { X [form=vox] }", "", "the label 'vox' (did you mean 'voix'?)"),
        ("pattern { X -> Y } with { X -[detr]-> Y }", "", "the label 'detr' (did you"),
        ("pattern { X -> Y } without { * -[nsbj]-> Y }", "", "label 'nsbj' (did you"),
        ("pattern { X [!Gendr] }", "", "'Gendr' (did you mean 'Gender'?)"),
        ("pattern { X []; X.Gendr = Y.Gender; Y [] }", "", "'Gendr' (did you mean"),
        ('pattern { X []; X.upos = "VREB" }', "", "no node has the upos 'VREB'"),
        ("pattern { X -[1=nsub]-> Y }", "", "begins with 'nsub' (did you mean 'nsubj'"),
        ("pattern { X -[2=pas]-> Y }", "", "has behind its colon 'pas' (did you mean"),
        ("pattern { X -[root]-> Y }", "", "ask for * -[root]-> X, or top(X)"),
        ("pattern { X [upos=VERB] }", "X.Gendr", "'Gendr' (did you mean 'Gender'?)"),
        ("pattern { X -> Y }", "Y.pos", "'pos' (did you mean 'upos'?)"),
    ],
)
def test_what_never_occurs_is_said(
    trees: Store, pattern: str, by: str, said: str
) -> None:
    [remark] = trees.find(pattern, by=[by] if by else []).remarks
    assert said in remark


@pytest.mark.parametrize(
    "pattern",
    [
        "pattern { X [!Tense] }",
        "pattern { X [upos=VERB|AUX, form<>sont, !multiword]; * -[root]-> X }",
        "pattern { X -[1=nsubj, 2=pass]-> Y } without { Z -[aux:pass]-> Y }",
    ],
)
def test_nothing_is_said_of_what_is_there(trees: Store, pattern: str) -> None:
    assert trees.find(pattern).remarks == []


@pytest.mark.skipif(not TREEBANK.exists(), reason="the treebank is not here")
def test_published_counts_of_grew() -> None:
    """Subjects before and behind their verbs in UD_Czech-PUD 2.17.

    The numbers are those of grewpy's tutorial "counting requests on a list of corpus"
    (https://grew.fr/grewpy/multi_corpora_counting).
    """
    with Store("sqlite://", mode="create") as store:
        store.ingest(str(TREEBANK), "gold")
        for order, count in (("S << V", 987), ("V << S", 257)):
            pattern = f"pattern {{ V -[nsubj]-> S; {order} }}"
            found = store.find(pattern, items=False, framework="ud")
            assert found.hits == count
