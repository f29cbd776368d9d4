r"""Files of JSON objects, one to a line or printed over several.

A line that is no JSON object becomes a problem.  What an object holds is said by the
types of its format, and what they refuse is told here, for all formats.

>>> import io
>>> for line, value in objects(io.BytesIO(b'{"a": 1}\n[2]\n{"a": '), "a.jsonl"):
...     print(value, *line.problems)
{'a': 1}
None a.jsonl:2: $: found JSON that is not an object, expected a JSON object per line
None a.jsonl:3: found a truncated line, expected a JSON object per line
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, BinaryIO, TypeVar

import msgspec

from graphscore.duplicates import invalid, shown
from graphscore.exceptions import Problem
from graphscore.formats.base import Record
from graphscore.formats.shared.json_values import values
from graphscore.formats.shared.records import SHOWN, RecordBuilder, place_of, too_long
from graphscore.model.graph import Graph, Pairs, Value
from graphscore.structures.layout import PROBABILITY, SCORE

LONGEST_LINE = 256 * 1024 * 1024
"""A longer line is no record; it is refused without holding it in memory."""

DEEPEST = 100
"""Fields of a file's own may be nested so deep; a recursive writer reaches them."""

TOO_DEEP = ("JSON that is nested too deep", f"at most {DEEPEST} levels")

NUMBERS = {SCORE: SCORE, PROBABILITY: PROBABILITY}
"""Fields that say how sure a system is, and what they are called in a graph."""

_EXPECTED = "a JSON object per line"
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_BYTE = re.compile(r" \(byte (\d+)\)$")

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_LENGTH = re.compile(r"expected `array` of (?:at (least|most) )?length (\d+)")
_WORDS = {
    **{"str": "a string", "int": "a whole number", "int | float": "a number"},
    **{"array": "a list", "object": "an object", "int | str": "an id"},
}
"""Names of types in problems."""

_decode = msgspec.json.Decoder().decode
_convert = msgspec.convert

T = TypeVar("T")


