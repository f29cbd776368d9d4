"""Small documents with nested events as lines of the shared tasks, at random.

The oracle reads the lines for itself and tries all pairs; it knows nothing of graphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from graphscore.formats.base import ReadGraph
from graphscore.formats.extraction.brat.document import Document
from graphscore.formats.extraction.brat.lines import Text, parse
from graphscore.formats.shared.records import RecordBuilder
from graphscore.model.graph import Graph

TEXT = "IL-4 (p50) strongly induced binding of NF-kB, p65 and c-Rel at a site."
WORDS = [(s, s + len(w)) for w in TEXT.split() for s in [TEXT.index(w)]]
PROTEINS = [(0, 4), (6, 9), (39, 44), (46, 49)]
TYPES = [
    *("Gene_expression", "Binding", "Regulation", "Positive_regulation"),
    "Transcription",
]
PLACES = [*WORDS[2:4], (20, 27), (11, 27), (20, 34), (28, 35), (60, 69), (62, 68)]


class Lines(NamedTuple):
    """What is given of a document, and what one side finds in it."""

    given: tuple[str, ...]
    found: tuple[str, ...]

    def graph(self, given: bool = True) -> Graph:
        """The events as a graph.

        Args:
            given: whether the graph says what is given.
        """
        document = Document(RecordBuilder("doc.ann", 1, item="doc"), Text(TEXT, False))
        for name, lines in (("doc.a1", self.given), ("doc.a2", self.found)):
            before = document.begin(name if given else "doc.ann")
            for number, line in enumerate(lines, before + 1):
                document.take(parse(line, number))
                document.last = number
        records = [each for each in document.records() if isinstance(each, ReadGraph)]
        [graph] = [each.graph for each in records if each.graph.framework == "event"]
        return graph


GIVEN = tuple(
    f"T{n}\tProtein {a} {b}\t{TEXT[a:b]}" for n, (a, b) in enumerate(PROTEINS, 1)
)


@st.composite
def documents(draw: st.DrawFn, equals: bool = True) -> Lines:
    """What one side finds.

    Args:
        draw: what draws.
        equals: whether it may say what stands for what.
    """
    classes = st.sampled_from([[], [], ["T1 T2"], ["T2 T1 T3"], ["T1 T2", "T2 T4"]])
    found = [f"*\tEquiv {members}" for members in draw(classes) if equals]
    entities, triggers = [], []
    number = len(PROTEINS)
    for tuple_type, lot in (("Entity", entities), ("", triggers)):
        for a, b in draw(st.lists(st.sampled_from(PLACES), max_size=4)):
            number += 1
            label = tuple_type or draw(st.sampled_from(TYPES))
            lot.append((f"T{number}", label))
            found.append(f"T{number}\t{label} {a} {b}\t{TEXT[a:b]}")
    events: list[str] = []
    proteins = [f"T{n}" for n in range(1, len(PROTEINS) + 1)]
    names = draw(st.permutations([f"E{n}" for n in range(1, 7)]))
    lines = []
    for name in names[: draw(st.integers(0, 6)) if triggers else 0]:
        trigger, label = draw(st.sampled_from(triggers))
        protein = st.sampled_from(proteins)
        filler = st.sampled_from([*proteins, *events, *events])
        arguments = []
        if label == "Binding":
            for place in draw(st.permutations(["", "2", "3"]))[
                : draw(st.integers(1, 3))
            ]:
                arguments.append(f"Theme{place}:{draw(protein)}")
                if entities and draw(st.booleans()):
                    entity, _ = draw(st.sampled_from(entities))
                    arguments.append(f"Site{place}:{entity}")
        else:
            if draw(st.integers(0, 9)):
                arguments.append(f"Theme:{draw(filler)}")
            if draw(st.booleans()):
                arguments.append(f"Cause:{draw(filler)}")
            for role in draw(
                st.sets(st.sampled_from(["Site", "CSite", "AtLoc", "ToLoc"]))
            ):
                if entities and draw(st.booleans()):
                    entity, _ = draw(st.sampled_from(entities))
                    arguments.append(f"{role}:{entity}")
            arguments = draw(st.permutations(arguments))
        lines.append(" ".join([f"{name}\t{label}:{trigger}", *arguments]))
        events.append(name)
    found += draw(st.permutations(lines))
    for place, (tuple_type, event) in enumerate(
        draw(
            st.lists(
                st.tuples(
                    st.sampled_from(["Negation", "Speculation"]),
                    st.sampled_from(events or [""]),
                ),
                max_size=3,
            )
        )
        if events
        else ()
    ):
        found.append(f"M{place}\t{tuple_type} {event}")
    return Lines(GIVEN, tuple(found))


# The oracle.


ROLES = [
    *("Theme", "Theme2", "Theme3", "Cause", "Site", "Site2", "Site3", "CSite"),
    *("AtLoc", "ToLoc"),
]

MERGED = {
    **{"Transcription": "Gene_expression", "Positive_regulation": "Regulation"},
    "Negative_regulation": "Regulation",
}


class Told:
    """The annotations of a side."""

    def __init__(self, lines: Lines, task: str, equal: dict[str, str]) -> None:
        self.given = {line.split("\t")[0] for line in lines.given}
        self.bound: dict[str, tuple[str, int, int]] = {}
        self.events: dict[str, tuple[str, str, list[tuple[str, str]]]] = {}
        self.groups: list[list[str]] = []
        self.equal = dict(equal)
        self.mods: dict[str, tuple[str, str]] = {}
        for line in (*lines.given, *lines.found):
            name, said = line.split("\t")[:2]
            words = said.split()
            if name[0] == "T":
                self.bound[name] = words[0], int(words[1]), int(words[2])
            elif name[0] == "*":
                self.groups.append(words[1:])
            elif name[0] == "E":
                label, trigger = words[0].split(":")
                pairs = [tuple(word.split(":")) for word in words[1:]]
                self.events[name] = label, trigger, ordered(label, pairs)
            else:
                self.mods[name] = words[0], words[1]
        self.task = task

    def finish(self, system: bool) -> Told:
        """Put what is equal in one's place, and leave out what is said again."""
        named = {to for _, _, pairs in self.events.values() for _, to in pairs}
        for group in self.groups:
            used = [each for each in group if each in named]
            first, rest = group[0], group[1:]
            if system and used:
                first, rest = used[-1], [each for each in group if each not in named]
            self.equal |= dict.fromkeys(rest, first)
        kept = {}
        for name, (label, trigger, pairs) in self.events.items():
            pairs = [
                ("Theme" if role.startswith("Theme") else role, self.equal.get(to, to))
                for role, to in pairs
                if self.task == "2" or not ("Site" in role or "Loc" in role)
            ]
            if system:
                pairs = [(role, self.equal.get(to, to)) for role, to in pairs]
            kept[name] = label, trigger, pairs
        # As long as two are the same, one of them goes, and the other is meant.
        while True:
            said: dict[Any, str] = {}
            again = {}
            for name in sorted(kept):
                label, trigger, pairs = kept[name]
                key = label, trigger, tuple(pairs)
                if key in said:
                    again[name] = said[key]
                said.setdefault(key, name)
            if not again:
                break
            self.mods = {
                name: (tuple_type, again.get(to, to))
                for name, (tuple_type, to) in self.mods.items()
            }
            kept = {
                name: (label, trigger, [(r, again.get(to, to)) for r, to in pairs])
                for name, (label, trigger, pairs) in kept.items()
                if name not in again
            }
        self.events = kept
        return self


