"""Clusters on this machine, of which few are started."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def library() -> Any:
    return pytest.importorskip(
        "distributed", reason="dask.distributed is not installed ([dask])"
    )


@pytest.fixture(scope="session")
def processes(library: Any) -> Iterator[Any]:
    """Two workers in processes of their own, which are started again if they die."""
    with (
        library.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0"
        ) as cluster,
        library.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def eight(library: Any) -> Iterator[Any]:
    """Eight workers that take turns in this process."""
    with (
        library.LocalCluster(
            n_workers=8, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as cluster,
        library.Client(cluster) as client,
    ):
        yield client
