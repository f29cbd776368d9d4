"""The page of one item: all its frameworks, with pictures and errors."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.drawing.choice import draw
from graphscore.drawing.styles import Standing
from graphscore.report.item_view.comparison_styles import sides_of
from graphscore.report.page.errors import error_table
from graphscore.report.page.items import main_count, seen_unit
from graphscore.report.page.pictures import is_wide, legend_of
from graphscore.report.page.templating import file_page
from graphscore.report.side_by_side import Comparison


def item_page(comparisons: Sequence[Comparison], *, fold: bool = False) -> str:
    """An item as a page of one file.

    Args:
        comparisons: gold beside system, for every framework and metric that has it.
        fold: whether what matched is left out of pictures, but for what stands beside
            errors.

    Returns:
        The text of the file, the same for the same item.
    """
    standings: set[Standing] = set()
    units = []
    for comparison in comparisons:
        metric, outcome, gold = comparison.metric, comparison.outcome, comparison.gold
        picture = draw(sides_of(comparison), fold)
        standings.update(picture.standings)
        count = main_count(metric, outcome)
        errors = error_table(outcome.errors, gold, comparison.system, count=count)
        seen = seen_unit(metric, outcome, errors, comparison.absent)
        where = " ".join(filter(None, (gold.framework, gold.layer)))
        seen = seen._replace(picture=picture.figure(), wide=is_wide(picture))
        units.append((where, seen))
    name = comparisons[0].gold.id
    return file_page(
        "item.html",
        f"{name}: gold beside system",
        name=name,
        words=next((pair.gold.text for pair in comparisons if pair.gold.text), ""),
        units=units,
        legend=legend_of(standings),
        fold=fold,
    )
