"""Errors are counted by label, and confusions, when an evaluation is made.

Revision: r8
Revises: r7
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r8"
down_revision = "r7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, count what there is, and make the views anew."""
    _make(
        "error_label",
        "errors",
        texts=("framework", "kind", "side"),
        symbols=("label", "name", "value"),
    )
    _make(
        "confusion",
        "confusions",
        texts=("framework", "document", "kind"),
        symbols=("name", "gold", "system"),
    )
    op.execute(LABELS)
    op.execute(CONFUSIONS)
    op.execute("DROP VIEW v_confusions")
    for statement in VIEWS:
        op.execute(statement.strip())


def downgrade() -> None:
    """Make the view as it was, and take the tables away."""
    op.execute("DROP VIEW v_error_labels")
    op.execute("DROP VIEW v_confusions")
    op.execute(EARLIER.strip())
    op.drop_table("confusion")
    op.drop_table("error_label")


def _make(
    table: str, count: str, texts: tuple[str, ...], symbols: tuple[str, ...]
) -> None:
    text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        table,
        sa.Column("evaluation", sa.Integer(), nullable=False),
        *(sa.Column(name, text, nullable=False) for name in texts),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in symbols),
        sa.Column(count, sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation"],
            ["evaluation.id"],
            name=op.f(f"{table}_evaluation_fk"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "evaluation", *texts, *symbols, name=op.f(f"{table}_pk")
        ),
        sqlite_with_rowid=False,
    )


LABELS = """
INSERT INTO error_label
  (evaluation, framework, kind, side, label, name, value, errors)
SELECT p.evaluation, p.framework, x.kind, x.side,
  coalesce(x.label, 0), coalesce(x.name, 0), coalesce(x.value, 0), count(*)
FROM pair p
JOIN error x ON x.result = p.result
GROUP BY p.evaluation, p.framework, x.kind, x.side,
  coalesce(x.label, 0), coalesce(x.name, 0), coalesce(x.value, 0)
"""

CONFUSIONS = """
INSERT INTO confusion
  (evaluation, framework, document, kind, name, gold, system, confusions)
SELECT p.evaluation, p.framework, p.document, x.kind,
  coalesce(x.name, 0), coalesce(x.value, 0), coalesce(y.value, 0), count(*)
FROM pair p
JOIN error x ON x.result = p.result AND x.side = 'missing'
  AND x.gold IS NOT NULL AND x.system IS NOT NULL
JOIN error y ON y.result = x.result AND y.side = 'surplus'
  AND y.kind = x.kind AND y.gold = x.gold AND y.system = x.system
  AND coalesce(y.name, 0) = coalesce(x.name, 0)
GROUP BY p.evaluation, p.framework, p.document, x.kind,
  coalesce(x.name, 0), coalesce(x.value, 0), coalesce(y.value, 0)
"""

EARLIER = """
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
"""

VIEWS = (
    """
CREATE VIEW v_error_labels as
  select
    g.name as gold, s.name as system, e.metric,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    t.framework, t.kind, t.side,
    (select y.text from symbol y where y.id = t.label) as label,
    coalesce((select y.text from symbol y where y.id = t.name), '') as name,
    (select y.text from symbol y where y.id = t.value) as value,
    coalesce((select y.type from symbol y where y.id = t.value), 'null') as type,
    t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_label t on t.evaluation = e.id
""",
    """
CREATE VIEW v_confusions as
  select
    g.name as gold, s.name as system, e.metric,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
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
  group by g.name, s.name, e.metric, e.revision, e.outdated, e.status,
    t.framework, t.document, t.kind, a.text, v.text, w.text
""",
)
