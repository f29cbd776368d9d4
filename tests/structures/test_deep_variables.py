"""Variables inside of what is matched: nested sets, sequences, documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.similarity import FormulaError, derive
from graphscore.structures import (
    AMR,
    Prop,
    Var,
    at_least,
    by_either,
    by_f1,
    by_jaccard,
    contained,
    ignored,
    in_order,
    less,
    matched,
    over,
    summed,
    within,
)

Map = dict[Var, Var]
Alike = Callable[[Any, Any, Map], float]


@dataclass(frozen=True)
class Arg:
    role: str
    filler: Var | str


@dataclass(frozen=True)
class Frame:
    name: str
    args: frozenset[Arg]


@dataclass(frozen=True)
class Frames:
    frames: frozenset[Frame]


@dataclass(frozen=True)
class Steps:
    steps: tuple[Arg, ...]


@dataclass(frozen=True)
class Plans:
    plans: tuple[Steps, ...]


@dataclass(frozen=True)
class Document:
    sentences: tuple[AMR, ...]


@dataclass(frozen=True)
class Heap:
    sentences: frozenset[AMR]


@dataclass(frozen=True)
class Book:
    chapters: frozenset[Document]


# The slow version: all maps, all matchings.


def maps(mine: Sequence[Var], theirs: Sequence[Var]) -> Iterator[Map]:
    """All one-to-one maps of as many variables as can be."""
    if len(mine) > len(theirs):
        for found in maps(theirs, mine):
            yield {one: two for two, one in found.items()}
        return
    for chosen in permutations(theirs, len(mine)):
        yield dict(zip(mine, chosen, strict=True))


def variables(found: Any) -> set[Var]:
    """All variables inside of an object."""
    if isinstance(found, Var):
        return {found}
    if isinstance(found, (frozenset, tuple)):
        return {each for one in found for each in variables(one)}
    inner = vars(found).values() if hasattr(found, "__dict__") else ()
    return {each for one in inner for each in variables(one)}


def summed_of(alike: Alike, ordered: bool = False) -> Alike:
    """Σ: the best of all matchings, tried one by one."""

    def total(mine: Any, theirs: Any, found: Map) -> float:
        left, right = list(mine), list(theirs)
        most = 0.0
        for size in range(min(len(left), len(right)) + 1):
            for some in combinations(left, size):
                others = combinations if ordered else permutations
                for chosen in others(right, size):
                    pairs = zip(some, chosen, strict=True)
                    most = max(most, sum(alike(a, b, found) for a, b in pairs))
        return most

    return total


def f1_of(alike: Alike, ordered: bool = False) -> Alike:
    total = summed_of(alike, ordered)

    def ratio(mine: Any, theirs: Any, found: Map) -> float:
        if not mine and not theirs:
            return 1
        return 2 * total(mine, theirs, found) / (len(mine) + len(theirs))

    return ratio


def same(one: Any, two: Any, found: Map) -> float:
    if isinstance(one, Var) or isinstance(two, Var):
        return float(isinstance(one, Var) and found.get(one) == two)
    return float(one == two)


def arg(one: Arg, two: Arg, found: Map) -> float:
    return (one.role == two.role) * same(one.filler, two.filler, found)


def prop(one: Prop, two: Prop, found: Map) -> float:
    ends = same(one.subj, two.subj, found) * same(one.obj, two.obj, found)
    return (one.rel == two.rel) * ends


args = f1_of(arg)
steps = f1_of(arg, ordered=True)
props = f1_of(prop)


def frame(one: Frame, two: Frame, found: Map) -> float:
    return (one.name == two.name) * args(one.args, two.args, found)


def plan(one: Steps, two: Steps, found: Map) -> float:
    return steps(one.steps, two.steps, found)


def sentence(one: AMR, two: AMR, found: Map) -> float:
    return props(one.props, two.props, found)


sentences = f1_of(sentence, ordered=True)


def chapter(one: Document, two: Document, found: Map) -> float:
    return sentences(one.sentences, two.sentences, found)


def best(alike: Alike, gold: Any, system: Any) -> float:
    """The greatest amount of all maps."""
    mine, theirs = (sorted(variables(each), key=str) for each in (gold, system))
    return max(alike(gold, system, found) for found in maps(mine, theirs))


# What is made up.

vs = st.sampled_from([Var("x"), Var("y"), Var("z")])
an_arg = st.builds(Arg, st.sampled_from("ab"), vs | st.just("1"))
a_frame = st.builds(Frame, st.sampled_from("fg"), st.frozensets(an_arg, max_size=3))
some_frames = st.builds(Frames, st.frozensets(a_frame, max_size=3))
some_steps = st.builds(Steps, st.lists(an_arg, max_size=4).map(tuple))
some_plans = st.builds(Plans, st.lists(some_steps, max_size=3).map(tuple))
a_prop = st.builds(Prop, st.sampled_from(["instance", "ARG0"]), vs, vs | st.just("boy"))
an_amr = st.builds(AMR, st.frozensets(a_prop, max_size=3))
a_document = st.builds(Document, st.lists(an_amr, max_size=3).map(tuple))
a_heap = st.builds(Heap, st.frozensets(an_amr, max_size=3))

a_chapter = st.builds(Document, st.lists(an_amr, max_size=2).map(tuple))
a_book = st.builds(Book, st.frozensets(a_chapter, max_size=2))


def over_half(one: AMR, two: AMR, found: Map) -> float:
    return float(sentence(one, two, found) > 0.5)


CASES: dict[str, tuple[Any, Any, Any, Alike]] = {
    "nested sets": (Frames, {}, some_frames, summed_of(frame)),
    "sequence": (Steps, {}, some_steps, summed_of(arg, ordered=True)),
    "sequences": (Plans, {}, some_plans, summed_of(plan, ordered=True)),
    "document": (Document, {}, a_document, summed_of(sentence, ordered=True)),
    "heap": (Heap, {}, a_heap, summed_of(sentence)),
    "book": (Book, {}, a_book, summed_of(chapter)),
    "limit": (
        Document,
        {AMR: {"props": over(0.5)}},
        a_document,
        summed_of(over_half, ordered=True),
    ),
    "amounts": (
        Document,
        {AMR: {"props": summed}},
        a_document,
        summed_of(
            lambda one, two, found: summed_of(prop)(one.props, two.props, found),
            ordered=True,
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_no_map_is_better(name: str) -> None:
    cls, changes, made, alike = CASES[name]
    formula = derive(cls, changes).formula
    [field] = cls.__dataclass_fields__

    @given(made, made)
    def check(gold: Any, system: Any) -> None:
        report = formula.score(gold, system)
        both = gold, system
        items = [getattr(each, field) for each in both]

        def whole(one: Any, two: Any, found: Map) -> float:
            return alike(items[0], items[1], found)

        assert report.proven
        assert report.matched == pytest.approx(best(whole, *both))
        rows = [each for each in report.alignment if each.via == field]
        assert sum(each.credit for each in rows) == pytest.approx(report.matched)
        back = formula.score(system, gold)
        assert back.matched == pytest.approx(report.matched)
        itself = formula.score(gold, gold)
        assert itself.matched == pytest.approx(itself.gold)

    check()


# Marks: what is said is done, or refused; nothing is lost on the way.


@dataclass(frozen=True)
class Titled:
    title: str
    frames: frozenset[Frame]
    chief: Frame | None
    top: Var


PROPS = "props[δ_rel × φ̃_subj × δ_obj × φ̃_obj]"
FRAME = "δ_name × F↔args[δ_role × δ_filler × φ̃_filler]"


@pytest.mark.parametrize(
    ("cls", "changes", "formula"),
    [
        (AMR, {AMR: {"props": over(0.5)}}, f"⟦F[max_M Σ↔{PROPS}] > 0.5⟧"),
        (AMR, {AMR: {"props": (by_jaccard, at_least(1))}}, f"⟦J[max_M Σ↔{PROPS}] ≥ 1⟧"),
        (AMR, {AMR: {"props": summed}}, f"max_M Σ↔{PROPS}"),
        (AMR, {AMR: {"props": less(1)}}, f"F[max{{0, max_M Σ↔{PROPS} - 1}}]"),
        (AMR, {AMR: {"props": contained}}, f"⟦P[max_M Σ→{PROPS}] ≥ 1⟧"),
        (Document, {AMR: over(0.5)}, f"F[max_M Σ↔sentences≤[⟦F↔{PROPS} > 0.5⟧]]"),
        (Document, {Prop: {"subj": ignored, "obj": ignored}}, None),
        (
            Titled,
            {Titled: {"chief": within(args=summed)}},
            f"F[max_M Σ↔frames[{FRAME}] + Σ↔chief[{FRAME.replace('F', 'Σ')}] "
            "+ Σ↔top[φ̃]]",
        ),
        (
            Titled,
            {Titled: {"chief": over(0.5)}},
            f"F[max_M Σ↔frames[{FRAME}] + Σ↔chief[⟦{FRAME} > 0.5⟧] + Σ↔top[φ̃]]",
        ),
    ],
)
def test_marks_hold_where_there_are_variables(
    cls: Any, changes: Any, formula: str | None
) -> None:
    expected = formula or "F↔sentences≤[F↔props[δ_rel]]"
    assert str(next(iter(derive(cls, changes).values()))) == expected


@pytest.mark.parametrize(
    ("cls", "changes", "said"),
    [
        (AMR, {AMR: over(0.5)}, "AMR is declared over.*expected marks for its fields"),
        (AMR, {AMR: {"props": by_either}}, "by_either and has variables, expected one"),
        (AMR, {Var: over(0.5)}, "Var is a variable with marks"),
        (Heap, {Heap: {"sentences": in_order}}, "expected a sequence"),
        (Titled, {Titled: {"top": over(0.5)}}, "Titled.top is a variable with marks"),
        (Titled, {Titled: {"frames": over(0.5)}}, "in common with chief, top"),
        (Titled, {Titled: {"frames": contained}}, "frames is declared contained, exp"),
        (Document, {AMR: {"props": matched("n:n")}}, "a variable inside of F~props"),
        (
            Document,
            {Document: {"sentences": (contained, in_order)}},
            "declared contained, expected it alone",
        ),
    ],
)
def test_marks_that_cannot_hold_are_refused(cls: Any, changes: Any, said: str) -> None:
    with pytest.raises(FormulaError, match=said):
        derive(cls, changes)


def test_the_mark_that_is_meant_anyway_may_be_said() -> None:
    changes = {Titled: {"frames": by_f1}}
    assert str(derive(Titled, changes)) == str(derive(Titled))


# Scored without a metric.


def amr(*props: tuple[str, str, str]) -> AMR:
    """Statements; one letter is a variable."""
    found = [
        Prop(rel, Var(subj), Var(obj) if len(obj) == 1 else obj)
        for subj, rel, obj in props
    ]
    return AMR(frozenset(found))


FIRST = amr(("x", "instance", "boy"), ("y", "instance", "go"), ("y", "ARG0", "x"))
GOLD = Document((FIRST, amr(("z", "instance", "sing"), ("z", "ARG0", "x"))))
SYSTEM = Document(
    (
        amr(("a", "instance", "boy"), ("b", "instance", "go"), ("b", "ARG0", "a")),
        amr(("c", "instance", "sing"), ("c", "ARG0", "b")),
    )
)


def test_documents_are_scored_without_a_metric() -> None:
    """Who sings is somebody else: of each sentence for itself it would not matter."""
    result = graphscore.score([GOLD], [SYSTEM])
    assert (result.f1, result.unproven) == (0.75, 0)
    [item] = result.per_item
    assert item.proven
    rows = [(each.error_type, each.label, each.credit) for each in item.errors]
    assert rows == [
        ("partial", "AMR", 0.5),
        ("missing", "Prop", 0),
        ("spurious", "Prop", 0),
    ]
    alone = [Document((each,)) for each in GOLD.sentences]
    others = [Document((each,)) for each in SYSTEM.sentences]
    assert graphscore.score(alone, others).f1 == 1


def test_what_is_shown_says_what_each_variable_is() -> None:
    text = derive(Document).explain(GOLD, SYSTEM)
    lines = text.splitlines()
    assert (
        lines[1] == "  = 0.75   precision 0.7500 (1.5 of 2)   recall 0.7500 (1.5 of 2)"
    )
    for one, two in ("xa", "yb", "zc"):
        assert f"  = Var(name='{one}') | Var(name='{two}')" in lines
    assert "    - Prop(rel='ARG0', subj=Var(name='z'), obj=Var(name='x'))" in lines
