"""``graphscore score --part`` and ``graphscore merge``."""

import gzip
import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from tests.cli.conftest import ALDER, BIRCH, GOLD, ROOT
from tests.pages import blocks


@pytest.fixture
def parted(run, tmp_path):
    """Scores in parts, and gives their files."""

    def call(*args, of=3, suffix=".json", folder="parts"):
        (tmp_path / folder).mkdir(exist_ok=True)
        files = [tmp_path / folder / f"{n}{suffix}" for n in range(1, of + 1)]
        for number, file in enumerate(files, 1):
            done = run("score", *args, "--part", f"{number}/{of}", "--sums", file)
            assert done.code == 0, done.err
            assert done.out == ""
        return files

    return call


@pytest.fixture(scope="module")
def two_parts(tmp_path_factory):
    """What was scored, and the files of its two parts."""
    folder = tmp_path_factory.mktemp("parts")
    bad = folder / "bad.mrp"
    bad.write_text(Path(ALDER).read_text() + '{"id": 1}\n')
    asked = (GOLD, str(bad), BIRCH, "-m", "mrp")
    files = [folder / "1.json", folder / "2.json"]
    for number, file in enumerate(files, 1):
        part = ("--part", f"{number}/2", "--sums", str(file), "--units")
        assert CliRunner().invoke(cli, ["score", *asked, *part]).exit_code == 0
    return asked, files


@pytest.mark.parametrize(
    "shown",
    [
        ("--json",),
        ("--json", "--by", "framework,item", "--per-item"),
        ("--csv", "--by", "framework,kind"),
        ("--table", "-v"),
        ("--score-only",),
        ("--rank", "edges.recall", "--json"),
        ("--ci", "--samples", "40", "--seed", "3", "--json"),
        ("--fail-under", "0.9"),
        ("--fail-under", "0.1"),
        ("--strict",),
    ],
    ids=" ".join,
)
def test_merged_parts_print_what_one_run_prints(run, two_parts, shown):
    asked, files = two_parts
    whole, merged = run("score", *asked, *shown), run("merge", *files[::-1], *shown)
    assert merged.out == whole.out
    assert merged.code == whole.code
    assert merged.err == whole.err


def test_default_metrics_and_unproven_pairs(run, parted):
    asked = (GOLD, BIRCH, "--limit", "1")
    whole = run("score", *asked)
    merged = run("merge", *parted(*asked))
    assert (merged.code, merged.out, merged.err) == (whole.code, whole.out, whole.err)
    assert whole.code == 4


def test_sums_are_merged_as_a_tree_and_compressed(run, parted, tmp_path):
    files = parted(GOLD, ALDER, "-m", "mrp", of=4, suffix=".json.gz")
    assert json.loads(gzip.decompress(files[0].read_bytes()))["graphscore"] == "sums"
    halves = [tmp_path / "a.json", tmp_path / "b.json"]
    for half, mine in zip(halves, (files[::2], files[1::2]), strict=True):
        done = run("merge", *mine, "--sums", half)
        assert (done.code, done.out) == (0, "")
        assert "holds 2 of 4 parts" in done.err
    assert run("merge", *halves).out == run("score", GOLD, ALDER, "-m", "mrp").out


