"""``--errors FILE``: the errors of what was scored, as Parquet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphscore.cli.operands import Operands, StoreOperands
from graphscore.cli.output import Output
from graphscore.cli.pictures import check_target
from graphscore.errors import UsageError, amount

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result


def check_errors(target: str | None, operands: Operands) -> bool:
    """Refuse a file that could not be written, before anything is scored.

    Args:
        target: the file, if there shall be one.
        operands: what is scored.

    Returns:
        Whether there shall be one.

    Raises:
        UsageError: if it cannot be written, pyarrow is missing, or a store is scored.
    """
    if target is None:
        return False
    from graphscore.store.columnar.answers import refuse_without

    if isinstance(operands, StoreOperands):
        raise UsageError(
            "--errors is for files; the verb export writes those of a store"
        )
    check_target("--errors", target, operands)
    refuse_without("pyarrow")
    return True


def write_errors(results: Iterable[Result], target: str | None, output: Output) -> None:
    """Write the errors of results, in the columns of the view ``v_errors``.

    Args:
        results: with details.
        target: the file, which is there whole or not at all; ``None`` for none.
        output: is told how many there are.
    """
    if target is None:
        return
    from graphscore.store.columnar.layouts import LAYOUTS
    from graphscore.store.columnar.parquet import write_rows

    rows = (row for each in results for row in each.errors)
    written = write_rows(target, LAYOUTS["v_errors"].columns, rows)
    output.say(f"{target}: wrote {amount(written, 'error')}")
