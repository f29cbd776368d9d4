"""Digests of everything that is computed, for comparing two versions of the code.

::

    python -m tests.dump before.json
    python -m tests.dump after.json
    python -m tests.dump compare before.json after.json
    python -m tests.dump show CASE METRIC SECTION
    python -m tests.dump diff CHECKOUT CHECKOUT CASE METRIC SECTION

A *case* is one or several pairs of gold and system, from ``data/`` or from the folders
``shared/conformance`` and ``shared/wild`` beside the checkout.  Every metric that
scores what is in them gives it a *row*, with its parameters changed one at a time, and
a row has a digest for each *section*: scores, items, errors and so on.  Stores,
commands, readers and writers give rows as well.  Cases whose files are absent are left
out.

The cases stand in ``dump.toml`` beside this file, and what has left the package.  What
is used of the package stands in the part "The package" below: where a name changes,
only that part is to be changed.  Numbers are compared to twelve digits.
"""

from __future__ import annotations

import argparse
import difflib
import fnmatch
import gzip
import hashlib
import io
import json
import lzma
import math
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from glob import glob
from itertools import accumulate, islice, pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
ROOT = Path(os.environ.get("DUMP_ROOT", HERE.parent.parent))
"""The checkout, in which all work is done: paths in messages are alike everywhere."""

SECTIONS = (
    *("scores", "items", "errors", "confusions", "matches"),
    *("signature", "notes"),
)
"""Sections of the row of a metric."""

Row = dict[str, list[Any]]
"""Values by section."""


class RefusedError(Exception):
    """Error message of the package."""


@dataclass(frozen=True)
class Pair:
    """Gold and a system, and how they are scored."""

    gold: str
    system: str
    format: str = ""
    gold_format: str = ""
    system_format: str = ""
    texts: str = ""
    ids: str = ""
    order: bool = False
    frameworks: tuple[str, ...] = ()
    first: int = 0
    disturbed: bool = False
    made: str = ""


@dataclass(frozen=True)
class Case:
    """Pairs whose rows stand one behind the other."""

    name: str
    pairs: tuple[Pair, ...]
    vary: str = "presets"
    only: tuple[str, ...] = ()


# The package: all that is used of it.


def run(*arguments: str) -> str:
    """Run the program and return its output."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GRAPHSCORE")
    }
    done = subprocess.run(
        [sys.executable, "-m", "graphscore", *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=environment | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "100"},
        check=False,
    )
    if done.returncode in (2, 3, 5) and not done.stdout:
        raise RefusedError(f"exit {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


@cache
def catalogue() -> list[dict[str, Any]]:
    """The metrics with their frameworks and parameters."""
    listed: list[dict[str, Any]] = json.loads(run("metrics", "--json"))
    return listed


@cache
def formats() -> list[dict[str, Any]]:
    """The formats with their frameworks."""
    listed: list[dict[str, Any]] = json.loads(run("formats", "--json"))
    return listed


@contextmanager
def refusals() -> Iterator[None]:
    """Turn errors of the package into ours."""
    from graphscore import GraphscoreError

    try:
        yield
    except GraphscoreError as error:
        raise RefusedError(str(error)) from None


def reading(format: str = "", texts: str = "") -> Any:
    """Reader options."""
    from graphscore import ReaderOptions
    from graphscore.formats.raw_text import read_texts

    return ReaderOptions(
        format=format or None, texts=read_texts(texts) if texts else None
    )


def read_graphs(
    path: str, format: str = "", texts: str = ""
) -> Iterator[tuple[Any, list[str]]]:
    """The graphs of an operand, each with its problems; none where one is refused."""
    from graphscore import read_file
    from graphscore.formats.discovery import gather

    with refusals():
        for file in gather(path).paths:
            for record in read_file(file, reading(format, texts)):
                graph = getattr(record, "graph", None)
                problems = record.problems if graph is None else record.left_out
                yield graph, [str(problem) for problem in problems]


def parse_lines(text: str, like: Sequence[Any]) -> list[Any]:
    """Graphs of JSON lines, in the documents of other graphs."""
    import msgspec

    from graphscore.formats.registry import format_named

    records = format_named("mrp").read(io.BytesIO(text.encode()), "disturbed.mrp")
    return [
        msgspec.structs.replace(record.graph, document=graph.document)
        for record, graph in zip(records, like, strict=True)
        if hasattr(record, "graph")
    ]


def write(graphs: Sequence[Any], name: str) -> bytes:
    """Graphs in a format; several files one behind the other."""
    from graphscore import write_graphs
    from graphscore.formats.registry import format_named

    format = format_named(name)
    with refusals():
        if format.write is not None:
            return b"".join(write_graphs(graphs, name))
        return b"".join(
            file.encode() + b"\n" + data for file, data in format.files(graphs)
        )


def as_network(graph: Any) -> Any:
    """A graph as one of networkx."""
    from graphscore import to_networkx

    return to_networkx(graph)


def score_pair(
    gold: Any, system: Any, pair: Pair, metrics: list[str] | None
) -> list[Any]:
    """The results of a pair, one for each metric."""
    from graphscore import Options, Selection, score

    options = Options(
        selection=Selection(frameworks=frozenset(pair.frameworks)),
        pair="order" if pair.order else "id",
        ids=pair.ids or None,
        per_item=True,
        details=True,
        reading=reading(pair.format or pair.gold_format, pair.texts),
        system_reading=reading(pair.format or pair.system_format, pair.texts),
    )
    with refusals():
        results = score(gold, system, metrics, options=options)
    return results if isinstance(results, list) else [results]


def value_of(result: Any) -> float:
    """The number that stands for a result."""
    return float(result.value)


def whole_of(result: Any) -> dict[str, Any]:
    """Scores and items of a result, as JSON."""
    whole: dict[str, Any] = result.to_dict(by=("framework", "layer"), per_item=True)
    return whole | {"notes": list(result.notes), "rejected_because": result.rejected}


def errors_of(result: Any) -> Iterator[dict[str, Any]]:
    """The error rows of a result."""
    return (row._asdict() for row in result.errors)


def confusions_of(result: Any) -> Iterator[dict[str, Any]]:
    """Confusion rows of a result."""
    return (row._asdict() for row in result.confusions)


def matches_of(result: Any) -> Iterator[tuple[Any, ...]]:
    """Matches of a result, item by item."""
    for unit in result.per_item:
        for match in unit.matches:
            yield (
                *(unit.framework, unit.layer, unit.item, match.object),
                *(match.gold, match.system, match.credit, match.parent, match.level),
            )


def fill_store(
    path: str, collections: dict[str, str], scorings: list[list[str]]
) -> None:
    """Make a store of collections, some of which are scored against others."""
    from graphscore import Store

    with refusals(), Store(path, mode="create") as store:
        for name, operand in collections.items():
            store.ingest(operand, name)
        for gold, system, metrics in scorings:
            store.score(gold, system, metrics.split())


# What there is to do.


@cache
def table() -> dict[str, Any]:
    """The table beside this file."""
    return tomllib.loads(HERE.with_suffix(".toml").read_text(encoding="utf-8"))


def matching(pattern: str) -> list[str]:
    """The paths that fit a pattern, in which braces hold alternatives."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces:
        head, tail = pattern[: braces.start()], pattern[braces.end() :]
        options = braces[1].split(",")
        return [path for option in options for path in matching(head + option + tail)]
    if not set(pattern) & set("*?["):
        return [pattern] if Path(pattern).exists() else []
    return sorted(glob(pattern))


