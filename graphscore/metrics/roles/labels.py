"""Labels of semantic roles in the inventories that there are.

PropBank's files spell one role in several ways: ``ARG0`` and ``A0``, ``ARGM-TMP``,
``AM-TMP`` and (Chinese, the tables of papers) bare ``TMP``.  :func:`normal` gives
them one spelling, that of CoNLL-2005; what is no label of PropBank stays as it is.

>>> [normal(each) for each in ("ARG0", "C-ARGM-TMP", "R-TMP", "ARGA", "arg0-agt")]
['A0', 'C-AM-TMP', 'R-AM-TMP', 'AA', 'arg0-agt']
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Labels = Literal["written", "alike"]
"""Whether labels are compared as written, or in one spelling."""

CONTINUED, REFERRING = "C-", "R-"
"""Prefixes of labels."""

MODIFIERS = frozenset(
    {
        *("ADJ", "ADV", "ANC", "AXS", "BNF", "CAU", "CND", "COM", "CRD"),
        *("CXN", "DGR", "DIR", "DIS", "DSP", "EXT", "FRQ", "GOL", "INS"),
        *("LOC", "LVB", "MNR", "MOD", "NEG", "PNC", "PRD", "PRP", "PRR"),
        *("PRX", "PTN", "RCL", "REC", "SLC", "STR", "TMP", "TPC", "VOC"),
    }
)
"""What follows ``AM-`` in the guidelines of PropBank and its Chinese sister."""

_NUMBERED = re.compile(r"(?:ARG|A)([0-9A])(-.+)?")
_MODIFIER = re.compile(r"(?:ARGM|AM)(-.+)?")


@lru_cache(maxsize=4096)
def normal(label: str) -> str:
    """A label in the spelling of CoNLL-2005.

    Args:
        label: as written, with its prefixes.
    """
    prefix, bare = parted(label)
    if match := _NUMBERED.fullmatch(bare):
        return f"{prefix}A{match[1]}{match[2] or ''}"
    if match := _MODIFIER.fullmatch(bare):
        return f"{prefix}AM{match[1] or ''}"
    return f"{prefix}AM-{bare}" if bare in MODIFIERS else label


@lru_cache(maxsize=4096)
def parted(label: str) -> tuple[str, str]:
    """The prefixes of a label, and what they stand before.

    >>> parted("C-R-A0"), parted("A0"), parted("C-")
    (('C-R-', 'A0'), ('', 'A0'), ('', 'C-'))
    """
    place = 0
    while label.startswith((CONTINUED, REFERRING), place) and len(label) > place + 2:
        place += 2
    return label[:place], label[place:]
