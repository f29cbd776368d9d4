"""A submission beside gold: its items, and nothing of what gold says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from graphscore.evaluation.options import Selection
from graphscore.evaluation.sources.files import FileSource
from graphscore.exceptions import amount
from graphscore.formats import ReaderOptions
from graphscore.formats.source import shown

NAMED = 5
"""Ids that a message lists."""

Key = tuple[str, str, str, str]
"""Framework, language, layer and id."""


class Coverage(NamedTuple):
    """Items of a submission beside those of gold in one framework."""

    file: str
    framework: str
    expected: int
    """Items of gold."""
    items: int
    """Items of the submission, each once."""
    missing: tuple[str, ...]
    """Ids that only gold has."""
    extra: tuple[str, ...]
    """Ids that only the submission has."""
    repeated: tuple[str, ...]
    """Ids that the submission has more than once."""
    texts: int
    """Items of both whose texts differ."""

    @property
    def complete(self) -> bool:
        """The submission has what gold has, once, over the same texts."""
        return not (self.missing or self.extra or self.repeated or self.texts)

    def numbers(self) -> tuple[str | int, ...]:
        """Return a row of :data:`COLUMNS`."""
        names = self.missing, self.extra, self.repeated
        return (*self[:4], *map(len, names), self.texts)

    def lines(self) -> Iterator[str]:
        """Yield a sentence for everything that differs."""
        where = f"{self.file}: {self.framework}"
        if not self.expected:
            yield f"{where}: gold has no such framework"
            return
        for ids, text in (
            (self.missing, f"of {self.expected:,} missing"),
            (self.extra, "not in gold"),
            (self.repeated, "more than once"),
        ):
            if ids:
                more = len(ids) - NAMED
                listed = ", ".join(ids[:NAMED]) + (f" and {more:,} more" * (more > 0))
                yield f"{where}: {amount(len(ids), 'item')} {text}: {listed}"
        if self.texts:
            yield f"{where}: {amount(self.texts, 'text')} not as in gold"


COLUMNS = (
    *("file", "framework", "expected", "items"),
    *("missing", "extra", "repeated", "texts"),
)
"""Columns of the numbers by framework."""


def compare_submissions(
    submissions: Iterable[str], gold: str, reading: ReaderOptions | None = None
) -> list[Coverage]:
    """Compare the items of submissions with those of gold, not what they say.

    Args:
        submissions: files, directories or globs, each a submission.
        gold: likewise, one of them.
        reading: how all are read.

    Returns:
        Items by submission and framework, those of gold first.

    Raises:
        InputError: if one of them as a whole cannot be read.
    """
    reading = reading or ReaderOptions()
    gold_texts, _ = _read(gold, reading)
    return [
        coverage
        for submission in submissions
        for coverage in _compare(submission, gold_texts, reading)
    ]


def _compare(
    submission: str, gold_texts: dict[Key, Sequence[str]], reading: ReaderOptions
) -> Iterator[Coverage]:
    texts, times = _read(submission, reading)
    for framework in dict.fromkeys(key[0] for key in (*gold_texts, *texts)):
        expected = [key for key in gold_texts if key[0] == framework]
        items = [key for key in texts if key[0] == framework]
        differing = sum(
            bool(gold_texts[key] and texts[key]) and gold_texts[key] != texts[key]
            for key in items
            if key in gold_texts
        )
        yield Coverage(
            shown(submission),
            framework,
            len(expected),
            len(items),
            _ids(key for key in expected if key not in texts),
            _ids(key for key in items if key not in gold_texts),
            _ids(key for key in items if times[key] > 1),
            differing,
        )


def _ids(keys: Iterator[Key]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key[-1] for key in keys))


def _read(
    operand: str, reading: ReaderOptions
) -> tuple[dict[Key, Sequence[str]], Counter[Key]]:
    """Return the text of every item of files, and how often it is there."""
    texts: dict[Key, Sequence[str]] = {}
    times = Counter[Key]()
    for unit in FileSource(operand, Selection(), reading).items():
        key = unit.framework, unit.language, unit.layer, unit.item
        texts.setdefault(key, [text for text in unit.texts if text])
        times[key] += 1
    return texts, times
