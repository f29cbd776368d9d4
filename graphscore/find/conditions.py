"""Conditions of a pattern as SQL: features, order, paths, and what errors say.

Every value that the pattern holds is a parameter.  All conditions run on SQLite and on
PostgreSQL, where regular expressions and joined strings are written otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from graphscore.exceptions import UsageError
from graphscore.find.documents import WORDS, named_part
from graphscore.find.pattern import PARTS, Regex, Side, Test, Value
from graphscore.find.scope import OTHER

OWN = {"gold": "missing", "system": "spurious"}
"""The side of errors that a node or edge of a side has."""

LABELS = ("labels", "instances", "names", "concepts")
"""Kinds of errors in which metrics say that the label of a node is wrong."""

KINDS = {"label": LABELS, "anchor": ("anchors",), "top": ("tops",)}
"""The kinds of errors of what is no property."""

MULTIWORD = "multiword"
"""The property of a token of several words, which is a node before them."""

_PYTHONS_OWN = re.compile(r"\(\?(?![:=!])|\\[ZAbB]")


@dataclass
class Writer:
    """Writes conditions, and keeps their values.

    Attributes:
        dialect: ``sqlite`` or ``postgresql``.
        values: by name of the parameter.
        joined: whether what a metric says is told of sentences of documents, in the
            tables of :mod:`graphscore.find.documents`.
        words: whether graphs are trees or graphs over words, which have an order and
            forms; ``None`` if some are.
        beside: whether edges of gold are looked for beside those of the system.
    """

    dialect: str
    values: dict[str, object] = field(default_factory=dict)
    joined: bool = False
    words: bool | None = None
    beside: bool = False
    _aliases: int = 0

    @property
    def exists(self) -> str:
        """SQL for the existence of a row, evaluated as early as possible.

        From version 3.51 on SQLite makes a table that is joined last of an ``exists``
        that has to hold; with a sign before it, it does not.
        """
        return "+exists" if self.dialect == "sqlite" else "exists"

    def parameter(self, value: object) -> str:
        """The sign of a value; the same one for the same value."""
        for name, known in self.values.items():
            if known == value and type(known) is type(value):
                return f":{name}"
        name = f"v{len(self.values) + 1}"
        self.values[name] = value
        return f":{name}"

    def alias(self, letter: str) -> str:
        """A new name for a table."""
        self._aliases += 1
        return f"{letter}{self._aliases}"

    def among(self, text: str, values: tuple[Value, ...]) -> str:
        """Return the condition that a text is one of several values, or matches one."""
        words = [self.parameter(x) for x in values if isinstance(x, str)]
        parts = [f"{text} in ({', '.join(words)})"] if words else []
        parts += [self._matches(text, x) for x in values if isinstance(x, Regex)]
        return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"

    def _matches(self, text: str, regex: Regex) -> str:
        if self.dialect == "sqlite":
            return f"{text} regexp {self.parameter(regex.text)}"
        if _PYTHONS_OWN.search(regex.text):
            raise UsageError(
                f"{regex}: PostgreSQL has other regular expressions, "
                "expected what both have: no flags, names or \\b"
            )
        return f"{text} ~ {self.parameter(f'^(?:{regex.text})$')}"

    def symbol_in(self, column: str, values: tuple[Value, ...]) -> str:
        """Return the condition that a column is the symbol of one of several values.

        PostgreSQL takes any symbol to be as rare as all others if they are selected
        where they are compared.  With edges of both sides it begins at the most
        frequent labels then; an array it takes to be less rare.  What matches a regular
        expression may be many, and an array is gone through for every row.
        """
        result = f"select y.id from symbol y where {self.among('y.text', values)}"
        few = not any(isinstance(x, Regex) for x in values)
        if self.dialect == "postgresql" and self.beside and few:
            return f"{column} = any (array({result}))"
        return f"{column} in ({result})"

    def name_is(self, column: str, name: str) -> str:
        """Return the condition that a column is the symbol of a name."""
        text = self.parameter(name)
        return f"{column} in (select y.id from symbol y where y.text = {text})"

    def tests(
        self, what: str, table: str, graph: str, ordinal: str, tests: tuple[Test, ...]
    ) -> list[str]:
        """Return the conditions on the features of a node or edge.

        Args:
            what: ``node`` or ``edge``.
            table: the alias of its row.
            graph: its graph.
            ordinal: its ordinal.
            tests: what is asked.
        """
        return [self._test(what, table, graph, ordinal, test) for test in tests]

    def _test(self, what: str, table: str, graph: str, own: str, test: Test) -> str:
        if what == "edge" and test.name in PARTS:
            return self._of_part(f"{table}.label", test)
        if what == "node" and test.name == "form" and self.words is not False:
            form = self._test(what, table, graph, own, replace(test, name="label"))
            if self.words:
                return form
            written = self._property(what, graph, own, test)
            return f"case when {self.over_words(graph)} then {form} else {written} end"
        if test.name == "label":
            label = f"{table}.label"
            if test.sign in ("has", "lacks"):
                return f"{label} is {'not ' if test.sign == 'has' else ''}null"
            return self._is(label, test)
        if test.name == "text" and what == "node":
            text = self.text_of(graph, own)
            if test.sign in ("has", "lacks"):
                return f"coalesce({text}, '') {'<>' if test.sign == 'has' else '='} ''"
            result = self.among(f"coalesce({text}, '')", test.values)
            return result if test.sign == "=" else f"not {result}"
        return self._property(what, graph, own, test)

    def _property(self, what: str, graph: str, own: str, test: Test) -> str:
        table, key = _PAIRS[what]
        q = self.alias("q")
        inside = (
            f"select 1 from {table} {q} where {q}.graph = {graph} "
            f"and {q}.{key} = {own} "
            f"and {self.name_is(f'{q}.name', test.name)}"
        )
        if test.sign in ("has", "lacks"):
            return f"{'not exists' if test.sign == 'lacks' else self.exists} ({inside})"
        return f"{self.exists} ({inside} and {self._is(f'{q}.value', test)})"

    def _is(self, value: str, test: Test) -> str:
        """Return the condition that a value is, or is not, one of those in a test."""
        if test.sign == "=":
            return self.symbol_in(value, test.values)
        # Of nothing all is true: no value is another one where none was found.
        result = self.symbol_in(value, test.values)
        return f"{value} is not null and not {result}"

    def over_words(self, graph: str) -> str:
        """Return the condition that a graph is a tree or graph over words."""
        w = self.alias("w")
        names = ", ".join(self.parameter(name) for name in WORDS)
        return (
            f"(select {w}.framework from graph {w} where {w}.id = {graph}) in ({names})"
        )

    def _part(self, text: str, part: str) -> str:
        """A part of a label; nothing of one that has not that part."""
        colon = f"{'instr' if self.dialect == 'sqlite' else 'strpos'}({text}, ':')"
        if part == "1":
            return (
                f"case when {colon} > 0 then substr({text}, 1, {colon} - 1) "
                f"else {text} end"
            )
        return f"case when {colon} > 0 then substr({text}, {colon} + 1) end"

    def _of_part(self, label: str, test: Test) -> str:
        part = self._part("y.text", test.name)
        has = f"{label} in (select y.id from symbol y where {part} is not null)"
        if test.sign == "has":
            return has
        if test.sign == "lacks":
            return f"({label} is null or not {has})"
        same = self.among(part, test.values)
        same = f"{label} in (select y.id from symbol y where {same})"
        return same if test.sign == "=" else f"{has} and not {same}"

    def text_of(self, graph: str, node: str) -> str:
        """The words that a node is anchored to, with blanks between pieces."""
        # Names of their own: PostgreSQL looks no further than the nearest of a name.
        a, g, t = self.alias("a"), self.alias("g"), self.alias("t")
        # PostgreSQL counts characters in integers of 32 bits.
        piece = (
            f"substr({t}.content, cast({a}.start + 1 as integer), "
            f"cast({a}.stop - {a}.start as integer))"
        )
        tables = (
            f"from anchor {a} join graph {g} on {g}.id = {a}.graph "
            f"join text {t} on {t}.digest = {g}.text "
            f"where {a}.graph = {graph} and {a}.node = {node}"
        )
        order = f"order by {a}.start, {a}.stop"
        if self.dialect == "sqlite":
            return (
                f"(select group_concat(w, ' ') from (select {piece} as w "
                f"{tables} {order}))"
            )
        return f"(select string_agg({piece}, ' ' {order}) {tables})"

    def values_of(
        self, what: str, graph: str, own: str, name: str, column: str = "v"
    ) -> str:
        """The texts of a feature, as a select of one column."""
        if name == "__id__":
            return f"select {own} as {column}"
        if name == "label":
            return self._labels_of(what, graph, own, column)
        if what == "edge" and name in PARTS:
            part = self._part("y.text", name)
            return self._labels_of(what, graph, own, column, part)
        if what == "node" and name == "form" and self.words is not False:
            label = self._labels_of(what, graph, own, column)
            if self.words:
                return label
            words = self.over_words(graph)
            return (
                f"select {column} from ({label} and {words}) f union all "
                f"select {column} from ("
                f"{self._properties_of(what, graph, own, name, column)}) f "
                f"where not {words}"
            )
        if name == "text" and what == "node":
            text = self.text_of(graph, own)
            return f"select {text} as {column} where coalesce({text}, '') <> ''"
        return self._properties_of(what, graph, own, name, column)

    def _labels_of(
        self, what: str, graph: str, own: str, column: str, text: str = "y.text"
    ) -> str:
        z = self.alias("z")
        return (
            f"select {text} as {column} from {what} {z} "
            f"join symbol y on y.id = {z}.label "
            f"where {z}.graph = {graph} and {z}.ordinal = {own} "
            f"and {text} is not null"
        )

    def _properties_of(
        self, what: str, graph: str, own: str, name: str, column: str
    ) -> str:
        table, key = _PAIRS[what]
        q = self.alias("q")
        return (
            f"select y.text as {column} from {table} {q} "
            f"join symbol y on y.id = {q}.value "
            f"where {q}.graph = {graph} and {q}.{key} = {own} "
            f"and {self.name_is(f'{q}.name', name)} order by {q}.seq"
        )

    def start(self, graph: str, node: str) -> str:
        """The first character of a node."""
        return self._end("min", "start", graph, node)

    def stop(self, graph: str, node: str) -> str:
        """One past the last character of a node."""
        return self._end("max", "stop", graph, node)

    def _end(self, function: str, column: str, graph: str, node: str) -> str:
        a = self.alias("a")
        return (
            f"(select {function}({a}.{column}) from anchor {a} "
            f"where {a}.graph = {graph} and {a}.node = {node})"
        )

    def before(self, graph: str, left: str, right: str, near: bool) -> str:
        """Return the condition that one node precedes another, perhaps immediately.

        Words do so by their order, as those of a token may have the same anchors; the
        token that they are of is no word.  Other nodes end before another begins.
        """
        if self.words is False:
            return self._ends_before(graph, left, right, near)
        parts = [f"{left} < {right}"]
        parts += [self.lacks(graph, node, MULTIWORD) for node in (left, right)]
        if near:
            b = self.alias("b")
            parts.append(
                f"not exists (select 1 from node {b} where {b}.graph = {graph} "
                f"and {b}.ordinal > {left} and {b}.ordinal < {right} "
                f"and {self.lacks(graph, f'{b}.ordinal', MULTIWORD)})"
            )
        words = " and ".join(parts)
        if self.words:
            return words
        ended = self._ends_before(graph, left, right, near)
        return f"case when {self.over_words(graph)} then {words} else {ended} end"

    def _ends_before(self, graph: str, left: str, right: str, near: bool) -> str:
        far = f"{self.stop(graph, left)} <= {self.start(graph, right)}"
        if not near:
            return far
        b = self.alias("b")
        return (
            f"{far} and not exists (select 1 from anchor {b} where {b}.graph = {graph} "
            f"and {b}.node not in ({left}, {right}) group by {b}.node "
            f"having min({b}.start) >= {self.stop(graph, left)} "
            f"and max({b}.stop) <= {self.start(graph, right)})"
        )

    def path(self, graph: str, source: str, target: str) -> str:
        """Return the condition that a path without cycles joins two nodes."""
        reached, r = self._reachable(graph, source, forward=True)
        return f"{self.exists} ({reached} select 1 from {r} where {r}.n = {target})"

    def reached(self, w: str, graph: str, node: str, forward: bool) -> str:
        """All nodes that edges lead to from a node, or back from it, as a table.

        Args:
            w: its alias; the nodes are in its column ``value``.
            graph: the graph.
            node: the node, of a table before this one.
            forward: whether edges are followed as they point.
        """
        reached, r = self._reachable(graph, node, forward)
        if self.dialect == "sqlite":
            # Of all tables only functions may speak of those before them.
            result = f"{reached} select json_group_array({r}.n) from {r}"
            return f"json_each(({result})) {w}"
        return f"lateral ({reached} select {r}.n as value from {r}) {w}"

    def _reachable(self, graph: str, node: str, forward: bool) -> tuple[str, str]:
        r, z = self.alias("r"), self.alias("z")
        start, end = ("source", "target") if forward else ("target", "source")
        # From node to node: SQLite would rather go through all edges of the graph.
        return (
            f"with recursive {r}(n) as ("
            f"select {z}.{end} from edge {z} "
            f"where {z}.graph = {graph} and {z}.{start} = {node} "
            f"union select {z}.{end} from {r} cross join edge {z} "
            f"where {z}.graph = {graph} and {z}.{start} = {r}.n)"
        ), r

    def told(self, table: str, alias: str, what: str, side: Side, graph: str) -> str:
        """Return the table of matches or errors of nodes or edges, with a filter.

        Args:
            table: ``correspondence`` or ``error``.
            alias: of its rows.
            what: ``node`` or ``edge``.
            side: whose graph it is.
            graph: the graph.
        """
        if self.joined:
            name = {"correspondence": "link", "error": "fault"}[table]
            name = name if what == "node" else f"arc_{name}"
            return f"{name} {alias} where {alias}.{side}_graph = {graph}"
        by = ""
        if table == "error" and self.dialect == "sqlite":
            # An index holds one side's errors: SQLite sees that it may be used by the
            # condition about sides, and that it pays only if it is told, as stores
            # have no statistics.
            by = f" indexed by error_result_object_{side}_ix"
        return (
            f"{table} {alias}{by} where {alias}.result = p.result "
            f"and {alias}.object = '{what}'"
        )

    def counterpart(self, side: Side, graph: str, node: str) -> str:
        """Return the condition that a node of a graph has a counterpart."""
        m = self.alias("m")
        table = self.told("correspondence", m, "node", side, graph)
        return (
            f"{self.exists} (select 1 from {table} and {m}.{side} = {node} "
            f"and {m}.{OTHER[side]} is not null)"
        )

    def is_word(self, graph: str, node: str) -> str:
        """Return the condition that a node is one that dependency metrics compare."""
        return self.lacks(graph, node, MULTIWORD, "empty")

    def lacks(self, graph: str, node: str, *marks: str) -> str:
        """Return the condition that a node has none of the marks of a nonword."""
        q = self.alias("q")
        names = ", ".join(map(self.parameter, marks))
        return (
            f"not exists (select 1 from property {q} where {q}.graph = {graph} "
            f"and {q}.node = {node} and {q}.name in "
            f"(select y.id from symbol y where y.text in ({names})))"
        )

    def corresponding(
        self, m: str, side: Side, graphs: dict[Side, str], node: str
    ) -> tuple[str, list[str]]:
        """The table of correspondences, and what ties a row to a node.

        Args:
            m: the alias of the row.
            side: the side whose node it leads to.
            graphs: those of both sides.
            node: the node of the other side.
        """
        other_side = OTHER[side]
        tied = [f"{m}.{other_side} = {node}", f"{m}.{side} is not null"]
        if self.joined:
            own = [
                f"{m}.{either}_graph = {graphs[either]}"
                for either in (other_side, side)
            ]
            return f"link {m}", own + tied
        of = [f"{m}.result = p.result", f"{m}.object = 'node'"]
        return f"correspondence {m}", of + tied

    def first(self, m: str, behind: str = "") -> str:
        """Return the condition that a row is the first about its nodes.

        Args:
            m: the alias of the row.
            behind: the alias of a table that is to be joined before this is asked.
        """
        w = self.alias("w")
        # Most rows that a correspondence leads to fall out at the tables behind it.
        late = f" and {behind}.graph > 0" if behind else ""
        return (
            f"not exists (select 1 from correspondence {w} "
            f"where {w}.result = {m}.result and {w}.seq < {m}.seq "
            f"and {w}.object = 'node' and {w}.gold = {m}.gold "
            f"and {w}.system = {m}.system{late})"
        )

    def error(
        self,
        side: Side,
        what: str,
        graph: str,
        own: str,
        more: str = "",
        partial: bool = True,
    ) -> str:
        """Return the condition that a node or edge of a side has an error.

        Args:
            side: whose it is.
            what: ``node`` or ``edge``.
            graph: its graph.
            own: its ordinal.
            more: what is asked of the error ``x`` besides.
            partial: whether a match in part is one.
        """
        whole = "" if partial else f" and x.error_type = '{OWN[side]}'"
        table = self.told("error", "x", what, side, graph)
        return (
            f"{self.exists} (select 1 from {table} "
            f"and x.{side} = {own} and x.error_type <> "
            f"'{OWN[OTHER[side]]}'{whole}{more})"
        )

    def matched_edge(self, side: Side, graph: str, own: str) -> str:
        """Return the condition that an edge has a counterpart and no error itself."""
        m = self.alias("m")
        table = self.told("correspondence", m, "edge", side, graph)
        return (
            f"{self.exists} (select 1 from {table} and {m}.{side} = {own} "
            f"and {m}.{OTHER[side]} is not null) "
            f"and not {self.error(side, 'edge', graph, own, self.whole)}"
        )

    @property
    def whole(self) -> str:
        """Condition on an error ``x`` of a whole edge, not of one of its attributes."""
        # Errors of arcs are those of words, of which the table has only these.
        return "" if self.joined else WHOLE

    def about(self, what: str, feature: str) -> str:
        """Return the condition that an error ``x`` is about a feature."""
        if self.joined:
            name = "deprel" if (what, feature) == ("edge", "label") else feature
            return f" and x.name in {named_part(self.parameter(name))}"
        if feature == "label" and what == "edge":
            return WHOLE
        known = KINDS.get(feature, ())
        kinds = ", ".join(f"'{known_kind}'" for known_kind in known) or self.parameter(
            feature
        )
        return (
            f" and (x.name is null and x.tuple_type in ({kinds}) "
            f"or {self.name_is('x.name', feature)})"
        )


WHOLE = " and x.name is null"
"""Condition on an error ``x`` of a whole edge, not of one of its attributes."""

_PAIRS = {"node": ("property", "node"), "edge": ("attribute", "edge")}


def literal_sql(
    sql: str, values: dict[str, object], literal: Callable[[str], str]
) -> str:
    """A statement with its values written in.

    Args:
        sql: it.
        values: by name.
        literal: writes a text.
    """

    def written(match: re.Match[str]) -> str:
        value = values[match[1]]
        return literal(value) if isinstance(value, str) else str(value)

    return re.sub(r":(v\d+)\b", written, sql)
