"""The tables: what files said, what metrics found, and the names that tie them.

Base tables may change with any release; the public SQL interface is the views
(:mod:`graphscore.store.views`).  A few habits run through all of them:

* Strings that repeat are kept once, in ``symbol``, with their JSON type, so that
  ``42``, ``"42"`` and ``true`` stay three things.  JSON's ``null`` is SQL's NULL.
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
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.types import UserDefinedType

REVISIONS = ("r1", "r2", "r3", "r4")
"""Every revision of the schema, oldest first; the last is the current one."""

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


class Number(UserDefinedType[Any]):
    """An integer or a double, kept as which it came.

    SQLite keeps the type of each single value in a column without a type; other
    databases get doubles, which are exact for counts below 2**53.
    """

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """The column type outside SQLite."""
        return "DOUBLE PRECISION"


@compiles(Number, "sqlite")
def _untyped(*_: Any, **__: Any) -> str:
    return ""


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True, autoincrement=False)


def _key(name: str) -> Column[int]:
    return Column(name, Integer, primary_key=True, autoincrement=False)


def _owner(name: str) -> Column[int]:
    """Part of the key: the row that this one belongs to and vanishes with."""
    return Column(
        name,
        Integer,
        ForeignKey(f"{name}.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    )


def _symbol(name: str, nullable: bool = True) -> Column[int]:
    # No foreign key: symbols are never deleted, and checking a million labels
    # would cost a third of an ingest.
    return Column(name, Integer, nullable=nullable)


def _layer() -> Column[str]:
    return Column("layer", Text, nullable=False, server_default="")


def _clustered(name: str, *columns: Any) -> Table:
    return Table(name, metadata, *columns, sqlite_with_rowid=False)


symbol = Table(
    "symbol",
    metadata,
    _id(),
    Column("text", Text, nullable=False),
    Column("type", Text, nullable=False),
    UniqueConstraint("text", "type"),
)

text = _clustered(
    "text",
    Column("digest", LargeBinary, primary_key=True),
    Column("content", Text, nullable=False),
)

collection = Table(
    "collection",
    metadata,
    _id(),
    Column("name", Text, nullable=False, unique=True),
    Column("created", Text, nullable=False),
)

ingest = Table(
    "ingest",
    metadata,
    _id(),
    Column(
        "collection",
        Integer,
        ForeignKey("collection.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("path", Text, nullable=False),
    Column("location", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("graphs", Integer, nullable=False),
    Column("rejected", Integer, nullable=False),
    Column("created", Text, nullable=False),
    UniqueConstraint("collection", "digest"),
)

rejected = _clustered(
    "rejected",
    _owner("ingest"),
    _key("seq"),
    Column("line", Integer, nullable=False),
    Column("framework", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("raw", Text, nullable=False),
)

graph = Table(
    "graph",
    metadata,
    _id(),
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
    Column("framework", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("document", Text, nullable=False),
    Column("numbered", Boolean, nullable=False),
    Column("flavor", Integer),
    Column("digest", LargeBinary, nullable=False),
    Column("text", LargeBinary),
    Column("tokens", Text),
    Column("extra", Text),
    _layer(),
    UniqueConstraint("collection", "framework", "language", "item", "layer"),
    Index(None, "ingest"),
)

top = _clustered(
    "top", _owner("graph"), _key("seq"), Column("node", Integer, nullable=False)
)

node = _clustered(
    "node",
    _owner("graph"),
    _key("ordinal"),
    _symbol("label"),
    Column("identifier", Text),
    Column("extra", Text),
)

property_ = _clustered(
    "property",
    _owner("graph"),
    _key("node"),
    _key("seq"),
    _symbol("name", nullable=False),
    _symbol("value"),
)

anchor = _clustered(
    "anchor",
    _owner("graph"),
    _key("node"),
    _key("seq"),
    Column("start", Integer, nullable=False),
    Column("stop", Integer, nullable=False),
)

edge = _clustered(
    "edge",
    _owner("graph"),
    _key("ordinal"),
    Column("source", Integer, nullable=False),
    Column("target", Integer, nullable=False),
    _symbol("label"),
    _symbol("normal"),
    Column("identifier", Text),
    Column("anchors", Text),
    Column("extra", Text),
)

attribute = _clustered(
    "attribute",
    _owner("graph"),
    _key("edge"),
    _key("seq"),
    _symbol("name", nullable=False),
    _symbol("value"),
)

metric = Table(
    "metric",
    metadata,
    _id(),
    Column("name", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    UniqueConstraint("name", "revision"),
)

result = Table(
    "result",
    metadata,
    _id(),
    Column("metric", Integer, ForeignKey("metric.id"), nullable=False),
    Column("gold", LargeBinary, nullable=False),
    Column("system", LargeBinary, nullable=False),
    Column("proven", Boolean, nullable=False),
    Column("budget", BigInteger, nullable=False),
    Column("score", Number, nullable=False),
    Column("bound", Number, nullable=False),
    Column("steps", BigInteger, nullable=False),
    Column("method", Text, nullable=False),
    Column("microseconds", BigInteger, nullable=False),
    UniqueConstraint("gold", "system", "metric", "proven", "budget"),
)

mass = _clustered(
    "mass",
    _owner("result"),
    Column("kind", Text, primary_key=True),
    Column("label", Text, primary_key=True),
    Column("quantity", Text, primary_key=True),
    Column("value", Number, nullable=False),
)

correspondence = _clustered(
    "correspondence",
    _owner("result"),
    _key("seq"),
    Column("parent", Integer),
    Column("level", Integer, nullable=False),
    Column("object", Text, nullable=False),
    Column("gold", Integer),
    Column("system", Integer),
    Column("credit", Float, nullable=False),
)

error = _clustered(
    "error",
    _owner("result"),
    _key("seq"),
    Column("parent", Integer),
    Column("side", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("object", Text, nullable=False),
    Column("gold", Integer),
    Column("system", Integer),
    _symbol("label"),
    _symbol("name"),
    _symbol("value"),
    _symbol("compared"),
    Column("reason", Text, nullable=False),
    Column("credit", Float, nullable=False),
)

error_count = _clustered(
    "error_count",
    _owner("result"),
    Column("kind", Text, primary_key=True),
    Column("side", Text, primary_key=True),
    Column("errors", Integer, nullable=False),
)

evaluation = Table(
    "evaluation",
    metadata,
    _id(),
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
    Column("metric", Text, nullable=False),
    Column("signature", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created", Text, nullable=False),
    # The kind that stands for the metric; ``all`` sums the others, ``mean`` takes
    # the mean of their F1.
    Column("main", Text, nullable=False, server_default="all"),
    # Of the metric, when it was made; and whether the metric is known to have
    # another one by now.
    Column("revision", Integer, nullable=False, server_default="1"),
    Column("outdated", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("system", "gold", "metric"),
    Index(None, "gold"),
)

pair = _clustered(
    "pair",
    _owner("evaluation"),
    _key("seq"),
    Column("framework", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("document", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("gold_graph", Integer, ForeignKey("graph.id", ondelete="SET NULL")),
    Column("system_graph", Integer, ForeignKey("graph.id", ondelete="SET NULL")),
    Column("result", Integer, ForeignKey("result.id")),
    _layer(),
    Index(None, "gold_graph"),
    Index(None, "system_graph"),
    Index(None, "result"),
)

error_total = _clustered(
    "error_total",
    _owner("evaluation"),
    Column("framework", Text, primary_key=True),
    Column("document", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("side", Text, primary_key=True),
    Column("errors", Integer, nullable=False),
)

error_tuple = _clustered(
    "error_tuple",
    _owner("evaluation"),
    Column("framework", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("side", Text, primary_key=True),
    # A symbol, or 0 for none: parts of a key cannot be null.
    Column("name", Integer, primary_key=True, autoincrement=False),
    Column("value", Integer, primary_key=True, autoincrement=False),
    Column("errors", Integer, nullable=False),
)

version_metadata = MetaData()
"""Alembic's own table, made here so that a new store needs no alembic."""

alembic_version = Table(
    "alembic_version",
    version_metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
