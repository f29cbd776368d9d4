"""Rows of words and tags, a predicate to a line, and what AllenNLP puts out.

Neighbouring rows with the same words are predicates of one sentence; ``pred_sense`` is
the number of the predicate's word, the word, its sense and its part of speech::

    {"seq_words": ["Dogs", "bark"], "BIO": ["B-A0", "B-V"],
     "pred_sense": [1, "bark", "bark.01", "VERB"]}

``words`` may stand for ``seq_words``.  AllenNLP has all predicates of a sentence in a
line: ``{"words": ["Dogs", "bark"], "verbs": [{"verb": "bark", "tags": ["B-ARG0",
"B-V"]}]}``.  A sentence is a graph of ``srl`` with spans; items are numbered.

>>> import io
>>> data = (b'{"seq_words": ["Dogs", "bark"], "BIO": ["B-A0", "B-V"], '
...         b'"pred_sense": [1, "bark", "bark.01", "VERB"]}')
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> record.graph.nodes[0].label, [(edge.label) for edge in record.graph.edges]
('bark.01', ['A0', 'V'])
>>> [record] = read(io.BytesIO(data.replace(b"B-A0", b"A0")), "a.jsonl")
>>> print(record.problems[0])
a.jsonl:1: $.BIO[0]: found 'A0', expected a tag: O, or B, I, E, L, S, U with a type \
(B-PER)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct

from graphscore.duplicates import shown
from graphscore.exceptions import InvalidGraphError, amount
from graphscore.formats.base import Record
from graphscore.formats.roles.layout import Spans, span_based_graph
from graphscore.formats.roles.writing import ends_of, predicates_at_words
from graphscore.formats.shared.json_lines import JsonLine, Row, objects, rest_of
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.span_fields import usual_tag
from graphscore.formats.writing import check_framework, encode, naming
from graphscore.model.graph import Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.structures.entities.tags import OUTSIDE, Tag, chunks
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import SRL, VERB, Proposition

WORDS = ("seq_words", "words")
"""Keys of the words of a row."""

TAGS, SENSE = "BIO", "pred_sense"

ROWS = "srl-rows"
"""The field of ``extra`` with further fields of each row."""

NOTHING = "-"
"""A sense that is not said."""

ABSENT = -1

NONE = [ABSENT, "-", "<NO-PRED>", "-"]
"""The predicate of a row that has none."""


class _Sense(Row):
    """The number of a predicate's word, the word, its sense and its part of speech."""

    index: int
    word: str = ""
    sense: str = ""
    tag: str = ""


class _Verb(Struct):
    expected: ClassVar = {"tags": "the tags of a predicate"}
    tags: list[Any]
    verb: str = ""


Predicate = tuple[Spans, dict[str, Any]]
"""A predicate, and further fields of its row."""


