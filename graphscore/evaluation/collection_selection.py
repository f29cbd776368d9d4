"""Selection of collections of a store, and of metrics, where not all are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from graphscore.evaluation.default_metrics import Choice
from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.exceptions import PairingError, UsageError, did_you_mean
from graphscore.metrics.base import Metric
from graphscore.model.frameworks import FRAMEWORKS

Scored = tuple[str, Choice, str]
"""A system, a metric that scored it, and what was scored."""


def only_gold(store: Store, systems: Sequence[str] = ()) -> str | None:
    """The gold collection that systems were scored against, if it is one.

    Args:
        store: where.
        systems: their names; all without.
    """
    made = [*store.query("select distinct gold, system from v_evaluations")[1]]
    golds = {gold for gold, system in made if not systems or system in systems}
    known = {system for _, system in made}
    return golds.pop() if len(golds) == 1 and known >= set(systems) else None


class Paired(NamedTuple):
    """Names of the collections paired with gold."""

    taken: list[str]
    left_out: dict[str, str]
    """The others, with what keeps them from pairing."""

    def said(self, golds: Sequence[str]) -> str:
        """A line for people: what pairs with gold, and what does not.

        Args:
            golds: what gold is called.
        """
        others = ", ".join(f"{name} ({why})" for name, why in self.left_out.items())
        left = f"; left out: {others}" if others else ""
        return f"paired with {' and '.join(golds)}: {', '.join(self.taken)}{left}"


def pairing_collections(store: Store, golds: Sequence[str], options: Options) -> Paired:
    """The collections that share items of a framework with gold.

    Args:
        store: where.
        golds: the gold collection, or several references.
        options: which graphs take part, and how they pair.

    Returns:
        They, in order of name, and all others that are no gold.

    Raises:
        UsageError: for a gold collection that there is not.
        PairingError: if none pairs; with what keeps each from it.
    """
    names = sorted(store.collection_names())
    for gold in golds:
        if gold not in names:
            known = ", ".join(map(repr, names)) or "none yet"
            raise UsageError(
                f"no collection {gold!r} in the store{did_you_mean(gold, names)}; "
                f"there are: {known}"
            )
    pairing_frameworks = store.pairing_frameworks(golds, options)
    frameworks = {name for gold in golds for name in pairing_frameworks.get(gold, ())}
    paired = Paired([], {})
    for name in names:
        own = pairing_frameworks.get(name, {})
        if name in golds:
            continue
        if not own:
            paired.left_out[name] = "no graphs that take part"
        elif frameworks.isdisjoint(own):
            gold = ", ".join(sorted(frameworks)) or "nothing"
            paired.left_out[name] = f"it has {', '.join(sorted(own))}; gold has {gold}"
        elif any(own.values()) or options.pair == "order":
            paired.taken.append(name)
        else:
            paired.left_out[name] = "no item in common"
    if not paired.taken:
        others = "".join(f"\n{name}: {why}" for name, why in paired.left_out.items())
        for name in sorted(options.selection.frameworks.difference(FRAMEWORKS)):
            others += f"\n--framework {name}{did_you_mean(name, FRAMEWORKS)}"
        raise PairingError(
            f"{store.url}: nothing pairs with {' or '.join(map(repr, golds))}"
            f"{others or ', which is all it holds'}"
        )
    return paired


def compared_collections(
    store: Store, gold: str | None, systems: Sequence[str]
) -> tuple[str, list[str]]:
    """Gold and the systems that are compared.

    Args:
        store: where.
        gold: its collection; the only one that systems were scored against without.
        systems: their collections; without, all that were scored against gold, in
            order of name; all that pair with it where nothing was scored yet.

    Raises:
        UsageError: if gold is not told, or nothing was scored against it.
    """
    gold = gold or only_gold(store, systems)
    if gold is None:
        holds = store.describe_holdings()
        raise UsageError(f"{store.url}: which collection is gold? {holds}")
    result = list(dict.fromkeys(systems))
    if not result:
        evaluations = store.evaluations()
        result = sorted(
            {evaluation.system for evaluation in evaluations if evaluation.gold == gold}
        )
        if not evaluations:
            result = pairing_collections(store, [gold], Options()).taken
        if len(result) < 2:
            scored = f"only {result[0]} was" if result else "no system was"
            raise UsageError(
                f"{store.url}: {scored} scored against {gold!r}; name the systems"
            )
    return gold, result


class StoreRequest(NamedTuple):
    """Request for evaluations of a store."""

    metrics: Sequence[Metric] | None
    options: Options
    accepts: Callable[[Metric], bool] = lambda _: True

    def chosen(
        self,
        store: Store,
        gold: str,
        systems: Iterable[str],
        holder: str = "collections",
    ) -> list[Scored]:
        """Return every system with each metric.

        Args:
            store: where the collections are.
            gold: the gold collection.
            systems: the others.
            holder: what is said to hold them.
        """
        result = []
        for system in systems:
            if self.metrics is not None:
                chosen = [Choice(metric, "") for metric in self.metrics]
            else:
                chosen = store.default_metrics(gold, system, self.options, holder)
            scored = [choice for choice in chosen if self.accepts(choice.metric)]
            # If none is asked for, the first says what it has.
            result += [
                (system, choice, str(store.scope(gold, choice.metric, limited)))
                for choice in scored or chosen[:1]
                for limited in [choice.limited(self.options)]
            ]
        return result

    def current(self, store: Store, gold: str, made: Iterable[Scored]) -> bool:
        """Return whether all evaluations exist, and nothing is to be scored.

        Args:
            store: where they are.
            gold: the gold collection.
            made: systems with their metrics.

        Raises:
            StoreError: if what is there is not of what is there now.
        """
        stored = [
            store.holds_scope(gold, system, choice.metric, scope)
            for system, choice, scope in made
        ]
        return all(stored)

    def score(self, store: Store, gold: str, made: Iterable[Scored]) -> None:
        """Score what is not there yet.

        Args:
            store: where the collections are.
            gold: the gold collection.
            made: systems with their metrics.
        """
        for system, choice, scope in made:
            if not store.holds_scope(gold, system, choice.metric, scope):
                options = choice.limited(self.options)
                store.evaluate(gold, system, [choice.metric], options)
