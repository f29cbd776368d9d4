"""Sphinx configuration: furo, MyST, and the API from docstrings."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

import numpy as np
import numpy.typing as npt

from graphscore.correspondence import edge_groups, problem
from graphscore.formats import base, recognition
from graphscore.formats.entities import inventories

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

# Signatures of structs are made of their annotations, with names that are imported
# for type checkers alone.
vars(problem).update(np=np, npt=npt, EdgeGroups=edge_groups.EdgeGroups)
vars(base).update(Sign=recognition.Sign, Inventory=inventories.Inventory)

project = "graphscore"
author = "the graphscore maintainers"
copyright = "2026, the graphscore maintainers"
release = version = installed("graphscore")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "commands",
    "names",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = True
# Other libraries' names, which are imported for type checkers alone.
nitpick_ignore = [
    ("py:class", "Executor"),
    ("py:class", "nx.MultiDiGraph"),
    ("py:class", "rx.PyDiGraph"),
]

html_theme = "furo"
html_title = "graphscore"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}

myst_heading_anchors = 4

autosummary_generate = False
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
maximum_signature_line_length = 70
add_module_names = False
autodoc_mock_imports = ["dask", "distributed", "spacy"]
napoleon_use_ivar = True
napoleon_custom_sections = [("Class attributes", "Attributes")]
napoleon_numpy_docstring = False
toc_object_entries_show_parents = "hide"
