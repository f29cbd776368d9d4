r"""Objects of a dataclass of one's own, read from JSON: lines, a list, or one object.

msgspec makes the objects, and says of what does not fit where it is.

>>> import io
>>> from dataclasses import dataclass
>>> @dataclass
... class Report:
...     place: str
...     victims: list[str]
...     id: str | None = None
>>> read = reader_of_class("mine.py:Report", Report)
>>> data = b'{"id": "a", "place": "Lima", "victims": []}\n{"place": "", "victims": [7]}'
>>> good, bad = read(io.BytesIO(data), "a.jsonl")
>>> good.graph.id, dict(good.graph.nodes[0].properties)
('a', {'place': 'Lima', 'id': 'a'})
>>> print(bad.problems[0])
a.jsonl:2: $.victims[0]: found int, expected str
"""

from __future__ import annotations

import inspect
import typing
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from graphscore.duplicates import invalid
from graphscore.exceptions import UsageError, amount, truncate
from graphscore.formats.base import Reader, Record
from graphscore.formats.shared.json_lines import (
    TOO_DEEP,
    JsonLine,
    add_malformed,
    lines,
)
from graphscore.plugins import failure
from graphscore.structures.layout import OBJECT
from graphscore.structures.objects.annotations import fields_of, record_of
from graphscore.structures.objects.dataclasses import to_graph
from graphscore.structures.objects.field_types import (
    Many,
    OneOf,
    Row,
    Shape,
    StructureError,
)
from graphscore.structures.objects.field_types import (
    Record as Class,
)
from graphscore.structures.objects.ids import id_of, names_objects

LISTED = 10
"""Keys that are named before the rest is only counted."""


class KeysPassedOver(UserWarning):
    """Said once a file: keys of its objects that their class has no field for."""


class Keys:
    """Keys of JSON that a dataclass has no field for: passed over, not in silence.

    Args:
        cls: the dataclass that is read.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Report:
        ...     place: str
        >>> keys = Keys(Report)
        >>> for raw in b'{"place": "Lima", "note": 1}', b'{"place": "", "note": null}':
        ...     keys.see(raw)
        >>> print(keys)
        Report has no field for note (2 times)
    """

    def __init__(self, cls: Any) -> None:
        self._shape = record_of(cls)
        self._fields: dict[Class, dict[str, Shape]] = {}
        self.passed_over: Counter[str] = Counter()
        """Numbers of unknown keys by location."""

    def see(self, raw: bytes) -> None:
        """Count those of an object.

        Args:
            raw: its JSON, which the class can be read from.
        """
        self._walk(self._shape, _decode(raw), "")

    def tell(self, name: str) -> None:
        """Warn of those that were seen, if there are any.

        Args:
            name: the file.
        """
        if self.passed_over:
            warnings.warn(f"{name}: {self}", KeysPassedOver, stacklevel=2)

    def __str__(self) -> str:
        named = [
            f"{truncate(key)} ({amount(number, 'time')})"
            for key, number in self.passed_over.most_common(LISTED)
        ]
        if more := len(self.passed_over) - len(named):
            named.append(f"and {amount(more, 'key')} more")
        return f"{self._shape.label} has no field for {', '.join(named)}"

    def _walk(self, shape: Shape, value: Any, where: str) -> None:
        for option in shape.options():
            if isinstance(option, Class) and isinstance(value, dict):
                fields = self._fields_of(option)
                for key, held in value.items():
                    path = f"{where}.{key}" if where else key
                    if key in fields:
                        self._walk(fields[key], held, path)
                    else:
                        self.passed_over[path] += 1
            elif isinstance(option, Many) and isinstance(value, list):
                for element in value:
                    self._walk(option.item, element, f"{where}[]")
            elif isinstance(option, Row) and isinstance(value, list):
                for item, element in zip(option.items, value, strict=False):
                    self._walk(item, element, f"{where}[]")

    def _fields_of(self, record: Class) -> dict[str, Shape]:
        if record not in self._fields:
            fields = fields_of(record.cls, record.args)
            self._fields[record] = {field.name: field.shape for field in fields}
        return self._fields[record]


class _Named(msgspec.Struct):
    id: str | int | None = None


_named = msgspec.json.Decoder(_Named)
_decode = msgspec.json.Decoder().decode


