"""Strange arguments for every option of every command.

``python -m campaigns.arguments --seed 1 --cases 500``, or ``--seconds 60``.  A command
is called in this process as it should be, but for one to three values made up at
random. It ends with one of the exit codes 0 to 4, and says why in words where it is 2
or 3.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import click
from click.testing import CliRunner

from campaigns.findings import Findings, UnclearError, asked
from campaigns.mutation import NUMBERS, mutated
from graphscore.cli.main import COMMANDS, cli
from graphscore.evaluation.store import Store
from graphscore.formats.registry import formats
from graphscore.metrics.registry import homes, metric_named
from graphscore.model.frameworks import FRAMEWORKS
from tests.conftest import DATA

FILES = {
    "gold.mrp": b"".join((DATA / "gold.mrp").read_bytes().splitlines(True)[:6]),
    "system.mrp": b"".join((DATA / "alder.mrp").read_bytes().splitlines(True)[:6]),
    "news.iob2": (DATA / "ie/news.iob2").read_bytes(),
    "news.jsonl": (DATA / "ie/news.jsonl").read_bytes(),
    "wire.json": (DATA / "ie/wire.json").read_bytes(),
    "other.json": (DATA / "ie/wire.predicted.json").read_bytes(),
    "market.conllu": (DATA / "srl/market.conllu").read_bytes(),
    "rules.toml": b"extends = 'default'\n",
    "map.tsv": b"sample-01\tdoc1\nsample-02\tdoc2\n",
    "text.tsv": b"sample-01\tDogs bark.\n",
    "words.txt": b"of\nthe\n",
    "pairs.tsv": b"PER\tORG\t0.5\n",
    "inventory.toml": b'entities = ["pers"]\ncomponents = ["name"]\n',
    "empty": b"",
    "bytes": bytes(range(256)),
    "deep.toml": b"a = " + b"[" * 3_000,
    "line": b"x" * 70_000,
    "named.py": b"open('ran', 'w').close()\n",
}
"""What is there to be named."""

WAITS = "waits.fifo"
"""What is there, and makes whoever opens it wait; no argument names it."""

NAMED = {
    "named.db": "named.py:metric",
    "waits.db": f"rules:{WAITS}",
    "input.db": "rules:/dev/stdin",
}
"""Stores, and the metric that each names."""

MANY = "select a.*, zeroblob(40000) as x from v_tuples a, v_tuples b, v_tuples c"

BASES: tuple[tuple[str, ...], ...] = (
    ("score", "gold.mrp", "system.mrp"),
    ("score", "gold.mrp", "system.mrp", "gold.mrp"),
    ("score", "gold.mrp", "system.mrp", "--ci", "--samples", "20"),
    ("score", "wire.json", "other.json"),
    ("score", "news.iob2", "news.iob2"),
    ("score", "market.conllu", "market.conllu"),
    ("score", "store.db", "--gold", "gold", "--system", "system"),
    ("compare", "gold.mrp", "system.mrp", "gold.mrp"),
    ("compare", "store.db", "--gold", "gold", "--system", "system", "--system", "gold"),
    ("agree", "gold.mrp", "system.mrp", "--samples", "20", "--chance", "5"),
    ("agree", "store.db", "gold", "system", "--samples", "20", "--chance", "5"),
    ("ingest", "store.db", "news.iob2", "--as", "third"),
    ("ingest", "new.db", "gold.mrp", "--as", "gold"),
    ("errors", "gold.mrp", "system.mrp"),
    ("errors", "store.db", "--system", "system"),
    ("items", "gold.mrp", "system.mrp"),
    ("items", "store.db", "--gold", "gold", "--system", "system"),
    ("show", "sample-01", "gold.mrp", "system.mrp"),
    ("show", "sample-01", "store.db", "--gold", "gold", "--system", "system"),
    ("report", "gold.mrp", "system.mrp", "--html", "out.html", "--samples", "20"),
    ("report", "wire.json", "other.json", "--html", "-", "--samples", "20"),
    ("report", "store.db", "--gold", "gold", "--markdown", "out.md", "--samples", "9"),
    ("query", "store.db", "select * from v_errors limit 3"),
    ("find", "named.db", "pattern { X []; missing(X) }"),
    ("errors", "named.db"),
    ("query", "store.db", "select hex(zeroblob(90000000)) from v_tuples", "--csv"),
    ("query", "store.db", MANY, "--bytes", "1000000"),
    ("find", "waits.db", "pattern { X []; missing(X) }"),
    ("items", "waits.db", "--gold", "gold", "--system", "system"),
    ("report", "waits.db", "--gold", "gold", "--html", "out.html", "--samples", "9"),
    ("find", "input.db", "pattern { X []; missing(X) }"),
    ("errors", "input.db"),
    ("store", "list", "named.db"),
    ("store", "list", "store.db"),
    ("store", "remove", "store.db", "system"),
    ("store", "migrate", "store.db"),
    ("metrics", "mrp"),
    ("rules", "check", "rules.toml"),
    ("rules", "show", "rules.toml"),
    ("rules", "trace", "rules.toml", "news.iob2", "news.iob2"),
    ("formats",),
    ("validate", "gold.mrp"),
    ("validate", "bytes", "news.iob2"),
    ("analyze", "gold.mrp"),
    ("analyze", "store.db", "--collection", "gold"),
    ("convert", "gold.mrp", "out.mrp"),
    ("convert", "news.iob2", "out", "--to", "mrp"),
)
"""Calls that are in order."""

STRANGE = (
    *("", " ", "\t", "\n", "a\nb", ",", ",,", "=", "a=b", "a=", "=b", "x=>y"),
    *("(=>\\1", "=>"),
    *("(", ")", "()", "mrp(", "mrp()", "mrp(order=)", "mrp(order=free", "*"),
    *("[", "?", "**"),
    *("%", "%s", "{0}", "'", '"', "'; drop table node; --", "\\", "\\1"),
    *("(?P<a", "(a+)+$"),
    *(".", "..", "./", "nowhere", "nowhere/there", "folder", "folder/", "-", "--", "~"),
    *("//", "//nowhere/a", "a:b", "file:a", "sqlite://", "sqlite:///"),
    *("http://", "x://y"),
    *("postgresql://nobody:secret@localhost:1/x", "mysql://a"),
    "sqlite:///nowhere/a.db",
    *("\u0661", "\u202e", "\u0130", "\ud7ff", "\U0001f642", "x" * 5_000, "a/" * 2_000),
    *("1:2:3", "0:1:0", "0:1:0.25", "1:0:1", "0:1e9:1e-9", "nan:1:1"),
    *("0:inf:1", "::", "1,2"),
    *("f1=nan", "f1=inf", "f1=0.5", "f1<0.5", "edges.f1=0.1", "amr=0.5"),
    *("all=x", "=0.5"),
    *("framework,framework", "kind,item", "nope", "framework,", "FRAMEWORK"),
    *("NaN", "Infinity", "-inf", "None", "null", "true", "[]", "{}"),
    *("\x1b[31m", "\x00"),
    *("module:name", "os:system", "os.path:join", "nowhere.py:x", "gold.mrp:x"),
    *(":", "::"),
    *("rules:", "rules:rules.toml", "rules:nowhere", "rules:bytes", "rules("),
    "json:loads",
    *("pas", "dm,eds", "sample-01", "wsj", "muc4", "(.*)=>\\2", "(.=>x"),
    *("\\p{L}=>", "a=>\\g<z>"),
)  # fmt: skip
"""Values that somebody may give by accident or with intent."""

NOT_TEXT = ("\udcff", "\udcff.mrp", "a\udc80b")
"""Arguments that are not UTF-8, as the operating system hands them on."""

RUNAWAY = frozenset({"--jobs", "--samples"})
"""Options of which a large value is work and no mistake."""


def specifications(chance: Random) -> str:
    """A metric with parameters that are right, nearly right or wrong."""
    name = chance.choice(sorted(homes()))
    metric = metric_named(name)
    given = []
    for parameter, (_, kind) in metric.parameters().items():
        if chance.random() < 0.4:
            value: Any = chance.choice(STRANGE)
            if isinstance(kind, tuple) and chance.random() < 0.6:
                value = chance.choice(kind)
            elif chance.random() < 0.5:
                value = chance.choice(NUMBERS).decode("utf-8", "replace")
            elif chance.random() < 0.5:
                value = chance.choice(sorted(FILES))
            given.append(f"{parameter}={value}")
    text = f"{name}({','.join(given)})" if given else name
    if chance.random() < 0.2:
        raw, _ = mutated(text.encode("utf-8", "replace"), chance, b"mrp(order=free)")
        text = raw.decode("utf-8", "replace")[:10_000]
    return text


def value_of(option: click.Parameter, chance: Random) -> str:
    """A value for an option or argument: strange, or one of another."""
    if option.opts[0] in RUNAWAY:
        return chance.choice(("0", "-1", "x", "", "1.5", "1e3", "\u0661", "1"))
    if option.opts[0] == "-m" and chance.random() < 0.7:
        return specifications(chance)
    match chance.randrange(8):
        case 0 | 1 | 2:
            return chance.choice(STRANGE)
        case 3:
            return chance.choice(NUMBERS).decode("utf-8", "replace")
        case 4:
            return chance.choice(sorted(FILES))
        case 5:
            pool = (*formats(), *FRAMEWORKS, *homes())
            return chance.choice(pool)
        case 6:
            raw, _ = mutated(chance.choice(STRANGE).encode(), chance, b"gold.mrp")
            return raw[:20_000].decode("utf-8", "surrogateescape")
        case _:
            return chance.choice(NOT_TEXT)


def _command(base: tuple[str, ...]) -> click.Command:
    context = click.Context(cli)
    found: Any = cli.get_command(context, base[0])
    if isinstance(found, click.Group):
        found = found.get_command(context, base[1])
    assert isinstance(found, click.Command)
    return found


def arguments(chance: Random) -> list[str]:
    """A call with one to three strange arguments."""
    base = chance.choice(BASES)
    command = _command(base)
    options = [each for each in command.params if isinstance(each, click.Option)]
    words = list(base)
    fixed = 2 if base[0] in ("rules", "store") else 1
    for _ in range(chance.choice((1, 1, 2, 3))):
        option = chance.choice(options)
        if chance.random() < 0.2 and len(words) > fixed:
            words[chance.randrange(fixed, len(words))] = value_of(option, chance)
        elif option.is_flag:
            words.append(chance.choice(option.opts))
        else:
            words += [chance.choice(option.opts), value_of(option, chance)]
    if chance.random() < 0.05:
        del words[chance.randrange(1, len(words)) if len(words) > 1 else 0]
    # A NUL cannot be part of an argument.
    return [each.replace("\0", "") for each in words]


@contextmanager
def workplace() -> Iterator[Path]:
    """A folder with the files and a store, where the process stands meanwhile."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        kept = Path(place, "kept")
        kept.mkdir()
        for name, data in FILES.items():
            (kept / name).write_bytes(data)
        (kept / "folder").mkdir()
        with Store(str(kept / "store.db"), mode="create") as store:
            store.ingest(str(kept / "gold.mrp"), "gold")
            store.ingest(str(kept / "system.mrp"), "system")
            store.score("gold", "system")
        # Nothing that a store names may run, or be opened.
        for name, metric in NAMED.items():
            shutil.copy(kept / "store.db", kept / name)
            with closing(sqlite3.connect(kept / name)) as connection:
                connection.execute("update evaluation set metric = ?", (metric,))
                connection.commit()
        try:
            yield Path(place)
        finally:
            os.chdir(before)


