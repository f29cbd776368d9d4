"""Writing what most annotators say: ``agree --vote``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from graphscore.cli.converting import (
    STDOUT,
    Graphs,
    is_folder,
    output_format,
    target_path,
)
from graphscore.errors import UsageError, amount

if TYPE_CHECKING:
    from graphscore.cli.converting import Inputs
    from graphscore.cli.output import Output
    from graphscore.formats import Format
    from graphscore.model.graph import Graph
    from graphscore.statistics.agreement.voted import Vote


class Ballot(NamedTuple):
    """Where a vote goes.

    Args:
        out: the file or folder, as it was typed.
        to: its format; empty where its ending or the annotators' files say it.
        force: whether what is there is replaced.
    """

    out: str
    to: str | None
    force: bool

    def check(self) -> None:
        """Raise at once if nothing can be written there.

        Raises:
            UsageError: for standard output, and where something is there already.
        """
        if self.out == STDOUT:
            raise UsageError("--vote -: standard output has the agreement; name a file")
        target_path(self.out, self.force, self.out.endswith("/"))


class _Elected(Graphs):
    """The graphs of a vote; in a folder by their documents."""

    def __init__(self, graphs: Sequence[Graph], chosen: Format, folder: bool) -> None:
        self.by_path: dict[str, list[Graph]] = {}
        for graph in graphs:
            path = graph.document if folder else ""
            self.by_path.setdefault(path, []).append(graph)
        super().__init__([*self.by_path], chosen)

    def of_file(self, path: str) -> Iterator[Graph]:
        for graph in self.by_path[path]:
            if self.tried(graph, "vote"):
                yield graph

    def _lose(self, graph: Graph, lost: tuple[str, ...]) -> None:
        # Items that have no ids in their files were numbered to find them.
        numbered = graph.id.isdecimal()
        super()._lose(graph, tuple(x for x in lost if x != "ids" or not numbered))


class _Source:
    """What a vote is of: the annotators' files, or the graphs of a store."""

    def __init__(self, graphs: Sequence[Graph], files: Inputs | None) -> None:
        self.graphs, self.files = graphs, files

    def format(self) -> str:
        return "" if self.files is None else self.files.format()

    def framework(self) -> str:
        return self.graphs[0].framework if self.graphs else ""


def write_vote(vote: Vote, asked: Ballot, files: Inputs | None, output: Output) -> None:
    """Write what was voted for, as a whole or not at all.

    Args:
        vote: the vote.
        asked: where it goes.
        files: of the annotators; none in a store.
        output: is told what was written.

    Raises:
        InputError: if the format cannot hold an item; all are named.
        UsageError: if nothing can be written there, or the format is not known.
    """
    from graphscore.formats.source import stem_of

    source = _Source(vote.graphs, files)
    chosen = _format(asked, source)
    folder = is_folder(asked.out, chosen)
    out = target_path(asked.out, asked.force, folder)
    graphs = _Elected(vote.graphs, chosen, folder)
    if files is not None:
        # As for convert: what only a file's name said is not lost with it.
        graphs.named_after_files.update(map(stem_of, files.paths))
    count = graphs.write(out, folder, asked.force, False)
    output.say(f"{asked.out}: {amount(count, 'graph')} as {chosen.name}")
    if graphs.lost:
        output.say(graphs.lost_said())


def _format(asked: Ballot, source: _Source) -> Format:
    """The format of OUT; that of the annotators' files where its ending says none."""
    from graphscore.formats.registry import formats
    from graphscore.formats.source import suffix_of

    own = formats().get(source.format())
    told = any(suffix_of(asked.out) in each.suffixes for each in formats().values())
    if asked.to is None and not told and own is not None and (own.write or own.files):
        return own
    return output_format(asked.out, asked.to, source)
