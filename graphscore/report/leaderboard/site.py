"""A leaderboard as a static site: pages without items, texts and gold, unless asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from graphscore.evaluation.macro import MACRO, RATIOS
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError
from graphscore.files import replacing_all
from graphscore.report.leaderboard.rules import RankingRules, rules_table
from graphscore.report.leaderboard.table import leaderboard_table
from graphscore.report.page.templating import file_page
from graphscore.report.table import Cell, Column, Table, as_table, columns_of
from graphscore.store.rankings import ALL, Leaderboard
from graphscore.store.read.examples import EXAMPLES

MOST = 30
"""Scores of a metric that have a table of their own; of more F1 by tuple type has."""

WITH_ITEMS = ("worst-everywhere", "one-fails", "all-make", "confusions", "documents")
"""Questions whose answers show items or values of gold."""


def write_site(
    store: Store,
    folder: Path,
    rules: RankingRules | None = None,
    *,
    title: str = "Leaderboard",
    with_items: bool = False,
) -> list[str]:
    """Write the leaderboards of a store as pages for the web.

    Args:
        store: where systems are scored and ranked.
        folder: made if it is not there; pages of an earlier site are replaced.
        rules: of the ranking, which comes first then.
        title: of the first page.
        with_items: whether items, labels and values that gold has are shown, too.

    Returns:
        The names of the files.

    Raises:
        UsageError: if nothing has been scored, or the rules do not fit.
        GraphscoreError: if the pages cannot be written.
    """
    boards = [board for board in store.leaderboards() if board.frameworks]
    if not boards:
        raise UsageError(
            f"{store.url}: nothing has been scored, so that nobody is ranked"
        )
    systems = dict.fromkeys(x.system for board in boards for x in board.standings)
    pages = {system: _file(n, system) for n, system in enumerate(systems, 1)}
    shown = {} if rules is None else rules.names
    hidden = rules is not None and rules.unlisted == "anonymous"
    if hidden:
        # Whoever is not named has no page, and stands in no other table.
        pages = {name: page for name, page in pages.items() if name in shown}
    ranking = [] if rules is None else [rules_table(rules, boards)]
    tables = [] if hidden else [_linked(board, pages, shown) for board in boards]
    questions = WITH_ITEMS if with_items else ()
    answers = [_answer(store, name) for name in questions]
    values = {"ranking": ranking, "boards": tables, "answers": answers, "back": ""}
    files = {"index.html": file_page("site.html", title, heading=title, **values)}
    for system, page in pages.items():
        name = shown.get(system, system)
        values = {"ranking": [], "boards": [*_scores(system, boards)], "answers": []}
        text = file_page("site.html", name, heading=name, **values, back=title)
        files[page] = text
    replacing_all(folder, {name: text.encode() for name, text in files.items()})
    return list(files)


def _file(number: int, system: str) -> str:
    """Return the name of the page of a system.

    >>> _file(3, "Team A/run 1")
    '3-team-a-run-1.html'
    """
    name = re.sub(r"[^a-z0-9]+", "-", system.lower()).strip("-")[:60]
    return f"{number}-{name or 'system'}.html"


def _linked(
    board: Leaderboard, pages: Mapping[str, str], shown: Mapping[str, str]
) -> Table:
    table = leaderboard_table(board)
    index = [column.name for column in table.columns].index("system")
    table.rows = [
        (
            *row[:index],
            Cell(shown.get(row[index], row[index]), pages[row[index]]),
            *row[index + 1 :],
        )
        for row in table.rows
    ]
    # How ranks are made anew is for who has the store.
    table.notes = [note for note in table.notes if "graphscore score" not in str(note)]
    if board.created and not board.fresh:
        table.notes.append(f"ranks as of {board.created[:10]}")
    table.name = "sortable"
    return table


def _scores(system: str, boards: list[Leaderboard]) -> Iterator[Table]:
    """Yield every score of a system by framework, a table for each metric."""
    for board in boards:
        standing = next((x for x in board.standings if x.system == system), None)
        if standing is None:
            continue
        several = [MACRO] if len(board.frameworks) > 1 else []
        names = [*board.frameworks, ALL, *several] if several else [ALL]
        scores = [*board.scores]
        if len(scores) > MOST:
            others = {f".{ratio}" for ratio in RATIOS if ratio != "f1"}
            scores = [x for x in scores if not any(map(x.endswith, others))]
        rows = []
        for score in scores:
            values = (standing.values.get((name, score)) for name in names)
            rows.append((score, *values))
        heads = [
            Column("score"),
            *columns_of("ratio", *(name or "all" for name in names)),
        ]
        units = f"{standing.units:,} units, {standing.missing:,} missing"
        title = f"{board.metric}, {board.gold}: {units}"
        yield Table([Column("score"), *heads], rows, title=title, name="sortable")


def _answer(store: Store, name: str) -> Table:
    """Return the answer of a store to an everyday question."""
    columns, rows = store.query(EXAMPLES[name].sql)
    table = as_table(columns, rows)
    table.title, table.name = EXAMPLES[name].title, "sortable"
    return table
