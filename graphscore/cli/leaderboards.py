"""Leaderboards of a store, as ``score`` makes and prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphscore.cli.operands import Operands, open_store
from graphscore.cli.output import Output
from graphscore.exceptions import StoreError, UsageError
from graphscore.store.detect import is_store

if TYPE_CHECKING:
    from graphscore.cli.reporting import ReportOptions
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.result import Result
    from graphscore.report.table import Table


def leaderboard_tables(
    target: Operands,
    scored: Sequence[Sequence[Result]],
    options: Options,
    output: Output,
    rules: str | None,
    every: bool,
) -> list[Table]:
    """Rank the systems of a store where all of them were scored, and make tables.

    Args:
        target: files or collections.
        scored: the results of each system.
        options: how they were scored.
        output: is told of it.
        rules: path of the rules of a ranking.
        every: whether all systems of the store were scored.

    Returns:
        A leaderboard by each metric, or the ranking by the rules; none of files, of
        some systems, or of a single one.

    Raises:
        UsageError: for rules where there is no leaderboard, or that are wrong.
    """
    whole = not (options.where or options.within)
    if not (
        target.store
        and every
        and whole
        and len(target.systems) > 1
        and not target.others
    ):
        if rules is not None:
            raise UsageError(
                "--ranking ranks all systems of a store against one gold collection: "
                "give STORE --gold NAME without --system"
            )
        return []
    from graphscore.report.leaderboard.table import leaderboard_table
    from graphscore.statistics.leaderboard import rank_systems

    store = open_store(target.store, "write", output, target.wait)
    try:
        rank_systems(store, scored, options, output.say)
    except (StoreError, UsageError) as error:
        output.say(f"no ranks were kept: {error}")
    boards = [x for x in store.leaderboards() if x.gold == target.gold]
    if rules is not None:
        from graphscore.report.leaderboard.rules import load_rules, rules_table

        return [rules_table(load_rules(rules), boards)]
    made = {(str(x.metric), str(x.scope)) for results in scored for x in results}
    return [
        leaderboard_table(board, store=target.store)
        for board in boards
        if (board.metric, board.scope) in made
    ]


def boards_of(target: Operands) -> list[Table]:
    """Return the leaderboards of a store against a gold collection.

    Args:
        target: files or collections; of files and of a single system there are none.
    """
    if not target.store or len(target.systems) < 2:
        return []
    from graphscore.report.leaderboard.table import leaderboard_table

    boards = open_store(target.store).leaderboards()
    chosen = [x for x in boards if x.gold == target.gold and len(x.standings) > 1]
    return [leaderboard_table(board, store=target.store) for board in chosen]


def write_pages(operands: Sequence[str], page: ReportOptions, output: Output) -> None:
    """Write the leaderboards of a store as a static site.

    Args:
        operands: what was typed: a store.
        page: the folder, and what it shows.
        output: is told of it.

    Raises:
        UsageError: for other operands, or another target beside it.
    """
    from pathlib import Path

    from graphscore.exceptions import amount
    from graphscore.report.leaderboard.rules import load_rules
    from graphscore.report.leaderboard.site import write_site

    if len(operands) > 1 or not is_store(operands[0]):
        raise UsageError("--site is made of a store: give STORE alone")
    if page.html or page.markdown or page.file:
        raise UsageError("--site and --html, --markdown or -o: give one of them")
    assert page.site is not None
    rules = None if page.ranking is None else load_rules(page.ranking)
    title = rules.title if rules and rules.title else "Leaderboard"
    store, folder = open_store(operands[0], output=output), Path(page.site)
    names = write_site(store, folder, rules, title=title, with_items=page.with_items)
    output.say(f"{amount(len(names), 'page')} in {page.site}, first {names[0]}")
