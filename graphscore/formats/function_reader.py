r"""Items that a function of one's own gives, as records.

An item is a graph, an object of a dataclass, or a dict: one that has its words under
``tokens`` and ``tags`` or ``spans``, as lists in Python have them, or one that could be
a line of JSON in a known format.

>>> import io
>>> def lines(stream):
...     for line in stream:
...         words = [word.partition("/") for word in line.decode().split()]
...         tags = [tag or "O" for _, _, tag in words]
...         yield {"tokens": [form for form, _, _ in words], "tags": tags}
>>> read = reader_of_function("mine.py:lines", lines)
>>> [one, two] = read(io.BytesIO(b"Ada/B-PER wrote\nin London/LOC\n"), "a.txt")
>>> one.graph.framework, one.graph.nodes[0].label, one.graph.text
('ner', 'PER', 'Ada wrote')
>>> two.problems[0].where, two.problems[0].found
('item 2: $.tags[1]', "'LOC'")
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from io import BufferedReader, BytesIO
from typing import Any, BinaryIO

import msgspec

from graphscore.duplicates import shown
from graphscore.exceptions import (
    GraphscoreError,
    InputError,
    Problem,
    UsageError,
    truncate,
)
from graphscore.formats.base import Format, Reader, ReadGraph, Record, Rejected
from graphscore.formats.registry import guess
from graphscore.formats.shared.json_lines import JsonLine
from graphscore.model.graph import Anchor, Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.plugins import failure
from graphscore.structures.entities.tags import TAGS, USUAL, chunks, spelling_of
from graphscore.structures.layout import NER, OBJECT, LayoutBuilder
from graphscore.structures.objects.dataclasses import to_graph
from graphscore.structures.objects.field_types import StructureError
from graphscore.structures.objects.ids import id_of

EXPECTED = (
    "a Graph, an object of a dataclass, or a dict: with tokens and tags or spans, or "
    "like a line of a JSON format that graphscore formats lists"
)


_LISTS = ("tags", "spans")

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def reader_of_function(location: str, function: Callable[..., Any]) -> Reader:
    """A reader that calls a function of a user's.

    Args:
        location: what the user calls it.
        function: takes a binary stream, or a stream and the name of its file; gives
            items, or one.

    Raises:
        UsageError: if it takes something else.
    """
    named = _takes_name(location, function)

    def read(stream: BinaryIO, name: str) -> Iterator[Record]:
        yield from _Items(location, function, name).records(
            (stream, name) if named else (stream,)
        )

    return read


def _takes_name(location: str, function: Callable[..., Any]) -> bool:
    """Return whether a function takes the name of the file as well."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        # What is not written in Python may not say.
        return False
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [parameter for parameter in parameters if parameter.kind in plain]
    needed = [
        parameter
        for parameter in positional
        if parameter.default is inspect.Parameter.empty
    ]
    names = [
        parameter.name
        for parameter in parameters
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        and parameter.default is inspect.Parameter.empty
    ]
    several = any(
        parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters
    )
    if len(needed) > 2 or names or not (positional or several):
        raise UsageError(
            f"{_home(function)}: {location} takes {inspect.signature(function)}, "
            "expected a function of a stream, or of a stream and the name of its file"
        )
    return len(needed) == 2 or (several and not positional)


