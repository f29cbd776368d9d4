"""Graphs have layers: several annotations of one framework of the same item.

Revision: r2
Revises: r1

An item is there once in each layer; the views say which layer it is.  The statements
are what SQLite keeps of the views of this revision.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r2"
down_revision = "r1"
branch_labels = None
depends_on = None

BEFORE = ("collection", "framework", "language", "item")
"""What a graph was within the store."""

AFTER = (*BEFORE, "layer")
"""What it is."""


def upgrade() -> None:
    """Add the layer of graphs and pairs, and make the views anew."""
    _drop_views()
    _rebuild(BEFORE, AFTER)
    op.add_column("pair", _layer())
    for statement in VIEWS:
        op.execute(statement.strip())


def downgrade() -> None:
    """Take the layers away, with the graphs and pairs that have one."""
    _drop_views()
    op.execute("delete from pair where layer <> ''")
    op.execute("delete from graph where layer <> ''")
    _rebuild(AFTER, BEFORE)
    op.drop_column("pair", "layer")
    from_r1 = {
        "p.item, p.layer": "p.item",
        "g.item, g.layer": "g.item",
        "h.item, h.layer": "h.item",
        "c.item, c.layer": "c.item",
    }
    for statement in VIEWS:
        for ours, theirs in from_r1.items():
            statement = statement.replace(ours, theirs)
        op.execute(statement.strip())


def _layer() -> sa.Column[str]:
    text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column("layer", text, nullable=False, server_default="")


def _key(columns: tuple[str, ...]) -> str:
    return f"graph_{'_'.join(columns)}_key"


def _rebuild(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    """Give the table of graphs another key, with the layer or without it."""
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint(_key(before), "graph", type_="unique")
        if "layer" in after:
            op.add_column("graph", _layer())
        else:
            op.drop_column("graph", "layer")
        op.create_unique_constraint(_key(after), "graph", [*after])
        return
    # SQLite cannot change a key: the rows move to a new table of the same name.
    layer = "\n    layer TEXT DEFAULT '' NOT NULL," if "layer" in after else ""
    new = GRAPH.format(layer=layer, key=_key(after), unique=", ".join(after))
    op.execute(new.strip())
    columns = ", ".join(COLUMNS)
    op.execute(f"insert into graph_new ({columns}) select {columns} from graph")
    op.execute("drop table graph")
    op.execute("alter table graph_new rename to graph")
    op.execute("CREATE INDEX graph_ingest_ix ON graph (ingest)")


COLUMNS = (
    "id",
    "collection",
    "ingest",
    "line",
    "framework",
    "language",
    "item",
    "document",
    "numbered",
    "flavor",
    "digest",
    "text",
    "tokens",
    "extra",
)
"""The columns that stay."""

GRAPH = """
CREATE TABLE graph_new (
    id INTEGER NOT NULL,
    collection INTEGER NOT NULL,
    ingest INTEGER NOT NULL,
    line INTEGER NOT NULL,
    framework TEXT NOT NULL,
    language TEXT NOT NULL,
    item TEXT NOT NULL,
    document TEXT NOT NULL,
    numbered BOOLEAN NOT NULL,
    flavor INTEGER,
    digest BLOB NOT NULL,
    text BLOB,
    tokens TEXT,
    extra TEXT,{layer}
    CONSTRAINT graph_pk PRIMARY KEY (id),
    CONSTRAINT {key} UNIQUE ({unique}),
    CONSTRAINT graph_collection_fk FOREIGN KEY(collection) REFERENCES collection (id)
        ON DELETE CASCADE,
    CONSTRAINT graph_ingest_fk FOREIGN KEY(ingest) REFERENCES ingest (id) ON DELETE
        CASCADE
)
"""
"""The table in SQLite."""


def _drop_views() -> None:
    for statement in VIEWS:
        op.execute(f"drop view {statement.split()[2]}")


VIEWS = (
    """
