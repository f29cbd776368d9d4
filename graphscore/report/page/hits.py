"""The page of what a pattern found: each hit in its graph."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.drawing.styles import Standing
from graphscore.exceptions import amount
from graphscore.report.item_view.hit_pictures import Hit
from graphscore.report.page.fragments import text
from graphscore.report.page.items import legend_part
from graphscore.report.page.page import page


def hits_page(pattern: str, hits: Sequence[Hit], every: int) -> str:
    """Hits as a page of one file.

    Args:
        pattern: what was looked for.
        hits: those that are shown.
        every: how many there are.

    Returns:
        The text of the file, the same for the same hits.
    """
    standings: set[Standing] = set()
    sections = []
    for hit in hits:
        standings.update(hit.picture.standings)
        sections.append(_hit(hit))
    total = amount(every, "hit")
    if 0 < len(hits) < every:
        total += f", the first {len(hits):,} shown"
    return page(
        f"{total}: {pattern}",
        [
            f"<header><h1>{text(total, 200)}</h1>",
            f"<p><code>{text(pattern, 4000)}</code></p></header><main>",
            f'<div class="sides wide">{"".join(sections)}</div>',
            legend_part([*standings]),
            "</main>",
        ],
    )


def _hit(hit: Hit) -> str:
    """Return the HTML of a hit: item, text, bindings, and picture."""
    item = hit.item
    where = filter(None, (item["framework"], item["language"], item["layer"]))
    words = f'<p class="text">{text(item["text"], 4000)}</p>' if item["text"] else ""
    return (
        f'<section class="framework"><h2>{text(item["item"], 400)} '
        f"({text(', '.join(where))})</h2>{words}"
        f"<p>{text(hit.bound, 400)}</p>{hit.picture.figure()}</section>"
    )
