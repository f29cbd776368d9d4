"""The first schema: collections, graphs, results, evaluations, and the views.

Revision: r1
Revises: nothing

The statements are what SQLite keeps of the tables and views of this revision.
"""

from __future__ import annotations

from alembic import op

revision = "r1"
down_revision = None
branch_labels = None
depends_on = None

ELSEWHERE = {
    " WITHOUT ROWID": "",
    # A key of PostgreSQL holds no more than 2,700 bytes, a label may have more.
    ",\n    CONSTRAINT symbol_text_type_key UNIQUE (text, type)": "",
    # Text in the order of its code points, and integers of 64 bits, as in SQLite.
    " TEXT": ' TEXT COLLATE "C"',
    "start INTEGER": "start BIGINT",
    "stop INTEGER": "stop BIGINT",
    "flavor INTEGER": "flavor BIGINT",
    " BLOB": " BYTEA",
    " FLOAT": " DOUBLE PRECISION",
    "score  NOT NULL": "score DOUBLE PRECISION NOT NULL",
    "bound  NOT NULL": "bound DOUBLE PRECISION NOT NULL",
    "value  NOT NULL": "value DOUBLE PRECISION NOT NULL",
}
"""What databases other than SQLite call things."""


def upgrade() -> None:
    """Make everything."""
    sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in TABLES:
        for ours, theirs in () if sqlite else ELSEWHERE.items():
            statement = statement.replace(ours, theirs)
        op.execute(statement.strip())
    if not sqlite:
        op.execute("CREATE INDEX symbol_text_ix ON symbol USING hash (text)")
    for statement in VIEWS:
        op.execute(statement.strip())


def downgrade() -> None:
    """Drop everything, what refers to others before what is referred to."""
    for statement in reversed((*TABLES, *VIEWS)):
        _, kind, name, *_ = statement.split()
        if kind != "INDEX":
            op.execute(f"drop {kind} {name}")


