"""Rows that go anywhere: dictionaries, frames of other libraries, numbers by name.

What has rows says which columns there are and what stands in them
(:meth:`Rows.tabular`), and which of its numbers have names (:meth:`Rows.numbers`);
everything else is here.  Libraries of frames are imported when a frame is asked for.

>>> class Squares(Rows):
...     def tabular(self):
...         return Tabular(("number", "square"), [(2, 4), (3, 9)])
...     def numbers(self):
...         return {"squares/2": 4.0, "squares/3": 9.0}
>>> Squares().to_dicts()
[{'number': 2, 'square': 4}, {'number': 3, 'square': 9}]
>>> Squares().flat()
{'squares_2': 4.0, 'squares_3': 9.0}
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any, Literal, NamedTuple

from graphscore.exceptions import UsageError, did_you_mean, expect, expecting, truncate

MOST_NUMBERS = 40
"""Most numbers of :meth:`Rows.flat` where not all are asked for."""

Which = Literal["main", "all"]
"""Selection of numbers."""

Library = Literal["pandas", "polars", "arrow"]
"""Whose frames there are."""

_MODULES: Mapping[str, str] = {
    "pandas": "pandas",
    "polars": "polars",
    "arrow": "pyarrow",
}


class Tabular(NamedTuple):
    """Columns, and rows with a cell for each."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]


SHOWN: dict[str, str] = {}
"""By the name of a class, the function that makes tables of one, as ``module:name``.

What stands above registers it (in the package itself, which imports none of it), so
that what is scored knows nothing of how it is shown.
"""

RENDERED: dict[str, str] = {}
"""By ``html``, ``markdown``, ``svg`` and ``text``, what renders tables so."""

DRAWN: dict[str, str] = {}
"""By the name of a class, the function that draws one; it may give ``None``."""


COMPUTED: dict[str, str] = {}
"""By ``intervals``, what computes them for a result."""


LONGEST_REPR = 199
"""Characters of what an interpreter shows of a result; the rest is cut."""


def brief(name: str, summary: str, notes: Iterable[str] = ()) -> str:
    """Return the interpreter's display of an object with very many rows.

    It is less than 200 characters; what is longer is in the notes as a whole.

    Args:
        name: what it is.
        summary: its main scores.
        notes: what the user should know besides.

    Example:
        >>> brief("Comparison", "mrp: F1 0.5000", ["a: 1 bad record"])
        '<Comparison mrp: F1 0.5000; a: 1 bad record>'
    """
    text = "; ".join([summary, *notes])
    most = LONGEST_REPR - len(f"<{name} >")
    return f"<{name} {text if len(text) <= most else f'{text[: most - 1]}…'}>"


def number(value: float) -> float | None:
    """A number for people and JSON: ``None`` where it is undefined or infinite."""
    return float(value) if math.isfinite(value) else None


def four_places(value: float | None) -> str:
    """A score as an interpreter shows it; a dash where it is undefined."""
    return "-" if value is None or math.isnan(value) else f"{value:.4f}"


