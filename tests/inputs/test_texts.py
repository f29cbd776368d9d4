"""PENMAN and CoNLL-U in lists, and what their libraries hold."""

from __future__ import annotations

import re
from pathlib import Path

import penman
import pytest

from graphscore import InputError, score
from graphscore.inputs.texts import from_conllu, from_penman

BARK = "(b / bark-01 :ARG0 (d / dog) :polarity -)"
RUN = "(b / run-02 :ARG0 (d / dog) :polarity -)"

DOGS = (
    "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
)
CATS = DOGS.replace("Dogs", "Cats").replace("nsubj", "obj")


def test_penman_as_texts_as_graphs_and_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "gold.amr"
    path.write_text(f"# ::id one\n{BARK}\n\n# ::id two\n{BARK}\n")
    texts = [BARK, RUN]
    graphs = [penman.decode(text) for text in texts]
    trees = [penman.parse(text) for text in texts]
    from_file = score(str(path), texts, "smatch")
    assert from_file.pairs == 2
    assert from_file.f1 < 1
    for system in (texts, graphs, trees, iter(texts), tuple(graphs)):
        assert score([BARK, BARK], system, "smatch").counts == from_file.counts
        if not hasattr(system, "__next__"):
            assert score(str(path), system, "smatch").counts == from_file.counts


def test_metadata_of_penman_is_kept() -> None:
    [graph] = from_penman([f"# ::id a.1 ::date 2020\n# ::snt Dogs bark\n{BARK}"])
    assert (graph.id, graph.text) == ("a.1", "Dogs bark")
    [same] = from_penman([penman.decode(f"# ::id a.1\n# ::snt Dogs bark\n{BARK}")])
    assert (same.id, same.text) == ("a.1", "Dogs bark")
    [named] = from_penman([BARK], ids=["x"], framework="umr")
    assert (named.id, named.framework) == ("x", "umr")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([BARK, "(b / bark-01"], "<gold>[1]:1:1: found a bracket that is not closed"),
        ([BARK, BARK + "\n\n" + BARK], "<gold>: [1]: found 2 graphs, expected one"),
    ],
)
def test_what_is_no_penman_is_named(texts: list[str], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        score(texts, texts)


def test_conllu_as_texts_and_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "gold.conllu"
    path.write_text(f"# sent_id = a\n{DOGS}\n# sent_id = b\n{DOGS}\n")
    from_file = score(str(path), [DOGS, CATS], "las")
    main = from_file.main
    assert main is not None
    assert (main.gold, main.matched) == (4, 3)
    assert score([DOGS, DOGS], [DOGS, CATS], "las").counts == from_file.counts
    assert score([DOGS + "\n" + DOGS], [DOGS, CATS], "las").counts == from_file.counts


def test_problems_of_conllu_say_the_text_and_its_line() -> None:
    bad = DOGS.replace("\t2\tnsubj", "\t7\tnsubj")
    said = re.escape("<conllu>[2]:1:21: HEAD: found '7'")
    with pytest.raises(InputError, match=said):
        from_conllu([DOGS, DOGS.rstrip("\n"), bad])
    with pytest.raises(InputError, match=re.escape("<conllu>[1]:2:")):
        from_conllu([DOGS + "\n" + DOGS, "# a comment\n" + bad])


def test_ids_of_conllu_are_of_single_sentences() -> None:
    assert [each.id for each in from_conllu([DOGS, CATS], ids=[1, 2])] == ["1", "2"]
    with pytest.raises(InputError, match="found 2 sentences, expected one for each id"):
        from_conllu([DOGS + "\n" + DOGS], ids=[1])


def test_token_lists_of_conllu() -> None:
    conllu = pytest.importorskip("conllu", reason="conllu is not installed")
    gold = conllu.parse(DOGS + "\n" + DOGS + "\n")
    system = conllu.parse(DOGS + "\n" + CATS + "\n")
    expected = score([DOGS, DOGS], [DOGS, CATS], "las")
    assert score(gold, system, "las").counts == expected.counts
    assert score(list(gold), [DOGS, CATS], "las").counts == expected.counts
    with pytest.raises(TypeError, match="single item has to be in a list"):
        score(gold[0], system[0], "las")


def test_graphs_of_penman_that_do_not_hang_together_are_named() -> None:
    apart = penman.Graph([("b", ":instance", "bark-01"), ("d", ":instance", "dog")])
    with pytest.raises(InputError, match=r"<penman>: \[1\]: found a graph that cannot"):
        from_penman(["(b / bark-01)", apart])
