"""The public SQL interface: views that join all names in.

Everything here is documented column by column in ``docs/store.md``.  Strings are
looked up where a query asks for them and nowhere else: counting errors by kind
never touches the symbols.  Ratios are divided as doubles, whatever amounts are kept as.
"""

from __future__ import annotations

from sqlalchemy import Connection

from graphscore.store.changes import CHANGES
from graphscore.store.entities import ENTITY_ERRORS

_OWNERS = """
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id"""

_UNIT = """
    p.framework, p.language, p.document, p.item, p.layer"""

STATUS = "case when e.outdated then 'outdated' else e.status end"
"""What has become of an evaluation: done, stale, or made under another revision."""

_NAMES = f"""
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, {STATUS} as evaluation,"""


def _text(symbol: str) -> str:
    """A symbol's text.

    Not a join: SQLite works out a column that is not asked for of a joined table
    all the same when it counts, but leaves out an unused subquery.
    """
    return f"(select y.text from symbol y where y.id = {symbol})"


def _type(symbol: str) -> str:
    return f"coalesce((select y.type from symbol y where y.id = {symbol}), 'null')"


def _node_label(side: str) -> str:
    label = (
        f"select n.label from node n where n.graph = p.{side}_graph "
        f"and n.ordinal = m.{side}"
    )
    return f"case m.object when 'node' then {_text(f'({label})')} end"


_GRAPHS = """
create view v_graphs as
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
  left join ingest i on i.id = g.ingest"""

_REJECTED = """
create view v_rejected as
  select
    c.name as collection,
    i.path as file,
    r.line, r.framework, r.item, r.message, r.raw
  from rejected r
  join ingest i on i.id = r.ingest
  join collection c on c.id = i.collection"""


def _tuples(kind: str, columns: str, source: str) -> str:
    return f"""
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    '{kind}' as kind,{columns}
  from graph h
  join collection c on c.id = h.collection{source}"""


_NODE_OF_TUPLE = "select n.label from node n where n.graph = q.graph and n.ordinal"

_PAIRS = f"""
    {_text("q.name")}, {_text("q.value")}, {_type("q.value")},"""

_TUPLES = "\ncreate view v_tuples as" + "\n  union all".join(
    (
        _tuples(
            "tops",
            f"""
    q.node as node, cast(null as integer) as edge,
    {_text(f"({_NODE_OF_TUPLE} = q.node)")} as label,
    cast(null as text) as name, cast(null as text) as value,
    cast(null as text) as type,
    cast(null as integer) as source, cast(null as integer) as target""",
            """
  join top q on q.graph = h.id""",
        ),
        _tuples(
            "labels",
            f"""
    n.ordinal, null, {_text("n.label")},
    null, {_text("n.label")}, {_type("n.label")}, null, null""",
            """
  join node n on n.graph = h.id and n.label is not null""",
        ),
        _tuples(
            "properties",
            f"""
    q.node, null, {_text(f"({_NODE_OF_TUPLE} = q.node)")},{_PAIRS} null, null""",
            """
  join property q on q.graph = h.id""",
        ),
        _tuples(
            "anchors",
            f"""
    q.node, null, {_text(f"({_NODE_OF_TUPLE} = q.node)")},
    null, q.start || ':' || q.stop, 'range', null, null""",
            """
  join anchor q on q.graph = h.id""",
        ),
        _tuples(
            "edges",
            f"""
    null, x.ordinal, {_text("x.label")},
    null, {_text("x.label")}, {_type("x.label")}, x.source, x.target""",
            """
  join edge x on x.graph = h.id""",
        ),
        _tuples(
            "attributes",
            f"""
    null, q.edge, {_text("x.label")},{_PAIRS} x.source, x.target""",
            """
  join attribute q on q.graph = h.id
  join edge x on x.graph = q.graph and x.ordinal = q.edge""",
        ),
    )
)


