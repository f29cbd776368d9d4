"""Indexes by which patterns are looked for.

Revision: r6
Revises: r5
"""

from __future__ import annotations

from alembic import op

revision = "r6"
down_revision = "r5"
branch_labels = None
depends_on = None

INDEXES = {
    "edge_graph_label_target_source_ix": "edge (graph, label, target, source)",
    "edge_graph_source_label_target_ix": "edge (graph, source, label, target)",
    "correspondence_result_object_gold_system_ix": "correspondence "
    "(result, object, gold, system)",
    "error_result_object_gold_ix": "error (result, object, gold) "
    "WHERE side <> 'surplus'",
    "error_result_object_system_ix": "error (result, object, system) "
    "WHERE side <> 'missing'",
}


def upgrade() -> None:
    """Add them."""
    for name, what in INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON {what}")


def downgrade() -> None:
    """Take them away."""
    for name in INDEXES:
        op.execute(f"DROP INDEX {name}")
