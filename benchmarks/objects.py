"""What lists in memory cost beside files that say the same.

    python -m benchmarks.objects [--sentences 14000] [--runs 3]

Both sides are made up, seeded.  A ratio is the processor time of scoring lists to that
of scoring files, whole calls of ``graphscore.score``, the least of the runs, which take
turns.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.entities import sentences
from benchmarks.history import begin, record, recorded
from graphscore import Options, score
from graphscore.structures.entities.tags import chunks, tag_of

AMR = "(b / bark-01 :ARG0 (d / dog :mod (b2 / big)) :time (n / night) :polarity -)"

WORDS = ("Dogs", "bark", "at", "night", "and", "cats", "run")


class Case(NamedTuple):
    """The same annotation twice."""

    name: str
    metric: str
    files: tuple[str, str]
    lists: tuple[Any, Any]


def cases(count: int, folder: Path) -> Iterator[Case]:
    """What is scored.

    Args:
        count: sentences of a side.
        folder: where the files are written.
    """
    pairs = sentences(count)
    sides = [list(side) for side in zip(*pairs, strict=True)]
    files = []
    for number, side in enumerate(sides):
        path = folder / f"{number}.iob2"
        rows = ("".join(f"w{k}\t{tag}\n" for k, tag in enumerate(s)) for s in side)
        path.write_text("\n".join(rows))
        files.append(str(path))
    names = files[0], files[1]
    yield Case("tags", "ner", names, (sides[0], sides[1]))
    spans = [[_spans(item) for item in side] for side in sides]
    yield Case("spans", "ner", names, (spans[0], spans[1]))
    trees = [_tree("nsubj"), _tree("obj")]
    texts = [[trees[0]] * count, [trees[k % 2] for k in range(count)]]
    names = _written(folder, "conllu", texts)
    yield Case("CoNLL-U", "las", names, (texts[0], texts[1]))
    few = count // 4
    graphs = [[AMR] * few, [AMR.replace("big", "b" * (k % 9 + 1)) for k in range(few)]]
    names = _written(folder, "amr", graphs)
    yield Case("PENMAN", "smatch", names, (graphs[0], graphs[1]))


def _spans(tags: list[str]) -> list[tuple[str | None, int, int]]:
    read = [tag_of(tag) for tag in tags]
    found = chunks([each for each in read if each])
    return [(each.label, each.first, each.last) for each in found]


def _tree(label: str) -> str:
    rows = [f"1\t{WORDS[0]}\t_\tNOUN\t_\t_\t2\t{label}\t_\t_"]
    rows.append(f"2\t{WORDS[1]}\t_\tVERB\t_\t_\t0\troot\t_\t_")
    for k, word in enumerate(WORDS[2:], 3):
        rows.append(f"{k}\t{word}\t_\tNOUN\t_\t_\t2\tobl\t_\t_")
    return "\n".join(rows) + "\n"


def _written(folder: Path, ending: str, sides: list[list[str]]) -> tuple[str, str]:
    names = []
    for number, side in enumerate(sides):
        path = folder / f"{number}.{ending}"
        path.write_text("\n".join(text.rstrip("\n") + "\n" for text in side))
        names.append(str(path))
    return names[0], names[1]


def taken(work: Callable[[], object]) -> float:
    """Processor seconds of some work.

    Args:
        work: what is done.
    """
    start = time.process_time()
    work()
    return time.process_time() - start


@recorded
def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=14_000)
    parser.add_argument("--runs", type=int, default=3)
    given = begin(parser)
    print("| what | items | file s | list s | ratio |\n|---|---|---|---|---|")
    options = Options()
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(given.sentences, Path(folder)):
            one = score(*case.files, case.metric, options=options)
            two = score(*case.lists, case.metric, options=options)
            if one.counts != two.counts:
                raise SystemExit(f"{case.name}: {one.counts} in files, {two.counts}")
            times = [
                (
                    taken(lambda: score(*case.files, case.metric, options=options)),  # noqa: B023
                    taken(lambda: score(*case.lists, case.metric, options=options)),  # noqa: B023
                )
                for _ in range(given.runs)
            ]
            file, held = (min(column) for column in zip(*times, strict=True))
            items = len(case.lists[0])
            record(f"{case.name}, files", file, "s")
            record(f"{case.name}, lists", held, "s")
            print(
                f"| {case.name} | {items:,} | {file:.2f} | {held:.2f} | "
                f"{held / file:.2f} |"
            )


if __name__ == "__main__":
    main()
