"""Formats of one's own: functions that read, and dataclasses."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO, Literal

import pytest

from graphscore import Graph, ReaderOptions, read_file, score
from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError, InputError, UsageError
from graphscore.formats.base import Format, ReadGraph, Record, Rejected
from graphscore.formats.discovery import gather
from graphscore.formats.shared import json_lines
from graphscore.formats.user_formats import format_given
from graphscore.similarity import derive
from graphscore.structures import ignored
from tests.conftest import ROOT

# The objects here have a key more than their class.
pytestmark = pytest.mark.filterwarnings(
    "ignore::graphscore.formats.dataclass_reader.KeysPassedOver"
)


@dataclass(frozen=True)
class Victim:
    name: str
    age: int | None = None


class Kind(Enum):
    FIRE = "fire"
    FLOOD = "flood"


@dataclass
class Report:
    place: str
    victims: frozenset[Victim]
    kind: Kind = Kind.FIRE
    sure: Literal["yes", "no"] | None = None
    tags: list[str | int] = field(default_factory=list)
    id: str | int | None = None


def records(path: Path, format: Any) -> list[Record]:
    return list(read_file(str(path), ReaderOptions(format=format)))


def graphs(path: Path, format: Any) -> list[Graph]:
    found = records(path, format)
    assert all(isinstance(each, ReadGraph) for each in found), found
    return [each.graph for each in found if isinstance(each, ReadGraph)]


def problems(path: Path, format: Any) -> list[str]:
    found = [each for each in records(path, format) if isinstance(each, Rejected)]
    return [str(p).replace(str(path), path.name) for r in found for p in r.problems]


def written(folder: Path, data: bytes, name: str = "a.jsonl") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def giving(*items: Any) -> Callable[[BinaryIO], list[Any]]:
    return lambda stream: list(items)


MENTIONS = [("PER", (0, 3)), (None, (10, 16))]


@pytest.mark.parametrize(
    "item",
    [
        {"id": 7, "tokens": ["Ada", "wrote", "London"], "tags": ["B-PER", "O", "B-"]},
        {"id": "7", "tokens": ["Ada", "wrote", "London"],
         "spans": [[0, 0, "PER"], (2, 2)]},
        {"id": "7", "tokens": ("Ada", "wrote", "London"),
         "spans": [["PER", 0, 0], [2, 2, None]]},
        {"id": "7", "text": "Ada wrote London",
         "spans": [{"start": 0, "end": 3, "label": "PER"},
                   {"start": 10, "end": 16, "type": "LOC"}]},
        {"id": "7", "text": "Ada wrote London",
         "entities": [[0, 3, "PER"], [10, 16, "LOC"]]},
    ],
)  # fmt: skip
def test_dicts_are_named_entities(tmp_path: Path, item: dict[str, Any]) -> None:
    if item.get("tags", [""])[-1] == "B-":
        item = {**item, "tags": ["B-PER", "O", "O"]}
    [graph] = graphs(written(tmp_path, b"x"), giving(item))
    assert (graph.id, graph.framework, graph.text) == ("7", "ner", "Ada wrote London")
    expected = MENTIONS[:1] if "tags" in item else MENTIONS
    if "text" in item:
        expected = [MENTIONS[0], ("LOC", (10, 16))]
    found = [(node.label, tuple(node.anchors[0])) for node in graph.nodes]
    assert found == expected


@pytest.mark.parametrize(
    "spans",
    [
        [{"start": 0, "end": 3, "label": "PER"}, {"start": 10, "end": 16}],
        [[0, 3, "PER"], [10, 16]],
    ],
)
def test_spans_without_a_type_beside_typed_ones_are_bad(
    tmp_path: Path, spans: list[Any]
) -> None:
    item = {"id": "7", "text": "Ada wrote London", "spans": spans}
    with pytest.raises(AssertionError, match="Rejected"):
        graphs(written(tmp_path, b"x"), giving(item))


def test_dicts_are_lines_of_known_formats(tmp_path: Path) -> None:
    path = written(tmp_path, b"x")
    mrp = {"id": "1", "framework": "amr", "nodes": [{"id": 0, "label": "dog"}]}
    chains = {"doc_key": "d", "sentences": [["She", "ran"]], "clusters": [[[0, 0]]]}
    layers = chains | {"ner": [[[0, 0, "PER"]]]}
    found = graphs(path, giving(mrp, chains, layers))
    frameworks = [graph.framework for graph in found]
    assert frameworks[:2] == ["amr", "coref"]
    assert set(frameworks[2:]) == {"ner", "coref"}
    assert problems(path, giving(mrp | {"tops": [3]})) == [
        "a.jsonl: item 1: $.tops[0]: found 3, expected the id of a node"
    ]


def test_graphs_objects_and_records_are_items(tmp_path: Path) -> None:
    path = written(tmp_path, b"x")
    bad = Rejected(9, (), b"", "amr", "q")
    ada = Report("Lima", frozenset({Victim("Ada")}), id="r")
    items = [Graph("1", "amr", 2), ada, ReadGraph(5, Graph("2", "amr", 2)), bad]
    found = records(path, giving(*items))
    assert [each.line for each in found] == [1, 2, 5, 9]
    assert isinstance(found[1], ReadGraph)
    assert (found[1].graph.id, found[1].graph.framework) == ("r", "structure")
    # One item need not stand in a list.
    assert [g.id for g in graphs(path, lambda stream: ada)] == ["r"]
    wrong = Report(7, frozenset(), id="w")  # type: ignore[arg-type]
    [rejected] = records(path, giving(wrong))
    assert isinstance(rejected, Rejected)
    assert rejected.item == "w"
    said = "a.jsonl: item 1: Report.place: found"
    assert problems(path, giving(wrong))[0].startswith(said)


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"tokens": ["a"], "tags": ["B-X", "O"]}, "$.tags: found 2 tags, expected 1"),
        ({"tokens": ["a"], "tags": [3]}, "$.tags[0]: found 3, expected a string"),
        ({"tokens": ["a"], "tags": ["X"]}, "$.tags[0]: found 'X', expected a tag"),
        ({"tokens": ["a"], "tags": "O"}, "$.tags: found 'O', expected a list"),
        ({"tokens": ["a"], "spans": [[0, 1, "X"]]}, "$.spans[0]: found tokens 0 to 1"),
        ({"tokens": ["a"], "spans": [[0, "X"]]}, "$.spans[0]: found [0, 'X']"),
        ({"tokens": ["a"], "spans": [[True, 0]]}, "$.spans[0]: found [true, 0]"),
        ({"tokens": ["a"], "spans": [], "tags": ["O"]}, "$: found tags and spans"),
        ({"id": [], "tokens": ["a"], "spans": []}, "$.id: found []"),
        (
            {"tokens": ["a"], "spans": {1}, "x": object()},
            "found a dict that is not JSON",
        ),
    ],
)
def test_bad_dicts_are_bad_records(tmp_path: Path, item: Any, said: str) -> None:
    good = {"id": 1, "tokens": ["a"], "tags": ["O"]}
    path = written(tmp_path, b"x")
    [problem] = problems(path, giving(good, item, good))
    assert problem.startswith("a.jsonl: item 2: ")
    assert said in problem
    assert len(records(path, giving(good, item, good))) == 3


FAILING = """
import json

