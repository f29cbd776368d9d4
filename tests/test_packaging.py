"""What is built is whole, and works on its own: elsewhere, without network."""

from __future__ import annotations

import email
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT

ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
"""Nothing of the checkout may be found by way of the environment."""

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

STEM = f"graphscore-{PROJECT['version']}"

OFFLINE = """
import socket

def refused(*_):
    raise OSError("tests of what is built have no network")

socket.socket.connect = socket.getaddrinfo = refused
"""


def cut_off(packages: Path) -> None:
    """Let an environment have no network.

    Some systems have a ``sitecustomize`` of their own, which goes before any other.

    Args:
        packages: its folder of packages.
    """
    (packages / "without_network.py").write_text(OFFLINE)
    (packages / "without_network.pth").write_text("import without_network\n")


@dataclass(frozen=True)
class Built:
    """Both distributions; the wheel is made of what the source distribution has."""

    wheel: Path
    sources: Path

    def in_wheel(self) -> set[str]:
        with zipfile.ZipFile(self.wheel) as archive:
            return set(archive.namelist())

    def in_sources(self) -> set[str]:
        with tarfile.open(self.sources) as archive:
            names = {each.name for each in archive if each.isfile()}
        return {name.removeprefix(f"{STEM}/") for name in names}

    def text(self, name: str) -> str:
        """Of a file in the wheel."""
        with zipfile.ZipFile(self.wheel) as archive:
            return archive.read(name).decode()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("built")
    subprocess.run(
        [
            *[sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)],
            str(ROOT),
        ],
        check=True,
        capture_output=True,
    )
    names = {path.name for path in folder.iterdir()}
    assert names == {f"{STEM}.tar.gz", f"{STEM}-py3-none-any.whl"}
    return Built(folder / f"{STEM}-py3-none-any.whl", folder / f"{STEM}.tar.gz")


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts folder of an environment that holds nothing but the wheel.

    The dependencies are borrowed from this environment, so that the test needs
    no network, and there is none; graphscore itself can only come from the wheel.
    """
    folder = tmp_path_factory.mktemp("wheel")
    home = folder / "environment"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    [packages] = (home / "lib").glob("python*/site-packages")
    subprocess.run(
        [
            *[sys.executable, "-m", "pip", "--python", str(python), "install"],
            *["--no-deps", "--no-index", "--quiet", "--disable-pip-version-check"],
            str(built.wheel),
        ],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    # Paths added by a .pth file have their own .pth files ignored: an editable
    # install of the checkout cannot leak in.
    borrowed = sysconfig.get_paths()["purelib"]
    (packages / "borrowed.pth").write_text(borrowed + "\n")
    cut_off(packages)
    asking = (
        "import graphscore, socket; print(graphscore.__file__)\n"
        "try: socket.create_connection(('127.0.0.1', 9))\n"
        "except OSError as error: print(error)"
    )
    found = subprocess.run(
        [str(python), "-c", asking],
        check=True,
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT,
    )
    place, network = found.stdout.splitlines()
    assert place.startswith(str(home))
    assert network == "tests of what is built have no network"
    return home / "bin"


def files(folder: str) -> set[str]:
    """Of a folder of the checkout, but for what Python and people leave there."""
    paths = (path for path in (ROOT / folder).rglob("*") if path.is_file())
    return {
        str(path.relative_to(ROOT))
        for path in paths
        if path.suffix not in (".pyc", ".db") and "__pycache__" not in path.parts
    }


def test_the_wheel_has_the_package_its_migrations_and_data_and_nothing_else(
    built: Built,
) -> None:
    wanted = files("graphscore")
    for folder in ("migrations", "data"):
        wanted |= {
            name.replace(folder, f"graphscore/_{folder}", 1) for name in files(folder)
        }
    info = f"{STEM}.dist-info"
    notices = {f"{info}/licenses/{name}" for name in PROJECT["license-files"]}
    about = {f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL")}
    assert built.in_wheel() == wanted | notices | about | {f"{info}/entry_points.txt"}


def test_the_sources_have_all_that_tests_and_pages_need(built: Built) -> None:
    found = built.in_sources()
    for folder in ("graphscore", "migrations", "data", "tests", "benchmarks"):
        assert files(folder) <= found, folder
    for name in ("README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "SECURITY.md"):
        assert name in found
    workflows = {f".github/workflows/{name}.yml" for name in ("ci", "search")}
    assert {".ci/run", "action.yml", *workflows} <= found
    strange = re.compile(r"(^|/)(\.\w+_cache|__pycache__|\.venv|_build|\.git)/|\.pyc$")
    assert not [name for name in found if strange.search(name)]


def test_what_is_of_others_has_its_licence_beside_it(built: Built) -> None:
    metadata = email.message_from_string(built.text(f"{STEM}.dist-info/METADATA"))
    assert metadata["License-Expression"] == "MIT AND 0BSD"
    assert metadata.get_all("License-File") == PROJECT["license-files"]
    minified = [name for name in built.in_wheel() if ".min." in name]
    assert minified == ["graphscore/explorer/static/htmx.min.js"]
    notice = built.text(f"{STEM}.dist-info/licenses/{PROJECT['license-files'][1]}")
    assert "Zero-Clause BSD" in notice
    digest = hashlib.sha256(built.text(minified[0]).encode()).hexdigest()
    assert f"sha256: {digest}" in notice


def test_the_metadata_are_what_the_project_says(built: Built) -> None:
    metadata = email.message_from_string(built.text(f"{STEM}.dist-info/METADATA"))
    assert metadata["Version"] == PROJECT["version"]
    assert metadata["Requires-Python"] == PROJECT["requires-python"]
    needed = [each for each in metadata.get_all("Requires-Dist", ()) if ";" not in each]
    assert sorted(needed) == sorted(PROJECT["dependencies"])
    assert set(metadata.get_all("Provides-Extra", ())) == set(
        PROJECT["optional-dependencies"]
    )
    entries = built.text(f"{STEM}.dist-info/entry_points.txt")
    assert "graphscore = graphscore.__main__:main" in entries
    assert "graphscore = graphscore.adapters.pytest" in entries


def run(scripts: Path, folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [str(scripts / "graphscore"), *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_demo_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    shown = run(installed, tmp_path, "demo")
    assert "alder" in shown
    assert "birch" in shown
    assert "spurious: a tuple" in shown
    [store] = tmp_path.glob("*.db")
    assert store.name == "graphscore-demo.db"


def test_the_wheel_migrates_a_store(installed: Path, tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from graphscore.store.migration import upgrade;"
        "Path('runs.db').touch(); upgrade('runs.db')"
    )
    subprocess.run([str(installed / "python"), "-c", script], check=True, cwd=tmp_path)
    run(installed, tmp_path, "store", "migrate", "runs.db")
    assert json.loads(run(installed, tmp_path, "store", "list", "runs.db")) == []
    with sqlite3.connect(tmp_path / "runs.db") as connection:
        connection.execute("update alembic_version set version_num = 'r8'")
    connection.close()
    refused = subprocess.run(
        [str(installed / "graphscore"), "store", "list", "runs.db"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert refused.returncode == 3
    assert "made by another version of graphscore (revision r8" in refused.stderr


USER = """
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import graphscore
from graphscore import Budget, Graph, Node, Options, Result, Store
from graphscore import compare, parse, score
from graphscore.adapters.pytest import assert_score
from graphscore.formats import Rejected, read_file, write_graphs
from graphscore.metrics import FormulaMetric
from graphscore.similarity import anchors, exact, f1, label, match, nodes


