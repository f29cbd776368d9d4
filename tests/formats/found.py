"""What campaigns have found of formats, in words that are made up.

A file by itself, and what good file below it must be read all the same.
"""

from __future__ import annotations

import json

from tests.formats.samples import SAMPLES

FOUND: tuple[tuple[str, bytes, bytes], ...] = (
    # A type that is JSON within JSON without end.
    ("neleval", b"d1\t0\t4\tQ1\t0.5\t" + b'{"a":' * 5_000 + b"\n", b""),
    # A line that is rejected said that there are no predictions in the file.
    (
        "dygie",
        b'{"doc_key": "n1", "sentences": 7, "ner": []}\n',
        SAMPLES["dygie"][1].data,
    ),
    (
        "coref-jsonlines",
        b'{"doc_key": "n1", "sentences": 7, "clusters": []}\n',
        json.dumps(
            {
                "doc_key": "n2",
                "sentences": [["Bo", "left"]],
                "predicted_clusters": [[[0, 0]]],
            }
        ).encode(),
    ),
)
"""Format, a damaged file, and a good one; nothing where nothing is below."""
