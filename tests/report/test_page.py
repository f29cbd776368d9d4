"""Pages allow what is in them, and nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from graphscore.report.page.page import digest, page


class Elements(HTMLParser):
    """Elements with their attributes, and the texts of styles and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.texts.setdefault(self.cdata_elem, []).append(data)


def test_the_policy_names_the_style_sheet_and_the_script_and_nothing_else() -> None:
    elements = Elements(page("t", ["<p>one</p>"]))
    [policy] = [
        attributes["content"] or ""
        for tag, attributes in elements.found
        if "http-equiv" in attributes
    ]
    [style], [script] = elements.texts["style"], elements.texts["script"]
    assert f"style-src '{digest(style)}'" in policy
    assert f"script-src '{digest(script)}'" in policy
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")


def test_a_page_asks_for_nothing() -> None:
    text = page("<b>", ["<p>one</p>"])
    assert not re.search(r"https?://|url\(|@import|src=|href=", text)
    assert "<title>&lt;b&gt;</title>" in text
    for _, attributes in Elements(text).found:
        assert not any(name == "style" or name.startswith("on") for name in attributes)