class _Sentence:
    """A sentence on its way to a graph: a row, which further rows may join."""

    def __init__(self, line: JsonLine, fields: dict[str, Any]) -> None:
        self.line = line
        self.forms: list[str] = []
        self.predicates: list[Predicate] = []
        self.rest: dict[str, Any] = {}
        """Further fields of a row without a predicate."""
        self.whole = "verbs" in fields and TAGS not in fields
        if line.problems:
            return
        key = next((key for key in WORDS if key in fields), WORDS[0])
        self.forms = line.strings(f"$.{key}", fields.get(key))
        if self.whole:
            self.rest = {k: v for k, v in fields.items() if k not in (key, "verbs")}
            verbs = line.each("$.verbs", fields["verbs"], _Verb)
            for path, raw, verb in verbs:
                rest = {**self.rest, **rest_of(raw, _Verb)}
                self._add(f"{path}.tags", verb.tags, None, rest)
            return
        used = (key, TAGS, SENSE)
        self.rest = {k: v for k, v in fields.items() if k not in used}
        sense = fields.get(SENSE)
        shape = "[number of the word, word, sense, part of speech]"
        known = line.typed(f"$.{SENSE}", sense, _Sense, shape) if sense else None
        self._add(f"$.{TAGS}", fields.get(TAGS), known, self.rest)

    def _add(
        self, where: str, cells: Any, sense: _Sense | None, rest: dict[str, Any]
    ) -> None:
        line, size = self.line, len(self.forms)
        tags: list[Tag] = []
        for at, value in line.elements(where, cells):
            tags.append(usual_tag(line, at, value))
            if tags[-1] != OUTSIDE and not tags[-1][1]:
                line.add(at, shown(value), "a tag with a role, as B-A0")
        if not line.problems and len(tags) != size:
            found, words = amount(len(tags), "tag"), amount(size, "word")
            line.add(where, found, f"one for each of {words}")
        if sense is not None and sense.index != ABSENT:
            what = f"the number of a word, below {size}, or {ABSENT} for none"
            line.known(f"$.{SENSE}[0]", sense.index, range(size), what)
        if line.problems:
            return
        spans = [(c.label or "", c.first, c.last) for c in chunks(tags)]
        verbs = [first for label, first, _ in spans if label == VERB]
        word = sense.index if sense else verbs[0] if verbs else ABSENT
        if word != ABSENT:
            label = sense.sense if sense else ""
            if sense and sense.tag:
                rest = {**rest, SENSE: sense.tag}
            spelled = None if label in ("", NOTHING) else label
            self.predicates.append((Spans(spelled, word, word, spans), rest))
        elif spans:
            line.add(where, "arguments without a predicate", f"a tag B-{VERB}")

    def takes(self, row: _Sentence) -> bool:
        """Return whether a row is of this sentence: one of another predicate."""
        if self.whole or row.whole or not row.forms or row.forms != self.forms:
            return False
        own, others = (
            {predicate.first for predicate, _ in sentence.predicates}
            for sentence in (self, row)
        )
        # What is wrong with a row costs its sentence.
        known = (own or self.line.problems) and (others or row.line.problems)
        return bool(known) and own.isdisjoint(others)

    def join(self, row: _Sentence) -> None:
        """Take the predicate of a row, and what is wrong with it."""
        self.predicates += row.predicates
        self.line.absorb(row.line)

    def record(self) -> Record:
        """The graph, or everything that is wrong with its rows."""
        text, ranges = join_tokens(self.forms)
        ordered = sorted(self.predicates, key=lambda pair: pair[0].first)
        rests = [rest for _, rest in ordered] or [self.rest]
        extra: dict[str, Any] = {ROWS: rests} if any(rests) else {}
        roles = [predicate for predicate, _ in ordered]
        return self.line.record(span_based_graph("", "", text, ranges, roles, extra))


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of rows, or of sentences as AllenNLP puts them out.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    sentence: _Sentence | None = None
    unknown: list[_Sentence] = []
    for line, fields in objects(stream, name):
        line.framework = SRL
        row = _Sentence(line, fields or {})
        if sentence is not None and not row.forms:
            # Whether it is of this sentence, only what follows can say.
            unknown.append(row)
            continue
        if sentence is not None and sentence.takes(row):
            for part in (*unknown, row):
                sentence.join(part)
        else:
            yield from _records(sentence, unknown)
            sentence = row
        unknown = []
    yield from _records(sentence, unknown)


def _records(sentence: _Sentence | None, rows: list[_Sentence]) -> Iterator[Record]:
    """Yield the record of a sentence, and those of rows that are of none."""
    for part in (sentence, *rows):
        if part is not None:
            yield part.record()


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as rows, one for each predicate.

    Args:
        graphs: of the framework ``srl``, with the spans of arguments.

    Yields:
        The rows of each sentence.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    for graph in graphs:
        check_framework(graph, (SRL,), "rows of roles")
        with naming(graph):
            rows = [encode(row) + b"\n" for row in _rows(graph)]
        yield b"".join(rows)


def _rows(graph: Graph) -> Iterator[dict[str, Any]]:
    sentence = sentence_of(graph)
    forms = [graph.text[start:end] for start, end in graph.tokens]
    if sentence.counted != "words" or len(forms) != sentence.size:
        raise InvalidGraphError("a sentence without words", "words with characters")
    predicates = [*predicates_at_words(sentence)]
    rests = kept_as(graph.extra, ROWS, list[dict[str, Any]], [])
    count = max(len(predicates), 1)
    rests = rests if len(rests) == count else [{} for _ in range(count)]
    if not predicates:
        yield {WORDS[0]: forms, TAGS: ["O"] * len(forms), SENSE: NONE, **rests[0]}
    for predicate, rest in zip(predicates, rests, strict=False):
        word, node = predicate.place, graph.nodes[predicate.node]
        if not 0 <= word < len(forms):
            raise InvalidGraphError("a predicate without a word", "one of the sentence")
        label = NOTHING if node.label is None else str(node.label)
        yield {
            **rest,
            WORDS[0]: forms,
            TAGS: _tags(predicate, len(forms)),
            SENSE: [word, forms[word], label, rest.get(SENSE, "")],
        }


def _tags(predicate: Proposition, size: int) -> list[str]:
    tags = ["O"] * size
    for piece in predicate.pieces:
        first, last = ends_of(piece)
        if last >= size or set(tags[first : last + 1]) != {"O"}:
            found = f"a span {piece.label!r} over another one"
            raise InvalidGraphError(found, "spans of words that do not overlap")
        following = [f"I-{piece.label}"] * (last - first)
        tags[first : last + 1] = [f"B-{piece.label}", *following]
    return tags
