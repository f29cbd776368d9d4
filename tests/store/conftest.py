"""A store, a few graphs, and short ways to put them into it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from graphscore.exceptions import Problem
from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome import Error, Match, Outcome, counts_of, total_count
from graphscore.store.database import Database
from graphscore.store.evaluations import SUMMED_BY, PairRow, raw_counts_by
from graphscore.store.opening import open_store
from graphscore.store.read.load import identities
from graphscore.store.write.evaluations import Made, save_evaluation, save_figures
from graphscore.store.write.ingestion import IngestReport, ingest
from graphscore.store.write.results import NOTHING, ResultRow, save_results
from tests.databases import Stores


@pytest.fixture
def path(runs: Any) -> Any:
    """A file that is not there, or a URL."""
    return runs


@pytest.fixture
def database(path: Any) -> Iterator[Database]:
    with open_store(path, create=True) as opened:
        yield opened


def bark(item: str, verb: str = "bark", **fields: Any) -> Graph:
    """*Dogs bark*, with a label that makes it another graph."""
    given: dict[str, Any] = {
        "framework": "dm",
        "flavor": 0,
        "document": "dogs",
        "text": "Dogs bark",
        "nodes": (
            Node(0, "dog", (("pos", "NNS"),), (Anchor(0, 4),)),
            Node(1, verb, (), (Anchor(5, 9),)),
        ),
        "edges": (Edge(1, 0, "ARG1", attributes=(("remote", True),)),),
        "tops": (1,),
    }
    return Graph(item, **(given | fields))


def result_row(
    gold: bytes,
    system: bytes,
    outcome: Outcome,
    microseconds: int,
    budget: int | None,
) -> ResultRow:
    """A result with the count of all its tuples, as most metrics have it."""
    tuple_types = {tuple_type for tuple_type, _, _ in outcome.raw_counts}
    count = total_count(counts_of(outcome.raw_counts, tuple_types).values())
    return ResultRow(gold, system, outcome, microseconds, budget, count)


def sayable(stores: Stores, value: Any) -> Any:
    """Made-up data as the database can hold it: PostgreSQL has no character U+0000."""
    if stores.server is None:
        return value
    if isinstance(value, str):
        return value.replace("\x00", "\u2400")
    if isinstance(value, dict):
        return {sayable(stores, k): sayable(stores, v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [sayable(stores, each) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.asdict(value).items()
        return type(value)(**{name: sayable(stores, each) for name, each in fields})
    return value


def read(*graphs: Graph) -> list[Record]:
    """Records of graphs, a line each."""
    return [ReadGraph(line, graph) for line, graph in enumerate(graphs, 1)]


def reject(line: int, message: str = "nonsense", file: str = "a.mrp") -> Rejected:
    """A record that could not be read."""
    problem = Problem(file, line, None, "$.nodes", message, "a list")
    return Rejected(line, (problem,), b'{"nodes": \xff}', "dm", f"bad{line}")


def put(
    database: Database,
    records: Iterable[Record],
    collection: str = "gold",
    path: str = "a.mrp",
    **options: Any,
) -> IngestReport:
    """Ingest records as a file whose digest follows from them."""
    listed = list(records)
    digest = hashlib.blake2b(repr(listed).encode(), digest_size=16).digest()
    return ingest(
        database,
        listed,
        path=path,
        format="mrp",
        digest=digest,
        collection=collection,
        **options,
    )


def outcome(
    *errors: Error,
    matched: int = 3,
    proven: bool = True,
    matches: tuple[Match, ...] = (Match("node", 0, 0, 1.0), Match("node", 1, 1, 0.0)),
) -> Outcome:
    """What a metric might say of two barking dogs."""
    raw_counts: dict[tuple[str, str, str], int | float] = {
        ("labels", "", "gold"): 4,
        ("labels", "", "system"): 5,
        ("labels", "", "matched"): matched,
        ("edges", "", "gold"): 1,
        ("edges", "", "matched"): 1,
        ("edges", "", "system"): 2,
    }
    bound = matched if proven else matched + 1
    return Outcome(raw_counts, matched, bound, proven, 7, "tightened", matches, errors)


MISSING = Error("missing", "labels", "node", 1, 1, "bark", "", "bark", None, "differs")
SPURIOUS = Error("spurious", "labels", "node", 1, 1, "run", "", "run", None, "differs")
ALONE = Error(
    "missing", "properties", "node", 0, None, "dog", "pos", "NNS", "nns", "absent"
)


def score(
    database: Database,
    system: str = "peking",
    metric: str = "mrp",
    errors: tuple[Error, ...] = (MISSING, SPURIOUS, ALONE),
    proven: bool = True,
) -> int:
    """Pair two collections item by item; every pair gets the same errors."""
    with database.writing() as connection:
        theirs = {one.item: one for one in identities(connection, system)}
        rows, pairs = [], []
        for gold in identities(connection, "gold"):
            other = theirs.pop(gold.item, None)
            rows.append(
                result_row(
                    gold.digest,
                    other.digest if other else NOTHING,
                    outcome(*errors, proven=proven),
                    100,
                    1000,
                )
            )
            pairs.append((gold, other))
        ids = save_results(connection, metric, 1, rows)
        units = [
            PairRow(
                gold.framework,
                gold.language,
                gold.document,
                gold.item,
                gold.graph,
                other.graph if other else None,
                number,
                "paired" if other else "missing",
            )
            for (gold, other), number in zip(pairs, ids, strict=True)
        ]
        units += [
            PairRow(
                one.framework,
                one.language,
                one.document,
                one.item,
                None,
                one.graph,
                None,
                "spurious",
            )
            for one in theirs.values()
        ]
        return save_evaluation(connection, Made("gold", system, metric, "sig"), units)


@pytest.fixture
def scored(database: Database) -> Database:
    """A store with a gold standard, a system that lacks one item, and its score."""
    put(database, read(*(bark(str(n), f"v{n}") for n in range(3))))
    system = read(*(bark(str(n), f"w{n}") for n in (0, 1, 7)))
    put(database, system, "peking", "peking.mrp")
    evaluation = score(database)
    figures = [("", document, "all.f1", True, 0.5, 3, 1) for document in ("", "d")]
    with database.writing() as connection:
        sums = dict(raw_counts_by(connection, evaluation, SUMMED_BY))
        save_figures(connection, evaluation, figures, sums)
    return database


def rows(database: Database, sql: str) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    with database.reading() as connection:
        plain = connection.execution_options(no_parameters=True)
        return [tuple(row) for row in plain.exec_driver_sql(sql)]
