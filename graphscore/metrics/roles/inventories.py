"""Inventories of labels: which arguments are core.

A core argument means something under the sense of its predicate only; any other says
by itself what it means.

>>> labels = ("ARG0", "AA", "ARGM-TMP", "TMP", "RSTR")
>>> [PROPBANK.tuple_type(label, "") for label in labels]
['core', 'core', 'context', 'context', 'context']
>>> [inventory_of("verbnet").tuple_type(each, "") for each in ("Agent", "ArgM-TMP")]
['core', 'context']
>>> [inventory_of("pdt").tuple_type(each, "") for each in ("ACT", "TWHEN", "RSTR")]
['core', 'context', 'context']
>>> [inventory_of("labels:Ag|Pat").tuple_type(each, "") for each in ("ag", "Loc")]
['core', 'context']
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from graphscore.exceptions import UsageError, did_you_mean
from graphscore.metrics.roles.base import normal
from graphscore.metrics.roles.frame_relations import digest_of, relations_of

CORE, CONTEXT = "core", "context"

Kind = Literal["core", "context"]

_CORE = re.compile(r"A[0-9A](-.*)?")
_CONTEXT = re.compile(r"AM(-.*)?")

PARTICIPANTS = frozenset({"ACT", "PAT", "ADDR", "ORIG", "EFF"})
"""The inner participants of the Prague Dependency Treebank; its other functors are
free modifications."""

LABELS, FILES = "labels:", "framenet:"
"""Prefixes of a list of core labels, and of a list of FrameNet files."""

NAMES = ("propbank", "verbnet", "framenet", "pdt")


class Inventory:
    """PropBank's: core are A0 to A9 and AA, in any spelling.

    What has no number says by itself what it means.
    """

    normalized = True
    """True if the spelling variants of PropBank's labels are normalized."""

    def tuple_type(self, label: str, sense: str) -> Kind:
        """Return the tuple type of a label: core or contextual.

        Args:
            label: without C- and R-.
            sense: the label of its predicate.
        """
        return "core" if self._core(label.upper(), label, sense) else "context"

    def knows(self, label: str, sense: str) -> bool:
        """Return true if the inventory has a label, as far as that is known.

        Args:
            label: without C- and R-.
            sense: the label of its predicate.

        >>> PROPBANK.knows("argM-tmp", ""), PROPBANK.knows("RSTR", "")
        (True, False)
        """
        return _spelled(label.upper()) is not None

    def _core(self, upper: str, label: str, sense: str) -> bool:
        return _spelled(upper) == CORE


PROPBANK = Inventory()


class VerbNet(Inventory):
    """VerbNet's: all roles of a class are core, what PropBank calls AM is not."""

    def knows(self, label: str, sense: str) -> bool:
        """Whatever it is: which roles there are depends on the release."""
        return True

    def _core(self, upper: str, label: str, sense: str) -> bool:
        return _spelled(upper) != CONTEXT


class Listed(Inventory):
    """Labels that are named.

    Args:
        labels: those that are core, in any spelling.
        normalized: whether other spellings of PropBank are the same.
    """

    def __init__(self, labels: frozenset[str], normalized: bool = True) -> None:
        self.normalized = normalized
        self._labels = frozenset(normal(label.upper()) for label in labels)

    def knows(self, label: str, sense: str) -> bool:
        """Whatever it is: what is not named is contextual."""
        return True

    def _core(self, upper: str, label: str, sense: str) -> bool:
        return normal(upper) in self._labels


class Elements(Inventory):
    """FrameNet's: core elements of each frame as files say; without them, all.

    Args:
        paths: files, or folders of XML files, with ``|`` between.
    """

    def __init__(self, paths: str = "") -> None:
        self._related = relations_of(paths, digest_of(paths))

    def knows(self, label: str, sense: str) -> bool:
        """Return true if the files name the element, or if there are no files."""
        return self._related.core_of(sense, label) is not None

    def _core(self, upper: str, label: str, sense: str) -> bool:
        return self._related.is_core(sense, label)


@lru_cache(maxsize=4096)
def _spelled(upper: str) -> str | None:
    """Return the class of a PropBank label; ``None`` for others."""
    spelled = normal(upper)
    if _CORE.fullmatch(spelled):
        return CORE
    return CONTEXT if _CONTEXT.fullmatch(spelled) else None


def inventory_of(text: str) -> Inventory:
    """The inventory that a parameter names.

    Args:
        text: ``propbank``, ``verbnet``, ``framenet``, ``pdt``; ``labels:A|B`` for core
            labels A and B; ``framenet:FILE|FOLDER`` for files of FrameNet, or tables
            (:mod:`graphscore.metrics.roles.frame_relations`).

    Raises:
        UsageError: if it is none of these, or files cannot be read.
    """
    if text.startswith(LABELS):
        labels = text.removeprefix(LABELS).split("|")
        if not all(label.strip() == label != "" for label in labels):
            raise UsageError(f"core={text}: expected labels:A|B, each label once")
        return Listed(frozenset(labels))
    if text.startswith(FILES):
        paths = text.removeprefix(FILES)
        if not paths.strip("| "):
            raise UsageError(f"core={text}: expected framenet:FILE, or framenet alone")
        return Elements(paths)
    if text not in NAMES:
        expected = f"{', '.join(NAMES)}, labels:A|B or framenet:FILE"
        raise UsageError(f"core={text}{did_you_mean(text, NAMES)}: expected {expected}")
    if text == "pdt":
        return Listed(PARTICIPANTS, normalized=False)
    return {"propbank": PROPBANK, "verbnet": VerbNet(), "framenet": Elements()}[text]


def files_digest(text: str) -> int:
    """A digest of the files that a parameter names, 0 for none.

    Args:
        text: as for :func:`inventory_of`.

    Raises:
        UsageError: if one cannot be read.
    """
    return digest_of(text.removeprefix(FILES)) if text.startswith(FILES) else 0
