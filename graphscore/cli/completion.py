"""What shells offer after the first letters of a value.

Names come from tables and from stores as they are: nothing is imported that is slow,
but a metric where its figures are asked for.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from graphscore.metrics.base import Metric

Names = Callable[[click.Context], Iterable[str]]

SHELLS = ("bash", "zsh", "fish")

VARIABLE = "_GRAPHSCORE_COMPLETE"
"""The variable of the environment in which a shell asks."""

_RATIOS = ("precision", "recall", "f1")


class Name(click.types.StringParamType):
    """Text that a shell can complete, as any text where it is read.

    Args:
        names: what there is to choose from.
        several: whether a value may be several, with commas.
    """

    def __init__(self, names: Names, several: bool = False) -> None:
        self.names, self.several = names, several

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[Any]]:
        """What begins like that, in alphabetical order."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        if not self.several:
            before, comma, last = "", "", incomplete
        chosen = set(before.split(","))
        return [
            CompletionItem(f"{before}{comma}{name}")
            for name in sorted({*self.names(ctx)} - chosen)
            if name.startswith(last)
        ]


def files(incomplete: str) -> list[CompletionItem[Any]]:
    """What lets a shell complete the name of a file by itself.

    Args:
        incomplete: its beginning.
    """
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete(verb: click.Command) -> None:
    """Let shells complete the values of a verb's options and arguments.

    Args:
        verb: whose they are.
    """
    for param in verb.params:
        if param.type is not click.STRING:
            continue
        for option in param.opts:
            found = COMPLETED.get(f"{verb.name} {option}", COMPLETED.get(option))
            if found is not None:
                param.type = found


def script(root: click.Command, shell: str) -> str:
    """What a shell has to read to complete.

    Args:
        root: the command of all verbs.
        shell: one of :data:`SHELLS`.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    return found(root, {}, "graphscore", VARIABLE).source()


def _doors(corridor: str) -> Iterator[ModuleType]:
    """The packages of families, and whatever else has a table."""
    package = import_module(f"graphscore.{corridor}")
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg or module.name == "plain":
            yield import_module(f"graphscore.{corridor}.{module.name}")


def _offered(group: str) -> list[str]:
    """What other distributions add."""
    return [each.name for each in entry_points(group=group)]


def _metrics(_: click.Context) -> list[str]:
    doors = _doors("metrics")
    ours = [name for door in doors for name in getattr(door, "METRICS", ())]
    return ours + _offered("graphscore.metrics")


def _formats(_: click.Context) -> list[str]:
    doors = _doors("formats")
    ours = [each.name for door in doors for each in getattr(door, "FORMATS", ())]
    return ours + _offered("graphscore.formats")


def _frameworks(_: click.Context) -> Iterable[str]:
    from graphscore.model.frameworks import FRAMEWORKS

    return FRAMEWORKS


def _collections(ctx: click.Context) -> list[str]:
    """Those of the store that stands before; else those of nothing."""
    from graphscore.store.names import collection_names

    given = ctx.params.get("store") or ctx.params.get("operands") or ()
    operands = [given] if isinstance(given, str) else given
    # Where an option lacks its value, operands are left over.
    return [name for each in (*operands, *ctx.args) for name in collection_names(each)]


def _chosen(ctx: click.Context) -> Iterator[Metric]:
    """The metrics that are named before, as far as they are some."""
    from graphscore.errors import GraphscoreError
    from graphscore.metrics.registry import parse, split_metrics

    given = ctx.params.get("metric_names") or ctx.params.get("metric_name") or ()
    for text in [given] if isinstance(given, str) else given:
        for name in split_metrics(text):
            # Files of users' own are not run because of a key.
            if ":" in name:
                continue
            try:
                yield parse(name)
            except GraphscoreError:
                # Whoever asks is still typing.
                continue


def _figures(ctx: click.Context) -> Iterator[str]:
    yield from (*_RATIOS, "macro")
    for metric in _chosen(ctx):
        counts, numbers = metric.figures({})
        yield from (*counts, *numbers)
        yield from (f"{kind}.{ratio}" for kind in counts for ratio in _RATIOS)


def _limits(ctx: click.Context) -> Iterator[str]:
    return (f"{figure}=" for figure in _figures(ctx))


def _kinds(ctx: click.Context) -> Iterator[str]:
    return (kind for metric in _chosen(ctx) for kind in metric.error_kinds)


_COLLECTION, _FORMAT, _FRAMEWORK = map(Name, (_collections, _formats, _frameworks))

_METRIC, _FIGURE, _LIMIT = map(Name, (_metrics, _figures, _limits))


def _columns(*names: str) -> Name:
    return Name(lambda _: names, several=True)


_SLICES = "framework", "kind", "document", "language", "layer"

COMPLETED: dict[str, Name] = {
    "--metric": Name(_metrics, several=True),
    "--gold": _COLLECTION,
    "--system": _COLLECTION,
    "--baseline": _COLLECTION,
    "--collection": _COLLECTION,
    "--as": _COLLECTION,
    "--format": _FORMAT,
    "--gold-format": _FORMAT,
    "--system-format": _FORMAT,
    "--to": _FORMAT,
    "--framework": _FRAMEWORK,
    "--framework-of-file": _FRAMEWORK,
    "score --by": _columns(*_SLICES, "item"),
    "merge --by": _columns(*_SLICES, "item"),
    "compare --by": _columns(*_SLICES),
    "errors --by": _columns("framework", "kind", "side", "name", "value"),
    "--figure": _FIGURE,
    "--rank": Name(_figures, several=True),
    "--fail-under": _LIMIT,
    "--fail-over": _LIMIT,
    "--kind": Name(_kinds),
    "remove name": _COLLECTION,
    "metrics name": _METRIC,
}
"""By option or argument, and where its verb matters by both."""
