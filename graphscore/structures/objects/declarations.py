"""Declarations of a class about how it is compared, beside its fields.

Such a *mark* stands in an annotation, ``Annotated[frozenset[str], summed]``, or in a
declaration for the whole class::

    @compared(args=summed, type=levels_of("."))
    @dataclass(frozen=True)
    class Event: ...

Marks are plain values: they say what is wanted, and know nothing of how
:func:`graphscore.similarity.derivation.derivation.derive` makes a formula of it.

>>> from dataclasses import dataclass
>>> @compared(args=summed)
... @dataclass(frozen=True)
... class Event:
...     type: str
...     args: frozenset[str]
>>> declared(Event)
((), {'args': (summed,)})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

C = TypeVar("C", bound=type)

Above = Mapping[str, str | Iterable[str]]
"""By type the one right above it, or several."""

Parents = tuple[tuple[str, str | tuple[str, ...]], ...]
"""The same as a value."""

_DECLARED = "__graphscore_compared__"


@dataclass(frozen=True, repr=False)
class Mark:
    """Base of marks.

    Args:
        spelt: how it is written.
    """

    spelt: str

    def __repr__(self) -> str:
        return self.spelt


@dataclass(frozen=True, repr=False)
class Word(Mark):
    """A mark that needs nothing else said: ``ignored``, ``discrete``, ``contained``."""


@dataclass(frozen=True, repr=False)
class Ratio(Mark):
    """Mark: ratio formed from the sum over matched items.

    Args:
        spelt: how it is written.
        norm: P, R, F or J; ``none`` for the sum itself; ``PR`` for P where the
            whole is precision and R where it is recall.
        beta: weight of recall against precision in F.
    """

    norm: Literal["P", "R", "F", "J", "PR", "none"]
    beta: float = 1.0


@dataclass(frozen=True, repr=False)
class Matched(Mark):
    """Mark: constraint on the matching of items.

    Args:
        spelt: how it is written.
        constraint: ``1:1``, ``n:1``, ``1:n`` or ``n:n``.
    """

    constraint: Literal["1:1", "n:1", "1:n", "n:n"]


@dataclass(frozen=True, repr=False)
class Counted(Mark):
    """Mark: multiplicity of an item that many others match.

    Args:
        spelt: how it is written.
        counting: ``bounded``, ``formula`` or ``refused``.
    """

    counting: Literal["bounded", "formula", "refused"]


@dataclass(frozen=True, repr=False)
class Ordered(Mark):
    """Mark: true if matched items must be in the same order.

    Args:
        spelt: how it is written.
        kept: whether they must.
    """

    kept: bool


@dataclass(frozen=True, repr=False)
class Limit(Mark):
    """1 where the similarity reaches a limit, else 0.

    Args:
        spelt: how it is written.
        limit: the limit.
        strict: whether it must be exceeded.
    """

    limit: float
    strict: bool


@dataclass(frozen=True, repr=False)
class Less(Mark):
    """Mark: similarity minus an amount.

    Args:
        spelt: how it is written.
        amount: the amount.
    """

    amount: float


@dataclass(frozen=True, repr=False)
class By(Mark):
    """A function of one's own.

    Args:
        spelt: how it is written.
        function: a named function of the predicted and the gold value.
        normalized: whether it is a similarity, from 0 to 1, or an amount.
    """

    function: Callable[[Any, Any], float]
    normalized: bool = True


@dataclass(frozen=True, repr=False)
class Using(Mark):
    """A similarity of the algebra, made for the feature that a field is.

    Args:
        spelt: how it is written.
        make: takes a feature, gives a similarity, as ``string_overlap`` does.
    """

    make: Callable[[Any], Any]


@dataclass(frozen=True, repr=False)
class Levels(Mark):
    """Types of several levels, half as much for every level that is wrong.

    Args:
        spelt: how it is written.
        separator: what separates levels in a string.
        depth: how many there are in all.
    """

    separator: str
    depth: int | None


@dataclass(frozen=True, repr=False)
class Tree(Mark):
    """A hierarchy of types.

    Args:
        spelt: how it is written.
        how: ``below`` for half credit to descendants, ``supertypes`` for F1 of the
            sets of a type and all above it.
        parents: by type the one right above it, or several, in pairs.
    """

    how: Literal["below", "supertypes"]
    parents: Parents


@dataclass(frozen=True, repr=False)
class Within(Mark):
    """Marks for the fields of an object, in this place only.

    Args:
        spelt: how it is written.
        fields: (field, its marks) pairs.
    """

    fields: tuple[tuple[str, tuple[Any, ...]], ...]


ignored = Word("ignored")
"""The field makes no difference."""
discrete = Word("discrete")
"""Equal or not, whatever is in it (δ)."""
contained = Word("contained")
"""Mark: 1 if the predicted elements are a non-empty subset of gold's (φ⊆, eq. 25)."""

summed = Ratio("summed", "none")
"""The sum over matched items itself, not normalised (Σ, eq. 13)."""
by_f1 = Ratio("by_f1", "F")
"""F1 over matched items (eq. 6), which is what no mark means."""
by_precision = Ratio("by_precision", "P")
"""Precision over matched items (eq. 4)."""
by_recall = Ratio("by_recall", "R")
"""Recall over matched items (eq. 5)."""
by_jaccard = Ratio("by_jaccard", "J")
"""Jaccard similarity over matched items (eq. 7)."""
by_either = Ratio("by_either", "PR")
"""Precision inside of precision, recall inside of recall (eq. 23, 24)."""

