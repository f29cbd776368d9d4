"""Patterns are read, written again, and refused with a finger on the place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import UsageError
from graphscore.find.grammar import parse
from graphscore.find.pattern import (
    Block,
    EdgeClause,
    Feature,
    FeatureClause,
    NodeClause,
    OrderClause,
    Pattern,
    Regex,
    SideBlock,
    Test,
    VerdictClause,
)
from graphscore.find.scope import scope_of

WHOLE = """
pattern {                                    % of a verb
  X [label="join-01", pos=VERB|AUX, !tense, lemma=re"un.*"];
  e: X -[^ARG1|ARG2]-> Y; X -[re"ARG.*"]-> Z$; X -[label=mod, !remote]-> Y;
  X < Y; Y >> Z; X.lemma = Y.lemma; e.label <> "ARG3"; Y.__id__ > X.__id__;
  * -> X; X ->> Y; top(X); missing(X); spurious(X -[ARG1]-> Y); wrong(X.pos);
}
with { golden -> system1 }
without { system { V -> X } }
gold { V -[ARG2]-> A } system { V -[ARG1]-> A }
global { is_tree; sent_id=a|re"b.*"; text<>"x" }
"""


def test_a_pattern_prints_as_it_is_read() -> None:
    found = parse(WHOLE)
    assert parse(str(found)) == found
    assert str(found).startswith(
        'pattern { X [label=join-01, pos=VERB|AUX, !tense, lemma=re"un.*"]; '
        'e: X -[^ARG1|ARG2]-> Y; X -[re"ARG.*"]-> Z$; '
    )
    assert "Z << Y" in str(found)
    assert "X.__id__ < Y.__id__" in str(found)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
regexes = st.sampled_from(("a.*", 'x\\"y', "[ab]\\d", "", "\\\\")).map(Regex)
words = st.lists(st.one_of(texts, regexes), min_size=1, max_size=3).map(tuple)
signs = st.sampled_from(("=", "<>"))
tests = st.one_of(
    st.builds(Test, texts, signs, words),
    st.builds(Test, texts, st.sampled_from(("has", "lacks"))),
)
names = st.sampled_from(("X", "Y1", "été", "Z$"))
features = st.builds(Feature, names, texts.filter(lambda x: x != "__id__"))
edges = st.builds(
    EdgeClause,
    names,
    names,
    st.lists(tests, max_size=2).map(tuple),
    st.sampled_from(("", "e")),
)
clauses = st.one_of(
    st.builds(NodeClause, names, st.lists(tests, max_size=2).map(tuple)),
    edges,
    st.builds(OrderClause, names, st.sampled_from(("<", "<<")), names),
    st.builds(FeatureClause, features, signs, st.one_of(features, texts, regexes)),
    st.builds(VerdictClause, st.just("wrong"), features),
    st.builds(VerdictClause, st.sampled_from(("missing", "spurious")), names),
)
sides = st.builds(
    SideBlock, st.sampled_from(("gold", "system")), st.lists(clauses).map(tuple)
)
blocks = st.builds(
    Block,
    st.sampled_from(("pattern", "with", "without")),
    st.lists(st.one_of(clauses, sides), max_size=3).map(tuple),
)


@given(st.lists(st.one_of(blocks, sides), min_size=1, max_size=2).map(tuple))
def test_every_pattern_prints_as_it_is_read(found: tuple[Block, ...]) -> None:
    pattern = Pattern(found)
    assert parse(str(pattern)) == pattern


@pytest.mark.parametrize(
    ("pattern", "column", "said"),
    [
        ("pattern { X [ }", 15, "found '}', expected"),
        ("pattern { X -[ARG1-> Y }", 20, "expected ']->'"),
        ("pattern { X -> }", 16, "found '}', expected a name or '*'"),
        ("patern { X -> Y }", 1, "expected 'pattern', 'with', 'without'"),
        ("pattern { X -> Y", 17, "found the end, expected '}' or ';'"),
        ('pattern { X [a="b] }', 16, "a quote that is not closed"),
        ('pattern { X [a=re"("] }', 19, "not a regular expression of Python"),
        ("pattern { wrong(X) }", 11, "wrong() is of a feature, as X.label"),
        ("pattern { X []; missing(X.pos) }", 17, "missing() is of a node or edge"),
        ("pattern { X.a < Y.a }", 15, "'<' only compares __id__ with __id__"),
        ("pattern { e: X -> * }", 19, "the edge e has '*' at an end"),
        ("pattern { X & Y }", 13, "found '&', expected '->'"),
    ],
)
def test_what_is_wrong_is_pointed_at(pattern: str, column: int, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(pattern)
    first, shown, finger = str(caught.value).split("\n")
    assert f"column {column}: " in first
    assert said in first
    assert shown == f"  {pattern}"
    assert finger.index("^") == column + 1


def test_the_line_is_named_where_there_are_several() -> None:
    with pytest.raises(UsageError, match="line 3, column 4: ") as caught:
        parse("pattern {\n X -> Y;\n Z & }")
    assert "\n   Z & }\n     ^" in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("pattern { X [] ; missing(Z) }", "no node or edge Z in the pattern"),
        ("pattern { Verb []; Y []; Vreb << Y }", "Vreb .*did you mean 'Verb'"),
        ("pattern { e: X -> Y; e: Y -> X }", "there are two edges e"),
        ("pattern { X: X -> Y }", "X is a node, expected another name"),
        ("gold { X [] } system { top(X) }", r"it is declared in gold \{"),
        ("pattern { e: X -> Y; top(e) }", "no node e in the pattern"),
        (
            "pattern { X []; Y []; missing(X); spurious(Y) }",
            "what is missing is gold's and what is spurious the system's",
        ),
    ],
)
def test_names_stand_for_one_thing(pattern: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        scope_of(parse(pattern))


def test_what_is_spurious_is_looked_for_in_the_system() -> None:
    assert scope_of(parse("pattern { X []; spurious(X) }")).side == "system"
    assert scope_of(parse("pattern { spurious(X -[ARG1]-> Y) }")).side == "system"
    both = "pattern { X -[ARG2]-> Y; spurious(X -[ARG1]-> Y) }"
    assert scope_of(parse(both)).side == "gold"
    assert not scope_of(parse("system { X -> Y }")).compares