def test_missing_doubled_foreign_and_damaged_parts(run, parted, tmp_path):
    files = parted(GOLD, ALDER, "-m", "mrp")
    others = parted(GOLD, BIRCH, "-m", "mrp", folder="others")
    bad = tmp_path / "bad.json"
    bad.write_bytes(files[1].read_bytes()[:-30])
    for given, told in (
        (files[:2], "part 3 is missing of 3 parts"),
        ([*files, files[0]], "found 1/3"),
        ([*files[:2], others[2]], f"{others[2]}: "),
        ([files[0], bad, files[2]], f"{bad}: found a damaged or truncated file"),
        ([files[0], GOLD], f"{GOLD}: found something else"),
        ([tmp_path / "none.json"], "none.json"),
    ):
        done = run("merge", *given)
        assert done.code == 3, done.err
        assert told in done.err
        assert done.out == ""


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--part", "4/3"), "expected K/N"),
        (("--part", "0/3"), "expected K/N"),
        (("--part", "three"), "expected K/N"),
        (("--part", "1/3", "--json"), "--json goes without --part"),
        (("--part", "1/3", "--ci"), "--ci goes without --part"),
        (("--part", "1/3", "--fail-under", "0"), "--fail-under goes without --part"),
        (("--part", "1/3", "--save", "x.db"), "--save goes without --part"),
        (("--part", "1/3", "--sweep", "x=1"), "--sweep goes without --part"),
        (("--part", "1/3", "--where", "x"), "--where goes without --part"),
        (("--units",), "--sums goes with --part"),
        (("--split", "d", "--parts", "2"), "--sums goes without --split"),
        (("--parts", "2"), "--parts goes with --split"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_does_not_go_together(run, tmp_path, args, told):
    sums = tmp_path / "part.json"
    done = run("score", GOLD, ALDER, "-m", "mrp", *args, "--sums", sums)
    assert done.code == 2
    assert told in done.err
    assert not sums.exists()


def test_parts_need_a_place_that_is_not_an_operand(run, tmp_path):
    assert "goes with --sums" in run("score", GOLD, ALDER, "--part", "1/2").err
    done = run("score", GOLD, ALDER, "--part", "1/2", "--sums", ALDER)
    assert done.code == 2
    assert "which is scored" in done.err
    done = run("score", f"{GOLD},{GOLD}", ALDER, "--part", "1/2", "--sums", "x.json")
    assert done.code == 2
    store = tmp_path / "runs.db"
    run("ingest", store, GOLD, "--as", "gold")
    given = ("--gold", "gold", "--system", "gold", "--part", "1/2", "--sums", "x.json")
    done = run("score", store, *given)
    assert done.code == 2
    assert "a store keeps what it has scored" in done.err


@pytest.mark.parametrize(
    "how", [("--part", "1/2", "--sums"), ("--parts", "2", "--split")]
)
def test_whole_collections_have_no_parts(run, tmp_path, how):
    ner = ROOT / "data" / "ner"
    sides = (ner / "gold.iob2", ner / "tagger.iob2")
    done = run("score", *sides, "-m", "ner,surface", *how, tmp_path / "made")
    assert done.code == 2
    assert "surface has no parts: it compares all there is as one" in done.err
    assert not [*tmp_path.iterdir()]


def test_items_need_units(run, parted):
    files = parted(GOLD, ALDER, "-m", "mrp", of=1)
    for option in (("--ci",), ("--per-item",), ("--by", "item")):
        done = run("merge", *files, *option)
        assert done.code == 2
        assert "score every part with --units" in done.err


def test_what_was_split_is_scored_part_by_part(run, parted, tmp_path):
    folder = tmp_path / "folder"
    done = run("score", GOLD, ALDER, BIRCH, "--split", folder, "--parts", "3")
    assert (done.code, done.out) == (0, "")
    assert "73 pairs in 3 parts" in done.err
    assert run("merge", *parted(folder)).out == run("score", GOLD, ALDER, BIRCH).out
    for args, told in (
        (("--part", "1/4"), "was split into 3"),
        (("--part", "1/3", "--ids", "wsj"), "--ids goes without a folder of parts"),
        (("--part", "1/3", "-m", "smatch"), "was split for mrp"),
        (("--part", "1/3", "--ci"), "--ci goes without --part"),
    ):
        done = run("score", folder, *args, "--sums", tmp_path / "part.json")
        assert done.code == 2
        assert told in done.err
    manifest = folder / "split.json"
    before = manifest.read_bytes()
    done = run("score", folder, "--part", "1/3", "--sums", manifest)
    assert (done.code, manifest.read_bytes()) == (2, before)
    assert "name a file elsewhere" in done.err
    assert run("score", GOLD, ALDER, "--split", folder, "--parts", "3").code == 2
    nowhere = tmp_path / "none" / "parts"
    done = run("score", GOLD, ALDER, "--split", nowhere, "--parts", "3")
    assert (done.code, "a folder that is there" in done.err) == (2, True)
    done = run("score", GOLD, ALDER, "--split", tmp_path / "new")
    assert "goes with --parts N" in done.err


def test_the_commands_of_the_page_run(run, tmp_path, monkeypatch):
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(ROOT / "docs" / "parts.md", "bash"))
    lines = text.replace("\\\n", " ").splitlines()
    typed = [line for line in lines if line.startswith("graphscore ")]
    assert len(typed) == 8
    for line in typed:
        words, _, target = line.partition(" > ")
        done = run(*shlex.split(words)[1:])
        assert done.code == 0, (line, done.err)
        if target:
            Path(target).write_text(done.out)
    whole = run("score", "data/gold.mrp", "data/alder.mrp", "-m", "mrp", "--json")
    assert Path("merged.json").read_text() == whole.out
