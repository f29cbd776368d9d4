"""Formulas as syntax trees of Python, held to what ``repr`` writes.

::

    formula    = sum [(">" | ">=") sum]
    sum        = product {("+" | "-") product}
    product    = part {"*" part}
    part       = "-" number | number | text | name | call | brackets
    call       = name "(" arguments without names, then some with name "=" ")"
    brackets   = "(" formula ")", or a tuple, list, set or dictionary

Tokens are checked before Python's parser sees them.  What else Python would read, or
read as something else, is refused there: words such as ``lambda``, prefixes of quotes,
texts side by side, ``1_000``, names in other alphabets.  Nothing is ever evaluated.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
from collections.abc import Callable

from graphscore.similarity.expression import FormulaError
from graphscore.similarity.parsing.symbols import unknown

LONGEST = 20_000
"""Characters of a formula."""

DEEPEST = 50
"""Brackets within brackets."""

DIGITS = 300
"""Characters of a number."""

AROUND = 30
"""Characters that messages show on either side of a mistake."""

SHOWN = 72
"""Characters of a formula that messages show whole."""

Span = tuple[int, int]
"""First character, and the one after the last."""

_TOKEN = re.compile(
    r"\s*(?:"
    r"(?P<name>[^\W\d]\w*)"
    r"|(?P<number>(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\w*)"
    r"""|(?P<text>'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+")"""
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<sign>>=|[,=:*+>-])|(?P<other>\S)|(?P<end>\Z))"
)
_NUMBER = re.compile(
    r"(?:0|[1-9][0-9]*)|(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?"
)
_WORD = re.compile(r"\w+|.")
_ESCAPE = re.compile(
    r"\\(?:[\\'\"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|"
    r"(?P<bad>.))"
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BETWEEN = {"*", "+", "-", ">", ">="}
_CONSTANTS = {"True", "False", "None"}
_OTHER = {
    ".": "a formula has names, calls and constants, and no attributes",
    "<": "expected > or >= and a number after the similarity",
    "/": "expected a sign between similarities: * + - > >=",
}
_STARTS = {"name", "constant", "number", "text", "open"}


class Source:
    """A formula in a line of text, and its syntax tree.

    Args:
        text: the formula.

    Attributes:
        tree: calls, names, constants, operations and brackets, and nothing else;
            its columns are characters of the text.

    Raises:
        FormulaError: if it is none, with the place and what was expected there.

    Example:
        >>> ast.dump(Source("exact(label)").tree.func)
        "Name(id='exact', ctx=Load())"
    """

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        if len(text) > LONGEST:
            raise FormulaError(
                f"found a formula of {len(text):,} characters, expected at most "
                f"{LONGEST:,}: put it in a file, -m file.py:name"
            )
        scanner = _Scanner(self.text, self.error)
        try:
            self.tree = ast.parse(scanner.masked(), mode="eval").body
        except SyntaxError as error:
            # Tokens are in order: only what = and : stand between can be wrong.
            start, end = (error.offset or 1) - 1, (error.end_offset or 1) - 1
            words = [word.span() for word in _WORD.finditer(self.text)]
            span = next(word for word in words if word[1] > start)
            span = span[0], max(span[1], end)
            if error.msg.startswith("positional"):
                problem = "found an argument without a name after one with a name"
                raise self.error(problem, span) from None
            mistake = f"found {self.text[slice(*span)].strip() or 'nothing more'}"
            expected = "key: formula in braces, or name=formula at the end of a call"
            raise self.error(f"{mistake}, expected {expected}", span) from None
        except (MemoryError, RecursionError):
            problem = "found more parts than can be read, expected fewer"
            raise self.error(problem, (0, len(self.text))) from None
        self.strings = scanner.strings

    def span(self, node: ast.expr | ast.keyword) -> Span:
        """Return where a part of the tree stands; of an argument, its name."""
        if isinstance(node, ast.keyword):
            return node.col_offset, node.col_offset + len(node.arg or "")
        return node.col_offset, node.end_col_offset or node.col_offset

    def error(self, problem: str, span: Span) -> FormulaError:
        """Return the error for a mistake, with the text around it and a caret.

        Args:
            problem: what is wrong, and what was expected.
            span: the part of the text that is wrong.

        Example:
            >>> print(Source("exact(lable)").error("no such name", (6, 11)))
            no such name
                exact(lable)
                      ^^^^^
        """
        text, (start, end) = self.text, span
        first = max(0, start - AROUND) if len(text) > SHOWN else 0
        width = min(max(end, start + 1) - start, 2 * AROUND)
        last = min(len(text), max(start + width + AROUND, first + SHOWN))
        before = "…" * (first > 0) + _on_one_line(text[first:start])
        marked = _on_one_line(text[start : start + width])
        after = _on_one_line(text[start + width : last]) + "…" * (last < len(text))
        # At the end of the text there is nothing to be marked.
        return FormulaError(problem, f"{before}{marked}{after}", marked or " ", before)


def _on_one_line(text: str) -> str:
    """Show text in a column for each character."""
    return "".join(character if character.isprintable() else " " for character in text)


class _Scanner:
    """Check tokens, each by what stands before it and which bracket is open.

    Args:
        text: the formula.
        error: makes the error for a mistake.
    """

    def __init__(self, text: str, error: Callable[[str, Span], Exception]) -> None:
        self.text, self.error = text, error
        self.strings: dict[int, str] = {}
        self.brackets: list[str] = []
        self.before = ","
        """Class of the last token: a name, another operand, or an operator itself."""

    def masked(self) -> str:
        """Return the text as the parser sees it: blanks, and strings without content.

        Every character keeps its place.
        """
        plain = ""
        for token in _TOKEN.finditer(self.text):
            kind = str(token.lastgroup)
            word, span = token[kind], token.span(kind)
            if kind == "other":
                raise self._foreign(word, span)
            if kind == "name":
                kind = self._sort_of_name(word, span)
            self._place(kind, word, span)
            self._read(kind, word, span)
            plain += " " * (span[0] - len(plain))
            plain += f"'{'_' * (len(word) - 2)}'" if kind == "text" else word
        return plain

    def _sort_of_name(self, word: str, span: Span) -> str:
        if self.text[span[1] : span[1] + 1] in ("'", '"'):
            expected = "a plain text such as 'mention'"
            problem = f"found {word} before a quote, expected {expected}"
            raise self.error(problem, span)
        if not word.isascii():
            # The parser would read letters of one shape as the same.
            raise self.error(unknown(word), span)
        if keyword.iskeyword(word):
            return "constant" if word in _CONSTANTS else "keyword"
        return "name"

    def _foreign(self, character: str, span: Span) -> Exception:
        if character in "'\"":
            problem = f"a text that is not closed, expected {character}"
            return self.error(problem, (span[0], len(self.text)))
        hint = _OTHER.get(character, "expected names, calls, constants and * + - > >=")
        return self.error(f"found {character!r}: {hint}", span)

    def _place(self, kind: str, word: str, span: Span) -> None:
        """Refuse a token that cannot stand where it does."""
        opening = self.brackets[-1] if self.brackets else ""
        closing = _CLOSING.get(opening, "")
        if self.before in ("name", "operand"):
            expected = (
                f", or {closing}" if closing else "the end, or a sign such as * or +"
            )
            fits = word in _BETWEEN or word == closing or (closing and word == ",")
            fits = fits or (opening == "{" and word == ":")
            if self.before == "name":
                fits = fits or word == "(" or (opening == "(" and word == "=")
        elif self.before == "negative":
            fits, expected = kind == "number", "a number after -"
        else:
            expected = "a name, a call, a number or a text in quotes"
            fits = kind in _STARTS or word == "-"
            fits = fits or (word == closing != "" and self.before in (opening, ","))
        if not fits:
            shown = word or "nothing more"
            if kind == "keyword":
                shown += " (of Python, which this is not)"
            raise self.error(f"found {shown}, expected {expected}", span)

    def _read(self, kind: str, word: str, span: Span) -> None:
        """Note what a token changes; refuse numbers and texts that say nothing."""
        if kind == "open":
            self.brackets.append(word)
            if len(self.brackets) > DEEPEST:
                problem = f"found more than {DEEPEST} brackets in one another"
                raise self.error(f"{problem}, expected fewer", span)
        elif kind == "close":
            self.brackets.pop()
        elif kind == "number":
            self._check_number(word, span)
        elif kind == "text":
            self.strings[span[0]] = self._string(word, span)
        if kind in ("constant", "number", "text", "close"):
            self.before = "operand"
        elif word == "-" and self.before not in ("name", "operand"):
            self.before = "negative"
        else:
            self.before = "name" if kind == "name" else word

    def _check_number(self, word: str, span: Span) -> None:
        if not _NUMBER.fullmatch(word):
            problem = f"{word!r} is not a number, expected one such as 0.5"
            if word.isdecimal() and word[0] == "0":
                problem = f"{word!r} begins with 0, expected a number"
            raise self.error(problem, span)
        if len(word) > DIGITS:
            problem = f"a number of {len(word):,} digits, expected at most {DIGITS}"
            raise self.error(problem, span)
        if math.isinf(float(word)):
            raise self.error(f"{word} is not a finite number", span)

    def _string(self, word: str, span: Span) -> str:
        if word.isprintable() and "\\" not in word:
            return word[1:-1]
        for escape in _ESCAPE.finditer(word):
            if escape["bad"] is not None:
                start, end = escape.span()
                problem = f"{escape[0]} has no meaning, expected \\\\ for a backslash"
                raise self.error(problem, (span[0] + start, span[0] + end))
        try:
            return str(ast.literal_eval(word))
        except (SyntaxError, ValueError):
            problem = "a text that no program can spell"
            raise self.error(problem, span) from None
