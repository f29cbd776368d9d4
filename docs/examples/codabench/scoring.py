"""A scoring program of Codabench: input/ref and input/res to scores and a page.

python3 scoring.py INPUT OUTPUT
"""

import json
import sys
from html import escape
from pathlib import Path

import graphscore
from graphscore.evaluation.rows.submission import compare_submissions

METRIC = None  # Or "mrp", "ner"...: None takes the default metric of the data.

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Scores</title>
<h1>Scores</h1><pre>{scores}</pre>
<h2>Items</h2><pre>{items}</pre>
</html>
"""


def files_in(folder: Path) -> str:
    """The file in a folder, or the folder itself where there are several."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return str(files[0] if len(files) == 1 else folder)


def main(given: str, output: str) -> None:
    """Score what a participant handed in."""
    gold, submission = (files_in(Path(given) / name) for name in ("ref", "res"))
    target = Path(output)
    target.mkdir(parents=True, exist_ok=True)
    scored = graphscore.score(gold, submission, METRIC)
    results = scored if isinstance(scored, list) else [scored]
    scores = {"score": results[0].value}
    for result in results:
        scores |= {
            name.replace("/", "_"): value for name, value in result.numbers().items()
        }
    (target / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
    lines = [
        f"{row.framework}: {row.items} of {row.expected} items, {len(row.missing)} "
        f"missing, {len(row.extra)} extra, {len(row.repeated)} repeated, {row.texts} "
        "texts not as given"
        for row in compare_submissions([submission], gold)
    ]
    shown = "\n\n".join(str(result) for result in results)
    page = PAGE.format(scores=escape(shown), items=escape("\n".join(lines)))
    (target / "detailed_results.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
