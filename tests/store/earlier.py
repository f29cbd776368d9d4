"""A made-up earlier revision of the store, so that migrating one is tested.

Its table of graphs has one more column; it lacks an index and a view.  A store of it is
made by going back from the present revision.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from graphscore.store import migration, opening
from graphscore.store.schema import HEAD, REVISIONS

EARLIER = "earlier"

FIRST = f'''
revision = "{EARLIER}"
down_revision = None
'''

STEP = f'''
import sqlalchemy as sa
from alembic import op
from graphscore.store.views import VIEWS

revision = "{HEAD}"
down_revision = "{EARLIER}"

def upgrade():
    with op.batch_alter_table("graph") as batch:
        batch.drop_column("note")
    op.create_index("pair_evaluation_item_ix", "pair", ["evaluation", "item"])
    op.execute(VIEWS["v_changes"].strip())

def downgrade():
    op.execute("drop view v_changes")
    op.drop_index("pair_evaluation_item_ix", "pair")
    with op.batch_alter_table("graph") as batch:
        batch.add_column(sa.Column("note", sa.Text()))
'''
"""From the earlier revision to the present one."""


@contextmanager
def earlier_known(folder: Path) -> Iterator[Path]:
    """Let the library know the earlier revision, too.

    Args:
        folder: where the migrations of this library are written.

    Yields:
        The file that leads to the present revision.
    """
    versions = folder / "versions"
    versions.mkdir(parents=True)
    env = migration.migrations_folder() / "env.py"
    (folder / "env.py").write_bytes(env.read_bytes())
    (versions / "first.py").write_text(FIRST)
    step = versions / "step.py"
    step.write_text(STEP)
    with (
        patch.object(migration, "migrations_folder", lambda: folder),
        patch.object(opening, "REVISIONS", (EARLIER, *REVISIONS)),
    ):
        yield step


def make_earlier(store: str) -> None:
    """Bring a store of the present revision back to the earlier one.

    Args:
        store: path or URL; within :func:`earlier_known`.
    """
    migration.downgrade(store, EARLIER)
