"""Path of the bundled sample corpus."""

from __future__ import annotations

from pathlib import Path

import graphscore
from graphscore.errors import GraphscoreError


def sample_folder() -> Path:
    """The folder that holds ``gold.mrp``, ``alder.mrp`` and ``birch.mrp``.

    Raises:
        GraphscoreError: if this installation has no sample.
    """
    package = Path(graphscore.__file__).parent
    for folder in (package / "_data", package.parent / "data"):
        if (folder / "gold.mrp").is_file():
            return folder
    raise GraphscoreError(f"the sample corpus is missing beside {package}")
