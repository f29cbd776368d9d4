"""Bringing an older store up to date; the only module that imports alembic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection

from graphscore.exceptions import StoreError, truncate
from graphscore.store.database import Database, open_engine
from graphscore.store.database_errors import guarded
from graphscore.store.integrity import damaged
from graphscore.store.turns import Turns


def migrations_folder() -> Path:
    """Return the folder of the migration scripts.

    Returns:
        The folder inside the installed package, else that of the checkout.

    Raises:
        StoreError: when neither is there.
    """
    package = Path(__file__).parent.parent
    for folder in (package / "_migrations", package.parent / "migrations"):
        if (folder / "env.py").is_file():
            return folder
    raise StoreError("the migration scripts are missing from this installation")


def upgrade(name: str, target: str = "head", turns: Turns | None = None) -> None:
    """Migrate a store upwards, as a whole or not at all.

    Args:
        name: its path or URL.
        target: the revision to reach.
        turns: how to wait for other writers.

    Raises:
        StoreError: the store cannot be opened or written, or its rows would
            contradict each other afterwards.
    """
    _run(name, command.upgrade, target, turns)


def downgrade(name: str, target: str) -> None:
    """Migrate a store downwards, as a whole or not at all.

    Args:
        name: its path or URL.
        target: the revision to reach; ``base`` leaves nothing.

    Raises:
        StoreError: the store cannot be opened or written.
    """
    _run(name, command.downgrade, target)


def _run(name: str, direction: Any, target: str, turns: Turns | None = None) -> None:
    config = Config()
    # The configuration interpolates per cent signs.
    folder = str(migrations_folder()).replace("%", "%%")
    config.set_main_option("script_location", folder)
    with guarded(name):
        # Rebuilding a table drops the old one, which would take along, row by
        # row, whatever refers to it; references are checked once at the end.
        engine = open_engine(name, migrating=True, turns=turns)
        try:
            with Database(name, engine, read_only=False).writing() as connection:
                config.attributes["connection"] = connection
                try:
                    direction(config, target)
                except (CommandError, LookupError, ValueError) as error:
                    # Of tables that are not as their revision has them.
                    text = truncate(" ".join(str(error).split()))
                    raise damaged(f"it cannot be migrated ({text})") from error
                _check_references(name, connection)
        finally:
            engine.dispose()


def _check_references(name: str, connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("pragma foreign_key_check").first()
    if broken is not None:
        raise StoreError(
            f"{name}: a row of {broken[0]} refers to a row of {broken[2]} "
            "that is not there; nothing was migrated"
        )
