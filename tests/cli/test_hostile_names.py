"""Arguments and names of files of any bytes, of any length, or of none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from graphscore.cli.command import FileName
from graphscore.cli.main import COMMANDS, cli
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError, UsageError
from graphscore.formats import ReaderOptions, ReadGraph, formats, read_file
from graphscore.formats.source import shown
from graphscore.model.graph import Graph
from tests.cli.conftest import Ran, record
from tests.formats.samples import SAMPLES

BYTES = "\udcff"
"""A byte that is not UTF-8, as Python hands it on."""

NAMES = {
    "bytes": f"a{BYTES}.mrp",
    "lines": "a\n\x1b[31m.mrp",
    "dash": "-a.mrp",
    "pattern": "[a]*?.mrp",
    "address": "a:b%41?c#d.mrp",
    "marks": "\u202ea\u200b.mrp",
}


def every_command() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands, and those within commands."""
    for verb in COMMANDS:
        command = cli.get_command(click.Context(cli), verb)
        assert command is not None
        if isinstance(command, click.Group):
            for name, each in command.commands.items():
                yield (verb, name), each
        else:
            yield (verb,), command


PARAMETERS = [
    pytest.param(path, command, param, id=f"{'-'.join(path)}-{param.name}")
    for path, command in every_command()
    for param in command.params
]


def given(command: click.Command, wanted: click.Parameter, value: str) -> list[str]:
    """Arguments of which one has a value, and the others are not looked at."""
    arguments, options = [], []
    for param in command.params:
        own = value if param is wanted else "x"
        if isinstance(param, click.Argument):
            arguments.append(own)
        elif param is wanted or param.required:
            options += [param.opts[-1], own]
    return [*options, "--", *arguments]


@pytest.mark.parametrize(("path", "command", "param"), PARAMETERS)
def test_what_can_match_nothing_is_wrong_usage(
    run: Callable[..., Ran],
    path: tuple[str, ...],
    command: click.Command,
    param: click.Parameter,
) -> None:
    if getattr(param, "is_flag", False):
        return
    file = isinstance(param.type, FileName)
    for value in ("a\0b", "", "\ud83d") if file else ("a\0b", f"a{BYTES}"):
        found = run(*path, *given(command, param, value))
        name = param.make_metavar(click.Context(command))
        said = param.opts[-1] in found.err or name in found.err
        assert (found.code, said) == (2, True), found.err
        assert "\0" not in found.err


def test_names_of_files_are_told_from_text() -> None:
    files = {
        param.values[2].name  # type: ignore[union-attr]
        for param in PARAMETERS
        if isinstance(param.values[2].type, FileName)  # type: ignore[union-attr]
    }
    assert files == {
        *("operands", "files", "file", "names", "target", "store", "save", "plot"),
        *("text", "document_map", "inventory", "gold", "system"),
        *("other", "svg"),
        *("html", "markdown", "folder", "site", "like", "ranking"),
    }


