"""The pages of metrics name tests that exist."""

from __future__ import annotations

import re

import pytest

from graphscore.metrics.formula import FormulaMetric
from graphscore.metrics.registry import metrics
from tests.conftest import ROOT, metric_page

PAGES = (
    *("sdp", "edm", "ucca", "predications", "coreference"),
    *("relation", "trigger", "argument", "ner"),
    *("ser", "err", "eter", "rules", "neleval", "surface"),
    *("conll05", "conll09", "primesrl", "framenet"),
)


@pytest.mark.parametrize("name", PAGES)
def test_every_test_that_a_page_names_exists(name: str) -> None:
    page = metric_page(name)
    own = (ROOT / "tests" / "metrics").rglob(f"test_{name}.py")
    files = {ROOT / file for file in re.findall(r"`(tests/\S+)`", page)} | {*own}
    paths = sorted(file for file in files if file.is_file())
    tests = "".join(path.read_text(encoding="utf-8") for path in paths)
    named = set(re.findall(r"`(test_\w+)`", page))
    assert named
    assert named <= set(re.findall(r"^def (test_\w+)", tests, re.MULTILINE))


def test_pages_show_the_formulas_of_their_metrics() -> None:
    shown = 0
    for name, metric in metrics().items():
        if isinstance(metric, type) and issubclass(metric, FormulaMetric):
            text = metric_page(name)
            for tuple_type, formula in metric().formulas().items():
                assert f"`{formula}`" in text, (name, tuple_type)
                shown += 1
    assert shown > 20
