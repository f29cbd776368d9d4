"""Variables beside literals that a function compares: soft concepts (S2match)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given

from graphscore.similarity import FormulaError, derive
from graphscore.structures import AMR, Prop, Var, by
from tests.structures.outputs import amrs


def near(predicted: str, gold: str) -> float:
    """Half for words that begin alike."""
    if predicted == gold:
        return 1
    return 0.5 if predicted[0] == gold[0] else 0.25 * (predicted[-1] == gold[-1])


SOFT = derive(AMR, {Prop: {"obj": by(near)}})


def maps(mine: list[Var], theirs: list[Var]) -> Iterator[dict[Var, Var]]:
    """All one-to-one maps of some variables to some."""
    if not mine:
        yield {}
        return
    first, *rest = mine
    for found in maps(rest, theirs):
        yield found
        for each in theirs:
            if each not in found.values():
                yield {first: each, **found}


def earned(one: Prop, two: Prop, found: dict[Var, Var]) -> float:
    """What two statements earn under a map."""
    if one.rel != two.rel or found.get(one.subj) != two.subj:
        return 0
    if isinstance(one.obj, Var) or isinstance(two.obj, Var):
        return float(isinstance(one.obj, Var) and found.get(one.obj) == two.obj)
    return near(two.obj, one.obj)


def best(mine: list[Prop], theirs: list[Prop], found: dict[Var, Var]) -> float:
    """The greatest sum over one-to-one matchings, by trying all of them."""
    if not mine:
        return 0
    first, *rest = mine
    most = best(rest, theirs, found)
    for place, each in enumerate(theirs):
        if amount := earned(first, each, found):
            left = [*theirs[:place], *theirs[place + 1 :]]
            most = max(most, amount + best(rest, left, found))
    return most


def variables(amr: AMR) -> list[Var]:
    held = {each for prop in amr.props for each in (prop.subj, prop.obj)}
    return sorted((each for each in held if isinstance(each, Var)), key=str)


@given(amrs(), amrs())
def test_concepts_that_are_alike_are_mapped_best(gold: AMR, system: AMR) -> None:
    every = maps(variables(gold), variables(system))
    most = max(best([*gold.props], [*system.props], found) for found in every)
    report = SOFT.formula.score(gold, system)
    assert report.proven
    assert report.matched == pytest.approx(most)
    assert (report.gold, report.system) == (len(gold.props), len(system.props))


def test_soft_concepts_are_written_beside_their_variable() -> None:
    assert str(SOFT) == (
        "props = F[max_M Σ↔props[δ_rel × φ̃_subj × φ_near(obj) × φ̃_obj]]"
    )
    assert "custom(near, property_value('obj'), True)" in repr(SOFT.formula)


def same(predicted: Any, gold: Any) -> float:
    return float(predicted == gold)


@dataclass(frozen=True)
class Doubtful:
    of: Var
    value: Var | str | None


@dataclass(frozen=True)
class Doubts:
    doubts: frozenset[Doubtful]


@pytest.mark.parametrize(
    ("cls", "changes", "said"),
    [
        (AMR, {Prop: by(same)}, r"a variable in Var, .* compared by\(same\)"),
        (AMR, {AMR: {"props": by(same)}}, r"a variable in Var, .* compared by\(same\)"),
        (AMR, {Prop: {"subj": by(same)}}, "expected beside a variable literals"),
        (Doubts, {Doubtful: {"value": by(same)}}, "literals, without None"),
    ],
)
def test_no_variable_is_lost_in_a_function(cls: Any, changes: Any, said: str) -> None:
    with pytest.raises(FormulaError, match=said):
        derive(cls, changes)
