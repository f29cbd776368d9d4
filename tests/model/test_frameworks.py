"""The table of frameworks names what there is."""

from __future__ import annotations

import doctest

import pytest

from graphscore.formats.registry import formats
from graphscore.metrics import parse, split_metrics
from graphscore.metrics.base import covers
from graphscore.metrics.registry import DOORS
from graphscore.model import frameworks
from graphscore.model.frameworks import FRAMEWORKS, TUPLE_TYPES, Framework, framework
from graphscore.structures import KINDS as NODE_KINDS
from graphscore.validation import CHECKS

FAMILIES = set(DOORS)

every_framework = pytest.mark.parametrize(
    "each", FRAMEWORKS.values(), ids=lambda e: e.name
)


def test_examples_run() -> None:
    assert doctest.testmod(frameworks).failed == 0


@every_framework
def test_what_a_framework_names_is_there(each: Framework) -> None:
    assert each.title
    assert each.family in FAMILIES
    assert each.tuple_types <= frozenset(TUPLE_TYPES)
    assert frozenset(each.layout) <= frozenset(NODE_KINDS)
    assert not each.checks or each.checks in CHECKS


@every_framework
def test_the_default_metric_of_a_framework_scores_it(each: Framework) -> None:
    for name in split_metrics(each.metric):
        assert covers(parse(name), each.name)


def test_every_framework_that_a_format_holds_is_in_the_table() -> None:
    held = {name for each in formats().values() for name in each.frameworks}
    # A file of SDP need not say its framework.
    assert held - {"sdp"} == FRAMEWORKS.keys() - {"ptg"}
    # Prague's graphs come in MRP only, which holds any framework.


def test_of_other_frameworks_nothing_is_known() -> None:
    assert framework("mine") == Framework("mine")
    assert framework("mine").tuple_types == frozenset(TUPLE_TYPES)
