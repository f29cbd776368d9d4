"""Models of pydantic, structs of msgspec and classes of attrs, as dataclasses.

>>> import msgspec
>>> class Report(msgspec.Struct):
...     place: str
...     victims: list[str] = []
>>> as_dataclass(Report)
<class 'graphscore.structures.objects.models.Report'>
>>> plain(Report("Lima"))
Report(place='Lima', victims=[])
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from graphscore.duplicates import invalid
from graphscore.structures.objects.declarations import copy_declarations

_MODEL = "__graphscore_model__"
"""The attribute of a dataclass that was made here: what it was made of."""

_made: dict[type[Any], type[Any]] = {}


def is_model(cls: Any) -> bool:
    """Return whether a class is one of pydantic, msgspec or attrs, and no dataclass.

    Args:
        cls: anything.
    """
    if not isinstance(cls, type) or dataclasses.is_dataclass(cls):
        return False
    if cls.__module__.partition(".")[0] in ("graphscore", "msgspec", "pydantic"):
        return False
    foreign = hasattr(cls, "__attrs_attrs__") or hasattr(cls, "model_validate")
    return foreign or issubclass(cls, msgspec.Struct)


def as_dataclass(cls: Any) -> Any:
    """Return the dataclass of the same name and fields; anything else as it is.

    Args:
        cls: a class of pydantic, msgspec or attrs, whose marks are kept.
    """
    if not is_model(cls):
        return cls
    if cls not in _made:
        defaults = _defaults(cls)
        fields = [
            (name, Any, dataclasses.field(**_default(make)))
            for name, make in defaults.items()
        ]
        made: Any = dataclasses.make_dataclass(
            cls.__name__, fields, frozen=True, kw_only=True
        )
        # A class may have itself in its fields.
        _made[cls] = made
        hints = typing.get_type_hints(cls, include_extras=True)
        for field in dataclasses.fields(made):
            field.type = made.__annotations__[field.name] = _translated(
                hints[field.name]
            )
        setattr(made, _MODEL, cls)
        copy_declarations(cls, made)
    return _made[cls]


def plain(value: Any) -> Any:
    """Return an object of the dataclass of its class; what holds such, with these.

    Args:
        value: anything.
    """
    if is_model(type(value)):
        made = as_dataclass(type(value))
        names = [field.name for field in dataclasses.fields(made)]
        return made(**{name: plain(getattr(value, name)) for name in names})
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(plain, value))
    return value


def object_of(cls: Any, fields: Mapping[str, Any]) -> Any:
    """Make an object of a dataclass of its fields, as the class says that it was of.

    Args:
        cls: a dataclass, perhaps one of :func:`as_dataclass`.
        fields: by name, or by alias in pydantic.

    Raises:
        ValueError: with what was found and expected, if a value does not fit.
    """
    model = getattr(cls, _MODEL, cls)
    try:
        if hasattr(model, "model_validate"):
            return plain(model.model_validate(dict(fields)))
        return plain(msgspec.convert(fields, model))
    except msgspec.ValidationError as error:
        where, found, expected = invalid(error)
        raise ValueError(f"{where}: {found}", expected) from None
    except ValueError as error:
        errors = getattr(error, "errors", None)
        if errors is None:
            raise
        first = errors()[0]
        where = "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}"
            for part in first["loc"]
        )
        found, expected = repr(first["input"]), first["msg"]
        raise ValueError(f"${where}: {found}", expected) from None


def aliases(cls: Any) -> set[str]:
    """Return the keys that stand for fields of a class under other names.

    Args:
        cls: a dataclass, perhaps one of :func:`as_dataclass`.
    """
    fields = getattr(getattr(cls, _MODEL, None), "model_fields", {})
    return {field.alias for field in fields.values() if field.alias}


def _default(make: Callable[[], Any] | None) -> dict[str, Any]:
    return {} if make is None else {"default_factory": lambda: plain(make())}


def _defaults(cls: Any) -> dict[str, Callable[[], Any] | None]:
    """Factory of the default of each field; nothing of one that is required."""
    if hasattr(cls, "model_fields"):
        return {
            name: None if field.is_required() else _getter(field)
            for name, field in cls.model_fields.items()
        }
    if issubclass(cls, msgspec.Struct):
        return {
            field.name: (
                _value_getter(field.default)
                if field.default is not msgspec.NODEFAULT
                else None
                if field.default_factory is msgspec.NODEFAULT
                else field.default_factory
            )
            for field in msgspec.structs.fields(cls)
        }
    result: dict[str, Callable[[], Any] | None] = {}
    for attribute in cls.__attrs_attrs__:
        default = attribute.default
        missing = type(default).__name__ == "_Nothing" or str(default) == "NOTHING"
        make = getattr(default, "factory", None) or _value_getter(default)
        result[attribute.name] = None if missing else make
    return result


def _getter(field: Any) -> Callable[[], Any]:
    return lambda: field.get_default(call_default_factory=True)


def _value_getter(value: Any) -> Callable[[], Any]:
    return lambda: value


def _translated(hint: Any) -> Any:
    """A type in which classes of models are dataclasses."""
    if is_model(hint):
        return as_dataclass(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if not args or origin is typing.Literal:
        return hint
    if origin is typing.Annotated:
        inner = _translated(args[0])
        return typing.Annotated[(inner, *hint.__metadata__)]
    translated = tuple(map(_translated, args))
    if translated == args:
        return hint
    if isinstance(origin, type) and origin.__name__ != "UnionType":
        generic: Any = origin
        return generic[translated]
    return typing.Union[translated]  # noqa: UP007
