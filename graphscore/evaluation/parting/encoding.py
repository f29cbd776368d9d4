"""Sums of parts as bytes that survive a way through files, and are refused if not.

They are JSON.  A double that was summed exactly is written as a whole number of the
smallest double, ``3p1072`` for 0.75; one that JSON has no name for as a word.  What
stands in the file is checked by its digest, and nothing of it is ever run.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from graphscore.errors import InputError, Problem, UsageError
from graphscore.evaluation.parting.sums import (
    Findings,
    Group,
    MetricSums,
    Placed,
    Sums,
)
from graphscore.evaluation.parts import Part
from graphscore.evaluation.result import GroupKey, ItemResult
from graphscore.formats.source import open_bytes, shown
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.outcome import Masses, MassKey
from graphscore.model.sums import ExactMasses, rounded
from graphscore.own import PLACE

REVISION = 1
"""Of what files look like."""

Number = int | float | str
"""A number as it is written: a text where JSON has none for it."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading JSON that is none, or too deep, ends with."""

_EXACT = re.compile(r"(-?)([0-9a-f]{1,1024})p([0-9]{1,4})")
"""An exact sum: a hexadecimal number, and by how many bits it is shifted."""

_WHOLE = re.compile(r"-?[0-9]{1,4000}")

_WORDS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}

_LEAST, _MOST = -(1 << 63), 1 << 63

RowMass = tuple[int, Number]
GroupMass = tuple[int, Number, int, int]
Kind = TypeVar("Kind", bound=msgspec.Struct)


class Envelope(msgspec.Struct, forbid_unknown_fields=True):
    """What stands around everything that is written."""

    graphscore: str
    revision: int
    digest: str
    content: msgspec.Raw


class _Group(msgspec.Struct, array_like=True):
    key: GroupKey
    first: int
    masses: list[GroupMass]


class _Part(msgspec.Struct, array_like=True):
    item: str
    document: str
    masses: list[RowMass]


class _Item(msgspec.Struct, array_like=True):
    position: int
    framework: str
    language: str
    item: str
    document: str
    layer: str
    score: Number
    bound: Number
    proven: bool
    missing: bool
    masses: list[RowMass]
    parts: list[_Part]


class _Metric(msgspec.Struct):
    metric: str
    findings: Findings
    compared: int
    unproven: int
    keys: list[MassKey]
    groups: list[_Group]
    items: list[_Item]


class Content(msgspec.Struct):
    """What is written of sums."""

    version: str
    of: int
    parts: list[int]
    units: bool
    systems: list[list[_Metric]]


def encoded(sums: Sums) -> bytes:
    """Sums as bytes.

    Args:
        sums: of one or more parts.

    Raises:
        UsageError: if a metric has no name by which it could be found again.
    """
    return enveloped("sums", content_of(sums))


def decoded(raw: bytes, name: str, known: Iterable[Metric] = ()) -> Sums:
    """Sums that were written.

    Args:
        raw: what :func:`encoded` gave.
        name: what messages call it.
        known: metrics that are the user's own; what runs code is never taken from a
            file.

    Raises:
        InputError: if they are damaged, or of another kind.
        UsageError: if a metric is the user's own and not among those known.
    """
    content = opened(raw, name, "sums", Content, "what score --sums writes")
    return sums_in(content, name, known)


def read_sums(path: str, known: Iterable[Metric] = ()) -> Sums:
    """Sums that stand in a file, compressed or not.

    Args:
        path: the file.
        known: as for :func:`decoded`.

    Raises:
        InputError: if it cannot be read, is damaged, or of another kind.
        UsageError: as :func:`decoded`.
    """
    with open_bytes(path) as stream:
        raw = stream.read()
    return decoded(raw, shown(path), known)


def enveloped(kind: str, content: msgspec.Struct) -> bytes:
    """Content with its digest."""
    raw = msgspec.json.encode(content)
    return msgspec.json.encode(Envelope(kind, REVISION, _digest(raw), msgspec.Raw(raw)))


def opened(
    raw: bytes, name: str, kind: str, content: type[Kind], expected: str
) -> Kind:
    """What :func:`enveloped` had.

    Args:
        raw: its bytes.
        name: what messages call it.
        kind: what it should be.
        content: the type of the content.
        expected: what it should be, in words.

    Raises:
        InputError: if it is damaged, or of another kind.
    """
    try:
        envelope = msgspec.json.decode(raw, type=Envelope)
    except UNREADABLE:
        begins = raw.lstrip()[:14] == b'{"graphscore":'
        found = "a damaged or truncated file" if begins else "something else"
        raise _wrong(name, "", found, expected) from None
    if envelope.graphscore != kind:
        raise _wrong(name, "graphscore", repr(envelope.graphscore), expected)
    if envelope.revision != REVISION:
        found = f"revision {envelope.revision} of such files"
        raise _wrong(name, "revision", found, f"{REVISION}, of this version")
    if _digest(bytes(envelope.content)) != envelope.digest:
        raise _wrong(name, "digest", "a damaged file", "the digest of what it holds")
    try:
        return msgspec.json.decode(envelope.content, type=content)
    except UNREADABLE as error:
        raise _wrong(name, "content", str(error), expected) from None


def content_of(sums: Sums) -> Content:
    """What is written of sums."""
    return Content(
        sums.version,
        sums.of,
        list(sums.parts),
        sums.units,
        [[_metric_row(each) for each in mine] for mine in sums.systems],
    )


