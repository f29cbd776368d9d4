"""Collections of a store, scored on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from os.path import exists
from typing import TYPE_CHECKING, Any

from graphscore.distributed.progress import Line, Progress
from graphscore.evaluation.messages import note_losses
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError
from graphscore.metrics.registry import parse_all
from graphscore.statistics.leaderboard import rank_systems
from graphscore.store.write.ingestion import collection_of

if TYPE_CHECKING:
    from distributed import Client


def score_stored(
    url: str,
    gold: Any,
    systems: Any,
    metrics: Any,
    options: Options,
    client: Client,
    progress: bool | Progress,
) -> Result | list[Any]:
    """Score as :func:`graphscore.distributed.score` does with ``store=``.

    Args:
        url: path or URL of the store.
        gold: name of a collection, or a file that becomes one.
        systems: likewise, or a list of several.
        metrics: as for files.
        options: likewise.
        client: of the cluster.
        progress: likewise.
    """
    several = isinstance(systems, list | tuple)
    listed = systems if several else [systems]
    requested, alone = parse_all(metrics)
    line = Line() if progress is True else None
    report = line or (None if isinstance(progress, bool) else progress)
    executor = client.get_executor(pure=False)
    try:
        with Store(url, mode="create") as opened:
            own, *others = _collections(opened, [gold, *listed])
            scored = [
                opened.evaluate(
                    own, system, requested, options, executor=executor, progress=report
                )
                for system in others
            ]
            if len(others) > 1:
                rank_systems(opened, scored, options)
    except GraphscoreError as error:
        # It may have been raised on a worker, of whose code nobody wants to know.
        raise error.with_traceback(None) from None
    finally:
        if line is not None:
            line.end()
    for results in scored:
        note_losses(results)
    single = requested is None or alone
    result = [x[0] if single and len(x) == 1 else x for x in scored]
    return result if several else result[0]


def _collections(store: Store, sides: Sequence[str | PathLike[str]]) -> list[str]:
    """Return the names of collections; files that are none of them go in."""
    names = []
    for side in [fspath(side) for side in sides]:
        if side not in store.collection_names() and exists(side):
            store.ingest(side, name := collection_of("{stem}", side))
            names.append(name)
        else:
            names.append(side)
    return names