OPTIONS = (
    *("format", "gold_format", "system_format", "texts", "ids", "order"),
    *("first", "disturbed", "made"),
)


def pairs_of(entry: dict[str, Any]) -> Iterator[Pair]:
    """The pairs that an entry of the table describes."""
    options = {name: entry[name] for name in OPTIONS if name in entry}
    options["frameworks"] = tuple(entry.get("frameworks", ()))
    for gold in matching(entry["gold"]):
        if "system" not in entry:
            yield Pair(gold, gold, **options)
            continue
        for system in matching(re.sub(*entry["system"], gold, count=1)):
            if system != gold or not entry["system"][1]:
                yield Pair(gold, system, **options)


def cases() -> list[Case]:
    """All cases whose files are there."""
    listed = []
    for entry in table()["case"]:
        more = entry.get("vary", "presets"), tuple(entry.get("only", ()))
        pairs = tuple(pairs_of(entry))
        if "name" in entry:
            listed += [Case(entry["name"], pairs, *more)] if pairs else []
            continue
        for pair in pairs:
            name = pair.system.removeprefix("../shared/")
            if "as" in entry:
                name += f" as {entry['as']}"
            listed.append(Case(name, (pair,), *more))
    repeated = [
        name for name, times in Counter(c.name for c in listed).items() if times > 1
    ]
    if repeated:
        raise SystemExit(f"two cases have the name {repeated[0]}")
    return listed


MEANING = {"amr", "dm", "drg", "dmrs", "eds", "pas", "psd", "sbn", "ucca", "ccd"}
"""Frameworks on which metrics are tried that score any."""


def variants(metric: dict[str, Any], vary: str) -> Iterator[str]:
    """A metric, and it with its parameters changed."""
    name = metric["name"]
    yield name
    for parameter in metric["parameters"] if vary != "none" else ():
        if vary == "presets" and parameter["name"] != "preset":
            continue
        values = parameter["choices"]
        if parameter["type"] == "bool":
            values = [True, False]
        for value in values:
            if value != parameter["default"]:
                text = str(value).lower() if isinstance(value, bool) else value
                yield f"{name}({parameter['name']}={text})"
    if vary == "all":
        for text in table()["parameters"].get(name, ()):
            yield f"{name}({text})"


