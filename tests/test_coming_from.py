"""The page for those who come from other scorers gives the scores that it says."""

from __future__ import annotations

import re
import shlex
from functools import cache

import pytest

from graphscore import Options, Result, Selection, score
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf-8")

SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", PAGE, re.M))

COMMAND = re.compile(r"^graphscore score (.*)$", re.M)

ROW = re.compile(r"^\| (.+) \| ([\d.]+)(%?) \| `([^`]+)` `([^`]+)` \| ([\d.]+)%? \|$")


def rows() -> list[tuple[str, str, str, str, str, str]]:
    """Section, what they print, the unit, metric, score, what is said of here."""
    found = []
    for name, text in SECTIONS.items():
        lines = [
            match.groups() for line in text.splitlines() if (match := ROW.match(line))
        ]
        found += [(name, *fields[1:]) for fields in lines]
    return found


@cache
def result(section: str, metric: str) -> Result:
    """What the first command of a section scores, by one metric."""
    command = COMMAND.search(SECTIONS[section])
    assert command
    gold, system, *rest = shlex.split(command[1])
    chosen = [rest[rest.index("--framework") + 1]] if "--framework" in rest else []
    options = Options(selection=Selection(frameworks=frozenset(chosen)))
    found = score(str(ROOT / gold), str(ROOT / system), metric, options=options)
    assert isinstance(found, Result)
    return found


def test_every_program_has_its_section_and_its_scores() -> None:
    assert list(SECTIONS) == [
        *("smatch.py", "mtool", "seqeval", "nervaluate"),
        *("The CoNLL scorer", "udtools", "sacrebleu"),
    ]
    having = {section for section, *_ in rows()}
    assert having == {*SECTIONS} - {"sacrebleu"}
    assert len(rows()) == 38


@pytest.mark.parametrize(
    ("section", "theirs", "unit", "metric", "score", "ours"), rows()
)
def test_the_score_is_theirs(
    section: str, theirs: str, unit: str, metric: str, score: str, ours: str
) -> None:
    numbers = result(section, metric).numbers()
    tuple_type, _, ratio = score.rpartition(".")
    names = f"{metric}/{tuple_type}/{ratio}", f"{metric}/{score.replace('.', '/')}"
    here = numbers.get(
        names[0], numbers.get(names[1], numbers.get(f"{metric}/{score}"))
    )
    assert here is not None
    places = len(ours.partition(".")[2])
    if unit:
        here *= 100
    assert f"{here:.{places}f}" == ours
    # The Perl script cuts off what another rounds.
    shown = float(f"{here:.{places}f}"), int(here * 10**places + 1e-9) / 10**places
    assert float(theirs) in (*shown, float(f"{here:.1f}"))
