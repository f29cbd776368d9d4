"""A verb's command: like click's, but its examples keep their lines."""

from __future__ import annotations

import re
from typing import Any

import click

_EXAMPLES = re.compile(r"^( *)(Examples?:)$", re.MULTILINE)


def keep_examples(text: str | None) -> str | None:
    r"""Mark the examples in a help text as not to be wrapped.

    >>> keep_examples("Do it.\n\nExample:\n  do it")
    'Do it.\n\n\x08\nExample:\n  do it'
    """
    return None if text is None else _EXAMPLES.sub("\\1\b\n\\1\\2", text)


class Verb(click.Command):
    """A verb of the command line."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.help = keep_examples(self.help)
