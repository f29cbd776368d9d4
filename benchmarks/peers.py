"""Whole commands beside those that people would run instead: files to a score.

    python -m benchmarks.peers [--peers PYTHON] [--sizes 1 500 5000] [--only amr ner]
        [--program "coreference:scorer.pl=perl scorer.pl all {gold} {system} none"]

Each command is a process of its own, start-up included: seconds of the processor (the
least of a few runs), seconds by the clock, peak memory and what it prints as score, and
how many times as long as graphscore it takes.  Peers of the extra ``[bench]`` are
looked for beside the Python that is named; libraries without a command read the same
files in a few lines.  Programs of other places are named with ``--program``, for the
files of a work.  What is not there is said and left out, and so is, at greater sizes,
what took longer than the cap.  Sizes are sentences, of coreference tens of documents.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from shlex import split
from typing import NamedTuple

from benchmarks.corpus import (
    MRP,
    PAIRS,
    conll2012_tables,
    disturbed_document,
    documents,
    graphs,
    sentences,
    tag_column,
    variations,
)
from benchmarks.history import begin, record, recorded
from graphscore.formats import write_graphs

RUNS, ENOUGH = 3, 20.0
"""So many runs, but no more once they have taken so many seconds."""

TAGS = """
import sys
def read(path):
    with open(path) as file:
        blocks = file.read().split("\\n\\n")
    return [[line.split("\\t")[1] for line in block.split("\\n")] for block in blocks]
gold, system = map(read, sys.argv[1:])
"""
"""Reads columns of tags, for libraries without a command."""

SEQEVAL = f"""{TAGS}
from seqeval.metrics import f1_score
print(f1_score(gold, system))
"""

NERVALUATE = f"""{TAGS}
from nervaluate.evaluator import Evaluator
types = sorted({{tag[2:] for tags in gold for tag in tags}} - {{""}})
found = Evaluator(gold, system, types, loader="list").evaluate()
print(found["overall"]["strict"].f1)
"""

DECODING = """
import sys, msgspec
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        for line in file:
            msgspec.json.decode(line)
"""
"""The floor of reading MRP: the same lines as dictionaries."""


LAUNCHER = """
import json, os, signal, sys, time
place, cap, *words = sys.argv[1:]
start = time.perf_counter()
child = os.fork()
if not child:
    try:
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"{words[0]}: {error.strerror}".encode())
        os._exit(127)
signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
signal.setitimer(signal.ITIMER_REAL, float(cap))
_, status, usage = os.wait4(child, 0)
used = {"status": status, "seconds": time.perf_counter() - start}
used["processor"] = usage.ru_utime + usage.ru_stime
used["memory"] = usage.ru_maxrss / 1024
with open(place, "w") as file:
    json.dump(used, file)
"""
"""Starts a command and says what it used.

