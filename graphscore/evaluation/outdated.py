"""What is said of evaluations that were made under another revision of their metric."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from graphscore.errors import StoreError
from graphscore.metrics.revisions import current_revision, stored_revision
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


def judged(made: Evaluation, requested: str | None = None) -> Evaluation:
    """An evaluation with its status as of now.

    Args:
        made: as the store has it.
        requested: the metric that a user has named.
    """
    if revision_now(made, requested) in (None, made.revision):
        return made
    return made._replace(status=OUTDATED)


def refuse_outdated(
    store: str,
    evaluations: Iterable[Evaluation],
    wanted: Mapping[str, str | None],
    requested: str | None,
) -> None:
    """Raise if an evaluation that is asked for is outdated.

    Args:
        store: as its user named it.
        evaluations: those of the store.
        wanted: ``gold``, ``system`` and ``metric``; ``None`` for any.
        requested: the metric that a user has named.

    Raises:
        StoreError: naming the command that scores again.
    """
    for made in evaluations:
        names = (made.gold, made.system, made.metric)
        asked = map(wanted.get, ("gold", "system", "metric"))
        if (
            all(given in (None, name) for given, name in zip(asked, names, strict=True))
            and judged(made, requested).status == OUTDATED
        ):
            raise StoreError(
                f"{store}: the evaluation of {made.system} against {made.gold} with "
                f"{made.metric} is outdated (revision {made.revision}, now "
                f"{revision_now(made, requested)}); score again: {command(store, made)}"
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
    for name in ("framework", "language", "layer"):
        # Of many values a signature only says the number.
        if not fields.get(name, "0").isdecimal():
            words += [f"--{name}", fields[name]]
    return shlex.join(words)
