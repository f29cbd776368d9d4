"""Things of which many are equal: the first of each kind, and how many there are.

Problems and findings are folded as they come and again where they are listed.  How
problems name values of JSON is here, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import msgspec

LISTED = 100
"""Problems that are listed, equal ones folded, before the rest is only counted."""

KEPT = 10_000
"""Equal problems that are kept, each with its place; the rest is only counted."""

PLACES = 3
"""Equal problems that are listed, each with its place, before they are counted."""

Thing = TypeVar("Thing")


class DuplicateCounter(Generic[Thing]):
    """Things as they come, of which many are equal: beyond so many, their number.

    Going through it gives what is kept; its length is how many there were.

    Args:
        kind: what equal things have in common; a function that workers can be sent.
        things: the first of them.
        most: how many of a kind are kept; all of them without it.

    >>> fold = DuplicateCounter(str.lower, "abAaBaA", most=2)
    >>> len(fold), [*fold], [*fold.weighted()]
    (7, ['a', 'b', 'A', 'B'], [('a', 1), ('b', 1), ('A', 4), ('B', 1)])
    """

    def __init__(
        self,
        kind: Callable[[Thing], Hashable],
        things: Iterable[Thing] = (),
        most: int | None = KEPT,
    ) -> None:
        self.kind, self.most = kind, most
        self._kept: list[Thing] = []
        # By kind: how many there are, and the place of the last one that is kept.
        self._kinds: dict[Hashable, list[int]] = {}
        self._number = 0
        self.extend(things)

    def add(self, thing: Thing, count: int = 1) -> None:
        """One more thing, which may stand for several."""
        self._number += count
        if self.most is None:
            self._kept.append(thing)
            return
        kind = self.kind(thing)
        known = self._kinds.get(kind)
        if known is None:
            self._kinds[kind] = [count, len(self._kept)]
        elif known[0] >= self.most:
            known[0] += count
            return
        else:
            known[0] += count
            known[1] = len(self._kept)
        self._kept.append(thing)

    def counted(self, kind: Hashable) -> bool:
        """Count one more of a kind, if no more of it are kept; otherwise do nothing."""
        known = self._kinds.get(kind)
        if known is None or self.most is None or known[0] < self.most:
            return False
        known[0] += 1
        self._number += 1
        return True

    def extend(self, things: Iterable[Thing]) -> None:
        """More things, in their order."""
        for thing, count in weighted(things):
            self.add(thing, count)

    def sort(self, key: Callable[[Thing], Any]) -> None:
        """Put what is kept into order."""
        self._kept.sort(key=key)
        if self.most is not None:
            for index, thing in enumerate(self._kept):
                self._kinds[self.kind(thing)][1] = index

    def weighted(self) -> Iterator[tuple[Thing, int]]:
        """Yield things with counts; the last of a kind includes those dropped."""
        if len(self._kept) == self._number:
            yield from zip(self._kept, repeat(1), strict=False)
            return
        of_kind: Counter[Hashable] = Counter(map(self.kind, self._kept))
        last = {index: kind for kind, (_, index) in self._kinds.items()}
        for index, thing in enumerate(self._kept):
            kind = last.get(index, self)
            more = self._kinds[kind][0] - of_kind[kind] if index in last else 0
            yield thing, 1 + more

    @property
    def kinds(self) -> int:
        """Number of kinds."""
        return len(self._kinds)

    def __iter__(self) -> Iterator[Thing]:
        return iter(self._kept)

    def __len__(self) -> int:
        return self._number


def weighted(things: Iterable[Thing]) -> Iterable[tuple[Thing, int]]:
    """Things, each with how many it stands for."""
    if isinstance(things, DuplicateCounter):
        return things.weighted()
    return zip(things, repeat(1), strict=False)


def folded(
    things: Iterable[Thing],
    kind: Callable[[Thing], Hashable],
    most: int = LISTED,
    group: Callable[[Thing], Hashable] | None = None,
    samples: int = PLACES,
) -> tuple[list[tuple[Thing, int]], int]:
    """The first things of each kind, and how many each stands for.

    Args:
        things: in their order, which is kept.
        kind: what equal things have in common.
        most: how many are listed of a group.
        group: what those have in common that share this room; without it, all do.
        samples: how many of a kind are listed.

    Returns:
        The first of each kind, the last of which stands for all that come after it
        as well; and how many are neither listed nor stood for.

    >>> folded(["a1", "b1", "a2", "a3", "a4", "a5"], lambda each: each[0])
    ([('a1', 1), ('b1', 1), ('a2', 1), ('a3', 3)], 0)
    """
    result: list[tuple[Thing, int]] = []
    listed: dict[Hashable, list[int]] = {}
    room: Counter[Hashable] = Counter()
    left = 0
    for thing, count in weighted(things):
        key = kind(thing)
        own = listed.get(key)
        if own is not None and len(own) == samples:
            result[own[-1]] = (result[own[-1]][0], result[own[-1]][1] + count)
            continue
        shared = None if group is None else group(thing)
        if room[shared] == most:
            left += count
            continue
        room[shared] += 1
        listed.setdefault(key, []).append(len(result))
        result.append((thing, count))
    return result, left


_PATH = r"(?s)^(.*?)(?: - at `\$(.*)`)?$"
_TYPES = r"^Expected `(.*)`, got `(.*)`$"
_ABSENT = r"^Object missing required field `(.*)`$"
_NO_CHOICE = r"(?s)^Invalid enum value (.*)$"


def invalid(error: msgspec.ValidationError, root: str = "$") -> tuple[str, str, str]:
    """Locate an invalid JSON value, with the text found and expected.

    Args:
        error: what msgspec says.
        root: the path of what was decoded.

    >>> import msgspec
    >>> try:
    ...     msgspec.json.decode(b'[{"a": 1}, {"a": ""}]', type=list[dict[str, int]])
    ... except msgspec.ValidationError as error:
    ...     print(*invalid(error))
    $[1][...] str int
    """
    match = re.match(_PATH, str(error))
    message, path = (match[1], match[2] or "") if match else (str(error), "")
    where = f"{root}{path}"
    if types := re.match(_TYPES, message):
        return where, types[2], types[1].replace(" | ", " or ")
    if absent := re.match(_ABSENT, message):
        return f"{where}.{absent[1]}", "nothing", "this field"
    if choice := re.match(_NO_CHOICE, message):
        return where, choice[1], "one of the values that there are"
    return where, message[:1].lower() + message[1:], ""


def shown(value: Any) -> str:
    """A JSON value as problems show it: cut, and structures by their name.

    >>> shown("a" * 50), shown({"a": 1}), shown([1, 2]), shown(None), shown(True)
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'", 'an object', '[1, 2]', 'null', 'true')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, str):
        return repr(value if len(value) <= 30 else value[:30] + "...")
    if isinstance(value, int) and abs(value) > 10**18:
        return "a number out of range"
    if isinstance(value, list):
        plain = all(isinstance(element, str | int | float) for element in value)
        if plain and len(value) <= 8:
            return f"[{', '.join(map(shown, value))}]"
        return f"a list of {len(value)}"
    return repr(value)
