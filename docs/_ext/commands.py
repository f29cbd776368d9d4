"""Show what a command prints in its place: the help on the page of the command line."""

from __future__ import annotations

import shlex
from typing import Any

from click.testing import CliRunner
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from graphscore.cli.main import cli


class Command(Directive):
    """A command, ``graphscore score --help-all``, in whose place its output stands."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Run the command."""
        _, *arguments = shlex.split(" ".join(self.content))
        run = CliRunner().invoke(cli, arguments)
        if run.exit_code:
            raise self.error(run.output)
        return [nodes.literal_block(run.output, run.output, language="none")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("command", Command)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
