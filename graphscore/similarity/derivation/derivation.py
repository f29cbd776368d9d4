"""The metric of a class, derived from what its fields hold, bottom up.

A literal is equal or not (δ); an object is compared field by field (×); of a set or
sequence the items are matched, one to one, sequences in order, and F1 makes a
similarity of that.  Nested so deep as the classes are, the outermost F1 is the
metric (Chen et al. 2023)::

    >>> from graphscore.structures.extraction import RelationSet
    >>> print(derive(RelationSet).formula)
    F↔relations[δ_type × δ_subj × δ_obj]

What should be compared otherwise is marked: in an annotation, ``Annotated[str,
levels_of(".")]``, in a declaration for the class, ``@compared(args=summed)``, or
for one derivation::

    >>> from graphscore.structures.objects.declarations import ignored
    >>> from graphscore.structures.extraction import Event, EventSet
    >>> print(derive(EventSet).formula)
    F↔events[δ_trig × Σ↔args[δ_mention × δ_role]]
    >>> print(derive(EventSet, {Event: {"args": ignored}}).formula)
    F↔events[δ_trig]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphscore.similarity.base import Similarity
from graphscore.similarity.derivation.deriver import NONE, Deriver
from graphscore.similarity.derivation.marks import Changes, Declarations, Rules
from graphscore.similarity.explanation.report import Report, check
from graphscore.similarity.expression import FormulaError, list_names
from graphscore.similarity.features.elements import label
from graphscore.similarity.navigation.collections import Collection, Items, Nodes
from graphscore.similarity.navigation.selections import OfTop, only
from graphscore.similarity.navigation.steps import top
from graphscore.similarity.operators.arithmetic import product, total
from graphscore.similarity.operators.delegation import at
from graphscore.similarity.operators.latent import latent
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import harmonic
from graphscore.structures.objects import declarations
from graphscore.structures.objects.annotations import fields_of, record_of
from graphscore.structures.objects.dataclasses import to_graph
from graphscore.structures.objects.field_types import Field, Many, Record
from graphscore.structures.objects.to_graph import flat


class Derived(Mapping[str, Similarity]):
    """The formulas of a class, by kind: one for each field of the output.

    Collections come first; what a mark says to ignore is no kind.  A mapping, so
    that :func:`graphscore.metrics.formula.suite` takes it as it is.

    Args:
        cls: the class.
        formulas: the formula of each kind.
        sequences: for fields whose items are compared in order because nothing is said
            of it, the class, and the change by which they are compared in any order.
        fields: of a class without collections, the formula of each of its fields, if
            it has several; a mapping of its own, since they are no output of the task.

    Example:
        >>> from graphscore.structures.coreference import EntitySet
        >>> print(derive(EntitySet))
        entities = F↔entities[F↔mentions[δ_left × δ_right]]
    """

    def __init__(
        self,
        cls: Any,
        formulas: Mapping[str, Similarity],
        sequences: Mapping[str, tuple[Any, dict[str, Any]]] | None = None,
        fields: Mapping[str, Similarity] | None = None,
    ) -> None:
        self.cls = cls
        self._formulas = dict(formulas)
        self.sequences = dict(sequences or {})
        self.fields = dict(fields or {})

    def __getitem__(self, kind: str) -> Similarity:
        return self._formulas[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._formulas)

    def __len__(self) -> int:
        return len(self._formulas)

    def __str__(self) -> str:
        return "\n".join(f"{kind} = {value}" for kind, value in self.items())

    def __repr__(self) -> str:
        return f"Derived({self._formulas!r})"

    @property
    def formula(self) -> Similarity:
        """The only formula.

        Raises:
            FormulaError: if there are several, as the output has several fields.
        """
        if len(self) != 1:
            raise FormulaError(
                f"{self.cls.__name__} has the kinds {list_names(self)}, expected one: "
                "choose by name, or make a suite of them"
            )
        [result] = self.values()
        return result

    def score(self, gold: Any, system: Any) -> dict[str, Report]:
        """Score one object against its gold standard, kind by kind.

        Args:
            gold: an object of the class, or its graph.
            system: likewise; ``None`` where there is none.
        """
        sides = [
            to_graph(side, self.cls) if type(side) is self._class else side
            for side in (gold, system)
        ]
        return {kind: value.score(*sides) for kind, value in self.items()}

    @property
    def _class(self) -> type[Any]:
        return record_of(self.cls).cls

    def explain(self, gold: Any, system: Any) -> str:
        """The nested alignment of one pair, kind by kind, as text.

        Args:
            gold: an object of the class, or its graph.
            system: likewise.
        """
        return "\n".join(
            report.explain() for report in self.score(gold, system).values()
        )

    def latex(self) -> str:
        """The formulas for print."""
        return "\n".join(
            rf"\text{{{kind}}} = {value.latex()}" for kind, value in self.items()
        )


def derive(cls: Any, changes: Changes | None = None) -> Derived:
    """The metric of a class, from what its fields hold.

    Args:
        cls: a dataclass that is the output of a task, with arguments if it is
            generic.
        changes: marks that go before those of the classes: for a class marks for
            its objects, or a mapping from fields to marks.

    Returns:
        One formula for each field of the class; a class without collections has
        one for all its fields together, ``all``.

    Raises:
        StructureError: for an annotation that says nothing a graph can hold.
        FormulaError: for marks that do not fit what they are for, for classes that
            contain themselves, and for variables where none can be found.
    """
    shape = record_of(cls)
    declarations = Declarations(changes or {})
    output = _Output(declarations, shape)
    formulas = output.kinds()
    declarations.check_used(shape.cls)
    orders = dict(declarations.sequences)
    for kind, formula in formulas.items():
        if formula.has_variables:
            raise FormulaError(
                f"a variable deep inside of {kind}, expected variables in the fields "
                "of what an output class has a collection of",
                str(formula),
            )
        check(formula)
    return Derived(cls, formulas, orders, output.fields())


def similarity_of(cls: Any, changes: Changes | None = None) -> Similarity:
    """Derive the similarity of two objects of a class, as part of larger formulas.

    Args:
        cls: a dataclass.
        changes: as for :func:`derive`.

    Example:
        >>> from graphscore.structures.mentions import IndexedMention, Mention
        >>> print(similarity_of(Mention))
        δ_left × δ_right
        >>> print(similarity_of(IndexedMention))
        ⟦J↔indices[δ] > 0.5⟧
    """
    return Deriver(Declarations(changes or {})).node(record_of(cls))


class _Output:
    """The outermost class, whose fields are kinds."""

    def __init__(self, declarations: Declarations, shape: Record) -> None:
        self._declarations = declarations
        self._shape = shape
        self._fields: list[tuple[Field, Rules]] = []
        for field in fields_of(shape.cls, shape.args):
            marks = field.shape.marks
            rules = declarations.of_field(shape.cls, field.name, marks, None)
            if field.compare and not rules.ignored:
                self._fields.append((field, rules))

    def kinds(self) -> dict[str, Similarity]:
        """A formula for each field, collections first; one for all with variables."""
        similarities: dict[str, Similarity] = {}
        latents: list[tuple[Field, Rules]] = []
        some = any(self._is_matched(*field) for field in self._fields)
        for each, rules in self._fields:
            if not some or not self._is_matched(each, rules):
                continue
            formula = self._collection(self._deriver(), each, rules)
            if formula.has_variables:
                latents.append((each, rules))
            # The place of the kind is kept for what all variables are in.
            similarities[each.name] = formula
        if not some:
            return {"all": self._derive_whole()}
        singles = self._singles()
        latents += [f for f in self._fields if self._is_latent(singles, f[0])]
        if latents:
            similarities = self._with_latents(similarities, latents)
        taken = {each.name for each, _ in latents}
        return similarities | {
            name: single for name, single in singles.items() if name not in taken
        }

    def fields(self) -> dict[str, Similarity]:
        """A formula for each field of a class without collections or variables."""
        if len(self._fields) < 2 or any(self._is_matched(*f) for f in self._fields):
            return {}
        singles = self._singles()
        if any(single.has_variables for single in singles.values()):
            return {}
        # The name of what all of them are together is taken.
        return {name: single for name, single in singles.items() if name != "all"}

    @staticmethod
    def _is_latent(singles: dict[str, Similarity], field: Field) -> bool:
        return field.name in singles and singles[field.name].has_variables

    def _derive_whole(self) -> Similarity:
        """All fields together, where none is a collection."""
        deriver = self._deriver()
        factors = [
            factor for f, rules in self._fields for factor in deriver.field(f, rules)
        ]
        if not factors:
            raise FormulaError(
                f"{self._shape} has no fields that are compared, expected one"
            )
        result = at(top, product(*factors))
        return latent(_variables(deriver), result) if result.has_variables else result

    def _is_matched(self, field: Field, rules: Rules) -> bool:
        """Return true if a field's items are matched rather than taken as one value."""
        collection, _ = flat(field.shape)
        taken = rules.discrete or rules.values is not None
        return isinstance(collection, Many) and not taken

    def _singles(self) -> dict[str, Similarity]:
        """The fields that are no collections."""
        similarities: dict[str, Similarity] = {}
        for field, rules in self._fields:
            if not self._is_matched(field, rules):
                factors = self._deriver().field(field, rules)
                similarities[field.name] = at(top, product(*factors))
        return similarities

    def _deriver(self, balance: str | None = None) -> Deriver:
        return Deriver(self._declarations, balance)

    def _collection(
        self, deriver: Deriver, field: Field, rules: Rules, *, sums: bool = False
    ) -> Similarity:
        if rules.ratio == declarations.by_either and not sums:
            left, right = (
                self._collection(self._deriver(norm), field, rules, sums=True)
                for norm in ("P", "R")
            )
            return harmonic(
                deriver.sums.ratio(left, declarations.by_precision, rules),
                deriver.sums.ratio(right, declarations.by_recall, rules),
            )
        amount = deriver.amount(field.name, field.shape, rules, OfTop)
        return amount if sums else deriver.sums.finish(amount, rules)

    def _with_latents(
        self, formulas: dict[str, Similarity], latents: list[tuple[Field, Rules]]
    ) -> dict[str, Similarity]:
        """All fields with variables as one kind: it is one map of variables."""
        deriver = self._deriver()
        taken = {field.name for field, _ in latents}
        [(first, rules), *others] = latents
        if not others and self._is_matched(first, rules):
            formula = self._derive_alone(deriver, first, rules)
        else:
            formula = self._derive_together(deriver, latents)
        name = "+".join(field.name for field, _ in latents)
        rest = {kind: value for kind, value in formulas.items() if kind not in taken}
        return {name: formula} | rest

    def _derive_alone(self, deriver: Deriver, field: Field, rules: Rules) -> Similarity:
        """The only field with variables: whatever is made of its greatest sum."""
        _one_ratio(field, rules)
        amount = self._collection(deriver, field, rules, sums=True)
        if rules.contained:
            amount = deriver.sums.among(amount, rules)
        return deriver.sums.finish(latent(_variables(deriver), amount), rules)

    def _derive_together(
        self, deriver: Deriver, latents: list[tuple[Field, Rules]]
    ) -> Similarity:
        """Several fields with variables: one ratio of their sum."""
        amounts = []
        ratio, counted = declarations.by_f1, None
        matched = [latent for latent in latents if self._is_matched(*latent)]
        if matched:
            first, first_rules = matched[0]
            ratio, counted = first_rules.ratio or ratio, first_rules.counted
        for field, rules in latents:
            if not self._is_matched(field, rules):
                amounts.append(self._one(deriver, field, rules))
                continue
            _one_ratio(field, rules)
            if rules.limits or rules.contained:
                mark = rules.limits[0] if rules.limits else declarations.contained
                names = [other.name for other, _ in latents if other is not field]
                raise FormulaError(
                    f"{field.where} is declared {mark!r}, expected no more than a "
                    f"ratio: it has variables in common with {list_names(names)}, and "
                    "one map is found for the sum of all"
                )
            if (rules.ratio or declarations.by_f1) != ratio or rules.counted != counted:
                raise FormulaError(
                    f"{field.where} is declared {rules.ratio or rules.counted}, "
                    f"expected the same as {first.where}: they have variables in "
                    "common"
                )
            amounts.append(self._collection(deriver, field, rules, sums=True))
        operand = latent(_variables(deriver), total(*amounts))
        where = latents[0][0].where
        return deriver.sums.finish(operand, Rules(where, ratio=ratio, counted=counted))

    @staticmethod
    def _one(deriver: Deriver, field: Field, rules: Rules) -> Similarity:
        """A field with variables that is no collection: one item beside those of all.

        Raises:
            FormulaError: if it could hold something that is no object.
        """
        options = [option for option in field.shape.options() if option != NONE]
        if len(options) != 1 or not isinstance(options[0], Record):
            raise FormulaError(
                f"{field.where} is {field.shape}, with variables, beside a collection, "
                "expected one class, or a collection of what it may be"
            )
        return Match(OfTop(Items(field.name)), deriver.one(options[0], rules))


def _one_ratio(field: Field, rules: Rules) -> None:
    if rules.ratio == declarations.by_either:
        raise FormulaError(
            f"{field.where} is declared by_either and has variables, expected one "
            "ratio: their map is found for one sum"
        )


def _variables(deriver: Deriver) -> Collection:
    names = sorted(deriver.variables)
    if len(names) == 1:
        return Nodes(label=names[0])
    return only(Nodes(), label, *names)