CREATE VIEW v_graphs as
  select
    c.name as collection,
    g.framework, g.language, g.document, g.item, g.layer,
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
    """
CREATE VIEW v_rejected as
  select
    c.name as collection,
    i.path as file,
    r.line, r.framework, r.item, r.message, r.raw
  from rejected r
  join ingest i on i.id = r.ingest
  join collection c on c.id = i.collection
""",
    """
CREATE VIEW v_tuples as
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'tops' as kind,
    q.node as node, cast(null as integer) as edge,
    (select y.text from symbol y where y.id = (select n.label from node n where n.graph
      = q.graph and n.ordinal = q.node)) as label,
    cast(null as text) as name, cast(null as text) as value,
    cast(null as text) as type,
    cast(null as integer) as source, cast(null as integer) as target
  from graph h
  join collection c on c.id = h.collection
  join top q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'labels' as kind,
    n.ordinal, null, (select y.text from symbol y where y.id = n.label),
    null, (select y.text from symbol y where y.id = n.label), coalesce((select y.type
      from symbol y where y.id = n.label), 'null'), null, null
  from graph h
  join collection c on c.id = h.collection
  join node n on n.graph = h.id and n.label is not null
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'properties' as kind,
    q.node, null, (select y.text from symbol y where y.id = (select n.label from node n
      where n.graph = q.graph and n.ordinal = q.node)),
    (select y.text from symbol y where y.id = q.name), (select y.text from symbol y
      where y.id = q.value), coalesce((select y.type from symbol y where y.id =
      q.value), 'null'), null, null
  from graph h
  join collection c on c.id = h.collection
  join property q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'anchors' as kind,
    q.node, null, (select y.text from symbol y where y.id = (select n.label from node n
      where n.graph = q.graph and n.ordinal = q.node)),
    null, q.start || ':' || q.stop, 'range', null, null
  from graph h
  join collection c on c.id = h.collection
  join anchor q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'edges' as kind,
    null, x.ordinal, (select y.text from symbol y where y.id = x.label),
    null, (select y.text from symbol y where y.id = x.label), coalesce((select y.type
      from symbol y where y.id = x.label), 'null'), x.source, x.target
  from graph h
  join collection c on c.id = h.collection
  join edge x on x.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'attributes' as kind,
    null, q.edge, (select y.text from symbol y where y.id = x.label),
    (select y.text from symbol y where y.id = q.name), (select y.text from symbol y
      where y.id = q.value), coalesce((select y.type from symbol y where y.id =
      q.value), 'null'), x.source, x.target
  from graph h
  join collection c on c.id = h.collection
  join attribute q on q.graph = h.id
  join edge x on x.graph = q.graph and x.ordinal = q.edge
""",
    """
CREATE VIEW v_items as
  select
    g.name as gold, s.name as system, e.metric,
    e.status as evaluation,
    p.framework, p.language, p.document, p.item, p.layer,
    p.status,
    case when p.result is not null then (
      select coalesce(sum(k.gold), 0)
      from (
        select
          sum(case when m.quantity = 'gold' then m.value else 0 end) as gold,
          sum(case when m.quantity = 'system' then m.value else 0 end) as system,
          sum(case when m.quantity = 'matched' then m.value else 0 end) as matched,
          max(case when m.quantity = 'matched_system' then m.value end) as other
        from mass m
        where m.result = p.result and m.label = ''
          and (e.main in ('all', 'mean') or m.kind = e.main)
        group by m.kind) k) end as gold_count,
    case when p.result is not null then (
      select coalesce(sum(k.system), 0)
      from (
        select
          sum(case when m.quantity = 'gold' then m.value else 0 end) as gold,
          sum(case when m.quantity = 'system' then m.value else 0 end) as system,
          sum(case when m.quantity = 'matched' then m.value else 0 end) as matched,
          max(case when m.quantity = 'matched_system' then m.value end) as other
        from mass m
        where m.result = p.result and m.label = ''
          and (e.main in ('all', 'mean') or m.kind = e.main)
        group by m.kind) k) end as system_count,
    case when p.result is not null then (
      select coalesce(sum(k.matched), 0)
      from (
        select
          sum(case when m.quantity = 'gold' then m.value else 0 end) as gold,
          sum(case when m.quantity = 'system' then m.value else 0 end) as system,
          sum(case when m.quantity = 'matched' then m.value else 0 end) as matched,
          max(case when m.quantity = 'matched_system' then m.value end) as other
        from mass m
        where m.result = p.result and m.label = ''
          and (e.main in ('all', 'mean') or m.kind = e.main)
        group by m.kind) k) end as matched,
    case when p.result is not null then (
      select coalesce(sum(coalesce(k.other, k.matched)), 0)
      from (
        select
          sum(case when m.quantity = 'gold' then m.value else 0 end) as gold,
          sum(case when m.quantity = 'system' then m.value else 0 end) as system,
          sum(case when m.quantity = 'matched' then m.value else 0 end) as matched,
          max(case when m.quantity = 'matched_system' then m.value end) as other
        from mass m
        where m.result = p.result and m.label = ''
          and (e.main in ('all', 'mean') or m.kind = e.main)
        group by m.kind) k) end as matched_system,
    case when p.result is not null then (
      select case
        when e.main = 'mean' then avg(case
          when k.other is null and k.gold + k.system > 0
            then 2.0 * k.matched / (k.gold + k.system)
          when k.gold > 0 and k.system > 0 and k.matched + k.other > 0
            then 2.0 * (k.other * 1.0 / k.system) * (k.matched * 1.0 / k.gold)
              / (k.other * 1.0 / k.system + k.matched * 1.0 / k.gold)
          else 0.0 end)
        when count(k.other) = 0 and sum(k.gold) + sum(k.system) > 0
          then 2.0 * sum(k.matched) / (sum(k.gold) + sum(k.system))
        when sum(k.gold) > 0 and sum(k.system) > 0
            and sum(k.matched) + sum(coalesce(k.other, k.matched)) > 0
          then 2.0 * (sum(coalesce(k.other, k.matched)) * 1.0 / sum(k.system))
            * (sum(k.matched) * 1.0 / sum(k.gold))
            / (sum(coalesce(k.other, k.matched)) * 1.0 / sum(k.system)
              + sum(k.matched) * 1.0 / sum(k.gold))
        else 0.0 end
      from (
        select
          sum(case when m.quantity = 'gold' then m.value else 0 end) as gold,
          sum(case when m.quantity = 'system' then m.value else 0 end) as system,
          sum(case when m.quantity = 'matched' then m.value else 0 end) as matched,
          max(case when m.quantity = 'matched_system' then m.value end) as other
        from mass m
        where m.result = p.result and m.label = ''
          and (e.main in ('all', 'mean') or m.kind = e.main)
        group by m.kind) k) end as f1,
    r.score, r.bound, r.proven, r.steps, r.method, r.microseconds,
    (select coalesce(sum(n.errors), 0) from error_count n where n.result = p.result)
      as errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  left join result r on r.id = p.result
""",
    """
CREATE VIEW v_scores as
  select
    g.name as gold, s.name as system, e.metric,
    p.framework, p.language, p.document, p.item, p.layer,
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
    """
