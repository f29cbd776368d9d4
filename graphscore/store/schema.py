"""The tables: what files said, what metrics found, and the names that tie them.

Base tables may change with any release; the public SQL interface is the views
(:mod:`graphscore.store.views`).  A few habits run through all of them:

* Strings that repeat are kept once, in ``symbol``, with their JSON type, so that
  ``42``, ``"42"`` and ``true`` stay three things.  JSON's ``null`` is SQL's NULL.
  Symbols are never deleted; checking a foreign key of a million labels would cost a
  third of an ingest, so there is none.
* Nodes and edges are named by ordinal, their position in the graph.
* Tuple tables are clustered on their key (``WITHOUT ROWID``): reading a graph or
  a result is one range scan a table, and appending is always at the end.
* The columns of ``error`` that people group by are short plain text, so that
  counting a million errors needs no join.
* What no query asks for (foreign fields, token ranges) is JSON text.

Ids are handed out by the writer, of which there is one at a time.  Symbols and
result rows are never changed once they are written; a better result of a pair
stands beside the earlier one.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
    event,
    false,
)

from graphscore.store.column_types import LONG, TEXT, Number

REVISIONS = ("dev6",)
"""Every revision of the schema, oldest first; the last is the current one.

Until 1.0 there is one, which gets another name whenever the tables, the views or the
meaning of their rows change: stores of other names are refused.
"""

HEAD = REVISIONS[-1]
"""The revision that this version of the library reads and writes."""

UNLIMITED = 2**63 - 1
"""The budget of a search without a limit, so that budgets compare in SQL."""

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pk",
        "fk": "%(table_name)s_%(column_0_N_name)s_fk",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ix": "%(table_name)s_%(column_0_N_name)s_ix",
    }
)


_KEY: Any = {"primary_key": True, "autoincrement": False}
"""Column options of a key, or part of one; its numbers are given."""


def _owner(name: str) -> Column[int]:
    """Part of the key: the row that this one belongs to and vanishes with."""
    return Column(
        name,
        Integer,
        ForeignKey(f"{name}.id", ondelete="CASCADE"),
        **_KEY,
    )


def _clustered(name: str, *columns: Any) -> Table:
    return Table(name, metadata, *columns, sqlite_with_rowid=False)


def _index(table: Table, definition: str, dialect: str | None = None) -> None:
    """Add an index to a table in SQL, as options of a dialect would load all of it."""
    ddl = DDL(f"CREATE INDEX {definition}")  # type: ignore[no-untyped-call]
    event.listen(table, "after_create", ddl.execute_if(dialect=dialect))


symbol = Table(
    "symbol",
    metadata,
    Column("id", Integer, **_KEY),
    Column("text", TEXT, nullable=False),
    Column("type", TEXT, nullable=False),
    UniqueConstraint("text", "type").ddl_if(dialect="sqlite"),
)
# A key of PostgreSQL holds no more than 2,700 bytes, a label may have more.
_index(symbol, "symbol_text_ix ON symbol USING hash (text)", dialect="postgresql")

text = _clustered(
    "text",
    Column("digest", LargeBinary, primary_key=True),
    Column("content", TEXT, nullable=False),
)

collection = Table(
    "collection",
    metadata,
    Column("id", Integer, **_KEY),
    Column("name", TEXT, nullable=False, unique=True),
    Column("created", TEXT, nullable=False),
)

ingest = Table(
    "ingest",
    metadata,
    Column("id", Integer, **_KEY),
    Column(
        "collection",
        Integer,
        ForeignKey("collection.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("path", TEXT, nullable=False),
    Column("location", TEXT, nullable=False),
    Column("format", TEXT, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("graphs", Integer, nullable=False),
    Column("rejected", Integer, nullable=False),
    Column("created", TEXT, nullable=False),
    UniqueConstraint("collection", "digest"),
)

rejected = _clustered(
    "rejected",
    _owner("ingest"),
    Column("seq", Integer, **_KEY),
    Column("line", Integer, nullable=False),
    Column("framework", TEXT, nullable=False),
    Column("item", TEXT, nullable=False),
    Column("message", TEXT, nullable=False),
    Column("raw", TEXT, nullable=False),
)

graph = Table(
    "graph",
    metadata,
    Column("id", Integer, **_KEY),
    Column(
        "collection",
        Integer,
        ForeignKey("collection.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column(
        "ingest", Integer, ForeignKey("ingest.id", ondelete="CASCADE"), nullable=False
    ),
    Column("line", Integer, nullable=False),
    Column("framework", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("item", TEXT, nullable=False),
    Column("document", TEXT, nullable=False),
    Column("numbered", Boolean, nullable=False),
    Column("flavor", LONG),
    Column("digest", LargeBinary, nullable=False),
    Column("text", LargeBinary),
    Column("tokens", TEXT),
    Column("extra", TEXT),
    Column("layer", TEXT, nullable=False, server_default=""),
    UniqueConstraint("collection", "framework", "language", "item", "layer"),
    Index(None, "ingest"),
)

top = _clustered(
    "top",
    _owner("graph"),
    Column("seq", Integer, **_KEY),
    Column("node", Integer, nullable=False),
)

node = _clustered(
    "node",
    _owner("graph"),
    Column("ordinal", Integer, **_KEY),
    Column("label", Integer),
    Column("identifier", TEXT),
    Column("extra", TEXT),
)

property_ = _clustered(
    "property",
    _owner("graph"),
    Column("node", Integer, **_KEY),
    Column("seq", Integer, **_KEY),
    Column("name", Integer, nullable=False),
    Column("value", Integer),
)

anchor = _clustered(
    "anchor",
    _owner("graph"),
    Column("node", Integer, **_KEY),
    Column("seq", Integer, **_KEY),
    Column("start", LONG, nullable=False),
    Column("stop", LONG, nullable=False),
)

edge = _clustered(
    "edge",
    _owner("graph"),
    Column("ordinal", Integer, **_KEY),
    Column("source", Integer, nullable=False),
    Column("target", Integer, nullable=False),
    Column("label", Integer),
    Column("normal", Integer),
    Column("identifier", TEXT),
    Column("anchors", TEXT),
    Column("extra", TEXT),
    # Both hold all that patterns ask of an edge: by its label, and from a node on.
    Index(None, "graph", "label", "target", "source"),
    Index(None, "graph", "source", "label", "target"),
)

attribute = _clustered(
    "attribute",
    _owner("graph"),
    Column("edge", Integer, **_KEY),
    Column("seq", Integer, **_KEY),
    Column("name", Integer, nullable=False),
    Column("value", Integer),
)

metric = Table(
    "metric",
    metadata,
    Column("id", Integer, **_KEY),
    Column("name", TEXT, nullable=False),
    Column("revision", Integer, nullable=False),
    UniqueConstraint("name", "revision"),
)

result = Table(
    "result",
    metadata,
    Column("id", Integer, **_KEY),
    Column("metric", Integer, ForeignKey("metric.id"), nullable=False),
    Column("gold", LargeBinary, nullable=False),
    Column("system", LargeBinary, nullable=False),
    Column("proven", Boolean, nullable=False),
    Column("budget", BigInteger, nullable=False),
    Column("score", Number, nullable=False),
    Column("bound", Number, nullable=False),
    # The count that stands for the metric, as the metric says it of one item.
    Column("gold_count", Number, nullable=False),
    Column("system_count", Number, nullable=False),
    Column("matched", Number, nullable=False),
    Column("matched_system", Number, nullable=False),
    Column("f1", Float, nullable=False),
    Column("steps", BigInteger, nullable=False),
    Column("method", TEXT, nullable=False),
    Column("microseconds", BigInteger, nullable=False),
    UniqueConstraint("gold", "system", "metric", "proven", "budget"),
)

raw_count = _clustered(
    "raw_count",
    _owner("result"),
    Column("tuple_type", TEXT, primary_key=True),
    Column("label", TEXT, primary_key=True),
    Column("quantity", TEXT, primary_key=True),
    Column("value", Number, nullable=False),
)

correspondence = _clustered(
    "correspondence",
    _owner("result"),
    Column("seq", Integer, **_KEY),
    Column("parent", Integer),
    Column("level", Integer, nullable=False),
    Column("object", TEXT, nullable=False),
    Column("gold", Integer),
    Column("system", Integer),
    Column("credit", Float, nullable=False),
    Index(None, "result", "object", "gold", "system"),
)

error = _clustered(
    "error",
    _owner("result"),
    Column("seq", Integer, **_KEY),
    Column("parent", Integer),
    Column("error_type", TEXT, nullable=False),
    Column("tuple_type", TEXT, nullable=False),
    Column("object", TEXT, nullable=False),
    Column("gold", Integer),
    Column("system", Integer),
    Column("label", Integer),
    Column("name", Integer),
    Column("value", Integer),
    Column("compared", Integer),
    Column("reason", TEXT, nullable=False),
    Column("credit", Float, nullable=False),
)
# What is wrong of a node or an edge: each error is in one, in part in both.
for side, other in ("gold", "spurious"), ("system", "missing"):
    _index(
        error,
        f"error_result_object_{side}_ix ON error (result, object, {side}) "
        f"WHERE error_type <> '{other}'",
    )

error_count = _clustered(
    "error_count",
    _owner("result"),
    Column("tuple_type", TEXT, primary_key=True),
    Column("error_type", TEXT, primary_key=True),
    Column("errors", Integer, nullable=False),
)

evaluation = Table(
    "evaluation",
    metadata,
    Column("id", Integer, **_KEY),
    Column(
        "gold",
        Integer,
        ForeignKey("collection.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column(
        "system",
        Integer,
        ForeignKey("collection.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("metric", TEXT, nullable=False),
    # What was scored: frameworks, and whatever else limits the units or pairs them.
    Column("scope", TEXT, nullable=False, server_default=""),
    Column("signature", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("created", TEXT, nullable=False),
    # Of the metric, when it was made; and whether the metric is known to have
    # another one by now.
    Column("revision", Integer, nullable=False, server_default="1"),
    Column("outdated", Boolean, nullable=False, server_default=false()),
    # Its raw counts, added up by framework, language, document and layer, as JSON,
    # where all of them are integers.
    Column("sums", TEXT),
    UniqueConstraint("system", "gold", "metric", "scope"),
    Index(None, "gold"),
)

pair = _clustered(
    "pair",
    _owner("evaluation"),
    Column("seq", Integer, **_KEY),
    Column("framework", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("document", TEXT, nullable=False),
    Column("item", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("gold_graph", Integer, ForeignKey("graph.id", ondelete="SET NULL")),
    Column("system_graph", Integer, ForeignKey("graph.id", ondelete="SET NULL")),
    Column("result", Integer, ForeignKey("result.id")),
    Column("layer", TEXT, nullable=False, server_default=""),
    Index(None, "gold_graph"),
    Index(None, "system_graph"),
    Index(None, "result"),
    # Where two evaluations of the same gold are compared, item by item.
    Index(None, "evaluation", "item"),
)

error_total = _clustered(
    "error_total",
    _owner("evaluation"),
    Column("framework", TEXT, primary_key=True),
    Column("document", TEXT, primary_key=True),
    Column("tuple_type", TEXT, primary_key=True),
    Column("error_type", TEXT, primary_key=True),
    Column("errors", Integer, nullable=False),
)

error_tuple = _clustered(
    "error_tuple",
    _owner("evaluation"),
    Column("framework", TEXT, primary_key=True),
    Column("tuple_type", TEXT, primary_key=True),
    Column("error_type", TEXT, primary_key=True),
    # A symbol, or 0 for none: parts of a key cannot be null.
    Column("name", Integer, **_KEY),
    Column("value", Integer, **_KEY),
    Column("errors", Integer, nullable=False),
)

error_label = _clustered(
    "error_label",
    _owner("evaluation"),
    Column("framework", TEXT, primary_key=True),
    Column("tuple_type", TEXT, primary_key=True),
    Column("error_type", TEXT, primary_key=True),
    # Symbols, or 0 for none.
    Column("label", Integer, **_KEY),
    Column("name", Integer, **_KEY),
    Column("value", Integer, **_KEY),
    Column("errors", Integer, nullable=False),
)

confusion = _clustered(
    "confusion",
    _owner("evaluation"),
    Column("framework", TEXT, primary_key=True),
    Column("document", TEXT, primary_key=True),
    Column("tuple_type", TEXT, primary_key=True),
    # Symbols, or 0 for none: a name, and the values of both sides.
    Column("name", Integer, **_KEY),
    Column("gold", Integer, **_KEY),
    Column("system", Integer, **_KEY),
    Column("confusions", Integer, nullable=False),
)

task = Table(
    "task",
    metadata,
    Column("id", Integer, **_KEY),
    Column(
        "gold",
        Integer,
        ForeignKey("collection.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("metric", TEXT, nullable=False),
    Column("scope", TEXT, nullable=False),
    UniqueConstraint("gold", "metric", "scope"),
)
"""Columns that comparable evaluations share."""

unit_across = Table(
    "unit_across",
    metadata,
    Column("id", Integer, **_KEY),
    Column("task", Integer, ForeignKey("task.id", ondelete="CASCADE"), nullable=False),
    Column("framework", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("document", TEXT, nullable=False),
    Column("item", TEXT, nullable=False),
    Column("layer", TEXT, nullable=False),
    # The systems that were scored on it, and those that have errors in it.
    Column("systems", Integer, nullable=False),
    Column("wrong", Integer, nullable=False),
    Column("errors", Integer, nullable=False),
    UniqueConstraint("task", "item", "framework", "language", "layer"),
    # Where most systems fail comes first.
    Index(None, "task", "wrong", "errors"),
)

error_across = _clustered(
    "error_across",
    Column(
        "unit",
        Integer,
        ForeignKey("unit_across.id", ondelete="CASCADE"),
        **_KEY,
    ),
    Column("tuple_type", TEXT, primary_key=True),
    Column("error_type", TEXT, primary_key=True),
    Column("object", TEXT, primary_key=True),
    # The ordinal of the gold object, or -1 for none.
    Column("gold", Integer, **_KEY),
    # Symbols, or 0 for none.
    Column("label", Integer, **_KEY),
    Column("name", Integer, **_KEY),
    Column("value", Integer, **_KEY),
    Column("task", Integer, nullable=False),
    Column("systems", Integer, nullable=False),
    Column("errors", Integer, nullable=False),
    # The sum of the ids of these systems: of one its id.
    Column("system", LONG, nullable=False),
    # What most systems do comes first.
    Index(None, "task", "systems", "system"),
)

confusion_across = _clustered(
    "confusion_across",
    _owner("task"),
    Column("tuple_type", TEXT, primary_key=True),
    # Symbols, or 0 for none: a name, and the values of both sides.
    Column("name", Integer, **_KEY),
    Column("gold", Integer, **_KEY),
    Column("system", Integer, **_KEY),
    Column("systems", Integer, nullable=False),
    Column("confusions", Integer, nullable=False),
)

figure = _clustered(
    "figure",
    _owner("evaluation"),
    # Empty for all of them, "macro" for the mean over frameworks.
    Column("framework", TEXT, primary_key=True),
    # Empty for all documents.
    Column("document", TEXT, primary_key=True),
    Column("score", TEXT, primary_key=True),
    Column("main", Boolean, nullable=False),
    Column("value", Float),
    Column("units", Integer, nullable=False),
    Column("missing", Integer, nullable=False),
)

ranking = Table(
    "ranking",
    metadata,
    Column("id", Integer, **_KEY),
    Column("task", Integer, ForeignKey("task.id", ondelete="CASCADE"), nullable=False),
    Column("framework", TEXT, nullable=False),
    Column("score", TEXT, nullable=False),
    Column("created", TEXT, nullable=False),
    # The evaluations that it was made of: their ids and when they were made.
    Column("evaluations", TEXT, nullable=False),
    Column("signature", TEXT, nullable=False),
    UniqueConstraint("task", "framework", "score"),
)

ranked = _clustered(
    "ranked",
    _owner("ranking"),
    Column("system", TEXT, primary_key=True),
    Column("lower", Float),
    Column("upper", Float),
    Column("rank", Integer, nullable=False),
    Column("best", Integer),
    Column("worst", Integer),
    Column("cluster", Integer, nullable=False),
)

version_metadata = MetaData()
"""Alembic's own table, made here so that a new store needs no alembic."""

alembic_version = Table(
    "alembic_version",
    version_metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
