"""Reading and writing take work in proportion, whatever a file has very many of.

Each family puts many of one thing into a sample of a format: records, lines, cells,
brackets, quotation marks, blank lines, elements of a list; most of it is wrong, and
then every one of them is a problem with a place.  Work is counted in lines of code that
run, so that the machine and its load do not matter.  What a single line does with all
of a file, such as to look for something in a list, is not seen by that: of larger files
the time of the processor is taken, and compared with that of a quarter of them.
"""

from __future__ import annotations

import gc
import io
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

import pytest

from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import SNIFFED, ReadGraph
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import format_named
from graphscore.formats.shared.json_values import values
from graphscore.formats.shared.records import bytes_before
from graphscore.model.graph import Graph
from graphscore.model.tuples import decompose
from graphscore.validation import validate
from tests.formats.samples import SAMPLES, Sample

FEW, MANY = 30, 120
"""How many of a thing a small and a large file have."""

MOST = 5.0
"""How much more the large file may cost, which has four times as many: what is put
into order costs a little more than four times as much."""


SMALL, LARGE = 1_000, 4_000
"""How many there are in the files whose reading is timed."""

SLOWER = 8.0
"""How much longer the large file may take: linear work takes four times as long, and
quadratic work sixteen times."""

UNSEEN = 0.003
"""Seconds that are not told from the noise of a clock."""

TRIES = 6
"""So often both are timed; what is quickest counts."""


def grows_in_step(small: Callable[[], object], large: Callable[[], object]) -> bool:
    """Whether work on four times as much takes far less than sixteen times as long."""
    best = [float("inf")] * 2
    collecting = gc.isenabled()
    # It would go over all that other tests have left, once in a while.
    gc.disable()
    try:
        for _ in range(TRIES):
            for number, work in enumerate((small, large)):
                start = time.process_time()
                work()
                best[number] = min(best[number], time.process_time() - start)
            if best[1] <= SLOWER * best[0] + UNSEEN:
                return True
    finally:
        if collecting:
            gc.enable()
    return False


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python are run, each time around a loop counted."""
    count = 0

    def local(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += 1
        return local

    before = sys.gettrace()
    sys.settrace(local)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def read(name: str, sample: Sample, data: bytes) -> None:
    """Read a file, and do what follows at once."""
    reader = format_named(name).read
    assert reader is not None
    for record in reader(io.BytesIO(data), sample.name):
        if isinstance(record, ReadGraph):
            validate(record.graph, "a", record.line)
            decompose(record.graph)
        else:
            for problem in record.problems:
                str(problem)


NUMBER = re.compile(rb"[0-9]+")

ENDS = re.compile(rb"(?<=\S)(?=\n)")

TAG = re.compile(rb"<[A-Za-z]\w*(?=[^<>]*=)")

CELL = re.compile(rb"[^\t\n]+")

Family = Callable[[int], bytes]


def families(sample: Sample) -> Iterator[tuple[str, Family]]:
    """What a file may have very many of, by the name of the thing."""
    data, word = sample.data, sample.word
    at = data.index(word)
    start = data.rfind(b"\n", 0, at) + 1
    end = data.find(b"\n", at) % (len(data) + 1)
    line = data[start:end]

    def beside(
        place: int, piece: bytes, stop: int | None = None, bare: int = 0
    ) -> Family:
        rest = data[place if stop is None else stop :]
        return lambda many: data[:place] + (piece * many)[bare:] + rest

    yield "records", lambda many: data * (many // 4)
    yield "lines", beside(start, line + b"\n")
    yield "blank lines", beside(0, b"\n \n")
    for piece in (b"x", b'"', b"{", b"\xc3\xa9) "):
        yield f"{piece!r} before a word", beside(at, piece)
    if data.lstrip().startswith((b"{", b"[")):
        try:
            value = json.loads(data)
        except json.JSONDecodeError:
            value = json.loads(data.lstrip().splitlines()[0])
        for path in {keys_of(path): path for path in lists(value)}.values():
            yield f"elements of {path}", grown(value, path)
        return
    yield "comments", beside(start, b"# ::id 1\n")
    for piece in (b"x ", b"x\t", b"x|", b"1:x|", b"(x", b"(", b"</a>", b"<a>", b"\\"):
        yield f"{piece!r} before a word", beside(at, piece)
    yield "columns of a line", beside(end, b"\tx")
    yield "columns", lambda many: ENDS.sub(b"\t(V*" * many, data)
    for number, cell in enumerate(CELL.finditer(data, start, end)):
        yield f"pieces of cell {number}", beside(cell.start(), b"|9:x", cell.end(), 1)
        yield f"spans of cell {number}", beside(cell.start(), b"(1)|", cell.end())
    for tag, place in {each[0]: each.end() for each in TAG.finditer(data)}.items():
        yield f"attributes of {tag!r}", attributes(data, place)
    yield "numbered lines", counted(data, start, end)


def counted(data: bytes, start: int, end: int) -> Family:
    """The file with many of a line, each with another number at its beginning."""
    first = NUMBER.search(data, start, end)
    if first is None:
        return lambda many: data
    before, after = data[start : first.start()], data[first.end() : end] + b"\n"
    return lambda many: (
        data[:start]
        + b"".join(b"%s%d%s" % (before, each, after) for each in range(1, many))
        + data[start:]
    )


def attributes(data: bytes, place: int) -> Family:
    """The file with many attributes of an element."""
    return lambda many: (
        data[:place]
        + b"".join(b' a%d="x"' % each for each in range(many))
        + data[place:]
    )


def keys_of(path: tuple[Any, ...]) -> tuple[str, ...]:
    """The keys that lead to a list, however deep it is within lists."""
    return tuple(step for step in path if isinstance(step, str)) or ("",)


def lists(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the lists of a JSON value are, outer ones first."""
    if isinstance(value, list) and value:
        yield path
        yield from lists(value[0], (*path, 0))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from lists(each, (*path, key))


