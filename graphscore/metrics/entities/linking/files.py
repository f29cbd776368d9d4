r"""Files that entity linking is scored with: weights of types, and excluded spans.

>>> from tempfile import NamedTemporaryFile
>>> with NamedTemporaryFile("w", suffix=".tsv") as file:
...     _ = file.write("City\tLocation\t0.5\n")
...     _ = file.seek(0)
...     weights = weights_of(file.name)
>>> [weights.of(*pair) for pair in (("City", "Location"), ("X", "X"), ("X", "Y"))]
[0.5, 1.0, 0.0]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphscore.exceptions import UsageError
from graphscore.metrics.coreference.contingency import best_cells
from graphscore.metrics.entities.linking.measures import Measure
from graphscore.metrics.entities.linking.mentions import Mention
from graphscore.metrics.parameters import lines_of
from graphscore.model.numbers import whole_number
from graphscore.model.outcome import Count

TYPE = "type"
"""The field that has weights."""


@dataclass(frozen=True)
class Weights:
    """Weights of pairs of types.

    Args:
        values: by gold's type and the system's; others earn 1 where they are equal.
    """

    values: Mapping[tuple[str, str], float]

    def of(self, gold: str, system: str) -> float:
        """Return the weight of a pair of types.

        Args:
            gold: gold's type.
            system: the system's.
        """
        return self.values.get((gold, system), float(gold == system))

    def count(
        self, measure: Measure, gold: Sequence[Mention], system: Sequence[Mention]
    ) -> Count:
        """Count the weights of mentions whose other fields are equal.

        Args:
            measure: which mentions count, and what is the same of them.
            gold: gold's mentions, in order.
            system: the system's.
        """
        left, right = (_typed(measure, side) for side in (gold, system))
        worth: dict[tuple[int, int], float] = {}
        rows, columns = (_numbers(side) for side in (left, right))
        for rest, types in left.items():
            for type_ in types:
                for system_type in right.get(rest, ()):
                    if earned := self.of(type_, system_type):
                        worth[rows[rest, type_], columns[rest, system_type]] = earned
        return Count(
            sum(self.of(type_, type_) for types in left.values() for type_ in types),
            sum(self.of(type_, type_) for types in right.values() for type_ in types),
            sum(worth[cell] for cell in best_cells(worth)),
        )


def _typed(
    measure: Measure, side: Sequence[Mention]
) -> dict[Hashable, dict[str, None]]:
    """The types of each combination of the other fields, each once."""
    counting = measure.counting(side)
    rest = tuple(field for field in measure.key if field != TYPE)
    result: defaultdict[Hashable, dict[str, None]] = defaultdict(dict)
    keys = measure._replace(key=rest).keys(counting) if rest else [()] * len(counting)
    for key, mention in zip(keys, counting, strict=True):
        result[key][mention.type] = None
    return result


def _numbers(
    side: Mapping[Hashable, Iterable[str]],
) -> dict[tuple[Hashable, str], int]:
    every = ((rest, type_) for rest, types in side.items() for type_ in types)
    return {key: number for number, key in enumerate(every)}


def weights_of(file: str) -> Weights | None:
    """Read weights of type pairs: per line gold's type, the system's, and a number.

    Args:
        file: its path; empty for no file.  Of a pair that is there twice the greater
            number counts.

    Raises:
        UsageError: if it cannot be read, or a weight is no number from 0.
    """
    if not file:
        return None
    expected = "gold's type, the system's and a weight, with tabs between"
    values: dict[tuple[str, str], float] = {}
    for number, (gold, system, written) in lines_of(file, 3, expected):
        try:
            weight = float(written)
        except ValueError:
            weight = -1.0
        if not 0 <= weight < float("inf"):
            location = f"{file}:{number}: found {written.strip()!r}"
            raise UsageError(f"{location}, expected a weight, a number from 0")
        values[gold, system] = max(weight, values.get((gold, system), weight))
    return Weights(values)


Spans = Mapping[str, Sequence[tuple[int, int]]]
"""First and last characters by document."""


def spans_of(file: str) -> Spans:
    """Spans in which nothing counts: document, first and last character on a line.

    Args:
        file: its path; empty for no file.

    Raises:
        UsageError: if it cannot be read, or has no characters from 0.
    """
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    expected = "a document, its first and its last character, with tabs between"
    for number, (document, *offsets) in lines_of(file, 3, expected):
        first, last = (whole_number(offset.strip()) for offset in offsets)
        if first is None or last is None:
            text = f"{file}:{number}: found {' '.join(offsets)!r}"
            raise UsageError(f"{text}, expected first and last character, from 0")
        spans[document].append((first, last))
    return spans


def outside(mentions: Iterable[Mention], spans: Spans) -> list[Mention]:
    """The mentions that neither begin nor end in one of the spans.

    Args:
        mentions: of one side.
        spans: where nothing counts.
    """
    return [
        mention
        for mention in mentions
        if not any(
            first <= offset <= last
            for first, last in spans.get(mention.span[0], ())
            for offset in (mention.start, mention.end)
        )
    ]
