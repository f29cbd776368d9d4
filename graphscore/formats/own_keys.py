"""Keys of JSON that a dataclass has no field for: passed over, but not in silence.

>>> from dataclasses import dataclass
>>> @dataclass
... class Report:
...     place: str
>>> keys = Keys(Report)
>>> for raw in b'{"place": "Lima", "note": "x"}', b'{"place": "Rome", "note": null}':
...     keys.see(raw)
>>> print(keys)
Report has no field for note (2 times)
"""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import msgspec

from graphscore.errors import amount, cut
from graphscore.structures.objects.annotations import fields_of, record_of
from graphscore.structures.objects.shapes import Many, Record, Row, Shape

LISTED = 10
"""Keys that are named before the rest is only counted."""

_decode = msgspec.json.Decoder().decode


class KeysPassedOver(UserWarning):
    """Said once a file: keys of its objects that their class has no field for."""


class Keys:
    """The keys of a file that are passed over.

    Args:
        cls: the dataclass that is read.
    """

    def __init__(self, cls: Any) -> None:
        self._shape = record_of(cls)
        self._fields: dict[Record, dict[str, Shape]] = {}
        self.passed_over: Counter[str] = Counter()
        """Where there are such keys, and how often."""

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
            f"{cut(key)} ({amount(number, 'time')})"
            for key, number in self.passed_over.most_common(LISTED)
        ]
        if more := len(self.passed_over) - len(named):
            named.append(f"and {amount(more, 'key')} more")
        return f"{self._shape.label} has no field for {', '.join(named)}"

    def _walk(self, shape: Shape, value: Any, where: str) -> None:
        for option in shape.options():
            if isinstance(option, Record) and isinstance(value, dict):
                fields = self._fields_of(option)
                for key, held in value.items():
                    place = f"{where}.{key}" if where else key
                    if key in fields:
                        self._walk(fields[key], held, place)
                    else:
                        self.passed_over[place] += 1
            elif isinstance(option, Many) and isinstance(value, list):
                for each in value:
                    self._walk(option.item, each, f"{where}[]")
            elif isinstance(option, Row) and isinstance(value, list):
                for item, each in zip(option.items, value, strict=False):
                    self._walk(item, each, f"{where}[]")

    def _fields_of(self, record: Record) -> dict[str, Shape]:
        if record not in self._fields:
            found = fields_of(record.cls, record.args)
            self._fields[record] = {each.name: each.shape for each in found}
        return self._fields[record]
