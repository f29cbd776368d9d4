"""Markdown as a parser of it reads it."""

from __future__ import annotations

from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token


class Page(NamedTuple):
    """What a text shows."""

    tables: list[list[list[str]]]
    """Rows of cells, the head first."""
    bold: list[str]
    """What is bold."""
    lines: list[str]
    """Paragraphs and points of lists."""
    listings: list[str]
    """Text that stands as it is."""


def read(text: str) -> Page:
    """Read Markdown; what is in cells and lines is what a reader sees.

    Raises:
        AssertionError: if anything but text, bold text and code came of it.
    """
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    page = Page([], [], [], [])
    row: list[str] | None = None
    for token in tokens:
        assert token.type not in ("html_block", "heading_open", "code_block", "hr")
        assert token.type not in ("ordered_list_open", "blockquote_open")
        if token.type == "table_open":
            page.tables.append([])
        elif token.type == "tr_open":
            row = []
            page.tables[-1].append(row)
        elif token.type == "tr_close":
            row = None
        elif token.type == "fence":
            page.listings.append(token.content)
        elif token.type == "inline":
            shown = _shown(token.children or [], page.bold)
            (page.lines if row is None else row).append(shown)
    return page


def _shown(tokens: list[Token], bold: list[str]) -> str:
    text, start = "", 0
    for token in tokens:
        if token.type == "strong_open":
            start = len(text)
        elif token.type == "strong_close":
            bold.append(text[start:])
        else:
            known = token.type in ("text", "text_special", "code_inline", "softbreak")
            assert known, f"{token.type} came of {token.content!r}"
            text += token.content
    return text
