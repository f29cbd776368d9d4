"""Lists of tags, one for each token, as taggers give them and seqeval takes them.

>>> words = ["Ada", "Lovelace", "wrote"]
>>> [graph] = from_tags([["B-PER", "I-PER", "O"]], tokens=[words])
>>> graph.text, [(node.label, *node.anchors) for node in graph.nodes]
('Ada Lovelace wrote', [('PER', Anchor(start=0, end=12))])
>>> from_tags([["B-PER", "PER"]])
Traceback (most recent call last):
graphscore.exceptions.InputError: <tags>: [0][1]: found 'PER', expected a tag: O, or \
B, I, E, L, S, U with a type (B-PER)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphscore.inputs.base import Words, names_of, numbered, refused, texts_of
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures.entities.tags import (
    TAGS,
    USUAL,
    Spelling,
    Tag,
    chunks,
    read_tag,
    spelling_of,
)
from graphscore.structures.layout import KIND, MENTION, NER


def from_tags(
    tags: Iterable[Sequence[str]],
    *,
    tokens: Words | None = None,
    ids: Iterable[Any] | None = None,
    name: str = "tags",
) -> list[Graph]:
    """Named entities from a tag for each token: IOB1, IOB2, IOE, IOBES, BILOU.

    Entities are found as the CoNLL scorer finds them and keep the letters of their
    tags, so that being strict is up to the metric.  Letters stand before types unless
    they stand behind all of them (``PER-B``); ``B_PER`` is read as well.

    Args:
        tags: the tags of each item.
        tokens: the words of each item; without, tokens go by their numbers.
        ids: the id of each item; without, items pair by their order.
        name: what messages call them.

    Returns:
        A graph of the framework ``ner`` for each item.

    Raises:
        InputError: if a tag is none, or there are not as many tokens as tags.
    """
    items = list(tags)
    written = {tag for item in items for tag in item if isinstance(tag, str)}
    spelling = spelling_of(written) or USUAL
    graphs = []
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        read = _read(name, number, item, spelling)
        texts = None if tokens is None else texts_of(name, number, tokens, len(read))
        text, anchors = numbered(len(read)) if texts is None else texts
        nodes = [
            Node(
                ordinal,
                label,
                (_MENTION, (TAGS, letters)),
                (Anchor(anchors[first].start, anchors[last].end),),
            )
            for ordinal, (first, last, label, letters) in enumerate(chunks(read))
        ]
        graphs.append(Graph(id, NER, 1, "", "", text, anchors, tuple(nodes)))
    return graphs


_MENTION = (KIND, MENTION)


def _read(name: str, number: int, item: Sequence[str], spelling: Spelling) -> list[Tag]:
    """The tags of an item."""
    try:
        read = [read_tag(spelling, each) for each in item]
    except (AttributeError, TypeError):
        # Something that is no text, or cannot be looked up, is no tag.
        read = [
            read_tag(spelling, each) if isinstance(each, str) else None for each in item
        ]
    if None in read:
        index = read.index(None)
        where = f"[{number}][{index}]"
        raise refused(name, where, repr(item[index]), spelling.expected)
    return [each for each in read if each is not None]
