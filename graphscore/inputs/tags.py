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

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any

from graphscore.exceptions import InputError
from graphscore.inputs.base import (
    Labels,
    Words,
    labels_of,
    names_of,
    numbered_text,
    refusal,
    texts_of,
)
from graphscore.model.graph import Graph
from graphscore.structures.entities.tags import (
    USUAL,
    Spelling,
    read_tag,
    sequences_of,
    spelling_of,
)
from graphscore.structures.layout import NER

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
    written = _strings(items)
    spelling = spelling_of(written) or USUAL
    sequences = sequences_of(spelling)
    graphs = []
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        try:
            coded = sequences.coded(item)
        except (AttributeError, KeyError, TypeError):
            # Something that is no text, or cannot be looked up, is no tag.
            raise _refusal(name, number, item, spelling) from None
        if tokens is None:
            text, anchors = numbered_text(len(item))
        else:
            worded = texts_of(name, number, tokens, len(item))
            assert worded is not None
            text, anchors = worded
        _, nodes = sequences.mentions(coded, anchors)
        graphs.append(Graph(id, NER, 1, "", "", text, anchors, nodes))
    return graphs


def _strings(items: Iterable[Sequence[Any]]) -> set[str]:
    """The tags that there are, whatever else there may be among them."""
    try:
        written = set(chain.from_iterable(items))
    except TypeError:
        # Lists among the tags.
        written = {tag for item in items for tag in item if isinstance(tag, Hashable)}
    return {tag for tag in written if isinstance(tag, str)}


def _refusal(
    name: str, number: int, item: Sequence[Any], spelling: Spelling
) -> InputError:
    """An error about the first of the tags of an item that is none."""
    index = next(
        index
        for index, tag in enumerate(item)
        if not isinstance(tag, str) or read_tag(spelling, tag) is None
    )
    where = f"[{number}][{index}]"
    return refusal(name, where, repr(item[index]), spelling.expected)
