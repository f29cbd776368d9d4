"""Output of ``compare``: comparisons of systems as tables, rows and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.report import cross_framework
from graphscore.report.changes import FIRST, UNIT_COLUMNS, changes_tables, unit_rows
from graphscore.report.comparison import comparison_tables, nested_rows
from graphscore.report.markup import joint_signature, signed
from graphscore.report.table import Table

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.statistics.changes import Changes
    from graphscore.statistics.comparison import Comparison
    from graphscore.statistics.cross_framework_result import CrossFrameworkResult


class Comparisons(NamedTuple):
    """Systems compared by every metric, and in several frameworks or languages."""

    found: Sequence[Comparison]
    """With all that changed."""
    chosen: Sequence[Comparison]
    """The same, with those changes that are asked for."""
    results: Sequence[Result]

    @property
    def across(self) -> list[CrossFrameworkResult]:
        """Cross-framework results: of metrics with own frameworks, of all together."""
        across = [comparison.across for comparison in self.found if comparison.across]
        return [*{id(result): result for result in across}.values()]

    def tables(
        self, width: int, first: Callable[[Changes, int], Changes]
    ) -> Iterator[Table]:
        """Yield comparisons, then what changed, then what is across.

        Args:
            width: characters to which texts are cut.
            first: chooses among changes, and as many as there is room for.
        """
        signatures = {
            str(comparison.metric): joint_signature(
                result.signature
                for result in self.results
                if result.metric == comparison.metric
            )
            for comparison in self.found
        }
        yield from comparison_tables(self.found, signatures, width)
        for comparison in self.found:
            for changes in comparison.changes:
                tables = changes_tables(
                    comparison, changes, first(changes, FIRST), width
                )
                yield from signed(tables, signatures[str(comparison.metric)])
        whole = joint_signature(own_result.signature for own_result in self.results)
        yield from signed(map(cross_framework.across_table, self.across), whole)

    def rows(self, only_changes: bool) -> tuple[Sequence[str], Iterator[Sequence[Any]]]:
        """The same as rows, with their columns.

        Args:
            only_changes: whether rows are those of units that changed.
        """
        if only_changes:
            return UNIT_COLUMNS, (
                row for comparison in self.chosen for row in unit_rows(comparison)
            )
        listed = [compared.tabular() for compared in self.across or self.chosen]
        return listed[0].columns, (row for compared in listed for row in compared.rows)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the same as JSON lines."""
        for comparison in self.chosen:
            yield from nested_rows(comparison)
        for across in self._joint():
            yield {"across": across.to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON."""
        values = [comparison.to_dict() for comparison in self.chosen]
        whole = values[0] if len(values) == 1 else {"results": values}
        joint = self._joint()
        return whole | ({"across": joint[0].to_dict()} if joint else {})

    def _joint(self) -> list[CrossFrameworkResult]:
        """Return the cross-framework results of all metrics together."""
        return [result for result in self.across if result.metric is None]
