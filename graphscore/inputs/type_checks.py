"""Type checks of inputs without importing the libraries that define them.

A shape looks at one item; who makes graphs of it is imported when it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from graphscore.formats.base import late
from graphscore.inputs.base import InputType
from graphscore.inputs.spans import fields_of, is_number
from graphscore.model.graph import Graph
from graphscore.structures.layout import COREF, NER


def is_list(value: object) -> bool:
    """True for a list as people write them; libraries' own are none.

    Args:
        value: anything.
    """
    kind = type(value)
    return kind is list or kind is tuple or kind.__name__ == "ndarray"


def _is_graph(item: Any) -> bool | None:
    return isinstance(item, Graph)


def _are_tags(item: Any) -> bool | None:
    if not is_list(item):
        return False
    return isinstance(item[0], str) and isinstance(item[-1], str) if len(item) else None


def _is_pair(value: Any) -> bool:
    return is_list(value) and len(value) == 2 and all(map(is_number, value))


def _is_span(value: Any) -> bool:
    if not is_list(value):
        return fields_of(value) is not None
    labels = [part for part in value if isinstance(part, str) or part is None]
    numbers = [part for part in value if is_number(part)]
    return len(numbers) == 2 and len(labels) == len(value) - 2 <= 1


def _are_bare_spans(item: Any) -> bool | None:
    if not is_list(item):
        return False
    return _is_pair(item[0]) if len(item) else None


def _are_spans(item: Any) -> bool | None:
    if not is_list(item):
        return False
    if not len(item):
        return None
    return not isinstance(item[0], str) and _is_span(item[0])


def _are_clusters(item: Any) -> bool | None:
    if not is_list(item):
        return False
    for cluster in item:
        if not (is_list(cluster) and not len(cluster)):
            return is_list(cluster) and _is_pair(cluster[0])
    return None


def made_by(value: object, library: str, *names: str) -> bool:
    """Return whether a value's class, or a base of it, is a library's.

    Args:
        value: anything.
        library: the library's first name.
        names: the classes; any if there are none.
    """
    return any(
        base.__module__.partition(".")[0] == library
        and (not names or base.__name__ in names)
        for base in type(value).__mro__
    )


def _content(item: str) -> str:
    """The first line of a text that is neither blank nor a comment."""
    lines = (line for line in item.splitlines() if line.strip())
    return next((line for line in lines if not line.lstrip().startswith("#")), "")


def _is_penman(item: Any) -> bool | None:
    if isinstance(item, str):
        return _content(item).lstrip().startswith("(")
    return made_by(item, "penman", "Graph", "Tree")


def _is_delphin(item: Any) -> bool | None:
    return made_by(item, "delphin", "MRS", "DMRS", "EDS")


def _is_conllu(item: Any) -> bool | None:
    if isinstance(item, str):
        return _content(item).count("\t") >= 2
    return made_by(item, "conllu", "TokenList", "TokenTree")


def is_text(value: str) -> bool:
    """Return whether a string is an annotation itself, rather than the name of one.

    Args:
        value: a string.
    """
    return bool(_is_penman(value) or _is_conllu(value) or _is_dict(value))


def _is_doc(item: Any) -> bool | None:
    return hasattr(item, "ents") and hasattr(item, "text") and not _is_graph(item)


def _is_object(item: Any) -> bool | None:
    return is_dataclass(item) and not isinstance(item, type)


def _is_network(item: Any) -> bool | None:
    return made_by(item, "networkx") or made_by(item, "rustworkx")


def _is_frame(value: Any) -> bool | None:
    return any(
        made_by(value, library, "DataFrame", "LazyFrame", "Table")
        for library in ("pandas", "polars", "pyarrow", "narwhals")
    )


def is_column(value: Any) -> bool:
    """Return whether a value is a column of a frame, such as one of lists of tags.

    Args:
        value: anything.
    """
    return any(
        made_by(value, library, "Series", "Array", "ChunkedArray")
        for library in ("pandas", "polars", "pyarrow", "narwhals")
    )


def _is_dict(item: Any) -> bool | None:
    if not isinstance(item, str):
        result = isinstance(item, Mapping) or hasattr(type(item), "__attrs_attrs__")
        result = result or made_by(item, "pydantic") or made_by(item, "msgspec")
        return result and not isinstance(item, type | Graph) and fields_of(item) is None
    if _is_penman(item) or _is_conllu(item):
        return False
    if _JSON.search(item):
        return True
    # Prose may be what a language model says instead; a path has no blanks.
    return None if not item or item[0] == "{" or any(map(str.isspace, item)) else False


_JSON = re.compile(r"""[{\[]\s*["'{\[\]}]""")

KINDS = (
    InputType(
        "tags",
        "[['B-PER', 'I-PER', 'O'], ...]",
        _are_tags,
        late("graphscore.inputs.tags", "from_tags"),
        by_number=True,
        counted=True,
        framework=NER,
    ),
    InputType(
        "spans",
        "[[(0, 1, 'PER'), ...], ...], "
        "[[{'start': 0, 'end': 3, 'label': 'PER'}, ...], ...]",
        _are_spans,
        late("graphscore.inputs.spans", "from_spans"),
        by_number=True,
        ends=True,
        framework=NER,
    ),
    InputType(
        "clusters",
        "[[[(0, 1), (5, 5)], ...], ...]",
        _are_clusters,
        late("graphscore.inputs.clusters", "from_clusters"),
        by_number=True,
        ends=True,
        framework=COREF,
    ),
    InputType(
        "PENMAN",
        "['(d / dog)', ...] or penman.Graphs",
        _is_penman,
        late("graphscore.inputs.texts", "from_penman"),
    ),
    InputType(
        "CoNLL-U",
        r"['1\tDogs\tdog\tNOUN\t...', ...] or token lists of conllu",
        _is_conllu,
        late("graphscore.inputs.texts", "from_conllu"),
    ),
    InputType(
        "structures of PyDelphin",
        "[simplemrs.loads(...)[0], ...]: MRS, DMRS or EDS",
        _is_delphin,
        late("graphscore.inputs.delphin", "from_delphin"),
    ),
    InputType(
        "documents",
        "[nlp('Dogs bark'), ...], spaCy's",
        _is_doc,
        late("graphscore.inputs.spacy_docs", "from_docs"),
    ),
    InputType(
        "dicts",
        "[{'text': 'Ada wrote', 'entities': [['Ada', 'PER']]}, ...], or texts of JSON",
        _is_dict,
        late("graphscore.inputs.dicts", "from_dicts"),
        generated=True,
    ),
    InputType(
        "objects",
        "[Report(...), ...], of one dataclass",
        _is_object,
        late("graphscore.inputs.records", "from_objects"),
    ),
    InputType(
        "networks",
        "[networkx.DiGraph(...), rustworkx.PyDiGraph(...), ...]",
        _is_network,
        late("graphscore.inputs.networks", "from_networks"),
    ),
    InputType(
        "a frame",
        "columns item, token, tag or item, start, end, label of pandas, polars, Arrow",
        _is_frame,
        late("graphscore.inputs.frames", "from_frame"),
        whole=True,
    ),
)
"""Everything that is taken beside files and graphs."""

LONE = InputType(
    "the clusters of one document",
    "[[(0, 1), (5, 5)], ...], which would have to be in a list of documents",
    _are_bare_spans,
    late("graphscore.inputs.clusters", "from_clusters"),
)
"""Alternative type of spans without labels."""
