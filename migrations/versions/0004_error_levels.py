"""Where errors stand in nested matches, in the view of errors.

Revision: 0004
Revises: 0003
"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BEFORE = """
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
"""

AFTER = """
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
    x.reason, x.credit, x.parent,
    coalesce((select m.level + 1 from correspondence m
      where m.result = x.result and m.seq = x.parent), 0) as level
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join error x on x.result = p.result
"""


def upgrade() -> None:
    """Add parent and level."""
    op.execute("drop view v_errors")
    op.execute(AFTER.strip())


def downgrade() -> None:
    """Take them away again."""
    op.execute("drop view v_errors")
    op.execute(BEFORE.strip())
