"""The errors of a part as a file of Parquet, written while it is scored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike

from graphscore.evaluation.files import Each
from graphscore.evaluation.rows.errors import error_rows
from graphscore.evaluation.units import Unit
from graphscore.metrics.base import Metric
from graphscore.model.outcome import Outcome
from graphscore.store.columnar.layouts import LAYOUTS
from graphscore.store.columnar.parquet import RowWriter


class ErrorFile:
    """Takes what did not match, pair by pair.

    Args:
        writer: of the file.
    """

    def __init__(self, writer: RowWriter) -> None:
        self.writer = writer

    def of(self, gold: str, system: str) -> Each:
        """Takes the pairs of a system.

        Args:
            gold: what the side is called.
            system: likewise.
        """

        def take(metric: Metric, unit: Unit, _: Unit | None, outcome: Outcome) -> None:
            # What was scored is known when all is read, and stands in the result.
            self.writer.add(error_rows((gold, system, ""), metric, unit, outcome))

        return take


@contextmanager
def error_file(path: str | PathLike[str]) -> Iterator[ErrorFile]:
    """A file with the columns of the view ``v_errors``.

    Args:
        path: the file, which is there whole or not at all.

    Yields:
        What takes errors.

    Raises:
        UsageError: if pyarrow is missing.
        GraphscoreError: if the file cannot be written.
    """
    with RowWriter(path, LAYOUTS["v_errors"].columns) as writer:
        yield ErrorFile(writer)
