"""UCCA as the UCCA toolkit counts it: its normal forms, and items in sets."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given

from graphscore.exceptions import UsageError
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.metrics.meaning.ucca_toolkit.passages import Passage, Unit, normalized
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from tests.metrics.meaning.pieces import counts, outcome
from tests.strategies import graph_pairs

TOOLKIT = "ucca(preset=toolkit)"
AS_IT_IS = "ucca(preset=toolkit,normalize=false)"

PIECE = re.compile(r"([A-Z|]+)(\*?)\(|(\))|(\S)")


def xml(written: str) -> bytes:
    """A passage in brackets, as XML.

    ``H(A(a) P(p))`` are units over words, ``.`` is punctuation, ``0`` makes a unit
    implicit, and ``A*(a)`` is a remote link to the unit over the word ``a``.
    """
    words: list[str] = []
    units: list[tuple[list[tuple[str, str, bool]], list[bool]]] = [([], [])]
    names: dict[str, str] = {}
    remote: list[tuple[int, str, str]] = []
    stack = [0]
    pieces = PIECE.finditer(written)
    for tags, star, closing, leaf in (each.groups() for each in pieces):
        if star:
            target = next(pieces)[4]
            remote.append((stack[-1], tags, target))
            next(pieces)
        elif tags:
            units.append(([], []))
            units[stack[-1]][0].append((f"1.{len(units)}", tags, False))
            stack.append(len(units) - 1)
        elif closing:
            stack.pop()
        elif leaf == "0":
            units[stack[-1]][1].append(True)
        else:
            words.append(leaf)
            names.setdefault(leaf, f"1.{stack[-1] + 1}")
            units[stack[-1]][0].append((f"0.{len(words)}", "Terminal", False))
    for place, tags, word in remote:
        units[place][0].append((names[word], tags, True))
    lines = ['<root annotationID="0" passageID="1"><layer layerID="0">']
    for number, word in enumerate(words, 1):
        tuple_type = "Punctuation" if word in ".," else "Word"
        lines.append(f'<node ID="0.{number}" type="{tuple_type}">')
        lines.append(f'<attributes text="{word}" paragraph="1"/></node>')
    lines.append('</layer><layer layerID="1">')
    for number, (links, implicit) in enumerate(units, 1):
        lines.append(f'<node ID="1.{number}" type="FN">')
        lines.append('<attributes implicit="True"/>' if implicit else "<attributes/>")
        for target, tags, far in links:
            lines.append(f'<edge toID="{target}" type="{tags.split("|")[0]}">')
            lines.append('<attributes remote="True"/>' if far else "<attributes/>")
            lines += [f'<category tag="{tag}"/>' for tag in tags.split("|")]
            lines.append("</edge>")
        lines.append("</node>")
    return "".join([*lines, "</layer></root>"]).encode()


def graph(written: str) -> Graph:
    read = format_named("ucca").read
    assert read is not None
    [record] = read(io.BytesIO(xml(written)), "a.xml")
    assert isinstance(record, ReadGraph), record
    return record.graph


def form(written: str) -> list[str]:
    """The links of the normal form, each with the words below."""
    found = graph(written)
    passage = Passage(found)
    normalized(passage)
    return sorted(links(passage, found))


def links(passage: Passage, found: Graph) -> Iterator[str]:
    forms = [found.text[start:end] for start, end in passage.tokens]

    def words(unit: Unit) -> set[int]:
        below = (words(link.target) for link in unit.links if not link.remote)
        return set(unit.terminals).union(*below)

    for unit in passage.units:
        for link in unit.links:
            shown = "".join(sorted(forms[each] for each in words(link.target)))
            star = "*" if link.remote else ""
            above = "".join(sorted(forms[each] for each in words(unit)))
            below = "0" if link.target.implicit else shown
            yield f"{above}:{'|'.join(link.tags)}{star}({below})"


def plain(written: str) -> list[str]:
    """The links of a passage as it is."""
    found = graph(written)
    return sorted(links(Passage(found), found))


FORMS = [
    # What the toolkit makes of the passage on the left is the one on the right.
    ("H(A(a) P(p))", "H(A(a) P(p))"),
    ("H(A(C(C(c) E(e)) E(f)) P(p))", "H(A(C(c) E(e) E(f)) P(p))"),
    ("H(A(E(e) C(C(a))) P(p))", "H(A(E(e) C(a)) P(p))"),
    ("H(A(E(e) C(E(f) C(C(c) E(g)))) P(p))", "H(A(E(e) E(f) C(c) E(g)) P(p))"),
    ("H(A(C(C(a) N(n) C(b)) E(e)) P(p))", "H(A(C(C(a) N(n) C(b)) E(e)) P(p))"),
    ("H(A(C(C(a) E(b)) C(c)) P(p))", "H(A(C(C(a) E(b)) C(c)) P(p))"),
    ("H(A(C(C(a))) P(p))", "H(A(a) P(p))"),
    ("H(E(A(x)) P(p))", "H(E(x) P(p))"),
    ("H(E(A|P(x)) P(p))", "H(E(A|P(x)) P(p))"),
    ("H(E(P|C(x)) P(p))", "H(E(x) P(p))"),
    ("H(E(F(x)) P(p))", "H(E(x) P(p))"),
    ("H(A(w C(C(c) E(e))) P(p))", "H(A(w C(c) E(e)) P(p))"),
    ("A(a) P(p)", "H(A(a) P(p))"),
    ("A(a) L(l) P(p)", "L(l) H(A(a) P(p))"),
    ("F(f) A(a) P(p)", "H(F(f) A(a) P(p))"),
    ("H(A(a) P(p)) A(x)", "H(A(a) P(p)) H(x)"),
    ("H(H(A(a) P(p)) A(b))", "H(H(A(a) P(p)) H(b))"),
    ("H|A(A(a) P(p)) L(l)", "H|A(A(a) P(p)) L(l) H()"),
    ("D(x) H(A(a) P(p))", "D(x) H(A(a) P(p))"),
    ("H(F(C(c) E(e)) P(p))", "H(F(c) E(e) P(p))"),
    ("H(F(F(E(e) C(c)) C(d)) P(p))", "H(F(E(e) C(c)) F(d) P(p))"),
    ("F(C(c) E(e)) H(A(a) P(p))", "F(C(c) E(e)) H(A(a) P(p))"),
    ("H(E(C(F(C(c) E(e)) C(z))) P(p))", "H(E(F(c) E(e) C(z)) P(p))"),
    ("H(A(C(c) E(e) A(0)) P(p))", "H(A(C(c) E(e)) P(p))"),
    ("H(A(P(q) A(0)) P(p))", "H(A(P(q) A(0)) P(p))"),
    ("H(A(A(a) A(0)) P(p))", "H(A(A(a)) P(p))"),
    ("H(A(C(a) U(.)) P(p))", "H(A(a) U(.) P(p))"),
    ("H(P(p) A(C(a) U(.)))", "H(P(p) A(C(a) U(.)))"),
    ("H(A(a) P(p)) U(.)", "H(A(a) P(p) U(.))"),
    ("H(A(U(.)) P(p))", "H(P(p U(.)))"),
    ("H(A(a) P(p) U(.)) H(A(b) P(q))", "H(A(a) P(p)) U(.) H(A(b) P(q))"),
    ("H(A(C(c)) P(p)) H(P(q) A*(c))", "H(A(c) P(p)) H(P(q) A*(c))"),
    ("H(A(E(a)) P(p)) H(A(P*(a) C(0)) P(q))", "H(A(E(a)) P(p)) H(A(P*(a) C(0)) P(q))"),
]


@pytest.mark.parametrize(("given", "made"), FORMS)
def test_normal_forms_are_those_of_the_toolkit(given: str, made: str) -> None:
    assert form(given) == plain(made)


def tuple_types(gold: str, system: str, metric: str = TOOLKIT) -> dict[str, Any]:
    return counts(graph(gold), graph(system), metric)


def test_yields_are_items_and_share_a_category_or_not() -> None:
    found = tuple_types("H(A|D(a) P(p))", "H(A(a) S(p))")
    assert found["labeled primary"] == found["all"] == (3, 3, 2)
    assert found["unlabeled primary"] == (3, 3, 3)
    assert found["weak_labeled primary"] == (3, 3, 3)


@pytest.mark.parametrize("pair", ["PS", "HC", "RF", "NL"])
def test_four_pairs_of_categories_are_alike_in_weak_labels(pair: str) -> None:
    one, two = (f"H(A(a) {tag}(x) D(d))" for tag in pair)
    found = tuple_types(one, two, AS_IT_IS)
    assert found["labeled primary"][2] + 1 == found["weak_labeled primary"][2]


def test_units_of_one_yield_are_one_item() -> None:
    assert tuple_types("H(A(C(a)) P(p))", "H(A(a) P(p))", AS_IT_IS)[
        "labeled primary"
    ] == (*(3, 3, 3),)


def test_punctuation_is_no_part_of_yields() -> None:
    found = tuple_types("H(A(a .) P(p) U(,))", "H(A(a) U(.) P(p) U(,))", AS_IT_IS)
    assert found["labeled primary"] == (3, 3, 3)


def test_implicit_units_are_items_of_the_unit_above() -> None:
    found = tuple_types("H(A(a) P(p) A(0))", "H(A(a) P(p) D(0))")
    assert found["labeled implicit"] == (1, 1, 0)
    assert found["unlabeled implicit"] == (1, 1, 1)
    errors = outcome(graph("H(A(a) P(p) A(0))"), graph("H(A(a) P(p))"), TOOLKIT).errors
    rows = [(each.tuple_type, each.object, each.value) for each in errors]
    assert rows == [
        (f"{group} implicit", "node", "A")
        for group in ("labeled", "unlabeled", "weak_labeled")
    ]


def test_remote_links_are_known_by_what_they_lead_to() -> None:
    gold = "H(A(a) P(p)) H(P(q) A*(a))"
    found = tuple_types(gold, "H(A(a) P(p) D*(q)) H(P(q))", AS_IT_IS)
    assert found["labeled remote"] == (1, 1, 0)
    moved = "H(A(a) P(p)) H(P(q)) A*(a)"
    assert tuple_types(gold, moved, AS_IT_IS)["labeled remote"] == (1, 1, 1)


def test_functions_of_both_sides_hang_at_the_root() -> None:
    gold, system = "H(A(F(f) C(c)) P(p))", "H(F(f) A(c) P(p))"
    assert tuple_types(gold, system)["labeled primary"] == (4, 4, 4)
    assert tuple_types(gold, system, AS_IT_IS)["labeled primary"] == (5, 4, 3)


def test_without_normalization_goes_with_the_toolkit() -> None:
    with pytest.raises(UsageError, match="normalize=false goes with preset=toolkit"):
        parse("ucca(normalize=false)")
    assert str(parse(AS_IT_IS)) == AS_IT_IS


def test_categories_have_a_table() -> None:
    metric = parse(TOOLKIT)
    raw_counts = outcome(
        graph("H(A(a) P(p))"), graph("H(A(a) S(p))"), metric
    ).raw_counts
    scores = metric.scores(raw_counts)
    [table] = metric.tables(scores)
    assert table.rows["A"] == (1, 1, 1, 1.0)
    assert table.rows["S"] == (0, 1, 0, 0.0)
    assert not any(name.startswith("category.") for name in metric.brief(scores[1]))


def test_what_implicit_units_say_is_in_the_digest() -> None:
    one, two = graph("H(A(a) P(p) A(0))"), graph("H(A(a) P(p) D(0))")
    three = graph("H(A(a) P(p))")
    assert len({each.digest() for each in (one, two, three)}) == 3
    renamed = msgspec.structs.replace(one, id="2")
    assert renamed.digest() == one.digest()
    odd = msgspec.structs.replace(three, extra={"ucca": [1]})
    assert odd.digest() == msgspec.structs.replace(three, extra={}).digest()


def test_scenes_that_never_end_are_made_once() -> None:
    # The toolkit does not come to an end here.
    assert form("H(E(A|H(x)) P(p))")


# An oracle for passages as they are, written down from the definition alone.


def slow(one: Graph) -> Callable[[str], dict[frozenset[int], set[str]]]:
    passage = Passage(one)

    def words(unit: Unit, above: tuple[Unit, ...] = ()) -> frozenset[int]:
        if unit in above:
            return frozenset()
        found = set(unit.terminals) - passage.punctuation
        for link in unit.links:
            if not link.remote:
                found |= words(link.target, (*above, unit))
        return frozenset(found)

    def items(name: str) -> dict[frozenset[int], set[str]]:
        found: dict[frozenset[int], set[str]] = {}
        for unit in passage.units:
            for link in unit.links:
                if link.remote == (name == "remote") and "U" not in link.tags:
                    found.setdefault(words(link.target), set()).update(link.tags)
        return found

    return items


def _has_circle(one: Graph) -> bool:
    passage = Passage(one)

    def below(unit: Unit, above: tuple[Unit, ...]) -> bool:
        return unit in above or any(
            below(link.target, (*above, unit)) for link in unit.links if not link.remote
        )

    return any(below(unit, ()) for unit in passage.units)


@given(pair=graph_pairs(4))
def test_items_are_sets_of_yields(pair: tuple[Graph, Graph]) -> None:
    if any(map(_has_circle, pair)):
        return
    found = counts(*pair, AS_IT_IS)
    for name in ("primary", "remote"):
        gold, system = (slow(each)(name) for each in pair)
        both = gold.keys() & system.keys()
        alike = sum(bool(gold[key] & system[key]) for key in both)
        assert found[f"unlabeled {name}"] == (len(gold), len(system), len(both))
        assert found[f"labeled {name}"] == (len(gold), len(system), alike)
