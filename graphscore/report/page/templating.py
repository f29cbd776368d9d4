"""Pages from templates, which are files of the package.

Whatever comes from files, a store or an address is escaped, and spelled where a
character would act or hide.  A page in one file asks for nothing: its policy allows the
style sheet and the script that are in it, by their digests, and nothing else, neither
``style=`` nor ``onclick=`` nor an address.  What the script does (hovering, zooming,
folding) the page can do without: all is there when scripts are off.
"""

from __future__ import annotations

import base64
import hashlib
import math
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from graphscore.drawing.svg import style_sheet, written
from graphscore.exceptions import truncate, visible
from graphscore.report.markup import caption, is_best, notes, plain
from graphscore.report.table import Bar, Cell, Meaning, Table

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

LONG = 400
"""Characters of a cell that are shown; more is cut in the middle."""


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the templates of all pages, in which every value is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def spelled(value: Any) -> Any:
        if isinstance(value, Markup) or not isinstance(value, str):
            return value
        return visible(value)

    def cut(value: str, most: int = LONG) -> Markup:
        return Markup(written(truncate(value, most)))

    def shown(value: Any, places: int = 2, meaning: Meaning = "name") -> Markup:
        if isinstance(value, float) and math.isnan(value):
            return Markup("")
        if meaning == "count" and type(value) is int:
            return Markup(f"{value:,}")
        return cut(plain(value, places, meaning))

    made = Environment(
        loader=PackageLoader("graphscore.report"),
        autoescape=True,
        auto_reload=False,
        finalize=spelled,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "caption": caption,
        "cut": cut,
        # Of what graphscore itself has drawn, in which texts are escaped already.
        "drawn": Markup,
        "notes": notes,
        "pixels": lambda value: f"{min(1.0, max(0.0, value)) * 100:.4g}",
        "shown": shown,
    }
    made.tests |= {
        "bar": lambda value: isinstance(value, Bar),
        "best": is_best,
        "finite": math.isfinite,
        "linked": lambda value: isinstance(value, Cell),
        "links": lambda value: isinstance(value, list),
        "table": lambda value: isinstance(value, Table),
    }
    return made


def parts() -> Any:
    """Return the pieces of pages, as functions that give HTML."""
    return environment().get_template("parts.html").module


def rendered(template: str, **values: Any) -> str:
    """Return the text of a page.

    Args:
        template: the name of its file.
        values: all that it shows.
    """
    return environment().get_template(template).render(values)


def file_page(template: str, title: str, **values: Any) -> str:
    """Return a page of one file, which is the same for the same values.

    Args:
        template: the name of its file.
        title: what it is of, as plain text.
        values: all that it shows.

    Example:
        >>> text = file_page("file.html", "a < b")
        >>> text.count("<script>"), "<title>a &lt; b</title>" in text
        (1, True)
    """
    style, script = _asset("page.css") + style_sheet(), _asset("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{digest(style)}'",
            f"script-src '{digest(script)}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    head = {"title": title, "style": style, "script": script, "policy": policy}
    return rendered(template, **head, **values)


def digest(text: str) -> str:
    """A text's digest as policies name it.

    >>> digest("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    result = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(result).decode()}"


@lru_cache(maxsize=4)
def _asset(name: str) -> str:
    return files("graphscore.report.page").joinpath(name).read_text("utf-8").strip()
