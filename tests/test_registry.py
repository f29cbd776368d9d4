"""Metrics and formats by name."""

from __future__ import annotations

import itertools
import os
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from shutil import make_archive
from typing import Any

import pytest

from graphscore.exceptions import UsageError
from graphscore.formats.registry import format_named, formats
from graphscore.metrics.base import Metric
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.registry import homes, metrics, parse, split_metrics
from tests.conftest import ROOT

CHOICES = {name: values for name, (_, values) in Mrp.parameters().items()}


@pytest.mark.parametrize("values", [*itertools.product(*CHOICES.values())])
def test_every_metric_is_parsed_from_its_own_string(values: tuple[Any, ...]) -> None:
    metric = Mrp(*values)
    assert parse(str(metric)) == metric


def test_defaults_and_blanks_and_order_do_not_show() -> None:
    assert str(parse(" MRP ( ties=canonical, order = free ,trim=range,) ")) == (
        "mrp(order=free,ties=canonical)"
    )
    assert str(parse("mrp()")) == "mrp"


def test_a_metric_is_its_own_parse() -> None:
    metric = Mrp(order="free")
    assert parse(metric) is metric


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a metric"),
        ("mrp(", "not a metric"),
        ("mrp)x", "not a metric"),
        ("nope", "no metric 'nope'; there are: "),
        ("mrp(order)", "not parameter=value"),
        ("mrp(order=)", "expected one of: surface, free"),
        ("mrp(order=Free)", "expected one of: surface, free"),
        ("mrp(depth=3)", "no parameter 'depth'; it has: order"),
        ("mrp(order=free,order=free)", "given twice"),
    ],
)
def test_a_wrong_metric_string_says_what_there_is(text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert words in str(caught.value)


def test_commas_inside_brackets_do_not_split_metrics() -> None:
    assert split_metrics("mrp, mrp(order=free,ties=canonical),,") == [
        "mrp",
        "mrp(order=free,ties=canonical)",
    ]


def test_every_metric_declares_what_tables_need() -> None:
    for name, metric in metrics().items():
        assert metric.name == name
        assert metric.title
        assert metric.citation
        assert metric.tuple_types
        # That of rules is a matter of their file.
        main = metric().main if isinstance(metric.main, property) else metric.main
        assert main == "all" or main in metric.tuple_types


def test_every_format_is_found_by_its_name() -> None:
    for name, each in formats().items():
        assert format_named(name) is each
        assert each.suffixes


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"there are: .*mrp"):
        format_named("nope")


def test_the_tables_of_metrics_name_all_that_there_are() -> None:
    import graphscore.metrics

    package, there = graphscore.metrics, {}
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for value in vars(import_module(module.name)).values():
            if (
                isinstance(value, type)
                and issubclass(value, Metric)
                and value.__module__ == module.name
                # What is named when it is made is no metric by itself.
                and isinstance(value.__dict__.get("name"), str)
            ):
                there[value.name] = f"{module.name}:{value.__name__}"
    assert homes() == there


def test_the_tables_of_formats_name_readers_and_writers_that_there_are() -> None:
    for each in formats().values():
        for part in (each.read, each.write, each.beside, each.read_with, each.lost):
            if part is not None:
                home = import_module(part.__module__)
                assert callable(getattr(home, part.__name__)), each.name


def test_nothing_is_imported_to_find_a_name() -> None:
    script = (
        "import sys; from graphscore.formats.registry import formats; formats();"
        "from graphscore.metrics.registry import homes; homes();"
        "print(len([m for m in sys.modules if m.startswith('graphscore.')]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) <= 70


@pytest.mark.parametrize("zipped", [False, True])
def test_other_distributions_offer_formats_and_metrics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zipped: bool
) -> None:
    folder = tmp_path / "site"
    info = folder / "other-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "other.py").write_text(
        "from graphscore.formats import Format\n"
        "from graphscore.similarity import exact, f1, label, match, nodes\n"
        "words = f1(match(nodes(), exact(label)))\n"
        "slashed = Format('slashed', 'words', ('ner',), ('.slashed',))\n"
    )
    info.joinpath("METADATA").write_text("Name: other\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text(
        "[graphscore.formats]\nslashed = other:slashed\n"
        "[graphscore.metrics]\nwords = other:words\n"
    )
    place = make_archive(str(folder), "zip", folder) if zipped else str(folder)
    # A formula is told from others by its source, which is a file.
    formula = "'words'" if zipped else "parse('words')"
    script = (
        "from graphscore.formats.registry import formats\n"
        "from graphscore.metrics.registry import parse\n"
        f"print(formats()['slashed'].title, {formula})"
    )
    monkeypatch.setenv("PYTHONPATH", place, prepend=os.pathsep)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.split() == ["words", "words"], done.stderr
