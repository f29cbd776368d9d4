"""Scope of an evaluation: the graphs that take part, and how they are paired.

Two evaluations of one system, gold and metric are the same only if their scopes are;
scores of different scopes are of different units, and are not compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct
from msgspec.structs import asdict

LISTED = 5
"""Ids of items that are written out; of more there are their number and a digest."""


class Scope(Struct, frozen=True):
    """Scope of an evaluation.

    Its text is canonical: two scopes are equal if their texts are.

    Args:
        frameworks: those that were scored, in alphabetical order.
        languages: the only ones that take part; empty for all.
        layers: likewise.
        filter: which items take part, in words; empty for all.
        pairing: how items of both sides pair.
        references: what was made of several references, and of which; empty for one.

    Example:
        >>> print(Scope(("dm", "eds")))
        dm,eds
        >>> print(Scope(("dm",), ("en",), pairing="order"))
        dm; languages en; paired by order
    """

    frameworks: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    filter: str = ""
    pairing: str = "id"
    references: str = ""

    def __str__(self) -> str:
        result = [list_names(self.frameworks)]
        result += [f"languages {list_names(self.languages)}"] * bool(self.languages)
        result += [f"layers {list_names(self.layers)}"] * bool(self.layers)
        result += [self.filter] * bool(self.filter)
        result += [f"paired by {self.pairing}"] * (self.pairing != "id")
        result += [self.references] * bool(self.references)
        return "; ".join(result)

    def to_dict(self) -> dict[str, str | list[str]]:
        """Return it as JSON has it."""
        return {
            name: [*value] if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


def list_names(values: Iterable[str]) -> str:
    """Names in order, with commas between; what would part them is written otherwise.

    >>> list_names(["b", "a,c"])
    'a%2Cc,b'
    """
    return ",".join(map(escape_name, sorted(values)))


def listed_in(scope: str) -> dict[str, list[str]]:
    """Return the names that the text of a scope lists, by what they are of.

    Args:
        scope: the text of a :class:`Scope`.

    Returns:
        Values of ``framework``, ``language``, ``layer`` and ``item``, where there are
        any; of very many items only their number stands there, and none is returned.

    Example:
        >>> listed_in(str(Scope(("dm", "eds"), filter=only_items(["3", "a,b"]))))
        {'framework': ['dm', 'eds'], 'item': ['3', 'a,b']}
    """
    # It takes a while to import, and most scopes are only written.
    from urllib.parse import unquote

    frameworks, *rest = scope.split("; ")
    result = {"framework": frameworks}
    for part in rest:
        kind, _, names = part.partition(" ")
        if kind in ("languages", "layers", "items") and " of " not in names:
            result[kind.removesuffix("s")] = names
    return {
        kind: [unquote(name) for name in names.split(",")]
        for kind, names in result.items()
        if names
    }


def escape_name(name: str) -> str:
    """A name in a scope, without the signs that have a meaning there.

    Args:
        name: any text.
    """
    return "".join(
        f"%{ord(sign):02X}" if sign in "%,;" or sign < " " else sign for sign in name
    )


def only_items(items: Collection[str]) -> str:
    """The filter of items that are named; empty where none is.

    >>> only_items(["7", "3"]), only_items([])
    ('items 3,7', '')
    >>> only_items("abcdefgh")
    'items 8 of 06e6238b'
    """
    if len(items) <= LISTED:
        return f"items {list_names(items)}" if items else ""
    from hashlib import sha256

    digest = sha256("\0".join(sorted(items)).encode("utf-8", "surrogatepass"))
    return f"items {len(items)} of {digest.hexdigest()[:8]}"
