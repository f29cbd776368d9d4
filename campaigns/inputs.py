"""Damaged files through everything that is done with files.

``python -m campaigns.inputs --seed 1 --cases 1000``, or ``--seconds 120``.  Every case
is one file that was mutated.  It is read as what it was and as what it looks like; what
can be read is checked, scored against the file it was made from by the metric of its
framework and by others, put into a store and scored again there, written in every
format that holds it, analysed and shown.  All of that succeeds or is a clear error.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import monotonic

from campaigns.findings import Findings, UnclearError, asked_more
from campaigns.mutation import mutated
from campaigns.seeds import SMALL, Seed, found_files, interchanged, samples
from graphscore.analysis.collection import Collection
from graphscore.errors import GraphscoreError, InputError, Problem
from graphscore.evaluation.api import score
from graphscore.evaluation.notebook import ShownResult
from graphscore.evaluation.options import Options
from graphscore.evaluation.stored import Store
from graphscore.formats import Read, Reading, formats, read_file, write_graphs
from graphscore.formats.base import Rejected
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import homes
from graphscore.model.graph import Graph
from graphscore.report.sidebyside import Comparison
from graphscore.report.tables import score_tables
from graphscore.report.text import render
from graphscore.validation import validate

MOST_GRAPHS = 3
"""So many graphs of a file are written in every format."""


class Case:
    """One mutated file, and what is done with it.

    Args:
        seed: the file as it was.
        which: the name of the file that is another.
        gold: path of the file as it was.
        folder: where the other one is written.
        number: seeds the choices of what is done.
        steps: how often each thing is done with a file once it has been read.
        only: those that are done: scored, swapped, stored, written, analysed; all if
            empty.
    """

    def __init__(
        self,
        seed: Seed,
        which: str,
        gold: str,
        folder: Path,
        number: int,
        steps: float = 1.0,
        only: tuple[str, ...] = (),
    ) -> None:
        self.seed, self.which, self.gold, self.folder = seed, which, gold, folder
        self.number, self.steps, self.only = number, steps, only
        self.framework: str | None = None
        format = format_named(seed.format)
        if format.unsaid:
            self.framework = format.frameworks[0] if format.frameworks else "dm"
        self.reading = Reading(format=seed.format, framework=self.framework)

    def attack(self, data: bytes) -> None:
        """Do everything with the file that has these bytes.

        Raises:
            GraphscoreError: where a step refuses its input; the others go on.
            UnclearError: where that does not say what it must.
        """
        chance = Random(self.number)
        path = self.seed.written(self.folder, data, self.which)
        graphs = self._read(path, self.reading)
        try:
            guessed = self._read(path, Reading(framework=self.framework))
        except GraphscoreError:
            guessed = []
        if not graphs:
            graphs = guessed
        for graph in graphs:
            validate(graph, path, 1)
        steps: dict[str, Callable[[], object]] = {
            "scored": lambda: self._scored(path, chance, swapped=False),
            "swapped": lambda: self._scored(path, chance, swapped=True),
            "stored": lambda: self._stored(path),
            "written": lambda: self._written(graphs),
            "analysed": lambda: self._analysed(graphs),
        }
        # What cannot be read at all needs no more than to be refused everywhere.
        often = self.steps if graphs else self.steps / 4
        for name in self.only or steps:
            if chance.random() < often:
                try:
                    steps[name]()
                except GraphscoreError as error:
                    self._clear(error)

    def _clear(self, error: GraphscoreError) -> None:
        """Hold an error to what all must say."""
        if not str(error).strip():
            raise UnclearError("empty message") from error
        if isinstance(error, InputError):
            for problem in error.problems:
                self._placed(problem, whole=True)

    def _placed(self, problem: Problem, whole: bool = False) -> None:
        """Hold what is wrong to saying where it is and what it is."""
        if not problem.file or not problem.found:
            raise UnclearError(f"no file or nothing found: {problem}")
        # What is missing beside a file, or in one there, has no line.
        beside = not problem.file.endswith(self.seed.name)
        whole = whole or beside or "beside" in problem.found
        if problem.line is None and not whole:
            raise UnclearError(f"no line ({self.seed.format}): {problem}")

    def _read(self, path: str, reading: Reading) -> list[Graph]:
        found = []
        try:
            for record in read_file(path, reading):
                if isinstance(record, Rejected):
                    if not record.problems:
                        raise UnclearError("rejected without a problem")
                    for problem in record.problems:
                        self._placed(problem)
                else:
                    record.graph.digest()
                    found.append(record.graph)
        except InputError as error:
            self._clear(error)
        return found

    def _scored(self, path: str, chance: Random, swapped: bool) -> None:
        sides = (path, self.gold) if swapped else (self.gold, path)
        options = Options(per_item=True, details=True, reading=self.reading)
        unfit = chance.sample(sorted(homes()), 2)
        for metric in (None, *unfit):
            try:
                found = score(*sides, metric, options=options)
            except GraphscoreError as error:
                self._clear(error)
                continue
            for result in found if isinstance(found, list) else [found]:
                by = ("framework", "document")
                tables = score_tables([result], by, per_item=True, verbose=True)
                if chance.random() < 0.2:
                    render(tables)
                if isinstance(result, ShownResult):
                    result._repr_html_()
                json.dumps(result.to_dict(per_item=True))

    def _stored(self, path: str) -> None:
        with Store("sqlite://", mode="create") as store:
            store.ingest(self.gold, "gold", reading=self.reading)
            store.ingest(path, "system", reading=self.reading, keep_going=True)
            for _ in range(2):
                results = store.score("gold", "system")
            store.errors(gold="gold", system="system", top=5)
            store.confusions(gold="gold", system="system", top=5)
            store.item_scores(gold="gold", system="system")
            metric = results[0].metric
            for graph in [*store.graphs("gold")][:1]:
                one, two, outcome = store.pair(
                    "gold", "system", graph.id, metric, graph.framework
                )
                shown = Comparison(one, two, metric, outcome)
                render(shown.tables())
                json.dumps(shown.to_dict())

    def _written(self, graphs: list[Graph]) -> None:
        for each in formats().values():
            given = [
                graph
                for graph in graphs
                if not each.frameworks or graph.framework in each.frameworks
            ][:MOST_GRAPHS]
            if each.write is None or not given:
                continue
            try:
                written = b"".join(write_graphs(given, each.name))
            except GraphscoreError as error:
                self._clear(error)
                continue
            if each.read is not None:
                for record in each.read(io.BytesIO(written), "written"):
                    assert isinstance(record, Read | Rejected)

    def _analysed(self, graphs: list[Graph]) -> None:
        by_framework: dict[str, Collection] = {}
        for graph in graphs[:20]:
            name = graph.framework
            by_framework.setdefault(name, Collection(name)).add(graph)
        for each in by_framework.values():
            json.dumps(each.to_dict())


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
    names: tuple[str, ...] = (),
    steps: float = 1.0,
    told: Callable[[Findings], object] | None = None,
    only: tuple[str, ...] = (),
) -> Findings:
    """A campaign.

    Args:
        seed: all that happens follows from it and the number of a case.
        cases: how many inputs; without end if none.
        seconds: how long; without end if none.
        folder: where findings are written.
        names: only files of these formats.
        steps: how often each thing is done with what can be read.
        told: is told the findings so far, every thousand cases.
        only: what is done; all if empty, see :class:`Case`.

    Returns:
        What was found.
    """
    findings = Findings(folder)
    known = samples()
    known += interchanged(known) + found_files(Random(seed))
    seeds = [each for each in known if not names or each.format in names]
    small = [each for each in seeds if len(each.data) <= 3 * SMALL] or seeds
    end = None if seconds is None else monotonic() + seconds
    with tempfile.TemporaryDirectory() as place:
        gold = Path(place, "gold")
        paths = {id(s): s.written(gold / str(n)) for n, s in enumerate(seeds)}
        while cases is None or findings.cases < cases:
            if end is not None and monotonic() > end:
                break
            # A case is the same whichever were before it.
            chance = Random(f"{seed}/{findings.cases}")
            format = chance.choice(sorted({each.format for each in seeds}))
            one = chance.choice([s for s in small if s.format == format] or seeds)
            which = chance.choice(sorted(one.files))
            other = chance.choice(small if chance.random() < 0.5 else [one])
            data, how = mutated(one.files[which], chance, other.data)
            folder_of_case = Path(place, "case")
            number = chance.randrange(1 << 30)
            case = Case(one, which, paths[id(one)], folder_of_case, number, steps, only)
            error = findings.attempt(lambda c=case, d=data: c.attack(d))  # type: ignore[misc]
            if error is not None:
                about = f"{one.format} {which} seed {seed} case {findings.cases}: {how}"

                def again(smaller: bytes, held: Case = case) -> BaseException | None:
                    return findings.attempt(lambda: held.attack(smaller))

                findings.note(error, about, data, again)
            findings.cases += 1
            if told is not None and findings.cases % 1_000 == 0:
                told(findings)
    return findings


def main() -> None:
    """Run the campaign as the command line asks."""

    def tell(found: Findings) -> None:
        print(found.summary(), file=sys.stderr, flush=True)

    def options(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--format", action="append", default=[])
        parser.add_argument("--steps", type=float, default=1.0, help="how often each")
        parser.add_argument(
            "--only", action="append", default=[], help="such as written"
        )
        parser.add_argument("-v", "--verbose", action="store_true")

    asked_more(
        __doc__,
        lambda seed, cases, seconds, folder, given: run(
            seed,
            cases,
            seconds,
            folder,
            tuple(given.format),
            given.steps,
            tell if given.verbose else None,
            tuple(given.only),
        ),
        options,
    )


if __name__ == "__main__":
    main()
