r"""PENMAN and CoNLL-U as texts in lists, and what the libraries of these make of them.

>>> [graph] = from_penman(["(b / bark-01 :ARG0 (d / dog))"])
>>> graph.framework, [node.label for node in graph.nodes]
('amr', ['bark-01', 'dog'])
>>> [graph] = from_conllu(["1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_"])
>>> graph.framework, graph.text
('ud', 'Dogs')
>>> from_penman(["(b / bark-01 :ARG0 (d /"])  # doctest: +ELLIPSIS
Traceback (most recent call last):
graphscore.exceptions.InputError: <penman>[0]:1:1: found a bracket ...
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import accumulate
from typing import Any

import msgspec

from graphscore.exceptions import InputError, Problem
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named, reader_of
from graphscore.inputs.base import names_of, refusal
from graphscore.model.graph import Graph


def from_penman(
    graphs: Iterable[Any],
    *,
    ids: Iterable[Any] | None = None,
    framework: str = "amr",
    name: str = "penman",
) -> list[Graph]:
    """AMR, or another framework in PENMAN notation.

    Args:
        graphs: one for each item, as text, with comments of metadata or without, or as
            a ``penman.Graph``.
        ids: the id of each item; without, that of its ``# ::id``, or none.
        framework: what the graphs are.
        name: what messages call them.

    Returns:
        A graph for each item.

    Raises:
        InputError: if a text is no graph, or more than one.
    """
    items = list(graphs)
    named = names_of(name, items, ids)
    result = []
    for number, (item, id) in enumerate(zip(items, named, strict=True)):
        text = item if isinstance(item, str) else _encode_penman(name, number, item)
        read = graphs_in(
            "amr", text.encode(errors="surrogatepass"), f"<{name}>[{number}]"
        )
        if len(read) != 1:
            found_there = f"{len(read)} graphs"
            raise refusal(name, f"[{number}]", found_there, "one for each item")
        graph = read[0]
        graph = msgspec.structs.replace(
            graph, framework=framework, id=id or graph.id, document=graph.document
        )
        result.append(graph)
    return result


def _encode_penman(name: str, number: int, item: Any) -> str:
    """The text of a graph of the library ``penman``."""
    import penman

    if isinstance(item, penman.Graph):
        try:
            return str(penman.encode(item))
        except penman.PenmanError as error:
            found = f"a graph that cannot be written: {error}"
            expected = "one that hangs together, from its top"
            raise refusal(name, f"[{number}]", found, expected) from None
    if isinstance(item, penman.Tree):
        return str(penman.format(item))
    expected = "a text or a penman.Graph"
    raise refusal(name, f"[{number}]", repr(item), expected)


def from_conllu(
    sentences: Iterable[Any],
    *,
    ids: Iterable[Any] | None = None,
    name: str = "conllu",
) -> list[Graph]:
    """Dependency trees in CoNLL-U: those of HEAD, of DEPS, and coreference in MISC.

    Args:
        sentences: one or several in each text, or token lists of ``conllu``.
        ids: the id of each item; without, that of its ``# sent_id``, or none.
        name: what messages call them.

    Returns:
        The graphs of all layers, as files of the format give them.

    Raises:
        InputError: if a text is no CoNLL-U, or with *ids* not one sentence.
    """
    items = list(sentences)
    named = names_of(name, items, ids)
    texts = [_serialize(name, number, item) for number, item in enumerate(items)]
    if ids is None:
        # Together, as coreference goes through documents.
        starts = [0, *accumulate(text.count("\n") + 2 for text in texts)]
        whole = "\n\n".join(texts)
        try:
            return graphs_in("conllu", whole.encode(errors="surrogatepass"), "")
        except InputError as error:
            raise InputError(_with_items(name, error.problems, starts)) from None
    result = []
    for number, (text, id) in enumerate(zip(texts, named, strict=True)):
        data = text.encode(errors="surrogatepass")
        read = graphs_in("conllu", data, f"<{name}>[{number}]")
        frameworks = [graph.framework for graph in read]
        if len(set(frameworks)) != len(frameworks):
            several = f"{frameworks.count(frameworks[0])} sentences"
            raise refusal(name, f"[{number}]", several, "one for each id")
        result += [msgspec.structs.replace(graph, id=id) for graph in read]
    return result


def _with_items(
    name: str, problems: Sequence[Problem], starts: Sequence[int]
) -> list[Problem]:
    """Problems with the item and its own line instead of one in all texts."""
    result = []
    for problem in problems:
        line = problem.line or 1
        number = bisect_right(starts, line - 1) - 1
        location = f"<{name}>[{number}]"
        result.append(problem._replace(file=location, line=line - starts[number]))
    return result


def _serialize(name: str, number: int, item: Any) -> str:
    """A text, or that of a token list."""
    if isinstance(item, str):
        return item
    serialize = getattr(item, "serialize", None)
    if serialize is None:
        expected = "a text or a token list of conllu"
        raise refusal(name, f"[{number}]", repr(item), expected)
    return str(serialize())


def graphs_in(format: str, data: bytes, name: str) -> list[Graph]:
    """All graphs of a text.

    Args:
        format: the name of its format.
        data: the text.
        name: what messages call it.

    Raises:
        InputError: if a record is none; with everything that is wrong.
    """
    graphs: list[Graph] = []
    problems: list[Problem] = []
    for record in reader_of(format_named(format))(BytesIO(data), name):
        if isinstance(record, Rejected) and not record.aside:
            problems += record.problems
        elif isinstance(record, ReadGraph):
            graphs.append(record.graph)
            problems += record.left_out
    if problems:
        raise InputError(problems)
    return graphs