def grown(value: Any, path: tuple[Any, ...]) -> Family:
    """The JSON value with many of the first element of a list."""

    def made(many: int) -> bytes:
        new = json.loads(json.dumps(value))
        inner = new
        for step in path:
            inner = inner[step]
        inner += inner[:1] * many
        return json.dumps(new).encode()

    return made


CASES = [
    (name, number)
    for name in sorted(SAMPLES)
    # What is only read when it is named is read by the reader of another format.
    if format_named(name).signs
    for number in range(len(SAMPLES[name]))
]


WRITTEN = [(name, number) for name, number in CASES if format_named(name).write]


@pytest.mark.parametrize(("name", "number"), CASES)
def test_work_grows_as_the_file_does(name: str, number: int) -> None:
    sample = SAMPLES[name][number]
    # What is imported or remembered once is no part of it.
    read(name, sample, sample.data)
    for kind, family in families(sample):
        few, many = (
            lines_run(partial(read, name, sample, family(amount)))
            for amount in (FEW, MANY)
        )
        assert many <= MOST * few, f"{many:,} lines after {few:,} for many {kind}"


def graphs_in(name: str, sample: Sample, data: bytes) -> list[Graph]:
    """The graphs of a file."""
    reader = format_named(name).read
    assert reader is not None
    records = reader(io.BytesIO(data), sample.name)
    return [record.graph for record in records if isinstance(record, ReadGraph)]


@pytest.mark.parametrize(("name", "number"), WRITTEN)
def test_writing_grows_as_the_graphs_do(name: str, number: int) -> None:
    sample = SAMPLES[name][number]
    writer = format_named(name).write
    assert writer is not None

    def work(graphs: list[Graph]) -> None:
        with suppress(GraphscoreError):
            for _ in writer(graphs):
                pass

    work(graphs_in(name, sample, sample.data))
    for kind, family in families(sample):
        if not kind.startswith(("records", "lines", "elements")):
            continue
        few, many = (graphs_in(name, sample, family(amount)) for amount in (FEW, MANY))
        if few and many:
            less, more = (lines_run(partial(work, graphs)) for graphs in (few, many))
            assert more <= MOST * less, f"{more:,} lines after {less:,} for many {kind}"


@pytest.mark.parametrize("name", sorted({name for name, _ in CASES}))
def test_time_grows_as_the_file_does(name: str) -> None:
    sample = SAMPLES[name][0]
    chosen = format_named(name)
    reader = chosen.read
    assert reader is not None

    def work(data: bytes) -> None:
        fit_of(chosen, data[: SNIFFED[1]])
        for _ in reader(io.BytesIO(data), sample.name):
            pass

    work(sample.data)
    # Records are read one by one; of lists within lists the innermost are most.
    every = [each for each in families(sample) if each[0] != "records"]
    inner = [each for each in every if each[0].startswith("elements")][-3:]
    every = [each for each in every if not each[0].startswith("elements")] + inner
    for kind, family in every:
        small, large = (partial(work, family(many)) for many in (SMALL, LARGE))
        assert grows_in_step(small, large), f"many {kind} take far too long"


def test_time_is_taken_of_what_one_line_does() -> None:
    def looked_for(many: int) -> None:
        items = [*range(many)]
        assert all(each in items for each in items)

    def known(many: int) -> None:
        items = {*range(many * 20)}
        assert all(each in items for each in sorted(items))

    assert not grows_in_step(partial(looked_for, SMALL), partial(looked_for, LARGE))
    assert grows_in_step(partial(known, SMALL), partial(known, LARGE))


def test_work_is_counted() -> None:
    def pairs(amount: int) -> int:
        return sum(1 for one in range(amount) for two in range(amount) if one < two)

    few, many = (lines_run(partial(pairs, amount)) for amount in (FEW, MANY))
    assert many > 3 * MOST * few


def test_values_below_broken_json_are_found_though_they_are_like_no_other() -> None:
    items = [b'{"k%d": [%d]}' % (number, number) for number in range(MANY)]
    data = b'[{"a": 1], {"a": 2}, ' + b", ".join(items) + b"]"
    found = [raw for _, raw in values(io.BytesIO(data), 1 << 20)]
    assert found == [b'{"a": 1]', b'{"a": 2}', *items]


@pytest.mark.parametrize("step", [1, -1])
def test_bytes_before_a_character_are_found_in_any_order(step: int) -> None:
    text = "naïve 日本 🙂 x" * 3
    for place in (*range(len(text) + 2), 5, 40, 3)[::step]:
        assert bytes_before(text, place) == len(text[:place].encode())


@pytest.mark.parametrize(("name", "number"), CASES)
def test_a_number_may_have_any_length(name: str, number: int) -> None:
    sample = SAMPLES[name][number]
    found = list(NUMBER.finditer(sample.data))
    for match in found[:: max(1, len(found) // 8)]:
        data = sample.data[: match.start()] + b"9" * 5_000 + sample.data[match.end() :]
        read(name, sample, data)