def fresh(place: Path) -> None:
    """Begin a case with untouched files."""
    os.chdir(place)
    shutil.rmtree(place / "work", ignore_errors=True)
    shutil.copytree(place / "kept", place / "work")
    os.mkfifo(place / "work" / WAITS)
    os.chdir(place / "work")


def call(words: list[str]) -> None:
    """Call the command line in this process.

    Args:
        words: the arguments.

    Raises:
        UnclearError: for an exit code that there is not, or one without a reason.
        Exception: whatever else it raises.
    """
    result = CliRunner().invoke(
        cli, words, input=b"some\tinput\n", catch_exceptions=True
    )
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        raise error
    if result.exit_code not in range(5):
        raise UnclearError(f"exit code {result.exit_code}: {result.stderr[-300:]}")
    if result.exit_code in (2, 3) and not (result.stderr + result.stdout).strip():
        raise UnclearError(f"exit code {result.exit_code} without a word")
    if Path("ran").exists() and not any("named.py" in word for word in words):
        raise UnclearError("what a store names was run")
    if "Traceback" in result.stderr:
        raise UnclearError(f"a traceback: {result.stderr[-300:]}")


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
) -> Findings:
    """A campaign; see :func:`campaigns.fuzz.run`."""
    findings = Findings(folder)
    end = None if seconds is None else monotonic() + seconds
    assert COMMANDS.keys() >= {base[0] for base in BASES}
    with workplace() as place:
        while cases is None or findings.cases < cases:
            if end is not None and monotonic() > end:
                break
            words = arguments(Random(f"{seed}/{findings.cases}"))
            fresh(place)
            error = findings.attempt(lambda given=words: call(given))  # type: ignore[misc]
            if error is not None:
                told = [w if len(w) < 200 else f"{w[:50]}...({len(w)})" for w in words]
                raw = "\n".join(words).encode("utf-8", "surrogateescape")
                about = f"seed {seed} case {findings.cases}: {told!r}"
                findings.note(error, about, raw)
            findings.cases += 1
    return findings


if __name__ == "__main__":
    asked(__doc__, run)
