"""The pages of metrics name tests that exist."""

from __future__ import annotations

import re

import pytest

from graphscore.metrics.registry import metrics, parse
from graphscore.similarity.operators.ratios import Harmonic
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


OTHER = {
    **{name: f"{name}(preset=none)" for name in ("ceaf_ree", "ceaf_rme", "gtt")},
    "argument_by_type": "argument(trigger=type)",
}
"""What the formulas of a page are of, where that is not the default, or both."""

SPELLED_OTHERWISE = ("ceaf", "conll", "sentiment")
"""Pages that show the formulas of other metrics, or parts of one."""


def test_pages_show_the_formulas_of_their_metrics() -> None:
    shown = 0
    for name in {**metrics(), **OTHER}:
        metric = parse(OTHER.get(name, name))
        if name in SPELLED_OTHERWISE or not hasattr(metric, "formulas"):
            continue
        text = metric_page(metric.name)
        for tuple_type, formula in metric.formulas().items():
            # Of a harmonic mean both ratios are alike.
            ratio = formula.recall if isinstance(formula, Harmonic) else formula
            assert f"`{ratio}`" in text, (name, tuple_type)
            shown += 1
    assert shown > 60