class Rows(ABC):
    """Base of what has rows, and shows itself in notebooks as tables."""

    def tables(self) -> list[Any]:
        """Return the tables that notebooks show."""
        maker = _registered_function(SHOWN, type(self))
        assert maker is not None
        tables: list[Any] = maker(self)
        return tables

    def table(self) -> str:
        """Return the tables as text, as a terminal shows them."""
        return _render("text", self)

    def __str__(self) -> str:
        shown = _registered_function(SHOWN, type(self)) is not None
        return self.table().rstrip("\n") if shown else repr(self)

    def _repr_html_(self) -> str:
        return _render("html", self)

    def _repr_markdown_(self) -> str:
        return _render("markdown", self)

    def _repr_svg_(self) -> str:
        draw = _registered_function(DRAWN, type(self))
        picture: str | None = draw(self) if draw else None
        return picture or _render("svg", self)

    @abstractmethod
    def tabular(self) -> Tabular:
        """Columns and rows, at full precision."""

    @abstractmethod
    def numbers(self) -> dict[str, float]:
        """Numbers by paths such as ``mrp/all/f1``, those that matter most first.

        What is undefined is left out.
        """

    def flat(self, which: Which = "main") -> dict[str, float]:
        """Numbers by name, as loggers of experiments take them.

        Names have letters, digits and ``_``, where :meth:`numbers` has other signs; a
        formula is called by its digest, ``formula_1a2b3c4d``.

        Args:
            which: ``main`` for the first 40 of them, ``all`` for everything.

        Raises:
            UsageError: if two numbers get the same name.
        """
        if which not in ("main", "all"):
            near = did_you_mean(str(which), ("main", "all"))
            raise UsageError(f"flat: {which!r}{near}; there are: main, all")
        metric = str(getattr(getattr(self, "result", self), "metric", ""))
        most = MOST_NUMBERS if which == "main" else None
        paths: dict[str, str] = {}
        numbers: dict[str, float] = {}
        for path, value in islice(self.numbers().items(), most):
            rest = path.removeprefix(metric)
            name = plain_name(path if rest == path else short_name(metric) + rest)
            if name in numbers:
                raise UsageError(
                    f"two numbers are called {name!r}, {paths[name]} and {path}: use "
                    "numbers(), or other labels"
                )
            paths[name], numbers[name] = path, value
        return numbers

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary for each row."""
        columns, rows = self.tabular()
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def to_frame(self, library: Library | None = None) -> Any:
        """A frame of a library, or of the first of them that is installed.

        Args:
            library: ``pandas``, ``polars`` or ``arrow``.

        Raises:
            UsageError: if it is missing.
        """
        installed = (name for name, module in _MODULES.items() if find_spec(module))
        return frame_of(*self.tabular(), library or next(installed, "pandas"))

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``.

        Raises:
            UsageError: if pandas is missing.
        """
        return frame_of(*self.tabular(), "pandas")

    def to_polars(self) -> Any:
        """A ``polars.DataFrame``.

        Raises:
            UsageError: if polars is missing.
        """
        return frame_of(*self.tabular(), "polars")

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table``.

        Raises:
            UsageError: if pyarrow is missing.
        """
        return frame_of(*self.tabular(), "arrow")


def computing(what: str) -> Callable[..., Any]:
    """Return the function that computes something of a result.

    Args:
        what: a key of :data:`COMPUTED`.
    """
    return _function(COMPUTED[what])


def _registered_function(
    functions: Mapping[str, str], tuple_type: type[Any]
) -> Callable[[Any], Any] | None:
    """Return the function that is registered for a class or one of its bases."""
    for base in tuple_type.__mro__:
        if base.__name__ in functions:
            return _function(functions[base.__name__])
    return None


def _function(reference: str) -> Callable[..., Any]:
    module, _, name = reference.partition(":")
    result: Callable[..., Any] = getattr(import_module(module), name)
    return result


def _render(tuple_type: str, rows: Rows) -> str:
    text: str = _function(RENDERED[tuple_type])(rows.tables())
    return text


def joined(*parts: str | None) -> str:
    """The name of a number: its parts, those that are empty left out.

    >>> joined("mrp", "", "all", "f1")
    'mrp/all/f1'
    """
    return "/".join(filter(None, parts))


def plain_name(path: str) -> str:
    """A name of letters, digits and ``_`` alone.

    Args:
        path: any text.

    >>> plain_name("mrp(order=free)/all/f1")
    'mrp_order_free_all_f1'
    """
    return re.sub(r"[\W_]+", "_", path).strip("_")


def short_name(metric: str) -> str:
    """A metric as names have it: its own string, or the digest of a formula.

    Args:
        metric: its string.

    >>> short_name("mrp"), short_name("f1(match(nodes(), exact(label)))")
    ('mrp', 'formula_0ca4a204')
    """
    if re.fullmatch(r"[\w-]*(\([^()]*\))?", metric):
        return metric
    from hashlib import sha256

    return f"formula_{sha256(metric.encode()).hexdigest()[:8]}"


def numbers_of(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    named: Iterable[str],
    values: Iterable[str],
) -> dict[str, float]:
    """The numbers of rows by what stands beside them and the names of their columns.

    Args:
        columns: of the rows.
        rows: a cell for each of them.
        named: the columns whose cells a name is made of.
        values: those that hold the numbers; what is undefined is left out.

    Example:
        >>> rows = [("mrp", "alder", 0.5, None), ("mrp", "birch", 0.25, 2)]
        >>> names = "metric", "system", "value", "rank"
        >>> numbers_of(names, rows, names[:2], names[2:])
        {'mrp/alder/value': 0.5, 'mrp/birch/value': 0.25, 'mrp/birch/rank': 2.0}
    """
    index_of = {name: number for number, name in enumerate(columns)}
    heads, cells = [index_of[name] for name in named], {x: index_of[x] for x in values}
    numbers: dict[str, float] = {}
    for row in rows:
        head = joined(*(None if row[n] is None else str(row[n]) for n in heads))
        for name, number in cells.items():
            value = row[number]
            if value is not None and math.isfinite(value):
                numbers[joined(head, name)] = float(value)
    return numbers


@expecting(parts=Rows | Iterable)
def flat(
    parts: Rows | Iterable[Rows] | Mapping[str, Rows], which: Which = "main"
) -> dict[str, float]:
    """The numbers of several things by name, as loggers of experiments take them.

    Args:
        parts: results, comparisons or whatever else has rows; or these by names, which
            the names of their numbers begin with.
        which: ``main`` for at most 40 numbers of each, ``all`` for everything.

    Returns:
        What ``flat()`` of each of them gives, together.

    Raises:
        UsageError: if two numbers have the same name.

    Example:
        >>> from graphscore import Graph, Node, score
        >>> graphs = [Graph("1", "amr", 2, nodes=(Node(0, "dog"),))]
        >>> found = flat(score(graphs, graphs, ["mrp", "smatch"]))
        >>> found["mrp_all_f1"], found["smatch_amr_f1"]
        (1.0, 1.0)
        >>> flat({"dev": score(graphs, graphs, "mrp")})["dev_mrp_all_f1"]
        1.0
    """
    if isinstance(parts, Rows):
        return parts.flat(which)
    named = (
        parts.items() if isinstance(parts, Mapping) else (("", part) for part in parts)
    )
    result: dict[str, float] = {}
    for name, part in named:
        expect(name, str, "flat: a name")
        expect(part, Rows, "flat: a part")
        for own, value in part.flat(which).items():
            key = plain_name(joined(name, own))
            if key in result:
                raise UsageError(
                    f"two numbers are called {key!r}: give what has them by names, "
                    "in a dict"
                )
            result[key] = value
    return result


def cell_of(row: tuple[Any, ...], column: Any) -> Any:
    """A cell of a row with named columns, by its number or its name."""
    if isinstance(column, str):
        fields: tuple[str, ...] = row._fields  # type: ignore[attr-defined]
        if column not in fields:
            raise KeyError(column)
        column = fields.index(column)
    return tuple.__getitem__(row, column)


def unique_names(names: Sequence[str]) -> list[str]:
    """Names of columns, made different where SQL gives one twice.

    >>> unique_names(["a", "b", "a"])
    ['a', 'b', 'a_2']
    """
    result: dict[str, None] = {}
    for name in names:
        number, unique = 1, name
        while unique in result:
            number += 1
            unique = f"{name}_{number}"
        result[unique] = None
    return list(result)


def frame_of(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], library: str
) -> Any:
    """A frame with these columns and rows.

    Args:
        columns: names, which are made different where two are equal.
        rows: a cell for each of them.
        library: ``pandas``, ``polars`` or ``arrow``.

    Returns:
        A ``pandas.DataFrame``, ``polars.DataFrame`` or ``pyarrow.Table``.

    Raises:
        UsageError: if there is no such library, it is not installed, or a column
            holds values of several types, which frames of polars and Arrow cannot.
    """
    result = _import_library(library)
    names = unique_names(columns)
    cells: dict[str, list[Any]] = {name: [] for name in names}
    for row in rows:
        for name, value in zip(names, row, strict=True):
            cells[name].append(value)
    if library == "pandas":
        return result.DataFrame(cells, columns=names)
    typed = {name: _of_one_type(name, values) for name, values in cells.items()}
    if library == "polars":
        return result.DataFrame(typed, infer_schema_length=None)
    return result.table(typed)


def refuse_missing(library: str) -> None:
    """Refuse a library of which no frame can be made, before anything is done.

    Raises:
        UsageError: if it is unknown or missing, with what installs it.
    """
    _import_library(library)


def _import_library(library: str) -> Any:
    """The library, imported; as :func:`refuse_missing`."""
    if library not in _MODULES:
        libraries = ", ".join(map(repr, _MODULES))
        near = did_you_mean(library, _MODULES) if isinstance(library, str) else ""
        raise UsageError(
            f"no frames of {truncate(repr(library))}{near}; there are {libraries}"
        )
    module = _MODULES[library]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise UsageError(
            f"a frame of {library} needs {module}: "
            f"pip install 'graphscore[frames]' {module}"
        ) from None


def _of_one_type(name: str, values: list[Any]) -> list[Any]:
    """The values of a column; whole numbers among fractions are fractions."""
    types = {type(value) for value in values} - {type(None)}
    if types == {int, float}:
        return [None if value is None else float(value) for value in values]
    if len(types) > 1:
        type_names = ", ".join(sorted(type_.__name__ for type_ in types))
        raise UsageError(
            f"column {truncate(name)!r} holds values of several types ({type_names}), "
            f"which are "
            "no column of polars or Arrow: cast them in SQL, or ask for pandas"
        )
    if int in types and (far := next(filter(_beyond, values), None)) is not None:
        raise UsageError(
            f"column {truncate(name)!r} holds {truncate(str(far))}, an integer of "
            f"more than 64 "
            "bits, for which polars and Arrow have no column: cast it in SQL, or ask "
            "for pandas"
        )
    return values


def _beyond(value: int | None) -> bool:
    return value is not None and not -(1 << 63) <= value < 1 << 63


def by_number(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts names by the numbers in them.

    Args:
        name: an id, or what else has numbers in it.

    Example:
        >>> sorted(["s10", "s9", "b"], key=by_number)
        ['b', 's9', 's10']
    """
    parts = re.split(r"(\d{1,18})", name)
    return tuple(
        (int(part), "") if index % 2 else (-1, part) for index, part in enumerate(parts)
    )
