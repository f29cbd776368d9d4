"""What is shown of a URL; and a server without its driver."""

from __future__ import annotations

import re
import sys

import pytest
from click.testing import CliRunner

from graphscore.cli.main import COMMANDS, cli
from graphscore.exceptions import StoreError
from graphscore.store.opening import open_store
from graphscore.store.passwords import hidden, hidden_in, without_secrets

URLS = {
    "runs.db": "runs.db",
    "sqlite:////tmp/a:b@c.db": "sqlite:////tmp/a:b@c.db",
    "postgresql://host/runs": "postgresql://host/runs",
    "postgresql://me@host/runs": "postgresql://me@host/runs",
    "postgresql://me:pw@host:5/runs": "postgresql://me:***@host:5/runs",
    "POSTGRES://me:p%40w@host/runs": "POSTGRES://me:***@host/runs",
    "postgresql://me:p@w/x@host/runs": "postgresql://me:***@host/runs",
    "postgresql://me:p w?x@host/runs": "postgresql://me:***@host/runs",
    "postgresql://:pw@/runs?host=/tmp": "postgresql://:***@/runs?host=/tmp",
    "postgresql://me:pw@h/r?password=p@w&user=x": (
        "postgresql://me:***@h/r?password=***&user=x"
    ),
    "postgresql:///r?%70assword=a&ssl%50assword=b&passfile=/c&sslmode=require": (
        "postgresql:///r?%70assword=***&ssl%50assword=***&passfile=***&sslmode=require"
    ),
    "mysql+x://me:pw@h/r?application_name=a@b": (
        "mysql+x://me:***@h/r?application_name=a@b"
    ),
    # As somebody types or pastes it.
    "postgresql:// me:pw@host/runs": "postgresql:// me:***@host/runs",
    "postgresql://\t\xa0me:pw@host/runs": "postgresql://\t\xa0me:***@host/runs",
    "postgresql:/ /me:pw@host/runs": "postgresql:/ /me:***@host/runs",
    "postgresql: //me:pw@host/runs": "postgresql: //me:***@host/runs",
    "mysql :/\u200b/me:pw@host/runs": "mysql :/\u200b/me:***@host/runs",
    "postgresql://m e:pw@host/runs": "postgresql://m e:***@host/runs",
    "postgresql:/me:pw@host/runs": "postgresql:/me:***@host/runs",
    "postgres:me:pw@host/runs": "postgres:me:***@host/runs",
    "postgresql//me:pw@host/runs": "postgresql//me:***@host/runs",
    "postgresql/a:b@c.db": "postgresql/a:b@c.db",
}


@pytest.mark.parametrize("url", URLS)
def test_what_is_shown(url: str) -> None:
    assert hidden(url) == URLS[url]
    assert hidden(hidden(url)) == hidden(url)
    assert hidden_in(f"no file '{url}', or not") == f"no file '{URLS[url]}', or not"


HASTY = [
    *(f"postgresql:{gap}me:pw@host/db" for gap in ("// ", "//\t", "/ /", " //", "/")),
    "postgresql://\u200bme:pw@host/db",
    "postgres ://me:pw@host/db",
]
"""Addresses with what does not belong there."""


@pytest.mark.parametrize("url", HASTY)
def test_no_verb_says_the_password_of_a_hasty_address(url: str) -> None:
    files = ["data/gold.mrp", "data/birch.mrp"]
    verbs: dict[str, list[str]] = {verb: [url] for verb in COMMANDS}
    verbs |= {verb: [url, *files] for verb in ("score", "errors", "items", "compare")}
    verbs["query"] = [url, "select 1"]
    verbs["store"] = ["list", url]
    verbs["show"] = ["sample-01", url, *files]
    verbs["find"] = [url, "pattern { A [] }"]
    verbs["ingest"] = [url, "--as", "a", *files]
    verbs["convert"] = [files[0], url]
    if url != HASTY[0]:
        # Others differ in how they look, not in who says them.
        verbs = {verb: verbs[verb] for verb in ("score", "store", "ingest")}
    more = [["score", *files, option, url] for option in ("--save", "-m", "--by")]
    for arguments in [*([verb, *rest] for verb, rest in verbs.items()), *more]:
        found = CliRunner().invoke(cli, arguments)
        assert found.exit_code, arguments
        assert not re.search("pw ?@", found.output), (arguments, found.output)


def test_what_is_no_address_stays() -> None:
    said = "sdp: found a:b@c, expected //; see postgresql: it says 'me: at me@host'"
    assert hidden_in(said) == said


def test_a_port_begins_no_password() -> None:
    said = "postgresql://host:5432/runs: no role me; ask a@b"
    assert hidden_in(said) == said


@pytest.mark.parametrize("shape", [[], ["--jsonl"], ["--table"]])
@pytest.mark.parametrize("url", [each for each in URLS if "pw" in each])
def test_a_url_in_place_of_a_file(url: str, shape: list[str]) -> None:
    found = CliRunner().invoke(cli, ["validate", url, *shape])
    assert found.exit_code == 3
    assert "***" in found.output
    assert "pw" not in found.output


def test_what_others_say() -> None:
    url = "postgresql://me:s3@cr%20et@host/runs?sslpassword=q%2Fr"
    said = "host 's3' or 'cr et' or cr%20et@host; q/r; is3"
    assert without_secrets(said, url) == ("host '***' or '***' or ***@host; ***; is3")


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError) as raised:
        open_store("postgresql://me:secret@host/runs")
    said = str(raised.value)
    assert said.startswith("postgresql://me:***@host/runs: the driver")
    assert "pip install 'graphscore[postgres]'" in said


@pytest.mark.parametrize("url", ["mysql://me:pw@host/x", "postgresql+asyncpg://h/x"])
def test_other_databases_and_drivers_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match=r"SQLite or in PostgreSQL|through psycopg"):
        open_store(url)
