"""Relations between frames of FrameNet, read from its files.

``frRelation.xml`` and ``frames.xml`` of FrameNet (their element names changed between
releases; both are known), or a table with tabs between its columns::

    Commerce_buy  Getting                       the first frame is above the second
    Commerce_buy  Buyer  Getting  Recipient     so is the frame element
    Commerce_buy  Buyer  Core                   what kind of element it is

Lines of a table that are empty or begin with ``#`` say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from graphscore.exceptions import UsageError
from graphscore.lazy import blake2b
from graphscore.tables import content_of, rows

Element = tuple[str, str]
"""A frame and one of its elements."""

IGNORED = frozenset({"See_also", "CoreSet", "Excludes", "Requires"})
"""Relations that bring no frames near (``fssScore.pl``)."""

CORE = "Core"
"""Value of the core type in FrameNet's files."""

LONGEST = 9
"""Steps after which nothing is related any more (``fssScore.pl``)."""

LARGEST = 256 * 1024 * 1024
"""A larger file is no list of relations."""

_TYPES = frozenset({"frame-relation-type", "frameRelationType"})
_FRAMES = frozenset({"frame-relation", "frameRelation"})
_ELEMENTS = frozenset({"fe-relation", "FERelation"})
_ELEMENT = frozenset({"fe", "FE"})


class RelationPath(NamedTuple):
    """The shortest way from one frame, or element, to another."""

    steps: int
    ways: int
    """From how many places the last step can be made."""


class Relations:
    """Frames and frame elements with what they are next to.

    Args:
        frames: frames next to each frame, as often as they are related.
        elements: the same of elements.
        kinds: whether each element is core; nothing if that is said of none.
    """

    def __init__(
        self,
        frames: dict[str, list[str]],
        elements: dict[Element, list[Element]],
        kinds: dict[Element, bool],
    ) -> None:
        self._near: dict[object, list[object]] = {}
        for name, names in frames.items():
            self._near[name] = list(names)
        for element, others in elements.items():
            self._near[element] = list(others)
        self._kinds = kinds
        self._ways: dict[object, dict[object, RelationPath]] = {}

    def way(self, left: str | Element, right: str | Element) -> RelationPath | None:
        """The shortest way between two frames or two elements, if there is one."""
        if left == right:
            return RelationPath(0, 1)
        if left not in self._ways:
            self._ways[left] = self._from(left)
        return self._ways[left].get(right)

    def _from(self, start: object) -> dict[object, RelationPath]:
        result = {start: RelationPath(0, 1)}
        reached = [start]
        for steps in range(1, LONGEST + 1):
            further: list[object] = []
            for name in reached:
                for neighbor in self._near.get(name, ()):
                    way = result.get(neighbor)
                    if way is None:
                        result[neighbor] = RelationPath(steps, 1)
                        further.append(neighbor)
                    elif way.steps == steps:
                        result[neighbor] = RelationPath(steps, way.ways + 1)
            reached = further
        return result

    def is_core(self, frame: str, element: str) -> bool:
        """Return true if an element is core; without any information, all are."""
        return self.core_of(frame, element) is True

    def core_of(self, frame: str, element: str) -> bool | None:
        """Return true if an element is core; ``None`` if the files do not name it."""
        return True if not self._kinds else self._kinds.get((frame, element))


