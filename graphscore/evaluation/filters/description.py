"""Description of a score that is restricted by a pattern."""

from __future__ import annotations

from typing import Any, NamedTuple


class Restriction(NamedTuple):
    """Restriction of a result to the items or tuples of a pattern.

    Args:
        pattern: in which it was found, as it prints.
        within: whether only tuples of the nodes and edges count that it binds.
        units: how many items, sentences or documents count.
        of: how many there are.
    """

    pattern: str
    within: bool
    units: int
    of: int

    def __str__(self) -> str:
        """Return the line below tables."""
        what = "only tuples of what is bound by" if self.within else "only where"
        return f"{what} {self.pattern}"

    def to_dict(self) -> dict[str, Any]:
        """Return the restriction as JSON."""
        return {"where": self._asdict()}

    def filter(self, others: str = "") -> str:
        """Return the filter field of a scope.

        Args:
            others: what else limits the items.
        """
        name = "within" if self.within else "where"
        return "; ".join(filter(None, (others, f"{name} {self.pattern}")))

    def field(self) -> str:
        r"""Return the signature field, with separators percent-encoded.

        >>> Restriction("pattern { X [pos=A|B] }", False, 1, 2).field()
        'where:pattern { X [pos=A%7CB] }'
        """
        written = "".join(
            f"%{ord(sign):02X}" if sign in "%|" or sign < " " else sign
            for sign in self.pattern
        )
        return f"{'within' if self.within else 'where'}:{written}"


def restricted_signature(signature: str, restriction: Restriction, proven: str) -> str:
    """The signature of a whole result as that of a part of it.

    Args:
        signature: of the whole.
        restriction: which part.
        proven: how many of how many pairs are.
    """
    result = []
    for field in signature.split("|"):
        name = field.partition(":")[0]
        if name == "limit":
            result.append(restriction.field())
        result.append(f"proven:{proven}" if name == "proven" else field)
    return "|".join(result)
