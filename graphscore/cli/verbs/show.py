"""``graphscore show``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from graphscore.cli.operands import (
    FileOperands,
    Operands,
    StoreOperands,
    one_system,
    opened,
    resolve,
)
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    framework_option,
    gold_option,
    layer_option,
    one_metric_option,
    output_options,
    sides_reading_options,
    systems_option,
    work_options,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import GraphscoreError, UsageError, amount

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options, Selection
    from graphscore.evaluation.stored import Store
    from graphscore.metrics.base import Metric
    from graphscore.model.graph import Graph
    from graphscore.report.explaining.explanation import Explanations
    from graphscore.report.showing.finding import Found
    from graphscore.report.sidebyside import Comparison
    from graphscore.report.text import Table


@click.command("show", cls=Verb)
@click.argument("item")
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM | STORE"
)
@gold_option
@systems_option
@one_metric_option
@framework_option
@layer_option
@click.option(
    "--svg",
    metavar="FILE",
    type=FILE,
    help="Draw it, into FILE (- is standard output), instead of printing it.",
)
@click.option(
    "--html",
    metavar="FILE",
    type=FILE,
    help="Write a page of it, with pictures and errors, instead of printing it.",
)
@click.option(
    "--fold",
    is_flag=True,
    help="Leave out of the picture what matched, but near errors.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Print how it came to its score instead, as a tree; takes several metrics.",
)
@work_options
@sides_reading_options
@output_options
def command(
    item: str,
    operands: tuple[str, ...],
    gold: str | None,
    systems: tuple[str, ...],
    metric_names: tuple[str, ...],
    in_framework: str | None,
    in_layer: str | None,
    svg: str | None,
    html: str | None,
    fold: bool,
    explain: bool,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Show ITEM, gold beside system: what corresponds, what matched, what did not.

    ITEM is an item's id, or that of a document where the metric compares documents;
    collection is all there is, for metrics of whole collections such as neleval.

    With --explain it is said what was paired, and what that earned: a formula has a
    tree for every kind, with the pairs of each level; any other metric the pieces that
    match, are missing or surplus.  Then the sums.

    Examples:
      graphscore show 20003008 gold.mrp system.mrp --framework eds
      graphscore show 20003008 runs.db --gold gold --system peking
      graphscore show 20003008 gold.mrp system.mrp --html item.html
      graphscore show 20003008 gold.mrp system.mrp --explain -m smatch,mrp
    """
    from graphscore.cli.pictures import check_target, draw_pairs, write_page
    from graphscore.evaluation.unit import COLLECTION
    from graphscore.metrics.base import unit_of

    metrics = chosen_metrics(metric_names, "" if explain else "show without --explain")
    target = resolve(operands, gold, systems, reading, scoring, output)
    if len(target.systems) > 1:
        raise one_system("show", target)
    files = _files({"--svg": svg, "--html": html}, fold=fold, explain=explain)
    for option, file in files.items():
        if file != "-":
            check_target(option, file, target)
    options = scoring.options(reading, details=True)
    if explain:
        from graphscore.report.explaining.finding import explained

        sides = _sides(target, item, options)
        trees = explained(*sides, item, metrics, options, in_framework, in_layer)
        _print_explained(trees, output)
        return
    if isinstance(target, StoreOperands):
        chosen = _from_store(target, item, in_framework, metrics, options, in_layer)
    else:
        from graphscore.report.showing.finding import find
        from graphscore.report.showing.sentences import compared

        sides = target.gold, target.systems[0]
        scored = find(*sides, item, metrics, options, in_framework, in_layer)
        if metrics is None and in_framework is None:
            scored = _of_both_sides(scored, output)
        chosen = [
            (compared(each, options.budget, item), each.because) for each in scored
        ]
    found = [each for each, _ in chosen]
    if svg is not None:
        draw_pairs(found, svg, fold=fold)
    if html is not None:
        write_page(found, html, fold=fold)
    for to in () if files else output.audiences():
        _print(found, to)
    for file in files.values():
        if file != "-":
            output.say(f"{file}: {amount(len(found), 'picture')}")
    for each in found:
        if unit_of(each.metric) == "collection" and each.gold.id != COLLECTION:
            output.say(
                f"{each.metric} compares whole collections; {each.gold.id} is compared "
                f"as if it were all, {COLLECTION} shows all"
            )
    output.say_chosen((each.metric, because) for each, because in chosen)


def _of_both_sides(scored: list[Found], output: Output) -> list[Found]:
    """Return what to show without layers of a record that the system does not have.

    Enhanced dependencies are a layer of a tree that may be there without it.
    """
    from graphscore.evaluation.defaults import EITHER

    both = {unit.gold.framework for unit in scored if unit.system is not None}
    lacking = [
        unit
        for unit in scored
        if unit.system is None and EITHER.get(unit.gold.framework) in both
    ]
    for framework in sorted({unit.gold.framework for unit in lacking}):
        output.say(f"{framework}: not shown, the system has none of this item")
    return [unit for unit in scored if unit not in lacking]


def _files(
    written: dict[str, str | None], *, fold: bool, explain: bool
) -> dict[str, str]:
    """The files of pictures that are asked for, by option.

    Raises:
        UsageError: if options do not go together.
    """
    files = {option: file for option, file in written.items() if file is not None}
    if explain and (files or fold):
        named = [*files, *(["--fold"] if fold else [])]
        raise UsageError(f"--explain prints a tree, drop {' and '.join(named)}")
    if fold and not files:
        raise UsageError("--fold is of pictures, expected --svg or --html")
    return files


