"""Columns of the public views, their types, and the columns that partition the rows.

Neither database tells the type of each column of a view: SQLite keeps the type of
every single value, PostgreSQL has several for whole numbers.  Here stands what comes
out, equal for both; ``docs/views.md`` says what each column means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Kind = Literal["text", "name", "integer", "double", "boolean"]
"""A *name* is text that repeats, of which there are few: a dictionary in Arrow."""

Columns = Mapping[str, Kind]
"""The types of columns, in their order."""


class Layout(NamedTuple):
    """Columns of a view, and the partition of its rows."""

    columns: Columns
    parts: tuple[str, ...]
    """The columns by which folders part the rows."""


def _columns(**names: str) -> Columns:
    """Columns in order; keywords begin with the type of the names that they have."""
    kinds: dict[str, Kind] = {}
    for tuple_type, listed in names.items():
        kind: Kind = tuple_type.partition("_")[0]  # type: ignore[assignment]
        kinds |= dict.fromkeys(listed.split(), kind)
    return kinds


_MADE = {
    "name_1": "gold system metric scope",
    "integer_1": "revision",
    "name_2": "evaluation",
}

_UNIT = {
    "name_3": "framework language",
    "text_3": "document item",
    "name_4": "layer",
}

_EVALUATED = ("system", "metric")

_COLLECTED = ("collection",)

_TASK = {"name_1": "gold metric scope"}

_TASKS = ("metric",)

LAYOUTS: Mapping[str, Layout] = {
    "v_graphs": Layout(
        _columns(
            name_0="collection",
            **_UNIT,
            integer_5="flavor",
            text_5="text",
            integer_6="nodes edges tops",
            text_6="file",
            integer_7="line",
            name_7="format",
        ),
        _COLLECTED,
    ),
    "v_rejected": Layout(
        _columns(
            name_0="collection",
            text_0="file",
            integer_0="line",
            name_1="framework",
            text_1="item message raw",
        ),
        _COLLECTED,
    ),
    "v_tuples": Layout(
        _columns(
            name_0="collection",
            **_UNIT,
            name_5="tuple_type",
            integer_5="node edge",
            text_5="label",
            name_6="name",
            text_6="value",
            name_7="type",
            integer_7="source target",
        ),
        _COLLECTED,
    ),
    "v_evaluations": Layout(
        _columns(
            **_MADE, integer_3="units missing spurious", text_3="created signature"
        ),
        _EVALUATED,
    ),
    "v_items": Layout(
        _columns(
            **_MADE,
            **_UNIT,
            name_5="status",
            double_5="gold_count system_count matched matched_system f1 score bound",
            boolean_5="proven",
            integer_5="steps",
            name_6="method",
            integer_6="microseconds errors",
        ),
        _EVALUATED,
    ),
    "v_scores": Layout(
        _columns(
            **_MADE,
            **_UNIT,
            name_5="tuple_type",
            double_5="gold_count system_count matched matched_system "
            "precision recall f1 score bound",
            boolean_5="proven",
            integer_5="steps",
        ),
        _EVALUATED,
    ),
    "v_errors": Layout(
        _columns(
            **_MADE,
            **_UNIT,
            name_5="error_type tuple_type object",
            integer_5="gold_ordinal system_ordinal",
            text_5="label",
            name_6="name",
            text_6="value",
            name_7="type",
            text_7="compared",
            name_8="reason",
            double_8="credit",
            integer_8="parent level",
        ),
        _EVALUATED,
    ),
    "v_error_counts": Layout(
        _columns(
            **_MADE,
            name_5="framework",
            text_5="document",
            name_6="tuple_type error_type",
            integer_6="errors",
        ),
        _EVALUATED,
    ),
    "v_error_tuples": Layout(
        _columns(
            **_MADE,
            name_5="framework tuple_type error_type name",
            text_5="value",
            integer_5="errors",
        ),
        _EVALUATED,
    ),
    "v_error_labels": Layout(
        _columns(
            **_MADE,
            name_5="framework tuple_type error_type",
            text_5="label",
            name_6="name",
            text_6="value",
            name_7="type",
            integer_7="errors",
        ),
        _EVALUATED,
    ),
    "v_correspondences": Layout(
        _columns(
            **_MADE,
            **_UNIT,
            integer_5="seq parent level",
            name_5="side object",
            integer_6="gold_ordinal system_ordinal",
            text_6="gold_label system_label",
            double_6="credit",
        ),
        _EVALUATED,
    ),
    "v_confusions": Layout(
        _columns(
            **_MADE,
            name_5="framework",
            text_5="document",
            name_6="tuple_type name",
            text_6="gold_value system_value",
            integer_6="confusions",
        ),
        _EVALUATED,
    ),
    "v_entity_errors": Layout(
        _columns(
            **_MADE,
            **_UNIT,
            name_5="error",
            integer_5="gold_ordinal system_ordinal",
            text_5="gold_label system_label",
            integer_6="mentions gold_mentions system_mentions parts",
        ),
        _EVALUATED,
    ),
    "v_changes": Layout(
        _columns(
            name_1="gold metric scope baseline system evaluation",
            **_UNIT,
            name_5="error_type tuple_type object",
            integer_5="gold_ordinal",
            text_5="label",
            name_6="name",
            text_6="value",
            name_7="type status",
            integer_7="errors",
        ),
        _EVALUATED,
    ),
    "v_items_across": Layout(
        _columns(**_TASK, **_UNIT, integer_5="systems wrong errors"), _TASKS
    ),
    "v_errors_across": Layout(
        _columns(
            **_TASK,
            **_UNIT,
            name_5="error_type tuple_type object",
            integer_5="gold_ordinal",
            text_5="label",
            name_6="name",
            text_6="value",
            name_7="type",
            integer_7="systems of_systems errors",
            name_8="only_system",
        ),
        _TASKS,
    ),
    "v_confusions_across": Layout(
        _columns(
            **_TASK,
            name_5="tuple_type name",
            text_5="gold_value system_value",
            integer_5="systems confusions",
        ),
        _TASKS,
    ),
    "v_leaderboard": Layout(
        _columns(
            **_MADE,
            name_5="framework score",
            boolean_5="main",
            double_5="value",
            integer_5="units missing rank best worst",
            double_6="lower upper",
            integer_6="cluster",
            text_6="ranked",
        ),
        _EVALUATED,
    ),
    "v_documents": Layout(
        _columns(
            **_MADE,
            name_5="framework",
            text_5="document",
            name_6="score",
            boolean_6="main",
            double_6="value",
            integer_6="units missing errors",
        ),
        _EVALUATED,
    ),
}
"""Every public view."""

USUAL = tuple(name for name in LAYOUTS if name != "v_changes")
"""The views that are exported unless others are named: those that do not grow with
the square of the number of systems."""
