"""Types of columns that both databases keep alike."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Integer, Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.types import UserDefinedType


class Number(UserDefinedType[Any]):
    """An integer or a double, kept as which it came.

    SQLite keeps the type of each single value in a column without a type.  Other
    databases have decimals of any length, where ``4`` is a number without a fraction
    and ``4.0`` one with a fraction of zero: sums of counts are integers in both.
    """

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """The column type outside SQLite."""
        return "NUMERIC"


@compiles(Number, "sqlite")
def _untyped(*_: Any, **__: Any) -> str:
    return ""


TEXT = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of its code points, as SQLite has it, whatever the locale."""

LONG = Integer().with_variant(BigInteger(), "postgresql")
"""An integer of 64 bits, as every integer of SQLite is."""
