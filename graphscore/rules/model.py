"""Rules, classes and the other parts of a rule set.

A rule ranges over gold spans, system spans, or pairs of them; where its condition
holds it gives classes.  There are three levels, each with classes of its own:
``span``, ``document`` (the entities that a document mentions, each once) and
``resolution`` (which entry of an authority file a span is resolved to).

>>> rule = Rule("false positive", over="system", to_system="FP")
>>> rule.sides, rule.classes("system")
(('system',), (('', 'FP'),))

The fields of :class:`Rule` and :class:`Settings` are the schema of files, too: what a
value may be, and what is expected where it is something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, get_args

from msgspec import Meta, Struct, field
from msgspec.structs import astuple

Level = Literal["span", "document", "resolution"]
Over = Literal[
    "gold",
    "system",
    "same",
    "overlap",
    "near",
    "mentions",
    "any",
    "within gold",
    "within system",
]
Unless = Literal["same", "overlap", "near", "mentions", "within"]
Side = Literal["gold", "system"]
Treated = Literal[
    "true",
    "fuzzy",
    "conditional",
    "partial",
    "missed",
    "spurious",
    "negative",
    "ignored",
    "error",
]
"""Treatment of a class in precision and recall."""

BY = " by "
"""Between class and cause, in the label of a raw count and the name of an error."""

LEVELS: tuple[Level, ...] = get_args(Level)
SIDES: tuple[Side, Side] = get_args(Side)
TREATED: tuple[Treated, ...] = get_args(Treated)

CREDITED = ("fuzzy", "conditional", "partial")
"""Treatments whose credit is none, partial or full, as the reader of scores chooses."""

NOT_COUNTED: Mapping[Side, frozenset[str]] = {
    "gold": frozenset({"spurious", "negative", "ignored"}),
    "system": frozenset({"missed", "negative", "ignored"}),
}
"""Treatments that are not in the denominator: recall for gold, precision for system."""

WITHIN = "within"
"""Range of rules over pairs of one side, and its name in conditions."""

OTHER = "other"
"""Name of the other span of such a pair in conditions."""

UNCLASSIFIED = ""
"""The class of what has none yet, in ``from_gold`` and ``from_system``."""

NOW = "{class}"
"""Placeholder of the present class in a new one."""


MOST = 100
"""Characters of a name; classes and rules become names of scores."""

Line = Annotated[
    str,
    Meta(
        max_length=MOST,
        pattern=r"\S",
        description=f"a string, a line of at most {MOST} characters",
    ),
]
_SEVERAL = Meta(description="a string or a list of strings")
Names = Annotated[tuple[str, ...], _SEVERAL]
Choice = Annotated[frozenset[str], _SEVERAL]
Share = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]
Words = Annotated[
    Mapping[str, Choice],
    Meta(description="a table of lists of words by type, * for all types"),
]


class Rule(Struct, frozen=True, eq=False):
    """A named rule.

    Args:
        name: unique in its set; a later rule of that name overrides it.
        phase: the agenda group; phases run one after the other.
        priority: the salience; within a phase the highest goes first.
        level: which classes it reads and gives.
        over: gold spans, system spans, pairs at the ``same`` extents, or pairs that
            ``overlap`` without being the same, or are ``near`` without overlapping;
            pairs of entities that have such ``mentions``, or ``any`` pairs of entities
            of a document; spans ``within`` one side,
            each beside every other that overlaps it or is near.
        when: a SQL expression over the columns of the facts.
        unless_over: with ``over`` one side: pairs of which there must be none...
        unless_when: ...where this holds.
        from_gold: classes that the gold span must have; ``None`` for any, or for
            none yet if the rule gives it one.
        from_system: likewise.
        to_gold: the class that the gold span gets; nothing if it keeps its own.
        to_system: likewise.
        each: whether a side that may have the class gets it although the other may
            not; otherwise both must have the classes that are asked for.
        cause: whose error it is: the tagger's, the resolver's.
        reason: what the trace says.
        enabled: whether it takes part.
        file: where it stands.
        line: on which line.
    """

    name: Line
    phase: Line = "base"
    priority: Annotated[
        int,
        Meta(ge=-(10**6), le=10**6, description="a whole number up to a million"),
    ] = 0
    level: Level = "span"
    over: Over = "same"
    when: str = ""
    unless_over: Unless | None = None
    unless_when: str = ""
    from_gold: Names | None = None
    from_system: Names | None = None
    to_gold: Line = ""
    to_system: Line = ""
    each: bool = False
    cause: Line = ""
    reason: Line = ""
    enabled: bool = True
    file: str = ""
    line: int = 0

    def __eq__(self, rule: object) -> bool:
        # Where a rule stands is no part of it.
        return isinstance(rule, Rule) and astuple(self)[:-2] == astuple(rule)[:-2]

    def __hash__(self) -> int:
        return hash(astuple(self)[:-2])

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that it looks at."""
        if self.over in SIDES or self.over.startswith(WITHIN):
            return ("gold",) if self.over.endswith("gold") else ("system",)
        return SIDES

    @property
    def targets(self) -> tuple[Side, ...]:
        """The sides that get a class."""
        return tuple(side for side in SIDES if self.to(side))

    def to(self, side: Side) -> str:
        """The class that a side gets."""
        return self.to_gold if side == "gold" else self.to_system

    def froms(self, side: Side) -> tuple[str, ...] | None:
        """The classes that a side must have; ``None`` for any."""
        classes = self.from_gold if side == "gold" else self.from_system
        if classes is None and self.to(side):
            return (UNCLASSIFIED,)
        return classes

    def classes(self, side: Side) -> tuple[tuple[str, str], ...]:
        """Every change of class that it can bring about on a side.

        >>> rule = Rule("r", over="system", from_system=("FP",), to_system="{class}!")
        >>> rule.classes("system")
        (('FP', 'FP!'),)
        """
        to = self.to(side)
        if not to:
            return ()
        return tuple(
            (before, to.replace(NOW, before)) for before in self.froms(side) or ()
        )


