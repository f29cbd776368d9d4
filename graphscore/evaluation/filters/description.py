"""What is said of a score that a pattern restricts."""

from __future__ import annotations

from typing import Any, NamedTuple


class Restriction(NamedTuple):
    """What part of everything a result is about.

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
        """What is written below tables."""
        what = "only tuples of what is bound by" if self.within else "only where"
        return f"{what} {self.pattern}"

    def to_dict(self) -> dict[str, Any]:
        """What JSON says of it."""
        return {"where": self._asdict()}

    def filter(self, others: str = "") -> str:
        """What a scope says of it.

        Args:
            others: what else limits the items.
        """
        name = "within" if self.within else "where"
        return "; ".join(filter(None, (others, f"{name} {self.pattern}")))

    def field(self) -> str:
        r"""What a signature says of it; what parts its fields is written otherwise.

        >>> Restriction("pattern { X [pos=A|B] }", False, 1, 2).field()
        'where:pattern { X [pos=A%7CB] }'
        """
        written = "".join(
            f"%{ord(sign):02X}" if sign in "%|" or sign < " " else sign
            for sign in self.pattern
        )
        return f"{'within' if self.within else 'where'}:{written}"


def signed(signature: str, restriction: Restriction, proven: str) -> str:
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
