"""Rules for the document of an item.

In order: what the format says, what the user says (a regular expression or a
table), what known id shapes say, the file's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from graphscore.exceptions import UsageError, as_text
from graphscore.formats.source import name_of, problem, suffix_of

_SHAPES = re.compile(
    # MRP numbers for WSJ sentences: 2, the file, the sentence.
    r"2(?P<file>\d{4})\d{3}"
    r"|(?:\w+\.)?(?P<wsj>wsj_\d{4})\.\d+"
    # The Little Prince: 1, the sentence, 0.
    r"|(?P<prince>1\d{4}0)"
    r"|(?P<lpp>lpp_\d{4})\.\d+"
)

DocumentRule = Callable[[str], str | None]
"""Gives the document of an item id, or ``None`` where it does not know."""


def known_document(item: str) -> str | None:
    """The document that a known shape of id names.

    >>> known_document("20003008"), known_document("wsj_0003.8")
    ('wsj_0003', 'wsj_0003')
    >>> known_document("nw.wsj_0001.1"), known_document("102990"), known_document("7")
    ('wsj_0001', 'lpp_1943', None)
    """
    match = _SHAPES.fullmatch(item)
    if match is None:
        return None
    if match["file"]:
        return f"wsj_{match['file']}"
    return "lpp_1943" if match["prince"] else match["wsj"] or match["lpp"]


def rule_from(
    pattern: str | None = None, table: Mapping[str, str] | None = None
) -> DocumentRule | None:
    r"""A rule from a regular expression or a table of items; none without either.

    Args:
        pattern: its first group (or the whole match) is the document.
        table: document by item.

    Raises:
        UsageError: if the expression is not one.

    >>> rule_from(r"(.+)-\d+")("essay-12")
    'essay'
    """
    if table is not None:
        return table.get
    if pattern is None:
        return None
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(
            f"--document {pattern!r}: not a regular expression ({error})"
        ) from None

    def rule(item: str) -> str | None:
        match = compiled.search(item)
        if match is None:
            return None
        return match[1] if compiled.groups else match[0]

    return rule


def read_table(path: str) -> dict[str, str]:
    """A table of items and documents, two columns separated by a tab or a comma.

    Raises:
        InputError: if a line does not have two columns.
    """
    # Few have such a table.
    from graphscore.tables import rows

    result: dict[str, str] = {}
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise problem(path, f"a table that cannot be read ({error})") from None
    for number, columns in rows(text, r"\t|,"):
        if len(columns) != 2:
            raise problem(
                f"{path}:{number}", f"{len(columns)} columns", "item and document"
            )
        result[columns[0].strip()] = columns[1].strip()
    return result


def document_of(
    item: str, stated: str, path: str, rule: DocumentRule | None = None
) -> str:
    """The document of an item; never empty.

    Args:
        item: its id.
        stated: what the format says, or empty.
        path: the file it comes from.
        rule: what the user says, if anything.
    """
    document = stated or (rule and rule(item))
    return document or (item and known_document(item)) or _of_file(path)


@lru_cache(maxsize=16)
def _of_file(path: str) -> str:
    """The document of items that nothing else is known of: what their file is called.

    It is asked for with every item.
    """
    name = as_text(name_of(path)) if path != "-" else "stdin"
    suffix = suffix_of(path)
    stem = name.split(suffix)[0] if suffix and suffix in name else name
    return stem or name
