"""The store: graphs, results and evaluations in a database.

The way in is :func:`open_store`; functions take a connection from
``database.reading()`` or ``database.writing()``::

    with open_store("runs.db", create=True) as database:
        ingest(database, records, path="gold.mrp", format="mrp",
               digest=digest, collection="gold")
        with database.reading() as connection:
            identities(connection, "gold")

Names are imported when they are first used, so that asking whether an operand is
a store (:func:`is_store`) does not wait for SQLAlchemy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphscore.store.database import (
        BUSY_TIMEOUT,
        Database,
        Notify,
        open_store,
    )
    from graphscore.store.detect import (
        is_store,
        is_url,
    )
    from graphscore.store.evaluations import (
        GROUPINGS,
        Evaluation,
        Grouping,
        PairRow,
        Proofs,
        Status,
        StoredPair,
        differing_texts,
        find_evaluations,
        masses_by,
        pairs_of,
        proofs,
        save_evaluation,
    )
    from graphscore.store.maintenance import (
        CollectionSummary,
        Migration,
        Removal,
        collections,
        migrate,
        remove,
    )
    from graphscore.store.reading.frequent import (
        ERROR_GROUPS,
        Frequent,
        frequent_confusions,
        frequent_errors,
    )
    from graphscore.store.reading.load import (
        Identity,
        RejectedRecord,
        identities,
        load_graphs,
        rejected_records,
    )
    from graphscore.store.reading.outcomes import load_outcomes
    from graphscore.store.reading.perframework import (
        ItemScores,
        item_scores,
    )
    from graphscore.store.reading.queries import (
        ErrorRow,
        errors,
        query,
    )
    from graphscore.store.writing.ingestion import (
        IngestReport,
        Progress,
        ingest,
    )
    from graphscore.store.writing.results import (
        NOTHING,
        Digests,
        ResultRow,
        find_results,
        save_results,
        unproven_results,
    )

_HOMES = {
    "BUSY_TIMEOUT": "database",
    "Database": "database",
    "Notify": "database",
    "open_store": "database",
    "is_store": "detect",
    "is_url": "detect",
    "GROUPINGS": "evaluations",
    "Evaluation": "evaluations",
    "Grouping": "evaluations",
    "PairRow": "evaluations",
    "Proofs": "evaluations",
    "Status": "evaluations",
    "StoredPair": "evaluations",
    "differing_texts": "evaluations",
    "find_evaluations": "evaluations",
    "masses_by": "evaluations",
    "pairs_of": "evaluations",
    "proofs": "evaluations",
    "save_evaluation": "evaluations",
    "ERROR_GROUPS": "reading.frequent",
    "Frequent": "reading.frequent",
    "frequent_confusions": "reading.frequent",
    "frequent_errors": "reading.frequent",
    "IngestReport": "writing.ingestion",
    "Progress": "writing.ingestion",
    "ingest": "writing.ingestion",
    "ItemScores": "reading.perframework",
    "item_scores": "reading.perframework",
    "Identity": "reading.load",
    "RejectedRecord": "reading.load",
    "identities": "reading.load",
    "load_graphs": "reading.load",
    "rejected_records": "reading.load",
    "CollectionSummary": "maintenance",
    "Migration": "maintenance",
    "Removal": "maintenance",
    "collections": "maintenance",
    "migrate": "maintenance",
    "remove": "maintenance",
    "ErrorRow": "reading.queries",
    "errors": "reading.queries",
    "query": "reading.queries",
    "NOTHING": "writing.results",
    "Digests": "writing.results",
    "ResultRow": "writing.results",
    "find_results": "writing.results",
    "load_outcomes": "reading.outcomes",
    "save_results": "writing.results",
    "unproven_results": "writing.results",
}

__all__ = [
    "BUSY_TIMEOUT",
    "ERROR_GROUPS",
    "GROUPINGS",
    "NOTHING",
    "CollectionSummary",
    "Database",
    "Digests",
    "ErrorRow",
    "Evaluation",
    "Frequent",
    "Grouping",
    "Identity",
    "IngestReport",
    "ItemScores",
    "Migration",
    "Notify",
    "PairRow",
    "Progress",
    "Proofs",
    "RejectedRecord",
    "Removal",
    "ResultRow",
    "Status",
    "StoredPair",
    "collections",
    "differing_texts",
    "errors",
    "find_evaluations",
    "find_results",
    "frequent_confusions",
    "frequent_errors",
    "identities",
    "ingest",
    "is_store",
    "is_url",
    "item_scores",
    "load_graphs",
    "load_outcomes",
    "masses_by",
    "migrate",
    "open_store",
    "pairs_of",
    "proofs",
    "query",
    "rejected_records",
    "remove",
    "save_evaluation",
    "save_results",
    "unproven_results",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
