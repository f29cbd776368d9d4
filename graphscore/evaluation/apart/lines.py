"""Where the records of files stand, each in a line of its own, and which go together.

Lines are found and their ids looked at, but no graph is read here.  What is said of ids
only decides which lines are read by the same process: if it is wrong, as ids may be
given otherwise, pairs are read again, and nothing else changes.
"""

from __future__ import annotations

import io
from array import array
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from graphscore.errors import GraphscoreError
from graphscore.evaluation.options import Options
from graphscore.formats import Reading
from graphscore.formats.base import Format, LineKey
from graphscore.formats.documents import no_rule
from graphscore.formats.gathering import gather
from graphscore.formats.own import format_given
from graphscore.formats.registry import Guess, guess
from graphscore.formats.shared.json_values import one_to_a_line
from graphscore.formats.source import BOM, open_lines, written_out
from graphscore.formats.streams import read_once
from graphscore.model.ids import id_rule

LONGEST_LINE = 1 << 24
"""Files with longer lines are read by one process: so much is held at once."""

TOGETHER = 64
"""Gold lines that a process is given at once."""


class Run(NamedTuple):
    """Lines of a file that stand one after the other."""

    path: str
    format: str
    start: int
    """The byte in which they begin."""
    end: int
    """The byte behind them."""
    number: int
    """Of the first line, from 1."""


class Part(NamedTuple):
    """What a process is given at once."""

    gold: Sequence[int]
    """Numbers of records."""
    system: Sequence[int]
    pairs: list[tuple[int, int]]
    """Numbers of gold records and of those that they will be paired with; -1 where
    there seems to be none."""


@dataclass
class Lines:
    """The records of all files of a side, in order.

    Attributes:
        left: which files were not read, in a line.
        files: the files, the format of each, and how that was found out.
        file: for every record the number of its file.
        starts: the bytes in which records begin.
        ends: the bytes behind them.
        numbers: their lines, from 1.
        keys: what can be seen of their identities.
    """

    left: str = ""
    files: list[tuple[str, Format, Guess | None]] = field(default_factory=list)
    file: array[int] = field(default_factory=lambda: array("l"))
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    numbers: array[int] = field(default_factory=lambda: array("q"))
    keys: list[LineKey | None] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.file)

    def runs(self, records: Sequence[int]) -> list[Run]:
        """Where records stand, together as far as they follow one another.

        Args:
            records: their numbers.
        """
        found: list[Run] = []
        last = -1
        for each in records:
            start, end, number = self.starts[each], self.ends[each], self.numbers[each]
            file = self.file[each]
            if found and file == last and found[-1].end == start:
                found[-1] = found[-1]._replace(end=end)
                continue
            path, format, _ = self.files[file]
            found.append(Run(path, format.name, start, end, number))
            last = file
        return found

    def add(self, path: str, reading: Reading) -> bool:
        """Take in a file, if each of its records has a line of its own.

        Args:
            path: the file.
            reading: how it is read.

        Returns:
            Whether it could be.
        """
        if read_once(path) or written_out(path) != path:
            return False
        with open_lines(path) as stream:
            if type(stream.raw) is not io.FileIO:
                # Compressed, or of lines that end in another way.
                return False
            found = None if reading.format is not None else guess(stream, path)
            chosen = found.format if found else format_given(reading.format or "")
            if chosen.lines is None or chosen.source or not one_to_a_line(stream):
                return False
            self.files.append((path, chosen, found))
            stream.seek(0)
            return self._find(stream, chosen)

    def _find(self, stream: io.BufferedReader[Any], chosen: Format) -> bool:
        """Note where the lines of a file are, unless one is too long."""
        assert chosen.lines is not None
        file, start, number, before = len(self.files) - 1, 0, 0, len(self)
        key = chosen.lines.key
        while raw := stream.readline(LONGEST_LINE):
            if len(raw) == LONGEST_LINE:
                return False
            end, number = start + len(raw), number + 1
            said = raw.removeprefix(BOM) if number == 1 else raw
            if not said.isspace() and said:
                self.file.append(file)
                self.starts.append(start)
                self.ends.append(end)
                self.numbers.append(number)
                self.keys.append(key(said))
            start = end
        return len(self) > before