CREATE VIEW v_errors as
  select
    g.name as gold, s.name as system, e.metric,
    p.framework, p.language, p.document, p.item, p.layer,
    x.side, x.kind, x.object,
    x.gold as gold_ordinal, x.system as system_ordinal,
    (select y.text from symbol y where y.id = x.label) as label,
    coalesce((select y.text from symbol y where y.id = x.name), '') as name,
    (select y.text from symbol y where y.id = x.value) as value,
    coalesce((select y.type from symbol y where y.id = x.value), 'null') as type,
    (select y.text from symbol y where y.id = x.compared) as compared,
    x.reason, x.credit, x.parent,
    coalesce((select m.level + 1 from correspondence m
      where m.result = x.result and m.seq = x.parent), 0) as level
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join error x on x.result = p.result
""",
    """
CREATE VIEW v_error_counts as
  select
    g.name as gold, s.name as system, e.metric,
    t.framework, t.document, t.kind, t.side, t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_total t on t.evaluation = e.id
""",
    """
CREATE VIEW v_error_tuples as
  select
    g.name as gold, s.name as system, e.metric,
    t.framework, t.kind, t.side,
    coalesce((select y.text from symbol y where y.id = t.name), '') as name,
    (select y.text from symbol y where y.id = t.value) as value,
    t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_tuple t on t.evaluation = e.id
