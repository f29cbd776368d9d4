"""Unproven results of an earlier search are not used again.

Revision: r4
Revises: r3

How far a search gets with a budget depends on how it searches, so what one left open
says nothing of another.  Such results stay where they are, for the evaluations that
refer to them; their budget is turned below zero, so that no search finds it enough.
Proven results are proven.
"""

from __future__ import annotations

from alembic import op

revision = "r4"
down_revision = "r3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Turn the budgets of unproven results below zero."""
    _turn(">=")


def downgrade() -> None:
    """Turn them back; those of the later search cannot be told apart and go along."""
    _turn("<")


def _turn(sign: str) -> None:
    op.execute(
        f"update result set budget = -budget - 1 where not proven and budget {sign} 0"
    )