def _home(function: Callable[..., Any], line: int = 0) -> str:
    """File and line of a function, as far as they are known."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return getattr(function, "__module__", None) or "?"
    return f"{code.co_filename}:{line or code.co_firstlineno}"


class _Items:
    """Items that a function yields for one file."""

    def __init__(self, location: str, function: Callable[..., Any], name: str) -> None:
        self.location, self.function, self.name = location, function, name
        self.number = 0
        """Number of the current item, from 1."""
        self._items: Iterator[Any] = iter(())
        self._dicts = DictReader(name)

    def records(self, arguments: tuple[Any, ...]) -> Iterator[Record]:
        """The records of the file."""
        returned = self._call(lambda: self.function(*arguments))
        if isinstance(returned, Graph | Mapping) or _is_object(returned):
            returned = [returned]
        if isinstance(returned, str | bytes) or not isinstance(returned, Iterable):
            raise self._wrong_item(
                returned, f"such items, in a list or by yield: {EXPECTED}"
            )
        self._items = self._call(lambda: iter(returned))
        end = object()
        while (item := self._call(lambda: next(self._items, end))) is not end:
            self.number += 1
            yield from self._of(item)

    def _call(self, call: Callable[[], Any]) -> Any:
        """Call the user's own code.

        Raises:
            InputError: if it fails, with the file and line where it does.
        """
        try:
            return call()
        except (GraphscoreError, MemoryError):
            raise
        except Exception as error:
            where = f"item {self.number + 1}"
            code = getattr(inspect.unwrap(self.function), "__code__", None)
            found = failure(error, code.co_filename if code else "")
            expected = f"a file that {self.location} can read"
            problem = Problem(self.name, None, None, where, found, expected)
            raise InputError([problem]) from error

    def _wrong_item(self, value: Any, expected: str = EXPECTED) -> UsageError:
        frame = getattr(self._items, "gi_frame", None)
        home = _home(self.function, frame.f_lineno if frame else 0)
        what = f"item {self.number} of {self.name}" if self.number else self.name
        text = truncate(repr(value))
        return UsageError(
            f"{home}: {self.location} gave {text} for {what}, expected {expected}"
        )

    def _of(self, item: Any) -> Iterator[Record]:
        """The records of one item: several where a dict has several layers."""
        if isinstance(item, ReadGraph | Rejected):
            yield item
        elif isinstance(item, Graph):
            yield ReadGraph(self.number, item)
        elif _is_object(item):
            yield self._of_object(item)
        elif isinstance(item, Mapping):
            yield from map(self._with_number, self._of_dict(item))
        else:
            raise self._wrong_item(item)

    def _of_object(self, item: Any) -> Record:
        named = id_of(type(item), item)
        try:
            return ReadGraph(self.number, to_graph(item, id=named))
        except StructureError as error:
            problem = Problem(
                self.name,
                None,
                None,
                f"item {self.number}: {error.where}",
                error.found,
                error.expected,
            )
            return Rejected(self.number, (problem,), b"", OBJECT, named)

    def _with_number(self, record: Record) -> Record:
        """A record with the number of its item in place of a line."""
        if isinstance(record, Rejected):
            placed = tuple(map(self._at_item, record.problems))
            return record._replace(line=self.number, problems=placed)
        left_out = tuple(map(self._at_item, record.left_out))
        notes = tuple(
            note._replace(problem=self._at_item(note.problem)) for note in record.notes
        )
        return record._replace(line=self.number, left_out=left_out, notes=notes)

    def _at_item(self, problem: Problem) -> Problem:
        where = f"item {self.number}{problem.where and ': '}{problem.where}"
        return problem._replace(line=None, column=None, where=where)

    def _of_dict(self, item: Mapping[Any, Any]) -> Iterator[Record]:
        try:
            yield from self._dicts.records(item)
        except UnlikeError as error:
            raise self._wrong_item(error.args[0]) from None


class UnlikeError(Exception):
    """A dict that is like a line of no format; its argument."""


class DictReader:
    """Reads dicts like lines of JSON formats, or with tokens and tags or spans.

    Args:
        name: what messages call their whole.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._formats: dict[tuple[str, ...], Format] = {}

    def records(self, item: Mapping[Any, Any]) -> Iterator[Record]:
        """Return the records of a dict: several where it has several layers.

        Args:
            item: the dict.

        Raises:
            UnlikeError: if it is like a line of no format.
        """
        line = JsonLine(self.name, 1)
        try:
            data = _encode(item)
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            line.add(
                "", f"a dict that is not JSON ({error})", "strings, numbers, lists"
            )
            yield line.rejected("")
            return
        line.raw.append(data)
        fields = _decode(data)
        words = fields.get("tokens")
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            lists = [key for key in _LISTS if key in fields]
            if lists:
                yield _Words(line, fields, words).record(lists)
                return
        read = self._format_of(fields, data).read
        assert read is not None
        yield from read(BytesIO(data + b"\n"), self.name)

    def _format_of(self, fields: dict[str, Any], data: bytes) -> Format:
        """The format that a dict could be a line of, known by its keys."""
        keys = tuple(fields)
        if keys not in self._formats:
            beginning: Any = BytesIO(data)
            try:
                guessed = guess(BufferedReader(beginning), "item.jsonl")
            except InputError:
                raise UnlikeError(fields) from None
            self._formats[keys] = guessed.format
        return self._formats[keys]


def _is_object(value: Any) -> bool:
    return is_dataclass(value) and not isinstance(value, type)


class _Words:
    """Words with tags or spans on their way to a graph."""

    def __init__(
        self, line: JsonLine, fields: dict[str, Any], words: list[str]
    ) -> None:
        self.line, self.fields, self.words = line, fields, words
        self.text, self.tokens = join_tokens(words)
        self.build = LayoutBuilder()

    def record(self, lists: list[str]) -> Record:
        """The graph, or everything that is wrong with it."""
        line, fields = self.line, self.fields
        if fields.get("id") is not None:
            line.item = line.identity(fields, "id", "a string or number")
        document = line.string("$.document", fields.get("document") or "")
        language = line.string("$.language", fields.get("language") or "")
        if len(lists) > 1:
            line.add("$", "tags and spans", "one of them")
        elif lists == ["tags"]:
            self._tags()
        else:
            self._spans()
        if line.problems:
            return line.rejected(NER)
        graph = self.build.graph(
            line.item, NER, document=document, text=self.text, tokens=self.tokens
        )
        return ReadGraph(1, msgspec.structs.replace(graph, language=language))

    def _tags(self) -> None:
        read = []
        tags = self.line.strings("$.tags", self.fields["tags"])
        spelling = spelling_of(tags) or USUAL
        for number, tag in enumerate(tags):
            if (known := spelling.read(tag)) is None:
                self.line.add(f"$.tags[{number}]", shown(tag), spelling.expected)
            else:
                read.append(known)
        if self.line.problems:
            return
        if len(read) != len(self.words):
            self.line.add(
                "$.tags", f"{len(read)} tags", f"{len(self.words)}, as tokens"
            )
            return
        for first, last, label, letters in chunks(read):
            self._mention(label, first, last, ((TAGS, letters),))

    def _spans(self) -> None:
        for where, span in self.line.elements("$.spans", self.fields["spans"]):
            parts = span if isinstance(span, list) else []
            numbers = [x for x in parts if type(x) is int]
            labels = [x for x in parts if isinstance(x, str) or x is None]
            if len(numbers) != 2 or len(parts) != 2 + len(labels) or len(labels) > 1:
                self.line.add(where, shown(span), "[first token, last token, label]")
            elif not 0 <= numbers[0] <= numbers[1] < len(self.words):
                expected = f"0 ≤ first ≤ last < {len(self.words)}, as there are tokens"
                self.line.add(where, f"tokens {numbers[0]} to {numbers[1]}", expected)
            else:
                label = labels[0] if labels else None
                self._mention(label, numbers[0], numbers[1])

    def _mention(
        self,
        label: str | None,
        first: int,
        last: int,
        properties: tuple[tuple[str, str], ...] = (),
    ) -> None:
        anchor = Anchor(self.tokens[first].start, self.tokens[last].end)
        self.build.mention(label, (anchor,), properties)
