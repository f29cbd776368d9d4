"""Names that were removed say so, and what to use instead."""

from __future__ import annotations

import doctest

import pytest

from graphscore import removed
from graphscore.exceptions import UsageError
from graphscore.formats import ReaderOptions, read_file, write_graphs
from graphscore.formats.registry import formats
from graphscore.metrics.registry import homes, parse
from graphscore.removed import REMOVED
from graphscore.similarity.parsing.symbols import is_formula_name
from tests.conftest import DATA

GOLD = str(DATA / "gold.mrp")
METRICS, FORMATS = REMOVED["metric"], REMOVED["format"]


def test_examples_run() -> None:
    assert doctest.testmod(removed).failed == 0


def test_the_table_names_nothing_that_there_is() -> None:
    assert not METRICS.keys() & homes().keys()
    assert not FORMATS.keys() & formats().keys()


@pytest.mark.parametrize("name", METRICS)
def test_a_removed_metric_says_what_to_use_instead(run, name: str) -> None:
    message = f"the metric {name} was removed: {METRICS[name]}"
    texts = [name, name.upper()]
    if not is_formula_name(name):
        texts += [f"{name}()", f"{name}(n=2)"]
    for text in texts:
        with pytest.raises(UsageError) as caught:
            parse(text)
        assert str(caught.value) == message
    for words in (("score", GOLD, GOLD, "-m", name), ("metrics", name)):
        done = run(*words)
        assert done.code == 2
        assert message in done.err


@pytest.mark.parametrize("name", FORMATS)
def test_a_removed_format_says_what_to_use_instead(run, tmp_path, name: str) -> None:
    message = f"the format {name} was removed: {FORMATS[name]}"
    with pytest.raises(UsageError) as caught:
        list(read_file(GOLD, ReaderOptions(format=name)))
    assert str(caught.value) == message
    with pytest.raises(UsageError) as caught:
        write_graphs([], name)
    assert str(caught.value) == message
    out = str(tmp_path / "out")
    for words in (
        ("score", GOLD, GOLD, "--format", name),
        ("convert", GOLD, out, "--to", name),
    ):
        done = run(*words)
        assert done.code == 2
        assert message in done.err