def lines_of(operand: object, reading: Reading) -> Lines | None:
    """The lines of a side, if its files can be read in parts.

    Args:
        operand: a file, a directory or a pattern; anything else is in memory.
        reading: how files are read.

    Returns:
        ``None`` if they cannot, for whatever reason: who reads them as a whole says
        what is wrong with them.
    """
    # Workers know no rules and tables.
    ruled = reading.document is not no_rule or reading.texts or reading.inventory
    if not isinstance(operand, str) or ruled:
        return None
    found = Lines()
    try:
        gathered = gather(operand, reading.format)
        found.left = gathered.left
        whole = all(found.add(path, reading) for path in gathered.paths)
    except GraphscoreError:
        return None
    return found if whole else None


def parts_of(gold: Lines, system: Lines, options: Options) -> Iterator[Part]:
    """What processes are given, each at once.

    Args:
        gold: the lines of gold, whose keys are dropped.
        system: those of the system, likewise.
        options: how sides pair.
    """
    partners = _partners(gold, system, options)
    gold.keys, system.keys = [], []
    size = max(1, min(TOGETHER, len(gold) // (4 * options.jobs)))
    count = -(-len(gold) // size)
    theirs: list[array[int]] = [array("q") for _ in range(count)]
    of_system = {other: own for own, other in enumerate(partners) if other >= 0}
    place = 0
    for each in range(len(system)):
        # What seems to have no partner goes with what is before it.
        own = of_system.get(each)
        place = place if own is None else own // size
        theirs[place].append(each)
    for number in range(count):
        mine = range(number * size, min((number + 1) * size, len(gold)))
        others = theirs[number]
        pairs = [(each, partners[each]) for each in mine if partners[each] > UNKNOWN]
        paired = {other for _, other in pairs}
        near = [each for each in others if each in paired]
        far = [each for each in others if each not in paired]
        if len(far) <= size:
            yield Part(mine, others, pairs)
            continue
        yield Part(mine, near, pairs)
        for start in range(0, len(far), size):
            yield Part(range(0), far[start : start + size], [])


UNKNOWN = -2
"""The partner of a record of which nothing is known."""


def _partners(gold: Lines, system: Lines, options: Options) -> array[int]:
    """For every gold record the number of the system's that it seems to pair with."""
    sides = (gold.keys, system.keys)
    rule = id_rule(options.ids)
    alike = _alike(sides)
    mine, theirs = (
        _identities(keys, options.pair == "order", alike, rule) for keys in sides
    )
    there: dict[tuple[str, object], deque[int]] = {}
    for number, key in enumerate(theirs):
        if key is not None:
            there.setdefault(key, deque()).append(number)
    found = array("q")
    for key in mine:
        if key is None:
            found.append(UNKNOWN)
        else:
            others = there.get(key)
            found.append(others.popleft() if others else -1)
    return found


def _identities(
    keys: Sequence[LineKey | None], by_order: bool, alike: set[str], rule: Any
) -> Iterator[tuple[str, object] | None]:
    """What records pair by: their ids, or their numbers."""
    counts: Counter[str] = Counter()
    for key in keys:
        if key is None:
            yield None
            continue
        framework, item = key
        if by_order or framework in alike:
            yield framework, counts[framework]
            counts[framework] += 1
        else:
            yield framework, rule(item)


def _alike(sides: Sequence[Sequence[LineKey | None]]) -> set[str]:
    """The frameworks of which all records of a side have one id."""
    found: set[str] = set()
    for keys in sides:
        counts = Counter(key[0] for key in keys if key is not None)
        kinds = Counter(key[0] for key in set(keys) if key is not None)
        found |= {each for each, n in kinds.items() if n == 1 < counts[each]}
    return found
