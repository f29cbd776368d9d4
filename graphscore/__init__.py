"""graphscore: exact scores and explained errors for structured predictions.

>>> import graphscore
>>> from graphscore import Edge, Graph, Node
>>> gold = Graph("1", "amr", 2, nodes=(Node(0, "bark-01"), Node(1, "dog")),
...              edges=(Edge(0, 1, "ARG0"),), tops=(0,))
>>> graphscore.score([gold], [gold]).f1
1.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore import rows
from graphscore.lazy import lazily

__version__ = "1.0.0rc1"

if TYPE_CHECKING:
    from graphscore.adapters.batches import Scorer, compute_metrics
    from graphscore.adapters.functions import (
        analyze,
        convert,
        errors,
        find_pattern,
        items,
        show,
        validate,
    )
    from graphscore.correspondence import (
        Budget,
    )
    from graphscore.evaluation.api import (
        score,
    )
    from graphscore.evaluation.options import Options, References, Runs, Selection
    from graphscore.evaluation.result import (
        Result,
    )
    from graphscore.evaluation.store import (
        Store,
    )
    from graphscore.exceptions import (
        GraphscoreError,
        InputError,
        InvalidGraphError,
        LockedError,
        LossWarning,
        PairingError,
        Problem,
        StoreError,
        UsageError,
    )
    from graphscore.formats import (
        ReaderOptions,
        read_file,
        write_graphs,
    )
    from graphscore.inputs.clusters import from_clusters
    from graphscore.inputs.delphin import from_delphin
    from graphscore.inputs.dicts import from_dicts, from_events, from_relations
    from graphscore.inputs.frames import from_frame
    from graphscore.inputs.networks import from_networks
    from graphscore.inputs.records import from_objects
    from graphscore.inputs.spacy_docs import from_docs
    from graphscore.inputs.spans import from_spans
    from graphscore.inputs.tags import from_tags
    from graphscore.inputs.texts import from_conllu, from_penman
    from graphscore.metrics.base import (
        Metric,
    )
    from graphscore.metrics.registry import (
        parse,
    )
    from graphscore.model.graph import (
        Anchor,
        Edge,
        Graph,
        Node,
    )
    from graphscore.model.interchange import (
        from_networkx,
        from_rustworkx,
        to_networkx,
        to_rustworkx,
    )
    from graphscore.model.outcome import (
        Count,
        Error,
        Match,
        Outcome,
        Scores,
        ScoreTable,
    )
    from graphscore.report.catalogue import list_formats, list_metrics
    from graphscore.report.explanation.lookup import (
        explain,
    )
    from graphscore.report.page.api import (
        report_html,
        write_report,
    )
    from graphscore.report.rules import check_rules
    from graphscore.rows import (
        flat,
    )
    from graphscore.rules.engine import RuleError
    from graphscore.similarity.expression import FormulaError
    from graphscore.statistics.agreement.annotators import (
        agree,
    )
    from graphscore.statistics.api import (
        compare,
    )
    from graphscore.statistics.whatif.api import (
        whatif,
    )
    from graphscore.store.read.limits import TooLargeError, TooLongError
    from graphscore.structures.objects.field_types import StructureError

__all__ = [
    "Anchor",
    "Budget",
    "Count",
    "Edge",
    "Error",
    "FormulaError",
    "Graph",
    "GraphscoreError",
    "InputError",
    "InvalidGraphError",
    "LockedError",
    "LossWarning",
    "Match",
    "Metric",
    "Node",
    "Options",
    "Outcome",
    "PairingError",
    "Problem",
    "ReaderOptions",
    "References",
    "Result",
    "RuleError",
    "Runs",
    "ScoreTable",
    "Scorer",
    "Scores",
    "Selection",
    "Store",
    "StoreError",
    "StructureError",
    "TooLargeError",
    "TooLongError",
    "UsageError",
    "__version__",
    "agree",
    "analyze",
    "check_rules",
    "compare",
    "compute_metrics",
    "convert",
    "errors",
    "explain",
    "find_pattern",
    "flat",
    "from_clusters",
    "from_conllu",
    "from_delphin",
    "from_dicts",
    "from_docs",
    "from_events",
    "from_frame",
    "from_networks",
    "from_networkx",
    "from_objects",
    "from_penman",
    "from_relations",
    "from_rustworkx",
    "from_spans",
    "from_tags",
    "items",
    "list_formats",
    "list_metrics",
    "parse",
    "read_file",
    "report_html",
    "score",
    "show",
    "to_networkx",
    "to_rustworkx",
    "validate",
    "whatif",
    "write_graphs",
    "write_report",
]

__getattr__ = lazily(
    __name__,
    {
        "evaluation.api": "score",
        "report.explanation.lookup": "explain",
        "adapters.functions": "analyze convert errors find_pattern items show validate",
        "report.catalogue": "list_formats list_metrics",
        "report.rules": "check_rules",
        "report.page.api": "report_html write_report",
        "rows": "flat",
        "statistics.agreement.annotators": "agree",
        "statistics.api": "compare",
        "statistics.whatif.api": "whatif",
        "correspondence": "Budget",
        "exceptions": "GraphscoreError InputError InvalidGraphError LockedError "
        "LossWarning PairingError Problem StoreError UsageError",
        "rules.engine": "RuleError",
        "similarity.expression": "FormulaError",
        "store.read.limits": "TooLargeError TooLongError",
        "structures.objects.field_types": "StructureError",
        "evaluation.options": "Options References Runs Selection",
        "formats": "ReaderOptions read_file write_graphs",
        "inputs.clusters": "from_clusters",
        "inputs.dicts": "from_dicts from_events from_relations",
        "inputs.spacy_docs": "from_docs",
        "inputs.frames": "from_frame",
        "inputs.networks": "from_networks",
        "inputs.records": "from_objects",
        "inputs.spans": "from_spans",
        "inputs.tags": "from_tags",
        "inputs.delphin": "from_delphin",
        "inputs.texts": "from_conllu from_penman",
        "model.graph": "Anchor Edge Graph Node",
        "model.interchange": "from_networkx from_rustworkx to_networkx to_rustworkx",
        "metrics.base": "Metric",
        "metrics.registry": "parse",
        "evaluation.result": "Result",
        "adapters.batches": "Scorer compute_metrics",
        "evaluation.store": "Store",
        "model.outcome": "Count Error ScoreTable Scores Match Outcome",
    },
)


rows.RENDERED.update(
    html="graphscore.report.notebook:html",
    markdown="graphscore.report.markdown:markdown",
    svg="graphscore.report.text:svg",
    text="graphscore.report.text:render",
)
rows.SHOWN.update(
    CrossFrameworkResult="graphscore.report.cross_framework:across_tables",
    ClassRows="graphscore.report.notebook:class_tables",
    Agreement="graphscore.report.agreement:agreement_tables",
    Comparison="graphscore.report.changes:shown_tables",
    Confusions="graphscore.report.notebook:confusion_tables",
    Errors="graphscore.report.notebook:error_tables",
    Frequent="graphscore.report.notebook:frequent_tables",
    Items="graphscore.report.notebook:items_tables",
    Result="graphscore.report.notebook:result_tables",
    WhatIf="graphscore.report.error_tables:whatif_tables",
)
rows.COMPUTED.update(intervals="graphscore.statistics.uncertainty:with_intervals")
rows.DRAWN.update(Result="graphscore.report.notebook:picture")


def __dir__() -> list[str]:
    return __all__
