r"""PreCo: clusters of coreference as JSON lines, ranges within sentences.

A line is a document (Chen et al. 2018, https://preschool-lab.github.io/PreCo)::

    {"id": "train_1", "sentences": [["Jenny", "left"], ["She", "ran"]],
     "mention_clusters": [[[0, 0, 1], [1, 0, 1]]]}

A mention is the number of its sentence, its first token, and the one behind its last
one.  A line gives one graph of framework ``coref``; entities of one mention are in the
data, and stay.

>>> import io
>>> data = (b'{"id": "a", "sentences": [["Jenny", "left"], ["She", "ran"]], '
...         b'"mention_clusters": [[[0, 0, 1], [1, 0, 1]]]}')
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> [record.graph.text[a:b] for node in record.graph.nodes for a, b in node.anchors]
['Jenny', 'She']
>>> [record] = read(io.BytesIO(data.replace(b"1, 0, 1", b"1, 0, 3")), "a.jsonl")
>>> print(record.problems[0])
... # doctest: +NORMALIZE_WHITESPACE
a.jsonl:1: $.mention_clusters[0][1]: found tokens 0:3 of sentence 1,
expected a range within the 2 tokens of sentence 1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from graphscore.folding import shown
from graphscore.formats.base import Record
from graphscore.formats.coreference.coref_jsonlines import SENTENCES
from graphscore.formats.shared.clusters import Span, read_clusters
from graphscore.formats.shared.json_lines import JsonLine, Row, further, objects
from graphscore.formats.shared.token_text import Words
from graphscore.structures.layout import COREF

CLUSTERS = "mention_clusters"
"""The key of the clusters."""

OWN = "preco"
"""Where ``extra`` of a graph keeps all other fields."""

_KEYS = frozenset({"id", SENTENCES, CLUSTERS})


class _Mention(Row):
    sentence: int
    first_token: int
    one_past_the_last: int


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for line, fields in objects(stream, name):
        yield line.rejected() if fields is None else _document(line, fields)


def _document(line: JsonLine, fields: dict[str, Any]) -> Record:
    line.item = line.identity(fields, "id", "the name of the document")
    words = Words.of(line, f"$.{SENTENCES}", fields.get(SENTENCES))
    # Without words, every range would only repeat the problem.
    value = [] if line.problems else fields.get(CLUSTERS)

    def span(where: str, mention: _Mention) -> Span | None:
        """First and last token of a mention, counted over the document."""
        sentence, first, end = msgspec.structs.astuple(mention)
        if not 0 <= sentence < len(words.sizes):
            expected = f"one of {len(words.sizes)}, counted from 0"
            line.add(where, f"sentence {shown(sentence)}", expected)
            return None
        within = f" of sentence {sentence}"
        if not line.within(where, (first, end), words.sizes[sentence], of=within):
            return None
        start = words.starts[sentence]
        return start + first, start + end - 1

    build = read_clusters(
        line,
        f"$.{CLUSTERS}",
        value,
        _Mention,
        span,
        lambda ends: words.anchor(ends[0], ends[1] + 1),
    )
    extra = {SENTENCES: words.sizes, **further(fields, _KEYS, OWN)}
    return line.record(words.graph(build, line, COREF, extra), COREF)
