"""The examples in the modules' own documentation."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import graphscore.formats

MODULES = [
    "graphscore.model.normalize",
    *(
        f"graphscore.formats.{module.name}"
        for module in pkgutil.iter_modules(graphscore.formats.__path__)
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
