"""Messages about evaluations made under another revision of their metric."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from graphscore.exceptions import StoreError, UsageError, amount
from graphscore.metrics.revisions import current_revision, stored_revision
from graphscore.model.scope import listed_in
from graphscore.store.evaluations import Evaluation
from graphscore.store.revisions import OUTDATED


def revision_now(made: Evaluation, requested: str | None = None) -> int | None:
    """The revision that the metric of an evaluation has now.

    Args:
        made: as the store has it.
        requested: the metric that a user has named: files and modules of that one are
            looked at, as they may have been edited.
    """
    named = requested is not None and requested == made.metric
    return (current_revision if named else stored_revision)(made.metric)


def with_status(made: Evaluation, requested: str | None = None) -> Evaluation:
    """An evaluation with its status as of now.

    Args:
        made: as the store has it.
        requested: the metric that a user has named.
    """
    if revision_now(made, requested) in (None, made.revision):
        return made
    return made._replace(status=OUTDATED)


def refuse_changed(store: str, made: Evaluation, revision: int | None) -> None:
    """Raise if scores of an evaluation are not those of what is there now.

    Args:
        store: as its user named it.
        made: the evaluation.
        revision: that its metric has now; ``None`` if it cannot be known.

    Raises:
        StoreError: naming the command that scores again.
    """
    status = made.status
    if revision not in (None, made.revision):
        status = OUTDATED
    if status == "done":
        return
    why = f"revision {made.revision}, now {revision}"
    if status != OUTDATED:
        why = "graphs have come, gone or changed since"
    raise StoreError(
        f"{store}: the evaluation of {made.system} against {made.gold} with "
        f"{made.metric} is {status} ({why}); score again: {command(store, made)}"
    )


def refuse_outdated(
    store: str,
    evaluations: Iterable[Evaluation],
    filters: Mapping[str, str | None],
    requested: str | None,
) -> None:
    """Raise if an evaluation that is asked for is outdated.

    Args:
        store: as its user named it.
        evaluations: those of the store.
        filters: ``gold``, ``system``, ``metric`` and ``scope``; ``None`` for any.
        requested: the metric that a user has named.

    Raises:
        StoreError: naming the command that scores again.
    """
    for evaluation in evaluations:
        if (
            is_requested(evaluation, filters)
            and with_status(evaluation, requested).status == OUTDATED
        ):
            refuse_changed(store, evaluation, revision_now(evaluation, requested))


def is_requested(evaluation: Evaluation, filters: Mapping[str, str | None]) -> bool:
    """Return whether an evaluation is among those requested.

    Args:
        evaluation: as the store has it.
        filters: ``gold``, ``system``, ``metric`` and ``scope``; ``None`` for any.
    """
    names = ("gold", "system", "metric", "scope")
    return all(filters.get(x) in (None, getattr(evaluation, x)) for x in names)


def refuse_mixed(
    store: str,
    evaluations: Iterable[Evaluation],
    filters: Mapping[str, str | None],
    units: Mapping[int, int],
) -> None:
    """Raise if several evaluations of one system by one metric are asked for at once.

    Args:
        store: as its user named it.
        evaluations: those of the store.
        filters: as for :func:`is_requested`.
        units: how many units each evaluation has.

    Raises:
        UsageError: naming their scopes and numbers of units.
    """
    of: dict[tuple[str, ...], list[Evaluation]] = {}
    for evaluation in evaluations:
        if is_requested(evaluation, filters):
            of.setdefault(evaluation.names[:3], []).append(evaluation)
    for (gold, system, metric), several in of.items():
        if len(several) > 1:
            scopes = ", ".join(
                f"{evaluation.scope!r} ({amount(units.get(evaluation.id, 0), 'unit')})"
                for evaluation in several
            )
            raise UsageError(
                f"{store}: {system} was scored against {gold} with {metric} over "
                f"several scopes: {scopes}; expected one of them as scope"
            )


def command(store: str, made: Evaluation) -> str:
    """The command line that makes an evaluation anew.

    Args:
        store: as its user named it.
        made: the evaluation.
    """
    fields = dict(field.partition(":")[::2] for field in made.signature.split("|"))
    words = ["graphscore", "score", store, "--gold", made.gold]
    words += ["--system", made.system, "-m", made.metric]
    if fields.get("pair", "id") != "id":
        words += ["--pair", fields["pair"]]
    if "ids" in fields:
        words += ["--ids", fields["ids"]]
    listed = listed_in(made.scope)
    if "framework" not in fields:
        # They were not named, and follow from the metric.
        listed.pop("framework", None)
    for name, values in listed.items():
        words += [word for value in values for word in (f"--{name}", value)]
    if "items" in fields and "item" not in listed:
        return f"{shlex.join(words)}, with --item as before"
    return shlex.join(words)
