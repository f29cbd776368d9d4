"""The built wheel works on its own: in an empty environment, from another folder."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.conftest import ROOT

ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
"""Nothing of the checkout may be found by way of the environment."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts folder of an environment that holds nothing but the wheel.

    The dependencies are borrowed from this environment, so that the test needs
    no network; graphscore itself can only come from the wheel.
    """
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
    subprocess.run(
        [*build, "--outdir", str(folder), str(ROOT)], check=True, capture_output=True
    )
    [wheel] = folder.glob("*.whl")
    home = folder / "environment"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    [packages] = (home / "lib").glob("python*/site-packages")
    subprocess.run(
        [
            *[sys.executable, "-m", "pip", "--python", str(python), "install"],
            *["--no-deps", "--quiet", "--disable-pip-version-check", str(wheel)],
        ],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    # Paths added by a .pth file have their own .pth files ignored: an editable
    # install of the checkout cannot leak in.
    borrowed = sysconfig.get_paths()["purelib"]
    (packages / "borrowed.pth").write_text(borrowed + "\n")
    found = subprocess.run(
        [str(python), "-c", "import graphscore; print(graphscore.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT,
    )
    assert found.stdout.startswith(str(home))
    return home / "bin"


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
    assert "select" in shown
    [store] = tmp_path.glob("*.db")
    assert store.name == "graphscore-demo.db"


def test_the_wheel_migrates_a_store(installed: Path, tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from graphscore.store.migration import upgrade;"
        "Path('runs.db').touch(); upgrade('runs.db')"
    )
    subprocess.run([str(installed / "python"), "-c", script], check=True, cwd=tmp_path)
    run(installed, tmp_path, "migrate", "runs.db")
    assert json.loads(run(installed, tmp_path, "collections", "runs.db")) == []
    with sqlite3.connect(tmp_path / "runs.db") as connection:
        connection.execute("update alembic_version set version_num = '0005'")
    connection.close()
    refused = subprocess.run(
        [str(installed / "graphscore"), "collections", "runs.db"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert refused.returncode == 3
    assert "made before the first release, ingest again" in refused.stderr


def test_the_wheel_is_typed_and_carries_migrations_and_data(installed: Path) -> None:
    [package] = installed.parent.glob("lib/python*/site-packages/graphscore")
    assert (package / "py.typed").exists()
    assert (package / "_migrations" / "env.py").exists()
    assert (package / "_data" / "gold.mrp").exists()
    assert (package / "rules" / "default.toml").exists()