def check_readable(location: str, cls: Any) -> msgspec.json.Decoder[Any]:
    """Return a decoder of the objects of a dataclass.

    Args:
        location: what the user calls the class.
        cls: the class.

    Raises:
        UsageError: if its objects cannot be read from JSON, with the field.
    """
    wrong = _unreadable(record_of(cls), set())
    try:
        decoder = msgspec.json.Decoder(cls)
    except Exception as error:
        wrong = wrong or (cls.__name__, str(error))
    if wrong:
        raise UsageError(f"{location}: {wrong[0]} cannot be read from JSON: {wrong[1]}")
    return decoder


def reader_of_class(location: str, cls: Any) -> Reader:
    """A reader of the objects of a dataclass.

    Args:
        location: what the user calls the class.
        cls: the class.  A field ``id``, a string or a number, names the items.

    Raises:
        UsageError: if its objects cannot be read from JSON, or be no graphs; with the
            field that is to blame.
    """
    decoder = check_readable(location, cls)

    def read(stream: BinaryIO, name: str) -> Iterator[Record]:
        keys = Keys(cls)
        for line in lines(stream, name):
            yield _Object(line, cls, decoder, keys).record()
        keys.tell(name)

    return read


class _Object:
    """One object on its way to a graph."""

    def __init__(
        self, line: JsonLine, cls: Any, decoder: msgspec.json.Decoder[Any], keys: Keys
    ) -> None:
        self.line, self.cls, self.decoder, self.keys = line, cls, decoder, keys
        line.framework = OBJECT

    def record(self) -> Record:
        """The graph, or what is wrong."""
        line = self.line
        result = None if line.problems else self._object()
        if result is None:
            if names_objects(self.cls):
                line.item = self._id()
            return line.record(None)
        line.item = id_of(self.cls, result)
        try:
            return line.record(to_graph(result, self.cls, id=line.item))
        except StructureError as error:
            line.add(error.where, error.found, error.expected)
            return line.record(None)

    def _object(self) -> Any:
        line, raw = self.line, self.line.whole()
        # The decoder counts from the beginning of the string with the bad byte.
        if line.text(raw, line.line) is None:
            return None
        try:
            result = self.decoder.decode(raw)
            self.keys.see(raw)
            return result
        except RecursionError:
            line.add("", *TOO_DEEP)
        except msgspec.ValidationError as error:
            line.add(*invalid(error))
        except msgspec.DecodeError as error:
            add_malformed(line, error, raw)
        except Exception as error:
            # The class's own code; what it means by ValueError, msgspec has said.
            message = failure(error, inspect.getsourcefile(self.cls) or "")
            line.add("$", message, f"an object of {self.cls.__name__}")
        return None

    def _id(self) -> str:
        """The id of an object that is none, as far as it has one."""
        try:
            result = _named.decode(self.line.whole()).id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return ""
        return "" if result is None else str(result)


def _unreadable(shape: Class, seen: set[Class]) -> tuple[str, str] | None:
    """The field that cannot be read from JSON, and why; the innermost one."""
    seen.add(shape)
    try:
        hints = typing.get_type_hints(shape.cls, include_extras=True)
    except (NameError, TypeError) as error:
        return shape.label, str(error)
    for field in fields_of(shape.cls, shape.args):
        for inner in _classes_in(field.shape):
            if inner not in seen and (wrong := _unreadable(inner, seen)):
                return wrong
        if unhashable := _unhashable(field.shape):
            label = unhashable.label
            why = f"{label} cannot be in a set, expected @dataclass(frozen=True)"
            return field.where, why
        try:
            msgspec.json.Decoder(hints[field.name])
        except TypeError as error:
            return field.where, str(error)
    return None


def _parts(shape: Shape) -> tuple[Shape, ...]:
    """The shapes that a shape is made of."""
    if isinstance(shape, Many):
        return (shape.item,)
    if isinstance(shape, Row):
        return shape.items
    return shape.several if isinstance(shape, OneOf) else ()


def _classes_in(shape: Shape) -> Iterator[Class]:
    if isinstance(shape, Class):
        yield shape
    for part in _parts(shape):
        yield from _classes_in(part)


def _unhashable(shape: Shape) -> Class | None:
    """A class of which a set is wanted that cannot have it."""
    if isinstance(shape, Many) and not shape.ordered:
        for option in shape.item.options():
            if isinstance(option, Class) and option.cls.__hash__ is None:
                return option
    return next(filter(None, map(_unhashable, _parts(shape))), None)
