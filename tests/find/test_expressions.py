"""Expressions that match for ever: the time and interrupts end them, too."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from subprocess import Popen
from time import process_time

import pytest

from graphscore.evaluation.store import Store
from graphscore.model.graph import Graph, Node
from graphscore.store.database_errors import guarded
from graphscore.store.read.limits import TooLongError

ENDLESS = 'pattern { X [label=re"(a+)+$"] }'


@pytest.fixture
def store() -> Iterator[Store]:
    with Store("sqlite://", mode="create") as opened:
        graph = Graph("1", "amr", 2, nodes=(Node(0, "a" * 40 + "!"), Node(1, "aa")))
        opened.add([graph], "gold")
        yield opened


def test_a_match_ends_when_the_time_is_over(store: Store) -> None:
    begin = process_time()
    with pytest.raises(TooLongError, match=r"stopped after 0\.2 seconds"):
        store.find(ENDLESS, seconds=0.2)
    with pytest.raises(TooLongError):
        next(store.hits(ENDLESS, seconds=0.2))
    assert process_time() - begin < 4
    # The timer rests; what matches quickly does, with and without a limit.
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    quick = 'pattern { X [label=re"a+!?"] }'
    assert store.find(quick, seconds=60).hits == store.find(quick).hits == 2


@pytest.mark.parametrize("seconds", [None, 60.0])
def test_an_interrupt_ends_a_match(store: Store, seconds: float | None) -> None:
    # No thread of this process runs while it matches.
    begin = process_time()
    killing = Popen(["sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"])
    with killing, pytest.raises(KeyboardInterrupt):
        store.find(ENDLESS, seconds=seconds)
    assert process_time() - begin < 4
    assert store.find("pattern { X [] }").hits == 2


def test_an_interrupt_before_a_match_is_no_damage() -> None:
    # Python looks for signals where a function begins, which is not within it.
    def beginning(*_: object) -> None:
        raise KeyboardInterrupt

    connection = sqlite3.connect(":memory:")
    connection.create_function("regexp", 2, beginning)
    with pytest.raises(KeyboardInterrupt), guarded("runs.db"):
        connection.execute("select 'a' regexp 'b'")
    connection.close()


def test_expressions_match_in_other_threads_too() -> None:
    def found() -> int:
        with Store("sqlite://", mode="create") as own:
            own.add([Graph("1", "amr", 2, nodes=(Node(0, "aa"),))], "gold")
            return own.find('pattern { X [label=re"a+"] }', seconds=60).hits

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(found).result() == 1
