"""Reads a page as a browser would: elements, tables with their captions, texts."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Read:
    """A table."""

    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)
    links: list[list[str]] = field(default_factory=list)
    """Targets of the links in each row."""
    section: str = ""
    """The id of the innermost section around it."""

    @property
    def head(self) -> list[str]:
        """The names of its columns."""
        return self.rows[0]

    @property
    def body(self) -> list[dict[str, str]]:
        """Its rows by the names of columns."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows[1:]]


class Page(HTMLParser):
    """A page, taken apart."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        """What styles and scripts hold."""
        self.tables: list[Read] = []
        self.words: list[str] = []
        self._sections: list[str] = []
        self._in = ""
        self.feed(text)
        self.close()

    @property
    def text(self) -> str:
        """All that is shown."""
        return " ".join(self.words)

    @property
    def ids(self) -> list[str]:
        """All ids."""
        return [str(each["id"]) for _, each in self.found if each.get("id")]

    @property
    def packed(self) -> list[str]:
        """The scores that are packed."""
        found = [each for each in self.texts.get("script", []) if each[0] == '"']
        data = [each for each in found if "use strict" not in each[:20]]
        return [
            score
            for each in data
            for score in json.loads(zlib.decompress(base64.b64decode(json.loads(each))))
        ]

    def captioned(self, caption: str) -> Read:
        """The first table with a caption that holds some text."""
        return next(each for each in self.tables if caption in each.caption)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.found.append((tag, known))
        if tag == "section":
            self._sections.append(known.get("id") or "")
        elif tag == "table":
            self.tables.append(Read(section=(self._sections or [""])[-1]))
        elif tag == "tr":
            self.tables[-1].rows.append([])
            self.tables[-1].links.append([])
        elif tag in ("td", "th"):
            self.tables[-1].rows[-1].append("")
        elif tag == "a" and self._in in ("td", "th"):
            self.tables[-1].links[-1].append(str(known.get("href")))
        if tag in ("caption", "td", "th"):
            self._in = tag
        elif tag in ("thead", "tbody"):
            self._in = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "section":
            self._sections.pop()
        if tag in ("caption", "td", "th", "table"):
            self._in = ""

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.texts.setdefault(self.cdata_elem, []).append(data)
            return
        self.words.append(data)
        if self._in == "caption":
            self.tables[-1].caption += data
        elif self._in:
            self.tables[-1].rows[-1][-1] += data


def problems(page: Page) -> list[str]:
    """What is in a page that must not be there, or leads nowhere."""
    found = []
    known = page.ids
    found += [f"twice: {each}" for each in set(known) if known.count(each) > 1]
    for tag, attributes in page.found:
        for name, value in attributes.items():
            if name == "style" or name.startswith("on"):
                found.append(f"{tag} {name}")
            if name in ("src", "action", "srcset", "data", "xlink:href", "poster"):
                found.append(f"{tag} {name}={value}")
            if name == "href" and not str(value).startswith("#"):
                found.append(f"{tag} href={value}")
            if name == "href" and str(value)[1:] not in known:
                found.append(f"nowhere: {value}")
            if name == "aria-labelledby" and value not in known:
                found.append(f"nowhere: {value}")
        if tag in ("link", "base", "iframe", "object", "embed", "form", "img", "use"):
            found.append(tag)
    return found