class _Files:
    """Content of several FrameNet files."""

    def __init__(self) -> None:
        self.frames: dict[str, list[str]] = {}
        self.elements: dict[Element, list[Element]] = {}
        self.kinds: dict[Element, bool] = {}

    def relate(self, left: str, right: str) -> None:
        self.frames.setdefault(left, []).append(right)
        self.frames.setdefault(right, []).append(left)

    def relate_elements(self, left: Element, right: Element) -> None:
        self.elements.setdefault(left, []).append(right)
        self.elements.setdefault(right, []).append(left)

    def table(self, path: str, text: str) -> None:
        """Take what a table says."""
        for number, columns in rows(text, comment="#"):
            if "" in columns or not 2 <= len(columns) <= 4:
                raise UsageError(
                    f"{path}:{number}: found {len(columns)} columns, expected two "
                    "frames, a frame, an element and its kind, or two frames each "
                    "with an element"
                )
            if len(columns) == 2:
                self.relate(columns[0], columns[1])
            elif len(columns) == 3:
                self.kinds[columns[0], columns[1]] = columns[2] == CORE
            else:
                left, right = (columns[0], columns[1]), (columns[2], columns[3])
                self.relate_elements(left, right)

    def xml(self, path: str, data: bytes) -> None:
        """Take what a file of FrameNet says."""
        handler = _Handler(self)
        parser = expat.ParserCreate()
        parser.StartElementHandler = handler.start
        parser.EntityDeclHandler = handler.refuse
        try:
            parser.Parse(data, True)
        except (expat.ExpatError, LookupError, ValueError) as error:
            # Also encodings that Python does not know, or that expat cannot take.
            line = parser.CurrentLineNumber
            raise UsageError(
                f"{path}:{line}: found {error}, expected relations of FrameNet"
            ) from None


class _Handler:
    """Follows the elements of an XML file."""

    def __init__(self, files: _Files) -> None:
        self._files = files
        self._ignored = False
        self._frames = ("", "")
        self._frame = ""

    def refuse(self, *_: object) -> None:
        """Entities could grow without end; FrameNet has none."""
        raise expat.ExpatError("a declaration of an entity")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        files = self._files
        if name in _TYPES:
            self._ignored = attributes["name"] in IGNORED
        elif name in _FRAMES and not self._ignored:
            self._frames = attributes["superFrameName"], attributes["subFrameName"]
            files.relate(*self._frames)
        elif name in _ELEMENTS and not self._ignored:
            left, right = self._frames
            files.relate_elements(
                (left, attributes["superFEName"]), (right, attributes["subFEName"])
            )
        elif name == "frame":
            self._frame = attributes["name"]
        elif name in _ELEMENT and "coreType" in attributes:
            files.kinds[self._frame, attributes["name"]] = (
                attributes["coreType"] == CORE
            )


def _paths(paths: str) -> Iterator[str]:
    for path in filter(None, paths.split("|")):
        folder = Path(path)
        if folder.is_dir():
            yield from sorted(map(str, folder.glob("*.xml")))
        else:
            yield path


def _bytes(path: str) -> bytes:
    try:
        data = content_of(path, LARGEST + 1)
    except OSError as error:
        raise UsageError(
            f"{path}: a file that cannot be read ({error.strerror})"
        ) from None
    if len(data) > LARGEST:
        raise UsageError(f"{path}: found more than {LARGEST:,} bytes")
    return data


@lru_cache(maxsize=8)
def relations_of(paths: str, digest: int) -> Relations:
    """The relations in files.

    Args:
        paths: files, or folders of XML files, with ``|`` between.
        digest: of their content, see :func:`digest_of`; another content is not
            taken from memory.

    Raises:
        UsageError: naming the file, the line and what is wrong there.
    """
    files = _Files()
    for path in _paths(paths):
        data = _bytes(path)
        if data.lstrip()[:1] == b"<" or data.startswith(b"\xef\xbb\xbf<"):
            files.xml(path, data)
            continue
        try:
            files.table(path, data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise UsageError(
                f"{path}: found bytes that are not UTF-8, expected a table"
            ) from None
    return Relations(files.frames, files.elements, files.kinds)


def digest_of(paths: str) -> int:
    """A digest of what is in files, 0 for none.

    Args:
        paths: files, or folders of XML files, with ``|`` between.

    Raises:
        UsageError: if one cannot be read.
    """
    if not paths:
        return 0
    result = blake2b(digest_size=4)
    for path in _paths(paths):
        result.update(blake2b(_bytes(path)).digest())
    return int.from_bytes(result.digest(), "big") >> 1
