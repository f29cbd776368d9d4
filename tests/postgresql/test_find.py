"""PostgreSQL finds what SQLite finds."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from threading import Timer
from time import monotonic

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError
from graphscore.store.read.limits import TooLongError
from tests.conftest import DATA

PATTERNS = (
    "pattern { e: X -[ARG1|ARG2]-> Y; X.__id__ < Y.__id__ }",
    'pattern { X [label=re"_[a-z]+_v_.*", !pos]; X -[re"ARG.*"]-> Y; Y << X }',
    'pattern { X [text=re"[A-Z].*", frame]; Y []; X < Y } without { * -> X }',
    "pattern { top(X); X ->> Y; X.pos = Y.pos } with { Y -> Z$ }",
    'pattern { X [label=re"_.*"]; X ->> Y } without { Y ->> Z }',
    "gold { X ->> Y; X -> W } system { X ->> Y; Z -> X }",
    "pattern { X -> Y; missing(X -[ARG2]-> Y) }",
    "pattern { X -> Y; spurious(X -> Y) }",
    "gold { X -> Y } system { X -> Y; Y -> Z }",
    "pattern { X []; missing(X) }",
    "pattern { X []; wrong(X.label) }",
    "pattern { spurious(X -> Y) }",
    "pattern { e: X -> Y; matched(e) }",
    "gold { V -> A } system { V -> B } without { system { V -[ARG1]-> A } }",
)


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


def test_what_is_said_of_documents_is_found_the_same(url: str) -> None:
    with (
        Store("sqlite://", mode="create") as one,
        Store(url, mode="create") as other,
    ):
        for store in (one, other):
            store.ingest(DATA / "dependencies" / "gold.conllu", "gold")
            store.ingest(DATA / "dependencies" / "parser.conllu", "parser")
            store.score("gold", "parser", "las")
        for pattern in (
            "pattern { e: X -> Y; missing(e) }",
            "pattern { X -> Y; spurious(X -> Y) }",
            "pattern { e: X -> Y; wrong(e.label) }",
            "gold { e: X -> Y } system { f: X -> Y }",
            "gold { X -> Y } without { system { X -> Y } }",
        ):
            here, there = one.find(pattern), other.find(pattern)
            assert here.hits
            assert sorted(map(str, there.items)) == sorted(map(str, here.items))


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


def test_a_search_is_limited_and_interrupted(url: str) -> None:
    endless = f"pattern {{ {'; '.join(f'{name} []' for name in 'ABCDEFGH')} }}"
    with Store(url, mode="create") as store:
        store.ingest(DATA / "gold.mrp", "gold")
        begin = monotonic()
        with pytest.raises(TooLongError, match=r"stopped after 0\.5 seconds"):
            store.find(endless, seconds=0.5)
        with pytest.raises(TooLongError):
            for _ in store.hits(endless, seconds=0.5):
                pass
        Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            store.find(endless)
        assert monotonic() - begin < 20
        found = store.find("pattern { X -> Y }", seconds=60)
        assert [*store.hits("pattern { X -> Y }", seconds=60)] == found.items
        assert found.hits == len(found.items) > 0