def _print(found: Sequence[Comparison], output: Output) -> None:
    if output.shape == "table":
        from graphscore.report.sidebyside import WIDTH

        width = get_terminal_size().columns if sys.stdout.isatty() else WIDTH
        width = output.columns or width
        output.tables(
            table
            for each in found
            for table in each.tables(width, verbose=output.verbose)
        )
    elif output.shape == "jsonl":
        output.lines(each.to_dict() for each in found)
    elif output.shape == "csv":
        columns = (
            "framework",
            "item",
            "object",
            "mark",
            "side",
            "id",
            "pieces",
            "credit",
        )
        output.rows(columns, [row for each in found for row in each.flat()])
    else:
        values = [each.to_dict() for each in found]
        output.value(values[0] if len(values) == 1 else values)


def _sides(
    target: Operands, item: str, options: Options
) -> tuple[str | list[Graph], str | list[Graph]]:
    """Both sides; of a store the graphs that the item has to do with."""
    [system] = target.systems
    if isinstance(target, FileOperands):
        return target.gold, system
    from graphscore.report.showing.stored import sides_of

    return sides_of(opened(target.store), target.gold, system, item, options)


def _print_explained(found: Explanations, output: Output) -> None:
    from graphscore.report.explaining.explanation import COLUMNS

    for to in output.audiences():
        if to.shape == "table":
            to.tables(_explaining_tables(found))
        elif to.shape == "jsonl":
            to.lines(each.to_dict() for each in found)
        elif to.shape == "csv":
            to.rows(COLUMNS, [row for each in found for row in each.flat()])
        else:
            values = [each.to_dict() for each in found]
            to.value(values[0] if len(values) == 1 else values)
    output.say_chosen((each.metric, each.because) for each in found)


def _explaining_tables(found: Explanations) -> Iterator[Table]:
    """Trees, and the tables below each."""
    from graphscore.report.text import Table

    for each in found:
        yield Table([], listing="\n".join(each.lines()))
        yield from each.tables()


def _from_store(
    target: StoreOperands,
    item: str,
    framework: str | None,
    metrics: Sequence[Metric] | None,
    options: Options,
    layer: str | None,
) -> list[tuple[Comparison, str]]:
    from dataclasses import replace

    from graphscore.evaluation.defaults import Choice
    from graphscore.evaluation.options import Selection
    from graphscore.report.showing.finding import is_cut_otherwise
    from graphscore.report.sidebyside import Comparison

    gold, [system] = target.gold, target.systems
    wanted = Selection(items=frozenset({item}), layers=frozenset(filter(None, [layer])))
    store = opened(target.store)
    layers: dict[str, set[str]] = {}
    for graph in store.graphs(gold, wanted):
        layers.setdefault(graph.framework, set()).add(graph.layer)
    there = sorted(layers)
    if not there:
        return _of_document(store, target, item, framework, metrics, options, layer)
    frameworks = [name for name in there if framework in (None, name)]
    if not frameworks:
        raise _elsewhere(item, there, framework)
    limited = replace(options, selection=wanted)
    if metrics is None:
        chosen = store.default_metrics(gold, system, limited)
    else:
        chosen = [Choice(metric, "") for metric in metrics]
    shown = [
        (name, each)
        for name in frameworks
        for each in chosen
        if each.metric.takes(name, [framework] if metrics and framework else [])
    ]
    found = []
    for name, each in shown:
        for each_layer in sorted(layers[name]):
            mine = replace(options, selection=_of_layer(options, each_layer))
            one, two, outcome = store.pair(gold, system, item, each.metric, name, mine)
            if is_cut_otherwise(each.metric, one, two):
                asked = item, name, [each.metric], options, each_layer
                found += [
                    (whole, each.because)
                    for whole, _ in _of_document(store, target, *asked)
                ]
            else:
                whole = Comparison(one, two, each.metric, outcome)
                found.append((whole, each.because))
    return found


def _of_layer(options: Options, layer: str) -> Selection:
    """What takes part, of one layer only if there are several."""
    from dataclasses import replace

    return replace(options.selection, layers=frozenset(filter(None, [layer])))


def _of_document(
    store: Store,
    target: StoreOperands,
    item: str,
    framework: str | None,
    metrics: Sequence[Metric] | None,
    options: Options,
    layer: str | None,
) -> list[tuple[Comparison, str]]:
    """A document of a store, which metrics compare as a whole."""
    from graphscore.report.showing.finding import find
    from graphscore.report.showing.sentences import compared
    from graphscore.report.showing.stored import sides_of

    gold, [system] = target.gold, target.systems
    sides = sides_of(store, gold, system, item, options, metrics)
    found = find(*sides, item, metrics, options, framework, layer)
    for each in found:
        store.refuse_outdated(gold=gold, system=system, metric=str(each.metric))
    return [(compared(each, options.budget, item), each.because) for each in found]


def _elsewhere(item: str, there: list[str], framework: str | None) -> GraphscoreError:
    return GraphscoreError(
        f"item {item!r} is not in {framework}, but in: {', '.join(there)}"
    )
