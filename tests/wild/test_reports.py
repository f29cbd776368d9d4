"""Inputs of public bug reports, each with the outcome that its README calls right.

Where two outcomes are right the one that graphscore has is tested.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphscore.cli.main import cli
from tests.wild import WILD, needs_wild

pytestmark = needs_wild

REPORTS = WILD / "reports"


@pytest.fixture
def enter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that copies a report's folder and makes it the current one."""

    def call(folder: str) -> Path:
        copy = tmp_path / folder
        shutil.copytree(REPORTS / folder, copy)
        monkeypatch.chdir(copy)
        return copy

    return call


def run(*arguments: str) -> Result:
    """Run the command line in this process."""
    result = CliRunner().invoke(cli, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def score(*arguments: str) -> tuple[dict[str, Any], str]:
    """Return the JSON and the messages of ``score``, which has to succeed."""
    result = run("score", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout), result.stderr


def counts(report: dict[str, Any], tuple_type: str = "") -> tuple[float, ...]:
    """Return gold, system and matched of a tuple type, by default of the main one."""
    count = report["counts"][tuple_type or report["main"]]
    return count["gold"], count["system"], count["matched"]


@pytest.mark.parametrize("name", ["type", "entity_group"])
def test_types_under_another_key_are_read(enter: Any, name: str) -> None:
    enter("untyped-spans")
    report, _ = score(f"{name}.gold.jsonl", f"{name}.system.jsonl", "-m", "ner")
    assert counts(report, "strict") == (2, 2, 0)
    assert counts(report, "exact") == (2, 2, 2)


def test_types_in_lists_are_read(enter: Any) -> None:
    enter("untyped-spans")
    report, _ = score("studio.gold.json", "studio.system.json", "-m", "ner")
    assert counts(report, "strict") == (2, 2, 0)


def test_spans_without_types_are_reported(enter: Any) -> None:
    enter("untyped-spans")
    report, messages = score("pairs.gold.jsonl", "pairs.system.jsonl", "-m", "ner")
    assert counts(report, "strict") == (2, 2, 1)
    assert "type" in messages


def test_columns_with_offsets_are_tags_of_tokens(enter: Any) -> None:
    enter("offset-columns")
    report, _ = score("gold.conll", "system.conll", "-m", "ner")
    assert counts(report, "strict") == (3, 2, 2)


@pytest.mark.parametrize("suffix", ["iob2", "iobes"])
def test_tags_with_suffixes_are_read(enter: Any, suffix: str) -> None:
    enter("suffix-tags")
    report, _ = score(
        f"gold.{suffix}", f"system.{suffix}", "-m", "ner", "--by", "tuple_type"
    )
    assert counts(report, "strict") == (3, 3, 2)
    errors = run("errors", f"gold.{suffix}", f"system.{suffix}", "-m", "ner", "--json")
    assert "PER-" not in errors.stdout


def test_tags_with_underscores_are_read_or_explained(enter: Any) -> None:
    enter("underscore-tags")
    result = run("score", "gold.iob2", "system.iob2", "-m", "ner", "--json")
    if result.exit_code == 0:
        assert counts(json.loads(result.stdout), "strict") == (2, 1, 1)
    else:
        assert result.exit_code == 3
        assert "B_PER" in result.stderr
        assert "B-PER" in result.stderr


@pytest.mark.parametrize("suffix", ["", ".jsonl"])
def test_white_space_in_spans_is_not_compared(enter: Any, suffix: str) -> None:
    enter("white-space")
    report, _ = score(f"gold{suffix}", f"system{suffix}", "-m", "ner")
    assert counts(report, "strict") == (1, 1, 1)


def test_texts_of_spans_witness_offsets(enter: Any) -> None:
    enter("span-text")
    result = run("score", "gold.jsonl", "system.jsonl", "-m", "ner", "--json")
    assert "Petra" in result.stderr
    assert "UTF-16" in result.stderr
    if result.exit_code == 0:
        assert json.loads(result.stdout)["rejected"] == 1
    validated = run("validate", "system.jsonl")
    assert validated.exit_code == 3
    assert "Petra" in validated.stdout + validated.stderr


def test_rejected_answers_are_no_gold(enter: Any) -> None:
    enter("prodigy-answers")
    report, messages = score("gold.jsonl", "system.jsonl", "-m", "ner")
    assert counts(report, "strict") == (2, 2, 2)
    assert "reject" in messages


def test_tags_without_prefix_are_recognized(enter: Any) -> None:
    enter("tags-without-prefix")
    report, _ = score("gold.conll", "system.conll", "-m", "ner")
    assert counts(report, "strict") == (3, 3, 2)


def test_relations_of_doccano_are_not_lost_in_silence(enter: Any) -> None:
    enter("dropped-relations")
    report, messages = score("gold.jsonl", "gold.jsonl", "-m", "ner")
    assert counts(report, "strict") == (2, 2, 2)
    assert "does not score relation: 1 graph left out" in messages


def test_facts_of_training_documents_are_read(enter: Any) -> None:
    enter("long-message")
    result = run("score", "gold.json", "pred.json", "-m", "docred(facts=train.json)")
    if result.exit_code:
        assert result.exit_code in (2, 3)
        assert "train.json" in result.stderr
    assert len(result.stderr) < 400


def test_mrs_names_the_way_to_eds(enter: Any) -> None:
    enter("mrs")
    result = run("score", "gold.simplemrs", "gold.simplemrs")
    assert result.exit_code == 3
    assert "MRS" in result.stderr
    assert "delphin convert" in result.stderr


@pytest.mark.parametrize("name", ["bom", "nfd", "accent", "words"])
@pytest.mark.parametrize("turned", [False, True])
def test_text_comments_do_not_decide(enter: Any, name: str, turned: bool) -> None:
    enter("text-comment")
    operands = ["gold.conllu", f"{name}.conllu"]
    if turned:
        operands.reverse()
    report, _ = score(*operands, "-m", "las")
    assert counts(report) == (6, 6, 5)
    assert report["rejected"] == 0


def test_two_graphs_in_a_record_shift_nothing(enter: Any) -> None:
    enter("two-roots")
    report, messages = score("gold.amr", "system.amr", "-m", "smatch")
    assert counts(report) in ((22, 10, 10), (22, 16, 16), (22, 22, 22))
    assert "system.amr:4" in messages
    validated = json.loads(run("validate", "system.amr", "--json").stdout)
    assert [problem["line"] for problem in validated["files"][0]["problems"]] == [4]


def test_sdp_without_framework_is_written_as_read(enter: Any) -> None:
    folder = enter("sdp-framework")
    result = run("convert", "evening.sdp", "-", "--to", "sdp")
    assert result.exit_code == 0, result.stderr
    assert result.stdout_bytes == (folder / "evening.sdp").read_bytes()


def test_broken_conllu_is_conllu(enter: Any) -> None:
    enter("conllu-recognition")
    result = run("score", "newline.conllu", "newline.conllu", "-m", "las")
    assert result.exit_code == 3
    assert "newline.conllu:5" in result.stderr


def test_conllu_without_heads_is_read(enter: Any) -> None:
    enter("conllu-recognition")
    report, _ = score("glosses.gold.conllu", "glosses.system.conllu", "-m", "tagging")
    assert counts(report, "upos") == (2, 2, 1)


def test_expressions_inside_tokens_are_none_as_for_the_task(enter: Any) -> None:
    enter("sentiment-inside-token")
    report, _ = score("gold.json", "gold.json", "-m", "sentiment")
    assert counts(report, "tuples") == (2, 2, 1)
    validated = json.loads(run("validate", "gold.json", "--json").stdout)
    [finding] = validated["files"][0]["findings"]
    assert (finding["code"], finding["item"]) == ("self-score", "h1")
    assert "begins inside 'unhelpful'" in finding["message"]


def test_sentences_without_blank_line_are_told_apart_or_refused(enter: Any) -> None:
    enter("blank-line")
    result = run("score", "gold.conllu", "system.conllu", "-m", "las", "--json")
    if result.exit_code == 0:
        assert counts(json.loads(result.stdout)) == (4, 4, 4)
    else:
        assert result.exit_code == 3
        assert "system.conllu:5" in result.stderr


UMR = "umr-documents"


@pytest.mark.parametrize("name", ["converted", "r10", "r35"])
def test_umr_documents_score_as_ancast(enter: Any, name: str) -> None:
    folder = enter(UMR)
    cases = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    [case] = [case for case in cases if case["system"] == f"english_doc5.{name}.umr"]
    report, _ = score(case["gold"], case["system"], "-m", "ancast")
    expected = case["ancast_fscore"]
    scores = {
        level: report["counts"][level]["f1"] for level in expected if level != "comp"
    }
    scores["comp"] = report["counts"]["all"]["f1"]
    assert scores == pytest.approx(expected, abs=1e-6)
