"""Several references: the best for every item, or the mean, as done by hand."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from graphscore import (
    Anchor,
    Edge,
    Graph,
    Node,
    Options,
    References,
    Store,
    agree,
    compare,
    parse,
    score,
    whatif,
)
from graphscore.evaluation.several.references import best_of
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import PairingError, UsageError
from graphscore.metrics.base import main_score
from graphscore.model.outcome import add_raw_counts
from graphscore.statistics.uncertainty import with_intervals
from tests.metrics.coreference.chains import document

MEAN = Options(per_item=True, details=True, parts=True, references="mean")
TEXT = "one two three four five six"


def spans(draw: random.Random, name: str) -> Graph:
    """Named entities, perhaps none."""
    starts = draw.sample(range(0, 24, 4), draw.randrange(4))
    nodes = [
        Node(k, draw.choice("AB"), (("kind", "mention"),), (Anchor(start, start + 3),))
        for k, start in enumerate(sorted(starts))
    ]
    return Graph(name, "ner", document=f"d{int(name) % 3}", text=TEXT, nodes=(*nodes,))


def meanings(draw: random.Random, name: str) -> Graph:
    nodes = [Node(k, draw.choice(["a", "b"])) for k in range(draw.randrange(1, 4))]
    edges = [Edge(0, k, draw.choice("XY")) for k in range(1, len(nodes))]
    return Graph(name, "amr", 2, nodes=(*nodes,), edges=(*edges,), tops=(0,))


def chains(draw: random.Random, name: str) -> Graph:
    places = draw.sample(range(12), 8)
    cut = draw.randrange(2, 6)
    return document(places[:cut], places[cut:], name=name)


MAKERS = {
    **{"mrp": meanings, "smatch": meanings},
    **{"ner": spans, "ser": spans},
    **{"muc": chains, "b3": chains, "conll": chains},
}


def corpora(metric: str, seed: int, sides: int = 3, items: int = 6):
    draw, make = random.Random(seed), MAKERS[metric]
    return [[make(draw, str(n)) for n in range(items)] for _ in range(sides)]


def by_hand(metric, golds, system):
    """Raw counts of every item against the reference that is best for it, and which."""
    made = parse(metric)
    found, chosen = [], []
    for number, graph in enumerate(system):
        alone = [score([gold[number]], [graph], metric) for gold in golds]
        worth = []
        for each in alone:
            empty = not (each.main.gold or each.main.system)
            value = -each.value if made.less_is_better else each.value
            undefined = math.isnan(value)
            perfect = empty and (undefined or not made.leading)
            worth.append(math.inf if perfect else -math.inf if undefined else value)
        place = worth.index(max(worth))
        chosen.append(place)
        found.append(alone[place].total)
    return found, chosen


@pytest.mark.parametrize("metric", MAKERS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_best_reference_of_every_item_counts(metric, seed):
    *golds, system = corpora(metric, seed)
    found, chosen = by_hand(metric, golds, system)
    result = score(References(*golds), system, metric)
    total = {}
    for raw_counts in found:
        add_raw_counts(total, raw_counts)
    assert result.total == pytest.approx(total)
    expected = parse(metric).scores(result.total)
    assert result.scores == expected
    assert [each.raw_counts for each in result.per_item] == [*map(pytest.approx, found)]
    names = ["reference 1", "reference 2"]
    assert [each.reference for each in result.per_item] == [names[n] for n in chosen]
    assert result.chosen == (chosen.count(0), chosen.count(1))
    alone = [score(gold, system, metric) for gold in golds]
    for number, each in enumerate(result.per_item):
        assert each.errors == alone[chosen[number]].per_item[number].errors
        assert each.matches == alone[chosen[number]].per_item[number].matches
    shown = result.to_dict(per_item=True)
    assert [each["reference"] for each in shown["items"]] == [names[n] for n in chosen]
    assert [each["value"] for each in shown["references"]["golds"]] == [
        each.value for each in alone
    ]


@pytest.mark.parametrize("metric", MAKERS)
def test_a_mean_is_that_of_every_score(metric):
    *golds, system = corpora(metric, 5, 4)
    alone = [score(gold, system, metric) for gold in golds]
    result = score(References(*golds), system, metric, options=MEAN)

    def mean(values):
        values = [*values]
        return pytest.approx(sum(values) / len(values), nan_ok=True)

    assert result.value == mean(each.value for each in alone)
    for tuple_type, count in result.counts.items():
        for ratio in ("precision", "recall", "f1"):
            own = [getattr(each.counts[tuple_type], ratio) for each in alone]
            assert getattr(count, ratio) == mean(own)
        assert count.gold == sum(each.counts[tuple_type].gold for each in alone)
    for name, value in result.scores.numbers.items():
        assert value == mean(each.scores.numbers[name] for each in alone)
    shown, own = result.to_dict(), [each.to_dict() for each in alone]
    for name, value in shown["macro_frameworks"]["scores"].items():
        assert value == mean(each["macro_frameworks"]["scores"][name] for each in own)
    for tuple_type, ratios in shown["macro_frameworks"]["counts"].items():
        for ratio, value in ratios.items():
            assert value == mean(
                each["macro_frameworks"]["counts"][tuple_type][ratio] for each in own
            )
    for number, each in enumerate(result.per_item):
        values = [
            main_score(one.metric, one.metric.scores(one.per_item[number].raw_counts))
            for one in alone
        ]
        if not any(map(math.isnan, values)):
            got = main_score(result.metric, result.metric.scores(each.raw_counts))
            assert got == mean(values)
        assert not each.errors
        assert not each.reference


@pytest.mark.parametrize("metric", MAKERS)
@pytest.mark.parametrize("how", ["best", "mean"])
def test_one_reference_twice_is_that_reference(metric, how):
    gold, system = corpora(metric, 7, 2)
    options = replace(MEAN, references=how)
    alone = score(gold, system, metric, options=options)
    twice = score(References(gold, gold), system, metric, options=options)
    assert twice.value == pytest.approx(alone.value, nan_ok=True)
    mine, other = (
        {
            tuple_type: (c.precision, c.recall, c.f1)
            for tuple_type, c in each.counts.items()
        }
        for each in (twice, alone)
    )
    assert mine == other
    assert score(References(gold), system, metric, options=options).to_dict(
        per_item=True
    ) == alone.to_dict(per_item=True)
    if how == "best":
        assert twice.raw_counts == alone.raw_counts
        assert twice.chosen == (len(gold), 0)


@pytest.mark.parametrize("metric", ["mrp", "ner", "b3"])
def test_no_item_is_better_against_a_reference_alone(metric):
    *golds, system = corpora(metric, 11, 4, 12)
    best = score(References(*golds), system, metric)
    for gold in golds:
        alone = score(gold, system, metric)
        for mine, other in zip(best.per_item, alone.per_item, strict=True):
            values = [
                main_score(each.metric, each.metric.scores(item.raw_counts))
                for each, item in ((best, mine), (alone, other))
            ]
            perfect = best.metric.scores(mine.raw_counts).counts[best.metric.main]
            assert values[0] >= values[1] or perfect.gold == perfect.system == 0


def test_equal_references_and_nothing_on_either_side():
    ner = parse("ner")

    def item(gold, system, matched, metric="ner"):
        raw_counts = score(_some(gold), _some(system, matched), metric).total
        return ItemResult("ner", "", "1", "1", raw_counts, 0, 0, True, False)

    assert best_of(ner, [None, item(2, 2, 1), item(2, 2, 1)]) == 1
    # 0 of 0 is 0 by convention, and yet nobody could do better.
    assert best_of(ner, [item(2, 0, 0), item(0, 0, 0)]) == 1
    rows = [item(2, 2, 1, "ser"), item(2, 2, 2, "ser"), item(2, 0, 0, "ser")]
    assert best_of(parse("ser"), rows) == 1


def _some(number, right=9):
    nodes = [
        Node(k, "A" if k < right else "B", (("kind", "mention"),), (Anchor(k, k + 1),))
        for k in range(number)
    ]
    return [Graph("1", "ner", text="abcd", nodes=tuple(nodes))]


def test_items_that_some_references_lack_and_that_all_do():
    first, second, system = corpora("mrp", 13, 3, 5)
    del first[1], second[3], system[2]
    extra = replace_id(system[0], "new")
    result = score(References(first, second), [*system, extra], "mrp")
    assert [each.item for each in result.per_item] == ["0", "2", "3", "4", "1"]
    chosen = {each.item: each.reference for each in result.per_item}
    assert (chosen["1"], chosen["3"]) == ("reference 2", "reference 1")
    assert (result.pairs, result.missing_system) == (5, 1)
    assert [each.item for each in result.spurious_system] == ["new"]
    [note] = [note for note in result.notes if "reference" in note]
    assert "2 items of 5 not in every reference" in note
    assert "reference 1 lacks 1, reference 2 lacks 1" in note
    mean = score(References(first, second), [*system, extra], "mrp", options=MEAN)
    alone = [score(each, system, "mrp").value for each in (first, second)]
    assert mean.value == pytest.approx(sum(alone) / 2)


def replace_id(graph: Graph, name: str) -> Graph:
    import msgspec

    return msgspec.structs.replace(graph, id=name)


def test_items_pair_by_order_across_references():
    *golds, system = corpora("mrp", 17)
    renamed = [replace_id(graph, f"x{n}") for n, graph in enumerate(golds[1])]
    options = Options(per_item=True, pair="order")
    found = score(References(golds[0], renamed), system, "mrp", options=options)
    assert found.raw_counts == score(References(*golds), system, "mrp").raw_counts
    assert len(found.per_item) == len(system)


def conllu(document: str, *sentences: str) -> str:
    """Sentences such as ``Dogs<bark``: the arrow points at the head."""
    text = f"# newdoc id = {document}\n"
    for sentence in sentences:
        words = sentence.strip("<>").replace("<", " ").replace(">", " ").split()
        root = 2 if "<" in sentence else 1
        text += f"# text = {' '.join(words)}\n"
        for number, word in enumerate(words, 1):
            head = 0 if number == root else root
            label = "root" if not head else "dep"
            text += f"{number}\t{word}\t_\tX\t_\t_\t{head}\t{label}\t_\t_\n"
        text += "\n"
    return text


@pytest.fixture
def trees(tmp_path):
    def write(name, *documents):
        path = tmp_path / f"{name}.conllu"
        path.write_text("".join(conllu(*each) for each in documents))
        return str(path)

    return write


def test_whole_documents_are_chosen(trees):
    """Each document of the system is right in one of its sentences by either."""
    one = trees("one", ("d", "a<b", "c<d", "e>f"), ("e", "g>h", "i>j"))
    two = trees("two", ("d", "a>b", "c>d", "e>f"), ("e", "g<h", "i<j"))
    system = trees("system", ("d", "a<b", "c<d", "e<f"), ("e", "g<h", "i>j"))
    result = score(References(one, two), system, "las")
    assert [each.item for each in result.per_item] == ["d", "e"]
    assert [each.reference for each in result.per_item] == [one, one]
    # 4 of 6 words, and 2 of 4 by either reference.
    assert result.main.matched == 6
    assert [len(each.parts) for each in result.per_item] == [3, 2]


def test_documents_with_other_names_are_the_same_by_their_characters(trees):
    one = trees("one", ("d", "a<b", "c<d"), ("e", "g>h"))
    two = trees("two", ("x", "a>b", "c>d"), ("y", "g<h"))
    system = trees("system", ("p", "a>b", "c>d"), ("q", "g>h"))
    result = score(References(one, two), system, "las")
    assert [each.item for each in result.per_item] == ["d", "e"]
    assert [each.reference for each in result.per_item] == [two, one]
    assert result.main.f1 == 1
    with Store("sqlite://", mode="create") as runs:
        for file, name in ((one, "one"), (two, "two"), (system, "system")):
            runs.ingest(file, name)
        options = Options(per_item=True)
        golds = References("one", "two")
        [kept] = runs.score(golds, "system", [parse("las")], options)
    assert [each.reference for each in kept.items] == ["two", "one"]
    assert not any(each.texts for each in kept.items)


def test_documents_that_are_cut_elsewhere_are_refused(trees):
    one = trees("one", ("d", "a<b", "c<d"), ("e", "g>h"))
    two = trees("two", ("d", "a<b"), ("f", "c<d"), ("e", "g>h"))
    system = trees("system", ("d", "a<b"), ("f", "c<d"), ("e", "g>h"))
    with pytest.raises(PairingError, match="same place in all references"):
        score(References(one, two), system, "las")


def test_only_documents_of_two_references_may_be_two_of_the_system():
    _, first, second = corpora("muc", 19, 3, 2)
    result = score(References(first[:1], second[1:]), [first[0], second[1]], "muc")
    assert [each.item for each in result.per_item] == ["0", "1"]
    assert result.f1 == 1
    assert result.pairs == 2


@pytest.mark.parametrize("how", ["best", "mean"])
def test_a_store_keeps_what_was_found_against_each(how, tmp_path):
    *golds, system = corpora("ner", 23, 3, 8)
    options = replace(MEAN, references=how)
    with Store(str(tmp_path / "runs.db"), mode="create") as runs:
        for name, graphs in zip("abs", (*golds, system), strict=True):
            runs.add(graphs, name)
        metrics = [parse("ner"), parse("ser")]
        first = runs.score(References("a", "b"), "s", metrics, options)
        again = runs.score(References("a", "b"), "s", metrics, options)
        assert [each.reused for each in first] == [0, 0]
        assert [each.reused for each in again] == [8, 8]
        made = {(each.gold, each.system, each.metric) for each in runs.evaluations()}
        assert made == {(gold, "s", m) for gold in "ab" for m in ("ner", "ser")}
    memory = score(References(*golds, names="ab"), system, metrics, options=options)
    for kept, fresh in zip(again, memory, strict=True):
        assert kept.gold == fresh.gold == "a,b"
        mine, other = (each.to_dict(per_item=True) for each in (kept, fresh))
        for each in (mine, other):
            each.pop("reused")
        assert mine == other
        assert [each.errors for each in kept.items] == [
            each.errors for each in fresh.items
        ]


def test_systems_of_a_store_are_compared_by_all_references(tmp_path):
    *golds, one, two = corpora("ner", 59, 4, 20)
    with Store(str(tmp_path / "runs.db"), mode="create") as runs:
        for name, graphs in zip("abst", (*golds, one, two), strict=True):
            runs.add(graphs, name)
        for system in "st":
            runs.score("a", system, [parse("ner")])
        found = compare(runs, gold=References("a", "b"), metric="ner", samples=50)
    files = compare(References(*golds), one, two, metric="ner", samples=50, names="st")
    assert found.to_dict() == files.to_dict()


@pytest.mark.parametrize("how", ["best", "mean"])
def test_workers_change_nothing(how):
    *golds, system = corpora("mrp", 29, 3, 40)
    options = replace(MEAN, references=how)
    found = [
        score(References(*golds), system, "mrp", options=options, jobs=jobs)
        for jobs in (1, 2)
    ]
    assert found[0].to_dict(per_item=True) == found[1].to_dict(per_item=True)


def test_the_signature_says_what_was_made_of_how_many():
    *golds, system = corpora("mrp", 31)
    alone = [score(gold, system, "mrp") for gold in golds]
    best = score(References(*golds), system, "mrp").signature.split("|")
    mean = score(References(*golds), system, "mrp", options=MEAN).signature.split("|")
    assert "references:best" in best
    assert "references:mean" in mean
    digests = [
        field.partition(":")[2]
        for each in alone
        for field in each.signature.split("|")
        if field.startswith("gold:")
    ]
    assert f"gold:{','.join(digests)}" in best
    assert "nrefs:2" in best
    assert "proven:6/6" in best
    assert set(best) - set(mean) == {"references:best"}


def test_intervals_are_those_of_the_chosen_and_of_the_mean():
    *golds, system = corpora("ner", 37, 3, 30)
    best = score(References(*golds), system, "ner")
    # What was chosen, as the graphs of one reference.
    place = {"reference 1": 0, "reference 2": 1}
    single = [golds[place[each.reference]][int(each.item)] for each in best.per_item]
    mine, other = (
        with_intervals(each, samples=300, seed=3)
        for each in (best, score(single, system, "ner"))
    )
    assert mine.intervals.whole == other.intervals.whole
    mean = score(References(*golds), system, "ner", options=MEAN)
    whole = with_intervals(mean, samples=300, seed=3).intervals.whole
    assert whole.value.low < mean.value < whole.value.high
    twice = score(References(golds[0], golds[0]), system, "ner", options=MEAN)
    alone = score(golds[0], system, "ner")
    ends = [with_intervals(each, samples=300, seed=3) for each in (twice, alone)]
    low, high = (tuple(each.intervals.whole.value) for each in ends)
    assert low == pytest.approx(high)


def test_systems_are_compared_by_the_best_and_by_the_mean():
    first, second, one, two = corpora("ner", 41, 4, 30)
    for options in (Options(), Options(references="mean")):
        found = compare(
            References(first, second),
            one,
            two,
            metric="ner",
            samples=200,
            options=options,
        )
        alone = [
            score(References(first, second), each, "ner", options=options).value
            for each in (one, two)
        ]
        assert [each.value for each in found.systems] == pytest.approx(alone)
        assert found.units == 30
        assert not found.changes
        assert "several references" in " ".join(found.notes)


def test_what_does_not_go_is_refused():
    *golds, system = corpora("ner", 43)
    with pytest.raises(UsageError, match="one or more references"):
        References()
    with pytest.raises(UsageError, match="1 names of 2 references"):
        References(*golds, names=["a"])
    with pytest.raises(UsageError, match="expected 'best' or 'mean'"):
        score(References(*golds), system, options=Options(references="worst"))
    with pytest.raises(
        UsageError, match="cost of errors is known against one reference"
    ):
        whatif(References(*golds), system, metric="ner", options=MEAN)
    for annotators in ((References(*golds), system), (system, References(*golds))):
        with pytest.raises(UsageError, match="nobody is gold, name each by itself"):
            agree(*annotators, metric="ner")
    amr = corpora("mrp", 47, 1)[0]
    with pytest.raises(UsageError, match="name the metric"):
        score(References(golds[0], [*golds[1], *amr]), [*system, *amr])
    with pytest.raises(PairingError, match="against reference 2: nothing paired"):
        score(References(golds[0], amr), system, "ner")


def test_references_may_be_gone_through_once():
    *golds, system = corpora("mrp", 53)
    streams = References(*(iter(gold) for gold in golds))
    found = compare(streams, iter(system), list(golds[0]), metric="mrp", samples=50)
    assert found.systems[0].value == score(References(*golds), system, "mrp").value


def test_references_may_be_what_programs_hold():
    system = [["B-A", "O", "O"], ["O", "B-B", "I-B"]]
    golds = [["B-A", "O", "B-B"], ["O", "O", "O"]], [["O", "O", "O"], system[1]]
    found = score(References(*golds), system, "ner")
    assert [each.reference for each in found.per_item] == ["reference 1", "reference 2"]
    assert (found.precision, found.recall) == (1, 2 / 3)
    spans = [[("A", 0, 0)], []]
    mixed = score(References(spans, golds[1]), system, "ner")
    assert mixed.f1 == 1


def test_sentences_are_drawn_of_documents_against_several_references(trees):
    one = trees("one", ("d", "a<b", "c<d", "e>f"), ("e", "g>h", "i>j"))
    two = trees("two", ("d", "a>b", "c>d", "e>f"), ("e", "g<h", "i<j"))
    system = trees("system", ("d", "a<b", "c<d", "e<f"), ("e", "g<h", "i<j"))
    for options in (replace(MEAN, references="best"), MEAN):
        found = score(References(one, two), system, "las", options=options)
        drawn = with_intervals(found, samples=200).intervals
        assert (drawn.unit, drawn.whole.units) == ("sentence", 5)
        assert drawn.whole.value.low < found.value < drawn.whole.value.high
        for each in found.per_item:
            total = {}
            for part in each.parts:
                add_raw_counts(total, part.raw_counts)
            assert total == each.raw_counts
