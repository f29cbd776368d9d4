"""The public SQL interface: views that join all names in, as ``views.sql`` has them."""

from __future__ import annotations

from importlib.resources import files

from sqlalchemy import Connection

STATUS = "case when e.outdated then 'outdated' else e.status end"
"""SQL of the status of an evaluation: done, stale, or outdated."""


_TEXT = "\n".join(
    line
    for line in files(__package__).joinpath("views.sql").read_text("utf-8").splitlines()
    if not line.startswith("--")
)

VIEWS: dict[str, str] = {
    statement.split()[2]: statement.strip()
    for statement in _TEXT.split(";")
    if statement.strip()
}
"""Every public view with the statement that creates it."""


def create_views(connection: Connection) -> None:
    """Create all views in a database that has the tables.

    Args:
        connection: where; the caller commits.
    """
    for statement in VIEWS.values():
        connection.exec_driver_sql(statement)
