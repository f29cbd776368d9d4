"""What is said of evaluations that were made under another revision of their metric."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from graphscore.errors import StoreError
from graphscore.metrics.revisions import current_revision
from graphscore.store.evaluations import Evaluation
from graphscore.store.revisions import OUTDATED


def judged(made: Evaluation) -> Evaluation:
    """An evaluation with its status as of now.

    Files and modules may have been edited since the store was opened.

    Args:
        made: as the store has it.
    """
    if current_revision(made.metric) in (None, made.revision):
        return made
    return made._replace(status=OUTDATED)


def refuse_outdated(
    store: str, evaluations: Iterable[Evaluation], wanted: Mapping[str, str | None]
) -> None:
    """Raise if an evaluation that is asked for is outdated.

    Args:
        store: as its user named it.
        evaluations: those of the store, judged.
        wanted: ``gold``, ``system`` and ``metric``; ``None`` for any.

    Raises:
        StoreError: naming the command that scores again.
    """
    for made in evaluations:
        names = (made.gold, made.system, made.metric)
        asked = map(wanted.get, ("gold", "system", "metric"))
        if made.status == OUTDATED and all(
            given in (None, name) for given, name in zip(asked, names, strict=True)
        ):
            raise StoreError(
                f"{store}: the evaluation of {made.system} against {made.gold} with "
                f"{made.metric} is outdated (revision {made.revision}, now "
                f"{current_revision(made.metric)}); score again: {command(store, made)}"
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
