"""The page of what a pattern found: each hit in its graph."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.exceptions import amount
from graphscore.report.item_view.hit_pictures import Hit
from graphscore.report.page.pictures import legend_of
from graphscore.report.page.templating import file_page


def hits_page(pattern: str, hits: Sequence[Hit], every: int) -> str:
    """Hits as a page of one file.

    Args:
        pattern: what was looked for.
        hits: those that are shown.
        every: how many there are.

    Returns:
        The text of the file, the same for the same hits.
    """
    standings = {mark for hit in hits for mark in hit.picture.standings}
    total = amount(every, "hit")
    if 0 < len(hits) < every:
        total += f", the first {len(hits):,} shown"
    return file_page(
        "hits.html",
        f"{total}: {pattern}",
        total=total,
        pattern=pattern,
        hits=hits,
        legend=legend_of(standings),
    )
