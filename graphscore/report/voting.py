"""A vote of annotators, as a table of its ties."""

from __future__ import annotations

from collections.abc import Mapping

from graphscore.errors import amount
from graphscore.report.comparing import short_names
from graphscore.report.text import Column, Table, one_line
from graphscore.statistics.agreement.voted import Candidate, Tie, Vote
from graphscore.structures.layout import type_name

SHOWN = 10
"""Ties that a table lists, unless it is told."""

_WORDS = 24
"""Characters of a candidate that are shown."""

_NAMED = 8
"""Characters of an annotator's name."""

_PEOPLE = 3
"""Annotators that are named; of more only the number is said."""


def vote_table(vote: Vote, top: int = SHOWN) -> Table:
    """What the vote came to, and a row per candidate of each tie.

    Args:
        vote: the vote.
        top: ties that are listed.
    """
    table = Table(
        [
            Column("item"),
            Column("tie"),
            Column("type"),
            Column("votes", True),
            Column("annotators"),
        ],
        title=said(vote),
    )
    short = short_names(vote.annotators, _NAMED)
    for tie in vote.ties[:top]:
        item: str | None = one_line(tie.item, _WORDS)
        for each in tie.spans:
            votes = f"{len(each.annotators)} of {tie.annotators}"
            words = one_line(_words(tie, each), _WORDS)
            label = one_line(type_name(each.label), _WORDS)
            table.rows.append((item, words, label, votes, _people(each, short)))
            item = None
    if not table.rows:
        table.columns = []
    if len(vote.ties) > top:
        table.notes.append(f"and {amount(len(vote.ties) - top, 'more tie')}")
    return table


def said(vote: Vote) -> str:
    """What a vote came to, in a line."""
    alone = f" ({vote.alone} of one annotator alone)" if vote.alone else ""
    return (
        f"vote of {len(vote.annotators)}: {amount(vote.spans, 'span')} in "
        f"{amount(vote.items, 'item')}{alone}, {amount(len(vote.ties), 'tie')} left out"
    )


def _words(tie: Tie, each: Candidate) -> str:
    """The words of a candidate; its characters' numbers where there is no text."""
    if not tie.text:
        return " ".join(f"{start}:{end}" for start, end in each.anchors)
    start = tie.start
    return " … ".join(tie.text[a - start : b - start] for a, b in each.anchors)


def _people(each: Candidate, short: Mapping[str, str]) -> str:
    names = [short[name] for name in each.annotators]
    more = [f"{len(names) - _PEOPLE} more"] if len(names) > _PEOPLE else []
    return ", ".join([*names[:_PEOPLE], *more])
