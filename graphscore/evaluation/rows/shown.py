"""What shows itself in notebooks by its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphscore.report.text import Table


class Shown:
    """What a notebook shows as tables, in HTML, Markdown or SVG."""

    def shown_tables(self) -> list[Table]:
        """The tables."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        from graphscore.report.html import html

        return html(self.shown_tables())

    def _repr_markdown_(self) -> str:
        from graphscore.report.markdown import markdown

        return markdown(self.shown_tables())

    def _repr_svg_(self) -> str:
        from graphscore.report.drawn import svg

        return svg(self.shown_tables())
