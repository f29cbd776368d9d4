"""Formulas in a line of text: what ``repr`` writes is read, and nothing is run."""

from __future__ import annotations

import inspect
import os
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import graphscore.similarity as algebra
from graphscore.exceptions import UsageError
from graphscore.metrics import metrics, parse, split_metrics, suite
from graphscore.similarity import FormulaError, Similarity, formula
from graphscore.similarity.parsing.builder import Builder
from graphscore.similarity.parsing.builder import formulas as formulas_of
from graphscore.similarity.parsing.symbols import OWN, function_of, vocabulary
from graphscore.similarity.parsing.syntax import LONGEST
from tests.similarity.strategies import formulas

LABELS = "f1(match(nodes(), exact(label)))"

# Calls that name a function or a class, and parts that only one metric has.
CALL = re.compile(r"(\w+)\(")


def is_own(text: str) -> bool:
    return not {*CALL.findall(text)} <= vocabulary().keys()


@given(formulas())
def test_what_repr_writes_is_read(made: Similarity) -> None:
    text = repr(made)
    if is_own(text):
        with pytest.raises(FormulaError, match="of one's own, which a line of text"):
            formula(text)
        return
    again = formula(text)
    assert again == made
    assert repr(again) == text
    assert again.token == made.token
    metric = parse(made)
    assert parse(str(metric)) == metric


def test_the_formulas_of_all_metrics_are_read() -> None:
    seen = 0
    for found in metrics().values():
        metric = found if not isinstance(found, type) else None
        if isinstance(found, type) and hasattr(found, "formulas"):
            metric = found()
        for made in getattr(metric, "formulas", dict)().values():
            if not is_own(repr(made)):
                assert formula(repr(made)) == made
                seen += 1
    assert seen > 40


EVERY = """
all_properties() along('a') at(target, exact(label)) attribute_value('w')
bag(edges_out(), edge_label, via(target, label)) base_edges('a', mtool=True)
base_end('source', 'amr') base_label('amr') characters('anchor')
choice(kind, {'m': exact(label), None: exact(anchors)}, otherwise=exact(kind))
contained(targets('mention'), exact(anchors)) edges('a') edges_in(1) edges_out(True)
excess(match(nodes(), exact(label)), 0.5) exact(label, anchors)
descendant(label, hierarchy({'a.x': 'a'}), 0.5, 0.25) field('name', variables=('x',))
field_type('name') filler('head', 'all')
filler('span', 'none', visible_anchors) folded(label) given('x', 'node', False)
harmonic(precision(match(nodes(), exact(label))), recall(match(nodes(), exact(kind))))
f_beta(2, match(nodes(), exact(label)), counting='formula') head_word('h')
informed(exact(label), weight(label, {'a': 2, 1: 0.5}, otherwise=0.25)) items('x')
jaccard(match(offsets(), exact(itself), duplicates='set')) kept_properties()
latent(nodes(), match(edges(), variable(source) * variable(target) * exact(edge_label)))
levels(label, '/', 2) listed('x', 'edge') literals('x') nodes('m', 'a') nth('a', 0)
of_top(targets()) offsets(spans()) offsets(visible_anchors)
only(nodes(), label, 'a', None, 1.5)
path(along('a'), along('b')) product(exact(label), exact(kind)) properties('p')
property_value('p') match(nodes(), exact(label), 'n:1', order=reachable('a'))
role('order', frozenset({'a', 'b'})) sources('m', edge='a') span_jaccard() tops()
string_overlap(premodifiers={'the'}) supertypes(label, hierarchy({'a': 'b'}), '/')
total(exact(label), exact(kind)) values('p') via(owner, label, True)
whole(variables=['x']) without(nodes(), label) words(label, frozenset({'a'}))
yields(characters(), edges()) (span_jaccard(spans()) > 0.5) (string_overlap() >= 1)
match(tops(), exact(label), order=in_sequence) exact(name, value) exact(surface_text)
at(top, match(edges_out(), exact(edge_label))) in_sequence label
levels(row(values('t'), itself), depth=3)
supertypes(bag(values('t'), itself), hierarchy({'a': ('b', 'c'), 'd': 'a'}))
(exact(label) * exact(kind) + exact(anchors))
((exact(label) + exact(kind)) * exact(anchors)) (match(nodes(), exact(label)) - 1)
(match(nodes(), exact(label)) + match(tops(), exact(label)) - 1 +
 match(tops(), exact(kind)))
again('T', False, False) recursive('T', f1(match(targets(), again('T'))))
"""


