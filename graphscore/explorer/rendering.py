"""The explorer's pages: their templates, and the files that they refer to."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from graphscore.drawing.svg import style_sheet
from graphscore.exceptions import UsageError
from graphscore.report.page import templating


class Page(NamedTuple):
    """Parts of a page."""

    template: str
    title: str
    values: dict[str, Any]
    status: int = 200


class Asset(NamedTuple):
    """A file that pages refer to."""

    kind: str
    content: bytes


INSTALL = "pip install 'graphscore[web]'"


def refuse_missing() -> None:
    """Refuse to serve without the libraries that it takes.

    Raises:
        UsageError: naming what installs them.
    """
    for name in ("starlette", "uvicorn"):
        try:
            __import__(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            raise UsageError(f"serve needs {name}: {INSTALL}") from None


def rendered(page: Page, **more: Any) -> str:
    """The text of a page.

    Args:
        page: what it is made of.
        more: what all pages have.
    """
    values = {"title": page.title, **page.values, **more}
    return templating.rendered(f"explorer/{page.template}.html", **values)


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """All files that there are, by name: nothing else is ever opened."""
    css, script = "text/css; charset=utf-8", "text/javascript; charset=utf-8"
    own = files(__package__).joinpath("static")
    page = files("graphscore.report.page")
    return {
        "explorer.css": Asset(
            css,
            page.joinpath("page.css").read_bytes()
            + own.joinpath("explorer.css").read_bytes(),
        ),
        "picture.css": Asset(css, style_sheet().encode()),
        "explorer.js": Asset(script, own.joinpath("explorer.js").read_bytes()),
        "page.js": Asset(script, page.joinpath("page.js").read_bytes()),
        "htmx.min.js": Asset(script, own.joinpath("htmx.min.js").read_bytes()),
        "htmx.txt": Asset(
            "text/plain; charset=utf-8", own.joinpath("htmx.txt").read_bytes()
        ),
    }
