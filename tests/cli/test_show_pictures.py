"""What ``show --svg`` writes, and what it refuses."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD


@pytest.mark.parametrize("framework", ["amr", "dm", "eds", "psd", "ucca"])
def test_a_pair_is_drawn_gold_beside_system(run, tmp_path, framework):
    out = tmp_path / "pair.svg"
    asked = ("show", "sample-03", GOLD, BIRCH, "--framework", framework)
    found = run(*asked, "--svg", out)
    assert (found.code, found.out) == (0, "")
    assert f"{out}: 1 picture\n" in found.err
    text = out.read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert ">gold</text>" in text
    assert ">system</text>" in text
    again = run(*asked, "--svg", "-")
    assert again.out == text


def test_an_item_of_several_frameworks_has_all_its_pictures(run, tmp_path):
    out = tmp_path / "all.svg"
    assert run("show", "sample-03", GOLD, ALDER, "--svg", out).code == 0
    text = out.read_text(encoding="utf-8")
    assert text.count('<svg class="gs"') == 5


def test_what_matched_can_be_left_out(run, tmp_path):
    whole, folded = tmp_path / "whole.svg", tmp_path / "folded.svg"
    asked = ("show", "sample-03", GOLD, BIRCH, "--framework", "amr", "--svg")
    assert run(*asked, whole).code == 0
    assert run(*asked, folded, "--fold").code == 0
    assert folded.stat().st_size < whole.stat().st_size


def test_pictures_of_a_store_are_those_of_the_files(run, tmp_path):
    store = tmp_path / "runs.db"
    assert run("ingest", store, GOLD, "--as", "gold").code == 0
    assert run("ingest", store, BIRCH, "--as", "birch").code == 0
    sides = ("--gold", "gold", "--system", "birch")
    assert run("score", store, *sides, "-m", "mrp").code == 0
    of_store = run("show", "sample-03", store, *sides, "-m", "mrp", "--svg", "-")
    of_files = run("show", "sample-03", GOLD, BIRCH, "-m", "mrp", "--svg", "-")
    assert of_store.out == of_files.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--fold",), "--fold goes with --svg or --html"),
        (("--svg", "nowhere/x.svg"), "no directory nowhere"),
    ],
)
def test_what_cannot_be_drawn_is_refused(run, options, said):
    found = run("show", "sample-03", GOLD, BIRCH, *options)
    assert found.code == 2
    assert said in found.err


def test_an_operand_is_not_overwritten(run, tmp_path):
    system = tmp_path / "system.mrp"
    system.write_bytes((DATA / "birch.mrp").read_bytes())
    found = run("show", "sample-03", GOLD, system, "--svg", system)
    assert found.code == 2
    assert system.read_bytes() == (DATA / "birch.mrp").read_bytes()


def test_an_item_has_a_page_with_all_its_frameworks(run, tmp_path):
    out = tmp_path / "item.html"
    found = run("show", "sample-03", GOLD, BIRCH, "--html", out)
    assert (found.code, found.out) == (0, "")
    assert f"{out}: 5 pictures" in found.err
    text = out.read_text(encoding="utf-8")
    assert "Ada and Grace wrote the program." in text
    assert text.count("<figure") == text.count('<section class="framework') == 5
    assert "Content-Security-Policy" in text
    value = run("show", "sample-03", GOLD, BIRCH, "--framework", "eds").json
    shown = f"{100 * value['counts']['all']['f1']:.2f}"
    assert f"mrp <b>{shown}</b>" in text
    assert run("show", "sample-03", GOLD, BIRCH, "--html", "-").out == text


def test_a_picture_and_a_page_are_written_together(run, tmp_path):
    svg, html = tmp_path / "item.svg", tmp_path / "item.html"
    asked = ("show", "sample-03", GOLD, BIRCH, "--framework", "dm")
    assert run(*asked, "--svg", svg, "--html", html).code == 0
    assert svg.stat().st_size
    assert html.stat().st_size


def test_senses_stand_in_the_table_where_words_are_the_same(run):
    files = DATA / "srl" / "market.conll09", DATA / "srl" / "labeller.conll09"
    text = run("show", "0", *files, "--html", "-").out
    assert "<td>number<td>sell.01<td>sell.02<td>" in text
    assert "<td>label<td>A1<td>A2<td>" in text


def test_chains_that_differ_are_no_page_without_errors(run):
    files = DATA / "coreference" / "key.conll", DATA / "coreference" / "response.conll"
    asked = ("-m", "conll", "--html", "-")
    text = run("show", "harbour", *files, *asked).out
    assert "no errors are listed: pictures show what differs" in text
    assert "<p>no errors</p>" in run("show", "harbour", files[0], files[0], *asked).out
