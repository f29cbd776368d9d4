"""Scores of ``a2-evaluate.pl`` on published events and disturbed copies of them.

``bionlp.json`` has what ``a2-evaluate.pl`` of BioNLP-ST 2013 (4f59ff4) says, after
``a2-normalize.pl``, of the files that :func:`disturbed` makes: by corpus, task, options
and class the numbers of gold, found, answers and right answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import graphscore
from graphscore.formats import read_file
from graphscore.formats.base import ReadGraph
from graphscore.formats.discovery import gather
from graphscore.formats.extraction.brat.write import write_halves
from graphscore.metrics.extraction.bionlp import TUPLE_TYPES
from tests.wild import IE, needs_wild

BRAT = IE / "brat"

EXPECTED = json.loads((Path(__file__).parent / "bionlp.json").read_text())

AMOUNTS = ("gold", "matched", "system", "matched_system")

pytestmark = needs_wild


def laid_out(corpus: str, folder: Path) -> None:
    """A corpus as files of what is given, what is found, and texts."""
    records = (
        each for path in gather(str(BRAT / corpus)).paths for each in read_file(path)
    )
    graphs = (each.graph for each in records if isinstance(each, ReadGraph))
    for name, data in write_halves(graphs):
        (folder / name).write_bytes(data)


def disturbed(lines: list[str], text: str) -> Iterator[str]:
    """What a system might have found in place of some lines."""
    places: dict[str, list[str]] = {}
    named = {
        role.split(":")[1] for each in lines for role in each.split()[2:] if ":" in role
    }
    bounds = [each for each in lines if each.startswith("T")]
    for number, line in enumerate(bounds):
        name, said, _ = line.split("\t")
        label, start, end = said.split()
        a, b = int(start), int(end)
        if number % 3 == 1 and (word := re.search(r"\S+\s*$", text[:a])):
            a = word.start()
        elif number % 5 == 2 and (word := re.match(r"\s*\S+", text[b:])):
            b += word.end()
        elif number % 7 == 3 and b - a > 3:
            b -= 1
        places[name] = [label, str(a), str(b), text[a:b].replace("\n", " ")]
    events = [each for each in lines if each.startswith("E")]
    more: list[str] = []
    for number, line in enumerate(events):
        name, said = line.split("\t")
        (label, trigger), *arguments = (each.split(":") for each in said.split())
        if number % 11 == 5 and name not in named:
            continue
        if number % 5 == 3 and len(arguments) > 1 and arguments[-1][0] == "Cause":
            arguments.pop()
        if number % 7 == 2:
            label = "Regulation" if "egulation" in label else "Transcription"
            places[f"T9{number:03}"] = [label, *places[trigger][1:]]
            trigger = f"T9{number:03}"
        roles = " ".join(f"{role}:{to}" for role, to in arguments)
        more.append(f"{name}\t{label}:{trigger} {roles}")
        if number % 9 == 4:
            places[f"T8{number:03}"] = [label, *places[trigger][1:]]
            more.append(f"E8{number:03}\t{label}:T8{number:03} {roles}")
        if number % 13 == 6:
            more.append(f"E7{number:03}\t{label}:{trigger} {roles}")
    for name, (label, start, end, words) in places.items():
        yield f"{name}\t{label} {start} {end}\t{words}"
    yield from more
    kept = {each.split("\t")[0] for each in more}
    said = [each for each in lines if each.startswith("M")]
    for number, line in enumerate(said):
        if number % 4 != 1 and line.split()[-1] in kept:
            yield line


def made(corpus: str, folder: Path) -> tuple[str, str]:
    """Gold and a system, which does not repeat what is given."""
    gold, system = folder / "gold", folder / "system"
    for each in (gold, system):
        each.mkdir()
    laid_out(corpus, gold)
    for path in sorted(gold.glob("*.a2")):
        text = path.with_suffix(".txt").read_text(encoding="utf-8")
        lines = path.read_text(encoding="utf-8").splitlines()
        found = "".join(f"{line}\n" for line in disturbed(lines, text))
        (system / path.name).write_text(found, encoding="utf-8")
    return str(gold), str(system)


@pytest.mark.parametrize("corpus", EXPECTED)
def test_counts_are_those_of_the_program(corpus: str, tmp_path: Path) -> None:
    gold, system = made(corpus, tmp_path)
    for task, tuple_types in EXPECTED[corpus].items():
        found = graphscore.score(gold, system, f"bionlp(task={task})")
        assert not found.rejected
        numbers = found.scores.numbers
        assert set(tuple_types) == set(TUPLE_TYPES)
        for tuple_type, classes in tuple_types.items():
            assert classes
            for label, amounts in classes.items():
                mine = [
                    numbers.get(f"{tuple_type}.{label}.{each}", 0) for each in AMOUNTS
                ]
                assert mine == amounts, (task, tuple_type, label)


@pytest.mark.parametrize("corpus", EXPECTED)
def test_two_files_are_written_as_they_were(corpus: str, tmp_path: Path) -> None:
    once, again = tmp_path / "once", tmp_path / "again"
    for each in (once, again):
        each.mkdir()
    laid_out(corpus, once)
    records = (each for path in gather(str(once)).paths for each in read_file(path))
    for name, data in write_halves(
        r.graph for r in records if isinstance(r, ReadGraph)
    ):
        (again / name).write_bytes(data)
    for path in once.iterdir():
        assert said(again / path.name) == said(path)
        source = BRAT / corpus / path.name
        if source.exists():
            assert said(path) == said(source)


def said(path: Path) -> list[str]:
    """The lines of a file, modifications without their ids."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return sorted(re.sub(r"^M\d+", "M", line) for line in lines)
