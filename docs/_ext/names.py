"""Names of Python in docstrings and annotations lead to where they are documented.

A public name is documented once, under the package that it is imported from.
Docstrings and annotations say where it is defined, ``graphscore.model.graph.Graph``,
and so does what Python knows of types.  Here a reference to that place is a link to
``graphscore.Graph``.  What is not public, and what other libraries have, is shown
without a link, if it is there: a name that nobody has is a warning, as ever.
"""

from __future__ import annotations

import builtins
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

import graphscore

PACKAGES = sorted(
    page.stem for page in (Path(__file__).parents[1] / "api").glob("graphscore*.md")
)
"""Packages with public names, a page each; where two have a name, the first has it."""


def found(name: str) -> Any:
    """The object of a dotted name, or ``None``: modules first, then what they have."""
    parts = name.split(".")
    for cut in range(len(parts) if name else 0, 0, -1):
        try:
            thing = import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            annotated = getattr(thing, "__annotations__", {})
            thing = getattr(thing, part, annotated.get(part))
        return thing
    return None


def homes() -> dict[int, str]:
    """Where each public object is documented, by its identity."""
    known: dict[int, str] = {}
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            known.setdefault(id(getattr(module, name)), f"{package}.{name}")
    return known


def imported() -> None:
    """Import all of graphscore, so that every name of it is known."""
    for module in pkgutil.walk_packages(graphscore.__path__, "graphscore."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):
                import_module(module.name)


def candidates(node: pending_xref) -> Iterator[str]:
    """What a reference may mean: as written, in its class, in its module."""
    target = node["reftarget"].removeprefix("~").removesuffix("()")
    if not all(part.isidentifier() for part in target.split(".")):
        return
    yield target
    module, owner = node.get("py:module"), node.get("py:class")
    if module and owner:
        yield f"{module}.{owner}.{target}"
    if module:
        yield f"{module}.{target}"


def named(name: str) -> list[Any]:
    """What some module of graphscore knows under a bare name, each once.

    Annotations and ``Raises`` name what their module imports, if only for type
    checkers, and Sphinx does not say which module that was.
    """
    if "." in name:
        return []
    modules = [
        module
        for place, module in list(sys.modules.items())
        if place.partition(".")[0] == "graphscore"
    ]
    things = [vars(module)[name] for module in modules if name in vars(module)]
    return list({id(thing): thing for thing in things}.values())


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.Element
) -> nodes.Node | None:
    """A link to where the object of a reference is documented, or its bare name.

    Args:
        app: the build.
        env: what is known of all pages.
        node: the reference that nothing was found for.
        shown: how it looks.

    Returns:
        What stands in its place; ``None`` if nothing has that name.
    """
    if node.get("refdomain") != "py":
        return None
    known = env.get_domain("py").objects
    for name in candidates(node):
        things = [thing for thing in [found(name)] if thing is not None] or named(name)
        if not things and not hasattr(builtins, name):
            continue
        owner, _, member = name.rpartition(".")
        places = [app.homes[id(thing)] for thing in things if id(thing) in app.homes]
        if id(found(owner)) in app.homes:
            places.append(f"{app.homes[id(found(owner))]}.{member}")
        # A name that stands for two things leads to neither.
        if len(places) == 1 and places[0] in known:
            entry = known[places[0]]
            return make_refnode(
                app.builder,
                node["refdoc"],
                entry.docname,
                entry.node_id,
                shown,
                places[0],
            )
        return shown
    return None


def documented_elsewhere(
    app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out of a package's page what another package's page has."""
    package = app.env.docname.rpartition("/")[2]
    if what != "module" or package not in PACKAGES:
        return None
    return app.homes.get(id(thing)) != f"{package}.{name}" or None


def name_those_elsewhere(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Say below a package's docstring what it has that is documented elsewhere."""
    if what != "module" or name not in PACKAGES:
        return
    others = [app.homes[id(getattr(thing, each))] for each in thing.__all__]
    links = [f":py:obj:`{each}`" for each in others if each.rpartition(".")[0] != name]
    if links:
        lines += ["", f"Imported from here as well: {', '.join(links)}.", ""]


def without_type(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Keep Napoleon from reading ``What it is: a reason`` as a type with a text."""
    if what in ("attribute", "data", "property") and ": " in lines[0]:
        head, _, tail = lines[0].partition(": ")
        lines[:1] = [f"{head}:", tail]


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect to the build."""
    imported()
    app.homes = homes()
    app.connect("missing-reference", resolve)
    app.connect("autodoc-skip-member", documented_elsewhere)
    app.connect("autodoc-process-docstring", name_those_elsewhere)
    app.connect("autodoc-process-docstring", without_type, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
