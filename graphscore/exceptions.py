"""Errors and problems, in one form.

Every error that a user can cause derives from :class:`GraphscoreError` and
carries the exit code of the command line (DESIGN: 2 usage, 3 bad input).  What
is wrong with an input is a :class:`Problem`: file, line, place, what was found
and what was expected.  Only the command line catches these errors.

What an input says may be of any length; what is said of it is not.  Values are cut
where a message is made, so that no list of messages ever holds them whole.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from operator import attrgetter
from types import NoneType
from typing import Any, NamedTuple, ParamSpec, TypeVar, get_args

from graphscore.duplicates import LISTED, PLACES, DuplicateCounter, folded, weighted

LONGEST = 200
"""Characters of a value that a message shows; a longer one is cut in the middle."""

MOST = 900
"""Characters of a message, its place not counted."""

PART = 450
"""Characters of what was found or expected, where values in it are cut already."""

# What stands in quotes as Python writes it, or is of one piece.  An apostrophe in
# a word of our own opens nothing.  Nothing here is ever tried twice.
_VALUES = (
    r"""(?:(?<!\w)|(?<=\bb))(?:"""
    r"""'(?P<single>[^'\\\n]*+(?:\\.[^'\\\n]*+)*+)'"""
    r"""|"(?P<double>[^"\\\n]*+(?:\\.[^"\\\n]*+)*+)")"""
    r"""|(?P<piece>[^\s'"]{201,})"""
)

# Words that nothing parts are a value, too, with room for a few of ours.
_WORDS = r"""[^'"\n,;:()…]{241,}"""

_ESCAPED = r"(?s)\\(?:x..|u.{4}|U.{8}|.)"

_CUT = r"(?s)….* \([\d,]+ characters\)\Z"

_PLACE = r":\d+(?::\d+)?(?=: )"

_NUMBER = r"\d+"

_MORE = r" \(and ([\d,]{1,20}) more like it\)\Z"


def truncate(text: str, most: int = LONGEST, length: int | None = None) -> str:
    """*text* without its middle if it is long, and how long it is.

    Args:
        text: any text, a value as it is to be shown.
        most: how many characters are left whole.
        length: its length, where that is not what is shown.

    >>> truncate("abcdefghij" * 3, 9)
    'abcd…ghij (30 characters)'
    """
    if len(text) <= most or (len(text) <= most + 40 and re.search(_CUT, text)):
        return text
    half = (most - 1) // 2
    quote = text[0] if text[0] == text[-1] and text[0] in "'\"" else ""
    length = len(text) - 2 * len(quote) if length is None else length
    return f"{text[:half]}…{text[-half:]} ({length:,} characters)"


def bounded(text: str, most: int = MOST, bare: int = MOST) -> str:
    """A message whose long values are cut, and the whole too if it is still long.

    Args:
        text: a message.  What is in quotes, and what has no blanks, is a value.
        most: how many characters it has at most, apart from its length.
        bare: as many besides those values; with more, it is itself a value.

    >>> bounded("no item " + repr("a" * 25_103))[-30:]
    "aaaaaaaaa' (25,103 characters)"
    >>> bounded("no such thing")
    'no such thing'
    """
    if len(text) <= LONGEST:
        return text
    short = re.sub(_VALUES, _cut_value, text)
    if len(short) > LONGEST:
        short = re.sub(_WORDS, lambda match: truncate(match[0]), short)
    own = len(re.sub(_VALUES, "", short)) if len(short) > bare else 0
    return truncate(short, bare if own > bare else most, len(text))


def _cut_value(match: re.Match[str]) -> str:
    whole = match[0]
    if len(whole) <= LONGEST + 2:
        return whole
    if match["piece"]:
        return truncate(whole)
    inner = match["single"] or match["double"] or ""
    return truncate(whole, length=len(re.sub(_ESCAPED, ".", inner)))


def bounded_lines(text: str) -> str:
    """A message that may list things below each other, each of them bounded."""
    if len(text) <= LONGEST:
        return text
    first, *rest = text.split("\n", LISTED + 1)
    if len(rest) > LISTED:
        left = rest[-1].count("\n") + 1
        rest[-1] = f"and {left:,} more lines"
    return "\n".join(map(bounded, [first, *rest]))


def _part(text: str, bare: int = LONGEST) -> str:
    """A part of a problem: on one line, and not long."""
    text = text.replace("\r", "\\r").replace("\n", "\\n")
    return text if len(text) <= LONGEST else bounded(text, PART, bare)


class _Problem(NamedTuple):
    file: str
    line: int | None
    column: int | None
    where: str
    found: str
    expected: str
    guess: str = ""
    nearest: tuple[str, ...] = ()


class Problem(_Problem):
    """One thing wrong with one place of one input.

    What stands in the input is cut in the middle where it is long.

    Example:
        >>> print(Problem("a.mrp", 3, None, "$.tops[0]", "9", "the id of a node"))
        a.mrp:3: $.tops[0]: found 9, expected the id of a node

    Args:
        file: the file as the user named it; ``<stdin>`` for standard input.
        line: line number from 1, or ``None`` when the file as a whole is meant.
        column: byte column from 1, where the format knows it.
        where: place inside the record, as a JSON path or a field name; may be empty.
        found: what stands there.
        expected: what should stand there; empty when nothing sensible can be said.
        guess: why the file was taken for one of its format, where that was not said.
        nearest: formats that a file of no known one is nearest to, and why it is none
            of them, a line each.
    """

    __slots__ = ()

    def __new__(
        cls,
        file: str,
        line: int | None,
        column: int | None,
        where: str,
        found: str,
        expected: str,
        guess: str = "",
        nearest: tuple[str, ...] = (),
    ) -> Problem:
        """Cut what is long."""
        # Of very many problems hardly any is long.
        whole = f"{where}{found}{expected}{guess}"
        if len(whole) > LONGEST or not whole.isprintable():
            where, found = _part(where), _part(found)
            expected, guess = _part(expected, PART), _part(guess, PART)
        if nearest:
            nearest = tuple(map(_part, nearest))
        return super().__new__(
            cls, file, line, column, where, found, expected, guess, nearest
        )

    @property
    def kind(self) -> tuple[str, ...]:
        """Key that problems share which differ in their locations alone."""
        where = self.where and re.sub(_NUMBER, "#", self.where)
        return (self.file, where, self.found, self.expected, self.guess)

    @property
    def said(self) -> str:
        """Description without file, line and column."""
        where = f"{self.where}: " if self.where else ""
        expected = f", expected {self.expected}" if self.expected else ""
        guess = f" ({self.guess})" if self.guess else ""
        message = bounded(f"{where}found {self.found}{expected}{guess}")
        if self.nearest:
            message += "; nearest are"
        return "\n  ".join([message, *self.nearest])

    def __str__(self) -> str:
        location = truncate(self.file)
        if self.line is not None:
            location += f":{self.line}"
            if self.column is not None:
                location += f":{self.column}"
        return f"{location}: {self.said}"


def _with_counts(lines: Iterable[Problem | str]) -> Iterator[tuple[Problem | str, int]]:
    """Problems, or lines that say for how many they stand."""
    for line, count in weighted(lines):
        more = re.search(_MORE, line) if isinstance(line, str) else None
        if more is None:
            yield line, count
        else:
            yield more.string[: more.start()], 1 + int(more[1].replace(",", ""))


class Problems(DuplicateCounter[Problem]):
    """Problems as they are found, very many of which may be equal.

    Args:
        problems: the first of them.
    """

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        super().__init__(attrgetter("kind"), problems)


class LossWarning(UserWarning):
    """Warning of what is lost unseen.

    Part of a system's input could not be read and counts as missing, lists are
    compared in order and stand in another one, or the format in which graphs are
    written has no place for something that they say.
    """


class GraphscoreError(Exception):
    """Root of every error that graphscore raises on purpose."""

    exit_code = 3

    def __str__(self) -> str:
        return as_text(super().__str__())

    def __init__(self, *values: Any) -> None:
        # Whoever prints it need not think of names that are no text.
        texts = (as_text(x) if isinstance(x, str) else x for x in values)
        super().__init__(
            *(bounded_lines(x) if isinstance(x, str) else x for x in texts)
        )


class UsageError(GraphscoreError):
    """The request itself is wrong: an unknown metric, parameter or collection."""

    exit_code = 2


class InputError(GraphscoreError):
    """An input cannot be used; ``problems`` has all that is wrong with it.

    The text lists the first of each kind.

    Args:
        problems: what is wrong, one entry a place.  Of very many equal ones that were
            gathered as :class:`Problems` the first are named, all are counted.
        summary: an optional first line above the list.
    """

    def __init__(self, problems: Iterable[Problem], summary: str = "") -> None:
        self._found = problems if isinstance(problems, Problems) else tuple(problems)
        self.problems = tuple(self._found)
        self.summary = bounded(summary)
        super().__init__(self.problems, self.summary)

    def __reduce__(self) -> tuple[Any, ...]:
        # Workers send errors; what is not said here is made from the message alone.
        return type(self), (self._found, self.summary)

    def __str__(self) -> str:
        lines = [self.summary] if self.summary else []
        return as_text("\n".join([*lines, *listed(self._found)]))


class InvalidGraphError(GraphscoreError):
    """A graph in memory that is none: repeated ids, edges to nowhere.

    Args:
        found: what is wrong.
        expected: what should be there.
    """

    def __init__(self, found: str, expected: str) -> None:
        self.found, self.expected = _part(found), _part(expected, PART)
        super().__init__(f"found {self.found}, expected {self.expected}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.found, self.expected)


class PairingError(GraphscoreError):
    """Gold and system cannot be paired: nothing in common, or ambiguous ids."""


class StoreError(GraphscoreError):
    """The database cannot be opened, read or written as asked."""


class LockedError(StoreError):
    """Another process wrote to the store for as long as was waited for it."""


def nearest(
    name: str, known: Iterable[str], most: int = 1, least: float = 0.6
) -> list[str]:
    """The names that were perhaps meant by one that there is not.

    Capitals are as good as small letters, and the first three letters as good as all
    where nothing else begins so.

    Args:
        name: as it was written.
        known: the names that there are.
        most: how many are given.
        least: how alike they must be, from 0 to 1.

    Returns:
        The nearest first; none where nothing is near.

    Example:
        >>> nearest("Egdes", ["tops", "labels", "edges"])
        ['edges']
        >>> nearest("doc", ["framework", "document", "item"])
        ['document']
    """
    from difflib import SequenceMatcher, get_close_matches

    written = {option.casefold(): option for option in known}
    typed = name.casefold()

    def rank(word: str) -> tuple[float, bool, bool]:
        # Letters in another order are likelier than another letter.
        ratio = SequenceMatcher(None, word, typed).ratio()
        return -ratio, sorted(word) != sorted(typed), word[:1] != typed[:1]

    result = sorted(get_close_matches(typed, written, most + 9, least), key=rank)
    # Of few letters many words are alike; hardly anybody mistakes the first.
    short = len(typed) < 5
    result = [word for word in result if not (short and all(rank(word)[1:]))][:most]
    if not result and len(typed) > 2:
        begun = [word for word in written if word.startswith(typed)]
        result = begun if len(begun) == 1 else []
    return [written[word] for word in result]


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return a suggestion to follow an unknown name in a message.

    Args:
        name: as it was written; from Python anything may come.
        known: the names that there are.

    Example:
        >>> print("no metric 'smach'" + did_you_mean("smach", ["sdp", "smatch"]))
        no metric 'smach' (did you mean 'smatch'?)
        >>> did_you_mean("fish", ["sdp", "smatch"])
        ''
    """
    near = nearest(str(name), known)
    return f" (did you mean {near[0]!r}?)" if near else ""


def amount(number: int, noun: str) -> str:
    """A number and what it is of.

    >>> amount(1, "pair"), amount(2, "pair")
    ('1 pair', '2 pairs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


UNSEEN = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u070f\\u180e\\u200b\\u200e\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e007f"
)
"""A class of a pattern: controls, line ends of Unicode, and what of the category Cf
(format characters: marks of direction, soft hyphens, tags) nobody sees.

Signs of that category that are seen, such as those over Arabic numbers, are not in it,
nor what joins Egyptian hieroglyphs.
"""

# Joiners stay where scripts and pictures are written with them: behind another
# character than a Latin one.
_CONTROL = (
    f"[{UNSEEN}\\ud800-\\udfff]"
    "|(?<![\\u0370-\\u1fff\\u2190-\\ud7ff\\uf900-\\U0003ffff])"
    "[\\u200c\\u200d]"
)

_ASCII_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f]"
_SURROGATE = "[\ud800-\udfff]"


def as_text(text: str) -> str:
    r"""Text that can be encoded: what stands for bytes that are not UTF-8 is spelled.

    >>> as_text(b"caf\xe9".decode("utf-8", "surrogateescape"))
    'caf\\xe9'
    """
    return text if text.isascii() else re.sub(_SURROGATE, _escape_character, text)


def _escape_character(match: re.Match[str]) -> str:
    code = ord(match[0])
    # Python's stand-ins for bytes are these.
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def visible(text: str) -> str:
    r"""*text* with control characters written out, so that none acts or hides.

    Line ends and tabs stay; see :func:`graphscore.report.table.one_line`.

    >>> visible("a\x1b[31mb"), visible("a\u200bb"), visible("soft\xadly")
    ('a\\x1b[31mb', 'a\\u200bb', 'soft\\xadly')
    """
    # The long pattern takes a while to compile.
    pattern = _ASCII_CONTROL if text.isascii() else _CONTROL
    return re.sub(pattern, _escape, as_text(text))


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def escaped(text: str) -> str:
    r"""*text* like :func:`visible`, but written as JSON writes characters.

    Of JSON the value stays the same: there such characters stand in strings alone.

    >>> escaped('{"a": "\x7f"}')
    '{"a": "\\u007f"}'
    """
    return re.sub(_ASCII_CONTROL if text.isascii() else _CONTROL, _as_json, text)


def _as_json(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def listed(
    problems: Iterable[Problem | str], most: int = LISTED, share: bool = False
) -> Iterator[str]:
    r"""Problems as lines, equal ones folded.

    Args:
        problems: what is wrong; or lines that say it.
        most: how many are listed before the rest is only counted.
        share: whether the kinds share all the room, and have no less than ever.

    >>> bad = [Problem("a.amr", n, None, "", "no label", "one") for n in range(1, 9)]
    >>> print(*listed(bad), sep="\n")
    a.amr:1: found no label, expected one
    a.amr:2: found no label, expected one
    a.amr:3: found no label, expected one (and 5 more like it)
    """
    every: DuplicateCounter[Problem | str] = DuplicateCounter(_kind)
    for message, count in _with_counts(problems):
        every.add(message, count)
    samples = PLACES
    if share:
        samples = max(samples, most // max(1, every.kinds))
    kept, left = folded(every, _kind, most, samples=samples)
    for problem, count in kept:
        yield f"{problem}{and_more(count)}"
    if left:
        yield f"and {left:,} more"


def _kind(problem: Problem | str) -> Hashable:
    if isinstance(problem, str):
        return re.sub(_PLACE, "", re.sub(_MORE, "", problem), count=1)
    return problem.kind


def and_more(count: int) -> str:
    """Return the note after one that stands for *count*, itself included."""
    return f" (and {count - 1:,} more like it)" if count > 1 else ""


P = ParamSpec("P")
R = TypeVar("R")


def expecting(
    rest: Any = None, /, **kinds: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Hold what a public function is called with to the types that it takes.

    Where nothing checks types before a program runs, a wrong one would be an error
    from somewhere within.

    Args:
        rest: what further named arguments may be; anything if none.
        kinds: by name, what an argument may be: a type, or a union of types.

    Returns:
        A decorator.

    Raises:
        TypeError: from the decorated function, naming argument, value and types.

    Example:
        >>> @expecting(item=str)
        ... def show(item): ...
        >>> show(7)
        Traceback (most recent call last):
            ...
        TypeError: show: item is 7, expected str
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            placed = dict(zip(names, args, strict=False))
            for name, value in (placed | kwargs).items():
                kind = kinds.get(name, rest if name in kwargs else None)
                if kind is not None and not isinstance(value, kind):
                    expect(value, kind, f"{function.__name__}: {name}")
            return function(*args, **kwargs)

        return checked

    return decorate


def expect(value: object, kind: Any, what: str) -> None:
    """Refuse a value of another type.

    Args:
        value: what was given.
        kind: a type, or a union of types.
        what: what it is, in words.

    Raises:
        TypeError: naming the value and the types.
    """
    if not isinstance(value, kind):
        names = [
            "None" if type_ is NoneType else type_.__name__
            for type_ in get_args(kind) or (kind,)
        ]
        expected = " or ".join(names)
        raise TypeError(f"{what} is {_part(repr(value))}, expected {expected}")