""",
    """
CREATE VIEW v_correspondences as
  select
    g.name as gold, s.name as system, e.metric,
    p.framework, p.language, p.document, p.item, p.layer,
    m.seq, m.parent, m.level,
    case when m.system is null then 'gold'
      when m.gold is null then 'system' else 'both' end as side,
    m.object,
    m.gold as gold_ordinal, m.system as system_ordinal,
    case m.object when 'node' then (select y.text from symbol y where y.id = (select
      n.label from node n where n.graph = p.gold_graph and n.ordinal = m.gold)) end as
      gold_label,
    case m.object when 'node' then (select y.text from symbol y where y.id = (select
      n.label from node n where n.graph = p.system_graph and n.ordinal = m.system)) end
      as system_label,
    m.credit
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join correspondence m on m.result = p.result
""",
    """
CREATE VIEW v_confusions as
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
    """
CREATE VIEW v_entity_errors as
  select
    c.gold, c.system, c.metric,
    c.framework, c.language, c.document, c.item, c.layer,
    k.error,
    c.gold_ordinal, c.system_ordinal,
    (select y.text from symbol y where y.id = (
      select n.label from node n
      where n.graph = c.gold_graph and n.ordinal = c.gold_ordinal)) as gold_label,
    (select y.text from symbol y where y.id = (
      select n.label from node n
      where n.graph = c.system_graph and n.ordinal = c.system_ordinal)) as system_label,
    c.mentions,
    case when c.gold_ordinal is not null then c.gold_mentions end as gold_mentions,
    case when c.system_ordinal is not null
      then c.system_mentions end as system_mentions,
    case when k.error in ('divided', 'missing') then c.system_parts
      else c.gold_parts end as parts
  from (
    select
      g.name as gold, s.name as system, e.metric,
      p.framework, p.language, p.document, p.item, p.layer,
      p.gold_graph, p.system_graph,
      m.gold as gold_ordinal, m.system as system_ordinal,
      cast(m.credit as integer) as mentions,
      cast(sum(m.credit) over gold_entity as integer) as gold_mentions,
      cast(sum(m.credit) over system_entity as integer) as system_mentions,
      count(m.system) over gold_entity as system_parts,
      count(m.gold) over system_entity as gold_parts
    from evaluation e
    join collection g on g.id = e.gold
    join collection s on s.id = e.system
    join pair p on p.evaluation = e.id
    join result r on r.id = p.result and r.method = 'contingency'
    join correspondence m on m.result = p.result and m.level = 0
    window gold_entity as (partition by e.id, p.seq, m.gold),
      system_entity as (partition by e.id, p.seq, m.system)
  ) c
  join (
    select 'divided' as error union all select 'conflated'
    union all select 'missing' union all select 'extra'
  ) k on (k.error = 'missing' and c.system_ordinal is null)
    or (k.error = 'extra' and c.gold_ordinal is null)
    or (c.gold_ordinal is not null and c.system_ordinal is not null
      and ((k.error = 'divided' and c.system_parts > 1)
        or (k.error = 'conflated' and c.gold_parts > 1)))
""",
)