def metrics_for(case: Case, frameworks: set[str]) -> list[str]:
    """The metrics and formulas that a case is scored with."""
    if case.only:
        return list(case.only)
    listed = []
    for metric in catalogue():
        takes = metric["frameworks"] or MEANING
        if frameworks & set(takes):
            listed += variants(metric, case.vary)
    if case.vary == "all":
        for group in table()["formulas"]:
            if frameworks & set(group["frameworks"]):
                listed += group["formulas"]
    return list(dict.fromkeys(listed))


# Operands.


@cache
def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder for files that are made, which goes with the process."""
    return tempfile.TemporaryDirectory(prefix="dump-")


def made_file(key: str, ending: str, text: str) -> str:
    """A file that is made of something else."""
    name = hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
    path = Path(scratch().name) / (name + ending)
    path.write_text(text, encoding="utf-8")
    return str(path)


@cache
def operands(pair: Pair) -> tuple[Any, Any]:
    """Gold and system as they are scored."""
    if pair.made:
        return MADE[pair.made](pair)
    gold, system = pair.gold, pair.system
    formats = pair.format or pair.gold_format, pair.format or pair.system_format
    if pair.disturbed:
        graphs = [
            graph for graph, _ in read_graphs(gold, formats[0]) if graph is not None
        ]
        return gold, parse_lines(disturb(graphs), graphs)
    if pair.first:
        return tuple(
            cut(path, format, pair.first)
            for path, format in zip((gold, system), formats, strict=True)
        )
    return gold, system


def cut(path: str, format: str, first: int) -> list[Any]:
    """The first graphs of an operand."""
    graphs = (graph for graph, _ in read_graphs(path, format) if graph is not None)
    return list(islice(graphs, first))


def lines_of(graphs: Sequence[Any]) -> list[str]:
    """Graphs as JSON, one a line."""
    return write(graphs, "mrp").decode().splitlines()


def disturb(graphs: Sequence[Any]) -> str:
    """Graphs with changes in them, as JSON lines."""
    counts: Counter[str] = Counter()

    def due(name: str, every: int) -> bool:
        counts[name] += 1
        return counts[name] % every == every // 2

    changed = []
    for line in lines_of(graphs):
        graph = json.loads(line)
        label = None
        for node in graph.get("nodes", ()):
            if "label" in node:
                if label is not None and due("label", 7):
                    node["label"], label = label, node["label"]
                else:
                    label = node["label"]
            for anchor in node.get("anchors", ()):
                if anchor.get("to", 0) - anchor.get("from", 0) > 2 and due("anchor", 9):
                    anchor["to"] -= 1
        edges = graph.get("edges", [])
        for before, edge in pairwise(edges):
            if before.get("label") != edge.get("label") and due("role", 11):
                edge["label"] = before["label"]
        graph["edges"] = [edge for edge in edges if not due("edge", 13)]
        changed.append(json.dumps(graph, ensure_ascii=False))
    return "\n".join(changed) + "\n"


def load_json(path: str) -> Any:
    """Read a file of JSON or of JSON lines."""
    text = Path(path).read_text(encoding="utf-8")
    if path.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text)


def make_tags(pair: Pair) -> tuple[Any, Any]:
    """Tags of sentences from cases of flat entities."""
    sides: tuple[list[Any], list[Any]] = ([], [])
    for case in load_json(pair.gold)["cases"]:
        if "true" in case:
            alone = isinstance(case["true"][0], str)
            for side, key in zip(sides, ("true", "pred"), strict=True):
                side += [case[key]] if alone else case[key]
    return sides


def make_texts(pair: Pair) -> tuple[Any, Any]:
    """Texts of graphs, which stand between empty lines."""
    gold, system = (
        Path(path).read_text(encoding="utf-8").strip().split("\n\n")
        for path in (pair.gold, pair.system)
    )
    return gold, system


def make_spans(pair: Pair) -> tuple[Any, Any]:
    """Spans of tokens, the label first."""
    gold, system = (
        [
            [(span[2], span[0], span[1]) for sentence in listed for span in sentence]
            for document in load_json(path)
            for listed in [document.get(f"{how}ner", document["ner"])]
        ]
        for path, how in ((pair.gold, ""), (pair.system, "predicted_"))
    )
    return gold, system


def make_clusters(pair: Pair) -> tuple[Any, Any]:
    """Clusters of spans of tokens; the system has every fifth mention elsewhere."""
    gold, system = [], []
    for document in load_json(pair.gold):
        starts = [0, *accumulate(map(len, document["sentences"]))]
        clusters = [
            [(starts[k] + start, starts[k] + end - 1) for k, start, end in cluster]
            for cluster in document["mention_clusters"]
        ]
        mentions = [mention for cluster in clusters for mention in cluster]
        moved = set(mentions[4::5])
        kept = [[span for span in cluster if span not in moved] for cluster in clusters]
        gold.append(clusters)
        system.append([*filter(None, kept), sorted(moved)])
    return gold, system


def make_networks(pair: Pair) -> tuple[Any, Any]:
    """Graphs as those of networkx."""
    gold, system = (
        [
            as_network(graph)
            for graph, _ in read_graphs(path)
            if graph is not None and graph.framework in pair.frameworks
        ]
        for path in (pair.gold, pair.system)
    )
    return gold, system


def make_trees(pair: Pair) -> tuple[Any, Any]:
    """Files of entity trees from cases of them."""
    files = []
    for key in ("ref", "hyp"):
        lines = []
        for case in load_json(pair.gold)["cases"]:
            spans: list[dict[str, Any]] = []
            for tree in case[key]:
                add_tree(tree, None, spans)
            text = "abcdefghijklmnopqrstuvwxyz"
            lines.append(json.dumps({"id": case["id"], "text": text, "spans": spans}))
        files.append(made_file(key, ".jsonl", "\n".join(lines) + "\n"))
    return files[0], files[1]


def add_tree(
    tree: dict[str, Any], parent: int | None, spans: list[dict[str, Any]]
) -> None:
    tuple_type = "entity" if tree["kind"] == "ent" else "component"
    label, *literal = tree["types"]
    number = len(spans)
    start, end = tree["span"]
    span = {"id": number, "kind": tuple_type, "parent": parent, "label": label}
    spans.append(span | {"start": start, "end": end})
    if literal:
        spans[-1]["literal"] = literal[0]
    for child in tree["children"]:
        add_tree(child, number, spans)


def make_probes(pair: Pair) -> tuple[Any, Any]:
    """Files of CoNLL-2009 from sentences whose roles are options."""
    files = []
    for key in ("gold", "pred"):
        tables = []
        for case in load_json(pair.gold).values():
            for sentence in case["sentences"]:
                rows = [
                    [str(number), word, word, word, *"____", "0", "0", *"____"]
                    for number, word in enumerate(sentence["tokens"], 1)
                ]
                roles = sorted(sentence[key], key=lambda role: int(role["pos"]))
                for role in roles:
                    rows[role["pos"] - 1][12:14] = ["Y", role["sense"]]
                    labels = {head: label for label, head, _ in role["args"]}
                    for number, row in enumerate(rows, 1):
                        row.append(labels.get(number, "_"))
                tables.append("\n".join("\t".join(row) for row in rows) + "\n")
        files.append(made_file(key, ".conll09", "\n".join(tables)))
    return files[0], files[1]


MADE = {
    "clusters": make_clusters,
    "networks": make_networks,
    "probes": make_probes,
    "spans": make_spans,
    "tags": make_tags,
    "texts": make_texts,
    "trees": make_trees,
}


# Rows.


def as_json(value: Any) -> Any:
    """A value as JSON, numbers to twelve digits, without what differs between runs."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        value = float(f"{value:.12g}")
        return int(value) if value == int(value) and abs(value) < 1e15 else value
    if isinstance(value, dict):
        return {scrub(str(key)): as_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(part) for part in value]
    if value is None or isinstance(value, bool | int):
        return value
    return scrub(str(value))


