"""``graphscore report``: one page with what the other commands say, and nothing
more."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD, Ran
from tests.report.reading import Page, problems
from tests.strategies import LABELS

Run = Callable[..., Ran]

FEW = ("--samples", "50")

SOME = (*FEW, "--framework", "amr", "--framework", "dm")


def made(*args: str) -> str:
    found = CliRunner().invoke(cli, ["report", *args, "-q"], catch_exceptions=False)
    assert found.exit_code == 0, found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def text() -> str:
    return made(GOLD, ALDER, *FEW, "--html", "-")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


@pytest.fixture(scope="module")
def both() -> Page:
    args = (GOLD, BIRCH, ALDER, "--compare", *SOME, "--worst", "5")
    return Page(made(*args, "--html", "-"))


def percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def test_scores_are_those_of_score(page: Page, run: Run) -> None:
    told = run("score", GOLD, ALDER, "--ci", *FEW, "--json").json
    rows = {row["framework"]: row for row in page.captioned("by framework").body}
    assert rows.keys() == {"amr", "dm", "eds", "psd", "ucca", "all", "macro"}
    groups = {each["framework"]: each for each in told["groups"]} | {"all": told}
    for name, each in groups.items():
        count = each["counts"]["all"]
        assert rows[name]["F1"] == percent(each["value"])
        assert rows[name]["low"] == percent(each["low"])
        assert rows[name]["high"] == percent(each["high"])
        assert rows[name]["P"] == percent(count["precision"])
        assert rows[name]["matched"] == f"{count['matched']:,}"
    assert rows["macro"]["F1"] == percent(
        told["macro_frameworks"]["counts"]["all"]["f1"]
    )
    tuple_types = {
        row["tuple_type"]: row for row in page.captioned("by tuple type").body
    }
    for tuple_type, count in told["counts"].items():
        assert tuple_types[tuple_type]["F1"] == percent(count["f1"])
        bounds = told["intervals"]["counts"][tuple_type]["f1"]
        assert tuple_types[tuple_type]["low"] == percent(bounds["low"])
    assert "50 bootstrap samples" in page.text
    assert told["signature"].split("|ci:")[0] in page.text


def test_documents_and_languages_have_tables_where_there_are_several(
    run: Run, tmp_path: Path
) -> None:
    rule = ("--document-regex", r"sample-(\d)")
    page = Page(made(GOLD, ALDER, *rule, *FEW, "--html", "-"))
    rows = page.captioned("by document").body
    told = run("score", GOLD, ALDER, *rule, "--by", "document", "--json").json
    expected = [(each["document"], each["counts"]["all"]) for each in told["groups"]]
    assert [(row["document"], row["F1"]) for row in rows[:-2]] == [
        (name, percent(count["f1"])) for name, count in expected
    ]


def test_errors_are_those_of_errors_and_lead_to_the_items(page: Page, run: Run) -> None:
    told = run("errors", GOLD, ALDER, "--json").json
    table = page.captioned("256 errors")
    columns = (
        "framework",
        "tuple_type",
        "error_type",
        "name",
        "value",
        "errors",
        "instead",
    )
    # What is empty in all rows has no column.
    assert [[row.get(name, "") for name in columns] for row in table.body] == [
        ["" if row[name] is None else str(row[name]) for name in columns]
        for row in told
    ]
    # The most frequent: edges that eds lacks.
    linked = [each[1:] for each in table.links[1]]
    assert len(linked) == 5
    for target in linked:
        rows = [
            row for each in page.tables if each.section == target for row in each.rows
        ]
        assert any("edges" in row[1] and "ARG1" in row[2] for row in rows)


def test_what_would_be_gained_is_what_whatif_says(page: Page, run: Run) -> None:
    told = run("whatif", GOLD, ALDER, "--json").json
    rows = page.captioned("all.f1").body
    assert len(rows) == 15
    for row, each in zip(rows, told["classes"], strict=False):
        assert [row["tuple_type"], row["label"], row["error_type"]] == [
            str(each[name]) for name in ("tuple_type", "label", "error_type")
        ]
        assert row["if right"] == percent(each["value"])
        assert row["gain"] == percent(each["gain"])


def test_where_errors_depend_on_each_other_it_says_why_nothing_is_gained() -> None:
    words = ("-m", "predications", "--framework", "amr", "--worst", "1")
    page = Page(made(GOLD, ALDER, *words, *FEW, "--html", "-"))
    unknown = "predications: the cost of its errors is not known: a piece is right"
    assert unknown in page.text


def test_items_come_worst_first(text: str, page: Page, run: Run) -> None:
    told = run("items", GOLD, ALDER, "--json").json
    order = {each["item"]: each["mean"] for each in told}
    index = re.findall(r'<li><a href="#(i\d+)">(.*?)</a> <small>(.*?)</small>', text)
    assert [each[0] for each in index] == [f"i{n}" for n in range(1, 18)]
    assert [each[0] for each in index] == [
        each for each in page.ids if re.fullmatch(r"i\d+", each)
    ]
    means = [order[name] for _, name, _ in index]
    assert means == sorted(means)
    assert [each[2] for each in index] == [f"{100 * mean:.1f}" for mean in means]


def test_so_many_items_are_shown(run: Run) -> None:
    for words, first, number in (
        (("--worst", "3"), "sample-17", 3),
        (("--items", "2"), "sample-01", 2),
        (("--worst", "0"), "", 0),
    ):
        shown = Page(made(GOLD, ALDER, *words, *FEW, "--html", "-"))
        items = [each for each in shown.ids if re.fullmatch(r"i\d+", each)]
        assert len(items) == number
        if first:
            assert f"{number} of 17 items" in shown.text
            assert first in shown.text.split(f"{number} of 17 items")[1][:120]


def test_a_comparison_says_what_compare_says(both: Page, run: Run) -> None:
    told = run("compare", GOLD, BIRCH, ALDER, *SOME, "--json").json
    [pair] = told["pairs"]
    table = next(each for each in both.tables if "a - b" in each.head)
    [row] = table.body
    # The better system stands first: here the one that was named second.
    assert row["a - b"].rstrip("*") == percent(-pair["difference"])
    assert row["W/T/L"] == f"{pair['losses']}/{pair['ties']}/{pair['wins']}"
    assert row["p"] == f"{pair['p']:.4f}"
    [changes] = told["changes"]
    counts = both.captioned("fixed, newly wrong").body[-1]
    assert [counts[name] for name in ("fixed", "newly wrong", "still wrong")] == [
        str(changes[name]) for name in ("fixed", "broken", "still")
    ]
    assert f"errors {changes['fixed']} fixed" in both.text


def test_items_of_several_systems_say_which_errors_are_fixed_and_broken(
    run: Run,
) -> None:
    text = made(GOLD, BIRCH, ALDER, "--compare", *FEW, "--html", "-")
    told = run("compare", GOLD, BIRCH, ALDER, *FEW, "--json").json
    [changes] = told["changes"]
    for beside in (r"<summary><h3.*?</summary>", r"<b>[^<]*</b>"):
        found = "\n".join(re.findall(beside, text))
        for name in ("fixed", "broken"):
            counts = re.findall(rf"(?<!-)\b(\d+) {name}", found)
            assert sum(map(int, counts)) == changes[name]
    # Each row of the first system says whether the other fixed it.
    page = Page(text)
    rows = [
        (each.head, row)
        for each in page.tables
        if re.fullmatch(r"i\d+", each.section)
        for row in each.rows[1:]
    ]
    assert all(head[-1] == "change" for head, _ in rows)
    assert {row[-1] for _, row in rows} >= {"fixed", "broken", "still"}


def test_the_policy_allows_what_is_in_the_page_and_nothing_else(
    text: str, page: Page
) -> None:
    [policy] = [str(each["content"]) for _, each in page.found if "http-equiv" in each]
    scripts = [each for each in page.texts["script"] if "use strict" in each[:20]]
    for name, [content] in (("style", page.texts["style"]), ("script", scripts)):
        found = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{found}'" in policy
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")
    assert not re.search(r"https?:|url\(|@import", text)
    assert problems(page) == []


def hostile(tmp_path: Path, other: str = "") -> tuple[str, str]:
    """Two files whose every text would like to do something."""
    labels = [str(label) for label in LABELS if label]
    labels += [
        "<script>alert(1)</script>",
        "</script><img src=x onerror=alert(1)>",
        '"><svg onload=alert(1)>',
        "' onmouseover='alert(1)",
        "]]>--><!--",
        "\x1b[31mred\x07",
        "\u202eright to left",
        "javascript:alert(1)",
        "</title></style>",
        "&lt;b&gt;&#x3c;",
    ]
    files = []
    for name in ("gold", "system"):
        graphs = []
        for number, label in enumerate(labels):
            # The system has another one in each place, so that all are errors.
            said = label if name == "gold" else labels[number - 1]
            graphs.append(
                {
                    "id": f"{number}{label}",
                    "flavor": 2,
                    "framework": "amr",
                    "input": f"{label} text",
                    "tops": [0],
                    "nodes": [
                        {
                            "id": 0,
                            "label": said,
                            "properties": [said],
                            "values": [said],
                        },
                        {"id": 1, "label": f"{said}2"},
                    ],
                    "edges": [{"source": 0, "target": 1, "label": said}],
                }
            )
        path = tmp_path / f"{name}{other}.mrp"
        path.write_text("\n".join(map(json.dumps, graphs)) + "\n")
        files.append(str(path))
    return files[0], files[1]


def test_nothing_that_labels_hold_acts(tmp_path: Path, page: Page) -> None:
    found = Page(made(*hostile(tmp_path), *FEW, "--html", "-"))
    assert problems(found) == []
    wanted = {tag for tag, _ in page.found} | {"circle"}
    assert {tag for tag, _ in found.found} <= wanted
    assert "<script>alert(1)</script>" in found.text
    assert "\\x1b[31mred" in found.text
    for char in "\x1b\x07\u202e\u2028":
        assert char not in found.text


def test_a_hundred_items_are_less_than_a_megabyte(tmp_path: Path) -> None:
    files = []
    for name in ("gold", "birch"):
        lines = (DATA / f"{name}.mrp").read_text().splitlines()
        path = tmp_path / f"{name}.mrp"
        with path.open("w") as file:
            for copy in range(6):
                for line in lines:
                    file.write(line.replace('"sample-', f'"{copy}-sample-') + "\n")
        files.append(str(path))
    target = tmp_path / "out.html"
    words = (*SOME, "--framework", "eds", "--html", str(target))
    assert made(*files, *words) == ""
    text = target.read_text()
    assert len(text.encode()) < 1_000_000
    page = Page(text)
    items = [each for each in page.ids if re.fullmatch(r"i\d+", each)]
    assert len(items) == 100
    assert problems(page) == []
    # Those that follow the first ones are packed, and are whole.
    scores = page.packed
    assert scores
    stubs = [each for _, each in page.found if "packed" in str(each.get("class"))]
    assert len(stubs) == len(scores)
    for score in scores:
        assert score.startswith('<figure class="picture')
        assert problems(Page(score)) == []


def test_the_same_input_gives_the_same_bytes(text: str, tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    made(GOLD, ALDER, *FEW, "--html", str(target))
    assert target.read_text() == text


def test_a_store_gives_the_same_page(run: Run, tmp_path: Path, both: Page) -> None:
    store = tmp_path / "runs.db"
    for name, file in (("gold", GOLD), ("birch", BIRCH), ("alder", ALDER)):
        assert run("ingest", store, file, "--as", name).code == 0
    asked = (str(store), "--gold", "gold", "--system", "birch", "--system", "alder")
    more = ("--compare", *SOME, "--worst", "5", "--html", "-")
    for _ in range(2):
        page = Page(made(*asked, *more))

        def named(rows: list[list[str]]) -> list[list[str]]:
            return [
                [re.sub(r"(\S*/)?(\w+)\.mrp", r"\2", cell) for cell in row]
                for row in rows
            ]

        assert [each.rows for each in page.tables] == [
            named(each.rows) for each in both.tables
        ]
        mine, theirs = (
            sum(tag == "figure" for tag, _ in each.found) for each in (page, both)
        )
        assert mine == theirs > 10


SENTENCES = (("Ada met Bob .", "(0) - (1) -"), ("She left him .", "(0) - (1) -"))


def document(path: Path, second: str) -> str:
    """A document of two sentences, whose pronouns are of some entities."""
    lines = ["#begin document (d); part 000"]
    for number, (words, marks) in enumerate(SENTENCES):
        marks = second if number else marks
        for n, (word, mark) in enumerate(
            zip(words.split(), marks.split(), strict=True)
        ):
            lines.append(f"d 0 {n} {word} X * - - - - * {mark}")
        lines.append("")
    path.write_text("\n".join([*lines, "#end document", ""]))
    return str(path)


@pytest.mark.parametrize("kept", [False, True])
def test_documents_are_shown_as_a_whole(run: Run, tmp_path: Path, kept: bool) -> None:
    gold = document(tmp_path / "gold.conll", "(0) - (1) -")
    system = document(tmp_path / "system.conll", "(1) - (0) -")
    words: tuple[str, ...] = (gold, system)
    if kept:
        store = str(tmp_path / "runs.db")
        run("score", gold, system, "--save", store)
        words = (store, "--gold", "gold", "--system", "system")
    page = Page(made(*words, *FEW, "--html", "-"))
    assert problems(page) == []
    assert "Ada met Bob . She left him ." in page.text
    assert sum(tag == "figure" for tag, _ in page.found) == 1
    assert "depends on all of its mentions" in page.text


def test_markdown_has_the_same_numbers_and_items_as_show(run: Run) -> None:
    text = made(GOLD, ALDER, *FEW, "--markdown", "--worst", "1")
    shown = run("show", "sample-17", GOLD, ALDER, "--markdown").out
    for line in filter(None, shown.splitlines()):
        assert line in text.splitlines()
    for title in ("Scores", "Confusions", "Most frequent errors", "Items"):
        assert f"\n## {title}\n" in text


def test_the_command_makes_the_same_page(page: Page, text: str) -> None:
    assert f"graphscore report {GOLD} {ALDER} --samples 50 --html report.html" in (
        page.text
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say where the report goes"),
        (("--html", "-", "--markdown"), "both go to standard output"),
        (("--html", "nowhere/out.html"), "no directory nowhere"),
        (("--html", "."), "is not a file"),
        (("--html", "-", "--worst", "-1"), "-1"),
        (
            ("--html", "-", "--worst", "1", "--items", "1"),
            "--worst and --items are mutually exclusive",
        ),
        (("--html", "-", "--compare"), "two or more systems"),
        (("--html", "-", "-m", "nonsense"), "nonsense"),
        (("--html", "-", "--samples", "0"), "0"),
        (("--markdown", "out.mrp"), "ends in .md"),
    ],
)
def test_wrong_use_has_one_clear_error(
    run: Run, words: tuple[str, ...], said: str
) -> None:
    found = run("report", GOLD, ALDER, *words)
    assert found.code == 2
    assert said in found.err
    assert found.out == ""


def test_what_is_read_is_never_written(run: Run, tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    for path, source in ((gold, GOLD), (system, ALDER)):
        path.write_bytes(Path(source).read_bytes())
    (tmp_path / "link.html").symlink_to(system)
    for target in (gold, system, tmp_path / "link.html"):
        found = run("report", gold, system, "--html", target)
        assert found.code == 2
        assert "which is scored" in found.err
    found = run("report", tmp_path, system, "--html", gold)
    assert found.code == 2
    # What was there before stays where nothing pairs.
    out = tmp_path / "out.html"
    out.write_text("before")
    empty = tmp_path / "bad.mrp"
    empty.write_text("{")
    assert run("report", empty, system, "--html", out).code == 3
    assert out.read_text() == "before"
    assert gold.read_bytes() == Path(GOLD).read_bytes()


def test_a_system_that_is_named_twice_has_two_names() -> None:
    words = (GOLD, ALDER, ALDER, "--compare", "--framework", "amr", "--worst", "1")
    page = Page(made(*words, *FEW, "--html", "-"))
    [row] = next(each for each in page.tables if "a - b" in each.head).body
    assert row["a - b"] == "0.00"
    assert f"{Path(ALDER).name} (2)" in page.text
    assert problems(page) == []


def test_a_file_that_cannot_be_written_is_named(run: Run) -> None:
    found = run("report", GOLD, ALDER, *FEW, "--worst", "0", "--html", "/proc/out.html")
    assert found.code == 3
    assert "/proc/out.html cannot be written: " in found.err


def test_pairs_without_proof_end_with_their_code(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    words = ("--framework", "eds", "--limit", "1", "--html", target)
    assert run("report", GOLD, BIRCH, *FEW, *words).code == 4
    assert "unproven" in target.read_text()
