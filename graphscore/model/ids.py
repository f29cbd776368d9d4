"""Rules that rewrite the ids of items, so that two ways of naming them pair."""

from __future__ import annotations

import re
from collections.abc import Callable

from graphscore.exceptions import UsageError, did_you_mean

IdRule = Callable[[str], str]
"""Rewrites an item's id for pairing."""

_WSJ = r"2(\d{4})(\d{3})"
_WSJ_NAME = r"(?:\w+\.)?(wsj_\d{4})\.0*(\d+)"
_MUC4 = r"([1-4])(\d{4})"
_MUC_PART = {"1": "MUC3", "2": "MUC4", "3": "MUC4", "4": "MUC4"}


def _wsj(item: str) -> str:
    if match := re.fullmatch(_WSJ, item):
        return f"wsj_{match[1]}.{int(match[2])}"
    if match := re.fullmatch(_WSJ_NAME, item):
        return f"{match[1]}.{match[2]}"
    return item


def _muc4(item: str) -> str:
    if match := re.fullmatch(_MUC4, item):
        return f"TST{match[1]}-{_MUC_PART[match[1]]}-{match[2]}"
    return item


ID_RULES: dict[str, IdRule] = {"wsj": _wsj, "muc4": _muc4}


def id_rule(text: str | None) -> IdRule:
    r"""The rule that ``--ids`` names.

    Args:
        text: ``wsj``, ``muc4``, ``PATTERN=>REPLACEMENT``, or nothing.

    Returns:
        A function from ids to ids; ``str`` where no rule is named.

    Raises:
        UsageError: if the rule is unknown or the expression is none.

    Example:
        >>> id_rule("wsj")("20003008"), id_rule("wsj")("nw.wsj_0003.8")
        ('wsj_0003.8', 'wsj_0003.8')
        >>> id_rule("muc4")("30001")
        'TST3-MUC4-0001'
        >>> id_rule(r"^sys-(.*)=>\1")("sys-12")
        '12'
    """
    if not text:
        return str
    if text in ID_RULES:
        return ID_RULES[text]
    pattern, arrow, replacement = text.partition("=>")
    if not arrow:
        known = ", ".join(ID_RULES)
        raise UsageError(
            f"--ids {text!r}{did_you_mean(text, ID_RULES)}: "
            f"expected {known} or PATTERN=>REPLACEMENT"
        )
    try:
        compiled = re.compile(pattern)
        compiled.sub(replacement, "")
    except (re.error, IndexError, OverflowError, RecursionError) as error:
        raise UsageError(f"--ids {text!r}: {error}") from None
    return lambda item: compiled.sub(replacement, item)
