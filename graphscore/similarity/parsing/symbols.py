"""Symbols of formulas: names and the types of their arguments.

A formula may call what :mod:`graphscore.similarity` offers for making formulas, with
values that its signatures allow.  There is nothing else to be called.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from graphscore import similarity as algebra
from graphscore.exceptions import nearest
from graphscore.similarity.base import Similarity
from graphscore.similarity.expression import Expression
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.navigation.steps import Step
from graphscore.similarity.operators.hierarchies import Hierarchy
from graphscore.similarity.operators.orders import Order
from graphscore.similarity.operators.ratios import Normalized

OWN = {
    "custom": "a function of one's own",
    "computed": "a function of one's own",
    "objects": "a class of one's own",
    "members": "a class of one's own",
    "derive": "a class of one's own",
    "similarity_of": "a class of one's own",
}
"""Names that a line of text cannot use, with the reasons."""

LARGEST = 1e100
"""Limit of numbers in calculations: the square is a number, too."""

PLACES = 10**12
"""Limit of numbers that count positions."""


class Kind(NamedTuple):
    """Type of an argument."""

    fits: Callable[[Any], bool]
    expected: str
    choices: tuple[str, ...] = ()
    """All that it may be, where these are a few words."""
    takes: Callable[[Any], Any] = lambda value: value
    """Conversion of the argument for the function."""


def _one_of(*types: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, types)


def _is_number(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value) and abs(value) <= LARGEST


def _is_place(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and abs(value) <= PLACES


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _is_hashable(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_hashable, value))
    return _is_plain(value)


def _are_members(value: Any) -> bool:
    some = isinstance(value, tuple | list | frozenset | dict)
    return some and all(map(_is_hashable, value))


def _are_texts(value: Any) -> bool:
    some = isinstance(value, tuple | list | set | frozenset)
    return some and all(isinstance(member, str) for member in value)


def _is_tree(value: Any) -> bool:
    """Return true for a mapping of each type to those directly above it."""
    if isinstance(value, dict):
        names, above = list(value), list(value.values())
        return all(isinstance(name, str) for name in names) and all(
            isinstance(parent, str) or _are_texts(parent) for parent in above
        )
    return isinstance(value, list | tuple) and all(
        isinstance(parent, tuple | list) and len(parent) == 2 and _are_texts(parent)
        for parent in value
    )


def _is_table(of: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(of, value.values()))


_TEXTS = "texts in brackets, such as {'the', 'a'}"

KINDS: dict[str, Kind] = {
    "Similarity": Kind(_one_of(Similarity), "a similarity such as exact(label)"),
    "Normalized": Kind(_one_of(Normalized), "a ratio such as recall(match(...))"),
    "Feature": Kind(_one_of(Feature), "a feature such as label"),
    "Collection": Kind(_one_of(Collection), "a collection such as nodes('mention')"),
    "Step": Kind(_one_of(Step), "a step such as target"),
    "Order": Kind(_one_of(Order), "an order: in_sequence or reachable()"),
    "Hierarchy": Kind(_one_of(Hierarchy), "types such as hierarchy({'a.x': 'a'})"),
    "str": Kind(_one_of(str), "a text in quotes"),
    "bool": Kind(_one_of(bool), "True or False"),
    "float": Kind(_is_number, f"a number of at most {LARGEST:g}"),
    "int": Kind(_is_place, f"a whole number of at most {PLACES:,}"),
    "Value": Kind(_is_plain, "a text in quotes, a number, True, False or None"),
    "Hashable": Kind(_is_hashable, "a text in quotes, a number, True, False or None"),
    "frozenset[str]": Kind(_are_texts, _TEXTS, takes=frozenset),
    "Iterable[str]": Kind(_are_texts, _TEXTS),
    "Collection[str]": Kind(_are_texts, _TEXTS),
    "Mapping[Hashable, float]": Kind(_is_table(_is_number), "numbers: {'NAM': 1}"),
    "Mapping[Any, Similarity]": Kind(
        _is_table(_one_of(Similarity)), "similarities: {'PER': exact(label)}"
    ),
    "Mapping[str, str | Iterable[str]] | Iterable[tuple[str, str]]": Kind(
        _is_tree, "types and what is above them: {'a.x': 'a', 'b': ('c', 'd')}"
    ),
}
"""By annotations, as signatures have them."""


def texts(members: Any = ()) -> frozenset[Any]:
    """Return a set of texts and numbers: ``frozenset`` in a formula."""
    return frozenset(members)


@cache
def vocabulary() -> dict[str, Any]:
    """Return the names that a formula may use: functions, and constants."""
    result = {
        name: getattr(algebra, name)
        for name in algebra.__all__
        if name[0].islower() and name not in OWN and name != "formula"
    }
    return result | {"frozenset": texts}


def is_value(meant: Any) -> bool:
    """Return true if a name is a constant, which is not called."""
    return isinstance(meant, Expression)


def is_formula_name(name: str) -> bool:
    """Return true if a name has a meaning in formulas, even if it cannot be written."""
    return name in vocabulary() or name in OWN


@cache
def kind_of(annotation: str, module: str) -> Kind:
    """Return the type of an argument by its annotation.

    Args:
        annotation: as the signature has it.
        module: of the function.

    Raises:
        KeyError: if nobody knows; tests hold that every signature is known.
    """
    if annotation in KINDS:
        return KINDS[annotation]
    if annotation.startswith("Literal["):
        inside = annotation.removeprefix("Literal[").removesuffix("]")
        return _choice(tuple(part.strip(" '\"") for part in inside.split(",")))
    if annotation.endswith(" | None"):
        inner = kind_of(annotation.removesuffix(" | None"), module)
        return inner._replace(
            fits=lambda value: value is None or inner.fits(value),
            takes=lambda value: None if value is None else inner.takes(value),
        )
    named = getattr(sys.modules[module], annotation, None)
    if get_origin(named) is not Literal:
        raise KeyError(annotation)
    return _choice(get_args(named))


def _choice(choices: tuple[str, ...]) -> Kind:
    shown = ", ".join(map(repr, choices))
    return Kind(lambda value: value in choices, f"one of: {shown}", choices)


class Function(NamedTuple):
    """A function that formulas call."""

    kinds: dict[str, Kind]
    """Types of its arguments, by parameter."""
    places: tuple[str, ...]
    """Parameters of arguments without names, in order."""
    several: bool
    """True if the last place takes all that are left."""
    needed: frozenset[str]
    shape: str
    """Signature, for messages."""


@cache
def function_of(name: str) -> Function:
    """Describe a function of the vocabulary.

    >>> function_of("targets").shape, function_of("exact").shape
    ('targets(kind, edge, label)', 'exact(features, ...)')
    """
    function = vocabulary()[name]
    parameters = inspect.signature(function).parameters.values()
    kinds = {"members": Kind(_are_members, _TEXTS)}
    if function is not texts:
        # The signature of a class has what its annotations mean.
        annotations: dict[str, str] = {}
        for owner in reversed(getattr(function, "__mro__", (function,))):
            annotations |= getattr(owner, "__annotations__", {})
        module = function.__module__
        kinds = {p.name: kind_of(annotations[p.name], module) for p in parameters}
    marks: dict[int, str] = {
        inspect.Parameter.KEYWORD_ONLY: "=",
        inspect.Parameter.VAR_POSITIONAL: ", ...",
    }
    several = {p.name for p in parameters if p.kind is p.VAR_POSITIONAL}
    return Function(
        kinds,
        tuple(p.name for p in parameters if p.kind is not p.KEYWORD_ONLY),
        bool(several),
        frozenset(p.name for p in parameters if p.default is p.empty) - several,
        f"{name}({', '.join(p.name + marks.get(p.kind, '') for p in parameters)})",
    )


def unknown(name: str) -> str:
    """Describe a name that formulas do not have.

    >>> unknown("lable")
    "there is no 'lable'; did you mean label?"
    >>> unknown("mention")[-34:]
    'such as label, or a text in quotes'
    >>> unknown("custom")[:36]
    "custom takes a function of one's own"
    """
    if name in OWN:
        return (
            f"{name} takes {OWN[name]}, which a line of text cannot name: put the "
            "formula in a file, -m file.py:name"
        )
    near = nearest(name, vocabulary(), 2, 0.7)
    if near:
        return f"there is no {name!r}; did you mean {' or '.join(near)}?"
    return (
        f"there is no {name!r}, expected a name that graphscore.similarity has, "
        "such as label, or a text in quotes"
    )


def describe(value: Any) -> str:
    """A value in a few words, for messages.

    >>> describe("a"), describe(algebra.label)
    ("the text 'a'", 'the feature label')
    """
    for sort, word in (
        (Similarity, "the similarity"),
        (Feature, "the feature"),
        (Collection, "the collection"),
        (Step, "the step"),
        (Order, "the order"),
        (str, "the text"),
    ):
        if isinstance(value, sort):
            return f"{word} {value!r}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"the number {value:g}" if abs(value) > PLACES else f"the number {value}"
    return repr(value)