@dataclass(frozen=True)
class Found(FormulaMetric):
    name = "found"
    title = "mentions of the right type"
    citation = "nobody, 2026"
    frameworks = frozenset({"ner"})
    tuple_types = ("found",)
    main = "found"

    def formulas(self) -> dict[str, graphscore.similarity.Formula]:
        return {"found": f1(match(nodes("mention"), exact(anchors, label)))}


def labels(path: str) -> Iterator[object]:
    for record in read_file(path):
        if isinstance(record, Rejected):
            print(record.problems)
        else:
            yield from (node.label for node in record.graph.nodes)


def main(gold: str, system: str) -> float | None:
    result: Result = score(gold, system, "mrp", options=Options(details=True))
    f1_score: float = result.f1
    proven: int = result.proven
    rows: list[dict[str, object]] = result.to_dicts()
    graph = Graph("1", "ner", 1, text="Rome", nodes=(Node(0, "LOC"),))
    assert_score([graph], [graph], Found(), at_least=1.0)
    data: bytes = b"".join(write_graphs([graph], "mrp"))
    with Store("runs.db", mode="create") as store:
        counts: list[int] = [each.rejected for each in store.ingest(gold, "gold")]
        names: list[str] = [each.name for each in store.collections()]
    outcome = parse("mrp").compare(
        (parse("mrp").prepare(graph),), (parse("mrp").prepare(graph),), budget=Budget()
    )
    comparison = compare(gold, system, system, metric="mrp", samples=10)
    print(f1_score, proven, rows, data, counts, names, outcome.proven, comparison)
    return f1_score


wrong: int = score("a", "b", "mrp").f1
Graph(1, "ner")
"""


def test_programs_of_users_are_checked_strictly(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "program.py").write_text(USER)
    done = subprocess.run(
        [
            *[sys.executable, "-m", "mypy", "--strict", "--no-error-summary"],
            f"--cache-dir={os.devnull}",
            *["--python-executable", str(installed / "python"), "program.py"],
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    # What is right passes; the last two lines show that the types are seen.
    assert [line.partition(": error: ")[2] for line in done.stdout.splitlines()] == [
        'Incompatible types in assignment (expression has type "float", variable has'
        ' type "int")  [assignment]',
        'Argument 1 to "Graph" has incompatible type "int"; expected "str"  [arg-type]',
    ], done.stdout