def every() -> list[str]:
    """Parts of formulas, one for each name or more."""
    lines, found, depth = EVERY.split("\n"), [""], 0
    for character in " ".join(lines):
        depth += (character in "([{") - (character in ")]}")
        if character == " " and not depth:
            found.append("")
        else:
            found[-1] += character
    return [each for each in found if each]


def test_every_name_can_be_written_and_every_argument_is_known() -> None:
    for name, meant in vocabulary().items():
        assert name + "(" in EVERY or not callable(meant) or name == "nothing", name
        if callable(meant):
            assert len(function_of(name).kinds) <= 5
    missing = {
        name
        for name in algebra.__all__
        if name[0].islower() and name not in vocabulary() and name not in OWN
    }
    assert missing == {"formula"}
    for name in OWN:
        assert inspect.isroutine(getattr(algebra, name)) or inspect.isclass(
            getattr(algebra, name)
        )


def value_of(text: str) -> object:
    builder = Builder(text)
    return builder.value(builder.source.tree)


@pytest.mark.parametrize("text", every())
def test_a_part_is_what_python_makes_of_it(text: str) -> None:

    names = {name: getattr(algebra, name, None) for name in algebra.__all__}
    expected = eval(text, names)
    made = value_of(text)
    assert made == expected
    assert repr(made) == repr(expected)
    # What it writes is read as well.
    again = repr(made)
    assert value_of(again) == made