def scrub(text: str) -> str:
    """A text in its old words, without versions and paths of this machine."""
    words = table()["renamed"]
    if words:
        text = re.sub(r"\w+", lambda word: words.get(word[0], word[0]), text)
    text = re.sub(r"\|version:[^|\"\s]*", "", text)
    for path, name in ((scratch().name, "TMP"), (str(ROOT), "ROOT")):
        text = text.replace(path, name)
    return text


def as_line(value: Any) -> str:
    """A value in one line."""
    return json.dumps(as_json(value), ensure_ascii=False, sort_keys=True)


SCORES = (
    *("main", "pairs", "missing_system", "spurious_system", "rejected"),
    *("proven", "counts", "scores", "over_one", "groups", "macro_frameworks"),
)

NO_COLUMNS = ("gold", "system", "metric", "revision", "evaluation")
"""Columns of errors that are alike in all rows."""


def row_of(results: Sequence[Any]) -> Row:
    """All sections of results."""
    row: Row = {name: [] for name in SECTIONS}
    for result in results:
        whole = whole_of(result)
        row["scores"] += [{name: whole[name]} for name in SCORES if name in whole]
        row["items"] += whole.get("items", [])
        row["errors"] += [
            {name: cell for name, cell in error.items() if name not in NO_COLUMNS}
            for error in errors_of(result)
        ]
        row["confusions"] += confusions_of(result)
        row["matches"] += matches_of(result)
        row["signature"].append(whole["signature"])
        row["notes"] += [*whole["notes"], *whole["rejected_because"]]
    for name in ("errors", "confusions"):
        row[name].sort(key=as_line)
    return row


def error_row(error: Exception) -> Row:
    """The row of something that is refused, or that fails."""
    tuple_type = "" if isinstance(error, RefusedError) else f"{type(error).__name__}: "
    return {"error": [f"{tuple_type}{error}"]}


Rows = list[tuple[str, Row, float | None]]
"""Names of rows, what is in them, and the number that stands for each."""


