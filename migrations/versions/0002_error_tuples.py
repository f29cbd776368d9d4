"""Totals of error tuples: the most frequent errors without counting them all.

Revision: 0002
Revises: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

VIEW = """
create view v_error_tuples as
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
"""

COUNT = """
insert into error_tuple
  (evaluation, framework, kind, side, name, value, errors)
select p.evaluation, p.framework, x.kind, x.side,
  coalesce(x.name, 0), coalesce(x.value, 0), count(*)
from pair p join error x on x.result = p.result
group by p.evaluation, p.framework, x.kind, x.side,
  coalesce(x.name, 0), coalesce(x.value, 0)
"""


def upgrade() -> None:
    """Make table and view, and count what is there."""
    op.create_table(
        "error_tuple",
        sa.Column("evaluation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("framework", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("name", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation"],
            ["evaluation.id"],
            name="error_tuple_evaluation_fk",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "evaluation",
            "framework",
            "kind",
            "side",
            "name",
            "value",
            name="error_tuple_pk",
        ),
        sqlite_with_rowid=False,
    )
    op.execute(VIEW)
    op.execute(COUNT)


def downgrade() -> None:
    """Drop both."""
    op.execute("drop view v_error_tuples")
    op.drop_table("error_tuple")
