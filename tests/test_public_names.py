"""What users import: these names, from these packages, and nothing deeper.

A name that goes or moves breaks somebody's code, so each one stands here.
"""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from tests.conftest import ROOT

NAMES = {
    "graphscore": """
        Anchor Budget Count Edge Error FormulaError Graph GraphscoreError InputError
        InvalidGraphError LockedError LossWarning Match Metric Node Options Outcome
        PairingError Problem ReaderOptions References Result RuleError Runs ScoreTable
        Scorer Scores Selection Store StoreError StructureError TooLargeError
        TooLongError UsageError __version__ agree analyze check_rules compare
        compute_metrics convert errors explain find_pattern flat from_clusters
        from_conllu from_delphin from_dicts from_docs from_events from_frame
        from_networks from_networkx from_objects from_penman from_relations
        from_rustworkx from_spans from_tags items list_formats list_metrics parse
        read_file report_html score show to_networkx to_rustworkx validate whatif
        write_graphs write_report
    """,
    "graphscore.adapters.pytest": "assert_score",
    "graphscore.adapters.spacy": "Scorer score",
    "graphscore.analysis": """
        CASES CollectionStatistics Inverted STATISTICS Topology Statistic Width
        arguments components
        continuations crossings density edge_lengths is_connected is_cyclic
        is_noncrossing is_page2 is_tree nontop_roots predicates reentrant_nodes
        references roots shape_of special_cases treewidth tuple_counts
    """,
    "graphscore.distributed": "score",
    "graphscore.formats": """
        Format ReadGraph ReaderOptions Record Rejected expand formats read_file
        write_graphs
    """,
    "graphscore.metrics": """
        Derived FormulaMetric Metric Rules Suite average_of metrics numbered outcome_of
        parse product_of split_metrics suite unit_of
    """,
    "graphscore.rules": """
        Classified Engine Rule RuleSet Settings Unit batch_of changes outcomes rules_of
        trace
    """,
    "graphscore.similarity": """
        Aligned Collection Constraint Derived Feature FormulaError Hierarchy
        Kernel Pair Report
        Similarity Step View again all_properties along anchors at
        attribute_value bag
        base_edges base_end base_label characters choice computed contained custom
        derive descendant edge_label edges edges_in edges_out exact
        excess f1 f_beta
        field field_type filler folded formula given harmonic head_word hierarchy
        in_sequence informed items itself jaccard kept_properties kind label
        latent
        levels listed literals match members name nodes nth objects of_top offsets only
        owner path precision product properties property_value reachable recall
        recursive role row similarity_of source sources span_jaccard spans
        string_overlap supertypes
        surface_text target targets top tops total
        value values variable via visible_anchors
        weight whole without words yields
    """,
    "graphscore.statistics": """
        Change ChangedTupleType ChangedTuple ChangedUnit Changes error_changes
        Comparison Interval Significance Table
        approximate_randomization cohen_kappa compare_results score_of
        fleiss_kappa interval krippendorff_alpha
        rank_systems raw_count_table paired_bootstrap
        CrossFrameworkResult across
        resamples
    """,
    "graphscore.structures": """
        AMR ARGUMENT Argument COMPONENT CorefOutputForB3 Dependency DependencyParse
        ENTITY Entity EntitySet Event EventSet IndexedMention KIND KINDS
        LayoutBuilder MENTION Membership Mention NAryRelation NAryRelationSet OPINION
        Opinion OpinionSet PREDICATE Piece Prop
        Proposition RELATION Relation RelationSet RoleFillerEntity Sentence Slot
        SlotFiller StructureError TEMPLATE TOKEN TRIGGER Template TemplateSet
        TreeBuilder Trigger VALUE Var amr_graph amr_of at_least by by_either by_f by_f1
        by_jaccard by_precision by_recall by_supertypes compared confidence_of contained
        counted
        dependencies_of dependency_graph discrete entities_of entity_graph entries_of
        event_graph events_of first_of from_graph half_below ignored in_any_order
        in_order kind_of less levels_of matched mention_of nary_relation_graph
        nary_relations_of nodes_of opinion_graph opinions_of over relation_graph
        relations_of sentence_of slots_of
        summed template_graph templates_of to_graph using within
    """,
    "graphscore.validation": """
        CHECKS CODES Code Finding Inversions Severity left_out passed_over repeated
        unreadable validate
    """,
}


@pytest.mark.parametrize("package", NAMES)
def test_the_public_names_are_these_and_can_be_imported(package: str) -> None:
    module = import_module(package)
    assert sorted(module.__all__) == sorted(NAMES[package].split())
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_unknown_names_are_said_with_their_package() -> None:
    for package in NAMES:
        with pytest.raises(AttributeError, match=f"'{package}' has no attribute"):
            _ = import_module(package).nowhere


def test_pages_import_public_names_only() -> None:
    wanted = re.compile(r"^(?:>>> |\.\.\. )?from (graphscore[\w.]*) import", re.M)
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    deep = {
        (page.name, module)
        for page in pages
        for module in wanted.findall(page.read_text(encoding="utf-8"))
        if module
        not in {*NAMES, "graphscore.correspondence", "graphscore.adapters.batches"}
    }
    assert not deep
