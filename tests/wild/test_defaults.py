"""Published files without ``-m``: the metric that they are published with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from tests.wild import GRAPHS, IE, needs_wild

pytestmark = needs_wild

CASES = {
    "litbank": (IE / "litbank" / "gold", IE / "litbank" / "system", ["conll"]),
    "gum": (
        IE / "gum" / "gold",
        IE / "gum" / "system",
        ["udeval", "elas", "eulas", "conll"],
    ),
    "wnut17": (
        IE / "wnut17" / "emerging.test.annotated",
        IE / "wnut17" / "submissions" / "mic-cis.txt",
        ["ner"],
    ),
    "wikineural": (
        IE / "tokentag" / "wikineural.en.conllu",
        IE / "tokentag" / "wikineural.en.system.conllu",
        ["ner"],
    ),
    "hipe2022": (
        IE / "hipe2022" / "gold" / "HIPE-2022-v1.0-hipe2020-dev-en.tsv",
        IE / "hipe2022" / "system" / "HIPE-2022-v1.0-hipe2020-dev-en.tsv",
        ["ner", "eter"],
    ),
    "up1": (
        IE / "up1" / "gold" / "en_ewt-up-dev.conllu",
        IE / "up1" / "system" / "en_ewt-up-dev.conllu",
        ["primesrl"],
    ),
    "muc4": (
        IE / "muc4" / "key-tst3.v2",
        IE / "muc4" / "SRI.response.tst3",
        ["muc4"],
    ),
    "ud": (
        GRAPHS / "ud" / "fi_tdt_dev.gold.conllu",
        GRAPHS / "ud" / "fi_tdt_dev.r12.conllu",
        ["udeval", "elas", "eulas"],
    ),
    "amr": (
        GRAPHS / "amr" / "ufal_latin.gold.amr",
        GRAPHS / "amr" / "ufal_latin.converted.amr",
        ["smatch"],
    ),
    "eds": (GRAPHS / "eds" / "wsj.gold.eds", GRAPHS / "eds" / "wsj.pet.eds", ["edm"]),
}

FOLDERS = {
    "BioNLP-ST_2011_GE": ["conll", "ner", "trigger", "argument"],
    "CoNLL-ST_2002_ned": ["ner"],
    "litbank": ["ner", "relation"],
    "tutorial_news": ["ner", "relation", "trigger", "argument"],
}
"""What is annotated in brat's folders: nothing that is not there is scored."""


@pytest.mark.parametrize("name", CASES)
def test_the_metric_is_that_of_the_task(name: str) -> None:
    gold, system, metrics = CASES[name]
    found = scored(gold, system)
    assert [each["metric"] for each in found] == metrics
    named = scored(gold, system, "-m", ",".join(metrics))
    assert found == named


@pytest.mark.parametrize("name", FOLDERS)
def test_only_what_is_annotated_is_scored(name: str) -> None:
    folder = IE / "brat" / name
    found = scored(folder, folder)
    assert [each["metric"] for each in found] == FOLDERS[name]
    for each in found:
        assert each["counts"]["all"]["f1"] == 1


def scored(gold: Path, system: Path, *options: str) -> list[dict[str, Any]]:
    """The results of scoring two published files."""
    pair = ["--pair", "order"] if gold.suffix == ".amr" else []
    ran = CliRunner().invoke(cli, ["score", str(gold), str(system), *pair, *options])
    assert ran.exit_code == 0, ran.stderr
    found = json.loads(ran.stdout)
    results: list[dict[str, Any]] = found.get("results", [found])
    return results
