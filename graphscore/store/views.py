"""The public SQL interface: views that join all names in, as ``views.sql`` has them."""

from __future__ import annotations

from importlib.resources import files

from sqlalchemy import Connection

STATUS = "case when e.outdated then 'outdated' else e.status end"
"""What has become of an evaluation: done, stale, or made under another revision."""


def _read_views() -> dict[str, str]:
    """Read the statements, each without the comments before it."""
    text = files(__package__).joinpath("views.sql").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    statements = [each.strip() for each in "\n".join(lines).split(";")]
    return {each.split()[2]: each for each in statements if each}


VIEWS: dict[str, str] = _read_views()
"""Every public view with the statement that creates it."""


def create_views(connection: Connection) -> None:
    """Create all views in a database that has the tables.

    Args:
        connection: where; the caller commits.
    """
    for statement in VIEWS.values():
        connection.exec_driver_sql(statement)
