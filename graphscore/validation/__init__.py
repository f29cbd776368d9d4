"""Is a graph what its framework says it should be?

A reader refuses only what cannot be a graph.  Much that it lets through is still
wrong: a UCCA unit with two parents, an AMR in two pieces, a DM node over half a
word.  Such things cost points, or crash other tools, without anybody noticing.
Here they are found, each with its place and with a :class:`Code` that says how
bad it is:

- an *error* breaks what the framework's own description demands;
- a *warning* is allowed but rarely meant, or counts otherwise than it looks.

One module a framework; each has a function from a graph to remarks.

>>> from graphscore.model.graph import Edge, Graph, Node
>>> graph = Graph("1", "amr", 2, text="Dogs bark", tops=(0,),
...               nodes=(Node(0, "bark-01"), Node(1, "dog")))
>>> for finding in validate(graph):
...     print(finding)
item 1: error amr-disconnected: 2 pieces, expected one (node 1)
item 1: warning isolated-node: no edge leads to or from it (node 0)
item 1: warning isolated-node: no edge leads to or from it (node 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graphscore.exceptions import UsageError, did_you_mean, expecting
from graphscore.model.frameworks import framework
from graphscore.model.graph import Graph
from graphscore.validation.amr import check_amr
from graphscore.validation.base import (
    CODES,
    UNSCORABLE,
    Code,
    Finding,
    Remark,
    Severity,
    left_out,
    passed_over,
    unreadable,
)
from graphscore.validation.drg import check_drg
from graphscore.validation.eds import check_eds
from graphscore.validation.generic import Inversions, check_any
from graphscore.validation.sdp import check_sdp
from graphscore.validation.ucca import check_ucca

__all__ = [
    "CHECKS",
    "CODES",
    "Code",
    "Finding",
    "Inversions",
    "Severity",
    "left_out",
    "passed_over",
    "repeated",
    "unreadable",
    "validate",
]

CHECKS: dict[str, Callable[[Graph], Iterable[Remark]]] = {
    "sdp": check_sdp,
    "eds": check_eds,
    "ucca": check_ucca,
    "amr": check_amr,
    "drg": check_drg,
}
"""Checks of frameworks beyond those of all, by the name in their table."""


@expecting(graph=Graph, file=str)
def validate(graph: Graph, file: str = "", line: int | None = None) -> list[Finding]:
    """Everything that is wrong or strange with one graph.

    Args:
        graph: any graph; edges and tops may even name nodes that are not there.
        file: where it was read.
        line: its first line.

    Returns:
        Findings in a fixed order, errors first, then as found.
    """
    remarks = list(check_any(graph))
    if UNSCORABLE.isdisjoint(remark.code for remark in remarks):
        check = CHECKS.get(framework(graph.framework).checks)
        remarks += () if check is None else check(graph)
    result = [remark.at(graph, file, line) for remark in remarks]
    result.sort(key=lambda finding: (finding.severity != "error", finding.code))
    return result


def repeated(graph: Graph, file: str, line: int | None, first: str) -> Finding:
    """The finding for an item that stands somewhere already.

    Args:
        graph: the later one.
        file: where it was read.
        line: its first line.
        first: the place of the earlier one.
    """
    remark = Remark("repeated-item", f"the item is at {first} already")
    return remark.at(graph, file, line)


def codes_named(texts: Iterable[str]) -> frozenset[str]:
    """The codes of findings that texts name, with commas between.

    Args:
        texts: each with one or more.

    Raises:
        UsageError: if there is no such code.
    """
    codes = {code.strip() for text in texts for code in text.split(",")} - {""}
    for code in sorted(codes - set(CODES)):
        raise UsageError(
            f"--ignore {code}{did_you_mean(code, CODES)}: there are {', '.join(CODES)}"
        )
    return frozenset(codes)
