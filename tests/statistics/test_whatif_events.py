"""What errors of events cost, beside events that are put right and scored again."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

import graphscore
from graphscore import Options, Store, score
from graphscore.model.graph import Anchor, Graph
from graphscore.model.outcome import Match
from graphscore.statistics.whatif.corrections import what_if
from graphscore.structures.layout import Argument, LayoutBuilder
from tests.statistics.together import together

KEPT = Options(per_item=True, details=True)
WORDS = ("Ada", "hired", "Bob", "in", "Rome", "and", "left", "him", "there")
TEXT = " ".join(WORDS)
AT = {word: TEXT.index(word) for word in WORDS}
TYPES, ROLES = ("Hire", "Fire", "Go"), ("A", "B", "C")


class Event(NamedTuple):
    word: str
    type: str
    arguments: tuple[tuple[str, str], ...] = ()
    """Role and words."""


def graph(events: list[Event], item: str = "1") -> Graph:
    """Mentions first, so that a trigger is the node after them that its event is."""
    build = LayoutBuilder()
    spans = {word: [Anchor(AT[word], AT[word] + len(word))] for word in WORDS}
    mentions = {word: build.mention("X", spans[word]) for word in WORDS}
    for event in events:
        arguments = [Argument(role, mentions[word]) for role, word in event.arguments]
        build.trigger(event.type, spans[event.word], arguments)
    return build.graph(item, "event", document=item, text=TEXT)


def arguments(chance: random.Random) -> tuple[tuple[str, str], ...]:
    count = chance.randrange(4)
    every = [(role, word) for role in ROLES for word in WORDS[:5]]
    return tuple(chance.sample(every, count))


def sides(seed: int, unique: bool) -> tuple[list[Event], list[Event]]:
    """Gold, and a system that changes types, words, roles, and leaves things out."""
    chance = random.Random(seed)
    pool = list(WORDS) if unique else list(WORDS[:3]) * 3
    chance.shuffle(pool)
    gold = [
        Event(pool.pop(), chance.choice(TYPES), arguments(chance)) for _ in range(4)
    ]
    system = []
    for event in gold:
        changed = event
        if chance.random() < 0.4:
            changed = changed._replace(type=chance.choice(TYPES))
        if chance.random() < 0.3:
            changed = changed._replace(word=pool.pop())
        if chance.random() < 0.6:
            kept = [each for each in changed.arguments if chance.random() < 0.6]
            more = [(chance.choice(ROLES), word) for _, word in kept]
            both = tuple(dict.fromkeys([*more, *arguments(chance)[:1]]))
            changed = changed._replace(arguments=both)
        if chance.random() < 0.85:
            system.append(changed)
    if chance.random() < 0.5:
        system.append(Event(pool.pop(), chance.choice(TYPES), arguments(chance)))
    chance.shuffle(system)
    return gold, system


def edges(events: list[Event]) -> list[tuple[int, tuple[str, str]]]:
    """The event of every edge, and what it says."""
    return [
        (place, each) for place, event in enumerate(events) for each in event.arguments
    ]


def in_class(metric, errors, each) -> set[int]:
    """The errors of a class, and those that stand in the place of one."""
    entailed = metric.entailed(errors)
    found: set[int] = set()
    for number, error in enumerate(errors):
        if metric.is_part(error) or metric.sort_of(error) != each.tuple_type:
            continue
        beside = [
            other
            for other in entailed.get(number, ())
            if errors[other].error_type != error.error_type
        ]
        if each.error_type == "confusion":
            wanted = error.error_type == "missing" and any(
                metric.confusion(error, errors[other]) == each.label for other in beside
            )
        else:
            wanted = (error.error_type, error.label) == (each.error_type, each.label)
        found |= {number, *beside} if wanted else set()
    return found


def repaired(gold, system, item, right) -> list[Event]:
    """The system's events, with chosen errors of classification as gold has them."""
    errors = [error for error in item.errors if error.tuple_type == "classification"]
    first = len(WORDS)
    beside = {
        each.gold - first: each.system - first
        for each in [*item.matches, *errors]
        if each.object == "node"
        and None not in (each.gold, each.system)
        and (isinstance(each, Match) or each.name or each.error_type == "partial")
    }
    mine, theirs = edges(gold), edges(system)
    words = [(event.word, event.type) for event in system]
    said = [list(event.arguments) for event in system]
    gone: set[int] = set()

    def there(place: int) -> int:
        """Where the system has a gold event, or has it from now on."""
        if place not in beside:
            beside[place] = len(words)
            words.append((gold[place].word, gold[place].type))
            said.append([])
        return beside[place]

    chosen = [item.errors[number] for number in right]
    for error in sorted(chosen, key=lambda error: error.error_type, reverse=True):
        if error.object == "node":
            if error.error_type == "spurious" and not error.name:
                gone.add(error.system - first)
            elif error.error_type == "missing":
                event = gold[error.gold - first]
                words[there(error.gold - first)] = event.word, event.type
        elif error.error_type == "spurious":
            place, (role, word) = theirs[error.system]
            said[place] = [each for each in said[place] if each != (role, word)]
        else:
            place, argument = mine[error.gold]
            said[there(place)].append(argument)
    return [
        Event(*words[place], tuple(said[place]))
        for place in range(len(words))
        if place not in gone
    ]


