"""No bad record shifts its neighbours, whatever the format and however they pair."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from graphscore import score
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.pairing import Pairing
from graphscore.evaluation.sources.files import FileSource
from graphscore.evaluation.store import Store
from graphscore.evaluation.storing import sources_of
from graphscore.exceptions import PairingError
from graphscore.formats import ReaderOptions
from graphscore.metrics.registry import parse

PAIRS: tuple[Literal["id", "order"], ...] = ("id", "order")


CONLLU = "1\t{0}\t_\tNOUN\t_\t_\t0\troot\t0:root\t_\n\n"
NINE = "1\t{0}" + "\t_" * 6 + "\t0\t0\tROOT\tROOT\tY\t{0}.01\tA0\n\n"
SRL = "1\t{0}\t_\t_\t_\t_\t0\troot\tY\t{0}.01\tA0\n\n"
SDP = "#{0}\n1\t{0}\t_\t_\t+\t-\n\n"

FORMATS: dict[str, tuple[str, str]] = {
    "amr": ("({0} / {0}-01)\n\n", "({0} / {0}-01\n\n"),
    "amr two roots": ("({0} / {0}-01)\n\n", "({0} / {0}-01)\n(x / y)\n\n"),
    "eds": ("{{e1:\n e1:_{0}_v<0:1>[]\n}}\n\n", "{{e1:\n e1:_{0}_v<0:1>[\n}}\n\n"),
    "eds two": (
        "{{e1: e1:_{0}_v[]}}\n\n",
        "{{e1: e1:_{0}_v[]}}\n{{e1: e1:_x_v[]}}\n\n",
    ),
    "simpledmrs": ("dmrs {{ 1 [_{0}_v]; }}\n", "dmrs {{ 1 [_{0}_v; }}\n"),
    "drg": ('b1 REF x1\nb1 {0} "n.01" x1\n\n', "b1 REF\n\n"),
    "sbn": ("{0}.n.01 % {0}\n\n", '{0}.n.01 Name "x % {0}\n\n'),
    "sdp": (SDP, SDP.replace("+\t-", "x\t-")),
    "iob": ("{0}\tB-PER\n\n", "{0}\tPER\n\n"),
    "iob layers": ("w\tO\tB-X\n{0}\tB-PER\tO\n\n", "w\tO\tB-X\n{0}\tPER\tO\n\n"),
    "iob types": ("{0}\tPER\nw\tO\n\n", "{0}\tPER\nw\n\n"),
    "genia": ("{0} w\nN N\n0,1 {0}\n\n", "{0} w\nN N\n0,9 {0}\n\n"),
    "quaero": ("<pers> {0} </pers>\n", "<pers> {0}\n"),
    "aida": ("{0}\tB\t{0}\tX_{0}\nw\n\n", "{0}\tQ\t{0}\tX_{0}\nw\n\n"),
    "conllu": (CONLLU, CONLLU.replace("\t0:root", "")),
    "conllu heads": (CONLLU, CONLLU.replace("_\t0\t", "_\t9\t")),
    "conll2009": (NINE, NINE.replace("\tA0", "")),
    "conllu-srl": (SRL, SRL.replace("_\t0\t", "_\t9\t")),
    "conll2005": ("{0}\t{0}\t(V*)\n\n", "{0}\t{0}\t(V*\n\n"),
    "coref-jsonlines": (
        '{{"tokens": ["{0}", "w"], "clusters": [[[0, 0], [1, 1]]]}}\n',
        '{{"tokens": ["{0}", "w"], "clusters": [[[0, 9]]]}}\n',
    ),
    "dygie": (
        '{{"doc_key": "{0}", "sentences": [["{0}"]], "ner": [[[0, 0, "X"]]]}}\n',
        '{{"doc_key": "{0}", "sentences": [["{0}"]], "ner": [[[0, 9, "X"]]]}}\n',
    ),
    "dygie broken": (
        '{{"doc_key": "{0}", "sentences": [["{0}"]], "ner": [[[0, 0, "X"]]]}}\n',
        '{{"doc_key": "{0}", "sentences": [["{0}"]], "ner": [[[0, 0, "X"\n',
    ),
    "spans": (
        '{{"text": "{0}", "label": [[0, 1, "X"]]}}\n',
        '{{"text": "{0}", "label": [[0, 9, "X"]]}}\n',
    ),
    "spans broken": (
        '{{"text": "{0}", "label": [[0, 1, "X"]]}}\n',
        '{{"text": "{0}", "label": [[0, 1, "X"\n',
    ),
    "preco": (
        '{{"id": "{0}", "sentences": [["{0}", "w"]], "mention_clusters": '
        "[[[0, 0, 1], [0, 1, 2]]]}}\n",
        '{{"id": "{0}", "sentences": [["{0}"]], "mention_clusters": [[[0, 0, 9]]]}}\n',
    ),
    "mrp": (
        '{{"id": "{0}", "framework": "dm", "nodes": [{{"id": 0, "label": "{0}"}}]}}\n',
        '{{"id": "{0}", "framework": "dm", "nodes": 7}}\n',
    ),
    "mrp broken": (
        '{{"id": "{0}", "framework": "dm", "nodes": [{{"id": 0, "label": "{0}"}}]}}\n',
        '{{"id": "{0}", "framework": "dm", "nod\n',
    ),
    "sentiment": (
        '{{"sent_id": "{0}", "text": "{0}", "opinions": []}}\n',
        '{{"sent_id": "{0}", "text": 7, "opinions": []}}\n',
    ),
}


def written(
    folder: Path, format: str, good: str, bad: str, place: int
) -> tuple[str, str]:
    """Gold of five records, and a system of the same with a bad one among them."""
    words = ("a", "b", "c", "d", "e")
    gold, system = folder / "gold", folder / "system"
    gold.write_text("".join(good.format(word) for word in words))
    system.write_text(
        "".join(
            (bad if number == place else good).format(word)
            for number, word in enumerate(words)
        )
    )
    return str(gold), str(system)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("place", [0, 2, 4])
@pytest.mark.parametrize("name", FORMATS)
def test_files_pair_as_they_stand(
    name: str, place: int, pair: Literal["id", "order"], tmp_path: Path
) -> None:
    format = name.split()[0]
    gold, system = written(tmp_path, format, *FORMATS[name], place)
    sides = [
        FileSource(path, Selection(), ReaderOptions(format)) for path in (gold, system)
    ]
    pairing: Pairing = Pairing(pair)
    missing: dict[tuple[str, str], int] = {}
    tuple_types = set()
    for found in pairing.pairs(*(side.items() for side in sides)):
        assert found.gold is not None, name
        tuple_type = found.gold.framework, found.gold.layer
        tuple_types.add(tuple_type)
        if found.system is None:
            missing[tuple_type] = missing.get(tuple_type, 0) + 1
        else:
            assert found.gold.graph.nodes == found.system.graph.nodes, name
            assert found.gold.text == found.system.text, name
    assert sides[1].losses(lambda _: True).records >= 1
    assert missing, name
    assert set(missing.values()) == {1}


@pytest.mark.parametrize("place", [0, 2, 4])
@pytest.mark.parametrize("name", FORMATS)
def test_stored_graphs_pair_as_they_stand(
    name: str, place: int, tmp_path: Path
) -> None:
    format = name.split()[0]
    gold, system = written(tmp_path, format, *FORMATS[name], place)
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        store.ingest([gold], "gold", reading=ReaderOptions(format))
        store.ingest([system], "system", reading=ReaderOptions(format), keep_going=True)
        for pair in PAIRS:
            sources = sources_of(store, ("gold", "system"), Options(), store._database)
            missing: dict[tuple[str, str], int] = {}
            for found in Pairing(pair).pairs(*(side.items() for side in sources)):
                assert found.gold is not None, name
                tuple_type = found.gold.framework, found.gold.layer
                if found.system is None:
                    missing[tuple_type] = missing.get(tuple_type, 0) + 1
                else:
                    [one], [two] = found.gold.stored, found.system.stored
                    assert one.digest == two.digest, name
            assert set(missing.values()) == {1}, pair


MRP = FORMATS["mrp"][0]


def test_a_line_that_may_be_of_any_framework_refuses_pairing_by_order(
    tmp_path: Path,
) -> None:
    both = MRP + MRP.replace('"dm"', '"psd"')
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text("".join(both.format(word) for word in "abc"))
    lines = gold.read_text().splitlines(keepends=True)
    by_order = Options(pair="order")
    # What can be seen of a broken line says that it is of dm.
    system.write_text("".join([*lines[:2], lines[2][:-4] + "\n", *lines[3:]]))
    assert score(gold, system, "mrp", options=by_order).main.matched == 5
    system.write_text("".join([*lines[:2], "{\n", *lines[3:]]))
    with pytest.raises(PairingError, match=r"item b cannot be paired by order: .*:3:"):
        score(gold, system, "mrp", options=by_order)
    assert score(gold, system, "mrp").main.matched == 5
    # Where there is one framework alone it is of that.
    system.write_text("".join([lines[0], "{\n", lines[4]]))
    gold.write_text("".join(lines[::2]))
    assert score(gold, system, "mrp", options=by_order).main.matched == 2


WORD = "1\t{0}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
NEW = "# newdoc id = {0}\n"
BAD = WORD.replace("\t_\t_\n", "\n")


@pytest.mark.parametrize(
    ("documents", "matched"),
    [
        # A record each: a bad one is a document.
        ([NEW.format(1) + WORD, NEW.format(2) + BAD, NEW.format(3) + WORD], 2),
        # A bad sentence among others of its document.
        ([NEW.format(1) + WORD + BAD + WORD, NEW.format(3) + WORD], 0),
        # A file that is the document.
        ([WORD, BAD, WORD], 0),
        ([BAD, WORD, WORD], 0),
    ],
)  # fmt: skip
def test_documents_pair_by_order_as_they_stand(
    documents: list[str], matched: int, tmp_path: Path
) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    text = "".join(each.replace("{0}", "w") for each in documents)
    system.write_text(text)
    gold.write_text(text.replace("\troot\n", "\troot\t_\t_\n"))
    result = score(gold, system, "tagging", options=Options(pair="order"))
    assert result.counts["upos"].matched == (matched or text.count("NOUN") - 1)
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        store.ingest([str(gold)], "gold")
        store.ingest([str(system)], "system", keep_going=True)
        [kept] = store.score(
            "gold", "system", [parse("tagging")], Options(pair="order")
        )
    assert kept.counts["upos"].matched == result.counts["upos"].matched


def test_a_sentence_of_no_known_document_refuses_documents_by_order(
    tmp_path: Path,
) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    documents = [NEW.format(1) + WORD + WORD, BAD, NEW.format(2) + WORD]
    text = "".join(each.replace("{0}", "w") for each in documents)
    system.write_text(text)
    gold.write_text(text.replace("\troot\n", "\troot\t_\t_\n"))
    by_order = Options(pair="order")
    with pytest.raises(PairingError, match="may belong to the document before"):
        score(gold, system, "tagging", options=by_order)
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        store.ingest([str(gold)], "gold")
        store.ingest([str(system)], "system", keep_going=True)
        with pytest.raises(PairingError, match="may belong to the document before"):
            store.score("gold", "system", [parse("tagging")], by_order)


def test_a_bad_record_may_be_of_any_language(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    english = MRP.replace('"framework"', '"language": "eng", "framework"')
    gold.write_text("".join(english.format(word) for word in "abc"))
    lines = gold.read_text().splitlines(keepends=True)
    system.write_text("".join([lines[0], lines[1][:-4] + "\n", lines[2]]))
    chosen = Options(Selection(languages=frozenset({"eng"})), pair="order")
    with pytest.raises(PairingError, match="may be of any language"):
        score(gold, system, "mrp", options=chosen)
    assert score(gold, system, "mrp", options=Options(pair="order")).main.matched == 2


@pytest.mark.parametrize("ids", ["aaa", "abc"])
def test_a_bad_record_keeps_its_place_where_all_have_one_id(
    ids: str, tmp_path: Path
) -> None:
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(
        "".join(
            MRP.format(word).replace(f'"id": "{word}"', f'"id": "{name}"')
            for word, name in zip("abc", ids, strict=True)
        )
    )
    lines = gold.read_text().splitlines(keepends=True)
    bad = lines[0].replace('"nodes": [', '"nodes": [7, ')
    system.write_text("".join([bad, *lines[1:]]).replace('"id": "b"', '"id": "a"'))
    system.write_text(system.read_text().replace('"id": "c"', '"id": "a"'))
    result = score(gold, system, "mrp")
    assert (result.main.gold, result.main.matched) == (3, 2)
