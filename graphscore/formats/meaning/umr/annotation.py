r"""What UMR annotates across sentences: brackets with triples, by what they are about.

>>> lines = [(1, "(s1s0 / sentence"), (2, ":modal ((root :modal author)  # writes"),
...          (3, "(author :full-affirmative s1l)))")]
>>> found = triples(lines)
>>> found.name, found.triples[0]
('s1s0', Triple(level='modal', head='root', relation='modal', tail='author', line=2))
>>> found.comments, triples([(7, "(s1s0 / sentence :coref ((s1a :as)))")]).wrong
({0: 'writes'}, [(7, "'s1a :as'", 'head, relation and tail, as in (a :before b)')])
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(r"(?P<comment>#.*)|(?P<mark>[()])|(?P<word>[^\s()]+)")

_TRIPLE = "head, relation and tail, as in (a :before b)"


class Triple(NamedTuple):
    """Two nodes of any sentences, or constants, and how they are related."""

    level: str
    """What it is about: ``temporal``, ``modal``, ``coref``."""
    head: str
    relation: str
    tail: str
    line: int


class Annotation(NamedTuple):
    """What is annotated with one sentence."""

    name: str
    """What the sentence is called there."""
    triples: list[Triple]
    comments: dict[int, str]
    """What is noted behind triples, by their number; -1 is what stands before all."""
    wrong: list[tuple[int, str, str]]
    """Line, what was found, and what was expected."""


def triples(lines: list[tuple[int, str]]) -> Annotation:
    """Read the annotation of one sentence.

    Brackets that are missing at the end, or too many, cost nothing.  Words between
    triples are notes of people.

    Args:
        lines: with their numbers.
    """
    found = Annotation("", [], {}, [])
    name, level, depth = "", "", 0
    words: list[str] = []
    for number, line in lines:
        for token in _TOKEN.finditer(line):
            text = token[0]
            if token.lastgroup == "comment":
                _note(found, text.lstrip("# ").strip())
                continue
            if token.lastgroup == "word" and depth and not (words or depth > 1):
                # Outside of triples: the sentence's name, and what follows is about.
                if text.startswith(":"):
                    level = text[1:]
                elif not name:
                    name = text.rstrip("/")
                continue
            if token.lastgroup == "word":
                words.append(text)
                continue
            if words:
                _triple(found, level, words, number)
                words = []
            depth = depth + 1 if text == "(" else max(depth - 1, 0)
    if words:
        _triple(found, level, words, lines[-1][0])
    return found._replace(name=name)


def _note(found: Annotation, said: str) -> None:
    """Keep what is noted behind a triple, after a number sign or as bare words."""
    if said:
        last = len(found.triples) - 1
        before = found.comments.get(last)
        found.comments[last] = f"{before}; {said}" if before else said


def _triple(found: Annotation, level: str, words: list[str], line: int) -> None:
    """Add a triple, or what is wrong with it."""
    if not any(":" in word for word in words):
        _note(found, " ".join(words))
        return
    # A relation may stand right behind the head, or before the tail.
    parts = [part for word in words for part in re.split(r"(?=:)", word) if part]
    if len(parts) == 3 and len(parts[1]) > 1 and parts[1][0] == ":" and level:
        found.triples.append(Triple(level, parts[0], parts[1][1:], parts[2], line))
        return
    expected = _TRIPLE if level else ":temporal, :modal or :coref before it"
    found.wrong.append((line, repr(" ".join(words))[:80], expected))
