"""Scores under the names that spaCy's ``Scorer`` gives them, without spaCy.

Counted as ``spacy.scorer.Scorer`` does by default: predicted tokens are aligned
with those of the reference, what the reference does not annotate is neither right nor
wrong, punctuation has no part in dependencies.  Anything that looks like documents of
spaCy is taken.  One thing differs: there, words of a reference without a relation hide
those of the same number in later documents, here only themselves.

Source: spaCy 3.8, ``scorer.py``, ``training/align.pyx`` and the scorers of its
components.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from graphscore.adapters.spacy_alignment import (
    Aligned,
    aligned_spans,
    annotated,
    sentences,
)
from graphscore.exceptions import UsageError

__all__ = ["Scorer", "score"]

PUNCTUATION = frozenset({"p", "punct"})
"""Relations that are not scored."""

_Set = set[Any]

_Features = dict[str, _Set]


class Count:
    """Counts of matched, spurious and missing values."""

    def __init__(self) -> None:
        self.matched = self.spurious = self.missing = 0

    def add(self, system: _Set, gold: _Set) -> None:
        """Take in what both sides say of one document."""
        both = len(system & gold)
        self.matched += both
        self.spurious += len(system) - both
        self.missing += len(gold) - both

    def __bool__(self) -> bool:
        return bool(self.matched or self.spurious or self.missing)

    @property
    def precision(self) -> float:
        """Share of the system's values that are right; 0 if there are none."""
        return _ratio(self.matched, self.matched + self.spurious)

    @property
    def recall(self) -> float:
        """Share of the gold values that were found; 0 if there are none."""
        return _ratio(self.matched, self.matched + self.missing)

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        return _ratio(2 * self.matched, 2 * self.matched + self.spurious + self.missing)

    def told(self, prefix: str = "") -> dict[str, float | None]:
        """Precision, recall and F1; ``None`` each where there is nothing."""
        values = (self.precision, self.recall, self.f1) if self else (None,) * 3
        return {f"{prefix}{name}": v for name, v in zip("prf", values, strict=True)}


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def score(examples: Iterable[Any], metrics: Iterable[Any] = ()) -> dict[str, Any]:
    """Score predicted documents against references.

    Args:
        examples: spaCy's, with ``reference`` and ``predicted``; or pairs of documents,
            the reference first.
        metrics: metrics of graphscore that are wanted besides, such as ``"ser"``: the
            number that stands for each, under its name.

    Returns:
        ``token_acc``, ``token_p``, ``token_r``, ``token_f``, ``sents_p``...,
        ``tag_acc``, ``pos_acc``, ``morph_acc``, ``morph_micro_p``...,
        ``morph_per_feat``, ``dep_uas``, ``dep_las``, ``dep_las_per_type``,
        ``ents_p``..., ``ents_per_type``: from 0 to 1, ``None``
        where references annotate nothing.

    Raises:
        TypeError: if an example is neither.
        InputError: if the texts of both documents differ in more than blanks.
    """
    pairs = [
        Aligned(number, *_documents(number, example))
        for number, example in enumerate(examples)
    ]
    result = {
        **_tokens(pairs),
        **_sentences(pairs),
        **_accuracy(pairs, "tag", lambda token: token.tag_),
        **_accuracy(pairs, "pos", lambda token: token.pos_),
        **_accuracy(pairs, "morph", _key),
        **_features(pairs),
        **_dependencies(pairs),
        **_entities(pairs),
    }
    return result | _further(pairs, metrics)


class Scorer:
    """Scorer with the interface of spaCy's ``Scorer``.

    Args:
        metrics: metrics of graphscore that are wanted besides.
    """

    def __init__(self, metrics: Iterable[Any] = ()) -> None:
        self.metrics = tuple(metrics)

    def score(self, examples: Iterable[Any]) -> dict[str, Any]:
        """Score examples, or pairs of documents; see :func:`score`."""
        return score(examples, self.metrics)


def _documents(number: int, example: Any) -> tuple[Any, Any]:
    if hasattr(example, "reference") and hasattr(example, "predicted"):
        return example.reference, example.predicted
    pair = isinstance(example, list | tuple) and len(example) == 2
    if pair and all(hasattr(doc, "ents") and hasattr(doc, "text") for doc in example):
        return example[0], example[1]
    raise TypeError(
        f"examples[{number}] is {type(example).__name__}, expected an Example or a "
        "pair of documents, the reference first"
    )


def _tokens(pairs: Sequence[Aligned]) -> dict[str, Any]:
    """Score tokens against those of the references."""
    right = total = 0
    count = Count()
    for pair in pairs:
        if getattr(pair.gold, "has_unknown_spaces", False):
            continue
        sides = [
            [token for token in doc if not token.text.isspace()]
            for doc in (pair.system, pair.gold)
        ]
        right += sum(pair.partner(token.i) is not None for token in sides[0])
        total += len(sides[0])
        system, gold = (
            {(token.idx, token.idx + len(token.text)) for token in side}
            for side in sides
        )
        count.add(system, gold)
    accuracy = right / total if total else None
    token_scores = count.told("token_") if total else Count().told("token_")
    return {"token_acc": accuracy, **token_scores}


