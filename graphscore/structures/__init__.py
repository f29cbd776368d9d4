"""Structures of information extraction in the uniform graph.

:mod:`graphscore.structures.layout` says where mentions, entities, relations and
events stand in a :class:`~graphscore.model.graph.Graph`; readers build graphs with it,
metrics find their way with it, and nothing else knows the layout.

:mod:`~graphscore.structures.objects.dataclasses` lays objects of one's own classes
out as graphs, and reads them back; :mod:`~graphscore.structures.objects.declarations`
has the marks that say how a metric compares them.  The outputs of the tasks that there
are metrics for stand in one module a family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.structures.coreference import (
        CorefOutputForB3,
        Entity,
        EntitySet,
        Membership,
        entities_of,
        entity_graph,
    )
    from graphscore.structures.dependencies import (
        Dependency,
        DependencyParse,
        dependencies_of,
        dependency_graph,
    )
    from graphscore.structures.entities.authority import confidence_of, entries_of
    from graphscore.structures.entities.trees import Slot, TreeBuilder, slots_of
    from graphscore.structures.extraction import (
        Event,
        EventSet,
        NAryRelation,
        NAryRelationSet,
        Relation,
        RelationSet,
        RoleFillerEntity,
        Trigger,
        event_graph,
        events_of,
        nary_relation_graph,
        nary_relations_of,
        relation_graph,
        relations_of,
    )
    from graphscore.structures.layout import (
        ARGUMENT,
        COMPONENT,
        ENTITY,
        KIND,
        KINDS,
        MENTION,
        OPINION,
        PREDICATE,
        RELATION,
        TEMPLATE,
        TOKEN,
        TRIGGER,
        VALUE,
        Argument,
        LayoutBuilder,
        first_of,
        kind_of,
        nodes_of,
    )
    from graphscore.structures.meaning import AMR, Prop, amr_graph, amr_of
    from graphscore.structures.mentions import IndexedMention, Mention, mention_of
    from graphscore.structures.objects.dataclasses import (
        StructureError,
        Var,
        from_graph,
        to_graph,
    )
    from graphscore.structures.objects.declarations import (
        at_least,
        by,
        by_either,
        by_f,
        by_f1,
        by_jaccard,
        by_precision,
        by_recall,
        by_supertypes,
        compared,
        contained,
        counted,
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
    from graphscore.structures.roles.reading import sentence_of
    from graphscore.structures.roles.sentence import Piece, Proposition, Sentence
    from graphscore.structures.sentiment import (
        Opinion,
        OpinionSet,
        opinion_graph,
        opinions_of,
    )
    from graphscore.structures.templates import (
        SlotFiller,
        Template,
        TemplateSet,
        template_graph,
        templates_of,
    )

__all__ = [
    "AMR",
    "ARGUMENT",
    "COMPONENT",
    "ENTITY",
    "KIND",
    "KINDS",
    "MENTION",
    "OPINION",
    "PREDICATE",
    "RELATION",
    "TEMPLATE",
    "TOKEN",
    "TRIGGER",
    "VALUE",
    "Argument",
    "CorefOutputForB3",
    "Dependency",
    "DependencyParse",
    "Entity",
    "EntitySet",
    "Event",
    "EventSet",
    "IndexedMention",
    "LayoutBuilder",
    "Membership",
    "Mention",
    "NAryRelation",
    "NAryRelationSet",
    "Opinion",
    "OpinionSet",
    "Piece",
    "Prop",
    "Proposition",
    "Relation",
    "RelationSet",
    "RoleFillerEntity",
    "Sentence",
    "Slot",
    "SlotFiller",
    "StructureError",
    "Template",
    "TemplateSet",
    "TreeBuilder",
    "Trigger",
    "Var",
    "amr_graph",
    "amr_of",
    "at_least",
    "by",
    "by_either",
    "by_f",
    "by_f1",
    "by_jaccard",
    "by_precision",
    "by_recall",
    "by_supertypes",
    "compared",
    "confidence_of",
    "contained",
    "counted",
    "dependencies_of",
    "dependency_graph",
    "discrete",
    "entities_of",
    "entity_graph",
    "entries_of",
    "event_graph",
    "events_of",
    "first_of",
    "from_graph",
    "half_below",
    "ignored",
    "in_any_order",
    "in_order",
    "kind_of",
    "less",
    "levels_of",
    "matched",
    "mention_of",
    "nary_relation_graph",
    "nary_relations_of",
    "nodes_of",
    "opinion_graph",
    "opinions_of",
    "over",
    "relation_graph",
    "relations_of",
    "sentence_of",
    "slots_of",
    "summed",
    "template_graph",
    "templates_of",
    "to_graph",
    "using",
    "within",
]

__getattr__ = lazily(
    __name__,
    {
        "meaning": "AMR Prop amr_graph amr_of",
        "entities.authority": "confidence_of entries_of",
        "coreference": (
            "CorefOutputForB3 Entity EntitySet Membership entities_of entity_graph"
        ),
        "objects.dataclasses": "StructureError Var from_graph to_graph",
        "objects.declarations": (
            "at_least by by_either by_f by_f1 by_jaccard by_precision by_recall "
            "by by_supertypes compared contained counted discrete half_below "
            "ignored in_any_order in_order less levels_of matched over summed using "
            "within"
        ),
        "dependencies": "Dependency DependencyParse dependencies_of dependency_graph",
        "entities.trees": "Slot TreeBuilder slots_of",
        "layout": (
            "ARGUMENT COMPONENT ENTITY KIND KINDS MENTION OPINION PREDICATE RELATION "
            "TEMPLATE TOKEN TRIGGER VALUE Argument LayoutBuilder first_of kind_of "
            "nodes_of"
        ),
        "mentions": "IndexedMention Mention mention_of",
        "extraction": (
            "Event EventSet NAryRelation NAryRelationSet Relation RelationSet "
            "RoleFillerEntity Trigger event_graph events_of nary_relation_graph "
            "nary_relations_of relation_graph relations_of"
        ),
        "roles.reading": "sentence_of",
        "roles.sentence": "Piece Proposition Sentence",
        "sentiment": "Opinion OpinionSet opinion_graph opinions_of",
        "templates": "SlotFiller Template TemplateSet template_graph templates_of",
    },
)