@pytest.mark.parametrize(
    ("text", "words", "spot"),
    [
        ("f1(match(nodes(), exact(lable)))", "did you mean label", "lable"),
        ("f1(match(node(), exact(label)))", "did you mean nodes", "node"),
        ("f1(match(nodes(mention), exact(label)))", "a text in quotes", "mention"),
        ("f1(match(nodes(), exact(role())))", "compares an edge", "exact(role())"),
        ("f1(match(nodes(), exact(label), '1:x'))", "did you mean '1:n'", "'1:x'"),
        ("f1(match(nodes(), label))", "expected a similarity", "label"),
        ("f1(match(nodes, exact(label)))", "expected nodes(kind, label)", "nodes"),
        ("f1(match(nodes(5), exact(label)))", "expected a text in quotes", "5"),
        (f"{LABELS[:-1]}, bounded=1)", "f1(operand, counting=)", "bounded"),
        ("f1(match(nodes(), exact(label), order='x'))", "expected an order", "'x'"),
        ("f1(match(nodes(kind='a', kind='b'), exact(label)))", "twice", "kind"),
        ("f1(match(nodes(), exact(label)), 'formula')", "2 arguments", "'formula'"),
        ("f1(match(nodes()))", "match lacks similarity", "match(nodes())"),
        ("f1(match(nodes(), exact(label))", "expected , or )", " "),
        ("f1(match(nodes(), exact(label))) f1", "expected the end", "f1"),
        ("f1(match(nodes(), exact(label) * 2))", "expected a similarity", "2"),
        ("f1(match(nodes(), exact(label) > True))", "expected a number", "True"),
        ("f1(match(nodes(), exact(label) > -1))", "a limit", "exact(label) > -1"),
        ("exact(label)", "expected a formula about the whole graph", "exact(label)"),
        ("label * label", "expected a similarity", "label"),
        ("{'a': 1}", "expected a similarity", "1"),
        ("{}", "found no formulas", "{}"),
        (f"{{'a': {LABELS}, 'a': {LABELS}}}", "'a' twice", "'a'"),
        (f"{{'a': {LABELS}, 'all': {LABELS}}}", "'all' is the first", "'all'"),
        ("(label, label)", "expected a similarity", "(label, label)"),
        ("custom(near, label)", "-m file.py:name", "custom"),
        ("f1(match(nodes(), custom(near, label)))", "one's own", "custom"),
        # What would be something else in Python.
        ("__import__('os').system('true')", "no attributes", "."),
        ("__import__('os')", "there is no '__import__'", "__import__"),
        ("f1(match(nodes(), exact(label.__class__)))", "no attributes", "."),
        ("f1((lambda: label)())", "lambda (of Python", "lambda"),
        ("f1(f'{label}')", "before a quote", "f"),
        ("f1([label for label in nodes()])", "for (of Python", "for"),
        ("f1(label if True else label)", "if (of Python", "if"),
        ("f1(*nodes())", "found *", "*"),
        ("f1(label := 1)", "found :", ":"),
        ("f1(nodes()[0])", "expected , or )", "["),
        ("f1('\\d')", "has no meaning", "\\d"),
        ("f1('\\x4')", "has no meaning", "\\x"),
        ("f1('abc)", "not closed", "'abc)"),
        ("f1(1e999)", "not a finite number", "1e999"),
        ("f1(0x10)", "not a number", "0x10"),
        ("f1(007)", "begins with 0", "007"),
        ("f_beta(1e200, match(nodes(), exact(label)))", "at most 1e+100", "1e200"),
        ("f_beta(-1, match(nodes(), exact(label)))", "found -1", None),
        ("f1(`label`)", "found '`'", "`"),
        ("f1('a' 'b')", "expected , or )", "'b'"),
        ('f1("""a""")', "expected , or )", '"a"'),
        ("f1(b'a')", "before a quote", "b"),
        ("f1(1_000)", "not a number", "1_000"),
        ("f1(2j)", "not a number", "2j"),
        ("f1(٣)", "not a number", "٣"),
        ("ｆ1(label)", "there is no", "ｆ1"),
        ("f1(label) # all", "found '#'", "#"),
        ("f1(label \\\n)", "found '\\\\'", "\\"),
        ("exact(label) > 1 > 2", "two comparisons", "exact(label) > 1 > 2"),
        ("f1(**label)", "found *", "*"),
        ("(f1)(label)", "expected the end", "("),
        ("f1(- label)", "a number after -", "label"),
        ("f1(counting='set', label)", "an argument without a name", ")"),
        ("{'a': label, label}", "key: formula", "label"),
        ("(a=1)", "key: formula", "a=1"),
        ("f1([label=1])", "expected , or ]", "="),
        ("1" + "+1" * 9_000, "more parts than can be read", None),
    ],
)  # fmt: skip
def test_a_mistake_is_shown_where_it_is(text: str, words: str, spot: str) -> None:
    with pytest.raises(FormulaError) as caught:
        formulas_of(text)
    problem, shown, carets = str(caught.value).split("\n")
    assert words in problem
    if spot is not None:
        start = carets.index("^")
        assert shown[start : start + len(carets.strip())].ljust(1) == spot
    assert caught.value.exit_code == 2
    assert max(map(len, (shown, carets))) <= 100


