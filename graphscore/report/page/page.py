"""A page in one file: no network, no outside fonts, nothing that labels could start.

Its policy allows the style sheet and the script that are in it, by their digests, and
nothing else: no ``style=``, no ``onclick=``, no address.  What the script does
(hovering, zooming, folding) the page can do without: all is there when scripts are off.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from graphscore.drawing.svg import style_sheet, written


def page(title: str, sections: Iterable[str]) -> str:
    """A page of its own.

    Args:
        title: what it is of, as plain text.
        sections: HTML without styles and scripts, in which all labels are escaped.

    Returns:
        The text of the file, which is the same for the same sections.

    Example:
        >>> text = page("a < b", ["<p>all is well</p>"])
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
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{written(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{''.join(sections)}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def digest(text: str) -> str:
    """A text's digest as policies name it.

    >>> digest("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    result = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(result).decode()}"


@lru_cache(maxsize=4)
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8").strip()
