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

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphscore.inputs.base import (
    Labels,
    Words,
    labels_of,
    names_of,
    numbered_text,
    refusal,
    texts_of,
)
from graphscore.model.graph import Anchor, Graph, Node, Pairs
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

IGNORED = -100
"""The number that trainers give to what is not a token, or the rest of one."""


def named_tags(
    name: str, where: str, tags: Sequence[Any], labels: Sequence[str]
) -> list[str | None]:
    """Return the names of tags that are numbers; nothing of what trainers ignore.

    Args:
        name: whose tags they are, in messages.
        where: the place of their item.
        tags: numbers; or how likely each label is, of which the likeliest is taken.
        labels: names of the numbers, from 0.

    Raises:
        InputError: if a number has no name.

    >>> named_tags("gold", "[0]", [1, -100, [0.7, 0.3]], ["O", "B-PER"])
    ['B-PER', None, 'O']
    """
    result: list[str | None] = []
    for index, tag in enumerate(tags):
        if isinstance(tag, Sequence) and not isinstance(tag, str):
            tag = max(range(len(tag)), key=tag.__getitem__)
        if tag == IGNORED:
            result.append(None)
        elif isinstance(tag, str):
            result.append(tag)
        elif 0 <= tag < len(labels):
            result.append(labels[tag])
        else:
            expected = f"0 to {len(labels) - 1}, as there are labels"
            raise refusal(name, f"{where}[{index}]", repr(tag), expected)
    return result


def from_tags(
    tags: Iterable[Sequence[Any]],
    *,
    tokens: Words | None = None,
    ids: Iterable[Any] | None = None,
    labels: Labels | None = None,
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
        labels: names of tags that are numbers, in order or by number (``id2label``);
            tags of -100 are left out.
        name: what messages call them.

    Returns:
        A graph of the framework ``ner`` for each item.

    Raises:
        InputError: if a tag is none, or there are not as many tokens as tags.
    """
    items = list(tags)
    if labels is not None:
        named = labels_of(labels)
        items = [
            [tag for tag in named_tags(name, f"[{number}]", item, named) if tag]
            for number, item in enumerate(items)
        ]
    written = {tag for item in items for tag in item if isinstance(tag, str)}
    spelling = spelling_of(written) or USUAL
    known = {tag: read_tag(spelling, tag) for tag in written}
    bare: dict[tuple[int, int], tuple[Anchor]] = {}
    properties: dict[str, Pairs] = {}
    graphs = []
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        read = _read(name, number, item, known, spelling)
        if tokens is None:
            (text, anchors), cache = numbered_text(len(read)), bare
        else:
            worded = texts_of(name, number, tokens, len(read))
            assert worded is not None
            (text, anchors), cache = worded, {}
        nodes = []
        for ordinal, (first, last, label, letters) in enumerate(chunks(read)):
            ranges = cache.get((first, last))
            if ranges is None:
                ranges = (Anchor(anchors[first].start, anchors[last].end),)
                cache[first, last] = ranges
            pairs = properties.get(letters)
            if pairs is None:
                pairs = properties[letters] = (_MENTION, (TAGS, letters))
            nodes.append(Node(ordinal, label, pairs, ranges))
        graphs.append(Graph(id, NER, 1, "", "", text, anchors, tuple(nodes)))
    return graphs


_MENTION = (KIND, MENTION)


def _read(
    name: str,
    number: int,
    item: Sequence[str],
    known: Mapping[str, Tag | None],
    spelling: Spelling,
) -> list[Tag]:
    """The tags of an item."""
    try:
        read = [known[tag] for tag in item]
    except (KeyError, TypeError):
        # Something that is no text, or cannot be looked up, is no tag.
        read = [known[tag] if isinstance(tag, str) else None for tag in item]
    if None in read:
        index = read.index(None)
        where = f"[{number}][{index}]"
        raise refusal(name, where, repr(item[index]), spelling.expected)
    return [tag for tag in read if tag is not None]