in_order = Ordered("in_order", True)
"""Matched items stand in the same order (eq. 37), as those of sequences do."""
in_any_order = Ordered("in_any_order", False)
"""Matched items may stand in any order, as those of sets do."""


def by_f(beta: float) -> Ratio:
    """F over matched items where recall counts *beta* times as much."""
    return Ratio(f"by_f({beta!r})", "F", beta)


def matched(constraint: Literal["1:1", "n:1", "1:n", "n:n"]) -> Matched:
    """Constrain the matching of items: ``n:1`` lets many predictions match one gold."""
    return Matched(f"matched({constraint!r})", constraint)


def counted(counting: Literal["bounded", "formula", "refused"]) -> Counted:
    """Set the multiplicity of an item that many others match.

    Args:
        counting: ``bounded``, which is what no mark means: for no more than it is
            worth with itself; ``formula``, as often as it is matched (eq. 4 and 5 to
            the letter), so that what is ``matched("n:1")`` can have a recall of more
            than 1; ``refused``, as often, but a share of more than 1 is an error.
    """
    return Counted(f"counted({counting!r})", counting)


def over(limit: float) -> Limit:
    """1 where the similarity exceeds a limit, else 0 (eq. 29)."""
    return Limit(f"over({limit!r})", limit, True)


def at_least(limit: float) -> Limit:
    """1 where the similarity reaches a limit, else 0 (eq. 31)."""
    return Limit(f"at_least({limit!r})", limit, False)


def less(amount: float) -> Less:
    """Subtract an amount from the similarity, down to 0 (eq. 21)."""
    return Less(f"less({amount!r})", amount)


def by(function: Callable[[Any, Any], float], *, normalized: bool = True) -> By:
    """A function of one's own, of the predicted and the gold value.

    Args:
        function: named.
        normalized: whether it is a similarity, from 0 to 1, and 1 for equal values;
            otherwise an amount, 0 or more, and no more than either of both is worth
            with itself (the relaxed version of Definition 1).
    """
    more = "" if normalized else ", normalized=False"
    return By(f"by({function.__name__}{more})", function, normalized)


def using(make: Callable[[Any], Any]) -> Using:
    """A similarity of the algebra, such as ``using(string_overlap)``.

    Args:
        make: takes a feature of a node or a value, gives a similarity.
    """
    return Using(f"using({getattr(make, '__name__', make)!s})", make)


def levels_of(separator: str = ".", depth: int | None = None) -> Levels:
    """Types of several levels: half as much for each that is wrong (eq. 38).

    For a string, or for a tuple of fixed length whose items are the levels, from the
    most general on; those at its end that are ``None`` are missing.

    Args:
        separator: what separates the levels of a string.
        depth: how many there are in all, where types may leave some out.
    """
    more = "" if depth is None else f", {depth}"
    return Levels(f"levels_of({separator!r}{more})", separator, depth)


def half_below(parents: Above) -> Tree:
    """Types of which a descendant of gold earns half (eq. 33).

    Args:
        parents: the parent of every type that has one, or several parents.
    """
    return Tree(f"half_below({dict(parents)!r})", "below", _parents(parents))


def by_supertypes(parents: Above) -> Tree:
    """Types that share some of what is above them: F1 of the two sets (eq. 39).

    For one type, or a collection of all types that something has.

    Args:
        parents: the parent of every type that has one, or several parents.
    """
    shown = f"by_supertypes({dict(parents)!r})"
    return Tree(shown, "supertypes", _parents(parents))


def _parents(parents: Above) -> Parents:
    return tuple(
        (name, above if isinstance(above, str) else tuple(above))
        for name, above in parents.items()
    )


def within(**fields: Any) -> Within:
    """Set how the fields of an object are compared, in this place only.

    Args:
        fields: by name a mark, or a tuple of them.
    """
    shown = ", ".join(f"{name}={mark!r}" for name, mark in fields.items())
    pairs = tuple((name, marks_of(mark)) for name, mark in fields.items())
    return Within(f"within({shown})", pairs)


def marks_of(mark: Any) -> tuple[Any, ...]:
    """One mark or several, as a tuple."""
    return mark if isinstance(mark, tuple) else (mark,)


def compared(*whole: Any, **fields: Any) -> Callable[[C], C]:
    """Say for a class how it is compared; goes before what annotations say.

    Args:
        whole: marks for the objects themselves, such as ``by(function)``.
        fields: by name a mark for a field, or a tuple of them.

    Returns:
        A decorator that gives the class back.
    """
    marks = {name: marks_of(mark) for name, mark in fields.items()}

    def declare(cls: C) -> C:
        setattr(cls, _DECLARED, (whole, marks))
        return cls

    return declare


def copy_declarations(cls: type[Any], made: type[Any]) -> None:
    """Let a class be compared as another one.

    Args:
        cls: the class that has declarations.
        made: the class that gets them.
    """
    setattr(made, _DECLARED, declared(cls))


def declared(cls: type[Any]) -> tuple[tuple[Any, ...], dict[str, tuple[Any, ...]]]:
    """Return the declarations of a class and its bases: its own, and its fields'."""
    whole: tuple[Any, ...] = ()
    fields: dict[str, tuple[Any, ...]] = {}
    for base in reversed(cls.__mro__):
        own_marks, more = base.__dict__.get(_DECLARED, ((), {}))
        whole, fields = own_marks or whole, fields | more
    return whole, fields
