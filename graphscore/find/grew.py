"""What Grew writes otherwise, or has besides: what to write here."""

from __future__ import annotations

import re

SLASHED = (
    'Grew\'s /…/ is re"…" here, and /…/i is re"(?i:…)"; '
    "text that has slashes at both ends needs quotes"
)
"""Said of a regular expression between slashes."""

AROUND = 500
"""So many characters before and behind a place are looked at."""

_NAME = r"[^\W\d]\w*\$?"
_FEATURE = rf"{_NAME}\.\w+"

_INSTEAD = tuple(
    (re.compile(construct), said)
    for construct, said in (
        (
            r"\]\s*\|\s*\[",
            "Grew's [ ... ]|[ ... ] of a node is two patterns here, "
            "X [ ... ] and X [ ... ]",
        ),
        (
            r"=\s*/[^/\n]*/i?|<>\s*/[^/\n]*/i?",
            SLASHED,
        ),
        (
            r"\b(?:length|delta)\s*\(",
            "Grew's length() and delta() are no clauses here; "
            "expected X < Y (next to each other) or X << Y",
        ),
        (
            rf"{_NAME}\s*><\s*{_NAME}",
            "Grew's e >< f (edges that cross) is said of their ends here, "
            "as A << C; C << B; B << D",
        ),
        (
            rf"{_NAME}\s*<>\s*{_NAME}\s*[;}}]",
            "Grew's e <> f (edges apart) is said of their ends here, "
            "as A << C; A << D; B << C; B << D",
        ),
        (r"<-\[?|\]-(?!>)", "edges point to the right here, as Y -[nsubj]-> X"),
        (
            r"(?:!\s*)?\b(?:meta|global)\.\w+\s*",
            "Grew's meta.sent_id and global.is_tree are a block here, "
            'global { sent_id="a-1"; is_tree }',
        ),
        (rf"!\s*{_FEATURE}", "Grew's !X.Gender is X [!Gender] here"),
        (
            rf"{_FEATURE}\s*(?:[;}}]|=\s*\*)",
            "Grew's X.Gender, X.Gender = * is X [Gender] here",
        ),
        (
            rf"{_FEATURE}\s*(?:=|<>)\s*[^\s;}}|\"]+\s*\|",
            "several values are X [upos=VERB|AUX], not X.upos = VERB|AUX",
        ),
        (
            rf"{_FEATURE}\s*(?:=|<>)\s*\w+[:@-][\w:@-]*",
            'a value with such a sign needs quotes, as e.label = "nsubj:pass"',
        ),
        (
            r"\b(?:commands|rule|strat|package)\b[^{]*\{",
            "graphs are only searched, not rewritten as by Grew's rules; "
            "expected pattern, with, without and global alone",
        ),
    )
)
"""Constructs of Grew (https://grew.fr/doc/request), each with what to write."""


def instead(source: str, at: int) -> str | None:
    """What to write for the construct of Grew that a place in a pattern is in.

    Args:
        source: the pattern.
        at: the place at which it is not understood.

    Example:
        >>> print(instead("pattern { X []; !X.Gender }", 16))
        Grew's !X.Gender is X [!Gender] here
    """
    # Further away nothing is part of it; long words would take the square of their
    # length.
    start = max(0, at - AROUND)
    around = source[start : at + AROUND]
    for construct, said in _INSTEAD:
        for found in construct.finditer(around):
            if found.start() <= at - start <= found.end():
                return said
    return None
