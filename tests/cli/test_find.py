"""``graphscore find``: files and stores, shapes, counts, drawings, refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DATA

Run = Callable[..., Any]

GOLD, ALDER = str(DATA / "gold.mrp"), str(DATA / "alder.mrp")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    from graphscore import Store

    path = tmp_path_factory.mktemp("find") / "runs.db"
    with Store(path, mode="create") as runs:
        runs.ingest(GOLD, "gold")
        runs.ingest(ALDER, "alder")
        runs.score("gold", "alder", "mrp")
    return str(path)


def test_files_and_a_store_find_the_same(run: Run, store: str) -> None:
    pattern = "pattern { missing(V -[ARG1]-> A) }"
    both = run("find", GOLD, ALDER, pattern, "-m", "mrp", "--json")
    assert both.code == 0
    found = both.json
    assert found["hits"] == len(found["items"]) == 21
    assert run("find", store, pattern, "--json").json == found
    counted = run(
        "query",
        store,
        "select count(*) from v_errors where error_type = 'missing' "
        "and tuple_type = 'edges' and label = 'ARG1'",
        "--csv",
    )
    assert counted.out.split()[1] == "21"


def test_one_file_is_searched_alone(run: Run) -> None:
    found = run(
        "find", GOLD, "pattern { X [label=want] }", "--json", "--by", "framework"
    )
    assert found.json["hits"] == 2
    assert found.json["groups"] == [
        {"framework": "dm", "hits": 1},
        {"framework": "psd", "hits": 1},
    ]
    refused = run("find", GOLD, "pattern { X []; missing(X) }")
    assert (refused.code, "give a system beside" in refused.err) == (2, True)


def test_the_system_is_searched_where_the_pattern_is_about_it(run: Run) -> None:
    pattern = "system { X -[ARG1]-> Y }"
    two = run("find", GOLD, ALDER, pattern, "--json", "--count")
    one = run("find", ALDER, "pattern { X -[ARG1]-> Y }", "--json", "--count")
    assert two.json == one.json
    assert set(two.json) == {"hits", "groups"}


def test_shapes(run: Run, store: str) -> None:
    asked = (
        "find",
        store,
        "pattern { e: X -> Y }",
        "--gold",
        "gold",
        "--framework",
        "dm",
    )
    assert run(*asked, "--count", "--table").out == "66 hits\n"
    assert run(*asked, "--count", "--csv").out == "hits\n66\n"
    assert len(run(*asked, "--jsonl").lines) == 66
    assert run(*asked, "--csv").out.startswith("framework,document,item,X,Y,e,text\n")
    shown = run(*asked, "--table", "--top", "3")
    assert len(shown.out.splitlines()) == 5
    assert "66 hits, the first 3 shown" in shown.err
    asked = (*asked[:2], "pattern { e: X -[ARG1|ARG2]-> Y }", *asked[3:])
    crossed = run(*asked, "--by", "X.pos,e.label", "--table", "--top", "2").out
    assert crossed.startswith("X.pos by e.label\n")
    assert "from graph g" in run(*asked, "--count", "--table", "--sql").out


def test_hits_are_shown_in_their_graphs(run: Run, store: str) -> None:
    shown = run("find", store, "pattern { X [label=want]; e: X -[ARG1]-> Y }", "--show")
    assert shown.out == (
        "sample-02 (dm)\n"
        "  The old cat wants to sleep.\n"
        "  Y  2 cat\n"
        "  X  3 want\n"
        "     0 the -BV-> 2 cat\n"
        "     1 old -ARG1-> 2 cat\n"
        "  e  3 want -ARG1-> 2 cat\n"
        "     3 want -ARG2-> 4 sleep\n"
        "     4 sleep -ARG1-> 2 cat\n"
    )
    both = run(
        "find",
        store,
        "gold { V -[ARG2]-> A } system { V -> B }",
        "--show",
        "--top",
        "1",
    ).out
    assert "\n  gold:\n" in both
    assert "\n  system:\n" in both


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("STORE", "pattern { X -[ARG1-> Y }"), 2, "column 20: found '>'"),
        (("STORE",), 2, "GOLD [SYSTEM] PATTERN"),
        (("STORE", "pattern { X [] }", "--by", "Y.label"), 2, "--by Y.label"),
        (("STORE", "pattern { X [] }", "--gold", "gild"), 2, "no collection 'gild'"),
        (("STORE", "STORE", "pattern { X [] }"), 2, "is a store"),
        (("STORE", "pattern { X [] }", "--show", "--json"), 2, "--show and --json"),
        (("STORE", "pattern { X []; missing(X) }", "-m", "sdp"), 2, "no evaluation"),
        (("no.db", "pattern { X [] }", "--gold", "gold"), 3, "no such store"),
        (("no.mrp", "pattern { X [] }"), 3, "no.mrp"),
    ],
)
def test_what_cannot_be_found_is_refused(
    run: Run, store: str, words: tuple[str, ...], code: int, said: str
) -> None:
    found = run("find", *(store if word == "STORE" else word for word in words))
    assert (found.code, found.out) == (code, "")
    assert said in found.err


def test_metrics_of_documents_tell_of_sentences(run: Run) -> None:
    gold = str(DATA / "dependencies" / "gold.conllu")
    system = str(DATA / "dependencies" / "parser.conllu")
    one = run(
        "find", gold, system, "pattern { X [upos=VERB]; X -[nsubj]-> Y }", "--json"
    )
    assert one.json["hits"] > 0
    lost = "pattern { e: X -> Y; missing(e) }"
    two = run("find", gold, system, lost, "-m", "las", "--json")
    score = run("score", gold, system, "-m", "las", "--json").json
    count = score["counts"]["all"]
    assert two.json["hits"] == count["gold"] - count["matched"]


def test_sentences_that_are_cut_otherwise_are_shown(run: Run, tmp_path: Path) -> None:
    def tree(name: str, words: str) -> str:
        rows = [
            f"{k}\t{form}\t{form}\tNOUN\t_\t_\t{min(k - 1, 1)}"
            f"\t{relation if k > 1 else 'root'}\t_\t_\n"
            for k, (form, relation) in enumerate(
                (x.split("/") for x in words.split()), 1
            )
        ]
        text = " ".join(x.split("/")[0] for x in words.split())
        return f"# sent_id = {name}\n# text = {text}\n{''.join(rows)}\n"

    gold, system = tmp_path / "g.conllu", tmp_path / "s.conllu"
    gold.write_text(tree("g1", "a/x b/obj c/obj") + tree("g2", "d/x e/obj"))
    system.write_text(tree("s1", "a/x b/nsubj") + tree("s2", "c/x d/obj e/obj"))
    both = "gold { X -[obj]-> Y } system { X -[nsubj]-> Y }"
    files = (str(gold), str(system))
    [hit] = run("find", *files, both, "-m", "las", "--json").json["items"]
    assert (hit["item"], hit["system_item"]) == ("g1", "s1")
    shown = run("find", *files, both, "-m", "las", "--show")
    assert shown.code == 0
    assert "a -nsubj-> " in shown.out
    lost = "pattern { e: X -[obj]-> Y; missing(e) }"
    page = tmp_path / "hits.html"
    for pattern, drawn in ((both, 2), (lost, 3)):
        done = run("find", *files, pattern, "-m", "las", "--html", str(page))
        assert (done.code, page.read_text().count("<svg")) == (0, drawn)


def parts(picture: str, tuple_type: str) -> list[str]:
    """What is written in the marked nodes (``n``) or edges (``e``) of a picture."""
    groups = re.findall(rf'<g class="{tuple_type} ([^"]*)">(.*?)</g>', picture)
    return [
        " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", body))
        for classes, body in groups
        if "hit" in classes.split()
    ]


def test_hits_are_drawn_with_the_names_of_the_pattern(run: Run, tmp_path: Path) -> None:
    file, page = tmp_path / "hits.svg", tmp_path / "hits.html"
    pattern = "pattern { V -[ARG1]-> A; e: V -[ARG2]-> B; V [label=want] }"
    options = ("--svg", file, "--html", page, "--framework", "dm")
    done = run("find", GOLD, pattern, *map(str, options))
    assert (done.code, done.out) == (0, "")
    assert "1 hit\n" in done.err
    assert f"{file}: 1 picture" in done.err
    for drawn in (file.read_text(), page.read_text()):
        assert [x.split()[:2] for x in parts(drawn, "n")] == [
            ["A:", "NN"],
            ["V:", "want"],
            ["B:", "VB"],
        ]
        assert parts(drawn, "e") == ["ARG1", "e: ARG2"]
    written = page.read_text()
    assert "<code>pattern { V -[ARG1]-&gt; A" in written
    assert "A cat, B sleep, V want" in written
    again = run("find", GOLD, pattern, "--framework", "dm", "--svg", "-")
    assert again.out == file.read_text()


def test_both_sides_are_drawn_where_the_pattern_compares(
    run: Run, store: str, tmp_path: Path
) -> None:
    page = tmp_path / "hits.html"
    pattern = "pattern { e: V -[ARG1]-> A; missing(e) }"
    asked = ("--framework", "eds", "--top", "2", "--html", str(page))
    done = run("find", store, pattern, *asked)
    assert done.code == 0
    written = page.read_text()
    hits = run("find", store, pattern, "--framework", "eds", "--json").json
    assert f"{hits['hits']} hits, the first 2 shown" in written
    assert written.count("<section") == 2 + written.count('<section id="legend"')
    scores = re.findall(r"<figure.*?</figure>", written)
    assert len(scores) == 2
    for score in scores:
        gold, system = re.findall(r"<svg.*?</svg>", score)
        assert "hit" in gold
        assert "hit" not in system
        [edge] = parts(gold, "e")
        assert edge.startswith("e: ")
        assert re.search(r'<g class="e (missing|label|head) p\d+ hit">', gold)
    both = "gold { V -[ARG1]-> A } system { V -> A }"
    run("find", store, both, *asked)
    gold, system, *_ = re.findall(r"<svg.*?</svg>", page.read_text())
    assert len(parts(gold, "n")) == len(parts(system, "n")) == 2


def test_graphs_of_one_side_alone_are_drawn_too(run: Run, tmp_path: Path) -> None:
    lone = tmp_path / "lone.mrp"
    lines = Path(ALDER).read_text().splitlines(keepends=True)
    some = [x.replace("sample-01", "more-01") for x in lines if "sample-01" in x]
    lone.write_text("".join([*lines, *some]))
    page = tmp_path / "hits.html"
    pattern = "system { X []; spurious(X) }"
    done = run("find", GOLD, str(lone), pattern, "-m", "mrp", "--html", str(page),
               "--top", "500")  # fmt: skip
    assert done.code == 0
    [section, *_] = re.findall(
        r"<section[^>]*><h2>more-01 .*?</section>", page.read_text()
    )
    assert section.count("<svg") == 1


def test_pictures_that_cannot_be_written_are_refused(run: Run, tmp_path: Path) -> None:
    pattern = "pattern { X [label=want] }"
    for more in ("--count", "--json", "--show", "--by=X.label"):
        both = run("find", GOLD, pattern, "--svg", str(tmp_path / "a.svg"), more)
        said = f"--svg and {more.partition('=')[0]} are mutually exclusive"
        assert (both.code, said in both.err) == (2, True)
    gone = run("find", GOLD, pattern, "--html", str(tmp_path / "no" / "a.html"))
    assert (gone.code, f"no directory {tmp_path / 'no'}" in gone.err) == (2, True)
    none = run(
        "find", GOLD, "pattern { X [label=q] }", "--svg", str(tmp_path / "a.svg")
    )
    assert (none.code, "nothing written" in none.err) == (0, True)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("shape", ["--json", "--jsonl", "--csv"])
@pytest.mark.parametrize("more", [(), ("--framework", "ucca"), ("--by", "e.label")])
def test_all_hits_are_printed_as_they_come(
    run: Run, store: str, shape: str, more: tuple[str, ...]
) -> None:
    for pattern in ("pattern { e: X -> Y }", "pattern { e: X -[BV]-> Y; Y -> X }"):
        asked = ("find", store, pattern, "--gold", "gold", shape, *more)
        kept = run(*asked, "--top", "100000")
        streamed = run(*asked)
        assert kept.code == streamed.code == 0
        assert (streamed.out, streamed.err) == (kept.out, kept.err)


def test_a_search_stops_when_its_time_is_over(run: Run, store: str) -> None:
    pattern = f"pattern {{ {'; '.join(f'{name} []' for name in 'ABCDEFGH')} }}"
    stopped = run("find", store, pattern, "--gold", "gold", "--timeout", "0.2")
    assert (stopped.code, stopped.out) == (3, "")
    assert "stopped after 0.2 seconds, which is the limit" in stopped.err
    assert run("find", store, pattern, "--timeout", "0").code == 2


def test_a_forgotten_pattern_and_a_second_system_are_said(run: Run) -> None:
    gold, system = str(DATA / "gold.mrp"), str(DATA / "alder.mrp")
    done = run("find", gold, system)
    assert done.code == 2
    assert f"expected a pattern after the files, found the file {system!r}" in (
        done.err
    )
    done = run("find", gold, "pattern { X [] }", "--system", "a", "--system", "b")
    assert done.code == 2
    assert "find takes one system" in done.err