@pytest.mark.parametrize(("mentions", "seeds"), [("exact", 14), ("overlap", 5)])
def test_every_class_is_the_score_of_repaired_events(mentions, seeds):
    metric, tuple_type = f"argument(mentions={mentions})", "classification"
    gained = tuple_types = 0
    for seed in range(seeds):
        gold, system = sides(seed, unique=True)
        result = score([graph(gold)], [graph(system)], metric, options=KEPT)
        [item] = result.items
        for each in what_if(result).classes:
            right = in_class(result.metric, item.errors, each)
            right = {k for k in right if item.errors[k].tuple_type == tuple_type}
            made = repaired(gold, system, item, right)
            after = score([graph(gold)], [graph(made)], metric)
            assert each.value == pytest.approx(after.value, abs=1e-12), each
            gained += each.tuple_type == "trigger" and each.gain > 0
            tuple_types += 1
    assert gained > seeds / 2
    assert tuple_types > 5 * seeds


def test_where_events_share_triggers_another_correspondence_may_be_better():
    same = higher = 0
    metric = "argument(duplicates=multiset)"
    for seed in range(16):
        gold, system = sides(seed, unique=False)
        result = score([graph(gold)], [graph(system)], metric, options=KEPT)
        [item] = result.items
        for each in what_if(result).classes:
            right = in_class(result.metric, item.errors, each)
            right = {k for k in right if item.errors[k].tuple_type == "classification"}
            made = repaired(gold, system, item, right)
            value = score([graph(gold)], [graph(made)], metric).value
            assert value >= each.value - 1e-12
            same += value <= each.value + 1e-12
            higher += value > each.value + 1e-12
    assert same > 100
    assert higher < same / 10


GOLD = [
    Event("hired", "Hire", (("A", "Ada"), ("B", "Bob"), ("C", "Rome"))),
    Event("left", "Go", (("A", "Bob"),)),
]


def classes(found) -> dict:
    return {each[:3]: each for each in found.classes}


@pytest.mark.parametrize("mentions", ["exact", "overlap"])
def test_a_type_that_is_right_rights_the_arguments_that_wait_for_it(mentions):
    system = [
        Event("hired", "Fire", (("A", "Ada"), ("B", "Bob"), ("A", "Rome"))),
        GOLD[1],
    ]
    metric = f"argument(mentions={mentions})"
    result = score([graph(GOLD)], [graph(system)], metric, options=KEPT)
    there = classes(what_if(result))
    assert result.value == 0.25
    for key in (
        ("trigger", "Hire", "missing"),
        ("trigger", "Fire", "spurious"),
        ("trigger", "Hire → Fire", "confusion"),
    ):
        assert there[key][3:6] == (1, 0.75, 0.5)
    # What is put right beneath a wrong trigger is there, and still wrong.
    assert there["classification", "B", "missing"].gain == 0
    assert there["classification", "C", "missing"].gain == 0
    assert together(result, ("trigger", "", ""), ("classification", "", "")) == 1.0


def test_a_trigger_of_other_words_is_the_one_with_the_same_arguments():
    system = [Event("in", "Hire", GOLD[0].arguments), GOLD[1]]
    found = graphscore.whatif([graph(GOLD)], [graph(system)], metric="argument")
    there = classes(found)
    key = "trigger", "Hire “hired” → Hire “in”", "confusion"
    assert there[key][3:6] == (1, 1.0, 0.75)


def test_a_trigger_that_is_missing_comes_with_its_arguments_only():
    spurious = Event("there", "Go", (("B", "Ada"), ("C", "Ada")))
    there = classes(
        graphscore.whatif(
            [graph(GOLD)], [graph([GOLD[0], spurious])], metric="argument"
        )
    )
    assert there["trigger", "Go", "missing"].gain == 0
    # 3 of 4 and 5; 4 of 4 and 6; 3 of 4 and 3.
    base = 6 / 9
    assert there["classification", "A", "missing"].gain == pytest.approx(8 / 10 - base)
    assert there["trigger", "Go", "spurious"].gain == pytest.approx(6 / 7 - base)
    assert there["classification", "B", "spurious"].gain == pytest.approx(6 / 8 - base)


def test_where_all_is_right_there_are_no_classes():
    whole = [graph(GOLD)]
    found = graphscore.whatif(whole, whole, metric="argument")
    assert (found.value, found.classes) == (1.0, ())


@pytest.mark.parametrize("trigger", ["span", "type"])
def test_results_of_a_store_say_the_same(trigger, tmp_path):
    pairs = [sides(seed, unique=True) for seed in range(6)]
    gold = [graph(mine, str(place)) for place, (mine, _) in enumerate(pairs)]
    system = [graph(theirs, str(place)) for place, (_, theirs) in enumerate(pairs)]
    asked = {"metric": f"argument(trigger={trigger})"}
    wanted = graphscore.whatif(gold, system, **asked)
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        store.add(gold, "gold")
        store.add(system, "system")
        for _ in range(2):
            found = graphscore.whatif(store, gold="gold", system="system", **asked)
            assert found.classes == wanted.classes


def test_by_type_alone_arguments_are_right_one_by_one():
    system = [Event("in", "Hire", (("A", "Ada"), ("A", "Bob"))), Event("left", "Fire")]
    found = graphscore.whatif(
        [graph(GOLD)], [graph(system)], metric="argument(trigger=type)"
    )
    assert found.value == 2 / 6
    assert {each.tuple_type for each in found.classes} == {"classification"}
    there = classes(found)
    # B is replaced by A; C and the other A come in.
    assert there["classification", "B → A", "confusion"].value == pytest.approx(4 / 6)
    assert there["classification", "C", "missing"].value == pytest.approx(4 / 7)
