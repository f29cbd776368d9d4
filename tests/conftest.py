"""Where the data is, and small graphs that many tests build on."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from tests import bytecode, profiles
from tests.databases import DATABASES, Stores, running_server

bytecode.keep()
bytecode.without_rewriting()
profiles.register()

# A shell has what it starts in the background ignore interrupts; tests send them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
DATA = ROOT / "data"
CONFORMANCE = ROOT.parent / "shared" / "conformance"


def metric_page(name: str) -> str:
    """The page of a metric, in the folder of its family."""
    [page] = (ROOT / "docs" / "metrics").rglob(f"{name}.md")
    return page.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def conformance() -> Path:
    """The folder with real data and the reference scorers' answers."""
    if not CONFORMANCE.is_dir():
        pytest.skip("the conformance data is not beside this checkout")
    return CONFORMANCE


@pytest.fixture(scope="session")
def sample() -> Path:
    """The bundled sample corpus."""
    return DATA


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database",
        choices=DATABASES,
        default=DATABASES[0],
        help="the database that tests of stores use",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--hypothesis-profile") != profiles.SEARCH:
        profiles.without_local_constants()


def pytest_collection_finish() -> None:
    """Leave what was collected to itself: the garbage collector need not walk it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    if config.getoption("--hypothesis-profile") == profiles.SEARCH:
        profiles.widen(getattr(each, "obj", None) for each in items)
    if config.getoption("--database") == "sqlite":
        return
    for item in items:
        marker = item.get_closest_marker("sqlite")
        if marker is not None:
            [why] = marker.args
            item.add_marker(pytest.mark.skip(reason=f"SQLite's alone: {why}"))


@pytest.fixture(scope="session")
def server() -> Iterator[URL]:
    """The URL of the first database of a PostgreSQL server."""
    with running_server() as url:
        yield url


@pytest.fixture(scope="session")
def stores(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Stores:
    """Places for stores in the database that is tested."""
    chosen = request.config.getoption("--database")
    server = request.getfixturevalue("server") if chosen == "postgresql" else None
    return Stores(server, tmp_path_factory.mktemp("stores"))


@pytest.fixture
def runs(stores: Stores, tmp_path: Path) -> Iterator[Any]:
    """The place for a store: the path of a file that is not there, or a URL."""
    place = stores.new(tmp_path)
    yield place
    stores.drop(place)
