"""Reports in a browser: what is seen, and what is done with a pointer and with keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import WIDTHS, Audit
from tests.browser.reports import HOSTILE, OPERANDS

Reports = Callable[[str], Path]

OPEN = "document.querySelectorAll('section.item > details[open]').length"


def open_all(page: Any) -> None:
    """Open all items, and wait for pictures that are packed."""
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.wait_for_function("!document.querySelector('.packed')")


@pytest.mark.parametrize("name", [*OPERANDS, "hostile"])
def test_pages_are_sound_and_are_photographed(
    opened: Any, report: Reports, audit: Audit, shoot: Any, name: str
) -> None:
    shown = opened(report(name))
    open_all(shown)
    for asked in ("headings", "tables", "names", "overlaps", "outside"):
        assert audit(shown, asked) == [], asked
    for width in WIDTHS:
        shown.set_viewport_size({"width": width, "height": 800})
        assert audit(shown, "width") == []
        for scheme in ("light", "dark"):
            shown.emulate_media(color_scheme=scheme)
            if width == WIDTHS[0]:
                assert audit(shown, "contrast") == [], scheme
            shoot(shown, f"report-{name}-{width}-{scheme}")


@pytest.mark.parametrize("name", ["coreference", "templates", "graphs", "roles"])
def test_pointing_at_a_part_marks_all_that_it_stands_for(
    opened: Any, report: Reports, name: str
) -> None:
    shown = opened(report(name))
    figure = shown.locator("figure.picture").first
    # What stands for most, as a mention for its chain.
    most = figure.evaluate(
        """figure => {
             const names = (part) => part.getAttribute('class').split(' ')
               .filter(name => /^p\\d+$/.test(name));
             const parts = [...figure.querySelectorAll("g[class*=' p']")];
             parts.sort((a, b) => names(b).length - names(a).length);
             parts[0].dataset.most = '';
             return names(parts[0]);
           }"""
    )
    part = figure.locator("[data-most]")
    assert len(most) > (name == "templates")
    wanted = ", ".join(f".{each}" for each in most)
    part.locator("text, path, rect").last.hover(force=True)
    marked = figure.locator(".on").count()
    assert marked == figure.locator(wanted).count() > 0
    shown.mouse.move(0, 0)
    assert figure.locator(".on").count() == 0


def test_pointing_at_a_mention_marks_it_on_the_other_side(
    opened: Any, report: Reports
) -> None:
    shown = opened(report("coreference"))
    figure = shown.locator("figure.picture").first
    before = figure.locator(".on").count()
    figure.locator("g.n.same text").first.hover(force=True)
    assert before == 0
    assert figure.locator("g.n.same.on").count() >= 2


def test_what_matched_is_hidden_and_shown(opened: Any, report: Reports) -> None:
    shown = opened(report("coreference"))
    button = shown.get_by_role("button", name="errors only").first
    drawn = shown.locator("figure.picture:has(svg.right)").first.locator("svg.right")
    assert drawn.count() > 0
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert not any(each.is_visible() for each in drawn.all())
    button.click()
    assert all(each.is_visible() for each in drawn.all())


def test_what_is_right_throughout_is_not_folded_away(
    opened: Any, report: Reports
) -> None:
    shown = opened(report("events"))
    assert shown.locator("svg.right").count() > 0
    for each in shown.get_by_role("button", name="errors only").all():
        each.click()
    empty = """[...document.querySelectorAll('figure.picture')]
      .filter(figure => !figure.clientHeight || figure.clientHeight < 30).length"""
    assert shown.evaluate(empty) == 0


def test_pictures_of_items_are_zoomed(opened: Any, report: Reports) -> None:
    shown = opened(report("dependencies"), 400)
    width = "document.querySelector('figure svg').getBoundingClientRect().width"
    first = shown.evaluate(width)
    shown.get_by_role("button", name="larger").first.click()
    assert shown.evaluate(width) == pytest.approx(first * 1.25, abs=1)
    shown.get_by_role("button", name="as wide as the page").first.click()
    assert 250 < shown.evaluate(width) < 400
    assert shown.evaluate(
        "(figure => figure.scrollWidth <= figure.clientWidth)"
        "(document.querySelector('figure.picture'))"
    )
    shown.get_by_role("button", name="as drawn").first.click()
    assert shown.evaluate(width) == first
    shown.locator("figure.picture").first.hover()
    shown.keyboard.down("Control")
    shown.mouse.wheel(0, -100)
    shown.keyboard.up("Control")
    shown.wait_for_function(f"{width} > {first}")


def test_keys_lead_from_item_to_item(opened: Any, report: Reports) -> None:
    shown = opened(report("packed"))
    ids = [each.get_attribute("id") for each in shown.locator("section.item").all()]
    focus = "document.activeElement.id"
    for keys, wanted in (("j", 0), ("n", 1), ("j", 2), ("k", 1), ("p", 0), ("k", 0)):
        shown.keyboard.press(keys)
        assert shown.evaluate(focus) == ids[wanted], keys
    for _ in ids:
        shown.keyboard.press("j")
    assert shown.evaluate(focus) == ids[-1]
    # Letters in the box are words, not keys.
    shown.keyboard.press("/")
    assert shown.evaluate("document.activeElement.type") == "search"
    shown.keyboard.type("jk")
    assert shown.evaluate("document.activeElement.value") == "jk"
    shown.keyboard.press("Escape")
    assert shown.locator("section.item:visible").count() == len(ids)


def test_items_are_filtered_by_words_and_frameworks(
    opened: Any, report: Reports
) -> None:
    shown = opened(report("graphs"))
    box = shown.get_by_role("searchbox")
    box.fill("rains")
    assert shown.locator("section.item:visible h3").all_inner_texts() == ["sample-09"]
    assert shown.get_by_role("status").inner_text() == "1 of 2 items"
    assert shown.locator("ol.index li:visible").count() == 1
    box.fill("rains nowhere")
    assert shown.locator("section.item:visible").count() == 0
    box.fill("")
    shown.get_by_label("framework").select_option("ucca")
    assert shown.locator("section.item:visible h3").all_inner_texts() == ["sample-03"]
    assert {*shown.locator(".framework:visible h4").all_inner_texts()} == {"ucca"}
    shown.get_by_label("framework").select_option("all frameworks")
    assert shown.locator("section.item:visible").count() == 2


def test_all_items_are_opened_and_closed(opened: Any, report: Reports) -> None:
    shown = opened(report("packed"))
    total = shown.locator("section.item").count()
    assert shown.evaluate(OPEN) == 10 < total
    shown.get_by_role("button", name="close all").click()
    assert shown.evaluate(OPEN) == 0
    shown.get_by_role("button", name="open all").click()
    assert shown.evaluate(OPEN) == total


def test_packed_pictures_are_unpacked_when_their_item_is_opened(
    opened: Any, report: Reports
) -> None:
    shown = opened(report("packed"))
    item = shown.locator("section.item").nth(10)
    assert item.locator("figure").count() == 0
    packed = shown.locator(".packed").count()
    item.locator("summary").click()
    item.locator("figure.picture svg").first.wait_for()
    assert item.locator(".packed").count() == 0
    assert item.get_by_role("button", name="larger").count() > 0
    assert shown.locator(".packed").count() < packed


def test_links_of_frequent_errors_open_their_items(
    opened: Any, report: Reports
) -> None:
    shown = opened(report("packed"))
    shown.get_by_role("button", name="close all").click()
    link = shown.locator("#errors td a").first
    target = link.get_attribute("href")
    link.click()
    item = shown.locator(f"section{target}")
    item.locator("details[open]").wait_for()
    shown.wait_for_function("scrollY > 0")
    assert abs(item.bounding_box()["y"]) < 10
    assert shown.evaluate(OPEN) == 1
    # A filter does not stand in the way of a link.
    shown.get_by_role("searchbox").fill("no such words")
    assert not item.is_visible()
    shown.evaluate("location.hash = ''")
    shown.evaluate(f"location.hash = '{target}'")
    item.wait_for()


def test_what_is_printed_is_whole(opened: Any, report: Reports) -> None:
    """Closed or open, with pictures that were packed, and none is cut."""
    shown = opened(report("packed"))
    shown.get_by_role("button", name="close all").click()
    closed = shown.pdf(format="A4")
    # The pages of a document say what they are.
    sheets = len(re.findall(rb"/Type\s*/Page\b", closed))
    again = opened(report("packed"))
    open_all(again)
    whole = len(re.findall(rb"/Type\s*/Page\b", again.pdf(format="A4")))
    assert sheets == whole > 3
    # What was closed is closed again.
    assert shown.evaluate(OPEN) == 0
    assert shown.locator(".packed").count() == 0
    shown.set_viewport_size({"width": 688, "height": 1000})
    shown.emulate_media(media="print")
    open_all(shown)
    cut = shown.evaluate(
        """[...document.querySelectorAll('figure.picture svg')].filter(drawing => {
             const box = drawing.getBoundingClientRect();
             const room = drawing.parentElement.getBoundingClientRect();
             return box.right > room.right + 1 || box.right > innerWidth
               || box.height > 240 * 96 / 25.4 + 1 || box.height < 10;
           }).length"""
    )
    assert cut == 0
    assert shown.locator("nav:visible, .tools:visible").count() == 0


def test_all_is_there_without_scripts(opened: Any, report: Reports) -> None:
    shown = opened(report("dependencies"), scripts=False)
    assert shown.locator("button").count() == 0
    assert shown.locator("figure.picture svg").first.is_visible()
    for name in ("scores", "confusions", "errors", "gains", "items", "reproduce"):
        assert shown.locator(f"#{name} h2").is_visible(), name
    assert shown.locator("section.item table.errors:visible").count() == 3
    packed = opened(report("packed"), scripts=False)
    last = packed.locator("section.item").last
    assert not last.locator(".framework").is_visible()
    last.locator("summary").click()
    assert last.locator(".text").is_visible()
    assert last.locator(".framework").is_visible()
    told = "getComputedStyle(document.querySelector('.packed'), '::before').content"
    assert "scripts unpack it" in packed.evaluate(told)


def test_all_is_reached_with_keys_alone(opened: Any, report: Reports) -> None:
    shown = opened(report("entities"))
    wanted = shown.evaluate(
        """(() => { window.reached = []; return [...document.querySelectorAll(
             'a, button, input, select, summary, figure.picture')]
             .filter(each => each.checkVisibility()).length; })()"""
    )
    seen = shown.evaluate("window.reached")
    for _ in range(wanted):
        shown.keyboard.press("Tab")
        seen = shown.evaluate(
            """(() => {
                 const at = document.activeElement, last = window.last;
                 const { outlineStyle, outlineWidth } = getComputedStyle(at);
                 const after = !last || Boolean(last.compareDocumentPosition(at) & 4);
                 const seen = outlineStyle !== 'none' && parseFloat(outlineWidth) > 1;
                 window.last = at;
                 reached.push([at.tagName, after, seen]);
                 return reached; })()"""
        )
    assert len(seen) == wanted > 20
    assert all(after for _, after, _ in seen), "in the order of the page"
    assert all(outlined for _, _, outlined in seen), "with an outline"
    assert {tag for tag, _, _ in seen} >= {"A", "BUTTON", "INPUT", "SUMMARY", "FIGURE"}
    summary = shown.locator("section.item summary").first
    summary.focus()
    count = shown.evaluate(OPEN)
    shown.keyboard.press("Enter")
    assert shown.evaluate(OPEN) == count - 1
    shown.keyboard.press("Space")
    assert shown.evaluate(OPEN) == count


def test_two_systems_stand_beside_each_other(opened: Any, report: Reports) -> None:
    shown = opened(report("compared"))
    said = shown.locator("#comparison").inner_text()
    assert "fixed" in said
    assert "newly wrong" in said
    both = shown.locator("section.item .systems").first.locator("> div")
    assert both.count() == 2
    left, right = (each.bounding_box() for each in both.all())
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    changes = shown.locator("section.item table.errors td:last-child").all_inner_texts()
    assert {"fixed", "broken"} <= {*changes}
    shown.set_viewport_size({"width": 400, "height": 800})
    above, below = (each.bounding_box() for each in both.all())
    assert above["y"] + above["height"] <= below["y"]


def test_hostile_labels_are_inert_in_every_part(opened: Any, report: Reports) -> None:
    shown = opened(report("hostile"))
    open_all(shown)
    shown.get_by_role("searchbox").fill("img")
    shown.get_by_role("searchbox").fill("")
    assert shown.evaluate("window.hit") is None
    tags = """[...document.querySelectorAll(
      'script:not([type]), style, img, iframe, object, embed, form, base, link')]
      .map(each => each.tagName)"""
    assert sorted(shown.evaluate(tags)) == ["SCRIPT", "STYLE"]
    acting = """[...document.querySelectorAll('*')].filter(each =>
      [...each.attributes].some(({ name, value }) => name.startsWith('on')
        || name === 'style' || /^\\s*javascript:/i.test(value) && name === 'href')
    ).length"""
    assert shown.evaluate(acting) == 0
    text = shown.evaluate("document.documentElement.textContent")
    assert not re.search(
        "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text
    )
    body = shown.locator("main").inner_text()
    for each in HOSTILE[:2]:
        assert each[:20] in body
    assert len(shown.locator("section.item").all()) == len(HOSTILE)


def test_audits_find_what_is_wrong(opened: Any, audit: Audit, tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text(
        "<!doctype html><meta charset=utf-8><h1>a</h1><h3>b</h3><table><tr><td>c"
        "</table><p style='color:#999;width:3000px'>d</p><a href=#none>e</a>"
        "<figure class=picture><svg width=99 height=30><text x=4 y=20>one</text>"
        "<text x=9 y=22>two</text>"
        "<text x=95 y=20>three</text></svg></figure>",
        encoding="utf-8",
    )
    shown = opened(path)
    for asked, count in (
        *(("contrast", 1), ("headings", 1), ("tables", 2), ("names", 3)),
        *(("width", 1), ("overlaps", 1), ("outside", 1)),
    ):
        assert len(audit(shown, asked)) >= count, asked
