"""A format of one's own: an id, then words, some with types: 7 Ada/PER wrote."""

import io
from collections.abc import Iterator
from typing import Any, BinaryIO


def read(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """The sentences of a file, as words and spans of them."""
    with io.TextIOWrapper(stream, encoding="utf-8-sig") as lines:
        for line in filter(str.strip, lines):
            item, *words = line.split()
            pairs = [word.partition("/") for word in words]
            yield {
                "id": item,
                "tokens": [form for form, _, _ in pairs],
                "spans": [
                    [place, place, label]
                    for place, (_, _, label) in enumerate(pairs)
                    if label
                ],
            }
