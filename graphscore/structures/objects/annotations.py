"""The fields of a dataclass, with what their annotations say they hold.

Strings, forward references, ``Annotated``, ``Literal``, aliases, new types and
type variables are resolved; what is left over is an error that names class, field
and what was found.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Mention:
...     left: int
...     text: "str | None"
>>> for field in fields_of(Mention):
...     print(field.name, field.shape)
left int
text str | None
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args

from graphscore.structures.objects.field_types import (
    COLLECTIONS,
    SCALARS,
    Choices,
    Field,
    Many,
    OneOf,
    Record,
    Row,
    Scalar,
    Shape,
    StructureError,
)

Bound = Mapping[Any, Shape]
"""Bindings of type variables."""


def record_of(cls: Any) -> Record:
    """The shape of a dataclass, or of a generic one with its arguments.

    Raises:
        StructureError: if it is something else.
    """
    result = shape_of(cls, getattr(cls, "__name__", str(cls)), {})
    if not isinstance(result, Record):
        raise StructureError(str(cls), str(result), "a dataclass")
    return result


@lru_cache(maxsize=1024)
def layout_of(record: Record) -> tuple[Field, ...]:
    """Return ``fields_of``, cached; equal shapes may differ in their marks."""
    return fields_of(record.cls, record.args)


def fields_of(cls: type[Any], args: tuple[Shape, ...] = ()) -> tuple[Field, ...]:
    """The fields of a dataclass with what they hold.

    Args:
        cls: a dataclass.
        args: shapes for its type variables.

    Raises:
        StructureError: for an annotation that says nothing a graph can hold.
    """
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise StructureError(str(cls), "no dataclass", "a dataclass")
    bound = _bindings(cls, args)
    fields = []
    for field in dataclasses.fields(cls):
        where = f"{cls.__name__}.{field.name}"
        owner = _owner(cls, field.name)
        annotation = _evaluated(owner, field.type, where)
        shape = shape_of(annotation, where, bound.get(owner, {}))
        fields.append(Field(cls.__name__, field.name, shape, field.init, field.compare))
    return tuple(fields)


def shape_of(annotation: Any, where: str, bound: Bound) -> Shape:
    """The shape that an annotation says.

    Args:
        annotation: a type, with nothing left to evaluate.
        where: class and field, for messages.
        bound: what type variables stand for.

    Raises:
        StructureError: if the annotation says nothing a graph can hold.
    """
    origin, args = typing.get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner = shape_of(args[0], where, bound)
        return replace(inner, marks=(*inner.marks, *annotation.__metadata__))
    if isinstance(annotation, TypeVar):
        return _variable(annotation, where, bound)
    if isinstance(annotation, typing.NewType):
        return shape_of(annotation.__supertype__, where, bound)
    if type(annotation).__name__ == "TypeAliasType":
        return shape_of(annotation.__value__, where, bound)
    if origin is Literal:
        return _either([_scalar(type(arg), where) for arg in args], where)
    if origin in (Union, types.UnionType):
        return _either([shape_of(arg, where, bound) for arg in args], where)
    if origin in COLLECTIONS or annotation in COLLECTIONS:
        return _collection(origin, annotation, where, bound)
    if origin is None and isinstance(annotation, type):
        if issubclass(annotation, enum.Enum):
            return Choices(annotation)
        if dataclasses.is_dataclass(annotation):
            return Record(annotation)
    if isinstance(origin, type) and dataclasses.is_dataclass(origin):
        return Record(origin, tuple(shape_of(arg, where, bound) for arg in args))
    return _scalar(annotation, where)


EXPECTED = (
    "a dataclass, an Enum, str, int, float, bool or None, or a list, tuple, set, "
    "frozenset or union of those"
)


def _scalar(annotation: Any, where: str) -> Scalar:
    annotation = type(None) if annotation is None else annotation
    if isinstance(annotation, type) and annotation in SCALARS:
        return Scalar(SCALARS[annotation])
    raise StructureError(where, _named(annotation), EXPECTED)


def _collection(origin: Any, annotation: Any, where: str, bound: Bound) -> Shape:
    args = get_args(annotation)
    if origin is None or (not args and origin is not tuple):
        raise StructureError(
            where, _named(annotation), f"{_named(annotation)}[...], saying of what"
        )
    if origin is not tuple:
        return Many(origin.__name__, shape_of(args[0], where, bound))
    if len(args) == 2 and args[1] is Ellipsis:
        return Many("tuple", shape_of(args[0], where, bound))
    return Row(tuple(shape_of(arg, where, bound) for arg in args))


def _either(shapes: list[Shape], where: str) -> Shape:
    """A union, flat, each option once; options must be told apart in a graph."""
    flat: dict[Shape, Shape] = {}
    for shape in shapes:
        for option in shape.options():
            marks = (*option.marks, *(shape.marks if isinstance(shape, OneOf) else ()))
            flat.setdefault(option, replace(option, marks=marks))
    if len(flat) == 1:
        return next(iter(flat.values()))
    labels: dict[str, Shape] = {}
    for choice in flat:
        same_label = labels.setdefault(choice.label, choice)
        if same_label is not choice:
            raise StructureError(
                where,
                f"{same_label} | {choice}, both of which are called {choice.label}",
                "at most one of each name, as they could not be told apart",
            )
    return OneOf(tuple(flat.values()))


def _variable(variable: TypeVar, where: str, bound: Bound) -> Shape:
    if variable in bound:
        return bound[variable]
    options = variable.__constraints__ or (variable.__bound__,)
    if options != (None,):
        known = [
            _resolved(option, variable.__module__, {}, where) for option in options
        ]
        return _either(
            [shape_of(constraint, where, bound) for constraint in known], where
        )
    raise StructureError(
        where,
        f"the type variable {variable.__name__}",
        f"a type for it, as in {where.split('.')[0]}[int]",
    )


def _owner(cls: type[Any], name: str) -> type[Any]:
    """The class of the MRO that a field is declared in."""
    for base in cls.__mro__:
        if name in inspect.get_annotations(base):
            return base
    return cls


def _bindings(cls: type[Any], args: tuple[Shape, ...]) -> dict[type[Any], Bound]:
    """Return the bindings of the type variables of a class and of all its bases."""
    bounds: dict[type[Any], Bound] = {}
    parameters = getattr(cls, "__parameters__", ())
    waiting: list[tuple[type[Any], Bound]] = [
        (cls, dict(zip(parameters, args, strict=False)))
    ]
    while waiting:
        current, bound = waiting.pop()
        bounds.setdefault(current, bound)
        for base in current.__dict__.get("__orig_bases__", current.__bases__):
            origin = typing.get_origin(base) or base
            if origin is Generic or not isinstance(origin, type):
                continue
            names = getattr(origin, "__parameters__", ())
            inner = {
                name: shape_of(get_arg, current.__name__, bound)
                for name, get_arg in zip(names, get_args(base), strict=False)
                if not isinstance(get_arg, TypeVar) or get_arg in bound
            }
            waiting.append((origin, inner))
    return bounds


def _evaluated(owner: type[Any], annotation: Any, where: str) -> Any:
    """An annotation with all strings in it evaluated, where its class stands."""
    # What a field is called, and holds by default, is no name for a type.
    named = inspect.get_annotations(owner)
    names = {name: var for name, var in vars(owner).items() if name not in named}
    names |= {
        parameter.__name__: parameter
        for parameter in getattr(owner, "__type_params__", ())
    }
    names[owner.__name__] = owner
    return _resolved(annotation, owner.__module__, names, where)


def _resolved(annotation: Any, module: str, names: dict[str, Any], where: str) -> Any:
    """An annotation with all strings in it evaluated.

    Args:
        annotation: a type, or a string.
        module: where it stands.
        names: what is known there besides.
        where: class and field, for messages.
    """
    namespace = {**vars(sys.modules.get(module, types)), **names}
    holder = types.SimpleNamespace(__annotations__={"found": annotation})
    get_hints: Callable[..., dict[str, Any]] = typing.get_type_hints
    try:
        return get_hints(holder, namespace, include_extras=True)["found"]
    except (NameError, AttributeError, SyntaxError, TypeError) as error:
        raise StructureError(
            where,
            f"the annotation {_named(annotation)} ({error})",
            f"names that can be found in the module {module}",
        ) from None


def _named(annotation: Any) -> str:
    if isinstance(annotation, str):
        return repr(annotation)
    if isinstance(annotation, typing.ForwardRef):
        return repr(annotation.__forward_arg__)
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__qualname__
    return str(annotation)
