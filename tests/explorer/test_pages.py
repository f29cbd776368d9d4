"""Each page shows what the store says, at an address of its own."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store
from graphscore.explorer.app import PAGES, application
from graphscore.explorer.error_index import hits_of, places_of
from graphscore.explorer.pages.leaderboard import KIND_NAMES
from graphscore.explorer.reader import Reader, name_of
from graphscore.explorer.scores import is_summed
from graphscore.explorer.security import Access
from graphscore.explorer.server import work_ahead
from graphscore.explorer.urls import Parameters
from graphscore.store.read.examples import EXAMPLES
from graphscore.store.read.queries import literal
from tests.explorer.conftest import HOSTILE, Shown, copied

ROWS = re.compile(r"<tr[^>]*>(.*?)</tr>", re.S)

CELLS = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.S)

LINKS = re.compile(r'<a[^>]* href="([^"]*)"[^>]*>(.*?)</a>', re.S)


def plain(text: str) -> str:
    return html.unescape(re.sub("<[^>]*>", "", text)).strip()


def rows(text: str, number: int = 0) -> list[list[str]]:
    """The cells of a table, its heads first."""
    table = re.findall(r"<table.*?</table>", text, re.S)[number]
    return [[plain(cell) for cell in CELLS.findall(row)] for row in ROWS.findall(table)]


def link(text: str, name: str) -> str:
    """Where a link leads."""
    for href, inside in LINKS.findall(text):
        if plain(inside) == name:
            return html.unescape(href)
    raise AssertionError(f"no link {name!r} among {LINKS.findall(text)[:40]}")


@pytest.fixture(scope="module")
def own(shown: Shown) -> str:
    """The address of the evaluation of alder."""
    first = shown.get("/").text
    [row] = [
        found
        for found in ROWS.findall(first)
        if {"alder", "mrp"} <= {*map(plain, CELLS.findall(found))}
    ]
    return link(row, "alder")


def test_the_first_page_lists_evaluations_and_collections(shown: Shown) -> None:
    found = shown.get("/").text
    boards = found.count('<table class="sortable records">')
    assert boards == 1
    evaluations = rows(found, boards)
    head = evaluations[0]
    assert head[:5] == ["system", "gold", "metric", "scope", "value"]
    assert [row[:3] for row in evaluations[1:4]] == [
        ["alder", "gold", "mrp"],
        ["birch", "gold", "mrp"],
        ["alder", "gold", "smatch"],
    ]
    [[errors]] = shown.reader.ask(
        "select count(*) from v_errors where system = 'birch' and metric = 'mrp'"
    ).rows
    assert evaluations[2][head.index("errors")] == str(errors)
    assert rows(found, boards + 1)[1][0] == "gold"


def test_the_first_page_has_leaderboards(shown: Shown) -> None:
    found = shown.get("/").text
    board = rows(found)
    assert board[0][:3] == ["system", "rank", "amr"]
    assert board[0][-4:] == ["all", "macro", "units", "missing"]
    assert [row[0] for row in board[1:]] == ["alder", "birch"]
    assert "no intervals of ranks yet" in found


def test_leaderboards_have_switches_and_lead_across_systems(shown: Shown) -> None:
    found = shown.get("/leaderboard").text
    assert "<option selected>all.f1</option>" in found
    edges = shown.get("/leaderboard", score="edges.f1").text
    assert [row[0] for row in rows(edges)[1:]] == ["alder", "birch"]
    assert rows(edges)[1] != rows(found)[1]
    wrong = shown.get("/leaderboard", score="edge.f1")
    assert wrong.status_code == 400
    assert "did you mean" in wrong.text
    assert shown.get("/leaderboard", task="e0000000").status_code == 404
    [line, *_] = shown.get("/leaderboard", format="csv").text.splitlines()
    assert line.startswith("rank,ranks,system")


@pytest.mark.parametrize("by", [name for name, _ in KIND_NAMES])
def test_pages_across_systems(shown: Shown, by: str) -> None:
    found = shown.get("/across", by=by)
    assert found.status_code == 200
    table = rows(found.text)
    assert len(table) > 2
    if by == "items":
        head = table[0]
        assert table[1][head.index("wrong")] == table[1][head.index("systems")] == "2"
        item = link(ROWS.findall(found.text)[1], plain(table[1][0]))
        assert shown.get(item).status_code == 200
    lines = shown.get("/across", by=by, format="csv").text.splitlines()
    assert len(lines) > 2


ORIGIN = {"Origin": "http://127.0.0.1:8765"}


def test_the_box_has_everyday_questions(shown: Shown) -> None:
    page = shown.get("/sql").text
    for question in EXAMPLES.values():
        assert question.title in page
        asked = {"sql": question.sql, "format": "page"}
        answered = shown.client.post("/sql", data=asked, headers=ORIGIN)
        assert answered.status_code == 200, question.name


def test_values_are_those_of_scoring(shown: Shown, own: str) -> None:
    value = shown.client.get(f"{own}/value", headers={"HX-Request": "true"}).text
    found = shown.get(own).text
    table = rows(found)
    assert table[0][:4] == ["framework", "value", "P", "R"]
    [[matched, gold, system]] = shown.reader.ask(
        "select sum(matched), sum(gold_count), sum(system_count) from v_scores "
        "where system = 'alder' and metric = 'mrp' and gold = 'gold'"
    ).rows
    assert plain(value) == f"{200 * matched / (gold + system):.2f}"
    assert plain(value) in found
    [[matched, gold, system]] = shown.reader.ask(
        "select sum(matched), sum(gold_count), sum(system_count) from v_scores "
        "where system = 'alder' and metric = 'mrp' and framework = 'eds'"
    ).rows
    [eds] = [row for row in table if row[0] == "eds"]
    assert eds[1] == f"{200 * matched / (gold + system):.2f}"


def test_a_slice_has_the_scores_of_what_is_in_it(shown: Shown, own: str) -> None:
    by = shown.get(own, by="document").text
    assert rows(by)[0][0] == "document"
    href = link(shown.get(own).text, "eds")
    assert "framework=eds" in href
    sliced = shown.get(href).text
    assert [row[0] for row in rows(sliced)[1:]] == ["eds"]


def test_errors_are_folded_as_the_verb_folds_them(shown: Shown, own: str) -> None:
    with Store(str(shown.path)) as store:
        found = store.errors(gold="gold", system="alder", metric="mrp", top=50)
    names = (
        "framework",
        "tuple_type",
        "error_type",
        "name",
        "value",
        "errors",
        "instead",
    )
    places = [found.columns.index(name) for name in names]
    expected = [
        ["null" if n == 4 and row[n] is None else str(row[n] or "") for n in places]
        for row in found.rows
    ]
    assert places == [*range(7)]
    told = rows(shown.get(f"{own}/errors").text)[1:]
    # A link has to have words.
    assert [[x.replace("(empty)", "") for x in row] for row in told] == expected
    narrowed = rows(
        shown.get(f"{own}/errors", tuple_type="edges", error_type="missing").text
    )
    assert {(row[1], row[2]) for row in narrowed[1:]} == {("edges", "missing")}


@pytest.mark.parametrize("name", ["document", "language", "item", "label"])
def test_errors_are_narrowed_by_what_is_not_counted(shown: Shown, name: str) -> None:
    [made] = [each for each in shown.reader.evaluations() if each.gold == HOSTILE[0]]
    [[value, times]] = shown.reader.ask(
        f"select {name}, count(*) from v_errors where gold = {literal(made.gold)} "
        f"group by 1 having {name} <> '' and length({name}) < 100 "
        "order by 2 desc, 1 desc limit 1"
    ).rows
    total, page = 0, 1
    while True:
        query = {name: value, "page": page}
        text = shown.get(f"/evaluation/{name_of(made)}/errors", **query).text
        place = rows(text)[0].index("errors")
        total += sum(int(row[place].replace(",", "")) for row in rows(text)[1:])
        if 'rel="next"' not in text:
            break
        page += 1
    assert total == times > 0


def test_a_group_leads_to_its_errors_and_these_to_their_items(
    shown: Shown, own: str
) -> None:
    text = shown.get(f"{own}/errors", framework="eds", tuple_type="labels").text
    times = rows(text)[1][rows(text)[0].index("errors")]
    single = shown.get(link(text, times)).text
    found = rows(single)
    assert len(found) - 1 == int(times)
    place = found[0].index("item")
    item = shown.get(link(single, found[1][place]))
    assert item.status_code == 200
    assert f"<h1>{found[1][place]}</h1>" in item.text
    assert "<svg" in item.text


def test_items_stand_worst_first_and_lead_to_each_other(shown: Shown, own: str) -> None:
    text = shown.get(f"{own}/items").text
    table = rows(text)
    with Store(str(shown.path)) as store:
        scores = store.item_scores(gold="gold", system="alder", metric="mrp")
    assert [row[0] for row in table[1:]] == [each.item for each in scores.items][:50]
    place = table[0].index("mean")
    assert table[1][place] == f"{100 * scores.items[0].mean:.2f}"  # type: ignore[operator]
    first = shown.get(link(text, table[1][0])).text
    assert f"1 of {len(scores.items)}" in first
    assert 'rel="prev"' not in first
    second = shown.get(link(first, "next item")).text
    assert f"<h1>{table[2][0]}</h1>" in second
    assert f"<h1>{table[1][0]}</h1>" in shown.get(link(second, "previous item")).text


def test_an_item_stands_in_all_its_frameworks(shown: Shown, own: str) -> None:
    text = shown.get(f"{own}/item", id="sample-03").text
    units = re.findall(r'<h2 id="u\d+">(.*?)</h2>', text)
    frameworks = shown.reader.ask(
        "select framework from v_items where item = 'sample-03' and system = 'alder' "
        "and metric = 'mrp' order by 1"
    ).rows
    assert units == [each for [each] in frameworks]
    assert text.count('<figure class="picture') == len(units)
    one = shown.get(f"{own}/item", id="sample-03", framework="eds").text
    assert re.findall(r'<h2 id="u\d+">(.*?)</h2>', one) == ["eds"]


@pytest.mark.parametrize("place", ["text", "labels", "items"])
def test_search_leads_to_graphs(shown: Shown, place: str) -> None:
    columns = {"text": "text", "items": "item"}
    q = "sample-0" if place == "items" else "a"
    text = shown.get("/search", q=q, **{"in": place}).text
    tables = re.findall(r"<table.*?</table>", text, re.S)
    found = [[plain(c) for c in CELLS.findall(r)] for r in ROWS.findall(tables[-1])]
    assert len(found) > 1
    if place in columns:
        at = found[0].index(columns[place])
        assert all(q in row[at].lower() for row in found[1:])
    href = link(tables[-1], found[1][found[0].index("item")])
    graph = shown.get(href)
    assert graph.status_code == 200
    assert "<svg" in graph.text


def test_collections_lead_to_their_evaluations_and_graphs(shown: Shown) -> None:
    """Also one that nothing was scored with, by the links of pages."""
    first = shown.get("/").text
    page = shown.get(link(first.partition('id="c"')[2], "gold")).text
    assert plain(re.findall("<h1>.*?</h1>", page)[0]) == "gold"
    assert [row[:3] for row in rows(page)[1:]] == [
        ["alder", "gold", "mrp"],
        ["birch", "gold", "mrp"],
        ["alder", "gold", "smatch"],
    ]
    listed: list[list[str]] = []
    while True:
        listed += rows(page, 1)[1:]
        after = re.findall(r'<a rel="next" href="([^"]*)"', page)
        if not after:
            break
        page = shown.get(html.unescape(after[0])).text
    columns = "item, framework, document, text"
    expected = shown.reader.ask(
        f"select {columns} from v_graphs where collection = 'gold' order by 2, 1"
    ).rows
    assert listed == [[str(cell) for cell in row] for row in expected]
    graph = shown.get(link(page, listed[-1][0])).text
    assert "<svg" in graph
    # And back.
    assert link(graph, "gold") == "/collection?name=gold"


def test_graphs_of_a_collection_are_narrowed(shown: Shown) -> None:
    known = {"name": "birch", "format": "json"}
    for query, condition in (
        ({"framework": "ucca"}, "framework = 'ucca'"),
        ({"find": "SAMPLE-0"}, "item like 'sample-0%'"),
        ({"document": "birch", "find": "7"}, "document = 'birch' and item like '%7%'"),
        ({"document": "nowhere"}, "false"),
    ):
        [[count]] = shown.reader.ask(
            f"select count(*) from v_graphs where collection = 'birch' and {condition}"
        ).rows
        assert len(shown.get("/collection", **known, **query).json()) == count
    missing = shown.get("/collection", name="nowhere")
    assert missing.status_code == 404
    assert "no collection 'nowhere'" in html.unescape(missing.text)


def test_all_that_is_found_can_be_taken_away(shown: Shown) -> None:
    text = shown.get("/search", q="e").text
    assert "Only the first 100 are shown." in text
    found = shown.get(link(text, "JSON")).json()
    [[count]] = shown.reader.ask(
        "select count(*) from v_graphs where text like '%e%'"
    ).rows
    assert len(found) == count > 100
    labels = shown.get("/search", q="rain", **{"in": "labels"}).text
    taken = shown.get(link(labels, "JSON")).json()
    assert len(taken) == len(rows(labels, 1)) - 1 > 0


def test_search_takes_signs_of_patterns_as_they_are(shown: Shown) -> None:
    found = shown.get("/search", q="%", **{"in": "items"}).text
    ids = {row[4] for row in rows(found)[1:]}
    assert ids == {f"{n} {label}" for n, label in enumerate(HOSTILE) if "%" in label}


def test_two_systems_are_compared(shown: Shown, own: str) -> None:
    text = shown.get(own).text
    compared = shown.get(link(text, "Compare with birch")).text
    scores = rows(compared)
    assert scores[0] == ["", "alder", "birch", "difference"]
    part = html.unescape(re.findall(r'hx-get="([^"]*)"', compared)[0])
    changed = rows(shown.get(part).text)
    expected = shown.reader.ask(
        "select framework, tuple_type, error_type,"
        " sum(case when status = 'fixed' then errors else 0 end),"
        " sum(case when status = 'broken' then errors else 0 end),"
        " sum(case when status = 'still' then errors else 0 end)"
        " from v_changes where baseline = 'alder' and system = 'birch'"
        " and metric = 'mrp' and gold = 'gold' group by 1, 2, 3 order by 1, 2, 3"
    ).rows
    assert changed[1:] == [[str(cell) for cell in row] for row in expected]
    items = rows(compared, 1)
    item = shown.get(link(compared, items[1][0])).text
    assert plain(re.findall("<h1>.*?</h1>", item)[0]).endswith(f"mrp, {items[1][0]}")
    statuses = {row[0] for row in rows(item)[1:]}
    assert statuses <= {"fixed", "broken", "still"}
    assert statuses
    assert rows(item, 1)[1:] == [items[1]]
    counted = shown.get(f"{part}&format=json").json()
    assert [[str(cell) for cell in each.values()] for each in counted] == changed[1:]


def test_two_systems_have_intervals_and_a_test(shown: Shown, own: str) -> None:
    [*_, other] = [
        link(row, "birch")
        for row in ROWS.findall(shown.get("/").text)
        if {"birch", "mrp"} <= {*map(plain, CELLS.findall(row))}
    ]
    sides = {"baseline": own.split("/")[2], "system": other.split("/")[2]}
    page = html.unescape(shown.get("/compare", **sides).text)
    [address] = set(re.findall(r'hx-get="(/compare/tests[^"]*)"', page))
    systems, pairs = (rows(shown.get(address).text, number) for number in (0, 1))
    assert systems[0][:2] == ["rank", "system"]
    assert [row[1] for row in systems[1:]] == ["alder", "birch"]
    assert pairs[1][:2] == ["alder", "birch"]
    assert "paired randomisation" in shown.get(address).text
    sliced = shown.get(f"{address}&framework=eds")
    assert rows(sliced.text)[1] != systems[1]


def test_a_slice_of_two_systems_is_compared(shown: Shown, own: str) -> None:
    sliced = shown.get(own, framework="eds").text
    href = link(sliced, "Compare with birch")
    assert "framework=eds" in href
    compared = shown.get(href).text
    assert plain(re.findall("<h1>.*?</h1>", compared)[0]).endswith("mrp, eds")
    assert '<option value="eds" selected>' in compared
    assert "framework dm" not in {row[0] for row in rows(compared)}
    with Store(str(shown.path)) as store:
        scores = store.item_scores(gold="gold", system="birch", metric="mrp")
    known = {each.item: each for each in scores.items}
    found = shown.get(f"{href}&format=json").json()
    assert len(found) == 14
    assert {each["item"] for each in found} <= known.keys()


def test_what_is_compared_of_an_item_is_of_no_other(shown: Shown, own: str) -> None:
    href = link(shown.get(own).text, "Compare with birch")
    found = shown.get(f"{href}&item=sample-0").text
    assert "they share no items" in found
    assert "no rows" in found


def test_only_what_is_alike_is_compared(shown: Shown) -> None:
    evaluations = rows(shown.get("/").text, 1)
    assert len(evaluations) > 3
    first = shown.get("/").text
    names = [href for href, _ in LINKS.findall(first) if "/evaluation/" in href]
    own = list(dict.fromkeys(name.split("/")[2] for name in names))
    said = shown.get("/compare", baseline=own[0], system=own[2])
    assert said.status_code == 400
    assert "expected the same gold collection and metric" in html.unescape(said.text)
    assert shown.get("/compare", baseline=own[0], system=own[0]).status_code == 400
    assert shown.get("/compare").status_code == 200


@pytest.mark.parametrize("page", ["", "/errors", "/errors/single", "/items"])
def test_tables_can_be_taken_away(shown: Shown, own: str, page: str) -> None:
    text = shown.get(f"{own}{page}").text
    sent = shown.get(link(text, "CSV"))
    assert sent.headers["content-type"].startswith("text/csv")
    assert sent.headers["content-disposition"].startswith('attachment; filename="')
    lines = list(csv.reader(io.StringIO(sent.text, newline="")))
    values: list[dict[str, Any]] = json.loads(shown.get(link(text, "JSON")).content)
    assert len(values) == len(lines) - 1 > 0
    assert [*values[0]] == lines[0]
    offers = link(text, "JSON").replace("json", "parquet")
    parquet = shown.get(offers)
    try:
        from pyarrow import parquet as reader
    except ModuleNotFoundError:
        assert ">Parquet<" not in text
        assert parquet.status_code == 400
        assert "pyarrow" in parquet.text
    else:
        assert link(text, "Parquet") == offers
        assert reader.read_table(io.BytesIO(parquet.content)).num_rows == len(values)


def test_downloads_have_everything_at_full_precision(shown: Shown, own: str) -> None:
    found = shown.get(f"{own}/errors/single", format="json").json()
    [[errors]] = shown.reader.ask(
        "select count(*) from v_errors where system = 'alder' and metric = 'mrp'"
    ).rows
    assert len(found) == errors
    items = shown.get(f"{own}/items", format="json").json()
    with Store(str(shown.path)) as store:
        scores = store.item_scores(gold="gold", system="alder", metric="mrp")
    assert [each["mean"] for each in items] == [each.mean for each in scores.items]


def test_addresses_stay_when_a_system_is_scored_again(shown: Shown, own: str) -> None:
    assert shown.get("/evaluation/1").text.count("<h1>") == 1
    assert re.fullmatch(r"/evaluation/e[0-9a-f]{7}", own)


def test_every_page_can_be_read_aloud(shown: Shown, own: str) -> None:
    pages = ("/", own, f"{own}/errors", f"{own}/items", "/search", "/sql")
    for address in (*pages, "/collection?name=gold"):
        text = shown.get(address).text
        assert text.count("<h1>") == text.count("<main") == 1
        assert '<html lang="en">' in text
        assert 'href="#main">' in text
        for tag in ("header", "footer", "nav"):
            assert f"<{tag}" in text
        for field in re.findall(r"<(?:input|select|textarea)[^>]*>", text):
            if 'type="hidden"' in field:
                continue
            before = text[: text.index(field)]
            labelled = before.rindex("<label") > before.rfind("</label>")
            named = re.search(r'id="([^"]*)"', field)
            assert labelled or (named and f'for="{named[1]}"' in text), field
        for table in re.findall(r"<table.*?</table>", text, re.S):
            assert 'scope="col"' in table
            assert 'scope="row"' in table


def test_hostile_collections_have_their_pages(shown: Shown) -> None:
    first = shown.get("/").text
    href = link(first, HOSTILE[1])
    for page in ("", "/errors", "/errors/single", "/items"):
        assert shown.get(href + page).status_code == 200


def test_of_many_errors_what_stands_there_is_said_when_asked(
    shown: Shown, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = rows(shown.get(f"{own}/errors").text)
    assert told[0][-1] == "instead"
    monkeypatch.setattr("graphscore.explorer.pages.errors.MANY", 10)
    text = shown.get(f"{own}/errors").text
    assert rows(text)[1:] == [row[:-1] for row in told[1:]]
    assert rows(shown.get(link(text, "With what stands there instead")).text) == told


@pytest.mark.parametrize("name", ["label", "value"])
def test_what_is_known_ahead_changes_no_page(shown: Shown, name: str) -> None:
    [made] = [each for each in shown.reader.evaluations() if each.gold == HOSTILE[0]]
    place = f"/evaluation/{name_of(made)}/errors"
    reader = Reader(str(shown.path))
    try:
        found = []
        for text in (*HOSTILE[:3], HOSTILE[3][::-1] + "x", "not there"):
            given = Parameters({name: text})
            for page in (place, f"{place}/single"):
                making = PAGES[page.replace(name_of(made), "{name}")]
                path = {"name": name_of(made)}
                before = making(reader, path, given)
                found.append((making, path, given, before))
        known = {name: (1,)}
        assert hits_of(reader, made, known) is None
        places = places_of(reader, made)
        [[errors]] = reader.ask(
            f"select count(*) from v_errors where gold = {literal(made.gold)}"
        ).rows
        assert len(places.unit) == errors
        assert hits_of(reader, made, known) is not None
        for making, path, given, before in found:
            assert making(reader, path, given) == before
        assert any(before.values["table"].rows for *_, before in found)
        assert hits_of(reader, made, {"tuple_type": "labels"}) is None
    finally:
        reader.close()


def test_sums_are_made_ahead(shown: Shown) -> None:
    reader = Reader(str(shown.path))
    try:
        work_ahead(reader)
        latest = reader.evaluations()[-4:]
        assert all(is_summed(reader, each) for each in latest)
        assert all(hits_of(reader, e, {"value": (1,)}) is not None for e in latest)
    finally:
        reader.close()


def test_outdated_evaluations_are_refused(shown: Shown, tmp_path: Path) -> None:
    outdate = "update evaluation set revision = 0 where id = 1"
    path = copied(shown.path, tmp_path / "old.db", outdate)
    reader = Reader(str(path))
    try:
        pages = application(reader, Access("127.0.0.1", 8765), print)
        client = type(shown.client)(pages, base_url="http://127.0.0.1:8765")
        first = client.get("/").text
        assert rows(first, 1)[1][-2] == "outdated"
        assert "alder (outdated); graphscore score" in first
        for page in ("", "/errors", "/items", "/item?id=sample-03"):
            found = client.get(link(first, "alder") + page)
            assert found.status_code == 409
            assert "score again: graphscore score" in html.unescape(found.text)
        assert client.get("/evaluation/2").status_code == 200
        assert client.get("/compare").status_code == 200
    finally:
        reader.close()


DAMAGES = (
    "update pair set item = x'41'",
    "update correspondence set gold = 500",
    "update raw_count set value = 'x'",
    "update error set value = 999999, tuple_type = 5",
    "delete from symbol",
    "delete from node",
    "update pair set result = null",
    "drop view v_items",
    "update evaluation set metric = 'rules:/etc/passwd' where id = 1",
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_stores_are_no_defects(
    shown: Shown, tmp_path: Path, damage: str
) -> None:
    path = copied(shown.path, tmp_path / "damaged.db", damage)
    reader, said = Reader(str(path)), list[str]()
    try:
        pages = application(reader, Access("127.0.0.1", 8765), said.append)
        client = type(shown.client)(pages, base_url="http://127.0.0.1:8765")
        found = {
            client.get(address).status_code
            for address in (
                *("/", "/evaluation/1", "/evaluation/1/errors", "/evaluation/1/items"),
                *("/evaluation/1/errors/single", "/evaluation/1/item?id=sample-03"),
                *("/compare?baseline=1&system=2&item=sample-03", "/search?q=a"),
            )
        }
    finally:
        reader.close()
    assert found <= {200, 400, 404, 503}
    assert not said
