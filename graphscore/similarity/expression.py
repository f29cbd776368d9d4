"""Base of all parts of a formula: value, notation, location of an error.

An expression is an immutable value.  ``repr`` is the Python that makes it, ``str``
the formula in the notation of Chen et al. (2023), ``.latex()`` the same for print.
A mistake in the types of its parts is found when it is built, and shown in place::

    nodes('entity') says things of the graph, expected things of a node
        F↔entities[F↔entities[δ]]
                     ^^^^^^^^

What an expression is about is its *sort*: the whole ``graph``, a ``node``, an
``edge``, a ``property`` of a node, or a bare ``value``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple

from graphscore.exceptions import UsageError

Sort = Literal["graph", "node", "edge", "property", "value"]
"""Sort of the elements that a part of a formula is about."""

ARTICLES: dict[str, str] = {
    "graph": "the graph",
    "node": "a node",
    "edge": "an edge",
    "property": "a property",
    "value": "a value",
}
"""Name of each sort in messages."""


class Notation(NamedTuple):
    """One way of writing formulas."""

    latex: bool
    delta: str
    phi: str
    total: str
    times: str
    hat: str
    arrows: dict[str, str]
    subset: str
    true: tuple[str, str]
    at_least: str
    best: str
    brackets: tuple[str, str]
    below: Callable[[str], str]
    above: Callable[[str], str]
    name: Callable[[str], str]


def _plain_below(text: str) -> str:
    return f"_{text}"


def _latex_name(text: str) -> str:
    return rf"\text{{{text.translate(_ESCAPES)}}}"


_ESCAPES = str.maketrans(
    {sign: f"\\{sign}" for sign in "_{}$&%#"}
    | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}
    | {"∈": r"$\in$", "∉": r"$\notin$"}
)
"""Signs that mean something else to LaTeX."""


PLAIN = Notation(
    latex=False,
    delta="δ",
    phi="φ",
    total="Σ",
    times=" × ",
    hat="φ̃",
    arrows={"1:1": "↔", "n:1": "→", "1:n": "←", "n:n": "~"},
    subset="⊆",
    true=("⟦", "⟧"),
    at_least="≥",
    best="max",
    brackets=("[", "]"),
    below=_plain_below,
    above=str,
    name=str,
)
"""Notation of ``str``."""

LATEX = Notation(
    latex=True,
    delta=r"\delta",
    phi=r"\phi",
    total=r"\Sigma",
    times=r" \times ",
    hat=r"\tilde{\phi}",
    arrows={
        "1:1": r"\leftrightarrow",
        "n:1": r"\rightarrow",
        "1:n": r"\leftarrow",
        "n:n": r"\sim",
    },
    subset=r"\subseteq",
    true=(r"\llbracket ", r" \rrbracket"),
    at_least=r"\geq",
    best=r"\max",
    brackets=(r"\left[", r"\right]"),
    below=lambda text: f"_{{{text}}}",
    above=lambda text: f"^{{{text}}}",
    name=_latex_name,
)
"""Notation of ``.latex()``."""


class FormulaError(UsageError):
    """A formula whose parts do not fit together.

    Args:
        problem: what does not fit, and what would.
        formula: the formula as far as it was built.
        spot: the part of it that is wrong, as it stands in the formula.
        before: the formula up to the spot; by default up to the last time that
            the spot stands in it.
    """

    def __init__(
        self,
        problem: str,
        formula: str = "",
        spot: str = "",
        before: str | None = None,
    ) -> None:
        self.problem, self.formula, self.spot = problem, formula, spot
        lines = [problem]
        if formula:
            lines.append(f"    {formula}")
            if before is None and spot and spot in formula:
                before = formula[: formula.rfind(spot)]
            if before is not None:
                indent, width = _width(before), max(1, _width(spot))
                lines.append(f"    {' ' * indent}{'^' * width}")
        super().__init__("\n".join(lines))


def _width(text: str) -> int:
    """Count the columns of a text; a combining tilde takes none."""
    return sum(not unicodedata.combining(sign) for sign in text)


_TOKENS: dict[Any, int] = {}


def delegate(path: str) -> Any:
    """Return a property that hands on an attribute of a part, such as ``step.of``."""
    return property(attrgetter(path))


class Expression(Struct, frozen=True, dict=True):
    """Base of everything that formulas are made of.

    ``call`` is the name of the function that
    makes them, for ``repr``; what has none, as ``label``, is written as in formulas.
    """

    call: ClassVar[str] = ""

    @cached_property
    def token(self) -> int:
        """A number that equal expressions share, for remembering by."""
        # The spelling tells 1 from True, which are equal.
        return _TOKENS.setdefault((type(self), self, repr(self)), len(_TOKENS))

    def spell(self, notation: Notation) -> str:
        """The formula in some notation."""
        raise NotImplementedError

    def latex(self) -> str:
        r"""The formula for print.

        >>> from graphscore.similarity import anchors, exact, f1, match, nodes
        >>> f1(match(nodes("mention"), exact(anchors))).latex()
        'F^{\\leftrightarrow}_{\\text{mentions}}\\left[\\delta\\right]'
        """
        return self.spell(LATEX)

    def __str__(self) -> str:
        return self.spell(PLAIN)

    def arguments(self) -> Iterator[str]:
        """The arguments of the call that makes it, as Python."""
        placed = True
        names, defaults = self.__struct_fields__, self.__struct_defaults__
        first = len(names) - len(defaults)
        for index, (name, value) in enumerate(zip(names, astuple(self), strict=True)):
            if index >= first and value == defaults[index - first]:
                placed = False
            else:
                yield _python(value) if placed else f"{name}={_python(value)}"

    def __repr__(self) -> str:
        if not self.call:
            return str(self)
        return f"{self.call}({', '.join(self.arguments())})"


def _python(value: Any) -> str:
    if callable(value) and hasattr(value, "__qualname__"):
        # What is defined inside of a function goes by its name there.
        return str(value.__qualname__).rpartition("<locals>.")[2]
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(sorted(map(repr, value)))}}})"
    return repr(value)


def require(
    condition: bool,
    problem: str,
    formula: str = "",
    spot: str = "",
    before: str | None = None,
) -> None:
    """Fail with the formula and the spot unless *condition* holds.

    Raises:
        FormulaError: if it does not.
    """
    if not condition:
        raise FormulaError(problem, formula, spot, before)


def list_names(names: Iterable[str]) -> str:
    """Names for a message.

    >>> list_names(["a", "b"])
    'a, b'
    """
    return ", ".join(names) or "none"


_SPOKEN = {"aligned": "place in the aligned texts", "itself": "value"}
"""Names that are no nouns."""


def spoken(short: str) -> str:
    """A name as formulas write it, in words.

    >>> spoken("target.edge_label"), spoken("edges(remote)")
    ('edge label of the target', 'edges (remote)')
    """
    path, bracket, rest = short.partition("(")
    *owners, last = _SPOKEN.get(path, path).replace("_", " ").split(".")
    result = " of the ".join([last, *reversed(owners)])
    return f"{result} ({rest}" if bracket else result


def enumerate_names(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> enumerate_names(["a"]), enumerate_names(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def singular(name: str) -> str:
    """Return the singular of a name.

    >>> singular("mentions"), singular("entities"), singular("words")
    ('mention', 'entity', 'word')
    """
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name.removesuffix("s")


def plural(name: str) -> str:
    """Return the plural of a name, as in formulas.

    >>> plural("mention"), plural("entity"), plural("args")
    ('mentions', 'entities', 'args')
    """
    if name.endswith("s"):
        return name
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"
