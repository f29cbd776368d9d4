r"""Documents that are lists of words, with annotations that name them by number.

>>> words = Words(["He", "left", "Rome"])
>>> words.text, words.anchor(1, 3)
('He left Rome', Anchor(start=3, end=12))
>>> line = JsonLine("a.jsonl", 1, b"")
>>> words.span(line, "$.x", [2, 2]), line.problems[0].expected
(None, 'a range within the 3 tokens')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphscore.formats.shared.json_lines import JsonLine, shown
from graphscore.formats.texts import joined
from graphscore.model.graph import Anchor


class Words:
    """The words of a document, as its text.

    Args:
        forms: all words, in order.

    Attributes:
        text: the words joined by one blank.
        tokens: where each of them is in the text.
    """

    def __init__(self, forms: Sequence[str]) -> None:
        self.text, self.tokens = joined(forms)

    def anchor(self, start: int, end: int) -> Anchor:
        """The characters of a range of words, the last one excluded."""
        return Anchor(self.tokens[start].start, self.tokens[end - 1].end)

    def span(self, line: JsonLine, where: str, value: Any) -> tuple[int, int] | None:
        """A range of words, the last one excluded.

        Args:
            line: the record, which gets a problem if it is none.
            where: its place.
            value: first word, and one past the last.
        """
        if (
            not isinstance(value, list)
            or len(value) != 2
            or any(type(end) is not int for end in value)
        ):
            line.add(where, shown(value), "[first token, one past the last]")
        elif not 0 <= value[0] < value[1] <= len(self.tokens):
            found = f"tokens {shown(value[0])}:{shown(value[1])}"
            line.add(where, found, f"a range within the {len(self.tokens)} tokens")
        else:
            return value[0], value[1]
        return None
