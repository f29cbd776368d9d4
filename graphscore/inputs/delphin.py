"""MRS, DMRS and EDS as PyDelphin holds them, whatever file or server they came from.

MRS are no graphs; they are scored as the EDS that PyDelphin makes of them, as its own
``delphin edm`` does (Dridan and Oepen 2011).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from graphscore.inputs.base import names_of, refusal
from graphscore.inputs.texts import graphs_in
from graphscore.model.graph import Graph


def from_delphin(
    structures: Iterable[Any],
    *,
    ids: Iterable[Any] | None = None,
    modifiers: bool = False,
    name: str = "delphin",
) -> list[Graph]:
    """Structures of PyDelphin: EDS and DMRS as they are, MRS as EDS.

    Args:
        structures: one for each item: ``delphin.mrs.MRS``, ``delphin.dmrs.DMRS`` or
            ``delphin.eds.EDS``.
        ids: the id of each item; without, its ``identifier``, or none.
        modifiers: whether predicates that only stand together in an MRS become
            modifiers of one another (``predicate_modifiers`` of PyDelphin).
        name: what messages call them.

    Returns:
        A graph for each item, of framework ``eds`` or ``dmrs``, with the text that
        the structure has.

    Raises:
        InputError: for something else, or for an MRS that is no EDS.
    """
    items = list(structures)
    result = []
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        format, text = _encode(name, number, item, modifiers)
        read = graphs_in(format, text.encode(), f"<{name}>[{number}]")
        if len(read) != 1:
            found_there = f"{len(read)} graphs"
            raise refusal(name, f"[{number}]", found_there, "one for each item")
        graph = msgspec.structs.replace(
            read[0],
            id=id or str(item.identifier or "") or read[0].id,
            text=read[0].text or item.surface or "",
        )
        result.append(graph)
    return result


def _encode(name: str, number: int, item: Any, modifiers: bool) -> tuple[str, str]:
    """The format and the text that PyDelphin writes a structure in."""
    from delphin import dmrs, eds, mrs
    from delphin.codecs import eds as native
    from delphin.codecs import simpledmrs
    from delphin.exceptions import PyDelphinException

    if isinstance(item, mrs.MRS):
        try:
            item = eds.from_mrs(item, predicate_modifiers=modifiers)
        # What PyDelphin meets in an MRS that hangs together nowhere has no class.
        except (PyDelphinException, AttributeError, KeyError, ValueError) as error:
            found = f"an MRS that PyDelphin makes no EDS of: {error!r}"
            raise refusal(name, f"[{number}]", found, "one that is complete") from None
    if isinstance(item, eds.EDS):
        return "eds", str(native.encode(item, indent=True))
    if isinstance(item, dmrs.DMRS):
        return "simpledmrs", str(simpledmrs.encode(item))
    expected = "an MRS, DMRS or EDS of PyDelphin"
    raise refusal(name, f"[{number}]", repr(item), expected)
