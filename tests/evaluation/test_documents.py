"""Documents that the two sides cut in different places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from graphscore.evaluation.api import score
from graphscore.evaluation.pairing import Pairing
from graphscore.evaluation.store import Store
from graphscore.evaluation.unit import Unit
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph


def side(*documents: str) -> list[Unit]:
    """Documents such as ``a:text``; without a name they have their numbers."""
    found = []
    for number, each in enumerate(documents):
        name, colon, text = each.rpartition(":")
        found.append(document(name if colon else f"{number}", text))
    return found


def document(item: str, text: str) -> Unit:
    return Unit((Graph(item, "ud", text=text),), item)


def whole(unit: Unit | None) -> str:
    return "".join(unit.texts) if unit else ""


def pairs(
    gold: Sequence[Unit], system: Sequence[Unit]
) -> set[tuple[str | None, str | None]]:
    pairing: Pairing = Pairing(characters=lambda unit: unit.text, lone=True)
    found = list(pairing.pairs(gold, system))
    assert pairing.duplicates == []
    return {(a and a.item, b and b.item) for _, a, b in found}


def test_documents_go_on_to_the_next_common_end() -> None:
    found = pairs(side("a:abc", "b:de", "c:f", "d:gh"), side("x:ab", "y:cdef", "z:gh"))
    assert found == {("a..c", "x..y"), ("d", "z")}


def test_documents_of_one_name_are_joined_where_their_ends_differ() -> None:
    assert pairs(side("a:abc", "b:def"), side("a:ab", "b:cdef")) == {("a..b", "a..b")}


def test_one_that_is_left_over_on_each_side_is_not_the_only_one() -> None:
    """Between the documents that are the same there is no place for both."""
    gold, system = side("b:bb", "c:cc", "d:dd"), side("a:aa", "b:bb", "c:cc")
    assert pairs(gold, system) == {("b", "b"), ("c", "c"), ("d", None), (None, "a")}
    assert pairs(side("d:dd"), side("a:aa")) == {("d", "a")}


def test_sentences_before_the_first_document_belong_to_one() -> None:
    found = pairs(side("gold:ab", "1:cd"), side("system:ab", "1:cd"))
    assert found == {("gold", "system"), ("1", "1")}


def test_a_name_may_come_again() -> None:
    found = pairs(side("a:ab", "b:c", "a:d"), side("s:abcd"))
    assert found == {("a", "s")}
    found = pairs(side("a:ab", "b:c", "a:d"), side("a:ab", "b:c", "a:d"))
    assert found == {("a", "a"), ("b", "b")}


def test_other_texts_pair_by_name_then_by_text() -> None:
    gold = side("a:begins alike, has some words, ends alike", "b:more", "c:and an end")
    system = side(
        "a:begins alike, has some wørds, ends alike", "x:more", "c:and an end"
    )
    assert pairs(gold, system) == {("a", "a"), ("b", "x"), ("c", "c")}
    assert pairs(gold, system[::-1]) == {("a", "a"), ("b", "x"), ("c", "c")}


def test_what_lies_between_two_pairs_is_joined() -> None:
    gold = side("a:aaaa", "b:bbbb", "c:cccc", "d:dddd", "e:eeee")
    system = side("a:aaaa", "x:bbbBcccc", "y:ddd", "e:eeee")
    assert pairs(gold, system) == {("a", "a"), ("b..d", "x..y"), ("e", "e")}
    assert pairs(gold, side("s:aaaabbbbccccdddeeee")) == {("a..e", "s")}


def test_what_a_neighbour_holds_is_joined_to_it() -> None:
    gold = side("a:aaaa", "b:bbbb", "c:cccc")
    assert pairs(gold, side("a:aaaabbbBcccc")) == {("a..c", "a")}
    assert pairs(gold, side("a:aaaa", "c:bbbBcccc")) == {("a", "a"), ("b..c", "c")}
    assert pairs(gold, side("a:aaaA", "c:bbbbcccc")) == {("a..c", "a..c")}
    assert pairs(side("a:aaaabbbBcccc"), gold) == {("a", "a..c")}


def test_names_decide_where_all_is_rewritten_and_nothing_moved() -> None:
    gold = side("a:aaaa", "b:bbbb", "c:cccc")
    assert pairs(gold, side("a:aaaA", "b:bBb", "c:cC")) == {(e, e) for e in "abc"}
    assert pairs(gold, side("a:aa", "b:aabbbb", "c:cccC")) == {
        ("a..b", "a..b"),
        ("c", "c"),
    }
    assert pairs(gold, side("a:Aa", "b:aabbbb", "c:cccc")) == {
        ("a..b", "a..b"),
        ("c", "c"),
    }


def test_what_nobody_has_is_missing() -> None:
    gold = side("a:aaaa", "b:bbbb", "c:cccc")
    assert pairs(gold, side("a:aaaa", "c:cccc")) == {
        ("a", "a"),
        ("b", None),
        ("c", "c"),
    }
    assert pairs(gold, side("c:cccc")) == {("a", None), ("b", None), ("c", "c")}
    assert pairs(gold, []) == {("a", None), ("b", None), ("c", None)}
    assert pairs([], gold) == {(None, "a"), (None, "b"), (None, "c")}


def test_units_without_characters_go_by_their_names() -> None:
    pairing: Pairing = Pairing(characters=lambda _: None)
    found = list(pairing.pairs(side("a:x", "b:y"), side("b:x", "a:y")))
    assert {(a and a.item, b and b.item) for _, a, b in found} == {
        ("a", "a"),
        ("b", "b"),
    }


cuts = st.lists(st.integers(0, 12), max_size=6).map(sorted)


@given(st.text("ab", min_size=12, max_size=12), cuts, cuts)
def test_one_text_is_cut_at_all_common_ends(
    text: str, one: list[int], two: list[int]
) -> None:
    bounds = [sorted({0, *each, 12}) for each in (one, two)]
    gold, system = (
        [document(f"{start}", text[start:end]) for start, end in pairwise(each)]
        for each in bounds
    )
    pairing: Pairing = Pairing(characters=lambda unit: unit.text)
    found = list(pairing.pairs(gold, system))
    assert all(a and b and whole(a) == whole(b) for _, a, b in found)
    assert "".join(whole(pair.gold) for pair in found) == text
    ends = list(accumulate(len(whole(pair.gold)) for pair in found))
    assert ends == [each for each in bounds[0] if each and each in bounds[1]]


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.text("xy", max_size=3)), max_size=5),
    st.lists(st.tuples(st.sampled_from("abd"), st.text("xy", max_size=3)), max_size=5),
)
def test_every_document_is_in_one_pair_whatever_the_texts(
    gold: list[tuple[str, str]], system: list[tuple[str, str]]
) -> None:
    sides = [
        [document(f"{name}{number}", text) for number, (name, text) in enumerate(each)]
        for each in (gold, system)
    ]
    pairing: Pairing = Pairing(characters=lambda unit: unit.text)
    found = list(pairing.pairs(*sides))
    for units, column in zip(sides, (1, 2), strict=True):
        names = [
            name
            for pair in found
            for name, _ in (pair[column].names if pair[column] else [])
        ]
        assert sorted(names) == sorted(unit.item for unit in units)


def sentence(*forms: str, before: str = "") -> str:
    rows = [
        f"{k}\t{form}\t_\tX\t_\t_\t{k - 1}\t{'dep' if k > 1 else 'root'}\t_\t_"
        for k, form in enumerate(forms, 1)
    ]
    return "\n".join([*([before] if before else []), *rows]) + "\n\n"


GOLD = (
    sentence("One", "dog", before="# newdoc id = a")
    + sentence("Two", "cats")
    + sentence("don't", "bark", before="# newdoc id = b")
    + sentence("at", "all", before="# newdoc")
)
SYSTEM = sentence("One", "dog", "Two") + sentence("cats", "don't", "bark", "at", "all")


def test_files_and_stores_join_alike(tmp_path: Path) -> None:
    files = []
    for name, text in (("gold", GOLD), ("system", SYSTEM)):
        files.append(tmp_path / f"{name}.conllu")
        files[-1].write_text(text, encoding="utf-8")
    gold, system = map(str, files)
    result = score(gold, system, "las")
    assert (result.pairs, result.missing_system, result.spurious_system) == (1, 0, [])
    assert (result.main and result.main[:3]) == (8, 8, 4)
    assert result.notes == [
        f"{system}: documents do not begin and end where gold's do: 3 of gold and 1 of "
        "the system are scored as 1"
    ]
    assert [each.item for each in result.items] == ["a..gold"]
    assert list(result.by("document")) == [("a..gold",)]
    turned = score(system, gold, "las")
    assert (turned.pairs, turned.main and turned.main[:3]) == (1, (8, 8, 4))
    with Store("sqlite://", mode="create") as store:
        store.ingest(gold, "gold")
        store.ingest(system, "system")
        for reused in (0, 1):
            [kept] = store.score("gold", "system", [parse("las")])
            assert (kept.reused, kept.counts) == (reused, result.counts)
            assert list(kept.by("document")) == [("a..gold",)]


def test_white_space_is_no_difference_of_texts(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(sentence("One", "dog"), encoding="utf-8")
    rows = sentence("One", "dog").replace("root\t_\t_", "root\t_\tSpaceAfter=No")
    system.write_text(rows, encoding="utf-8")
    assert score(str(gold), str(system), "las").notes == []
    system.write_text(rows.replace("dog", "dig"), encoding="utf-8")
    [note] = score(str(gold), str(system), "las").notes
    assert "the text differs from gold in 1 pair" in note
