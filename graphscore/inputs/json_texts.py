"""JSON as language models write it: one value, with what stands around it.

Nothing is guessed.  A fence, prose around the one value, trailing commas and literals
of Python are undone and named; what breaks off, or holds several values, is refused.

>>> decode_json('Here you are: {"entities": ["Ada",], "sure": True}', repair=True)
Decoded(value={'entities': ['Ada'], 'sure': True}, repairs=('prose', 'trailing comma', \
'Python literal'))
>>> decode_json('{"entities": ["Ada", "Lon', repair=True)
Traceback (most recent call last):
ValueError: truncated JSON
"""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

_STRING = r'"(?:[^"\\]|\\.)*+"|' r"'(?:[^'\\]|\\.)*+'"
_TOKEN = re.compile(
    rf"(?P<string>{_STRING})|\s+|[{{}}\[\](),:]|[^\s{{}}\[\](),:\"']+|.", re.DOTALL
)
_LITERALS = {"True": "true", "False": "false", "None": "null"}
_OPENING, _CLOSING = {"{": "}", "[": "]"}, "}]"
_BRACKET = re.compile(r"[{\[]")
_FENCE = re.compile(r"```[\w-]*")


class Decoded(NamedTuple):
    """A value, and what was undone to read it."""

    value: Any
    repairs: tuple[str, ...] = ()


def decode_json(text: str, repair: bool) -> Decoded:
    """Decode one JSON value.

    Args:
        text: the value, an object or a list.
        repair: whether what language models add is undone.

    Raises:
        ValueError: if it is none, with what was found.
    """
    try:
        return Decoded(_strict(text))
    except json.JSONDecodeError as error:
        if not repair:
            found = f"text that is not JSON: {error.msg} at character {error.pos}"
            raise ValueError(found) from None
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
    values = [part for part in map(_mend, _containers(text)) if part is not None]
    if len(values) != 1:
        raise ValueError(f"{len(values)} values of JSON" if values else "no JSON")
    source, value = values[0]
    around = text.replace(source, "", 1)
    bare = _FENCE.sub("", around)
    repairs = ["code fence"] * (bare != around) + ["prose"] * bool(bare.strip())
    return Decoded(value.value, (*repairs, *value.repairs))


def _strict(text: str) -> Any:
    return json.loads(
        text, parse_constant=_no_number, object_pairs_hook=_with_different_keys
    )


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is not JSON")


def _with_different_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that it has twice nobody knows which value is meant."""
    with_different_keys = dict(pairs)
    if len(with_different_keys) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} twice")
    return with_different_keys


def _containers(text: str) -> Iterator[str]:
    """The objects and lists of a text that stand in no other.

    Raises:
        ValueError: if one of them is not closed.
    """
    position = _first_bracket(text, 0)
    while position < len(text):
        inside = ""
        for token in _TOKEN.finditer(text, position):
            part = token[0]
            if part in _OPENING:
                inside += _OPENING[part]
            elif part in _CLOSING:
                if part != inside[-1]:
                    raise ValueError(f"a bracket {part!r} where {inside[-1]!r} is due")
                inside = inside[:-1]
            if not inside:
                yield text[position : token.end()]
                break
        else:
            raise ValueError("truncated JSON")
        # Quotes of prose are no strings: go on at the next bracket.
        position = _first_bracket(text, token.end())


def _first_bracket(text: str, start: int) -> int:
    bracket = _BRACKET.search(text, start)
    return bracket.start() if bracket else len(text)


def _mend(source: str) -> tuple[str, Decoded] | None:
    """A container that can be read; nothing of brackets in prose."""
    try:
        return source, Decoded(_strict(source))
    except json.JSONDecodeError:
        pass
    repairs: dict[str, None] = {}
    parts: list[str] = []
    for token in _TOKEN.finditer(source):
        part = token[0]
        if part in _CLOSING and parts[-1] == "," and parts[-2] not in "{[,":
            parts.pop()
            repairs["trailing comma"] = None
        if part in _LITERALS or part[0] == "'" or part in ("(", ")"):
            repairs["Python literal"] = None
        if token["string"] and part[0] == "'":
            try:
                part = json.dumps(literal_eval(part))
            except (SyntaxError, ValueError):
                _refuse(source)
                return None
        if not part.isspace():
            parts.append(_LITERALS.get(part, part))
    try:
        if "(" in parts:
            # Only Python knows which brackets are tuples.
            return source, Decoded(_tuples_as_lists(source), tuple(repairs))
        return source, Decoded(_strict(" ".join(parts)), tuple(repairs))
    except (json.JSONDecodeError, SyntaxError, TypeError, RecursionError):
        _refuse(source)
        return None


def _tuples_as_lists(source: str) -> Any:
    """A literal of Python, with the types that JSON has."""
    value = literal_eval(source)
    if not isinstance(value, dict | list):
        raise TypeError("neither an object nor a list")
    return _strict(json.dumps(value, allow_nan=False))


def _refuse(source: str) -> None:
    """Refuse what looks like an object; other brackets may be prose."""
    if re.match(r"\{\s*[\"']|\[\s*[\[{\"']", source):
        raise ValueError("JSON that cannot be read")
