"""Files that workers read, each its part: nothing that is said of them changes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.errors import GraphscoreError
from graphscore.evaluation.apart import lines, units
from graphscore.evaluation.apart.lines import lines_of, parts_of
from graphscore.evaluation.apart.workers import Workers
from graphscore.evaluation.files import score_files
from graphscore.evaluation.options import Options, Selection
from graphscore.formats import Reading
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse

DATA = Path(__file__).parents[2] / "data"


class Here(Workers):
    """Does everything here, as if it had been sent."""

    def __init__(self) -> None:
        super().__init__(1, int)
        self.done = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.done += 1
        future: Future[Any] = Future()
        sent = pickle.loads(pickle.dumps((fn, args, kwargs)))
        try:
            found = sent[0](*sent[1], **sent[2])
            future.set_result(pickle.loads(pickle.dumps(found)))
        except GraphscoreError as error:
            future.set_exception(error)
        return future


def said(
    gold: Path, system: Path, metrics: Sequence[Metric] | None, options: Options
) -> Any:
    """All that is said of two files; an error as well."""
    executor = Here() if options.jobs > 1 else None
    try:
        found = score_files(str(gold), str(system), metrics, options, executor=executor)
    except GraphscoreError as error:
        return type(error), str(error)
    return [
        (
            str(each.metric),
            # The order of sums is seen in what is printed.
            [(key, list(sums.items())) for key, sums in each.masses.items()],
            list(each.items),
            each.to_dict(),
            *(each.rejected, each.left_out, each.notes, each.because, each.unproven),
        )
        for each in found
    ]


def same(
    gold: Path,
    system: Path,
    metrics: Sequence[str] | None = ("mrp",),
    **options: Any,
) -> Any:
    """What is said by one process, which is what is said by several."""
    chosen = None if metrics is None else [parse(each) for each in metrics]
    mine = Options(per_item=True, details=True)
    mine = replace(mine, **options)
    whole = said(gold, system, chosen, mine)
    assert said(gold, system, chosen, replace(mine, jobs=2)) == whole
    return whole


def line(
    item: str | None,
    label: str = "dog",
    framework: str = "dm",
    **more: Any,
) -> bytes:
    fields: dict[str, Any] = {} if item is None else {"id": item}
    fields |= {"framework": framework, "input": f"a {label}"}
    node = {"id": 0, "label": label, "anchors": [{"from": 0, "to": 3}]}
    return json.dumps({**fields, "nodes": [node], "tops": [0], **more}).encode()


RECORDS = st.one_of(
    st.builds(
        line,
        st.sampled_from(["1", "2", "3", "4", "5", ""]),
        st.sampled_from(["dog", "cat"]),
        st.sampled_from(["dm", "eds", "drg", "ner"]),
    ),
    st.sampled_from(
        [
            line("1", language="eng"),
            line("2", layer="gold"),
            line("2", layer="other"),
            line("7", nodes=[]),
            line(None),
            b"",
            b" \t",
            b"{",
            b"[1]",
            b"\xff",
            line("3").replace(b'"top', b'"edges":[{"source":0,"target":9}],"top'),
        ]
    ),
)
FILES = st.lists(RECORDS, min_size=1, max_size=12)


@settings(max_examples=20, deadline=None)
@given(
    FILES,
    FILES,
    st.sampled_from([("mrp",), ("mrp", "edm"), ("sdp",), ("mrp", "ner"), None]),
    st.sampled_from(["id", "order"]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_any_files_are_scored_as_by_one_process(
    tmp_path_factory: pytest.TempPathFactory,
    gold: list[bytes],
    system: list[bytes],
    metrics: Any,
    pair: Any,
    bom: bool,
    end: str,
) -> None:
    folder = tmp_path_factory.mktemp("apart")
    mark = b"\xef\xbb\xbf" * bom
    for name, records in (("g.mrp", gold), ("s.mrp", system)):
        (folder / name).write_bytes(mark + end.encode().join([*records, b""]))
    same(folder / "g.mrp", folder / "s.mrp", metrics, pair=pair)


@pytest.fixture
def sides(tmp_path: Path) -> Callable[[list[bytes], list[bytes]], tuple[Path, Path]]:
    def write(gold: list[bytes], system: list[bytes]) -> tuple[Path, Path]:
        for name, records in (("gold.mrp", gold), ("system.mrp", system)):
            (tmp_path / name).write_bytes(b"\n".join(records) + b"\n")
        return tmp_path / "gold.mrp", tmp_path / "system.mrp"

    return write


MANY = [line(f"s{n}", "cat" if n % 3 else "dog") for n in range(80)]


@pytest.mark.parametrize(
    "system",
    [
        MANY[::-1],
        MANY[50:],
        MANY[::2] + [line(f"x{n}") for n in range(150)],
        [*MANY[:40], b"{", line("s40", framework=""), *MANY[42:]],
        MANY + MANY[:3],
        [line("one") for _ in MANY],
        [line("") for _ in MANY],
        [line(f"S{n}") for n in range(80)],
    ],
    ids=["reversed", "half", "surplus", "bad", "twice", "alike", "unnamed", "others"],
)
@pytest.mark.parametrize("metrics", [("edm", "mrp"), None])
def test_sides_that_differ(sides: Any, system: list[bytes], metrics: Any) -> None:
    files = sides(MANY, system)
    same(*files, metrics)
    same(*files[::-1], metrics, ids="[sS](.*)=>\\1", parts=True)


def test_what_takes_part_is_chosen_as_by_one_process(sides: Any) -> None:
    mixed = [*MANY, *(line(f"e{n}", framework="eds") for n in range(100))]
    files = sides(mixed, mixed[10:])
    for chosen in (
        Selection(frozenset({"eds"})),
        Selection(items=frozenset({"s1", "e20", "x"})),
        Selection(languages=frozenset({"eng"})),
    ):
        same(*files, selection=chosen)
        same(*files, None, selection=chosen)


def test_a_framework_that_only_shows_late_is_scored_too(sides: Any) -> None:
    late = [*MANY, *(line(f"e{n}", framework="ud") for n in range(9))]
    whole = same(*sides(late, late), None)
    assert len(whole) > 1


def test_folders_are_read_in_parts(tmp_path: Path) -> None:
    for side, shift in (("gold", 0), ("system", 7)):
        (tmp_path / side).mkdir()
        for n in range(3):
            some = MANY[n * 25 + shift : (n + 1) * 25]
            (tmp_path / side / f"{n}.mrp").write_bytes(b"\n".join(some))
        (tmp_path / side / "LICENSE").write_bytes(b"mine")
    whole = same(tmp_path / "gold", tmp_path / "system", None)
    assert any("left alone" in note for note in whole[0][-3])


def test_graphs_stay_where_they_were_read(
    sides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first graphs, which say what there is, are read here."""
    gold, system = sides(MANY, MANY[::-1])
    loaded: list[int] = []
    load = units.Fetch.load

    def counting(self: Any, side: int, number: int) -> Any:
        loaded.append(number)
        return load(self, side, number)

    monkeypatch.setattr(units.Fetch, "load", counting)
    executor = Here()
    options = Options(jobs=2, per_item=True, details=True)
    [result] = score_files(str(gold), str(system), None, options, executor=executor)
    assert result.pairs == 80
    assert executor.done > 4
    assert not loaded


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.mrp", json.dumps(json.loads(MANY[0]), indent=1).encode()),
        ("a.mrp", b"[" + b",".join(MANY[:3]) + b"]"),
        ("a.mrp", b"\r".join(MANY[:3])),
        ("a.mrp", b""),
        ("a.amr", b"# ::id 1\n(d / dog)\n"),
    ],
    ids=["printed", "array", "returns", "empty", "blocks"],
)
def test_what_has_no_lines_is_read_as_a_whole(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert lines_of(str(path), Reading()) is None
    same(path, path, None)


@pytest.mark.parametrize(
    "reading",
    [
        Reading(document=str.upper),
        Reading(format="mrp"),
        Reading(format="amr"),
        Reading(framework="eds"),
    ],
    ids=["rule", "named", "wrong", "framework"],
)
def test_files_are_read_as_is_asked(sides: Any, reading: Reading) -> None:
    same(*sides(MANY, MANY[5:]), reading=reading)
    same(*sides(MANY, MANY[5:]), None, reading=Reading(), system_reading=reading)


def test_long_lines_are_read_as_a_whole(
    sides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, _ = sides(MANY, MANY)
    assert lines_of(str(gold), Reading()) is not None
    monkeypatch.setattr(lines, "LONGEST_LINE", 40)
    assert lines_of(str(gold), Reading()) is None


def test_every_line_is_sent_once(sides: Any) -> None:
    gold, system = sides(MANY, [*MANY[60:], *(line(f"x{n}") for n in range(500))])
    mine, theirs = (lines_of(str(each), Reading()) for each in (gold, system))
    assert mine is not None
    assert theirs is not None
    parts = list(parts_of(mine, theirs, Options(jobs=2)))
    assert sorted(n for part in parts for n in part.gold) == list(range(80))
    assert sorted(n for part in parts for n in part.system) == list(range(520))
    assert max(len(part.system) for part in parts) <= 2 * lines.TOGETHER
    for part in parts:
        assert {own for own, _ in part.pairs} <= {*part.gold}
        assert {other for _, other in part.pairs} <= {*part.system, -1}


def test_a_file_that_changes_meanwhile_is_an_error(
    sides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, system = sides(MANY, MANY)
    found = units.lines_of

    def cut(operand: Any, reading: Reading) -> Any:
        lines = found(operand, reading)
        if operand == str(system):
            system.write_bytes(b"\n".join(MANY[:50]))
        return lines

    monkeypatch.setattr(units, "lines_of", cut)
    options = Options(jobs=2)
    with pytest.raises(GraphscoreError, match=r"system\.mrp: found other lines than"):
        score_files(str(gold), str(system), [parse("mrp")], options, executor=Here())


def test_real_workers_say_the_same() -> None:
    files = [str(DATA / f"{name}.mrp") for name in ("gold", "alder")]
    one, two = (
        score_files(*files, None, Options(jobs=jobs, per_item=True, details=True))
        for jobs in (1, 2)
    )
    assert [each.to_dict() for each in one] == [each.to_dict() for each in two]
    assert [list(each.items) for each in one] == [list(each.items) for each in two]
