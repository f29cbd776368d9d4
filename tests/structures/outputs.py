"""Random outputs of the paper's tasks, small enough to agree often."""

from __future__ import annotations

from hypothesis import strategies as st

from graphscore.model.graph import Anchor
from graphscore.structures.coreference import Entity, EntitySet
from graphscore.structures.dependencies import Dependency, DependencyParse
from graphscore.structures.extraction import (
    Event,
    EventArgument,
    EventSet,
    NAryRelation,
    NAryRelationSet,
    Relation,
    RelationSet,
    RoleFillerEntity,
    Trigger,
)
from graphscore.structures.meaning import AMR, Prop
from graphscore.structures.mentions import Mention
from graphscore.structures.objects.variables import Var
from graphscore.structures.templates import SlotFiller, Template, TemplateSet

TEXT = "Jenny Smith founded Acme there"
TOKENS = (Anchor(0, 5), Anchor(6, 11), Anchor(12, 19), Anchor(20, 24), Anchor(25, 30))
WORDS = ("one", "two", "three", "four", "five")

types = st.sampled_from("AB")
roles = st.sampled_from(("Agent", "Place"))
mentions = st.tuples(st.integers(0, 4), st.integers(0, 1)).map(
    lambda two: Mention(two[0], min(4, two[0] + two[1]))
)
entities = st.frozensets(mentions, min_size=1, max_size=4).map(Entity)


def set_of(items: st.SearchStrategy, most: int = 4) -> st.SearchStrategy:
    return st.frozensets(items, max_size=most)


relation_sets = set_of(st.builds(Relation, types, mentions, mentions)).map(RelationSet)
triggers = st.builds(Trigger, mentions, types)
arguments = st.builds(EventArgument, mentions, roles)
events = st.builds(Event, triggers, set_of(arguments, 3))
event_sets = set_of(events).map(EventSet)
role_fillers = st.builds(RoleFillerEntity, roles, entities)
nary_relations = st.builds(NAryRelation, st.just("A"), set_of(role_fillers))
nary_sets = set_of(st.builds(NAryRelation, types, set_of(role_fillers, 3))).map(
    NAryRelationSet
)
fillers = st.one_of(
    mentions,
    entities,
    events,
    st.booleans(),
    st.sampled_from((0.5, 7)),
    st.sampled_from(("yes", "no")),
)
templates = st.builds(Template, types, set_of(st.builds(SlotFiller, roles, fillers)))
template_sets = set_of(templates, 3).map(TemplateSet)


@st.composite
def entity_sets(draw: st.DrawFn) -> EntitySet:
    """A partition of some mentions."""
    found = draw(st.lists(mentions, unique=True, max_size=8))
    chains: dict[int, set[Mention]] = {}
    for each in found:
        chains.setdefault(draw(st.integers(0, 3)), set()).add(each)
    return EntitySet(frozenset(Entity(frozenset(each)) for each in chains.values()))


@st.composite
def parses(draw: st.DrawFn) -> DependencyParse:
    """A tree over all five words, with one root."""
    order = draw(st.permutations(range(1, 6)))
    arcs = {Dependency(0, order[0], "root")}
    for place, word in enumerate(order[1:], 1):
        governor = order[draw(st.integers(0, place - 1))]
        arcs.add(Dependency(governor, word, draw(st.sampled_from(("nsubj", "obj")))))
    return DependencyParse(frozenset(arcs))


@st.composite
def amrs(draw: st.DrawFn) -> AMR:
    """Variables with one concept each, relations and attributes between them."""
    names = draw(st.lists(st.sampled_from("uvwxyz"), unique=True, max_size=4))
    variables = [Var(name) for name in names]
    concept = st.sampled_from(("boy", "go-02", "want-01"))
    props = {Prop("instance", each, draw(concept)) for each in variables}
    if variables:
        some = st.sampled_from(variables)
        link = st.builds(Prop, st.sampled_from(("ARG0", "ARG1")), some, some)
        said = st.builds(Prop, st.just("polarity"), some, st.just("-"))
        props |= draw(st.frozensets(st.one_of(link, said), max_size=5))
    return AMR(frozenset(props))
