"""What is shown of a URL; and a server without its driver."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.errors import StoreError
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
}


@pytest.mark.parametrize("url", URLS)
def test_what_is_shown(url: str) -> None:
    assert hidden(url) == URLS[url]
    assert hidden(hidden(url)) == hidden(url)
    assert hidden_in(f"no file '{url}', or not") == f"no file '{URLS[url]}', or not"


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
