"""The amounts and the F1 of every unit, in the view of items.

Revision: 0003
Revises: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BEFORE = """
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
"""

AFTER = """
create view v_items as
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
          and (e.main = 'all' or m.kind = e.main)
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
          and (e.main = 'all' or m.kind = e.main)
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
          and (e.main = 'all' or m.kind = e.main)
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
          and (e.main = 'all' or m.kind = e.main)
        group by m.kind) k) end as matched_system,
    case when p.result is not null then (
      select case
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
          and (e.main = 'all' or m.kind = e.main)
        group by m.kind) k) end as f1,
    r.score, r.bound, r.proven, r.steps, r.method, r.microseconds,
    (select coalesce(sum(n.errors), 0) from error_count n where n.result = p.result)
      as errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  left join result r on r.id = p.result
"""


def upgrade() -> None:
    """Note which kind stands for the metric, and make the view anew.

    Evaluations that are there are of metrics whose kinds are summed; those that are
    not are made anew when they are scored again.
    """
    op.execute("drop view v_items")
    op.add_column(
        "evaluation",
        sa.Column("main", sa.Text(), server_default="all", nullable=False),
    )
    op.execute(AFTER)


def downgrade() -> None:
    """Take the column away, and put the view back."""
    op.execute("drop view v_items")
    op.drop_column("evaluation", "main")
    op.execute(BEFORE)
