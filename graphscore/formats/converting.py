"""Graphs written to a file or folder as a whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from graphscore.exceptions import (
    GraphscoreError,
    InputError,
    Problems,
    UsageError,
    did_you_mean,
)

if TYPE_CHECKING:
    from graphscore.exceptions import Problem
    from graphscore.formats import Format, ReaderOptions
    from graphscore.model.graph import Graph

STDOUT = "-"


class Inputs:
    """The files that are read; streams among them once, though looked into before.

    Args:
        sources: as they were named.
        rules: how they are read.
        say: is told of files that are left alone.
    """

    def __init__(
        self, sources: Sequence[str], rules: ReaderOptions, say: Callable[[str], None]
    ) -> None:
        from graphscore.formats.base import Notes
        from graphscore.formats.discovery import gather
        from graphscore.formats.streams import refuse_repeated

        refuse_repeated(sources)
        self.named, self.rules = ", ".join(sources), rules
        self.paths: list[str] = []
        self.numbers: list[int] = []
        """Index of the source of each path."""
        self.problems, self.notes, self.rejected = Problems(), Notes(), 0
        """Problems, notes and number of rejected records of :meth:`graphs`."""
        for number, source in enumerate(sources):
            gathered = gather(source, self.rules.format)
            self.paths += gathered.paths
            self.numbers += [number] * len(gathered.paths)
            if gathered.left:
                say(gathered.left)

    def graphs(self) -> Iterator[tuple[int, Graph]]:
        """Yield all graphs with the number of their source; keep what is wrong."""
        from graphscore.formats import Rejected, read_file

        for number, path in zip(self.numbers, self.paths, strict=True):
            for record in read_file(path, self.rules):
                if isinstance(record, Rejected) and record.aside:
                    self.notes.add(record.note)
                elif isinstance(record, Rejected):
                    self.rejected += 1
                    self.problems.extend(record.problems)
                else:
                    self.problems.extend(record.left_out)
                    yield number, record.graph

    def format(self) -> str:
        """The format of the first file."""
        from graphscore.formats import format_of

        return format_of(self.paths[0], self.rules).name

    def framework(self) -> str:
        """The framework of the first graph; empty where there is none."""
        from graphscore.formats import ReadGraph, read_file

        records = read_file(self.paths[0], self.rules)
        return next(
            (r.graph.framework for r in records if isinstance(r, ReadGraph)), ""
        )


def output_format(target: str, to: str | None, inputs: Inputs) -> Format:
    """The format of OUT: the one that is named, or the one its ending is first for.

    A folder whose name has no ending that says anything gets what goes in.
    """
    from graphscore.formats.registry import format_named, formats
    from graphscore.formats.source import suffix_of

    written = {
        n: format for n, format in formats().items() if format.write or format.files
    }
    names = ", ".join(written)
    if to is not None:
        chosen = format_named(to)
        if chosen.name not in written:
            raise UsageError(
                f"the format {to} can be read but not written; "
                f"these can be written: {names}"
            )
        return chosen
    if target == STDOUT:
        raise UsageError(f"- has no ending: name the format with --to: {names}")
    suffix = suffix_of(target)
    fitting = [format for format in written.values() if suffix in format.suffixes]
    into = target.endswith("/") or Path(target).is_dir()
    if fitting and into:
        # A folder may be called anything, and so end like a file by chance.
        fitting = _formats_for(fitting, inputs.framework())
    own = written.get(inputs.format()) if fitting and not into else None
    if own is not None and own.single and own not in fitting:
        framework = inputs.framework()
        if not _formats_for(fitting, framework):
            raise UsageError(
                f"{target} ends like a file of {fitting[0].name}, which cannot hold "
                f"{framework}; name {target}/ for a folder of {own.name}, or another "
                "format with --to"
            )
    if not fitting and (own := written.get(inputs.format())) and (into or own.single):
        return own
    if not fitting:
        raise UsageError(
            f"{target}: no format that can be written ends in {suffix or 'nothing'!r}; "
            f"name it with --to: {names}"
        )
    fitting.sort(key=lambda format: format.suffixes.index(suffix))
    best = fitting[0].suffixes.index(suffix)
    equal = [format for format in fitting if format.suffixes.index(suffix) == best]
    if len(equal) > 1:
        # What goes in decides: its own format, or what alone can hold it.
        name = inputs.format()
        framework = (
            "" if name in {format.name for format in equal} else inputs.framework()
        )
        equal = [
            format
            for format in equal
            if format.name == name or (framework and framework in format.frameworks)
        ] or equal
    if len(equal) > 1:
        both = " and ".join(format.name for format in equal)
        raise UsageError(f"{target}: files of {both} end like this; name one with --to")
    return equal[0]


def _formats_for(fitting: list[Format], framework: str) -> list[Format]:
    """The formats that can hold a framework."""
    return [
        format
        for format in fitting
        if not format.frameworks or framework in format.frameworks
    ]


def is_folder(target: str, chosen: Format) -> bool:
    """Return whether OUT is a folder: by existing, by its form, or by need."""
    from graphscore.formats.source import suffix_of

    if target == STDOUT:
        if chosen.files is not None:
            raise UsageError(
                f"a document of {chosen.name} fills several files: "
                "name a file or folder as OUT"
            )
        return chosen.single
    if target.endswith("/") or Path(target).is_dir():
        return True
    several = chosen.single or chosen.files is not None
    return several and suffix_of(target) not in chosen.suffixes


def target_path(target: str, force: bool, folder: bool) -> Path | None:
    """Return the path to write, links followed; ``None`` is standard output.

    Raises:
        UsageError: if something is there already, or nothing can be.
    """
    if target == STDOUT:
        return None
    from graphscore.files import resolve_target, writing

    with writing(target):
        path = resolve_target(target)
    if path.suffix == ".zip" and not folder:
        raise UsageError(f"{target}: zip files are not written; use .gz, .bz2 or .xz")
    if path.is_dir():
        if any(path.iterdir()) and not force:
            raise UsageError(f"{target} is not empty; --force writes into it")
    elif path.exists():
        if folder:
            raise UsageError(f"{target} exists and is not a folder")
        if not path.is_file():
            raise UsageError(f"{target} is not a file; - is standard output")
        if not force:
            raise UsageError(f"{target} exists; --force overwrites it")
    elif not path.parent.is_dir():
        raise UsageError(f"{target}: no directory {path.parent}")
    return path


class Converted:
    """The graphs of IN that OUT can hold, by file; what is wrong with others is kept.

    Args:
        inputs: where they are read.
        chosen: the format of OUT.
        frameworks: the frameworks that are written; none means all.
        items: the ids of items that are written; none means all.
    """

    def __init__(
        self,
        inputs: Inputs,
        chosen: Format,
        frameworks: frozenset[str],
        items: frozenset[str] = frozenset(),
    ) -> None:
        from graphscore.formats.round_trip import Losses

        self.inputs, self.frameworks, self.items = inputs, frameworks, items
        self.paths, self.chosen = inputs.paths, chosen
        self.problems = Problems()
        self.bad = 0
        self.lost = Losses(chosen.name)
        """Parts of graphs that are not written."""
        self.named_after_files: set[str] = set()
        """Documents of which the next file that is read says as much."""
        self.present: set[str] = set()
        self.names: set[str] = set()

    def __iter__(self) -> Iterator[Graph]:
        for path in self.paths:
            yield from self.of_file(path)

    def of_file(self, path: str) -> Iterator[Graph]:
        """Those of one file."""
        from graphscore.formats import Rejected, read_file
        from graphscore.formats.document_rules import document_of
        from graphscore.formats.source import shown

        for record in read_file(path, self.inputs.rules):
            header = record if isinstance(record, Rejected) else record.graph
            framework = header.framework
            self.present.add(framework)
            # Of what is broken it may not be known what it would have been.
            if self.frameworks and framework and framework not in self.frameworks:
                continue
            item = record.item if isinstance(record, Rejected) else record.graph.id
            self.names.add(item)
            if self.items and item and item not in self.items:
                continue
            if isinstance(record, Rejected):
                if record.aside:
                    self.lost.add([record.aside])
                    continue
                self.problems.extend(record.problems)
                self.bad += 1
                continue
            if self.tried(record.graph, shown(path), record.line):
                self.named_after_files.add(
                    document_of(record.graph.id, "", path, self.inputs.rules.document)
                )
                self.problems.extend(record.left_out)
                yield record.graph

    def tried(self, graph: Graph, path: str, line: int | None = None) -> bool:
        """Return whether a graph can be written; if not, record the reason.

        Args:
            graph: any graph.
            path: the file that it is from, as people call it.
            line: where it stands there.
        """
        problem = self._unwritable(graph, path, line)
        if problem is not None:
            self.problems.add(problem)
            self.bad += 1
        elif self.chosen.lost is not None:
            self.lost.add(self.chosen.lost(graph))
        return problem is None

    def documents(self) -> Iterator[tuple[str, list[Graph]]]:
        """Graphs of one item and text that follow one another, with their file."""
        for path in self.paths:
            for _, layers in groupby(
                self.of_file(path), lambda graph: (graph.id, graph.language, graph.text)
            ):
                yield path, [*layers]

    def files_of(self, path: str, document: list[Graph]) -> list[tuple[str, bytes]]:
        """The files of a document; none, and a problem, if it cannot be written."""
        from graphscore.exceptions import Problem
        from graphscore.formats.source import shown

        assert self.chosen.files is not None
        try:
            return [*self.chosen.files(document)]
        except GraphscoreError as error:
            found = f"what {self.chosen.name} cannot hold ({error})"
            where = f"item {document[0].id}"
            self.problems.add(Problem(shown(path), None, None, where, found, ""))
            self.bad += len(document)
            return []

    def _unwritable(self, graph: Graph, file: str, line: int | None) -> Problem | None:
        """Why the format cannot hold a graph; each is tried, so that all are named."""
        from graphscore.exceptions import Problem

        allowed = self.chosen.frameworks
        where = f"item {graph.id}"
        replaces = self.chosen.unsaid and graph.framework == self.inputs.rules.framework
        if allowed and graph.framework not in allowed and not replaces:
            result = f"framework {graph.framework!r}"
            return Problem(file, line, None, where, result, " or ".join(allowed))
        if graph.framework in self.chosen.dependent:
            return None  # it is tried where it stands, when all are written
        if self.chosen.write is None:
            return None  # a document is tried as a whole
        try:
            for _ in self.chosen.write([graph]):
                pass
        except GraphscoreError as error:
            result = f"what {self.chosen.name} cannot hold ({error})"
            return Problem(file, line, None, where, result, "")
        return None

    def pieces(self, graphs: Iterable[Graph]) -> Iterator[bytes]:
        """The bytes of a file of these graphs; what is not in it is counted."""
        from graphscore.formats.round_trip import write_with_losses

        assert self.chosen.write is not None
        return write_with_losses(self.chosen, graphs, self._lose)

    def _lose(self, graph: Graph, lost: tuple[str, ...]) -> None:
        if self.chosen.lost is None:
            named = graph.document in self.named_after_files
            self.lost.add(loss for loss in lost if loss != "documents" or not named)

    def write(
        self, out: Path | None, folder: bool, force: bool, keep_going: bool
    ) -> int:
        """Write all graphs, or nothing; gives their number.

        Args:
            out: a file or folder; ``None`` is standard output.
            folder: whether it is a folder.
            force: whether files that are there already are replaced.
            keep_going: whether good graphs are written although others are bad.

        Raises:
            InputError: naming all bad graphs.
            UsageError: if only frameworks were wanted that are not there, or *out*
                cannot hold so many graphs.
        """
        if self.chosen.files is not None:
            return _write_documents(self, self.chosen, out, folder, force, keep_going)
        write = _write_folder if folder else _write
        return write(self, self.chosen, out, keep_going)

    def check(self, keep_going: bool) -> None:
        """Stop if there are bad records and none may be.

        Raises:
            GraphscoreError: if a wanted item is not there.
            InputError: naming all bad records.
            UsageError: if only frameworks were wanted that are not there.
        """
        if self.frameworks and not self.frameworks & self.present:
            requested, present = (
                ", ".join(sorted(x)) for x in (self.frameworks, self.present)
            )
            raise UsageError(
                f"--framework {requested}: {self.inputs.named} has {present}"
            )
        for item in sorted(self.items - self.names):
            near = did_you_mean(item, sorted(self.names))
            raise GraphscoreError(f"no item {item!r} in {self.inputs.named}{near}")
        if not self.problems or keep_going:
            return
        held = self.chosen.frameworks
        if held and self.present and self.present.isdisjoint(held):
            present, known = (
                ", ".join(sorted(names)) for names in (self.present, held)
            )
            raise GraphscoreError(
                f"nothing to write: {self.inputs.named} has graphs of {present}, and "
                f"{self.chosen.name} holds {known}"
            )
        raise InputError(
            self.problems, "nothing written; --keep-going writes the good records"
        )


def _write(
    graphs: Converted, chosen: Format, out: Path | None, keep_going: bool
) -> int:
    """Write all graphs, or nothing; gives their number."""
    from graphscore.files import replacing, to_stdout

    assert chosen.write is not None
    count = 0

    def counted() -> Iterator[Graph]:
        nonlocal count
        for graph in graphs:
            count += 1
            yield graph

    with to_stdout() if out is None else replacing(out) as write:
        for piece in graphs.pieces(counted()):
            write(piece)
        graphs.check(keep_going)
    return count


def _write_folder(
    graphs: Converted, chosen: Format, out: Path | None, keep_going: bool
) -> int:
    """A file for each file that is read; where one holds one graph, for each graph."""
    from graphscore.files import replacing_all, to_stdout
    from graphscore.formats.source import stem_of

    assert chosen.write is not None
    pieces: dict[str, bytes] = {}
    count = 0

    def put(name: str, batch: list[Graph], what: str) -> None:
        nonlocal count
        file = _file_name(name) + chosen.suffixes[0]
        if file in pieces:
            raise GraphscoreError(
                f"two {what}s would be written to {file}: {name!r} is the second"
            )
        assert chosen.write is not None
        count += len(batch)
        pieces[file] = b"".join(graphs.pieces(batch))

    if chosen.single:
        for number, graph in enumerate(graphs):
            name = graph.id or str(number)
            # Of a format of any graph an item may have several.
            name += "" if chosen.frameworks else f".{graph.framework}"
            put(name, [graph], "item")
    else:
        for path in graphs.paths:
            put(
                "stdin" if path == "-" else stem_of(path),
                [*graphs.of_file(path)],
                "file",
            )
    graphs.check(keep_going)
    if out is None:
        if len(pieces) > 1:
            raise UsageError(
                f"{len(pieces)} graphs, but a file of {chosen.name} holds one: "
                "name a folder as OUT"
            )
        with to_stdout() as write:
            for piece in pieces.values():
                write(piece)
    else:
        replacing_all(out, pieces)
    return count


def _write_documents(
    graphs: Converted,
    chosen: Format,
    out: Path | None,
    folder: bool,
    force: bool,
    keep_going: bool,
) -> int:
    """The files of each document, into a folder; those of one beside each other."""
    from graphscore.files import replacing_all
    from graphscore.formats.source import stem_of, suffix_of

    assert out is not None
    pieces: dict[str, bytes] = {}
    count = documents = 0
    for path, document in graphs.documents():
        files = graphs.files_of(path, document)
        for name, content in files:
            suffix = suffix_of(name)
            # The id may have slashes, which are no folders.
            own = _file_name(name.removesuffix(suffix))
            file = (own if folder else stem_of(out.name)) + suffix
            if folder and file in pieces:
                raise GraphscoreError(
                    f"two items would be written to {file}: "
                    f"{document[0].id!r} is the second"
                )
            pieces[file] = content
        documents += bool(files)
        count += len(document) if files else 0
    graphs.check(keep_going)
    if folder:
        replacing_all(out, pieces)
        return count
    if documents > 1:
        raise UsageError(f"{documents} documents: name a folder as OUT")
    if out.name not in pieces and pieces:
        expected = f"{stem_of(out.name)}{chosen.suffixes[0]}"
        raise UsageError(f"{out.name} cannot be written, but {expected} can")
    taken = [name for name in pieces if (out.parent / name).exists() and not force]
    if taken:
        raise UsageError(f"{taken[0]} exists; --force overwrites it")
    replacing_all(out.parent, pieces)
    return count


def _file_name(item: str) -> str:
    """An id as the name of a file: what folders are made of is not let through."""
    kept = "".join(c if c.isalnum() or c in "._-" else "_" for c in item)
    return kept.lstrip(".") or "_"