class Row(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A list whose elements have names; problems show them as its shape."""


class JsonLine(RecordBuilder):
    """A record of JSON on its way, whose problems have JSON paths as their place."""

    def elements(self, where: str, value: Any) -> Iterator[tuple[str, Any]]:
        """The elements of a list; anything else is a problem and has none.

        Args:
            where: its place.
            value: what stands there.

        Yields:
            The place of each element, and the element.
        """
        if isinstance(value, list):
            for number, element in enumerate(value):
                yield f"{where}[{number}]", element
        else:
            self.add(where, shown(value), "a list")

    def typed(self, where: str, value: Any, kind: type[T], shape: str = "") -> T | None:
        """A value of a type; anything else is a problem and nothing.

        Args:
            where: its place.
            value: what stands there.
            kind: its type, in which no object has keys of its own: msgspec's paths do
                not name these.  A struct may have a class variable ``expected``, which
                says what its fields should be.
            shape: what a list should look like; by default, the fields of the struct.
        """
        try:
            if isinstance(kind, type):
                return _convert(value, kind)
            # Only what structs hold is taken apart once.
            held: T = _convert((value,), _holder(kind)).value
        except msgspec.ValidationError:
            self._add_mistyped(where, value, kind, shape)
            return None
        return held

    def _add_mistyped(self, where: str, value: Any, kind: Any, shape: str) -> None:
        """Note that a value is not of a type, as in :meth:`typed`."""
        try:
            _convert(value, kind)
        except msgspec.ValidationError as error:
            path, found, expected = fault(error, value, kind)
            names: Mapping[str, str] = getattr(kind, "expected", {})
            field = path.rpartition(".")[2].partition("[")[0]
            expected = names.get(field, expected)
            of_row = _shape(kind)
            if shape := shape or of_row:
                plain = of_row and not path
                expected = shape if plain else f"{expected}, as in {shape}"
            self.add(where + path, found, expected)

    def each(
        self, where: str, value: Any, kind: type[T], shape: str = ""
    ) -> Iterator[tuple[str, Any, T]]:
        """The elements of a list that are of a type; others are problems.

        Args:
            where: its place.
            value: what stands there.
            kind: the type of each element.
            shape: as in :meth:`typed`.

        Yields:
            The place of each element, the element as it stands there, and typed.
        """
        for path, element in self.elements(where, value):
            try:
                item = _convert(element, kind)
            except msgspec.ValidationError:
                self._add_mistyped(path, element, kind, shape)
            else:
                yield path, element, item

    def within(
        self,
        where: str,
        ends: tuple[int, int],
        size: int,
        noun: str = "tokens",
        *,
        to: str = ":",
        of: str = "",
    ) -> bool:
        """Return whether a range is within bounds; add a problem where it is not.

        Args:
            where: its place.
            ends: what it begins with, and what follows its last one.
            size: how many there are.
            noun: what they are.
            to: what stands between both in problems; ``" to "`` has the last one.
            of: what they are of, for problems.
        """
        start, end = ends
        if 0 <= start < end <= size:
            return True
        found = f"{noun} {shown(start)}{to}{shown(end - (to != ':'))}"
        self.add(where, found + of, f"a range within the {size} {noun}{of}")
        return False

    def known(self, where: str, name: Any, names: Container[Any], what: str) -> bool:
        """Return whether a reference is known; add a problem where it is not.

        Args:
            where: the place of the reference.
            name: what it names.
            names: what there is.
            what: what it should name.
        """
        if name in names:
            return True
        self.add(where, shown(name), what)
        return False

    def strings(self, where: str, value: Any) -> list[str]:
        """A list of strings; what is none is a problem and left out."""
        if isinstance(value, list) and set(map(type, value)) <= {str}:
            return value
        result: list[str] = []
        for path, element in self.elements(where, value):
            if isinstance(element, str):
                result.append(element)
            else:
                self.add(path, shown(element), "a string")
        return result

    def object(
        self, where: str, value: Any, expected: str = "an object"
    ) -> dict[str, Any]:
        """An object; anything else is a problem and has no fields.

        Args:
            where: its place.
            value: what stands there.
            expected: what should, for problems.
        """
        if isinstance(value, dict):
            return value
        self.add(where, shown(value), expected)
        return {}

    def string(self, where: str, value: Any) -> str:
        """A string; anything else is a problem and empty."""
        if isinstance(value, str):
            return value
        self.add(where, shown(value), "a string")
        return ""

    def identity(self, fields: dict[str, Any], key: str, what: str) -> str:
        """A field that names the record: a string, or a number.

        Args:
            fields: the object.
            key: the field.
            what: what it names, for problems.

        Returns:
            The name; empty, and a problem, where there is none.
        """
        value = fields.get(key)
        plain = isinstance(value, str | int) and not isinstance(value, bool)
        if plain and value != "":
            return str(value)
        self.add(f"$.{key}", shown(value) if key in fields else "nothing", what)
        return ""

    def keyed_layers(
        self,
        where: str,
        fields: dict[str, Any],
        keys: dict[str, str],
        make: Callable[[str, str, Any], Graph | None],
    ) -> Iterator[Record]:
        """The layers of a document whose keys are there.

        Args:
            where: the place of the object with the keys.
            fields: the object.
            keys: the key of each layer; to the first one, all others refer.
            make: gives the graph of a layer, by its place and the value there.

        Yields:
            A record for each layer, with the problems that cost it; a single one where
            anything was wrong before, or in the first layer.
        """
        if not self.problems and not any(key in fields for key in keys.values()):
            self.add(where, "no layer", f"one of {', '.join(keys.values())}")
        if self.problems:
            yield self.rejected()
            return
        records: list[Record] = []
        every: list[Problem] = []
        base, spoilt, of_document = next(iter(keys)), False, self.notes
        for layer, key in keys.items():
            if key not in fields:
                continue
            self.problems, self.notes = [], of_document if layer == base else []
            graph = make(layer, f"{where}.{key}", fields[key])
            every += self.problems
            spoilt = spoilt or (layer == base and bool(self.problems))
            records.append(self.record(graph, layer))
        self.problems = every
        yield from [self.rejected("")] if spoilt else records


def objects(
    stream: BinaryIO, name: str
) -> Iterator[tuple[JsonLine, dict[str, Any] | None]]:
    """The objects of a file, and the lines of it that are none.

    Args:
        stream: the file, from its beginning.
        name: its name.

    Yields:
        The line and its object; ``None`` and a problem of the line where it has
        none.
    """
    for line in lines(stream, name):
        yield line, None if line.problems else _object(line)


def records(
    stream: BinaryIO,
    name: str,
    make: Callable[[JsonLine, dict[str, Any]], Iterable[Record]],
) -> Iterator[Record]:
    """The records of the objects of a file, and one for each line that is none.

    Args:
        stream: the file, from its beginning.
        name: its name.
        make: gives the records of an object, from its line.
    """
    for line, fields in objects(stream, name):
        if fields is None:
            yield line.rejected()
        else:
            yield from make(line, fields)


def lines(stream: BinaryIO, name: str) -> Iterator[JsonLine]:
    """The records of a file, not yet decoded; blank lines are none.

    Args:
        stream: the file, from its beginning.
        name: its name.

    Yields:
        Each of them, with a problem if it is too long to be held.
    """
    for number, raw in values(stream, LONGEST_LINE):
        if not raw.strip():
            continue
        line = JsonLine(name, number, raw)
        if too_long(raw, LONGEST_LINE):
            line.raw = [raw[:SHOWN]]
            line.add("", f"a line of more than {LONGEST_LINE:,} bytes", _EXPECTED)
        yield line


def _object(line: JsonLine) -> dict[str, Any] | None:
    raw = line.whole()
    try:
        value = _decode(raw)
    except RecursionError:
        line.add("", *TOO_DEEP)
    except (UnicodeDecodeError, msgspec.DecodeError) as error:
        # The decoder counts from the beginning of the string with the bad byte.
        if line.text(raw, line.line) is not None:
            add_malformed(line, error, raw)
    else:
        if too_deep(value, raw):
            line.add("", *TOO_DEEP)
        elif isinstance(value, dict):
            return value
        else:
            line.add("$", "JSON that is not an object", _EXPECTED)
    return None


def add_malformed(line: RecordBuilder, error: Exception, raw: bytes) -> None:
    """Note that a record is not JSON, and where.

    Args:
        line: the record.
        error: what the decoder says.
        raw: its bytes.
    """
    found, expected, column = explain_malformed(str(error), raw)
    if b"\n" in raw.rstrip():
        expected = "a JSON object"
        if found == _CUT:
            found = "a truncated object"
        if column is not None:
            number, column = place_of(raw, column - 1, line.line)
            line.add("", found, expected, column, number)
            return
    line.add("", found, expected, column)


_CUT = "a truncated line"


def explain_malformed(message: str, raw: bytes) -> tuple[str, str, int | None]:
    """Return the text found and expected, and its position, of a line that is no JSON.

    Args:
        message: what the decoder says.
        raw: the line.

    Returns:
        What was found, what was expected, and the byte column from 1.
    """
    byte = _BYTE.search(message)
    result = _BYTE.sub("", message).removeprefix("JSON is malformed: ")
    cut = "truncated" in message
    if cut:
        result = _CUT
    # The decoder has three ways of saying this, by what follows the half pair.
    if "hex escape" in message or "surrogate" in message or cut:
        whole = not cut or raw.rstrip().endswith(b"}")
        if whole and _SURROGATE.search(raw):
            result = "half of a surrogate pair (\\ud800 to \\udfff)"
    return result, _EXPECTED, int(byte[1]) + 1 if byte else None


def fault(
    error: msgspec.ValidationError, value: Any, kind: Any
) -> tuple[str, str, str]:
    """Locate a value that is not of its type, with the text found and expected.

    Args:
        error: what msgspec says.
        value: the value.
        kind: its type.

    Returns:
        The path within the value, what was found and what was expected.

    >>> class Point(msgspec.Struct):
    ...     x: int
    >>> for value in ([{"x": 1}, {"x": "a"}], [{}], {}):
    ...     try:
    ...         msgspec.convert(value, list[Point])
    ...     except msgspec.ValidationError as error:
    ...         print(*fault(error, value, list[Point]), sep=", ")
    [1].x, 'a', a whole number
    [0].x, nothing, a whole number
    , an object, a list
    """
    path, result, expected = invalid(error, "")
    steps = [step[1] or int(step[2]) for step in _STEP.finditer(path)]
    if result == "nothing":
        # Only of a value that is there does msgspec say what it should be.
        try:
            msgspec.convert(_put(value, steps), kind)
        except msgspec.ValidationError as inner:
            return path, result, fault(inner, _put(value, steps), kind)[2]
    part = value
    for step in steps:
        part = part[step]
    if length := _LENGTH.match(result):
        expected = f"a list of {f'at {length[1]} ' if length[1] else ''}{length[2]}"
    return path, shown(part), _words(expected)


@cache
def _holder(kind: Any) -> Any:
    """Return a struct of one value of a type."""
    return msgspec.defstruct("Holder", [("value", kind)], array_like=True)


def _shape(kind: Any) -> str:
    """Describe the list that is read as a struct."""
    if not (isinstance(kind, type) and issubclass(kind, Row)):
        return ""
    names = [name.replace("_", " ") for name in kind.__struct_fields__]
    needed = len(names) - len(kind.__struct_defaults__)
    return f"[{', '.join([*names[:needed], *(f'{n}?' for n in names[needed:])])}]"


def _words(expected: str) -> str:
    """Describe a value by msgspec's names of types."""
    for union in ("int | float", "int | str"):
        expected = expected.replace(union.replace("|", "or"), union)
    return " or ".join(_WORDS.get(name, name) for name in expected.split(" or "))


def _put(value: Any, steps: list[Any]) -> Any:
    """A value with something at a place that is of no type."""
    if not steps:
        return ...
    changed = value.copy()
    inner = value[steps[0]] if len(steps) > 1 else None
    changed[steps[0]] = _put(inner, steps[1:])
    return changed


def rest_of(fields: Mapping[str, Any], kind: Any, *also: str) -> dict[str, Any]:
    """The fields that a struct does not have.

    Args:
        fields: an object.
        kind: the struct.
        *also: further keys to leave out.

    >>> class Point(msgspec.Struct):
    ...     x: int
    >>> rest_of({"x": 1, "y": 2}, Point)
    {'y': 2}
    """
    own = kind.__struct_encode_fields__
    return {k: v for k, v in fields.items() if k not in own and k not in also}


def pairs_of(item: msgspec.Struct, names: Mapping[str, str] = NUMBERS) -> Pairs:
    """The fields of a struct that are present, as properties.

    Args:
        item: the struct.
        names: what fields become which properties.
    """
    pairs: list[tuple[str, Value]] = []
    for field, name in names.items():
        value = getattr(item, field, None)
        if value is not None and value is not msgspec.UNSET:
            pairs.append((name, value))
    return tuple(pairs)


def depth(value: Any) -> int:
    """Return the depth of nested arrays and objects, counted without recursion."""
    level, result = [value] if isinstance(value, dict | list) else [], 0
    while level:
        result += 1
        # Types are compared, which is quick: what JSON is decoded to is of no other.
        level = [
            inner
            for container in level
            for inner in (container.values() if type(container) is dict else container)
            if type(inner) is dict or type(inner) is list
        ]
    return result


def too_deep(value: Any, raw: bytes) -> bool:
    """Return whether JSON is nested deeper than a writer reaches.

    Args:
        value: what was decoded.
        raw: the bytes; few opening brackets cannot be deep.
    """
    opening = raw.count(b"[") + raw.count(b"{")
    return opening > DEEPEST and depth(value) > DEEPEST


def further(
    fields: Mapping[str, Any], used: Container[str], key: str
) -> dict[str, Any]:
    """The fields that have no place in a graph, as they are kept in ``extra``.

    Args:
        fields: an object.
        used: its keys that have a place.
        key: where the others are kept.

    >>> further({"id": 1, "x": 2}, {"id"}, "own"), further({"id": 1}, {"id"}, "own")
    ({'own': {'x': 2}}, {})
    """
    rest = {name: value for name, value in fields.items() if name not in used}
    return {key: rest} if rest else {}
