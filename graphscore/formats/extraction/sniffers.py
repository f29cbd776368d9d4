"""What is asked of the first lines of a file where a row of the table does not do."""

from __future__ import annotations

import re

from graphscore.formats.base import Fit
from graphscore.formats.shared.beginnings import share_of

_NOTE = re.compile(r"#\w+\t\S")
_KINDS = frozenset("TERAMN*#")


def brat(lines: list[str]) -> Fit | float:
    """Whether most lines are annotations, as the reader's grammar has them."""
    if not any(line[:1] in _KINDS for line in lines if line):
        return 0.0
    # Only what may be brat is worth importing how its lines are read.
    from graphscore.formats.extraction.brat.lines import Bad, Note, parse

    parsed = [parse(line, 1) for line in lines if line.strip()]
    bad = sum(isinstance(annotation, Bad) for annotation in parsed)
    # Other formats have comments that begin alike, but no tab after an id.
    notes = [annotation for annotation in parsed if isinstance(annotation, Note)]
    others = sum(_NOTE.match(note.text) is None for note in notes)
    return share_of(len(parsed) - others - bad, bad, "are annotations of brat")
