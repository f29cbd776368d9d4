"""Systems by scorers: Tables 4 and 7 of Jindal et al. (2023), ranks and drops.

The systems' output is not published with the paper; what it prints of each is ranked
here, and every rank and every drop must come out as it prints them.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from graphscore.report.ranking import Ranking, ranked, ranking_table
from graphscore.report.text import render


class Row(NamedTuple):
    """A system in a block of a table, in per cent."""

    system: str
    first: str
    """Under the scorer of the shared task."""
    first_rank: int
    ours: str
    """Under PriMeSRL."""
    our_rank: int
    drop: str


FLAT, NESTED = "blloshmi-flat", "blloshmi-nested"

ARGUMENTS = {
    # Table 4: heads, CoNLL-2009, in-domain and out-of-domain.
    (4, "conll09", "in"): (
        Row("conia", "89.5", 3, "86.6", 2, "2.9"),
        Row(NESTED, "85.4", 4, "83.1", 4, "2.3"),
        Row(FLAT, "90.2", 1, "88.0", 1, "2.2"),
        Row("jindal", "89.6", 2, "86.55", 3, "3.0"),
    ),
    (4, "conll09", "out"): (
        Row("conia", "81.9", 3, "72.5", 4, "9.4"),
        Row(NESTED, "79.1", 4, "72.7", 3, "6.4"),
        Row(FLAT, "83.0", 2, "76.9", 1, "6.1"),
        Row("jindal", "83.02", 1, "74.1", 2, "8.9"),
    ),
    # Table 7: spans, CoNLL-2005.
    (7, "conll05", "in"): (
        Row("crf", "87.4", 3, "87.03", 2, "0.4"),
        Row("crf2o", "87.7", 2, "87.3", 1, "0.4"),
        Row("jindal", "87.74", 1, "87.0", 3, "0.7"),
    ),
    (7, "conll05", "out"): (
        Row("crf", "80.0", 3, "79.7", 2, "0.3"),
        Row("crf2o", "80.03", 2, "79.6", 3, "0.4"),
        Row("jindal", "80.9", 1, "80.1", 1, "0.8"),
    ),
}
"""F1 of argument classification, which is what the tables rank by."""

SENSES = {
    "in": (
        ("conia", "96.9", "95.5", "1.4"),
        (NESTED, "97.1", "96.4", "0.7"),
        (FLAT, "97.4", "96.9", "0.5"),
        ("jindal", "96.8", "95.5", "1.3"),
    ),
    "out": (
        ("conia", "87.8", "80.9", "6.9"),
        (NESTED, "89.7", "86.7", "3.0"),
        (FLAT, "90.1", "87.8", "2.3"),
        ("jindal", "89.8", "83.4", "6.4"),
    ),
}
"""F1 of predicate senses in Table 4, which are not ranked; in Table 7 all are 100."""


def share(printed: str) -> float:
    return float(printed) / 100


def drops(ranking: Ranking) -> dict[str, str]:
    """The drop of each system as a table with one decimal shows it."""
    lines = render([ranking_table(ranking)], places=1).splitlines()
    head = lines[1].split("  ")
    place = [name.strip() for name in head if name.strip()].index("difference")
    rows = [line.split() for line in lines[3 : 3 + len(ranking.places)]]
    return {row[0]: row[place].removeprefix("-") for row in rows}


@pytest.mark.parametrize("block", ARGUMENTS, ids=str)
def test_ranks_and_drops_of_arguments(block: tuple[int, str, str]) -> None:
    rows, scorer = ARGUMENTS[block], block[1]
    ranking = ranked(
        {
            row.system: {scorer: share(row.first), "primesrl": share(row.ours)}
            for row in rows
        }
    )
    shown = drops(ranking)
    for row in rows:
        places = ranking.places[row.system]
        assert places[scorer].rank == row.first_rank
        assert places["primesrl"].rank == row.our_rank
        change = ranking.changes(row.system)["primesrl"]
        assert change.rank_change == row.first_rank - row.our_rank
        assert change.difference < 0
        assert shown[row.system] == row.drop


@pytest.mark.parametrize("block", SENSES)
def test_drops_of_senses(block: str) -> None:
    rows = SENSES[block]
    ranking = ranked(
        {
            system: {"conll09": share(first), "primesrl": share(ours)}
            for system, first, ours, _ in rows
        }
    )
    assert drops(ranking) == {system: drop for system, _, _, drop in rows}


def test_the_best_of_each_scorer_are_those_in_bold() -> None:
    best = {
        (4, "conll09", "in"): (FLAT, FLAT),
        (4, "conll09", "out"): ("jindal", FLAT),
        (7, "conll05", "in"): ("jindal", "crf2o"),
        (7, "conll05", "out"): ("jindal", "jindal"),
    }
    for block, rows in ARGUMENTS.items():
        scores = {
            row.system: {block[1]: share(row.first), "primesrl": share(row.ours)}
            for row in rows
        }
        found = [
            next(system for system, mine in places.items() if mine[metric].rank == 1)
            for places in [ranked(scores).places]
            for metric in (block[1], "primesrl")
        ]
        assert tuple(found) == best[block]