def raises(stream):
    yield {"tokens": ["a"], "tags": ["O"]}
    json.loads("{")

def at_once(stream):
    return 1 / 0

def nothing(stream):
    pass

def text(stream):
    return "Ada"

def odd(stream):
    yield Ellipsis

def unclear(stream):
    yield {"a": 1}

def two(stream, name):
    raise ValueError(name)

def three(stream, name, more):
    pass

def none():
    pass

number = 3
"""


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        (
            "raises",
            InputError,
            "in.x: item 2: found MINE:6: JSONDecodeError: ",
        ),
        ("at_once", InputError, "in.x: item 1: found MINE:9: ZeroDivisionError: "),
        ("two", InputError, "found MINE:24: ValueError: FOLDER/in.x, expected a file"),
        (
            "nothing",
            UsageError,
            "MINE:11: mine.py:nothing gave None for in.x, exp",
        ),
        ("text", UsageError, "MINE:14: mine.py:text gave 'Ada' for in.x"),
        ("odd", UsageError, "MINE:18: mine.py:odd gave Ellipsis for item 1 of in.x"),
        ("unclear", UsageError, "MINE:21: mine.py:unclear gave {'a': 1} for item 1 of"),
        ("three", UsageError, "MINE:26: mine.py:three takes (stream, name, more), exp"),
        ("none", UsageError, "MINE:29: mine.py:none takes (), expected a function"),
        ("number", UsageError, "mine.py:number: found int, expected a function"),
        ("gone", UsageError, "mine.py:gone: mine.py has no 'gone'; there are: "),
    ],
)
def test_failures_name_file_and_line(
    tmp_path: Path, name: str, kind: type[GraphscoreError], said: str
) -> None:
    mine = written(tmp_path, FAILING.encode(), "mine.py")
    path = written(tmp_path, b"x", "in.x")
    with pytest.raises(kind) as caught:
        records(path, f"{mine}:{name}")
    message = str(caught.value).replace(f"{tmp_path}/in.x: item", "in.x: item")
    message = message.replace(f" {tmp_path}/in.x", " in.x", name != "two")
    message = re.sub(rf"{mine}(?=:\d)", "MINE", message).replace(str(mine), "mine.py")
    assert said in message.replace(str(tmp_path), "FOLDER")


def test_files_that_fail_are_usage_errors(tmp_path: Path) -> None:
    for source, said in [
        ("def read(:", ":1: "),
        ("import nowhere_at_all", "ModuleNot"),
    ]:
        mine = written(tmp_path, source.encode(), "mine.py")
        with pytest.raises(UsageError, match=said):
            format_given(f"{mine}:read")
    with pytest.raises(UsageError, match="no such file"):
        format_given("nowhere.py:read")
    with pytest.raises(UsageError, match="there is no such module"):
        format_given("nowhere_at_all:read")
    with pytest.raises(UsageError, match=r"as in mine\.py:read"):
        format_given("mine.py")


def test_a_format_of_ones_own_has_its_reader(tmp_path: Path) -> None:
    def read(stream: BinaryIO, name: str) -> Any:
        yield ReadGraph(1, Graph(stream.read().decode(), "amr", 2))

    own = Format("dots", "dots", ("amr",), (".dots",), read=read)
    for given in (own, read):
        [graph] = graphs(written(tmp_path, b"7", "a.mrp"), given)
        assert graph.id == "7"
        assert gather(str(tmp_path), given).paths == [str(tmp_path / "a.mrp")]


def lines(stream: BinaryIO) -> Any:
    for line in stream:
        item, *words = line.decode().split()
        tags = ["B-X" if word.isupper() else "O" for word in words]
        yield {"id": item, "tokens": words, "tags": tags}


def test_all_files_of_a_folder_are_read(tmp_path: Path) -> None:
    for side, word in (("gold", "LA"), ("system", "la")):
        (tmp_path / side).mkdir()
        written(tmp_path / side, f"1 IN {word}\n".encode(), "LICENSE")
        written(tmp_path / side, gzip.compress(b"2 IN it\n"), "a.txt.gz")
        written(tmp_path / side, bz2.compress(b"3 IN it\n"), "a.ann.bz2")
        written(tmp_path / side, b"4 IN it\n", "a.txt")
        written(tmp_path / side, b"5 IN it\n", "a.ann")
        written(tmp_path / side, b"no", ".hidden")
    sides = str(tmp_path / "gold"), str(tmp_path / "system")
    options = Options(reading=ReaderOptions(format=lines))
    result = score(*sides, "ner", options=options)
    assert (result.pairs, result.counts["all"].gold, result.counts["all"].matched) == (
        5, 6, 5
    )  # fmt: skip
    assert score(*sides, "ner", options=options, jobs=2).counts == result.counts


def test_an_edited_function_reads_a_file_again(tmp_path: Path) -> None:
    source = (
        "def read(stream):\n    yield {{'id': 1, 'tokens': ['a'], 'tags': ['{}']}}\n"
    )
    path, place = written(tmp_path, b"x", "in.x"), f"{tmp_path / 'mine.py'}:read"
    with Store("sqlite://", mode="create") as store:
        for tag, unchanged in (("O", False), ("O", True), ("B-X", False)):
            written(tmp_path, source.format(tag).encode(), "mine.py")
            [report] = store.ingest(
                str(path), "gold", reading=ReaderOptions(format=place), replace=True
            )
            assert report.unchanged is unchanged, tag
        [graph] = store.graphs("gold")
        assert [node.label for node in graph.nodes] == ["X"]
        _, [(name,)] = store.query("select distinct format from v_graphs")
        assert name == place


ADA = {"id": "a", "place": "Lima", "victims": [{"name": "Ada", "age": 3}]}
BOB = {"id": "b", "place": "Rome", "victims": [{"name": "Bob"}], "kind": "flood",
       "sure": "no", "tags": ["x", 2], "more": 1}  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        f"{json.dumps(ADA)}\n\n  \n{json.dumps(BOB)}\n",
        f"\ufeff{json.dumps(ADA)}\r\n{json.dumps(BOB)}",
        json.dumps([ADA, BOB]),
        json.dumps([ADA, BOB], indent=2),
        f"{json.dumps(ADA, indent=2)}\n{json.dumps(BOB, indent=2)}\n",
    ],
)
def test_objects_are_read_from_json(tmp_path: Path, data: str) -> None:
    ada = Report("Lima", frozenset({Victim("Ada", 3)}), id="a")
    bob = Report("Rome", frozenset({Victim("Bob")}), Kind.FLOOD, "no", ["x", 2], "b")
    found = graphs(written(tmp_path, data.encode()), Report)
    assert [graph.id for graph in found] == ["a", "b"]
    whole = "$", score([ada, bob], found, Report)
    assert whole[1].f1 == 1
    assert whole[1].pairs == 2
    one = written(tmp_path, json.dumps(BOB, indent=1).encode(), "one.json")
    assert [graph.id for graph in graphs(one, Report)] == ["b"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"place": 3}', "2: $.place: found int, expected str"),
        (b'{"id": "c"}', "2: $.place: found nothing, expected this field"),
        (b'{"place": "", "victims": [{"name": ""}, {"name": "", "age": "1"}]}',
         "2: $.victims[1].age: found str, expected int or null"),
        (b'{"place": "", "victims": [], "kind": "war"}', "2: $.kind: found 'war'"),
        (b'{"place": "", "victims": [], "sure": "so"}', "2: $.sure: found 'so'"),
        (b'{"place": "", "victims": [], "tags": [1.5]}', "2: $.tags[0]: found float"),
        (b'{"place": "", "victims": [], "id": true}', "2: $.id: found bool"),
        (b'{"place": ', "2: found a truncated line"),
        (b'{"place": "", "victims": nil}', "2:30: found invalid character"),
        (b"[]", "2: $: found array, expected object"),
        (b"null", "2: $: found null, expected object"),
        (b'{"place": "caf\xe9", "victims": []}', "2:15: found bytes that are not"),
        (b'{"place": "", "victims": [], "more": ' + b"[" * 999_999,
         "2: found JSON that is nested too deep"),
        (b'{"place": "' + b"x" * 3000 + b'", "victims": []}',
         "2: found a line of more than 2,000 bytes"),
    ],
)  # fmt: skip
def test_bad_lines_cost_themselves_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes, said: str
) -> None:
    if b"xxx" in line:
        monkeypatch.setattr(json_lines, "LONGEST_LINE", 2000)
    good = json.dumps(ADA).encode()
    other = json.dumps(BOB).encode()
    path = written(tmp_path, b"\n".join([good, line, other, b""]))
    found = records(path, Report)
    assert [isinstance(each, Rejected) for each in found] == [False, True, False]
    [problem] = problems(path, Report)
    assert problem.startswith(f"a.jsonl:{said}"), problem


def test_bad_objects_keep_their_ids(tmp_path: Path) -> None:
    gold = written(tmp_path, f"{json.dumps(ADA)}\n{json.dumps(BOB)}\n".encode())
    bad = json.dumps(ADA | {"place": 1})
    system = written(tmp_path, f"{bad}\n{json.dumps(BOB)}\n".encode(), "s.jsonl")
    result = score(str(gold), str(system), Report)
    assert (result.rejected_records, result.missing_system, result.pairs) == (1, 1, 2)
    with pytest.raises(InputError, match=r"s.jsonl:1: \$.place: found int"):
        score(str(system), str(gold), Report)


def test_repeated_ids_are_refused(tmp_path: Path) -> None:
    data = "\n".join(map(json.dumps, [ADA, BOB, ADA])).encode()
    twice = written(tmp_path, data)
    with pytest.raises(InputError, match=r"a\.jsonl:3: .*a\.jsonl:1"):
        score(str(twice), str(twice), Report)


def test_objects_without_ids_go_by_their_order(tmp_path: Path) -> None:
    plain = [{"place": place, "victims": []} for place in ("Lima", "Rome")]
    data = "\n".join(map(json.dumps, plain)).encode()
    gold = written(tmp_path, data)
    system = written(tmp_path, data.replace(b"Rome", b"Oslo"), "s.jsonl")
    result = score(str(gold), str(system), Report)
    assert [each.item for each in result.per_item] == ["0", "1"]
    assert (result.counts["place"].matched, result.pairs) == (1, 2)


def test_files_of_objects_score_as_their_objects(tmp_path: Path) -> None:
    gold = [ADA, BOB, ADA | {"id": 3, "victims": [{"name": "Cy"}, {"name": "Di"}]}]
    system = [
        ADA | {"place": "Oslo"},
        BOB | {"victims": []},
        ADA | {"id": 3, "victims": [{"name": "Cy", "age": 1}, {"name": "Di"}]},
    ]
    sides = []
    for name, items in (("g.jsonl", gold), ("s.jsonl", system)):
        data = "\n".join(map(json.dumps, items)).encode()
        sides.append(str(written(tmp_path, data, name)))
    result = score(*sides, Report)
    # What the pairs of objects say, each for itself.
    formulas = derive(Report, {Report: {"id": ignored}})

    def held(item: dict[str, Any]) -> Report:
        victims = frozenset(Victim(**each) for each in item["victims"])
        kind, tags = Kind(item.get("kind", "fire")), item.get("tags", [])
        return Report(item["place"], victims, kind, item.get("sure"), tags, item["id"])

    pairs = [(held(a), held(b)) for a, b in zip(gold, system, strict=True)]
    assert set(result.counts) == {*formulas, "all"}
    for kind, formula in formulas.items():
        reports = [formula.score(*pair) for pair in pairs]
        count = result.counts[kind]
        assert (count.gold, count.system, count.matched) == tuple(
            sum(getattr(each, side) for each in reports)
            for side in ("gold", "system", "matched")
        ), kind
    assert result.counts["victims"][:3] == (4, 3, 2)
    # On either side, objects may be held as well.
    objects = [pair[0] for pair in pairs]
    assert score(objects, sides[1]).counts == result.counts
    assert score(objects, sides[1], Report).counts == result.counts


@dataclass
class Loose:
    at: str


@dataclass(frozen=True)
class Firm:
    to: str


class Odd(Enum):
    HALF = 0.5


@dataclass
class Two:
    fine: int
    both: Firm | Victim


@dataclass
class Unhashable:
    held: list[frozenset[Loose]]


@dataclass
class Halves:
    odd: Odd


@dataclass
class Outer:
    inner: list[Halves]


@dataclass
class Table:
    cells: dict[str, int]


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (Two, r"Two\.both cannot be read from JSON: .*more than one dataclass"),
        (Unhashable, r"Unhashable\.held .*Loose cannot be in a set, expected @data"),
        (Halves, r"Halves\.odd cannot be read from JSON: Enums must contain"),
        (Outer, r"Halves\.odd cannot be read from JSON: Enums must contain"),
        (Table, r"Table\.cells: found dict\[str, int\], expected a dataclass"),
    ],
)
def test_classes_that_cannot_be_read_name_the_field(cls: type, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        format_given(cls)


@dataclass
class Checked:
    size: int

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a size below 0")
        if self.size == 7:
            raise KeyError("seven")


def test_what_a_class_says_of_its_values_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"size": 1}\n{"size": -1}\n{"size": 7}\n')
    first, second = problems(path, Checked)
    assert first == "a.jsonl:2: $: found a size below 0"
    place = re.escape(__file__) + r":\d+"
    said = rf"a\.jsonl:3: \$: found {place}: KeyError: 'seven', expected an obj"
    assert re.match(said, second)


def test_the_id_makes_no_difference_unless_a_mark_says_so(tmp_path: Path) -> None:
    @dataclass
    class Bare:
        id: str

    assert set(score([Bare("a")], [Bare("b")]).counts) == {"all"}
    # Paired by order, other ids are no mistake.
    one, two = (Report("Lima", frozenset(), id=each) for each in "ab")
    result = score([one], [two])
    assert "id" not in result.counts
    assert result.counts["place"].f1 == 1


def test_the_examples_of_the_page_give_its_scores() -> None:
    folder = ROOT / "docs" / "examples"
    options = Options(reading=ReaderOptions(format=f"{folder}/slashes.py:read"))
    sides = str(folder / "gold.slashes"), str(folder / "system.slashes")
    count = score(*sides, "ner", options=options).counts["all"]
    assert (count.gold, count.system, count.matched) == (3, 3, 2)


def test_streams_are_read_as_they_come() -> None:
    taken = []

    def read(stream: BinaryIO) -> Any:
        for line in stream:
            taken.append(line)
            yield {"id": line.decode().strip(), "tokens": ["a"], "tags": ["O"]}

    reader = format_given(read).read
    assert reader is not None
    found = reader(io.BytesIO(b"1\n2\n3\n"), "a")
    next(found)
    assert taken == [b"1\n"]


def test_what_scores_from_python_reads_files_into_the_class(tmp_path: Path) -> None:
    from graphscore import compare, explain

    gold = written(tmp_path, "\n".join(map(json.dumps, [ADA, BOB])).encode())
    data = "\n".join(map(json.dumps, [ADA | {"place": "Oslo"}, BOB])).encode()
    system = written(tmp_path, data, "s.jsonl")
    sides = str(gold), str(system)
    expected = score(*sides, Report).counts
    assert expected["place"].matched == 1
    found = compare(str(gold), str(gold), str(system), metric=Report, score="place.f1")
    assert [each.value for each in found.systems] == [1, 0.5]
    assert "δ_place" in str(explain(*sides, "a", Report))
    assert score(*sides, [Report, Report])[1].counts == expected
    with Store("sqlite://", mode="create") as store:
        for path, name in ((gold, "gold"), (system, "alder")):
            store.ingest(str(path), name, reading=ReaderOptions(format=Report))
        result = store.score("gold", "alder", Report)
        assert not isinstance(result, list)
        assert result.counts == expected
