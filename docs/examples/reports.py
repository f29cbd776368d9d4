"""An output of one's own, as a dataclass, and another metric of it."""

from dataclasses import dataclass
from typing import Literal

from graphscore.similarity import derive
from graphscore.structures import ignored


@dataclass(frozen=True)
class Victim:
    """Somebody who was hurt."""

    name: str
    age: int | None = None


@dataclass(frozen=True)
class Report:
    """What a text says about an incident."""

    id: str
    place: str
    kind: Literal["fire", "flood", "quake"]
    victims: frozenset[Victim]


names = derive(Report, {Report: {"id": ignored}, Victim: {"age": ignored}})
