r"""Writers that lose no character silently: what is written is read again meanwhile.

What ends a line or a cell in one format is a character like others in another.  So
what a writer gives is read by the reader of its format while it is written, and
compared with what it was given.  What is there and says something else is an error
that names the item, the place and the character; what is not there at all, since the
format has no place for it, is told to whom it concerns, as ``convert`` does.

>>> from graphscore.formats.registry import formats
>>> from graphscore.model.graph import Node
>>> nodes = (Node("b", "bark-01"),)
>>> graph = Graph("1", "amr", text="Dogs\nbark", nodes=nodes, tops=("b",))
>>> b"".join(formats()["amr"].write([graph]))  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
graphscore.exceptions.GraphscoreError: item '1': amr cannot hold U+000A in the text: ...
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from graphscore.exceptions import GraphscoreError, InputError
from graphscore.formats.base import Format, ReadGraph, Record
from graphscore.formats.graph_diff import GraphDiff, code_point, likeness
from graphscore.model.graph import Graph

NAME = "<written>"
"""Name of the written text while it is read."""

AHEAD = 64
"""Number of waiting graphs among which a graph that was read is sought."""

Tell = Callable[[Graph, tuple[str, ...]], None]
"""Is told of a graph what is not in the file."""


def write_with_losses(
    chosen: Format, graphs: Iterable[Graph], tell: Tell
) -> Iterator[bytes]:
    """The bytes of a file, and what is not in it.

    Args:
        chosen: a format that can be written.
        graphs: what is written.
        tell: is told of each graph what is lost.

    Raises:
        GraphscoreError: for a graph that is not read as it was given.
    """
    assert chosen.write is not None
    write: Callable[..., Iterator[bytes]] = chosen.write
    if hasattr(write, "__wrapped__"):
        return write(graphs, tell)
    return write(graphs)


class Losses:
    """Numbers of graphs by the part that is not in a file.

    Args:
        format: the name of the file's format.

    Example:
        >>> losses = Losses("amr")
        >>> losses.add(["anchors", "tokens"])
        >>> losses.add(["anchors"])
        >>> print(losses)
        not in amr, with the number of graphs: anchors (2), tokens (1)
    """

    def __init__(self, format: str) -> None:
        self.format = format
        self._counts: dict[str, int] = {}

    def __bool__(self) -> bool:
        return bool(self._counts)

    def __str__(self) -> str:
        lost = ", ".join(f"{what} ({n})" for what, n in self._counts.items())
        return f"not in {self.format}, with the number of graphs: {lost}"

    def add(self, lost: Iterable[str]) -> None:
        """Count what is lost of a graph.

        Args:
            lost: in words, each once.
        """
        for what in lost:
            self._counts[what] = self._counts.get(what, 0) + 1

    def without(self, what: str) -> None:
        """Forget one kind, which is not lost after all.

        Args:
            what: in words; it need not be there.
        """
        self._counts.pop(what, None)


def write_checked(
    chosen: Format, graphs: Iterable[Graph], tell: Tell | None = None
) -> Iterator[bytes]:
    """Yield the bytes of a file piece by piece, and read them again meanwhile.

    Args:
        chosen: the format, with its reader and writer.
        graphs: what is written.
        tell: is told of each graph what is lost.

    Raises:
        GraphscoreError: for a graph that is not read as it was given.
    """
    read, write = chosen.read, chosen.write
    assert read is not None
    assert write is not None
    if chosen.rereads is not None:
        graphs = [*graphs]
        read = chosen.rereads(graphs)
    waiting = _Waiting(chosen, tell)
    pieces = _Pieces(write(waiting.noted(graphs)))
    stream = cast("io.BufferedReader", io.BufferedReader(pieces))
    try:
        for record in read(stream, NAME):
            waiting.take(record)
            yield from pieces.taken()
    except UnicodeEncodeError as error:
        raise waiting.unwritable(error) from None
    except InputError as error:
        if pieces.failed is not None:
            raise
        # A file as a whole that cannot be read, as one without graphs.
        if waiting:
            raise waiting.refused(str(error.problems[0])) from None
    if isinstance(pieces.failed, UnicodeEncodeError):
        raise waiting.unwritable(pieces.failed)
    if pieces.failed is not None:
        raise pieces.failed  # which the reader took for the end of the file
    yield from pieces.rest()
    waiting.end()


class _Pieces(io.RawIOBase):
    """A file that is written as far as it is read.

    Args:
        pieces: what is written.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._taken: list[bytes] = []
        self._piece = memoryview(b"")
        self.failed: Exception | None = None
        """Why no more could be written."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._piece:
            try:
                piece = next(self._pieces, None)
            except Exception as error:
                self.failed = error
                raise
            if piece is None:
                return 0
            self._taken.append(piece)
            self._piece = memoryview(piece)
        size = min(len(buffer), len(self._piece))
        buffer[:size], self._piece = self._piece[:size], self._piece[size:]
        return size

    def rest(self) -> Iterator[bytes]:
        """Yield the bytes written since, and those still to be written."""
        yield from self.taken()
        yield from self._pieces

    def taken(self) -> list[bytes]:
        """Return the bytes written since the last call."""
        taken, self._taken = self._taken, []
        return taken


class _Waiting:
    """Graphs that were written and not yet read, by framework.

    Args:
        chosen: the format.
        tell: is told what is lost.
    """

    def __init__(self, chosen: Format, tell: Tell | None) -> None:
        self.chosen, self.tell = chosen, tell
        self.graphs: dict[str, deque[Graph]] = {}
        self.last: Graph | None = None

    def __bool__(self) -> bool:
        return any(self.graphs.values())

    def _key(self, framework: str) -> str:
        """Return the key of a framework; empty where files do not give it."""
        return "" if self.chosen.unsaid else framework

    def noted(self, graphs: Iterable[Graph]) -> Iterator[Graph]:
        """The graphs, which wait from now on."""
        for graph in graphs:
            self.last = graph
            key = self._key(graph.framework)
            self.graphs.setdefault(key, deque()).append(graph)
            yield graph

    def take(self, record: Record) -> None:
        """Compare what was read with what waits for it."""
        if not isinstance(record, ReadGraph):
            raise self.refused(str(record.problems[0]), record.item)
        graph = record.graph
        waiting = self.graphs.get(self._key(graph.framework))
        if waiting is None:
            return  # a layer that comes with those that were given
        # Of layers that are written apart, each brings what it needs of the others.
        several = len(self.graphs) > 1
        if record.left_out:
            raise self.refused(str(record.left_out[0]), graph.id)
        if not waiting and several:
            return
        if not waiting:
            raise self.refused(f"another item {graph.id!r} comes back")
        dependent = graph.framework in self.chosen.dependent
        words = not dependent and "forms" in self.chosen.restates
        if words and _of_another_text(waiting[0]):
            # It was given the text of other words; both are written as they are.
            waiting.popleft()
            return
        diff = first = self._likeness(waiting[0], graph)
        index = 0
        while diff.changed and index + 1 < min(len(waiting), AHEAD):
            index += 1
            diff = self._likeness(waiting[index], graph)
        if diff.changed and several and not graph.nodes:
            return
        if diff.changed and dependent:
            return  # that of another document, which comes with its layers
        if diff.changed:
            index = next((n for n, e in enumerate(waiting) if e.id == graph.id), 0)
            first = self._likeness(waiting[index], graph)
            raise self._error(waiting[index], f"cannot hold {first.changed}")
        if self.tell is not None and diff.lost:
            self.tell(waiting[index], diff.lost)
        del waiting[index]

    def _likeness(self, original: Graph, back: Graph) -> GraphDiff:
        return likeness(original, back, self.chosen.restates)

    def _error(self, graph: Graph, what: str) -> GraphscoreError:
        return GraphscoreError(f"item {graph.id!r}: {self.chosen.name} {what}")

    def refused(self, why: str, item: str = "") -> GraphscoreError:
        """Return the error for a graph of which nothing can be read."""
        held = [graph for waiting in self.graphs.values() for graph in waiting]
        named = [graph for graph in held if graph.id == item] or held
        graph = named[0] if named else self.last
        assert graph is not None
        return self._error(graph, f"cannot hold it: {why}")

    def unwritable(self, error: UnicodeEncodeError) -> GraphscoreError:
        """Return the error for half a surrogate pair."""
        character = error.object[error.start]
        held = [graph for waiting in self.graphs.values() for graph in waiting]
        graph = next((e for e in held if repr(character)[1:-1] in repr(e)), self.last)
        assert graph is not None
        what = f"{code_point(character)}, half of a surrogate pair"
        return self._error(graph, f"cannot hold {what}")

    def end(self) -> None:
        """Check that nothing is left but items without any annotation."""
        for waiting in self.graphs.values():
            for graph in waiting:
                if graph.framework in self.chosen.dependent:
                    why = "the layers of its document before it do not say the same"
                    raise self._error(graph, f"cannot hold it: {why}")
                if graph.nodes:
                    raise self._error(graph, "cannot hold it: it does not come back")
                if self.tell is not None:
                    self.tell(graph, ("items without annotations",))


def _of_another_text(graph: Graph) -> bool:
    """Return whether a graph has a text that none of its words is in."""
    return bool(graph.text) and not any(
        str(node.label) in graph.text for node in graph.nodes
    )
