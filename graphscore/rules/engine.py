"""Runs the rules of a set over the facts of many documents at once.

Phases run one after the other.  In a phase the rules wait in an agenda; the ones of the
highest priority are taken, all their matches are found by one statement each, and then
their effects take place together; where a pass can decide, many of
them by one statement.  A rule comes back into the agenda when another has
given a class that it asks for, and is through when nothing new matches.  So phases run
to a fixpoint, and every rule fires once for every match.

What cannot be decided is an error that names the rules: two of one priority that give a
span different classes, and rules that undo each other, so that one would have to fire
for a match again.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from graphscore.exceptions import GraphscoreError
from graphscore.rules.batch import Batch
from graphscore.rules.functions import Functions
from graphscore.rules.model import SIDES, Rule, Side
from graphscore.rules.passes import Pass, pass_of
from graphscore.rules.ruleset import RuleSet
from graphscore.rules.sandbox import limit
from graphscore.rules.statements import (
    FILLS,
    Compiled,
    compile_rule,
    value_of,
)
from graphscore.rules.tables import (
    Filler,
    asks_pairs,
    counting_of,
    create,
    create_index,
    create_mentions,
    fill_mentions,
)

STEPS = 2_000
"""Millions of instructions of SQLite that one statement may take."""

PAGES = 131_072
"""Pages of 4 KiB that the database may have: half a gibibyte."""

TOLD = 5
"""Rules that an error names at most."""


class RuleError(GraphscoreError):
    """Rules contradict or undo one another."""


class _TooMuchError(Exception):
    """Rules that were decided together are more work than one may be."""


class Database:
    """A private database with the tables of a rule set, and a budget of steps.

    Args:
        rules: the set.
        needs: indexes and tables of pairs that statements of its rules ask for.
        functions: functions that its conditions call.
    """

    def __init__(self, rules: RuleSet, needs: set[str], functions: Functions) -> None:
        self.values = {**rules.settings.values, "gs_near": rules.settings.near}
        self._budget = 0
        self.connection = connection = sqlite3.connect(
            ":memory:",
            isolation_level=None,
            check_same_thread=False,
            cached_statements=1024,
        )
        # Not __del__: of a cycle that is collected, the connection may go first.
        self._closing = weakref.finalize(self, connection.close)
        limit(connection)
        functions.install(connection)
        run = connection.execute
        run("pragma journal_mode = off")
        run("pragma synchronous = off")
        run("pragma temp_store = memory")
        run("pragma cache_size = -100000")
        run("pragma page_size = 4096")
        run(f"pragma max_page_count = {PAGES}")
        create(connection, rules)
        create_mentions(connection)
        for name in sorted(needs - FILLS.keys()):
            create_index(connection, name)
        reference = weakref.ref(self)

        def tick() -> int:
            # The connection must not keep the database that is to close it.
            database = reference()
            return 1 if database is None else database.tick()

        connection.set_progress_handler(tick, 1_000_000)
        connection.set_authorizer(_inside)

    def tick(self) -> int:
        """Count a million steps of the database; 1 if there were too many."""
        self._budget -= 1
        return int(self._budget < 0)

    def close(self) -> None:
        """Let go of the database."""
        self._closing()

    def begin(self) -> None:
        """Begin with a new budget for all that has none of its own."""
        if self.connection.in_transaction:
            self.connection.execute("commit")
        self._budget = 10 * STEPS
        self.connection.execute("begin")

    def run(self, what: str, statement: str) -> int:
        """Run a statement within its own budget.

        Args:
            what: what asks for it, for messages.
            statement: in SQL.

        Returns:
            How many rows it made or changed.

        Raises:
            RuleError: if it cannot be run, or takes more steps than are allowed.
        """
        self._budget = STEPS
        try:
            return self.connection.execute(statement, self.values).rowcount
        except sqlite3.Error as error:
            raise RuleError(f"{what}: {_describe_error(error)}") from None
        finally:
            self._budget = 10 * STEPS


class Engine:
    """A database with the statements of one rule set.

    Args:
        rules: the set.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.order = rules.in_order()
        self._phases: dict[str, list[Compiled]] = defaultdict(list)
        self._needs = {"gold_place"} if asks_pairs(self.order) else set()
        for number, rule in enumerate(self.order):
            statements = compile_rule(number, rule)
            self._needs.update(statements.needs)
            self._phases[rule.phase].append(statements)
        self._passes = {name: pass_of(phase) for name, phase in self._phases.items()}
        self._counting = {
            name: counting_of(rules, [statements.rule for statements in phase])
            for name, phase in self._phases.items()
        }
        self._filler = Filler(rules)
        self._paired: set[str] = set()
        self._functions = Functions(rules.settings)
        self._database = Database(rules, self._needs, self._functions)

    @property
    def connection(self) -> sqlite3.Connection:
        """Connection to the database."""
        return self._database.connection

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def run(self, batch: Batch) -> None:
        """Load units, and run every phase to its fixpoint.

        Args:
            batch: the units.

        Raises:
            RuleError: if rules contradict or undo one another, or a rule takes
                more work than is allowed.
        """
        try:
            self._run(batch)
        except sqlite3.Error as error:
            # Loading, and effects, which only the size of the tables can stop.
            raise RuleError(f"rules: {_describe_error(error)}") from None
        except _TooMuchError:
            # What was begun cannot be taken back.  Whose fault it is, is found where
            # every rule is fired by itself.
            self.close()
            self._database = Database(self.rules, self._needs, self._functions)
            self._passes.clear()
            self._run(batch)

    def _run(self, batch: Batch) -> None:
        self._database.begin()
        self._filler.fill(self.connection, batch)
        self._batch = batch
        self._paired.clear()
        if any(self._counting.values()):
            fill_mentions(self.connection, batch)
        for phase in self.rules.phases:
            if phase in self._phases:
                self._phase(phase)

    def _phase(self, phase: str) -> None:
        waiting = list(self._phases[phase])
        fired: set[int] = set()
        if asks_pairs([compiled.rule for compiled in waiting]):
            for over in ("same", "overlap"):
                self._pair(over)
        for statement in self._counting[phase]:
            self._database.run("mentions of entities", statement)
        together = self._passes.get(phase)
        if together is not None and self._pass(together):
            fired |= {rule.number for rule in together.rules}
            waiting = waiting[len(together.rules) :]
        while waiting:
            first = waiting[0].rule.priority
            group = [
                compiled for compiled in waiting if compiled.rule.priority == first
            ]
            waiting = waiting[len(group) :]
            changed = self._fire(group, fired)
            fired |= {compiled.number for compiled in group}
            again = {
                woken.number
                for compiled in changed
                for woken in self._phases[phase]
                if woken.wakes(compiled)
            } | {compiled.number for compiled in waiting}
            waiting = [
                compiled for compiled in self._phases[phase] if compiled.number in again
            ]

    def _pass(self, together: Pass) -> bool:
        """Decide rules by one look at every pair; whether that could be done."""
        run = self.connection.execute
        run("delete from hit")
        for over, statement in together.finds:
            self._pair(over)
            try:
                self._database.run("rules", statement)
            except RuleError:
                raise _TooMuchError from None
        if any(run(doubt).fetchone() for doubt in together.doubts):
            run("delete from hit")
            return False
        for effect in together.effects:
            run(effect)
        return True

    def _fire(self, group: Sequence[Compiled], fired: set[int]) -> list[Compiled]:
        """Find the matches of rules of one priority, then let all take effect."""
        for needed in sorted({over for compiled in group for over in compiled.needs}):
            if needed in FILLS:
                self._pair(needed)
        if len(group) == 1 and group[0].direct and group[0].number not in fired:
            return list(group) if self._match(group[0], group[0].direct) else []
        last = self._one("select coalesce(max(rowid), 0) from log")
        begins: list[tuple[Compiled, int, int]] = []
        begin = last
        for compiled in group:
            if self._match(compiled, compiled.match):
                end = self._one("select max(rowid) from log")
                if compiled.number in fired:
                    self._refuse_repeated(compiled, begin, end)
                begins.append((compiled, begin, end))
                begin = end
        if len(begins) > 1:
            self._refuse_conflicts([compiled for compiled, _, _ in begins], last)
        for compiled, start, end in begins:
            for statement in compiled.effects:
                self.connection.execute(statement, (start, end))
        return [compiled for compiled, _, _ in begins]

    def _match(self, compiled: Compiled, statement: str) -> int:
        """Run a statement of a rule, and return how many rows it made or changed."""
        return self._database.run(_describe_rule(compiled.rule), statement)

    def _pair(self, over: str) -> None:
        """Find the pairs that rules range over, where none has asked for them yet."""
        if over not in self._paired:
            self._database.run(f"pairs of spans ({over})", FILLS[over])
            self._paired.add(over)

    def _one(self, statement: str, *values: int) -> int:
        [number] = self.connection.execute(statement, values).fetchone()
        return int(number)

    def _refuse_repeated(self, repeated: Compiled, begin: int, end: int) -> None:
        """Refuse a match for which the rule has fired already: it would for ever."""
        row = self.connection.execute(
            "select one.gold, one.system, two.rowid from log one join log two "
            "on two.rule = one.rule and two.gold is one.gold "
            "and two.system is one.system and two.rowid <= ? "
            "where one.rowid > ? and one.rowid <= ? limit 1",
            (begin, begin, end),
        ).fetchone()
        if row is None:
            return
        gold, system, since = row
        names = {
            number
            for (number,) in self.connection.execute(
                "select rule from log where rowid >= ? and rowid <= ? "
                "and (gold = ? or system = ?)",
                (since, end, gold, system),
            )
        }
        rules = [self.order[number] for number in sorted(names | {repeated.number})]
        shown = [_describe_rule(rule) for rule in rules[:TOLD]]
        if len(rules) > TOLD:
            shown.append(f"{len(rules) - TOLD} more")
        listed = " and ".join(shown)
        undo = "undo each other" if len(rules) > 1 else "fires on its own result"
        raise RuleError(
            f"{listed} {undo} without end; expected classes that are given once in "
            f"the phase {repeated.rule.phase!r}"
        )

    def _refuse_conflicts(self, group: Sequence[Compiled], last: int) -> None:
        """Refuse classes of which a span would get two at the same time."""
        for side in SIDES:
            for level in sorted({compiled.rule.level for compiled in group}):
                rules = [
                    compiled
                    for compiled in group
                    if compiled.rule.level == level and compiled.rule.to(side)
                ]
                if len({rule.rule.to(side) for rule in rules}) < 2:
                    continue
                conflict = self._conflict(side, rules, last)
                if conflict is not None:
                    number, rule, other_number = conflict
                    left, right = self.order[rule], self.order[other_number]
                    both = f"{_describe_rule(left)} and {_describe_rule(right)}"
                    raise RuleError(
                        f"{both} are of one phase and "
                        f"priority ({left.phase}, {left.priority}) and give "
                        f"{self._describe_row(side, level, number)} different classes, "
                        f"{left.to(side)!r} and {right.to(side)!r}; expected different "
                        "priorities or conditions"
                    )

    def _conflict(
        self, side: Side, rules: Sequence[Compiled], last: int
    ) -> tuple[int, int, int] | None:
        cases = " ".join(
            f"when {rule.number} then {value_of(rule.rule, side, f'{side}_was')}"
            for rule in rules
        )
        listed = ", ".join(str(rule.number) for rule in rules)
        return self.connection.execute(  # type: ignore[no-any-return]
            f"select {side}_to, min(rule), max(rule) from log where rowid > ? "
            f"and rule in ({listed}) and {side}_to is not null group by {side}_to "
            f"having min(case rule {cases} end) < max(case rule {cases} end) "
            "order by 1 limit 1",
            (last,),
        ).fetchone()

    def _describe_row(self, side: Side, level: str, number: int) -> str:
        index = SIDES.index(side)
        if level == "document":
            _, entry = next(islice(self._batch.entry_rows(index), number - 1, None))
            kind, text = entry[1:3]
            return f"the {side} entity {text!r} ({kind})"
        _, span = next(islice(self._batch.span_rows(index), number - 1, None))
        return f"the {side} span {span[4]!r} ({span[3]})"