TABLES = (
    """
CREATE TABLE symbol (
    id INTEGER NOT NULL,
    text TEXT NOT NULL,
    type TEXT NOT NULL,
    CONSTRAINT symbol_pk PRIMARY KEY (id),
    CONSTRAINT symbol_text_type_key UNIQUE (text, type)
)
""",
    """
CREATE TABLE text (
    digest BLOB NOT NULL,
    content TEXT NOT NULL,
    CONSTRAINT text_pk PRIMARY KEY (digest)
) WITHOUT ROWID
""",
    """
CREATE TABLE collection (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    created TEXT NOT NULL,
    CONSTRAINT collection_pk PRIMARY KEY (id),
    CONSTRAINT collection_name_key UNIQUE (name)
)
""",
    """
CREATE TABLE metric (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    CONSTRAINT metric_pk PRIMARY KEY (id),
    CONSTRAINT metric_name_revision_key UNIQUE (name, revision)
)
""",
    """
CREATE TABLE ingest (
    id INTEGER NOT NULL,
    collection INTEGER NOT NULL,
    path TEXT NOT NULL,
    location TEXT NOT NULL,
    format TEXT NOT NULL,
    digest BLOB NOT NULL,
    graphs INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    created TEXT NOT NULL,
    CONSTRAINT ingest_pk PRIMARY KEY (id),
    CONSTRAINT ingest_collection_digest_key UNIQUE (collection, digest),
    CONSTRAINT ingest_collection_fk FOREIGN KEY(collection) REFERENCES collection
        (id) ON DELETE CASCADE
)
""",
    """
CREATE TABLE result (
    id INTEGER NOT NULL,
    metric INTEGER NOT NULL,
    gold BLOB NOT NULL,
    system BLOB NOT NULL,
    proven BOOLEAN NOT NULL,
    budget BIGINT NOT NULL,
    score  NOT NULL,
    bound  NOT NULL,
    steps BIGINT NOT NULL,
    method TEXT NOT NULL,
    microseconds BIGINT NOT NULL,
    CONSTRAINT result_pk PRIMARY KEY (id),
    CONSTRAINT result_gold_system_metric_proven_budget_key UNIQUE (gold, system,
        metric, proven, budget),
    CONSTRAINT result_metric_fk FOREIGN KEY(metric) REFERENCES metric (id)
)
""",
    """
CREATE TABLE evaluation (
    id INTEGER NOT NULL,
    gold INTEGER NOT NULL,
    system INTEGER NOT NULL,
    metric TEXT NOT NULL,
    signature TEXT NOT NULL,
    status TEXT NOT NULL,
    created TEXT NOT NULL,
    main TEXT DEFAULT 'all' NOT NULL,
    CONSTRAINT evaluation_pk PRIMARY KEY (id),
    CONSTRAINT evaluation_system_gold_metric_key UNIQUE (system, gold, metric),
    CONSTRAINT evaluation_gold_fk FOREIGN KEY(gold) REFERENCES collection (id) ON
        DELETE CASCADE,
    CONSTRAINT evaluation_system_fk FOREIGN KEY(system) REFERENCES collection (id) ON
        DELETE CASCADE
)
""",
    """
CREATE INDEX evaluation_gold_ix ON evaluation (gold)
""",
    """
CREATE TABLE rejected (
    ingest INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    line INTEGER NOT NULL,
    framework TEXT NOT NULL,
    item TEXT NOT NULL,
    message TEXT NOT NULL,
    raw TEXT NOT NULL,
    CONSTRAINT rejected_pk PRIMARY KEY (ingest, seq),
    CONSTRAINT rejected_ingest_fk FOREIGN KEY(ingest) REFERENCES ingest (id) ON
        DELETE CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE graph (
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
    extra TEXT,
    CONSTRAINT graph_pk PRIMARY KEY (id),
    CONSTRAINT graph_collection_framework_language_item_key UNIQUE (collection,
        framework, language, item),
    CONSTRAINT graph_collection_fk FOREIGN KEY(collection) REFERENCES collection (id)
        ON DELETE CASCADE,
    CONSTRAINT graph_ingest_fk FOREIGN KEY(ingest) REFERENCES ingest (id) ON DELETE
        CASCADE
)
""",
    """
CREATE INDEX graph_ingest_ix ON graph (ingest)
""",
    """
CREATE TABLE mass (
    result INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    quantity TEXT NOT NULL,
    value  NOT NULL,
    CONSTRAINT mass_pk PRIMARY KEY (result, kind, label, quantity),
    CONSTRAINT mass_result_fk FOREIGN KEY(result) REFERENCES result (id) ON DELETE
        CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE correspondence (
    result INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    parent INTEGER,
    level INTEGER NOT NULL,
    object TEXT NOT NULL,
    gold INTEGER,
    system INTEGER,
    credit FLOAT NOT NULL,
    CONSTRAINT correspondence_pk PRIMARY KEY (result, seq),
    CONSTRAINT correspondence_result_fk FOREIGN KEY(result) REFERENCES result (id) ON
        DELETE CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE error (
    result INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    parent INTEGER,
    side TEXT NOT NULL,
    kind TEXT NOT NULL,
    object TEXT NOT NULL,
    gold INTEGER,
    system INTEGER,
    label INTEGER,
    name INTEGER,
    value INTEGER,
    compared INTEGER,
    reason TEXT NOT NULL,
    credit FLOAT NOT NULL,
    CONSTRAINT error_pk PRIMARY KEY (result, seq),
    CONSTRAINT error_result_fk FOREIGN KEY(result) REFERENCES result (id) ON DELETE
        CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE error_count (
    result INTEGER NOT NULL,
    kind TEXT NOT NULL,
    side TEXT NOT NULL,
    errors INTEGER NOT NULL,
    CONSTRAINT error_count_pk PRIMARY KEY (result, kind, side),
    CONSTRAINT error_count_result_fk FOREIGN KEY(result) REFERENCES result (id) ON
        DELETE CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE error_total (
    evaluation INTEGER NOT NULL,
    framework TEXT NOT NULL,
    document TEXT NOT NULL,
    kind TEXT NOT NULL,
    side TEXT NOT NULL,
    errors INTEGER NOT NULL,
    CONSTRAINT error_total_pk PRIMARY KEY (evaluation, framework, document, kind, side),
    CONSTRAINT error_total_evaluation_fk FOREIGN KEY(evaluation) REFERENCES
        evaluation (id) ON DELETE CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE error_tuple (
    evaluation INTEGER NOT NULL,
    framework TEXT NOT NULL,
    kind TEXT NOT NULL,
    side TEXT NOT NULL,
    name INTEGER NOT NULL,
    value INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    CONSTRAINT error_tuple_pk PRIMARY KEY (evaluation, framework, kind, side, name,
        value),
    CONSTRAINT error_tuple_evaluation_fk FOREIGN KEY(evaluation) REFERENCES
        evaluation (id) ON DELETE CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE top (
    graph INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    node INTEGER NOT NULL,
    CONSTRAINT top_pk PRIMARY KEY (graph, seq),
    CONSTRAINT top_graph_fk FOREIGN KEY(graph) REFERENCES graph (id) ON DELETE CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE node (
    graph INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    label INTEGER,
    identifier TEXT,
    extra TEXT,
    CONSTRAINT node_pk PRIMARY KEY (graph, ordinal),
    CONSTRAINT node_graph_fk FOREIGN KEY(graph) REFERENCES graph (id) ON DELETE CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE property (
    graph INTEGER NOT NULL,
    node INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    name INTEGER NOT NULL,
    value INTEGER,
    CONSTRAINT property_pk PRIMARY KEY (graph, node, seq),
    CONSTRAINT property_graph_fk FOREIGN KEY(graph) REFERENCES graph (id) ON DELETE
        CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE anchor (
    graph INTEGER NOT NULL,
    node INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    CONSTRAINT anchor_pk PRIMARY KEY (graph, node, seq),
    CONSTRAINT anchor_graph_fk FOREIGN KEY(graph) REFERENCES graph (id) ON DELETE
        CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE edge (
    graph INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    label INTEGER,
    normal INTEGER,
    identifier TEXT,
    anchors TEXT,
    extra TEXT,
    CONSTRAINT edge_pk PRIMARY KEY (graph, ordinal),
    CONSTRAINT edge_graph_fk FOREIGN KEY(graph) REFERENCES graph (id) ON DELETE CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE attribute (
    graph INTEGER NOT NULL,
    edge INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    name INTEGER NOT NULL,
    value INTEGER,
    CONSTRAINT attribute_pk PRIMARY KEY (graph, edge, seq),
    CONSTRAINT attribute_graph_fk FOREIGN KEY(graph) REFERENCES graph (id) ON DELETE
        CASCADE
) WITHOUT ROWID
""",
    """
CREATE TABLE pair (
    evaluation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    framework TEXT NOT NULL,
    language TEXT NOT NULL,
    document TEXT NOT NULL,
    item TEXT NOT NULL,
    status TEXT NOT NULL,
    gold_graph INTEGER,
    system_graph INTEGER,
    result INTEGER,
    CONSTRAINT pair_pk PRIMARY KEY (evaluation, seq),
    CONSTRAINT pair_evaluation_fk FOREIGN KEY(evaluation) REFERENCES evaluation (id)
        ON DELETE CASCADE,
    CONSTRAINT pair_gold_graph_fk FOREIGN KEY(gold_graph) REFERENCES graph (id) ON
        DELETE SET NULL,
    CONSTRAINT pair_system_graph_fk FOREIGN KEY(system_graph) REFERENCES graph (id)
        ON DELETE SET NULL,
    CONSTRAINT pair_result_fk FOREIGN KEY(result) REFERENCES result (id)
) WITHOUT ROWID
""",
    """
CREATE INDEX pair_gold_graph_ix ON pair (gold_graph)
""",
    """
CREATE INDEX pair_system_graph_ix ON pair (system_graph)
""",
    """
CREATE INDEX pair_result_ix ON pair (result)
""",
)

VIEWS = (
    """
CREATE VIEW v_graphs as
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
    h.framework, h.language, h.document, h.item,
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
    h.framework, h.language, h.document, h.item,
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
    h.framework, h.language, h.document, h.item,
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
    h.framework, h.language, h.document, h.item,
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
    h.framework, h.language, h.document, h.item,
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
    h.framework, h.language, h.document, h.item,
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
    p.framework, p.language, p.document, p.item,
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
    """
CREATE VIEW v_errors as
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
    p.framework, p.language, p.document, p.item,
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
    c.framework, c.language, c.document, c.item,
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
      p.framework, p.language, p.document, p.item,
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
