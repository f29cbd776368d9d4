"""Formats of structured sentiment."""

from graphscore.formats.base import Format, late
from graphscore.formats.recognition import Keys

FORMATS = (
    Format(
        name="sentiment",
        title="SemEval-2022 task 10 JSON",
        frameworks=("sentiment",),
        suffixes=(".sentiment", ".json", ".jsonl"),
        read=late("graphscore.formats.sentiment.semeval2022", "read"),
        signs=(Keys(0.95, any="sent_id text", every="opinions:ln"),),
        write=late("graphscore.formats.sentiment.semeval2022", "write"),
    ),
)
