"""Which collections of a store are meant, where not all are named."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.errors import UsageError
from graphscore.evaluation.stored import Store


def only_gold(store: Store, systems: Sequence[str] = ()) -> str | None:
    """The gold collection that systems were scored against, if it is one.

    Args:
        store: where.
        systems: their names; all without.
    """
    made = store.evaluations()
    golds = {each.gold for each in made if not systems or each.system in systems}
    known = {each.system for each in made}
    return golds.pop() if len(golds) == 1 and known >= set(systems) else None


def compared_collections(
    store: Store, gold: str | None, systems: Sequence[str]
) -> tuple[str, list[str]]:
    """Gold and the systems that are compared.

    Args:
        store: where.
        gold: its collection; the only one that systems were scored against without.
        systems: their collections; without, all that were scored against gold, in
            order of name.

    Raises:
        UsageError: if gold is not told, or nothing was scored against it.
    """
    gold = gold or only_gold(store, systems)
    if gold is None:
        there = ", ".join(each.name for each in store.collections())
        holds = f"it holds: {there}" if there else "it holds nothing yet"
        raise UsageError(f"{store.url}: which collection is gold? {holds}")
    found = list(dict.fromkeys(systems))
    if not found:
        made = store.evaluations()
        found = sorted({each.system for each in made if each.gold == gold})
        if len(found) < 2:
            scored = f"only {found[0]} was" if found else "no system was"
            raise UsageError(
                f"{store.url}: {scored} scored against {gold!r}; name the systems"
            )
    return gold, found
