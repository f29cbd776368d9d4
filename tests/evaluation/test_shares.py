"""Shares of an evaluation, however many, add up to one run byte by byte."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.pairing import Pair
from graphscore.evaluation.result import Result
from graphscore.evaluation.run import Addition
from graphscore.evaluation.scoring import FEW_GRAPHS, score_files
from graphscore.evaluation.sharing import index, shares
from graphscore.evaluation.sharing.index import index_of
from graphscore.evaluation.sharing.shares import Job, Share
from graphscore.evaluation.sharing.workers import Workers
from graphscore.evaluation.sources.files import FileSource
from graphscore.evaluation.tasks import Timed
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import GraphscoreError, UsageError
from graphscore.formats import ReaderOptions
from graphscore.formats.base import Record
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome

DATA = Path(__file__).parents[2] / "data"


class Here(Workers):
    """Does everything here, as if it had been sent.

    Args:
        shares: into how many shares an index goes.
        readings: how many read all where there is no index.
    """

    def __init__(self, shares: int = 4, readings: int = 2) -> None:
        super().__init__(1, int)
        self.done, self.shares, self.readings = 0, shares, readings

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.done += 1
        future: Future[Any] = Future()
        sent = pickle.loads(pickle.dumps((fn, args, kwargs)))
        try:
            found = sent[0](*sent[1], **sent[2])
            future.set_result(pickle.loads(pickle.dumps(found)))
        except GraphscoreError as error:
            # What comes from another process has no frames, which hold files open.
            future.set_exception(error.with_traceback(None))
        return future


def said(
    gold: Path,
    system: Path,
    metrics: Sequence[Metric] | None,
    options: Options,
    executor: Here | None = None,
) -> Any:
    """All that is said of two files; an error as well."""
    try:
        found = score_files(str(gold), str(system), metrics, options, executor=executor)
    except GraphscoreError as error:
        return type(error), str(error)
    return [
        (
            str(each.metric),
            # The order of sums is seen in what is printed.
            [(key, list(sums.items())) for key, sums in each.raw_counts.items()],
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
    for workers in (Here(), Here(7, 3), Here(1, 1)):
        found = said(gold, system, chosen, replace(mine, jobs=2), workers)
        assert found == whole
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


@settings(max_examples=20)
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
    folder = tmp_path_factory.mktemp("shares")
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
    ids=["reversed", "half", "spurious", "bad", "twice", "alike", "unnamed", "others"],
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


def test_folders_are_read_in_shares(tmp_path: Path) -> None:
    for side, shift in (("gold", 0), ("system", 7)):
        (tmp_path / side).mkdir()
        for n in range(3):
            some = MANY[n * 25 + shift : (n + 1) * 25]
            (tmp_path / side / f"{n}.mrp").write_bytes(b"\n".join(some))
        (tmp_path / side / "LICENSE").write_bytes(b"mine")
    whole = same(tmp_path / "gold", tmp_path / "system", None)
    assert any("left alone" in note for note in whole[0][-3])


def test_only_the_first_graphs_are_read_here(
    sides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    records = FileSource.records

    def counting(
        self: FileSource, reading: ReaderOptions
    ) -> Iterator[tuple[str, str, Record]]:
        for found in records(self, reading):
            read.append(found[0])
            yield found

    monkeypatch.setattr(FileSource, "records", counting)
    executor = Here()
    options = Options(jobs=2, per_item=True, details=True)
    gold, system = map(str, sides(MANY, MANY[::-1]))
    [result] = score_files(gold, system, None, options, executor=executor)
    assert result.pairs == 80
    assert executor.done == executor.shares
    assert read == [gold] * FEW_GRAPHS + [system] * FEW_GRAPHS


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
    assert index_of(str(path), ReaderOptions()) is None
    same(path, path, None)


@pytest.mark.parametrize(
    "reading",
    [
        ReaderOptions(document=str.upper),
        ReaderOptions(format="mrp"),
        ReaderOptions(format="amr"),
        ReaderOptions(framework="eds"),
    ],
    ids=["rule", "named", "wrong", "framework"],
)
def test_files_are_read_as_is_asked(sides: Any, reading: ReaderOptions) -> None:
    same(*sides(MANY, MANY[5:]), reading=reading)
    same(*sides(MANY, MANY[5:]), None, reading=ReaderOptions(), system_reading=reading)


def test_long_lines_are_read_as_a_whole(
    sides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, _ = sides(MANY, MANY)
    assert index_of(str(gold), ReaderOptions()) is not None
    monkeypatch.setattr(index, "LONGEST_LINE", 40)
    assert index_of(str(gold), ReaderOptions()) is None


def test_every_record_is_of_one_share(sides: Any) -> None:
    gold, system = sides(MANY, [*MANY[60:], *(line(f"x{n}") for n in range(500))])
    executor = Here()
    seen: list[Share] = []
    share = executor.share

    def keeping(score: Any, job: Job, one: Share) -> Any:
        seen.append(one)
        return share(score, job, one)

    executor.share = keeping  # type: ignore[method-assign]
    score_files(str(gold), str(system), [parse("mrp")], executor=executor)
    assert [one.number for one in seen] == list(range(executor.shares))
    for side, (path, lines) in enumerate(((gold, 80), (system, 520))):
        runs = [run for one in seen if one.runs for run in one.runs[side]]
        assert len([key for run in runs for key in run.keys]) == lines
        ends = sorted((run.start, run.end) for run in runs)
        assert ends[0][0] == 0
        assert ends[-1][1] == path.stat().st_size
        assert all(a[1] == b[0] for a, b in pairwise(ends))
    for one in seen:
        assert one.runs is not None
        ids = [{key for run in runs for key in run.keys} for runs in one.runs]
        # What has a partner is where that is.
        assert not {key for key in ids[1] - ids[0] if key[1].startswith("s")}


def test_files_that_change_meanwhile_are_read_as_a_whole(
    sides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, system = sides(MANY, MANY)
    found = index.index_of

    def cut(operand: str, reading: ReaderOptions, kind: Any) -> Any:
        made = found(operand, reading, kind)
        if operand == str(system):
            system.write_bytes(b"\n".join(MANY[:50]))
        return made

    monkeypatch.setattr(shares, "index_of", cut)
    options = Options(jobs=2)
    for executor in (Here(), Here(readings=3)):
        system.write_bytes(b"\n".join(MANY))
        [result] = score_files(
            str(gold), str(system), [parse("mrp")], options, executor=executor
        )
        assert result.missing_system == 30
        assert executor.done > executor.shares


def test_an_index_is_made_once_of_gold(
    sides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, system = map(str, sides(MANY, MANY[::-1]))
    made: list[str] = []
    found = index.index_of

    def noted(operand: str, reading: ReaderOptions, kind: Any) -> Any:
        made.append(operand)
        return found(operand, reading, kind)

    monkeypatch.setattr(shares, "index_of", noted)
    executor = Here()
    for _ in range(2):
        score_files(gold, system, [parse("mrp")], executor=executor)
    assert made == [gold, system, system]


def test_workers_that_see_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.amr"
    amr = b"# ::id %d\n(d / dog)\n\n"
    path.write_bytes(amr % 1)

    class Elsewhere(Here):
        def share(self, score: Any, job: Job, share: Share) -> Any:
            path.write_bytes(b"".join(amr % n for n in range(share.number + 1)))
            return super().share(score, job, share)

    with pytest.raises(UsageError, match="same files: 1 and 1, 2 and 2 graphs"):
        score_files(str(path), str(path), None, executor=Elsewhere(readings=2))


@pytest.mark.parametrize(
    ("gold", "system", "metrics"),
    [
        ("gold.mrp", "birch.mrp", ["mrp", "smatch"]),
        ("coreference/key.conll", "coreference/response.conll", ["b3", "lea", "ceafe"]),
        ("coreference/key.conll", "coreference/response.conll", ["blanc", "conll"]),
        ("dependencies/gold.conllu", "dependencies/parser.conllu", ["las", "mlas"]),
        ("dependencies/gold.conllu", "dependencies/parser.conllu", None),
        ("ner/gold.iob2", "ner/tagger.iob2", ["ner"]),
        ("ner/gold.iob2", "ner/tagger.iob2", ["ner", "tagging"]),
        ("ie/abstracts.jsonl", "ie/abstracts.predicted.jsonl", None),
    ],
)
def test_items_documents_and_collections(
    gold: str, system: str, metrics: list[str] | None
) -> None:
    same(DATA / gold, DATA / system, metrics, parts=True)


def sentence(*words: str, comments: Sequence[str] = (), id: str = "s") -> str:
    rows = [
        (str(n), word, "_", "X", "_", "_", str(n - 1), "x", f"{n - 1}:x", "_")
        for n, word in enumerate(words, 1)
    ]
    lines = [*comments, f"# sent_id = {id}", *map("\t".join, rows), "", ""]
    return "\n".join(lines)


WHOLE, ENTITY = "x\t_\n", "x\tEntity=(e1)\n"

PLAIN = st.sampled_from(
    [
        sentence("Dogs", "bark"),
        sentence("Dogs", "bark").replace("\tX\t", "\tY\t"),
        sentence("Cats", "do", "not"),
        sentence("Cats", "do", "not").replace("\t1:x", "\t0:x"),
        sentence("Cats", "do").replace(WHOLE, ENTITY),
    ]
)
ODD = st.sampled_from(
    [
        sentence("Dogsbark"),
        sentence("a", id=""),
        sentence("a", comments=["# text = newdoc"]),
        sentence("a", comments=["# text = b"]),
        sentence("a", comments=["# newdoc"]),
        sentence("a", comments=["# global.Entity = eid-etype"]),
        sentence("newdoc").replace("\t0:x", "\t_"),
        sentence("a", "b").replace("\n2", "\n# newdoc id = d1\n2"),
        sentence("a").replace("\n\n", "\n"),
        sentence("a").replace("\t0\t", "\t9\t"),
        sentence("a").replace("\n\n", "\n\n \n\n"),
        "# newdoc id = d1\n",
    ]
)
NAMES = st.sampled_from(["", "d1", "d2", "d3", "d4"])


@st.composite
def treebanks(draw: st.DrawFn, odd: bool) -> str:
    """Documents of CoNLL-U; the names of most are in order."""
    drawn = st.one_of(PLAIN, ODD) if odd else PLAIN
    documents = draw(st.lists(st.lists(drawn, min_size=1, max_size=3), max_size=5))
    text = "# global.Entity = eid\n" * draw(st.booleans())
    for number, sentences in enumerate(documents, 1):
        name = draw(NAMES) if odd and draw(st.booleans()) else f"d{number}"
        mark = f"# newdoc id = {name}\n" if name else ""
        text += mark + "".join(sentences)
    return text


@settings(max_examples=40)
@given(st.booleans().flatmap(lambda odd: st.tuples(treebanks(odd), treebanks(odd))))
def test_any_documents_are_scored_as_by_one_process(
    tmp_path_factory: pytest.TempPathFactory, sides: tuple[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("documents")
    files = folder / "g.conllu", folder / "s.conllu"
    for path, text in zip(files, sides, strict=True):
        path.write_text(text, encoding="utf-8")
    for system in files:
        same(files[0], system, ["las", "elas", "segmentation"])
        same(files[0], system, ["conll"])
        same(files[0], system, None, parts=True)


def test_documents_are_read_in_shares(tmp_path: Path) -> None:
    text = "".join(
        f"# newdoc id = d{n}\n" + sentence("a", id=f"{n}a") + sentence("b", id=f"{n}b")
        for n in range(9)
    )
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(f"\ufeff{text}", encoding="utf-8")
    system.write_text(f"\n{text}".replace("\tX\t", "\tY\t"), encoding="utf-8")
    executor = Here()
    options = Options(jobs=2, per_item=True, details=True)
    [result] = score_files(
        str(gold), str(system), [parse("tagging")], options, executor=executor
    )
    assert executor.done == executor.shares
    assert [item.item for item in result.items] == [f"d{n}" for n in range(9)]
    assert index_of(str(gold), ReaderOptions()) is None
    made = index_of(str(system), ReaderOptions(), "document")
    assert made is not None
    assert [*made.numbers] == [1, *(2 + 7 * n for n in range(1, 9))]
    same(gold, system, ["las", "elas", "mrp"])
    text = f"# global.Entity = eid\n{text.replace(WHOLE, ENTITY)}"
    for path, other in ((gold, text), (system, text.replace("(e1)", "(e1(e2))"))):
        path.write_text(other, encoding="utf-8")
        assert index_of(str(path), ReaderOptions(), "document") is not None
    [conll, las] = same(gold, system, ["conll", "las"])
    assert conll[1] != las[1]
    gold.write_text(f"{text}# global.Entity = eid", encoding="utf-8")
    assert index_of(str(gold), ReaderOptions(), "document") is None


def test_documents_that_end_elsewhere_are_joined(tmp_path: Path) -> None:
    trees = DATA / "dependencies"
    text = (trees / "parser.conllu").read_text(encoding="utf-8")
    sentences = [
        "\n".join(x for x in s.split("\n") if not x.startswith("# newdoc"))
        for s in text.strip().split("\n\n")
    ]
    cut = [f"# newdoc id = d{n}\n{s}" * (n % 2) or s for n, s in enumerate(sentences)]
    system = tmp_path / "system.conllu"
    system.write_text("\n\n".join(cut) + "\n\n", encoding="utf-8")
    whole = same(trees / "gold.conllu", system, ["las"])
    assert any("documents do not begin and end" in note for note in whole[0][-3])


def test_other_texts_are_noted_in_the_order_of_gold(sides: Any) -> None:
    gold = [line(f"s{n}", framework="eds") for n in range(80)]
    other = [line(f"s{n}", framework="eds", input="a d") for n in range(80)]
    for system in (other, other[::-1]):
        whole = same(*sides(gold, system), ["edm"])
        assert any(
            "80 pairs" in note and "first item s0:" in note for note in whole[0][-3]
        )


def test_real_workers_say_the_same() -> None:
    files = [str(DATA / f"{name}.mrp") for name in ("gold", "alder")]
    one, two = (
        score_files(*files, None, Options(jobs=jobs, per_item=True, details=True))
        for jobs in (1, 2)
    )
    assert [each.to_dict() for each in one] == [each.to_dict() for each in two]
    assert [list(each.items) for each in one] == [list(each.items) for each in two]


@given(
    st.lists(
        st.tuples(st.sampled_from("dec"), st.permutations("abc"), st.integers(0, 3)),
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_sums_are_in_the_order_of_gold_however_units_come(
    units: list[tuple[str, list[str], int]], chance: Any
) -> None:
    """Groups and counts stand where the first unit of gold has them."""
    expected: dict[str, dict[str, int]] = {}
    for document, names, size in units:
        counts = expected.setdefault(document, {})
        for name in names[:size]:
            counts[name] = counts.get(name, 0) + 1
    numbered = list(enumerate(units))
    chance.shuffle(numbered)
    additions = [Addition(Result(parse("mrp"))) for _ in range(3)]
    for place, (document, names, size) in numbered:
        unit = Unit((Graph(str(place), "eds", document=document),), str(place))
        raw_counts = {(name, "", "gold"): 1 for name in names[:size]}
        timed = Timed(Outcome(raw_counts, 0, 0, True, 0, ""), 0)
        part = chance.choice(additions)
        part.add(Pair(place, unit, unit), timed, Options())
    whole = additions.pop(0)
    for part in additions:
        whole.merge(part)
    whole.conclude()
    assert [
        (group[2], [(name, amount) for (name, _, _), amount in counts.items()])
        for group, counts in whole.result.raw_counts.items()
    ] == [(document, [*counts.items()]) for document, counts in expected.items()]
