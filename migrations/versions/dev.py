"""All tables and views, as this version has them.

Revision: that of the schema
Revises: nothing

Until 1.0 this is the only revision: it follows the schema, and the schema names it
anew whenever it changes.
"""

from __future__ import annotations

from alembic import op

from graphscore.store.schema import HEAD, metadata
from graphscore.store.views import VIEWS, create_views

revision = HEAD
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make everything."""
    metadata.create_all(op.get_bind(), checkfirst=False)
    create_views(op.get_bind())


def downgrade() -> None:
    """Drop everything."""
    for view in reversed(VIEWS):
        op.execute(f"drop view {view}")
    metadata.drop_all(op.get_bind(), checkfirst=False)
