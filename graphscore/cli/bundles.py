"""Bundles of options: data classes whose fields say which options fill them.

A decorator adds the options and hands them to the command as one value; one function
fills and checks all bundles of a command::

    @click.command()
    @scoring_options
    @output_options
    def command(scoring: Scoring, output: Output) -> None: ...
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import click

from graphscore.exceptions import UsageError

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])

BUNDLES = "graphscore_bundles"
"""Attribute of a command that holds its bundles, by parameter name."""


def option(
    *names: str,
    default: Any = None,
    needs: Sequence[str] = (),
    excludes: Sequence[str] = (),
    **settings: Any,
) -> Any:
    """Return a field of a data class that an option fills.

    Args:
        names: how the option is typed.
        default: of the field, and of the option.
        needs: fields of options, without one of which this one says nothing.
        excludes: fields of options that do not go with this one, of any bundle.
        settings: further ones of the option, as click has them.
    """
    if default is not None and default != ():
        settings["default"] = default
    known = {"options": [(names, settings)], "needs": needs, "excludes": excludes}
    return dataclasses.field(default=default, metadata=known)


def choice(**values: str) -> Any:
    """Return a field of a data class that one of several flags fills.

    Args:
        values: what the field may be, which is how the flag is typed, and its help.
    """
    flags = [
        ((f"--{value}",), {"flag_value": value, "help": text})
        for value, text in values.items()
    ]
    return dataclasses.field(default=None, metadata={"options": flags})


def bundle(
    parameter: str,
    kind: type[Any],
    without: tuple[str, ...] = (),
    named: Mapping[str, tuple[str, ...]] = {},
    help: Mapping[str, str] = {},
) -> Callable[[AnyCommand], AnyCommand]:
    """Return a decorator that adds the options of a data class, passed as one value.

    Args:
        parameter: of the command, which takes the value.
        kind: the data class.
        without: fields whose options the command does not have.
        named: by field, other names of its option.
        help: by field, another text about its option.
    """
    fields = [
        field
        for field in dataclasses.fields(kind)
        if field.name not in without and "options" in field.metadata
    ]

    def decorate(function: AnyCommand) -> AnyCommand:
        command = function if hasattr(function, BUNDLES) else _fill_bundles(function)
        getattr(command, BUNDLES)[parameter] = kind, [field.name for field in fields]
        for field in reversed(fields):
            for names, settings in reversed(field.metadata["options"]):
                settings = settings | (
                    {"help": help[field.name]} if field.name in help else {}
                )
                names = named.get(field.name, names)
                command = click.option(*names, field.name, **settings)(command)
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


def _check(bundles: Iterable[Any]) -> None:
    """Refuse options that do not go together, as the fields of bundles say.

    Raises:
        UsageError: naming both.
    """
    owners: dict[str, str] = {}
    known: dict[str, dataclasses.Field[Any]] = {}
    for value in bundles:
        for field in dataclasses.fields(value):
            known[field.name] = field
            if getattr(value, field.name) not in (None, False, ()):
                owners[field.name] = _as_typed(field, getattr(value, field.name))
    for name, typed in owners.items():
        for excluded in known[name].metadata.get("excludes", ()):
            if excluded in owners:
                raise UsageError(
                    f"{typed} and {owners[excluded]} are mutually exclusive: drop one"
                )
    for name, typed in owners.items():
        needed = known[name].metadata.get("needs", ())
        if needed and owners.keys().isdisjoint(needed):
            names = " or ".join(_as_typed(known[key]) for key in needed)
            raise UsageError(f"{typed} goes with {names}")


def _as_typed(field: dataclasses.Field[Any], value: Any = None) -> str:
    """Return the option of a field as typed, or the flag that sets a value."""
    options = field.metadata.get("options", [((field.name,), {})])
    for names, settings in options:
        if value is not None and settings.get("flag_value") == value:
            return str(names[0])
    long = [name for name in options[0][0] if name.startswith("--")]
    return str((long or options[0][0])[0])
