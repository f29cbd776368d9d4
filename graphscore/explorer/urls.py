"""Addresses of pages: all that a page depends on stands in its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from graphscore.exceptions import UsageError, did_you_mean, truncate

LONGEST = 4_000
"""Characters of a value in an address."""

PAGES = 1_000_000
"""The highest number of a page."""


def address(*path: str, **query: Any) -> str:
    """The address of a page.

    Args:
        path: its parts.
        query: what else it depends on; what is ``None`` or ``False`` is left out.

    Example:
        >>> address("evaluation", "e1", "errors", tuple_type="edges", value="a b")
        '/evaluation/e1/errors?tuple_type=edges&value=a%20b'
    """
    parameters = {
        name.rstrip("_"): ("yes" if value is True else str(value))
        for name, value in query.items()
        if value is not None and value is not False
    }
    whole = "/" + "/".join(quote(part, safe="") for part in path)
    return f"{whole}?{urlencode(parameters, quote_via=quote)}" if parameters else whole


def collection_address(name: str, **filters: Any) -> str:
    """Return the URL of a collection.

    Args:
        name: of the collection.
        filters: what its graphs are narrowed by, and the number of the page.

    >>> collection_address("gold", framework="eds")
    '/collection?name=gold&framework=eds'
    """
    return address("collection", name=name, **filters)


def graph_address(
    collection: str, framework: str, language: str, item: str, layer: str
) -> str:
    """Return the URL of a graph.

    >>> graph_address("gold", "eds", "", "wsj 1", "")
    '/graph?collection=gold&framework=eds&item=wsj%201'
    """
    return address(
        "graph",
        collection=collection,
        framework=framework,
        language=language or None,
        item=item,
        layer=layer or None,
    )


class Parameters:
    """Query parameters of a URL, checked before use.

    Args:
        values: by name; of several of one name the last.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self._given = values

    def text(self, name: str) -> str | None:
        """A text; ``None`` where there is none, or an empty one.

        Raises:
            UsageError: if it is too long, or no database can hold it.
        """
        return self.exact(name) or None

    def exact(self, name: str) -> str | None:
        """A text, which may be empty; ``None`` where there is none."""
        value = self._given.get(name)
        if value is None:
            return None
        if len(value) > LONGEST:
            raise UsageError(
                f"{name}: found {len(value)} characters, expected {LONGEST} at most"
            )
        if "\0" in value:
            raise UsageError(f"{name}: found the NUL character, expected text")
        return value

    def long(self, name: str, most: int) -> str:
        """A text that may be longer than others, as statements are.

        Raises:
            UsageError: if it is longer than *most* characters.
        """
        value = self._given.get(name, "")
        if len(value) > most:
            problem = f"found {len(value)} characters, expected {most} at most"
            raise UsageError(f"{name}: {problem}")
        return value

    def number(self, name: str, default: int = 1, most: int = PAGES) -> int:
        """A whole number from 1.

        Raises:
            UsageError: if it is none.

        Example:
            >>> Parameters({"page": "3"}).number("page")
            3
        """
        value = self.text(name)
        if value is None:
            return default
        if value.isascii() and value.isdecimal() and len(value) < 10:
            number = int(value)
            if 1 <= number <= most:
                return number
        raise UsageError(f"{name}: found {truncate(repr(value))}, expected 1 to {most}")

    def one_of(self, name: str, choices: Sequence[str]) -> str:
        """One of a few words; the first where none is given.

        Raises:
            UsageError: if it is another one.
        """
        value = self.text(name)
        if value is None:
            return choices[0]
        if value not in choices:
            near = did_you_mean(value, choices)
            raise UsageError(
                f"{name}: found {truncate(repr(value))}{near}, expected one of: "
                f"{', '.join(choices)}"
            )
        return value

    def texts(self, names: Sequence[str]) -> dict[str, str | None]:
        """Several texts by their names, as :meth:`text` gives each."""
        return {name: self.text(name) for name in names}


class Paging(NamedTuple):
    """Range of a list that a page shows."""

    page: int
    size: int = 50

    @property
    def first(self) -> int:
        """Number of rows before it."""
        return (self.page - 1) * self.size
