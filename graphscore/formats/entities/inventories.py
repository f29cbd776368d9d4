r"""Inventories of inline tags: which are entities, and which are components.

A tag with a dot may be either, so that names alone do not tell: ``pers.ind`` is a
type with a subtype, ``name.first`` a component.  :data:`QUAERO` is the inventory of
the QUAERO guide (Rosset, Grouin and Zweigenbaum 2011) and of ETAPE; other guides are
read from a TOML file of one's own::

    types = ["pers", "loc", "disease"]
    components = ["kind", "name", "name.first"]

>>> [QUAERO.kind_of(name) for name in ("pers.ind", "name.first", "name.x", "b")]
['entity', 'component', None, None]
>>> from tempfile import NamedTemporaryFile
>>> with NamedTemporaryFile("w", suffix=".toml") as file:
...     _ = file.write('types = ["b"]\ncomponents = []\n')
...     _ = file.seek(0)
...     read_inventory(file.name).kind_of("b.c")
'entity'
"""

from __future__ import annotations

import re
from typing import Any, Literal

from msgspec import Struct

from graphscore.exceptions import InputError, Problem
from graphscore.formats.source import BOM, problem
from graphscore.lazy import blake2b
from graphscore.tables import BrokenError, tables

LARGEST = 1024 * 1024
"""A larger file is no inventory."""

NAME = re.compile(r"[A-Za-z][\w-]*(?:\.[\w-]+)*")
"""Pattern of the name of a tag."""


class Inventory(Struct, frozen=True):
    """The tags of an annotation guide.

    Args:
        types: types of entities; each stands for its subtypes as well.
        components: names of components.
        digest: fingerprint of the file that it comes from, empty for a shipped one.
    """

    types: frozenset[str]
    components: frozenset[str]
    digest: str = ""

    def kind_of(self, name: str) -> Literal["entity", "component"] | None:
        """Return the category that a tag marks; none if the guide lacks it."""
        if name in self.components:
            return "component"
        while name:
            if name in self.types:
                return "entity"
            name = name.rpartition(".")[0]
        return None


QUAERO = Inventory(
    types=frozenset(
        ("pers", "func", "loc", "org", "prod", "time", "amount", "event", "unk")
    ),
    components=frozenset(
        (
            *("kind", "name", "title", "qualifier", "extractor", "noisy-entities"),
            *("name.first", "name.middle", "name.last", "name.nickname"),
            *("demonym", "demonym.nickname", "award-cat"),
            *("address-number", "po-box", "zip-code", "other-address-component"),
            *("val", "unit", "object", "range-mark", "time-modifier"),
            *("day", "week", "month", "year", "century", "millenium", "millennium"),
            "reference-era",
        )
    ),
)
"""Main types and components of QUAERO and ETAPE.

The components of the guide of 2011, with those of its releases for speech and for the
old press (``noisy-entities``).
"""


def read_inventory(path: str) -> Inventory:
    """An inventory from a file.

    Args:
        path: TOML in UTF-8 with two lists of names, ``types`` and ``components``.

    Raises:
        InputError: if it cannot be read, or is no inventory; all problems are listed.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        found = f"an inventory that cannot be read ({error.strerror})"
        raise problem(path, found) from None
    if len(data) > LARGEST:
        raise problem(path, f"more than {LARGEST:,} bytes", "an inventory of tags")
    tables = _tables(path, data)
    problems: list[Problem] = []

    def bad(where: str, found: str, expected: str) -> None:
        problems.append(Problem(path, None, None, where, found, expected))

    for key in sorted(tables.keys() - {"types", "components"}):
        bad(key, "an unknown key", "types or components")
    lists = {key: tables.get(key) for key in ("types", "components")}
    for key, names in lists.items():
        if not isinstance(names, list):
            found = "nothing" if names is None else _show(names)
            bad(key, found, "a list of names")
            lists[key] = []
            continue
        for index, name in enumerate(names):
            if not isinstance(name, str) or NAME.fullmatch(name) is None:
                bad(f"{key}[{index}]", _show(name), "the name of a tag")
    if not problems:
        both = sorted({*(lists["types"] or ())} & {*(lists["components"] or ())})
        for name in both:
            bad("components", f"{name!r}, which is a type", "a name of its own")
        if not lists["types"]:
            bad("types", "no names", "one or more")
    if problems:
        raise InputError(problems)
    types, components = (frozenset(lists[key] or ()) for key in lists)
    digest = blake2b(repr((sorted(types), sorted(components))).encode())
    return Inventory(types, components, digest.hexdigest()[:32])


def _tables(path: str, data: bytes) -> dict[str, Any]:
    try:
        return tables(data.removeprefix(BOM).decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = "bytes that are not UTF-8"
        raise InputError([Problem(path, line, None, "", found, "UTF-8 text")]) from None
    except BrokenError as error:
        if error.kind == "depth":
            found = "TOML that is nested too deep"
            raise problem(path, found, "lists of names") from None
        line = error.line or data.rstrip().count(b"\n") + 1
        found = f"broken TOML: {error.said[:1].lower()}{error.said[1:]}"
        expected = 'types = ["..."] and components = ["..."]'
        wrong = Problem(path, line, error.column, "", found, expected)
        raise InputError([wrong]) from None


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + "..."
