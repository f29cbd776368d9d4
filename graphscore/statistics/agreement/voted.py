"""What a vote of annotators comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphscore.model.graph import Anchor, Graph, Value
from graphscore.rows import Rows, Tabular

COLUMNS = (
    *("framework", "language", "item", "layer", "start", "end", "text", "kind"),
    *("label", "anchors", "votes", "annotators", "voters"),
)
"""Of the rows of a :class:`Vote`."""


class Candidate(NamedTuple):
    """A span that some have and most have not."""

    kind: str
    """``mention`` or ``trigger``."""
    label: Value
    anchors: tuple[Anchor, ...]
    annotators: tuple[str, ...]
    """Who has it."""


class Tie(NamedTuple):
    """A place where there is no majority, for a span or against any."""

    framework: str
    language: str
    item: str
    layer: str
    start: int
    """First character of all candidates."""
    end: int
    """Behind their last character."""
    text: str
    """What stands there; empty where the text is not known."""
    annotators: int
    """How many annotated the item."""
    spans: tuple[Candidate, ...]
    """In order of their characters."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return self._asdict() | {
            "spans": [
                each._asdict()
                | {
                    "anchors": [list(anchor) for anchor in each.anchors],
                    "annotators": list(each.annotators),
                }
                for each in self.spans
            ]
        }


@dataclass(frozen=True)
class Vote(Rows):
    """The spans that most annotators have.

    Attributes:
        annotators: their names, as they were given.
        graphs: a graph for each item and layer, with what was voted for.
        items: how many items that is.
        alone: how many of them one annotator alone has.
        spans: how many spans were voted for; what several layers of an item share
            counts once.
        ties: where there is no majority; nothing of it is in the graphs.
    """

    annotators: tuple[str, ...]
    graphs: tuple[Graph, ...]
    items: int
    alone: int
    spans: int
    ties: tuple[Tie, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract: plain values."""
        return {
            "annotators": list(self.annotators),
            "items": self.items,
            "alone": self.alone,
            "spans": self.spans,
            "ties": [each.to_dict() for each in self.ties],
        }

    def tabular(self) -> Tabular:
        """A row per candidate of each tie: *votes* of *annotators*, and whose."""
        return Tabular(COLUMNS, self._cells())

    def _cells(self) -> Iterator[tuple[Any, ...]]:
        for tie in self.ties:
            for each in tie.spans:
                anchors = " ".join(f"{start}:{end}" for start, end in each.anchors)
                label = None if each.label is None else str(each.label)
                yield (
                    *(tie.framework, tie.language, tie.item, tie.layer),
                    *(tie.start, tie.end, tie.text, each.kind, label, anchors),
                    *(len(each.annotators), tie.annotators),
                    ", ".join(each.annotators),
                )

    def flat(self) -> dict[str, float]:
        """``vote/annotators``, ``items``, ``alone``, ``spans`` and ``ties``."""
        return {
            "vote/annotators": float(len(self.annotators)),
            "vote/items": float(self.items),
            "vote/alone": float(self.alone),
            "vote/spans": float(self.spans),
            "vote/ties": float(len(self.ties)),
        }
