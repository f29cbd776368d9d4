"""The explorer in a browser: a real process serves what is bundled, and is used."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest

from tests.browser.conftest import WIDTHS, Audit
from tests.browser.stores import HOSTILE, SCORED, stored
from tests.conftest import ROOT

STRUCTURES = [name for name in SCORED if name not in ("alder", "birch")]

ITEMS = "/items"

SINGLE = "/errors/single"


class Explorer(NamedTuple):
    """A server, and where its pages are."""

    address: str
    names: dict[tuple[str, str], str]
    """Names of evaluations in addresses, by gold and system."""

    def at(self, path: str) -> str:
        """The address of a page."""
        return urljoin(self.address, path)

    def name(self, structure: str) -> str:
        """What an evaluation is called in addresses."""
        if structure == "hostile":
            return self.names[HOSTILE[0], HOSTILE[1]]
        scored = SCORED[structure]
        return self.names[scored.gold, scored.system]

    def of(self, structure: str, path: str = "") -> str:
        """The address of a page of an evaluation."""
        return self.at(f"/evaluation/{self.name(structure)}{path}")

    def compared(self) -> str:
        """The address of the comparison of two systems."""
        return self.at(
            f"/compare?baseline={self.name('alder')}&system={self.name('birch')}"
        )


@pytest.fixture(scope="session")
def explorer(
    browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Explorer]:
    """A process that serves the store at a port that was free, and does not write."""
    for name in ("starlette", "uvicorn"):
        pytest.importorskip(name, reason=f"{name} is not installed ([web])")
    from graphscore.explorer.reader import Reader, name_of

    store = stored(tmp_path_factory.mktemp("explorer") / "runs <b>.db")
    reader = Reader(str(store))
    names = {(each.gold, each.system): name_of(each) for each in reader.evaluations()}
    reader.close()
    content = store.read_bytes()
    log = store.with_suffix(".log")
    command = [sys.executable, "-m", "graphscore", "serve", str(store), "--port", "0"]
    with (
        log.open("w") as said,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        ) as process,
    ):
        assert process.stdout is not None
        try:
            yield Explorer(process.stdout.readline().strip(), names)
        finally:
            process.terminate()
            process.wait(timeout=10)
    assert "Traceback" not in log.read_text()
    assert store.read_bytes() == content


def settle(page: Any) -> None:
    """Wait for what takes time, which a page asks for by itself."""
    waiting = "a[hx-get], [hx-get] > p.later"
    # Functions that a page is asked again and again would be refused by its policy.
    page.locator(waiting).first.wait_for(state="detached")


def first(page: Any) -> str:
    """Where the first link of the first table leads."""
    link: str = page.locator("main tbody a").first.get_attribute("href")
    return link


def lead(page: Any) -> list[str]:
    """The first cell of each row of the last table."""
    found: list[str] = (
        page.locator("main table").last.locator("tbody th").all_inner_texts()
    )
    return found


VIEWS = {
    "collections": "/",
    **{f"alder{path.replace('/', '-')}": f"alder:{path}" for path in ("", "/errors")},
    "alder-single": "alder:/errors/single",
    "alder-items": "alder:/items",
    "alder-item": "alder:/item",
    "alder-slice": "alder:?framework=eds",
    "alder-documents": "alder:?by=document",
    "templates-figures": "templates:",
    **{f"{name}-item": f"{name}:/item" for name in STRUCTURES},
    "hostile-figures": "hostile:",
    "hostile-errors": "hostile:/errors",
    "hostile-single": "hostile:/errors/single",
    "hostile-items": "hostile:/items",
    "hostile-item": "hostile:/item",
    "hostile-search": "/search?q=window&in=labels",
    "search": "/search",
    "search-text": "/search?q=rain",
    "search-labels": "/search?q=rain&in=labels",
    "search-items": "/search?q=sample-0&in=items",
    "graph": "/graph?collection=gold&framework=eds&item=sample-09",
    "collection": "/collection?name=gold",
    "compare": "/compare",
    "compared": "compared",
    "sql": "/sql?sql=select+*+from+v_graphs",
}
"""Every page, and of each structure an item."""


def view(explorer: Explorer, opened: Any, name: str, **options: Any) -> Any:
    """A page by its name."""
    said = VIEWS[name]
    if said == "compared":
        return opened(explorer.compared(), **options)
    structure, between, path = said.partition(":")
    if not between:
        return opened(explorer.at(said), **options)
    if path != "/item":
        return opened(explorer.of(structure, path), **options)
    page = opened(explorer.of(structure, ITEMS), **options)
    page.goto(urljoin(page.url, first(page)))
    return page


@pytest.mark.parametrize("name", VIEWS)
def test_pages_are_sound_and_are_photographed(
    explorer: Explorer, opened: Any, audit: Audit, shoot: Any, name: str
) -> None:
    shown = view(explorer, opened, name)
    settle(shown)
    for asked in ("headings", "tables", "names", "overlaps", "outside"):
        assert audit(shown, asked) == [], asked
    for landmark in ("banner", "main", "contentinfo"):
        assert shown.get_by_role(landmark).count() == 1, landmark
    for width in WIDTHS:
        shown.set_viewport_size({"width": width, "height": 800})
        assert audit(shown, "width") == []
        for scheme in ("light", "dark"):
            shown.emulate_media(color_scheme=scheme)
            if width == WIDTHS[0]:
                assert audit(shown, "contrast") == [], scheme
            if not name.startswith("hostile"):
                shoot(shown, f"explorer-{name}-{width}-{scheme}")


def follow(shown: Any, link: Any) -> None:
    """Click what leads to another page, and wait for it.

    A key pressed before the script of that page has run is a key that is lost.
    """
    with shown.expect_navigation():
        link.click()


def test_errors_are_followed_from_figures_to_their_item(
    explorer: Explorer, opened: Any
) -> None:
    """Open, slice, errors, one of them, its item; and all the way back."""
    shown = opened(explorer.address)
    way = [shown.url]
    evaluations = shown.get_by_role("region", name="Evaluations")
    follow(shown, evaluations.get_by_role("link", name="alder", exact=True))
    way.append(shown.url)
    shown.get_by_label("framework").select_option("eds")
    follow(shown, shown.get_by_role("button", name="Show"))
    shown.wait_for_url("**framework=eds**")
    way.append(shown.url)
    assert shown.get_by_role("heading", level=1).inner_text().endswith(", eds")
    assert shown.locator("main table").first.locator("tbody th").all_inner_texts() == [
        "eds"
    ]
    follow(shown, shown.get_by_role("link", name="Errors", exact=True))
    way.append(shown.url)
    assert {*lead(shown)} == {"eds"}
    row = shown.locator("main tbody tr").first
    count = int(row.locator("td.r").inner_text())
    follow(shown, row.locator("td.r a"))
    way.append(shown.url)
    assert shown.locator("main tbody tr").count() == count == 9
    link = shown.locator("main tbody a").first
    item = link.inner_text()
    follow(shown, link)
    assert shown.get_by_role("heading", level=1).inner_text() == item
    assert shown.locator("figure.picture svg").first.is_visible()
    assert shown.locator("section.framework h2").all_inner_texts() == ["eds"]
    for address in reversed(way):
        shown.go_back()
        assert shown.url == address
    assert shown.get_by_role("heading", level=1).inner_text() == "What the store holds"


def test_collections_are_followed_to_their_graphs_and_evaluations(
    explorer: Explorer, opened: Any
) -> None:
    shown = opened(explorer.address)
    collections = shown.get_by_role("region", name="Collections")
    follow(shown, collections.get_by_role("link", name="gold", exact=True))
    assert shown.get_by_role("heading", level=1).inner_text() == "gold"
    shown.get_by_label("framework").select_option("eds")
    follow(shown, shown.get_by_role("button", name="Show"))
    shown.wait_for_url("**name=gold&framework=eds**")
    assert len(lead(shown)) == 14
    address = shown.url
    item = lead(shown)[0]
    follow(shown, shown.get_by_role("link", name=item))
    assert shown.locator("figure.picture svg").is_visible()
    follow(shown, shown.get_by_role("link", name="gold", exact=True))
    evaluations = shown.get_by_role("region", name="Evaluations")
    follow(shown, evaluations.get_by_role("link", name="birch", exact=True))
    shown.goto(address)
    with shown.expect_download() as waiting:
        shown.get_by_role("link", name="CSV").click()
    with Path(waiting.value.path()).open(encoding="utf-8", newline="") as file:
        assert [row["item"] for row in csv.DictReader(file)] == lead(shown)


@pytest.mark.parametrize(
    "name",
    [
        *("alder-slice", "alder-errors", "alder-single", "alder-item", "collection"),
        *("compared", "sql"),
    ],
)
def test_addresses_that_were_kept_give_the_same_view(
    explorer: Explorer, opened: Any, name: str
) -> None:
    shown = view(explorer, opened, name)
    if shown.get_by_label("framework").count():
        shown.get_by_label("framework").select_option("dm")
        follow(shown, shown.locator("form.filter button"))
        shown.wait_for_url("**framework=dm**")
    settle(shown)
    again = opened(shown.url)
    settle(again)
    # What came later is marked as new for a moment.
    for _ in range(50):
        both = [each.locator("main").inner_html() for each in (again, shown)]
        if both[0] == both[1]:
            break
        again.wait_for_timeout(100)
    assert both[0] == both[1]
    assert again.title() == shown.title()


def test_items_are_sorted_as_is_chosen(explorer: Explorer, opened: Any) -> None:
    shown = opened(explorer.of("alder", ITEMS))

    def numbers(place: int) -> list[float]:
        cells = shown.locator(f"main tbody tr td:nth-last-child({place})")
        return [float(each) for each in cells.all_inner_texts()]

    mean, errors = 6, 3
    assert numbers(mean) == sorted(numbers(mean))
    for name, wanted in (("most errors first", "errors"), ("by id", "item")):
        shown.get_by_label("order").select_option(name)
        follow(shown, shown.get_by_role("button", name="Show"))
        shown.wait_for_url(f"**order={wanted}**")
        assert shown.get_by_label("order").input_value() == wanted
        if wanted == "errors":
            assert numbers(errors) == sorted(numbers(errors), reverse=True)
    assert lead(shown) == sorted(lead(shown))
    assert len(lead(shown)) == 17


def test_keys_and_links_lead_through_the_items(explorer: Explorer, opened: Any) -> None:
    shown = opened(explorer.of("alder", f"{ITEMS}?order=errors"))
    wanted = lead(shown)
    follow(shown, shown.locator("main tbody th a").first)
    heading = shown.get_by_role("heading", level=1)
    at = 0
    for key, step in (("n", 1), ("j", 1), ("j", 1), ("p", -1), ("k", -1)):
        with shown.expect_navigation():
            shown.keyboard.press(key)
        at += step
        assert heading.inner_text() == wanted[at], key
    follow(shown, shown.get_by_role("link", name="next item"))
    assert heading.inner_text() == wanted[2]
    follow(shown, shown.get_by_role("link", name="previous item"))
    assert heading.inner_text() == wanted[1]
    assert "2 of 17" in shown.get_by_role("navigation", name="Items").inner_text()
    shown.keyboard.press("/")
    shown.wait_for_url("**/search")
    # Letters in a field are words, not keys.
    shown.keyboard.press("/")
    shown.keyboard.type("jnk")
    assert shown.locator("#q").input_value() == "jnk"
    assert shown.url.endswith("/search")


@pytest.mark.parametrize("name", ["alder", "coreference", "entities", "roles"])
def test_pointing_at_a_part_marks_its_counterparts(
    explorer: Explorer, opened: Any, name: str
) -> None:
    shown = view(explorer, opened, f"{name}-item")
    figure = shown.locator("figure.picture").first
    pair = figure.evaluate(
        """figure => {
             const count = {};
             for (const part of figure.querySelectorAll("g[class*=' p']")) {
               for (const name of part.getAttribute('class').split(' ')) {
                 if (/^p\\d+$/.test(name)) count[name] = (count[name] || 0) + 1;
               }
             }
             return Object.keys(count).find(name => count[name] > 1);
           }"""
    )
    assert figure.locator(".on").count() == 0
    part = figure.locator(f".{pair}").first
    part.locator("text, path, rect").last.hover(force=True)
    assert figure.locator(f".{pair}.on").count() >= 2
    shown.mouse.move(0, 0)
    assert figure.locator(".on").count() == 0


def test_two_systems_are_compared(explorer: Explorer, opened: Any) -> None:
    shown = opened(explorer.at("/compare"))
    # What the form offers can be compared.
    follow(shown, shown.get_by_role("button", name="Compare"))
    shown.wait_for_url("**baseline=**")
    said = shown.get_by_role("heading", level=1).inner_text()
    assert said == "alder and birch against gold, mrp"
    changes = shown.get_by_role("region", name="Errors fixed and broken")
    changes.locator("tbody tr").first.wait_for()
    heads = changes.locator("thead th").all_inner_texts()
    assert {"fixed", "broken", "still"} <= {*heads}

    def gains() -> list[float]:
        cells = shown.get_by_role("region", name="Items").locator("tbody tr")
        return [float(each.locator("td").nth(3).inner_text()) for each in cells.all()]

    assert gains() == sorted(gains())
    shown.locator("select[name=order]").select_option("better")
    follow(shown, shown.get_by_role("button", name="Compare"))
    shown.wait_for_url("**order=better**")
    assert gains() == sorted(gains(), reverse=True)
    whole = shown.url
    shown.get_by_label("framework").select_option("eds")
    follow(shown, shown.get_by_role("button", name="Compare"))
    shown.wait_for_url("**framework=eds**")
    assert shown.get_by_role("heading", level=1).inner_text() == f"{said}, eds"
    shown.goto(whole)
    item = shown.get_by_role("region", name="Items").locator("tbody th a").first
    known = item.inner_text()
    follow(shown, item)
    shown.wait_for_url(f"**item={known}**")
    assert shown.get_by_role("heading", level=1).inner_text() == f"{said}, {known}"
    assert lead(shown) == [known]
    table = shown.get_by_role("table", name="errors of this item")
    statuses = {*table.locator("tbody th").all_inner_texts()}
    assert statuses <= {"fixed", "broken", "still"}
    assert "broken" in statuses


@pytest.mark.parametrize(
    ("place", "words", "found"),
    [
        ("texts", "because it rains", "sample-09"),
        ("labels", "_rain_v_1", "sample-09"),
        ("ids of items", "sample-09", "sample-09"),
    ],
)
def test_graphs_are_searched_and_opened(
    explorer: Explorer, opened: Any, place: str, words: str, found: str
) -> None:
    shown = opened(explorer.at("/search"))
    shown.get_by_label("look for").fill(words)
    shown.locator("select[name=in]").select_option(place)
    shown.keyboard.press("Tab")
    follow(shown, shown.get_by_role("button", name="Search"))
    shown.wait_for_url("**q=**")
    assert shown.get_by_label("look for").input_value() == words
    link = shown.get_by_role("link", name=found).first
    follow(shown, link)
    assert shown.get_by_role("heading", level=1).inner_text() == found
    assert shown.locator("figure.picture svg").is_visible()
    follow(shown, shown.get_by_role("link", name="alder against gold, mrp"))
    assert shown.get_by_role("heading", level=1).inner_text() == found


READ_ONLY = "the statement would write, attach another file or change a setting"


def ask(shown: Any, statement: str) -> None:
    """Write a statement into the box, and send it by its key."""
    shown.get_by_role("textbox").fill(statement)
    follow(shown, shown.get_by_role("button", name="Ask"))


def test_statements_are_answered(explorer: Explorer, opened: Any) -> None:
    shown = opened(explorer.at("/sql"))
    statement = (
        "select framework, count(*) as n from v_graphs\n"
        "where collection = 'gold' group by 1 order by 2 desc, 1"
    )
    ask(shown, statement)
    table = shown.get_by_role("table", name="5 rows")
    assert table.locator("thead th").all_inner_texts() == ["framework", "n"]
    cells = table.locator("tbody tr").all_inner_texts()
    assert [each.split() for each in cells][:2] == [["amr", "17"], ["dm", "15"]]
    assert shown.get_by_role("textbox").input_value() == statement
    follow(shown, shown.get_by_role("link", name="The address of this statement"))
    assert shown.get_by_role("textbox").input_value() == statement
    ask(shown, "select item from v_errors, (select 1 union select 2 union select 3)")
    assert "first 1,000 rows" in shown.get_by_role("status").inner_text()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("attach database 'other.db' as other", READ_ONLY),
        ("pragma journal_mode = delete", READ_ONLY),
        ("delete from graph", READ_ONLY),
        ("select load_extension('x')", "not authorized"),
        (
            "with recursive r(n) as (select 1 union all select n + 1 from r) "
            "select count(*) from r",
            "stopped after 5 seconds",
        ),
        ("select <script>window.hit=1</script>", "syntax error"),
    ],
    ids=["attach", "pragma", "delete", "extension", "endless", "syntax"],
)
def test_statements_are_refused_and_it_is_said_why(
    explorer: Explorer, opened: Any, statement: str, said: str
) -> None:
    shown = opened(explorer.at("/sql"), refused=400)
    ask(shown, statement)
    alert = shown.get_by_role("alert").inner_text()
    print(alert)
    assert said in alert
    assert shown.get_by_role("textbox").input_value() == statement
    assert shown.evaluate("window.hit") is None


def test_tables_are_taken_away(explorer: Explorer, opened: Any) -> None:
    shown = opened(explorer.of("alder", SINGLE))

    def taken(name: str) -> Any:
        with shown.expect_download() as waiting:
            shown.get_by_text(name, exact=True).click()
        assert re.fullmatch(r"[\w.-]+", waiting.value.suggested_filename)
        return Path(waiting.value.path())

    with taken("CSV").open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert len(rows) == 256
    assert rows[0]["item"] == shown.locator("main tbody a").first.inner_text()
    shown.goto(explorer.of("alder", f"{ITEMS}?framework=eds"))
    found = json.loads(taken("JSON").read_text(encoding="utf-8"))
    assert len(found) == shown.locator("main tbody tr").count() == 14
    shown.goto(explorer.at("/sql"))
    shown.get_by_role("textbox").fill("select item from v_graphs limit 3")
    assert len(taken("CSV").read_text().splitlines()) == 4


HOSTILE_VIEWS = (
    *("hostile:", "hostile:?by=document", "hostile:/errors", "hostile:/errors/single"),
    *("hostile:/items", "/", "/search?q=window&in=labels", "/search?q=window"),
    *("/search?q=window&in=items", "/compare"),
)


def test_hostile_labels_are_inert_in_every_page(
    explorer: Explorer, opened: Any
) -> None:
    shown = opened(explorer.address, refused=400)
    seen = [
        *(explorer.of("hostile", each[8:]) for each in HOSTILE_VIEWS if each[0] == "h"),
        *(explorer.at(each) for each in HOSTILE_VIEWS if each[0] != "h"),
    ]
    shown.goto(explorer.of("hostile", ITEMS))
    items = [each.get_attribute("href") for each in shown.locator("tbody th a").all()]
    assert len(items) == len(HOSTILE)
    seen += [explorer.at(each) for each in items]
    shown.goto(explorer.at("/search?q=window"))
    graphs = shown.locator("main tbody a")
    seen += [explorer.at(graphs.nth(n).get_attribute("href")) for n in range(4)]
    seen += [explorer.at("/collection?" + encoded(name=each)) for each in HOSTILE[:2]]
    # What an address says is shown, too.
    for each in HOSTILE[:6]:
        seen.append(explorer.at("/search?" + encoded(q=each)))
        seen.append(explorer.at("/sql?" + encoded(sql=each)))
        seen.append(explorer.of("hostile", "/errors?" + encoded(value=each)))
        seen.append(explorer.of("hostile", "?" + encoded(framework=each)))
    for address in seen:
        shown.goto(address)
        assert shown.evaluate(ACTING) == [], address
        said = shown.evaluate("document.documentElement.textContent")
        assert not UNSPELLED.search(said), address


ACTING = """(() => {
  const own = [...document.querySelectorAll(
      'script:not([src^="/static/"]), style, img, iframe, object, embed, base, ' +
      'link:not([href^="/static/"]):not([href="data:,"]), meta[http-equiv]')]
    .map(each => each.tagName);
  const acting = [...document.querySelectorAll('*')].filter(each =>
    [...each.attributes].some(({ name, value }) => name.startsWith('on')
      || name === 'style'
      || ['href', 'src', 'action', 'formaction'].includes(name)
        && !/^([/#](?![/])|data:,$)/.test(value))).map(each => each.outerHTML);
  return window.hit ? ['hit'] : own.concat(acting);
})()"""
"""What would do something, of which there is nothing."""

UNSPELLED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\u200b]"
)


def encoded(**values: str) -> str:
    """A query of an address."""
    from urllib.parse import urlencode

    return urlencode(values)


def test_pages_are_used_with_keys_alone(explorer: Explorer, opened: Any) -> None:
    shown = opened(explorer.of("alder", ITEMS))
    shown.keyboard.press("Tab")
    skip = shown.locator(":focus")
    assert skip.inner_text() == "to the content"
    assert skip.bounding_box()["x"] >= 0
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.id") == "main"
    tags = []
    while "TH A" not in tags and len(tags) < 20:
        shown.keyboard.press("Tab")
        tags.append(
            shown.evaluate(
                """(at => {
                     const { outlineStyle: style, outlineWidth } = getComputedStyle(at);
                     const seen = style !== 'none' && parseFloat(outlineWidth) >= 1;
                     const cell = at.closest('th, td');
                     return (cell ? cell.tagName + ' ' : '') + at.tagName
                       + (seen ? '' : ' without an outline');
                   })(document.activeElement)"""
            )
        )
    assert tags == ["SELECT", "INPUT", "INPUT", "SELECT", "BUTTON", "TH A"]
    item = shown.evaluate("document.activeElement.textContent")
    with shown.expect_navigation():
        shown.keyboard.press("Enter")
    assert shown.get_by_role("heading", level=1).inner_text() == item
    shown.goto(explorer.at("/search"))
    shown.keyboard.press("/")
    shown.keyboard.type("rains")
    with shown.expect_navigation():
        shown.keyboard.press("Enter")
    assert parse_qs(urlsplit(shown.url).query)["q"] == ["rains"]
    assert "sample-09" in shown.locator("main").inner_text()


def test_all_is_there_without_scripts(explorer: Explorer, opened: Any) -> None:
    shown = view(explorer, opened, "compared", scripts=False)
    follow(shown, shown.get_by_role("link", name="Count them"))
    assert shown.locator("tbody tr").count() > 10
    shown.goto(explorer.address)
    assert not shown.get_by_text("\u2026", exact=True).count()
    shown.goto(explorer.of("alder", ITEMS))
    follow(shown, shown.locator("main tbody th a").first)
    follow(shown, shown.get_by_role("link", name="next item"))
    assert shown.locator("figure.picture svg").first.is_visible()


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/nowhere", 404, "Page not found."),
        ("/evaluation/none", 404, "none"),
        ("/compare?baseline=none&system=none", 404, "none"),
        ("/search?in=nowhere&q=a", 400, "nowhere"),
    ],
)
def test_what_cannot_be_shown_is_said(
    explorer: Explorer, opened: Any, audit: Audit, path: str, status: int, said: str
) -> None:
    shown = opened(explorer.at(path), refused=status)
    assert said in shown.get_by_role("alert").inner_text()
    assert audit(shown, "headings") == []
    follow(shown, shown.get_by_role("link", name="runs <b>.db"))
    assert shown.get_by_role("heading", level=1).inner_text() == "What the store holds"