def _main(expression: str) -> str:
    """An expression over the amounts of the kinds that stand for the metric.

    Not a join, for the same reason as symbols: who counts units never sums masses.
    """
    return f"""case when p.result is not null then (
      select {expression}
      from (
        select
          sum(case when m.quantity = 'gold' then m.value else 0 end) as gold,
          sum(case when m.quantity = 'system' then m.value else 0 end) as system,
          sum(case when m.quantity = 'matched' then m.value else 0 end) as matched,
          max(case when m.quantity = 'matched_system' then m.value end) as other
        from mass m
        where m.result = p.result and m.label = ''
          and (e.main in ('all', 'mean') or m.kind = e.main)
        group by m.kind) k) end"""


_CORRECT = "coalesce(sum(k.matched), 0)"

_CORRECT_SYSTEM = "coalesce(sum(coalesce(k.other, k.matched)), 0)"

_F1 = """case
        when e.main = 'mean' then avg(case
          when k.other is null and k.gold + k.system > 0
            then 2.0 * cast(k.matched as float) / (k.gold + k.system)
          when k.gold > 0 and k.system > 0 and k.matched + k.other > 0
            then 2.0 * (cast(k.other as float) / k.system)
              * (cast(k.matched as float) / k.gold)
              / (cast(k.other as float) / k.system
                + cast(k.matched as float) / k.gold)
          else 0.0 end)
        when count(k.other) = 0 and sum(k.gold) + sum(k.system) > 0
          then 2.0 * cast(sum(k.matched) as float) / (sum(k.gold) + sum(k.system))
        when sum(k.gold) > 0 and sum(k.system) > 0
            and sum(k.matched) + sum(coalesce(k.other, k.matched)) > 0
          then 2.0 * (cast(sum(coalesce(k.other, k.matched)) as float) / sum(k.system))
            * (cast(sum(k.matched) as float) / sum(k.gold))
            / (cast(sum(coalesce(k.other, k.matched)) as float) / sum(k.system)
              + cast(sum(k.matched) as float) / sum(k.gold))
        else 0.0 end"""

_PROVEN = "cast(r.proven as integer) as proven"
"""A number, so that proofs can be added up."""

_EVALUATIONS = f"""
create view v_evaluations as
  select{_NAMES}
    (select count(*) from pair p where p.evaluation = e.id and p.status <> 'surplus')
      as units,
    (select count(*) from pair p where p.evaluation = e.id
      and p.status in ('missing', 'rejected')) as missing,
    (select count(*) from pair p where p.evaluation = e.id and p.status = 'surplus')
      as surplus,
    e.created, e.signature
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system"""

_ITEMS = f"""
create view v_items as
  select{_NAMES}{_UNIT},
    p.status,
    {_main("coalesce(sum(k.gold), 0)")} as gold_count,
    {_main("coalesce(sum(k.system), 0)")} as system_count,
    {_main(_CORRECT)} as matched,
    {_main(_CORRECT_SYSTEM)} as matched_system,
    {_main(_F1)} as f1,
    r.score, r.bound, {_PROVEN}, r.steps,
    r.method, r.microseconds,
    (select coalesce(sum(n.errors), 0) from error_count n where n.result = p.result)
      as errors{_OWNERS}
  left join result r on r.id = p.result"""

_SCORES = f"""
create view v_scores as
  select{_NAMES}{_UNIT},
    a.kind,
    a.value as gold_count,
    b.value as system_count,
    m.value as matched,
    coalesce(k.value, m.value) as matched_system,
    case when b.value = 0 then 0.0
      else cast(coalesce(k.value, m.value) as float) / b.value end as precision,
    case when a.value = 0 then 0.0
      else cast(m.value as float) / a.value end as recall,
    case when k.value is null and a.value + b.value > 0
        then 2.0 * cast(m.value as float) / (a.value + b.value)
      when a.value > 0 and b.value > 0 and m.value + k.value > 0
        then 2.0 * (cast(k.value as float) / b.value)
          * (cast(m.value as float) / a.value)
          / (cast(k.value as float) / b.value + cast(m.value as float) / a.value)
      else 0.0 end as f1,
    r.score, r.bound, {_PROVEN}, r.steps{_OWNERS}
  join mass a on a.result = p.result and a.label = '' and a.quantity = 'gold'
  left join mass b on b.result = a.result and b.kind = a.kind
    and b.label = '' and b.quantity = 'system'
  left join mass m on m.result = a.result and m.kind = a.kind
    and m.label = '' and m.quantity = 'matched'
  left join mass k on k.result = a.result and k.kind = a.kind
    and k.label = '' and k.quantity = 'matched_system'
  left join result r on r.id = p.result"""

