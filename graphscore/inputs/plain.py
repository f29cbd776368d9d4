"""Lists and tuples of what libraries hold instead: arrays, tensors, sets, generators.

>>> from collections import namedtuple
>>> span = namedtuple("Span", "label start end")
>>> plain([span("PER", 0, 1)]), plain({("PER", 3, 4), ("LOC", 0, 1)})
([('PER', 0, 1)], [('LOC', 0, 1), ('PER', 3, 4)])
"""

from __future__ import annotations

from collections import UserList
from collections.abc import Iterator, Set
from dataclasses import is_dataclass
from operator import index
from types import NoneType
from typing import Any

_LEAVES = frozenset({str, int, NoneType})


def plain(item: Any) -> Any:
    """An item with lists and tuples throughout, where it holds anything like them.

    Args:
        item: anything; what has a ``tolist`` (arrays, tensors, columns) says itself
            what is in it.  Sets are sorted, so that their order is always the same.
    """
    kind = type(item)
    if kind is list or kind is tuple:
        if _LEAVES.issuperset(map(type, item)):
            return item
        return kind(map(plain, item))
    if isinstance(item, (str, bytes, dict, bool, int)) or is_dataclass(item):
        return item
    if isinstance(item, Set):
        return sorted(map(plain, item), key=repr)
    if isinstance(item, Iterator | UserList):
        return plain(list(item))
    if isinstance(item, tuple) and hasattr(item, "_fields"):
        return plain(tuple(item))
    if callable(getattr(kind, "tolist", None)):
        listed = item.tolist()
        return listed if type(listed) is kind else plain(listed)
    return index(item) if hasattr(kind, "__index__") else item
