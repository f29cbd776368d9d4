"""Results are found by what was compared, and by what was spent on it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.outcome import Error, Match, Outcome
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from graphscore.store.read.load import identities
from graphscore.store.read.outcomes import load_outcomes
from graphscore.store.write.results import (
    NOTHING,
    ResultRow,
    find_results,
    save_results,
)
from tests.databases import Stores
from tests.store.conftest import (
    ALONE,
    MISSING,
    bark,
    outcome,
    put,
    read,
    result_row,
    rows,
    sayable,
)
from tests.store.test_load import names, values

A, B = b"a" * 16, b"b" * 16


def save(
    database: Database,
    *results: ResultRow,
    metric: str = "mrp",
    revision: int = 1,
) -> list[int]:
    with database.writing() as connection:
        return save_results(connection, metric, revision, results)


def find(
    database: Database,
    *pairs: tuple[bytes, bytes],
    metric: str = "mrp",
    revision: int = 1,
    budget: int | None = 1000,
) -> dict[Any, int]:
    with database.reading() as connection:
        known = find_results(connection, metric, revision, pairs, budget)
    return {pair: number for pair, (number, _) in known.items()}


def test_found_by_metric_revision_and_both_digests(database: Database) -> None:
    (number,) = save(database, result_row(A, B, outcome(), 1, 1000))
    assert find(database, (A, B)) == {(A, B): number}
    assert find(database, (B, A), (A, A)) == {}
    assert find(database, (A, B), metric="smatch") == {}
    assert find(database, (A, B), revision=2) == {}


def test_missing_side_is_found(database: Database) -> None:
    (number,) = save(database, result_row(A, NOTHING, outcome(), 1, 1000))
    assert find(database, (A, NOTHING)) == {(A, NOTHING): number}


def test_reused_whatever_the_collections_are_called(database: Database) -> None:
    put(database, read(bark("1"), bark("2", "run")))
    with database.reading() as connection:
        first, second = identities(connection, "gold")
    (number,) = save(database, result_row(first.digest, second.digest, outcome(), 1, 9))
    put(database, read(bark("x", document="else")), "this", path="b.mrp")
    put(database, read(bark("y", "run", language="eng")), "that", path="c.mrp")
    with database.reading() as connection:
        (gold,) = identities(connection, "this")
        (system,) = identities(connection, "that")
    pair = (gold.digest, system.digest)
    assert find(database, pair) == {pair: number}


@pytest.mark.parametrize(
    ("spent", "wanted", "found"),
    [
        (1000, 1000, True),
        (1000, 999, True),
        (1000, 1001, False),
        (1000, None, False),
        (None, 1000, True),
        (None, None, True),
        (0, 1, False),
    ],
)
def test_unproven_result_serves_no_larger_budget(
    database: Database, spent: int | None, wanted: int | None, found: bool
) -> None:
    save(database, result_row(A, B, outcome(proven=False), 1, spent))
    assert bool(find(database, (A, B), budget=wanted)) is found


@pytest.mark.parametrize("wanted", [1, None])
def test_proven_result_serves_any_budget(
    database: Database, wanted: int | None
) -> None:
    save(database, result_row(A, B, outcome(), 1, 0))
    assert find(database, (A, B), budget=wanted)


def test_better_result_stands_beside_and_is_preferred(database: Database) -> None:
    poor, rich = outcome(matched=1, proven=False), outcome(matched=2, proven=False)
    (first,) = save(database, result_row(A, B, poor, 1, 10))
    (second,) = save(database, result_row(A, B, rich, 1, 100))
    assert find(database, (A, B), budget=5) == {(A, B): second}
    (third,) = save(database, result_row(A, B, outcome(matched=3), 1, 50))
    assert find(database, (A, B), budget=5) == {(A, B): third}
    with database.reading() as connection:
        kept = load_outcomes(connection, [third, first, second])
    assert list(kept) == [third, first, second]
    assert [one.score for one in kept.values()] == [3, 1, 2]


def test_result_that_is_there_already_is_kept(database: Database) -> None:
    row = result_row(A, B, outcome(MISSING), 1, 1000)
    (number,) = save(database, row)
    assert save(database, row, row) == [number, number]
    assert rows(database, "select count(*) from error") == [(1,)]


def test_many_pairs_at_once(database: Database) -> None:
    digests = [n.to_bytes(16, "big") for n in range(2500)]
    pairs = list(pairwise(digests))
    ids = save(database, *(result_row(*pair, outcome(), 1, 9) for pair in pairs))
    assert len(set(ids)) == len(pairs)
    assert find(database, *pairs) == dict(zip(pairs, ids, strict=True))


raw_counts = st.dictionaries(
    st.tuples(names, names, st.sampled_from(["correct", "slots", "gold"])),
    st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([1, 1.0, 0, 0.0]),
    max_size=4,
)
ordinals = st.none() | st.integers(0, 9)
credits_ = st.sampled_from([0.0, 0.5, 1.0, 1 / 3])
found_errors = st.builds(
    Error,
    st.sampled_from(["missing", "spurious", "partial"]),
    names,
    names,
    ordinals,
    ordinals,
    values,
    names,
    values,
    st.none() | names,
    names,
    credits_,
    ordinals,
)
found_matches = st.builds(
    Match, names, ordinals, ordinals, credits_, ordinals, st.integers(0, 3)
)
outcomes = st.builds(
    Outcome,
    raw_counts,
    st.sampled_from([3, 3.0, 0.1]),
    st.sampled_from([4, 4.0, 0.2]),
    st.booleans(),
    st.integers(0, 2**40),
    names,
    st.lists(found_matches, max_size=3).map(tuple),
    st.lists(found_errors, max_size=3).map(tuple),
)


@given(st.lists(outcomes, min_size=1, max_size=4))
def test_outcomes_come_back_as_they_went_in(
    stores: Stores, given_outcomes: list[Outcome]
) -> None:
    given_outcomes = sayable(stores, given_outcomes)
    with stores.brief() as place, open_store(place, create=True) as database:
        results = [
            result_row(bytes([number]), B, one, 1, 5)
            for number, one in enumerate(given_outcomes)
        ]
        ids = save(database, *results)
        with database.reading() as connection:
            back = load_outcomes(connection, ids)
    for given_outcome, found in zip(given_outcomes, back.values(), strict=True):
        said = {key: repr(value) for key, value in found.raw_counts.items()}
        for key, value in given_outcome.raw_counts.items():
            # No decimal is a negative zero.
            plain = 0.0 if value == 0.0 and stores.server else value
            assert said.pop(key) in (repr(value), repr(plain))
        assert set(said.values()) <= {"0"}
        assert repr(found.matches) == repr(given_outcome.matches)
        assert repr(found.errors) == repr(given_outcome.errors)
        assert repr(
            (found.score, found.bound, found.proven, found.steps, found.method)
        ) == repr(
            (
                given_outcome.score,
                given_outcome.bound,
                given_outcome.proven,
                given_outcome.steps,
                given_outcome.method,
            )
        )


def test_zeros_that_sql_needs_are_said(database: Database) -> None:
    only = Outcome({("tops", "", "system"): 2}, 0, 0, True, 0, "identical")
    (number,) = save(database, result_row(A, B, only, 1, 9))
    with database.reading() as connection:
        assert load_outcomes(connection, [number])[number].raw_counts == {
            ("tops", "", "gold"): 0,
            ("tops", "", "system"): 2,
            ("tops", "", "matched"): 0,
        }


def test_failing_save_leaves_nothing(database: Database) -> None:
    def save_and_fail() -> None:
        with database.writing() as connection:
            save_results(connection, "mrp", 1, [result_row(A, B, outcome(ALONE), 1, 9)])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        save_and_fail()
    assert rows(database, "select count(*) from result") == [(0,)]
    assert save(database, result_row(A, B, outcome(ALONE), 1, 9)) == [1]
    with database.reading() as connection:
        assert load_outcomes(connection, [1, 2])[1].errors == (ALONE,)
