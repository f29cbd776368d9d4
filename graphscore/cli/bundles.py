"""Bundles of options: classes whose attributes say which options fill them.

A decorator adds the options and hands them to the command as one value; one function
fills and checks all bundles of a command::

    @click.command()
    @scoring_options
    @output_options
    def command(scoring: Scoring, output: Output) -> None: ...
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform

import click

from graphscore.exceptions import UsageError

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])

BUNDLES = "graphscore_bundles"
"""Attribute of a command that holds its bundles, by parameter name."""


class Option(NamedTuple):
    """Options that fill an attribute of a bundle, each with its names and settings."""

    flags: Sequence[tuple[Sequence[str], dict[str, Any]]]
    default: Any = None
    needs: Sequence[str] = ()
    excludes: Sequence[str] = ()

    def as_typed(self, value: Any = None) -> str:
        """Return the option as typed, or the flag that sets a value."""
        for names, settings in self.flags:
            if value is not None and settings.get("flag_value") == value:
                return names[0]
        names = self.flags[0][0]
        return next((name for name in names if name.startswith("--")), names[0])


def option(
    *names: str,
    default: Any = None,
    needs: Sequence[str] = (),
    excludes: Sequence[str] = (),
    **settings: Any,
) -> Any:
    """Return an attribute of a bundle that an option fills.

    Args:
        names: how the option is typed.
        default: of the attribute, and of the option.
        needs: attributes, without one of which this one says nothing.
        excludes: attributes that do not go with this one, of any bundle.
        settings: further ones of the option, as click has them.
    """
    if default is not None and default != ():
        settings["default"] = default
    return Option([(names, settings)], default, needs, excludes)


def choice(*, default: None = None, **values: str) -> Any:
    """Return an attribute of a bundle that one of several flags fills.

    Args:
        default: of the attribute.
        values: what it may be, which is how the flag is typed, and its help.
    """
    return Option(
        [
            ((f"--{value}",), {"flag_value": value, "help": text})
            for value, text in values.items()
        ],
        default,
    )


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(option, choice)
)
class Bundle:
    """Base of bundles: an attribute for each option."""

    filled_by: ClassVar[Mapping[str, Option]] = {}

    def __init_subclass__(cls) -> None:
        own = {
            name: value
            for name, value in vars(cls).items()
            if isinstance(value, Option)
        }
        cls.filled_by = {**cls.filled_by, **own}
        for name, filling in own.items():
            setattr(cls, name, filling.default)

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def values(self) -> dict[str, Any]:
        """The values of all options."""
        return {name: getattr(self, name) for name in self.filled_by}

    def changed(self, **values: Any) -> Self:
        """Return the same with other values."""
        return type(self)(**{**vars(self), **values})


def bundle(
    parameter: str,
    kind: type[Bundle],
    without: tuple[str, ...] = (),
    named: Mapping[str, tuple[str, ...]] = {},
    help: Mapping[str, str] = {},
) -> Callable[[AnyCommand], AnyCommand]:
    """Return a decorator that adds the options of a bundle, passed as one value.

    Args:
        parameter: of the command, which takes the value.
        kind: the class of the bundle.
        without: attributes whose options the command does not have.
        named: by attribute, other names of its option.
        help: by attribute, another text about its option.
    """
    chosen = {
        name: filling for name, filling in kind.filled_by.items() if name not in without
    }

    def decorate(function: AnyCommand) -> AnyCommand:
        command = function if hasattr(function, BUNDLES) else _fill_bundles(function)
        getattr(command, BUNDLES)[parameter] = kind, chosen
        for name, filling in reversed(chosen.items()):
            for names, settings in reversed(filling.flags):
                settings = settings | ({"help": help[name]} if name in help else {})
                names = named.get(name, names)
                command = click.option(*names, name, **settings)(command)
        return command

    return decorate


def _fill_bundles(function: AnyCommand) -> AnyCommand:
    """Wrap a command so that bundles are filled from its options and checked."""

    @functools.wraps(function)
    def command(*args: Any, **values: Any) -> Any:
        filled = {}
        for parameter, (kind, names) in getattr(command, BUNDLES).items():
            filled[parameter] = kind(**{name: values.pop(name) for name in names})
        _check(filled.values())
        return function(*args, **values, **filled)

    setattr(command, BUNDLES, {})
    decorated: Any = command
    result: AnyCommand = decorated
    return result


def _check(bundles: Iterable[Bundle]) -> None:
    """Refuse options that do not go together, as the attributes of bundles say.

    Raises:
        UsageError: naming both.
    """
    owners: dict[str, str] = {}
    known: dict[str, Option] = {}
    for bundle in bundles:
        known |= bundle.filled_by
        for name, value in bundle.values().items():
            if value not in (None, False, ()):
                owners[name] = known[name].as_typed(value)
    for name, typed in owners.items():
        for excluded in known[name].excludes:
            if excluded in owners:
                raise UsageError(
                    f"{typed} and {owners[excluded]} are mutually exclusive: drop one"
                )
    for name, typed in owners.items():
        needed = known[name].needs
        if needed and owners.keys().isdisjoint(needed):
            names = " or ".join(known[key].as_typed() for key in needed)
            raise UsageError(f"{typed} goes with {names}")