class Treatment(NamedTuple):
    """Treatment of a class."""

    treated: Treated
    low: bool = False
    """True if it is a class of low confidence."""
    credit: float | None = None
    """Credit, if different from the settings for its treatment."""


class Settings(Struct, frozen=True, dict=True):
    """Settings of a rule set beside its rules.

    Args:
        levels: which levels are counted.
        low: the confidences that count as low.
        low_confidence: whether classes of low confidence count or are left out.
        credit: what fuzzy, conditional and partial classes are worth, 0 to 1.
        fuzzy_words: words without meaning for the extent, by type; ``*`` for all.
        stop_words: whole mentions that are to be ignored, by type; ``*`` for all.
        hierarchy: the types right above a type.
        near: how many characters may be between spans that are near each other.
        frameworks: whose graphs are looked at.
        nodes: kinds of nodes that are spans; ``*`` for all with anchors but words.
        document_key: what makes two mentions of a document the same entity: their
            entries in the authority file, else type and words, also where only one
            side has entries (``entries only``: not then); or type and words alone.
        values: further numbers and strings, which conditions call ``:name``.
        properties: kinds of properties of spans, ``text`` or ``number``.
        lists: texts by the name of their list, folded.
        aliases: by the name of a table what each name stands for, folded.
        same_names: tables whose names are one to ``same_words``, and to entities of
            documents.
    """

    levels: Annotated[
        tuple[Level, ...],
        Meta(min_length=1, description=f"a list of: {', '.join(LEVELS)}"),
    ] = LEVELS
    low: Choice = frozenset({"low"})
    low_confidence: Literal["count", "ignore"] = "count"
    credit: Annotated[
        Mapping[Literal["fuzzy", "conditional", "partial"], Share],
        Meta(description=f"a table of numbers from 0 to 1 for {', '.join(CREDITED)}"),
    ] = field(
        default_factory=lambda: {"fuzzy": 1.0, "conditional": 1.0, "partial": 0.5}
    )
    fuzzy_words: Words = field(default_factory=dict)
    stop_words: Words = field(default_factory=dict)
    hierarchy: Annotated[
        Words, Meta(description="a table of types with the type or types above each")
    ] = field(default_factory=dict)
    same_names: Names = ()
    near: Annotated[
        int,
        Meta(ge=0, le=10_000, description="a number of characters, from 0 to 10000"),
    ] = 20
    frameworks: Choice = frozenset({"ner"})
    nodes: Choice = frozenset({"mention"})
    document_key: Literal["words", "entries", "entries only"] = "entries"
    values: Mapping[str, float | str] = field(default_factory=dict)
    properties: Mapping[str, Literal["text", "number"]] = field(default_factory=dict)
    lists: Mapping[str, frozenset[str]] = field(default_factory=dict)
    aliases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Entries by name, from the tables of ``same_names``."""
        result: dict[str, str] = {}
        for table in self.same_names:
            result |= self.aliases.get(table, {})
        return result
