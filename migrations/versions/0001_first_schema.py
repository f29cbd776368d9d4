"""The first schema: collections, graphs, results, evaluations, and the views.

Revision: 0001
Revises: nothing
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import UserDefinedType

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


class Untyped(UserDefinedType[Any]):
    """A column in which SQLite keeps the type of each single value."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """Nothing: the column has no type."""
        return ""


def upgrade() -> None:
    """Make everything."""
    sqlite = op.get_bind().dialect.name == "sqlite"
    create_tables(Untyped() if sqlite else sa.Double())
    for statement in VIEWS.values():
        op.execute(statement)


def downgrade() -> None:
    """Drop everything, children before parents."""
    for view in VIEWS:
        op.execute(f"drop view {view}")
    for table in TABLES:
        op.drop_table(table)


def create_tables(number: sa.types.TypeEngine[Any]) -> None:
    """Make the tables, parents before children."""
    op.create_table(
        "collection",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="collection_pk"),
        sa.UniqueConstraint("name", name="collection_name_key"),
    )
    op.create_table(
        "metric",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="metric_pk"),
        sa.UniqueConstraint("name", "revision", name="metric_name_revision_key"),
    )
    op.create_table(
        "symbol",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="symbol_pk"),
        sa.UniqueConstraint("text", "type", name="symbol_text_type_key"),
    )
    op.create_table(
        "text",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="text_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "evaluation",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("gold", sa.Integer(), nullable=False),
        sa.Column("system", sa.Integer(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["gold"], ["collection.id"], name="evaluation_gold_fk", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["system"],
            ["collection.id"],
            name="evaluation_system_fk",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="evaluation_pk"),
        sa.UniqueConstraint(
            "system", "gold", "metric", name="evaluation_system_gold_metric_key"
        ),
    )
    op.create_index("evaluation_gold_ix", "evaluation", ["gold"], unique=False)
    op.create_table(
        "ingest",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("collection", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("location", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("graphs", sa.Integer(), nullable=False),
        sa.Column("rejected", sa.Integer(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection"],
            ["collection.id"],
            name="ingest_collection_fk",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="ingest_pk"),
        sa.UniqueConstraint(
            "collection", "digest", name="ingest_collection_digest_key"
        ),
    )
    op.create_table(
        "result",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("metric", sa.Integer(), nullable=False),
        sa.Column("gold", sa.LargeBinary(), nullable=False),
        sa.Column("system", sa.LargeBinary(), nullable=False),
        sa.Column("proven", sa.Boolean(), nullable=False),
        sa.Column("budget", sa.BigInteger(), nullable=False),
        sa.Column("score", number, nullable=False),
        sa.Column("bound", number, nullable=False),
        sa.Column("steps", sa.BigInteger(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("microseconds", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["metric"], ["metric.id"], name="result_metric_fk"),
        sa.PrimaryKeyConstraint("id", name="result_pk"),
        sa.UniqueConstraint(
            "gold",
            "system",
            "metric",
            "proven",
            "budget",
            name="result_gold_system_metric_proven_budget_key",
        ),
    )
    op.create_table(
        "correspondence",
        sa.Column("result", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("gold", sa.Integer(), nullable=True),
        sa.Column("system", sa.Integer(), nullable=True),
        sa.Column("credit", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["result"],
            ["result.id"],
            name="correspondence_result_fk",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("result", "seq", name="correspondence_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "error",
        sa.Column("result", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("gold", sa.Integer(), nullable=True),
        sa.Column("system", sa.Integer(), nullable=True),
        sa.Column("label", sa.Integer(), nullable=True),
        sa.Column("name", sa.Integer(), nullable=True),
        sa.Column("value", sa.Integer(), nullable=True),
        sa.Column("compared", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("credit", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["result"], ["result.id"], name="error_result_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("result", "seq", name="error_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "error_count",
        sa.Column("result", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["result"], ["result.id"], name="error_count_result_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("result", "kind", "side", name="error_count_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "error_total",
        sa.Column("evaluation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("framework", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation"],
            ["evaluation.id"],
            name="error_total_evaluation_fk",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "evaluation", "framework", "document", "kind", "side", name="error_total_pk"
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "graph",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("collection", sa.Integer(), nullable=False),
        sa.Column("ingest", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("framework", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("numbered", sa.Boolean(), nullable=False),
        sa.Column("flavor", sa.Integer(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=True),
        sa.Column("tokens", sa.Text(), nullable=True),
        sa.Column("extra", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["collection"],
            ["collection.id"],
            name="graph_collection_fk",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["ingest"], ["ingest.id"], name="graph_ingest_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="graph_pk"),
        sa.UniqueConstraint(
            "collection",
            "framework",
            "language",
            "item",
            name="graph_collection_framework_language_item_key",
        ),
    )
    op.create_index("graph_ingest_ix", "graph", ["ingest"], unique=False)
    op.create_table(
        "mass",
        sa.Column("result", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("quantity", sa.Text(), nullable=False),
        sa.Column("value", number, nullable=False),
        sa.ForeignKeyConstraint(
            ["result"], ["result.id"], name="mass_result_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("result", "kind", "label", "quantity", name="mass_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rejected",
        sa.Column("ingest", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("framework", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ingest"], ["ingest.id"], name="rejected_ingest_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("ingest", "seq", name="rejected_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "anchor",
        sa.Column("graph", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("node", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["graph"], ["graph.id"], name="anchor_graph_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("graph", "node", "seq", name="anchor_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "attribute",
        sa.Column("graph", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("edge", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["graph"], ["graph.id"], name="attribute_graph_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("graph", "edge", "seq", name="attribute_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "edge",
        sa.Column("graph", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("source", sa.Integer(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("label", sa.Integer(), nullable=True),
        sa.Column("normal", sa.Integer(), nullable=True),
        sa.Column("identifier", sa.Text(), nullable=True),
        sa.Column("anchors", sa.Text(), nullable=True),
        sa.Column("extra", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["graph"], ["graph.id"], name="edge_graph_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("graph", "ordinal", name="edge_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "node",
        sa.Column("graph", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("label", sa.Integer(), nullable=True),
        sa.Column("identifier", sa.Text(), nullable=True),
        sa.Column("extra", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["graph"], ["graph.id"], name="node_graph_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("graph", "ordinal", name="node_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pair",
        sa.Column("evaluation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("framework", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("gold_graph", sa.Integer(), nullable=True),
        sa.Column("system_graph", sa.Integer(), nullable=True),
        sa.Column("result", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["evaluation"],
            ["evaluation.id"],
            name="pair_evaluation_fk",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["gold_graph"], ["graph.id"], name="pair_gold_graph_fk", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["result"], ["result.id"], name="pair_result_fk"),
        sa.ForeignKeyConstraint(
            ["system_graph"],
            ["graph.id"],
            name="pair_system_graph_fk",
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("evaluation", "seq", name="pair_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("pair_gold_graph_ix", "pair", ["gold_graph"], unique=False)
    op.create_index("pair_result_ix", "pair", ["result"], unique=False)
    op.create_index("pair_system_graph_ix", "pair", ["system_graph"], unique=False)
    op.create_table(
        "property",
        sa.Column("graph", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("node", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["graph"], ["graph.id"], name="property_graph_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("graph", "node", "seq", name="property_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "top",
        sa.Column("graph", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("node", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["graph"], ["graph.id"], name="top_graph_fk", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("graph", "seq", name="top_pk"),
        sqlite_with_rowid=False,
    )


TABLES = (
    "top",
    "property",
    "pair",
    "node",
    "edge",
    "attribute",
    "anchor",
    "rejected",
    "mass",
    "graph",
    "error_total",
    "error_count",
    "error",
    "correspondence",
    "result",
    "ingest",
    "evaluation",
    "text",
    "symbol",
    "metric",
    "collection",
)

VIEWS = {
    "v_graphs": """
