"""What a format makes of a few lines: records, graphs, or what is wrong."""

from __future__ import annotations

import io

from graphscore.formats.base import Format, ReadGraph, Record, Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_with_losses
from graphscore.model.graph import Graph


class FormatReader:
    """Reads text under a name.

    Args:
        format: what it is read as.
        name: what the file is called in messages.
    """

    def __init__(self, format: Format, name: str) -> None:
        self.format, self.name = format, name

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
