"""What pruning gives back on a server."""

from __future__ import annotations

from graphscore.store.opening import open_store
from graphscore.store.pruning import Choice, prune
from tests.store.conftest import bark, put, read, rows, score


def test_pruning_gives_space_to_the_tables(url: str) -> None:
    with open_store(url, create=True) as database:
        put(database, read(*(bark(str(n), f"v{n}") for n in range(300))))
        put(database, read(*(bark(str(n)) for n in range(300))), "peking", "b")
        score(database)
        gone = prune(database, {"mrp": 2}.get, Choice(collections=True))
        assert gone[:3] == (1, 300, 900)
        assert gone.bytes is not None
        assert gone.bytes > 0
        assert prune(database, {}.get, Choice(collections=True)).graphs == 600
        dead = "select n_dead_tup from pg_stat_user_tables where relname = 'node'"
        assert rows(database, dead) in ([(0,)], [])
