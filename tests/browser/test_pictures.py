"""Pictures in a browser: counterparts are marked, and labels are inert."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.drawing.choice import draw, svg_of
from graphscore.drawing.styles import StyledGraph
from graphscore.evaluation.options import Options
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from graphscore.report.item_view.comparison_styles import sides_of
from graphscore.report.item_view.lookup import find
from graphscore.report.item_view.sentences import compared
from graphscore.report.page.templating import file_page
from tests.browser.conftest import WIDTHS
from tests.conftest import DATA

HOSTILE = "</text></svg><img src=x onerror=alert(1)><script>alert(2)</script>"


def sides(item: str, framework: str) -> tuple[StyledGraph, StyledGraph]:
    files = str(DATA / "gold.mrp"), str(DATA / "birch.mrp")
    options = Options(details=True)
    [found] = find(*files, item, [parse("mrp")], options, framework=framework)
    return sides_of(compared(found, options.budget))


def page(title: str, figure: str) -> str:
    """A page that has nothing but a picture."""
    return file_page("file.html", title).replace("<body>", f"<body>{figure}")


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    path = tmp_path / "pair.html"
    figure = draw(sides("sample-03", "eds")).figure()
    path.write_text(page("a pair", figure), encoding="utf-8")
    return path


def test_pointing_at_a_part_marks_its_counterpart(opened: Any, pair: Path) -> None:
    shown = opened(pair)
    node = shown.locator("g.n.boundary").first
    name = next(each for each in node.get_attribute("class").split() if each[0] == "p")
    both = shown.locator(f"g.n.{name}")
    assert both.count() == 2
    assert shown.locator(".on").count() == 0
    node.hover()
    assert shown.locator(f"g.n.{name}.on").count() == 2
    shown.mouse.move(0, 0)
    assert shown.locator(".on").count() == 0


def test_pointing_marks_in_files_without_a_script(opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "pair.svg"
    path.write_text(draw(sides("sample-03", "eds")).svg(), encoding="utf-8")
    shown = opened(path)
    node = shown.locator("g.n.boundary").first
    name = next(each for each in node.get_attribute("class").split() if each[0] == "p")
    width = f"getComputedStyle(document.querySelectorAll('g.{name}')[1]).strokeWidth"
    before = shown.evaluate(width)
    node.hover()
    assert shown.evaluate(width) != before


def test_pictures_are_zoomed(opened: Any, pair: Path) -> None:
    shown = opened(pair)
    width = "document.querySelector('figure svg').getBoundingClientRect().width"
    first = shown.evaluate(width)
    shown.get_by_role("button", name="larger").click()
    assert shown.evaluate(width) == pytest.approx(first * 1.25, abs=1)
    shown.get_by_role("button", name="as drawn").click()
    assert shown.evaluate(width) == first
    shown.set_viewport_size({"width": 400, "height": 800})
    shown.get_by_role("button", name="as wide as the page").click()
    assert shown.evaluate(width) < 400


def test_what_matched_fades_where_all_is_one_drawing(opened: Any, pair: Path) -> None:
    shown = opened(pair)
    opacity = "getComputedStyle(document.querySelector('figure g.n.{}')).opacity"
    shown.get_by_role("button", name="errors only").click()
    assert float(shown.evaluate(opacity.format("same"))) < 0.5
    assert float(shown.evaluate(opacity.format("boundary"))) == 1
    shown.get_by_role("button", name="errors only").click()
    assert float(shown.evaluate(opacity.format("same"))) == 1


@pytest.mark.parametrize(("width", "beside"), [(700, True), (450, False)])
def test_sides_are_made_smaller_to_stand_beside_each_other(
    opened: Any, pair: Path, width: int, beside: bool
) -> None:
    shown = opened(pair, width)
    gold, system = (each.bounding_box() for each in shown.locator("figure svg").all())
    assert (gold["y"] == system["y"]) == beside
    assert (gold["width"] < 358) == beside
    assert gold["width"] >= 0.7 * 358
    shown.get_by_role("button", name="as drawn").click()
    assert shown.locator("figure svg").first.bounding_box()["width"] == 358


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_are_no_wider_than_the_screen(
    opened: Any, pair: Path, width: int
) -> None:
    shown = opened(pair, width)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_labels_are_inert(opened: Any, tmp_path: Path) -> None:
    node = Node(HOSTILE, HOSTILE, ((HOSTILE, HOSTILE),))
    edges = (Edge(HOSTILE, HOSTILE, HOSTILE),)
    graph = Graph(HOSTILE, "amr", nodes=(node,), edges=edges, tops=(HOSTILE,))
    path = tmp_path / "hostile.svg"
    path.write_text(svg_of(graph), encoding="utf-8")
    shown = opened(path)
    assert shown.evaluate("document.querySelectorAll('script, img').length") == 0
    assert shown.locator("text").count() > 0


def test_texts_take_the_room_that_was_kept_for_them(opened: Any, pair: Path) -> None:
    shown = opened(pair)
    wide = shown.evaluate(
        """[...document.querySelectorAll('g.n')].filter(group => {
             const box = group.querySelector('.o').getBoundingClientRect();
             return [...group.querySelectorAll('text')].some(text => {
               const found = text.getBoundingClientRect();
               return found.left < box.left - 1 || found.right > box.right + 1;
             });
           }).length"""
    )
    assert wide == 0


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("framework", ["amr", "dm", "eds", "psd", "ucca"])
def test_every_structure_is_photographed(
    opened: Any, shoot: Any, tmp_path: Path, framework: str, width: int, dark: bool
) -> None:
    path = tmp_path / "pair.html"
    figure = draw(sides("sample-03", framework)).figure()
    path.write_text(page(framework, figure), encoding="utf-8")
    shown = opened(path, width, dark=dark)
    assert shown.locator("figure svg").first.is_visible()
    shoot(shown, f"picture-{framework}-{width}-{'dark' if dark else 'light'}")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_of_an_item_has_all_its_frameworks(
    opened: Any, shoot: Any, tmp_path: Path, width: int
) -> None:
    path = tmp_path / "item.html"
    files = str(DATA / "gold.mrp"), str(DATA / "birch.mrp")
    done = CliRunner().invoke(cli, ["show", "sample-03", *files, "--html", str(path)])
    assert done.exit_code == 0, done.output
    shown = opened(path, width)
    assert shown.locator("section.framework").count() == 5
    assert shown.locator("section.framework figure svg").first.is_visible()
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    shoot(shown, f"item-{width}")
