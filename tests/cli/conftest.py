import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data"
GOLD = str(DATA / "gold.mrp")
ALDER = str(DATA / "alder.mrp")
BIRCH = str(DATA / "birch.mrp")


class Ran:
    """What a run of the command line left behind."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(scope="session")
def run():
    """Runs the command line in this process."""

    def call(*args, stdin=None):
        from graphscore.cli.main import cli

        found = CliRunner().invoke(cli, [str(arg) for arg in args], input=stdin)
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        return Ran(found.exit_code, found.stdout, found.stderr)

    return call


@pytest.fixture
def start():
    """Runs the command line, or Python, in a process of its own."""

    def call(*args, stdin=None, python=False, cwd=None, **environment):
        head = [sys.executable] if python else [sys.executable, "-m", "graphscore"]
        found = subprocess.run(
            [*head, *map(str, args)],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )
        return Ran(found.returncode, found.stdout, found.stderr)

    return call


@pytest.fixture(scope="session")
def ingested(tmp_path_factory, run):
    """A store with the sample in it, made once; tests take a copy."""
    path = tmp_path_factory.mktemp("ingested") / "runs.db"
    for name, file in (("gold", GOLD), ("alder", ALDER), ("birch", BIRCH)):
        assert run("ingest", path, file, "--as", name).code == 0
    return path


@pytest.fixture
def store(tmp_path, ingested):
    """A store of one's own with the sample in it."""
    return Path(shutil.copy(ingested, tmp_path / "runs.db"))


def record(item="1", framework="amr", **more):
    """An MRP record as a line."""
    whole = {
        "id": item,
        "flavor": 2,
        "framework": framework,
        "version": 1.0,
        "time": "2026-01-01",
        "input": "Dogs bark",
        "tops": [0],
        "nodes": [{"id": 0, "label": "bark-01"}, {"id": 1, "label": "dog"}],
        "edges": [{"source": 0, "target": 1, "label": "ARG0"}],
    }
    return json.dumps(whole | more) + "\n"


def hard(item, nodes, shift):
    """A graph of equal nodes in a ring with chords: nothing tells them apart."""
    edges = [
        {"source": n, "target": (n + step) % nodes, "label": "x"}
        for n in range(nodes)
        for step in (1, shift)
    ]
    labels = [{"id": n, "label": "a"} for n in range(nodes)]
    return record(item, nodes=labels, edges=edges, tops=[0])
