"""Evaluations know the revision of their metric, and whether it is outdated.

Revision: r3
Revises: r2
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = "r3"
down_revision = "r2"
branch_labels = None
depends_on = None

SIGNED = re.compile(r"(?:^|\|)revision:(\d+)(?:\||$)")
"""Where a signature says what revision the metric had."""

TABLE = sa.table(
    "evaluation",
    sa.column("id", sa.Integer),
    sa.column("signature", sa.Text),
    sa.column("revision", sa.Integer),
)


def upgrade() -> None:
    """Add both columns, fill in the revision, and make the views anew."""
    _drop_views()
    op.execute(
        "ALTER TABLE evaluation ADD COLUMN revision INTEGER DEFAULT '1' NOT NULL"
    )
    false = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    op.execute(
        f"ALTER TABLE evaluation ADD COLUMN outdated BOOLEAN DEFAULT {false} NOT NULL"
    )
    connection = op.get_bind()
    rows = connection.execute(sa.select(TABLE.c.id, TABLE.c.signature)).all()
    for number, signature in rows:
        if signed := SIGNED.search(signature):
            connection.execute(
                sa.update(TABLE)
                .where(TABLE.c.id == number)
                .values(revision=int(signed[1]))
            )
    for statement in VIEWS:
        op.execute(statement.strip())


def downgrade() -> None:
    """Take the columns away, and make the views as they were."""
    _drop_views()
    op.execute("ALTER TABLE evaluation DROP COLUMN outdated")
    op.execute("ALTER TABLE evaluation DROP COLUMN revision")
    for statement in _earlier_views():
        if statement.split()[2] in _names():
            op.execute(statement.strip())


def _names() -> list[str]:
    return [statement.split()[2] for statement in VIEWS]


def _drop_views() -> None:
    for name in reversed(_names()):
        op.execute(f"drop view {name}")


def _earlier_views() -> tuple[str, ...]:
    """The views of the revision before, which stand in the script beside this one."""
    path = Path(__file__).with_name("r2_layers.py")
    spec = importlib.util.spec_from_file_location("graphscore_r2", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    views: tuple[str, ...] = module.VIEWS
    return views


VIEWS = (
    """
CREATE VIEW v_items as
  select
    g.name as gold, s.name as system, e.metric,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
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
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
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
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
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
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
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
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
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
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
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
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
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
  group by g.name, s.name, e.metric, e.revision, e.outdated, e.status,
    p.framework, p.document, x.kind, a.text, v.text, w.text
""",
    """
CREATE VIEW v_entity_errors as
  select
    c.gold, c.system, c.metric, c.revision, c.evaluation,
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
      g.name as gold, s.name as system, e.metric, e.revision,
      case when e.outdated then 'outdated' else e.status end as evaluation,
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