_ERRORS = f"""
create view v_errors as
  select{_NAMES}{_UNIT},
    x.side, x.kind, x.object,
    x.gold as gold_ordinal, x.system as system_ordinal,
    {_text("x.label")} as label,
    coalesce({_text("x.name")}, '') as name,
    {_text("x.value")} as value,
    {_type("x.value")} as type,
    {_text("x.compared")} as compared,
    x.reason, x.credit, x.parent,
    coalesce((select m.level + 1 from correspondence m
      where m.result = x.result and m.seq = x.parent), 0) as level{_OWNERS}
  join error x on x.result = p.result"""

_ERROR_COUNTS = f"""
create view v_error_counts as
  select{_NAMES}
    t.framework, t.document, t.kind, t.side, t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_total t on t.evaluation = e.id"""

_ERROR_TUPLES = f"""
create view v_error_tuples as
  select{_NAMES}
    t.framework, t.kind, t.side,
    coalesce({_text("t.name")}, '') as name,
    {_text("t.value")} as value,
    t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_tuple t on t.evaluation = e.id"""

_ERROR_LABELS = f"""
create view v_error_labels as
  select{_NAMES}
    t.framework, t.kind, t.side,
    {_text("t.label")} as label,
    coalesce({_text("t.name")}, '') as name,
    {_text("t.value")} as value,
    {_type("t.value")} as type,
    t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_label t on t.evaluation = e.id"""

_CORRESPONDENCES = f"""
create view v_correspondences as
  select{_NAMES}{_UNIT},
    m.seq, m.parent, m.level,
    case when m.system is null then 'gold'
      when m.gold is null then 'system' else 'both' end as side,
    m.object,
    m.gold as gold_ordinal, m.system as system_ordinal,
    {_node_label("gold")} as gold_label,
    {_node_label("system")} as system_label,
    m.credit{_OWNERS}
  join correspondence m on m.result = p.result"""

_CONFUSIONS = f"""
create view v_confusions as
  select{_NAMES}
    t.framework, t.document,
    t.kind,
    coalesce(a.text, '') as name,
    v.text as gold_value,
    w.text as system_value,
    sum(t.confusions) as confusions
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join confusion t on t.evaluation = e.id
  left join symbol a on a.id = t.name
  left join symbol v on v.id = t.gold
  left join symbol w on w.id = t.system
  group by g.name, s.name, e.metric, e.scope, e.revision, e.outdated, e.status,
    t.framework, t.document, t.kind, a.text, v.text, w.text"""

VIEWS: dict[str, str] = {
    "v_graphs": _GRAPHS,
    "v_rejected": _REJECTED,
    "v_tuples": _TUPLES,
    "v_evaluations": _EVALUATIONS,
    "v_items": _ITEMS,
    "v_scores": _SCORES,
    "v_errors": _ERRORS,
    "v_error_counts": _ERROR_COUNTS,
    "v_error_tuples": _ERROR_TUPLES,
    "v_error_labels": _ERROR_LABELS,
    "v_correspondences": _CORRESPONDENCES,
    "v_confusions": _CONFUSIONS,
    "v_entity_errors": ENTITY_ERRORS,
    "v_changes": CHANGES,
}
"""Every public view with the statement that creates it."""


def create_views(connection: Connection) -> None:
    """Create all views in a database that has the tables.

    Args:
        connection: where; the caller commits.
    """
    for statement in VIEWS.values():
        connection.exec_driver_sql(statement.strip())
