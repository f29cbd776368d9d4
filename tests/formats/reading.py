"""What a format makes of a few lines: records, graphs, or what is wrong."""

from __future__ import annotations

import io

from graphscore.formats.base import Format, ReadGraph, Record, Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_with_losses
from graphscore.model.graph import Graph


class FormatReader:
    """Reads text under a name, and writes graphs.

    Args:
        format: what it is read as, perhaps by its name.
        name: what the file is called in messages.
        framework: what a rejected record is of, if that is compared.
    """

    def __init__(self, format: Format | str, name: str, framework: str = "") -> None:
        self.format = format_named(format) if isinstance(format, str) else format
        self.name, self.framework = name, framework

    def read(self, data: str | bytes) -> list[Record]:
        """All records."""
        raw = data.encode() if isinstance(data, str) else data
        assert self.format.read is not None
        return list(self.format.read(io.BytesIO(raw), self.name))

    def good(self, data: str | bytes) -> list[Graph]:
        """The graphs; none may be rejected."""
        found = []
        for record in self.read(data):
            assert isinstance(record, ReadGraph), record
            found.append(record.graph)
        return found

    def one(self, data: str | bytes) -> Graph:
        """The only graph."""
        [graph] = self.good(data)
        return graph

    def refused(self, data: str | bytes) -> list[str]:
        """Everything that is wrong with the only record, which keeps its bytes."""
        [record] = self.read(data)
        assert isinstance(record, Rejected), record
        assert record.raw
        assert self.framework in ("", record.framework)
        return [str(problem) for problem in record.problems]

    def data(self, *graphs: Graph) -> bytes:
        """A file of graphs."""
        assert self.format.write is not None
        return b"".join(self.format.write(graphs))

    def written(self, *graphs: Graph) -> str:
        """A file of graphs as text."""
        return self.data(*graphs).decode()

    def problems(self, data: str | bytes) -> list[str]:
        """Everything that is wrong, a line each."""
        return [
            str(problem)
            for record in self.read(data)
            if isinstance(record, Rejected)
            for problem in record.problems
        ]


def lost_of(name: str, *graphs: Graph) -> set[str]:
    """What a file of a format does not say of graphs, in words."""
    lost: set[str] = set()
    for _ in write_with_losses(
        format_named(name), graphs, lambda _, each: lost.update(each)
    ):
        pass
    return lost