def metric_rows(case: Case, metrics: Sequence[str]) -> Rows:
    """The rows of a case under some metrics."""
    rows: dict[str, Row] = {metric: {} for metric in metrics}
    values: dict[str, float | None] = {}
    for pair in case.pairs:
        taken = metrics
        if len(case.pairs) > 1:
            fitting = set(metrics_for(case, frameworks_of(pair)))
            taken = [metric for metric in metrics if metric in fitting]
        for metric, row, value in pair_rows(pair, taken) if taken else ():
            values.setdefault(metric, value)
            for section, lines in row.items():
                rows[metric].setdefault(section, []).extend(lines)
    return [(metric, row, values.get(metric)) for metric, row in rows.items()]


def pair_rows(pair: Pair, metrics: Sequence[str]) -> Rows:
    """The rows of a pair: of all metrics at once, or if that fails one by one."""
    try:
        results = score_pair(*operands(pair), pair, list(metrics))
        return [
            (metric, row_of([result]), value_of(result))
            for metric, result in zip(metrics, results, strict=True)
        ]
    except Exception as error:
        if len(metrics) == 1:
            return [(metrics[0], error_row(error), None)]
        return [row for metric in metrics for row in pair_rows(pair, [metric])]


def default_row(case: Case) -> Rows:
    """Score a case without naming a metric."""
    row: Row = {"scores": [], "notes": []}
    for pair in case.pairs[:6]:
        try:
            for result in score_pair(*operands(pair), pair, None):
                whole = whole_of(result)
                names = ("metric", "counts", "scores")
                row["scores"].append({name: whole.get(name) for name in names})
                row["notes"] += whole["notes"]
        except Exception as error:
            row.setdefault("error", []).extend(error_row(error)["error"])
    return [("(default)", row, None)]


WRITTEN = 20
"""Graphs of a file that are written in all formats."""


def reading_rows(case: Case) -> Rows:
    """Read the files of a case, and write its gold in every format that fits."""
    rows: dict[str, Row] = {}
    for pair in case.pairs:
        sides = [(pair.gold, pair.gold_format)]
        if pair.system != pair.gold or pair.system_format:
            sides.append((pair.system, pair.system_format))
        for number, (path, format) in enumerate(sides if not pair.made else ()):
            name = "(read system)" if number else "(read gold)"
            row = rows.setdefault(name, {"graphs": [], "problems": []})
            graphs: list[Any] = []
            try:
                for graph, problems in read_graphs(
                    path, pair.format or format, pair.texts
                ):
                    row["problems"] += problems
                    if graph is not None:
                        graphs.append(graph)
                row["graphs"] += lines_of(graphs)
            except Exception as error:
                row.setdefault("error", []).extend(error_row(error)["error"])
            if not number:
                for name, lines in written_rows(graphs):
                    more = rows.setdefault(name, {})
                    for section, texts in lines.items():
                        more.setdefault(section, []).extend(texts)
    return [(name, row, None) for name, row in rows.items()]


def written_rows(graphs: Sequence[Any]) -> Iterator[tuple[str, Row]]:
    """Some graphs as each format writes them."""
    frameworks = {graph.framework for graph in graphs}
    for format in formats():
        takes = set(format["frameworks"]) or frameworks
        chosen = [graph for graph in graphs if graph.framework in takes][:WRITTEN]
        if not chosen or not format["write"]:
            continue
        try:
            data = write(chosen, format["name"]).decode()
            yield f"(write {format['name']})", {"bytes": data.splitlines()}
        except Exception as error:
            yield f"(write {format['name']})", error_row(error)


def catalogue_rows(_: Any) -> Rows:
    """Descriptions of all metrics and formats, parameters and formulas included."""
    rows: Rows = []
    for metric in catalogue():
        rows.append((metric["name"], {"description": list(parts(metric, ""))}, None))
    for format in formats():
        name = f"(format {format['name']})"
        rows.append((name, {"description": list(parts(format, ""))}, None))
    return rows


UNSTABLE = {"revision", "steps", "method", "microseconds", "created"}
"""Columns of a store that say how something was found, or when."""


def store_rows(entry: dict[str, Any]) -> Rows:
    """The rows of all views of a store."""
    path = str(Path(scratch().name) / "runs.db")
    Path(path).unlink(missing_ok=True)
    try:
        fill_store(path, entry["collections"], entry["scored"])
    except Exception as error:
        return [("(fill)", error_row(error), None)]
    rows: Rows = []
    connection = sqlite3.connect(path)
    try:
        views = connection.execute("select name from sqlite_master where type = 'view'")
        for (view,) in sorted(views.fetchall()):
            cursor = connection.execute(f"select * from {view}")
            names = [column[0] for column in cursor.description]
            kept = [n for n, name in enumerate(names) if name not in UNSTABLE]
            lines = [{names[n]: cells[n] for n in kept} for cells in cursor]
            rows.append((f"({view})", {"rows": sorted(lines, key=as_line)}, None))
    finally:
        connection.close()
    return rows