The peak that the system tells of a process has that of the one that started it, which
therefore has to be small.
"""


class Program(NamedTuple):
    """A command that scores two files.

    Attributes:
        name: what it is called.
        words: its words; ``{gold}``, ``{system}`` and ``{bin}`` are filled in.
        score: a regular expression for the score that it prints, if it is read.
    """

    name: str
    words: Sequence[str]
    score: str = ""


Files = tuple[Path, Path]


class Work(NamedTuple):
    """What is scored.

    Attributes:
        write: writes gold and system files of a size into a folder.
        metrics: of graphscore; the score of the last one is shown.
        others: who does the same.
    """

    write: Callable[[Path, int], Files]
    metrics: str
    others: tuple[Program, ...]


class Ran(NamedTuple):
    """One run of a command."""

    processor: float
    """Seconds of all its processes."""
    seconds: float
    memory: float
    """Its peak, in MiB."""
    output: str


def both(folder: Path, ending: str, sides: Iterable[bytes]) -> Files:
    """Write two files."""
    gold, system = folder / f"gold{ending}", folder / f"system{ending}"
    for path, data in zip((gold, system), sides, strict=True):
        path.write_bytes(data)
    return gold, system


def tags(folder: Path, size: int) -> Files:
    """Made-up sentences with entities, in columns."""
    made = zip(*sentences(size), strict=True)
    return both(folder, ".iob2", (tag_column(side).rstrip(b"\n") for side in made))


def coreference(folder: Path, size: int) -> Files:
    """Made-up documents of 60 mentions, one for ten of the size."""
    gold = list(documents(max(1, size // 10), 60))
    made = gold, map(disturbed_document, gold)
    return both(folder, ".conll", (b"".join(conll2012_tables(side)) for side in made))


def varied(data: Path, ending: str, format: str) -> Callable[[Path, int], Files]:
    """Variations of the graphs of a file, written in a format."""

    def write(folder: Path, size: int) -> Files:
        originals = graphs(data)
        made = (variations(originals, size, 1, 0.0), variations(originals, size, 2))
        sides = (b"".join(write_graphs(list(side), format)) for side in made)
        return both(folder, ending, sides)

    return write


def repeated(sources: Files, ending: str, ids: str) -> Callable[[Path, int], Files]:
    """Blocks of two files, again and again with other ids.

    Args:
        sources: gold and system.
        ending: of the names of what is written.
        ids: a regular expression for the lines of ids.
    """

    def write(folder: Path, size: int) -> Files:
        sides = []
        for source in sources:
            blocks = source.read_text(encoding="utf-8").strip("\n").split("\n\n")
            made = []
            for number in range(size):
                turn, place = divmod(number, len(blocks))
                renamed = re.sub(ids, rf"\g<0>-{turn}", blocks[place], flags=re.M)
                made.append(f"{renamed}\n\n")
            sides.append("".join(made).encode())
        return both(folder, ending, sides)

    return write


def works(data: Path) -> dict[str, Work]:
    """Everything that is scored, by name."""
    eds = data / PAIRS["eds.pet"][0]
    folder = data.parent / "dependency"
    trees = folder / "ewt300.gold.conllu", folder / "ewt300.system.conllu"
    folder = data / "amr"
    parses = folder / "coli500.gold.amr", folder / "coli500.system.amr"
    return {
        "ner": Work(
            tags,
            "ner",
            (
                Program("seqeval", ("{bin}/python", "-c", SEQEVAL), r"(.+)"),
                Program("nervaluate", ("{bin}/python", "-c", NERVALUATE), r"(.+)"),
            ),
        ),
        "amr": Work(
            repeated(parses, ".amr", r"^# ::id \S+"),
            "smatch(preset=smatch)",
            (
                Program(
                    "smatch.py",
                    split("{bin}/smatch.py --significant 6 -f {system} {gold}"),
                    r"F-score: (.+)",
                ),
                Program(
                    "smatch++",
                    split(
                        "{bin}/python -m smatchpp -score_type micro -graph_type amr "
                        "-a {system} -b {gold}"
                    ),
                    r"F1: ([\d.]+)",
                ),
            ),
        ),
        "dependencies": Work(
            repeated(trees, ".conllu", r"^# (sent_id|newdoc id) = \S+"),
            "segmentation,tagging,uas,clas,mlas,blex,elas,eulas,las",
            (
                Program(
                    "udeval", ("{bin}/udeval", "-v"), r"\nLAS .*?\|.*?\| +([\d.]+) \|"
                ),
            ),
        ),
        "eds": Work(
            varied(eds, ".eds", "eds"),
            "edm(preset=pydelphin)",
            (Program("delphin edm", ("{bin}/delphin", "edm"), r"F-score:\s+(.+)"),),
        ),
        "coreference": Work(coreference, "muc,b3,ceafm,ceafe,blanc,lea,conll", ()),
        "mrp": Work(
            varied(eds, ".mrp", "mrp"),
            "mrp",
            (Program("decoding alone", (sys.executable, "-c", DECODING)),),
        ),
    }


def run(words: Sequence[str], cap: float) -> Ran | str:
    """Run a command; why it did not go through, if it did not."""
    with tempfile.NamedTemporaryFile() as told:
        command = [sys.executable, "-S", "-c", LAUNCHER, told.name, str(cap), *words]
        done = subprocess.run(command, capture_output=True, text=True)
        used = json.loads(told.read())
    if used["status"]:
        last = done.stderr.strip().rpartition("\n")[2]
        return f"over {cap:g} s" if used["seconds"] >= cap else last
    return Ran(used["processor"], used["seconds"], used["memory"], done.stdout)


def best(words: Sequence[str], cap: float) -> Ran | str:
    """The run that took the processor least."""
    found: list[Ran] = []
    while len(found) < RUNS and sum(each.seconds for each in found) < ENOUGH:
        ran = run(words, cap)
        if isinstance(ran, str):
            return ran
        found.append(ran)
    return min(found, key=lambda each: each.processor)


def score_of(program: Program, output: str) -> str:
    """What a command prints as score, as a ratio of six digits."""
    if program.score == JSON:
        value = json.loads(output)
        result = value.get("results", [value])[-1]
        number = float(result["counts"][result["main"]]["f1"])
    else:
        match = re.search(program.score, output) if program.score else None
        if match is None:
            return "-"
        number = float(match[1])
    return f"{number / 100 if number > 1 else number:.6f}"


JSON = "JSON"
"""Says that a score is read of what graphscore prints."""


def compete(name: str, work: Work, sizes: Sequence[int], bin: str, cap: float) -> None:
    """Run every command of a work at every size."""
    own = (sys.executable, *split("-m graphscore score {gold} {system} --json --quiet"))
    own = (*own, "-m", work.metrics)
    programs = [
        Program("graphscore", own, JSON),
        Program("graphscore --jobs 2", (*own, "--jobs", "2"), JSON),
        *work.others,
    ]
    print(
        f"{name:34}{'size':>7}{'CPU s':>9}{'s':>9}{'MiB':>7}{'score':>11}{'times':>8}"
    )
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            gold, system = map(str, work.write(Path(folder), size))
            ours = 0.0
            for program in [*programs]:
                words = [
                    each.replace("{bin}", bin)
                    .replace("{gold}", gold)
                    .replace("{system}", system)
                    for each in program.words
                ]
                if gold not in words:
                    words += [gold, system]
                ran = best(words, cap)
                if isinstance(ran, str):
                    programs.remove(program)
                    print(f"  {program.name:32}{size:7,}  left out: {ran}", flush=True)
                    continue
                ours = ours or ran.processor
                times = ran.processor / ours
                what = f"{name}, {size}, {program.name}"
                record(what, ran.processor, "s")
                if program.score == JSON:
                    record(f"{what}, clock", ran.seconds, "s")
                    record(f"{what}, peak", ran.memory, "MiB")
                else:
                    record(f"{what}, to graphscore", times, "times", "higher")
                print(
                    f"  {program.name:32}{size:7,}{ran.processor:9.2f}"
                    f"{ran.seconds:9.2f}{ran.memory:7.0f}"
                    f"{score_of(program, ran.output):>11}{times:8.2f}",
                    flush=True,
                )
            if not ours:
                raise SystemExit(f"graphscore does not score {name}")


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--peers", type=Path, default=Path(sys.executable))
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 500, 5_000])
    parser.add_argument("--only", nargs="+", help="works; all of them by default")
    parser.add_argument("--program", action="append", default=[], metavar="WORK:NAME=…")
    parser.add_argument("--cap", type=float, default=120.0, help="seconds of a run")
    chosen = begin(parser)
    if not (chosen.data / PAIRS["eds.pet"][0]).exists():
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    found = works(chosen.data)
    for each in chosen.program:
        place, equals, command = each.partition("=")
        work, colon, called = place.partition(":")
        if work not in found or not (colon and equals):
            parser.error(
                f"--program {each}: expected WORK:NAME=COMMAND, "
                f"WORK of {', '.join(found)}"
            )
        program = Program(called, split(command))
        found[work] = found[work]._replace(others=(*found[work].others, program))
    for name in chosen.only or found:
        if name not in found:
            parser.error(f"--only {name}: expected some of {', '.join(found)}")
        compete(name, found[name], chosen.sizes, str(chosen.peers.parent), chosen.cap)


if __name__ == "__main__":
    main()
