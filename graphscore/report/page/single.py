"""The page of one item: all its frameworks, with pictures and errors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphscore.drawing.choice import draw
from graphscore.drawing.styles import Standing
from graphscore.drawing.svg import Picture
from graphscore.metrics.base import main_score
from graphscore.report.item_view.comparison_styles import sides_of
from graphscore.report.page.errors import error_table
from graphscore.report.page.fragments import text
from graphscore.report.page.items import counted, legend_part, text_part
from graphscore.report.page.page import page
from graphscore.report.page.pictures import is_wide
from graphscore.report.side_by_side import ABSENT, Comparison
from graphscore.report.text import Ratio, cell


def item_page(found: Sequence[Comparison], *, fold: bool = False) -> str:
    """An item as a page of one file.

    Args:
        found: gold beside system, for every framework and metric that has it.
        fold: whether what matched is left out of pictures, but for what stands beside
            errors.

    Returns:
        The text of the file, the same for the same item.
    """
    standings: set[Standing] = set()
    frames = []
    for comparison in found:
        picture = draw(sides_of(comparison), fold)
        standings.update(picture.standings)
        frames.append(_framework(comparison, picture))
    name = found[0].gold.id
    words = next(
        (comparison.gold.text for comparison in found if comparison.gold.text), ""
    )
    wide = " wide" if len(found) == 1 else ""
    return page(
        f"{name}: gold beside system",
        [
            f"<header><h1>{text(name, 400)}</h1>",
            text_part(words),
            "</header><main>",
            f'<div class="sides{wide}">{"".join(frames)}</div>',
            legend_part([*standings], fold),
            "</main>",
        ],
    )


def _framework(each: Comparison, picture: Picture) -> str:
    """One framework: what stands for the metric, the picture, the errors."""
    metric, gold = each.metric, each.gold
    scores = metric.scores(each.outcome.raw_counts)
    value = main_score(metric, scores)
    parts = [text(str(metric))]
    if not math.isnan(value):
        parts[0] += f" <b>{cell(Ratio(value))}</b>"
    count = scores.counts.get(metric.main)
    if count is not None:
        parts.append(text(counted(count, 2)))
    if each.absent:
        parts.append(ABSENT)
    if not each.outcome.proven:
        parts.append("unproven")
    where = " ".join(filter(None, (gold.framework, gold.layer)))
    errors = error_table(each.outcome.errors, gold, each.system, count=count)
    css_class = "framework wide" if is_wide(picture) else "framework"
    return (
        f'<section class="{css_class}"><h2>{text(where)}</h2>'
        f"<p>{', '.join(parts)}</p>{picture.figure()}{errors}</section>"
    )
