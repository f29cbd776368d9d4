"""What commands show on narrow lines: nothing is wider, and nothing is cut off."""

import pytest
from rich.cells import cell_len

from graphscore.report.text import folded
from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD
from tests.cli.test_show_documents import sides

__all__ = ["sides"]

COMMANDS = [
    ("show", "sample-01", GOLD, BIRCH, "--framework", "eds", "-m", "mrp"),
    (
        "show",
        "abs-1",
        DATA / "ie/abstracts.jsonl",
        DATA / "ie/abstracts.predicted.jsonl",
    ),
    ("show", "acme", DATA / "ie/brat", DATA / "ie/brat", "-m", "argument"),
    ("show", "--explain", "sample-01", GOLD, BIRCH, "--framework", "eds", "-m", "mrp"),
    ("compare", GOLD, ALDER, BIRCH, "--framework", "eds", "--samples", 20),
    ("whatif", GOLD, BIRCH, "-m", "mrp", "--framework", "eds"),
]


@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda each: " ".join(map(str, each[:2]))
)
def test_nothing_is_wider_than_the_line_and_no_number_is_broken(run, command):
    whole = run(*command, "--table").out
    numbers = [word for word in whole.split() if word.replace(".", "", 1).isdigit()]
    for width in (80, 60):
        found = run(*command, "--table", "--width", width)
        assert found.code in (0, 4)
        assert max(map(cell_len, found.out.splitlines())) <= width
        words = found.out.split()
        assert {each for each in numbers if "." in each} <= set(words)


def test_folded_lines_have_all_their_words(run):
    given = (
        "show",
        "--explain",
        "sample-01",
        GOLD,
        BIRCH,
        "--framework",
        "eds",
        "--table",
    )
    whole, narrow = run(*given).out, run(*given, "--width", 50).out
    trees = [text.split("tuple_type ")[0].split() for text in (whole, narrow)]
    assert trees[0] == trees[1]


def test_a_line_without_blanks_is_folded_too():
    assert folded("  " + "x" * 30, 20) == ["  " + "x" * 18, "      " + "x" * 12]
    assert folded("short", 20) == ["short"]


def test_long_names_keep_their_ends(run, tmp_path, sides):
    gold, system = sides
    others = []
    for name in ("system", "baseline"):
        folder = tmp_path / "a-folder-with-a-long-name" / "and-another-in-it"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"english.of.this.year.{name}.conllu"
        path.write_text((system if name == "system" else gold).read_text())
        others.append(path)
    given = ("--table", "--width", 80, "-m", "las")
    out = run("compare", gold, *others, *given, "--samples", 20).out
    assert max(map(cell_len, out.splitlines())) <= 80
    assert "tem  " in out
    assert "ine  " in out
    title = run("whatif", gold, others[0], *given).out.split(": las")[0]
    assert " ".join(title.split()).endswith("english.of.this.year.system.conllu")


def test_answers_of_queries_look_like_rows(run, tmp_path):
    store = tmp_path / "runs.db"
    run("score", GOLD, ALDER, "--save", store, "-q")
    sql = "select * from v_items limit 3"
    lines = run("query", store, sql, "--table", "--width", "80").out.splitlines()
    assert sum(line.startswith("sample-0") for line in lines) >= 3
    assert max(map(len, lines)) <= 80
