"""Pairs, totals and sums of an evaluation."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from graphscore.exceptions import StoreError, UsageError
from graphscore.model.outcome import Outcome, RawCounts, add_raw_counts
from graphscore.store.database import Database
from graphscore.store.evaluations import (
    SUMMED_BY,
    Grouping,
    PairRow,
    find_evaluations,
    pairs_of,
    raw_counts_by,
)
from graphscore.store.write.evaluations import Made, save_evaluation, save_figures
from graphscore.store.write.results import save_results
from tests.store.conftest import bark, put, read, result_row, rows, score


def test_pairs_come_back_in_order(scored: Database) -> None:
    with scored.reading() as connection:
        (evaluation,) = find_evaluations(connection)
        pairs = list(pairs_of(connection, evaluation.id))
    assert [(one.item, one.status) for one in pairs] == [
        ("0", "paired"),
        ("1", "paired"),
        ("2", "missing"),
        ("7", "spurious"),
    ]
    assert pairs[0][:4] == ("dm", "", "dogs", "0")
    assert pairs[0][9:] == (3, 3, True, 7, "tightened")
    assert pairs[3][9:] == (None, None, None, None, None)
    assert (pairs[2].gold, pairs[2].system) == (3, None)
    assert (pairs[3].gold, pairs[3].system, pairs[3].result) == (None, 6, None)


def test_proofs_count_scored_pairs(scored: Database) -> None:
    unproven = score(scored, metric="smatch", proven=False)
    with scored.reading() as connection:
        pairs = list(pairs_of(connection, unproven))
        scored_ones = [pair.result for pair in pairs if pair.result is not None]
        assert Counter(pair.status for pair in pairs) == {
            "paired": 2,
            "missing": 1,
            "spurious": 1,
        }
        assert len(scored_ones) == 3
        assert [pair.proven for pair in pairs if pair.result] == [False] * 3
        proven = [pair.proven for pair in pairs_of(connection, 1) if pair.result]
        assert proven == [True] * 3


def test_evaluating_anew_takes_the_place(scored: Database) -> None:
    score(scored)
    score(scored, errors=())
    score(scored, metric="mrp(order=free)")
    with scored.reading() as connection:
        found = find_evaluations(connection)
        assert [(one.gold, one.system, one.metric) for one in found] == [
            ("gold", "peking", "mrp"),
            ("gold", "peking", "mrp(order=free)"),
        ]
        assert find_evaluations(connection, metric="mrp")[0].signature == "sig"
        assert find_evaluations(connection, system="gold") == []
        assert len(find_evaluations(connection, gold="gold")) == 2
    assert rows(scored, "select count(*) from pair") == [(8,)]


def test_unknown_collection_is_a_usage_error(scored: Database) -> None:
    with (
        pytest.raises(UsageError, match=r"'beijing'.*'gold', 'peking'"),
        scored.writing() as connection,
    ):
        save_evaluation(connection, Made("gold", "beijing", "mrp", "sig"), [])


def test_result_that_was_removed_meanwhile_is_said(scored: Database) -> None:
    pair = PairRow("dm", "", "dogs", "0", 1, 4, 10**6, "paired")
    made = Made("gold", "peking", "mrp", "sig")
    with (
        pytest.raises(StoreError, match="changed while it was being worked on"),
        scored.writing() as connection,
    ):
        save_evaluation(connection, made, [pair], replace=True)
    assert rows(scored, "select count(*) from pair") == [(4,)]


def test_totals_agree_with_the_errors(scored: Database) -> None:
    put(scored, read(*(bark(str(n), document=f"d{n}") for n in range(9))), "other")
    score(scored, "other")
    places = ", ".join(map(str, range(1, 11)))
    counted = (
        "select gold, system, metric, scope, revision, evaluation, framework, "
        "document, tuple_type, error_type, count(*) from v_errors "
        f"group by {places} order by {places}"
    )
    kept = f"select * from v_error_counts order by {places}"
    assert rows(scored, kept) == rows(scored, counted)
    assert len(rows(scored, kept)) == 6


def evaluate(database: Database, raw_counts: list[tuple[str, str, RawCounts]]) -> int:
    """An evaluation of pairs of which only framework, document and raw counts
    matter."""
    put(database, read(bark("1")))
    with database.writing() as connection:
        ids = save_results(
            connection,
            "mrp",
            1,
            [
                result_row(
                    bytes([n]), b"x", Outcome(one[2], 0, 0, True, 0, "open"), 1, 1
                )
                for n, one in enumerate(raw_counts)
            ],
        )
        return save_evaluation(
            connection,
            Made("gold", "gold", "mrp", "sig"),
            [
                PairRow(framework, "", document, str(n), None, None, ids[n], "paired")
                for n, (framework, document, _) in enumerate(raw_counts)
            ],
        )


@pytest.mark.parametrize(
    "columns",
    [
        (),
        ("framework",),
        ("document", "framework"),
        ("framework", "language", "document", "item"),
    ],
)
def test_sums_are_those_of_the_outcomes(
    database: Database, columns: tuple[Grouping, ...]
) -> None:
    given = [
        (
            framework,
            document,
            {
                ("labels", "", "gold"): n,
                ("labels", "", "system"): 2**40 + n,
                ("labels", "", "matched"): n / 4,
                ("labels", "ARG1", "gold"): 1,
                ("edges", "", "correct"): 1.0,
            },
        )
        for n, (framework, document) in enumerate(
            [("eds", "b"), ("dm", "a"), ("eds", "a"), ("eds", "b"), ("dm", "c")]
        )
    ]
    number = evaluate(database, given)  # type: ignore[arg-type]
    expected: dict[tuple[str, ...], RawCounts] = {}
    for n, (framework, document, raw_counts) in enumerate(given):
        unit = {
            "framework": framework,
            "language": "",
            "document": document,
            "item": str(n),
        }
        group = tuple(unit[name] for name in columns)
        add_raw_counts(expected.setdefault(group, {}), raw_counts)
    with database.reading() as connection:
        found = list(raw_counts_by(connection, number, columns))
    assert [group for group, _ in found] == sorted(expected)
    assert dict(found) == expected
    for _, raw_counts in found:
        assert isinstance(raw_counts["labels", "", "gold"], int)
        assert isinstance(raw_counts["edges", "", "correct"], float)


@pytest.mark.parametrize("part", [1, 4])
def test_sums_that_are_kept_are_those_of_the_rows(
    database: Database, part: int
) -> None:
    """Where all are whole they are kept, and read by any columns in the same order."""
    given: list[tuple[str, str, RawCounts]] = [
        (
            framework,
            document,
            {
                ("labels", "", "gold"): 2**40,
                ("labels", "", "system"): n,
                ("labels", "", "matched"): n if part == 1 else n / part,
                (tuple_type, "ARG1", "gold"): n,
            },
        )
        for n, (framework, document, tuple_type) in enumerate(
            [
                ("eds", "b", "x"),
                ("dm", "a", "edges"),
                ("eds", "a", "é"),
                ("dm", "c", ""),
            ]
        )
    ]
    number = evaluate(database, given)
    every: list[tuple[Grouping, ...]] = [
        columns for size in range(5) for columns in permutations(SUMMED_BY, size)
    ]

    def read() -> str:
        with database.reading() as connection:
            found = [list(raw_counts_by(connection, number, by)) for by in every]
        return repr([[(key, dict(sums)) for key, sums in groups] for groups in found])

    before = read()
    with database.writing() as connection:
        sums = dict(raw_counts_by(connection, number, SUMMED_BY))
        save_figures(connection, number, [], sums)
    [(kept,)] = rows(database, "select sums from evaluation")
    assert (kept is not None) == (part == 1)
    if kept:
        with database.writing() as connection:
            connection.exec_driver_sql("update raw_count set value = 0")
    assert read() == before


def test_unknown_grouping_is_a_usage_error(scored: Database) -> None:
    with scored.reading() as connection, pytest.raises(UsageError, match="framework"):
        list(raw_counts_by(connection, 1, ("tuple_type",)))  # type: ignore[arg-type]