HOSTILE = [
    *("(" * 100_000, "[" * 9_000, "{" * 9_000, "-" * 9_000, "f1(" * 6_000),
    *("9" * 9_000, "f1(" + "9" * 9_000 + ")", "1" + "+1" * 9_000, "'" * 9_001),
    *("label" + "*label" * 3_000, "exact(" + "label," * 3_000 + ")", "a" * 30_000),
    *("\0", "\ud800(", "f1(\n\n)", "{" + "'a':" * 3_000, "not " * 3_000 + "label"),
    *("f1(" + "'\ud800'" + ")", "\u202ef1(x(", "f1(é(1))", "f1(1__0)", "(" * 49 + ")"),
    "exact(label)" + "*exact(label)" * 1_500,
    "(" * 45 + LABELS + ")" * 45 + "*",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_one_clear_error(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        formulas_of(text)
    said = str(caught.value)
    assert len(said) < 900
    assert said.count("\n") in (0, 2)
    said.encode()


PARTS = (
    *("f1(", "match(", "nodes(", "exact(", "label", ")", ")", ")", ","),
    *("'a'", "{", "}", ":", "*", "+", "-", ">", "0.5", "None", "counting="),
    *("[", "]", "targets(", "("),
    *("weight(", "at(", "target", "levels(", "hierarchy(", "variable(", "latent(", "1"),
    *("choice(", "only(", "frozenset(", "role(", "f_beta(", "True", "edges()", "'1:n'"),
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join) | st.text())
@example("frozenset({1, 'a'})")
def test_whatever_is_written_is_a_formula_or_refused(text: str) -> None:
    try:
        made = formula(text)
    except FormulaError:
        return
    assert formula(repr(made)) == made


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(FormulaError, match="expected at most 20,000"):
        formula(" " * (LONGEST + 1))


def test_brackets_are_bounded() -> None:
    assert formula("(" * 47 + LABELS + ")" * 47)
    with pytest.raises(FormulaError, match="more than 50 brackets in one another"):
        formula("(" * 48 + LABELS + ")" * 48)


# As metrics.


def test_a_formula_is_a_metric_by_its_canonical_text() -> None:
    metric = parse(f"  {LABELS.replace('(', ' ( ').replace(',', ' ,')} ")
    assert str(metric) == LABELS
    assert metric == parse(formula(LABELS)) == parse(str(metric))
    assert metric == suite(LABELS, formula(LABELS))
    assert (metric.revision, metric.tuple_types) == (2, ("all",))


def test_formulas_by_kind_are_a_metric() -> None:
    named = {
        "labels": formula(LABELS),
        "tops": formula("f1(match(tops(), exact(label)))"),
    }
    metric = parse(named)
    assert metric.tuple_types == ("labels", "tops")
    assert str(metric) == repr(named)
    assert parse(str(metric)) == metric
    assert (
        parse('{"labels":' + LABELS + ', "tops":f1(match(tops(),exact(label))),}')
        == metric
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("smach", "no metric 'smach' (did you mean 'smatch'?); there are: "),
        ("f1", "(a name of formulas, such as f1(match(nodes(), exact(label))))"),
        ("nosuch(alpha=0.5)", "no metric 'nosuch'; there are: "),
        ("mrp(order=(free))", "order=(free), expected one of"),
        ("ff1(match(nodes(), exact(label)))", "did you mean f1?"),
    ],
)
def test_what_is_neither(text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"{LABELS},mrp", [LABELS, "mrp"]),
        ("f1(a('x),('), b), c", ["f1(a('x),('), b)", "c"]),
        ('f1("a,\\"),b"),c', ['f1("a,\\"),b")', "c"]),
        ("{'a': x, 'b': y}, [1, 2]", ["{'a': x, 'b': y}", "[1, 2]"]),
        ("muc4(generic=o'x.txt),ner(x=it's)", ["muc4(generic=o'x.txt)", "ner(x=it's)"]),
        ("rules:o'neil.toml,ner", ["rules:o'neil.toml", "ner"]),
        ("f1(nodes('a)),ner", ["f1(nodes('a))", "ner"]),
        ("a),b", ["a)", "b"]),
        (" , ,", []),
    ],
)  # fmt: skip
def test_commas_inside_of_a_formula_part_nothing(text: str, parts: list[str]) -> None:
    assert split_metrics(text) == parts


def test_nothing_is_run() -> None:
    with pytest.raises(FormulaError):
        parse("__import__('os').environ.update(GRAPHSCORE_RUN='1')(")
    assert "GRAPHSCORE_RUN" not in os.environ
