"""Sphinx configuration: furo, MyST."""

from importlib.metadata import version as installed

project = "graphscore"
author = "the graphscore maintainers"
copyright = "2026, the graphscore maintainers"
release = version = installed("graphscore")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"graphscore {release}"
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
