"""What a metric is: a named value with declared parameters, and four functions.

A metric is a frozen dataclass.  Its fields are its parameters; its canonical
string (``mrp``, ``mrp(order=free)``) is the same in Python, on the command line
and in the database, and parsing it gives back an equal metric.

``prepare`` lays out one graph (once per graph), ``compare`` takes a unit of each
side and returns an :class:`~graphscore.model.outcome.Outcome`, and ``figures`` turns
summed masses into everything that is printed.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from operator import attrgetter
from typing import (
    Any,
    ClassVar,
    Literal,
    Self,
    get_args,
    get_origin,
    get_type_hints,
)

from graphscore.correspondence import Budget, Correspondence
from graphscore.metrics.repairable import Repairable
from graphscore.model.frameworks import FRAMEWORKS, UNKNOWN
from graphscore.model.frameworks import framework as known
from graphscore.model.graph import Graph
from graphscore.model.ledger import Ledger
from graphscore.model.outcome import (
    Count,
    Error,
    Figures,
    FigureTable,
    Masses,
    MassKey,
    Outcome,
    count_of,
    total_count,
)

Unit = Literal["item", "document", "collection"]

ANOTHER_ORDER = "would have scored higher, as lists are compared in order"
"""What a remark says of lists whose order cost matches."""

AMOUNTS = frozenset({"gold", "system", "matched", "errors"})
"""How the names of figures end that are amounts, whole or not."""


@dataclass(frozen=True)
class Metric(Repairable, ABC):
    """Base of every metric.

    Class attributes:
        name: canonical name.
        title: one line about it.
        citation: the publication that defines it.
        follows: whose number the default is: a program with its version, or a
            definition.
        revision: rises whenever a number of this metric can move.
        unit: what is paired and handed to ``compare``.
        frameworks: what it can score; empty means every framework, but those whose
            graphs are made of others.
        made_for: what of these it scores where nobody names a framework; empty means
            all of them.
        composed_of: frameworks whose graphs are parts of those that are scored, such
            as the sentences of a document; they are not reported as left out.
        kinds: disjoint kinds that ``all`` sums, in table order.
        main: the kind that stands for the metric.
        aliases: other names of kinds, where figures are asked for by name.
        total_kind: the masses that are ``all``, where that is not the sum of all
            masses without a label.
        groups: kinds that are also counted together, by the name of their figures.
        averages: whether ``all`` is the mean of the kinds' ratios, not their sum.
        batched: whether many units are compared faster together than one by one.
        leading: the figure that stands for the metric, where that is not the F1 of
            its main kind: an error rate, a value.
        by_tokens: whether spans are compared by tokens where both sides have as many
            tokens and sentences in texts that differ.
        by_words: whether the metric itself compares spans so, sentences or not.
        confuses: what of errors is mistaken for that of others: their values, or labels
            where the values are the words.
        less_is_better: whether that figure is the better the lower it is.
        joins: whether documents are known by their characters, so that those of
            both sides that begin or end in different places are joined.
        sums_over: what the masses of a unit are sums over, where that is smaller than
            the unit: ``sentence`` or ``document``; :meth:`shares` gives them.
        spelled: parameters that are called otherwise in strings than in Python,
            where another thing has their name: by the field's name.
        opens: how parameters that name files begin in strings, such as ``facts=``.
        presets: where the class of a preset is that counts in a way of its own, as
            ``module:class``, by the value of the parameter ``preset``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    follows: ClassVar[str] = ""
    revision: ClassVar[int] = 1
    unit: ClassVar[Unit] = "item"
    frameworks: ClassVar[frozenset[str]] = frozenset()
    made_for: ClassVar[frozenset[str]] = frozenset()
    composed_of: ClassVar[frozenset[str]] = frozenset()
    kinds: ClassVar[tuple[str, ...]]
    main: ClassVar[str] = "all"
    aliases: ClassVar[Mapping[str, str]] = {}
    total_kind: ClassVar[str] = ""
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    averages: ClassVar[bool] = False
    batched: ClassVar[bool] = False
    leading: ClassVar[str] = ""
    less_is_better: ClassVar[bool] = False
    joins: ClassVar[bool] = False
    sums_over: ClassVar[Literal["", "sentence", "document"]] = ""
    by_tokens: ClassVar[bool] = False
    by_words: ClassVar[bool] = False
    confuses: ClassVar[Literal["value", "label"]] = "value"
    spelled: ClassVar[Mapping[str, str]] = {}
    opens: ClassVar[tuple[str, ...]] = ()
    presets: ClassVar[Mapping[str, str]] = {}

    def __new__(cls, *args: Any, **given: Any) -> Self:
        """Make a metric of the class of its preset."""
        names = (field.name for field in dataclasses.fields(cls)) if args else ()
        preset = (dict(zip(names, args, strict=False)) | given).get("preset")
        if home := cls.presets.get(str(preset)):
            module, _, name = home.partition(":")
            cls = getattr(import_module(module), name)
        return object.__new__(cls)

    @abstractmethod
    def prepare(self, graph: Graph) -> Any:
        """Lay out one graph for comparing; done once per graph."""

    @abstractmethod
    def compare(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare one unit of each side.

        Args:
            gold: prepared gold graphs of the unit, in order; one for an item.
            system: prepared system graphs, in order; empty where missing.
            budget: how much work may be spent.
            details: whether matches and errors are wanted beside the masses.

        Returns:
            Masses, proof, and on demand matches and errors.
        """

    def compare_many(
        self,
        pairs: Sequence[tuple[Sequence[Any], Sequence[Any]]],
        *,
        budget: Budget,
        details: bool = True,
    ) -> list[Outcome]:
        """Compare many units; a metric that is ``batched`` does so in one go.

        Args:
            pairs: prepared graphs of both sides of each unit.
            budget: how much work may be spent on each.
            details: whether matches and errors are wanted beside the masses.

        Returns:
            An outcome for each pair, equal to that of :meth:`compare`.
        """
        return [
            self.compare(gold, system, budget=budget, details=details)
            for gold, system in pairs
        ]

    def shares(
        self, gold: Sequence[Any], system: Sequence[Any], *, budget: Budget
    ) -> Sequence[Masses]:
        """The masses of a unit, shared out among its gold graphs.

        They add up to what :meth:`compare` gives.  What is of the system alone goes to
        the gold graph where it stands.

        Args:
            gold: prepared gold graphs of the unit, in order.
            system: prepared system graphs, in order; empty where missing.
            budget: how much work may be spent.

        Returns:
            Masses of every gold graph, in order; nothing unless the metric says what
            it ``sums_over``.
        """
        return ()

    def places(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        errors: Sequence[Error],
        *,
        budget: Budget,
    ) -> Sequence[int]:
        """The gold graph of a unit that each error belongs to, as its masses do.

        Args:
            gold: prepared gold graphs of the unit, in order.
            system: prepared system graphs, in order; empty where missing.
            errors: those of the unit.
            budget: how much work may be spent.

        Returns:
            The number of a gold graph for every error; nothing unless the metric says
            what it ``sums_over``.
        """
        return ()

    @property
    def layout(self) -> Hashable:
        """Metrics of equal layout take the graphs that the others prepared.

        Then a graph is prepared once for all of them.  By default a metric shares
        with none but itself.
        """
        return self

    @property
    def by_strings(self) -> bool:
        """Whether spans are known by what they say, wherever that stands."""
        return False

    @property
    def error_kinds(self) -> tuple[str, ...]:
        """The kinds that errors can be of."""
        return self.kinds

    @property
    def is_nested(self) -> bool:
        """Whether parts of what is matched are matched, so that errors have levels."""
        return False

    def part_of(self, kind: str, level: int) -> str:
        """What errors at a level are about, where metrics nest.

        Args:
            kind: a kind of errors.
            level: how deep, 0 for what is matched first.

        Returns:
            Names of what is matched there; nothing by default.
        """
        return ""

    def applicable(self, framework: str) -> frozenset[str]:
        """Kinds that *framework* has at all; tables leave the others blank."""
        return frozenset(self.kinds)

    def scores(self, framework: str) -> bool:
        """Whether this metric can score graphs of *framework*."""
        if self.frameworks:
            return framework in self.frameworks
        # What is made of other graphs would be counted twice.
        return not known(framework).whole

    def takes(self, framework: str, named: Collection[str] = ()) -> bool:
        """Whether this metric scores graphs of *framework* where they are.

        It scores those that it is made for, and others that it can score only where
        they are named.

        Args:
            framework: what the graphs are of.
            named: the frameworks that the user has named.
        """
        known_as = framework if framework in FRAMEWORKS else UNKNOWN
        wanted = not self.made_for or known_as in self.made_for or framework in named
        return wanted and self.scores(framework)

    @property
    def own_frameworks(self) -> frozenset[str]:
        """What the metric is made for, by name; empty for whatever is there."""
        return (self.made_for or self.frameworks) - {UNKNOWN}

    @property
    def over_one(self) -> str:
        """Why recall or precision can be more than 1; nothing where neither can.

        Where one is, a note of the result says so, with the reason.
        """
        return ""

    @property
    def normalization(self) -> str:
        """What makes two spellings count as one, for the signature."""
        return "none"

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Everything that is printed, from summed masses.

        The default gives a count per kind and ``all``, their sum.
        """
        counts = {kind: count_of(masses, kind) for kind in self.kinds}
        counts["all"] = total_count(counts.values())
        return Figures(counts, {})

    def remarks(self, masses: Mapping[MassKey, int | float]) -> Iterable[str]:
        """What the user should know of summed masses, one sentence each."""
        return ()

    def value(self, figures: Figures) -> float:
        """The one number that stands for the metric; systems are ranked by it.

        Args:
            figures: what :meth:`figures` gave.

        Returns:
            The leading figure, or the F1 of the main kind; ``nan`` where it is
            undefined, as an error rate of nothing is.
        """
        if self.leading:
            return figures.numbers.get(self.leading, math.nan)
        return figures.counts[self.main].f1

    def leads(self, figure: str) -> bool:
        """Whether a figure is the leading one, of everything or of some part.

        Args:
            figure: its name: that of the leading figure, or with it as the first part
                (``eter.types``) or the last (``entities.loc.eter``); or ``macro``, the
                mean of the leading figure over units.
        """
        leading = self.leading
        return bool(leading) and (
            figure in (leading, "macro")
            or figure.startswith(f"{leading}.")
            or figure.endswith(f".{leading}")
        )

    def lowest_best(self, figure: str) -> bool:
        """Whether of a figure the lowest is the best; by default, of error rates.

        Args:
            figure: its name.
        """
        return self.less_is_better and self.leads(figure)

    def is_ratio(self, figure: str, value: float) -> bool:
        """Whether a further figure is a ratio, which tables show times 100.

        By default, all but whole numbers and amounts, by their names.

        Args:
            figure: its name.
            value: what it is.
        """
        return isinstance(value, float) and figure.rpartition(".")[2] not in AMOUNTS

    def remark_on(self, framework: str, masses: Mapping[MassKey, int | float]) -> str:
        """What the user should know of what was counted of a framework.

        Args:
            framework: its name.
            masses: its summed masses.

        Returns:
            A sentence; nothing by default.
        """
        return ""

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """The further figures that tables show where nobody asks for more.

        Args:
            numbers: all of them, by name.
        """
        return numbers

    def tables(self, figures: Figures) -> Sequence[FigureTable]:
        """Further tables that belong beneath that of the scores.

        What they show need not be among the :meth:`brief` figures.

        Args:
            figures: what :meth:`figures` gave.

        Returns:
            None by default.
        """
        return ()

    def __str__(self) -> str:
        """The canonical string: the name and every parameter off its default."""
        return self._canonical

    @cached_property
    def _canonical(self) -> str:
        given = [
            f"{self.spelled.get(field.name, field.name)}={_spell(value)}"
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != self.default_of(field)
        ]
        return f"{self.name}({','.join(given)})" if given else self.name

    def default_of(self, field: dataclasses.Field[Any]) -> Any:
        """What a parameter is if it is not given, beside the others.

        Args:
            field: of the parameter.
        """
        return field.default

    @classmethod
    def parameters(cls) -> dict[str, tuple[Any, tuple[Any, ...] | type]]:
        """Every parameter with its default and its choices or type."""
        hints = get_type_hints(cls)
        found: dict[str, tuple[Any, tuple[Any, ...] | type]] = {}
        for field in dataclasses.fields(cls):
            hint = hints[field.name]
            choices = get_args(hint) if get_origin(hint) is Literal else hint
            found[cls.spelled.get(field.name, field.name)] = (field.default, choices)
        return found


def taken_from(path: str) -> Any:
    """An attribute of a metric that is one of its parts'.

    Args:
        path: where it is, with dots between.
    """
    return property(attrgetter(path))


def unit_of(metric: Metric | type[Metric]) -> Unit:
    """What is paired and handed to ``compare``.

    A metric may have a parameter that is called ``unit``; it is one over items.

    Args:
        metric: a metric, or its class.
    """
    return metric.unit if metric.unit in ("document", "collection") else "item"


def outcome_of(found: Correspondence, ledger: Ledger) -> Outcome:
    """An outcome that rests on a correspondence and its proof."""
    return ledger.outcome(
        found.score,
        found.method,
        bound=found.bound,
        proven=found.proven,
        steps=found.steps,
    )


def numbered(prefix: str, count: Count) -> dict[str, float]:
    """Precision, recall and F1 of a derived group, as figures.

    >>> numbered("nodes", Count(2, 2, 1))["nodes.f1"]
    0.5
    """
    ratios = ("precision", "recall", "f1")
    return {f"{prefix}.{ratio}": getattr(count, ratio) for ratio in ratios}


def _spell(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
