"""Where the data is, and small graphs that many tests build on."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Machines that run the tests are shared: how long an example takes says nothing.
settings.register_profile(
    "graphscore",
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("graphscore")

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
