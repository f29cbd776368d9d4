"""PostgreSQL finds what SQLite finds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphscore.errors import UsageError
from graphscore.evaluation.options import Options
from graphscore.evaluation.stored import Store
from tests.conftest import DATA

PATTERNS = (
    "pattern { e: X -[ARG1|ARG2]-> Y; X.__id__ < Y.__id__ }",
    'pattern { X [label=re"_[a-z]+_v_.*", !pos]; X -[re"ARG.*"]-> Y; Y << X }',
    'pattern { X [text=re"[A-Z].*", frame]; Y []; X < Y } without { * -> X }',
    "pattern { top(X); X ->> Y; X.pos = Y.pos } with { Y -> Z$ }",
    "pattern { X -> Y; missing(X -[ARG2]-> Y) }",
    "pattern { X []; missing(X) }",
    "pattern { X []; wrong(X.label) }",
    "pattern { surplus(X -> Y) }",
    "pattern { e: X -> Y; matched(e) }",
    "gold { V -> A } system { V -> B } without { system { V -[ARG1]-> A } }",
)


@pytest.mark.parametrize("name", ["amr", "eds", "sdp", "ucca"])
def test_phenomena_are_counted_the_same(url: str, name: str) -> None:
    with (
        Store("sqlite://", mode="create") as one,
        Store(url, mode="create") as other,
    ):
        for store in (one, other):
            store.ingest(DATA / "gold.mrp", "gold")
            store.ingest(DATA / "alder.mrp", "alder")
            store.score("gold", "alder", "mrp")
        here = one.phenomena(name)
        assert any(0 < row["right"] < row["gold_hits"] for row in here)
        assert other.phenomena(name).to_dict() == here.to_dict()


def test_patterns_find_the_same(url: str) -> None:
    with (
        Store("sqlite://", mode="create") as one,
        Store(url, mode="create") as other,
    ):
        for store in (one, other):
            store.ingest(DATA / "gold.mrp", "gold")
            store.ingest(DATA / "alder.mrp", "alder")
            store.score("gold", "alder", "mrp")
        for pattern in PATTERNS:
            keys = ["framework", "X.label" if "X" in pattern else "V.label"]
            asked = {"gold": "gold", "system": "alder"}
            here = one.find(pattern, **asked, by=keys)
            there = other.find(pattern, **asked, by=keys)
            assert here.hits
            assert sorted(map(str, there.items)) == sorted(map(str, here.items))
            assert sorted(map(str, there.groups)) == sorted(map(str, here.groups))
        with pytest.raises(UsageError, match="PostgreSQL has other"):
            other.find('pattern { X [label=re"(?i)want"] }', gold="gold")


def test_what_patterns_choose_counts_the_same(url: str) -> None:
    data = {name: str(DATA / f"{name}.mrp") for name in ("gold", "alder")}
    asked = Options(where='pattern { V -[re"ARG[12]"]-> A }', per_item=True)
    found = []
    with Store("sqlite://", mode="create") as one, Store(url, mode="create") as other:
        for store in (one, other):
            for name, path in data.items():
                store.ingest(path, name)
            for within in (False, True):
                options = replace(asked, within=within)
                found.append(store.score("gold", "alder", "smatch", options))
    for here, there in zip(found[:2], found[2:], strict=True):
        assert here.pairs > 0
        assert here.to_dict(per_item=True) == there.to_dict(per_item=True)
