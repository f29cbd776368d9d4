"""The listing of metrics is that of their classes."""

import json

from graphscore.metrics.registry import homes, metric_named
from graphscore.report.catalogue import LISTED, described, list_metrics


def descriptions() -> list[str]:
    """The built-in metrics by name, a line each."""
    metrics = (metric_named(name)() for name in sorted(homes()))
    return [json.dumps(described(metric), ensure_ascii=False) for metric in metrics]


def test_metrics_are_listed_as_their_classes_say() -> None:
    assert LISTED.read_text("utf-8").splitlines() == descriptions(), (
        "write it again: python -m tests.report.test_catalogue"
    )
    assert [metric["name"] for metric in list_metrics()] == sorted(homes())


if __name__ == "__main__":
    LISTED.write_text("".join(f"{line}\n" for line in descriptions()), "utf-8")
