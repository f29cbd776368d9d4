"""Pages from templates, which are files of the package.

Whatever comes from a store or an address is escaped, and spelled where a character
would act or hide.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from graphscore.drawing.svg import style_sheet
from graphscore.exceptions import UsageError, visible
from graphscore.explorer.urls import address


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
    for name in ("jinja2", "starlette", "uvicorn"):
        try:
            __import__(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            raise UsageError(f"serve needs {name}: {INSTALL}") from None


@lru_cache(maxsize=1)
def environment() -> Any:
    """The templates."""
    from jinja2 import DictLoader, Environment, StrictUndefined
    from markupsafe import Markup

    def spelled(value: Any) -> Any:
        if isinstance(value, Markup) or not isinstance(value, str):
            return value
        return visible(value)

    folder = files(__package__).joinpath("templates")
    sources = {each.name: each.read_text("utf-8") for each in folder.iterdir()}
    made = Environment(
        loader=DictLoader(sources),
        autoescape=True,
        finalize=spelled,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["address"] = address
    # Of what graphscore itself has drawn, in which texts are escaped already.
    made.filters["drawn"] = Markup
    return made


def rendered(page: Page, **more: Any) -> str:
    """The text of a page.

    Args:
        page: what it is made of.
        more: what all pages have.
    """
    template = environment().get_template(f"{page.template}.html")
    text: str = template.render(title=page.title, **page.values, **more)
    return text


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
