"""Bundles of options: data classes whose fields say which options fill them.

A decorator adds the options and hands them to the verb as one value; one function
fills and checks all bundles of a verb::

    @click.command()
    @scoring_options
    @output_options
    def command(scoring: Scoring, output: Output) -> None: ...
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from graphscore.errors import UsageError

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])

BUNDLES = "graphscore_bundles"
"""Where a command keeps which bundles it is handed, by the names of parameters."""


def option(
    *names: str,
    default: Any = None,
    needs: str = "",
    excludes: str = "",
    **settings: Any,
) -> Any:
    """Return a field of a data class that an option fills.

    Args:
        names: how the option is typed.
        default: of the field, and of the option.
        needs: the field of a flag without which the option says nothing.
        excludes: the field of an option that rules the same.
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
    fields = [each for each in dataclasses.fields(kind) if each.name not in without]
    fields = [each for each in fields if "options" in each.metadata]

    def decorate(function: AnyCommand) -> AnyCommand:
        command = function if hasattr(function, BUNDLES) else _filling(function)
        getattr(command, BUNDLES)[parameter] = kind, [each.name for each in fields]
        for field in reversed(fields):
            for names, settings in reversed(field.metadata["options"]):
                settings = settings | (
                    {"help": help[field.name]} if field.name in help else {}
                )
                names = named.get(field.name, names)
                command = click.option(*names, field.name, **settings)(command)
        return command

    return decorate


def _filling(function: AnyCommand) -> AnyCommand:
    """Wrap a command so that bundles are filled from its options and checked."""

    @functools.wraps(function)
    def command(*args: Any, **values: Any) -> Any:
        for parameter, (kind, names) in getattr(command, BUNDLES).items():
            value = kind(**{name: values.pop(name) for name in names})
            _check(value)
            values[parameter] = value
        return function(*args, **values)

    setattr(command, BUNDLES, {})
    decorated: Any = command
    result: AnyCommand = decorated
    return result


def _check(value: Any) -> None:
    """Refuse options that do not go together, as the fields of their bundle say.

    Raises:
        UsageError: naming both.
    """
    known = {each.name: each for each in dataclasses.fields(value)}
    for name, field in known.items():
        rules = field.metadata
        given = getattr(value, name)
        if given is None or given is False or given == ():
            continue
        if (needed := rules.get("needs")) and not getattr(value, needed):
            raise UsageError(f"--{name} goes with --{needed}")
        if (other := rules.get("excludes")) and getattr(value, other) is not None:
            first, second = (_typed(known[each]) for each in (name, other))
            raise UsageError(f"{first} and {second} are mutually exclusive: drop one")


def _typed(field: dataclasses.Field[Any]) -> str:
    """How the option of a field is typed."""
    name: str = field.metadata["options"][0][0][0]
    return name
