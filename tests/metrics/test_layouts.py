"""Metrics of one family prepare a sentence or document once for all of them."""

from __future__ import annotations

import pytest

from graphscore.evaluation.tasks import families
from graphscore.metrics.registry import parse


@pytest.mark.parametrize(
    "names",
    [
        "uas las clas mlas blex segmentation tagging udeval",
        "elas eulas",
        "muc b3 ceafm ceafe blanc lea mentions conll",
        "conll05 conll09 primesrl primesrl(preset=tool)",
        "trigger argument argument(overlap=0.5)",
        "ser err",
        "ner ner(overlap=0.5)",
        "ceaf_ree ceaf_rme",
        "sdp sdp(tops=false)",
    ],
)
def test_what_a_metric_prepares_is_taken_by_the_family(names: str) -> None:
    metrics = [parse(name) for name in names.split()]
    assert families(metrics) == [list(range(len(metrics)))]