def _describe_rule(rule: Rule) -> str:
    location = f" ({rule.file}:{rule.line})" if rule.line else ""
    return f"rule {rule.name!r}{location}"


def _describe_error(error: sqlite3.Error) -> str:
    """Describe an error of the database in words."""
    result = str(error)
    if result == "interrupted":
        return f"found more than {STEPS} million steps of the database, expected less"
    if "full" in result:
        size = f"{PAGES // 256} MiB of spans and pairs"
        return f"found more than {size}, expected less, or smaller documents"
    return f"found {result}, expected a condition that can be computed"


def _inside(action: int, *_: str | None) -> int:
    """Authorize statements once the tables exist: work on these tables only."""
    return sqlite3.SQLITE_DENY if action in _OUTSIDE else sqlite3.SQLITE_OK


_OUTSIDE = frozenset(
    {
        sqlite3.SQLITE_ATTACH,
        sqlite3.SQLITE_DETACH,
        sqlite3.SQLITE_PRAGMA,
        sqlite3.SQLITE_CREATE_TRIGGER,
        sqlite3.SQLITE_CREATE_VTABLE,
        sqlite3.SQLITE_CREATE_VIEW,
        sqlite3.SQLITE_DROP_TABLE,
    }
)


class EnginePool:
    """Engines of one rule set, for one user at a time.

    Args:
        rules: the rule set.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._idle: list[Engine] = []

    def __reduce__(self) -> tuple[type[EnginePool], tuple[RuleSet]]:
        """Return what a worker makes its own from: no databases."""
        return EnginePool, (self.rules,)

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        """An engine to oneself; one is made where none is idle."""
        try:
            engine = self._idle.pop()
        except IndexError:
            engine = Engine(self.rules)
        try:
            yield engine
        except BaseException:
            # Without a journal, what was begun cannot be taken back.
            engine.close()
            raise
        self._idle.append(engine)
