"""Values with declared parameters, named by a canonical string.

A metric is a frozen dataclass.  Its fields are its parameters; its canonical
string (``mrp``, ``mrp(order=free)``) is the same in Python, on the command line
and in the database, and parsing it gives back an equal metric.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar, Literal, Self, get_args, get_origin, get_type_hints


class _Frozen:
    """Base of what cannot be changed, also where a subclass is no dataclass itself."""

    def __setattr__(self, name: str, value: object) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to {name!r}")

    def __delattr__(self, name: str) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot delete {name!r}")


@dataclass(frozen=True)
class Parameterized(_Frozen):
    """Base of what goes by a name and parameters.

    Class attributes:
        name: canonical name.
        spelled: parameters that are called otherwise in strings than in Python,
            where another thing has their name: by the field's name.
        opens: how parameters that name files begin in strings, such as ``facts=``.
        presets: where the class of a preset is that counts in a way of its own, as
            ``module:class``, by the value of the parameter ``preset``.
    """

    name: ClassVar[str]
    spelled: ClassVar[Mapping[str, str]] = {}
    opens: ClassVar[tuple[str, ...]] = ()
    presets: ClassVar[Mapping[str, str]] = {}

    def __new__(cls, *args: Any, **keywords: Any) -> Self:
        """Make a metric of the class of its preset."""
        names = (field.name for field in dataclasses.fields(cls)) if args else ()
        preset = (dict(zip(names, args, strict=False)) | keywords).get("preset")
        if home := cls.presets.get(str(preset)):
            module, _, name = home.partition(":")
            cls = getattr(import_module(module), name)
        return object.__new__(cls)

    def __str__(self) -> str:
        """The canonical string: the name and every parameter off its default."""
        return self._canonical

    @cached_property
    def _canonical(self) -> str:
        shown = [
            f"{self.spelled.get(field.name, field.name)}={_spell(value)}"
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != self.default_of(field)
        ]
        return f"{self.name}({','.join(shown)})" if shown else self.name

    def default_of(self, field: dataclasses.Field[Any]) -> Any:
        """Return the default of a parameter, in view of the others.

        Args:
            field: of the parameter.
        """
        return field.default

    @classmethod
    def parameters(cls) -> dict[str, tuple[Any, tuple[Any, ...] | type]]:
        """Every parameter with its default and its choices or type."""
        hints = get_type_hints(cls)
        result: dict[str, tuple[Any, tuple[Any, ...] | type]] = {}
        for field in dataclasses.fields(cls):
            hint = hints[field.name]
            choices = get_args(hint) if get_origin(hint) is Literal else hint
            result[cls.spelled.get(field.name, field.name)] = (field.default, choices)
        return result


def _spell(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
