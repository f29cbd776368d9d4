"""Rules of a ranking: tracks, weights, partial submissions, ties, names.

Organizers write them into a small TOML file, and every ranking that is made by them
has them below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from graphscore.evaluation.macro import MACRO
from graphscore.exceptions import UsageError, did_you_mean
from graphscore.report.leaderboard.table import lowest_best
from graphscore.report.ranking import mark_best
from graphscore.report.table import Column, Table
from graphscore.store.rankings import ALL, Leaderboard, Rank, Standing
from graphscore.tables import BrokenError, tables

Weight = Annotated[float, msgspec.Meta(gt=0)]


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the final score: one score of one metric."""

    metric: str
    name: str = ""
    score: str = ""
    """Score to rank by; the main score where it is empty."""
    framework: str = "all"
    """One of them, ``all`` of them together, or ``macro`` for their mean."""
    weight: Weight = 1.0

    @property
    def title(self) -> str:
        """Heading of its column."""
        return self.name or " ".join(filter(None, (self.framework, self.metric)))


class RankingRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules by which systems are ranked.

    Example:
        >>> rules = parse_rules('''
        ... title = "MRP"
        ... partial = "unranked"
        ... [[tracks]]
        ... metric = "mrp"
        ... framework = "macro"
        ... ''')
        >>> rules.tracks[0].title
        'macro mrp'
        >>> print(*rules.lines(), sep=chr(10))
        score: macro mrp
        a submission that lacks units or a track has no rank
        equal scores (to 4 decimals) share the better rank
    """

    tracks: Annotated[tuple[Track, ...], msgspec.Meta(min_length=1)]
    title: str = ""
    partial: Literal["scored", "unranked"] = "scored"
    """Treatment of missing items: they count as 0, or such a submission has no rank."""
    ties: Literal["shared", "dense"] = "shared"
    """1 2 2 4, or 1 2 2 3."""
    decimals: Annotated[int, msgspec.Meta(ge=0, le=12)] = 4
    """Decimals of scores from 0 to 1 within which systems tie."""
    unlisted: Literal["named", "anonymous"] = "named"
    """Treatment of systems that are not in ``names``."""
    names: dict[str, str] = {}
    """Names that are shown, by collection."""

    def lines(self) -> Iterator[str]:
        """Yield the rules as sentences."""
        if len(self.tracks) == 1:
            yield f"score: {self.tracks[0].title}"
        else:
            weights = (f"{track.title} x {track.weight:g}" for track in self.tracks)
            yield f"score: mean of {', '.join(weights)}"
        missing = {
            "scored": "what a submission lacks counts as 0",
            "unranked": "a submission that lacks units or a track has no rank",
        }
        yield missing[self.partial]
        shared = {
            "shared": "share the better rank",
            "dense": "share a rank, none is left",
        }
        yield f"equal scores (to {self.decimals} decimals) {shared[self.ties]}"
        if self.unlisted == "anonymous":
            yield "only systems that the rules name have names"


def parse_rules(text: str) -> RankingRules:
    """Parse the rules of a ranking.

    Args:
        text: TOML.

    Raises:
        UsageError: if it is none, or has other fields or values.
    """
    try:
        return msgspec.convert(tables(text), RankingRules)
    except BrokenError as error:
        where = "" if error.line is None else f" in line {error.line}"
        raise UsageError(f"rules of a ranking: {error.said}{where}") from None
    except msgspec.ValidationError as error:
        raise UsageError(f"rules of a ranking: {error}") from None


def load_rules(path: str) -> RankingRules:
    """Read the rules of a ranking from a file.

    Args:
        path: of TOML.

    Raises:
        UsageError: as :func:`parse_rules`, with the file; or if it cannot be read.
    """
    try:
        return parse_rules(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def rules_table(rules: RankingRules, boards: Sequence[Leaderboard]) -> Table:
    """Rank systems by rules: a row per system with every track, and the rules below.

    Args:
        rules: how.
        boards: leaderboards of one gold collection, among them those of all tracks.

    Raises:
        UsageError: if there is no leaderboard of a track.
    """
    chosen = [_board(track, boards) for track in rules.tracks]
    systems = dict.fromkeys(x.system for board in chosen for x in board.standings)
    scored = []
    for system in systems:
        values = [
            _value(track, board, system)
            for track, board in zip(rules.tracks, chosen, strict=True)
        ]
        complete = None not in values and not any(
            standing.missing for board in chosen if (standing := _of(board, system))
        )
        weights = [track.weight for track in rules.tracks]
        parts = (w * (v or 0.0) for w, v in zip(weights, values, strict=True))
        final = round(sum(parts) / sum(weights), rules.decimals)
        is_ranked = complete or rules.partial == "scored"
        scored.append((not is_ranked, final, system, values))
    lower = lowest_best(chosen[0], rules.tracks[0].score or chosen[0].main)
    scored.sort(key=lambda row: (row[0], row[1] if lower else -row[1], row[2]))
    heads = [Column("rank", "count"), Column("system"), Column("score", "ratio")]
    for track in rules.tracks:
        heads += [Column(track.title, "ratio"), Column("ranks", joined=True)]
    title = (
        f"{rules.title}: " * bool(rules.title) + f"ranking, {chosen[0].gold} (* best)"
    )
    table = Table(heads, title=title, notes=[*rules.lines()])
    finals = [final for outside, final, *_ in scored if not outside]
    rows = []
    unnamed = 0
    for outside, final, system, values in scored:
        unnamed += system not in rules.names
        name = rules.names.get(system, system)
        if rules.unlisted == "anonymous" and system not in rules.names:
            name = f"system {unnamed}"
        better = [x for x in finals if (x < final if lower else x > final)]
        rank = 1 + len({*better} if rules.ties == "dense" else better)
        row: list[Any] = [None if outside else rank, name, final]
        for track, board, value in zip(rules.tracks, chosen, values, strict=True):
            row += [value, _ranks(track, board, system)]
        rows.append(("", *row))
    table.rows = [row[1:] for row in mark_best(rows, 0, [""] if lower else [])]
    return table


def _board(track: Track, boards: Sequence[Leaderboard]) -> Leaderboard:
    having_metric = [board for board in boards if board.metric == track.metric]
    if not having_metric:
        known = dict.fromkeys(board.metric for board in boards)
        raise UsageError(
            f"track {track.title}: nothing is scored by {track.metric!r}"
            f"{did_you_mean(track.metric, known)}; there are: {', '.join(known)}"
        )
    of_framework = [
        x for x in having_metric if track.framework in (*x.frameworks, "all", MACRO)
    ]
    if not of_framework:
        known = dict.fromkeys(
            name for board in having_metric for name in board.frameworks
        )
        raise UsageError(
            f"track {track.title}: no framework {track.framework!r}"
            f"{did_you_mean(track.framework, known)}; there are: {', '.join(known)}"
        )
    board = max(of_framework, key=lambda board: len(board.standings))
    if track.score and track.score not in board.scores:
        raise UsageError(
            f"track {track.title}: {track.metric} has no score {track.score!r}"
            f"{did_you_mean(track.score, board.scores)}"
        )
    return board


def _of(board: Leaderboard, system: str) -> Standing | None:
    return next((x for x in board.standings if x.system == system), None)


def _value(track: Track, board: Leaderboard, system: str) -> float | None:
    standing = _of(board, system)
    framework = ALL if track.framework == "all" else track.framework
    score = track.score or board.main
    return standing.values.get((framework, score)) if standing else None


def _ranks(track: Track, board: Leaderboard, system: str) -> str | None:
    """Return the interval of the rank in a track, where it was made."""
    if track.score not in ("", board.main):
        return None
    framework = ALL if track.framework == "all" else track.framework
    rank: Rank | None = board.ranks.get(framework, {}).get(system)
    if rank is None or rank.best is None:
        return None
    return f"{rank.best}-{rank.worst}" if rank.worst != rank.best else f"{rank.best}"
