r"""Structured sentiment: sentences with opinions, one array a file.

Barnes et al. (2022), *SemEval 2022 Task 10: Structured Sentiment Analysis*;
https://github.com/jerbarnes/semeval22_structured_sentiment.  The data of NoReC_fine,
OpeNER, MultiBooked, MPQA and Darmstadt have one shape there; what systems put out has
the same::

    [{"sent_id": "7", "text": "We loved the view",
      "opinions": [{"Source": [["We"], ["0:2"]], "Target": [["the view"], ["9:17"]],
                    "Polar_expression": [["loved"], ["3:8"]],
                    "Polarity": "Positive", "Intensity": "Strong"}]}]

Each part is its words and its characters, end excluded; ``[[], []]`` where there is
none, several of each where it is in pieces.  An opinion is a node at its expression,
labelled by its polarity, with edges to the mentions that are its holder and its target.

Characters need not fit: published files have some that begin within a word, or end
beyond the text.  Those end with the text, and what was written is the property
``range``.  Words that are not those of the text are kept as the property ``written``.

>>> import io
>>> data = (b'[{"sent_id": "7", "text": "We loved it", "opinions": [{'
...         b'"Source": [["We"], ["0:2"]], "Target": [[], []], "Polar_expression": '
...         b'[["loved"], ["3:8"]], "Polarity": "Positive", "Intensity": null}]}]')
>>> [record] = read(io.BytesIO(data), "a.json")
>>> [(node.label, node.properties, node.anchors) for node in record.graph.nodes]
... # doctest: +NORMALIZE_WHITESPACE
[(None, (('kind', 'mention'),), (Anchor(start=0, end=2),)),
 ('Positive', (('kind', 'opinion'), ('intensity', None)), (Anchor(start=3, end=8),))]
>>> print(b"".join(write([record.graph])).decode()[50:93])
"Source":[["We"],["0:2"]],"Target":[[],[]],
>>> [record] = read(io.BytesIO(data.replace(b"3:8", b"8:3")), "a.json")
>>> print(*record.left_out)
... # doctest: +NORMALIZE_WHITESPACE
a.json:1: $.opinions[0].Polar_expression[1][0]: found '8:3',
expected FROM:TO in characters, such as '0:4'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct

from graphscore.duplicates import shown
from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import JsonLine, further, objects
from graphscore.formats.shared.layers import Layer, kept_fields
from graphscore.formats.shared.span_fields import quote_beginning, same_words
from graphscore.formats.writing import check_framework, encode, json_array
from graphscore.model.graph import Anchor, Graph, Node, Pairs
from graphscore.model.normalize import Results
from graphscore.structures.layout import (
    HOLDER,
    INTENSITY,
    KIND,
    OPINION,
    SENTIMENT,
    TARGET,
    TEXT,
    Argument,
    LayoutBuilder,
)

ID, WORDS, OPINIONS = "sent_id", "text", "opinions"

EXPRESSION, POLARITY, INTENSE = "Polar_expression", "Polarity", "Intensity"

ROLES = {HOLDER: "Source", TARGET: "Target"}
"""Names of the parts of an opinion in the file, by the labels of edges."""

WRITTEN = "written"
"""The property with what a file gives as words, where the text has others."""

RANGE = "range"
"""The property with the ranges as written, where one goes beyond the text."""

OWN, MORE = "semeval2022", "fields"
"""Keys of ``extra`` of a graph, and of an opinion, for further fields."""

_USED = frozenset({ID, WORDS, OPINIONS})
_KEYS = (*ROLES.values(), EXPRESSION)
_PARTS = frozenset({*_KEYS, POLARITY, INTENSE})

ABOUT = frozenset({KIND, TEXT, WRITTEN, RANGE})
"""Names of properties that say how a part is written."""

TAKEN = ABOUT | {INTENSITY}
"""Names of properties that mean something else than a field of that name."""

_RANGE = re.compile(r"\s*([0-9]{1,9})\s*:\s*([0-9]{1,9})\s*")
_EXPECTED = "FROM:TO in characters, such as '0:4'"
_SHAPE = "[[words], [FROM:TO]]"


Part = tuple[tuple[Anchor, ...], Pairs]
"""The expression, the holder or the target of an opinion: its ranges, and its words,
where they are not those of the text."""

_NOTHING: Part = (), ()
_ABSENT: tuple[Any, ...] = ([[], []], None, [])


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for line, fields in objects(stream, name):
        yield line.rejected() if fields is None else _sentence(line, fields)


def _sentence(line: JsonLine, fields: dict[str, Any]) -> Record:
    line.framework = SENTIMENT
    line.item = line.identity(fields, ID, "the id of a sentence")
    sentence = line.typed("$", fields, _Sentence)
    text = sentence.text if sentence else ""
    build = LayoutBuilder()
    opinions = fields.get(OPINIONS, ...)
    if opinions is ...:
        line.add(f"$.{OPINIONS}", "nothing", "the opinions of the sentence")
    elif opinions is not None:
        for where, opinion in line.elements(f"$.{OPINIONS}", opinions):
            _opinion(line, where, opinion, text, build)
    extra = further(fields, _USED, OWN)
    return line.record(build.graph(line.item, SENTIMENT, text=text, extra=extra))


class _Sentence(Struct):
    expected: ClassVar = {WORDS: "the text of the sentence"}
    text: str


class _Opinion(Struct):
    """Fields of an opinion besides its parts."""

    expected: ClassVar = {"Intensity": "a string or null"}
    Polarity: str | None = None
    Intensity: str | int | float | bool | None = None


def _opinion(
    line: JsonLine, where: str, value: Any, text: str, build: LayoutBuilder
) -> None:
    """Add an opinion; one that is none costs only itself."""
    before = len(line.problems)
    item = line.typed(where, value, _Opinion)
    fields = value if isinstance(value, dict) else {}
    holder, target, expression = [
        _part(line, where, key, fields.get(key), text) for key in _KEYS
    ]
    if item is not None and _PARTS.isdisjoint(fields):
        line.add(where, "none of its keys", f"{EXPRESSION} and {POLARITY}")
    if item is None or len(line.problems) > before:
        line.left_out += line.problems[before:]
        del line.problems[before:]
        return
    anchors, written = expression
    properties: list[tuple[str, Any]] = [*written]
    if INTENSE in fields:
        properties.append((INTENSITY, item.Intensity))
    rest = {}
    for key, field in fields.items():
        if key in _PARTS:
            continue
        if key in TAKEN or isinstance(field, list | dict):
            rest[key] = field
        else:
            properties.append((key, field))
    roles = [
        Argument(role, build.mention(None, *part))
        for role, part in ((HOLDER, holder), (TARGET, target))
        if part != _NOTHING
    ]
    build.opinion(
        item.Polarity,
        anchors,
        roles,
        tuple(properties),
        extra=((MORE, rest),) if rest else (),
    )


def _part(line: JsonLine, opinion: str, key: str, value: Any, text: str) -> Part:
    """A part of an opinion; nothing where there is none, or only a problem."""
    if value in _ABSENT:
        return _NOTHING
    if (plain := _plain_part(value, text)) is not None:
        return plain
    where = f"{opinion}.{key}"
    if not isinstance(value, list) or len(value) != 2:
        line.add(where, shown(value), _SHAPE)
        return _NOTHING
    words, offsets = (
        _strings(line, f"{where}[{k}]", strings) for k, strings in enumerate(value)
    )
    anchors: list[Anchor] = []
    ranges: list[str] = []
    for path, span in offsets:
        # Earlier releases have all pieces in one string.
        for piece in span.split(";"):
            ends = _ends[piece]
            if ends[0] <= ends[1]:
                anchors.append(_clip(*ends, text))
                ranges.append(f"{ends[0]}:{ends[1]}")
            elif piece.strip():
                line.add(path, shown(span), _EXPECTED)
    texts = [string for _, string in words if string]
    if not anchors:
        return (), tuple((TEXT, string) for string in texts)
    covered = [text[start:end] for start, end in anchors]
    if texts and not same_words(" ".join(texts), " ".join(covered)):
        # The task's script goes by the characters.
        line.add(
            where,
            quote_beginning(" ".join(texts)),
            f"{quote_beginning(' '.join(covered))}, as there",
        )
        line.pass_over("other words at the place of an opinion")
    known = not texts or ";".join(texts) == ";".join(covered)
    properties = [] if known else [(WRITTEN, string) for string in texts]
    if ranges != [f"{start}:{end}" for start, end in anchors]:
        properties += [(RANGE, range_) for range_ in ranges]
    return tuple(anchors), tuple(properties)


def _clip(start: int, end: int, text: str) -> Anchor:
    """A range as far as the text goes."""
    return Anchor(min(start, len(text)), min(end, len(text)))


def _plain_part(value: Any, text: str) -> Part | None:
    """A part whose pieces are as the text has them, which nearly all are."""
    anchors: list[Anchor] = []
    try:
        words, offsets = value
        for word, piece in zip(words, offsets, strict=True):
            start, end = anchor = _ends[piece]
            if not (start <= end <= len(text) and text[start:end] == word != ""):
                return None
            anchors.append(anchor)
    except (TypeError, ValueError):
        return None
    if len(anchors) != 1 and not (anchors and type(words) is type(offsets) is list):
        return None
    return tuple(anchors), ()


def _ends_of(piece: str) -> Anchor:
    """Both ends of a range as written; the first is the greater one if it is none."""
    match = _RANGE.fullmatch(piece)
    return Anchor(int(match[1]), int(match[2])) if match else Anchor(1, 0)


_ends = Results(_ends_of)


def _strings(line: JsonLine, where: str, value: Any) -> list[tuple[str, str]]:
    """Strings and their places; one may stand for a list of itself."""
    if value is None:
        return []
    if isinstance(value, str):
        return [(where, value)]
    strings: list[tuple[str, str]] = []
    for path, string in line.elements(where, value):
        if isinstance(string, str):
            strings.append((path, string))
        elif string is not None:
            line.add(path, shown(string), "a string")
    return strings


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, a sentence to a line of one array.

    Args:
        graphs: of the framework ``sentiment``.

    Yields:
        Pieces of the array.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_array(map(_sentence_bytes, graphs))


def _sentence_bytes(graph: Graph) -> bytes:
    check_framework(graph, (SENTIMENT,), "task 10 of SemEval-2022")
    layer = Layer(graph)
    opinions = [_opinion_of(layer, node) for node in layer.of(OPINION)]
    fields = {ID: graph.id, WORDS: graph.text, OPINIONS: opinions}
    return encode({**kept_fields(graph.extra, OWN), **fields})


def _opinion_of(layer: Layer, node: Node) -> dict[str, Any]:
    parts = {edge.label: layer.nodes[edge.target] for edge in layer.edges(node.id)}
    fields: dict[str, Any] = {}
    for role, key in ROLES.items():
        mention = parts.get(role)
        fields[key] = _part_of(layer.graph, mention) if mention else [[], []]
    fields[EXPRESSION] = _part_of(layer.graph, node)
    fields[POLARITY] = node.label
    for name, value in node.properties:
        if name not in ABOUT:
            fields.setdefault(INTENSE if name == INTENSITY else name, value)
    return fields | kept_fields(node.extra, MORE) | fields


def _part_of(graph: Graph, node: Node) -> list[list[str]]:
    """The words of a part, and where they are."""
    name = WRITTEN if node.anchors else TEXT
    written = [str(value) for key, value in node.properties if key == name]
    covered = [graph.text[start:end] for start, end in node.anchors]
    ranges = [str(value) for key, value in node.properties if key == RANGE]
    ranges = ranges or [f"{start}:{end}" for start, end in node.anchors]
    return [written or covered, ranges]