LINES = {
    "score F F --json": 0,
    "score F F --csv --per-item": 0,
    "score F F --table": 0,
    "score F F --save D --jsonl": 0,
    "score F F --text F": 3,
    "score F F --document-map F": 3,
    "score F F --plot P": 0,
    "errors F F": 0,
    "items F F": 0,
    "show 1 F F": 0,
    "ingest D F --as gold": 0,
    "ingest D F --as gold --replace": 0,
    "store list D": 0,
    "score D --gold gold --system gold": 0,
    "errors D --gold gold --system gold": 0,
    "query D select+count(*)+from+v_graphs": 0,
    "store migrate D": 0,
    "analyze D --collection gold": 0,
    "store remove D gold": 0,
    "analyze F --json": 0,
    "analyze F F --by collection --csv": 0,
    "validate F --json": 0,
    "validate N": 3,
    "convert F O": 0,
    "rules check F": 3,
    "rules diff F default F F": 3,
    "demo --store E": 0,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_may_be_any_bytes(
    run: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    if name == NAMES["bytes"]:
        lines = LINES
    else:
        few = ("score F F --save", "errors D", "ingest D", "query", "convert", "valid")
        lines = {line: code for line, code in LINES.items() if line.startswith(few)}
    Path(name).write_text(record("1"))
    stem = name.removesuffix(".mrp")
    names = {"F": name, "O": f"{stem}.amr", "P": f"{stem}.svg", "D": f"{stem}.db"}
    names |= {"E": f"{stem}.e.db", "N": f"{stem}.nothing.mrp"}
    if name.startswith("-"):
        names = {key: f"./{value}" for key, value in names.items()}
    for line, code in lines.items():
        words = (names.get(word, word.replace("+", " ")) for word in line.split())
        if "--plot" in line and not has_plots():
            continue
        found = run(*words)
        assert found.code == code, (line, found.err)
        for said in (found.out, found.err):
            assert "Traceback" not in said
            assert not {*said} & {BYTES, "\x1b"}, line
            said.encode()


def has_plots() -> bool:
    """Whether what draws is installed."""
    try:
        import altair  # noqa: F401
        import vl_convert  # type: ignore[import-untyped] # noqa: F401
    except ImportError:
        return False
    return True


def test_a_file_of_a_strange_name_is_found_again(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (f"g{BYTES}.mrp", "s\n.mrp"):
        Path(name).write_text(record("1"))
    arguments = ("score", f"g{BYTES}.mrp", "s\n.mrp", "--save", f"{BYTES}.db", "--json")
    first, again = run(*arguments), run(*arguments)
    assert first.code == again.code == 0
    names = run("query", f"{BYTES}.db", "select name from collection order by name")
    assert [row["name"] for row in names.json] == ["g\\xff", "s\\n"]
    assert (first.json["reused"], again.json["reused"]) == (0, 1)
    Path(f"g{BYTES}.mrp").write_text(record("2"))
    found = run("ingest", f"{BYTES}.db", f"g{BYTES}.mrp", "--as", "g\\xff", "--replace")
    assert (found.code, found.json[0]["removed"]) == (0, 1)


@pytest.mark.parametrize("name", [*SAMPLES])
def test_every_format_is_read_from_a_file_of_any_name(
    name: str, tmp_path: Path
) -> None:
    chosen = formats()[name]
    for sample in SAMPLES[name]:
        path = tmp_path / f"{BYTES}{Path(sample.name).name}"
        path.write_bytes(sample.data)
        for other in chosen.beside(sample.name) if chosen.beside else ():
            shutil.copy(other, tmp_path / f"{BYTES}{Path(other).name}")
        found = [*read_file(str(path), ReaderOptions(name))]
        assert found
        for each in found:
            assert isinstance(each, ReadGraph)
            for text in (each.graph.id, each.graph.document):
                text.encode()


@pytest.mark.parametrize(
    "line",
    [
        "validate X",
        "score X X",
        "ingest a.db X --as a",
        "ingest X a.mrp --as a",
        "score a.mrp a.mrp --save X",
        "score a.mrp a.mrp --text X",
        "score a.mrp a.mrp --inventory X",
        "score a.mrp a.mrp --document-map X",
        "score a.mrp a.mrp --plot X",
        "convert a.mrp X --to mrp",
        "convert X b.mrp",
        "analyze X",
        "store list X",
        "query X select",
        "store migrate X",
        "rules check X",
        "demo --store X",
        "show 1 X X",
    ],
)
def test_names_that_no_file_can_have(
    run: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mrp").write_text(record("1"))
    Path("folder").mkdir()
    for name in ("x" * 5000, "x/" * 3000, "a.mrp/b", "folder", "nowhere/b.mrp"):
        found = run(*(name if word == "X" else word for word in line.split()))
        # Files are converted into folders, and texts beside files stand in them.
        folders = line.startswith("convert a.mrp X") or "--text" in line
        fine = name == "folder" and folders
        assert found.code in ((0,) if fine else (2, 3)), found.err
        shutil.rmtree("folder")
        Path("folder").mkdir()


def test_as_long_a_name_as_there_can_be_is_written(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mrp").write_text(record("1"))
    for name in ("x" * 251 + ".amr", "é" * 125 + ".amr"):
        found = run("convert", "a.mrp", name)
        assert found.code == 0, found.err
    assert len(os.listdir(".")) == 3


def test_a_path_may_begin_with_two_slashes(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    (tmp_path / "a.mrp").write_text(record("1"))
    folder = f"/{tmp_path}"
    assert run("ingest", f"{folder}/a.db", f"{folder}/a.mrp", "--as", "a").code == 0
    found = run("query", f"{folder}/a.db", "select count(*) as n from v_graphs")
    assert found.json == [{"n": 1}]
    [held] = run("store", "list", f"sqlite:///{folder}/a.db").json
    assert held["graphs"] == 1
    assert run("convert", f"{folder}/a.mrp", f"{folder}/b.amr").code == 0
    assert run("score", f"{folder}/a.mrp", f"{folder}/b.amr").code == 0


def test_a_name_is_shown_in_one_line() -> None:
    assert shown(f"a{BYTES}\r\n\x07.mrp") == "a\\xff\\r\\n\\x07.mrp"
    assert shown("é ü.mrp") == "é ü.mrp"


@pytest.mark.parametrize("text", [BYTES, "\ud83d"])
def test_a_store_says_what_is_no_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.mrp"
    path.write_text(record("1"))
    with Store(str(tmp_path / "a.db"), mode="create") as store:
        store.ingest(str(path), "gold")
        for ask in (
            lambda: store.ingest(str(path), text),
            lambda: store.score(text, "gold"),
            lambda: store.score("gold", text),
            lambda: [*store.graphs(text)],
            lambda: store.remove(text),
        ):
            with pytest.raises(GraphscoreError) as raised:
                ask()
            str(raised.value).encode()
        assert [each.name for each in store.collections()] == ["gold"]


def test_a_name_with_a_nul_makes_no_file_of_another_name(tmp_path: Path) -> None:
    with pytest.raises(GraphscoreError, match="NUL"):
        Store(f"{tmp_path}/a\0b", mode="create")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_a_collection_has_a_name_that_can_be_asked_for(
    tmp_path: Path, name: str
) -> None:
    with (
        Store(str(tmp_path / "runs.db"), mode="create") as store,
        pytest.raises(UsageError, match="found collection"),
    ):
        store.add([Graph("1", "dm", 0)], name)