create view v_graphs as
  select
    c.name as collection,
    g.framework, g.language, g.document, g.item,
    g.flavor,
    t.content as text,
    (select count(*) from node n where n.graph = g.id) as nodes,
    (select count(*) from edge x where x.graph = g.id) as edges,
    (select count(*) from top o where o.graph = g.id) as tops,
    i.path as file,
    g.line,
    i.format
  from graph g
  join collection c on c.id = g.collection
  left join text t on t.digest = g.text
  left join ingest i on i.id = g.ingest
""",
    "v_rejected": """
create view v_rejected as
  select
    c.name as collection,
    i.path as file,
    r.line, r.framework, r.item, r.message, r.raw
  from rejected r
  join ingest i on i.id = r.ingest
  join collection c on c.id = i.collection
""",
    "v_tuples": """
create view v_tuples as
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item,
    'tops' as kind,
    q.node as node, cast(null as integer) as edge,
    (select y.text from symbol y where y.id = (select n.label from node n where
      n.graph = q.graph and n.ordinal = q.node)) as label,
    cast(null as text) as name, cast(null as text) as value,
    cast(null as text) as type,
    cast(null as integer) as source, cast(null as integer) as target
  from graph h
  join collection c on c.id = h.collection
  join top q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item,
    'labels' as kind,
    n.ordinal, null, (select y.text from symbol y where y.id = n.label),
    null, (select y.text from symbol y where y.id = n.label), coalesce((select
      y.type from symbol y where y.id = n.label), 'null'), null, null
  from graph h
  join collection c on c.id = h.collection
  join node n on n.graph = h.id and n.label is not null
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item,
    'properties' as kind,
    q.node, null, (select y.text from symbol y where y.id = (select n.label from
      node n where n.graph = q.graph and n.ordinal = q.node)),
    (select y.text from symbol y where y.id = q.name), (select y.text from symbol
      y where y.id = q.value), coalesce((select y.type from symbol y where y.id =
      q.value), 'null'), null, null
  from graph h
  join collection c on c.id = h.collection
  join property q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item,
    'anchors' as kind,
    q.node, null, (select y.text from symbol y where y.id = (select n.label from
      node n where n.graph = q.graph and n.ordinal = q.node)),
    null, q.start || ':' || q.stop, 'range', null, null
  from graph h
  join collection c on c.id = h.collection
  join anchor q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item,
    'edges' as kind,
    null, x.ordinal, (select y.text from symbol y where y.id = x.label),
    null, (select y.text from symbol y where y.id = x.label), coalesce((select
      y.type from symbol y where y.id = x.label), 'null'), x.source, x.target
  from graph h
  join collection c on c.id = h.collection
  join edge x on x.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item,
    'attributes' as kind,
    null, q.edge, (select y.text from symbol y where y.id = x.label),
    (select y.text from symbol y where y.id = q.name), (select y.text from symbol
      y where y.id = q.value), coalesce((select y.type from symbol y where y.id =
      q.value), 'null'), x.source, x.target
  from graph h
  join collection c on c.id = h.collection
  join attribute q on q.graph = h.id
  join edge x on x.graph = q.graph and x.ordinal = q.edge
