"""Every verb that has ``--csv`` prints Markdown and LaTeX, and writes a summary."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from graphscore.cli.main import COMMANDS, cli
from graphscore.cli.output import SUMMARY
from tests.markup.latex import tabulars
from tests.markup.markdown import read

DATA = Path(__file__).parents[2] / "data"
GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))

NER = (
    '{"id": "d1", "text": "Rome fell", "entities": [{"start": 0, "end": 4, '
    '"type": "LOC"}]}\n'
)

CALLS: dict[str, tuple[str, ...]] = {
    "score": (GOLD, ALDER, BIRCH, "-m", "mrp"),
    "compare": (GOLD, ALDER, BIRCH, "-m", "mrp", "--samples", "20"),
    "agree": ("g.jsonl", "s.jsonl", "-m", "ner", "--samples", "2", "--chance", "2"),
    "ingest": ("new.db", GOLD, "--as", "gold"),
    "errors": ("runs.db", "--gold", "gold", "--system", "birch", "-m", "mrp", "--sql"),
    "find": ("runs.db", "pattern { missing(X -> Y) }", "--by", "X.label", "--sql"),
    "whatif": ("runs.db", "--gold", "gold", "--system", "birch", "-m", "mrp"),
    "items": ("runs.db", "--gold", "gold", "--system", "birch", "-m", "mrp", "--sql"),
    "show": ("sample-02", GOLD, BIRCH, "--framework", "amr", "-m", "mrp"),
    "query": ("runs.db", "select '|' as a, 0.5 as b, null as c"),
    "store list": ("runs.db",),
    "store remove": ("spare.db", "gold"),
    "store export": ("runs.db", "exported"),
    "store migrate": ("runs.db",),
    "metrics": ("edm",),
    "rules check": ("default",),
    "rules show": (),
    "rules trace": ("default", "g.jsonl", "s.jsonl"),
    "rules diff": ("default", "default", "g.jsonl", "s.jsonl"),
    "formats": (),
    "validate": (GOLD,),
    "analyze": (GOLD,),
    "demo": ("--store", "demo.db"),
}
"""What each verb is tried with, in a folder of its own."""


def verbs() -> dict[str, click.Command]:
    """Every verb, and the verbs below a verb."""
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        if isinstance(command, click.Group):
            below = command.commands.items()
            found |= {f"{name} {inner}": each for inner, each in below}
        elif command is not None:
            found[name] = command
    return found


def options(command: click.Command) -> set[str]:
    """The options of a verb."""
    return {name for each in command.params for name in each.opts}


def test_all_verbs_that_print_tables_are_tried_here() -> None:
    of = {name: options(each) for name, each in verbs().items()}
    assert {name for name, each in of.items() if "--csv" in each} == {*CALLS}
    for name in CALLS:
        assert of[name] >= {"--markdown", "--latex", "--summary"}, name


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the verbs read."""
    folder = tmp_path_factory.mktemp("home")
    for name, file in (("gold", GOLD), ("birch", BIRCH)):
        call(folder, "ingest", "runs.db", file, "--as", name)
    call(folder, "score", "runs.db", "--gold", "gold", "--system", "birch", "-m", "mrp")
    call(folder, "ingest", "spare.db", GOLD, "--as", "gold")
    for name in ("g", "s"):
        (folder / f"{name}.jsonl").write_text(NER, encoding="utf-8")
    return folder


def call(folder: Path, *args: str, code: int | None = 0) -> str:
    """What a run of the command line prints, in a folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        found = CliRunner().invoke(cli, [*args])
    finally:
        os.chdir(before)
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert code is None or found.exit_code == code, found.stderr
    return found.stdout


@pytest.mark.parametrize("verb", CALLS)
def test_a_verb_prints_what_its_table_says(
    verb: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Markdown and LaTeX, and Markdown again in a summary beside JSON."""
    for module in ("pyarrow", "adbc_driver_sqlite") if verb == "store export" else ():
        pytest.importorskip(module, reason="the extra frames is not installed")
    summary = tmp_path / "summary.md"
    monkeypatch.setenv(SUMMARY, str(summary))

    def ran(*more: str) -> str:
        """What is printed in a copy of the folder, which the verb may change."""
        folder = Path(shutil.copytree(home, tmp_path / "copy"))
        try:
            return call(folder, *verb.split(), *CALLS[verb], *more)
        finally:
            shutil.rmtree(folder)

    markdown, latex, plain = ran("--markdown"), ran("--latex"), ran("--table")
    ran("--json", "--summary")
    appended = summary.read_text(encoding="utf-8")
    assert re.sub("\n{3,}", "\n\n", appended) == markdown
    page, floats = read(markdown), tabulars(latex)
    assert page.tables or page.lines
    assert [len(each) for each in floats] == [len(each) for each in page.tables]
    heads = {cell for table in page.tables for cell in table[0]}
    numbers = {cell for table in page.tables for row in table for cell in row} - heads
    for number in numbers:
        if re.fullmatch(r"-?\d+(\.\d+)?", number):
            assert re.search(rf"(?<![\w.]){number}(?![\w.])", plain), number
            assert re.search(rf"(?<![\w.]){number}(?![\w.])", latex), number
    if verb in ("score", "compare", "agree", "whatif"):
        assert page.lines[-1].startswith("metric:")
        assert latex.count(r"\texttt{metric:") == len(floats)
    for bold in page.bold:
        if re.fullmatch(r"-?\d+(\.\d+)?", bold):
            assert f"*{bold}" in plain or verb == "compare", bold
            assert rf"\textbf{{{bold}}}" in latex