def sums_in(content: Content, name: str, known: Iterable[Metric] = ()) -> Sums:
    """The sums of which something was written.

    Args:
        content: what was written.
        name: what messages call the file.
        known: as for :func:`decoded`.
    """
    own = {str(metric): metric for metric in known}
    numbers = sorted(set(content.parts))
    if content.of < 1 or any(not 1 <= number <= content.of for number in numbers):
        found = f"{numbers} of {content.of}"
        raise _wrong(name, "parts", found, "numbers from 1 to that of the parts")
    return Sums(
        content.of,
        dict.fromkeys(numbers, name),
        content.units,
        tuple(
            tuple(_metric_of(each, name, own) for each in mine)
            for mine in content.systems
        ),
        content.version,
    )


def written_metric(metric: Metric) -> str:
    """The name of a metric in a file.

    Raises:
        UsageError: if it could not be found by it again.
    """
    text = str(metric)
    try:
        same = str(parse(text)) == text
    except UsageError:
        same = False
    if not same:
        raise UsageError(
            f"{text} has no name by which a file of sums could hold it; name it as "
            "module:NAME or file.py:NAME"
        )
    return text


def metric_named_in(text: str, name: str, own: Mapping[str, Metric]) -> Metric:
    """The metric that a file names.

    Args:
        text: its name there.
        name: what messages call the file.
        own: the user's own by their names.

    Raises:
        InputError: if there is none of that name.
        UsageError: if it is the user's own, and not among those known.
    """
    if text in own:
        return own[text]
    if PLACE.match(text.partition("(")[0]) and not text.startswith("rules:"):
        raise UsageError(
            f"{name}: {text} is code of your own, which is not run because a file "
            f"names it: give it with -m {text}"
        )
    try:
        return parse(text)
    except UsageError as error:
        raise _wrong(name, "metric", repr(text), f"a metric ({error})") from None


def _metric_row(sums: MetricSums) -> _Metric:
    keys: dict[MassKey, int] = {}

    def place(key: MassKey) -> int:
        return keys.setdefault(key, len(keys))

    def row(masses: Masses) -> list[RowMass]:
        return [(place(key), _spelled(value)) for key, value in masses.items()]

    groups = [
        _Group(
            key,
            group.first,
            [
                (place(mass), _written(group.masses, mass), *group.firsts[mass])
                for mass in group.masses
            ],
        )
        for key, group in sums.groups.items()
    ]
    items = [
        _Item(
            position,
            each.framework,
            each.language,
            each.item,
            each.document,
            each.layer,
            _spelled(each.score),
            _spelled(each.bound),
            each.proven,
            each.missing,
            row(each.masses),
            [_Part(part.item, part.document, row(part.masses)) for part in each.parts],
        )
        for position, each in sums.items
    ]
    return _Metric(
        written_metric(sums.metric),
        sums.findings,
        sums.compared,
        sums.unproven,
        list(keys),
        groups,
        items,
    )


def _metric_of(row: _Metric, name: str, own: Mapping[str, Metric]) -> MetricSums:
    metric = metric_named_in(row.metric, name, own)
    reader = _Reader(row.keys, name)
    groups = {each.key: reader.group(each) for each in row.groups}
    return MetricSums(
        metric,
        row.findings,
        row.compared,
        row.unproven,
        groups,
        tuple(map(reader.item, row.items)),
    )


class _Reader:
    """Makes numbers of what is written, and refuses what is none."""

    def __init__(self, keys: Sequence[MassKey], name: str) -> None:
        self.keys, self.name = keys, name

    def key(self, place: int) -> MassKey:
        """The key of that number."""
        if not 0 <= place < len(self.keys):
            raise _wrong(self.name, "masses", f"key {place}", "one of those listed")
        return self.keys[place]

    def number(self, value: Number) -> int | float:
        """A number that is not an exact sum."""
        if not isinstance(value, str):
            return value
        if value in _WORDS:
            return _WORDS[value]
        if _WHOLE.fullmatch(value):
            return int(value)
        raise _wrong(self.name, "masses", repr(value), "a number")

    def masses(self, rows: Iterable[RowMass]) -> Masses:
        """Masses of an item."""
        return {self.key(place): self.number(value) for place, value in rows}

    def group(self, row: _Group) -> Group:
        """The sums of a group."""
        masses, firsts = ExactMasses(), {}
        for place, value, pair, within in row.masses:
            key = self.key(place)
            firsts[key] = pair, within
            exact = _EXACT.fullmatch(value) if isinstance(value, str) else None
            if exact is None:
                masses[key] = self.number(value)
                continue
            whole = int(exact[2], 16) << int(exact[3])
            masses.exact[key] = -whole if exact[1] else whole
            try:
                masses[key] = rounded(masses.exact[key])
            except OverflowError:
                raise _wrong(self.name, "masses", repr(value), "a double") from None
        return Group(row.first, masses, firsts)

    def item(self, row: _Item) -> Placed:
        """The result of an item."""
        return row.position, ItemResult(
            row.framework,
            row.language,
            row.item,
            row.document,
            self.masses(row.masses),
            self.number(row.score),
            self.number(row.bound),
            row.proven,
            row.missing,
            layer=row.layer,
            parts=tuple(
                Part(part.item, part.document, self.masses(part.masses))
                for part in row.parts
            ),
        )


def _written(masses: ExactMasses, key: MassKey) -> Number:
    whole = masses.exact.get(key)
    if whole is None:
        return _spelled(masses[key])
    if not whole:
        return "0p0"
    size = abs(whole)
    shift = (size & -size).bit_length() - 1
    return f"{'-' * (whole < 0)}{size >> shift:x}p{shift}"


def _spelled(value: Any) -> Number:
    if isinstance(value, int):
        return int(value) if _LEAST <= value < _MOST else str(value)
    number = float(value)
    return number if math.isfinite(number) else str(number)


def _digest(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


def _wrong(name: str, where: str, found: str, expected: str) -> InputError:
    return InputError([Problem(name, None, None, where, found, expected)])
