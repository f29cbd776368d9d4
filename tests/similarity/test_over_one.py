"""What can be more than 1: formulas and metrics that count parts several times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given

from graphscore import parse, score, write_graphs
from graphscore.cli.main import cli
from graphscore.metrics import suite
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.similarity import (
    FormulaError,
    Similarity,
    anchors,
    derive,
    exact,
    f1,
    jaccard,
    label,
    match,
    nodes,
    precision,
    recall,
    targets,
)
from graphscore.similarity.explanation.report import measure, over_one
from graphscore.similarity.operators.ratios import Normalized
from graphscore.similarity.view import Pair, View
from graphscore.structures import (
    Entity,
    EntitySet,
    Mention,
    counted,
    less,
    matched,
    summed,
)
from tests.similarity import pieces
from tests.similarity.strategies import formulas, graph_pairs, one_sided

LINKS = match(targets("mention"), exact(anchors)) - 1


def chains(*entities: str) -> Graph:
    """Entities of mentions of a character; an entity may share those of others."""
    return msgspec.structs.replace(pieces.entities(*entities), framework="coref")


def muc(counting: Any = "bounded") -> Similarity:
    return f1(match(nodes("entity"), LINKS, "n:n"), counting=counting)


@given(formulas(), graph_pairs())
def test_no_share_is_more_than_one_unless_the_formula_says_why(
    formula: Similarity, pair: tuple[Graph, Graph]
) -> None:
    found = measure(formula, Pair(*map(View, pair))).count
    if not over_one(formula):
        assert found.recall <= 1 + 1e-9
        assert found.precision <= 1 + 1e-9


@given(one_sided(), graph_pairs())
def test_sums_that_are_one_sided_are_bounded(
    formula: Similarity, pair: tuple[Graph, Graph]
) -> None:
    found = measure(formula, Pair(*map(View, pair)))
    if not over_one(formula):
        assert found.count.recall <= 1 + 1e-9
        assert found.count.precision <= 1 + 1e-9
        assert not isinstance(formula, Normalized) or found.value <= 1 + 1e-9


def test_muc_where_gold_entities_overlap() -> None:
    """abc and bcd share a link; abcd has three links, of which each has two."""
    gold, system = chains("abc", "bcd"), chains("abcd")
    literal = muc("formula").score(gold, system)
    assert (literal.gold, literal.system, literal.matched) == (6, 3, 4)
    assert (literal.precision, literal.recall) == (4 / 3, 4 / 6)
    bounded = muc().score(gold, system)
    assert (bounded.matched, bounded.matched_system) == (4, 3)
    assert (bounded.precision, bounded.recall) == (1, 4 / 6)
    # The other way round recall and precision change places.
    turned = muc().score(system, gold)
    assert (turned.precision, turned.recall) == (4 / 6, 1)
    for counting in ("bounded", "formula", "refused"):
        same = muc(counting).score(gold, gold)
        assert (same.precision, same.recall) == (1, 1)


def test_muc_of_entities_that_do_not_overlap_is_the_equation() -> None:
    gold, system = chains("abcd", "ef"), chains("ab", "cd", "ef")
    reports = [muc(each).score(gold, system) for each in ("bounded", "formula")]
    assert [each.matched for each in reports] == [3, 3]
    assert [each.matched_system for each in reports] == [3, 3]


def test_equal_members_that_all_match_are_held_to_their_own_side() -> None:
    amount = match(nodes(), exact(label), "n:n")
    one = Graph("1", "x", nodes=tuple(Node(k, "a") for k in range(2)))
    three = Graph("1", "x", nodes=tuple(Node(k, "a") for k in range(3)))
    report = f1(amount).score(one, three)
    assert (report.gold, report.system) == (4, 9)
    assert (report.matched, report.matched_system) == (4, 6)
    assert f1(amount, counting="formula").score(one, three).recall == 6 / 4
    once = match(nodes(), exact(label), "n:n", duplicates="set")
    assert f1(once).score(one, three).f1 == 1


@pytest.mark.parametrize("ratio", [f1, recall, precision, jaccard])
def test_a_share_of_more_than_one_is_refused_by_choice(ratio: Any) -> None:
    formula = ratio(match(nodes("entity"), LINKS, "n:n"), counting="refused")
    assert over_one(formula) == ""
    with pytest.raises(FormulaError) as error:
        formula.score(chains("abc", "bcd"), chains("abcd"))
    said = str(error.value)
    assert "a precision of more than 1, 4 of 3" in said
    assert "counting='bounded'" in said
    assert "counting='formula'" in said
    assert formula.score(chains("abc", "d"), chains("abcd")).value > 0


def test_refusing_is_a_mark_too() -> None:
    marks = {
        EntitySet: {"entities": (matched("n:n"), counted("refused"))},
        Entity: {"mentions": (summed, less(1))},
    }

    def entities(*found: str) -> EntitySet:
        return EntitySet(
            frozenset(
                Entity(frozenset(Mention(ord(one), ord(one)) for one in each))
                for each in found
            )
        )

    formula = derive(EntitySet, marks).formula
    assert repr(formula).endswith("counting='refused')")
    assert formula.score(entities("abc"), entities("ab")).recall == 1 / 2
    with pytest.raises(FormulaError, match="more than 1"):
        formula.score(entities("abc", "bcd"), entities("abcd"))


def test_it_is_stated_where_a_formula_is_explained() -> None:
    gold, system = chains("abc", "bcd"), chains("abcd")
    shown = muc("formula").score(gold, system).explain()
    assert "  precision is more than 1: counting='formula' counts" in shown
    assert "more than 1" not in muc().score(gold, system).explain()


# Where it is printed.


def note(metric: Any, gold: Graph, system: Graph) -> list[str]:
    found = score([gold], [system], metric)
    return [each for each in found.notes if "more than 1" in each]


def test_results_say_so() -> None:
    gold, system = chains("abc", "bcd"), chains("abcd")
    [said] = note(suite("links", {"all": muc("formula")}), gold, system)
    assert said.startswith("links: more than 1: all has precision 1.3333: counting=")
    assert note(suite("links", {"all": muc()}), gold, system) == []
    assert note(suite("links", {"all": muc("formula")}), gold, gold) == []


def test_tables_json_and_the_list_of_metrics_say_so(tmp_path: Path) -> None:
    files = []
    for name, graph in (("gold", chains("abc", "bcd")), ("system", chains("abcd"))):
        files.append(str(tmp_path / f"{name}.mrp"))
        Path(files[-1]).write_bytes(b"".join(write_graphs([graph], "mrp")))
    call = ["score", *files, "-m", repr(muc("formula"))]
    printed = CliRunner().invoke(cli, call)
    assert printed.exit_code == 0
    assert "more than 1: all has precision 1.3333" in printed.output
    found = json.loads(CliRunner().invoke(cli, [*call, "--json"]).stdout)
    assert found["over_one"].startswith("all has precision 1.3333: counting='formula'")
    assert found["counts"]["all"]["precision"] == pytest.approx(4 / 3)
    refused = CliRunner().invoke(cli, [*call[:-1], repr(muc("refused"))])
    assert refused.exit_code == 2
    assert "a precision of more than 1, 4 of 3" in refused.output
    listed = CliRunner().invoke(cli, ["metrics", "smatch(duplicates=pairs)", "--table"])
    assert "can be more than 1: duplicates=pairs counts" in listed.output
    described = CliRunner().invoke(cli, ["metrics", "smatch", "--json"])
    assert json.loads(described.stdout)["over_one"] == ""


def spans(*entities: list[int]) -> Graph:
    """Entities of mentions of their own, some of which may have the same words."""
    built: list[Node] = []
    edges = []
    for starts in entities:
        owner = len(built)
        built.append(Node(owner, None, (("kind", "entity"),)))
        for start in starts:
            edges.append(Edge(owner, len(built), "mention"))
            where = (Anchor(start, start + 1),)
            built.append(Node(len(built), None, (("kind", "mention"),), where))
    return Graph("1", "coref", text="abcdef", nodes=tuple(built), edges=tuple(edges))


def test_blanc_of_the_corefud_scorer_where_entities_overlap() -> None:
    gold, system = spans([3], [0, 1, 3], [0, 4, 2]), spans([3], [0, 1])
    [said] = note(parse("blanc(preset=corefud)"), gold, system)
    assert "noncoreference has precision 2.0000" in said
    assert "preset=none finds it once" in said
    assert note(parse("blanc"), gold, system) == []


def test_repeated_triples_of_smatch() -> None:
    twice = Graph(
        "1",
        "amr",
        nodes=(Node("a", "x"), Node("b", "y")),
        edges=(Edge("a", "b", "mod"), Edge("a", "b", "mod")),
        tops=("a",),
    )
    [said] = note(parse("smatch(duplicates=pairs)"), twice, twice)
    assert "duplicates=multiset counts it twice" in said
    assert note(parse("smatch"), twice, twice) == []