def command_rows(task: Task) -> Rows:
    """Run a command and return its output."""
    [name] = task.metrics
    try:
        row = output_row(run(*shlex.split(table()["commands"][name])))
    except Exception as error:
        row = error_row(error)
    return [(name, row, None)]


def output_row(text: str) -> Row:
    """Split output into sections: JSON by its outer keys, other text into lines."""
    try:
        value = json.loads(text)
    except ValueError:
        return {"lines": text.splitlines()}
    row: Row = {}
    for path, part in parts(value, ""):
        names = re.sub(r"\[\d+\]", "[]", path).split(".")[1:3]
        section = names[0] if "[]" in names[0] else ".".join(names)
        row.setdefault(section.replace("[]", ""), []).append([path, part])
    return row


def parts(value: Any, path: str) -> Iterator[Any]:
    """The parts of a JSON value, each with its path."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from parts(part, f"{path}.{key}")
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        for number, part in enumerate(value):
            yield from parts(part, f"{path}[{number}]")
    else:
        yield [path, value]


# Doing it.

CHUNK = 10
"""Metrics that are worked out in one go."""


@dataclass(frozen=True)
class Task:
    """Something that gives rows of a case."""

    tuple_type: str
    case: str
    metrics: tuple[str, ...] = ()


@cache
def all_cases() -> dict[str, Any]:
    """Cases, stores and commands by name."""
    named: dict[str, Any] = {"catalogue": None}
    named |= {case.name: case for case in cases()}
    named |= {entry["name"]: entry for entry in table()["store"]}
    named["commands"] = tuple(table()["commands"])
    return named


def task_rows(task: Task) -> Rows:
    """The rows of a task."""
    what = all_cases()[task.case]
    if task.tuple_type == "metrics":
        return metric_rows(what, task.metrics)
    if task.tuple_type == "command":
        return command_rows(task)
    tuple_types = {
        "catalogue": catalogue_rows,
        "default": default_row,
        "reading": reading_rows,
        "store": store_rows,
    }
    return tuple_types[task.tuple_type](what)


def tasks_of(name: str) -> Iterator[Task]:
    """All that is to be done for a case."""
    what = all_cases()[name]
    if what is None:
        yield Task(name, name)
        return
    if isinstance(what, tuple):
        yield from (Task("command", name, (command,)) for command in what)
        return
    if isinstance(what, dict):
        yield Task("store", name)
        return
    frameworks = set()
    for pair in what.pairs:
        frameworks |= frameworks_of(pair)
    metrics = metrics_for(what, frameworks)
    for start in range(0, len(metrics), CHUNK):
        yield Task("metrics", name, tuple(metrics[start : start + CHUNK]))
    if not what.only:
        yield Task("default", name)
        yield Task("reading", name)


@cache
def frameworks_of(pair: Pair) -> set[str]:
    """The frameworks of what is in gold, as far as it can be read."""
    if pair.frameworks:
        return set(pair.frameworks)
    path, format = pair.gold, pair.format or pair.gold_format
    try:
        if pair.made:
            path = operands(pair)[0]
        return {
            graph.framework
            for graph, _ in read_graphs(path, format)
            if graph is not None
        }
    except Exception:
        return set()


def digest(lines: Iterable[Any]) -> str:
    """A digest of the lines of a section."""
    state, empty = hashlib.blake2b(digest_size=5), True
    for line in lines:
        empty = False
        state.update(as_line(line).encode() + b"\n")
    return "-" if empty else state.hexdigest()


Digests = dict[str, dict[str, Any]]
"""By case and row: the digests of its sections."""


def pack(row: Row, value: float | None) -> Any:
    """A row as it is kept: short where its sections are those of all metrics."""
    digests = {scrub(section): digest(lines) for section, lines in row.items()}
    if value is not None and digests.keys() == set(SECTIONS):
        return " ".join([f"{value:.6g}", *(digests[name] for name in SECTIONS)])
    return digests


def run_task(task: Task) -> tuple[Task, dict[str, Any], float]:
    """The digests of a task, and how long the processor was busy with it."""
    os.chdir(ROOT)
    begun = time.process_time()
    try:
        rows = task_rows(task)
    except Exception as error:
        rows = [(f"({task.tuple_type})", error_row(error), None)]
    digests = {scrub(name): pack(row, value) for name, row, value in rows}
    return task, digests, time.process_time() - begun


@contextmanager
def compiled_once() -> Iterator[None]:
    """Let all processes share what was compiled, where bytecode is not written."""
    with tempfile.TemporaryDirectory(prefix="dump-") as folder:
        if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
            os.environ.setdefault("PYTHONPYCACHEPREFIX", folder)
        yield


def tasks_in(name: str) -> list[Task]:
    """The tasks of a case, found in another process."""
    os.chdir(ROOT)
    return list(tasks_of(name))


@contextmanager
def workers(jobs: int) -> Iterator[Any]:
    """Yield a function like ``map`` that runs in so many processes."""
    if jobs == 1:
        yield map
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield pool.map


def narrow(tasks: Iterable[Task], only: Sequence[str]) -> Iterator[Task]:
    """Leave out tasks, and metrics of tasks, that no pattern selects."""
    wide = [pattern for pattern in only if not re.search("::[^(*]", pattern)]
    for task in tasks:
        if task.tuple_type == "catalogue" or not only:
            yield task
        elif task.tuple_type not in ("metrics", "command"):
            if wide and selects(task.case, "", wide):
                yield task
        elif metrics := [m for m in task.metrics if selects(task.case, m, only)]:
            yield Task(task.tuple_type, task.case, tuple(metrics))


def make_digests(only: Sequence[str], jobs: int) -> Digests:
    """The digests of all cases, or of those that fit a pattern."""
    names = [name for name in all_cases() if selects(name, "", only)]
    rows: Digests = {name: {} for name in names}
    begun, spent = time.perf_counter(), Counter[str]()
    with workers(jobs) as run_all:
        tasks = [
            task for listed in run_all(tasks_in, names) for task in narrow(listed, only)
        ]
        for number, (task, digests, seconds) in enumerate(run_all(run_task, tasks), 1):
            rows[task.case] |= {
                name: row
                for name, row in digests.items()
                if selects(task.case, name, only)
            }
            spent[task.case] += seconds
            past = time.perf_counter() - begun
            report(
                f"{number} of {len(tasks)} after {past:.0f} s: {task.tuple_type} "
                f"{task.case}"
            )
    slow = ", ".join(
        f"{name} {seconds:.0f} s" for name, seconds in spent.most_common(60)
    )
    report(f"{spent.total():.0f} s of work; slowest: {slow}")
    return {
        name: dict(sorted(row.items())) for name, row in sorted(rows.items()) if row
    }


def selects(case: str, metric: str, only: Sequence[str]) -> bool:
    """Return True if a row is selected, or a case where no metric is named.

    Args:
        case: its case.
        metric: its name; empty for any.
        only: patterns ``CASE`` or ``CASE::METRIC``; without any all is wanted.
    """
    if not only:
        return True
    for pattern in only:
        of_case, _, of_metric = pattern.partition("::")
        if fnmatch.fnmatchcase(case, of_case or "*") and (
            not of_metric or not metric or fnmatch.fnmatchcase(metric, of_metric)
        ):
            return True
    return False


def report(text: str) -> None:
    """Say something to who waits."""
    print(text, file=sys.stderr, flush=True)


# Files and differences.


def open_text(path: Path, mode: str) -> Any:
    """A file, compressed if its name says so."""
    openers: dict[str, Any] = {".xz": lzma.open, ".gz": gzip.open}
    return openers.get(path.suffix, open)(path, mode, encoding="utf-8")


def save(digests: Digests, path: Path) -> None:
    """Write digests, a row to a line."""
    with open_text(path, "wt") as file:
        file.write("{\n")
        for number, (case, rows) in enumerate(digests.items()):
            lines = ",\n".join(
                f"{json.dumps(k)}:{pack_json(v)}" for k, v in rows.items()
            )
            comma = "," if number + 1 < len(digests) else ""
            file.write(f"{json.dumps(case)}:{{\n{lines}\n}}{comma}\n")
        file.write("}\n")


def pack_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def load(path: Path) -> Digests:
    """Read digests."""
    with open_text(path, "rt") as file:
        digests: Digests = json.load(file)
    return digests


def sections_of(row: Any) -> dict[str, str]:
    """The digests of a row by section, however it is kept."""
    if isinstance(row, dict):
        return row
    value, *digests = row.split(" ")
    return {"value": value} | dict(zip(SECTIONS, digests, strict=True))


def is_removed(case: str, metric: str) -> bool:
    """Return True if the table lists a row as removed."""
    left = table()["removed"]
    name = re.split(r"\W", metric, maxsplit=1)[0]
    return (
        any(fnmatch.fnmatchcase(case, pattern) for pattern in left["cases"])
        or name in left["metrics"]
        or any(re.search(rf"\b{formula}\(", metric) for formula in left["formulas"])
        or re.sub(r"\((write|format) (.*)\)", r"\2", metric) in left["formats"]
    )


def compare(before: Digests, after: Digests, only: Sequence[str]) -> int:
    """Print what differs.

    Returns:
        1 if something does that is not listed as removed, else 0.
    """
    counts: Counter[str] = Counter()
    differing: list[tuple[str, str, str]] = []
    for case in dict.fromkeys([*before, *after]):
        old, new = before.get(case, {}), after.get(case, {})
        for metric in dict.fromkeys([*old, *new]):
            if not selects(case, metric, only):
                continue
            what = difference(case, metric, old.get(metric), new.get(metric))
            counts[what] += 1
            if what not in ("same", "removed", "new"):
                differing.append((case, metric, what))
    missing = Counter(case for case, _, what in differing if what == "missing")
    for case, metric, what in differing:
        if case in after or what != "missing":
            print(f"{case}\t{metric}\t{what}")
    for case, rows in missing.items():
        if case not in after:
            print(f"{case}\tall of its rows, {rows}\tmissing")
    print(
        f"{counts['same']} rows are the same, {len(differing)} differ, "
        f"{counts['removed']} are removed, as listed, {counts['new']} are new"
    )
    if differing:
        print(
            "to see one: python -m tests.dump diff CHECKOUT CHECKOUT "
            f"{shlex.join(differing[0][:2])}"
        )
    return bool(differing)


def difference(case: str, metric: str, old: Any, new: Any) -> str:
    """Name the sections in which a row differs, and its number before and after."""
    if old == new:
        return "same"
    if old is None:
        return "new"
    if is_removed(case, metric):
        return "removed"
    if new is None:
        return "missing"
    before, after = sections_of(old), sections_of(new)
    patterns = table()["removed"]["sections"]
    names = [
        name
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
        and not any(
            fnmatch.fnmatchcase(f"{case}::{metric}::{name}", pattern)
            for pattern in patterns
        )
    ]
    if not names:
        return "removed"
    sections = ",".join(name for name in names if name != "value")
    if "value" in names:
        return f"{sections}: {before.get('value')} -> {after.get('value')}"
    return sections


def show(case: str, metric: str, section: str) -> Iterator[str]:
    """The lines of a section of a row, or of all of its sections."""
    if case not in all_cases():
        raise SystemExit(f"there is no case {case!r}; 'cases' lists them")
    what = all_cases()[case]
    if isinstance(what, Case) and not metric.startswith("("):
        tasks = [Task("metrics", case, (metric,))]
    elif isinstance(what, tuple):
        tasks = [Task("command", case, (metric,))]
    else:
        tasks = [task for task in tasks_of(case) if task.tuple_type != "metrics"]
    for task in tasks:
        for name, row, _ in task_rows(task):
            for named, lines in row.items() if name == metric else ():
                if section in (named, "all") or named == "error":
                    yield from (f"{named}\t{as_line(line)}" for line in lines)


def show_in(checkout: str, arguments: Sequence[str]) -> list[str]:
    """Run ``show`` in a checkout, with this program if it has none of its own."""
    root = Path(checkout).resolve()
    own = root / "tests" / "dump.py"
    program = own if own.is_file() else HERE
    done = subprocess.run(
        [sys.executable, "-P", str(program), "show", *arguments],
        env=os.environ | {"PYTHONPATH": str(root), "DUMP_ROOT": str(root)},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return done.stdout.decode().splitlines()


def arguments_of(line: Sequence[str]) -> argparse.Namespace:
    """The command line as options."""
    parser = argparse.ArgumentParser(prog="python -m tests.dump")
    verbs = parser.add_subparsers(dest="verb", required=True)
    write = verbs.add_parser("write", help="write digests (also without this word)")
    write.add_argument("out", type=Path, help="a file: .json, .json.gz or .json.xz")
    write.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    both = verbs.add_parser("compare", help="say what differs between two files")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    for parser_ in (write, both):
        parser_.add_argument(
            "--only",
            action="append",
            default=[],
            help="pattern of cases, or CASE::METRIC (repeatable)",
        )
    rows = verbs.add_parser("show", help="print a section, or all, of a row")
    versions = verbs.add_parser("diff", help="show how a row differs in two checkouts")
    versions.add_argument("checkouts", nargs=2)
    for parser_ in (rows, versions):
        parser_.add_argument("case")
        parser_.add_argument("metric")
        parser_.add_argument("section", nargs="?", default="all")
    verbs.add_parser("cases", help="list the cases")
    known = {*verbs.choices, "-h", "--help"}
    return parser.parse_args(
        line if line[:1] and line[0] in known else ["write", *line]
    )


def main(arguments: Sequence[str]) -> int:
    """Run the program."""
    options = arguments_of(arguments)
    if options.verb == "diff":
        rest = [options.case, options.metric, options.section]
        old, new = (show_in(checkout, rest) for checkout in options.checkouts)
        for line in difflib.unified_diff(
            old, new, *options.checkouts, n=0, lineterm=""
        ):
            print(line)
        return old != new
    if options.verb == "compare":
        return compare(load(options.before), load(options.after), options.only)
    out = options.out.resolve() if options.verb == "write" else None
    os.chdir(ROOT)
    if options.verb == "cases":
        print("\n".join(all_cases()))
    elif options.verb == "show":
        for shown in show(options.case, options.metric, options.section):
            print(shown)
    elif out is not None:
        begun = time.perf_counter()
        with compiled_once():
            digests = make_digests(options.only, options.jobs)
        save(digests, out)
        rows = [row for case in digests.values() for row in case.values()]
        sections = sum(len(sections_of(row)) for row in rows)
        report(
            f"{out}: {len(digests)} cases, {len(rows)} rows, {sections} sections, "
            f"{out.stat().st_size} bytes, {time.perf_counter() - begun:.0f} s"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
