"""What is known of files that were split, as JSON: checked by its digest, never run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

from graphscore.errors import InputError, Problem, UsageError
from graphscore.evaluation.parting.sums import Findings, MetricSums, Sums
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse, stored_metric

REVISION = 2
"""Of what files look like."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading JSON that is none, or too deep, ends with."""

Kind = TypeVar("Kind", bound=msgspec.Struct)


class Envelope(msgspec.Struct, forbid_unknown_fields=True):
    """What stands around everything that is written."""

    graphscore: str
    revision: int
    digest: str
    content: msgspec.Raw


class _Metric(msgspec.Struct):
    metric: str
    findings: Findings


class Content(msgspec.Struct):
    """What is found out of everything, and how many parts there are."""

    version: str
    of: int
    systems: list[list[_Metric]]


def enveloped(kind: str, content: msgspec.Struct) -> bytes:
    """Content with its digest."""
    raw = msgspec.json.encode(content)
    return msgspec.json.encode(Envelope(kind, REVISION, _digest(raw), msgspec.Raw(raw)))


def opened(
    raw: bytes, name: str, kind: str, content: type[Kind], expected: str
) -> Kind:
    """What :func:`enveloped` had.

    Args:
        raw: its bytes.
        name: what messages call it.
        kind: what it should be.
        content: the type of the content.
        expected: what it should be, in words.

    Raises:
        InputError: if it is damaged, or of another kind.
    """
    try:
        envelope = msgspec.json.decode(raw, type=Envelope)
    except UNREADABLE:
        begins = raw.lstrip()[:14] == b'{"graphscore":'
        found = "a damaged or truncated file" if begins else "something else"
        raise _wrong(name, "", found, expected) from None
    if envelope.graphscore != kind:
        raise _wrong(name, "graphscore", repr(envelope.graphscore), expected)
    if envelope.revision != REVISION:
        found = f"revision {envelope.revision} of such files"
        raise _wrong(name, "revision", found, f"{REVISION}, of this version")
    if _digest(bytes(envelope.content)) != envelope.digest:
        raise _wrong(name, "digest", "a damaged file", "the digest of what it holds")
    try:
        return msgspec.json.decode(envelope.content, type=content)
    except UNREADABLE as error:
        raise _wrong(name, "content", str(error), expected) from None


def content_of(sums: Sums) -> Content:
    """What is written of sums that have no part yet."""
    return Content(
        sums.version,
        sums.of,
        [
            [_Metric(written_metric(each.metric), each.findings) for each in mine]
            for mine in sums.systems
        ],
    )


def sums_in(content: Content, name: str, known: Iterable[Metric] = ()) -> Sums:
    """The sums without a part of which something was written.

    Args:
        content: what was written.
        name: what messages call the file.
        known: metrics that are the user's own; what runs code is never taken from a
            file.

    Raises:
        InputError: if there can be no such parts, or a metric is unknown.
        UsageError: if a metric is the user's own and not among those known.
    """
    own = {str(metric): metric for metric in known}
    if content.of < 1:
        raise _wrong(name, "of", str(content.of), "the number of parts, from 1")
    return Sums(
        content.of,
        {},
        False,
        tuple(
            tuple(
                MetricSums(metric_named_in(each.metric, name, own), each.findings)
                for each in mine
            )
            for mine in content.systems
        ),
        content.version,
    )


def written_metric(metric: Metric) -> str:
    """The name of a metric in a file.

    Raises:
        UsageError: if it could not be found by it again.
    """
    text = str(metric)
    try:
        same = str(parse(text)) == text
    except UsageError:
        same = False
    if not same:
        raise UsageError(
            f"{text} has no name by which a file could hold it; name it as module:NAME "
            "or file.py:NAME"
        )
    return text


def metric_named_in(text: str, name: str, own: Mapping[str, Metric]) -> Metric:
    """The metric that a file names.

    Args:
        text: its name there.
        name: what messages call the file.
        own: the user's own by their names.

    Raises:
        InputError: if there is none of that name, or it needs code or a file of the
            user's, and it is not among those known.
    """
    if text in own:
        return own[text]
    metric = stored_metric(text)
    if metric is None:
        expected = (
            "one of graphscore's metrics, or one that is named among the metrics: what "
            "only a file names is not run or opened"
        )
        raise _wrong(name, "metric", repr(text), expected)
    return metric


def _digest(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


def _wrong(name: str, where: str, found: str, expected: str) -> InputError:
    return InputError([Problem(name, None, None, where, found, expected)])