def _sentences(pairs: Sequence[Aligned]) -> dict[str, Any]:
    count = Count()
    for pair in pairs:
        if not annotated(pair.gold, "SENT_START"):
            continue
        gold = {(span.start, span.end) for span in sentences(pair.gold)}
        system: _Set = set()
        if annotated(pair.system, "SENT_START"):
            system = aligned_spans(pair, sentences(pair.system))
        count.add(system, gold)
    return count.told("sents_")


def _accuracy(
    pairs: Sequence[Aligned], name: str, value_of: Callable[[Any], Any]
) -> dict[str, float | None]:
    """Score the accuracy of a token attribute against the references."""
    count = Count()
    for pair in pairs:
        gold = {
            (index, value_of(token))
            for index, token in enumerate(pair.gold)
            if value_of(token)
        }
        indices = {index for index, _ in gold}
        system = {
            (index, value_of(token))
            for index, token in pair.placed()
            if index in indices
        }
        count.add(system, gold)
    return {f"{name}_acc": count.f1 if count else None}


def _key(token: Any) -> Any:
    """Return a key of the morphology, which distinguishes an empty one from none."""
    return getattr(token.morph, "key", str(token.morph))


def _features(pairs: Sequence[Aligned]) -> dict[str, Any]:
    """Morphological features, one by one."""
    total, counts = Count(), dict[str, Count]()
    for pair in pairs:
        gold, system = _Features(), _Features()
        known = set()
        for index, token in enumerate(pair.gold):
            for field, feature in _features_of(token):
                gold.setdefault(field, set()).add((index, feature))
                known.add(index)
        for index, token in pair.placed():
            for field, feature in _features_of(token) if index in known else ():
                system.setdefault(field, set()).add((index, feature))
        for field in {**gold, **system}:
            for count in (total, counts.setdefault(field, Count())):
                count.add(system.get(field, set()), gold.get(field, set()))
    return {
        **total.told("morph_micro_"),
        "morph_per_feat": _each(counts) if total else None,
    }


def _features_of(token: Any) -> Iterator[tuple[str, str]]:
    text = str(token.morph)
    for feature in text.split("|") if text not in ("", "_") else ():
        yield feature.partition("=")[0], feature


def _dependencies(pairs: Sequence[Aligned]) -> dict[str, Any]:
    bare, labelled, counts = Count(), Count(), dict[str, Count]()
    for pair in pairs:
        gold, unknown = set(), set[int | None]()
        for number, token in enumerate(pair.gold):
            relation = token.dep_.lower()
            if not relation:
                unknown.add(number)
            elif relation not in PUNCTUATION:
                gold.add((number, token.head.i, relation))
        system = set()
        for token in pair.system:
            relation, dependent = token.dep_.lower(), pair.partner(token.i)
            if dependent in unknown or relation in PUNCTUATION or token.text.isspace():
                continue
            head = pair.partner(token.head.i)
            if dependent is None or head is None:
                bare.spurious += 1
                labelled.spurious += 1
            else:
                system.add((dependent, head, relation))
        labelled.add(system, gold)
        bare.add({arc[:2] for arc in system}, {arc[:2] for arc in gold})
        for relation in {arc[2]: None for arc in chain(gold, system)}:
            counts.setdefault(relation, Count()).add(
                {arc for arc in system if arc[2] == relation},
                {arc for arc in gold if arc[2] == relation},
            )
    return {
        "dep_uas": bare.f1 if bare else None,
        "dep_las": labelled.f1 if bare else None,
        "dep_las_per_type": _each(counts) if bare else None,
    }


def _entities(pairs: Sequence[Aligned]) -> dict[str, Any]:
    total, counts = Count(), dict[str, Count]()
    for pair in pairs:
        if not annotated(pair.gold, "ENT_IOB"):
            continue
        gold = {(ent.label_, ent.start, ent.end) for ent in pair.gold.ents}
        tokens = list(pair.gold)
        system = set()
        for ent in pair.system.ents:
            counts.setdefault(ent.label_, Count())
            indices = pair.places(ent.start, ent.end)
            if not indices:
                continue
            start, end = indices[0], indices[-1] + 1
            # Where the reference says nothing, nothing is wrong.
            if any(getattr(t, "ent_iob", None) == 0 for t in tokens[start:end]):
                continue
            key = ent.label_, start, end
            if key in system:
                total.spurious += 1
                counts[ent.label_].spurious += 1
            system.add(key)
        total.add(system, gold)
        for label in {entity[0]: None for entity in chain(gold, system)}:
            counts.setdefault(label, Count()).add(
                {entity for entity in system if entity[0] == label},
                {entity for entity in gold if entity[0] == label},
            )
    return {**total.told("ents_"), "ents_per_type": _each(counts) if total else None}


def _each(counts: Mapping[str, Count]) -> dict[str, dict[str, float]]:
    return {
        name: {"p": count.precision, "r": count.recall, "f": count.f1}
        for name, count in counts.items()
    }


def _further(pairs: Sequence[Aligned], metrics: Iterable[Any]) -> dict[str, Any]:
    """Return the main score of each of further metrics."""
    if isinstance(metrics, str):
        raise UsageError(f"metrics is {metrics!r}, expected a list of metrics")
    requested = list(metrics)
    if not requested:
        return {}
    from graphscore.evaluation.api import score as scored

    results = scored(
        [pair.gold for pair in pairs], [pair.system for pair in pairs], requested
    )
    return {
        str(result.metric): None if result.nothing else result.value
        for result in results
    }
