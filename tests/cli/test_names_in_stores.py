"""What a store names is neither imported nor run nor opened, whatever the command."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store, parse
from graphscore.cli.main import COMMANDS
from graphscore.exceptions import GraphscoreError
from graphscore.metrics.registry import homes, metric_named, stored_metric

TREES = (
    "# sent_id = {0}\n"
    "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\t_\t_\t0\t{1}\t_\t_\n\n"
)
CODE = "open('ran', 'w').close()\nraise SystemExit\n"

NAMES = (
    *("evil.py:metric", "evil:metric", "evil.inner:metric", "evil.py:Metric(a=b)"),
    *(
        "rules:evil.fifo",
        "rules:evil.toml",
        " rules: evil.fifo",
        "rules(file=evil.toml)",
    ),
    *("docred(facts=evil.fifo)", "DocRED( facts = evil.fifo )"),
    *("framenet(relations=evil.fifo)", "primesrl(core=framenet:evil.fifo)"),
    *("granular(hierarchies=evil.tsv)", "neleval(type_weights=evil.tsv)"),
    *("las\0evil.py:metric", "f1(match(nodes(), exact(evil:metric)))", "evil", "(evil"),
)
"""Metrics that a store may name."""

FEW = ("evil.py:metric", "evil.inner:metric", "rules:evil.fifo", NAMES[8])

SIDES = ("--gold", "gold", "--system", "system")

CALLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "score": (("STORE", *SIDES), ("STORE", *SIDES, "--per-item", "-m", "las")),
    "compare": (("STORE", "--gold", "gold", "--system", "system", "--system", "gold"),),
    "agree": (("STORE", "gold", "system", "--samples", "9"),),
    "ingest": (("STORE", "trees.conllu", "--as", "third"),),
    "errors": (("STORE",), ("STORE", *SIDES, "--confusions")),
    "find": (
        ("STORE", "pattern { X []; missing(X) }"),
        ("STORE", "pattern { X []; missing(X) }", "--svg", "hits.svg"),
        ("STORE", "gold { X -> Y } system { Y -> X }", *SIDES, "--html", "hits.html"),
    ),
    "whatif": (("STORE", *SIDES),),
    "items": (("STORE", *SIDES),),
    "show": (("1", "STORE", *SIDES), ("1", "STORE", *SIDES, "--explain")),
    "report": (("STORE", "--gold", "gold", "--html", "all.html", "--samples", "9"),),
    "query": (("STORE", "select * from v_scores"),),
    "store": (
        *(("list", "STORE"), ("migrate", "STORE"), ("export", "STORE", "parquet")),
        ("remove", "STORE", "system"),
    ),
    "analyze": (("STORE", "--collection", "gold"),),
}
"""How each command is called that takes a store."""

ELSEWHERE = {
    "serve": "its pages have a test of their own",
    **dict.fromkeys(("metrics", "rules", "formats"), "they are given no data"),
    **dict.fromkeys(("validate", "convert", "demo"), "they take no store"),
}
"""Why the other commands have no call."""

_touched: list[str] | None = None
"""What was imported, run or opened while somebody listened."""


EVENTS = frozenset({"import", "open", "os.listdir", "os.scandir", "glob.glob"})
"""What Python tells of."""


def _listen(event: str, given: tuple[Any, ...]) -> None:
    if _touched is not None and event in EVENTS:
        for name in given:
            if isinstance(name, str | bytes | os.PathLike):
                place = os.fsdecode(name).replace(os.getcwd(), "")
                _touched.extend([f"{event} {place}"] * ("evil" in place))


@pytest.fixture
def touched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Python says of names with "evil" in them, as it imports, runs and opens."""
    if not hasattr(_listen, "added"):
        sys.addaudithook(_listen)
        _listen.added = True  # type: ignore[attr-defined]
    found: list[str] = []
    monkeypatch.setattr(sys.modules[__name__], "_touched", found)
    return found


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with an evaluation of trees, whose metric compares documents."""
    folder = tmp_path_factory.mktemp("scored")
    path = folder / "runs.db"
    with Store(path, mode="create") as store:
        for name, label in (("gold", "root"), ("system", "dep")):
            file = folder / f"{name}.conllu"
            file.write_text("".join(TREES.format(n, label) for n in (1, 2)))
            store.ingest(file, name)
        store.score("gold", "system", "las")
    return path


@pytest.fixture
def naming(
    scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Path]]:
    """Gives the store, whose evaluation is by a metric of a name."""
    for name in ("evil.py", "evil/__init__.py", "evil/inner.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(CODE)
    (tmp_path / "evil.toml").write_text("extends = 'default'\n")
    (tmp_path / "evil.tsv").write_text("a\tb\n")
    (tmp_path / "trees.conllu").write_text(TREES.format(3, "root"))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "evil.fifo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")

    def named(metric: str) -> Path:
        path = Path(shutil.copy(scored, tmp_path / "runs.db"))
        with closing(sqlite3.connect(path)) as connection:
            for table, column in (
                *(("evaluation", "metric"), ("metric", "name")),
                *(("ingest", "path"), ("ingest", "format")),
            ):
                connection.execute(f"update {table} set {column} = ?", (metric,))
            connection.commit()
        return path

    yield named
    assert not (tmp_path / "ran").exists()


def test_every_verb_is_called_or_takes_no_store() -> None:
    assert CALLS.keys() | ELSEWHERE.keys() == COMMANDS.keys()


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("verb", CALLS)
def test_no_verb_touches_what_a_store_names(
    verb: str, name: str, naming: Any, run: Any, touched: list[str]
) -> None:
    for words in CALLS[verb]:
        path = naming(name)
        done = run(verb, *(path if word == "STORE" else word for word in words))
        assert done.code in (0, 2, 3, 4), done.err
        assert not touched


@pytest.mark.parametrize("name", NAMES)
def test_python_touches_nothing_either(
    name: str, naming: Any, touched: list[str]
) -> None:
    path = naming(name)
    sides = {"gold": "gold", "system": "system"}
    questions: list[Callable[[Store], object]] = [
        Store.evaluations,
        Store.collections,
        lambda it: it.errors(**sides),
        lambda it: it.confusions(**sides),
        lambda it: it.item_scores(**sides),
        lambda it: it.find("pattern { X []; missing(X) }"),
        lambda it: [*it.hits("pattern { X []; missing(X) }")],
        lambda it: it.query("select * from v_scores"),
        lambda it: it.frame("select * from v_scores"),
        lambda it: it.score("gold", "system"),
        lambda it: it.clear_results(),
        lambda it: it.remove("system"),
    ]
    with Store(path, mode="write") as store:
        for ask in questions:
            with suppress(GraphscoreError):
                ask(store)
            assert not touched


@pytest.mark.parametrize("name", FEW)
def test_no_page_touches_it(name: str, naming: Any, touched: list[str]) -> None:
    for module in ("starlette", "httpx"):
        pytest.importorskip(module, reason="[web] and [web-test] are not installed")
    from graphscore.explorer.app import application
    from graphscore.explorer.reader import Reader, name_of
    from graphscore.explorer.security import Access
    from graphscore.explorer.server import work_ahead

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from starlette.testclient import TestClient

    said: list[str] = []
    reader = Reader(str(naming(name)))
    pages = application(reader, Access("127.0.0.1", 8765), said.append)
    client = TestClient(pages, base_url="http://127.0.0.1:8765")
    work_ahead(reader)
    own = f"/evaluation/{name_of(reader.evaluations()[0])}"
    for page in (
        *("/", own, f"{own}/value", f"{own}/items", f"{own}/item?item=1"),
        *(f"{own}/errors", f"{own}/errors/single", f"{own}/parts"),
        *("/search?q=dog", "/collections", "/collection?name=gold", "/sql"),
    ):
        client.get(page)
        assert not touched, page
    reader.close()
    assert not said


@pytest.mark.parametrize("name", ["evil.py:metric", "rules:evil.toml"])
def test_a_search_that_needs_the_metric_asks_for_it(
    name: str, naming: Any, run: Any
) -> None:
    path = naming(name)
    refused = run("find", path, "pattern { X []; missing(X) }")
    assert refused.code == 2
    assert f"the store names the metric {name}" in refused.err
    assert "name it with -m" in refused.err
    Path("evil.py").write_text("from graphscore import parse\nmetric = parse('las')\n")
    (Path("evil") / "__init__.py").unlink()
    named = run("find", path, "pattern { X []; missing(X) }", "-m", name, "--json")
    assert "the store names the metric" not in named.err


STRINGS = [
    (name, parameter)
    for name in homes()
    for parameter, (_, tuple_type) in metric_named(name).parameters().items()
    if tuple_type is str
]
"""Parameters of metrics that may name files."""


@pytest.mark.parametrize(("name", "parameter"), STRINGS)
@pytest.mark.parametrize("prefix", ["", "framenet:", "./", "a|"])
def test_every_parameter_that_names_a_file_says_so(
    name: str, parameter: str, prefix: str, naming: Any, touched: list[str]
) -> None:
    naming("las")
    text = f"{name}({parameter}={prefix}evil.tsv)"
    assert stored_metric(text) is None or not touched
    assert not touched
    with suppress(GraphscoreError):
        parse(text)
    # What opens something is none that stores may name.
    assert (stored_metric(text) is None) >= bool(touched)


def test_what_rules_name_is_a_file(naming: Any, run: Any) -> None:
    naming("las")
    for text in ("extends = 'evil.fifo'", "[lists]\nx = 'evil.fifo'"):
        Path("own.toml").write_text(text)
        refused = run("rules", "check", "own.toml")
        assert refused.code == 3
        assert "evil.fifo" in refused.err
