"""Both sides as graphs that pair, whatever they were given as.

Lists have no ids, so their items pair by their order: with those of the other list, or
of a file, whose ids they take.  Where one side knows tokens by their numbers alone, it
is laid over the words of the other.

>>> gold, system, _ = sides([["B-PER", "O"]], [[("PER", 0, 0)]])
>>> [node.anchors for graph in (*gold, *system) for node in graph.nodes]
[(Anchor(start=0, end=1),), (Anchor(start=0, end=1),)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from graphscore.exceptions import InputError, UsageError, amount, truncate
from graphscore.formats import ReaderOptions, read_file
from graphscore.formats.base import Rejected
from graphscore.formats.discovery import gather
from graphscore.formats.streams import flows_by
from graphscore.inputs import NOT_IN_TEXT, WITHOUT_TEXT
from graphscore.inputs.base import (
    Ends,
    Taken,
    numbered_text,
    refusal,
    reword,
)
from graphscore.inputs.dispatch import SideInput, drop_ignored, recognize, settle_kinds
from graphscore.inputs.spans import after_of, check_texts
from graphscore.model.graph import Graph

Side = str | Iterable[Graph]
"""Side as scoring takes it."""


class Sides(NamedTuple):
    """Both sides as scoring takes them."""

    gold: Side
    system: Side
    cls: type[Any] | None = None
    """The class of the objects, where they are of one."""


def sides(
    gold: Any,
    system: Any,
    ends: Ends = "inclusive",
    readings: tuple[ReaderOptions, ReaderOptions] | None = None,
    frameworks: frozenset[str] = frozenset(),
) -> Sides:
    """Gold and a system as scoring takes them.

    Args:
        gold: a path, graphs, or anything of a known kind.
        system: likewise.
        ends: whether spans of tokens say their last token or the one after it.
        readings: how files are read, of gold and of the system.
        frameworks: what is scored, if that is known; it says what empty lists are.

    Returns:
        Paths as they are, graphs of everything else, and the class of objects.

    Raises:
        TypeError: if a side is nothing that is taken, or fits two readings.
        InputError: if there is something wrong in it, or the sides have not as many
            items where these pair by their order.
    """
    if ends != "inclusive":
        after_of(ends)
    labels = readings[0].labels if readings else ()
    inputs = recognize("gold", gold, labels), recognize("system", system, labels)
    if labels:
        drop_ignored(*inputs)
    return _sides(inputs, ends, readings, frameworks)


def _sides(
    inputs: tuple[SideInput, SideInput],
    ends: Ends,
    readings: tuple[ReaderOptions, ReaderOptions] | None,
    frameworks: frozenset[str],
) -> Sides:
    if any(side.candidates for side in inputs):
        settle_kinds(*inputs, frameworks)
    held = [
        item
        for side in inputs
        if side.kind is not None and side.kind.name == "objects"
        for item in side.items
    ]
    generated = [
        side for side in inputs if side.kind is not None and side.kind.generated
    ]
    cls = _class_of(held) if held else None
    if generated and not held and not frameworks:
        # Nobody says how they are scored: as their class, if that has keys of its own.
        from graphscore.inputs.columns import own_class

        cls = own_class(_class_of([item for side in generated for item in side.items]))
    if cls is None and readings is not None and isinstance(readings[0].format, type):
        cls = readings[0].format
    labels = readings[0].labels if readings else ()
    made = [_make_graphs(side_input, ends, cls, labels) for side_input in inputs]
    # Lists of as many tags pair as they are.
    sizes = [
        [len(graph.tokens) for graph in graphs or ()]
        for side, graphs in zip(inputs, made, strict=True)
        if side.kind is not None and side.kind.counted
    ]
    alike = len(sizes) == 2 and sizes[0] == sizes[1]
    alike = alike and not any(side.ids for side in inputs)
    for number in () if alike else (1, 0):
        side, graphs = inputs[number], made[number]
        if graphs is None:
            # A generator that was gone through before looks like this.
            if side.graphs == [] and needs_other(inputs[1 - number], made[1 - number]):
                raise _too_few(side, 0, inputs[1 - number], len(made[1 - number] or ()))
            continue
        partner, other_graphs = inputs[1 - number], made[1 - number]
        if other_graphs is None:
            if not needs_other(side, graphs):
                continue
            other_graphs = list(
                _read_graphs(partner, (readings or (ReaderOptions(),) * 2)[1 - number])
            )
        made[number] = _align_side(side, graphs, partner, other_graphs)
    made = [_finish(*both) for both in zip(inputs, made, strict=True)]
    result = [
        graphs if graphs is not None else side.path if side.path else side.graphs
        for side, graphs in zip(inputs, made, strict=True)
    ]
    first, second = ([] if side is None else side for side in result)
    return Sides(first, second, cls)


def _finish(side: SideInput, graphs: list[Graph] | None) -> list[Graph] | None:
    """A side without what stands for rejected items, and with what is said of it."""
    if graphs is None or side.taken is None:
        return graphs
    # Few have dicts.
    from graphscore.inputs.annotations import unplaced_words

    numbers: Counter[str] = Counter()
    finished = Taken()
    finished.rejected, finished.notes = side.taken.rejected, [*side.taken.notes]
    for index, graph in enumerate(graphs):
        if side.taken.places and not graph.id:
            # What follows a rejected item keeps its number.
            graph = msgspec.structs.replace(graph, id=str(numbers[graph.framework]))
        numbers[graph.framework] += 1
        if index not in side.taken.places:
            finished.append(graph)
    lacking = [(x.id, words) for x in finished if x.text for words in unplaced_words(x)]
    if lacking and side.name == "gold":
        id, words = lacking[0]
        raise refusal("gold", id and f"item {id}", repr(words), "words of its text")
    if lacking:
        id, words = lacking[0]
        finished.notes.append(
            f"<{side.name}>: {NOT_IN_TEXT} {len(lacking)}, spurious, "
            f"first {truncate(repr(words))}" + (f" of item {id}" if id else "")
        )
    bare = sum(len(unplaced_words(graph)) for graph in finished if not graph.text)
    if bare:
        finished.notes.append(
            f"<{side.name}>: {bare} {WITHOUT_TEXT}: there is no text to find them in"
        )
    return finished


def _class_of(objects: Sequence[Any]) -> type[Any] | None:
    """The class that all objects are of, and one of them is; nothing without one."""
    classes = dict.fromkeys(map(type, objects))
    return next((c for c in classes if all(issubclass(e, c) for e in classes)), None)


def several_sides(
    gold: Any,
    systems: Sequence[Any],
    readings: tuple[ReaderOptions, ReaderOptions] | None = None,
    frameworks: frozenset[str] = frozenset(),
    names: Sequence[str] = (),
) -> tuple[Side, list[Side], type[Any] | None]:
    """Gold and several systems as scoring takes them.

    Args:
        gold: a path, graphs, or anything of a known kind; its items get their ids and
            words from the first system that has words, if they have none.
        systems: likewise, at least one.
        readings: how files are read, of gold and of the systems.
        frameworks: what is scored, if that is known.
        names: what all of them are called in messages; gold and system without.

    Raises:
        TypeError: as :func:`sides`.
        InputError: as :func:`sides`.
    """
    first_name, *other_names = names or ("gold", *("system" for _ in systems))
    labels = readings[0].labels if readings else ()
    gold_input = recognize(first_name, gold, labels)
    system_inputs = [
        recognize(name, system, labels)
        for name, system in zip(other_names, systems, strict=True)
    ]
    if labels:
        drop_ignored(gold_input, *system_inputs)

    def laid(gold: SideInput, system: SideInput) -> Sides:
        return _sides((gold, system), "inclusive", readings, frameworks)

    if _has_numbers_only(gold_input) and all(map(_has_numbers_only, system_inputs)):
        return _numbered_alike(
            [laid(gold_input, system_input) for system_input in system_inputs]
        )
    worded = next(
        (
            k
            for k, system_input in enumerate(system_inputs)
            if not _has_numbers_only(system_input)
        ),
        0,
    )
    first = laid(gold_input, system_inputs[worded])
    result = [
        first.system
        if number == worded
        else laid(recognize(first_name, first.gold), system_input).system
        for number, system_input in enumerate(system_inputs)
    ]
    return first.gold, result, first.cls


def graphs_of(value: Any, reading: ReaderOptions | None = None) -> Iterator[Graph]:
    """Yield the graphs of one side, whatever it was given as.

    Args:
        value: a path, graphs, or anything of a known kind.
        reading: how files are read.

    Raises:
        InputError: if something in it cannot be read.
    """
    reading = reading or ReaderOptions()
    side = recognize("graphs", value, reading.labels)
    if side.candidates:
        settle_kinds(side, side)
    made = _make_graphs(side, "inclusive", None, reading.labels)
    if made is not None or side.path is None:
        yield from made if made is not None else side.graphs or ()
        return
    for path in gather(side.path, reading.format).paths:
        for record in read_file(path, reading):
            if isinstance(record, Rejected):
                raise InputError(record.problems)
            yield record.graph


def _has_numbers_only(side: SideInput) -> bool:
    """Return whether a side refers to tokens by number alone."""
    return bool(side.candidates) or (side.kind is not None and side.kind.by_number)


def _numbered_alike(all_sides: list[Sides]) -> tuple[Side, list[Side], None]:
    """Sides over numbers, as many in an item as any of the systems needs."""
    golds = [_graphs(sides.gold) for sides in all_sides]
    longest = [
        max(same, key=lambda graph: len(graph.tokens))
        for same in zip(*golds, strict=True)
    ]
    systems: list[Side] = [
        [
            msgspec.structs.replace(graph, text=most.text, tokens=most.tokens)
            if graph.tokens
            else graph
            for graph, most in zip(_graphs(sides.system), longest, strict=True)
        ]
        for sides in all_sides
    ]
    return longest, systems, None


def _make_graphs(
    side: SideInput, ends: Ends, cls: type[Any] | None, labels: Sequence[str]
) -> list[Graph] | None:
    """Graphs of what is neither a path nor graphs."""
    if side.kind is None:
        return None
    arguments: dict[str, Any] = {"ends": ends} if side.kind.ends else {}
    if side.kind.generated:
        arguments |= {"repair": side.name != "gold", "of": cls}
        arguments |= {"labels": labels} if labels else {}
    if side.ids:
        arguments["ids"] = side.ids
    graphs: list[Graph] = side.kind.read(side.items, name=side.name, **arguments)
    side.taken = graphs if isinstance(graphs, Taken) else None
    return graphs


def needs_other(side: SideInput, graphs: Sequence[Graph] | None) -> bool:
    """Return whether a side lacks ids or words."""
    kind = side.kind
    if kind is not None and kind.generated and any(not x.text for x in graphs or ()):
        return True
    by_number = kind is not None and kind.by_number
    return by_number or any(not graph.id for graph in graphs or ())


def _too_few(
    side: SideInput, count: int, other_side: SideInput, needed: int
) -> InputError:
    expected = f"{needed}, one for each of {other_side.name}: they pair by order"
    return refusal(side.name, "", amount(count, "item"), expected)


def _read_graphs(side: SideInput, reading: ReaderOptions) -> Iterator[Graph]:
    """The graphs of a path, or those that were given; what cannot be read is empty."""
    if side.path is None:
        if not isinstance(side.graphs, Sequence):
            side.graphs = list(side.graphs or ())
        yield from side.graphs
        return
    if flows_by(side.path):
        raise UsageError(
            f"{side.name} can be read only once, and the other side pairs by order "
            "with it: give a file"
        )
    for path in gather(side.path, reading.format).paths:
        for record in read_file(path, reading):
            if isinstance(record, Rejected):
                yield Graph(record.item, record.framework)
            else:
                yield record.graph


def _align_side(
    side: SideInput, graphs: list[Graph], other_side: SideInput, others: Sequence[Graph]
) -> list[Graph]:
    """A side with the ids and the words of the other, as far as it lacks them."""
    assert side.kind is not None
    by_framework: dict[str, dict[tuple[str, str], Graph]] = {}
    for number, graph in enumerate(others):
        partners = by_framework.setdefault(graph.framework, {})
        # Of several layers the first will do.
        partners.setdefault((graph.language, graph.id or f"\0{number}"), graph)
    result = dict(enumerate(graphs))
    for framework, partners in by_framework.items():
        of_it = {
            k: value for k, value in result.items() if value.framework == framework
        }
        if not of_it:
            continue
        if (
            side.kind.by_number
            or side.kind.generated
            or not _share_documents(of_it.values(), partners.values())
        ):
            result |= _pair_graphs(side, of_it, other_side, list(partners.values()))
    return list(result.values())


def _share_documents(graphs: Iterable[Graph], others: Iterable[Graph]) -> bool:
    """Return whether both have the same documents, which then pair."""
    documents = {graph.document for graph in graphs}
    return all(documents) and documents == {graph.document for graph in others}


def _pair_graphs(
    side: SideInput,
    graphs: dict[int, Graph],
    other_side: SideInput,
    others: Sequence[Graph],
) -> dict[int, Graph]:
    """Graphs of one framework with what their partners say."""
    assert side.kind is not None
    named = all(graph.id for graph in graphs.values())
    if not named and len(others) != len(graphs):
        raise _too_few(side, len(graphs), other_side, len(others))
    by_id = {graph.id: graph for graph in others}
    result = {}
    partners: list[tuple[int, str, Graph, Graph]] = []
    for index, (number, graph) in enumerate(graphs.items()):
        partner = by_id.get(graph.id) if named else others[index]
        if partner is None:
            continue
        if not named and (partner.id or partner.language or partner.document):
            graph = msgspec.structs.replace(
                graph,
                id=partner.id,
                language=partner.language,
                document=partner.document,
            )
        if side.kind.generated and not graph.text:
            from graphscore.inputs.annotations import locate_words

            graph = locate_words(graph, partner.text, partner.tokens)
        if side.kind.by_number:
            graph = _over(side, f"[{number}]", graph, other_side, partner)
        result[number] = graph
        partners.append((number, f"[{index}]", graph, partner))
    if side.taken is not None and side.name != "gold":
        _reject_untyped(side, side.taken, other_side.name, partners)
    return result


def _reject_untyped(
    side: SideInput,
    taken: Taken,
    other_name: str,
    pairs: Sequence[tuple[int, str, Graph, Graph]],
) -> None:
    """Reject answers without types where the other side has some, as other answers do.

    Where no answer has any, it is for metrics to say what that means.
    """
    from graphscore.structures.entities.span_types import (
        EXPECTED_TYPE,
        untyped,
        without_type,
    )

    if not any(without_type(graph)[1] for _, _, graph, _ in pairs):
        return
    for number, where, graph, partner in pairs:
        span, _ = without_type(graph)
        if span is not None and without_type(partner)[1]:
            found = untyped([key for key, _ in span.extra])
            expected = f"{EXPECTED_TYPE}, as {other_name} has"
            taken.rejected += refusal(side.name, where, found, expected).problems
            taken.places |= {number}
    taken.rejected.sort(key=lambda problem: int(problem.where[1:].partition("]")[0]))


def _over(
    side: SideInput, where: str, graph: Graph, other_side: SideInput, partner: Graph
) -> Graph:
    """A graph over the words of its partner, if that has any."""
    assert side.kind is not None
    bare = other_side.kind is not None and other_side.kind.by_number
    if side.kind.counted and (
        not bare or (other_side.kind and other_side.kind.counted)
    ):
        size = len(partner.tokens)
        if len(graph.tokens) != size:
            tags = amount(len(graph.tokens), "tag")
            expected = f"{size}, as {other_side.name} has"
            raise refusal(side.name, where, tags, expected)
    if not graph.tokens:
        # Dicts count characters: of the text that the other side has.
        if bare and partner.tokens and graph.nodes:
            expected = f"tokens, as {other_side.name} has"
            raise refusal(side.name, where, "numbers of characters", expected)
        if bare:
            return graph
        text, tokens = partner.text, partner.tokens
        graph = msgspec.structs.replace(graph, text=text, tokens=tokens)
        check_texts(side.name, where, graph)
        return graph
    if bare:
        if len(graph.tokens) >= len(partner.tokens):
            return graph
        text, tokens = numbered_text(len(partner.tokens))
        return msgspec.structs.replace(graph, text=text, tokens=tokens)
    if not partner.tokens:
        expected = f"characters: {other_side.name} has no tokens"
        raise refusal(side.name, where, "numbers of tokens", expected)
    return reword(graph, partner, side.name, where)


def _graphs(side: Side) -> list[Graph]:
    assert not isinstance(side, str)
    return list(side)
