"""A submission beside gold: counted, and gold is not shown."""

from __future__ import annotations

from pathlib import Path

import msgspec

from graphscore import Graph
from graphscore.evaluation.rows.submission import compare_submissions
from graphscore.formats import write_graphs
from tests.conftest import ROOT

DATA = ROOT / "data"


def graphs(*items: str, framework: str = "dm") -> list[Graph]:
    return [Graph(item, framework, 0, text=f"Text of {item}.") for item in items]


def put(path: Path, *graphs: Graph) -> str:
    path.write_bytes(b"".join(write_graphs(graphs, "mrp")))
    return str(path)


def test_items_are_counted_by_framework(tmp_path: Path) -> None:
    gold = put(
        tmp_path / "gold.mrp", *graphs("1", "2", "3"), *graphs("1", framework="psd")
    )
    one, *rest = graphs("1", "3", "3", "9")
    changed = msgspec.structs.replace(one, text="Another text.")
    alone = graphs("1", framework="ccd")
    submission = put(tmp_path / "team.mrp", changed, *rest, *alone)
    dm, psd, ccd = compare_submissions([submission], gold)
    assert dm.numbers() == (submission, "dm", 3, 3, 1, 1, 1, 1)
    assert (dm.missing, dm.extra, dm.repeated) == (("2",), ("9",), ("3",))
    assert [*dm.lines()] == [
        f"{submission}: dm: 1 item of 3 missing: 2",
        f"{submission}: dm: 1 item not in gold: 9",
        f"{submission}: dm: 1 item more than once: 3",
        f"{submission}: dm: 1 text not as in gold",
    ]
    assert psd.numbers()[2:5] == (1, 0, 1)
    assert [*ccd.lines()] == [f"{submission}: ccd: gold has no such framework"]


def test_a_submission_that_has_everything_is_complete() -> None:
    alder, gold = (str(DATA / f"{name}.mrp") for name in ("alder", "gold"))
    covered = compare_submissions([alder], gold)
    assert len(covered) == 5
    assert all(coverage.complete and not [*coverage.lines()] for coverage in covered)


def test_long_lists_are_cut(tmp_path: Path) -> None:
    gold = put(tmp_path / "gold.mrp", *graphs(*"abcdefgh"))
    [dm] = compare_submissions([put(tmp_path / "team.mrp", *graphs("a"))], gold)
    [line] = dm.lines()
    assert line.endswith("7 items of 8 missing: b, c, d, e, f and 2 more")
    assert "Text of" not in line
