"""Metrics derived from classes are those of the paper, and say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Generic, TypeVar

import pytest
from hypothesis import given

import graphscore
from graphscore import similarity
from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.coreference import b3, ceaf, muc
from graphscore.metrics.dependencies.attachment import Las, Uas
from graphscore.metrics.extraction import argument, relation, trigger
from graphscore.metrics.formula import suite
from graphscore.metrics.meaning.smatch import Smatch
from graphscore.model.graph import Graph
from graphscore.model.outcome import Count
from graphscore.similarity import (
    FormulaError,
    Similarity,
    anchors,
    at,
    choice,
    contained,
    derive,
    edge_label,
    edges,
    edges_out,
    exact,
    excess,
    f1,
    itself,
    jaccard,
    kind,
    label,
    latent,
    match,
    nodes,
    recall,
    similarity_of,
    source,
    string_overlap,
    target,
    targets,
    total,
    variable,
    via,
    words,
)
from graphscore.similarity.navigation.steps import Along
from graphscore.structures.coreference import (
    CorefOutputForB3,
    Entity,
    EntitySet,
    entity_graph,
)
from graphscore.structures.dependencies import (
    Dependency,
    DependencyParse,
    dependency_graph,
)
from graphscore.structures.extraction import (
    Event,
    EventSet,
    NAryRelation,
    NAryRelationSet,
    RelationSet,
    RoleFillerEntity,
    Trigger,
    event_graph,
    nary_relation_graph,
    relation_graph,
)
from graphscore.structures.meaning import AMR, Prop, amr_graph
from graphscore.structures.mentions import IndexedMention, Mention
from graphscore.structures.objects.declarations import (
    at_least,
    by,
    by_either,
    by_f,
    by_jaccard,
    by_precision,
    by_recall,
    by_supertypes,
    compared,
    discrete,
    half_below,
    ignored,
    in_any_order,
    in_order,
    less,
    levels_of,
    matched,
    over,
    summed,
    using,
    within,
)
from graphscore.structures.objects.variables import Var
from graphscore.structures.templates import (
    SlotFiller,
    TemplateSet,
    template_graph,
)
from tests.structures.outputs import (
    WORDS,
    amrs,
    entity_sets,
    event_sets,
    nary_relations,
    parses,
    relation_sets,
    template_sets,
)

mention = exact(anchors)
phi4 = f1(match(targets("mention"), mention))


def amounts(found: similarity.Report) -> tuple[Any, ...]:
    return found.gold, found.system, found.matched, found.matched_system, found.value


def agree(
    derived: Similarity,
    written: Similarity,
    lay: Callable[[Any], Graph],
    gold: Any,
    system: Any,
) -> None:
    """The formula of a class and one on the layout give the same amounts."""
    mine = amounts(derived.score(gold, system))
    assert mine == pytest.approx(amounts(written.score(lay(gold), lay(system))))


REL_F1 = f1(
    match(
        nodes("relation"),
        exact(label, via(Along("Arg1"), anchors), via(Along("Arg2"), anchors)),
    )
)


@given(relation_sets, relation_sets)
def test_relations_are_rel_f1(gold: RelationSet, system: RelationSet) -> None:
    agree(derive(RelationSet).formula, REL_F1, relation_graph, gold, system)


TRIG_F1 = f1(match(nodes("trigger"), exact(label, anchors)))
ARG_F1 = f1(
    match(
        nodes("trigger"),
        exact(label, anchors)
        * match(edges_out(), exact(edge_label, via(target, anchors))),
    )
)


@given(event_sets, event_sets)
def test_events_are_trig_f1_and_arg_f1(gold: EventSet, system: EventSet) -> None:
    only_triggers = derive(EventSet, {Event: {"args": ignored}})
    agree(only_triggers.formula, TRIG_F1, event_graph, gold, system)
    agree(derive(EventSet).formula, ARG_F1, event_graph, gold, system)


CEAF = f1(match(nodes("entity"), phi4))
MUC = f1(match(nodes("entity"), excess(match(targets("mention"), mention), 1), "n:n"))
LINKS = {
    EntitySet: {"entities": matched("n:n")},
    Entity: {"mentions": (summed, less(1))},
}


@given(entity_sets(), entity_sets())
def test_entities_are_ceaf(gold: EntitySet, system: EntitySet) -> None:
    agree(derive(EntitySet).formula, CEAF, entity_graph, gold, system)


@given(entity_sets(), entity_sets())
def test_links_are_muc(gold: EntitySet, system: EntitySet) -> None:
    formula = derive(EntitySet, LINKS).formula
    agree(formula, MUC, entity_graph, gold, system)
    found = formula.score(gold, system)
    parts = 0
    for entity in gold.entities:
        held = {
            next((e for e in system.entities if each in e.mentions), each)
            for each in entity.mentions
        }
        parts += len(entity.mentions) - len(held)
    assert found.matched == parts
    assert found.gold == sum(len(each.mentions) - 1 for each in gold.entities)


@given(entity_sets(), entity_sets())
def test_memberships_are_b3(gold: EntitySet, system: EntitySet) -> None:
    formula = derive(CorefOutputForB3).formula
    found = formula.score(CorefOutputForB3.of(gold), CorefOutputForB3.of(system))
    mine = {m: e.mentions for e in gold.entities for m in e.mentions}
    theirs = {m: e.mentions for e in system.entities for m in e.mentions}
    both = mine.keys() & theirs.keys()
    assert found.gold == len(mine)
    assert found.system == len(theirs)
    assert found.matched == pytest.approx(
        sum(len(mine[m] & theirs[m]) / len(mine[m]) for m in both)
    )
    assert found.matched_system == pytest.approx(
        sum(len(mine[m] & theirs[m]) / len(theirs[m]) for m in both)
    )


def inner_edges(parse: DependencyParse) -> DependencyParse:
    return DependencyParse(frozenset(arc for arc in parse.edges if arc.gov))


@given(parses(), parses())
def test_parses_are_uas_and_las(gold: DependencyParse, system: DependencyParse) -> None:
    def lay(parse: DependencyParse) -> Graph:
        return dependency_graph(parse, WORDS)

    ends = exact(via(source, anchors), via(target, anchors))
    mine, theirs = inner_edges(gold), inner_edges(system)
    unlabelled = derive(DependencyParse, {Dependency: {"rel": ignored}}).formula
    labelled = derive(DependencyParse).formula
    agree(unlabelled, f1(match(edges(), ends)), lay, mine, theirs)
    las = f1(match(edges(), exact(edge_label) * ends))
    agree(labelled, las, lay, mine, theirs)
    for metric, formula in ((Uas(), unlabelled), (Las(), labelled)):
        named = counted(metric, lay(gold), lay(system))
        assert named == formula.score(gold, system).measured.count


def counted(metric: Metric, gold: Graph, system: Graph) -> Count:
    """What a named metric counts in all."""
    sides = [(metric.prepare(each),) for each in (gold, system)]
    outcome = metric.compare(*sides, budget=Budget())
    return metric.scores(outcome.raw_counts).counts["all"]


@given(relation_sets, relation_sets)
def test_relations_are_the_named_metric(gold: RelationSet, system: RelationSet) -> None:
    found = derive(RelationSet).formula.score(gold, system)
    sides = relation_graph(gold), relation_graph(system)
    assert counted(relation.Relation(), *sides) == found.measured.count


@given(event_sets, event_sets)
def test_events_are_the_named_metrics(gold: EventSet, system: EventSet) -> None:
    sides = event_graph(gold), event_graph(system)
    found = derive(EventSet, {Event: {"args": ignored}}).formula.score(gold, system)
    named = trigger.Trigger(duplicates="multiset")
    assert counted(named, *sides) == found.measured.count
    found = derive(EventSet).formula.score(gold, system)
    named_argument = argument.EventArguments(duplicates="multiset")
    assert counted(named_argument, *sides) == found.measured.count


@given(entity_sets(), entity_sets())
def test_entities_are_the_named_metrics(gold: EntitySet, system: EntitySet) -> None:
    sides = entity_graph(gold), entity_graph(system)
    both = CorefOutputForB3.of(gold), CorefOutputForB3.of(system)
    for metric, found in (
        (ceaf.Ceafe(), derive(EntitySet).formula.score(gold, system)),
        (muc.Muc(), derive(EntitySet, LINKS).formula.score(gold, system)),
        (b3.B3(), derive(CorefOutputForB3).formula.score(*both)),
    ):
        mine, named = found.measured.count, counted(metric, *sides)
        for ratio in ("precision", "recall", "f1"):
            assert getattr(named, ratio) == pytest.approx(getattr(mine, ratio))


ONE_ARGS = {NAryRelation: {"type": ignored}}


@given(nary_relations, nary_relations)
def test_role_fillers_are_ceaf_ree_and_rme(
    gold: NAryRelation, system: NAryRelation
) -> None:
    def lay(relation: NAryRelation) -> Graph:
        return nary_relation_graph(NAryRelationSet(frozenset({relation})))

    ree = derive(NAryRelation, {**ONE_ARGS, Entity: {"mentions": contained}}).formula
    subset = exact(edge_label) * at(target, contained(targets("mention"), mention))
    agree(
        ree, f1(match(nodes("relation"), match(edges_out(), subset))), lay, gold, system
    )
    rme = derive(
        NAryRelation,
        {
            NAryRelation: {"type": ignored, "args": matched("n:1")},
            Entity: {"mentions": summed},
        },
    ).formula
    shared = exact(edge_label) * at(target, match(targets("mention"), mention))
    agree(
        rme,
        f1(match(nodes("relation"), match(edges_out(), shared, "n:1"))),
        lay,
        gold,
        system,
    )


EVENT = exact(label, anchors) * f1(
    match(edges_out(), exact(edge_label, via(target, anchors)))
)
FILLER = choice(
    kind, {"mention": mention, "entity": phi4, "trigger": EVENT, "value": exact(label)}
)
TEMPLATES = f1(
    match(
        nodes("template"),
        exact(label) * match(edges_out(), exact(edge_label) * at(target, FILLER)),
    )
)


@given(template_sets, template_sets)
def test_templates_are_muc4(gold: TemplateSet, system: TemplateSet) -> None:
    agree(derive(TemplateSet).formula, TEMPLATES, template_graph, gold, system)


@given(amrs(), amrs())
def test_propositions_are_smatch(gold: AMR, system: AMR) -> None:
    found = derive(AMR).formula.score(gold, system)
    named = counted(Smatch(), amr_graph(gold), amr_graph(system))
    assert found.measured.count == named
    assert found.proven


# What formulas look like, and what marks make of them.


@dataclass(frozen=True)
class Tokens:
    words: tuple[str, ...]


class Stance(Enum):
    FOR = "for"
    AGAINST = "against"


@dataclass(frozen=True)
class Claim:
    text: str
    stance: Stance
    places: frozenset[int]
    sure: bool = True
    note: str | None = None


@dataclass(frozen=True)
class Document:
    title: str
    claims: frozenset[Claim]
    tokens: list[str]
    author: Claim | None = None


V = TypeVar("V")


@dataclass(frozen=True)
class Box(Generic[V]):
    items: tuple[V, ...]


@dataclass(frozen=True)
class Pairs:
    pairs: frozenset[tuple[Entity, Entity]]
    spans: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Mixed:
    many: frozenset[Mention | str]
    row: tuple[Mention | str, ...]
    deep: frozenset[frozenset[Mention]]


def close(predicted: Any, gold: Any) -> float:
    return 1.0 if predicted == gold else 0.25


def stances(predicted: Stance, gold: Stance) -> float:
    assert isinstance(predicted, Stance)
    return 1.0 if predicted is gold else 0.5


FORMULAS: list[tuple[Any, Any, list[str]]] = [
    (RelationSet, {}, ["F↔relations[δ_type × δ_subj × δ_obj]"]),
    (DependencyParse, {Dependency: {"rel": ignored}}, ["F↔edges[δ_gov × δ_dep]"]),
    (DependencyParse, {}, ["F↔edges[δ_gov × δ_dep × δ_rel]"]),
    (EventSet, {Event: {"args": ignored}}, ["F↔events[δ_trig]"]),
    (EventSet, {}, ["F↔events[δ_trig × Σ↔args[δ_mention × δ_role]]"]),
    (EntitySet, {}, ["F↔entities[F↔mentions[δ_left × δ_right]]"]),
    (EntitySet, {Entity: {"mentions": total}}, [
        "F↔entities[Σ↔mentions[δ_left × δ_right]]"]),
    (EntitySet, LINKS, ["F~entities[max{0, Σ↔mentions[δ_left × δ_right] - 1}]"]),
    (AMR, {}, ["F[max_M Σ↔props[δ_rel × φ̃_subj × δ_obj × φ̃_obj]]"]),
    (Tokens, {}, ["F↔words≤[δ]"]),
    (Tokens, {Tokens: {"words": in_any_order}}, ["F↔words[δ]"]),
    (Tokens, {Tokens: {"words": discrete}}, ["δ_words"]),
    (Tokens, {Tokens: {"words": (by_f(2), matched("1:n"))}}, ["F_2←words≤[δ]"]),
    (Box[str], {}, ["F↔items≤[δ]"]),
    (Box[Mention], {}, ["F↔items≤[δ_left × δ_right]"]),
    (Box[Annotated[str, levels_of(".")]], {}, ["F↔items≤[φ_levels(itself)]"]),
    (Box[IndexedMention], {}, ["F↔items≤[⟦J↔indices[δ] > 0.5⟧]"]),
    (IndexedMention, {}, ["⟦J↔indices[δ] > 0.5⟧"]),
    (Box[Annotated[frozenset[int], discrete]], {}, ["F↔items≤[δ_whole]"]),
    (Box[Annotated[frozenset[int], by(close)]], {}, [
        "F↔items≤[φ_close(frozenset)]"]),
    (Document, {Document: {"author": ignored}}, [
        "F↔claims[δ_text × δ_stance × F↔places[δ] × δ_sure × δ_note]",
        "F↔tokens≤[δ]",
        "δ_title",
    ]),
    (Document, {Document: {"claims": ignored, "tokens": ignored}}, [
        "δ_title × (δ_text × δ_stance × F↔places[δ] × δ_sure × δ_note)_author"]),
    (Document, {Claim: by(close), Document: {"tokens": ignored, "title": ignored}}, [
        "F↔claims[φ_close(Claim)]", "(φ_close(Claim))_author"]),
    (Mixed, {}, [
        "F[Σ↔many[δ] + Σ↔many[δ_left × δ_right]]",
        "F↔row≤[δ_whole]",
        "F↔deep[F↔item[δ_left × δ_right]]"]),
    (Pairs, {}, [
        "F↔pairs[(F↔mentions[δ_left × δ_right])_item[0] × "
        "(F↔mentions[δ_left × δ_right])_item[1]]", "δ_spans"]),
]  # fmt: skip


@pytest.mark.parametrize(("cls", "changes", "shown"), FORMULAS)
def test_formulas_are_those_of_the_paper(
    cls: Any, changes: Any, shown: list[str]
) -> None:
    found = derive(cls, changes)
    assert [str(formula) for formula in found.values()] == shown
    public = {name: getattr(similarity, name) for name in similarity.__all__}
    known = {**public, **globals()}
    for formula in found.values():
        assert eval(repr(formula), known) == formula
        assert formula.latex()


def test_kinds_are_fields_collections_first() -> None:
    assert list(derive(Document)) == ["claims", "tokens", "title", "author"]
    assert list(derive(Mention)) == ["all"]
    with pytest.raises(FormulaError, match="claims, tokens, title, author"):
        _ = derive(Document).formula


@dataclass(frozen=True)
class Invoice:
    number: str
    seller: Mention
    total: float | None
    all: str = ""


def test_fields_of_a_class_without_collections_are_scored_and_have_errors() -> None:
    derived = derive(Invoice)
    assert (list(derived), list(derived.fields)) == (
        ["all"],
        ["number", "seller", "total"],
    )
    assert not derive(Document).fields
    assert not derive(Literals).fields
    gold = [Invoice("1", Mention(0, 2), 3.5), Invoice("2", Mention(4, 5), None)]
    system = [gold[0], Invoice("2", Mention(4, 6), 1.0)]
    kept = graphscore.Options(per_item=True, details=True)
    result = graphscore.score(gold, system, options=kept)
    assert {tuple_type: count[:3] for tuple_type, count in result.counts.items()} == {
        "all": (2, 2, 1),
        "number": (2, 2, 2),
        "seller": (2, 2, 1),
        "total": (2, 2, 1),
    }
    right, wrong = result.items
    assert not right.errors
    seen = {(*error[:2], error.name, error.value) for error in wrong.errors}
    mine, theirs = "Mention(left=4, right=5)", "Mention(left=4, right=6)"
    assert seen == {
        ("missing", "all", "seller+total", f"{mine}, null"),
        ("spurious", "all", "seller+total", f"{theirs}, 1.0"),
        ("missing", "seller", "seller", mine),
        ("spurious", "seller", "seller", theirs),
        ("missing", "total", "total", None),
        ("spurious", "total", "total", 1.0),
    }


@pytest.mark.parametrize("missing", ["gold", "system"])
def test_a_missing_answer_is_no_prediction(missing: str) -> None:
    """Neither as a whole nor by field, and ``None`` is nothing that it says."""
    [metric] = graphscore.score(
        [invoice := Invoice("2", Mention(4, 5), None)], [invoice], [Invoice]
    )
    there = metric.metric.prepare(graphscore.from_objects([invoice])[0])
    sides: dict[str, tuple[Any, ...]] = {"gold": (there,), "system": (there,)}
    outcome = metric.metric.compare(**{**sides, missing: ()}, budget=Budget())
    here = "system" if missing == "gold" else "gold"
    assert outcome.raw_counts == {
        (tuple_type, "", here): 1 for tuple_type in ("all", "number", "seller", "total")
    }
    assert (outcome.score, outcome.bound, outcome.proven) == (0, 0, True)
    kind = "spurious" if missing == "gold" else "missing"
    assert [
        (error.error_type, error.tuple_type, getattr(error, missing), error.reason)
        for error in outcome.errors
    ] == [
        (kind, tuple_type, None, "no counterpart")
        for tuple_type in ("all", "number", "seller", "total")
    ]


def test_what_breaks_off_does_not_count_in_precision() -> None:
    gold = [Invoice("1", Mention(0, 2), None), Invoice("2", Mention(4, 5), None)]
    answers = ['{"number": "1", "seller": {"left": 0, "right": 2}, "total": null}']
    sides = gold, [*answers, answers[0][:20]]
    with pytest.warns(graphscore.LossWarning):
        result = graphscore.score(*sides, Invoice)
    assert result.counts["all"][:3] == result.counts["total"][:3] == (2, 1, 1)
    assert (result.precision, result.recall) == (1, 0.5)
    with pytest.warns(graphscore.LossWarning):
        asked = graphscore.whatif(*sides, metric=Invoice)
    [missing] = asked.to_dicts()
    assert (missing["tuple_type"], missing["value"]) == ("graph", 1)


@dataclass(frozen=True)
class Literals:
    only: str


def bag_of_words(feature: Any) -> Similarity:
    return f1(match(words(feature), exact(itself)))


MARKS: list[tuple[Any, str]] = [
    ((), "δ_text"),
    (levels_of("."), "φ_levels(text)"),
    (half_below({"b": "a"}), "φ_<:(text)"),
    (by_supertypes({"b": "a"}), "F↔supertypes[δ]"),
    (using(bag_of_words), "F↔words[δ]"),
    (string_overlap, "⟦Σ↔words[δ] > 0⟧"),
    (close, "φ_close(text)"),
    (by(close), "φ_close(text)"),
    ((using(bag_of_words), over(0.5)), "⟦F↔words[δ] > 0.5⟧"),
    (discrete, "δ_text"),
    (exact, "δ_text"),
]


@pytest.mark.parametrize(("mark", "shown"), MARKS)
def test_marks_of_literals(mark: Any, shown: str) -> None:
    changes = {Claim: {"text": mark, "stance": ignored, "places": ignored}}
    found = similarity_of(Claim, changes)
    assert str(found).split(" × δ_sure")[0] == shown


COLLECTED: list[tuple[Any, str]] = [
    ((), "F↔places[δ]"),
    (summed, "Σ↔places[δ]"),
    (total, "Σ↔places[δ]"),
    (f1, "F↔places[δ]"),
    (by_precision, "P↔places[δ]"),
    (by_recall, "R↔places[δ]"),
    (recall, "R↔places[δ]"),
    (by_jaccard, "J↔places[δ]"),
    (jaccard, "J↔places[δ]"),
    ((matched("n:1"), f1), "F→places[δ]"),
    ((jaccard, at_least(0.5)), "⟦J↔places[δ] ≥ 0.5⟧"),
    (contained, "φ⊆places[δ]"),
    (discrete, "δ_places"),
    (by(close), "φ_close(places)"),
    ((summed, less(1)), "max{0, Σ↔places[δ] - 1}"),
]


@pytest.mark.parametrize(("mark", "shown"), COLLECTED)
def test_marks_of_collections(mark: Any, shown: str) -> None:
    changes = {Claim: {"places": mark, "text": ignored, "stance": ignored}}
    assert str(similarity_of(Claim, changes)).split(" × δ_sure")[0] == shown


@compared(args=summed, type=levels_of(":"))
@dataclass(frozen=True)
class Happening:
    type: str
    args: Annotated[frozenset[str], by_recall]


@compared(by(close))
@dataclass(frozen=True)
class Thing:
    name: str


@dataclass(frozen=True)
class Scene:
    happenings: frozenset[Happening]
    things: frozenset[Thing]
    exactly: frozenset[Annotated[Thing, discrete]]
    one: Annotated[Happening, within(args=by_jaccard)]


def test_declarations_of_a_class_go_before_annotations_and_changes_before_both() -> (
    None
):
    found = derive(Scene)
    assert str(found["happenings"]) == "F↔happenings[φ_levels(type) × Σ↔args[δ]]"
    assert str(found["things"]) == "F↔things[φ_close(Thing)]"
    assert str(found["exactly"]) == "F↔exactly[δ_whole]"
    assert str(found["one"]) == "(φ_levels(type) × J↔args[δ])_one"
    changed = derive(Scene, {Happening: {"args": by_precision}, Thing: discrete})
    assert str(changed["happenings"]) == "F↔happenings[φ_levels(type) × P↔args[δ]]"
    assert str(changed["things"]) == "F↔things[δ_whole]"


def test_functions_see_objects_and_members() -> None:
    seen = []

    def spy(predicted: Any, gold: Any) -> float:
        seen.append((predicted, gold))
        return float(predicted == gold)

    changes = {Claim: {"stance": stances, "sure": spy, "places": spy}}
    box = derive(Box[Claim], changes)

    def score(gold: Box[Claim], system: Box[Claim]) -> Any:
        return box.score(gold, system)["items"]

    one = Claim("a", Stance.FOR, frozenset({1}), True)
    two = Claim("a", Stance.AGAINST, frozenset({1}), False)
    assert score(Box((one,)), Box((one,))).value == 1
    assert score(Box((one,)), Box((two,))).value == 0
    assert (True, True) in seen
    assert (False, True) in seen
    assert (frozenset({1}), frozenset({1})) in seen
    assert score(Box((one,)), Box((Claim("a", Stance.AGAINST, one.places),))).value


def test_values_of_two_types_are_never_alike() -> None:
    phi = derive(Box[SlotFiller[Mention | Entity | bool | int | str]]).formula

    def one(value: Any) -> Box[Any]:
        return Box((SlotFiller("s", value),))

    values = [Mention(1, 1), Entity(frozenset({Mention(1, 1)})), True, 1, "1"]
    cls = Box[SlotFiller[Mention | Entity | bool | int | str]]
    report = derive(cls)
    for k, gold in enumerate(values):
        for n, system in enumerate(values):
            [found] = report.score(one(gold), one(system)).values()
            assert found.value == (k == n)
    assert str(phi).count("δ_value") == 4


def test_absent_and_present_objects_are_not_alike() -> None:
    phi = derive(Document, {Document: {"claims": ignored, "tokens": ignored}}).formula
    claim = Claim("a", Stance.FOR, frozenset())

    def document(author: Claim | None) -> Document:
        return Document("t", frozenset(), [], author)

    assert phi.score(document(None), document(None)).value == 1
    assert phi.score(document(claim), document(claim)).value == 1
    assert phi.score(document(None), document(claim)).value == 0
    assert phi.score(document(claim), document(None)).value == 0


@dataclass(frozen=True)
class Optionally:
    items: frozenset[str] | None


def test_none_holds_no_items() -> None:
    phi = derive(Optionally).formula
    found = phi.score(Optionally(None), Optionally(frozenset({"a"})))
    assert (found.gold, found.system, found.matched) == (0, 1, 0)


@dataclass(frozen=True)
class Instance:
    var: Var
    concept: str


@dataclass(frozen=True)
class Link:
    ends: tuple[Var, Var]
    rel: str


@dataclass(frozen=True)
class SplitAMR:
    instances: frozenset[Instance]
    links: frozenset[Link]
    name: str = ""


def split(amr: AMR) -> SplitAMR:
    return SplitAMR(
        frozenset(
            Instance(each.subj, str(each.obj))
            for each in amr.props
            if not isinstance(each.obj, Var)
        ),
        frozenset(
            Link((each.subj, each.obj), each.rel)
            for each in amr.props
            if isinstance(each.obj, Var)
        ),
    )


@given(amrs(), amrs())
def test_fields_with_variables_share_one_map(gold: AMR, system: AMR) -> None:
    derived = derive(SplitAMR)
    assert list(derived) == ["instances+links", "name"]
    no_attributes = [
        AMR(frozenset(p for p in each.props if p.rel != "polarity"))
        for each in (gold, system)
    ]
    found = derived["instances+links"].score(*map(split, no_attributes))
    named = derive(AMR).formula.score(*no_attributes)
    assert amounts(found) == amounts(named)


def test_two_variables_cannot_both_be_one() -> None:
    def boys(*names: str) -> AMR:
        return AMR(frozenset(Prop("instance", Var(name), "boy") for name in names))

    found = derive(AMR).formula.score(boys("x", "y"), boys("b"))
    assert (found.gold, found.system, found.matched) == (2, 1, 1)


def test_a_hand_written_formula_over_objects_is_the_derived_one() -> None:
    from graphscore.similarity import along, field, items, of_top, property_value

    prop = (
        exact(property_value("rel"))
        * variable(along("subj"))
        * exact(property_value("obj"))
        * variable(along("obj"))
    )
    written = f1(latent(nodes(label="Var"), match(of_top(items("props")), prop)))
    assert derive(AMR).formula == written
    assert field("obj") != property_value("obj")


# What cannot be.


@dataclass(frozen=True)
class Nested:
    inner: frozenset[Nested]


@dataclass(frozen=True)
class Linked:
    value: int
    next: Linked | None


@dataclass(frozen=True)
class Group:
    amrs: frozenset[AMR]


@dataclass(frozen=True)
class Loose:
    var: Var


def test_variables_deep_inside_are_mapped_together() -> None:
    props = "F↔props[δ_rel × φ̃_subj × δ_obj × φ̃_obj]"
    assert str(derive(Group)) == f"amrs = F[max_M Σ↔amrs[{props}]]"
    assert str(derive(Loose)) == "all = max_M φ̃_var"
    report = derive(Loose).formula.score(Loose(Var("x")), Loose(Var("y")))
    assert (report.value, report.proven) == (1, True)


@dataclass(frozen=True)
class Hidden:
    rows: Annotated[frozenset[Prop], discrete]


@dataclass
class Changing:
    name: str


@dataclass(frozen=True)
class Unhashable:
    items: list[Changing]


def test_a_class_that_only_can_be_equal_may_contain_itself() -> None:
    phi = derive(Linked).formula
    assert str(phi) == "δ_value × δ_next"
    assert phi.score(Linked(1, Linked(2, None)), Linked(1, Linked(2, None))).value == 1
    assert phi.score(Linked(1, Linked(2, None)), Linked(1, Linked(3, None))).value == 0


@pytest.mark.parametrize(
    ("cls", "changes", "said"),
    [
        (Group, {AMR: {"props": matched("n:1")}}, "a variable inside of F→props"),
        (Group, {AMR: {"props": contained}}, "a variable inside of φ⊆props"),
        (Loose, {Var: over(0.5)}, "Var is a variable with marks"),
        (Hidden, {}, "a variable in .*what is equal or not"),
        (Unhashable, {Changing: by(close)}, "cannot change"),
        (RelationSet, {Mention: {"leff": ignored}}, "Mention.leff, expected one of"),
        (Tokens, {Tokens: {"words": (summed, discrete)}}, "Tokens.words is declared"),
        (Tokens, {Tokens: {"words": levels_of(".")}}, "a mark for its items"),
        (Tokens, {Tokens: {"words": within(a=ignored)}}, "a mark for one object"),
        (Tokens, {Tokens: {"words": ignored}}, "no fields that are compared"),
        (Claim, {Claim: {"text": summed}}, "Claim.text is declared summed.*collection"),
        (Claim, {Claim: {"places": in_order}}, "Claim.places .*a sequence"),
        (Document, {Claim: {"places": by_either}}, "that of the output's own field"),
        (Claim, {Claim: {"text": match}}, "expected a mark such as summed"),
        (RelationSet, {Mention: levels_of(".")}, "something for literals"),
        (RelationSet, {Mention: summed}, "expected a collection"),
        (AMR, {Prop: {"subj": discrete}}, "a variable in Var"),
        (AMR, {Prop: {"subj": over(0.5)}}, "a variable with marks"),
        (Box[Annotated[str, ignored]], {}, "a mark for a field"),
        (SlotFiller, {}, "type variable T"),
    ],
)
def test_what_does_not_fit_fails_when_it_is_derived(
    cls: Any, changes: Any, said: str
) -> None:
    with pytest.raises(Exception, match=said) as error:
        derive(cls, changes)
    assert isinstance(error.value, similarity.FormulaError) or "SlotFiller" in str(cls)


def test_derived_formulas_are_a_suite() -> None:
    made = suite("document", derive(Document))
    assert made.tuple_types == ("claims", "tokens", "title", "author")


def test_derived_explains_both_sides() -> None:
    gold = EventSet(frozenset({Event(Trigger(Mention(0, 1), "Die"), frozenset())}))
    text = derive(EventSet).explain(gold, gold)
    assert "Event(trig=Trigger(type='Die', mention=Mention(left=0, right=1)))" in text


def test_role_fillers_of_relations_nest() -> None:
    shown = str(derive(NAryRelationSet, {RoleFillerEntity: {"entity": (over(0.5))}}))
    assert "⟦(F↔mentions[δ_left × δ_right])_entity > 0.5⟧" in shown
