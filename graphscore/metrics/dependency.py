"""What the dependency metrics share: aligned words and what must agree of them.

Zeman et al. (2018), "CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text
to Universal Dependencies", section 4; reference scorer UD eval.py (udtools 0.2.9).

A metric over words is a declaration: the *columns* that must agree for an aligned
pair of words to match, and whether only content words count.  One pass over a
document finds the aligned pairs where a column disagrees; a pair matches where
none does.  So masses, matches and errors of all of them come from the same place::

    uas    head
    las    head, deprel
    clas   head, deprel                            of content words
    mlas   head, deprel, upos, feats, children     of content words
    blex   head, deprel, lemma                     of content words

Heads agree if they are aligned, or both words are roots.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from graphscore.correspondence import Budget
from graphscore.graph import Graph, Value
from graphscore.metrics.base import Metric, Unit
from graphscore.metrics.dependency_alignment import Alignment, align
from graphscore.metrics.dependency_document import NONE, Document, Sentence
from graphscore.results import (
    Error,
    Figures,
    Masses,
    MassKey,
    Match,
    Outcome,
)

Preset = Literal["none", "udtools"]

CONLL18 = (
    "Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text "
    "to Universal Dependencies"
)


@dataclass(frozen=True)
class Dependency(Metric):
    """Base of the dependency metrics: documents, aligned word by word.

    Args:
        preset: ``udtools`` follows that program where it does not do what its
            description says.
    """

    unit: ClassVar[Unit] = "document"
    frameworks: ClassVar[frozenset[str]] = frozenset({"ud"})
    kinds: ClassVar[tuple[str, ...]] = ("all",)

    preset: Preset = "none"

    @property
    def walks(self) -> bool:
        """Whether words are aligned by the program's own walk."""
        return self.preset == "udtools"

    @property
    def normalization(self) -> str:
        """White space in forms, and subtypes of relations."""
        return "blanks,subtypes" + (",udtools" if self.walks else "")

    def prepare(self, graph: Graph) -> Sentence:
        """Lay out one sentence."""
        sentence = Sentence(graph)
        # What is computed once is computed here, not in the first comparison.
        _ = sentence.heads
        return sentence

    def compare(
        self,
        gold: Sequence[Sentence],
        system: Sequence[Sentence],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Align the words of a document and count those that agree."""
        alignment = align(Document(gold), Document(system), self.walks)
        masses: Masses = {}
        matches: list[Match] = []
        errors: list[Error] = []
        for part in self.parts(alignment):
            part.add_masses(masses)
            if details:
                if part.kind == self.main:
                    matches.extend(part.matches())
                errors.extend(part.errors())
        score = masses.get((self.main, "", "matched"), 0)
        method = "aligned" if alignment.axes is None else "texts differ"
        return Outcome(
            {key: value for key, value in masses.items() if value},
            score,
            score,
            True,
            0,
            method,
            tuple(matches),
            tuple(errors),
        )

    @abstractmethod
    def parts(self, alignment: Alignment) -> Iterator[Part]:
        """What is counted, one part for each kind."""

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Counts per kind, ``all`` repeats the main one; accuracy on aligned words."""
        counts, _ = super().figures(masses)
        counts["all"] = counts[self.main]
        numbers = {}
        for kind in self.kinds:
            if aligned := masses.get((kind, "", "aligned"), 0):
                name = "" if kind == "all" else f"{kind}."
                matched = masses.get((kind, "", "matched"), 0)
                numbers[f"{name}aligned_accuracy"] = matched / aligned
        return Figures(counts, numbers)


class Part:
    """Things of one kind that are counted in a document.

    Args:
        kind: their kind.
        gold: amount on the gold side.
        system: amount on the system side.
        matched: how many match.
        aligned: how many gold things are aligned, where that makes sense.
    """

    def __init__(
        self, kind: str, gold: int, system: int, matched: int, aligned: int = 0
    ) -> None:
        self.kind = kind
        self.gold, self.system = gold, system
        self.matched, self.aligned = matched, aligned

    def add_masses(self, masses: Masses) -> None:
        """Put the amounts in."""
        masses[self.kind, "", "gold"] = self.gold
        masses[self.kind, "", "system"] = self.system
        masses[self.kind, "", "matched"] = self.matched
        masses[self.kind, "", "aligned"] = self.aligned

    def matches(self) -> Iterator[Match]:
        """The aligned things, with credit 1 where they match."""
        return iter(())

    def errors(self) -> Iterator[Error]:
        """What did not match."""
        return iter(())


class WordPart(Part):
    """Words that match where they are aligned and some columns agree.

    Args:
        alignment: the aligned words.
        kind: the name of the part.
        columns: what must agree: ``head``, ``deprel``, ``children``, ``upos``,
            ``xpos``, ``feats``, ``lemma``.
        content: whether only content words count, on either side.
        value: what an error shows: ``head``, ``deprel``, ``form``, or ``tags``.
    """

    def __init__(
        self,
        alignment: Alignment,
        kind: str,
        columns: tuple[str, ...],
        *,
        content: bool = False,
        value: str = "tags",
    ) -> None:
        self.alignment, self.columns, self.value = alignment, columns, value
        one, two = alignment.gold, alignment.system
        self._differs = _differences(alignment, columns)
        self.counted: tuple[list[bool], list[bool]] = (
            _counted(one, columns, content),
            _counted(two, columns, content),
        )
        counted = self.counted[0]
        mine = alignment.pairs[0]
        aligned = sum([counted[number] for number in mine])
        wrong = sum([counted[mine[place]] for place in self._differs])
        super().__init__(
            kind, sum(counted), sum(self.counted[1]), aligned - wrong, aligned
        )

    def matches(self) -> Iterator[Match]:
        """The aligned words."""
        gold, system = self.alignment.gold, self.alignment.system
        counted, differs = self.counted[0], self._differs
        mine, theirs = gold.ordinals, system.ordinals
        for place, (one, two) in enumerate(zip(*self.alignment.pairs, strict=True)):
            credit = float(counted[one] and place not in differs)
            yield Match("node", mine[one], theirs[two], credit)

    def errors(self) -> Iterator[Error]:
        """Words that did not match, gold's as missing, the system's as surplus."""
        sides = (self.alignment.gold, self.alignment.system)
        pairs = self.alignment.pairs
        aligned = (set(pairs[0]), set(pairs[1]))
        for side in (0, 1):
            counted, document = self.counted[side], sides[side]
            for number in range(document.size):
                if counted[number] and number not in aligned[side]:
                    yield self._error(side, number, None, "", "no counterpart")
            for place, names in self._differs.items():
                number, other = pairs[side][place], pairs[1 - side][place]
                if counted[number]:
                    there = self.counted[1 - side][other]
                    reason = "differs" if there else "absent"
                    yield self._error(side, number, other, "+".join(names), reason)

    def _error(
        self, side: int, number: int, other: int | None, name: str, reason: str
    ) -> Error:
        sides = (self.alignment.gold, self.alignment.system)
        mine, theirs = sides[side], sides[1 - side]
        here = mine.ordinals[number]
        there = None if other is None else theirs.ordinals[other]
        value, compared = self._shown(mine, number)
        return Error(
            "surplus" if side else "missing",
            self.kind,
            "node",
            there if side else here,
            here if side else there,
            mine.words[number].label,
            name,
            value,
            compared,
            reason,
        )

    def _shown(self, document: Document, number: int) -> tuple[Value, str | None]:
        """What an error says of a word, and what was compared if that differs."""
        if self.value == "form":
            return document.words[number].label, None
        if self.value == "head":
            head = document.heads[number]
            return (document.words[head].label if head >= 0 else 0), None
        if self.value == "deprel":
            written = document.written_relations[number]
            compared = document.relations[number]
            return written, None if written == compared else compared
        tags = [document.tags(column)[number] for column in self.columns]
        return " ".join(tags), None


def _counted(document: Document, columns: tuple[str, ...], content: bool) -> list[bool]:
    if content:
        return document.content
    if "head" in columns:
        return [head != NONE for head in document.heads]
    return [True] * document.size


def _differences(
    alignment: Alignment, columns: tuple[str, ...]
) -> dict[int, list[str]]:
    """Which columns disagree, for each place among the aligned pairs that has any.

    The columns are named in the order in which they are declared.
    """
    found: dict[int, list[str]] = {}
    for column in columns:
        for place in _disagreeing(alignment, column):
            found.setdefault(place, []).append(column)
    return dict(sorted(found.items()))


def _disagreeing(alignment: Alignment, column: str) -> list[int]:
    gold, system = alignment.gold, alignment.system
    mine: Sequence[Any]
    theirs: Sequence[Any]
    if column == "children":
        return _disagreeing_children(alignment)
    if column == "head":
        to_gold = alignment.to_gold()
        mine = gold.heads
        theirs = [to_gold[head] if head >= 0 else head for head in system.heads]
    elif column == "deprel":
        mine, theirs = gold.relations, system.relations
    else:
        mine, theirs = gold.tags(column), system.tags(column)
    one, two = alignment.pairs
    if one is not two:
        mine = [mine[number] for number in one]
        theirs = [theirs[number] for number in two]
    pairs = enumerate(zip(mine, theirs, strict=True))
    found = [place for place, (left, right) in pairs if left != right]
    if column == "lemma":
        # Where gold has no lemma, every lemma is right.
        found = [place for place in found if mine[place] != "_"]
    return found


def _disagreeing_children(alignment: Alignment) -> list[int]:
    """Pairs whose function words do not correspond one by one, tags included."""
    gold, system = alignment.gold, alignment.system
    if not gold.functional and not system.functional:
        return []
    to_gold = alignment.to_gold()
    labels = [
        list(
            zip(
                document.relations,
                document.tags("upos"),
                document.tags("feats"),
                strict=True,
            )
        )
        for document in (gold, system)
    ]
    found = []
    for place, (one, two) in enumerate(zip(*alignment.pairs, strict=True)):
        mine, theirs = gold.functional.get(one, ()), system.functional.get(two, ())
        if not mine and not theirs:
            continue
        if list(mine) != [to_gold[child] for child in theirs] or any(
            labels[0][left] != labels[1][right]
            for left, right in zip(mine, theirs, strict=True)
        ):
            found.append(place)
    return found
