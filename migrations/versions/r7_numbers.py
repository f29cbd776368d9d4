"""Counts and proofs are integers in every database.

Revision: r7
Revises: r6

Two views are made anew: of proofs they give numbers, which can be added up, and ratios
are divided as doubles, whatever their parts are kept as.  PostgreSQL keeps amounts as
decimals from here on, so that a count is an integer, as it is in SQLite.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from alembic import op

revision = "r7"
down_revision = "r6"
branch_labels = None
depends_on = None

AMOUNTS = (("mass", "value"), ("result", "score"), ("result", "bound"))
"""Columns that hold an integer or a double."""


def upgrade() -> None:
    """Make the views anew, and amounts decimals."""
    _drop_views()
    # By way of text, which says all of a double.
    _turn("NUMERIC", "::text::numeric")
    for statement in VIEWS:
        op.execute(statement.strip())


def downgrade() -> None:
    """Make both as they were."""
    _drop_views()
    _turn("DOUBLE PRECISION", "::double precision")
    for statement in _earlier_views():
        op.execute(statement.strip())


def _names() -> list[str]:
    return [statement.split()[2] for statement in VIEWS]


def _drop_views() -> None:
    for name in reversed(_names()):
        op.execute(f"drop view {name}")


def _turn(kind: str, how: str) -> None:
    """Give amounts another type; columns of SQLite have none."""
    if op.get_bind().dialect.name != "postgresql":
        return
    for table, column in AMOUNTS:
        # The server's prefix of a cast would be taken for a parameter.
        op.get_bind().exec_driver_sql(
            f"ALTER TABLE {table} ALTER COLUMN {column} TYPE {kind} USING {column}{how}"
        )


def _earlier_views() -> list[str]:
    """The two views of before, which stand in the script of the third revision."""
    path = Path(__file__).with_name("r3_outdated.py")
    spec = importlib.util.spec_from_file_location("graphscore_r3", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [each for each in module.VIEWS if each.split()[2] in _names()]


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
    r.score, r.bound, cast(r.proven as integer) as proven, r.steps,
    r.method, r.microseconds,
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
    r.score, r.bound, cast(r.proven as integer) as proven, r.steps
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
)