def ordered(label: str, pairs: Sequence[Any]) -> list[tuple[str, str]]:
    """Arguments in order; those of a binding by what its themes are."""
    pairs = sorted(pairs, key=lambda pair: ROLES.index(pair[0]))
    if label != "Binding":
        return pairs
    themes = [(int(to[1:]), role[5:], to) for role, to in pairs if role[:5] == "Theme"]
    sites = {role[4:]: to for role, to in pairs if role[:4] == "Site"}
    themes.sort(key=lambda each: each[0])
    found, more = [], []
    for place, (_, number, to) in enumerate(themes, 1):
        digit = str(place) if place > 1 else ""
        found.append((f"Theme{digit}", to))
        if number in sites:
            more.append((f"Site{digit}", sites[number]))
    return found + more


class Oracle:
    """Two sides under some conditions.

    Args:
        gold: gold's lines.
        system: those of the system.
        task: what counts.
        soft: whether places of the system lie in wider ones of gold.
        recursive: whether of events inside only themes count.
        triggers: whether places of triggers count.
        merged: whether types are compared by their groups.
        locations: whether all locations are one role.
    """

    def __init__(
        self,
        gold: Lines,
        system: Lines,
        *,
        task: str = "1",
        soft: bool = False,
        recursive: bool = False,
        triggers: bool = True,
        merged: bool = False,
        locations: bool = True,
    ) -> None:
        self.mine = Told(gold, task, {}).finish(False)
        self.theirs = Told(system, task, self.mine.equal).finish(True)
        self.task, self.soft, self.recursive = task, soft, recursive
        self.triggers, self.merged, self.locations = triggers, merged, locations
        taken = {at for a, b in spans(self.mine) for at in range(a, b)}
        self.wide = {span: wider(span, taken) for span in spans(self.mine)}

    def type_of(self, label: str) -> str:
        """What a type is compared by."""
        return MERGED.get(label, label) if self.merged else label

    def role_of(self, role: str) -> str:
        """What a role is compared by."""
        return "Loc" if self.locations and role.endswith("Loc") else role

    def within(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether two places are alike."""
        if not self.soft:
            return one == other
        start, end = self.wide[one]
        return start <= other[0] and other[1] <= end

    def entity(self, one: str, other: str) -> bool:
        """Whether two entities are alike."""
        if one in self.mine.given or other in self.theirs.given:
            return one == other
        label, *span = self.mine.bound[one]
        another, *place = self.theirs.bound[other]
        same = self.type_of(label) == self.type_of(another)
        return same and self.within((span[0], span[1]), (place[0], place[1]))

    def event(self, one: str, other: str, inside: bool) -> bool:
        """Whether two events are alike."""
        first, second = self.mine.events[one], self.theirs.events[other]
        if self.type_of(first[0]) != self.type_of(second[0]):
            return False
        ours, yours = self.mine.bound[first[1]], self.theirs.bound[second[1]]
        if self.triggers and not self.within(ours[1:], yours[1:]):
            return False
        pairs = [list(first[2]), list(second[2])]
        only = inside and self.recursive
        for each in pairs if only else ():
            while each and each[-1][0] != "Theme":
                each.pop()
        if len(pairs[0]) != len(pairs[1]):
            return False
        return all(
            (only or self.role_of(a) == self.role_of(b)) and self.filler(x, y)
            for (a, x), (b, y) in zip(*pairs, strict=True)
        )

    def filler(self, one: str, other: str) -> bool:
        """Whether what fills a role is alike."""
        if one[0] != other[0]:
            return False
        return (
            self.event(one, other, True) if one[0] == "E" else self.entity(one, other)
        )

    def counted(self) -> dict[str, tuple[int, int, int, int]]:
        """By class: gold, what is found of it, the system's, what is right of it."""
        sides = self.mine, self.theirs
        labels: list[dict[Any, str]]
        if self.task == "3":
            labels = [{(k, to): k for k, to in e.mods.values()} for e in sides]
        else:
            labels = [{name: e.events[name][0] for name in e.events} for e in sides]
        pairs = [
            (one, other)
            for one in labels[0]
            for other in labels[1]
            if self.top(one, other)
        ]
        right = {one for one, _ in pairs}, {other for _, other in pairs}
        counts = [Counter(each.values()) for each in labels]
        good = [
            Counter(each[name] for name in names)
            for each, names in zip(labels, right, strict=True)
        ]
        found = {}
        for label in {*counts[0], *counts[1]}:
            more = max(0, good[1][label] - good[0][label])
            found[label] = (
                counts[0][label],
                good[0][label],
                counts[1][label] - more,
                good[1][label] - more,
            )
        return found

    def top(self, one: Any, other: Any) -> bool:
        """Whether two things that count are alike."""
        if self.task == "3":
            return one[0] == other[0] and self.event(one[1], other[1], True)
        return self.event(one, other, False)


def spans(told: Told) -> list[tuple[int, int]]:
    """Where anything is annotated."""
    return [(start, end) for _, start, end in told.bound.values()]


def wider(span: tuple[int, int], taken: set[int]) -> tuple[int, int]:
    """A place with what it reaches over, character by character."""

    def stops(at: int) -> bool:
        return TEXT[at] in " .!?,\"'" or at in taken

    start, end = span[0] - 1, span[1] + 1
    while start > 0 and not stops(start - 1):
        start -= 1
    while end < len(TEXT) and not stops(end):
        end += 1
    return start, end