""",
    "v_items": """
create view v_items as
  select
    g.name as gold, s.name as system, e.metric,
    e.status as evaluation,
    p.framework, p.language, p.document, p.item,
    p.status,
    r.score, r.bound, r.proven, r.steps, r.method, r.microseconds,
    (select coalesce(sum(n.errors), 0) from error_count n where n.result =
      p.result)
      as errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  left join result r on r.id = p.result
""",
    "v_scores": """
create view v_scores as
  select
    g.name as gold, s.name as system, e.metric,
    p.framework, p.language, p.document, p.item,
    a.kind,
    a.value as gold_count,
    b.value as system_count,
    m.value as matched,
    coalesce(k.value, m.value) as matched_system,
    case when b.value = 0 then 0.0
      else coalesce(k.value, m.value) * 1.0 / b.value end as precision,
    case when a.value = 0 then 0.0
      else m.value * 1.0 / a.value end as recall,
    case when k.value is null and a.value + b.value > 0
        then 2.0 * m.value / (a.value + b.value)
      when a.value > 0 and b.value > 0 and m.value + k.value > 0
        then 2.0 * (k.value * 1.0 / b.value) * (m.value * 1.0 / a.value)
          / (k.value * 1.0 / b.value + m.value * 1.0 / a.value)
      else 0.0 end as f1,
    r.score, r.bound, r.proven, r.steps
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join mass a on a.result = p.result and a.label = '' and a.quantity = 'gold'
  left join mass b on b.result = a.result and b.kind = a.kind
    and b.label = '' and b.quantity = 'system'
  left join mass m on m.result = a.result and m.kind = a.kind
    and m.label = '' and m.quantity = 'matched'
  left join mass k on k.result = a.result and k.kind = a.kind
    and k.label = '' and k.quantity = 'matched_system'
  left join result r on r.id = p.result
""",
    "v_errors": """
create view v_errors as
  select
    g.name as gold, s.name as system, e.metric,
    p.framework, p.language, p.document, p.item,
    x.side, x.kind, x.object,
    x.gold as gold_ordinal, x.system as system_ordinal,
    (select y.text from symbol y where y.id = x.label) as label,
    coalesce((select y.text from symbol y where y.id = x.name), '') as name,
    (select y.text from symbol y where y.id = x.value) as value,
    coalesce((select y.type from symbol y where y.id = x.value), 'null') as type,
    (select y.text from symbol y where y.id = x.compared) as compared,
    x.reason, x.credit
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join error x on x.result = p.result
""",
    "v_error_counts": """
create view v_error_counts as
  select
    g.name as gold, s.name as system, e.metric,
    t.framework, t.document, t.kind, t.side, t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_total t on t.evaluation = e.id
""",
    "v_correspondences": """
create view v_correspondences as
  select
    g.name as gold, s.name as system, e.metric,
    p.framework, p.language, p.document, p.item,
    m.seq, m.parent, m.level,
    case when m.system is null then 'gold'
      when m.gold is null then 'system' else 'both' end as side,
    m.object,
    m.gold as gold_ordinal, m.system as system_ordinal,
    case m.object when 'node' then (select y.text from symbol y where y.id =
      (select n.label from node n where n.graph = p.gold_graph and n.ordinal =
      m.gold)) end as gold_label,
    case m.object when 'node' then (select y.text from symbol y where y.id =
      (select n.label from node n where n.graph = p.system_graph and n.ordinal =
      m.system)) end as system_label,
    m.credit
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join correspondence m on m.result = p.result
""",
    "v_confusions": """
create view v_confusions as
  select
    g.name as gold, s.name as system, e.metric,
    p.framework, p.document,
    x.kind,
    coalesce(a.text, '') as name,
    v.text as gold_value,
    w.text as system_value,
    count(*) as confusions
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join error x on x.result = p.result and x.side = 'missing'
    and x.gold is not null and x.system is not null
  join error y on y.result = x.result and y.side = 'surplus'
    and y.kind = x.kind and y.gold = x.gold and y.system = x.system
    and coalesce(y.name, 0) = coalesce(x.name, 0)
  left join symbol a on a.id = x.name
  left join symbol v on v.id = x.value
  left join symbol w on w.id = y.value
  group by g.name, s.name, e.metric, p.framework, p.document, x.kind, a.text,
    v.text, w.text
""",
}
